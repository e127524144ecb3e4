//! The document's optimal variant: distances, relaxation and a bucket queue, so that a widened corridor may shorten what was
//! already visited. The way is shortest in the region that is allowed in the end.
//!
//! Why: every bucket below the current one is empty, so a tile is taken out with the least distance it can have in the
//! region allowed at that time; a target taken out ends the search at once, and the region is then final.

use super::bfs::LAND;
use super::mask::MaskSearch;
use super::query::{Counts, Query};

impl MaskSearch {
    pub(super) fn optimal<const EIGHT: bool>(&mut self, query: &Query, counts: &mut Counts) -> Option<usize> {
        self.dist.resize(self.fine.cells.len(), 0);
        self.buckets.iter_mut().for_each(Vec::clear);
        self.fine.begin(query);
        for (i, &pos) in query.sources.iter().enumerate() {
            if self.corridor.is_allowed(self.coarse.node(pos)) {
                self.fine.seed(pos, i);
            }
        }
        for i in 0..self.fine.queue.len() {
            let at = self.fine.queue[i];
            self.dist[at as usize] = 0;
            self.enqueue(at, 0);
        }
        let mut blocked = Vec::new();
        let mut level = 0;
        loop {
            let found = self.drain::<EIGHT>(&mut level, &mut blocked);
            counts.visited = self.fine.queue.len() as u64;
            if found.is_some() {
                return found;
            }
            let mut all = false;
            let mut woken = false;
            while !woken {
                if counts.expansions >= self.tuning.most_expansions {
                    counts.fallback = true;
                    return None;
                }
                counts.expansions += 1;
                self.corridor.widen(&self.coarse, all);
                if self.corridor.fresh.is_empty() && all {
                    return None;
                }
                blocked.retain(|&(to, at): &(u32, u32)| {
                    let allowed = self.corridor.is_allowed(self.coarse.node_of[to as usize]);
                    if allowed {
                        // The tile it was seen from may have come nearer since.
                        let near = self.dist[at as usize] + 1;
                        woken |= self.relax(at as usize, to as usize, near);
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
    fn drain<const EIGHT: bool>(&mut self, level: &mut u32, blocked: &mut Vec<(u32, u32)>) -> Option<usize> {
        let stride = self.fine.stride;
        while (*level as usize) < self.buckets.len() {
            let Some(at) = self.buckets[*level as usize].pop() else {
                *level += 1;
                continue;
            };
            let at = at as usize;
            if self.dist[at] != *level {
                continue;
            }
            if self.fine.cells[at].goal == self.fine.stamp {
                return Some(at);
            }
            self.corridor.visit(self.coarse.node_of[at]);
            let mut step = |to: usize| -> bool {
                if self.fine.cells[to].seen == LAND {
                    return false;
                }
                if self.corridor.is_allowed(self.coarse.node_of[to]) {
                    self.relax(at, to, *level + 1);
                } else {
                    // Not once a tile but once a step: the nearest of them is known only when the mask opens.
                    blocked.push((to as u32, at as u32));
                }
                true
            };
            let (north, west) = (step(at - stride), step(at - 1));
            let (east, south) = (step(at + 1), step(at + stride));
            if EIGHT {
                if north && west {
                    step(at - stride - 1);
                }
                if north && east {
                    step(at - stride + 1);
                }
                if south && west {
                    step(at + stride - 1);
                }
                if south && east {
                    step(at + stride + 1);
                }
            }
        }
        None
    }

    /// Takes a nearer way to a tile; true if it is one.
    fn relax(&mut self, at: usize, to: usize, near: u32) -> bool {
        let start_of = self.fine.cells[at].start_of;
        let cell = &mut self.fine.cells[to];
        let fresh = cell.seen != self.fine.stamp;
        if fresh {
            self.fine.queue.push(to as u32);
        } else if self.dist[to] <= near {
            return false;
        }
        (cell.seen, cell.prev, cell.start_of) = (self.fine.stamp, at as u32, start_of);
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
