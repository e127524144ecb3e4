//! Shared parts of the commands over many seeds: seed range, threads and progress.

mod progress;

pub(crate) use progress::{DEFAULT_SAVE_INTERVAL, SeedProgress};
pub(crate) use wayforge_analysis::search::WavePacer;

use crate::config_file::Source;
use crate::failure::{Context, Failure};
use crate::number::within;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wayforge::AnySpec;
use wayforge::{Family, Seed};
use wayforge_analysis::search::{BLOCK_LEN, SeedRange, Shard};

/// Options for map family, configuration, seeds and threads.
#[derive(Args)]
pub(crate) struct SeedRangeArgs {
    /// Map family
    #[arg(value_parser = family_parser())]
    family: Family,
    /// Read the configuration from a .toml or .json file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// First seed, a number or any text; later seeds count up and wrap at 2^64
    #[arg(
        long,
        value_name = "SEED",
        default_value = "0",
        allow_hyphen_values = true,
        value_parser = str::parse::<Seed>
    )]
    seed: Seed,
    /// Process only one part of the seeds, e.g. 2/8 for the second of eight
    #[arg(long, value_name = "PART/OF", default_value_t = Shard::default())]
    pub(crate) shard: Shard,
    /// Number of threads, 1 to 1024 [default: all cores]
    #[arg(long, value_name = "N", value_parser = within(1..=1024))]
    threads: Option<u64>,
}

/// Returns a parser for the names of map families.
fn family_parser() -> impl TypedValueParser<Value = Family> {
    PossibleValuesParser::new(Family::ALL.map(Family::name)).try_map(|name| name.parse::<Family>())
}

impl SeedRangeArgs {
    /// Returns the checked configuration and its JSON as read.
    pub(crate) fn spec(&self) -> Result<(AnySpec, serde_json::Value), Failure> {
        self.read_spec(self.config.as_deref())
    }

    /// Returns the checked configuration from a file, or the default without one, and its JSON.
    pub(crate) fn read_spec(
        &self,
        config: Option<&Path>,
    ) -> Result<(AnySpec, serde_json::Value), Failure> {
        let read = |json: &[u8]| AnySpec::from_json(self.family, json);
        let Some(path) = config else {
            return Ok((read(b"{}").rejected()?, json!({})));
        };
        let source = Source::read(path)?;
        Ok((source.parse(read)?, serde_json::from_slice(source.json()).unwrap_or_default()))
    }

    /// Returns the path of the configuration file.
    pub(crate) fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// Returns the seeds of the shard among `count` seeds.
    pub(crate) fn seeds(&self, count: u64) -> SeedRange {
        let seeds = SeedRange::new(self.seed.clone()).take(count).with_shard(self.shard);
        if seeds.is_empty() {
            // Not an error: a scheduler may start more shards than there are blocks.
            let _ = writeln!(
                io::stderr(),
                "shard {} has no seeds: {count} seeds are distributed in blocks of {BLOCK_LEN}",
                self.shard
            );
        }
        seeds
    }

    /// Builds the thread pool.
    pub(crate) fn thread_pool(&self) -> Result<rayon::ThreadPool, Failure> {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0) as usize).build();
        pool.context("--threads")
    }
}
