//! Shared code of the Python and JavaScript packages: maps of any family, and detailed errors.
//!
//! Configurations and results are passed as JSON. Seeds are passed as text, because JavaScript
//! numbers cannot represent all 64-bit integers.
//!
//! ```
//! use wayforge_api::bindings::{BindingError, generate_map};
//! let map = generate_map("act", "first light", "{}")?;
//! assert_eq!(map.seed().to_string(), "first light");
//! let error: BindingError = generate_map("act", "1", r#"{"rows": 0}"#).unwrap_err();
//! assert_eq!((error.field.as_deref(), error.value.as_deref()), (Some("rows"), Some("0")));
//! # Ok::<(), wayforge_api::bindings::BindingError>(())
//! ```

mod error;
mod map;
mod parse;

pub use error::{BindingError, BindingErrorKind};
pub use map::{MapExt, generate, generate_map};
#[cfg(feature = "handlers")]
pub(crate) use parse::choose;
pub use parse::{
    parse_cell, parse_coarse_rule, parse_columns, parse_connectivity, parse_family, parse_fog,
    parse_metric, parse_preprocessing, parse_seed, parse_targets, parse_theme, parse_where,
};
pub use wayforge::AnyMap;
