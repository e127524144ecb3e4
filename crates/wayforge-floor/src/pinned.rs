//! Generates floors around pinned cells, with paths by Dijkstra's algorithm (Dijkstra 1959) over
//! random weights.
//!
//! Pins may be anywhere, so counting proves little; attempts are generated and validated instead.
//! `resolve` accepts a configuration only if one of a fixed number of attempts is valid. That floor
//! is also the fallback.

use super::cell_set::{CellSet, RowSet, neighbours};
use super::choke::{DfsScratch, find_choke_points};
use super::config::{Budget, Config};
use super::draft::Layout;
use super::map::{Content, Entity, Floor, Origin, TileKind, parse_symbol, symbols};
use super::spec::Spec;
use super::stamp::find_shortest_path;
use super::streams::Streams;
use super::task::Task;
use super::validate::Validator;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wayforge_core::grid::{BitGrid, Dir, Pos, Size};
use wayforge_core::{ConfigError, MapRng, Seed, Work};

/// Tiles that the path avoids.
const OBSTACLES: [TileKind; 2] = [TileKind::Chest, TileKind::Trap];
const ENDS: [TileKind; 2] = [TileKind::Entrance, TileKind::Exit];

/// Returns the number of attempts to prove the pins feasible: fewer on large floors, where each
/// attempt costs more.
fn proof_attempts(size: Size) -> u32 {
    (400 * 256 / size.cells().max(1) as u32).clamp(40, 400)
}

/// The pinned cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pins {
    size: Size,
    cells: Vec<Option<Content>>,
}

impl Pins {
    /// Parses the drawing of pinned cells. Returns `None` if it is empty.
    ///
    /// # Errors
    /// [`ConfigError`] if the drawing has another size or an unknown symbol.
    pub(super) fn read(rows: &[String], size: Size) -> Result<Option<Pins>, ConfigError> {
        if rows.is_empty() {
            return Ok(None);
        }
        let remedy =
            format!("draw {} rows of {} characters, ? for free cells", size.height, size.width);
        if rows.len() != usize::from(size.height) {
            let problem = "not the floor's height";
            return Err(ConfigError::new("pins", format!("{} rows", rows.len()), problem, remedy));
        }
        let mut cells = Vec::with_capacity(size.cells());
        for (y, row) in rows.iter().enumerate() {
            if row.chars().count() != usize::from(size.width) {
                return Err(ConfigError::new(
                    format!("pins[{y}]"),
                    row,
                    "not the floor's width",
                    remedy,
                ));
            }
            for c in row.chars() {
                let fixed = parse_symbol(c);
                if c != '?' && fixed.is_none() {
                    let (problem, remedy) =
                        (format!("unknown symbol {c:?}"), format!("use ? {}", symbols()));
                    return Err(ConfigError::new(format!("pins[{y}]"), row, problem, remedy));
                }
                cells.push(fixed);
            }
        }
        Ok(Some(Pins { size, cells }))
    }

    /// Returns the pinned cells in reading order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Pos, Content)> {
        self.size.iter().zip(&self.cells).filter_map(|(pos, fixed)| Some((pos, (*fixed)?)))
    }

    /// Returns the cells pinned to a kind of tile.
    fn cells_of_kind(&self, kind: TileKind) -> impl Iterator<Item = Pos> {
        self.iter().filter(move |(_, fixed)| fixed.tile == kind).map(|(pos, _)| pos)
    }

    fn get(&self, pos: Pos) -> Option<Content> {
        self.cells[self.size.index(pos)]
    }

    /// Returns whether a cell is pinned to one of these kinds of tile.
    fn is_any_of(&self, pos: Pos, kinds: &[TileKind]) -> bool {
        self.get(pos).is_some_and(|fixed| kinds.contains(&fixed.tile))
    }

    fn count(&self, budget: Budget) -> u32 {
        let tiles: Vec<TileKind> = self.iter().map(|(_, fixed)| fixed.tile).collect();
        budget.count(&tiles, self.iter().filter_map(|(_, fixed)| fixed.entity)) as u32
    }

    /// Copies pinned entrance and exit to the task.
    ///
    /// # Errors
    /// [`ConfigError`] if the pins contradict the task: several entrances or exits, another
    /// position, or more objects than a budget allows.
    pub(super) fn apply_to(&self, task: &mut Task) -> Result<(), ConfigError> {
        for (field, kind, requested) in [
            ("entrance", TileKind::Entrance, &mut task.entrance),
            ("exit", TileKind::Exit, &mut task.exit),
        ] {
            let mut ends = self.cells_of_kind(kind);
            let Some(pinned) = ends.next() else { continue };
            if let Some(other) = ends.next() {
                let problem = format!("a second {} at {other}", kind.name());
                return Err(ConfigError::new("pins", kind.symbol(), problem, "pin one of each"));
            }
            if let Some(other) = requested.replace(pinned).filter(|&other| other != pinned) {
                let problem = format!("the pins place it at {pinned}");
                return Err(ConfigError::new(field, other, problem, "leave one of them out"));
            }
        }
        for budget in Budget::ALL {
            let (pinned, requested) = (self.count(budget), task.count(budget));
            if pinned > requested {
                let problem = format!("the pins contain {}", budget.count_label(pinned));
                let remedy = format!("use at least {pinned}, or free some cells");
                return Err(ConfigError::new(budget.field(), requested, problem, remedy));
            }
        }
        Ok(())
    }
}

/// Finds the first valid floor with the pins.
///
/// # Errors
/// [`ConfigError`] if no attempt is valid.
pub(super) fn prove(spec: &Spec, pins: &Pins) -> Result<Floor, ConfigError> {
    let seed = Seed::new(0);
    let mut streams = Streams::new(&seed);
    let mut validator = Validator::default();
    let mut fault = None;
    let attempts = proof_attempts(pins.size);
    for attempt in 0..attempts {
        let Some(floor) = attempt_floor(&seed, spec, pins, attempt, &mut streams) else { continue };
        if validator.is_valid(&floor) {
            return Ok(floor);
        }
        fault = validator.validate(&floor).report.violations.first().map(ToString::to_string);
    }
    let fault =
        fault.unwrap_or_else(|| "some pin cannot be reached, or some object has no room".into());
    let problem =
        format!("no floor with these pins was found in {attempts} attempts; last problem: {fault}");
    let rows = format!("{} rows", pins.size.height);
    Err(ConfigError::new("pins", rows, problem, "free some cells or lower the budgets"))
}

/// Steps of work per cell of an attempt, which finds several paths and validates the floor.
const STEPS_PER_CELL: u64 = 256;

/// Generates the floor of `seed`: the first valid attempt, or else `proof`, found by [`prove`].
///
/// Returns any floor once `work` is stopped.
pub(super) fn generate(
    seed: &Seed,
    spec: &Spec,
    pins: &Pins,
    proof: Option<&Floor>,
    work: &Work,
) -> Floor {
    let mut streams = Streams::new(seed);
    let mut validator = Validator::default();
    let steps = STEPS_PER_CELL * spec.size().cells() as u64;
    let attempts = (0..spec.attempts()).take_while(|_| work.spend(steps));
    let mut floors = attempts.filter_map(|n| attempt_floor(seed, spec, pins, n, &mut streams));
    floors.find(|floor| validator.is_valid(floor)).unwrap_or_else(|| {
        let blank = Floor::blank(seed.clone(), spec);
        let origin = Origin::Fallback { attempts: spec.attempts() };
        // Every spec that generates floors has a proof.
        let proof = proof.unwrap_or(&blank).clone();
        Floor { seed: blank.seed, spec: blank.spec, origin, ..proof }
    })
}

/// Makes one attempt: entrance and exit, path, connections to pins, open tiles, objects.
fn attempt_floor(
    seed: &Seed,
    spec: &Spec,
    pins: &Pins,
    attempt: u32,
    streams: &mut Streams,
) -> Option<Floor> {
    let (task, rng) = (spec.task(), &mut streams.path);
    let mut draft = PinnedDraft::new(pins, rng);
    let entrance = draft.choose_end(task.entrance, None, rng)?;
    let exit = draft.choose_end(task.exit, Some(entrance), rng)?;
    draft.ends = [entrance, exit];
    // The path passes next to every pinned chest. Random stops add detours in case it must be long.
    let mut stops = draft.beside_chests(rng);
    stops.sort_by_key(|pos| pos.manhattan_distance(entrance));
    stops.insert(0, entrance);
    stops.extend((0..attempt % 4).filter_map(|_| draft.draw_free(rng)));
    stops.push(exit);
    for pair in stops.windows(2) {
        draft.carve(pair[0], &|pos| pos == pair[1], true)?;
    }
    draft.connect_pins(entrance)?;
    draft.open_space(task, &mut streams.open);
    let floor = Floor { origin: Origin::Carve { attempt }, ..Floor::blank(seed.clone(), spec) };
    draft.place(task, &mut streams.objects, floor)
}

/// Chooses an item uniformly at random.
fn choose<T: Copy>(items: &[T], rng: &mut MapRng) -> Option<T> {
    (!items.is_empty()).then(|| items[rng.below(items.len() as u32) as usize])
}

/// A floor under construction.
struct PinnedDraft<'a> {
    pins: &'a Pins,
    size: Size,
    open: BitGrid,
    /// Cells that must stay closed: pinned walls and water, and the sides of pinned doors.
    closed: BitGrid,
    ends: [Pos; 2],
    /// Cost of opening each cell.
    weights: Vec<u32>,
}

impl<'a> PinnedDraft<'a> {
    fn new(pins: &'a Pins, rng: &mut MapRng) -> PinnedDraft<'a> {
        let size = pins.size;
        let mut draft = PinnedDraft {
            pins,
            size,
            open: BitGrid::new(size),
            closed: BitGrid::new(size),
            ends: [Pos::default(); 2],
            weights: (0..size.cells()).map(|_| 1 + rng.below(6)).collect(),
        };
        for (pos, fixed) in pins.iter() {
            if fixed.tile.is_walkable() { draft.open.insert(pos) } else { draft.closed.insert(pos) }
        }
        // A pinned door needs two opposite closed sides. If both pairs are possible, one is chosen
        // at random.
        for pos in pins.cells_of_kind(TileKind::Door) {
            let axes = [[Dir::North, Dir::South], [Dir::East, Dir::West]];
            let sides = axes.map(|dirs| dirs.map(|dir| pos.step(dir, size)));
            let can_close = |side: &Option<Pos>| side.is_none_or(|next| !draft.open.contains(next));
            let choices: Vec<_> =
                sides.into_iter().filter(|sides| sides.iter().all(can_close)).collect();
            let closed = choose(&choices, rng).into_iter().flatten().flatten();
            closed.for_each(|next| draft.closed.insert(next));
        }
        draft
    }

    /// Draws a cell that is not pinned and may be opened.
    fn draw_free(&self, rng: &mut MapRng) -> Option<Pos> {
        let is_free = |pos: &Pos| self.pins.get(*pos).is_none() && !self.closed.contains(*pos);
        choose(&self.size.iter().filter(is_free).collect::<Vec<_>>(), rng)
    }

    /// Returns a random neighbour of each pinned chest that the path can pass through.
    fn beside_chests(&self, rng: &mut MapRng) -> Vec<Pos> {
        let is_plain =
            |pos: &Pos| self.pins.get(*pos).is_none_or(|fixed| fixed.tile == TileKind::Floor);
        let is_passable = |pos: &Pos| !self.closed.contains(*pos) && is_plain(pos);
        let options =
            |chest: Pos| neighbours(chest, self.size).filter(is_passable).collect::<Vec<_>>();
        self.pins
            .cells_of_kind(TileKind::Chest)
            .filter_map(|chest| choose(&options(chest), rng))
            .collect()
    }

    fn choose_end(
        &self,
        requested: Option<Pos>,
        other: Option<Pos>,
        rng: &mut MapRng,
    ) -> Option<Pos> {
        let Some(pos) = requested else {
            return self.draw_free(rng).filter(|&pos| Some(pos) != other);
        };
        let free = self.pins.get(pos).is_none() || self.pins.is_any_of(pos, &ENDS);
        (free && !self.closed.contains(pos)).then_some(pos)
    }

    /// Opens the cheapest path over cells of random weight from `from` to a goal.
    ///
    /// The main path avoids pinned chests, traps and ends. Returns `None` if no path exists.
    fn carve(&mut self, from: Pos, goal: &dyn Fn(Pos) -> bool, is_main_path: bool) -> Option<()> {
        const UNREACHED: u32 = u32::MAX;
        let is_passable = |pos: Pos| {
            let is_obstacle = || {
                self.pins.is_any_of(pos, &OBSTACLES)
                    || (self.pins.is_any_of(pos, &ENDS) && !goal(pos))
            };
            !(self.closed.contains(pos) || is_main_path && is_obstacle())
        };
        let mut costs = vec![UNREACHED; self.size.cells()];
        let mut predecessors: Vec<Option<Pos>> = vec![None; self.size.cells()];
        costs[self.size.index(from)] = 0;
        // Ordered by cost, then by position. A cell may be queued twice; the more expensive entry
        // is skipped.
        let mut queue = BinaryHeap::from([Reverse((0_u32, from))]);
        while let Some(Reverse((cost, pos))) = queue.pop() {
            if cost > costs[self.size.index(pos)] {
                continue;
            }
            if goal(pos) && pos != from {
                let mut current = Some(pos);
                while let Some(pos) = current {
                    self.open.insert(pos);
                    current = predecessors[self.size.index(pos)];
                }
                return Some(());
            }
            for next in neighbours(pos, self.size).filter(|&next| is_passable(next)) {
                let index = self.size.index(next);
                // Open cells have the minimum cost.
                let new_cost =
                    cost + if self.open.contains(next) { 1 } else { self.weights[index] };
                if new_cost < costs[index] {
                    costs[index] = new_cost;
                    predecessors[index] = Some(pos);
                    queue.push(Reverse((new_cost, next)));
                }
            }
        }
        goal(from).then_some(())
    }

    /// Returns the distance of every cell from `from` over open cells.
    fn distances(&self, from: Pos) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.size.cells()];
        self.propagate_distances(from, Some(0), &mut distances);
        distances
    }

    /// Connects open cells that the path does not reach, in reading order. Returns `None` if a cell
    /// cannot be connected.
    fn connect_pins(&mut self, entrance: Pos) -> Option<()> {
        // Larger than any distance, so the update skips cells that were reached before.
        const REACHED: Option<u32> = Some(1 << 16);
        let mut reached = self.distances(entrance);
        for pos in self.size.iter() {
            let size = self.size;
            if self.open.contains(pos) && reached[size.index(pos)].is_none() {
                self.carve(pos, &|goal| reached[size.index(goal)].is_some(), false)?;
                self.propagate_distances(pos, REACHED, &mut reached);
            }
        }
        Some(())
    }

    /// Opens frontier cells until the target is reached, as long as the path stays long enough.
    fn open_space(&mut self, task: &Task, rng: &mut MapRng) {
        let [entrance, exit] = self.ends;
        // No path is shorter than the Manhattan distance.
        let always_long_enough = entrance.manhattan_distance(exit) >= task.min_path_length;
        // Each cell is examined once. A rejected cell stays rejected, because opening more cells
        // only shortens paths.
        let mut seen = self.open.clone();
        let mut frontier: Vec<Pos> = Vec::new();
        let mut add_neighbours = |from: Pos, draft: &PinnedDraft<'_>, frontier: &mut Vec<Pos>| {
            for next in neighbours(from, draft.size) {
                if !seen.contains(next) && !draft.closed.contains(next) {
                    seen.insert(next);
                    frontier.push(next);
                }
            }
        };
        for pos in self.open.clone().iter() {
            add_neighbours(pos, self, &mut frontier);
        }
        let mut distances = if always_long_enough {
            [const { Vec::new() }; 2]
        } else {
            [entrance, exit].map(|end| self.distances(end))
        };
        let mut count = self.open.len() as u32;
        while count < task.open && !frontier.is_empty() {
            let pos = frontier.swap_remove(rng.below(frontier.len() as u32) as usize);
            if always_long_enough || self.stays_long_enough(pos, task.min_path_length, &distances) {
                self.open.insert(pos);
                count += 1;
                for distances in distances.iter_mut().filter(|_| !always_long_enough) {
                    let distance = self.nearest(pos, distances).map(|nearest| nearest + 1);
                    self.propagate_distances(pos, distance, distances);
                }
                add_neighbours(pos, self, &mut frontier);
            }
        }
    }

    /// Returns whether the path keeps the minimum length if a cell is opened.
    ///
    /// `distances` are those from the entrance and from the exit.
    fn stays_long_enough(
        &self,
        pos: Pos,
        min_length: u32,
        distances: &[Vec<Option<u32>>; 2],
    ) -> bool {
        let current = distances[0][self.size.index(self.ends[1])];
        let [from_entrance, from_exit] =
            distances.each_ref().map(|distances| self.nearest(pos, distances));
        let through = from_entrance.zip(from_exit).map(|(a, b)| a + b + 2);
        current.into_iter().chain(through).min().is_some_and(|length| length >= min_length)
    }

    /// Returns the smallest distance of a neighbour.
    fn nearest(&self, pos: Pos, distances: &[Option<u32>]) -> Option<u32> {
        neighbours(pos, self.size).filter_map(|next| distances[self.size.index(next)]).min()
    }

    /// Sets the distance of a cell and updates all cells that become closer.
    fn propagate_distances(&self, from: Pos, first: Option<u32>, distances: &mut [Option<u32>]) {
        distances[self.size.index(from)] = first;
        let mut queue = vec![from];
        let mut head = 0;
        while let Some(&pos) = queue.get(head) {
            head += 1;
            let Some(distance) = distances[self.size.index(pos)] else { continue };
            for next in neighbours(pos, self.size).filter(|&next| self.open.contains(next)) {
                let next_distance = &mut distances[self.size.index(next)];
                if next_distance.is_none_or(|old| old > distance + 1) {
                    *next_distance = Some(distance + 1);
                    queue.push(next);
                }
            }
        }
    }

    /// Places the pinned objects, then the rest of each budget. Returns `None` if there is no path
    /// or no room.
    fn place(self, task: &Task, rng: &mut MapRng, mut floor: Floor) -> Option<Floor> {
        let PinnedDraft { pins, size, ends, .. } = self;
        let is_clear = |pos: Pos| self.open.contains(pos) && !pins.is_any_of(pos, &OBSTACLES);
        let beside_pinned = |pos: Pos, kind: TileKind| {
            neighbours(pos, size).any(|next| pins.is_any_of(next, &[kind]))
        };
        floor.path =
            find_shortest_path(size, ends, &is_clear, &|pos| beside_pinned(pos, TileKind::Chest));
        if floor.path.is_empty() {
            return None;
        }
        [floor.entrance, floor.exit] = ends;
        let on_path = BitGrid::from_cells(size, floor.path.iter().copied());
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
        let entrance_distances = self.distances(ends[0]);
        let mut occupied = BitGrid::from_cells(size, pins.iter().map(|(pos, _)| pos).chain(ends));
        for budget in Budget::ALL {
            let missing = pins.count(budget)..task.count(budget);
            if missing.is_empty() {
                continue;
            }
            let door_cells =
                if budget == Budget::Door { self.door_cells() } else { BitGrid::new(size) };
            let is_allowed = |pos: Pos| match budget {
                Budget::Door => door_cells.contains(pos) && !beside_pinned(pos, TileKind::Door),
                Budget::Chest => {
                    !on_path.contains(pos)
                        && neighbours(pos, size).any(|next| on_path.contains(next))
                }
                Budget::Trap => !on_path.contains(pos),
                Budget::Enemy => {
                    entrance_distances[size.index(pos)].is_some_and(|distance| distance >= 2)
                        && !(task.keeps_path_safe() && on_path.contains(pos))
                }
                Budget::Water | Budget::Item | Budget::Relic | Budget::Npc => true,
            };
            let is_free_ground = |pos: Pos| self.open.contains(pos) != (budget == Budget::Water);
            let mut cells: Vec<Pos> = size
                .iter()
                .filter(|&pos| !occupied.contains(pos) && is_free_ground(pos) && is_allowed(pos))
                .collect();
            for _ in missing {
                let pos = choose(&cells, rng)?;
                cells.retain(|&cell| cell != pos);
                occupied.insert(pos);
                if budget == Budget::Door {
                    cells.retain(|cell| cell.manhattan_distance(pos) > 1);
                }
                floor.put(pos, budget);
            }
        }
        Entity::sort(&mut floor.entities);
        Some(floor)
    }

    /// Returns the cells where doors can be placed.
    fn door_cells(&self) -> BitGrid {
        let shape = RowSet::shape(self.size);
        let [entrance, exit] = self.ends.map(|end| shape.cell(end));
        let (open, on_path) =
            (RowSet::from_positions(&shape, self.open.iter()), RowSet::empty(&shape));
        let layout = Layout { open, on_path, entrance, exit };
        find_choke_points(&shape, &layout, &mut DfsScratch::default()).to_grid(&shape)
    }
}

impl Config {
    /// Returns an upper bound on the number of passes over all cells that generation takes. A
    /// server checks it before it starts generation.
    ///
    /// Without pins, each attempt counts as one pass. With pins, the attempts of the proof count as
    /// well. Each attempt takes eight passes, one per pinned chest, and more for doors and pinned
    /// open cells.
    #[doc(hidden)]
    pub fn max_passes(&self) -> u64 {
        let count_or = |number: Option<i64>, default: u64| {
            number.map_or(default, |number| number.max(0).unsigned_abs())
        };
        let attempts = count_or(self.attempts, 32);
        if self.pins.is_empty() {
            return attempts;
        }
        let count = |counts: fn(char) -> bool| {
            self.pins.iter().flat_map(|row| row.chars()).filter(|&symbol| counts(symbol)).count()
                as u64
        };
        let chests = count(|symbol| symbol == TileKind::Chest.symbol());
        let open = count(|symbol| {
            !['?', TileKind::Wall.symbol(), TileKind::Water.symbol()].contains(&symbol)
        });
        // Measured on floors of 64 x 64.
        let passes_per_attempt = 8 + chests + open / 64;
        let passes_per_attempt =
            passes_per_attempt.saturating_add(count_or(self.door_budget, 0) / 4);
        let side = |side: Option<i64>| count_or(side, 5).clamp(1, 64) as u16;
        let proof = proof_attempts(Size::new(side(self.width), side(self.height)));
        attempts.saturating_add(proof.into()).saturating_mul(passes_per_attempt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_raise_the_bound_on_passes() {
        let passes = |text: &str| Config::from_json(text.as_bytes()).unwrap().max_passes();
        let plain = passes(r#"{"width": 9, "height": 2}"#);
        assert_eq!(plain, 32);
        assert!(
            passes(r#"{"width": 9, "height": 2, "pins": ["?????????", "????$????"]}"#) > 10 * plain
        );
    }
}
