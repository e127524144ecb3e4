//! What can go wrong, in three families: a configuration, a generation, a document.

use crate::Seed;
use crate::act::MAX_LITERALS;
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

/// Generation failed: the rules about kinds fit none of the seed's skeletons.
///
/// Its message has several lines:
///
/// ```text
/// seed 9: no kinds satisfy the rules on any of 20 skeletons
///   conflicting rules: at least 2 elite on every route; no elite right after elite
///   rows involved: 6-10
///   try: lower the minimum, allow repeats, or raise attempts
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct GenerateError {
    /// The seed.
    pub seed: Seed,
    /// True if it is proved that none of the skeletons has kinds that satisfy the rules; false if the complete search reached
    /// `kinds.search_limit` on some of them, or if some were too large for it.
    pub proven: bool,
    /// True if the clauses of some skeleton have more than 6,000,000 literals, about 100 MB. The complete search does not
    /// start on such a skeleton, so `kinds.search_limit` does not matter.
    pub too_large: bool,
    /// Skeletons drawn: `attempts` of the configuration.
    pub skeletons: u32,
    /// If `proven`, a smallest set of rules that cannot be met together on the last skeleton (all rules if the search for
    /// such a set takes too long). Otherwise the rules that make kinds depend on each other.
    pub conflict: Vec<String>,
    /// The lowest and the highest row that the conflict needs. `None` unless `proven`, and if the conflict needs no row: a
    /// minimum exceeds the number of nodes to which weights allow the kind.
    pub rows: Option<(u16, u16)>,
    /// Changes that would help, in the order in which to try them.
    pub remedies: Vec<&'static str>,
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skeletons = match self.skeletons {
            1 => "its skeleton".to_owned(),
            n => format!("any of {n} skeletons"),
        };
        let rules = self.conflict.join("; ");
        let seed = self.seed.to_line();
        match (self.proven, self.too_large) {
            (true, _) => write!(f, "seed {seed}: no kinds satisfy the rules on {skeletons}")?,
            (false, false) => write!(f, "seed {seed}: the search for kinds was too long on {skeletons}")?,
            (false, true) => {
                write!(f, "seed {seed}: the map is too large for the complete search for kinds")?;
                write!(f, "\n  limit: {MAX_LITERALS} literals in the clauses of one skeleton")?;
            }
        }
        write!(f, "\n  {}: {rules}", if self.proven { "conflicting rules" } else { "rules" })?;
        match self.rows {
            Some((low, high)) if low == high => write!(f, "\n  row involved: {low}")?,
            Some((low, high)) => write!(f, "\n  rows involved: {low}-{high}")?,
            None => {}
        }
        match self.remedies.split_last() {
            Some((last, [])) => write!(f, "\n  try: {last}"),
            Some((last, rest)) => write!(f, "\n  try: {}, or {last}", rest.join(", ")),
            None => Ok(()),
        }
    }
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
