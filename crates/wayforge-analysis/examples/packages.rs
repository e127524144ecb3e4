//! Rust side of the package benchmark: `benches/packages/run` runs the same tasks here and in the
//! other languages.
//!
//! Each line of standard input is a task, `TASK FAMILY COUNT THREADS`. The output is one line per
//! task: seconds and a checksum, by which all languages are compared.
//!
//! `batch` measures every metric of every map into columns and sums them up. `maps` generates one
//! map after another with its document, as a package returns it, and sums up their lengths.

use rayon::ThreadPoolBuilder;
use std::io::{self, BufRead, Write};
use std::time::Instant;
use wayforge::AnySpec;
use wayforge::metric::Term;
use wayforge::{Family, Seed};
use wayforge_analysis::search::{SeedRange, measure_seeds};

fn main() {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let result = line.map_err(|error| error.to_string()).and_then(|line| run_task(&line));
        let written = match result {
            Ok((seconds, sum)) => writeln!(output, "{seconds:.6} {sum}"),
            Err(problem) => writeln!(output, "? {problem}"),
        };
        if written.and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

fn run_task(line: &str) -> Result<(f64, i64), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[task, family, count, threads] = words.as_slice() else {
        return Err(format!("{line:?}: write TASK FAMILY COUNT THREADS"));
    };
    let family = Family::ALL
        .into_iter()
        .find(|candidate| candidate.name() == family)
        .ok_or_else(|| format!("{family:?} is not a family"))?;
    let number = |text: &str| text.parse::<u32>().map_err(|error| format!("{text:?}: {error}"));
    let (count, threads) = (u64::from(number(count)?), number(threads)? as usize);
    let start = Instant::now();
    let spec = AnySpec::from_json(family, b"{}").map_err(|error| error.to_string())?;
    Ok(match task {
        "batch" => {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|error| error.to_string())?;
            let terms: Vec<Term> = spec.catalogue().terms().collect();
            let table =
                pool.install(|| measure_seeds(&spec, SeedRange::from(0).take(count), &terms));
            let took = start.elapsed().as_secs_f64();
            (took, table.values.iter().flatten().fold(0, |sum, &value| sum.wrapping_add(value)))
        }
        "maps" => {
            let documents = (0..count).filter_map(|seed| {
                spec.generate(Seed::new(seed)).map(|map| map.to_document()).ok()
            });
            let sum = documents.map(|document| document.to_text().len() as i64).sum();
            (start.elapsed().as_secs_f64(), sum)
        }
        _ => return Err(format!("{task:?} is not a task; use batch or maps")),
    })
}
