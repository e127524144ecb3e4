//! `wayforge convert`: converts a map to another file format, chosen by the file suffixes.

use crate::choice::{Choice, THEMES, choice};
use crate::config_file;
use crate::failure::{Context, Failure};
use crate::output::{ClosedOutput, Output};
use crate::validate::summary;
use clap::Args;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use wayforge::Seed;
use wayforge_draw::Theme;
use wayforge_formats::{
    Content, ContentKind, Files, Format, ImportedContent, PinMode, ReadOptions, file_too_large,
};

/// Options of `wayforge convert`.
#[derive(Args)]
pub(crate) struct ConvertArgs {
    /// File to read; `wayforge formats` lists the formats
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// File to write; tilesets and manifests go into the same folder
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Content of an ambiguous .txt drawing: blueprint, template or grid
    #[arg(long = "as", value_name = "CONTENT", value_parser = parse_content)]
    hint: Option<ContentKind>,
    /// Regenerate an edited level or floor around pinned cells [default: marked, if any]
    #[arg(long, value_parser = choice(&PINS))]
    pins: Option<Pins>,
    /// Generate a level from a blueprint for this stage (.toml or .json); marked cells are pinned
    #[arg(long, value_name = "FILE")]
    stage: Option<PathBuf>,
    /// Seed of that level, a number or any text [default: random]
    #[arg(
        long,
        value_name = "SEED",
        requires = "stage",
        allow_hyphen_values = true,
        value_parser = str::parse::<Seed>
    )]
    seed: Option<Seed>,
    /// Colour theme of pictures and tiles
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    theme: Theme,
}

/// Cells to keep when a map is regenerated; `None` writes the map as drawn.
type Pins = Option<PinMode>;

const PINS: [Choice<Pins>; 4] = [
    ("none", "Write the map as drawn", None),
    ("marked", "Pin the cells marked in the file", Some(PinMode::Marked)),
    ("changed", "Pin the cells changed since generation", Some(PinMode::Changed)),
    ("all", "Pin all cells", Some(PinMode::All)),
];

/// Reads the input, regenerates maps if requested, and writes the output.
pub(crate) fn run(args: ConvertArgs) -> Result<(), Failure> {
    let (mut from, name) = Folder::of(&args.input)?;
    let (mut to, target) = Folder::of(&args.output)?;
    let format = |path: &Path, name: &str| Format::from_file_name(name).context(path.display());
    let (reader, writer) = (format(&args.input, &name)?, format(&args.output, &target)?);
    let imported = reader
        .read(&name, &mut from, ReadOptions { hint: args.hint })
        .context(args.input.display())?;
    let mut valid = true;
    let mut contents = Vec::with_capacity(imported.len());
    for content in imported {
        contents.push(args.convert(content, &mut valid)?);
    }
    writer.write(&contents, &target, args.theme, &mut to).context(args.output.display())?;
    to.publish()?;
    if valid { Ok(()) } else { Err(Failure::Check) }
}

impl ConvertArgs {
    /// Returns the content to write: as read, or regenerated around its pinned cells.
    fn convert(&self, imported: ImportedContent, valid: &mut bool) -> Result<Content, Failure> {
        let pin_mode = self.pins.unwrap_or_else(|| {
            (imported.has_pins() && imported.is_edited() || self.stage.is_some())
                .then_some(PinMode::Marked)
        });
        let content = match (&self.stage, pin_mode) {
            (Some(path), pin_mode) => {
                let stage = config_file::read_stage(path)?;
                let seed = match &self.seed {
                    Some(seed) => seed.clone(),
                    None => {
                        let seed = crate::seed::random()?;
                        eprintln!("seed {seed}");
                        seed
                    }
                };
                imported
                    .regenerate_with(pin_mode.unwrap_or_default(), &stage.config, seed)
                    .context(self.input.display())?
            }
            (None, Some(pin_mode)) => {
                imported.regenerate(pin_mode).context(self.input.display())?
            }
            (None, None) if imported.is_edited() => {
                let path = self.input.display();
                eprintln!(
                    "{path}: edited since generation; written as drawn \
                     (use --pins changed to regenerate it around the changes)"
                );
                imported.content
            }
            (None, None) => return Ok(imported.content),
        };
        *valid &= self.validate(&content)?;
        Ok(content)
    }

    /// Validates a map and prints the report. Returns true if it is valid.
    fn validate(&self, content: &Content) -> Result<bool, Failure> {
        let Content::Map(map) = content else { return Ok(true) };
        let document = map.to_document();
        let report = wayforge::validate_document(&document, false).context(self.input.display())?;
        let subject = format!(
            "{}: {} seed {}",
            self.output.display(),
            document.algorithm,
            document.seed.to_line()
        );
        eprintln!("{subject}: {}", summary(&report));
        report.violations.iter().for_each(|violation| eprintln!("  {violation}"));
        Ok(report.is_valid())
    }
}

fn parse_content(text: &str) -> Result<ContentKind, String> {
    ContentKind::from_name(text)
        .ok_or_else(|| "unknown content; use blueprint, template or grid".to_owned())
}

/// A folder whose written files are published together when all of them are complete.
pub(crate) struct Folder {
    path: PathBuf,
    open: Option<Output>,
    closed: Vec<ClosedOutput>,
}

impl Folder {
    /// Splits a path into its folder and its file name.
    pub(crate) fn of(path: &Path) -> Result<(Folder, String), Failure> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name =
            name.ok_or_else(|| Failure::new(path.display(), "has no file name; name a file"))?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok((Folder { path: folder, open: None, closed: Vec::new() }, name.to_owned()))
    }

    fn close(&mut self) -> Result<(), Failure> {
        if let Some(open) = self.open.take() {
            self.closed.push(open.close()?);
        }
        Ok(())
    }

    /// Moves all written files to their final paths.
    fn publish(mut self) -> Result<(), Failure> {
        self.close()?;
        self.closed.into_iter().try_for_each(ClosedOutput::publish)
    }
}

impl Files for Folder {
    fn read(&mut self, name: &str, max_bytes: u64) -> io::Result<Vec<u8>> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
        let mut bytes = Vec::new();
        let file = File::open(self.path.join(name)).map_err(named)?;
        file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(named)?;
        if bytes.len() as u64 > max_bytes {
            return Err(named(file_too_large(max_bytes)));
        }
        Ok(bytes)
    }

    fn create(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        let to_io_error = |failure: Failure| io::Error::other(failure.to_string());
        self.close().map_err(to_io_error)?;
        let output = Output::open(Some(&self.path.join(name))).map_err(to_io_error)?;
        Ok(self.open.insert(output))
    }
}
