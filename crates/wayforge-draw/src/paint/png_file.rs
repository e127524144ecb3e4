//! Writes PNG files (PNG specification, third edition) around a zlib stream.

use super::deflate::Deflater;
use super::image::Image;

/// Appends an image with 8-bit samples.
pub(super) fn write(image: &Image, deflater: &mut Deflater, out: &mut Vec<u8>) {
    let Image { width, height, stride, palette, pixels } = image;
    out.extend_from_slice(b"\x89PNG\r\n\x1a\n");
    chunk(out, b"IHDR", |out| {
        out.extend_from_slice(&(*width as u32).to_be_bytes());
        out.extend_from_slice(&(*height as u32).to_be_bytes());
        // Bit depth, colour type, compression, filter and interlace method.
        out.extend_from_slice(&[8, if palette.is_empty() { 2 } else { 3 }, 0, 0, 0]);
    });
    if !palette.is_empty() {
        chunk(out, b"PLTE", |out| out.extend_from_slice(palette.as_flattened()));
    }
    chunk(out, b"IDAT", |out| deflater.compress(pixels, *stride, out));
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
