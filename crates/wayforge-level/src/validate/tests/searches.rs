//! The generator's fast searches against the judge's plain ones, and the judge's against brute force.

use super::super::walks::{FAR, Land, Walk};
use super::super::{View, connectivity};
use crate::flood::{Flood, Way};
use crate::ground::{Field, Ground};
use crate::search::{Scene, Search};
use crate::softlock::{self, SoftLockScratch};
use crate::{
    Blueprint, Config, InteriorWalls, Level, MarkConfig, Mover, ObjectiveConfig, SoftLock, Spec, Symbol,
    Tags, Witness,
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use wayforge_core::grid::{BitGrid, Dir, Pos, Size};
use wayforge_core::{MapRng, Seed};

/// A random grid inside the usual rings, with locked and unlocked marks and reinforced walls, and chains over them.
#[derive(Debug)]
struct Wild {
    spec: Spec,
    blueprint: Blueprint,
    tags: Tags,
}

impl Wild {
    fn view(&self) -> View<'_> {
        View::of(&self.spec, &self.blueprint, &self.tags, false)
    }

    fn ground(&self) -> Ground {
        let mut ground = Ground::default();
        ground.read(&self.spec, &self.blueprint, &self.tags);
        ground
    }
}

/// Grids of any size in the ranges; `busy` says how many of a hundred cells are not plain floor.
fn wild(widths: std::ops::Range<i64>, heights: std::ops::Range<i64>) -> impl Strategy<Value = Wild> {
    (widths, heights, 0_u32..90, any::<bool>(), any::<u64>()).prop_map(
        |(width, height, busy, solid, seed)| {
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
                interior_walls: Some(if solid { InteriorWalls::Solid } else { InteriorWalls::Breakable }),
                endurance: seed % 2 == 0,
                flashlights: 1,
                marks: vec![mark("key", None), mark("door", Some("key")), mark("gate", Some("door"))],
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
            let mut tags =
                Tags { fall_spawn_cells: BitGrid::new(size), reinforced: BitGrid::new(size), marks: vec![] };
            for pos in size.iter() {
                let edge = pos.x.min(size.width - 1 - pos.x).min(pos.y).min(size.height - 1 - pos.y);
                let symbol = match edge {
                    0 => Symbol::Outside,
                    1 if rng.chance(1, 12) => Symbol::Exit,
                    1 => Symbol::Band,
                    _ if !rng.chance(busy, 100) => Symbol::Floor,
                    // Walls, pitfalls and moving floors in the main, now and then a place to go.
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
            let mut taken: BTreeSet<Pos> = BTreeSet::new();
            for _ in 0..3 {
                let mut cells: Vec<Pos> = (0..2).map(|_| inside()).filter(|pos| taken.insert(*pos)).collect();
                cells.sort_unstable();
                cells.iter().for_each(|pos| blueprint.set(*pos, Symbol::Floor));
                tags.marks.push(cells);
            }
            tags.reinforced =
                BitGrid::of(size, tags.reinforced.iter().filter(|pos| blueprint.get(*pos) == Symbol::Wall));
            Wild { spec, blueprint, tags }
        },
    )
}

fn cases(n: u32) -> ProptestConfig {
    // The usual number unless the environment asks for another.
    let asked = ProptestConfig::default();
    ProptestConfig { cases: if asked.cases == 256 { n } else { asked.cases }, ..asked }
}

/// The cells of a set among those that the field opens.
fn drawn(size: Size, reached: impl Fn(Pos) -> bool, field: &Field) -> BitGrid {
    BitGrid::of(size, size.iter().filter(|pos| field.open.contains(*pos) && reached(*pos)))
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn floods_reach_what_a_plain_search_reaches(wild in wild(9..200, 7..20), several in 1_usize..4) {
        let (view, ground, size) = (wild.view(), wild.ground(), wild.spec.size());
        let land = Land::of(&view);
        let (mut field, mut flood) = (Field::default(), Flood::default());
        for mover in [Mover::Person, Mover::Car] {
            field.read(&ground, mover);
            let open: Vec<Pos> = field.open.iter().collect();
            prop_assert_eq!(&field.open, &BitGrid::of(size, size.iter().filter(|&pos| {
                let symbol = wild.blueprint.get(pos);
                wild.spec.enters(mover, symbol) && !wild.tags.reinforced.contains(pos)
            })));
            let starts: Vec<Pos> = (0..several).filter_map(|i| open.get(i * open.len() / several)).copied().collect();
            for (way, back) in [(Way::Forward, false), (Way::Backward, true)] {
                let mut reached = BitGrid::of(size, starts.iter().copied());
                flood.spread(&field, way, &mut reached);
                let plain = land.flood(mover, starts.iter().copied(), back);
                let plain = drawn(size, |pos| plain[size.index(pos)] != FAR, &field);
                prop_assert_eq!(&reached, &plain, "{:?} back {} from {:?} on\n{}", mover, back, starts, wild.blueprint);
            }
        }
    }

    #[test]
    fn routes_are_legal_and_as_short_as_a_plain_search_finds(wild in wild(9..100, 7..20)) {
        let (view, ground) = (wild.view(), wild.ground());
        let (land, size) = (Land::of(&view), wild.spec.size());
        let scene = Scene { ground: &ground, blueprint: &wild.blueprint, tags: &wild.tags };
        let (mut search, mut witness) = (Search::default(), Witness::default());
        for chain in wild.spec.chains() {
            let walk = Walk::of(&view, &land, chain);
            let finish = walk.steps_to_finish();
            search.prepare(scene, chain);
            prop_assert_eq!(search.starts(), &walk.starts);
            for &start in &walk.starts {
                let fewest = finish[walk.start(start)];
                match search.find(scene, chain, start, &mut witness) {
                    Ok(()) => {
                        prop_assert_eq!(witness.route.len() as u32 - 1, fewest);
                        let (mut progress, mut reached) = (walk.arrive(size.index(start), 0), vec![0; 1]);
                        reached.extend((0..progress).map(|_| 0));
                        for (n, step) in (1..).zip(witness.route.windows(2)) {
                            prop_assert_eq!(walk.may_step(step[0], step[1], progress), Ok(()));
                            let after = walk.arrive(size.index(step[1]), progress);
                            reached.extend((progress..after).map(|_| n));
                            progress = after;
                        }
                        prop_assert_eq!(&reached, &witness.reached);
                        prop_assert_eq!(reached.len(), chain.steps.len());
                    }
                    Err(furthest) => {
                        prop_assert_eq!(fewest, FAR, "a way of {} steps\n{}", fewest, wild.blueprint);
                        let reached = walk.reachable([start]);
                        let plain = reached.iter().rposition(|steps| *steps != FAR).unwrap() / size.cells();
                        prop_assert_eq!(furthest as usize, plain);
                    }
                }
            }
        }
    }

    #[test]
    fn soft_locks_are_those_of_a_plain_search(wild in wild(9..80, 7..20)) {
        let (view, ground) = (wild.view(), wild.ground());
        let land = Land::of(&view);
        let scene = Scene { ground: &ground, blueprint: &wild.blueprint, tags: &wild.tags };
        let (mut field, mut flood, mut scratch) = (Field::default(), Flood::default(), SoftLockScratch::default());
        field.read(&ground, Mover::Person);
        let plain: Vec<SoftLock> = connectivity::soft_locks(&view, &land).collect();
        for (number, chain) in wild.spec.chains().iter().enumerate() {
            let walk = Walk::of(&view, &land, chain);
            let finish = walk.steps_to_finish();
            // The gate looks for soft locks only after every start was proved to finish.
            let proved = walk.starts.iter().all(|start| finish[walk.start(*start)] != FAR);
            if chain.mover == Mover::Car || !proved {
                continue;
            }
            let mut found = Vec::new();
            softlock::find(scene, &field, chain, &mut flood, &mut scratch, |progress, locked| {
                found.extend(locked.iter().map(|cell| (progress as u32, cell)));
            });
            found.sort_unstable();
            let plain = plain.iter().filter(|lock| lock.chain as usize == number);
            let plain: Vec<(u32, Pos)> = plain.map(|lock| (lock.progress, lock.cell)).collect();
            prop_assert_eq!(found, plain, "{:?}\n{}", chain, wild.blueprint);
        }
    }
}

proptest! {
    #![proptest_config(cases(40))]

    /// The judge's searches against the closure of all single moves, written out state by state.
    #[test]
    fn the_plain_searches_are_what_the_moves_say(wild in wild(9..16, 7..11)) {
        let view = wild.view();
        let land = Land::of(&view);
        let level = Level {
            seed: Seed::new(0),
            spec: wild.spec.clone(),
            blueprint: wild.blueprint.clone(),
            tags: wild.tags.clone(),
            car_walkable_cells: BitGrid::default(),
            witness: Vec::new(),
            attempt: Default::default(),
        };
        let mut locks = Vec::new();
        for (number, chain) in wild.spec.chains().iter().enumerate() {
            let brute = Brute { wild: &wild, chain };
            let walk = Walk::of(&view, &land, chain);
            let finish = walk.steps_to_finish();
            let mut able = BTreeSet::new();
            for &start in &walk.starts {
                let first = brute.arrive(start, 0);
                let reached = brute.closure([(first, start)].into());
                let wins = reached.iter().any(|state| state.0 + 1 == chain.steps.len());
                prop_assert_eq!(wins, finish[walk.start(start)] != FAR, "{:?} from {}\n{}", chain, start, wild.blueprint);
                if wins {
                    able.insert((first, start));
                }
            }
            if chain.mover == Mover::Person {
                for (progress, cell) in brute.closure(able) {
                    let wins = brute.closure([(progress, cell)].into());
                    if !wins.iter().any(|state| state.0 + 1 == chain.steps.len()) {
                        let step = wild.spec.step_name(chain.steps[progress]);
                        locks.push(SoftLock { chain: number as u32, progress: progress as u32, step, cell });
                    }
                }
            }
        }
        prop_assert_eq!(crate::soft_locks(&level), locks);
    }
}

/// The rules of movement once more, by looking at symbols only.
struct Brute<'a> {
    wild: &'a Wild,
    chain: &'a crate::Chain,
}

impl Brute<'_> {
    fn is(&self, pos: Pos, step: usize) -> bool {
        match self.chain.steps[step] {
            crate::Step::Symbol(symbol) => self.wild.blueprint.get(pos) == symbol,
            crate::Step::Mark(mark) => self.wild.tags.marks[mark].contains(&pos),
        }
    }

    fn arrive(&self, pos: Pos, progress: usize) -> usize {
        let more = progress + 1 < self.chain.steps.len() && self.is(pos, progress + 1);
        if more { self.arrive(pos, progress + 1) } else { progress }
    }

    fn blocks(&self, pos: Pos) -> bool {
        let solid = self.wild.spec.config().interior_walls == Some(InteriorWalls::Solid);
        let wall = self.wild.blueprint.get(pos) == Symbol::Wall;
        wall && (solid || self.wild.tags.reinforced.contains(pos))
            || self.wild.blueprint.get(pos) == Symbol::Band
    }

    fn may(&self, from: Pos, dir: Dir, progress: usize) -> Option<Pos> {
        let to = from.step(dir, self.wild.spec.size())?;
        if self.blocks(to) || "Ox".contains(self.wild.blueprint.get(to).to_char()) {
            return None;
        }
        for (mark, key) in [(1, "key"), (2, "door")] {
            let key = self.chain.steps.iter().position(|step| self.wild.spec.step_name(*step) == key);
            if self.wild.tags.marks[mark].contains(&to) && key.is_none_or(|key| key > progress) {
                return None;
            }
        }
        if self.chain.mover == Mover::Car {
            return (!dir.is_diagonal()).then_some(to);
        }
        let never = match self.wild.blueprint.get(from).to_char() {
            '^' => [Dir::SouthWest, Dir::South, Dir::SouthEast],
            'v' => [Dir::NorthWest, Dir::North, Dir::NorthEast],
            '<' => [Dir::NorthEast, Dir::East, Dir::SouthEast],
            '>' => [Dir::NorthWest, Dir::West, Dir::SouthWest],
            _ => return (!dir.is_diagonal() || !self.squeezes(from, to)).then_some(to),
        };
        (!never.contains(&dir) && (!dir.is_diagonal() || !self.squeezes(from, to))).then_some(to)
    }

    fn squeezes(&self, from: Pos, to: Pos) -> bool {
        self.blocks(Pos::new(from.x, to.y)) && self.blocks(Pos::new(to.x, from.y))
    }

    /// Every state that some states lead to.
    fn closure(&self, mut reached: BTreeSet<(usize, Pos)>) -> BTreeSet<(usize, Pos)> {
        let mut open: Vec<(usize, Pos)> = reached.iter().copied().collect();
        while let Some((progress, pos)) = open.pop() {
            if progress + 1 == self.chain.steps.len() {
                continue;
            }
            for next in Dir::ALL.into_iter().filter_map(|dir| self.may(pos, dir, progress)) {
                let state = (self.arrive(next, progress), next);
                if reached.insert(state) {
                    open.push(state);
                }
            }
        }
        reached
    }
}
