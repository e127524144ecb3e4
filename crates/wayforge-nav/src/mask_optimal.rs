//! Optimal variant of mask-expanding BFS: label-correcting search with a bucket queue (Dial 1969).
//!
//! Widening the corridor may shorten distances found earlier. The path is shortest in the final
//! region.
//!
//! Invariants:
//!
//! 1. The distance of every visited tile is the length of a path inside the region.
//! 2. Every step inside the region that could shorten a distance starts at an enqueued tile.
//! 3. No bucket below the current level contains a tile.
//!
//! Widening restores them: sources that enter the region get distance 0, blocked steps that now end
//! inside it are relaxed, and the level drops to the smallest distance enqueued. So a tile is
//! dequeued with its shortest distance in the current region. The first target dequeued ends the
//! search and fixes the region.

use super::coarse::NO_NODE;
use super::mask::{GOAL, MaskExpandingBfs, QueryContext, SOURCE};
use super::padded_layout::visit_neighbours;
use super::query::Query;
use super::search_trace::SearchEvent;
use super::work::count_tile;
use wayforge_core::Work;
use wayforge_core::trace::Tracer;

impl MaskExpandingBfs {
    /// Searches, widens the corridor and relaxes, until a target is dequeued.
    ///
    /// Returns `None` if the guardrail or the work limit is reached, or the corridor cannot be
    /// widened further.
    pub(super) fn optimal<const EIGHT: bool, T: Tracer<SearchEvent>>(
        &mut self,
        context: &mut QueryContext<'_, T>,
    ) -> Option<usize> {
        self.dist.resize(self.tiles.len(), 0);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.blocked_steps.clear();
        self.begin_search();
        self.relax_sources(context.query);
        let (mut level, mut recorded) = (0, 0);
        loop {
            let found = self.settle::<EIGHT>(&mut level, context.work);
            recorded = self.record_visits(recorded, context);
            if found.is_some() || context.work.stopped().is_some() {
                return found;
            }
            let (mut all, mut progressed) = (false, false);
            let steps = self.layout.steps();
            while !progressed {
                if !self.widen(all, context) || !context.work.spend(self.blocked_steps.len() as u64)
                {
                    return None;
                }
                if self.relax_sources(context.query) {
                    (progressed, level) = (true, 0);
                }
                let mut blocked = std::mem::take(&mut self.blocked_steps);
                blocked.retain(|&(index, step)| {
                    let to = (index as usize).wrapping_add_signed(steps[usize::from(step)]);
                    let allowed = self.corridor.is_allowed(self.tiles[to].node);
                    if allowed {
                        // The distance of the tile may have decreased since the step was blocked.
                        let distance = self.dist[index as usize] + 1;
                        progressed |= self.relax(to, step, distance);
                        level = level.min(distance);
                    }
                    !allowed
                });
                self.blocked_steps = blocked;
                all = true;
            }
            self.corridor.begin_phase();
        }
    }

    /// Sets the distance of sources inside the corridor to 0; returns true if any distance changed.
    fn relax_sources(&mut self, query: &Query) -> bool {
        let mut any = false;
        for &pos in &query.sources {
            let index = self.layout.index(pos);
            any |= self.corridor.is_allowed(self.tiles[index].node) && self.relax(index, SOURCE, 0);
        }
        any
    }

    /// Dequeues tiles by distance until a target is dequeued or all buckets are empty.
    fn settle<const EIGHT: bool>(&mut self, level: &mut u32, work: &Work) -> Option<usize> {
        let mut dequeued = 0;
        while let Some(bucket) = self.buckets.get_mut(*level as usize) {
            let Some(index) = bucket.pop() else {
                *level += 1;
                continue;
            };
            dequeued += 1;
            if !count_tile(work, dequeued) {
                return None;
            }
            let tile = self.tiles[index as usize];
            if self.dist[index as usize] != *level {
                continue;
            }
            if tile.flags & GOAL != 0 {
                return Some(index as usize);
            }
            self.corridor.visit(tile.node);
            visit_neighbours::<EIGHT>(self.layout, index as usize, |to, step| {
                let node = self.tiles[to].node;
                if node == NO_NODE {
                    return false;
                }
                if self.corridor.is_allowed(node) {
                    self.relax(to, step, *level + 1);
                } else {
                    // Stores every step, not every tile: which one is shortest is known only after
                    // the widening.
                    self.blocked_steps.push((index, step));
                }
                true
            });
        }
        None
    }

    /// Lowers the distance of a tile to `distance`; returns false if it is not larger.
    fn relax(&mut self, to: usize, step: u8, distance: u32) -> bool {
        let tile = &mut self.tiles[to];
        if tile.seen != self.stamp {
            self.queue.push(to as u32);
        } else if self.dist[to] <= distance {
            return false;
        }
        (tile.seen, tile.step) = (self.stamp, step);
        self.dist[to] = distance;
        if self.buckets.len() <= distance as usize {
            self.buckets.resize_with(distance as usize + 1, Vec::new);
        }
        self.buckets[distance as usize].push(to as u32);
        true
    }
}
