//! The document's optimal variant: relaxation over Dial's bucket queue (Dial 1969), so that widening the corridor may shorten
//! distances already found. The path is shortest in the final region.
//!
//! Invariants: (1) every visited tile's distance is the length of a path inside the region; (2) every step inside the region
//! that could still shorten a distance leaves a tile waiting in its bucket; (3) no bucket below the current level holds a
//! tile. Widening re-establishes them: sources that enter the region get distance 0, blocked steps that enter it are
//! relaxed, and the level falls to the smallest distance enqueued. So a tile is dequeued with its shortest distance in the
//! region at that time. The first target dequeued ends the search, and the region with it: nothing smaller can follow.

use super::coarse::NONE;
use super::frame::try_steps;
use super::mask::{GOAL, MaskSearch, SOURCE, Task};
use super::query::Query;
use super::search_trace::SearchEvent;
use wayforge_core::trace::Tracer;

impl MaskSearch {
    pub(super) fn optimal<const EIGHT: bool, T: Tracer<SearchEvent>>(
        &mut self,
        task: &mut Task<'_, T>,
    ) -> Option<usize> {
        self.dist.resize(self.tiles.len(), 0);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.blocked_steps.clear();
        self.begin_search();
        self.relax_sources(task.query);
        let (mut level, mut told) = (0, 0);
        loop {
            let found = self.drain::<EIGHT>(&mut level);
            told = self.tell_visits(told, task);
            if found.is_some() {
                return found;
            }
            let (mut all, mut woken) = (false, false);
            let steps = self.frame.steps();
            while !woken {
                if !self.widen(all, task) {
                    return None;
                }
                if self.relax_sources(task.query) {
                    (woken, level) = (true, 0);
                }
                let mut blocked = std::mem::take(&mut self.blocked_steps);
                blocked.retain(|&(at, step)| {
                    let to = (at as usize).wrapping_add_signed(steps[usize::from(step)]);
                    let allowed = self.corridor.is_allowed(self.tiles[to].node);
                    if allowed {
                        // The tile it was seen from may have come nearer since.
                        let near = self.dist[at as usize] + 1;
                        woken |= self.relax(to, step, near);
                        level = level.min(near);
                    }
                    !allowed
                });
                self.blocked_steps = blocked;
                all = true;
            }
            self.corridor.begin_phase();
        }
    }

    /// Gives every source inside the corridor distance 0; true if that is new for one of them.
    fn relax_sources(&mut self, query: &Query) -> bool {
        let mut any = false;
        for &pos in &query.sources {
            let at = self.frame.index(pos);
            any |= self.corridor.is_allowed(self.tiles[at].node) && self.relax(at, SOURCE, 0);
        }
        any
    }

    /// Takes tiles out in the order of their distance until one is a target or none is left.
    fn drain<const EIGHT: bool>(&mut self, level: &mut u32) -> Option<usize> {
        while let Some(bucket) = self.buckets.get_mut(*level as usize) {
            let Some(at) = bucket.pop() else {
                *level += 1;
                continue;
            };
            let here = self.tiles[at as usize];
            if self.dist[at as usize] != *level {
                continue;
            }
            if here.flags & GOAL != 0 {
                return Some(at as usize);
            }
            self.corridor.visit(here.node);
            try_steps::<EIGHT>(self.frame, at as usize, |to, step| {
                let node = self.tiles[to].node;
                if node == NONE {
                    return false;
                }
                if self.corridor.is_allowed(node) {
                    self.relax(to, step, *level + 1);
                } else {
                    // Not once a tile but once a step: which of them is nearest is known only when the mask opens.
                    self.blocked_steps.push((at, step));
                }
                true
            });
        }
        None
    }

    /// Takes a nearer way to a tile; true if it is one.
    fn relax(&mut self, to: usize, step: u8, near: u32) -> bool {
        let tile = &mut self.tiles[to];
        if tile.seen != self.stamp {
            self.queue.push(to as u32);
        } else if self.dist[to] <= near {
            return false;
        }
        (tile.seen, tile.step) = (self.stamp, step);
        self.dist[to] = near;
        if self.buckets.len() <= near as usize {
            self.buckets.resize_with(near as usize + 1, Vec::new);
        }
        self.buckets[near as usize].push(to as u32);
        true
    }
}
