//! Errors of the language packages, with field, value, remedy and rules.

use serde::Serialize;
use std::fmt;
use wayforge::metric::ExpressionError;
use wayforge::run::{Move, RunError};
use wayforge::{ConfigError, DecodeError, Family, GenerateError, InputError, SeedSearchError};

/// Kind of an error: an exception class in Python, the member `kind` in JavaScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[serde(rename_all = "lowercase")]
pub enum BindingErrorKind {
    /// Invalid configuration.
    Config,
    /// Invalid argument.
    Input,
    /// Text that is not a document, a saved run or a configuration.
    Decode,
    /// No map exists for the seed under the configuration.
    Generate,
    /// Illegal move.
    Move,
    /// Picture that cannot be drawn.
    Draw,
    /// Invalid metric expression.
    Expression,
}

/// Library error with all of its details.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct BindingError {
    /// Kind of the error.
    pub kind: BindingErrorKind,
    /// Complete message on one line.
    pub message: Box<str>,
    /// Path of the invalid field.
    pub field: Option<String>,
    /// Rejected value.
    pub value: Option<String>,
    /// Suggested fix.
    pub remedy: Option<String>,
    /// Conflicting or violated rules.
    pub rules: Vec<String>,
}

impl BindingError {
    /// Creates an error with a message only.
    pub fn new(kind: BindingErrorKind, error: impl fmt::Display) -> BindingError {
        BindingError {
            kind,
            message: error.to_string().into(),
            field: None,
            value: None,
            remedy: None,
            rules: Vec::new(),
        }
    }

    /// Sets field, value and remedy.
    fn with_input(
        self,
        field: impl Into<String>,
        value: impl fmt::Display,
        remedy: impl Into<String>,
    ) -> BindingError {
        BindingError {
            field: Some(field.into()),
            value: Some(value.to_string()),
            remedy: Some(remedy.into()),
            ..self
        }
    }

    /// Sets the rules, without duplicates.
    fn with_rules<R: Into<String>>(self, rules: impl IntoIterator<Item = R>) -> BindingError {
        let mut names: Vec<String> = Vec::new();
        for name in rules.into_iter().map(Into::into) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        BindingError { rules: names, ..self }
    }
}

impl From<ConfigError> for BindingError {
    fn from(error: ConfigError) -> BindingError {
        let base = BindingError::new(BindingErrorKind::Config, &error);
        base.with_input(error.field, error.value, error.remedy)
    }
}

impl From<InputError> for BindingError {
    fn from(error: InputError) -> BindingError {
        let base = BindingError::new(BindingErrorKind::Input, &error);
        base.with_input(error.field, error.value, error.remedy)
    }
}

impl From<SeedSearchError> for BindingError {
    fn from(error: SeedSearchError) -> BindingError {
        let base = BindingError::new(BindingErrorKind::Generate, &error);
        match error {
            SeedSearchError::Input(error) => error.into(),
            SeedSearchError::NotFound { pins, .. } => {
                base.with_input("pins", pins.join(", "), SeedSearchError::REMEDY)
            }
            _ => base,
        }
    }
}

impl From<DecodeError> for BindingError {
    fn from(error: DecodeError) -> BindingError {
        let base = BindingError::new(BindingErrorKind::Decode, &error);
        match error {
            DecodeError::Config(inner) => {
                base.with_input(format!("config.{}", inner.field), inner.value, inner.remedy)
            }
            DecodeError::Malformed { path, .. } => BindingError { field: Some(path), ..base },
            DecodeError::Unknown { field, value, known } => {
                base.with_input(field, value, format!("use {known}"))
            }
            DecodeError::Digest { stated, computed } => base.with_input(
                "digest",
                stated,
                format!("the digest of its content is {computed}"),
            ),
            _ => base,
        }
    }
}

impl From<GenerateError> for BindingError {
    fn from(error: GenerateError) -> BindingError {
        if let Some(cause) = error.generation() {
            let base =
                BindingError::new(BindingErrorKind::Generate, &error).with_rules(cause.conflicts());
            return match cause.seed() {
                Some(seed) => base.with_input("seed", seed, cause.remedy()),
                None => base,
            };
        }
        match error {
            GenerateError::Config(error) => error.into(),
            GenerateError::Decode(error) => error.into(),
            other => BindingError::new(BindingErrorKind::Generate, other),
        }
    }
}

impl From<RunError> for BindingError {
    fn from(error: RunError) -> BindingError {
        let message = error.to_string();
        match error {
            RunError::Decode(error) => error.into(),
            RunError::Move { step, legal, .. } => {
                let legal: Vec<String> = legal.iter().map(Move::to_string).collect();
                let remedy = match legal.as_slice() {
                    [] => "undo a move".to_owned(),
                    legal => format!("use {}", legal.join(", ")),
                };
                BindingError::new(BindingErrorKind::Move, message).with_input("move", step, remedy)
            }
            RunError::NotPlayable { family } => BindingError::new(BindingErrorKind::Input, message)
                .with_input("family", family, format!("play {}", Family::playable())),
            RunError::Resume(_) | RunError::ResumeTower(_) => BindingError {
                field: Some("progress".into()),
                ..BindingError::new(BindingErrorKind::Decode, message)
            },
            _ => BindingError::new(BindingErrorKind::Input, message),
        }
    }
}

impl From<ExpressionError> for BindingError {
    fn from(error: ExpressionError) -> BindingError {
        BindingError {
            field: Some("expression".to_owned()),
            value: Some(format!("column {}", error.column)),
            ..BindingError::new(BindingErrorKind::Expression, &error)
        }
    }
}

#[cfg(feature = "png")]
impl From<wayforge_draw::DrawError> for BindingError {
    fn from(error: wayforge_draw::DrawError) -> BindingError {
        use wayforge_draw::DrawError;
        let base = BindingError::new(BindingErrorKind::Draw, &error);
        match error {
            DrawError::TooLarge { scale, max_scale: 0, .. } => {
                base.with_input("scale", scale, "draw it as SVG")
            }
            DrawError::TooLarge { scale, max_scale, .. } => {
                base.with_input("scale", scale, format!("use at most {max_scale}"))
            }
            DrawError::ScaleOutOfRange { scale } => {
                base.with_input("scale", scale, "use 1 to 1000")
            }
            _ => base,
        }
    }
}
