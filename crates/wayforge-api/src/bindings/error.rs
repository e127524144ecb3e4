//! Errors as they cross the border: nothing that the library says of them is lost.

use serde::Serialize;
use std::fmt;
use wayforge::metric::ExpressionError;
use wayforge::run::RunError;
use wayforge::{ConfigError, DecodeError, GenerateError, InputError};

/// What kind of error it is: each is an exception of its own in Python, and a `kind` in JavaScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BindingErrorKind {
    /// A configuration that cannot be used.
    Config,
    /// An argument that cannot be used.
    Input,
    /// Text that is not a document, a save or a configuration.
    Decode,
    /// A seed that has no map.
    Generate,
    /// A move that is not legal.
    Move,
    /// A picture that cannot be drawn.
    Draw,
    /// An expression that is none.
    Expression,
}

/// An error, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct BindingError {
    /// What kind of error.
    pub kind: BindingErrorKind,
    /// All of it in one line.
    pub message: Box<str>,
    /// The field that was wrong, as a path.
    pub field: Option<String>,
    /// What it held.
    pub value: Option<String>,
    /// What would work.
    pub remedy: Option<String>,
    /// The rules that stand against it, or that were broken.
    pub rules: Vec<String>,
}

impl BindingError {
    /// An error that is only told in words.
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

    fn at(
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

    fn against<R: Into<String>>(self, rules: impl IntoIterator<Item = R>) -> BindingError {
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
        let fault = BindingError::new(BindingErrorKind::Config, &error);
        fault.at(error.field, error.value, error.remedy)
    }
}

impl From<InputError> for BindingError {
    fn from(error: InputError) -> BindingError {
        let fault = BindingError::new(BindingErrorKind::Input, &error);
        fault.at(error.field, error.value, error.remedy)
    }
}

impl From<DecodeError> for BindingError {
    fn from(error: DecodeError) -> BindingError {
        let fault = BindingError::new(BindingErrorKind::Decode, &error);
        match error {
            DecodeError::Config(inner) => {
                fault.at(format!("config.{}", inner.field), inner.value, inner.remedy)
            }
            DecodeError::Shape { path, .. } => BindingError { field: Some(path), ..fault },
            DecodeError::Unknown { field, value, known } => fault.at(field, value, format!("use {known}")),
            DecodeError::Digest { stated, computed } => {
                fault.at("digest", stated, format!("its content gives {computed}"))
            }
            _ => fault,
        }
    }
}

impl From<GenerateError> for BindingError {
    fn from(error: GenerateError) -> BindingError {
        if let Some(failed) = error.generation() {
            let fault = BindingError::new(BindingErrorKind::Generate, &error).against(failed.conflicts());
            return match failed.seed() {
                Some(seed) => fault.at("seed", seed, failed.remedy()),
                None => fault,
            };
        }
        match error {
            // Here the configuration is the whole, not a member of a document.
            GenerateError::Decode(DecodeError::Config(error)) | GenerateError::Config(error) => error.into(),
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
            // A step that is not legal, or a save that is not this map's.
            RunError::Climb(error) => {
                let kind =
                    if error.field == "step" { BindingErrorKind::Move } else { BindingErrorKind::Decode };
                BindingError { kind, ..error.into() }
            }
            RunError::Move(error) => {
                let legal: Vec<String> = error.legal.iter().map(|step| step.to_string()).collect();
                let remedy = format!("use {}", legal.join(", "));
                BindingError::new(BindingErrorKind::Move, message).at("move", error.step, remedy)
            }
            RunError::OtherFamily { step, legal } => {
                BindingError::new(BindingErrorKind::Move, message).at("move", step, format!("use {legal}"))
            }
            RunError::NoProgress { family } => BindingError::new(BindingErrorKind::Input, message).at(
                "family",
                family,
                "play an act map, a floor or a tower",
            ),
            RunError::Resume(_) => BindingError {
                field: Some("progress".into()),
                ..BindingError::new(BindingErrorKind::Decode, message)
            },
            _ => BindingError::new(BindingErrorKind::Input, message),
        }
    }
}

impl From<ExpressionError> for BindingError {
    fn from(error: ExpressionError) -> BindingError {
        let fault = BindingError::new(BindingErrorKind::Expression, &error);
        fault.at("expression", format!("column {}", error.column), error.problem)
    }
}

#[cfg(feature = "png")]
impl From<wayforge_draw::DrawError> for BindingError {
    fn from(error: wayforge_draw::DrawError) -> BindingError {
        use wayforge_draw::DrawError;
        let fault = BindingError::new(BindingErrorKind::Draw, &error);
        match error {
            DrawError::TooLarge { scale, largest: 0, .. } => fault.at("scale", scale, "draw it as SVG"),
            DrawError::TooLarge { scale, largest, .. } => {
                fault.at("scale", scale, format!("use at most {largest}"))
            }
            DrawError::Scale { scale } => fault.at("scale", scale, "use 1 to 1000"),
            _ => fault,
        }
    }
}
