//! Floors generated and validated per second of processor time, which a busy machine does not falsify:
//! `cargo run --profile bench -p wayforge-benches --example floors -- [count] [config]`.

use std::env;
use std::fs;
use wayforge::Seed;
use wayforge::floor::{self, Validator};

/// Processor time of this process in seconds, by Linux's own count of a hundred ticks a second.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = [11, 12].iter().filter_map(|&at| fields.get(at)?.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let count: u64 = words.first().and_then(|word| word.parse().ok()).unwrap_or(2_000_000);
    let text = words.get(1).map_or("{}", String::as_str);
    let spec = floor::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap();
    let (mut generator, mut validator) = (floor::Generator::new(&spec), Validator::default());
    for validated in [false, true] {
        let start = processor_time();
        let valid = (0..count).filter(|&seed| {
            let floor = generator.generate(Seed::new(seed)).unwrap();
            !validated || validator.is_valid(floor)
        });
        assert_eq!(valid.count() as u64, count);
        let rate = count as f64 / (processor_time() - start);
        println!("{} {rate:.0} a second", if validated { "generated and validated:" } else { "generated:" });
    }
}
