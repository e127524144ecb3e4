//! Rows that are made and wait for the rest of their row group, as bytes: seeds, then whether they are made, then the columns.

use crate::batch::BatchError;
use crate::search::Columns;

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
