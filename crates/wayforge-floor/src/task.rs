//! What one floor has to be: the configuration as numbers, and what things need of tiles.

use super::choke::MIN_GUARDED;
use super::config::{Budget, Carve, Opening};
use wayforge_core::MapRng;
use wayforge_core::grid::{Pos, Size};

/// A floor to be drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) size: Size,
    pub(super) carve: Carve,
    pub(super) opening: Opening,
    /// How many tiles are to be open, as far as the other constraints leave it.
    pub(super) open: u32,
    pub(super) min_path: u32,
    pub(super) entrance: Option<Pos>,
    pub(super) exit: Option<Pos>,
    /// How many things of each kind, by [`Budget`].
    pub(super) counts: [u32; 8],
    pub(super) safety: Safety,
}

/// How far enemies keep off the path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Safety {
    /// They may stand on every step from the second one.
    #[default]
    None,
    /// None stands on the path before the last step that a chest is beside.
    Chests,
    /// None stands on the path.
    Route,
}

/// Where a floor may end: in a tower the floor above begins there.
pub(super) trait Exits {
    /// A cell that may be one.
    fn draw(&self, size: Size, rng: &mut MapRng) -> Pos;
    /// Whether a cell is one.
    fn accept(&mut self, pos: Pos) -> bool;
}

/// Every cell may be an exit.
pub(super) struct Anywhere;

impl Exits for Anywhere {
    #[inline]
    fn draw(&self, size: Size, rng: &mut MapRng) -> Pos {
        let (x, y) = (rng.below(size.width.into()), rng.below(size.height.into()));
        Pos::new(x as u16, y as u16)
    }

    #[inline]
    fn accept(&mut self, _: Pos) -> bool {
        true
    }
}

/// Tiles told apart by what may stand on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Off the way, beside it, one step from the entrance.
    Near,
    /// Off the way and beside it.
    Beside,
    /// Off the way and not beside it.
    Far,
    /// On the way, one step from the entrance.
    First,
    /// On the way.
    On,
}

impl Class {
    pub(super) const ALL: [Class; 5] = [Class::Near, Class::Beside, Class::Far, Class::First, Class::On];
    /// Next to the way.
    pub(super) const CHEST: &'static [Class] = &[Class::Near, Class::Beside];
    /// Off the way.
    pub(super) const TRAP: &'static [Class] = &[Class::Near, Class::Beside, Class::Far];
    /// Two steps from the entrance.
    pub(super) const ENEMY: &'static [Class] = &[Class::Beside, Class::Far, Class::On];
}

/// How many things are still to be placed on free tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Things {
    pub(super) chests: u32,
    pub(super) traps: u32,
    pub(super) enemies: u32,
    /// Items, relics and npcs, which may stand anywhere.
    pub(super) others: u32,
}

impl Things {
    /// How many they are.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.chests + self.traps + self.enemies + self.others
    }

    /// Whether so many free tiles of each [`Class`] have room for all of them, each thing on a tile of its own.
    ///
    /// By Hall's theorem it is enough to ask it of every set of kinds that share tiles.
    #[inline]
    pub(super) fn fit(&self, free: &[u32; 5]) -> bool {
        let [near, beside, far, first, on] = *free;
        let Things { chests, traps, enemies, others } = *self;
        let off = near + beside + far;
        chests <= near + beside
            && chests + traps <= off
            && enemies <= beside + far + on
            && chests + traps + enemies <= off + on
            && chests + traps + enemies + others <= off + first + on
    }

    /// How much is missing until all of them have room.
    pub(super) fn missing(&self, free: &[u32; 5]) -> u32 {
        self.shortfalls(free).iter().map(|&(_, short)| short).sum()
    }

    /// A kind of things that there is too little room for, where they do not [`fit`](Things::fit).
    pub(super) fn crowding(&self, free: &[u32; 5]) -> Budget {
        let shortfalls = self.shortfalls(free);
        shortfalls.into_iter().find(|&(_, short)| short > 0).map_or(Budget::Item, |(budget, _)| budget)
    }

    /// For each set of kinds that share tiles how many tiles it lacks, and the kind that joins it last.
    fn shortfalls(&self, free: &[u32; 5]) -> [(Budget, u32); 5] {
        let [near, beside, far, first, on] = *free;
        let Things { chests, traps, enemies, others } = *self;
        let off = near + beside + far;
        [
            (Budget::Chest, chests.saturating_sub(near + beside)),
            (Budget::Trap, (chests + traps).saturating_sub(off)),
            (Budget::Enemy, enemies.saturating_sub(beside + far + on)),
            (Budget::Enemy, (chests + traps + enemies).saturating_sub(off + on)),
            (Budget::Item, (chests + traps + enemies + others).saturating_sub(off + first + on)),
        ]
    }
}

impl Task {
    #[inline]
    pub(super) fn count(&self, budget: Budget) -> u32 {
        self.counts[budget as usize]
    }

    #[inline]
    pub(super) fn things(&self) -> Things {
        Things {
            chests: self.count(Budget::Chest),
            traps: self.count(Budget::Trap),
            enemies: self.count(Budget::Enemy),
            others: self.count(Budget::Item) + self.count(Budget::Relic) + self.count(Budget::Npc),
        }
    }

    /// The tiles that must be open: one for each thing, entrance and exit, and where there are enemies the first step of a
    /// longer way, which none of them may take.
    #[inline]
    pub(super) fn least_open(&self) -> u32 {
        let Things { chests, traps, enemies, others } = self.things();
        // Doors and others may stand on the first step.
        let first = u32::from(self.min_path >= 2 && enemies > 0 && self.count(Budget::Door) + others == 0);
        let doors = self.count(Budget::Door);
        // Without its doors a floor has a part more than doors, each of a tile at least, and a part behind a last door.
        let parts = if doors > 0 { 2 * doors + u32::from(MIN_GUARDED) } else { 0 };
        (2 + first + doors + chests + traps + enemies + others).max(parts)
    }

    /// The tiles that may be open: water needs the others.
    #[inline]
    pub(super) fn most_open(&self) -> u32 {
        (self.size.cells() as u32).saturating_sub(self.count(Budget::Water))
    }

    /// Whether entrance and exit are drawn once and kept in all attempts: then the exit is uniform, whatever attempts fail.
    /// Where the path must be long, most pairs of ends have no floor, and every attempt draws its own.
    #[inline]
    pub(super) fn keeps_ends(&self) -> bool {
        self.min_path <= 1
    }

    /// Whether enemies may have to keep off the whole path.
    pub(super) fn guards_path(&self) -> bool {
        match self.safety {
            Safety::None => false,
            Safety::Chests => self.count(Budget::Chest) > 0,
            Safety::Route => true,
        }
    }

    /// What takes most room.
    pub(super) fn largest(&self) -> Budget {
        Budget::ALL.into_iter().max_by_key(|&budget| self.count(budget)).unwrap_or(Budget::Enemy)
    }

    /// Entrance and exit side by side are one step apart whatever is carved.
    #[inline]
    pub(super) fn least_apart(&self) -> u32 {
        self.min_path.clamp(1, 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether things fit, by trying: a plain search over the tiles that each thing may take.
    fn fit_by_search(things: Things, free: [u32; 5]) -> bool {
        let order = [
            (things.chests, Class::CHEST),
            (things.traps, Class::TRAP),
            (things.enemies, Class::ENEMY),
            (things.others, &Class::ALL[..]),
        ];
        fn place(order: &[(u32, &[Class])], free: [u32; 5]) -> bool {
            let Some((&(count, classes), rest)) = order.split_first() else { return true };
            if count == 0 {
                return place(rest, free);
            }
            classes.iter().any(|&class| {
                let mut left = free;
                let Some(less) = left[class as usize].checked_sub(1) else { return false };
                left[class as usize] = less;
                let mut order = order.to_vec();
                order[0].0 -= 1;
                place(&order, left)
            })
        }
        place(&order, free)
    }

    #[test]
    fn what_fits_is_what_a_search_can_place() {
        let mut fitting = 0;
        for n in 0..3_u32.pow(9) {
            let digit = |place: u32| n / 3_u32.pow(place) % 3;
            let things = Things { chests: digit(0), traps: digit(1), enemies: digit(2), others: digit(3) };
            let free = [digit(4), digit(5), digit(6), digit(7).min(1), digit(8)];
            assert_eq!(things.fit(&free), fit_by_search(things, free), "{things:?} {free:?}");
            assert_eq!(things.fit(&free), things.missing(&free) == 0, "{things:?} {free:?}");
            fitting += u32::from(things.fit(&free));
        }
        assert!((2_000..15_000).contains(&fitting), "{fitting}");
    }
}
