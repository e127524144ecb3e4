//! What the packages for other languages share: maps of any family, and errors that cross the border whole.
//!
//! Configurations and answers cross as JSON, which every language reads; seeds cross as text, because not every language has numbers of
//! 64 bits.
//!
//! ```
//! use wayforge_api::bindings::{BindingError, generate_map};
//! let map = generate_map("act", "first light", "{}")?;
//! assert_eq!(map.seed().to_string(), "first light");
//! let fault: BindingError = generate_map("act", "1", r#"{"rows": 0}"#).unwrap_err();
//! assert_eq!((fault.field.as_deref(), fault.value.as_deref()), (Some("rows"), Some("0")));
//! # Ok::<(), wayforge_api::bindings::BindingError>(())
//! ```

mod error;
mod map;
mod parse;

pub use error::{BindingError, BindingErrorKind};
pub use map::{MapExt, generate, generate_map};
pub use parse::{
    parse_aim, parse_cell, parse_coarse_rule, parse_family, parse_fog, parse_metric, parse_moves,
    parse_prepare, parse_seed, parse_theme, parse_where,
};
pub use wayforge::AnyMap;
