//! Whole numbers as option values.

use std::str::FromStr;

/// Parses an option's whole number. The error names what works instead of Rust's own words.
///
/// The range is only for that error: the configuration checks it, and its errors name the field.
pub(crate) fn whole<T: FromStr, const MIN: i64, const MAX: i64>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("use a whole number from {MIN} to {MAX}"))
}

/// Parses a number of seeds, 1 or more.
pub(crate) fn at_least_one(text: &str) -> Result<u64, String> {
    let range = "use 1 or more";
    match text.parse() {
        Ok(0) => Err(format!("out of range; {range}")),
        Ok(count) => Ok(count),
        Err(_) => Err(format!("not a whole number up to {}; {range}", u64::MAX)),
    }
}
