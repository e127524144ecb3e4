//! Node cuts: every repair removes at least one cell of each cut.
//!
//! Disjoint cuts bound the size of a repair from below, as in Menger's theorem (1927). The cuts of
//! a leg are the distance layers of a 0-1 BFS (Dijkstra 1959, with a deque) that counts removals.

use super::sorted_set;
use super::task_search::{RepairProblem, Task, ZeroOneBfs};
use crate::bit_flood::Direction;

/// Cost of cells that no removal makes reachable.
const UNREACHED: u32 = u32::MAX;

impl RepairProblem<'_> {
    /// Returns a small cut of the first failing task; `None` if no task fails. The cut is empty if
    /// the task has no route through removable cells.
    pub(super) fn smallest_cut(&self) -> Option<Vec<usize>> {
        let failing = self.find_failing()?;
        let first = self.layers(failing).into_iter().filter_map(|layers| layers.into_iter().next());
        first.chain([self.frontier_cut(failing)]).min_by_key(Vec::len)
    }

    /// Returns the number of disjoint cuts, chosen greedily by size: a lower bound on the size of
    /// any repair.
    pub(super) fn disjoint_cuts(&self) -> usize {
        let failing = self.tasks.iter().filter(|task| !self.is_satisfied(task));
        let layers = failing.flat_map(|task| self.layers(task));
        let mut cuts: Vec<Vec<usize>> = layers.flatten().collect();
        cuts.sort_by_key(Vec::len);
        let mut used = vec![false; self.removable.len()];
        let mut count = 0;
        for cut in cuts {
            if cut.iter().all(|&cell| !used[cell]) {
                cut.iter().for_each(|&cell| used[cell] = true);
                count += 1;
            }
        }
        count
    }

    /// Returns the cut around all cells that the start can reach at any progress.
    fn frontier_cut(&self, task: &Task<'_>) -> Vec<usize> {
        let mut from = task.steps[0].clone();
        let mut cut = Vec::new();
        for step in 1..task.steps.len() {
            let region = self.region(task, step - 1, &from);
            for cell in (0..region.len()).filter(|&cell| region[cell]) {
                self.steps(task, step - 1, cell, Direction::Forward, |to, blocker| {
                    cut.extend(blocker.filter(|&blocker| !region[to] && self.removable[blocker]));
                });
            }
            from = task.steps[step].iter().copied().filter(|&cell| region[cell]).collect();
        }
        sorted_set(cut)
    }

    /// Returns the cuts of every failing leg in both directions. Cut `n` contains the cells whose
    /// removal leads from cost `n` to cost `n + 1`. The cuts of one leg and direction are disjoint.
    fn layers(&self, task: &Task<'_>) -> Vec<Vec<Vec<usize>>> {
        let mut all = Vec::new();
        for leg in 0..task.steps.len() - 1 {
            for (direction, from, to) in
                [(Direction::Forward, leg, leg + 1), (Direction::Backward, leg + 1, leg)]
            {
                let costs = self.costs(task, leg, &task.steps[from], direction);
                let price =
                    task.steps[to].iter().map(|&cell| costs[cell]).min().unwrap_or(UNREACHED);
                if price == 0 {
                    continue;
                }
                let mut layers: Vec<Vec<usize>> = Vec::new();
                for cell in (0..costs.len()).filter(|&cell| costs[cell] < price) {
                    self.steps(task, leg, cell, direction, |to, blocker| {
                        let Some(blocker) = blocker.filter(|&blocker| self.removable[blocker])
                        else {
                            return;
                        };
                        let layer = costs[cell] as usize;
                        if costs[to] == costs[cell] + 1 {
                            layers.resize_with(layers.len().max(layer + 1), Vec::new);
                            layers[layer].push(blocker);
                        }
                    });
                }
                let mut layers: Vec<Vec<usize>> = layers.into_iter().map(sorted_set).collect();
                // No removal connects the ends: an empty cut, which no repair can hit.
                if layers.is_empty() {
                    layers.push(Vec::new());
                }
                all.push(layers);
            }
        }
        all
    }

    /// Returns the minimum number of removals on a path from `from` to each cell, or from each cell
    /// to `from`.
    fn costs(
        &self,
        task: &Task<'_>,
        progress: usize,
        from: &[usize],
        direction: Direction,
    ) -> Vec<u32> {
        let starts = from.iter().copied().filter(|&cell| self.is_open(task, progress, cell));
        let mut search = ZeroOneBfs::new(self.removable.len(), starts);
        if !self.spend(1) {
            return search.cost;
        }
        while let Some(cell) = search.pop() {
            self.steps(task, progress, cell, direction, |to, blocker| {
                if blocker.is_none_or(|blocker| self.removable[blocker]) {
                    search.relax(to, blocker.is_some().into());
                }
            });
        }
        search.cost
    }
}
