//! Random configurations, most of them valid.

use crate::{
    Amount, Area, Blocked, Config, Feature, FuelMode, InteriorWalls, MarkConfig, MoveDirection,
    Mover, ObjectiveConfig, Percent, Ratio, Reachable, RetryRule, Side, SoftLocks, WallStyle, Zone,
};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use wayforge_core::grid::Pos;

/// Any configuration with up to a few 64-bit words per row.
pub(super) fn any_config() -> impl Strategy<Value = Config> {
    let width = prop_oneof![4 => 9_i64..40, 1 => 60_i64..72, 1 => 125_i64..135];
    (width, 7_i64..24).prop_flat_map(|(width, height)| {
        let layout = (exits(), walls(), interior_walls(), percent(30), blocked(), separation());
        let stage = (fuel(), any::<bool>(), counts());
        let terrain =
            (feature(width, height, 20), feature(width, height, 20), feature(width, height, 60));
        let tags = (fall_spawn(width, height), marks(width, height));
        let rules =
            (any::<bool>(), prop::bool::weighted(0.3), 1_i64..4, any::<bool>(), any::<bool>());
        let pins = prop_oneof![2 => Just(Vec::new()), 1 => pins(width, height)];
        (layout, stage, terrain, tags, rules, pins).prop_map(
            move |(
                (exits, walls, interior_walls, reinforced, blocked, min_separation),
                (fuel, endurance, counts),
                (pitfalls, plants, mut moving_floors),
                ((fall_spawn_zones, fall_spawn_floor_ratio), (marks, objectives)),
                (reachable, forbidden, attempts, hash, repair),
                pins,
            )| {
                if let Some(zone) = moving_floors.zones.first_mut() {
                    zone.moves = Some(
                        [
                            MoveDirection::North,
                            MoveDirection::South,
                            MoveDirection::West,
                            MoveDirection::East,
                        ][counts[0] as usize % 4],
                    );
                }
                Config {
                    width,
                    height,
                    exits,
                    walls,
                    interior_walls,
                    reinforced,
                    blocked,
                    fuel,
                    endurance,
                    players: counts[0],
                    cars: counts[1],
                    empty_cans: counts[2],
                    fuel_spots: counts[3],
                    flashlights: counts[4] - 1,
                    shoes: counts[5] - 1,
                    min_separation,
                    pitfalls,
                    puddles: plants.amount.into(),
                    plants,
                    moving_floors,
                    fall_spawn_zones,
                    fall_spawn_floor_ratio,
                    marks,
                    objectives,
                    reachable: if reachable {
                        Reachable::Candidates
                    } else {
                        Reachable::Objectives
                    },
                    soft_locks: if forbidden { SoftLocks::Forbidden } else { SoftLocks::Allowed },
                    attempts,
                    retry: if hash { RetryRule::Hash } else { RetryRule::Add },
                    repair,
                    pins,
                }
            },
        )
    })
}

fn exits() -> impl Strategy<Value = Vec<Side>> {
    subsequence(Side::ALL.to_vec(), 1..=4)
}

fn walls() -> impl Strategy<Value = WallStyle> {
    (0..7, 0_u8..=100).prop_map(|(style, percent)| match style {
        0 => WallStyle::Default,
        1 => WallStyle::Empty,
        2 => WallStyle::GridWire,
        3 => WallStyle::SparseMoore { percent },
        4 => WallStyle::SparseOrtho { percent },
        5 => WallStyle::Maze,
        _ => WallStyle::Caves,
    })
}

fn interior_walls() -> impl Strategy<Value = Option<InteriorWalls>> {
    select(vec![None, Some(InteriorWalls::Breakable), Some(InteriorWalls::Solid)])
}

fn separation() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![3 => Just(None), 1 => (1_i64..8).prop_map(Some)]
}

fn percent(max: u32) -> impl Strategy<Value = Percent> {
    prop_oneof![Just(Percent::NONE), (0..=max).prop_map(|n| format!("{n}%").parse().unwrap())]
}

fn blocked() -> impl Strategy<Value = Blocked> {
    let symbols = || subsequence("xhw^v<>".chars().collect::<Vec<_>>(), 0..=2);
    let custom = (symbols(), symbols()).prop_map(|(car, person)| {
        let text = |more: Vec<char>| "OB".chars().chain(more).collect();
        Blocked { car: text(car), person: text(person) }
    });
    prop_oneof![3 => Just(Blocked::default()), 1 => custom]
}

fn fuel() -> impl Strategy<Value = FuelMode> {
    select(vec![FuelMode::FuelCan, FuelMode::RefuelChain, FuelMode::StartFull])
}

fn counts() -> impl Strategy<Value = [i64; 6]> {
    [1_i64..4, 1_i64..3, 1_i64..3, 1_i64..4, 1_i64..4, 1_i64..4]
}

fn amount(max: u32) -> impl Strategy<Value = Amount> {
    prop_oneof![
        2 => Just(Amount::NONE),
        1 => (0..8_u32).prop_map(Amount::Count),
        2 => percent(max).prop_map(Amount::Density),
    ]
}

fn area(width: i64, height: i64) -> impl Strategy<Value = Area> {
    (2..width - 2, 2..height - 2, 1_i64..6, 1_i64..5).prop_map(move |(x, y, wide, high)| Area {
        x,
        y,
        width: wide.min(width - 2 - x),
        height: high.min(height - 2 - y),
    })
}

fn feature(width: i64, height: i64, max: u32) -> impl Strategy<Value = Feature> {
    let zone =
        (area(width, height), amount(100)).prop_map(|(Area { x, y, width, height }, amount)| {
            Zone { x, y, width, height, amount, moves: None }
        });
    let zones = prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(zone, 1..3)];
    (amount(max), zones).prop_map(|(amount, zones)| Feature { amount, zones })
}

fn fall_spawn(width: i64, height: i64) -> impl Strategy<Value = (Vec<Area>, Ratio)> {
    let ratio =
        prop_oneof![Just(Ratio::NONE), (0.0..=1.0).prop_map(|share| Ratio::new(share).unwrap())];
    (prop::collection::vec(area(width, height), 0..3), ratio)
}

/// Marks with objectives over them: a key, a door that it opens, and chains that need both.
fn marks(
    width: i64,
    height: i64,
) -> impl Strategy<Value = (Vec<MarkConfig>, Vec<ObjectiveConfig>)> {
    let cell = (2..width - 2, 2..height - 2).prop_map(|(x, y)| Pos::new(x as u16, y as u16));
    let custom = (1_i64..3, 0_i64..5, prop::collection::vec(cell, 0..3), 0_usize..4).prop_map(
        |(keys, doors, cells, n)| {
            let mark = |name: &str, count, cells, key: Option<&str>| MarkConfig {
                name: name.into(),
                count,
                cells,
                locked_until: key.map(str::to_owned),
            };
            let doors = mark("door", doors.max(cells.len() as i64).max(1), cells, Some("key"));
            let chain = |mover, steps: &[&str]| ObjectiveConfig {
                mover,
                steps: steps.iter().map(|&step| step.to_owned()).collect(),
            };
            let chains = [
                chain(Mover::Person, &["P", "key", "door", "E"]),
                chain(Mover::Person, &["P", "key", "E"]),
                chain(Mover::Car, &["C", "key", "E"]),
                chain(Mover::Person, &["E", "key", "P", "key"]),
            ];
            (vec![mark("key", keys, Vec::new(), None), doors], chains.into_iter().take(n).collect())
        },
    );
    prop_oneof![3 => Just((Vec::new(), Vec::new())), 1 => custom]
}

/// A drawing of pins: some interior cells, sometimes a cell of the outer wall.
fn pins(width: i64, height: i64) -> impl Strategy<Value = Vec<String>> {
    let symbols = "1111....xh^v<>wPCefl".chars().collect::<Vec<_>>();
    let inside = (2..width - 2, 2..height - 2, select(symbols));
    let band = (2..width - 2, Just(1_i64), select(vec!['B', 'E']));
    let count = (width * height / 4) as usize;
    (prop::collection::vec(inside, 0..count), prop::collection::vec(band, 0..2)).prop_map(
        move |(inside, band)| {
            let mut rows = vec![vec!['?'; width as usize]; height as usize];
            for (x, y, symbol) in inside.into_iter().chain(band) {
                rows[y as usize][x as usize] = symbol;
            }
            rows.into_iter().map(|row| row.into_iter().collect()).collect()
        },
    )
}
