//! Deflate for drawn pictures of one byte a pixel: most pixels are like the one above or the one before.
//!
//! Those two places are looked at first, eight pixels at a time; only where both fail is an earlier place with the same five
//! bytes remembered. Maintained encoders were measured beside it: those that are as fast make files half again as large, and those that make
//! files as small take two to three times as long (`docs/performance.md` has the table).

use super::huffman::{Word, lengths, words};

/// What deflate keeps between pictures, so that nothing is allocated after the first.
#[derive(Default)]
pub(super) struct Deflater {
    tokens: Vec<u32>,
    /// Where five bytes with this hash were last seen, plus one.
    seen: Vec<u32>,
}

/// Tokens of a block: its codes cost about 130 bytes and fit the better the shorter the block is.
const BLOCK: usize = 1 << 16;
const HASH_BITS: u32 = 13;
/// A match that is taken without a look at the pixel before, and one that is short enough to look further.
const ENOUGH: usize = 32;
const SHORT: usize = 6;
/// Fewer bytes than this from far away cost more than they save.
const FIVE: usize = 5;
const MIN: usize = 3;
const MAX: usize = 258;
const FARTHEST: usize = 1 << 15;
const MATCH: u32 = 1 << 31;
const END: usize = 256;

/// Compresses pictures one after another with the encoder of the painters, each as a zlib stream. For fuzzing only.
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
    /// Appends `bytes` as a zlib stream; `stride` is the distance from a pixel to the one above.
    pub(super) fn compress(&mut self, bytes: &[u8], stride: usize, into: &mut Vec<u8>) {
        into.extend_from_slice(&[0x78, 0x01]);
        self.seen.clear();
        self.seen.resize(1 << HASH_BITS, 0);
        let mut bits = Bits { into, held: 0, count: 0 };
        let mut at = 0;
        loop {
            self.tokens.clear();
            at = self.tokenise(bytes, stride, at);
            write_block(&self.tokens, at == bytes.len(), &mut bits);
            if at == bytes.len() {
                break;
            }
        }
        bits.finish();
        into.extend_from_slice(&simd_adler32::adler32(&bytes).to_be_bytes());
    }

    /// Reads on from `at` until a block is full, and says where it stopped.
    fn tokenise(&mut self, bytes: &[u8], stride: usize, mut at: usize) -> usize {
        let stride = if (2..=FARTHEST).contains(&stride) { stride } else { FARTHEST };
        while at < bytes.len() && self.tokens.len() < BLOCK {
            let above = if at >= stride { same(bytes, at, stride) } else { 0 };
            let before = if above < ENOUGH && at > 0 { same(bytes, at, 1) } else { 0 };
            let (mut len, mut back) = if above >= before { (above, stride) } else { (before, 1) };
            if len < SHORT {
                // Rims lean: the pixel above to the left or right.
                for beside in [stride - 1, stride + 1] {
                    let found =
                        if (at >= beside) && beside <= FARTHEST { same(bytes, at, beside) } else { 0 };
                    if found > len + 1 && found >= MIN {
                        (len, back) = (found, beside);
                    }
                }
            }
            if len < SHORT && at + 8 <= bytes.len() {
                let place = self.seen_at(bytes, at);
                let found =
                    if place > 0 && at + 1 - place <= FARTHEST { same(bytes, at, at + 1 - place) } else { 0 };
                if found >= FIVE && found > len + 2 {
                    (len, back) = (found, at + 1 - place);
                }
            }
            if len >= MIN {
                self.tokens.push(MATCH | ((len - MIN) as u32) << 16 | (back - 1) as u32);
                at += len;
            } else {
                self.tokens.push(bytes[at].into());
                at += 1;
            }
        }
        at
    }

    /// Where the five bytes from `at` on were last seen, plus one; now they are seen here.
    fn seen_at(&mut self, bytes: &[u8], at: usize) -> usize {
        let five = eight(bytes, at).map_or(0, |eight| eight.swap_bytes() >> (64 - 8 * FIVE));
        let slot = (five.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HASH_BITS)) as usize;
        std::mem::replace(&mut self.seen[slot], at as u32 + 1) as usize
    }
}

/// How many bytes from `at` are those `back` before, 258 at most.
// Called from four places, and worth it in all of them.
#[inline(always)]
fn same(bytes: &[u8], at: usize, back: usize) -> usize {
    // Most places differ soon, and eight bytes at once tell where.
    match (eight(bytes, at), eight(bytes, at - back)) {
        (Some(here), Some(there)) if here != there => (here ^ there).trailing_zeros() as usize / 8,
        _ => same_for_long(bytes, at, back),
    }
}

#[inline]
fn eight(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8).and_then(|bytes| bytes.first_chunk()).map(|bytes| u64::from_le_bytes(*bytes))
}

#[inline(never)]
fn same_for_long(bytes: &[u8], at: usize, back: usize) -> usize {
    let here = &bytes[at..bytes.len().min(at + MAX)];
    let there = &bytes[at - back..][..here.len()];
    let (here_words, here_rest) = here.as_chunks::<8>();
    let (there_words, there_rest) = there.as_chunks::<8>();
    for (i, (a, b)) in here_words.iter().zip(there_words).enumerate() {
        let apart = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if apart != 0 {
            return 8 * i + apart.trailing_zeros() as usize / 8;
        }
    }
    let rest = here_rest.iter().zip(there_rest).take_while(|(a, b)| a == b).count();
    8 * here_words.len() + rest
}

/// The symbol of a length less three, its extra bits and how many.
const fn length_symbol(less: u32) -> (usize, u32, u32) {
    match less {
        255 => (285, 0, 0),
        0..8 => (257 + less as usize, 0, 0),
        _ => {
            let extra = less.ilog2() - 2;
            (257 + (4 * extra + (less >> extra)) as usize, less & ((1 << extra) - 1), extra)
        }
    }
}

/// The symbol of a distance less one, its extra bits and how many.
const fn distance_symbol(less: u32) -> (usize, u32, u32) {
    match less {
        0..4 => (less as usize, 0, 0),
        _ => {
            let extra = less.ilog2() - 1;
            ((2 * extra + (less >> extra)) as usize, less & ((1 << extra) - 1), extra)
        }
    }
}

fn parts(token: u32) -> (u32, u32) {
    (token >> 16 & 0xff, token & 0x7fff)
}

fn write_block(tokens: &[u32], last: bool, bits: &mut Bits<'_>) {
    let (mut literals, mut matches, mut distances) = ([0; 286], [0; 256], [0; 30]);
    literals[END] = 1;
    for &token in tokens {
        if token & MATCH == 0 {
            literals[usize::from(token as u8)] += 1;
        } else {
            let (length, distance) = parts(token);
            matches[usize::from(length as u8)] += 1;
            distances[distance_symbol(distance).0] += 1;
        }
    }
    (0..).zip(matches).for_each(|(less, count)| literals[length_symbol(less).0] += count);
    let (mut literal, mut distance) = (lengths(&literals, 15), lengths(&distances, 15));
    trim(&mut literal, END + 1);
    trim(&mut distance, 1);
    write_codes(&literal, &distance, last, bits);
    let (literal, distance) = (words(&literal), words(&distance));
    // What a length costs is the same every time.
    let mut length = [Word::default(); 256];
    for (less, word) in (0..).zip(&mut length) {
        let (symbol, extra, count) = length_symbol(less);
        if let Some(own) = literal.get(symbol) {
            *word = Word { bits: own.bits | extra << own.len, len: own.len + count };
        }
    }
    // A distance that was there just before is there again most of the time: a row, a row and a pixel.
    let mut known = [(u32::MAX, Word::default()); 16];
    bits.reserve(tokens.len() + 1);
    for &token in tokens {
        if token & MATCH == 0 {
            bits.put(literal[usize::from(token as u8)]);
        } else {
            let (less, back) = parts(token);
            let slot = &mut known[(back % 16) as usize];
            if slot.0 != back {
                let (symbol, extra, count) = distance_symbol(back);
                let word = distance[symbol];
                *slot = (back, Word { bits: word.bits | extra << word.len, len: word.len + count });
            }
            bits.put_both(length[usize::from(less as u8)], slot.1);
        }
    }
    bits.put(literal[END]);
}

fn trim(lengths: &mut Vec<u8>, least: usize) {
    let used = lengths.iter().rposition(|&len| len > 0).map_or(0, |last| last + 1);
    lengths.truncate(used.max(least));
}

/// The head of a block: the lengths of both codes, themselves coded, without repetitions.
fn write_codes(literal: &[u8], distance: &[u8], last: bool, bits: &mut Bits<'_>) {
    const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    let mut counts = [0; 19];
    literal.iter().chain(distance).for_each(|&len| counts[usize::from(len)] += 1);
    let codes = lengths(&counts, 7);
    let mut put = |bits_: u32, len: u32| bits.put(Word { bits: bits_, len });
    put(u32::from(last) | 2 << 1, 3);
    put(literal.len() as u32 - 257, 5);
    put(distance.len() as u32 - 1, 5);
    put(ORDER.len() as u32 - 4, 4);
    ORDER.iter().for_each(|&symbol| put(codes[symbol].into(), 3));
    let codes = words(&codes);
    literal.iter().chain(distance).for_each(|&len| bits.put(codes[usize::from(len)]));
}

/// Bits on their way into bytes, the lowest first.
struct Bits<'a> {
    into: &'a mut Vec<u8>,
    held: u64,
    /// Less than eight between words.
    count: u32,
}

impl Bits<'_> {
    /// Room for so many tokens, so that it need not be asked for each.
    fn reserve(&mut self, tokens: usize) {
        // A token has 48 bits at most, and the last eight bytes may stick out.
        self.into.reserve(6 * tokens + 8);
    }

    #[inline]
    fn put(&mut self, word: Word) {
        self.put_bits(word.bits.into(), word.len);
    }

    #[inline]
    fn put_both(&mut self, one: Word, two: Word) {
        self.put_bits(u64::from(one.bits) | u64::from(two.bits) << one.len, one.len + two.len);
    }

    /// Puts up to 48 bits: with the seven that may be held they fit.
    #[inline]
    fn put_bits(&mut self, bits: u64, len: u32) {
        self.held |= bits << self.count;
        self.count += len;
        // Eight bytes are written in any case, and those that are not full are taken back.
        let end = self.into.len() + (self.count / 8) as usize;
        self.into.extend_from_slice(&self.held.to_le_bytes());
        self.into.truncate(end);
        self.held >>= self.count & !7;
        self.count &= 7;
    }

    fn finish(self) {
        if self.count > 0 {
            self.into.push(self.held as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge::{Seed, Stage};

    #[test]
    fn symbols_are_those_of_the_standard() {
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
    fn another_decoder_reads_every_kind_of_bytes() {
        let mut rng = Seed::new(7).stream(Stage::named("test.deflate"));
        let mut deflater = Deflater::default();
        for colours in [1, 2, 7, 255] {
            for (stride, rows) in [(2, 1), (9, 40), (965, 300), (16_385, 9), (40_000, 3)] {
                // Stripes with noise in places: literals, runs, rows that repeat, long blocks.
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
                let mut packed = Vec::new();
                deflater.compress(&bytes, stride, &mut packed);
                assert_eq!(inflated(&packed, stride as u32 - 1, rows as u32), without_filter(&bytes, stride));
            }
        }
    }

    fn without_filter(bytes: &[u8], stride: usize) -> Vec<u8> {
        bytes.chunks(stride).flat_map(|row| row[1..].to_vec()).collect()
    }

    /// What the `png` crate makes of a picture with this stream. Filters are part of the bytes, so the test has none but 0.
    fn inflated(packed: &[u8], width: u32, height: u32) -> Vec<u8> {
        let mut file = Vec::new();
        super::super::file::write(&mut file, width, height, Some(&[[0; 3]; 255]), |into| {
            into.extend_from_slice(packed)
        });
        let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
        decoder.set_transformations(png::Transformations::IDENTITY);
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    }
}
