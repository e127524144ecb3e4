//! Constraints of one floor as numbers, and which objects fit on which tiles.

use super::choke::MIN_GUARDED;
use super::config::{Budget, CarveMethod, OpenMethod};
use wayforge_core::MapRng;
use wayforge_core::grid::{Pos, Size};

/// Constraints of one floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Task {
    pub(super) size: Size,
    pub(super) carve: CarveMethod,
    pub(super) opening: OpenMethod,
    /// Target number of open tiles. Other constraints take precedence.
    pub(super) open: u32,
    pub(super) min_path_length: u32,
    pub(super) entrance: Option<Pos>,
    pub(super) exit: Option<Pos>,
    /// Number of objects per [`Budget`].
    pub(super) counts: [u32; 8],
    pub(super) safety: Safety,
}

/// Which part of the path is free of enemies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Safety {
    /// Only the first step.
    #[default]
    None,
    /// The path up to the last step next to a chest.
    Chests,
    /// The whole path.
    Route,
}

/// Cells where a floor may end. In a tower, the floor above starts there.
pub(super) trait Exits {
    /// Draws a cell. It may still be rejected by [`accepts`](Self::accepts).
    fn draw(&self, size: Size, rng: &mut MapRng) -> Pos;
    /// Returns whether the floor may end at a cell.
    fn accepts(&mut self, pos: Pos) -> bool;
}

/// Accepts every cell.
pub(super) struct AnyExit;

impl Exits for AnyExit {
    #[inline]
    fn draw(&self, size: Size, rng: &mut MapRng) -> Pos {
        let (x, y) = (rng.below(size.width.into()), rng.below(size.height.into()));
        Pos::new(x as u16, y as u16)
    }

    #[inline]
    fn accepts(&mut self, _: Pos) -> bool {
        true
    }
}

/// Tiles classified by the objects that fit on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TileClass {
    /// Off the path, next to it, one step from the entrance.
    BesideEntrance,
    /// Off the path, next to it.
    BesidePath,
    /// Off the path, not next to it.
    Remote,
    /// On the path, closed to enemies: the first step, or the safe part.
    EnemyFreePath,
    /// On the path, open to enemies.
    OnPath,
}

impl TileClass {
    pub(super) const ALL: [TileClass; 5] = [
        TileClass::BesideEntrance,
        TileClass::BesidePath,
        TileClass::Remote,
        TileClass::EnemyFreePath,
        TileClass::OnPath,
    ];
    /// Classes for chests: next to the path.
    pub(super) const CHEST: &'static [TileClass] =
        &[TileClass::BesideEntrance, TileClass::BesidePath];
    /// Classes for traps: off the path.
    pub(super) const TRAP: &'static [TileClass] =
        &[TileClass::BesideEntrance, TileClass::BesidePath, TileClass::Remote];
    /// Classes for enemies: at least two steps from the entrance.
    pub(super) const ENEMY: &'static [TileClass] =
        &[TileClass::BesidePath, TileClass::Remote, TileClass::OnPath];
}

/// Number of objects still to place on free tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ObjectCounts {
    pub(super) chests: u32,
    pub(super) traps: u32,
    pub(super) enemies: u32,
    /// Items, relics and npcs, which fit on any free tile.
    pub(super) others: u32,
}

impl ObjectCounts {
    /// Returns the total number of objects.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.chests + self.traps + self.enemies + self.others
    }

    /// Returns whether all objects fit on the free tiles of each [`TileClass`], one per tile.
    ///
    /// By Hall's marriage theorem (Hall 1935) it is enough to check every set of kinds that share
    /// tiles.
    #[inline]
    pub(super) fn fit_into(&self, free: &[u32; 5]) -> bool {
        let [near, beside, remote, enemy_free, on_path] = *free;
        let ObjectCounts { chests, traps, enemies, others } = *self;
        let off_path = near + beside + remote;
        chests <= near + beside
            && chests + traps <= off_path
            && enemies <= beside + remote + on_path
            && chests + traps + enemies <= off_path + on_path
            && chests + traps + enemies + others <= off_path + enemy_free + on_path
    }

    /// Returns how many tiles are missing until all objects fit.
    pub(super) fn total_shortfall(&self, free: &[u32; 5]) -> u32 {
        self.shortfalls(free).iter().map(|&(_, short)| short).sum()
    }

    /// Returns the first budget with too few tiles if the objects do not [fit](Self::fit_into).
    pub(super) fn first_shortfall(&self, free: &[u32; 5]) -> Budget {
        let shortfalls = self.shortfalls(free);
        shortfalls
            .into_iter()
            .find(|&(_, short)| short > 0)
            .map_or(Budget::Item, |(budget, _)| budget)
    }

    /// Returns the number of missing tiles for each set of kinds that share tiles, with the last
    /// kind of the set.
    fn shortfalls(&self, free: &[u32; 5]) -> [(Budget, u32); 5] {
        let [near, beside, remote, enemy_free, on_path] = *free;
        let ObjectCounts { chests, traps, enemies, others } = *self;
        let off_path = near + beside + remote;
        [
            (Budget::Chest, chests.saturating_sub(near + beside)),
            (Budget::Trap, (chests + traps).saturating_sub(off_path)),
            (Budget::Enemy, enemies.saturating_sub(beside + remote + on_path)),
            (Budget::Enemy, (chests + traps + enemies).saturating_sub(off_path + on_path)),
            (
                Budget::Item,
                (chests + traps + enemies + others).saturating_sub(off_path + enemy_free + on_path),
            ),
        ]
    }
}

impl Task {
    #[inline]
    pub(super) fn count(&self, budget: Budget) -> u32 {
        self.counts[budget as usize]
    }

    #[inline]
    pub(super) fn objects(&self) -> ObjectCounts {
        ObjectCounts {
            chests: self.count(Budget::Chest),
            traps: self.count(Budget::Trap),
            enemies: self.count(Budget::Enemy),
            others: self.count(Budget::Item) + self.count(Budget::Relic) + self.count(Budget::Npc),
        }
    }

    /// Returns the minimum number of open tiles.
    ///
    /// Entrance, exit and every object need one tile each. If there are enemies and the path has at
    /// least two steps, its first step needs another tile, unless a door, item, relic or npc can
    /// use it.
    #[inline]
    pub(super) fn min_open(&self) -> u32 {
        let ObjectCounts { chests, traps, enemies, others } = self.objects();
        // Chests and traps are off the path, and enemies are not allowed on its first step.
        let first = u32::from(
            self.min_path_length >= 2 && enemies > 0 && self.count(Budget::Door) + others == 0,
        );
        let doors = self.count(Budget::Door);
        // Removing all doors leaves at least `doors + 1` parts of at least one tile each. A part
        // with no further door behind it has at least `MIN_GUARDED` tiles.
        let parts = if doors > 0 { 2 * doors + u32::from(MIN_GUARDED) } else { 0 };
        (2 + first + doors + chests + traps + enemies + others).max(parts)
    }

    /// Returns the maximum number of open tiles: all tiles that are not needed for water.
    #[inline]
    pub(super) fn max_open(&self) -> u32 {
        (self.size.cells() as u32).saturating_sub(self.count(Budget::Water))
    }

    /// Returns whether all attempts use the same entrance and exit.
    ///
    /// In this case the exit is uniform, no matter which attempts fail. If the path must be long,
    /// most pairs are infeasible, so every attempt draws its own pair.
    #[inline]
    pub(super) fn reuses_ends(&self) -> bool {
        self.min_path_length <= 1
    }

    /// Returns whether enemies may have to avoid the whole path.
    pub(super) fn keeps_path_safe(&self) -> bool {
        match self.safety {
            Safety::None => false,
            Safety::Chests => self.count(Budget::Chest) > 0,
            Safety::Route => true,
        }
    }

    /// Returns the budget with the most objects.
    pub(super) fn largest_budget(&self) -> Budget {
        Budget::ALL.into_iter().max_by_key(|&budget| self.count(budget)).unwrap_or(Budget::Enemy)
    }

    /// Returns the minimum Manhattan distance between entrance and exit.
    ///
    /// The shortest path between neighbours is one step, so a longer path needs a distance of two.
    #[inline]
    pub(super) fn min_end_distance(&self) -> u32 {
        self.min_path_length.clamp(1, 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether objects fit, by trying all placements.
    fn fits_by_exhaustive_search(objects: ObjectCounts, free: [u32; 5]) -> bool {
        let order = [
            (objects.chests, TileClass::CHEST),
            (objects.traps, TileClass::TRAP),
            (objects.enemies, TileClass::ENEMY),
            (objects.others, &TileClass::ALL[..]),
        ];
        fn place(order: &[(u32, &[TileClass])], free: [u32; 5]) -> bool {
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
    fn fit_into_agrees_with_exhaustive_placement() {
        let mut fitting = 0;
        for n in 0..3_u32.pow(9) {
            let digit = |place: u32| n / 3_u32.pow(place) % 3;
            let objects = ObjectCounts {
                chests: digit(0),
                traps: digit(1),
                enemies: digit(2),
                others: digit(3),
            };
            let free = [digit(4), digit(5), digit(6), digit(7).min(1), digit(8)];
            assert_eq!(
                objects.fit_into(&free),
                fits_by_exhaustive_search(objects, free),
                "{objects:?} {free:?}"
            );
            assert_eq!(
                objects.fit_into(&free),
                objects.total_shortfall(&free) == 0,
                "{objects:?} {free:?}"
            );
            fitting += u32::from(objects.fit_into(&free));
        }
        assert!((2_000..15_000).contains(&fitting), "{fitting}");
    }
}
