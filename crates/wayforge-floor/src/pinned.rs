//! Floors around cells that were made by hand: what is fixed stays, the rest is drawn.
//!
//! Fixed cells may stand anywhere, so nothing is proved by counting: attempts are drawn and judged. `resolve` accepts a configuration
//! only after one of a fixed number of attempts held; that floor is the safe one.

use super::board::{Board, Rows, neighbours};
use super::choke::{Tides, find_chokepoints};
use super::config::{Budget, Config};
use super::draft::Shape;
use super::map::{Content, Entity, Floor, Origin, TileKind, of_symbol, symbols};
use super::spec::Spec;
use super::stamp::follow;
use super::streams::Streams;
use super::task::Task;
use super::validate::Validator;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wayforge_core::grid::{BitGrid, Dir, Pos, Size};
use wayforge_core::{ConfigError, MapRng, Seed};

/// What a path keeps off.
const OBSTACLES: [TileKind; 2] = [TileKind::Chest, TileKind::Trap];
const ENDS: [TileKind; 2] = [TileKind::Entrance, TileKind::Exit];

/// How many attempts look for the first floor that holds the pins: fewer on large floors, where each costs more.
fn proof_attempts(size: Size) -> u32 {
    (400 * 256 / size.cells().max(1) as u32).clamp(40, 400)
}

/// The cells that are fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pins {
    size: Size,
    cells: Vec<Option<Content>>,
}

impl Pins {
    /// Reads the drawing of fixed cells; none if nothing is drawn.
    pub(super) fn read(rows: &[String], size: Size) -> Result<Option<Pins>, ConfigError> {
        if rows.is_empty() {
            return Ok(None);
        }
        let remedy = format!("draw {} rows of {} characters, ? for free cells", size.height, size.width);
        if rows.len() != usize::from(size.height) {
            let problem = "not as many rows as the floor has";
            return Err(ConfigError::new("pins", format!("{} rows", rows.len()), problem, remedy));
        }
        let mut cells = Vec::with_capacity(size.cells());
        for (y, row) in rows.iter().enumerate() {
            if row.chars().count() != usize::from(size.width) {
                return Err(ConfigError::new(format!("pins[{y}]"), row, "not the floor's width", remedy));
            }
            for c in row.chars() {
                let fixed = of_symbol(c);
                if c != '?' && fixed.is_none() {
                    let (problem, remedy) = (format!("{c:?} means nothing"), format!("use ? {}", symbols()));
                    return Err(ConfigError::new(format!("pins[{y}]"), row, problem, remedy));
                }
                cells.push(fixed);
            }
        }
        Ok(Some(Pins { size, cells }))
    }

    /// The fixed cells in reading order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Pos, Content)> {
        self.size.iter().zip(&self.cells).filter_map(|(pos, fixed)| Some((pos, (*fixed)?)))
    }

    /// The cells that are fixed to be tiles of a kind.
    fn of(&self, kind: TileKind) -> impl Iterator<Item = Pos> {
        self.iter().filter(move |(_, fixed)| fixed.tile == kind).map(|(pos, _)| pos)
    }

    fn get(&self, pos: Pos) -> Option<Content> {
        self.cells[self.size.index(pos)]
    }

    /// Whether a cell is fixed to be a tile of one of these kinds.
    fn is(&self, pos: Pos, kinds: &[TileKind]) -> bool {
        self.get(pos).is_some_and(|fixed| kinds.contains(&fixed.tile))
    }

    fn count(&self, budget: Budget) -> u32 {
        let tiles: Vec<TileKind> = self.iter().map(|(_, fixed)| fixed.tile).collect();
        budget.count(&tiles, self.iter().filter_map(|(_, fixed)| fixed.entity)) as u32
    }

    /// Takes the fixed ends into the task, and rejects budgets that are smaller than what is fixed.
    pub(super) fn agree(&self, task: &mut Task) -> Result<(), ConfigError> {
        for (field, kind, asked) in
            [("entrance", TileKind::Entrance, &mut task.entrance), ("exit", TileKind::Exit, &mut task.exit)]
        {
            let mut ends = self.of(kind);
            let Some(pinned) = ends.next() else { continue };
            if let Some(other) = ends.next() {
                let problem = format!("a second {} at {other}", kind.name());
                return Err(ConfigError::new("pins", kind.symbol(), problem, "fix one of each"));
            }
            if let Some(other) = asked.replace(pinned).filter(|&other| other != pinned) {
                let problem = format!("the pins have it at {pinned}");
                return Err(ConfigError::new(field, other, problem, "leave one of them out"));
            }
        }
        for budget in Budget::ALL {
            let (pinned, asked) = (self.count(budget), task.count(budget));
            if pinned > asked {
                let problem = format!("the pins hold {}", budget.counted(pinned));
                let remedy = format!("ask for at least {pinned}, or free some cells");
                return Err(ConfigError::new(budget.field(), asked, problem, remedy));
            }
        }
        Ok(())
    }
}

/// Looks for the first floor that holds the pins; rejects the configuration if there is none among the attempts.
pub(super) fn prove(spec: &Spec, pins: &Pins) -> Result<Floor, ConfigError> {
    let seed = Seed::new(0);
    let mut streams = Streams::of(&seed);
    let mut validator = Validator::default();
    let mut fault = None;
    let attempts = proof_attempts(pins.size);
    for attempt in 0..attempts {
        let Some(floor) = draw(&seed, spec, pins, attempt, &mut streams) else { continue };
        if validator.is_valid(&floor) {
            return Ok(floor);
        }
        fault = validator.judge(&floor).report.violations.first().map(ToString::to_string);
    }
    let fault = fault.unwrap_or_else(|| "no way leads from the entrance to the exit around them".into());
    let problem = format!("no floor was found that holds them in {attempts} attempts; the last: {fault}");
    Err(ConfigError::new("pins", "the drawing", problem, "free some cells or ask for less"))
}

/// Generates the floor of `seed`: the first attempt that holds, or `proof`, which [`prove`] found.
pub(super) fn generate(seed: &Seed, spec: &Spec, pins: &Pins, proof: Option<&Floor>) -> Floor {
    let mut streams = Streams::of(seed);
    let mut validator = Validator::default();
    let mut floors = (0..spec.attempts()).filter_map(|n| draw(seed, spec, pins, n, &mut streams));
    floors.find(|floor| validator.is_valid(floor)).unwrap_or_else(|| {
        let blank = Floor::blank(seed.clone(), spec);
        let origin = Origin::Safe { attempts: spec.attempts() };
        // Every spec that generates floors has a proof.
        let proof = proof.unwrap_or(&blank).clone();
        Floor { seed: blank.seed, spec: blank.spec, origin, ..proof }
    })
}

/// One attempt: ends, path, joined pins, room, things. None if one of them cannot be.
fn draw(seed: &Seed, spec: &Spec, pins: &Pins, attempt: u32, streams: &mut Streams) -> Option<Floor> {
    let (task, rng) = (spec.task(), &mut streams.path);
    let mut work = Work::new(pins, rng);
    let entrance = work.end(task.entrance, None, rng)?;
    let exit = work.end(task.exit, Some(entrance), rng)?;
    work.ends = [entrance, exit];
    // The path passes fixed chests, which have to stand beside it, and makes a detour now and then, where it has to be long.
    let mut stops = work.beside_chests(rng);
    stops.sort_by_key(|pos| pos.taxi_distance(entrance));
    stops.insert(0, entrance);
    stops.extend((0..attempt % 4).filter_map(|_| work.draw_free(rng)));
    stops.push(exit);
    for pair in stops.windows(2) {
        work.carve(pair[0], &|pos| pos == pair[1], true)?;
    }
    work.join(entrance)?;
    work.open_more(task, &mut streams.open);
    let floor = Floor { origin: Origin::Carve { attempt }, ..Floor::blank(seed.clone(), spec) };
    work.place(task, &mut streams.things, floor)
}

/// One of several things, every one equally likely.
fn pick<T: Copy>(items: &[T], rng: &mut MapRng) -> Option<T> {
    (!items.is_empty()).then(|| items[rng.below(items.len() as u32) as usize])
}

/// A floor in the making.
struct Work<'a> {
    pins: &'a Pins,
    size: Size,
    open: BitGrid,
    /// What must stay closed: fixed walls and water, and the sides of fixed doors.
    closed: BitGrid,
    ends: [Pos; 2],
    /// What it costs to open a cell.
    weights: Vec<u32>,
}

impl<'a> Work<'a> {
    fn new(pins: &'a Pins, rng: &mut MapRng) -> Work<'a> {
        let size = pins.size;
        let mut work = Work {
            pins,
            size,
            open: BitGrid::new(size),
            closed: BitGrid::new(size),
            ends: [Pos::default(); 2],
            weights: (0..size.cells()).map(|_| 1 + rng.below(6)).collect(),
        };
        for (pos, fixed) in pins.iter() {
            match fixed.tile.walkable() {
                true => work.open.insert(pos),
                false => work.closed.insert(pos),
            }
        }
        // A fixed door needs two closed sides; which two is drawn where both are free.
        for pos in pins.of(TileKind::Door) {
            let sides = [[Dir::North, Dir::South], [Dir::East, Dir::West]];
            let sides = sides.map(|dirs| dirs.map(|dir| pos.step(dir, size)));
            let may_close = |side: &Option<Pos>| side.is_none_or(|next| !work.open.contains(next));
            let choices: Vec<_> = sides.into_iter().filter(|sides| sides.iter().all(may_close)).collect();
            let closed = pick(&choices, rng).into_iter().flatten().flatten();
            closed.for_each(|next| work.closed.insert(next));
        }
        work
    }

    /// A cell that nobody fixed and that may be opened.
    fn draw_free(&self, rng: &mut MapRng) -> Option<Pos> {
        let is_free = |pos: &Pos| self.pins.get(*pos).is_none() && !self.closed.contains(*pos);
        pick(&self.size.iter().filter(is_free).collect::<Vec<_>>(), rng)
    }

    /// For each fixed chest a cell beside it that the path may pass.
    fn beside_chests(&self, rng: &mut MapRng) -> Vec<Pos> {
        let plain = |pos: &Pos| self.pins.get(*pos).is_none_or(|at| at.tile == TileKind::Floor);
        let passes = |pos: &Pos| !self.closed.contains(*pos) && plain(pos);
        let places = |chest: Pos| neighbours(chest, self.size).filter(passes).collect::<Vec<_>>();
        self.pins.of(TileKind::Chest).filter_map(|chest| pick(&places(chest), rng)).collect()
    }

    fn end(&self, asked: Option<Pos>, other: Option<Pos>, rng: &mut MapRng) -> Option<Pos> {
        let Some(pos) = asked else { return self.draw_free(rng).filter(|&pos| Some(pos) != other) };
        let free = self.pins.get(pos).is_none() || self.pins.is(pos, &ENDS);
        (free && !self.closed.contains(pos)).then_some(pos)
    }

    /// Opens a cheapest way over cells of random weight from `from` to a goal. On the way proper fixed chests and traps are walked
    /// around.
    fn carve(&mut self, from: Pos, goal: &dyn Fn(Pos) -> bool, proper: bool) -> Option<()> {
        const FAR: u32 = u32::MAX;
        let passes = |pos: Pos| {
            let hindered = self.pins.is(pos, &OBSTACLES) || (self.pins.is(pos, &ENDS) && !goal(pos));
            let barred = self.closed.contains(pos) || (proper && hindered);
            !barred
        };
        let mut costs = vec![FAR; self.size.cells()];
        let mut before: Vec<Option<Pos>> = vec![None; self.size.cells()];
        costs[self.size.index(from)] = 0;
        // By cost, and ties by place. A cell that became cheaper stands in it twice; the dearer one is passed over.
        let mut queue = BinaryHeap::from([Reverse((0_u32, from))]);
        while let Some(Reverse((cost, pos))) = queue.pop() {
            if cost > costs[self.size.index(pos)] {
                continue;
            }
            if goal(pos) && pos != from {
                let mut here = Some(pos);
                while let Some(pos) = here {
                    self.open.insert(pos);
                    here = before[self.size.index(pos)];
                }
                return Some(());
            }
            for next in neighbours(pos, self.size).filter(|&next| passes(next)) {
                let at = self.size.index(next);
                // What is open already costs next to nothing.
                let through = cost + if self.open.contains(next) { 1 } else { self.weights[at] };
                if through < costs[at] {
                    costs[at] = through;
                    before[at] = Some(pos);
                    queue.push(Reverse((through, next)));
                }
            }
        }
        goal(from).then_some(())
    }

    /// Steps from a cell over what is open.
    fn steps(&self, from: Pos) -> Vec<Option<u32>> {
        let mut steps = vec![None; self.size.cells()];
        self.spread(from, Some(0), &mut steps);
        steps
    }

    /// Joins fixed cells that the way does not reach, in reading order.
    fn join(&mut self, entrance: Pos) -> Option<()> {
        // More steps than any floor has: what was reached before is not visited again.
        const FAR: Option<u32> = Some(1 << 16);
        let mut reached = self.steps(entrance);
        for pos in self.size.iter() {
            let size = self.size;
            if self.open.contains(pos) && reached[size.index(pos)].is_none() {
                self.carve(pos, &|goal| reached[size.index(goal)].is_some(), false)?;
                self.spread(pos, FAR, &mut reached);
            }
        }
        Some(())
    }

    /// Opens cells at the rim until as many are open as asked for, as far as the way stays long enough.
    fn open_more(&mut self, task: &Task, rng: &mut MapRng) {
        let [entrance, exit] = self.ends;
        // No cell can bring the ends nearer than they lie.
        let free = entrance.taxi_distance(exit) >= task.min_path;
        // Each cell is looked at once: what was refused stays so, because opening more only brings the ends nearer.
        let mut seen = self.open.clone();
        let mut rim: Vec<Pos> = Vec::new();
        let mut reach = |from: Pos, work: &Work<'_>, rim: &mut Vec<Pos>| {
            for next in neighbours(from, work.size) {
                if !seen.contains(next) && !work.closed.contains(next) {
                    seen.insert(next);
                    rim.push(next);
                }
            }
        };
        for pos in self.open.clone().iter() {
            reach(pos, self, &mut rim);
        }
        let mut tides =
            if free { [const { Vec::new() }; 2] } else { [entrance, exit].map(|end| self.steps(end)) };
        let mut count = self.open.len() as u32;
        while count < task.open && !rim.is_empty() {
            let pos = rim.swap_remove(rng.below(rim.len() as u32) as usize);
            if free || self.stays_long(pos, task.min_path, &tides) {
                self.open.insert(pos);
                count += 1;
                for steps in tides.iter_mut().filter(|_| !free) {
                    self.spread(pos, self.nearest(pos, steps).map(|steps| steps + 1), steps);
                }
                reach(pos, self, &mut rim);
            }
        }
    }

    /// Whether the ends stay so many steps apart when a cell is opened; `tides` are the steps from each of them.
    fn stays_long(&self, pos: Pos, least: u32, tides: &[Vec<Option<u32>>; 2]) -> bool {
        let before = tides[0][self.size.index(self.ends[1])];
        let through = tides.each_ref().map(|steps| self.nearest(pos, steps));
        let through = through[0].zip(through[1]).map(|(one, other)| one + other + 2);
        before.into_iter().chain(through).min().is_some_and(|steps| steps >= least)
    }

    /// The fewest steps to a cell beside this one.
    fn nearest(&self, pos: Pos, steps: &[Option<u32>]) -> Option<u32> {
        neighbours(pos, self.size).filter_map(|next| steps[self.size.index(next)]).min()
    }

    /// Sets the steps of a cell, and counts those of the cells that it brings nearer again.
    fn spread(&self, from: Pos, first: Option<u32>, steps: &mut [Option<u32>]) {
        steps[self.size.index(from)] = first;
        let mut queue = vec![from];
        let mut at = 0;
        while let Some(&pos) = queue.get(at) {
            at += 1;
            let Some(here) = steps[self.size.index(pos)] else { continue };
            for next in neighbours(pos, self.size).filter(|&next| self.open.contains(next)) {
                let there = &mut steps[self.size.index(next)];
                if there.is_none_or(|there| there > here + 1) {
                    *there = Some(here + 1);
                    queue.push(next);
                }
            }
        }
    }

    /// Puts everything on the floor: what is fixed, then the rest of each budget.
    fn place(self, task: &Task, rng: &mut MapRng, mut floor: Floor) -> Option<Floor> {
        let Work { pins, size, ends, .. } = self;
        let clear = |pos: Pos| self.open.contains(pos) && !pins.is(pos, &OBSTACLES);
        let beside = |pos: Pos, kind: TileKind| neighbours(pos, size).any(|next| pins.is(next, &[kind]));
        floor.path = follow(size, ends, &clear, &|pos| beside(pos, TileKind::Chest));
        if floor.path.is_empty() {
            return None;
        }
        [floor.entrance, floor.exit] = ends;
        let on_path = BitGrid::of(size, floor.path.iter().copied());
        let tile = |pos: Pos| match (pins.get(pos), self.open.contains(pos)) {
            _ if pos == ends[0] => TileKind::Entrance,
            _ if pos == ends[1] => TileKind::Exit,
            (Some(fixed), _) => fixed.tile,
            (None, true) => TileKind::Floor,
            (None, false) => TileKind::Wall,
        };
        floor.tiles = size.iter().map(tile).collect();
        let entities = pins.iter().filter_map(|(pos, fixed)| Some(Entity::new(fixed.entity?, pos)));
        floor.entities = entities.collect();
        let near = self.steps(ends[0]);
        let mut taken = BitGrid::of(size, pins.iter().map(|(pos, _)| pos).chain(ends));
        for budget in Budget::ALL {
            let missing = pins.count(budget)..task.count(budget);
            if missing.is_empty() {
                continue;
            }
            let gates = if budget == Budget::Door { self.gates() } else { BitGrid::new(size) };
            let may = |pos: Pos| match budget {
                Budget::Door => gates.contains(pos) && !beside(pos, TileKind::Door),
                Budget::Chest => {
                    !on_path.contains(pos) && neighbours(pos, size).any(|next| on_path.contains(next))
                }
                Budget::Trap => !on_path.contains(pos),
                Budget::Enemy => {
                    near[size.index(pos)].is_some_and(|steps| steps >= 2)
                        && !(task.guards_path() && on_path.contains(pos))
                }
                Budget::Water | Budget::Item | Budget::Relic | Budget::Npc => true,
            };
            let ground = |pos: Pos| self.open.contains(pos) != (budget == Budget::Water);
            let mut cells: Vec<Pos> =
                size.iter().filter(|&pos| !taken.contains(pos) && ground(pos) && may(pos)).collect();
            for _ in missing {
                let pos = pick(&cells, rng)?;
                cells.retain(|&cell| cell != pos);
                taken.insert(pos);
                if budget == Budget::Door {
                    cells.retain(|cell| cell.taxi_distance(pos) > 1);
                }
                floor.put(pos, budget);
            }
        }
        Entity::sort(&mut floor.entities);
        Some(floor)
    }

    /// Where doors can stand.
    fn gates(&self) -> BitGrid {
        let frame = Rows::frame(self.size);
        let [entrance, exit] = self.ends.map(|end| frame.cell(end));
        let (open, on_way) = (Rows::of(&frame, self.open.iter()), Rows::empty(&frame));
        let shape = Shape { open, on_way, entrance, exit };
        find_chokepoints(&frame, &shape, &mut Tides::default()).to_grid(&frame)
    }
}

impl Config {
    /// The most passes over the cells that generation takes: the cost that a server checks before the work begins.
    ///
    /// An attempt without pins counts once. Around pins there are the attempts that prove them, too, and each goes over the cells for every
    /// chest that its way has to pass, and some more for doors that are judged and open cells that are joined.
    #[doc(hidden)]
    pub fn rounds(&self) -> u64 {
        let whole =
            |number: Option<i64>, usual: u64| number.map_or(usual, |number| number.max(0).unsigned_abs());
        let attempts = whole(self.attempts, 32);
        if self.pins.is_empty() {
            return attempts;
        }
        let count = |counts: fn(char) -> bool| {
            self.pins.iter().flat_map(|row| row.chars()).filter(|&symbol| counts(symbol)).count() as u64
        };
        let chests = count(|symbol| symbol == TileKind::Chest.symbol());
        let open =
            count(|symbol| !['?', TileKind::Wall.symbol(), TileKind::Water.symbol()].contains(&symbol));
        // Measured on floors of 64 x 64.
        let each = 8 + chests + open / 64;
        let each = each.saturating_add(whole(self.door_budget, 0) / 4);
        let side = |side: Option<i64>| whole(side, 5).clamp(1, 64) as u16;
        let proof = proof_attempts(Size::new(side(self.width), side(self.height)));
        attempts.saturating_add(proof.into()).saturating_mul(each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_cost_more_than_the_attempts() {
        let rounds = |text: &str| Config::from_json(text.as_bytes()).unwrap().rounds();
        let plain = rounds(r#"{"width": 9, "height": 2}"#);
        assert_eq!(plain, 32);
        assert!(rounds(r#"{"width": 9, "height": 2, "pins": ["?????????", "????$????"]}"#) > 10 * plain);
    }
}
