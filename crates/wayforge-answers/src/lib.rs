//! What Wayforge answers to a request, whoever carries it: the HTTP service, or a page that makes its maps itself.
//!
//! Every answer is a function of the request, its limits and, where nothing names a seed, the system's randomness. Nothing is kept.
//!
//! ```
//! use wayforge_answers::{Brush, Limits, answer};
//! let told = answer("/v1/act.svg", "theme=night", br#"{"seed": "42"}"#, &Limits::default(), &mut Brush::default())?;
//! assert!(told.body.starts_with(b"<svg") && told.content_type == "image/svg+xml");
//! # Ok::<(), wayforge_answers::Problem>(())
//! ```

#![forbid(unsafe_code)]

pub mod ask;
mod brush;
mod carry;
pub mod export;
pub mod form;
pub mod limits;
pub mod map;
pub mod moves;
pub mod problem;
pub mod query;
pub mod reroll;
pub mod routes;
pub mod scene;
pub mod validate;
pub mod ways;

pub use brush::Brush;
pub use carry::{Told, answer};
pub use limits::Limits;
pub use problem::{Kind, Problem};
