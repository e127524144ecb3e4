//! What can go wrong between a file and a map.

use crate::content::What;
use std::io;
use wayforge::{ConfigError, DecodeError, InputError};
use wayforge_draw::DrawError;

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Something in the file cannot be used: which, what it held, and what would work.
    #[error(transparent)]
    Invalid(#[from] InputError),
    /// The configuration in the file cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A document of ours is not one.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// No map can be generated with the cells that are fixed.
    #[error("the fixed cells leave no map: {0}")]
    Generation(String),
    /// A picture could not be made.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The format does not hold that.
    #[error("{format} holds no {what}; it holds {holds}{}", .others)]
    CannotHold {
        /// The format's name.
        format: &'static str,
        /// What was to be written.
        what: What,
        /// What it holds.
        holds: String,
        /// Which formats would do.
        others: String,
    },
}

/// The error for a `value` in `field` that cannot be used.
pub(crate) fn reject(
    field: impl Into<String>,
    value: impl std::fmt::Display,
    problem: impl Into<String>,
    remedy: impl Into<String>,
) -> FormatError {
    // Names of layers and what parsers say come from the file: one line, and not a long one.
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

/// The longest part of an error.
const MAX_TEXT: usize = 400;
