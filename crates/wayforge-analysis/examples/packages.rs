//! Rust beside the packages of other languages: `benches/packages/run` asks it and them the same by turns.
//!
//! Each line of standard input is a piece of work, `WORK FAMILY COUNT THREADS`, answered by a line with the seconds it took and a sum of what was
//! made, by which the sides are held to have done the same. `batch` reads every metric of every map into columns and sums them up; `maps` makes one
//! map after another with its document, as a package hands it over, and sums up lengths.

use rayon::ThreadPoolBuilder;
use std::io::{self, BufRead, Write};
use std::time::Instant;
use wayforge::AnySpec;
use wayforge::metric::Term;
use wayforge::{Family, Seed};
use wayforge_analysis::search::{Span, columns};

fn main() {
    let mut answers = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let answer = line.map_err(|error| error.to_string()).and_then(|line| answer(&line));
        let told = match answer {
            Ok((seconds, sum)) => writeln!(answers, "{seconds:.6} {sum}"),
            Err(problem) => writeln!(answers, "? {problem}"),
        };
        if told.and_then(|()| answers.flush()).is_err() {
            return;
        }
    }
}

fn answer(line: &str) -> Result<(f64, i64), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[work, family, count, threads] = words.as_slice() else {
        return Err(format!("{line:?}: write WORK FAMILY COUNT THREADS"));
    };
    let family = Family::ALL
        .into_iter()
        .find(|known| known.name() == family)
        .ok_or_else(|| format!("{family:?} is no family"))?;
    let number = |text: &str| text.parse::<u32>().map_err(|error| format!("{text:?}: {error}"));
    let (count, threads) = (u64::from(number(count)?), number(threads)? as usize);
    let start = Instant::now();
    let subject = AnySpec::from_json(family, b"{}").map_err(|error| error.to_string())?;
    Ok(match work {
        "batch" => {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|error| error.to_string())?;
            let terms: Vec<Term> = subject.catalogue().terms().collect();
            let table = pool.install(|| columns(&subject, Span::from(0).take(count), &terms));
            let took = start.elapsed().as_secs_f64();
            (took, table.values.iter().flatten().fold(0, |sum, &value| sum.wrapping_add(value)))
        }
        "maps" => {
            let documents = (0..count)
                .filter_map(|seed| subject.generate(Seed::new(seed)).map(|map| map.to_document()).ok());
            let sum = documents.map(|document| document.to_text().len() as i64).sum();
            (start.elapsed().as_secs_f64(), sum)
        }
        _ => return Err(format!("{work:?}: ask for batch or maps")),
    })
}
