//! `--format`: the formats of all commands, of which each accepts some.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A format of a command's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    Text,
    Ascii,
    Svg,
    Png,
    /// The generation of the map, as an animated PNG
    Apng,
    Json,
    /// One line per map: `column symbol targets,` for each node, rows end with `/`
    Line,
    /// A blueprint for the game Zombie Escape, as JSON
    ZombieEscape,
    /// Seeds alone
    Seeds,
    /// A table of metrics, for pandas, DuckDB, Polars and the like
    Parquet,
    /// One JSON object per line: metrics, or with --documents whole documents
    Jsonl,
    /// A table of metrics as text
    Csv,
    /// A folder with one document per file, a thousand seeds per subfolder
    Folder,
}

use OutputFormat::{Apng, Ascii, Json, Png, Svg, Text};

/// Formats of reports.
pub(crate) const REPORTS: [OutputFormat; 2] = [Text, Json];
/// Formats of maps of every family.
pub(crate) const MAPS: [OutputFormat; 5] = [Ascii, Svg, Png, Apng, Json];

impl OutputFormat {
    /// A parser that accepts only `allowed`: help and errors list no other format.
    pub(crate) fn among(allowed: &[OutputFormat]) -> impl TypedValueParser<Value = OutputFormat> {
        let names = allowed.iter().filter_map(ValueEnum::to_possible_value);
        PossibleValuesParser::new(names).try_map(|name| OutputFormat::from_str(&name, false))
    }

    /// True if the format shows one map.
    pub(crate) fn is_picture(self) -> bool {
        matches!(self, Svg | Png | Apng)
    }
}
