//! Measures the feasibility check of floors on tight random configurations:
//! `cargo run --release -p wayforge-benches --example tight_floors [COUNT] [SECONDS]`.
//!
//! Prints how many of COUNT configurations of each size are feasible, infeasible and undecided.
//! Then searches for SECONDS per size for small floors whose feasibility takes longest to decide.

use std::time::Instant;
use wayforge::MapRng;
use wayforge::floor::{self, Vec2};

/// Floor sizes whose feasibility is decided by exhaustive search.
const SMALL: [(i64, i64); 5] = [(3, 3), (5, 4), (5, 5), (6, 4), (8, 3)];
/// Larger floor sizes.
const LARGE: [(i64, i64); 7] = [(6, 5), (13, 3), (7, 7), (9, 8), (12, 12), (16, 11), (24, 24)];

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().unwrap_or(0));
    let (count, seconds) = (numbers.next().unwrap_or(100), numbers.next().unwrap_or(20));
    print_decisions(&SMALL, count);
    print_decisions(&LARGE, count);
    find_slowest(seconds as u64);
}

fn print_decisions(sizes: &[(i64, i64)], count: usize) {
    let mut rng = MapRng::from_u64(5);
    let pairs = sizes.iter().flat_map(|&size| std::iter::repeat_n(size, count));
    let configs: Vec<floor::Config> =
        pairs.map(|(width, height)| random_tight_config(width, height, &mut rng)).collect();
    let start = Instant::now();
    let (mut feasible, mut infeasible, mut undecided) = (0, 0, 0);
    for config in &configs {
        *match config.resolve() {
            Ok(spec) if spec.is_proven_feasible() => &mut feasible,
            Ok(_) => &mut undecided,
            Err(_) => &mut infeasible,
        } += 1;
    }
    println!(
        "{} configurations: {feasible} feasible, {infeasible} infeasible, {undecided} undecided, \
         {:.1} s",
        configs.len(),
        start.elapsed().as_secs_f64()
    );
}

/// Returns a random configuration that is often barely feasible or barely infeasible.
fn random_tight_config(width: i64, height: i64, rng: &mut MapRng) -> floor::Config {
    let cells = (width * height) as u32;
    let mut config =
        floor::Config { width: Some(width), height: Some(height), ..floor::Config::default() };
    if rng.chance(1, 2) {
        config.open = floor::OpenMethod::Rooms;
    }
    config.min_path_length = Some(rng.below(cells / 2).into());
    config.entrance = rng.chance(1, 2).then(|| random_cell(&config, rng));
    config.exit = rng
        .chance(1, 3)
        .then(|| random_cell(&config, rng))
        .filter(|&exit| Some(exit) != config.entrance);
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

fn random_cell(config: &floor::Config, rng: &mut MapRng) -> Vec2 {
    let mut below = |side: Option<i64>| rng.below(side.unwrap_or(5) as u32).into();
    Vec2 { x: below(config.width), y: below(config.height) }
}

fn find_slowest(seconds: u64) {
    let mut rng = MapRng::from_u64(5);
    for (width, height) in [(5, 5), (6, 4), (8, 3)] {
        let search_start = Instant::now();
        let mut worst: Vec<(u128, floor::Config)> = Vec::new();
        let mut tried = 0;
        while search_start.elapsed().as_secs() < seconds {
            let config = if worst.len() < 12 || rng.chance(1, 3) {
                random_config(width, height, &mut rng)
            } else {
                mutated(&worst[rng.below(worst.len() as u32) as usize].1, &mut rng)
            };
            let start = Instant::now();
            let _is_rejected = config.resolve().is_err();
            tried += 1;
            worst.push((start.elapsed().as_micros(), config));
            worst.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
            worst.truncate(12);
        }
        println!("{width} x {height}: {tried} configurations");
        for (_, config) in worst.iter().take(3) {
            let start = Instant::now();
            let error = config.resolve().err();
            println!("  {:.1} ms: {config:?}\n    {error:?}", start.elapsed().as_secs_f64() * 1e3);
        }
    }
}

fn random_config(width: i64, height: i64, rng: &mut MapRng) -> floor::Config {
    let mut below = |limit: i64| Some(i64::from(rng.below(limit as u32)));
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

fn mutated(config: &floor::Config, rng: &mut MapRng) -> floor::Config {
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
                config.entrance = rng.chance(1, 2).then(|| random_cell(&config, rng));
                continue;
            }
            _ => {
                config.exit = rng.chance(1, 2).then(|| random_cell(&config, rng));
                continue;
            }
        };
        *field = field.map(|value| (value + i64::from(rng.below(5)) - 2).max(0));
    }
    config
}
