//! Request handlers and error mapping shared by the HTTP service and the language packages.
//!
//! - [`bindings::generate_map`] generates a map of any family, and [`bindings::MapExt`] validates,
//!   plays and draws it, as the Python and JavaScript packages do.
//! - `handlers::dispatch` (feature `handlers`) handles a request without a transport, as the HTTP
//!   server and the WebAssembly studio do.
//! - [`FamilyOption`]: options of requests that only some families support.
//!
//! # Examples
//!
//! ```
//! use wayforge_api::bindings::{MapExt, generate_map};
//!
//! let map = generate_map("floor", "first light", r#"{"width": 9, "height": 7}"#)?;
//! assert!(map.report(true)?.is_valid());
//! println!("{}", map.ascii());
//! # Ok::<(), wayforge_api::bindings::BindingError>(())
//! ```
//!
//! # Features
//!
//! - `png`: maps as PNG in [`bindings`].
//! - `handlers`: request handlers; includes `png`.
//! - `axum`: problem documents as axum responses; includes `handlers`.

#![forbid(unsafe_code)]

pub mod bindings;
mod family_option;
#[cfg(feature = "handlers")]
pub mod handlers;

pub use family_option::FamilyOption;

/// Runs the README examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
