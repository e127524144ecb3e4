//! `wayforge formats`: which formats read and write what.

use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, ValueEnum};
use wayforge_formats::{FORMATS, Format, What};

/// The options of `wayforge formats`.
#[derive(Args)]
pub(crate) struct FormatsArgs {
    /// How the list is written
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Form {
    Text,
    Json,
}

/// Prints the table of formats.
pub(crate) fn run(args: FormatsArgs) -> Result<(), Failure> {
    let mut output = Output::open(None)?;
    if args.format == Form::Json {
        for format in &FORMATS {
            let names = |list: &[What]| list.iter().map(|what| what.name()).collect::<Vec<_>>();
            let line = serde_json::json!({
                "name": format.name,
                "about": format.about,
                "suffixes": format.suffixes,
                "reads": names(format.reads),
                "writes": names(format.writes),
                "many": format.many,
            });
            output.write(format!("{line}\n").as_bytes())?;
        }
        return output.finish();
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
    output.write(text.as_bytes())?;
    output.finish()
}
