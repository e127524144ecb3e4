//! Errors of reading and writing files.

use crate::content::ContentKind;
use std::io;
use wayforge::{ConfigError, DecodeError, InputError};
use wayforge_draw::DrawError;

/// Error of reading or writing a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// A field of the file has an invalid value.
    #[error(transparent)]
    Invalid(#[from] InputError),
    /// The configuration in the file is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A Wayforge document is invalid.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// No map satisfies the configuration with the pinned cells.
    #[error("no map satisfies the pinned cells: {0}")]
    Generation(String),
    /// Rendering failed.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// An I/O operation failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The format does not support this kind of content.
    #[error("{format} does not support {kind}; it supports {supported}; write {kind} as {others}")]
    UnsupportedContent {
        /// Name of the format.
        format: &'static str,
        /// Kind of the content to write.
        kind: ContentKind,
        /// Kinds that the format supports.
        supported: String,
        /// Formats that support the content.
        others: String,
    },
}

/// Returns the error for an invalid `value` of `field`.
pub(crate) fn reject(
    field: impl Into<String>,
    value: impl std::fmt::Display,
    problem: impl Into<String>,
    remedy: impl Into<String>,
) -> FormatError {
    // The text may come from the file, for example names of layers. Keep it on one line and short.
    let line = |text: String| -> String {
        text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_TEXT).collect()
    };
    FormatError::Invalid(InputError::new(
        line(field.into()),
        value,
        line(problem.into()),
        line(remedy.into()),
    ))
}

/// Maximum length of each part of an error in characters.
const MAX_TEXT: usize = 400;
