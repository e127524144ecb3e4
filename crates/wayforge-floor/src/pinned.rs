//! Floors around cells that were made by hand: what is fixed stays, the rest is drawn.
//!
//! Fixed cells may stand anywhere, so nothing is proved by counting: attempts are drawn and judged. `resolve` accepts a configuration
//! only after one of a fixed number of attempts held; that floor is the safe one.

use super::board::{Board, Rows};
use super::choke::{Tides, find_chokepoints};
use super::config::{Budget, Config};
use super::draft::Shape;
use super::map::{Entity, EntityKind, Floor, Origin, TileKind, of_symbol, symbols};
use super::spec::Spec;
use super::stamp::follow;
use super::streams::Streams;
use super::task::Task;
use super::validate::Validator;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wayforge_core::grid::{BitGrid, Dir, Pos, Size};
use wayforge_core::{ConfigError, MapRng, Seed};

/// How many attempts look for the first floor that holds the pins: fewer on large floors, where each costs more.
fn proof_attempts(size: Size) -> u32 {
    (400 * 256 / size.cells().max(1) as u32).clamp(40, 400)
}

/// The cells that are fixed: a tile, and what stands on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pins {
    size: Size,
    cells: Vec<Option<Fixed>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fixed {
    pub(super) tile: TileKind,
    pub(super) entity: Option<EntityKind>,
}

/// The way in which a floor around pins is drawn, and the floor that proves it possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PinPlan {
    pub(super) pins: Pins,
    safe: Option<Box<Drawn>>,
}

/// What an attempt drew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Drawn {
    tiles: Vec<TileKind>,
    entities: Vec<Entity>,
    entrance: Pos,
    exit: Pos,
    path: Vec<Pos>,
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
                let fixed = of_symbol(c).map(|(tile, entity)| Fixed { tile, entity });
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
    pub(super) fn iter(&self) -> impl Iterator<Item = (Pos, Fixed)> {
        self.size.iter().zip(&self.cells).filter_map(|(pos, fixed)| Some((pos, (*fixed)?)))
    }

    fn get(&self, pos: Pos) -> Option<Fixed> {
        self.cells[self.size.index(pos)]
    }

    /// The one cell that is fixed to be an end, if there is one.
    fn end(&self, kind: TileKind) -> Result<Option<Pos>, ConfigError> {
        let mut ends = self.iter().filter(|(_, fixed)| fixed.tile == kind).map(|(pos, _)| pos);
        let first = ends.next();
        match ends.next() {
            None => Ok(first),
            Some(other) => {
                let (problem, remedy) = (format!("a second {} at {other}", kind.name()), "fix one of each");
                Err(ConfigError::new("pins", kind.symbol(), problem, remedy))
            }
        }
    }

    fn count(&self, budget: Budget) -> u32 {
        let counts = |fixed: &Fixed| match budget.entity() {
            Some(kind) => fixed.entity == Some(kind),
            None => budget.tile() == Some(fixed.tile),
        };
        self.iter().filter(|(_, fixed)| counts(fixed)).count() as u32
    }

    /// Takes the fixed ends into the task, and refuses budgets that are smaller than what is fixed.
    pub(super) fn agree(&self, task: &mut Task) -> Result<(), ConfigError> {
        for (field, kind, asked) in
            [("entrance", TileKind::Entrance, &mut task.entrance), ("exit", TileKind::Exit, &mut task.exit)]
        {
            let Some(pinned) = self.end(kind)? else { continue };
            match *asked {
                Some(other) if other != pinned => {
                    let problem = format!("the pins have it at {pinned}");
                    return Err(ConfigError::new(field, other, problem, "leave one of them out"));
                }
                _ => *asked = Some(pinned),
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

impl PinPlan {
    pub(super) fn new(pins: Pins) -> PinPlan {
        PinPlan { pins, safe: None }
    }

    /// Looks for the first floor that holds the pins; refuses the configuration if there is none among the attempts.
    pub(super) fn prove(mut self, spec: &Spec) -> Result<PinPlan, ConfigError> {
        let mut streams = Streams::of(&Seed::new(0));
        let mut judge = Validator::default();
        let mut fault = None;
        let attempts = proof_attempts(self.pins.size);
        for attempt in 0..attempts {
            let Some(drawn) = self.draw(spec.task(), attempt, &mut streams) else { continue };
            let floor = drawn.clone().floor(&Seed::new(0), spec, Origin::Safe { attempts: 0 });
            if judge.is_valid(&floor) {
                self.safe = Some(Box::new(drawn));
                return Ok(self);
            }
            fault = judge.judge(&floor).report.violations.first().map(ToString::to_string);
        }
        let fault = fault.unwrap_or_else(|| "no way leads from the entrance to the exit around them".into());
        let problem = format!("no floor was found that holds them in {attempts} attempts; the last: {fault}");
        Err(ConfigError::new("pins", "the drawing", problem, "free some cells or ask for less"))
    }

    /// Makes the floor of `seed`: the first attempt that holds, or the safe one.
    pub(super) fn generate(&self, seed: &Seed, spec: &Spec) -> Floor {
        let mut streams = Streams::of(seed);
        let mut judge = Validator::default();
        for attempt in 0..spec.attempts() {
            let Some(drawn) = self.draw(spec.task(), attempt, &mut streams) else { continue };
            let floor = drawn.floor(seed, spec, Origin::Carve { attempt });
            if judge.is_valid(&floor) {
                return floor;
            }
        }
        // `prove` put it there before any spec with this plan existed.
        let safe = self.safe.as_deref().cloned().unwrap_or_default();
        safe.floor(seed, spec, Origin::Safe { attempts: spec.attempts() })
    }

    /// One attempt: ends, way, joined pins, room, things. None if one of them cannot be.
    fn draw(&self, task: &Task, attempt: u32, streams: &mut Streams) -> Option<Drawn> {
        let mut work = Work::new(&self.pins, &mut streams.path);
        let entrance = work.end(task.entrance, None, &mut streams.path)?;
        let exit = work.end(task.exit, Some(entrance), &mut streams.path)?;
        work.ends = [entrance, exit];
        // The way passes fixed chests, which have to stand beside it, and makes a detour now and then, where it has to be long.
        let mut stops = vec![entrance];
        let mut passed = work.beside_chests(&mut streams.path);
        passed.sort_by_key(|pos| pos.taxi_distance(entrance));
        stops.append(&mut passed);
        for _ in 0..attempt % 4 {
            stops.extend(work.draw_free(&mut streams.path));
        }
        stops.push(exit);
        for pair in stops.windows(2) {
            work.carve(pair[0], &|pos| pos == pair[1], true)?;
        }
        work.join(entrance)?;
        work.open_more(task, &mut streams.open);
        work.place(task, &mut streams.things)
    }
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
        for (pos, _) in pins.iter().filter(|(_, fixed)| fixed.tile == TileKind::Door) {
            let sides: [[Dir; 2]; 2] = [[Dir::North, Dir::South], [Dir::East, Dir::West]];
            let may_close = |dirs: &[Dir; 2]| {
                dirs.iter().all(|&dir| pos.step(dir, size).is_none_or(|next| !work.open.contains(next)))
            };
            let choices: Vec<[Dir; 2]> = sides.into_iter().filter(may_close).collect();
            if choices.is_empty() {
                continue;
            }
            for dir in choices[rng.below(choices.len() as u32) as usize] {
                pos.step(dir, size).into_iter().for_each(|next| work.closed.insert(next));
            }
        }
        work
    }

    fn beside(&self, pos: Pos) -> impl Iterator<Item = Pos> + use<> {
        let size = self.size;
        Dir::STRAIGHT.into_iter().filter_map(move |dir| pos.step(dir, size))
    }

    /// A cell that nobody fixed and that may be opened.
    fn draw_free(&self, rng: &mut MapRng) -> Option<Pos> {
        let free: Vec<Pos> = self
            .size
            .iter()
            .filter(|&pos| self.pins.get(pos).is_none() && !self.closed.contains(pos))
            .collect();
        if free.is_empty() { None } else { Some(free[rng.below(free.len() as u32) as usize]) }
    }

    /// For each fixed chest a cell beside it that the way may pass.
    fn beside_chests(&self, rng: &mut MapRng) -> Vec<Pos> {
        let mut places = Vec::new();
        for (pos, _) in self.pins.iter().filter(|(_, fixed)| fixed.tile == TileKind::Chest) {
            let plain = |pos: &Pos| self.pins.get(*pos).is_none_or(|at| at.tile == TileKind::Floor);
            let beside: Vec<Pos> =
                self.beside(pos).filter(|pos| !self.closed.contains(*pos)).filter(plain).collect();
            if !beside.is_empty() {
                places.push(beside[rng.below(beside.len() as u32) as usize]);
            }
        }
        places
    }

    fn end(&self, asked: Option<Pos>, other: Option<Pos>, rng: &mut MapRng) -> Option<Pos> {
        match asked {
            Some(pos) => {
                let end = |fixed: Fixed| matches!(fixed.tile, TileKind::Entrance | TileKind::Exit);
                (self.pins.get(pos).is_none_or(end) && !self.closed.contains(pos)).then_some(pos)
            }
            None => self.draw_free(rng).filter(|&pos| Some(pos) != other),
        }
    }

    /// Opens a cheapest way over cells of random weight from `from` to a goal. On the way proper fixed chests and traps are walked
    /// around.
    fn carve(&mut self, from: Pos, goal: &dyn Fn(Pos) -> bool, proper: bool) -> Option<()> {
        const FAR: u32 = u32::MAX;
        let passes = |pos: Pos| {
            let hindered = self.pins.get(pos).is_some_and(|fixed| {
                matches!(fixed.tile, TileKind::Chest | TileKind::Trap)
                    || (matches!(fixed.tile, TileKind::Entrance | TileKind::Exit) && !goal(pos))
            });
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
            for next in self.beside(pos).filter(|&next| passes(next)) {
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
        (goal(from)).then_some(())
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
            for next in work.beside(from) {
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
        self.beside(pos).filter_map(|next| steps[self.size.index(next)]).min()
    }

    /// Sets the steps of a cell, and counts those of the cells that it brings nearer again.
    fn spread(&self, from: Pos, first: Option<u32>, steps: &mut [Option<u32>]) {
        steps[self.size.index(from)] = first;
        let mut queue = vec![from];
        let mut at = 0;
        while let Some(&pos) = queue.get(at) {
            at += 1;
            let Some(here) = steps[self.size.index(pos)] else { continue };
            for next in self.beside(pos).filter(|&next| self.open.contains(next)) {
                let there = &mut steps[self.size.index(next)];
                if there.is_none_or(|there| there > here + 1) {
                    *there = Some(here + 1);
                    queue.push(next);
                }
            }
        }
    }

    /// Puts everything on the floor: what is fixed, then the rest of each budget.
    fn place(self, task: &Task, rng: &mut MapRng) -> Option<Drawn> {
        let [entrance, exit] = self.ends;
        let size = self.size;
        let fixed = |pos: Pos| self.pins.get(pos);
        let clear = |pos: Pos| {
            let hindered = fixed(pos).is_some_and(|at| matches!(at.tile, TileKind::Chest | TileKind::Trap));
            self.open.contains(pos) && !hindered
        };
        let path = follow(size, [entrance, exit], &clear, &|pos| {
            self.beside(pos).any(|next| fixed(next).is_some_and(|at| at.tile == TileKind::Chest))
        });
        if path.is_empty() {
            return None;
        }
        let on_path = BitGrid::of(size, path.iter().copied());
        let mut tiles: Vec<TileKind> = size
            .iter()
            .map(|pos| match (fixed(pos), self.open.contains(pos)) {
                _ if pos == entrance => TileKind::Entrance,
                _ if pos == exit => TileKind::Exit,
                (Some(fixed), _) => fixed.tile,
                (None, true) => TileKind::Floor,
                (None, false) => TileKind::Wall,
            })
            .collect();
        let mut entities: Vec<Entity> = Vec::new();
        for (pos, kind) in self.pins.iter().filter_map(|(pos, at)| Some((pos, at.entity?))) {
            entities.push(Entity::new(kind, pos));
        }
        let near: Vec<Option<u32>> = self.steps(entrance);
        let mut taken = BitGrid::of(size, self.pins.iter().map(|(pos, _)| pos).chain([entrance, exit]));
        // Where doors can stand does not change while things are placed.
        let doors = self.pins.count(Budget::Door)..task.count(Budget::Door);
        let gates = match doors.is_empty() {
            true => BitGrid::new(size),
            false => {
                let frame = Rows::frame(size);
                let [entrance, exit] = self.ends.map(|end| frame.cell(end));
                let (open, on_way) = (Rows::of(&frame, self.open.iter()), Rows::empty(&frame));
                let shape = Shape { open, on_way, entrance, exit };
                find_chokepoints(&frame, &shape, &mut Tides::default()).to_grid(&frame)
            }
        };
        for budget in Budget::ALL {
            let missing = self.pins.count(budget)..task.count(budget);
            if missing.is_empty() {
                continue;
            }
            let may = |pos: Pos| match budget {
                Budget::Door => {
                    let is_door = |next: Pos| fixed(next).is_some_and(|at| at.tile == TileKind::Door);
                    gates.contains(pos) && !self.beside(pos).any(is_door)
                }
                Budget::Chest => {
                    !on_path.contains(pos) && self.beside(pos).any(|next| on_path.contains(next))
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
                if cells.is_empty() {
                    return None;
                }
                let pos = cells.remove(rng.below(cells.len() as u32) as usize);
                taken.insert(pos);
                if budget == Budget::Door {
                    cells.retain(|cell| cell.taxi_distance(pos) > 1);
                }
                entities.extend(budget.entity().map(|kind| Entity::new(kind, pos)));
                budget.tile().into_iter().for_each(|tile| tiles[size.index(pos)] = tile);
            }
        }
        Entity::sort(&mut entities);
        Some(Drawn { tiles, entities, entrance, exit, path })
    }
}

impl Drawn {
    fn floor(self, seed: &Seed, spec: &Spec, origin: Origin) -> Floor {
        let Drawn { tiles, entities, entrance, exit, path } = self;
        Floor { tiles, entities, entrance, exit, path, origin, ..Floor::blank(seed.clone(), spec) }
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
