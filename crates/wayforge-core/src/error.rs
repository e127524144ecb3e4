//! Errors that all map families share: bad configurations, bad arguments, and documents that cannot be read.

use std::fmt;

/// Defines an error that names a field or argument, the rejected value, the problem and what would work.
macro_rules! field_error {
    ($(#[$doc:meta])+ $Name:ident) => {
        $(#[$doc])+
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("{field} = {value}: {problem}; {remedy}")]
        pub struct $Name {
            /// The path of the field or argument (`kinds.fixed[2].row`, `sources[0]`).
            pub field: String,
            /// The rejected value, shortened if it is long.
            pub value: String,
            /// Why it cannot be used.
            pub problem: String,
            /// What would work.
            pub remedy: String,
        }

        impl $Name {
            /// Rejects `value` in `field`.
            pub fn new(
                field: impl Into<String>,
                value: impl fmt::Display,
                problem: impl Into<String>,
                remedy: impl Into<String>,
            ) -> $Name {
                $Name {
                    field: field.into(),
                    value: shorten(&value.to_string()),
                    problem: problem.into(),
                    remedy: remedy.into(),
                }
            }

            /// Checks that `value` lies within `least..=most`.
            #[doc(hidden)]
            pub fn in_range(field: impl Into<String>, value: i64, least: i64, most: i64) -> Result<i64, $Name> {
                if (least..=most).contains(&value) {
                    Ok(value)
                } else {
                    Err($Name::new(field, value, "out of range", format!("use {least} to {most}")))
                }
            }
        }
    };
}

field_error! {
    /// A configuration that cannot be used: which field, its value, and what would work.
    ConfigError
}

field_error! {
    /// An argument that cannot be used: a query, a move, an edit, a position, a name. Says which, its value, and what would
    /// work.
    InputError
}

/// Text that is not a document of ours, with the place where it stops being one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    const MAX: usize = 80;
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if clean.chars().count() <= MAX {
        return clean;
    }
    let head: String = clean.chars().take(MAX - 3).collect();
    format!("{head}...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn config_error_is_one_line_that_names_field_value_and_remedy() {
        let error = ConfigError::in_range("rows", 5_000_000, 1, 4096).unwrap_err();
        assert_eq!(error.to_string(), "rows = 5000000: out of range; use 1 to 4096");
        assert_eq!(
            InputError::in_range("rows", 0, 1, 4096).unwrap_err().to_string(),
            "rows = 0: out of range; use 1 to 4096"
        );
        let long = ConfigError::new("name", "x\ny".repeat(100), "too long", "use fewer letters");
        assert!(!long.to_string().contains('\n') && long.to_string().len() < 150);
    }
}
