//! Counts the processor time of pictures, which a busy machine does not falsify as much:
//! `cargo run --profile bench -p wayforge-benches --example pictures -- 300`. Linux only.

use std::{env, error::Error, fs};
use wayforge::Seed;
use wayforge::act;
use wayforge_draw::{Painter, Scene, Theme};

/// Processor time of this process in milliseconds.
fn cpu() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/self/schedstat")?;
    Ok(text.split(' ').next().unwrap_or_default().parse::<f64>()? / 1e6)
}

fn main() -> Result<(), Box<dyn Error>> {
    let count: u64 = env::args().nth(1).map_or(Ok(300), |word| word.parse())?;
    let spec = act::Config::default().resolve()?;
    let mut painter = Painter::new();
    for theme in Theme::ALL {
        let mut bytes = 0;
        let mut best = f64::MAX;
        let start = cpu()?;
        painter.png(&Scene::of_act(&act::generate(Seed::new(0), &spec)?), theme, 100)?;
        let first = cpu()? - start;
        (1..20).try_for_each(|seed| {
            painter.png(&Scene::of_act(&act::generate(Seed::new(seed), &spec)?), theme, 100)?;
            Ok::<(), Box<dyn Error>>(())
        })?;
        let start = cpu()?;
        for seed in 0..count {
            let before = cpu()?;
            let map = act::generate(Seed::new(seed), &spec)?;
            bytes += painter.png(&Scene::of_act(&map), theme, 100)?.len();
            best = best.min(cpu()? - before);
        }
        let mean = (cpu()? - start) / count as f64;
        println!(
            "{}: {mean:.2} ms each from seed to file ({best:.2} ms at best, {first:.0} ms for the first), {} bytes",
            theme.name(),
            bytes as u64 / count
        );
    }
    Ok(())
}
