//! Places in a TOML text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads a TOML text as JSON; the error is one line, with its place.
pub(crate) fn to_json(text: &str) -> Result<Vec<u8>, String> {
    let table: toml::Table = toml::from_str(text).map_err(|error| match error.span() {
        Some(span) => format!("{} at {}", error.message(), place(text, span.start)),
        None => error.message().to_owned(),
    })?;
    serde_json::to_vec(&table).map_err(|error| error.to_string())
}

/// The line and column of a member, by the path that errors name (`kinds.kinds[2].weight`). Of a member that is not
/// there, the place of what should contain it.
pub(crate) fn place_of(text: &str, path: &str) -> Option<String> {
    let root = DeTable::parse(text).ok()?;
    let mut found: Option<&Spanned<DeValue>> = None;
    for name in path.split(['.', '[']).map(|name| name.trim_end_matches(']')) {
        let next = match found.map(Spanned::get_ref) {
            None => root.get_ref().get(name),
            Some(DeValue::Table(table)) => table.get(name),
            Some(DeValue::Array(list)) => name.parse::<usize>().ok().and_then(|at| list.get(at)),
            Some(_) => None,
        };
        if next.is_none() {
            break;
        }
        found = next;
    }
    found.map(|value| place(text, value.span().start))
}

fn place(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    format!("line {line} column {column}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_their_places() {
        let text = "# a stage\nwidth = 0x10\n[walls]\n  max = \"3\" # three\nlist = [1,\n 2.5, { a = 'é\"' }]\n[[pins]]\nx = 1\n[[pins]]\nx = -2\n";
        let json: serde_json::Value = serde_json::from_slice(&to_json(text).unwrap()).unwrap();
        assert_eq!((&json["width"], &json["walls"]["list"][2]["a"]), (&16.into(), &"é\"".into()));
        for (path, place) in [
            ("width", Some("line 2 column 9")),
            ("walls.max", Some("line 4 column 9")),
            ("walls.list[1]", Some("line 6 column 2")),
            ("walls.list[2].a", Some("line 6 column 13")),
            ("pins[1].x", Some("line 10 column 5")),
            ("pins[1].y", Some("line 9 column 1")),
            ("document", None),
        ] {
            assert_eq!(place_of(text, path).as_deref(), place, "{path}");
        }
    }

    #[test]
    fn text_that_is_not_toml_is_rejected_with_its_place() {
        let error = to_json("width = 3\nheight = = 4\n").unwrap_err();
        assert!(error.ends_with("at line 2 column 10"), "{error}");
    }
}
