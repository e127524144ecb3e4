//! `wayforge templates`: checks floor templates in every symmetry.

use crate::config_file;
use crate::failure::{Context, Failure, reject};
use crate::number::counted;
use crate::output::Output;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use wayforge::floor::Template;

/// Options of `wayforge templates`.
#[derive(Args)]
pub(crate) struct TemplatesArgs {
    #[command(subcommand)]
    command: Option<TemplatesCommand>,
}

#[derive(Subcommand)]
enum TemplatesCommand {
    /// Check every template of a folder in all eight symmetries, with every entrance and exit
    Check {
        /// Folder of templates: .json files, or .txt drawings with one row per line
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
    },
    /// Print the embedded templates as JSON lines
    List,
}

/// The templates of a folder, ordered by file name. Files with other suffixes are ignored.
pub(crate) struct TemplateFolder {
    path: PathBuf,
    /// Each file with its template, or the reason why it cannot be read.
    files: Vec<(PathBuf, Result<Template, Failure>)>,
}

/// Checks or lists templates. Fails if a template has problems.
pub(crate) fn run(args: TemplatesArgs) -> Result<(), Failure> {
    let Some(command) = args.command else {
        return reject(
            "templates: no subcommand given; use `check FOLDER` to check a folder of templates, or \
             `list` to print the embedded ones",
        );
    };
    let mut output = Output::open(None)?;
    let mut valid = true;
    match command {
        TemplatesCommand::List => {
            for template in Template::embedded() {
                let line = serde_json::to_string(&template).context(&template.id)?;
                output.write(format!("{line}\n").as_bytes())?;
            }
        }
        TemplatesCommand::Check { folder } => {
            let folder = TemplateFolder::read(&folder)?;
            for (path, template) in &folder.files {
                let problems = template.as_ref().map(|template| folder.problems(path, template));
                valid &= problems.as_ref().is_ok_and(Vec::is_empty);
                let report = match (template, problems) {
                    (Ok(template), Ok(problems)) => describe(path, template, &problems),
                    (Err(failure), _) | (_, Err(failure)) => format!("{failure}\n"),
                };
                output.write(report.as_bytes())?;
            }
        }
    }
    output.finish()?;
    if valid { Ok(()) } else { Err(Failure::Check) }
}

fn describe(path: &Path, template: &Template, problems: &[String]) -> String {
    let subject = format!("{}: {}", path.display(), template.id);
    if problems.is_empty() {
        let size = template.size().map_or_else(|_| String::new(), |size| format!(", {size}"));
        return format!("{subject}{size}: valid in every orientation\n");
    }
    let lines: String = problems.iter().map(|problem| format!("  {problem}\n")).collect();
    format!("{subject}: NOT VALID, {}\n{lines}", counted(problems.len(), "problem"))
}

impl TemplateFolder {
    /// Reads every template of a folder. Unreadable files are recorded and do not affect the
    /// others.
    ///
    /// # Errors
    /// If the folder cannot be read or has no template file.
    pub(crate) fn read(path: &Path) -> Result<TemplateFolder, Failure> {
        let entries =
            path.read_dir().context(path.display())?.map(|entry| entry.map(|entry| entry.path()));
        let mut paths: Vec<PathBuf> = entries.collect::<Result<_, _>>().context(path.display())?;
        let is_template = |path: &PathBuf| {
            path.extension().is_some_and(|suffix| suffix == "json" || suffix == "txt")
        };
        paths.retain(is_template);
        paths.sort();
        if paths.is_empty() {
            let problem = "contains no template; name a folder with .json or .txt files";
            return Err(Failure::new(path.display(), problem));
        }
        let files = paths.into_iter().map(|path| (path.clone(), read_template(&path)));
        Ok(TemplateFolder { path: path.to_owned(), files: files.collect() })
    }

    /// Returns the template with the given id.
    ///
    /// # Errors
    /// If two templates have this id.
    pub(crate) fn find(&self, id: &str) -> Result<Option<Template>, Failure> {
        let mut found = self.readable().filter(|(_, template)| template.id == id);
        let Some((path, template)) = found.next() else { return Ok(None) };
        match found.next() {
            None => Ok(Some(template.clone())),
            Some((other, _)) => {
                let problem =
                    format!("the template {id} is also in {}; rename one of them", path.display());
                Err(Failure::new(other.display(), problem))
            }
        }
    }

    /// Lists the folder, its template ids and its unreadable files, for an error message.
    pub(crate) fn contents(&self) -> String {
        let known: Vec<&str> = self.readable().map(|(_, template)| template.id.as_str()).collect();
        let known =
            if known.is_empty() { "no readable template".to_owned() } else { known.join(", ") };
        let failures = self.files.iter().filter_map(|(_, template)| template.as_ref().err());
        let failures: String = failures.map(|failure| format!("; {failure}")).collect();
        format!("{}; it has {known}{failures}", self.path.display())
    }

    fn readable(&self) -> impl Iterator<Item = (&Path, &Template)> {
        self.files.iter().filter_map(|(path, read)| Some((path.as_path(), read.as_ref().ok()?)))
    }

    fn problems(&self, path: &Path, template: &Template) -> Vec<String> {
        let duplicates = self
            .readable()
            .filter(|(other, duplicate)| *other != path && duplicate.id == template.id)
            .map(|(other, _)| format!("the same id as {}; rename one of them", other.display()));
        duplicates.chain(template.lint()).collect()
    }
}

fn read_template(path: &Path) -> Result<Template, Failure> {
    let bytes = config_file::read(path)?;
    if path.extension().is_some_and(|suffix| suffix == "json") {
        return Template::from_json(&bytes).context(path.display());
    }
    let text = std::str::from_utf8(&bytes).context(path.display())?;
    let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("template");
    Ok(Template::from_ascii(id, text))
}
