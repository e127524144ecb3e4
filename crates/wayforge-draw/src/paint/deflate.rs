//! Deflate encoder (RFC 1951) with zlib framing (RFC 1950), tuned for pictures of maps.
//!
//! Greedy LZ77 (Ziv & Lempel 1977). Most pixels equal the one above or the previous one, so those
//! two distances are tried first, eight bytes at a time, then the pixels above to the left and
//! right. Only if these matches are short is a hash table of 5-byte sequences consulted, with one
//! entry per slot. Blocks use dynamic Huffman codes.
//!
//! Existing encoders were measured as alternatives: those of the same speed produce files 1.5 times
//! as large, and those with the same file size take two to three times as long (see the table in
//! `docs/performance.md`).

use super::huffman::{Code, canonical_codes, code_lengths};

/// Encoder state that is reused between pictures, so that only the first one allocates.
#[derive(Default)]
pub(super) struct Deflater {
    tokens: Vec<u32>,
    /// Last position of a 5-byte sequence with this hash, plus one.
    hash_table: Vec<u32>,
}

/// Tokens per block. Shorter blocks adapt better to the data, but each block needs code tables of
/// about 130 bytes.
const BLOCK_TOKENS: usize = 1 << 16;
/// Bits of a hash table index.
const HASH_BITS: u32 = 13;
/// A match of at least this length with the row above is used without trying the previous byte.
const GOOD_MATCH: usize = 32;
/// If the best match is shorter than this, the diagonals and the hash table are tried too.
const SHORT_MATCH: usize = 6;
/// Number of hashed bytes, because shorter matches at large distances cost more than they save.
const HASHED_BYTES: usize = 5;
/// Minimum match length of deflate.
const MIN_MATCH: usize = 3;
/// Maximum match length of deflate.
const MAX_MATCH: usize = 258;
/// Maximum distance of deflate.
const WINDOW: usize = 1 << 15;
/// Marks a token as a match: length - 3 in bits 16 to 23, distance - 1 in bits 0 to 14.
const MATCH_FLAG: u32 = 1 << 31;
/// End-of-block symbol.
const END_OF_BLOCK: usize = 256;

/// Compresses pictures one after another with one encoder, each to a zlib stream. For fuzzing only.
#[doc(hidden)]
pub fn deflate_each(pictures: &[(&[u8], usize)]) -> Vec<Vec<u8>> {
    let mut deflater = Deflater::default();
    let stream = |&(bytes, stride): &(&[u8], usize)| {
        let mut stream = Vec::new();
        deflater.compress(bytes, stride, &mut stream);
        stream
    };
    pictures.iter().map(stream).collect()
}

impl Deflater {
    /// Appends `bytes` as a zlib stream; `stride` is the distance in bytes to the pixel above.
    pub(super) fn compress(&mut self, bytes: &[u8], stride: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(&[0x78, 0x01]);
        self.hash_table.clear();
        self.hash_table.resize(1 << HASH_BITS, 0);
        let mut bits = BitWriter { out, buffer: 0, count: 0 };
        let mut pos = 0;
        loop {
            self.tokens.clear();
            pos = self.tokenise(bytes, stride, pos);
            write_block(&self.tokens, pos == bytes.len(), &mut bits);
            if pos == bytes.len() {
                break;
            }
        }
        bits.finish();
        out.extend_from_slice(&simd_adler32::adler32(&bytes).to_be_bytes());
    }

    /// Appends tokens from position `pos` on until a block is full. Returns the position after the
    /// last token.
    fn tokenise(&mut self, bytes: &[u8], stride: usize, mut pos: usize) -> usize {
        let stride = if (2..=WINDOW).contains(&stride) { stride } else { WINDOW };
        while pos < bytes.len() && self.tokens.len() < BLOCK_TOKENS {
            let above = if pos >= stride { match_length(bytes, pos, stride) } else { 0 };
            let before =
                if above < GOOD_MATCH && pos > 0 { match_length(bytes, pos, 1) } else { 0 };
            let (mut len, mut distance) =
                if above >= before { (above, stride) } else { (before, 1) };
            if len < SHORT_MATCH {
                // Edges of shapes are slanted: try the pixels above to the left and right.
                for diagonal in [stride - 1, stride + 1] {
                    let found = if (pos >= diagonal) && diagonal <= WINDOW {
                        match_length(bytes, pos, diagonal)
                    } else {
                        0
                    };
                    if found > len + 1 && found >= MIN_MATCH {
                        (len, distance) = (found, diagonal);
                    }
                }
            }
            if len < SHORT_MATCH && pos + 8 <= bytes.len() {
                let previous = self.replace_last_position(bytes, pos);
                let found = if previous > 0 && pos + 1 - previous <= WINDOW {
                    match_length(bytes, pos, pos + 1 - previous)
                } else {
                    0
                };
                if found >= HASHED_BYTES && found > len + 2 {
                    (len, distance) = (found, pos + 1 - previous);
                }
            }
            if len >= MIN_MATCH {
                self.tokens
                    .push(MATCH_FLAG | ((len - MIN_MATCH) as u32) << 16 | (distance - 1) as u32);
                pos += len;
            } else {
                self.tokens.push(bytes[pos].into());
                pos += 1;
            }
        }
        pos
    }

    /// Records `pos` as the last position of the 5 bytes at `pos`. Returns the previous position
    /// plus one, or 0 if there is none.
    fn replace_last_position(&mut self, bytes: &[u8], pos: usize) -> usize {
        let key =
            load_u64(bytes, pos).map_or(0, |value| value.swap_bytes() >> (64 - 8 * HASHED_BYTES));
        let slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HASH_BITS)) as usize;
        std::mem::replace(&mut self.hash_table[slot], pos as u32 + 1) as usize
    }
}

/// Returns the length of the match between `pos` and `distance` bytes earlier, at most 258.
// Inlined into all four call sites of the hot loop.
#[inline(always)]
fn match_length(bytes: &[u8], pos: usize, distance: usize) -> usize {
    // Most matches are short, so comparing eight bytes at once decides them.
    match (load_u64(bytes, pos), load_u64(bytes, pos - distance)) {
        (Some(new), Some(old)) if new != old => (new ^ old).trailing_zeros() as usize / 8,
        _ => long_match_length(bytes, pos, distance),
    }
}

#[inline]
fn load_u64(bytes: &[u8], pos: usize) -> Option<u64> {
    bytes
        .get(pos..pos + 8)
        .and_then(|bytes| bytes.first_chunk())
        .map(|bytes| u64::from_le_bytes(*bytes))
}

#[inline(never)]
fn long_match_length(bytes: &[u8], pos: usize, distance: usize) -> usize {
    let new = &bytes[pos..bytes.len().min(pos + MAX_MATCH)];
    let old = &bytes[pos - distance..][..new.len()];
    let (new_chunks, new_rest) = new.as_chunks::<8>();
    let (old_chunks, old_rest) = old.as_chunks::<8>();
    for (i, (a, b)) in new_chunks.iter().zip(old_chunks).enumerate() {
        let difference = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if difference != 0 {
            return 8 * i + difference.trailing_zeros() as usize / 8;
        }
    }
    let rest = new_rest.iter().zip(old_rest).take_while(|(a, b)| a == b).count();
    8 * new_chunks.len() + rest
}

/// Returns the symbol of the match length `offset + 3`, its extra bits and their number (RFC 1951,
/// section 3.2.5).
const fn length_symbol(offset: u32) -> (usize, u32, u32) {
    match offset {
        255 => (285, 0, 0),
        0..8 => (257 + offset as usize, 0, 0),
        _ => {
            let extra = offset.ilog2() - 2;
            (257 + (4 * extra + (offset >> extra)) as usize, offset & ((1 << extra) - 1), extra)
        }
    }
}

/// Returns the symbol of the distance `offset + 1`, its extra bits and their number (RFC 1951,
/// section 3.2.5).
const fn distance_symbol(offset: u32) -> (usize, u32, u32) {
    match offset {
        0..4 => (offset as usize, 0, 0),
        _ => {
            let extra = offset.ilog2() - 1;
            ((2 * extra + (offset >> extra)) as usize, offset & ((1 << extra) - 1), extra)
        }
    }
}

/// Returns length - 3 and distance - 1 of a match token.
fn unpack_match(token: u32) -> (u32, u32) {
    (token >> 16 & 0xff, token & 0x7fff)
}

fn write_block(tokens: &[u32], last: bool, bits: &mut BitWriter<'_>) {
    let (mut literals, mut matches, mut distances) = ([0; 286], [0; 256], [0; 30]);
    literals[END_OF_BLOCK] = 1;
    for &token in tokens {
        if token & MATCH_FLAG == 0 {
            literals[usize::from(token as u8)] += 1;
        } else {
            let (length, distance) = unpack_match(token);
            matches[usize::from(length as u8)] += 1;
            distances[distance_symbol(distance).0] += 1;
        }
    }
    (0..).zip(matches).for_each(|(offset, count)| literals[length_symbol(offset).0] += count);
    let (mut literal, mut distance) = (code_lengths(&literals, 15), code_lengths(&distances, 15));
    trim(&mut literal, END_OF_BLOCK + 1);
    trim(&mut distance, 1);
    write_block_header(&literal, &distance, last, bits);
    let (literal, distance_codes) = (canonical_codes(&literal), canonical_codes(&distance));
    // Codes of all match lengths, including extra bits.
    let mut length = [Code::default(); 256];
    for (offset, code) in (0..).zip(&mut length) {
        let (symbol, extra, count) = length_symbol(offset);
        if let Some(own) = literal.get(symbol) {
            *code = Code { bits: own.bits | extra << own.len, len: own.len + count };
        }
    }
    // Cache of distance codes, because most matches have one of a few distances, such as one row.
    let mut distance_cache = [(u32::MAX, Code::default()); 16];
    bits.reserve(tokens.len() + 1);
    for &token in tokens {
        if token & MATCH_FLAG == 0 {
            bits.put(literal[usize::from(token as u8)]);
        } else {
            let (offset, distance) = unpack_match(token);
            let slot = &mut distance_cache[(distance % 16) as usize];
            if slot.0 != distance {
                let (symbol, extra, count) = distance_symbol(distance);
                let code = distance_codes[symbol];
                *slot =
                    (distance, Code { bits: code.bits | extra << code.len, len: code.len + count });
            }
            bits.put_pair(length[usize::from(offset as u8)], slot.1);
        }
    }
    bits.put(literal[END_OF_BLOCK]);
}

fn trim(lengths: &mut Vec<u8>, min_len: usize) {
    let used = lengths.iter().rposition(|&len| len > 0).map_or(0, |last| last + 1);
    lengths.truncate(used.max(min_len));
}

/// Writes the header of a dynamic block: the code lengths, Huffman-coded but without run-length
/// symbols.
fn write_block_header(literal: &[u8], distance: &[u8], last: bool, bits: &mut BitWriter<'_>) {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let mut counts = [0; 19];
    literal.iter().chain(distance).for_each(|&len| counts[usize::from(len)] += 1);
    let codes = code_lengths(&counts, 7);
    let mut put = |value: u32, len: u32| bits.put(Code { bits: value, len });
    put(u32::from(last) | 2 << 1, 3);
    put(literal.len() as u32 - 257, 5);
    put(distance.len() as u32 - 1, 5);
    put(ORDER.len() as u32 - 4, 4);
    ORDER.iter().for_each(|&symbol| put(codes[symbol].into(), 3));
    let codes = canonical_codes(&codes);
    literal.iter().chain(distance).for_each(|&len| bits.put(codes[usize::from(len)]));
}

/// Bit writer, least significant bit first.
struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    buffer: u64,
    /// Number of buffered bits; below 8 between calls.
    count: u32,
}

impl BitWriter<'_> {
    /// Reserves memory for a number of tokens.
    fn reserve(&mut self, tokens: usize) {
        // A token has at most 48 bits, and the last write may need eight more bytes.
        self.out.reserve(6 * tokens + 8);
    }

    #[inline]
    fn put(&mut self, code: Code) {
        self.put_bits(code.bits.into(), code.len);
    }

    #[inline]
    fn put_pair(&mut self, one: Code, two: Code) {
        self.put_bits(u64::from(one.bits) | u64::from(two.bits) << one.len, one.len + two.len);
    }

    /// Writes up to 48 bits; together with the seven that may be buffered they fit into 64.
    #[inline]
    fn put_bits(&mut self, bits: u64, len: u32) {
        self.buffer |= bits << self.count;
        self.count += len;
        // Writes eight bytes and then truncates to the complete ones, which needs no loop.
        let end = self.out.len() + (self.count / 8) as usize;
        self.out.extend_from_slice(&self.buffer.to_le_bytes());
        self.out.truncate(end);
        self.buffer >>= self.count & !7;
        self.count &= 7;
    }

    fn finish(self) {
        if self.count > 0 {
            self.out.push(self.buffer as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::image::Image;
    use wayforge::{Seed, StreamId};

    #[test]
    fn length_and_distance_symbols_match_rfc_1951() {
        // RFC 1951, section 3.2.5.
        for (length, symbol) in [
            (3, (257, 0, 0)),
            (10, (264, 0, 0)),
            (11, (265, 0, 1)),
            (12, (265, 1, 1)),
            (114, (279, 15, 4)),
            (257, (284, 30, 5)),
            (258, (285, 0, 0)),
        ] {
            assert_eq!(length_symbol(length - 3), symbol, "length {length}");
        }
        for (distance, symbol) in [
            (1, (0, 0, 0)),
            (4, (3, 0, 0)),
            (5, (4, 0, 1)),
            (6, (4, 1, 1)),
            (965, (19, 196, 8)),
            (32768, (29, 8191, 13)),
        ] {
            assert_eq!(distance_symbol(distance - 1), symbol, "distance {distance}");
        }
    }

    #[test]
    fn png_decoder_restores_all_inputs() {
        let mut rng = Seed::new(7).stream(StreamId::named("test.deflate"));
        let mut deflater = Deflater::default();
        for colours in [1, 2, 7, 255] {
            for (stride, rows) in [(2, 1), (9, 40), (965, 300), (16_385, 9), (40_000, 3)] {
                // Stripes with some noise: literals, runs, repeated rows, long blocks.
                let bytes: Vec<u8> = (0..stride * rows)
                    .map(|i| {
                        let noise = i / 1000 % 5 == 1 || rng.below(97) == 0;
                        if i % stride == 0 {
                            0
                        } else if noise {
                            rng.below(colours) as u8
                        } else {
                            (i % stride / 40 % 7) as u8
                        }
                    })
                    .collect();
                let mut image = Image::default();
                image.reset((stride as u32 - 1, rows as u32), &[[0; 3]; 255]);
                image.pixels.clone_from(&bytes);
                assert_eq!(decode(&image, &mut deflater), strip_filter_bytes(&bytes, stride));
            }
        }
    }

    fn strip_filter_bytes(bytes: &[u8], stride: usize) -> Vec<u8> {
        bytes.chunks(stride).flat_map(|row| row[1..].to_vec()).collect()
    }

    /// Writes an image as a PNG file and decodes it with the `png` crate.
    fn decode(image: &Image, deflater: &mut Deflater) -> Vec<u8> {
        let mut file = Vec::new();
        super::super::png_file::write(image, deflater, &mut file);
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::IDENTITY);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    }
}
