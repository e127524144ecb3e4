//! Candidates, marks and the features of the floor: how many, and where.

use super::{Found, View, at, rules};
use crate::{Config, FuelMode, Symbol};
use wayforge_core::grid::{BitGrid, Dir, Pos};
use wayforge_core::{Place, Report};

pub(super) fn check(view: &View<'_>, report: &mut Report) {
    report.check(rules::CANDIDATE_COUNTS, candidate_counts(view));
    report.check(rules::CANDIDATE_MARGIN, candidate_margin(view));
    report.check(rules::SEPARATION, separation(view));
    report.check(rules::MARKS, marks(view));
    report.check(rules::FEATURE_COUNTS, feature_counts(view));
}

/// What a drawing must keep of these.
pub(super) fn check_drawn(view: &View<'_>, report: &mut Report) {
    report.check(rules::CANDIDATE_COUNTS, candidate_counts(view));
    report.check(rules::MARKS, marks(view));
}

/// There are as many candidates of each symbol as the configuration asks for, or as it pins if that is more. A drawing may
/// hold more of them than asked for, but flashlights and shoes are exact.
fn candidate_counts(view: &View<'_>) -> Vec<Found> {
    let count = |(symbol, asked): (Symbol, i64)| {
        let here = view.blueprint.count(symbol) as i64;
        let exact = matches!(symbol, Symbol::Flashlight | Symbol::Shoes);
        let (right, wanted) = if view.drawn && !exact {
            (here >= asked.min(1), "at least 1 is needed".to_owned())
        } else {
            let asked = asked.max(view.pinned(|pin| pin == symbol).into());
            (here == asked, format!("{asked} asked for"))
        };
        (!right).then(|| (Place::Map, format!("{here} {symbol} ({}), {wanted}", symbol.meaning())))
    };
    asked(view.config).into_iter().filter_map(count).collect()
}

/// How many candidates of each symbol the configuration asks for, pins aside.
fn asked(config: &Config) -> [(Symbol, i64); 6] {
    [
        (Symbol::Player, config.players),
        (Symbol::Car, config.cars),
        (Symbol::EmptyCan, if config.fuel == FuelMode::RefuelChain { config.empty_cans } else { 0 }),
        (Symbol::Fuel, if config.fuel == FuelMode::StartFull { 0 } else { config.fuel_spots }),
        (Symbol::Flashlight, config.flashlights),
        (Symbol::Shoes, config.shoes),
    ]
}

/// Candidates and marks keep three cells from the edge while there is room: one that does not was placed when every cell
/// beyond the margin was pinned, marked, or taken by a candidate of the same kind or of an earlier one.
fn candidate_margin(view: &View<'_>) -> Vec<Found> {
    const MARGIN: u16 = 3;
    let fixed = BitGrid::of(view.size, view.config.marks.iter().flat_map(|mark| mark.cells.iter().copied()));
    // When each cell was taken: candidates in the order of the legend's list, then marks, then whatever is left.
    let turn_of = |symbol: &Symbol| Symbol::CANDIDATES.iter().position(|candidate| candidate == symbol);
    let cells = view.blueprint.cells().iter();
    let mut turn: Vec<usize> = cells.map(|symbol| turn_of(symbol).unwrap_or(usize::MAX)).collect();
    for (i, cells) in view.tags.marks.iter().enumerate() {
        for pos in cells.iter().filter(|pos| view.size.contains(**pos)) {
            turn[view.size.index(*pos)] = Symbol::CANDIDATES.len() + i;
        }
    }
    let chosen = |pos: Pos| !view.is_pinned(pos) && !fixed.contains(pos);
    let beyond = view.size.iter().filter(|pos| view.ring(*pos) >= MARGIN && chosen(*pos));
    let last_beyond = beyond.max_by_key(|pos| turn[view.size.index(*pos)]);
    let Some(room) = last_beyond else { return Vec::new() };
    let near = view.interior().filter(|(pos, _)| view.ring(*pos) < MARGIN && chosen(*pos));
    near.filter(|(pos, _)| turn[view.size.index(*pos)] < turn[view.size.index(room)])
        .map(|(pos, symbol)| {
            let what = if symbol.is_candidate() { symbol.meaning() } else { "mark" };
            at(pos, format!("the {what} is nearer than {MARGIN} to the edge, though {room} had room"))
        })
        .collect()
}

/// Player, car, empty-can and fuel candidates of different symbols keep the configured number of steps of eight directions
/// apart, unless both are pinned. Without a configured number it is the largest up to 8 whose squares around all of these
/// candidates but one leave a cell beyond the margin, pins and named cells of marks aside.
fn separation(view: &View<'_>) -> Vec<Found> {
    let apart = asked(view.config).into_iter().take(4);
    let wanted = view.config.min_separation.unwrap_or_else(|| {
        let count = |(symbol, asked): (Symbol, i64)| asked.max(view.pinned(|pin| pin == symbol).into());
        let others = apart.clone().map(count).sum::<i64>() - 1;
        let marks = view.config.marks.iter().flat_map(|mark| mark.cells.iter().copied());
        let named = BitGrid::of(view.size, marks);
        let chosen = |pos: &Pos| view.ring(*pos) >= 3 && !view.is_pinned(*pos) && !named.contains(*pos);
        let room = view.size.iter().filter(chosen).count() as i64;
        (2..=8).rev().find(|steps: &i64| others * (2 * steps - 1).pow(2) < room).unwrap_or(1)
    });
    let cells = apart.flat_map(|(symbol, _)| view.blueprint.find(symbol).map(move |pos| (pos, symbol)));
    let cells: Vec<(Pos, Symbol)> = cells.collect();
    let mut found = Vec::new();
    for (i, &(pos, symbol)) in cells.iter().enumerate() {
        let others = cells[..i].iter().filter(|(_, other)| *other != symbol);
        let fixed = |other: Pos| view.is_pinned(pos) && view.is_pinned(other);
        let near =
            others.filter(|(other, _)| i64::from(pos.king_distance(*other)) < wanted && !fixed(*other));
        found.extend(near.map(|(other, what)| {
            let steps = pos.king_distance(*other);
            at(
                pos,
                format!("{symbol} is {steps} steps from the {what} at {other}, at least {wanted} asked for"),
            )
        }));
    }
    found
}

/// Each mark has as many cells as asked for, the named ones among them, in reading order, on plain floor; no cell is marked
/// twice.
fn marks(view: &View<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    if view.tags.marks.len() != view.config.marks.len() {
        let why =
            format!("{} marks, the configuration has {}", view.tags.marks.len(), view.config.marks.len());
        found.push((Place::Map, why));
    }
    let mut seen = BitGrid::new(view.size);
    for (mark, cells) in view.config.marks.iter().zip(&view.tags.marks) {
        let name = &mark.name;
        if cells.len() as i64 != mark.count {
            let remedy =
                if view.drawn { "; a drawing has no marks, the stage must name their cells" } else { "" };
            let why = format!("{} cells are marked {name}, {} asked for{remedy}", cells.len(), mark.count);
            found.push((Place::Map, why));
        }
        if let Some(pair) = cells.windows(2).find(|pair| pair[0] > pair[1]) {
            found.push(at(pair[1], format!("the cells of {name} are not in reading order")));
        }
        let mut here = BitGrid::new(view.size);
        for &pos in cells {
            if !view.size.contains(pos) || view.ring(pos) < 2 {
                found.push(at(pos, format!("marked {name}, but not inside the outer wall")));
                continue;
            }
            if seen.contains(pos) {
                found.push(at(pos, format!("marked {name}, but marked already")));
            }
            seen.insert(pos);
            here.insert(pos);
            let symbol = view.blueprint.get(pos);
            if symbol != Symbol::Floor {
                found.push(at(pos, format!("marked {name} on {symbol}; marks lie on plain floor")));
            }
        }
        let missing = mark.cells.iter().filter(|pos| !here.contains(**pos));
        found.extend(
            missing.map(|pos| at(*pos, format!("the configuration marks it {name}, the level does not"))),
        );
    }
    found
}

/// Each feature covers as many cells as asked for, in each zone and altogether.
///
/// A density counts the floor that candidates, marks and pins leave; in a zone, what earlier features leave too. Pinned cells
/// count towards the amount anywhere, not towards zones.
fn feature_counts(view: &View<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    let config = view.config;
    let symbols: [&[Symbol]; 4] = [&[Symbol::Pitfall], &[Symbol::Plant], &[Symbol::Puddle], &Symbol::MOVING];
    let features = config.features();
    let open = |pos: Pos, symbol: Symbol| {
        !view.is_pinned(pos) && !view.marked.contains(pos) && !symbol.is_candidate()
    };
    let floor = view.interior().filter(|(pos, symbol)| open(*pos, *symbol)).count() as u32;
    for (i, ((name, feature), of_feature)) in features.into_iter().zip(symbols).enumerate() {
        let taken = |symbol: Symbol| symbols[..i].iter().any(|earlier| earlier.contains(&symbol));
        let mut asked = 0;
        for (j, zone) in feature.zones.iter().enumerate() {
            let cells = || zone.area().cells().map(|pos| (pos, view.blueprint.get(pos)));
            let before_exit = |pos: Pos| name == "pitfalls" && is_before_exit(view, pos);
            let room =
                cells().filter(|&(pos, symbol)| open(pos, symbol) && !taken(symbol) && !before_exit(pos));
            let wanted = zone.amount.of(room.count() as u32);
            asked += wanted;
            let right = |symbol: Symbol| match zone.moves {
                Some(moves) => symbol == moves.symbol(),
                None => of_feature.contains(&symbol),
            };
            let here = cells().filter(|&(pos, symbol)| !view.is_pinned(pos) && right(symbol)).count() as u32;
            if here < wanted {
                let corner = Pos { x: zone.x as u16, y: zone.y as u16 };
                let why = format!("{name}.zones[{j}]: {wanted} asked for, {here} are there");
                found.push(at(corner, why));
            }
        }
        let pinned = view.pinned(|pin| of_feature.contains(&pin));
        let anywhere = feature.amount.of(floor).max(pinned);
        let here = of_feature.iter().map(|symbol| view.blueprint.count(*symbol) as u32).sum::<u32>();
        if here != asked + anywhere {
            let why = format!("{name}: {} asked for, {here} are there", asked + anywhere);
            found.push((Place::Map, why));
        }
    }
    found
}

/// True if an exit leads straight to the cell.
pub(super) fn is_before_exit(view: &View<'_>, pos: Pos) -> bool {
    let neighbours = Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, view.size));
    neighbours.into_iter().any(|pos| view.blueprint.get(pos) == Symbol::Exit)
}
