//! Responses to requests of the service, without a transport: the HTTP server and the exported studio use them.
//!
//! Every response is a function of the request, its limits and, where no seed is given, the system's randomness. Nothing is
//! stored.
//!
//! ```
//! use wayforge_api::handlers::{Brush, Limits, answer};
//! let response = answer("/v1/act.svg", "theme=night", br#"{"seed": "42"}"#, &Limits::default(), &mut Brush::default())?;
//! assert!(response.body.starts_with(b"<svg") && response.content_type == "image/svg+xml");
//! # Ok::<(), wayforge_api::handlers::Problem>(())
//! ```

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
