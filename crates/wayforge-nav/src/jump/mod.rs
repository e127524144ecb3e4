//! Jump point search (Harabor & Grastien 2011) with block-based scanning (Harabor & Grastien 2014)
//! and ALT landmarks.
//!
//! Most shortest paths over open tiles differ only in the order of their steps, and one canonical
//! order is enough. With eight neighbours, diagonal steps come before straight ones; with four,
//! vertical steps come before horizontal ones. Such a path turns only at *jump points*, where it
//! passes the corner of a blocked tile. Scans along rows and columns find the next jump points, 64
//! tiles per word ([`scan_lines`]). `docs/pathfinding.md` proves that some shortest path remains.
//!
//! The successors of a jump point are cached ([`graph`]) and repaired after edits ([`invalidate`]).
//! Landmarks ([`landmarks`]; Goldberg & Harrelson 2005) guide the A* search ([`astar`]).

mod astar;
mod bucket_queue;
mod cone;
mod costs;
mod graph;
mod heuristic;
mod invalidate;
mod landmark_refresh;
mod landmarks;
mod line_bitmap;
mod scan_lines;
mod shortcut;

use super::blocks::Blocks;
use super::components::Components;
use super::ends::Ends;
use super::nav_grid::NavGrid;
use super::query::{Connectivity, Guarantee, Metric, Path, Query, SearchStats};
use super::straighten::{Direct, Run};
use astar::{AStar, SearchContext};
use costs::Costs;
use graph::{Graph, JumpPoints};
use heuristic::Heuristic;
use invalidate::{EditFootprint, MAX_EDIT_CLUSTERS, cluster_edits};
use landmark_refresh::{CONNECTIVITIES, LandmarkSets};
use scan_lines::ScanLines;
use shortcut::{UNBOUNDED, max_shortening};
use wayforge_core::Work;
use wayforge_core::grid::{BitGrid, Pos};

/// Jump point search on one grid; jump points are found on demand or in advance.
#[derive(Clone, Debug)]
pub(super) struct JumpPointSearch {
    lines: ScanLines,
    points: JumpPoints,
    /// Graphs for four and for eight neighbours.
    graphs: [Graph; 2],
    landmarks: LandmarkSets,
    astar: AStar,
    /// Whether jump points are so dense that BFS is faster; computed on demand.
    dense: Option<bool>,
}

impl JumpPointSearch {
    pub(super) fn new(grid: &NavGrid) -> JumpPointSearch {
        JumpPointSearch {
            lines: ScanLines::new(grid),
            points: JumpPoints::new(grid.size()),
            graphs: CONNECTIVITIES.map(Graph::new),
            landmarks: LandmarkSets::default(),
            astar: AStar::default(),
            dense: None,
        }
    }

    /// Builds the graph and the landmarks for a connectivity and metric, unless they exist. Stops
    /// early if the work limit is reached.
    pub(super) fn preprocess(
        &mut self,
        blocks: &Blocks,
        components: &Components,
        (connectivity, metric): (Connectivity, Metric),
        work: &Work,
    ) {
        if !self.graphs[connectivity as usize].fill(&self.lines, &mut self.points, work) {
            return;
        }
        for connectivity in landmark_connectivities(connectivity, metric).into_iter().flatten() {
            self.landmarks.preprocess(connectivity, blocks, components, &self.points, work);
        }
    }

    /// Returns true if landmarks for this connectivity and metric are missing.
    pub(super) fn lacks_landmarks(&self, connectivity: Connectivity, metric: Metric) -> bool {
        landmark_connectivities(connectivity, metric)
            .into_iter()
            .flatten()
            .any(|connectivity| self.landmarks.by_connectivity[connectivity as usize].is_none())
    }

    /// Returns true if jump points are so dense that bit-parallel BFS is faster.
    pub(super) fn has_dense_jump_points(&mut self, grid: &NavGrid) -> bool {
        *self
            .dense
            .get_or_insert_with(|| 8 * self.lines.count_row_jump_points() > grid.open_count())
    }

    /// Runs a validated query; returns false if no path exists or the work limit is reached.
    pub(super) fn find_into(
        &mut self,
        blocks: &Blocks,
        components: &Components,
        (query, ends): (&Query, &Ends),
        path: &mut Path,
        work: &Work,
    ) -> bool {
        let costs = Costs::new(query.connectivity, query.metric);
        let landmarks = landmark_connectivities(query.connectivity, query.metric)
            .map(|connectivity| self.landmarks.by_connectivity[connectivity? as usize].as_ref());
        let heuristic =
            Heuristic::new(costs, &ends.targets, blocks, landmarks, &self.landmarks.stale_regions);
        let context = SearchContext { lines: &self.lines, query, ends, heuristic, costs };
        let found = self.astar.run(
            &context,
            &mut self.points,
            &mut self.graphs[query.connectivity as usize],
            work,
        );
        path.stats =
            SearchStats { visited: self.astar.reached.len() as u64, ..SearchStats::default() };
        self.landmarks.advance_after_query(path.stats.visited, blocks, components, &self.points);
        if !found {
            return false;
        }
        // Stores only the tiles where the path turns; straightening inserts the others.
        path.tiles.clear();
        path.tiles.extend(self.astar.corners.last());
        for leg in self.astar.corners.windows(2).rev() {
            // Major steps (diagonal or vertical) come first, as in `scan_cone`.
            path.tiles.extend([Direct::new(leg[1], leg[0], query.connectivity).turns[0], leg[0]]);
        }
        path.guarantee = Guarantee::Exact;
        true
    }

    /// Returns true if every tile of a straight run is open.
    #[inline]
    pub(super) fn is_clear(&self, run: &Run) -> bool {
        self.lines.is_clear(run.from, run.end())
    }

    /// Updates all data after an edit; `changes` contains each changed tile once, sorted by tile.
    pub(super) fn edit(&mut self, blocks: &Blocks, changes: &[(Pos, bool)]) {
        for &(pos, open) in changes {
            self.lines.set_open(pos, open);
        }
        for &(pos, _) in changes {
            self.lines.update_stops_around(pos);
        }
        let rects = cluster_edits(changes.iter().map(|change| change.0));
        if rects.len() > MAX_EDIT_CLUSTERS {
            self.graphs.iter_mut().for_each(Graph::clear);
        } else {
            for &rect in &rects {
                let edit = EditFootprint::new(&self.lines, rect);
                self.graphs
                    .iter_mut()
                    .for_each(|graph| graph.mark_stale(&self.points, edit.clone()));
            }
        }
        self.mark_stale_regions(blocks, changes);
    }

    /// Records opened tiles as stale landmark regions; `changes` is sorted by tile.
    fn mark_stale_regions(&mut self, blocks: &Blocks, changes: &[(Pos, bool)]) {
        if self.landmarks.by_connectivity.iter().all(Option::is_none) {
            return;
        }
        let is_new = |pos: Pos| {
            changes
                .binary_search_by_key(&pos, |change| change.0)
                .is_ok_and(|index| changes[index].1)
        };
        let rects = cluster_edits(changes.iter().filter(|change| change.1).map(|change| change.0));
        for (i, rect) in rects.iter().enumerate() {
            // Nearby regions may shorten a path together.
            let is_isolated =
                rects.iter().enumerate().all(|(j, other)| i == j || !rect.is_within(64, *other));
            let shortening = CONNECTIVITIES.map(|connectivity| {
                if is_isolated {
                    max_shortening(&self.lines, *rect, connectivity, is_new)
                } else {
                    UNBOUNDED
                }
            });
            self.landmarks.add_stale_region(*rect, shortening, blocks);
        }
    }

    /// Recomputes stale landmarks now.
    pub(super) fn refresh(&mut self, blocks: &Blocks, components: &Components) {
        self.landmarks.refresh(blocks, components, &self.points);
    }

    /// Adds the jump points reached by the last query to `set`.
    pub(super) fn add_visited(&self, set: &mut BitGrid) {
        self.astar.add_visited(&self.points, set);
    }

    /// Returns the memory of successor lists and landmarks in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.graphs.iter().map(Graph::bytes).sum::<usize>() + self.landmarks.bytes()
    }
}

/// Returns the connectivities of the landmarks that a query uses: its own, and for octile distances
/// also four neighbours.
fn landmark_connectivities(
    connectivity: Connectivity,
    metric: Metric,
) -> [Option<Connectivity>; 2] {
    [
        Some(connectivity),
        (connectivity == Connectivity::Eight && metric == Metric::Octile)
            .then_some(Connectivity::Four),
    ]
}
