//! Converts TOML to JSON and locates fields in TOML text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Converts TOML to JSON.
///
/// # Errors
/// A one-line message with line and column.
pub(crate) fn to_json(text: &str) -> Result<Vec<u8>, String> {
    let table: toml::Table = toml::from_str(text).map_err(|error| match error.span() {
        Some(span) => format!("{} at {}", error.message(), line_and_column(text, span.start)),
        None => error.message().to_owned(),
    })?;
    serde_json::to_vec(&table).map_err(|error| error.to_string())
}

/// Returns line and column of a field by its path, as errors write it (`kinds.kinds[2].weight`).
///
/// For a missing field, returns the position of the nearest existing parent.
pub(crate) fn field_position(text: &str, path: &str) -> Option<String> {
    let root = DeTable::parse(text).ok()?;
    let mut found: Option<&Spanned<DeValue>> = None;
    for name in path.split(['.', '[']).map(|name| name.trim_end_matches(']')) {
        let next = match found.map(Spanned::get_ref) {
            None => root.get_ref().get(name),
            Some(DeValue::Table(table)) => table.get(name),
            Some(DeValue::Array(list)) => {
                name.parse::<usize>().ok().and_then(|index| list.get(index))
            }
            Some(_) => None,
        };
        if next.is_none() {
            break;
        }
        found = next;
    }
    found.map(|value| line_and_column(text, value.span().start))
}

fn line_and_column(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    format!("line {line} column {column}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_positions_of_fields() {
        let text = "# a stage\nwidth = 0x10\n[walls]\n  max = \"3\" # three\nlist = [1,\n 2.5, { a = 'é\"' }]\n[[pins]]\nx = 1\n[[pins]]\nx = -2\n";
        let json: serde_json::Value = serde_json::from_slice(&to_json(text).unwrap()).unwrap();
        assert_eq!((&json["width"], &json["walls"]["list"][2]["a"]), (&16.into(), &"é\"".into()));
        for (path, position) in [
            ("width", Some("line 2 column 9")),
            ("walls.max", Some("line 4 column 9")),
            ("walls.list[1]", Some("line 6 column 2")),
            ("walls.list[2].a", Some("line 6 column 13")),
            ("pins[1].x", Some("line 10 column 5")),
            ("pins[1].y", Some("line 9 column 1")),
            ("document", None),
        ] {
            assert_eq!(field_position(text, path).as_deref(), position, "{path}");
        }
    }

    #[test]
    fn syntax_errors_name_line_and_column() {
        let error = to_json("width = 3\nheight = = 4\n").unwrap_err();
        assert!(error.ends_with("at line 2 column 10"), "{error}");
    }
}
