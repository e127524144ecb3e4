//! `wayforge templates`: floors made by hand, checked in every orientation.

use crate::config_file;
use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use wayforge::floor::Template;

/// The options of `wayforge templates`.
#[derive(Args)]
pub(crate) struct TemplatesArgs {
    #[command(subcommand)]
    command: TemplatesCommand,
}

#[derive(Subcommand)]
enum TemplatesCommand {
    /// Check every template of a folder, turned and mirrored in all eight ways, with every entrance and exit
    Check {
        /// The folder, with templates as .json, or as .txt with one row a line
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Print the embedded templates as JSON lines
    List,
}

/// Checks or lists templates; exit 1 if one has a fault.
pub(crate) fn run(args: TemplatesArgs) -> Result<(), Failure> {
    let mut output = Output::open(None)?;
    let mut sound = true;
    match args.command {
        TemplatesCommand::List => {
            for template in Template::embedded() {
                let line =
                    serde_json::to_string(&template).map_err(|error| Failure::about(&template.id, error))?;
                output.write(format!("{line}\n").as_bytes())?;
            }
        }
        TemplatesCommand::Check { folder } => {
            for (path, template) in read_folder(&folder)? {
                let faults = template.check();
                sound &= faults.is_empty();
                output.write(verdict(&path, &template, &faults).as_bytes())?;
            }
        }
    }
    output.finish()?;
    if sound { Ok(()) } else { Err(Failure::Check) }
}

fn verdict(path: &Path, template: &Template, faults: &[String]) -> String {
    let subject = format!("{}: {}", path.display(), template.id);
    if faults.is_empty() {
        let size = template.size().map_or_else(|_| String::new(), |size| format!(", {size}"));
        return format!("{subject}{size}: sound in every orientation\n");
    }
    let lines: String = faults.iter().map(|fault| format!("  {fault}\n")).collect();
    format!("{subject}: NOT SOUND, {} faults\n{lines}", faults.len())
}

/// The templates of a folder in the order of their file names; other files are passed over.
pub(crate) fn read_folder(folder: &Path) -> Result<Vec<(PathBuf, Template)>, Failure> {
    let refuse = |error: std::io::Error| Failure::about(folder.display(), error);
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(refuse)? {
        let path = entry.map_err(refuse)?.path();
        if matches!(path.extension().and_then(|suffix| suffix.to_str()), Some("json" | "txt")) {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        return Err(Failure::about(
            folder.display(),
            "holds no template; name a folder with .json or .txt files",
        ));
    }
    paths.into_iter().map(|path| read_template(&path).map(|template| (path, template))).collect()
}

fn read_template(path: &Path) -> Result<Template, Failure> {
    let bytes = config_file::read(path)?;
    if path.extension().is_some_and(|suffix| suffix == "json") {
        return Template::from_json(&bytes).map_err(|error| Failure::about(path.display(), error));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| Failure::about(path.display(), error))?;
    let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("template");
    Ok(Template::from_ascii(id, text))
}
