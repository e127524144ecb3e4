//! Compares counted steps of work, and the cost that the service estimates before any work, with
//! the time that generation takes, for random configurations of every family:
//! `cargo run --release -p wayforge-benches --example work [COUNT] [STEPS]`.
//!
//! Every family gets COUNT configurations that the service accepts. Generation stops after STEPS
//! steps. Prints the rate of all configurations together, the slowest and fastest rates of those
//! that take at least a millisecond, and the longest generations with their configuration and seed.
//! Then prints the time per unit of estimated cost: its median, its 99th percentile, and the
//! configurations that the estimate is most wrong about.

use std::time::{Duration, Instant};
use wayforge::{AnyConfig, Family, MapRng, WorkLimit};
use wayforge_api::handlers::Limits;
use wayforge_api::handlers::limits::CostEstimate;

/// Shorter generations are dominated by preparation.
const MIN_TIME: Duration = Duration::from_millis(1);
const LISTED: usize = 3;

/// One generation.
struct Sample {
    config: String,
    estimate: u64,
    steps: u64,
    resolve: Duration,
    generate: Duration,
}

impl Sample {
    /// Millions of steps per second.
    fn rate(&self) -> f64 {
        self.steps as f64 / self.generate.as_secs_f64() / 1e6
    }

    /// Nanoseconds of generation per unit of estimated cost.
    fn nanoseconds_per_unit(&self) -> f64 {
        self.generate.as_secs_f64() * 1e9 / self.estimate.max(1) as f64
    }

    fn print(&self, title: &str) {
        let (resolve, generate) = (self.resolve.as_secs_f64(), self.generate.as_secs_f64());
        println!(
            "  {title}: {:.0} M steps/s, resolve {resolve:.3} s, generate {generate:.3} s, {}",
            self.rate(),
            self.config
        );
    }
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().unwrap_or(0));
    let (count, steps) = (numbers.next().unwrap_or(300), numbers.next().unwrap_or(200_000_000));
    for family in Family::ALL {
        let mut rng = MapRng::from_u64(24);
        let measured = std::iter::repeat_with(|| measure(family, &mut rng, steps));
        let samples = measured.flatten().take(count.max(1) as usize).collect();
        print_summary(family, samples);
    }
}

/// Generates the map of a random configuration; `None` if the configuration is invalid.
fn measure(family: Family, rng: &mut MapRng, steps: u64) -> Option<Sample> {
    let config = match family {
        Family::Act => random_act(rng),
        Family::Level => random_level(rng),
        Family::Floor => random_floor(rng),
        Family::Tower => {
            format!(r#"{{"floors":{},"floor":{}}}"#, between(rng, 1, 64), random_floor(rng))
        }
    };
    let seed = u64::from(rng.below(1000));
    let start = Instant::now();
    let any = AnyConfig::from_json(family, config.as_bytes()).unwrap();
    let estimate = CostEstimate::for_config(&any).check(&Limits::default()).ok()?.max_work();
    let spec = any.resolve().ok()?;
    let resolve = start.elapsed();
    let mut generator = spec.generator();
    generator.limit_work(&WorkLimit::steps(steps));
    let start = Instant::now();
    let _map = generator.try_generate(seed.into());
    let generate = start.elapsed();
    let config = format!("seed {seed}, {config}");
    Some(Sample { config, estimate, steps: generator.steps(), resolve, generate })
}

fn print_summary(family: Family, mut samples: Vec<Sample>) {
    let steps: u64 = samples.iter().map(|sample| sample.steps).sum();
    let time: Duration = samples.iter().map(|sample| sample.generate).sum();
    println!(
        "{}: {} configurations, {:.0} M steps/s",
        family.name(),
        samples.len(),
        steps as f64 / time.as_secs_f64() / 1e6
    );
    print_estimates(&mut samples);
    samples.sort_by_key(|sample| std::cmp::Reverse(sample.resolve));
    samples.iter().take(1).for_each(|sample| sample.print("longest to resolve"));
    samples.sort_by_key(|sample| std::cmp::Reverse(sample.generate));
    samples.iter().take(LISTED).for_each(|sample| sample.print("longest"));
    samples.retain(|sample| sample.generate >= MIN_TIME);
    samples.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
    samples.iter().take(LISTED).for_each(|sample| sample.print("slowest rate"));
    samples.iter().rev().take(1).for_each(|sample| sample.print("fastest rate"));
}

/// Compares estimated costs with measured times. The estimate is an upper bound: most maps need one
/// attempt of many, so only times far above the median count as wrong.
fn print_estimates(samples: &mut [Sample]) {
    samples.sort_by(|a, b| a.nanoseconds_per_unit().total_cmp(&b.nanoseconds_per_unit()));
    let percentile = |n: usize| samples[samples.len() * n / 100].nanoseconds_per_unit();
    let (median, high) = (percentile(50), percentile(99));
    println!(
        "  estimate: {median:.1} ns per unit at the median, {high:.1} ns at the 99th percentile"
    );
    let long = samples.iter().rev().filter(|sample| sample.generate >= MIN_TIME);
    for sample in long.take(LISTED) {
        let ratio = sample.nanoseconds_per_unit() / median;
        sample.print(&format!("{ratio:.1} times the median per unit"));
    }
}

fn between(rng: &mut MapRng, min: u32, max: u32) -> u32 {
    min + rng.below(max - min + 1)
}

/// Returns a number up to `max`, small numbers more often.
fn size(rng: &mut MapRng, min: u32, max: u32) -> u32 {
    let bound = between(rng, min, max);
    between(rng, min, bound)
}

fn random_act(rng: &mut MapRng) -> String {
    let (rows, cols) = (size(rng, 2, 1000), size(rng, 3, 64));
    let kinds: Vec<String> = (0..between(rng, 2, 12))
        .map(|kind| {
            let no_repeat = rng.chance(1, 4);
            let siblings = rng.chance(1, 4);
            let (min, spread) = (rng.below(rows / 2 + 1), rng.below(rows));
            let route = match rng.below(4) {
                0 => format!(r#","route":{{"min":{min},"max":{}}}"#, min + spread),
                1 => format!(r#","route":{{"max":{}}}"#, min + spread),
                _ => String::new(),
            };
            format!(
                r#"{{"name":"k{kind}","weight":{},"no_repeat":{no_repeat},"siblings_differ":{siblings}{route}}}"#,
                between(rng, 1, 9)
            )
        })
        .collect();
    let ruleset = if rng.chance(1, 2) { "rows" } else { "walks" };
    format!(
        r#"{{"ruleset":"{ruleset}","rows":{rows},"cols":{cols},"kinds":{{"kinds":[{}],"search_limit":{}}}}}"#,
        kinds.join(","),
        between(rng, 1, 20_000)
    )
}

fn random_level(rng: &mut MapRng) -> String {
    let walls = ["default", "empty", "grid_wire", "sparse_moore", "sparse_ortho", "maze", "caves"];
    let pick =
        |rng: &mut MapRng, items: &[&str]| items[rng.below(items.len() as u32) as usize].to_owned();
    let walls = pick(rng, &walls);
    let fuel = pick(rng, &["fuel_can", "refuel_chain", "start_full"]);
    let interior = pick(rng, &["solid", "breakable"]);
    let soft_locks = pick(rng, &["allowed", "forbidden"]);
    format!(
        r#"{{"width":{},"height":{},"walls":"{walls}","fuel":"{fuel}","interior_walls":"{interior}","soft_locks":"{soft_locks}","attempts":{},"players":{},"cars":{},"flashlights":{},"pitfalls":"{}%","moving_floors":"{}%"}}"#,
        size(rng, 9, 300),
        size(rng, 7, 300),
        size(rng, 1, 100),
        size(rng, 1, 32),
        size(rng, 1, 8),
        rng.below(20),
        size(rng, 0, 40),
        size(rng, 0, 30),
    )
}

fn random_floor(rng: &mut MapRng) -> String {
    let (width, height) = (size(rng, 3, 64), size(rng, 3, 64));
    let cells = width * height;
    let carve = if rng.chance(1, 2) { "astar" } else { "walk" };
    let open = if rng.chance(1, 3) { "rooms" } else { "density" };
    format!(
        r#"{{"width":{width},"height":{height},"carve":"{carve}","open":"{open}","wallDensity":0.{},"minPathLength":{},"enemyBudget":{},"chestBudget":{},"doorBudget":{},"trapBudget":{},"waterBudget":{}}}"#,
        rng.below(10),
        size(rng, 0, cells / 2),
        size(rng, 0, cells / 4),
        rng.below(4),
        rng.below(4),
        size(rng, 0, cells / 8 + 1),
        size(rng, 0, cells / 8 + 1),
    )
}
