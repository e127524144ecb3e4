//! Prints the number of floors generated and validated per second of CPU time, on Linux only:
//! `cargo run --profile bench -p wayforge-benches --example floors -- [COUNT] [CONFIG]`.

use std::env;
use std::fs;
use wayforge::Seed;
use wayforge::floor::{self, Validator};

/// Returns the CPU time of this process in seconds, from Linux's 100 Hz tick counters.
fn cpu_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 =
        [11, 12].iter().filter_map(|&index| fields.get(index)?.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let count: u64 = args.first().and_then(|arg| arg.parse().ok()).unwrap_or(2_000_000);
    let config = args.get(1).map_or("{}", String::as_str);
    let spec = floor::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let (mut generator, mut validator) = (floor::Generator::new(&spec), Validator::default());
    for validate in [false, true] {
        let start = cpu_time();
        let valid = (0..count).filter(|&seed| {
            let floor = generator.generate(Seed::new(seed)).unwrap();
            !validate || validator.is_valid(floor)
        });
        assert_eq!(valid.count() as u64, count);
        let rate = count as f64 / (cpu_time() - start);
        println!(
            "{} {rate:.0} per second",
            if validate { "generated and validated:" } else { "generated:" }
        );
    }
}
