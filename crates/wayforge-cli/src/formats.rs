//! `wayforge formats`: lists the file formats and what each can read and write.

use crate::failure::Failure;
use crate::format::{FormatArg, REPORTS};
use crate::output;
use clap::Args;
use wayforge_formats::{ContentKind, Format, FormatInfo};

/// Options of `wayforge formats`.
#[derive(Args)]
pub(crate) struct FormatsArgs {
    /// Output format
    #[arg(long, default_value = "text", value_parser = FormatArg::among(&REPORTS))]
    format: FormatArg,
}

/// Prints the table of formats.
pub(crate) fn run(args: FormatsArgs) -> Result<(), Failure> {
    let infos = || Format::ALL.iter().map(|format| format.info());
    if args.format == FormatArg::Json {
        let names = |list: &[ContentKind]| list.iter().map(|kind| kind.name()).collect::<Vec<_>>();
        let lines = infos().map(|format| {
            let line = serde_json::json!({
                "name": format.name,
                "description": format.description,
                "suffixes": format.suffixes,
                "reads": names(format.reads),
                "writes": names(format.writes),
                "allows_many": format.allows_many,
            });
            format!("{line}\n")
        });
        return output::write(None, lines.collect::<String>());
    }
    let head = |format: &FormatInfo| {
        format.suffixes.iter().map(|suffix| format!(".{suffix}")).collect::<Vec<_>>().join(" ")
    };
    let width = infos().map(|format| head(format).len()).max().unwrap_or(0);

    let mut text =
        format!("{:<width$}  {}\n", "", ContentKind::ALL.map(ContentKind::name).join(" "));
    for format in infos() {
        text.push_str(&format!("{:<width$}  ", head(format)));
        for kind in ContentKind::ALL {
            let access = match (format.reads.contains(&kind), format.writes.contains(&kind)) {
                (true, true) => "rw",
                (true, false) => "r",
                (false, true) => "w",
                (false, false) => "-",
            };
            text.push_str(&format!("{access:<len$} ", len = kind.name().len()));
        }
        text.push_str(&format!(" {}\n", format.description));
    }
    text.push_str("\nr: can read, w: can write. `wayforge convert` chooses formats by suffix.\n");
    output::write(None, text)
}
