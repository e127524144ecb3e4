//! Places objects: doors, chests, traps and entities on open tiles, water on closed ones.

use super::cell_set::{CellSet, GridShape};
use super::choke::{articulation_points, find_choke_points};
use super::config::Budget;
use super::draft::{Draft, Layout};
use super::task::{ObjectCounts, Safety, Task, TileClass};
use super::trace::{Event, record_set};
use wayforge_core::MapRng;
use wayforge_core::trace::Tracer;

/// Probability in percent that a water tile starts a new pool instead of extending one.
const NEW_POOL_PERCENT: u32 = 10;

impl<S: CellSet> Draft<S> {
    /// Places doors on random choke points, doorways of rooms first. No two doors are neighbours.
    ///
    /// Returns false if there are too few choke points.
    ///
    /// # Determinism
    /// Stream `floor.things`.
    pub(super) fn place_doors(&mut self, count: u32, rng: &mut MapRng) -> bool {
        let Draft { shape, layout, doorways, dfs_scratch, placed, .. } = self;
        let doors = &mut placed[Budget::Door as usize];
        *doors = S::empty(shape);
        if count == 0 {
            return true;
        }
        let mut candidates = find_choke_points(shape, layout, dfs_scratch);
        for _ in 0..count {
            let Some(door) =
                candidates.and(doorways).choose(rng).or_else(|| candidates.choose(rng))
            else {
                return false;
            };
            doors.insert(door);
            candidates = candidates.minus(doors).minus(&doors.adjacent(shape));
        }
        true
    }

    /// Places everything except doors.
    ///
    /// Each object gets its own tile of an allowed class. A tile is used only if the remaining
    /// objects still fit, so no backtracking is needed.
    ///
    /// # Errors
    /// The first budget that the free tiles have no room for. No object is placed in this case.
    ///
    /// # Determinism
    /// Stream `floor.things`.
    #[inline]
    pub(super) fn place_objects(
        &mut self,
        task: &Task,
        rng: &mut MapRng,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Budget> {
        let free = self.free_tiles(task, &self.placed[Budget::Door as usize], rng);
        self.place_on_tiles(free, task, rng, tracer)?;
        let water = self.place_water(task.count(Budget::Water), rng);
        record_set(&water, &self.shape, |pos| Event::Place { pos, budget: Budget::Water }, tracer);
        self.placed[Budget::Water as usize] = water;
        Ok(())
    }

    /// Returns the open tiles that are not `occupied`, by class.
    ///
    /// If chests must be safe, draws a prefix of the path that is free of enemies. All chests are
    /// placed next to it. Only prefixes that leave room for all objects are drawn; if there is
    /// none, the whole path is used.
    #[inline]
    pub(super) fn free_tiles(&self, task: &Task, occupied: &S, rng: &mut MapRng) -> FreeTiles<S> {
        let free = |safe: Option<&S>| FreeTiles::new(&self.shape, &self.layout, occupied, safe);
        if task.safety == Safety::None {
            return free(None);
        }
        // Reservoir sampling over the prefixes of the path that leave room for all objects.
        let mut chosen = None;
        if task.safety == Safety::Chests {
            let (objects, mut fitting, mut safe) = (task.objects(), 0, S::empty(&self.shape));
            for &cell in &self.path_scratch.path {
                safe.insert(cell);
                let free = free(Some(&safe));
                if objects.fit_into(&free.counts) {
                    fitting += 1;
                    if rng.below(fitting) == 0 {
                        chosen = Some(free);
                    }
                }
            }
        }
        chosen.unwrap_or_else(|| free(Some(&self.layout.on_path)))
    }

    /// Places everything except doors and water on the free tiles.
    ///
    /// Traps avoid articulation points while other tiles are left, so that players can bypass them.
    ///
    /// # Errors
    /// The first budget that the free tiles have no room for.
    pub(super) fn place_on_tiles(
        &mut self,
        mut free: FreeTiles<S>,
        task: &Task,
        rng: &mut MapRng,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Budget> {
        let Draft { shape, layout, dfs_scratch, placed, .. } = self;
        let mut objects = task.objects();
        if !objects.fit_into(&free.counts) {
            return Err(objects.first_shortfall(&free.counts));
        }
        let unavoidable = match objects.traps {
            0 => S::empty(shape),
            _ => articulation_points(shape, &layout.open, layout.entrance, 1, dfs_scratch),
        };
        /// Budget, its counter, and the allowed tile classes.
        type ObjectKind = (Budget, fn(&mut ObjectCounts) -> &mut u32, &'static [TileClass]);
        let kinds: [ObjectKind; 6] = [
            (Budget::Chest, |objects| &mut objects.chests, TileClass::CHEST),
            (Budget::Trap, |objects| &mut objects.traps, TileClass::TRAP),
            (Budget::Enemy, |objects| &mut objects.enemies, TileClass::ENEMY),
            (Budget::Item, |objects| &mut objects.others, &TileClass::ALL),
            (Budget::Relic, |objects| &mut objects.others, &TileClass::ALL),
            (Budget::Npc, |objects| &mut objects.others, &TileClass::ALL),
        ];
        for (budget, remaining, classes) in kinds {
            let set = &mut placed[budget as usize];
            *set = S::empty(shape);
            for _ in 0..task.count(budget) {
                *remaining(&mut objects) -= 1;
                let avoid = (budget == Budget::Trap).then_some(&unavoidable);
                let cell = free.take(shape, classes, &objects, avoid, rng).ok_or(budget)?;
                set.insert(cell);
                tracer.record(Event::Place { pos: shape.pos(cell), budget });
            }
        }
        Ok(())
    }

    /// Turns closed tiles into pools of water.
    ///
    /// A pool starts next to an open tile and grows over neighbouring closed tiles. Tiles next to
    /// doors are used last.
    fn place_water(&self, count: u32, rng: &mut MapRng) -> S {
        let Draft { shape, layout, placed, .. } = self;
        let mut water = S::empty(shape);
        if count == 0 {
            return water;
        }
        let closed = S::from_positions(shape, shape.size.iter()).minus(&layout.open);
        let beside_doors = placed[Budget::Door as usize].adjacent(shape);
        let shoreline = layout.open.adjacent(shape).and(&closed).minus(&beside_doors);
        let mut sources = [
            shoreline.clone(),
            closed.minus(&beside_doors).minus(&shoreline),
            closed.and(&beside_doors),
        ];
        for _ in 0..count {
            let beside_water = water.adjacent(shape).and(&sources[0].or(&sources[1]));
            let grow_pool = !beside_water.is_empty() && !rng.chance(NEW_POOL_PERCENT, 100);
            let source = if grow_pool {
                Some(&beside_water)
            } else {
                sources.iter().find(|source| !source.is_empty())
            };
            let Some(cell) = source.and_then(|source| source.choose(rng)) else { break };
            sources.iter_mut().for_each(|source| source.remove(cell));
            water.insert(cell);
        }
        water
    }
}

/// Free tiles by [`TileClass`].
pub(super) struct FreeTiles<S> {
    pub(super) tiles: [S; 5],
    pub(super) counts: [u32; 5],
}

impl<S: CellSet> FreeTiles<S> {
    /// Returns the open tiles that are not `occupied`, by class.
    ///
    /// `safe` is the prefix of the path without enemies; chests are placed next to it.
    #[inline]
    pub(super) fn new(
        shape: &GridShape,
        layout: &Layout<S>,
        occupied: &S,
        safe: Option<&S>,
    ) -> FreeTiles<S> {
        let mut free = layout.open.minus(occupied);
        free.remove(layout.entrance);
        free.remove(layout.exit);
        let beside_entrance = S::from_cells(shape, [layout.entrance]).adjacent(shape);
        let (on_path, off_path) = (free.and(&layout.on_path), free.minus(&layout.on_path));
        let beside_path = off_path.and(&safe.unwrap_or(&layout.on_path).adjacent(shape));
        let (near, rest) = (beside_path.and(&beside_entrance), beside_path.minus(&beside_entrance));
        let enemy_free =
            if let Some(safe) = safe { beside_entrance.or(safe) } else { beside_entrance };
        let remote = off_path.minus(&beside_path);
        let tiles = [near, rest, remote, on_path.and(&enemy_free), on_path.minus(&enemy_free)];
        let counts = std::array::from_fn(|i| tiles[i].len());
        FreeTiles { tiles, counts }
    }

    /// Takes a random tile of `classes` that leaves room for the remaining `objects`.
    ///
    /// Tiles in `avoid` are taken only if there is no other.
    #[inline]
    fn take(
        &mut self,
        shape: &GridShape,
        classes: &[TileClass],
        objects: &ObjectCounts,
        avoid: Option<&S>,
        rng: &mut MapRng,
    ) -> Option<u16> {
        let mut candidates = S::empty(shape);
        // If the objects fit with one tile less in every class, they fit with one tile less in any
        // single class.
        let mut reduced = self.counts;
        classes
            .iter()
            .for_each(|&class| reduced[class as usize] = reduced[class as usize].saturating_sub(1));
        let fits_anywhere = objects.fit_into(&reduced);
        for &class in classes {
            let mut counts = self.counts;
            counts[class as usize] = counts[class as usize].wrapping_sub(1);
            if fits_anywhere || (self.counts[class as usize] > 0 && objects.fit_into(&counts)) {
                candidates = candidates.or(&self.tiles[class as usize]);
            }
        }
        let preferred = avoid.map(|avoid| candidates.minus(avoid)).filter(|rest| !rest.is_empty());
        let cell = preferred.unwrap_or(candidates).choose(rng)?;
        let class = classes
            .iter()
            .map(|&class| class as usize)
            .find(|&class| self.tiles[class].contains(cell))?;
        self.tiles[class].remove(cell);
        self.counts[class] -= 1;
        Some(cell)
    }
}
