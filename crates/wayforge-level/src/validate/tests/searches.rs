//! Compares the searches of generator and validator with each other and with brute force.

use super::super::state_space::{MovementGrid, StateSpace, UNREACHABLE};
use super::super::{View, connectivity};
use crate::bit_flood::{BitFlood, Direction};
use crate::cell_flags::{CellFlags, MoverGrid};
use crate::search::{Search, SearchInput};
use crate::soft_locks::{self, SoftLockScratch};
use crate::{
    Blueprint, Config, InteriorWalls, Level, MarkConfig, Mover, ObjectiveConfig, SoftLock, Spec,
    Symbol, Tags, Witness,
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use wayforge_core::grid::{BitGrid, Dir, Pos, Size};
use wayforge_core::{MapRng, Seed, Work};

/// A random interior inside valid rings, with locked marks, reinforced walls and chains.
#[derive(Debug)]
struct RandomLevel {
    spec: Spec,
    blueprint: Blueprint,
    tags: Tags,
    work: Work,
}

impl RandomLevel {
    fn view(&self) -> View<'_> {
        View::of(&self.spec, &self.blueprint, &self.tags, false, &self.work)
    }

    fn cell_flags(&self) -> CellFlags {
        let mut cell_flags = CellFlags::default();
        cell_flags.read(&self.spec, &self.blueprint, &self.tags);
        cell_flags
    }
}

/// Random levels with sizes in the ranges; `occupied` is the percentage of cells other than plain
/// floor.
fn random(
    widths: std::ops::Range<i64>,
    heights: std::ops::Range<i64>,
) -> impl Strategy<Value = RandomLevel> {
    (widths, heights, 0_u32..90, any::<bool>(), any::<u64>()).prop_map(
        |(width, height, occupied, solid, seed)| {
            let mark = |name: &str, key: Option<&str>| MarkConfig {
                name: name.into(),
                count: 2,
                cells: Vec::new(),
                locked_until: key.map(str::to_owned),
            };
            let chain = |mover, steps: &[&str]| ObjectiveConfig {
                mover,
                steps: steps.iter().map(|step| (*step).to_owned()).collect(),
            };
            let config = Config {
                width,
                height,
                interior_walls: Some(if solid {
                    InteriorWalls::Solid
                } else {
                    InteriorWalls::Breakable
                }),
                endurance: seed % 2 == 0,
                flashlights: 1,
                marks: vec![
                    mark("key", None),
                    mark("door", Some("key")),
                    mark("gate", Some("door")),
                ],
                objectives: vec![
                    chain(Mover::Person, &["P", "key", "door", "E"]),
                    chain(Mover::Person, &["P", "f", "C", "f", "P", "l"]),
                    chain(Mover::Person, &["key", "key", "door", "gate", "key"]),
                    chain(Mover::Car, &["C", "key", "door", "P", "E"]),
                ],
                ..Config::default()
            };
            let spec = config.resolve().unwrap();
            let size = spec.size();
            let mut rng = MapRng::from_u64(seed);
            let mut blueprint = Blueprint::filled(size, Symbol::Band);
            let mut tags = Tags {
                fall_spawn_cells: BitGrid::new(size),
                reinforced: BitGrid::new(size),
                marks: vec![],
            };
            for pos in size.iter() {
                let edge =
                    pos.x.min(size.width - 1 - pos.x).min(pos.y).min(size.height - 1 - pos.y);
                let symbol = match edge {
                    0 => Symbol::Outside,
                    1 if rng.chance(1, 12) => Symbol::Exit,
                    1 => Symbol::Band,
                    _ if !rng.chance(occupied, 100) => Symbol::Floor,
                    // Mostly walls, pitfalls and moving floors, sometimes a step of a chain.
                    _ => *b"11111xx^^vv<<>>hwPCefl"
                        .get(rng.below(22) as usize)
                        .and_then(|c| Symbol::ALL.iter().find(|symbol| **symbol as u8 == *c))
                        .unwrap(),
                };
                blueprint.set(pos, symbol);
                if symbol == Symbol::Wall && rng.chance(1, 3) {
                    tags.reinforced.insert(pos);
                }
            }
            let mut inside = || Pos {
                x: 2 + rng.below(u32::from(size.width) - 4) as u16,
                y: 2 + rng.below(u32::from(size.height) - 4) as u16,
            };
            for symbol in [Symbol::Player, Symbol::Car, Symbol::Fuel, Symbol::Flashlight] {
                blueprint.set(inside(), symbol);
            }
            let mut used: BTreeSet<Pos> = BTreeSet::new();
            for _ in 0..3 {
                let mut cells: Vec<Pos> =
                    (0..2).map(|_| inside()).filter(|pos| used.insert(*pos)).collect();
                cells.sort_unstable();
                cells.iter().for_each(|pos| blueprint.set(*pos, Symbol::Floor));
                tags.marks.push(cells);
            }
            tags.reinforced = BitGrid::from_cells(
                size,
                tags.reinforced.iter().filter(|pos| blueprint.get(*pos) == Symbol::Wall),
            );
            RandomLevel { spec, blueprint, tags, work: Work::default() }
        },
    )
}

fn cases(n: u32) -> ProptestConfig {
    // `PROPTEST_CASES` overrides `n`, except for proptest's default of 256.
    let default = ProptestConfig::default();
    ProptestConfig { cases: if default.cases == 256 { n } else { default.cases }, ..default }
}

/// Collects the reached cells that are open in the grid.
fn reached_cells(size: Size, reached: impl Fn(Pos) -> bool, mover_grid: &MoverGrid) -> BitGrid {
    BitGrid::from_cells(
        size,
        size.iter().filter(|pos| mover_grid.open.contains(*pos) && reached(*pos)),
    )
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn bit_flood_agrees_with_breadth_first_search(
        random in random(9..200, 7..20),
        count in 1_usize..4,
    ) {
        let (view, cell_flags, size) = (random.view(), random.cell_flags(), random.spec.size());
        let grid = MovementGrid::of(&view);
        let (mut mover_grid, mut flood) = (MoverGrid::default(), BitFlood::default());
        for mover in [Mover::Person, Mover::Car] {
            mover_grid.read(&cell_flags, mover);
            let open: Vec<Pos> = mover_grid.open.iter().collect();
            prop_assert_eq!(&mover_grid.open, &BitGrid::from_cells(size, size.iter().filter(|&pos| {
                let symbol = random.blueprint.get(pos);
                random.spec.can_enter(mover, symbol) && !random.tags.reinforced.contains(pos)
            })));
            let starts = (0..count).filter_map(|i| open.get(i * open.len() / count));
            let starts: Vec<Pos> = starts.copied().collect();
            for (direction, back) in [(Direction::Forward, false), (Direction::Backward, true)] {
                let mut reached = BitGrid::from_cells(size, starts.iter().copied());
                flood.spread(&mover_grid, direction, &mut reached);
                let plain = grid.flood(mover, starts.iter().copied(), back);
                let is_reached = |pos| plain[size.index(pos)] != UNREACHABLE;
                let plain = reached_cells(size, is_reached, &mover_grid);
                prop_assert_eq!(
                    &reached, &plain,
                    "{:?} back {} from {:?} on\n{}", mover, back, starts, random.blueprint
                );
            }
        }
    }

    #[test]
    fn witness_routes_are_legal_and_shortest(random in random(9..100, 7..20)) {
        let (view, cell_flags) = (random.view(), random.cell_flags());
        let (grid, size) = (MovementGrid::of(&view), random.spec.size());
        let RandomLevel { blueprint, tags, .. } = &random;
        let input = SearchInput { cell_flags: &cell_flags, blueprint, tags };
        let (mut search, mut witness) = (Search::default(), Witness::default());
        for chain in random.spec.chains() {
            let space = StateSpace::of(&view, &grid, chain);
            let finish = space.steps_to_finish();
            search.prepare(input, chain);
            prop_assert_eq!(search.starts(), &space.starts);
            for &start in &space.starts {
                let shortest = finish[space.start(start)];
                match search.find(input, chain, start, &mut witness) {
                    Ok(()) => {
                        prop_assert_eq!(witness.route.len() as u32 - 1, shortest);
                        let mut progress = space.arrive(size.index(start), 0);
                        let mut reached = vec![0; 1];
                        reached.extend((0..progress).map(|_| 0));
                        for (n, step) in (1..).zip(witness.route.windows(2)) {
                            prop_assert_eq!(space.check_step(step[0], step[1], progress), Ok(()));
                            let after = space.arrive(size.index(step[1]), progress);
                            reached.extend((progress..after).map(|_| n));
                            progress = after;
                        }
                        prop_assert_eq!(&reached, &witness.reached);
                        prop_assert_eq!(reached.len(), chain.steps.len());
                    }
                    Err(furthest) => {
                        prop_assert_eq!(
                            shortest, UNREACHABLE,
                            "a route of {} steps\n{}", shortest, random.blueprint
                        );
                        let reached = space.reachable([start]);
                        let last = reached.iter().rposition(|steps| *steps != UNREACHABLE).unwrap();
                        prop_assert_eq!(furthest as usize, last / size.cells());
                    }
                }
            }
        }
    }

    #[test]
    fn soft_locks_agree_with_breadth_first_search(random in random(9..80, 7..20)) {
        let (view, cell_flags) = (random.view(), random.cell_flags());
        let grid = MovementGrid::of(&view);
        let RandomLevel { blueprint, tags, .. } = &random;
        let input = SearchInput { cell_flags: &cell_flags, blueprint, tags };
        let (mut mover_grid, mut flood) = (MoverGrid::default(), BitFlood::default());
        let mut scratch = SoftLockScratch::default();
        mover_grid.read(&cell_flags, Mover::Person);
        let plain: Vec<SoftLock> = connectivity::soft_locks(&view, &grid).collect();
        for (number, chain) in random.spec.chains().iter().enumerate() {
            let space = StateSpace::of(&view, &grid, chain);
            let finish = space.steps_to_finish();
            // Soft locks are checked only if every start can finish.
            let proved =
                space.starts.iter().all(|start| finish[space.start(*start)] != UNREACHABLE);
            if chain.mover == Mover::Car || !proved {
                continue;
            }
            let mut found = Vec::new();
            let report = |progress: usize, locked: &BitGrid| {
                found.extend(locked.iter().map(|cell| (progress as u32, cell)));
            };
            let work = Work::default();
            soft_locks::find(input, &mover_grid, chain, &mut flood, &mut scratch, &work, report);
            found.sort_unstable();
            let plain = plain.iter().filter(|lock| lock.chain as usize == number);
            let plain: Vec<(u32, Pos)> = plain.map(|lock| (lock.progress, lock.cell)).collect();
            prop_assert_eq!(found, plain, "{:?}\n{}", chain, random.blueprint);
        }
    }
}

proptest! {
    #![proptest_config(cases(40))]

    /// Compares the validator's searches with the closure of all single steps.
    #[test]
    fn breadth_first_searches_agree_with_the_closure_of_steps(random in random(9..16, 7..11)) {
        let view = random.view();
        let grid = MovementGrid::of(&view);
        let level = Level {
            seed: Seed::new(0),
            spec: random.spec.clone(),
            blueprint: random.blueprint.clone(),
            tags: random.tags.clone(),
            car_walkable_cells: BitGrid::default(),
            witness: Vec::new(),
            attempt: Default::default(),
        };
        let mut locks = Vec::new();
        for (number, chain) in random.spec.chains().iter().enumerate() {
            let brute_force = BruteForce { random: &random, chain };
            let space = StateSpace::of(&view, &grid, chain);
            let finish = space.steps_to_finish();
            let mut winnable = BTreeSet::new();
            for &start in &space.starts {
                let first = brute_force.arrive(start, 0);
                let reached = brute_force.closure([(first, start)].into());
                let wins = reached.iter().any(|state| state.0 + 1 == chain.steps.len());
                prop_assert_eq!(
                    wins, finish[space.start(start)] != UNREACHABLE,
                    "{:?} from {}\n{}", chain, start, random.blueprint
                );
                if wins {
                    winnable.insert((first, start));
                }
            }
            if chain.mover == Mover::Person {
                for (progress, cell) in brute_force.closure(winnable) {
                    let wins = brute_force.closure([(progress, cell)].into());
                    if !wins.iter().any(|state| state.0 + 1 == chain.steps.len()) {
                        let step = random.spec.step_name(chain.steps[progress]);
                        let (chain, progress) = (number as u32, progress as u32);
                        locks.push(SoftLock { chain, progress, step, cell });
                    }
                }
            }
        }
        prop_assert_eq!(crate::soft_locks(&level), locks);
    }
}

/// Independent implementation of the movement rules on symbols.
struct BruteForce<'a> {
    random: &'a RandomLevel,
    chain: &'a crate::Chain,
}

impl BruteForce<'_> {
    fn is_step(&self, pos: Pos, step: usize) -> bool {
        match self.chain.steps[step] {
            crate::Step::Symbol(symbol) => self.random.blueprint.get(pos) == symbol,
            crate::Step::Mark(mark) => self.random.tags.marks[mark].contains(&pos),
        }
    }

    fn arrive(&self, pos: Pos, progress: usize) -> usize {
        let more = progress + 1 < self.chain.steps.len() && self.is_step(pos, progress + 1);
        if more { self.arrive(pos, progress + 1) } else { progress }
    }

    fn blocks(&self, pos: Pos) -> bool {
        let solid = self.random.spec.config().interior_walls == Some(InteriorWalls::Solid);
        let wall = self.random.blueprint.get(pos) == Symbol::Wall;
        wall && (solid || self.random.tags.reinforced.contains(pos))
            || self.random.blueprint.get(pos) == Symbol::Band
    }

    fn step(&self, from: Pos, dir: Dir, progress: usize) -> Option<Pos> {
        let to = from.step(dir, self.random.spec.size())?;
        if self.blocks(to) || "Ox".contains(self.random.blueprint.get(to).to_char()) {
            return None;
        }
        for (mark, key) in [(1, "key"), (2, "door")] {
            let key =
                self.chain.steps.iter().position(|step| self.random.spec.step_name(*step) == key);
            if self.random.tags.marks[mark].contains(&to) && key.is_none_or(|key| key > progress) {
                return None;
            }
        }
        if self.chain.mover == Mover::Car {
            return (!dir.is_diagonal()).then_some(to);
        }
        let blocked_dirs = match self.random.blueprint.get(from).to_char() {
            '^' => [Dir::SouthWest, Dir::South, Dir::SouthEast],
            'v' => [Dir::NorthWest, Dir::North, Dir::NorthEast],
            '<' => [Dir::NorthEast, Dir::East, Dir::SouthEast],
            '>' => [Dir::NorthWest, Dir::West, Dir::SouthWest],
            _ => return (!dir.is_diagonal() || !self.blocks_diagonal(from, to)).then_some(to),
        };
        (!blocked_dirs.contains(&dir) && (!dir.is_diagonal() || !self.blocks_diagonal(from, to)))
            .then_some(to)
    }

    fn blocks_diagonal(&self, from: Pos, to: Pos) -> bool {
        self.blocks(Pos::new(from.x, to.y)) && self.blocks(Pos::new(to.x, from.y))
    }

    /// Returns all states reachable from some states.
    fn closure(&self, mut reached: BTreeSet<(usize, Pos)>) -> BTreeSet<(usize, Pos)> {
        let mut open: Vec<(usize, Pos)> = reached.iter().copied().collect();
        while let Some((progress, pos)) = open.pop() {
            if progress + 1 == self.chain.steps.len() {
                continue;
            }
            for next in Dir::ALL.into_iter().filter_map(|dir| self.step(pos, dir, progress)) {
                let state = (self.arrive(next, progress), next);
                if reached.insert(state) {
                    open.push(state);
                }
            }
        }
        reached
    }
}
