//! `wayforge validate`: checks saved maps and hand-drawn levels against every rule.

mod drawing;

use crate::config_file;
use crate::documents::DocumentFile;
use crate::failure::{Context, Failure, reject};
use crate::format::{FormatArg, REPORTS};
use crate::output::Output;
use clap::Args;
use std::path::{Path, PathBuf};
use wayforge::{Report, SavedMap};

/// Options of `wayforge validate`.
#[derive(Args)]
pub(crate) struct ValidateArgs {
    /// Documents or bare floors (MapFloor) to check, as JSON or JSON lines; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check levels drawn in ASCII, separated by blank lines, against this stage (.toml or .json)
    #[arg(long, visible_alias = "config", value_name = "FILE")]
    stage: Option<PathBuf>,
    /// Also regenerate each map from its seed and configuration, and compare
    #[arg(long)]
    reproduce: bool,
    /// Output format
    #[arg(long, default_value = "text", value_parser = FormatArg::among(&REPORTS))]
    format: FormatArg,
}

/// Checks every document or drawing of every file. Fails if one breaks a rule.
pub(crate) fn run(args: ValidateArgs) -> Result<(), Failure> {
    let mut output = Output::open(None)?;
    let mut valid = true;
    if args.stage.is_some() && args.reproduce {
        return reject("--reproduce: a drawing has no seed; leave it out");
    }
    let stage = args.stage.as_deref().map(config_file::read_stage).transpose()?;
    for path in &args.files {
        valid &= match &stage {
            Some(stage) => drawing::check(path, stage, args.format, &mut output)?,
            None => check_documents(path, &args, &mut output)?,
        };
    }
    output.finish()?;
    if valid { Ok(()) } else { Err(Failure::Check) }
}

/// Checks every document of a file. Returns true if all are valid.
fn check_documents(path: &Path, args: &ValidateArgs, output: &mut Output) -> Result<bool, Failure> {
    let file = DocumentFile::open(path)?;
    if drawing::looks_like_drawing(file.head()) {
        return Err(Failure::new(path.display(), "a drawing; name its stage with --stage FILE"));
    }
    let mut valid = true;
    file.for_each(|_, name, text| {
        let saved = SavedMap::decode(text).context(name)?;
        let report = saved.validate(args.reproduce).context(name)?;
        valid &= report.is_valid();
        output.write(describe(name, &saved, &report, args.format).as_bytes())
    })?;
    Ok(valid)
}

/// Summarises a report: valid or not, and the number of rules.
pub(crate) fn summary(report: &Report) -> String {
    let all = report.rules.len();
    match report.rules.iter().filter(|rule| !report.passes(**rule)).count() {
        0 => format!("valid, {all} rules hold"),
        broken => format!("NOT VALID, {broken} of {all} rules broken"),
    }
}

fn describe(name: &str, saved: &SavedMap, report: &Report, format: FormatArg) -> String {
    if format == FormatArg::Json {
        let line = serde_json::json!({
            "file": name,
            "algorithm": saved.algorithm(),
            "seed": saved.seed(),
            "digest": saved.digest(),
            "valid": report.is_valid(),
            "report": report,
        });
        return format!("{line}\n");
    }
    let seed = saved.seed().map_or_else(String::new, |seed| format!(" seed {}", seed.to_line()));
    let subject = format!("{name}: {}{seed}", saved.algorithm().unwrap_or("MapFloor"));
    let mut text = format!("{subject}: {}\n", summary(report));
    for violation in &report.violations {
        text.push_str(&format!("  {violation}\n"));
    }
    for rule in &report.truncated {
        text.push_str(&format!(
            "  {rule}: more than {} violations, the others are not listed\n",
            Report::MAX_PER_RULE
        ));
    }
    text
}
