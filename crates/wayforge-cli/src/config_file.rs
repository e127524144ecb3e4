//! Reading files, with a bound.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use wayforge::act::ActConfig;

/// The largest file that is read: far beyond any map, far below any memory.
const MOST: u64 = 256 * 1024 * 1024;

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| Failure::about(path.display(), error))?;
    if bytes.len() as u64 > MOST {
        return Err(Failure::about(path.display(), "larger than 256 MiB; no document is"));
    }
    Ok(bytes)
}

/// A configuration of act maps from a `.toml` or `.json` file.
pub(crate) fn read_act_config(path: &Path) -> Result<ActConfig, Failure> {
    let json = read_config(path)?;
    ActConfig::from_json(&json).map_err(|error| Failure::about(path.display(), error))
}

/// The JSON of a configuration from a `.toml` or `.json` file.
pub(crate) fn read_config(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read(path)?;
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
