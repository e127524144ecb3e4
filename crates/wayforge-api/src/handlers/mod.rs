//! Transport-independent request handlers, shared by the HTTP server and the exported studio.
//!
//! A response depends only on the request, the limits and, if no seed is given, system randomness.
//! Handlers store nothing.
//!
//! ```
//! use wayforge_api::handlers::{LazyPainter, Limits, dispatch};
//! let (limits, mut painter) = (Limits::default(), LazyPainter::default());
//! let response =
//!     dispatch("/v1/act.svg", "theme=night", br#"{"seed": "42"}"#, &limits, &mut painter)?;
//! assert!(response.body.starts_with(b"<svg") && response.content_type == "image/svg+xml");
//! # Ok::<(), wayforge_api::handlers::Problem>(())
//! ```

mod dispatch;
pub mod export;
pub mod illegal_move;
mod lazy_painter;
pub mod limits;
pub mod map;
pub mod output_format;
pub mod path;
pub mod problem;
pub mod query;
pub mod request;
pub mod reroll;
pub mod routes;
pub mod scene;
pub mod validate;

pub use dispatch::{Response, dispatch};
pub use lazy_painter::LazyPainter;
pub use limits::Limits;
pub use problem::{Problem, ProblemKind};
