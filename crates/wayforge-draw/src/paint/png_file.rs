//! Writes PNG files (PNG specification, third edition) around a zlib stream.

/// Writes a file with 8-bit indexed colour, or 8-bit RGB if `palette` is `None`. `pixels` appends
/// the zlib stream of the rows, each preceded by filter type 0.
pub(super) fn write(
    out: &mut Vec<u8>,
    width: u32,
    height: u32,
    palette: Option<&[[u8; 3]]>,
    pixels: impl FnOnce(&mut Vec<u8>),
) {
    out.extend_from_slice(b"\x89PNG\r\n\x1a\n");
    chunk(out, b"IHDR", |out| {
        out.extend_from_slice(&width.to_be_bytes());
        out.extend_from_slice(&height.to_be_bytes());
        // Bit depth, colour type, compression, filter and interlace method.
        out.extend_from_slice(&[8, if palette.is_some() { 3 } else { 2 }, 0, 0, 0]);
    });
    if let Some(palette) = palette {
        chunk(out, b"PLTE", |out| out.extend_from_slice(palette.as_flattened()));
    }
    chunk(out, b"IDAT", pixels);
    chunk(out, b"IEND", |_| {});
}

fn chunk(out: &mut Vec<u8>, name: &[u8; 4], body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(name);
    body(out);
    // Picture sizes are bounded far below the 4 GiB limit of a chunk.
    let length = (out.len() - start - 8) as u32;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    let crc = crc32fast::hash(&out[start + 4..]);
    out.extend_from_slice(&crc.to_be_bytes());
}
