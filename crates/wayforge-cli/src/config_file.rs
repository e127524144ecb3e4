//! Reads input and configuration files, with a size limit.

use crate::failure::{Context, Failure};
use crate::toml_text::{self, field_position};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use wayforge::{DecodeError, GenerateError, level};

/// Maximum size of a file, or of each document in a file of documents, in bytes: the largest
/// navigation grid as text, with line ends.
pub(crate) const MAX_BYTES: u64 = 257 * 1024 * 1024;

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes).context(path.display())?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::new(path.display(), "too large; use a file of at most 257 MiB"));
    }
    Ok(bytes)
}

/// Opens a file, or standard input for `-`.
pub(crate) fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    Ok(Box::new(File::open(path).context(path.display())?))
}

/// Reads the configuration from a `.toml` or `.json` file, or returns the default without one.
pub(crate) fn read_config<T: Default>(
    path: Option<&Path>,
    parse: impl FnOnce(&[u8]) -> Result<T, DecodeError>,
) -> Result<T, Failure> {
    path.map_or_else(|| Ok(T::default()), |path| Source::read(path)?.parse(parse))
}

/// Reads a text file and removes a UTF-8 byte order mark.
pub(crate) fn read_text(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = read(path)?;
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    Ok(bytes)
}

/// Reads a stage from a `.toml` or `.json` file.
pub(crate) fn read_stage(path: &Path) -> Result<Stage, Failure> {
    let source = Source::read(path)?;
    let config = source.parse(level::Config::from_json)?;
    // Serde also accepts a list of field values for a struct.
    let fields: serde_json::Value = serde_json::from_slice(source.json()).unwrap_or_default();
    if !fields.is_object() {
        return Err(Failure::new(path.display(), "not a stage; write an object with its fields"));
    }
    Ok(Stage { config, is_size_set: ["width", "height"].map(|side| fields.get(side).is_some()) })
}

/// A stage, and whether its file sets the width and the height.
#[derive(Clone, Default)]
pub(crate) struct Stage {
    pub(crate) config: level::Config,
    is_size_set: [bool; 2],
}

impl Stage {
    /// Sets the width and the height, unless the file sets them.
    pub(crate) fn set_default_size(&mut self, size: [i64; 2]) {
        let sides = [&mut self.config.width, &mut self.config.height];
        for ((side, size), is_set) in sides.into_iter().zip(size).zip(self.is_size_set) {
            if !is_set {
                *side = size;
            }
        }
    }
}

/// The content of a `.toml` or `.json` file, converted to JSON.
pub(crate) struct Source {
    path: PathBuf,
    json: Vec<u8>,
    toml: Option<String>,
}

/// Removes the position of an error, which refers to generated JSON.
pub(crate) fn without_position(error: GenerateError) -> GenerateError {
    match error {
        GenerateError::Decode(error) => error.without_position().into(),
        other => other,
    }
}

impl Source {
    pub(crate) fn read(path: &Path) -> Result<Source, Failure> {
        let bytes = read_text(path)?;
        let (json, toml) = match path.extension().and_then(|suffix| suffix.to_str()) {
            Some("json") => (bytes, None),
            Some("toml") => {
                let text = String::from_utf8(bytes)
                    .map_err(|error| error.utf8_error())
                    .context(path.display())?;
                (toml_text::to_json(&text).context(path.display())?, Some(text))
            }
            _ => return Err(Failure::new(path.display(), "unknown suffix; use .toml or .json")),
        };
        Ok(Source { path: path.to_owned(), json, toml })
    }

    pub(crate) fn json(&self) -> &[u8] {
        &self.json
    }

    /// Parses the JSON. Errors name the position in the file.
    pub(crate) fn parse<T, E: Into<GenerateError>>(
        &self,
        parse: impl FnOnce(&[u8]) -> Result<T, E>,
    ) -> Result<T, Failure> {
        parse(&self.json).map_err(Into::into).map_err(|error| match &self.toml {
            None => Failure::new(self.path.display(), error),
            Some(text) => {
                let position = match &error {
                    GenerateError::Decode(
                        DecodeError::Malformed { path, .. }
                        | DecodeError::Unknown { field: path, .. },
                    ) => field_position(text, path),
                    _ => None,
                };
                let position = position.map_or_else(String::new, |at| format!(" at {at}"));
                let message = without_position(error);
                Failure::new(self.path.display(), format!("{message}{position}"))
            }
        })
    }
}
