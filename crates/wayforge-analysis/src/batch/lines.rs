//! Tables as lines of text.

use crate::csv::Csv;
use crate::search::Columns;
use serde_json::Value;
use std::io::Write;

/// Rows as CSV. What a seed without a map does not have is empty.
pub(crate) fn csv(columns: &Columns) -> Vec<u8> {
    let mut csv = Csv::without_names();
    rows(columns, |seed, made, row| {
        csv.map(seed, made.then_some(row), row.len());
        Ok(())
    });
    csv.into_bytes()
}

/// Rows as JSON objects. What a seed without a map does not have is null.
pub(crate) fn json(columns: &Columns, metrics: &[String]) -> Vec<u8> {
    let members: Vec<String> =
        metrics.iter().map(|name| format!(",{}:", Value::from(name.as_str()))).collect();
    let mut out = Vec::new();
    rows(columns, |seed, made, row| {
        // A seed is text, as in documents: not every reader of JSON has 64 bits.
        write!(out, "{{\"seed\":\"{seed}\",\"made\":{made}")?;
        members.iter().zip(row).try_for_each(|(member, &value)| match made {
            true => write!(out, "{member}{value}"),
            false => write!(out, "{member}null"),
        })?;
        out.write_all(b"}\n")
    });
    out
}

fn rows(columns: &Columns, mut write: impl FnMut(u64, bool, &[i64]) -> std::io::Result<()>) {
    let mut row = vec![0; columns.values.len()];
    for (n, (&seed, &made)) in columns.seeds.iter().zip(&columns.made).enumerate() {
        row.iter_mut().zip(&columns.values).for_each(|(value, column)| *value = column[n]);
        // Writing into memory cannot fail.
        let _ = write(seed, made, &row);
    }
}
