//! The tiles that the corridor's mask has blocked, and how they are found again when it widens.

use super::mask::MaskSearch;

/// How blocked tiles are found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frontier {
    /// They are not: the search starts over.
    Forget,
    /// From one list (F1).
    One,
    /// From a list per node (F2).
    PerNode,
}

/// No entry of a list.
pub(super) const END: u32 = u32::MAX;

impl MaskSearch {
    /// Notes a tile that the mask blocks, seen from another.
    pub(super) fn put_off(&mut self, at: usize, to: usize, node: u32, frontier: Frontier) {
        let mut next = END;
        if frontier == Frontier::PerNode {
            next = self.first_blocked[node as usize];
            if next == END {
                self.waiting.push(node);
            }
            self.first_blocked[node as usize] = self.blocked.len() as u32;
        }
        self.blocked.push((to as u32, at as u32, next));
    }

    /// Enqueues the blocked tiles that are now allowed.
    pub(super) fn activate(&mut self, frontier: Frontier) {
        if frontier == Frontier::One {
            for i in 0..self.blocked.len() {
                let (to, at, _) = self.blocked[i];
                if self.corridor.is_allowed(self.tiles[to as usize].node) {
                    self.enter(at, to);
                }
            }
            return;
        }
        for i in 0..self.corridor.fresh.len() {
            let node = self.corridor.fresh[i] as usize;
            let mut entry = std::mem::replace(&mut self.first_blocked[node], END);
            while entry != END {
                let (to, at, next) = self.blocked[entry as usize];
                self.enter(at, to);
                entry = next;
            }
        }
    }

    /// Visits a tile that had been put off.
    fn enter(&mut self, at: u32, to: u32) {
        let steps = self.steps();
        let step = steps.iter().position(|step| (at as usize).wrapping_add_signed(*step) == to as usize);
        let tile = &mut self.tiles[to as usize];
        if tile.seen != self.stamp {
            (tile.seen, tile.step) = (self.stamp, step.unwrap_or(0) as u8);
            self.queue.push(to);
        }
    }
}
