//! Reading files, with a bound.

use crate::failure::{Context, Failure};
use crate::toml_text::{self, place_of};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use wayforge::{DecodeError, GenerateError, level};

/// The largest file that is read: the largest sea as text, with its line ends. Far below any memory.
const MAX: u64 = 257 * 1024 * 1024;

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(MAX + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(MAX + 1).read_to_end(&mut bytes)),
    };
    read.about(path.display())?;
    if bytes.len() as u64 > MAX {
        return Err(Failure::about(path.display(), "larger than 257 MiB; no document is"));
    }
    Ok(bytes)
}

/// The configuration in a `.toml` or `.json` file, or the default without one.
pub(crate) fn read_config<T: Default>(
    path: Option<&Path>,
    parse: impl FnOnce(&[u8]) -> Result<T, DecodeError>,
) -> Result<T, Failure> {
    path.map_or_else(|| Ok(T::default()), |path| Source::read(path)?.parse(parse))
}

/// Everything in a text file. Some editors begin one with a mark of its byte order, which belongs to no text.
pub(crate) fn read_text(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = read(path)?;
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    Ok(bytes)
}

/// A stage from a `.toml` or `.json` file.
pub(crate) fn read_stage(path: &Path) -> Result<Stage, Failure> {
    let source = Source::read(path)?;
    let config = source.parse(level::Config::from_json)?;
    // Serde also reads a struct from a list of its fields; nobody means that.
    let fields: serde_json::Value = serde_json::from_slice(source.json()).unwrap_or_default();
    if !fields.is_object() {
        return Err(Failure::about(path.display(), "not a stage; write an object of its fields"));
    }
    Ok(Stage { config, sized: ["width", "height"].map(|side| fields.get(side).is_some()) })
}

/// A stage, and whether its file names its width and its height.
#[derive(Clone, Default)]
pub(crate) struct Stage {
    pub(crate) config: level::Config,
    sized: [bool; 2],
}

impl Stage {
    /// Sets the width and the height, unless the file names them.
    pub(crate) fn set_size(&mut self, size: [i64; 2]) {
        let sides = [&mut self.config.width, &mut self.config.height];
        for ((side, size), _) in sides.into_iter().zip(size).zip(self.sized).filter(|(_, sized)| !sized) {
            *side = size;
        }
    }
}

/// The content of a `.toml` or `.json` file as JSON.
pub(crate) struct Source {
    path: PathBuf,
    json: Vec<u8>,
    toml: Option<String>,
}

/// The text of an error without a place in JSON that no file contains.
pub(crate) fn without_place(error: &impl Display) -> String {
    let text = error.to_string();
    text.rfind(" at line 1 column ").map_or(text.as_str(), |at| &text[..at]).to_owned()
}

impl Source {
    pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
        let bytes = read_text(path)?;
        let (json, toml) = match path.extension().and_then(|suffix| suffix.to_str()) {
            Some("json") => (bytes, None),
            Some("toml") => {
                let text =
                    String::from_utf8(bytes).map_err(|error| error.utf8_error()).about(path.display())?;
                (toml_text::to_json(&text).about(path.display())?, Some(text))
            }
            _ => return Err(Failure::about(path.display(), "unknown suffix; use .toml or .json")),
        };
        Ok(Source { path: path.to_owned(), json, toml })
    }

    pub(crate) fn json(&self) -> &[u8] {
        &self.json
    }

    /// Parses the JSON; an error names its place in the file.
    pub(crate) fn parse<T, E: Into<GenerateError>>(
        &self,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<T, Failure> {
        parse(&self.json).map_err(Into::into).map_err(|error| match &self.toml {
            None => Failure::about(self.path.display(), error),
            Some(text) => {
                let place = match &error {
                    GenerateError::Decode(DecodeError::Shape { path, .. }) => place_of(text, path),
                    _ => None,
                };
                let place = place.map_or_else(String::new, |place| format!(" at {place}"));
                Failure::about(self.path.display(), format!("{}{place}", without_place(&error)))
            }
        })
    }
}
