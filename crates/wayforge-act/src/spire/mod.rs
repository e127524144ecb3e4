//! The maps of Slay the Spire, bit for bit (`act.spire/1`).
//!
//! Six walks climb 7 columns and 15 rows, then kinds are dealt out of a shuffled bag; both draw from one generator, so
//! this ruleset has no streams of its own. What the game does oddly is kept and says so where it stands.
//!
//! The game's seeds are signed: a [`Seed`] is the two's complement of one, so that -1 is `Seed::new(u64::MAX)`, and documents
//! keep its unsigned digits.

mod bag;
mod climb;
mod deal;
mod game_rng;
mod line;
mod seed_text;

pub use line::canonical_line;
pub use seed_text::{spire_seed_from_text, spire_seed_to_text};

use super::kinds::{KNOWN_KINDS, Kind, KindId};
use super::map::{ActMap, Edge, Node, NodePos};
use crate::{Event, SpireConfig};
use bag::{Bag, Portions};
use climb::Climb;
use deal::Deal;
use game_rng::GameRng;
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

/// The spire ruleset, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpireSpec {
    act: u8,
    emerald: bool,
    /// Ascension 1 and up: more elites.
    ascended: bool,
}

/// Memory of the generator.
#[derive(Clone, Debug, Default)]
pub(super) struct SpireScratch {
    climb: Climb,
    bag: Bag,
    deal: Deal,
}

impl SpireSpec {
    pub(super) fn resolve(config: &SpireConfig) -> Result<SpireSpec, ConfigError> {
        let act = ConfigError::in_range("act", config.act, 1, 4)? as u8;
        let ascension = ConfigError::in_range("ascension", config.ascension, 0, 20)?;
        if config.emerald && act == 4 {
            let remedy = "leave it out, or use act 1, 2 or 3";
            return Err(ConfigError::new("emerald", true, "act 4 has no emerald elite", remedy));
        }
        Ok(SpireSpec { act, emerald: config.emerald, ascended: ascension > 0 })
    }

    pub(super) fn rows(&self) -> u16 {
        if self.act == 4 { FINAL_ACT.len() as u16 } else { ROWS as u16 }
    }

    pub(super) fn kinds() -> Vec<Kind> {
        KNOWN_KINDS.map(|(name, symbol, icon)| Kind { name: name.into(), symbol, icon, frame: 0 }).into()
    }
}

/// Makes the map of `seed`: nodes with kinds, edges, and the emerald elite if it is asked for.
///
/// The map is written directly instead of through a skeleton: kinds and skeleton come from one stream, and both are
/// read off in the loop that deals the kinds.
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
            map.nodes.iter().for_each(|&Node { row, col, .. }| tracer.tell(Event::Node { row, col }));
            map.edges.iter().for_each(|&edge| tracer.tell(Event::Join(edge)));
            return tell_kinds(map, tracer);
        }
    };
    let mut rng = GameRng::seeded(seed.number().wrapping_add(offset));
    let SpireScratch { climb, bag, deal } = scratch;
    climb.run(&mut rng);
    climb.tell(tracer);
    bag.fill(Portions::of(spec.ascended), climb.counted(), climb.untyped(), &mut rng);
    deal.run(climb, bag, &mut map.nodes, &mut map.edges);
    if spec.emerald {
        map.emerald = choose_emerald(&map.nodes, &mut rng);
    }
    tell_kinds(map, tracer);
}

/// Tells the kinds in the order they were dealt in, and what only then is known.
#[inline]
fn tell_kinds<T: Tracer<Event>>(map: &ActMap, tracer: &mut T) {
    if !T::LISTENS {
        return;
    }
    for &Node { row, col, kind } in &map.nodes {
        if let Some(kind) = kind {
            tracer.tell(Event::Kind { row, col, kind });
        }
    }
    if let Some(mark) = map.emerald {
        tracer.tell(Event::Emerald(mark));
    }
}

/// Act 4 is one straight column whatever the seed.
const FINAL_ACT: [KindId; 3] = [REST, SHOP, ELITE];
const FINAL_COL: u16 = 3;

fn build_final_act(map: &mut ActMap) {
    map.nodes.clear();
    map.edges.clear();
    let rows = FINAL_ACT.into_iter().zip(0..);
    map.nodes.extend(rows.map(|(kind, row)| Node { row, col: FINAL_COL, kind: Some(kind) }));
    map.edges.extend((0..2).map(|row| Edge { row, from: FINAL_COL, to: FINAL_COL }));
}

/// One of the elites, in order of rows and columns. A map without elites would have none, and draws nothing.
fn choose_emerald(nodes: &[Node], rng: &mut GameRng) -> Option<NodePos> {
    let mut elites = nodes.iter().filter(|node| node.kind == Some(ELITE));
    let count = elites.clone().count();
    let chosen = (count > 0).then(|| rng.below(count as u64) as usize)?;
    elites.nth(chosen).map(|node| node.pos())
}
