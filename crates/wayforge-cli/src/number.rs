//! Parsers for numeric option values.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds, RangeInclusive};
use std::str::FromStr;
use wayforge::InputError;

/// Returns a parser of whole numbers. The range only appears in the error message: the
/// configuration checks it.
pub(crate) fn whole(
    range: RangeInclusive<i64>,
) -> impl Fn(&str) -> Result<i64, InputError> + Clone {
    move |text| text.parse().map_err(|_| rejected(text, &range))
}

/// Returns a parser of whole numbers in a range.
pub(crate) fn within(
    range: impl RangeBounds<u64> + Clone,
) -> impl Fn(&str) -> Result<u64, InputError> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| rejected(text, &range))
    }
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

/// Formats a count with its noun, in singular or plural.
pub(crate) fn counted<N: Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    format!("{count} {noun}{}", if count == N::from(1) { "" } else { "s" })
}

/// Sets a field if its option was given.
pub(crate) fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}

fn rejected<T: Display>(text: &str, range: &impl RangeBounds<T>) -> InputError {
    let min = match range.start_bound() {
        Bound::Included(min) => min.to_string(),
        _ => "0".to_owned(),
    };
    let remedy = match range.end_bound() {
        Bound::Included(max) => format!("use {min} to {max}"),
        _ => format!("use {min} or more"),
    };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let problem = if is_whole { "out of range" } else { "not a whole number" };
    InputError::new("value", text, problem, remedy)
}
