//! The document's optimal variant: distances, relaxation and a bucket queue, so that a widened corridor may shorten what was
//! already visited. The way is shortest in the region that is allowed in the end.
//!
//! Why: every bucket below the current one is empty, so a tile is taken out with the least distance it can have in the
//! region allowed at that time; a target taken out ends the search at once, and the region is then final.

use super::coarse::NONE;
use super::mask::{BESIDE, GOAL, MaskSearch};
use super::query::{Counts, Query};
use super::trace::SearchEvent;
use crate::trace::Tracer;

impl MaskSearch {
    pub(super) fn optimal<const EIGHT: bool>(
        &mut self,
        query: &Query,
        counts: &mut Counts,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> Option<usize> {
        self.dist.resize(self.tiles.len(), 0);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.seed_all(query, true);
        for i in 0..self.queue.len() {
            let at = self.queue[i];
            self.dist[at as usize] = 0;
            self.enqueue(at, 0);
        }
        // Steps that the mask blocked: the tile and the place of the step.
        let mut blocked = std::mem::take(&mut self.blocked_steps);
        blocked.clear();
        let found = self.widen_until_found::<EIGHT>(&mut blocked, counts, tracer);
        self.blocked_steps = blocked;
        found
    }

    fn widen_until_found<const EIGHT: bool>(
        &mut self,
        blocked: &mut Vec<(u32, u8)>,
        counts: &mut Counts,
        tracer: &mut impl Tracer<SearchEvent>,
    ) -> Option<usize> {
        let (mut level, mut told) = (0, 0);
        loop {
            let found = self.drain::<EIGHT>(&mut level, blocked);
            counts.visited = self.queue.len() as u64;
            told = self.tell_visits(told, tracer);
            if found.is_some() {
                return found;
            }
            let (mut all, mut woken) = (false, false);
            let steps = self.steps();
            while !woken {
                if counts.expansions >= self.tuning.most_expansions {
                    return None;
                }
                counts.expansions += 1;
                self.corridor.widen(&self.coarse, all);
                tracer.tell(SearchEvent::Widen);
                self.tell_allowed(tracer);
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
                all = true;
            }
            self.corridor.begin_phase();
        }
    }

    /// Takes tiles out in the order of their distance until one is a target or none is left.
    fn drain<const EIGHT: bool>(&mut self, level: &mut u32, blocked: &mut Vec<(u32, u8)>) -> Option<usize> {
        let steps = self.steps();
        while (*level as usize) < self.buckets.len() {
            let Some(at) = self.buckets[*level as usize].pop() else {
                *level += 1;
                continue;
            };
            if self.dist[at as usize] != *level {
                continue;
            }
            if self.tiles[at as usize].flags & GOAL != 0 {
                return Some(at as usize);
            }
            self.corridor.visit(self.tiles[at as usize].node);
            let mut try_step = |step: usize| -> bool {
                let to = (at as usize).wrapping_add_signed(steps[step]);
                let node = self.tiles[to].node;
                if node == NONE {
                    return false;
                }
                if self.corridor.is_allowed(node) {
                    self.relax(to, step as u8, *level + 1);
                } else {
                    // Not once a tile but once a step: which of them is nearest is known only when the mask opens.
                    blocked.push((at, step as u8));
                }
                true
            };
            let open = [0, 1, 2, 3].map(&mut try_step);
            if EIGHT {
                for (i, &(one, two)) in BESIDE.iter().enumerate() {
                    if open[one] && open[two] {
                        try_step(4 + i);
                    }
                }
            }
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
        self.enqueue(to as u32, near);
        true
    }

    fn enqueue(&mut self, at: u32, dist: u32) {
        let dist = dist as usize;
        if self.buckets.len() <= dist {
            self.buckets.resize_with(dist + 1, Vec::new);
        }
        self.buckets[dist].push(at);
    }
}
