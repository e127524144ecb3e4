//! Jump points by bit scanning, and the graph that they form.
//!
//! Among the many shortest ways over open water most differ only in the order of their steps. One order is enough: with
//! eight neighbours all diagonal steps before the straight ones, with four neighbours all vertical steps before the
//! horizontal ones, as long as nothing is in the way. Then a way turns only where it leaves the edge of some land behind: at
//! *jump points*. From a jump point the next ones are found by runs along rows and columns, and a run over 64 tiles is one
//! word ([`lines`]). `docs/ways.md` has the argument that nothing is lost.
//!
//! Lists of what a jump point leads to are kept once they were worked out ([`graph`]), and put right after an edit that touches
//! them. Landmarks ([`landmarks`]) tell the search which way is wrong.

mod bound;
mod buckets;
mod cone;
mod graph;
mod landmarks;
mod lines;
mod plane;
mod recount;
mod repair;
mod search;
mod shortcut;
mod weights;

use super::blocks::Blocks;
use super::ends::Ends;
use super::pieces::Pieces;
use super::query::{Counts, Guarantee, Metric, Moves, Query, Way};
use super::straighten::{Direct, Run};
use super::water::Water;
use bound::Bound;
use graph::{Graph, Spots};
use lines::Lines;
use recount::{MOVES, Marks};
use repair::{MAX_CLUSTERS, Touch, clusters};
use search::{Search, Task};
use shortcut::{UNBOUNDED, most_shortened};
use wayforge_core::grid::{BitGrid, Pos};
use weights::Weights;

/// Jump points of a grid: found as they are met, or all in advance.
#[derive(Clone, Debug)]
pub(super) struct Jumps {
    lines: Lines,
    spots: Spots,
    /// With four and with eight neighbours.
    graphs: [Graph; 2],
    marks: Marks,
    search: Search,
    /// Whether jump points are too many to be worth it, once that was asked.
    many: Option<bool>,
}

impl Jumps {
    pub(super) fn new(water: &Water) -> Jumps {
        Jumps {
            lines: Lines::new(water),
            spots: Spots::new(water.size()),
            graphs: MOVES.map(Graph::new),
            marks: Marks::default(),
            search: Search::default(),
            many: None,
        }
    }

    /// Works out every list and counts the landmarks for one kind of query, unless that was done.
    pub(super) fn prepare(&mut self, blocks: &Blocks, pieces: &Pieces, moves: Moves, metric: Metric) {
        self.graphs[moves as usize].fill(&self.lines, &mut self.spots);
        for moves in wanted_landmarks(moves, metric).into_iter().flatten() {
            self.marks.prepare(moves, blocks, pieces, &self.spots);
        }
    }

    /// True if some landmarks for this kind of query have not been counted.
    pub(super) fn lacks_landmarks(&self, moves: Moves, metric: Metric) -> bool {
        let wanted = wanted_landmarks(moves, metric);
        wanted.into_iter().flatten().any(|moves| self.marks.of[moves as usize].is_none())
    }

    /// True if there are more jump points than a search can gain by jumping.
    pub(super) fn are_many(&mut self, water: &Water) -> bool {
        *self.many.get_or_insert_with(|| 8 * self.lines.count_jumps() > water.tiles())
    }

    /// Answers a checked query; false if there is no way.
    pub(super) fn find_into(
        &mut self,
        blocks: &Blocks,
        pieces: &Pieces,
        (query, ends): (&Query, &Ends),
        way: &mut Way,
    ) -> bool {
        let weights = Weights::new(query.moves, query.metric);
        let marks =
            wanted_landmarks(query.moves, query.metric).map(|moves| self.marks.of[moves? as usize].as_ref());
        let bound = Bound::new(weights, &ends.targets, blocks, marks, &self.marks.doubts);
        let task = Task { lines: &self.lines, query, ends, bound, weights };
        let found = self.search.run(&task, &mut self.spots, &mut self.graphs[query.moves as usize]);
        way.counts = Counts { visited: self.search.reached.len() as u64, ..Counts::default() };
        self.marks.pay(way.counts.visited, blocks, pieces, &self.spots);
        if !found {
            return false;
        }
        // Only the tiles where the path turns: the straightener adds those between.
        way.tiles.clear();
        way.tiles.extend(self.search.corners.last());
        for leg in self.search.corners.windows(2).rev() {
            // Diagonal or vertical steps come first, as in the cones.
            way.tiles.extend([Direct::new(leg[1], leg[0], query.moves).turns[0], leg[0]]);
        }
        way.guarantee = Guarantee::Exact;
        true
    }

    /// True if every tile of a straight run is open.
    #[inline]
    pub(super) fn is_clear(&self, run: &Run) -> bool {
        self.lines.clear(run.from, run.end())
    }

    /// Takes over tiles that turned to water or to land, each once and in order.
    pub(super) fn edit(&mut self, blocks: &Blocks, changes: &[(Pos, bool)]) {
        for &(pos, open) in changes {
            self.lines.set(pos, open);
        }
        for &(pos, _) in changes {
            self.lines.renew(pos);
        }
        let rects = clusters(changes.iter().map(|change| change.0));
        if rects.len() > MAX_CLUSTERS {
            self.graphs.iter_mut().for_each(Graph::forget_all);
        } else {
            for &rect in &rects {
                let touch = Touch::new(&self.lines, rect);
                self.graphs.iter_mut().for_each(|graph| graph.note(&self.spots, touch.clone()));
            }
        }
        self.doubt(blocks, changes);
    }

    /// Notes where landmarks know too little of new water, from changes in order.
    fn doubt(&mut self, blocks: &Blocks, changes: &[(Pos, bool)]) {
        if self.marks.of.iter().all(Option::is_none) {
            return;
        }
        let is_new =
            |pos: Pos| changes.binary_search_by_key(&pos, |change| change.0).is_ok_and(|at| changes[at].1);
        let rects = clusters(changes.iter().filter(|change| change.1).map(|change| change.0));
        for (i, rect) in rects.iter().enumerate() {
            // Places near each other may shorten ways together.
            let alone = rects.iter().enumerate().all(|(j, other)| i == j || !rect.is_within(64, *other));
            let less = MOVES.map(|moves| match alone {
                true => most_shortened(&self.lines, *rect, moves, is_new),
                false => UNBOUNDED,
            });
            self.marks.doubt(*rect, less, blocks);
        }
    }

    /// Counts landmarks anew that added water has made doubtful.
    pub(super) fn refresh(&mut self, blocks: &Blocks, pieces: &Pieces) {
        self.marks.refresh(blocks, pieces, &self.spots);
    }

    /// The jump points that the last query reached.
    pub(super) fn mark(&self, onto: &mut BitGrid) {
        self.search.mark(&self.spots, onto);
    }

    /// Bytes of lists and landmarks.
    pub(super) fn bytes(&self) -> usize {
        self.graphs.iter().map(Graph::bytes).sum::<usize>() + self.marks.bytes()
    }
}

/// The moves of the landmarks that serve a kind of query: its own, and for octile lengths four neighbours as well.
fn wanted_landmarks(moves: Moves, metric: Metric) -> [Option<Moves>; 2] {
    [Some(moves), (moves == Moves::Eight && metric == Metric::Octile).then_some(Moves::Four)]
}
