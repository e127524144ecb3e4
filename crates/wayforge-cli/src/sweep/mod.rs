//! What commands that go through many seeds share: which seeds of which maps, on how many threads, a bar, and ctrl-c.

mod bar;

pub(crate) use bar::{Bar, SAVES};
pub(crate) use wayforge_analysis::search::Pace;

use crate::config_file::Source;
use crate::failure::{Context, Failure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wayforge::AnySpec;
use wayforge::{Family, Seed};
use wayforge_analysis::search::{BLOCK, Shard, Span};

/// The options that say whose maps are made, of which seeds, and how.
#[derive(Args)]
pub(crate) struct SweepArgs {
    /// The family of the maps
    #[arg(value_parser = parse_family())]
    family: Family,
    /// Read the family's configuration from a .toml or .json file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The first seed, a number or any text; the others follow it, after the largest from 0
    #[arg(long, value_name = "SEED", default_value = "0", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    seed: Seed,
    /// Go through one part of the seeds only, as in 2/8: parts of all numbers together are the whole
    #[arg(long, value_name = "PART/OF", default_value_t = Shard::default())]
    pub(crate) shard: Shard,
    /// How many threads; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
}

/// Parses the name of a map family; the help lists them all.
fn parse_family() -> impl TypedValueParser<Value = Family> {
    PossibleValuesParser::new(Family::ALL.map(Family::name)).try_map(|name| name.parse::<Family>())
}

impl SweepArgs {
    /// The family with its configuration, and that as JSON.
    pub(crate) fn subject(&self) -> Result<(AnySpec, serde_json::Value), Failure> {
        self.subject_of(self.config.as_deref())
    }

    /// The family with the configuration of a file, or with that of its defaults, and that as JSON.
    pub(crate) fn subject_of(&self, config: Option<&Path>) -> Result<(AnySpec, serde_json::Value), Failure> {
        let read = |json: &[u8]| AnySpec::from_json(self.family, json);
        let Some(path) = config else {
            return Ok((read(b"{}").rejected()?, json!({})));
        };
        let source = Source::read(path)?;
        Ok((source.parse(read)?, serde_json::from_slice(source.json()).unwrap_or_default()))
    }

    /// The file of the configuration.
    pub(crate) fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The seeds of the shard among `count`.
    pub(crate) fn span(&self, count: u64) -> Span {
        let span = Span::new(self.seed.clone()).take(count).of(self.shard);
        if span.is_empty() {
            // Not an error: a job that deals out shards need not know how many seeds there are.
            let _ = writeln!(
                io::stderr(),
                "shard {} has no seed: {count} seeds are dealt out in blocks of {BLOCK}",
                self.shard
            );
        }
        span
    }

    /// The threads.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0) as usize).build();
        pool.about("--threads")
    }
}

/// A flag that the first ctrl-c sets; the second ends the process as usual.
pub(crate) fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let told = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    told.about("ctrl-c")?;
    Ok(stop)
}
