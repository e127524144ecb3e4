//! Placing things on open tiles: doors, chests, traps, water, and those that walk about.

use super::board::{Board, Frame};
use super::choke::{find_chokepoints, find_cuts};
use super::config::Budget;
use super::draft::{Draft, Shape};
use super::task::{Class, Safety, Task, Things};
use super::trace::{Event, tell_set};
use wayforge_core::MapRng;
use wayforge_core::trace::Tracer;

/// A further tile of water starts a new pool with this chance in percent; otherwise it enlarges one.
const NEW_POOL: u32 = 10;

impl<B: Board> Draft<B> {
    /// Draws the doors among the choke points, never two beside each other, those at the mouths of rooms first.
    ///
    /// * **Returns.** False if there are too few.
    /// * **Determinism.** Stream `floor.things`.
    pub(super) fn place_doors(&mut self, count: u32, rng: &mut MapRng) -> bool {
        let Draft { frame, shape, mouths, tides, placed, .. } = self;
        let doors = &mut placed[Budget::Door as usize];
        *doors = B::empty(frame);
        if count == 0 {
            return true;
        }
        let mut free = find_chokepoints(frame, shape, tides);
        for _ in 0..count {
            let Some(door) = free.and(mouths).pick(rng).or_else(|| free.pick(rng)) else { return false };
            doors.add(door);
            free = free.minus(doors).minus(&doors.beside(frame));
        }
        true
    }

    /// Draws everything but doors.
    ///
    /// * **Returns.** What the free tiles have no room for, before anything is drawn.
    /// * **Determinism.** Stream `floor.things`.
    /// * **Guarantees.** Each thing stands on a tile of its own that its kind may take. A draw that would leave too little
    ///   room for the rest is never made, so nothing is taken back.
    #[inline]
    pub(super) fn place_things(
        &mut self,
        task: &Task,
        rng: &mut MapRng,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Budget> {
        let free = self.free_tiles(task, &self.placed[Budget::Door as usize], rng);
        self.place_on(free, task, rng, tracer)?;
        let water = self.pour_water(task.count(Budget::Water), rng);
        tell_set(&water, &self.frame, |pos| Event::Put { pos, budget: Budget::Water }, tracer);
        self.placed[Budget::Water as usize] = water;
        Ok(())
    }

    /// The open tiles that are not `occupied`, by what may stand on them. Where chests must be safe, draws how much of the
    /// path is kept free of enemies so that all chests stand beside it, among the lengths that leave room for everything;
    /// the whole path if none does.
    #[inline]
    pub(super) fn free_tiles(&self, task: &Task, occupied: &B, rng: &mut MapRng) -> Free<B> {
        let free = |safe: Option<&B>| Free::of(&self.frame, &self.shape, occupied, safe);
        if task.safety == Safety::None {
            return free(None);
        }
        let mut chosen = None;
        if task.safety == Safety::Chests {
            let (things, mut fitting, mut safe) = (task.things(), 0, B::empty(&self.frame));
            for &cell in &self.tracks.way {
                safe.add(cell);
                let free = free(Some(&safe));
                if things.fit(&free.counts) {
                    fitting += 1;
                    if rng.below(fitting) == 0 {
                        chosen = Some(free);
                    }
                }
            }
        }
        chosen.unwrap_or_else(|| free(Some(&self.shape.on_way)))
    }

    /// Draws everything but doors and water on the free tiles. Traps take tiles that cannot be walked around only where no
    /// others are left: such a trap is no choice.
    pub(super) fn place_on(
        &mut self,
        mut free: Free<B>,
        task: &Task,
        rng: &mut MapRng,
        tracer: &mut impl Tracer<Event>,
    ) -> Result<(), Budget> {
        let Draft { frame, shape, tides, placed, .. } = self;
        let mut things = task.things();
        if !things.fit(&free.counts) {
            return Err(things.crowding(&free.counts));
        }
        let narrow = match things.traps {
            0 => B::empty(frame),
            _ => find_cuts(frame, &shape.open, shape.entrance, 1, tides),
        };
        /// What is placed, where it is counted, and which tiles it may take.
        type Kind = (Budget, fn(&mut Things) -> &mut u32, &'static [Class]);
        let kinds: [Kind; 6] = [
            (Budget::Chest, |things| &mut things.chests, Class::CHEST),
            (Budget::Trap, |things| &mut things.traps, Class::TRAP),
            (Budget::Enemy, |things| &mut things.enemies, Class::ENEMY),
            (Budget::Item, |things| &mut things.others, &Class::ALL),
            (Budget::Relic, |things| &mut things.others, &Class::ALL),
            (Budget::Npc, |things| &mut things.others, &Class::ALL),
        ];
        for (budget, left, classes) in kinds {
            let set = &mut placed[budget as usize];
            *set = B::empty(frame);
            for _ in 0..task.count(budget) {
                *left(&mut things) -= 1;
                let avoided = (budget == Budget::Trap).then_some(&narrow);
                let cell = free.draw(frame, classes, &things, avoided, rng).ok_or(budget)?;
                set.add(cell);
                tracer.tell(Event::Put { pos: frame.pos(cell), budget });
            }
        }
        Ok(())
    }

    /// Turns closed tiles into pools of water. A pool begins at the shore and grows over the closed tiles beside it; tiles
    /// beside doors are taken only where nothing else is left.
    fn pour_water(&self, count: u32, rng: &mut MapRng) -> B {
        let Draft { frame, shape, placed, .. } = self;
        let mut water = B::empty(frame);
        if count == 0 {
            return water;
        }
        let closed = B::of(frame, frame.size.iter()).minus(&shape.open);
        let dry = placed[Budget::Door as usize].beside(frame);
        let shore = shape.open.beside(frame).and(&closed).minus(&dry);
        let mut parts = [shore.clone(), closed.minus(&dry).minus(&shore), closed.and(&dry)];
        for _ in 0..count {
            let beside = water.beside(frame).and(&parts[0].or(&parts[1]));
            let grows = !beside.is_empty() && !rng.chance(NEW_POOL, 100);
            let part = if grows { Some(&beside) } else { parts.iter().find(|part| !part.is_empty()) };
            let Some(cell) = part.and_then(|part| part.pick(rng)) else { break };
            parts.iter_mut().for_each(|part| part.remove(cell));
            water.add(cell);
        }
        water
    }
}

/// The free tiles by class.
pub(super) struct Free<B> {
    pub(super) tiles: [B; 5],
    pub(super) counts: [u32; 5],
}

impl<B: Board> Free<B> {
    /// The open tiles that are not `occupied`. With `safe`, a first part of the path, no enemy stands on it and chests stand
    /// beside it.
    #[inline]
    pub(super) fn of(frame: &Frame, shape: &Shape<B>, occupied: &B, safe: Option<&B>) -> Free<B> {
        let mut free = shape.open.minus(occupied);
        free.remove(shape.entrance);
        free.remove(shape.exit);
        let first = B::collect(frame, [shape.entrance]).beside(frame);
        let (on, off) = (free.and(&shape.on_way), free.minus(&shape.on_way));
        let beside = off.and(&safe.unwrap_or(&shape.on_way).beside(frame));
        let (near, rest) = (beside.and(&first), beside.minus(&first));
        let barred = if let Some(safe) = safe { first.or(safe) } else { first };
        let tiles = [near, rest, off.minus(&beside), on.and(&barred), on.minus(&barred)];
        let counts = std::array::from_fn(|i| tiles[i].len());
        Free { tiles, counts }
    }

    /// Takes a tile of one of `classes` that leaves room for the `things` that are still to come; one that is not `avoided`
    /// while there is one.
    #[inline]
    fn draw(
        &mut self,
        frame: &Frame,
        classes: &[Class],
        things: &Things,
        avoided: Option<&B>,
        rng: &mut MapRng,
    ) -> Option<u16> {
        let mut choice = B::empty(frame);
        // If there is room enough with a tile less of every class, there is with a tile less of any.
        let mut fewer = self.counts;
        classes.iter().for_each(|&class| fewer[class as usize] = fewer[class as usize].saturating_sub(1));
        let roomy = things.fit(&fewer);
        for &class in classes {
            let mut counts = self.counts;
            counts[class as usize] = counts[class as usize].wrapping_sub(1);
            if roomy || (self.counts[class as usize] > 0 && things.fit(&counts)) {
                choice = choice.or(&self.tiles[class as usize]);
            }
        }
        let preferred = avoided.map(|avoided| choice.minus(avoided)).filter(|rest| !rest.is_empty());
        let cell = preferred.unwrap_or(choice).pick(rng)?;
        let class = classes.iter().map(|&class| class as usize).find(|&class| self.tiles[class].has(cell))?;
        self.tiles[class].remove(cell);
        self.counts[class] -= 1;
        Some(cell)
    }
}
