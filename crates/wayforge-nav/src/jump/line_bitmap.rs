//! Bitmap of all rows or all columns of a grid, with the tiles where runs along them stop.

/// Bitmap of one orientation: lines are rows and offsets are columns, or vice versa.
#[derive(Clone, Debug)]
pub(super) struct LineBitmap {
    /// Number of tiles per line.
    pub(super) length: usize,
    /// Number of lines.
    pub(super) lines: usize,
    /// Words per line, with at least one bit beyond the end of the line.
    pub(super) stride: usize,
    pub(super) open: Vec<u64>,
    /// Stops of runs towards higher offsets; bits beyond the end are stops.
    pub(super) up_stops: Stops,
    /// Stops of runs towards lower offsets.
    pub(super) down_stops: Stops,
}

/// Stops on all lines of a bitmap.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    words: Vec<u64>,
    /// One bit per word, set if the word contains a stop. Most words contain none, so a scan skips
    /// up to 64 words at once.
    nonzero: Vec<u64>,
}

impl LineBitmap {
    pub(super) fn new(length: usize, lines: usize) -> LineBitmap {
        let stride = length / 64 + 1;
        let none = vec![0; stride * lines];
        let stops = Stops { words: none.clone(), nonzero: vec![0; (stride / 64 + 1) * lines] };
        LineBitmap { length, lines, stride, open: none, up_stops: stops.clone(), down_stops: stops }
    }

    /// Returns true if the tile is open; false outside the bitmap.
    #[inline]
    pub(super) fn is_open(&self, offset: usize, line: usize) -> bool {
        offset < self.length && line < self.lines && self.bit(line, offset)
    }

    /// Returns the bit of a tile, or of the position just beyond the end of a line.
    #[inline]
    fn bit(&self, line: usize, offset: usize) -> bool {
        self.open[line * self.stride + offset / 64] >> (offset % 64) & 1 == 1
    }

    /// Returns the tiles of a word where a run in either direction stops to turn.
    #[inline]
    pub(super) fn turn_stops(&self, line: usize, w: usize) -> u64 {
        let index = line * self.stride + w;
        (self.up_stops.words[index] | self.down_stops.words[index]) & self.open[index]
    }

    /// Returns the first jump point above `offset`.
    #[inline]
    pub(super) fn scan_up(&self, line: usize, offset: usize) -> Option<usize> {
        first_stop_above(&self.up_stops, self.stride, line, offset)
            .filter(|&stop| self.bit(line, stop))
    }

    /// Returns the first jump point below `offset`.
    #[inline]
    pub(super) fn scan_down(&self, line: usize, offset: usize) -> Option<usize> {
        first_stop_below(&self.down_stops, self.stride, line, offset)
            .filter(|&stop| self.bit(line, stop))
    }

    /// Returns the nearest stop of upward runs below `offset`, or -1 if there is none.
    ///
    /// Runs that start below this stop end there and do not reach `offset`.
    pub(super) fn previous_up_stop(&self, line: usize, offset: usize) -> i32 {
        first_stop_below(&self.up_stops, self.stride, line, offset).map_or(-1, |stop| stop as i32)
    }

    /// Returns the nearest stop of downward runs above `offset`, or `length` if there is none.
    pub(super) fn previous_down_stop(&self, line: usize, offset: usize) -> i32 {
        first_stop_above(&self.down_stops, self.stride, line, offset)
            .map_or(self.length, |stop| stop.min(self.length)) as i32
    }

    /// Returns true if all tiles from `low` to `high` are open.
    pub(super) fn is_clear(&self, line: usize, low: usize, high: usize) -> bool {
        let open = &self.open[line * self.stride..(line + 1) * self.stride];
        let (first, last) = (low / 64, high / 64);
        let (from, to) = (u64::MAX << (low % 64), u64::MAX >> (63 - high % 64));
        if first == last {
            return open[first] & from & to == from & to;
        }
        open[first] & from == from
            && open[last] & to == to
            && open[first + 1..last].iter().all(|&word| word == u64::MAX)
    }

    pub(super) fn set_open(&mut self, line: usize, offset: usize, open: bool) {
        let word = &mut self.open[line * self.stride + offset / 64];
        *word = *word & !(1 << (offset % 64)) | u64::from(open) << (offset % 64);
    }

    /// Computes the stops of all lines.
    pub(super) fn compute_stops(&mut self) {
        for line in 0..self.lines {
            for w in 0..self.stride {
                self.update_word(line, w);
            }
        }
    }

    /// Recomputes the stops around an edited tile.
    pub(super) fn update_stops_around(&mut self, line: usize, offset: usize) {
        for line in line.saturating_sub(1)..(line + 2).min(self.lines) {
            let (low, high) = (offset.saturating_sub(1) / 64, (offset + 1) / 64);
            for w in low..=high.min(self.stride - 1) {
                self.update_word(line, w);
            }
        }
    }

    /// Computes the stops of one word.
    fn update_word(&mut self, line: usize, w: usize) {
        let [own, lower, higher] = self.word_with_shifts(line, w);
        let [left, left_lower, left_higher] = self.word_with_shifts(line.wrapping_sub(1), w);
        let [right, right_lower, right_higher] = self.word_with_shifts(line + 1, w);
        let up = own & lower & (left & !left_lower | right & !right_lower);
        let down = own & higher & (left & !left_higher | right & !right_higher);
        self.up_stops.set(self.stride, line, w, up | !own);
        self.down_stops.set(self.stride, line, w, down | !own);
    }

    /// Returns a word of a line, and the same word shifted to each tile's lower and higher
    /// neighbour. Tiles outside the grid are blocked.
    #[inline(always)]
    fn word_with_shifts(&self, line: usize, w: usize) -> [u64; 3] {
        if line >= self.lines {
            return [0; 3];
        }
        let words = &self.open[line * self.stride..(line + 1) * self.stride];
        let before = if w > 0 { words[w - 1] } else { 0 };
        let after = words.get(w + 1).copied().unwrap_or(0);
        [words[w], words[w] << 1 | before >> 63, words[w] >> 1 | after << 63]
    }
}

impl Stops {
    fn set(&mut self, stride: usize, line: usize, w: usize, word: u64) {
        self.words[line * stride + w] = word;
        let nonzero = &mut self.nonzero[line * (stride / 64 + 1) + w / 64];
        *nonzero = *nonzero & !(1 << (w % 64)) | u64::from(word != 0) << (w % 64);
    }
}

/// Returns the first stop above `offset`.
#[inline]
fn first_stop_above(stops: &Stops, stride: usize, line: usize, offset: usize) -> Option<usize> {
    let start = line * stride;
    let from = offset + 1;
    let mut w = from / 64;
    let mut word = stops.words[start + w] & u64::MAX << (from % 64);
    if word == 0 {
        let groups = stride / 64 + 1;
        let nonzero = &stops.nonzero[line * groups..(line + 1) * groups];
        let mut group = (w + 1) / 64;
        let mut bits = nonzero.get(group)? & u64::MAX << ((w + 1) % 64);
        while bits == 0 {
            group += 1;
            bits = *nonzero.get(group)?;
        }
        w = group * 64 + bits.trailing_zeros() as usize;
        word = stops.words[start + w];
    }
    Some(w * 64 + word.trailing_zeros() as usize)
}

/// Returns the first stop below `offset`.
#[inline]
fn first_stop_below(stops: &Stops, stride: usize, line: usize, offset: usize) -> Option<usize> {
    let start = line * stride;
    let mut w = offset / 64;
    let mut word = stops.words[start + w] & ((1 << (offset % 64)) - 1);
    if word == 0 {
        let groups = stride / 64 + 1;
        let nonzero = &stops.nonzero[line * groups..(line + 1) * groups];
        let mut group = w / 64;
        let mut bits = nonzero[group] & ((1 << (w % 64)) - 1);
        while bits == 0 {
            group = group.checked_sub(1)?;
            bits = nonzero[group];
        }
        w = group * 64 + 63 - bits.leading_zeros() as usize;
        word = stops.words[start + w];
    }
    Some(w * 64 + 63 - word.leading_zeros() as usize)
}
