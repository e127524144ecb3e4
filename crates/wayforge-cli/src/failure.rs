//! Failures and exit codes: 2 for invalid input or a seed without a map, 1 for a failed check.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error as _;
use std::fmt::Display;
use std::io::Write;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::process::ExitCode;
use wayforge::{ConfigError, InputError};

/// Reason why the command fails.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Invalid input, with a one-line message.
    Input(String),
    /// A seed has no map. The message may have indented detail lines and is printed as it is.
    Generation(String),
    /// A check failed and has already been reported.
    Check,
    /// Help or version was requested.
    Help(Box<clap::Error>),
}

impl Failure {
    /// Creates a failure for invalid input, with the message `subject: error`.
    pub(crate) fn new(subject: impl Display, error: impl Display) -> Failure {
        Failure::Input(format!("{subject}: {error}"))
    }

    /// Prints the message and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Input(line) => {
                // Ignore a closed standard error.
                let _ = writeln!(std::io::stderr(), "wayforge: {}", one_line(&line));
                ExitCode::from(2)
            }
            Failure::Generation(text) => {
                let _ = writeln!(std::io::stderr(), "wayforge: {text}");
                ExitCode::from(2)
            }
            Failure::Check => ExitCode::from(1),
            Failure::Help(text) => {
                let _ = text.print();
                ExitCode::SUCCESS
            }
        }
    }
}

/// Fails with a one-line message about invalid input.
pub(crate) fn reject<T>(message: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::Input(message.into()))
}

/// Converts errors to [`Failure::Input`].
pub(crate) trait Context<T> {
    /// Puts `subject: ` in front of the message.
    fn context(self, subject: impl Display) -> Result<T, Failure>;
    /// Keeps the message, which already names its subject.
    fn rejected(self) -> Result<T, Failure>;
}

impl<T, E: Display> Context<T> for Result<T, E> {
    fn context(self, subject: impl Display) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(subject, error))
    }

    fn rejected(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::Input(error.to_string()))
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Input(text) | Failure::Generation(text) => f.write_str(&one_line(text)),
            Failure::Check => f.write_str("a check failed"),
            Failure::Help(text) => write!(f, "{text}"),
        }
    }
}

/// Keeps clap's message and tips on one line, without usage and the hint to `--help`. Invalid
/// option values get their own message.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Failure {
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            return Failure::Help(Box::new(error));
        }
        if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            return Failure::Input("no command given; `wayforge --help` lists them".into());
        }
        if error.kind() == ErrorKind::MissingRequiredArgument
            && let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg)
        {
            return Failure::Input(format!("missing {}", missing.join(", ")));
        }
        if let Some(message) = rejected_value(&error) {
            return Failure::Input(message);
        }
        let text = error.render().to_string();
        let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
        let lines: Vec<&str> =
            lines.filter(|line| !line.is_empty() && !line.starts_with("For more")).collect();
        let line = lines.join("; ");
        Failure::Input(line.strip_prefix("error: ").unwrap_or(&line).to_owned())
    }
}

/// Describes a value rejected by its parser: option, value, problem and remedy.
fn rejected_value(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::ValueValidation {
        return None;
    }
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (argument, value) =
        (context(ContextKind::InvalidArg)?, context(ContextKind::InvalidValue)?);
    // clap writes an option as `--rows <N>` or `--labels[=<N>]`, and a positional argument as
    // `<FILE>`.
    let option =
        argument.split([' ', '[', '=']).next().filter(|name| !name.is_empty()).unwrap_or(argument);
    let source = error.source()?;
    let reason = if let Some(error) = source.downcast_ref::<ConfigError>() {
        format!("{}; {}", error.problem, error.remedy)
    } else if let Some(error) = source.downcast_ref::<InputError>() {
        format!("{}; {}", error.problem, error.remedy)
    } else if let Some(error) = source.downcast_ref::<ParseIntError>() {
        let negative = value.strip_prefix('-').is_some_and(|rest| rest.parse::<u64>().is_ok());
        match error.kind() {
            IntErrorKind::PosOverflow => "too large; use a smaller number".to_owned(),
            IntErrorKind::NegOverflow => "too small; use a larger number".to_owned(),
            _ if negative => "negative; use 0 or more".to_owned(),
            _ => "not a whole number; use digits, as in 12".to_owned(),
        }
    } else if source.is::<ParseFloatError>() {
        "not a number; use digits, as in 0.5".to_owned()
    } else {
        let text = source.to_string();
        range(&text).map_or(text, |range| format!("out of range; use {range}"))
    };
    let head: String = value.chars().take(80).collect();
    let ellipsis = if head.len() < value.len() { "..." } else { "" };
    Some(format!("{option} {}{ellipsis}: {reason}", head.escape_debug()))
}

/// Extracts the range from clap's message `0 is not in 1..=500`.
fn range(message: &str) -> Option<String> {
    let (_, bounds) = message.split_once(" is not in ")?;
    let (min, max) = bounds.split_once("..")?;
    let max = match max.strip_prefix('=') {
        Some(max) => max.parse::<i128>().ok()?,
        None => max.parse::<i128>().ok()? - 1,
    };
    let is_bounded = max < i128::from(i64::MAX) - 1;
    min.parse::<i128>().ok()?;
    Some(if is_bounded { format!("{min} to {max}") } else { format!("{min} or more") })
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
