//! Cuts: cells of which every remedy takes one.

use super::RepairPart;
use super::terrain::{Task, Terrain, Way};
use std::collections::VecDeque;

/// The cost of what cannot be reached whatever is removed.
const UNREACHED: u32 = u32::MAX;

impl Terrain<'_> {
    /// The smallest cut of the first task that fails; `None` if none does. It is empty if nothing removable is in the way.
    pub(super) fn smallest_cut(&self) -> Option<Vec<usize>> {
        let failing = &self.tasks[self.find_failing(0..self.tasks.len())?];
        let mut cuts: Vec<Vec<usize>> = self.cuts(failing);
        cuts.push(self.whole_cut(failing));
        cuts.into_iter().min_by_key(Vec::len)
    }

    /// How many cuts share no cell: at least so many cells must go.
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
            cut.extend(self.cut_around(task, step - 1, &region));
            from = task.steps[step].iter().copied().filter(|&cell| region[cell]).collect();
        }
        cut.sort_unstable();
        cut.dedup();
        cut
    }

    /// The cuts of those legs of a task that fail, around the places before and around the places after.
    fn cuts(&self, task: &Task<'_>) -> Vec<Vec<usize>> {
        self.layers(task).into_iter().filter_map(|layers| layers.into_iter().next()).collect()
    }

    /// For every failing leg and both ways, the cuts at each number of removals: the cells that are paid for first there.
    /// No two of one leg and way share a cell, and every remedy takes one of each.
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
                for layer in &mut layers {
                    layer.sort_unstable();
                    layer.dedup();
                }
                // Nothing removable at all in the way: an empty cut, which no remedy hits.
                if layers.is_empty() {
                    layers.push(Vec::new());
                }
                all.push(layers);
            }
        }
        all
    }

    /// How many cells must be removed to come from `from` to each cell, or from each cell to `from`.
    fn costs(&self, task: &Task<'_>, progress: usize, from: &[usize], way: Way) -> Vec<u32> {
        let mut costs = vec![UNREACHED; self.removable.len()];
        let mut queue: VecDeque<(usize, u32)> = VecDeque::new();
        for &cell in from.iter().filter(|&&cell| self.open(task, progress, cell)) {
            costs[cell] = 0;
            queue.push_back((cell, 0));
        }
        while let Some((cell, paid)) = queue.pop_front() {
            if paid > costs[cell] {
                continue;
            }
            self.steps(task, progress, cell, way, |to, blocker| {
                let price = paid + u32::from(blocker.is_some());
                if price < costs[to] && blocker.is_none_or(|blocker| self.removable[blocker]) {
                    costs[to] = price;
                    match blocker {
                        None => queue.push_front((to, price)),
                        Some(_) => queue.push_back((to, price)),
                    }
                }
            });
        }
        costs
    }

    /// The removable cells that keep a region from growing.
    fn cut_around(&self, task: &Task<'_>, progress: usize, region: &[bool]) -> Vec<usize> {
        let mut cut = Vec::new();
        for cell in (0..region.len()).filter(|&cell| region[cell]) {
            self.steps(task, progress, cell, Way::Forward, |to, blocker| {
                cut.extend(blocker.filter(|&blocker| !region[to] && self.removable[blocker]));
            });
        }
        cut.sort_unstable();
        cut.dedup();
        cut
    }
}
