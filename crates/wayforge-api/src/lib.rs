//! Request handlers and error mapping shared by the HTTP service and the language packages.
//!
//! - [`bindings`]: maps and errors as the Python and JavaScript packages expose them.
//! - `handlers` (feature `handlers`): transport-independent request handlers, shared by the HTTP
//!   server and the WebAssembly studio.
//! - [`AnyScene`]: scenes of maps and runs of any family.
//! - [`FamilyOption`]: options of requests that only some families support.

#![forbid(unsafe_code)]

mod any_scene;
pub mod bindings;
mod family_option;
#[cfg(feature = "handlers")]
pub mod handlers;

pub use any_scene::AnyScene;
pub use family_option::FamilyOption;
