//! Which sources and targets of a query can be joined at all: those that share a sea.

use super::blocks::Blocks;
use super::pieces::Pieces;
use super::query::Query;
use wayforge_core::grid::Pos;

/// The ends of one query that lie in a sea with both sources and targets. The others would only mislead a search: what bounds
/// the way to a target proves little for a target that nothing leads to.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// Sources, as their places in the query.
    pub(super) sources: Vec<u32>,
    pub(super) targets: Vec<Pos>,
    /// The seas of the targets, then those that sources share, in order.
    seas: Vec<u32>,
    shared: Vec<u32>,
}

impl Ends {
    /// Takes over a query; false if no source lies in the sea of a target.
    pub(super) fn join(&mut self, blocks: &Blocks, pieces: &Pieces, query: &Query) -> bool {
        let sea = |pos: Pos| pieces.sea(pieces.of(blocks, pos));
        let Ends { sources, targets, seas, shared } = self;
        [&mut *sources, seas, shared].into_iter().for_each(Vec::clear);
        targets.clear();
        for &target in &query.targets {
            insert(seas, sea(target));
        }
        for (i, &source) in query.sources.iter().enumerate() {
            let sea = sea(source);
            if seas.binary_search(&sea).is_ok() {
                sources.push(i as u32);
                insert(shared, sea);
            }
        }
        // Mostly there is one sea, and every target lies in it.
        match shared.len() == seas.len() {
            true => targets.extend_from_slice(&query.targets),
            false => {
                targets.extend(query.targets.iter().filter(|&&pos| shared.binary_search(&sea(pos)).is_ok()))
            }
        }
        !sources.is_empty()
    }
}

/// Adds a number to an ordered list, unless it stands there.
fn insert(list: &mut Vec<u32>, number: u32) {
    if let Err(at) = list.binary_search(&number) {
        list.insert(at, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Water;

    #[test]
    fn only_ends_in_seas_that_hold_both_kinds_are_left() {
        // Three seas: columns 0 and 1, column 3, columns 5 and 6.
        let water = Water::from_text("..#.#..\n..#.#..").unwrap();
        let blocks = Blocks::new(&water);
        let pieces = Pieces::new(&blocks);
        let tiles = |columns: &[u16]| columns.iter().map(|&x| Pos::new(x, 0)).collect::<Vec<Pos>>();
        let mut ends = Ends::default();
        let mut join = |sources: &[u16], targets: &[u16]| {
            let joined = ends.join(&blocks, &pieces, &Query::new(tiles(sources), tiles(targets)));
            (joined, ends.sources.clone(), ends.targets.clone())
        };
        assert_eq!(join(&[0, 3, 1], &[6, 0, 1]), (true, vec![0, 2], tiles(&[0, 1])));
        assert_eq!(join(&[6, 3, 0], &[1, 3, 5]), (true, vec![0, 1, 2], tiles(&[1, 3, 5])));
        assert!(!join(&[0, 1], &[3, 6]).0);
        // Nothing of an earlier query stays behind.
        assert_eq!(join(&[5], &[3, 6, 0]), (true, vec![0], tiles(&[6])));
    }

    #[test]
    fn numbers_are_inserted_once_and_in_order() {
        let mut list = Vec::new();
        [5, 1, 9, 5, 1, 3].into_iter().for_each(|number| insert(&mut list, number));
        assert_eq!(list, [1, 3, 5, 9]);
    }
}
