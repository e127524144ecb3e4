//! How one request differs from another.

use serde_json::Value;

/// The most differences that are listed.
const MAX: usize = 4;
/// The most characters of a value.
const LONG: usize = 60;

/// What differs: each field with what is there and what is asked for now.
pub(crate) fn differences(there: &Value, now: &Value) -> String {
    let mut all = Vec::new();
    walk("", Some(there), Some(now), &mut all);
    let more = match all.len().saturating_sub(MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    all.truncate(MAX);
    all.join(", ") + &more
}

fn walk(path: &str, there: Option<&Value>, now: Option<&Value>, all: &mut Vec<String>) {
    if there == now {
        return;
    }
    let (Some(Value::Object(there)), Some(Value::Object(now))) = (there, now) else {
        all.push(format!("{path} is {} there and {} here", shown(there), shown(now)));
        return;
    };
    let new = now.keys().filter(|key| !there.contains_key(*key));
    for key in there.keys().chain(new) {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        walk(&path, there.get(key), now.get(key), all);
    }
}

fn shown(value: Option<&Value>) -> String {
    value
        .filter(|value| !value.is_null())
        .map_or("not given".to_owned(), |value| shortened(&value.to_string(), LONG))
}

/// A text, cut after `most` characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_is_told() {
        let there = json!({ "a": 1, "b": { "c": [1, 2], "d": 3 }, "e": null, "long": "x".repeat(1000) });
        let now = json!({ "a": 1, "b": { "c": [1], "d": 3 }, "e": 5, "long": "", "f": true, "g": 1 });
        let told = differences(&there, &now);
        assert!(
            told.starts_with("b.c is [1,2] there and [1] here, e is not given there and 5 here, long is "),
            "{told}"
        );
        assert!(told.ends_with(" and 1 more") && told.len() < 250, "{told}");
        assert_eq!(differences(&there, &there), "");
    }
}
