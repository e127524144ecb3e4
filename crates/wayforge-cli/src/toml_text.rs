//! A TOML text as JSON, with the way back from a place in the JSON to the line that it came from.

use std::fmt::Write;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// A TOML text in JSON.
#[derive(Default)]
pub(crate) struct TomlText {
    json: String,
    /// Where names and values begin in the JSON, and where in the text.
    places: Vec<(usize, usize)>,
    text: String,
}

impl TomlText {
    /// Reads a text; the error is one line, with its place.
    pub(crate) fn read(text: &str) -> Result<TomlText, String> {
        let refuse = |error: toml::de::Error| match error.span() {
            Some(span) => format!("{} at {}", error.message(), place(text, span.start)),
            None => error.message().to_owned(),
        };
        let table: Table = toml::from_str(text).map_err(refuse)?;
        let spans = DeTable::parse(text).map_err(refuse)?;
        let mut read = TomlText { text: text.to_owned(), ..TomlText::default() };
        read.table(&table, Some(spans.get_ref()));
        Ok(read)
    }

    /// The JSON, in one line.
    pub(crate) fn json(&self) -> &str {
        &self.json
    }

    /// The line and column that a place in the JSON came from: of what begins there or last before it.
    pub(crate) fn origin(&self, column: usize) -> Option<String> {
        let after = self.places.partition_point(|&(json, _)| json < column);
        self.places.get(after.checked_sub(1)?).map(|&(_, at)| place(&self.text, at))
    }

    fn table(&mut self, table: &Table, spans: Option<&DeTable>) {
        self.json.push('{');
        for (n, (name, value)) in table.iter().enumerate() {
            let known = spans.and_then(|spans| spans.get_key_value(name.as_str()));
            if n > 0 {
                self.json.push(',');
            }
            self.mark(known.map(|(name, _)| name.span().start));
            self.leaf(&Value::String(name.clone()));
            self.json.push(':');
            self.value(value, known.map(|(_, value)| value));
        }
        self.json.push('}');
    }

    fn value(&mut self, value: &Value, span: Option<&Spanned<DeValue>>) {
        self.mark(span.map(|span| span.span().start));
        match (value, span.map(Spanned::get_ref)) {
            (Value::Table(table), span) => self.table(table, span.and_then(DeValue::as_table)),
            (Value::Array(list), span) => {
                let spans = span.and_then(DeValue::as_array);
                self.json.push('[');
                for (n, value) in list.iter().enumerate() {
                    if n > 0 {
                        self.json.push(',');
                    }
                    self.value(value, spans.and_then(|spans| spans.get(n)));
                }
                self.json.push(']');
            }
            (value, _) => self.leaf(value),
        }
    }

    fn leaf(&mut self, value: &Value) {
        // A value of TOML always has a form in JSON; a text cannot fail to be written to.
        let _ = write!(self.json, "{}", serde_json::to_string(value).unwrap_or_default());
    }

    fn mark(&mut self, at: Option<usize>) {
        if let Some(at) = at {
            self.places.push((self.json.len(), at));
        }
    }
}

/// A place in a text for people.
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
    fn the_json_is_that_of_the_table_and_places_lead_back() {
        let text = "# a stage\nwidth = 0x10\n[walls]\n  max = \"3\" # three\nlist = [1,\n 2.5, { a = 'é\"' }]\n[[pins]]\nx = 1\n[[pins]]\nx = -2\n";
        let read = TomlText::read(text).unwrap();
        let table: Table = toml::from_str(text).unwrap();
        assert_eq!(read.json(), serde_json::to_string(&table).unwrap());
        let json = read.json().to_owned();
        for (part, origin) in [
            ("\"width\"", "line 2 column 1"),
            ("16", "line 2 column 9"),
            ("\"max\"", "line 4 column 3"),
            ("\"3\"", "line 4 column 9"),
            ("2.5", "line 6 column 2"),
            ("\"a\"", "line 6 column 9"),
            ("-2", "line 10 column 5"),
        ] {
            let end = json.find(part).unwrap() + part.len();
            assert_eq!(read.origin(end).as_deref(), Some(origin), "{part}");
        }
        assert_eq!(TomlText::default().origin(5), None);
    }

    #[test]
    fn what_is_no_toml_is_told_with_its_place() {
        let Err(told) = TomlText::read("width = 3\nheight = = 4\n") else { panic!() };
        assert!(told.ends_with("at line 2 column 10"), "{told}");
    }
}
