//! The file around the pixels: PNG.

/// Writes a file of 8 bits a pixel, or without a palette of three times 8; `pixels` appends the zlib stream of its rows, each behind a
/// filter of 0.
pub(super) fn write(
    into: &mut Vec<u8>,
    width: u32,
    height: u32,
    palette: Option<&[[u8; 3]]>,
    pixels: impl FnOnce(&mut Vec<u8>),
) {
    into.extend_from_slice(b"\x89PNG\r\n\x1a\n");
    chunk(into, b"IHDR", |into| {
        into.extend_from_slice(&width.to_be_bytes());
        into.extend_from_slice(&height.to_be_bytes());
        // Eight bits, palette or colours, and the only methods there are.
        into.extend_from_slice(&[8, if palette.is_some() { 3 } else { 2 }, 0, 0, 0]);
    });
    if let Some(palette) = palette {
        chunk(into, b"PLTE", |into| into.extend_from_slice(palette.as_flattened()));
    }
    chunk(into, b"IDAT", pixels);
    chunk(into, b"IEND", |_| {});
}

fn chunk(into: &mut Vec<u8>, name: &[u8; 4], body: impl FnOnce(&mut Vec<u8>)) {
    let start = into.len();
    into.extend_from_slice(&[0; 4]);
    into.extend_from_slice(name);
    body(into);
    // Pictures are bounded far below the four gigabytes that a chunk can say.
    let length = (into.len() - start - 8) as u32;
    into[start..start + 4].copy_from_slice(&length.to_be_bytes());
    let sum = crc32fast::hash(&into[start + 4..]);
    into.extend_from_slice(&sum.to_be_bytes());
}
