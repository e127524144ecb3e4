//! CSV writer shared by `batch` and `report`. Quotes fields only if necessary; every line ends with
//! `\n`.

use serde::Serialize;

/// A CSV table in memory.
pub(crate) struct Csv(csv::Writer<Vec<u8>>);

impl Csv {
    /// Creates a table with a header row.
    pub(crate) fn new(names: impl Serialize) -> Csv {
        let mut csv = Csv::without_header();
        csv.row(names);
        csv
    }

    /// Creates a table without a header, for rows that continue another table.
    pub(crate) fn without_header() -> Csv {
        Csv(csv::WriterBuilder::new().has_headers(false).flexible(true).from_writer(Vec::new()))
    }

    /// Appends a row. Nested tuples and lists are flattened; `None` becomes an empty field.
    pub(crate) fn row(&mut self, fields: impl Serialize) {
        // Serializing plain values into memory cannot fail.
        let _ = self.0.serialize(fields);
    }

    /// Appends the row of a seed: its metrics, or `width` empty fields if it has no map.
    pub(crate) fn map_row(&mut self, seed: u64, values: Option<&[i64]>, width: usize) {
        match values {
            Some(values) => self.row((seed, true, values)),
            None => self.row((seed, false, vec![None::<i64>; width])),
        }
    }

    /// Returns the table as text.
    #[cfg(feature = "report")]
    pub(crate) fn into_text(self) -> String {
        String::from_utf8(self.into_bytes()).unwrap_or_default()
    }

    /// Returns the table as bytes.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}

/// Returns the header of a table with one row per map.
pub(crate) fn map_header(metrics: &[String]) -> Vec<u8> {
    Csv::new(("seed", "generated", metrics)).into_bytes()
}
