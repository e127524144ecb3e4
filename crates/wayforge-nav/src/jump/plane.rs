//! Lines of bits of one orientation, and the stops on them.

/// The lines of one orientation: lines are rows, or columns; a bit's place in its line is the column, or the row.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    /// How long a line is and how many there are.
    pub(super) length: usize,
    pub(super) lines: usize,
    /// Words of a line: at least one bit lies beyond its end.
    pub(super) stride: usize,
    pub(super) open: Vec<u64>,
    /// Where runs towards higher places stop, and beyond the end.
    pub(super) up: Stops,
    /// Where runs towards lower places stop.
    pub(super) down: Stops,
}

/// Stops on all lines of a plane.
#[derive(Clone, Debug)]
pub(super) struct Stops {
    words: Vec<u64>,
    /// A bit for every word that has a stop: on open water most have none, and a run passes over 64 of them at once.
    some: Vec<u64>,
}

impl Plane {
    pub(super) fn new(length: usize, lines: usize) -> Plane {
        let stride = length / 64 + 1;
        let none = vec![0; stride * lines];
        let stops = Stops { words: none.clone(), some: vec![0; (stride / 64 + 1) * lines] };
        Plane { length, lines, stride, open: none, up: stops.clone(), down: stops }
    }

    /// True if the place is water; false beyond the plane.
    #[inline]
    pub(super) fn is_open(&self, place: usize, line: usize) -> bool {
        place < self.length && line < self.lines && self.bit(line, place)
    }

    /// The bit of a place on a line of the plane, or just beyond the line's end.
    #[inline]
    fn bit(&self, line: usize, place: usize) -> bool {
        self.open[line * self.stride + place / 64] >> (place % 64) & 1 == 1
    }

    /// The places of a word where a run in either direction stops at a turn.
    #[inline]
    pub(super) fn turns(&self, line: usize, w: usize) -> u64 {
        let at = line * self.stride + w;
        (self.up.words[at] | self.down.words[at]) & self.open[at]
    }

    /// The first jump point beyond `place`.
    #[inline]
    pub(super) fn run_up(&self, line: usize, place: usize) -> Option<usize> {
        first_above(&self.up, self.stride, line, place).filter(|&at| self.bit(line, at))
    }

    /// The first jump point before `place`.
    #[inline]
    pub(super) fn run_down(&self, line: usize, place: usize) -> Option<usize> {
        first_below(&self.down, self.stride, line, place).filter(|&at| self.bit(line, at))
    }

    /// The nearest stop of runs to higher places *behind* a place: what begins there or before does not come by. -1 if none.
    pub(super) fn behind_up(&self, line: usize, place: usize) -> i32 {
        first_below(&self.up, self.stride, line, place).map_or(-1, |at| at as i32)
    }

    /// The same for runs to lower places; `length` if there is none.
    pub(super) fn behind_down(&self, line: usize, place: usize) -> i32 {
        first_above(&self.down, self.stride, line, place).map_or(self.length, |at| at.min(self.length)) as i32
    }

    /// True if all places from `low` to `high` are water.
    pub(super) fn clear(&self, line: usize, low: usize, high: usize) -> bool {
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

    pub(super) fn set(&mut self, line: usize, place: usize, open: bool) {
        let word = &mut self.open[line * self.stride + place / 64];
        *word = *word & !(1 << (place % 64)) | u64::from(open) << (place % 64);
    }

    /// Works out all stops.
    pub(super) fn mark_all(&mut self) {
        for line in 0..self.lines {
            for w in 0..self.stride {
                self.mark(line, w);
            }
        }
    }

    /// Works out the stops around an edited tile.
    pub(super) fn renew(&mut self, line: usize, place: usize) {
        for line in line.saturating_sub(1)..(line + 2).min(self.lines) {
            let (low, high) = (place.saturating_sub(1) / 64, (place + 1) / 64);
            for w in low..=high.min(self.stride - 1) {
                self.mark(line, w);
            }
        }
    }

    /// Works out the stops of one word.
    fn mark(&mut self, line: usize, w: usize) {
        let at = |line: Option<usize>, w: Option<usize>| match (line, w) {
            (Some(line), Some(w)) if line < self.lines && w < self.stride => {
                self.open[line * self.stride + w]
            }
            _ => 0,
        };
        // A line's word, and the same with every tile's lower and higher neighbour in its place.
        let views = |line: Option<usize>| {
            let here = at(line, Some(w));
            let lower = here << 1 | at(line, w.checked_sub(1)) >> 63;
            let higher = here >> 1 | at(line, Some(w + 1)) << 63;
            (here, lower, higher)
        };
        let (here, lower, higher) = views(Some(line));
        let (left, left_lower, left_higher) = views(line.checked_sub(1));
        let (right, right_lower, right_higher) = views(Some(line + 1));
        let up = here & lower & (left & !left_lower | right & !right_lower);
        let down = here & higher & (left & !left_higher | right & !right_higher);
        self.up.set(self.stride, line, w, up | !here);
        self.down.set(self.stride, line, w, down | !here);
    }
}

impl Stops {
    fn set(&mut self, stride: usize, line: usize, w: usize, word: u64) {
        self.words[line * stride + w] = word;
        let some = &mut self.some[line * (stride / 64 + 1) + w / 64];
        *some = *some & !(1 << (w % 64)) | u64::from(word != 0) << (w % 64);
    }
}

/// The first stop beyond a place.
#[inline]
fn first_above(stops: &Stops, stride: usize, line: usize, place: usize) -> Option<usize> {
    let start = line * stride;
    let from = place + 1;
    let mut w = from / 64;
    let mut word = stops.words[start + w] & u64::MAX << (from % 64);
    if word == 0 {
        let groups = stride / 64 + 1;
        let some = &stops.some[line * groups..(line + 1) * groups];
        let mut group = (w + 1) / 64;
        let mut bits = some.get(group)? & u64::MAX << ((w + 1) % 64);
        while bits == 0 {
            group += 1;
            bits = *some.get(group)?;
        }
        w = group * 64 + bits.trailing_zeros() as usize;
        word = stops.words[start + w];
    }
    Some(w * 64 + word.trailing_zeros() as usize)
}

/// The first stop before a place.
#[inline]
fn first_below(stops: &Stops, stride: usize, line: usize, place: usize) -> Option<usize> {
    let start = line * stride;
    let mut w = place / 64;
    let mut word = stops.words[start + w] & ((1 << (place % 64)) - 1);
    if word == 0 {
        let groups = stride / 64 + 1;
        let some = &stops.some[line * groups..(line + 1) * groups];
        let mut group = w / 64;
        let mut bits = some[group] & ((1 << (w % 64)) - 1);
        while bits == 0 {
            group = group.checked_sub(1)?;
            bits = some[group];
        }
        w = group * 64 + 63 - bits.leading_zeros() as usize;
        word = stops.words[start + w];
    }
    Some(w * 64 + 63 - word.leading_zeros() as usize)
}
