//! The argument of `--count`.

/// Parses a number of seeds, 1 or more.
pub(crate) fn at_least_one(text: &str) -> Result<u64, String> {
    let range = "use 1 or more";
    match text.parse() {
        Ok(0) => Err(format!("out of range; {range}")),
        Ok(count) => Ok(count),
        Err(_) => Err(format!("not a whole number up to {}; {range}", u64::MAX)),
    }
}
