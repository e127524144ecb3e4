//! The spire ruleset (`act.spire/1`): the maps of Slay the Spire, bit for bit.
//!
//! Six walks climb a grid of 7 columns and 15 rows. Then nodes get their kinds from a shuffled bag.
//! Both use the game's own generator, so this ruleset uses no stream. Bugs of the game are
//! reproduced; comments mention them.
//!
//! The game's seeds are signed. A [`Seed`] is the two's complement: -1 is `Seed::new(u64::MAX)`,
//! and documents contain the unsigned number.

mod assign;
mod bag;
mod game_rng;
mod line;
mod seed_text;
mod walks;

pub use line::canonical_line;
pub use seed_text::{spire_seed_from_text, spire_seed_to_text};

use super::kinds::{GENRE_KINDS, Kind, KindId};
use super::map::{ActMap, Edge, Node, NodePos};
use crate::{Event, SpireConfig};
use assign::KindAssignment;
use bag::{Bag, Portions};
use game_rng::GameRng;
use walks::GameWalks;
use wayforge_core::trace::Tracer;
use wayforge_core::{ConfigError, Seed};

const COLS: usize = 7;
const ROWS: usize = 15;

const MONSTER: KindId = KindId(0);
const EVENT: KindId = KindId(1);
const ELITE: KindId = KindId(2);
const REST: KindId = KindId(3);
const SHOP: KindId = KindId(4);
const TREASURE: KindId = KindId(5);

/// Checked configuration of the spire ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpireSpec {
    act: u8,
    emerald: bool,
    /// Ascension 1 and up: more elites.
    ascended: bool,
}

/// Scratch buffers of the generator.
#[derive(Clone, Debug, Default)]
pub(super) struct SpireScratch {
    walks: GameWalks,
    bag: Bag,
    kinds: KindAssignment,
}

impl SpireSpec {
    pub(super) fn resolve(config: &SpireConfig) -> Result<SpireSpec, ConfigError> {
        let act = ConfigError::in_range("act", config.act, 1, 4)? as u8;
        let ascension = ConfigError::in_range("ascension", config.ascension, 0, 20)?;
        if config.emerald && act == 4 {
            let remedy = "use false, or act 1, 2 or 3";
            return Err(ConfigError::new("emerald", true, "act 4 has no burning elite", remedy));
        }
        Ok(SpireSpec { act, emerald: config.emerald, ascended: ascension > 0 })
    }

    pub(super) fn rows(&self) -> u16 {
        if self.act == 4 { FINAL_ACT.len() as u16 } else { ROWS as u16 }
    }

    pub(super) fn kinds() -> Vec<Kind> {
        GENRE_KINDS
            .map(|(name, symbol, icon)| Kind { name: name.into(), symbol, icon, frame: 0 })
            .into()
    }
}

/// Generates the map of `seed`: nodes with kinds, edges, and the burning elite if configured.
///
/// Writes the map directly instead of through a skeleton, because the loop that assigns the kinds
/// visits all nodes anyway.
pub(super) fn build<T: Tracer<Event>>(
    seed: &Seed,
    spec: &SpireSpec,
    scratch: &mut SpireScratch,
    map: &mut ActMap,
    tracer: &mut T,
) {
    map.emerald = None;
    let offset = match spec.act {
        1 => 1,
        2 => 200,
        3 => 600,
        _ => {
            build_final_act(map);
            map.nodes
                .iter()
                .for_each(|&Node { row, col, .. }| tracer.record(Event::AddNode { row, col }));
            map.edges.iter().for_each(|&edge| tracer.record(Event::AddEdge(edge)));
            return record_kinds(map, tracer);
        }
    };
    let mut rng = GameRng::seeded(seed.number().wrapping_add(offset));
    let SpireScratch { walks, bag, kinds } = scratch;
    walks.run(&mut rng);
    walks.record(tracer);
    bag.fill(Portions::get(spec.ascended), walks.counted(), walks.untyped(), &mut rng);
    kinds.run(walks, bag, &mut map.nodes, &mut map.edges);
    if spec.emerald {
        map.emerald = choose_emerald(&map.nodes, &mut rng);
    }
    record_kinds(map, tracer);
}

/// Records the kinds in the order of assignment, and the burning elite.
#[inline]
fn record_kinds<T: Tracer<Event>>(map: &ActMap, tracer: &mut T) {
    if !T::ENABLED {
        return;
    }
    for &Node { row, col, kind } in &map.nodes {
        if let Some(kind) = kind {
            tracer.record(Event::SetKind { row, col, kind });
        }
    }
    if let Some(elite) = map.emerald {
        tracer.record(Event::Emerald(elite));
    }
}

/// Kinds of act 4, which is one straight column for every seed.
const FINAL_ACT: [KindId; 3] = [REST, SHOP, ELITE];
const FINAL_COL: u16 = 3;

fn build_final_act(map: &mut ActMap) {
    map.nodes.clear();
    map.edges.clear();
    let rows = FINAL_ACT.into_iter().zip(0..);
    map.nodes.extend(rows.map(|(kind, row)| Node { row, col: FINAL_COL, kind: Some(kind) }));
    map.edges.extend((0..2).map(|row| Edge { row, from: FINAL_COL, to: FINAL_COL }));
}

/// Chooses the burning elite. Draws no random number if the map has no elites.
fn choose_emerald(nodes: &[Node], rng: &mut GameRng) -> Option<NodePos> {
    let mut elites = nodes.iter().filter(|node| node.kind == Some(ELITE));
    let count = elites.clone().count();
    let chosen = (count > 0).then(|| rng.below(count as u64) as usize)?;
    elites.nth(chosen).map(|node| node.pos())
}
