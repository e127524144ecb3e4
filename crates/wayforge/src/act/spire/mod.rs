//! The maps of Slay the Spire, bit for bit (`act.spire/1`).

use super::kinds::{Icon, Kind, KindId};
use super::map::Mark;
use super::skeleton::Skeleton;
use crate::act::SpireConfig;
use crate::{ConfigError, Seed};

/// The spire ruleset, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpireSpec {
    act: u8,
}

/// Memory of the generator.
#[derive(Clone, Debug, Default)]
pub(super) struct SpireScratch {}

impl SpireScratch {
    /// The kind of a cell of the last map.
    pub(super) fn kind_at(&self, _cell: usize) -> KindId {
        KindId(0)
    }
}

impl SpireSpec {
    pub(super) fn resolve(config: &SpireConfig) -> Result<SpireSpec, ConfigError> {
        Ok(SpireSpec { act: ConfigError::in_range("act", config.act, 1, 4)? as u8 })
    }

    pub(super) fn rows(&self) -> u16 {
        if self.act == 4 { 3 } else { 15 }
    }

    pub(super) fn kinds() -> Vec<Kind> {
        vec![Kind { name: "monster".into(), symbol: 'M', icon: Icon::Swords, frame: 0 }]
    }
}

pub(super) fn build(_: Seed, _: &SpireSpec, _: &mut SpireScratch, skeleton: &mut Skeleton) -> Option<Mark> {
    skeleton.reset(15, 7);
    None
}
