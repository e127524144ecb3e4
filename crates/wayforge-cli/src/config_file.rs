//! Reading files, with a bound.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use wayforge::DecodeError;
use wayforge::act::ActConfig;
use wayforge::level::LevelConfig;

/// The largest file that is read: the largest sea as text, with its line ends. Far below any memory.
const MOST: u64 = 257 * 1024 * 1024;

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| Failure::about(path.display(), error))?;
    if bytes.len() as u64 > MOST {
        return Err(Failure::about(path.display(), "larger than 257 MiB; no document is"));
    }
    Ok(bytes)
}

/// A configuration of act maps from a `.toml` or `.json` file.
pub(crate) fn read_act_config(path: &Path) -> Result<ActConfig, Failure> {
    ActConfig::from_json(&read_json(path)?).map_err(|error| refuse_field(path, &error))
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
    let json = read_json(path)?;
    let config = LevelConfig::from_json(&json).map_err(|error| refuse_field(path, &error))?;
    // Serde also reads a struct from a list of its fields; nobody means that.
    let fields: serde_json::Value = serde_json::from_slice(&json).unwrap_or_default();
    if !fields.is_object() {
        return Err(Failure::about(path.display(), "not a stage; write an object of its fields"));
    }
    Ok(Stage { config, sized: ["width", "height"].map(|side| fields.get(side).is_some()) })
}

/// A stage, and whether its file names its width and its height.
#[derive(Default)]
pub(crate) struct Stage {
    pub(crate) config: LevelConfig,
    pub(crate) sized: [bool; 2],
}

/// The content of a `.toml` or `.json` file as JSON.
pub(crate) fn read_json(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read_text(path)?;
    let refuse = |error: &dyn std::fmt::Display| Failure::about(path.display(), error);
    match path.extension().and_then(|suffix| suffix.to_str()) {
        Some("json") => Ok(bytes),
        Some("toml") => {
            let text = std::str::from_utf8(&bytes).map_err(|error| refuse(&error))?;
            let table: toml::Table =
                toml::from_str(text).map_err(|error| refuse(&toml_error(text, &error)))?;
            serde_json::to_vec(&table).map_err(|error| refuse(&error))
        }
        _ => Err(Failure::about(path.display(), "unknown suffix; use .toml or .json")),
    }
}

/// Refuses what a field holds. The place in the text is only told of JSON: of TOML it would be that of the translation.
pub(crate) fn refuse_field(path: &Path, error: &DecodeError) -> Failure {
    let told = error.to_string();
    let cut = match path.extension().is_some_and(|suffix| suffix == "toml") {
        true => told.rfind(" at line 1 column ").unwrap_or(told.len()),
        false => told.len(),
    };
    Failure::about(path.display(), &told[..cut])
}

/// A TOML error in one line, with its place.
fn toml_error(text: &str, error: &toml::de::Error) -> String {
    match error.span() {
        Some(span) => {
            let before = &text[..span.start.min(text.len())];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
            format!("{} at line {line} column {column}", error.message())
        }
        None => error.message().to_owned(),
    }
}
