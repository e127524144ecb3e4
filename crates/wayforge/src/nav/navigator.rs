//! The front door: one grid, any question.

use super::bfs::MultiSourceAnyTargetBFS;
use super::blocks::Blocks;
use super::jump::Jumps;
use super::mask::{MaskSearch, Tuning};
use super::pieces::Pieces;
use super::query::{Method, Query, Way};
use super::water::Water;
use super::wave::Waves;
use crate::ConfigError;
use crate::grid::BitGrid;

/// A grid that is ready for questions.
pub struct Navigator {
    water: Water,
    blocks: Blocks,
    pieces: Pieces,
    waves: Waves,
    bfs: Option<MultiSourceAnyTargetBFS>,
    document: Option<MaskSearch>,
    mask: Option<MaskSearch>,
    jumps: Option<Jumps>,
    prepared: bool,
    /// What answered last, for [`visited`](Self::visited).
    last: Method,
}

impl Navigator {
    /// Makes a grid ready.
    pub fn new(water: &Water) -> Navigator {
        let blocks = Blocks::new(water);
        let pieces = Pieces::new(&blocks);
        let waves = Waves::new(&blocks);
        Navigator {
            water: water.clone(),
            blocks,
            pieces,
            waves,
            bfs: None,
            document: None,
            mask: None,
            jumps: None,
            prepared: false,
            last: Method::Auto,
        }
    }

    /// Answers a query.
    pub fn find(&mut self, query: &Query) -> Result<Option<Way>, ConfigError> {
        let mut way = Way::default();
        Ok(self.find_into(query, &mut way)?.then_some(way))
    }

    /// Answers into a way that is reused; false if there is none.
    pub fn find_into(&mut self, query: &Query, way: &mut Way) -> Result<bool, ConfigError> {
        query.check(&self.water)?;
        if !self.joined(query) {
            return Ok(false);
        }
        self.last = query.method;
        Ok(match query.method {
            Method::Bfs => {
                let bfs = self.bfs.get_or_insert_with(|| MultiSourceAnyTargetBFS::new(&self.water));
                bfs.find_into(query, way)
            }
            Method::Restart | Method::MaskF1 | Method::MaskF2 | Method::MaskOptimal => {
                if self.document.is_none() {
                    self.document = Some(MaskSearch::new(&self.water, Tuning::document())?);
                }
                self.document.as_mut().unwrap().find_into(query, query.method, way)
            }
            Method::Pieces => {
                if self.mask.is_none() {
                    self.mask = Some(MaskSearch::new(&self.water, Tuning::pieces())?);
                }
                self.mask.as_mut().unwrap().find_into(query, query.method, way)
            }
            Method::Jump | Method::Graph => {
                let jumps = self.jumps.get_or_insert_with(|| Jumps::new(&self.water));
                if query.method == Method::Graph && !self.prepared {
                    jumps.prepare(&self.blocks, &self.pieces, query.moves, query.metric);
                    self.prepared = true;
                }
                jumps.find_into(&self.blocks, query, way)
            }
            _ => self.waves.find_into(&self.blocks, query, way),
        })
    }

    /// The tiles that the last query visited.
    pub fn visited(&self) -> BitGrid {
        let mut set = BitGrid::new(self.water.size());
        self.waves.mark(&self.blocks, &mut set);
        set
    }

    /// False if no source lies in the sea of a target.
    fn joined(&self, query: &Query) -> bool {
        let sea = |&pos: &_| self.pieces.sea(self.pieces.of(&self.blocks, pos));
        query.sources.iter().any(|source| {
            let mine = sea(source);
            query.targets.iter().any(|target| sea(target) == mine)
        })
    }
}
