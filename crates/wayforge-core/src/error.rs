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
    #[error("{path}: {message}{}", suffix(.position))]
    Malformed {
        /// Path of the faulty member (`map.nodes[3].row`), or `document`.
        path: String,
        /// The problem.
        message: String,
        /// Line and column; `None` if the text is a part of a larger one.
        position: Option<TextPosition>,
    },
    /// A name is unknown to this version: a format, an algorithm, a version or a ruleset.
    #[error("{field}: \"{value}\" is unknown; known: {known}")]
    Unknown {
        /// Path of the member (`format`, `algorithm`, `ruleset`).
        field: String,
        /// The given value.
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
         it was changed or damaged; use an unchanged copy, or generate the map again"
    )]
    Digest {
        /// The digest in the document.
        stated: String,
        /// The digest of the content.
        computed: String,
    },
}

/// A position in a text, as serde_json reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1; 0 before the first character.
    pub column: usize,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}", self.line, self.column)
    }
}

/// Returns the end of a message about a problem at `position`.
pub(crate) fn suffix(position: &Option<TextPosition>) -> String {
    position.map_or_else(String::new, |position| format!(" at {position}"))
}

impl DecodeError {
    /// Creates an error about the member at `path`, without a position.
    #[doc(hidden)]
    pub fn malformed(path: impl Into<String>, message: impl Into<String>) -> DecodeError {
        DecodeError::Malformed { path: path.into(), message: message.into(), position: None }
    }

    /// Creates an error about an unknown name; shortens the value.
    #[doc(hidden)]
    pub fn unknown(field: impl Into<String>, value: &str, known: &str) -> DecodeError {
        DecodeError::Unknown { field: field.into(), value: shorten(value), known: known.to_owned() }
    }

    /// Removes the position, which is wrong if the text is only a part of what a person wrote.
    #[must_use]
    pub fn without_position(self) -> DecodeError {
        match self {
            DecodeError::Malformed { path, message, .. } => DecodeError::malformed(path, message),
            other => other,
        }
    }
}

/// Shortens a value to one line of at most 80 characters.
#[doc(hidden)]
pub fn shorten(text: &str) -> String {
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
