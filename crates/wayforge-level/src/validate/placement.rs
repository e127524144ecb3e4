//! Numbers and positions of candidates, marks and features.

use super::{Found, View, at, rules};
use crate::{Config, FuelMode, Symbol};
use wayforge_core::grid::{BitGrid, Dir, Pos};
use wayforge_core::{Place, Report};

/// Number of cells between the edge of the grid and the candidates and marks.
const MARGIN: u16 = 3;

pub(super) fn check(view: &View<'_>, report: &mut Report) {
    report.check(rules::CANDIDATE_COUNTS, candidate_counts(view));
    report.check(rules::CANDIDATE_MARGIN, candidate_margin(view));
    report.check(rules::SEPARATION, separation(view));
    report.check(rules::MARKS, marks(view));
    report.check(rules::FEATURE_COUNTS, feature_counts(view));
}

/// Checks the rules that apply to drawings.
pub(super) fn check_drawn(view: &View<'_>, report: &mut Report) {
    report.check(rules::CANDIDATE_COUNTS, candidate_counts(view));
    report.check(rules::MARKS, marks(view));
}

/// Checks the number of candidates of each symbol: as requested, or as pinned if that is more. A
/// drawing may contain more than requested, except for flashlights and shoes.
fn candidate_counts(view: &View<'_>) -> Vec<Found> {
    let count = |(symbol, requested): (Symbol, i64)| {
        let actual = view.blueprint.count(symbol) as i64;
        let exact = matches!(symbol, Symbol::Flashlight | Symbol::Shoes);
        let (valid, expected) = if view.drawn && !exact {
            (actual >= requested.min(1), "at least 1 is needed".to_owned())
        } else {
            let requested = requested.max(view.pinned(|pin| pin == symbol).into());
            (actual == requested, format!("{requested} requested"))
        };
        let why = || format!("{actual} {symbol} ({}), {expected}", symbol.meaning());
        (!valid).then(|| (Place::Map, why()))
    };
    requested_candidates(view.config).into_iter().filter_map(count).collect()
}

/// Returns the requested number of candidates of each symbol, without pins.
fn requested_candidates(config: &Config) -> [(Symbol, i64); 6] {
    [
        (Symbol::Player, config.players),
        (Symbol::Car, config.cars),
        (
            Symbol::EmptyCan,
            if config.fuel == FuelMode::RefuelChain { config.empty_cans } else { 0 },
        ),
        (Symbol::Fuel, if config.fuel == FuelMode::StartFull { 0 } else { config.fuel_spots }),
        (Symbol::Flashlight, config.flashlights),
        (Symbol::Shoes, config.shoes),
    ]
}

/// Checks that candidates and marks are at least three cells from the edge while such a cell is
/// free.
///
/// A closer one is valid only if every cell with the margin was pinned, marked, or taken by a
/// candidate of the same or an earlier kind.
fn candidate_margin(view: &View<'_>) -> Vec<Found> {
    let fixed = BitGrid::from_cells(
        view.size,
        view.config.marks.iter().flat_map(|mark| mark.cells.iter().copied()),
    );
    // Placement order of each cell: candidates in the order of their symbols, then marks, then the
    // rest.
    let order_of =
        |symbol: &Symbol| Symbol::CANDIDATES.iter().position(|candidate| candidate == symbol);
    let cells = view.blueprint.cells().iter();
    let mut order: Vec<usize> =
        cells.map(|symbol| order_of(symbol).unwrap_or(usize::MAX)).collect();
    for (i, cells) in view.tags.marks.iter().enumerate() {
        for pos in cells.iter().filter(|pos| view.size.contains(**pos)) {
            order[view.size.index(*pos)] = Symbol::CANDIDATES.len() + i;
        }
    }
    let chosen = |pos: Pos| !view.is_pinned(pos) && !fixed.contains(pos);
    let beyond = view.size.iter().filter(|pos| view.ring(*pos) >= MARGIN && chosen(*pos));
    let last_beyond = beyond.max_by_key(|pos| order[view.size.index(*pos)]);
    let Some(free) = last_beyond else { return Vec::new() };
    let near = view.interior().filter(|(pos, _)| view.ring(*pos) < MARGIN && chosen(*pos));
    near.filter(|(pos, _)| order[view.size.index(*pos)] < order[view.size.index(free)])
        .map(|(pos, symbol)| {
            let what = if symbol.is_candidate() { symbol.meaning() } else { "mark" };
            let why = format!(
                "the {what} is closer than {MARGIN} cells to the edge, but {free} was free"
            );
            at(pos, why)
        })
        .collect()
}

/// Checks the Chebyshev distance between player, car, empty-can and fuel candidates of different
/// symbols, unless both are pinned.
///
/// The default separation is the largest `d` up to 8 for which squares of side `2d - 1` around all
/// these candidates except one cannot cover all cells with the margin, without pins and fixed
/// marks.
fn separation(view: &View<'_>) -> Vec<Found> {
    let apart = requested_candidates(view.config).into_iter().take(4);
    let wanted = view.config.min_separation.unwrap_or_else(|| {
        let count = |(symbol, requested): (Symbol, i64)| {
            requested.max(view.pinned(|pin| pin == symbol).into())
        };
        let others = apart.clone().map(count).sum::<i64>() - 1;
        let marks = view.config.marks.iter().flat_map(|mark| mark.cells.iter().copied());
        let marked = BitGrid::from_cells(view.size, marks);
        let chosen = |pos: &Pos| {
            view.ring(*pos) >= MARGIN && !view.is_pinned(*pos) && !marked.contains(*pos)
        };
        let room = view.size.iter().filter(chosen).count() as i64;
        (2..=8).rev().find(|steps: &i64| others * (2 * steps - 1).pow(2) < room).unwrap_or(1)
    });
    let cells =
        apart.flat_map(|(symbol, _)| view.blueprint.find(symbol).map(move |pos| (pos, symbol)));
    let cells: Vec<(Pos, Symbol)> = cells.collect();
    let mut found = Vec::new();
    for (i, &(pos, symbol)) in cells.iter().enumerate() {
        if !view.work.spend(i as u64) {
            break;
        }
        let others = cells[..i].iter().filter(|(_, other)| *other != symbol);
        let fixed = |other: Pos| view.is_pinned(pos) && view.is_pinned(other);
        let near = others.filter(|(other, _)| {
            i64::from(pos.chebyshev_distance(*other)) < wanted && !fixed(*other)
        });
        found.extend(near.map(|(other, what)| {
            let steps = pos.chebyshev_distance(*other);
            at(
                pos,
                format!(
                    "{symbol} is {steps} steps from the {what} at {other}, at least {wanted} \
                     requested"
                ),
            )
        }));
    }
    found
}

/// Checks the marks: requested number of cells, fixed cells included, row-major order, plain floor,
/// no cell marked twice.
fn marks(view: &View<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    if view.tags.marks.len() != view.config.marks.len() {
        let why = format!(
            "{} marks, but the configuration has {}",
            view.tags.marks.len(),
            view.config.marks.len()
        );
        found.push((Place::Map, why));
    }
    let mut seen = BitGrid::new(view.size);
    for (mark, cells) in view.config.marks.iter().zip(&view.tags.marks) {
        let name = &mark.name;
        if cells.len() as i64 != mark.count {
            let remedy = if view.drawn {
                "; for a drawing, the stage must list the cells of marks"
            } else {
                ""
            };
            let why = format!(
                "{} cells are marked {name}, {} requested{remedy}",
                cells.len(),
                mark.count
            );
            found.push((Place::Map, why));
        }
        if let Some(pair) = cells.windows(2).find(|pair| pair[0] > pair[1]) {
            found.push(at(pair[1], format!("the cells of {name} are not in row-major order")));
        }
        let mut listed = BitGrid::new(view.size);
        for &pos in cells {
            if !view.size.contains(pos) || view.ring(pos) < 2 {
                found.push(at(pos, format!("marked {name}, but not inside the outer wall")));
                continue;
            }
            if seen.contains(pos) {
                found.push(at(pos, format!("marked {name}, but already marked")));
            }
            seen.insert(pos);
            listed.insert(pos);
            let symbol = view.blueprint.get(pos);
            if symbol != Symbol::Floor {
                found.push(at(pos, format!("marked {name} on {symbol}; marks need plain floor")));
            }
        }
        let missing = mark.cells.iter().filter(|pos| !listed.contains(**pos));
        found.extend(missing.map(|pos| {
            at(*pos, format!("marked {name} in the configuration, but not in the level"))
        }));
    }
    found
}

/// Checks the number of cells of each feature, per zone and in total.
///
/// Densities are relative to the floor without candidates, marks and pins; in a zone, also without
/// earlier features. Pinned cells count towards the amount anywhere, not towards zones.
fn feature_counts(view: &View<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    let config = view.config;
    let symbols: [&[Symbol]; 4] =
        [&[Symbol::Pitfall], &[Symbol::Plant], &[Symbol::Puddle], &Symbol::MOVING];
    let features = config.features();
    let open = |pos: Pos, symbol: Symbol| {
        !view.is_pinned(pos) && !view.marked.contains(pos) && !symbol.is_candidate()
    };
    let floor = view.interior().filter(|(pos, symbol)| open(*pos, *symbol)).count() as u32;
    for (i, ((name, feature), of_feature)) in features.into_iter().zip(symbols).enumerate() {
        let taken = |symbol: Symbol| symbols[..i].iter().any(|earlier| earlier.contains(&symbol));
        let mut in_zones = 0;
        for (j, zone) in feature.zones.iter().enumerate() {
            let cells = || zone.area().cells().map(|pos| (pos, view.blueprint.get(pos)));
            let next_to_exit = |pos: Pos| name == "pitfalls" && is_next_to_exit(view, pos);
            let room = cells()
                .filter(|&(pos, symbol)| open(pos, symbol) && !taken(symbol) && !next_to_exit(pos));
            let wanted = zone.amount.of(room.count() as u32);
            in_zones += wanted;
            let right = |symbol: Symbol| match zone.moves {
                Some(moves) => symbol == moves.symbol(),
                None => of_feature.contains(&symbol),
            };
            let actual = cells()
                .filter(|&(pos, symbol)| !view.is_pinned(pos) && right(symbol))
                .count() as u32;
            if actual < wanted {
                let corner = Pos { x: zone.x as u16, y: zone.y as u16 };
                let why = format!("{name}.zones[{j}]: {wanted} requested, {actual} found");
                found.push(at(corner, why));
            }
        }
        let pinned = view.pinned(|pin| of_feature.contains(&pin));
        let anywhere = feature.amount.of(floor).max(pinned);
        let actual =
            of_feature.iter().map(|symbol| view.blueprint.count(*symbol) as u32).sum::<u32>();
        if actual != in_zones + anywhere {
            let why = format!("{name}: {} requested, {actual} found", in_zones + anywhere);
            found.push((Place::Map, why));
        }
    }
    found
}

/// Returns true if the cell is next to an exit in four directions.
pub(super) fn is_next_to_exit(view: &View<'_>, pos: Pos) -> bool {
    let neighbours = Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, view.size));
    neighbours.into_iter().any(|pos| view.blueprint.get(pos) == Symbol::Exit)
}
