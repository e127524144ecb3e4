//! Errors shared by all map families: invalid configurations, arguments and documents.

use std::fmt;

/// Defines an error that names a field or argument, its value, the problem and a remedy.
macro_rules! field_error {
    ($(#[$doc:meta])+ $Name:ident) => {
        $(#[$doc])+
        #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
        #[error("{field} = {value}: {problem}; {remedy}")]
        pub struct $Name {
            /// Path of the field or argument (`kinds.fixed[2].row`, `sources[0]`).
            pub field: String,
            /// The rejected value, shortened if it is long.
            pub value: String,
            /// Why the value is invalid.
            pub problem: String,
            /// How to fix the value.
            pub remedy: String,
        }

        impl $Name {
            /// Creates an error about `value` in `field`.
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

            /// Checks that `value` is within `min..=max`.
            #[doc(hidden)]
            pub fn in_range(
                field: impl Into<String>,
                value: i64,
                min: i64,
                max: i64,
            ) -> Result<i64, $Name> {
                if (min..=max).contains(&value) {
                    Ok(value)
                } else {
                    Err($Name::new(field, value, "out of range", format!("use {min} to {max}")))
                }
            }
        }
    };
}

field_error! {
    /// An invalid field of a configuration.
    ConfigError
}

field_error! {
    /// An invalid argument, such as a query, an edit, a position or a name.
    InputError
}

/// Error of decoding a document or a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The text is not JSON, or a member is missing, unknown or malformed.
    #[error("{path}: {message}")]
    Malformed {
        /// Path of the faulty member (`map.nodes[3].row`), or `document`.
        path: String,
        /// The problem, with line and column if known.
        message: String,
    },
    /// The format or the algorithm is unknown to this version.
    #[error("{field}: \"{value}\" is unknown; known: {known}")]
    Unknown {
        /// `format` or `algorithm`.
        field: &'static str,
        /// The value in the document.
        value: String,
        /// The known values.
        known: String,
    },
    /// The configuration inside the document is invalid.
    #[error("config.{0}")]
    Config(#[from] ConfigError),
    /// The digest does not match the content.
    #[error(
        "digest: the document states {stated}, but its content has {computed}: \
         it was changed or damaged"
    )]
    Digest {
        /// The digest in the document.
        stated: String,
        /// The digest of the content.
        computed: String,
    },
}

/// Shortens a value to one line of at most 80 characters.
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
    fn errors_are_one_line_with_field_value_problem_and_remedy() {
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
