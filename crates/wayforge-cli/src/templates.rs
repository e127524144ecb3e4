//! `wayforge templates`: floors made by hand, checked in every orientation.

use crate::config_file;
use crate::failure::{Context, Failure};
use crate::output::Output;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use wayforge::floor::Template;

/// The options of `wayforge templates`.
#[derive(Args)]
pub(crate) struct TemplatesArgs {
    #[command(subcommand)]
    command: Option<TemplatesCommand>,
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

/// A folder of templates in the order of its file names: each read, or why it could not be. Other files are passed over.
pub(crate) struct Shelf {
    folder: PathBuf,
    files: Vec<(PathBuf, Result<Template, Failure>)>,
}

/// Checks or lists templates; exit 1 if one has a fault.
pub(crate) fn run(args: TemplatesArgs) -> Result<(), Failure> {
    let Some(command) = args.command else {
        return Err(Failure::Input(
            "templates: say what to do with them: `check DIR` checks the templates of a folder, `list` prints the embedded ones"
                .into(),
        ));
    };
    let mut output = Output::open(None)?;
    let mut sound = true;
    match command {
        TemplatesCommand::List => {
            for template in Template::embedded() {
                let line = serde_json::to_string(&template).about(&template.id)?;
                output.write(format!("{line}\n").as_bytes())?;
            }
        }
        TemplatesCommand::Check { folder } => {
            let shelf = Shelf::read(&folder)?;
            for (path, template) in &shelf.files {
                let said = match template {
                    Ok(template) => {
                        let faults = shelf.faults(path, template);
                        sound &= faults.is_empty();
                        verdict(path, template, &faults)
                    }
                    Err(failure) => {
                        sound = false;
                        format!("{failure}\n")
                    }
                };
                output.write(said.as_bytes())?;
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
    let noun = if faults.len() == 1 { "fault" } else { "faults" };
    format!("{subject}: NOT SOUND, {} {noun}\n{lines}", faults.len())
}

impl Shelf {
    /// Reads every template of a folder. What cannot be read is kept as such: it is nobody's fault but its own.
    pub(crate) fn read(folder: &Path) -> Result<Shelf, Failure> {
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
        let files = paths.into_iter().map(|path| {
            let template = read_template(&path);
            (path, template)
        });
        Ok(Shelf { folder: folder.to_owned(), files: files.collect() })
    }

    /// The template called `id`; two of that name are refused, because nobody could say which is meant.
    pub(crate) fn find(&self, id: &str) -> Result<Option<Template>, Failure> {
        let mut found = self.sound().filter(|(_, template)| template.id == id);
        let Some((path, template)) = found.next() else { return Ok(None) };
        match found.next() {
            None => Ok(Some(template.clone())),
            Some((other, _)) => Err(Failure::about(
                other.display(),
                format!("the template {id} is also in {}; rename one of them", path.display()),
            )),
        }
    }

    /// The folder and what it holds, for those who asked for something else.
    pub(crate) fn contents(&self) -> String {
        let known: Vec<&str> = self.sound().map(|(_, template)| template.id.as_str()).collect();
        let mut said = format!("{}; it has {}", self.folder.display(), known.join(", "));
        if known.is_empty() {
            said = format!("{}; it has none that can be read", self.folder.display());
        }
        for (_, template) in &self.files {
            if let Err(failure) = template {
                said.push_str(&format!("; {failure}"));
            }
        }
        said
    }

    fn sound(&self) -> impl Iterator<Item = (&Path, &Template)> {
        self.files.iter().filter_map(|(path, read)| Some((path.as_path(), read.as_ref().ok()?)))
    }

    fn faults(&self, path: &Path, template: &Template) -> Vec<String> {
        let twins = self.sound().filter(|(other, twin)| *other != path && twin.id == template.id);
        let twins = twins.map(|(other, _)| format!("the same id as {}; rename one of them", other.display()));
        twins.chain(template.check()).collect()
    }
}

fn read_template(path: &Path) -> Result<Template, Failure> {
    let bytes = config_file::read(path)?;
    if path.extension().is_some_and(|suffix| suffix == "json") {
        return Template::from_json(&bytes).about(path.display());
    }
    let text = std::str::from_utf8(&bytes).about(path.display())?;
    let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("template");
    Ok(Template::from_ascii(id, text))
}
