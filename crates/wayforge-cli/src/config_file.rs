//! Reading files, with a bound.

use crate::failure::{Context, Failure};
use crate::toml_text::{self, place_of};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use wayforge::{DecodeError, GenerateError, act, level};

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

/// A configuration of act maps from a `.toml` or `.json` file.
pub(crate) fn read_act_config(path: &Path) -> Result<act::Config, Failure> {
    Source::read(path)?.parse(act::Config::from_json)
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
#[derive(Default)]
pub(crate) struct Stage {
    pub(crate) config: level::Config,
    pub(crate) sized: [bool; 2],
}

/// The content of a `.toml` or `.json` file as JSON.
pub(crate) struct Source {
    path: PathBuf,
    json: Vec<u8>,
    toml: Option<String>,
}

/// An error about a configuration that may name the path of a member.
pub(crate) trait MemberError: Display {
    fn path(&self) -> Option<&str>;
}

impl MemberError for DecodeError {
    fn path(&self) -> Option<&str> {
        match self {
            DecodeError::Shape { path, .. } => Some(path),
            _ => None,
        }
    }
}

impl MemberError for GenerateError {
    fn path(&self) -> Option<&str> {
        match self {
            GenerateError::Decode(error) => error.path(),
            _ => None,
        }
    }
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

    /// What is made of the JSON, or an error that names the place in the file.
    pub(crate) fn parse<T, E: MemberError>(
        &self,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<T, Failure> {
        parse(&self.json).map_err(|error| match &self.toml {
            None => Failure::about(self.path.display(), error),
            Some(text) => {
                let place = error.path().and_then(|path| place_of(text, path));
                let place = place.map_or_else(String::new, |place| format!(" at {place}"));
                Failure::about(self.path.display(), format!("{}{place}", without_place(&error)))
            }
        })
    }
}
