//! `wayforge templates`: floors made by hand, checked in every orientation.

use crate::config_file;
use crate::failure::{Context, Failure, reject};
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
        return reject(
            "templates: say what to do with them: `check DIR` checks the templates of a folder, `list` prints the embedded ones",
        );
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
                let faults = template.as_ref().map(|template| shelf.faults(path, template));
                sound &= faults.as_ref().is_ok_and(Vec::is_empty);
                let said = match (template, faults) {
                    (Ok(template), Ok(faults)) => verdict(path, template, &faults),
                    (Err(failure), _) | (_, Err(failure)) => format!("{failure}\n"),
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
        let entries = folder.read_dir().about(folder.display())?.map(|entry| entry.map(|entry| entry.path()));
        let mut paths: Vec<PathBuf> = entries.collect::<Result<_, _>>().about(folder.display())?;
        let is_template =
            |path: &PathBuf| path.extension().is_some_and(|suffix| suffix == "json" || suffix == "txt");
        paths.retain(is_template);
        paths.sort();
        if paths.is_empty() {
            let problem = "holds no template; name a folder with .json or .txt files";
            return Err(Failure::about(folder.display(), problem));
        }
        let files = paths.into_iter().map(|path| (path.clone(), read_template(&path)));
        Ok(Shelf { folder: folder.to_owned(), files: files.collect() })
    }

    /// The template called `id`; two of that name are refused, because nobody could say which is meant.
    pub(crate) fn find(&self, id: &str) -> Result<Option<Template>, Failure> {
        let mut found = self.sound().filter(|(_, template)| template.id == id);
        let Some((path, template)) = found.next() else { return Ok(None) };
        match found.next() {
            None => Ok(Some(template.clone())),
            Some((other, _)) => {
                let problem = format!("the template {id} is also in {}; rename one of them", path.display());
                Err(Failure::about(other.display(), problem))
            }
        }
    }

    /// The folder and what it holds, for those who asked for something else.
    pub(crate) fn contents(&self) -> String {
        let known: Vec<&str> = self.sound().map(|(_, template)| template.id.as_str()).collect();
        let known = if known.is_empty() { "none that can be read".to_owned() } else { known.join(", ") };
        let failures = self.files.iter().filter_map(|(_, template)| template.as_ref().err());
        let failures: String = failures.map(|failure| format!("; {failure}")).collect();
        format!("{}; it has {known}{failures}", self.folder.display())
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
