//! Incremental updates after tiles are opened or blocked.

use super::navigator::Navigator;
use wayforge_core::InputError;
use wayforge_core::grid::Pos;

impl Navigator {
    /// Opens (`true`) or blocks (`false`) tiles and returns the number of tiles that changed.
    ///
    /// If a tile occurs more than once, the last change wins.
    ///
    /// The edit updates bitboards, connected components and jump points around the changed tiles.
    /// It marks affected successor lists as stale; a query repairs them when it needs them.
    ///
    /// Landmark bounds stay admissible after tiles are blocked. Opened tiles become stale landmark
    /// regions. Queries then recompute landmarks in slices, or [`refresh`](Self::refresh) does so
    /// at once. Corridor methods reuse their coarse map after tiles are blocked and rebuild it
    /// after tiles are opened.
    ///
    /// # Errors
    /// A tile is outside the grid. Then the grid is unchanged.
    pub fn edit(&mut self, changes: &[(Pos, bool)]) -> Result<usize, InputError> {
        let size = self.grid.size();
        if let Some((i, (pos, _))) =
            changes.iter().enumerate().find(|(_, (pos, _))| !size.contains(*pos))
        {
            let problem = format!("outside the grid of {size}");
            return Err(InputError::new(
                format!("changes[{i}]"),
                pos,
                problem,
                "use a tile of the grid",
            ));
        }
        // Keeps the last change of each tile and drops changes without effect.
        let mut effective: Vec<(Pos, bool)> = changes.iter().rev().copied().collect();
        effective.sort_by_key(|change| change.0);
        effective.dedup_by_key(|change| change.0);
        effective.retain(|&(pos, open)| self.grid.is_open(pos) != open);
        for &(pos, open) in &effective {
            self.grid.set_open(pos, open);
            self.blocks.set_open(pos, open);
        }
        self.apply_changes(&effective);
        Ok(effective.len())
    }

    /// Recomputes stale landmarks and component labels now, for example between two game turns.
    ///
    /// Without this call, queries recompute landmarks in slices. Exact paths stay exact meanwhile.
    pub fn refresh(&mut self) {
        if self.components.is_stale() {
            self.components.relabel(&self.blocks);
        }
        if let Some(jps) = &mut self.jps {
            jps.refresh(&self.blocks, &self.components);
        }
    }

    /// Updates all searches after the tiles of `changes` have changed in the grid and its blocks.
    fn apply_changes(&mut self, changes: &[(Pos, bool)]) {
        let mut edited: Vec<usize> =
            changes.iter().map(|change| self.blocks.locate(change.0).0).collect();
        edited.sort_unstable();
        edited.dedup();
        let stride = self.blocks.stride;
        for &block in &edited {
            for row in [block - stride, block, block + stride] {
                (row - 1..=row + 1).for_each(|block| self.blocks.update_diagonals(block));
            }
        }
        let any_blocked = changes.iter().any(|change| !change.1);
        let any_opened = changes.iter().any(|change| change.1);
        self.components.update(&self.blocks, &edited, any_blocked);
        if let Some(bidirectional) = &mut self.bidirectional {
            bidirectional.update_blocks(&self.blocks, &edited);
        }
        for mask in &mut self.masks {
            match mask {
                Some(search) if !any_opened => {
                    changes.iter().for_each(|change| search.block(change.0))
                }
                _ => *mask = None,
            }
        }
        for &(pos, open) in changes {
            self.bfs.iter_mut().for_each(|bfs| bfs.set_open(pos, open));
            self.depth.iter_mut().for_each(|depth| depth.update_tile(&self.grid, pos));
        }
        if let Some(jps) = &mut self.jps {
            jps.edit(&self.blocks, changes);
        }
        self.last = None;
    }
}
