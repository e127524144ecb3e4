//! Row encodings: CSV, JSON lines, and the binary form of pending rows in checkpoints.
//!
//! The binary form stores all seeds, then all `generated` flags, then the columns.

use crate::batch::BatchError;
use crate::csv::Csv;
use crate::search::Columns;
use serde_json::Value;
use std::io::Write;

/// Encodes rows as CSV. The metrics of a seed without a map are empty.
pub(crate) fn csv(columns: &Columns) -> Vec<u8> {
    let mut csv = Csv::without_header();
    for_each_row(columns, |seed, has_map, row| {
        csv.map_row(seed, has_map.then_some(row), row.len());
        Ok(())
    });
    csv.into_bytes()
}

/// Encodes rows as JSON lines. The metrics of a seed without a map are null.
pub(crate) fn json(columns: &Columns, metrics: &[String]) -> Vec<u8> {
    let members: Vec<String> =
        metrics.iter().map(|name| format!(",{}:", Value::from(name.as_str()))).collect();
    let mut out = Vec::new();
    for_each_row(columns, |seed, has_map, row| {
        // Seeds are strings, as in documents, because many JSON readers lack 64-bit integers.
        write!(out, "{{\"seed\":\"{seed}\",\"generated\":{has_map}")?;
        members.iter().zip(row).try_for_each(|(member, &value)| {
            if has_map { write!(out, "{member}{value}") } else { write!(out, "{member}null") }
        })?;
        out.write_all(b"}\n")
    });
    out
}

fn for_each_row(
    columns: &Columns,
    mut write: impl FnMut(u64, bool, &[i64]) -> std::io::Result<()>,
) {
    let mut row = vec![0; columns.values.len()];
    for (n, (&seed, &generated)) in columns.seeds.iter().zip(&columns.generated).enumerate() {
        row.iter_mut().zip(&columns.values).for_each(|(value, column)| *value = column[n]);
        // Writing to memory cannot fail.
        let _ = write(seed, generated, &row);
    }
}

/// Encodes rows in binary form.
pub(crate) fn encode(columns: &Columns) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(columns.len() * (9 + 8 * columns.values.len()));
    columns.seeds.iter().for_each(|seed| bytes.extend(seed.to_le_bytes()));
    bytes.extend(columns.generated.iter().map(|&generated| u8::from(generated)));
    columns.values.iter().flatten().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}

/// Decodes rows of `terms` metrics from binary form.
pub(crate) fn decode(bytes: &[u8], terms: usize) -> Result<Columns, BatchError> {
    let width = 9 + 8 * terms;
    let rows = bytes.len() / width;
    if rows * width != bytes.len() {
        return Err(BatchError::InvalidCheckpoint(format!(
            "{} bytes are not a multiple of {width}, the size of a row",
            bytes.len()
        )));
    }
    let (seeds, rest) = bytes.split_at(8 * rows);
    let (generated, values) = rest.split_at(rows);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let mut columns = Columns::new(terms, rows);
    columns.seeds.extend(seeds.chunks_exact(8).map(word));
    columns.generated.extend(generated.iter().map(|&byte| byte != 0));
    if rows > 0 {
        for (column, bytes) in columns.values.iter_mut().zip(values.chunks_exact(8 * rows)) {
            column.extend(bytes.chunks_exact(8).map(|bytes| word(bytes) as i64));
        }
    }
    Ok(columns)
}
