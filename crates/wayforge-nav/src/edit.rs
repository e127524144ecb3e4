//! Tiles that change: what is known of a grid is repaired, not made anew.

use super::navigator::Navigator;
use wayforge_core::InputError;
use wayforge_core::grid::Pos;

impl Navigator {
    /// Turns tiles into water (`true`) or land (`false`) and repairs what that touches; says how many really changed.
    ///
    /// Blocks, seas and jump points are repaired where the edit can be felt; lists that it touches are marked, and put right when
    /// a query asks for them. Landmarks stay: added land keeps their bounds true, and where water was added they are doubted; when
    /// doubts pile up, queries count them anew bit by bit, or [`refresh`](Self::refresh) does at once. The coarse
    /// maps of corridor methods forgive land and are made anew after water.
    pub fn edit(&mut self, changes: &[(Pos, bool)]) -> Result<usize, InputError> {
        let size = self.water.size();
        if let Some((i, (pos, _))) = changes.iter().enumerate().find(|(_, (pos, _))| !size.contains(*pos)) {
            let problem = format!("lies beyond the grid of {size}");
            return Err(InputError::new(format!("changes[{i}]"), pos, problem, "name a tile of the grid"));
        }
        // The last word on a tile counts; what is so already does not.
        let mut real: Vec<(Pos, bool)> = changes.iter().rev().copied().collect();
        real.sort_by_key(|change| change.0);
        real.dedup_by_key(|change| change.0);
        real.retain(|&(pos, open)| self.water.is_open(pos) != open);
        for &(pos, open) in &real {
            self.water.set(pos, open);
            self.blocks.set(pos, open);
        }
        self.repair(&real);
        Ok(real.len())
    }

    /// Counts landmarks anew that added water has made doubtful: for a quiet moment between turns. Without it queries do so
    /// bit by bit; answers are the same either way.
    pub fn refresh(&mut self) {
        if self.pieces.is_stale() {
            self.pieces.label(&self.blocks);
        }
        if let Some(jumps) = &mut self.jumps {
            jumps.refresh(&self.blocks, &self.pieces);
        }
    }

    fn repair(&mut self, changes: &[(Pos, bool)]) {
        let mut edited: Vec<usize> = changes.iter().map(|change| self.blocks.place(change.0).0).collect();
        edited.sort_unstable();
        edited.dedup();
        let wide = self.blocks.wide;
        for &block in &edited {
            for row in [block - wide, block, block + wide] {
                (row - 1..=row + 1).for_each(|block| self.blocks.renew(block));
            }
        }
        let dried = changes.iter().any(|change| !change.1);
        let wetted = changes.iter().any(|change| change.1);
        self.pieces.renew(&self.blocks, &edited, dried);
        if let Some(waves) = &mut self.waves {
            waves.renew(&self.blocks, &edited);
        }
        for mask in &mut self.masks {
            match mask {
                Some(search) if !wetted => changes.iter().for_each(|change| search.dry(change.0)),
                _ => *mask = None,
            }
        }
        for &(pos, open) in changes {
            self.bfs.iter_mut().for_each(|bfs| bfs.set(pos, open));
            self.depth.iter_mut().for_each(|depth| depth.set(&self.water, pos));
        }
        if let Some(jumps) = &mut self.jumps {
            jumps.edit(&self.blocks, changes);
        }
        self.last = None;
    }
}
