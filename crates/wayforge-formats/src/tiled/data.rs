//! Encodings of layer data: CSV, or base64 of little-endian `u32`, optionally compressed.

use crate::error::{FormatError, reject};
use data_encoding::BASE64;
use flate2::read::{GzDecoder, ZlibDecoder};
use std::io::Read;

/// Remedy for an unsupported encoding.
pub(crate) const ENCODINGS: &str =
    "in Tiled's map properties choose CSV, or base64 uncompressed, gzip or zlib";

/// Parses `count` comma-separated numbers. Allocates only what the text can fill.
pub(crate) fn from_csv(text: &str, count: usize, field: &str) -> Result<Vec<u32>, FormatError> {
    let error = |value: String| {
        reject(
            field,
            value,
            format!("the layer has {count} cells"),
            "write one number for each cell",
        )
    };
    if text.len() < count.saturating_mul(2).saturating_sub(1) {
        return Err(error(format!("{} bytes", text.len())));
    }
    let mut cells = Vec::with_capacity(count);
    for number in text.split(',') {
        let number = number.trim();
        if cells.len() == count {
            return Err(error(format!("more than {count} numbers")));
        }
        cells.push(number.parse().map_err(|_| {
            reject(
                field,
                number,
                "not the number of a tile",
                "write numbers with commas between them",
            )
        })?);
    }
    if cells.len() < count {
        return Err(error(format!("{} numbers", cells.len())));
    }
    Ok(cells)
}

/// Decodes `count` little-endian `u32` numbers from base64. Decompression stops at the first excess
/// byte.
pub(crate) fn from_base64(
    text: &str,
    compression: &str,
    count: usize,
    field: &str,
) -> Result<Vec<u32>, FormatError> {
    // The decoded bytes are shorter than the text, so decoding needs no limit.
    let bytes = || BASE64.decode(text.trim().as_bytes()).map_err(|error| unreadable(field, error));
    match compression {
        "" => unpack(&*bytes()?, count, field),
        "zlib" => unpack(ZlibDecoder::new(&*bytes()?), count, field),
        "gzip" => unpack(GzDecoder::new(&*bytes()?), count, field),
        other => Err(reject(format!("{field}.compression"), other, "not supported", ENCODINGS)),
    }
}

fn unreadable(field: &str, error: impl std::fmt::Display) -> FormatError {
    reject(field, "data", error.to_string(), "save the map again in Tiled")
}

/// Reads `count` little-endian `u32` numbers and rejects any other number of bytes.
fn unpack(from: impl Read, count: usize, field: &str) -> Result<Vec<u32>, FormatError> {
    let needed = count as u64 * 4;
    let mut bytes = Vec::new();
    from.take(needed + 1).read_to_end(&mut bytes).map_err(|error| unreadable(field, error))?;
    if bytes.len() as u64 != needed {
        let length =
            if bytes.len() as u64 > needed { "more".to_owned() } else { bytes.len().to_string() };
        let problem = format!("{length} bytes, but the layer needs {needed}");
        return Err(reject(field, "data", problem, "save the map again in Tiled"));
    }
    Ok(bytes
        .chunks_exact(4)
        .map(|cell| u32::from_le_bytes([cell[0], cell[1], cell[2], cell[3]]))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn packed(cells: &[u32], compression: &str) -> String {
        let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        let level = flate2::Compression::default();
        BASE64.encode(&match compression {
            "zlib" => {
                let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
                encoder.write_all(&bytes).unwrap();
                encoder.finish().unwrap()
            }
            "gzip" => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
                encoder.write_all(&bytes).unwrap();
                encoder.finish().unwrap()
            }
            _ => bytes,
        })
    }

    #[test]
    fn all_encodings_give_the_same_cells() {
        let cells = [1, 0, 70_000, u32::MAX];
        assert_eq!(from_csv("\n1,0,\n70000,4294967295\n", 4, "data").unwrap(), cells);
        for compression in ["", "zlib", "gzip"] {
            let text = format!("\n  {}\n ", packed(&cells, compression));
            assert_eq!(from_base64(&text, compression, 4, "data").unwrap(), cells);
        }
    }

    #[test]
    fn rejects_wrong_counts_and_decompression_bombs() {
        let text = |result: Result<Vec<u32>, FormatError>| result.unwrap_err().to_string();
        assert_eq!(
            text(from_csv("1,2", 4, "data")),
            "data = 3 bytes: the layer has 4 cells; write one number for each cell"
        );
        assert!(text(from_csv("1,2,3,4,5", 4, "data")).contains("more than 4 numbers"));
        assert!(
            text(from_csv("1,2,3,x", 4, "data")).contains("data = x: not the number of a tile")
        );
        assert!(text(from_csv("1,2,3,", 3, "data")).contains("more than 3 numbers"));
        assert!(text(from_csv("1000,2", 3, "data")).contains("2 numbers"));
        let bomb = packed(&vec![0; 1 << 20], "zlib");
        assert!(
            text(from_base64(&bomb, "zlib", 4, "data"))
                .contains("more bytes, but the layer needs 16")
        );
        assert!(
            text(from_base64(&packed(&[1], ""), "", 4, "data"))
                .contains("4 bytes, but the layer needs 16")
        );
        assert!(text(from_base64("!!!", "", 4, "data")).contains("data = data"));
        let zstd = text(from_base64("", "zstd", 4, "layer"));
        assert!(
            zstd.starts_with("layer.compression = zstd: not supported; in Tiled's map properties"),
            "{zstd}"
        );
    }
}
