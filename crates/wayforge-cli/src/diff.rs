//! Differences between a saved request and the current one, for error messages.

use serde_json::Value;

/// Maximum number of listed differences.
const MAX_DIFFERENCES: usize = 4;
/// Maximum number of characters of a listed value.
const MAX_VALUE_CHARS: usize = 60;

/// Lists the fields that differ, each with its saved and its requested value.
pub(crate) fn differences(saved: &Value, requested: &Value) -> String {
    let mut all = Vec::new();
    collect("", Some(saved), Some(requested), &mut all);
    let more = match all.len().saturating_sub(MAX_DIFFERENCES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    all.truncate(MAX_DIFFERENCES);
    all.join(", ") + &more
}

fn collect(path: &str, saved: Option<&Value>, requested: Option<&Value>, all: &mut Vec<String>) {
    if saved == requested {
        return;
    }
    let (Some(Value::Object(saved)), Some(Value::Object(requested))) = (saved, requested) else {
        all.push(format!("{path} was {}, now {}", display(saved), display(requested)));
        return;
    };
    let added = requested.keys().filter(|key| !saved.contains_key(*key));
    for key in saved.keys().chain(added) {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        collect(&path, saved.get(key), requested.get(key), all);
    }
}

fn display(value: Option<&Value>) -> String {
    value
        .filter(|value| !value.is_null())
        .map_or("not given".to_owned(), |value| truncate(&value.to_string(), MAX_VALUE_CHARS))
}

/// Truncates a text to `max` characters and marks the cut with an ellipsis.
pub(crate) fn truncate(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_only_the_fields_that_differ() {
        let saved =
            json!({ "a": 1, "b": { "c": [1, 2], "d": 3 }, "e": null, "long": "x".repeat(1000) });
        let requested =
            json!({ "a": 1, "b": { "c": [1], "d": 3 }, "e": 5, "long": "", "f": true, "g": 1 });
        let text = differences(&saved, &requested);
        assert!(
            text.starts_with("b.c was [1,2], now [1], e was not given, now 5, long was "),
            "{text}"
        );
        assert!(text.ends_with(" and 1 more") && text.len() < 250, "{text}");
        assert_eq!(differences(&saved, &saved), "");
    }
}
