//! Values of `--format`. Each command accepts a subset.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use wayforge_formats::Format;

/// Output format of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    Text,
    Ascii,
    Svg,
    Png,
    /// Animated PNG of the map's generation
    Apng,
    Json,
    /// One line per map: `column symbol targets,` for each node, rows end with `/`
    Line,
    /// JSON blueprint for the game Zombie Escape
    ZombieEscape,
    /// Seeds only
    Seeds,
    /// Table of metrics, for example for pandas, DuckDB or Polars
    Parquet,
    /// One JSON object per line: metrics, or documents with --documents
    Jsonl,
    /// Table of metrics as text
    Csv,
    /// Folder with one document per file, 1000 seeds per subfolder
    Folder,
}

use FormatArg::{Apng, Ascii, Json, Png, Svg, Text};

/// Formats of reports.
pub(crate) const REPORTS: [FormatArg; 2] = [Text, Json];
/// Formats of maps of every family.
pub(crate) const MAPS: [FormatArg; 5] = [Ascii, Svg, Png, Apng, Json];

impl FormatArg {
    /// Returns a parser that accepts only `allowed`. Help and errors list only those formats.
    pub(crate) fn among(allowed: &[FormatArg]) -> impl TypedValueParser<Value = FormatArg> {
        let names = allowed.iter().filter_map(ValueEnum::to_possible_value);
        PossibleValuesParser::new(names).try_map(|name| FormatArg::from_str(&name, false))
    }

    /// Returns the format of a file of one map by its suffix, as `wayforge convert` does; `None` if
    /// no command generates maps in that format.
    pub(crate) fn from_suffix(suffix: &str) -> Option<FormatArg> {
        match Format::from_file_name(&format!(".{suffix}")).ok()? {
            Format::Ascii => Some(Ascii),
            Format::Svg => Some(Svg),
            Format::Png => Some(Png),
            Format::Apng => Some(Apng),
            Format::Document => Some(Json),
            _ => None,
        }
    }

    /// Returns true if the format is a picture, which shows exactly one map.
    pub(crate) fn is_picture(self) -> bool {
        matches!(self, Svg | Png | Apng)
    }
}
