//! Whole numbers as option values.

use std::str::FromStr;

/// Parses an option's whole number. The error names what works instead of Rust's own words.
///
/// The range is only for that error: the configuration checks it, and its errors name the field.
pub(crate) fn whole<T: FromStr, const MIN: i64, const MAX: i64>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("use a whole number from {MIN} to {MAX}"))
}
