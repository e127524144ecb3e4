//! `wayforge convert`: one file into another, by their suffixes.

use crate::choice::{Choice, THEMES, choice};
use crate::config_file;
use crate::failure::{Context, Failure};
use crate::output::{Output, Sealed};
use crate::validate::summary;
use clap::Args;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use wayforge::Seed;
use wayforge_draw::Theme;
use wayforge_formats::{Content, Files, Format, Pinning, ReadOptions, Reading, What, too_large};

/// The options of `wayforge convert`.
#[derive(Args)]
pub(crate) struct ConvertArgs {
    /// The file to read; `wayforge formats` lists what can be read
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write; what belongs beside it (pictures of tiles, a manifest) goes into its folder
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// What a drawing in .txt is, where its characters do not tell: blueprint, template or water
    #[arg(long = "as", value_name = "WHAT", value_parser = parse_what)]
    hint: Option<What>,
    /// Make an edited level or floor again around fixed cells: those marked in the file, those that were changed, or all
    /// [default: marked, if any are]
    #[arg(long, value_parser = choice(&PINS))]
    pins: Option<Pins>,
    /// Make a level from a blueprint for this stage (.toml or .json); its marked cells are fixed
    #[arg(long, value_name = "FILE")]
    stage: Option<PathBuf>,
    /// The seed of that level, a number or any text
    #[arg(long, value_name = "SEED", requires = "stage", allow_hyphen_values = true, value_parser = str::parse::<Seed>)]
    seed: Option<Seed>,
    /// The look of pictures and tiles
    #[arg(long, default_value = "parchment", value_parser = choice(&THEMES))]
    theme: Theme,
}

type Pins = Option<Pinning>;

const PINS: [Choice<Pins>; 4] = [
    ("none", "", None),
    ("marked", "", Some(Pinning::Marked)),
    ("changed", "", Some(Pinning::Changed)),
    ("all", "", Some(Pinning::All)),
];

/// Reads one file, makes maps again if that was asked for, and writes the other.
pub(crate) fn run(args: ConvertArgs) -> Result<(), Failure> {
    let (mut from, name) = Folder::of(&args.input)?;
    let (mut to, target) = Folder::of(&args.output)?;
    let of = |path: &Path, name: &str| Format::of(name).about(path.display());
    let (reader, writer) = (of(&args.input, &name)?, of(&args.output, &target)?);
    let readings =
        reader.read(&name, &mut from, ReadOptions { hint: args.hint }).about(args.input.display())?;
    let mut valid = true;
    let mut contents = Vec::with_capacity(readings.len());
    for reading in readings {
        contents.push(args.make(reading, &mut valid)?);
    }
    writer.write(&contents, &target, args.theme, &mut to).about(args.output.display())?;
    to.publish()?;
    if valid { Ok(()) } else { Err(Failure::Check) }
}

impl ConvertArgs {
    /// The map to be written: as it was read, or made again around what is fixed.
    fn make(&self, reading: Reading, valid: &mut bool) -> Result<Content, Failure> {
        let pinning = self.pins.unwrap_or_else(|| {
            (reading.has_pins() && reading.is_edited() || self.stage.is_some()).then_some(Pinning::Marked)
        });
        let content = match (&self.stage, pinning) {
            (Some(path), pinning) => {
                let stage = config_file::read_stage(path)?;
                let seed = match &self.seed {
                    Some(seed) => seed.clone(),
                    None => {
                        let seed = crate::seed::random()?;
                        eprintln!("seed {seed}");
                        seed
                    }
                };
                let made = reading.regenerate_with(pinning.unwrap_or_default(), &stage.config, seed);
                made.about(self.input.display())?
            }
            (None, Some(pinning)) => reading.regenerate(pinning).about(self.input.display())?,
            (None, None) if reading.is_edited() => {
                let path = self.input.display();
                eprintln!(
                    "{path}: edited since it was made; written as it is drawn (--pins changed makes it again around the changes)"
                );
                reading.content
            }
            (None, None) => return Ok(reading.content),
        };
        *valid &= self.judge(&content)?;
        Ok(content)
    }

    /// Says whether a map keeps its rules.
    fn judge(&self, content: &Content) -> Result<bool, Failure> {
        let Content::Map(map) = content else { return Ok(true) };
        let document = map.to_document();
        let report = wayforge::validate_document(&document, false).about(self.input.display())?;
        let subject =
            format!("{}: {} seed {}", self.output.display(), document.algorithm, document.seed.to_line());
        eprintln!("{subject}: {}", summary(&report));
        report.violations.iter().for_each(|violation| eprintln!("  {violation}"));
        Ok(report.is_valid())
    }
}

fn parse_what(text: &str) -> Result<What, String> {
    What::from_name(text).ok_or_else(|| "nothing is called so; use blueprint, template or water".to_owned())
}

/// A folder of files: what is written appears when all of it is complete.
pub(crate) struct Folder {
    folder: PathBuf,
    open: Option<Output>,
    sealed: Vec<Sealed>,
}

impl Folder {
    /// The folder that a file stands in, and the file's name there.
    pub(crate) fn of(path: &Path) -> Result<(Folder, String), Failure> {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| Failure::about(path.display(), "not the name of a file"))?;
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok((Folder { folder, open: None, sealed: Vec::new() }, name.to_owned()))
    }

    fn seal(&mut self) -> Result<(), Failure> {
        if let Some(open) = self.open.take() {
            self.sealed.push(open.seal()?);
        }
        Ok(())
    }

    /// Moves everything that was written to its place.
    fn publish(mut self) -> Result<(), Failure> {
        self.seal()?;
        self.sealed.into_iter().try_for_each(Sealed::publish)
    }
}

impl Files for Folder {
    fn read(&mut self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
        let mut bytes = Vec::new();
        let file = File::open(self.folder.join(name)).map_err(named)?;
        file.take(most + 1).read_to_end(&mut bytes).map_err(named)?;
        match bytes.len() as u64 > most {
            true => Err(named(too_large(most))),
            false => Ok(bytes),
        }
    }

    fn create(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        let said = |failure: Failure| io::Error::other(failure.to_string());
        self.seal().map_err(said)?;
        let output = Output::open(Some(&self.folder.join(name))).map_err(said)?;
        Ok(self.open.insert(output))
    }
}
