//! Rows as lines of text, and as bytes while they wait for the rest of their row group: seeds, then whether they have a map, then
//! the columns.

use crate::batch::BatchError;
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

/// The rows as bytes.
pub(crate) fn encode(columns: &Columns) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(columns.len() * (9 + 8 * columns.values.len()));
    columns.seeds.iter().for_each(|seed| bytes.extend(seed.to_le_bytes()));
    bytes.extend(columns.made.iter().map(|&made| u8::from(made)));
    columns.values.iter().flatten().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}

/// The rows of bytes, with so many terms.
pub(crate) fn decode(bytes: &[u8], terms: usize) -> Result<Columns, BatchError> {
    let width = 9 + 8 * terms;
    let rows = bytes.len() / width;
    if rows * width != bytes.len() {
        return Err(BatchError::Damaged(format!("{} bytes are no whole rows of {width}", bytes.len())));
    }
    let (seeds, rest) = bytes.split_at(8 * rows);
    let (made, values) = rest.split_at(rows);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let mut columns = Columns::new(terms, rows);
    columns.seeds.extend(seeds.chunks_exact(8).map(word));
    columns.made.extend(made.iter().map(|&byte| byte != 0));
    if rows > 0 {
        for (column, bytes) in columns.values.iter_mut().zip(values.chunks_exact(8 * rows)) {
            column.extend(bytes.chunks_exact(8).map(|bytes| word(bytes) as i64));
        }
    }
    Ok(columns)
}
