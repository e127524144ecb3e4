//! Errors as they cross the border: nothing that the library says of them is lost.

use serde::Serialize;
use std::fmt;
use wayforge::floor::{FloorGenerationError, TowerError};
use wayforge::metric::ExpressionError;
use wayforge::run::RunError;
use wayforge::{ConfigError, DecodeError, ForgeError};

/// What kind of error it is: each is an exception of its own in Python, and a `kind` in JavaScript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// A configuration or an argument that cannot be used.
    Config,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// What kind of error.
    pub kind: FaultKind,
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

impl Fault {
    /// An error that is only told in words.
    pub fn new(kind: FaultKind, error: impl fmt::Display) -> Fault {
        Fault {
            kind,
            message: error.to_string().into(),
            field: None,
            value: None,
            remedy: None,
            rules: Vec::new(),
        }
    }

    fn at(self, field: impl Into<String>, value: impl fmt::Display, remedy: impl Into<String>) -> Fault {
        Fault {
            field: Some(field.into()),
            value: Some(value.to_string()),
            remedy: Some(remedy.into()),
            ..self
        }
    }

    fn against<R: Into<String>>(self, rules: impl IntoIterator<Item = R>) -> Fault {
        let mut names: Vec<String> = Vec::new();
        for name in rules.into_iter().map(Into::into) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Fault { rules: names, ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl From<ConfigError> for Fault {
    fn from(error: ConfigError) -> Fault {
        let fault = Fault::new(FaultKind::Config, &error);
        fault.at(error.field, error.value, error.remedy)
    }
}

impl From<DecodeError> for Fault {
    fn from(error: DecodeError) -> Fault {
        let fault = Fault::new(FaultKind::Decode, &error);
        match error {
            DecodeError::Config(inner) => {
                fault.at(format!("config.{}", inner.field), inner.value, inner.remedy)
            }
            DecodeError::Shape { path, .. } => Fault { field: Some(path), ..fault },
            DecodeError::Unknown { field, value, known } => fault.at(field, value, format!("use {known}")),
            DecodeError::Digest { stated, computed } => {
                fault.at("digest", stated, format!("its content gives {computed}"))
            }
        }
    }
}

fn no_floor(error: &FloorGenerationError, message: impl fmt::Display) -> Fault {
    Fault::new(FaultKind::Generate, message)
        .at("seed", &error.seed, "ask for less, try another seed or raise attempts")
        .against(error.missed.iter().map(|missed| missed.field))
}

impl From<ForgeError> for Fault {
    fn from(error: ForgeError) -> Fault {
        let message = error.to_string();
        match error {
            // Here the configuration is the whole, and no part of a document.
            ForgeError::Decode(DecodeError::Config(error)) | ForgeError::Config(error) => error.into(),
            ForgeError::Decode(error) => error.into(),
            ForgeError::Act(error) => Fault::new(FaultKind::Generate, message)
                .at("seed", &error.seed, error.remedies.join(", "))
                .against(error.conflict),
            ForgeError::Level(error) => Fault::new(FaultKind::Generate, message)
                .at("seed", &error.seed, "ask for less, try another seed or raise attempts")
                .against(error.attempts.iter().map(|attempt| attempt.violation.rule.0)),
            ForgeError::Floor(error) => no_floor(&error, message),
            ForgeError::Tower(TowerError::Config(error)) => error.into(),
            ForgeError::Tower(TowerError::Floor { error, .. }) => no_floor(&error, message),
        }
    }
}

impl From<RunError> for Fault {
    fn from(error: RunError) -> Fault {
        let message = error.to_string();
        match error {
            RunError::Decode(error) => error.into(),
            // A step that is not legal, or a save that is not this map's.
            RunError::Climb(error) => {
                let kind = if error.field == "step" { FaultKind::Move } else { FaultKind::Decode };
                Fault { kind, ..error.into() }
            }
            RunError::Move(error) => {
                let legal: Vec<String> = error.legal.iter().map(|step| step.to_string()).collect();
                Fault::new(FaultKind::Move, message).at(
                    "move",
                    error.step,
                    format!("use {}", legal.join(", ")),
                )
            }
            RunError::OtherFamily { step, legal } => {
                Fault::new(FaultKind::Move, message).at("move", step, format!("use {legal}"))
            }
            RunError::NoProgress { family } => Fault::new(FaultKind::Config, message).at(
                "family",
                family,
                "play an act map, a floor or a tower",
            ),
            RunError::Resume(_) => {
                Fault { field: Some("progress".into()), ..Fault::new(FaultKind::Decode, message) }
            }
        }
    }
}

impl From<ExpressionError> for Fault {
    fn from(error: ExpressionError) -> Fault {
        let fault = Fault::new(FaultKind::Expression, &error);
        fault.at("expression", format!("column {}", error.column), error.problem)
    }
}

#[cfg(feature = "png")]
impl From<wayforge_draw::DrawError> for Fault {
    fn from(error: wayforge_draw::DrawError) -> Fault {
        use wayforge_draw::DrawError;
        let fault = Fault::new(FaultKind::Draw, &error);
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
