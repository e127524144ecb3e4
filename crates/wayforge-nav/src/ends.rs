//! Sources and targets of a query that share a connected component.

use super::blocks::Blocks;
use super::components::Components;
use super::query::Query;
use wayforge_core::grid::Pos;

/// Sources and targets whose connected component contains at least one of each.
///
/// Other ends cannot be part of a path, and unreachable targets would weaken the A* bounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// Indices into the sources of the query.
    pub(super) sources: Vec<u32>,
    pub(super) targets: Vec<Pos>,
    /// Sorted component roots of the targets.
    target_roots: Vec<u32>,
    /// Sorted component roots that contain both sources and targets.
    shared_roots: Vec<u32>,
}

impl Ends {
    /// Selects the ends of a query; returns false if no source shares a component with a target.
    pub(super) fn select(
        &mut self,
        blocks: &Blocks,
        components: &Components,
        query: &Query,
    ) -> bool {
        let root = |pos: Pos| components.root(components.component_at(blocks, pos));
        let Ends { sources, targets, target_roots, shared_roots } = self;
        [&mut *sources, target_roots, shared_roots].into_iter().for_each(Vec::clear);
        targets.clear();
        for &target in &query.targets {
            insert_sorted(target_roots, root(target));
        }
        for (i, &source) in query.sources.iter().enumerate() {
            let root = root(source);
            if target_roots.binary_search(&root).is_ok() {
                sources.push(i as u32);
                insert_sorted(shared_roots, root);
            }
        }
        // Usually the component of every target contains a source.
        if shared_roots.len() == target_roots.len() {
            targets.extend_from_slice(&query.targets);
        } else {
            targets.extend(
                query.targets.iter().filter(|&&pos| shared_roots.binary_search(&root(pos)).is_ok()),
            );
        }
        !sources.is_empty()
    }
}

/// Inserts a number into a sorted list, unless it is present.
fn insert_sorted(list: &mut Vec<u32>, number: u32) {
    if let Err(index) = list.binary_search(&number) {
        list.insert(index, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NavGrid;

    #[test]
    fn selects_ends_in_components_with_sources_and_targets() {
        // Three components: columns 0 and 1, column 3, columns 5 and 6.
        let grid = NavGrid::from_text("..#.#..\n..#.#..").unwrap();
        let blocks = Blocks::new(&grid);
        let components = Components::new(&blocks);
        let tiles = |columns: &[u16]| columns.iter().map(|&x| Pos::new(x, 0)).collect::<Vec<Pos>>();
        let mut ends = Ends::default();
        let mut select = |sources: &[u16], targets: &[u16]| {
            let connected =
                ends.select(&blocks, &components, &Query::new(tiles(sources), tiles(targets)));
            (connected, ends.sources.clone(), ends.targets.clone())
        };
        assert_eq!(select(&[0, 3, 1], &[6, 0, 1]), (true, vec![0, 2], tiles(&[0, 1])));
        assert_eq!(select(&[6, 3, 0], &[1, 3, 5]), (true, vec![0, 1, 2], tiles(&[1, 3, 5])));
        assert!(!select(&[0, 1], &[3, 6]).0);
        // The state of earlier queries is cleared.
        assert_eq!(select(&[5], &[3, 6, 0]), (true, vec![0], tiles(&[6])));
    }

    #[test]
    fn insert_sorted_keeps_order_and_skips_duplicates() {
        let mut list = Vec::new();
        [5, 1, 9, 5, 1, 3].into_iter().for_each(|number| insert_sorted(&mut list, number));
        assert_eq!(list, [1, 3, 5, 9]);
    }
}
