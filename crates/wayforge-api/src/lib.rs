//! Request handlers and error mapping shared by the HTTP service and the language packages.
//!
//! - [`bindings`]: maps and errors as the Python and JavaScript packages expose them.
//! - `handlers` (feature `handlers`): transport-independent request handlers, shared by the HTTP
//!   server and the WebAssembly studio.
//! - [`FamilyOption`]: options of requests that only some families support.

#![forbid(unsafe_code)]

pub mod bindings;
mod family_option;
#[cfg(feature = "handlers")]
pub mod handlers;

pub use family_option::FamilyOption;
