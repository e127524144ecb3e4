//! What can go wrong, in three families: a configuration, a generation, a document.

use crate::Seed;
use std::fmt;

/// A configuration that cannot be used: which field, what it held, and what would work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} = {value}: {problem}; {remedy}")]
pub struct ConfigError {
    /// The field, as a path into the configuration (`kinds.fixed[2].row`).
    pub field: String,
    /// The value that was refused, shortened if it is long.
    pub value: String,
    /// Why it cannot be used.
    pub problem: String,
    /// What would work.
    pub remedy: String,
}

impl ConfigError {
    /// A refusal of `value` in `field`.
    pub fn new(
        field: impl Into<String>,
        value: impl fmt::Display,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> ConfigError {
        ConfigError {
            field: field.into(),
            value: shorten(&value.to_string()),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }

    /// Checks that `value` lies within `least..=most`.
    pub(crate) fn in_range(
        field: impl Into<String>,
        value: i64,
        least: i64,
        most: i64,
    ) -> Result<i64, ConfigError> {
        if (least..=most).contains(&value) {
            Ok(value)
        } else {
            Err(ConfigError::new(field, value, "out of range", format!("use {least} to {most}")))
        }
    }
}

/// A generation that found no map: which seed, how much was tried, and which rules stand against each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "seed {seed}: {} {}; {}{}",
    if *.proven { "no assignment of kinds satisfies the rules; in conflict:" } else { "the search found no assignment of kinds that satisfies the rules; it could not meet together:" },
    .conflict.join(", "),
    match (.rows.0, .rows.1) { (a, b) if a == b => format!("stuck on row {a}"), (a, b) => format!("stuck on rows {a} to {b}") },
    if *.proven { "" } else { "; one may exist: relax a rule, try another seed or raise kinds.search_limit" },
)]
pub struct GenerateError {
    /// The seed whose map could not be made.
    pub seed: Seed,
    /// True if no assignment exists; false if the bound on the search was reached first.
    pub proven: bool,
    /// How many dead ends the search met.
    pub dead_ends: u64,
    /// If `proven`, rules that together cannot be met, with none among them that the explanation could do without. Otherwise
    /// the rules that the search could not meet together.
    pub conflict: Vec<String>,
    /// The lowest and the highest row on which the search got stuck.
    pub rows: (u16, u16),
}

/// Text that is not a document of ours, with the place where it stops being one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The text is not JSON, or not of the document's shape.
    #[error("{path}: {message}")]
    Shape {
        /// The path of the faulty member (`map.nodes[3].row`), or `document` for the whole.
        path: String,
        /// What is wrong there, with line and column where known.
        message: String,
    },
    /// The document names a format or an algorithm that this version does not know.
    #[error("{field}: \"{value}\" is unknown; known: {known}")]
    Unknown {
        /// `format` or `algorithm`.
        field: &'static str,
        /// What the document says.
        value: String,
        /// What this version reads.
        known: String,
    },
    /// The configuration inside the document cannot be used.
    #[error("config.{0}")]
    Config(#[from] ConfigError),
    /// The digest does not belong to the rest of the document.
    #[error("digest: the document says {stated}, its content gives {computed}: it was changed or damaged")]
    Digest {
        /// The digest written in the document.
        stated: String,
        /// The digest of what the document holds.
        computed: String,
    },
}

/// Keeps a value quotable in one line of an error.
fn shorten(text: &str) -> String {
    const MOST: usize = 80;
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if clean.chars().count() <= MOST {
        return clean;
    }
    let head: String = clean.chars().take(MOST - 3).collect();
    format!("{head}...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn config_error_is_one_line_that_names_field_value_and_remedy() {
        let error = ConfigError::in_range("rows", 5_000_000, 1, 4096).unwrap_err();
        assert_eq!(error.to_string(), "rows = 5000000: out of range; use 1 to 4096");
        let long = ConfigError::new("name", "x\ny".repeat(100), "too long", "use fewer letters");
        assert!(!long.to_string().contains('\n') && long.to_string().len() < 150);
    }
}
