//! Terrain: pitfalls, plants, puddles and moving floors.

use super::amount::Amount;
use super::config::{Area, Feature, Moves};
use super::layout;
use super::pins::Pins;
use super::spec::Spec;
use super::symbol::{Blueprint, Symbol};
use super::trace::Event;
use wayforge_core::grid::{BitGrid, Pos};
use wayforge_core::trace::Tracer;
use wayforge_core::{MapRng, Seed, Stage};

/// One stream for each feature: more puddles leave the pitfalls alone as far as they can.
const STAGES: [Stage; 4] = [
    Stage::named("level.pitfalls"),
    Stage::named("level.plants"),
    Stage::named("level.puddles"),
    Stage::named("level.moving_floors"),
];

/// A feature that does not fit where it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Misfit {
    /// The feature's field.
    pub(super) feature: &'static str,
    /// The zone, if it is one that is too small.
    pub(super) zone: Option<usize>,
    /// How many cells are asked for.
    pub(super) asked: u32,
    /// How many fit.
    pub(super) fit: u32,
}

/// Puts the features on free cells, zones before the rest of the floor.
pub(super) fn place(
    seed: &Seed,
    spec: &Spec,
    blueprint: &mut Blueprint,
    free: &mut BitGrid,
    cells: &mut Vec<Pos>,
    tracer: &mut impl Tracer<Event>,
) -> Result<(), Misfit> {
    let features = spec.config().features();
    if features.iter().all(|(_, feature)| feature.is_none()) {
        return Ok(());
    }
    let floor = free.len() as u32;
    for ((feature, stage), (name, config)) in KINDS.into_iter().zip(STAGES).zip(features) {
        let mut rng = seed.stream(stage);
        let misfit = |zone, asked, fit| Misfit { feature: name, zone, asked, fit };
        for (i, zone) in config.zones.iter().enumerate() {
            collect(feature, Some(zone.area()), blueprint, free, cells);
            let count = zone.amount.of(cells.len() as u32);
            if !feature.put(&mut rng, count, zone.moves, blueprint, free, cells, tracer) {
                return Err(misfit(Some(i), count, cells.len() as u32));
            }
        }
        let count = still_wanted(feature, config, spec, floor);
        if count > 0 {
            collect(feature, None, blueprint, free, cells);
            if !feature.put(&mut rng, count, None, blueprint, free, cells, tracer) {
                return Err(misfit(None, count, cells.len() as u32));
            }
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain(Symbol),
    Moving,
}

const KINDS: [Kind; 4] =
    [Kind::Plain(Symbol::Pitfall), Kind::Plain(Symbol::Plant), Kind::Plain(Symbol::Puddle), Kind::Moving];

impl Kind {
    /// Puts the feature on `count` of `cells`, each set of cells as likely as any other.
    #[expect(clippy::too_many_arguments, reason = "the level under construction in its parts")]
    fn put(
        self,
        rng: &mut MapRng,
        count: u32,
        moves: Option<Moves>,
        blueprint: &mut Blueprint,
        free: &mut BitGrid,
        cells: &mut [Pos],
        tracer: &mut impl Tracer<Event>,
    ) -> bool {
        if count as usize > cells.len() {
            return false;
        }
        for i in 0..count as usize {
            let j = i + rng.below((cells.len() - i) as u32) as usize;
            cells.swap(i, j);
            let symbol = match (self, moves) {
                (Kind::Plain(symbol), _) => symbol,
                (Kind::Moving, Some(moves)) => moves.symbol(),
                (Kind::Moving, None) => Symbol::MOVING[rng.below(4) as usize],
            };
            blueprint.set(cells[i], symbol);
            tracer.tell(Event::Put { pos: cells[i], symbol });
            tracer.tell(Event::Beat);
            free.remove(cells[i]);
        }
        true
    }

    fn is(self, symbol: Symbol) -> bool {
        match self {
            Kind::Plain(plain) => plain == symbol,
            Kind::Moving => symbol.moves().is_some(),
        }
    }
}

impl Moves {
    /// The symbol of the direction.
    pub fn symbol(self) -> Symbol {
        match self {
            Moves::North => Symbol::MovesNorth,
            Moves::South => Symbol::MovesSouth,
            Moves::West => Symbol::MovesWest,
            Moves::East => Symbol::MovesEast,
        }
    }
}

/// How many cells anywhere are still to be taken: pinned ones count.
fn still_wanted(kind: Kind, config: &Feature, spec: &Spec, floor: u32) -> u32 {
    let pinned = |pins: &Pins| pins.iter().filter(|(_, symbol)| kind.is(*symbol)).count() as u32;
    match config.amount {
        Amount::Count(0) => 0,
        amount => amount.of(floor).saturating_sub(spec.pins().map_or(0, pinned)),
    }
}

/// The cells that a feature may take, in reading order. No pitfall opens before an exit.
fn collect(kind: Kind, area: Option<Area>, blueprint: &Blueprint, free: &BitGrid, cells: &mut Vec<Pos>) {
    cells.clear();
    match area {
        None => cells.extend(free.iter()),
        Some(area) => cells.extend(area.cells().filter(|pos| free.contains(*pos))),
    }
    if kind == Kind::Plain(Symbol::Pitfall) {
        for exit in layout::exits(blueprint) {
            if let Ok(at) = cells.binary_search(&layout::front(exit, blueprint.size())) {
                cells.remove(at);
            }
        }
    }
}

impl Area {
    /// The rectangle's cells in reading order.
    pub(crate) fn cells(self) -> impl Iterator<Item = Pos> {
        (self.y..self.y + self.height)
            .flat_map(move |y| (self.x..self.x + self.width).map(move |x| Pos { x: x as u16, y: y as u16 }))
    }
}
