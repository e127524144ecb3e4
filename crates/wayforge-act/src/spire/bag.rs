//! The bag that kinds are dealt from: filled by the number of nodes, shuffled, and searched from its front.

use super::game_rng::GameRng;
use super::{ELITE, EVENT, KindId, MONSTER, REST, SHOP};

/// The bag of one map. A kind is one bit, so that a set of kinds is a byte; taken entries leave holes, which keeps the
/// others in order.
#[derive(Clone, Debug)]
pub(super) struct Bag {
    entries: [u8; 128],
    /// Which of the first 64 entries are of none of a set of kinds.
    without: [u64; 32],
    /// Which entries have not been taken: the first 64, and those beyond, which few maps have.
    left: [u64; 2],
}

/// The kinds that the bag holds.
const KINDS: u8 = 0b1_1111;

/// The bit of a kind.
pub(super) const fn bit(kind: KindId) -> u8 {
    1 << kind.0
}

/// The bags before they are padded with monsters and shuffled, by the number of counted nodes.
pub(super) struct Portions {
    entries: [[u8; 64]; MAX_COUNTED + 1],
    filled: [u8; MAX_COUNTED + 1],
}

/// Six walks leave at most six nodes on a row, and fourteen rows are counted.
const MAX_COUNTED: usize = 6 * 14;

static PLAIN: Portions = Portions::new(false);
static ASCENDED: Portions = Portions::new(true);

impl Portions {
    pub(super) fn of(ascended: bool) -> &'static Portions {
        if ascended { &ASCENDED } else { &PLAIN }
    }

    const fn new(ascended: bool) -> Portions {
        let mut all =
            Portions { entries: [[bit(MONSTER); 64]; MAX_COUNTED + 1], filled: [0; MAX_COUNTED + 1] };
        let mut counted = 0;
        while counted <= MAX_COUNTED {
            let counts = portions(counted, ascended);
            let kinds = [SHOP, REST, ELITE, EVENT];
            let (mut i, mut end, mut at) = (0, 0, 0);
            while i < kinds.len() {
                end += counts[i];
                while at < end {
                    all.entries[counted][at] = bit(kinds[i]);
                    at += 1;
                }
                i += 1;
            }
            all.filled[counted] = at as u8;
            counted += 1;
        }
        all
    }
}

/// How many shops, rests, elites and events go into the bag of a map with `counted` nodes: 5, 12, 8 and 22 percent, and
/// 1.6 times the elites from ascension 1 on.
///
/// The game reckons in 32-bit floats and rounds halves up; whole numbers give the same for every map there can be.
const fn portions(counted: usize, ascended: bool) -> [usize; 4] {
    let elites = if ascended { 128 } else { 80 };
    [
        (50 * counted + 500) / 1000,
        (120 * counted + 500) / 1000,
        (elites * counted + 500) / 1000,
        (220 * counted + 500) / 1000,
    ]
}

impl Default for Bag {
    fn default() -> Bag {
        Bag { entries: [0; 128], without: [0; 32], left: [0; 2] }
    }
}

impl Bag {
    /// Fills the bag for a map, with monsters up to one entry for each untyped node, and shuffles it.
    pub(super) fn fill(&mut self, portions: &Portions, counted: usize, untyped: usize, rng: &mut GameRng) {
        let counted = counted.min(MAX_COUNTED);
        let (head, tail) = self.entries.split_at_mut(64);
        head.copy_from_slice(&portions.entries[counted]);
        tail.fill(bit(MONSTER));
        let length = untyped.max(portions.filled[counted].into());
        let mut i = length;
        while i > 1 {
            let j = rng.below(i as u64) as usize;
            i -= 1;
            self.entries.swap(i & 127, j & 127);
        }
        self.lay_out(length);
    }

    /// Takes the first entry that is of none of the `forbidden` kinds; zero if there is none.
    #[inline]
    pub(super) fn take(&mut self, forbidden: u8) -> u8 {
        let fitting = self.left[0] & self.without[usize::from(forbidden & KINDS)];
        if fitting == 0 {
            return self.take_beyond(forbidden);
        }
        self.left[0] ^= fitting & fitting.wrapping_neg();
        self.entries[fitting.trailing_zeros() as usize & 127]
    }

    #[cold]
    fn take_beyond(&mut self, forbidden: u8) -> u8 {
        if self.left[1] == 0 {
            return 0;
        }
        let beyond = &self.entries[64..];
        let found = (0..64).find(|&i| self.left[1] >> i & 1 != 0 && beyond[i] & forbidden == 0);
        let Some(i) = found else { return 0 };
        self.left[1] ^= 1 << i;
        beyond[i]
    }

    /// Readies the shuffled bag for searching.
    fn lay_out(&mut self, length: usize) {
        let first = |n: usize| u64::MAX.checked_shr(64 - n.min(64) as u32).unwrap_or(0);
        self.left = [first(length), first(length.saturating_sub(64))];
        let mut of_kind = [0; 5];
        for (eight, entries) in self.entries[..64].chunks_exact(8).enumerate() {
            let mut word = [0; 8];
            word.copy_from_slice(entries);
            let word = u64::from_le_bytes(word);
            for (kind, mask) in of_kind.iter_mut().enumerate() {
                // Gathers one bit of each byte into the top byte.
                let bits = (word >> kind) & 0x0101_0101_0101_0101;
                *mask |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * eight);
            }
        }
        // The two halves of a set are put together instead of asking for each of its kinds.
        let [a, b, c, d, e] = of_kind;
        let low = [a | b | c, b | c, a | c, c, a | b, b, a, 0];
        let high = [d | e, e, d, 0];
        for (set, without) in self.without.iter_mut().enumerate() {
            *without = low[set % 8] | high[set / 8];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_give_the_games_portions() {
        let round = |x: f32| (x + 0.5).floor() as usize;
        for n in 0..=105_u16 {
            let nodes = f32::from(n);
            let game =
                |elites: f32| [round(nodes * 0.05), round(nodes * 0.12), round(elites), round(nodes * 0.22)];
            assert_eq!(portions(n.into(), false), game(nodes * 0.08), "{n} nodes");
            assert_eq!(portions(n.into(), true), game(nodes * 0.08 * 1.6), "{n} nodes, ascended");
        }
    }

    #[test]
    fn takes_the_first_that_fits_and_keeps_the_rest_in_order() {
        for length in [0, 1, 12, 50, 63, 64, 65, 72, 84] {
            let mut rng = GameRng::seeded(length as u64);
            let mut bag = Bag::default();
            bag.fill(Portions::of(true), 84, length, &mut rng);
            let length = length.max(usize::from(ASCENDED.filled[84]));
            let mut plain: Vec<u8> = bag.entries[..length].to_vec();
            for _ in 0..200 {
                let forbidden = rng.below(32) as u8;
                let at = plain.iter().position(|kind| kind & forbidden == 0);
                assert_eq!(bag.take(forbidden), at.map_or(0, |at| plain.remove(at)));
            }
        }
    }
}
