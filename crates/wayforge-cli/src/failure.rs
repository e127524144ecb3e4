//! How the command fails: exit 2 with a message for bad input or a seed without a map, exit 1 for a failed check.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// Why the command stops.
pub(crate) enum Failure {
    /// The input cannot be used; the text is one line.
    Input(String),
    /// A seed has no map. The text is printed as it is: what failed, then indented lines of details.
    Generation(String),
    /// A check failed and has been reported.
    Check,
    /// Help or version was asked for.
    Help(Box<clap::Error>),
}

impl Failure {
    /// Bad input, with what it is about in front.
    pub(crate) fn about(subject: impl Display, error: impl Display) -> Failure {
        Failure::Input(format!("{subject}: {error}"))
    }

    /// Says what went wrong and chooses the exit code.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Failure::Input(line) => {
                // Nothing can be done for a reader of errors that has gone away.
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

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Input(text) | Failure::Generation(text) => f.write_str(&one_line(text)),
            Failure::Check => f.write_str("a check failed"),
            Failure::Help(text) => write!(f, "{text}"),
        }
    }
}

/// Keeps clap's message and tips, and leaves out its usage and its hint at `--help`.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Failure {
        use clap::error::ErrorKind;
        if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            return Failure::Help(Box::new(error));
        }
        if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
            return Failure::Input("no command given; `wayforge --help` lists them".into());
        }
        let text = error.render().to_string();
        let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
        let kept: Vec<&str> =
            lines.filter(|line| !line.is_empty() && !line.starts_with("For more")).collect();
        let line = kept.join("; ");
        Failure::Input(line.strip_prefix("error: ").unwrap_or(&line).to_owned())
    }
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
