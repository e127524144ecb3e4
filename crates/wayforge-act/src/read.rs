//! Parses act configurations and documents, with errors in terms of the configuration.
//!
//! [`document::parse`] names the value and the expected type. These errors add the allowed values.

use serde::de::DeserializeOwned;
use wayforge_core::{DecodeError, document, shorten};

/// Remedy for the `rows` field in most rulesets.
pub(super) const ROWS_REMEDY: &str = "use 1 to 4096";

/// Parses JSON as [`document::parse`] does, with reworded type errors.
///
/// For example: `rows: "nine" is not a whole number (use 1 to 4096)`. `rows_remedy` is the text in
/// parentheses for the `rows` field.
pub(super) fn parse<T: DeserializeOwned>(
    path: &str,
    text: &[u8],
    rows_remedy: &'static str,
) -> Result<T, DecodeError> {
    document::parse(path, text).map_err(|error| reword(error, rows_remedy))
}

/// Rewords a type error of [`document::parse`] to name the allowed values.
pub(super) fn reword(error: DecodeError, rows_remedy: &'static str) -> DecodeError {
    match error {
        DecodeError::Malformed { path, message, position } => {
            let message = reword_message(&path, &message, rows_remedy).unwrap_or(message);
            DecodeError::Malformed { path, message, position }
        }
        other => other,
    }
}

/// Returns the reworded message; `None` if the message is not about a type or value.
fn reword_message(path: &str, message: &str, rows_remedy: &'static str) -> Option<String> {
    let (given, expected) = message.strip_prefix("found ")?.rsplit_once(", expected ")?;
    let is_whole = given.parse::<i128>().is_ok();
    let given = shorten(given);
    let (problem, remedy) = match expected {
        "true or false" => ("not true or false", "use true or false"),
        "a list" => ("not a list", "use [...]"),
        "an object" => ("not an object", "use {...}"),
        "a string" => ("not text", "use text in quotes"),
        "a character" => ("not one character", "use one character in quotes"),
        _ if is_integer(expected) => {
            let problem = if is_whole { "out of range" } else { "not a whole number" };
            (problem, allowed_values(path, rows_remedy))
        }
        other => return Some(format!("{given} cannot be used (use {other})")),
    };
    Some(format!("{given} is {problem} ({remedy})"))
}

/// Returns true for `a whole number`, with or without a range, and `a non-negative whole number`.
fn is_integer(expected: &str) -> bool {
    expected.split(" from ").next().is_some_and(|noun| noun.ends_with(" whole number"))
}

/// Describes the allowed values of the integer at `path`.
///
/// [`resolve`](super::Config::resolve) checks them; a test compares both.
fn allowed_values(path: &str, rows_remedy: &'static str) -> &'static str {
    match path.rsplit('.').next().unwrap_or(path) {
        "rows" => rows_remedy,
        "cols" | "nearest" | "min_nodes" | "max_nodes" => "use 1 to 64",
        "walks" => "use 1 to 1024",
        "depth" => "use 0 to 4096",
        "restarts" => "use 0 to 10000",
        "attempts" => "use 1 to 1000",
        "act" => "use 1 to 4",
        "ascension" => "use 0 to 20",
        "weight" | "min" | "max" => "use 0 to 1000000",
        "search_limit" => "use 0 to 10000000",
        "earliest" | "latest" | "from" | "to" => "use a row: 0 is the bottom row, -1 the top row",
        "row" if path.contains("fixed") => "use a row: 0 is the bottom row, -1 the top row",
        "row" => "use a row: 0 is the bottom row",
        "col" => "use a column: 0 is the leftmost",
        _ if path.contains(".weights.") => "use 0 to 1000000",
        _ => "use a whole number of 0 or more",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    /// Returns the error of a configuration without its position.
    fn error(json: &str) -> String {
        let text = Config::from_json(json.as_bytes()).unwrap_err().to_string();
        let (error, position) = text.rsplit_once(" at line ").unwrap();
        assert!(position.contains(" column "), "{text}");
        error.to_owned()
    }

    #[test]
    fn type_errors_name_the_value_and_the_allowed_values() {
        for (json, expected) in [
            (r#"{"rows": "nine"}"#, r#"rows: "nine" is not a whole number (use 1 to 4096)"#),
            (r#"{"rows": 1.5}"#, "rows: 1.5 is not a whole number (use 1 to 4096)"),
            (
                r#"{"ruleset": "rows", "rows": "nine"}"#,
                r#"rows: "nine" is not a whole number (use 2 to 4096)"#,
            ),
            (r#"{"cols": null}"#, "cols: null is not a whole number (use 1 to 64)"),
            (
                r#"{"cols": 9223372036854775808}"#,
                "cols: 9223372036854775808 is out of range (use 1 to 64)",
            ),
            (r#"{"cols": [7]}"#, "cols: a list is not a whole number (use 1 to 64)"),
            (r#"{"boss": "yes"}"#, r#"boss: "yes" is not true or false (use true or false)"#),
            (r#"{"pins": 3}"#, "pins: 3 is not a list (use [...])"),
            (
                r#"{"pins": [{"row": "a"}]}"#,
                r#"pins[0].row: "a" is not a whole number (use a row: 0 is the bottom row)"#,
            ),
            (
                r#"{"kinds": 7}"#,
                r#"kinds: 7 cannot be used (use "standard", "none" or an object with kinds)"#,
            ),
            (
                r#"{"kinds": {"kinds": [{"name": "a", "weight": "5"}]}}"#,
                r#"kinds.kinds[0].weight: "5" is not a whole number (use 0 to 1000000)"#,
            ),
            (
                r#"{"kinds": {"kinds": [{"name": "a", "route": {"min": "2.."}}]}}"#,
                r#"kinds.kinds[0].route.min: "2.." is not a whole number (use 0 to 1000000)"#,
            ),
            (
                r#"{"kinds": {"kinds": [{"name": "a", "route": 2}]}}"#,
                "kinds.kinds[0].route: 2 is not an object (use {...})",
            ),
            (
                r#"{"kinds": {"kinds": [{"name": 1}]}}"#,
                "kinds.kinds[0].name: 1 is not text (use text in quotes)",
            ),
            (
                r#"{"kinds": {"kinds": [{"name": "a", "symbol": "ab"}]}}"#,
                r#"kinds.kinds[0].symbol: "ab" is not one character (use one character in quotes)"#,
            ),
            (
                r#"{"kinds": {"fixed": [{"row": true, "kind": "a"}]}}"#,
                "kinds.fixed[0].row: true is not a whole number \
                 (use a row: 0 is the bottom row, -1 the top row)",
            ),
            (
                r#"{"kinds": {"bands": [{"from": 0, "to": 1, "weights": {"a": "x"}}]}}"#,
                r#"kinds.bands[0].weights.a: "x" is not a whole number (use 0 to 1000000)"#,
            ),
            (r#"{"ruleset": 5}"#, "ruleset: 5 is not text (use text in quotes)"),
            (
                r#"{"rows": "a, expected b at line 9"}"#,
                r#"rows: "a, expected b at line 9" is not a whole number (use 1 to 4096)"#,
            ),
        ] {
            assert_eq!(error(json), expected, "{json}");
        }
    }

    #[test]
    fn ranges_agree_with_resolve() {
        let walks_fields = ["rows", "cols", "walks", "nearest", "depth", "restarts", "attempts"];
        let other_fields =
            ["min_nodes", "max_nodes", "act", "ascension", "weight", "min", "max", "search_limit"];
        let with_kinds =
            |kinds: String| format!(r#"{{"boss": false, "kinds": {{"kinds": [{kinds}}}}}"#);
        for field in walks_fields.into_iter().chain(other_fields) {
            let range = allowed_values(field, ROWS_REMEDY);
            let bounds: Vec<i64> = range.split(' ').filter_map(|word| word.parse().ok()).collect();
            for value in [bounds[0] - 1, bounds[1] + 1] {
                let json = match field {
                    // Larger values exceed `max_nodes`, which is another error.
                    "min_nodes" => r#"{"ruleset": "rows", "min_nodes": 0}"#.to_owned(),
                    "max_nodes" => format!(r#"{{"ruleset": "rows", "{field}": {value}}}"#),
                    "act" | "ascension" => format!(r#"{{"ruleset": "spire", "{field}": {value}}}"#),
                    "weight" => with_kinds(format!(r#"{{"name": "a", "weight": {value}}}]"#)),
                    "min" | "max" => {
                        with_kinds(format!(r#"{{"name": "a", "map": {{"{field}": {value}}}}}]"#))
                    }
                    "search_limit" => {
                        with_kinds(format!(r#"{{"name": "a"}}], "search_limit": {value}"#))
                    }
                    _ => format!(r#"{{"{field}": {value}}}"#),
                };
                let error = Config::from_json(json.as_bytes()).unwrap().resolve().unwrap_err();
                assert!(error.field.ends_with(field) && error.remedy == range, "{json}: {error}");
            }
        }
    }
}
