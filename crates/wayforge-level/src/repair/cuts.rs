//! Cuts: sets of cells of which every remedy removes one.

use super::terrain::{Task, Terrain, ZeroOneBfs};
use super::{RepairPart, sorted_set};
use crate::flood::Way;

/// The cost of cells that no removal makes reachable.
const UNREACHED: u32 = u32::MAX;

impl Terrain<'_> {
    /// The smallest known cut of the first task that fails; `None` if none fails. Empty if nothing removable is in the way.
    pub(super) fn smallest_cut(&self) -> Option<Vec<usize>> {
        let failing = self.find_failing()?;
        let first = self.layers(failing).into_iter().filter_map(|layers| layers.into_iter().next());
        first.chain([self.whole_cut(failing)]).min_by_key(Vec::len)
    }

    /// A number of disjoint cuts, chosen greedily by size: a lower bound on the cells to remove.
    pub(super) fn disjoint_cuts(&self) -> usize {
        let failing = self.tasks.iter().filter(|task| !self.holds(task));
        let depth = if self.uses(RepairPart::CutLayers) { usize::MAX } else { 1 };
        let layers = failing.flat_map(|task| self.layers(task));
        let mut cuts: Vec<Vec<usize>> = layers.flat_map(|layers| layers.into_iter().take(depth)).collect();
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

    /// The cut around everything that the task's start can reach at any progress.
    fn whole_cut(&self, task: &Task<'_>) -> Vec<usize> {
        let mut from = task.steps[0].clone();
        let mut cut = Vec::new();
        for step in 1..task.steps.len() {
            let region = self.region(task, step - 1, &from);
            for cell in (0..region.len()).filter(|&cell| region[cell]) {
                self.steps(task, step - 1, cell, Way::Forward, |to, blocker| {
                    cut.extend(blocker.filter(|&blocker| !region[to] && self.removable[blocker]));
                });
            }
            from = task.steps[step].iter().copied().filter(|&cell| region[cell]).collect();
        }
        sorted_set(cut)
    }

    /// For every failing leg in both directions, the cuts at each number of removals: the cells that raise the cost to it.
    /// Those of one leg and direction are disjoint.
    fn layers(&self, task: &Task<'_>) -> Vec<Vec<Vec<usize>>> {
        let mut all = Vec::new();
        for leg in 0..task.steps.len() - 1 {
            for (way, from, to) in [(Way::Forward, leg, leg + 1), (Way::Backward, leg + 1, leg)] {
                let costs = self.costs(task, leg, &task.steps[from], way);
                let price = task.steps[to].iter().map(|&cell| costs[cell]).min().unwrap_or(UNREACHED);
                if price == 0 {
                    continue;
                }
                let mut layers: Vec<Vec<usize>> = Vec::new();
                for cell in (0..costs.len()).filter(|&cell| costs[cell] < price) {
                    self.steps(task, leg, cell, way, |to, blocker| {
                        let Some(blocker) = blocker.filter(|&blocker| self.removable[blocker]) else {
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
                // Nothing removable is in the way: an empty cut, which no remedy hits.
                if layers.is_empty() {
                    layers.push(Vec::new());
                }
                all.push(layers);
            }
        }
        all
    }

    /// The fewest removals on a path from `from` to each cell, or backward from each cell to `from`.
    fn costs(&self, task: &Task<'_>, progress: usize, from: &[usize], way: Way) -> Vec<u32> {
        let starts = from.iter().copied().filter(|&cell| self.open(task, progress, cell));
        let mut search = ZeroOneBfs::new(self.removable.len(), starts);
        while let Some(cell) = search.pop() {
            self.steps(task, progress, cell, way, |to, blocker| {
                if blocker.is_none_or(|blocker| self.removable[blocker]) {
                    search.reach(to, blocker.is_some().into());
                }
            });
        }
        search.cost
    }
}
