//! The one CSV writer: fields are quoted where they must be, and every line ends with `\n`.

use serde::Serialize;

/// A CSV table in memory.
pub(crate) struct Csv(csv::Writer<Vec<u8>>);

impl Csv {
    /// A table with the names of its columns.
    pub(crate) fn new(names: impl Serialize) -> Csv {
        let mut csv = Csv::without_names();
        csv.row(names);
        csv
    }

    /// Rows that follow those of another table.
    pub(crate) fn without_names() -> Csv {
        Csv(csv::WriterBuilder::new().has_headers(false).flexible(true).from_writer(Vec::new()))
    }

    /// Appends a row. Tuples and lists in it are written one member after another, `None` as an empty field.
    pub(crate) fn row(&mut self, fields: impl Serialize) {
        // Plain values into memory: nothing can fail.
        let _ = self.0.serialize(fields);
    }

    /// Appends the row of a seed: its metrics, or `width` empty fields if it has no map.
    pub(crate) fn map(&mut self, seed: u64, values: Option<&[i64]>, width: usize) {
        match values {
            Some(values) => self.row((seed, true, values)),
            None => self.row((seed, false, vec![None::<i64>; width])),
        }
    }

    /// The text of the table.
    #[cfg(feature = "report")]
    pub(crate) fn into_text(self) -> String {
        String::from_utf8(self.into_bytes()).unwrap_or_default()
    }

    /// The bytes of the table.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}

/// The names of the columns of a table with one row per map.
pub(crate) fn map_names(metrics: &[String]) -> Vec<u8> {
    Csv::new(("seed", "made", metrics)).into_bytes()
}
