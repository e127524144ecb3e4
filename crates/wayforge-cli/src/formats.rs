//! `wayforge formats`: which formats read and write what.

use crate::failure::Failure;
use crate::format::{OutputFormat, REPORTS};
use crate::output;
use clap::Args;
use wayforge_formats::{FORMATS, Format, What};

/// The options of `wayforge formats`.
#[derive(Args)]
pub(crate) struct FormatsArgs {
    /// How the list is written
    #[arg(long, default_value = "text", value_parser = OutputFormat::among(&REPORTS))]
    format: OutputFormat,
}

/// Prints the table of formats.
pub(crate) fn run(args: FormatsArgs) -> Result<(), Failure> {
    if args.format == OutputFormat::Json {
        let names = |list: &[What]| list.iter().map(|what| what.name()).collect::<Vec<_>>();
        let lines = FORMATS.iter().map(|format| {
            let line = serde_json::json!({
                "name": format.name,
                "about": format.about,
                "suffixes": format.suffixes,
                "reads": names(format.reads),
                "writes": names(format.writes),
                "many": format.many,
            });
            format!("{line}\n")
        });
        return output::write(None, lines.collect::<String>());
    }
    let head = |format: &Format| {
        format.suffixes.iter().map(|suffix| format!(".{suffix}")).collect::<Vec<_>>().join(" ")
    };
    let width = FORMATS.iter().map(|format| head(format).len()).max().unwrap_or(0);
    // The names stand above their columns.
    let mut text = format!("{:<width$}  {}\n", "", What::ALL.map(What::name).join(" "));
    for format in &FORMATS {
        text.push_str(&format!("{:<width$}  ", head(format)));
        for what in What::ALL {
            let can = match (format.reads.contains(&what), format.writes.contains(&what)) {
                (true, true) => "rw",
                (true, false) => "r",
                (false, true) => "w",
                (false, false) => "-",
            };
            text.push_str(&format!("{can:<len$} ", len = what.name().len()));
        }
        text.push_str(&format!(" {}\n", format.about));
    }
    text.push_str("\nr: read, w: written. `wayforge convert IN OUT` goes by the suffixes.\n");
    output::write(None, text)
}
