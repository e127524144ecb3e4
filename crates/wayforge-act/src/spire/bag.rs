//! The game's bag of kinds: a shuffled list that is sized by the number of nodes and searched from
//! the front.

use super::game_rng::GameRng;
use super::{ELITE, EVENT, KindId, MONSTER, REST, SHOP};

/// The bag of one map. Each entry is a one-bit kind mask. Removed entries leave gaps.
#[derive(Clone, Debug)]
pub(super) struct Bag {
    entries: [u8; 128],
    /// Per set of kinds: bit mask of the first 64 entries that are not in the set.
    without: [u64; 32],
    /// Bit masks of the remaining entries. Few maps have more than 64.
    remaining: [u64; 2],
}

/// Bit mask of the kinds in the bag.
const KINDS: u8 = 0b1_1111;

/// Returns the bit of a kind.
pub(super) const fn bit(kind: KindId) -> u8 {
    1 << kind.0
}

/// The initial bags, before padding with monsters and shuffling, by the number of counted nodes.
pub(super) struct Portions {
    entries: [[u8; 64]; MAX_COUNTED + 1],
    /// Number of entries before the padding.
    filled: [u8; MAX_COUNTED + 1],
}

/// Maximum number of nodes that determine the size of the bag: six per row on fourteen rows.
const MAX_COUNTED: usize = 6 * 14;

static PLAIN: Portions = Portions::new(false);
static ASCENDED: Portions = Portions::new(true);

impl Portions {
    pub(super) fn get(ascended: bool) -> &'static Portions {
        if ascended { &ASCENDED } else { &PLAIN }
    }

    const fn new(ascended: bool) -> Portions {
        let mut all = Portions {
            entries: [[bit(MONSTER); 64]; MAX_COUNTED + 1],
            filled: [0; MAX_COUNTED + 1],
        };
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

/// Returns the number of shops, rests, elites and events in the bag of a map with `counted` nodes.
///
/// These are 5, 12, 8 and 22 percent of the nodes; from ascension 1 on, 1.6 times as many elites.
/// The game computes with 32-bit floats and rounds half up; integers give the same results for all
/// possible maps.
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
        Bag { entries: [0; 128], without: [0; 32], remaining: [0; 2] }
    }
}

impl Bag {
    /// Fills the bag, pads it with monsters to one entry per untyped node, and shuffles it.
    pub(super) fn fill(
        &mut self,
        portions: &Portions,
        counted: usize,
        untyped: usize,
        rng: &mut GameRng,
    ) {
        let counted = counted.min(MAX_COUNTED);
        let (head, tail) = self.entries.split_at_mut(64);
        head.copy_from_slice(&portions.entries[counted]);
        tail.fill(bit(MONSTER));
        let length = untyped.max(portions.filled[counted].into());
        // Fisher-Yates shuffle.
        let mut i = length;
        while i > 1 {
            let j = rng.below(i as u64) as usize;
            i -= 1;
            self.entries.swap(i & 127, j & 127);
        }
        self.index(length);
    }

    /// Removes and returns the first entry that is not a `forbidden` kind; 0 if there is none.
    #[inline]
    pub(super) fn take(&mut self, forbidden: u8) -> u8 {
        let allowed = self.remaining[0] & self.without[usize::from(forbidden & KINDS)];
        if allowed == 0 {
            return self.take_beyond_64(forbidden);
        }
        self.remaining[0] ^= allowed & allowed.wrapping_neg();
        self.entries[allowed.trailing_zeros() as usize & 127]
    }

    /// Like [`take`](Self::take), for the entries after the first 64.
    #[cold]
    fn take_beyond_64(&mut self, forbidden: u8) -> u8 {
        if self.remaining[1] == 0 {
            return 0;
        }
        let beyond = &self.entries[64..];
        let found =
            (0..64).find(|&i| self.remaining[1] >> i & 1 != 0 && beyond[i] & forbidden == 0);
        let Some(i) = found else { return 0 };
        self.remaining[1] ^= 1 << i;
        beyond[i]
    }

    /// Computes the bit masks of the shuffled entries.
    fn index(&mut self, length: usize) {
        let first = |n: usize| u64::MAX.checked_shr(64 - n.min(64) as u32).unwrap_or(0);
        self.remaining = [first(length), first(length.saturating_sub(64))];
        let mut of_kind = [0; 5];
        for (eight, entries) in self.entries[..64].chunks_exact(8).enumerate() {
            let mut word = [0; 8];
            word.copy_from_slice(entries);
            let word = u64::from_le_bytes(word);
            for (kind, mask) in of_kind.iter_mut().enumerate() {
                // Gather one bit of each byte into the top byte.
                let bits = (word >> kind) & 0x0101_0101_0101_0101;
                *mask |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * eight);
            }
        }
        // Combine the tables for the three lower and the two upper kinds.
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
    fn integer_portions_equal_those_of_the_game() {
        let round = |x: f32| (x + 0.5).floor() as usize;
        for n in 0..=105_u16 {
            let nodes = f32::from(n);
            let game = |elites: f32| {
                [round(nodes * 0.05), round(nodes * 0.12), round(elites), round(nodes * 0.22)]
            };
            assert_eq!(portions(n.into(), false), game(nodes * 0.08), "{n} nodes");
            assert_eq!(portions(n.into(), true), game(nodes * 0.08 * 1.6), "{n} nodes, ascended");
        }
    }

    #[test]
    fn takes_the_first_allowed_entry_and_preserves_the_order() {
        for length in [0, 1, 12, 50, 63, 64, 65, 72, 84] {
            let mut rng = GameRng::seeded(length as u64);
            let mut bag = Bag::default();
            bag.fill(Portions::get(true), 84, length, &mut rng);
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
