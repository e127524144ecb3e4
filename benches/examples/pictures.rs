//! Prints the CPU time of drawing act maps as PNG, which depends less on other processes than
//! wall-clock time: `cargo run --profile bench -p wayforge-benches --example pictures -- [COUNT]`.
//! Linux only.

use std::{env, error::Error, fs};
use wayforge::Seed;
use wayforge::act;
use wayforge_draw::{Painter, Scene, Theme};

/// Returns the CPU time of this process in milliseconds.
fn cpu_time() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/self/schedstat")?;
    Ok(text.split(' ').next().unwrap_or_default().parse::<f64>()? / 1e6)
}

fn main() -> Result<(), Box<dyn Error>> {
    let count: u64 = env::args().nth(1).map_or(Ok(300), |arg| arg.parse())?;
    let spec = act::Config::default().resolve()?;
    let mut painter = Painter::new();
    for theme in Theme::ALL {
        let mut bytes = 0;
        let mut best = f64::MAX;
        let start = cpu_time()?;
        painter.png(&Scene::from_act(&act::generate(Seed::new(0), &spec)?), theme, 100)?;
        let first = cpu_time()? - start;
        (1..20).try_for_each(|seed| {
            painter.png(&Scene::from_act(&act::generate(Seed::new(seed), &spec)?), theme, 100)?;
            Ok::<(), Box<dyn Error>>(())
        })?;
        let start = cpu_time()?;
        for seed in 0..count {
            let before = cpu_time()?;
            let map = act::generate(Seed::new(seed), &spec)?;
            bytes += painter.png(&Scene::from_act(&map), theme, 100)?.len();
            best = best.min(cpu_time()? - before);
        }
        let mean = (cpu_time()? - start) / count as f64;
        println!(
            "{}: mean {mean:.2} ms from seed to file (minimum {best:.2} ms, first {first:.0} ms), \
             {} bytes",
            theme.name(),
            bytes as u64 / count
        );
    }
    Ok(())
}
