//! Parsers for numeric option values.

use std::str::FromStr;
use wayforge::InputError;

/// Parses a whole number. The range only appears in the error message; the configuration checks it.
pub(crate) fn whole<T: FromStr, const MIN: i64, const MAX: i64>(
    text: &str,
) -> Result<T, InputError> {
    text.parse().map_err(|_| rejected(text, format!("use {MIN} to {MAX}")))
}

/// Parses a number of seeds, 1 or more.
pub(crate) fn at_least_one(text: &str) -> Result<u64, InputError> {
    let count = text.parse().ok().filter(|&count: &u64| count > 0);
    count.ok_or_else(|| rejected(text, "use 1 or more".to_owned()))
}

/// Parses two numbers with a comma between them.
pub(crate) fn pair<T: FromStr>(text: &str) -> Option<(T, T)> {
    let (first, second) = text.split_once(',')?;
    Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
}

/// Splits a text at the first separator. The tail is `None` without one.
pub(crate) fn head_and_tail(text: &str, separator: char) -> (&str, Option<&str>) {
    text.split_once(separator).map_or((text, None), |(head, tail)| (head, Some(tail)))
}

/// Parses `COL,ROW`.
pub(crate) fn col_row<T: FromStr>(text: &str) -> Result<(T, T), String> {
    pair(text).ok_or_else(|| "write COL,ROW, as in 3,5".to_owned())
}

/// Sets a field if its option was given.
pub(crate) fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}

fn rejected(text: &str, remedy: String) -> InputError {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let problem = if is_whole { "out of range" } else { "not a whole number" };
    InputError::new("value", text, problem, remedy)
}
