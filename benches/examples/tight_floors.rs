//! Measures the search for feasible floors on tight random configurations:
//! `cargo run --release -p wayforge-benches --example tight_floors [COUNT] [SECONDS]`.
//!
//! First, for COUNT configurations of each size, the share of answers that change without each stage of the search. Then the
//! configurations of small floors that take longest to reject, found in SECONDS for each size.

use std::time::Instant;
use wayforge::floor::{self, SearchStage, Spec, Vec2};
use wayforge::{ConfigError, MapRng};

/// Sizes that are decided exhaustively, and larger ones.
const SMALL: [(i64, i64); 5] = [(3, 3), (5, 4), (5, 5), (6, 4), (8, 3)];
const LARGE: [(i64, i64); 7] = [(6, 5), (13, 3), (7, 7), (9, 8), (12, 12), (16, 11), (24, 24)];
const SEEDS: u64 = 4;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().unwrap_or(0));
    let (count, seconds) = (numbers.next().unwrap_or(100), numbers.next().unwrap_or(20));
    print_ablation(&SMALL, count, &[SearchStage::Counting, SearchStage::Attempts, SearchStage::Exhaustive]);
    let stages =
        [SearchStage::Counting, SearchStage::Attempts, SearchStage::Constructive, SearchStage::Local];
    print_ablation(&LARGE, count, &stages);
    find_slowest(seconds as u64);
}

/// What is answered about a configuration: feasible, infeasible or undecided, and the floors of some seeds.
#[derive(PartialEq)]
struct Answer {
    decision: &'static str,
    floors: Vec<Option<String>>,
}

fn answer(resolved: Result<Spec, ConfigError>) -> Answer {
    let Ok(spec) = resolved else { return Answer { decision: "infeasible", floors: Vec::new() } };
    let floor = |seed: u64| floor::generate(seed.into(), &spec).ok().map(|floor| floor.to_string());
    let decision = if spec.is_certain() { "feasible" } else { "undecided" };
    Answer { decision, floors: (0..SEEDS).map(floor).collect() }
}

fn print_ablation(sizes: &[(i64, i64)], count: usize, stages: &[SearchStage]) {
    let mut rng = MapRng::from_u64(5);
    let pairs = sizes.iter().flat_map(|&size| std::iter::repeat_n(size, count));
    let configs: Vec<floor::Config> = pairs.map(|(width, height)| tight(width, height, &mut rng)).collect();
    let start = Instant::now();
    let all: Vec<Answer> = configs.iter().map(|config| answer(config.resolve())).collect();
    let decided = |decision: &str| all.iter().filter(|answer| answer.decision == decision).count();
    let [feasible, infeasible, undecided] = ["feasible", "infeasible", "undecided"].map(decided);
    println!(
        "{} configurations: {feasible} feasible, {infeasible} infeasible, {undecided} undecided, {:.1} s",
        configs.len(),
        start.elapsed().as_secs_f64()
    );
    println!(
        "{:<14} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "without", "decision", "rejected", "failed", "floors", "s"
    );
    for &stage in stages {
        let start = Instant::now();
        let less: Vec<Answer> =
            configs.iter().map(|config| answer(Spec::resolve_without(config, stage))).collect();
        let share = |differs: fn(&Answer, &Answer) -> bool| {
            let count = all.iter().zip(&less).filter(|(a, b)| differs(a, b)).count();
            format!("{:.2} %", count as f64 * 100.0 / configs.len() as f64)
        };
        println!(
            "{:<14} {:>9} {:>9} {:>9} {:>9} {:>7.1}",
            format!("{stage:?}"),
            share(|a, b| a.decision != b.decision),
            share(|a, b| a.floors.is_empty() != b.floors.is_empty()),
            share(|a, b| a.floors.iter().map(Option::is_some).ne(b.floors.iter().map(Option::is_some))),
            share(|a, b| a.floors != b.floors),
            start.elapsed().as_secs_f64()
        );
    }
}

/// A random configuration that is often just feasible or just infeasible.
fn tight(width: i64, height: i64, rng: &mut MapRng) -> floor::Config {
    let cells = (width * height) as u32;
    let mut config = floor::Config { width: Some(width), height: Some(height), ..floor::Config::default() };
    if rng.chance(1, 2) {
        config.open = floor::Opening::Rooms;
    }
    config.min_path_length = Some(rng.below(cells / 2).into());
    config.entrance = rng.chance(1, 2).then(|| cell(&config, rng));
    config.exit = rng.chance(1, 3).then(|| cell(&config, rng)).filter(|&exit| Some(exit) != config.entrance);
    for (budget, share) in [
        (&mut config.door_budget, 3),
        (&mut config.chest_budget, 3),
        (&mut config.trap_budget, 3),
        (&mut config.water_budget, 3),
        (&mut config.enemy_budget, 2),
        (&mut config.item_budget, 6),
        (&mut config.relic_budget, 6),
        (&mut config.npc_budget, 6),
    ] {
        *budget = Some(if rng.chance(1, 2) { rng.below(cells / share + 1).into() } else { 0 });
    }
    match rng.below(4) {
        2 => config.safe_chests = true,
        3 => config.safe_route = true,
        _ => {}
    }
    config
}

fn cell(config: &floor::Config, rng: &mut MapRng) -> Vec2 {
    let mut below = |side: Option<i64>| rng.below(side.unwrap_or(5) as u32).into();
    Vec2 { x: below(config.width), y: below(config.height) }
}

fn find_slowest(seconds: u64) {
    let mut rng = MapRng::from_u64(5);
    for (width, height) in [(5, 5), (6, 4), (8, 3)] {
        let begin = Instant::now();
        let mut worst: Vec<(u128, floor::Config)> = Vec::new();
        let mut tried = 0;
        while begin.elapsed().as_secs() < seconds {
            let config = match worst.len() < 12 || rng.chance(1, 3) {
                true => draw(width, height, &mut rng),
                false => change(&worst[rng.below(worst.len() as u32) as usize].1, &mut rng),
            };
            let start = Instant::now();
            let _rejected = config.resolve().is_err();
            tried += 1;
            worst.push((start.elapsed().as_micros(), config));
            worst.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
            worst.truncate(12);
        }
        println!("{width} x {height}: {tried} configurations");
        for (_, config) in worst.iter().take(3) {
            let start = Instant::now();
            let rejected = config.resolve().err();
            println!("  {:.1} ms: {config:?}\n    {rejected:?}", start.elapsed().as_secs_f64() * 1e3);
        }
    }
}

fn draw(width: i64, height: i64, rng: &mut MapRng) -> floor::Config {
    let mut below = |most: i64| Some(i64::from(rng.below(most as u32)));
    floor::Config {
        width: Some(width),
        height: Some(height),
        min_path_length: below(12),
        door_budget: below(13),
        chest_budget: below(9),
        trap_budget: below(7),
        water_budget: below(10),
        enemy_budget: below(6),
        item_budget: below(5),
        ..floor::Config::default()
    }
}

fn change(config: &floor::Config, rng: &mut MapRng) -> floor::Config {
    let mut config = config.clone();
    for _ in 0..1 + rng.below(3) {
        let field = match rng.below(9) {
            0 => &mut config.min_path_length,
            1 => &mut config.door_budget,
            2 => &mut config.chest_budget,
            3 => &mut config.trap_budget,
            4 => &mut config.water_budget,
            5 => &mut config.enemy_budget,
            6 => &mut config.item_budget,
            7 => {
                config.entrance = rng.chance(1, 2).then(|| cell(&config, rng));
                continue;
            }
            _ => {
                config.exit = rng.chance(1, 2).then(|| cell(&config, rng));
                continue;
            }
        };
        *field = field.map(|value| (value + i64::from(rng.below(5)) - 2).max(0));
    }
    config
}
