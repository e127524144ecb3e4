//! Looks for the configurations of small floors that take longest to refuse: `cargo run --release -p wayforge-benches --example tight_floors SECONDS`.

use std::time::Instant;
use wayforge::MapRng;
use wayforge::floor::{self, Vec2};

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20);
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
            let _refused = config.resolve().is_err();
            tried += 1;
            worst.push((start.elapsed().as_micros(), config));
            worst.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
            worst.truncate(12);
        }
        println!("{width} x {height}: {tried} configurations");
        for (_, config) in worst.iter().take(3) {
            let start = Instant::now();
            let refused = config.resolve().err();
            println!("  {:.1} ms: {config:?}\n    {refused:?}", start.elapsed().as_secs_f64() * 1e3);
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
    let (width, height) = (config.width.unwrap_or(5) as u32, config.height.unwrap_or(5) as u32);
    let cell = |rng: &mut MapRng| {
        let cell = Vec2 { x: rng.below(width).into(), y: rng.below(height).into() };
        rng.chance(1, 2).then_some(cell)
    };
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
                config.entrance = cell(rng);
                continue;
            }
            _ => {
                config.exit = cell(rng);
                continue;
            }
        };
        *field = field.map(|value| (value + i64::from(rng.below(5)) - 2).max(0));
    }
    config
}
