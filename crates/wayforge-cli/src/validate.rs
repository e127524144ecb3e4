//! `wayforge validate`: check saved documents, and levels drawn by hand, from scratch.

mod drawing;

use crate::config_file;
use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, ValueEnum};
use serde_json::value::RawValue;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use wayforge::act::{self, ActMap};
use wayforge::floor::{self, Floor, Tower, TowerFloor};
use wayforge::level::{self, Level};
use wayforge::{DecodeError, Document, Place, Report, Rule, Violation, document};

/// The map is what its algorithm makes from its seed and configuration.
const REPRODUCIBLE: Rule = Rule("reproducible");

/// The options of `wayforge validate`.
#[derive(Args)]
pub(crate) struct ValidateArgs {
    /// The documents to check, one or many in a file (JSON lines); - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The files are levels drawn in ASCII, one or many with blank lines between them; check them against this stage
    /// (.toml or .json)
    #[arg(long, visible_alias = "config", value_name = "FILE")]
    stage: Option<PathBuf>,
    /// Also make each map again from its seed and configuration, and compare
    #[arg(long)]
    reproduce: bool,
    /// How the verdict is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Checks every document or drawing of every file; exit 1 if one breaks a rule.
pub(crate) fn run(args: ValidateArgs) -> Result<(), Failure> {
    let mut output = Output::open(None)?;
    let mut valid = true;
    match &args.stage {
        Some(stage) => {
            if args.reproduce {
                return Err(Failure::Input(
                    "--reproduce: a drawing has no seed to be made from; leave it out".into(),
                ));
            }
            let stage = config_file::read_stage(stage)?;
            for path in &args.files {
                valid &= drawing::check(path, &stage, args.format, &mut output)?;
            }
        }
        None => {
            for path in &args.files {
                valid &= check_documents(path, &args, &mut output)?;
            }
        }
    }
    output.finish()?;
    if valid { Ok(()) } else { Err(Failure::Check) }
}

/// Checks every document of a file; true if all are valid.
fn check_documents(path: &Path, args: &ValidateArgs, output: &mut Output) -> Result<bool, Failure> {
    let bytes = config_file::read(path)?;
    let (mut documents, mut valid) = (0, true);
    for text in serde_json::Deserializer::from_slice(&bytes).into_iter::<&RawValue>() {
        documents += 1;
        let name = numbered(path, "document", documents);
        let text = text.map_err(|error| match documents == 1 && drawing::looks_like_one(&bytes) {
            true => Failure::about(&name, "a drawing; name its stage with --stage FILE"),
            false => Failure::about(&name, error),
        })?;
        let (document, report) =
            judge(text.get(), args.reproduce).map_err(|error| Failure::about(&name, error))?;
        valid &= report.is_valid();
        output.write(describe(&name, &document, &report, args.format).as_bytes())?;
    }
    match documents {
        0 => Err(Failure::about(path.display(), "holds no document")),
        _ => Ok(valid),
    }
}

/// The name of the n-th of many in a file.
fn numbered(path: &Path, noun: &str, n: usize) -> String {
    match n {
        1 => path.display().to_string(),
        n => format!("{} ({noun} {n})", path.display()),
    }
}

/// Judges the map of a document, from scratch and again from its seed if `reproduce` asks for that.
type Judge = fn(&Document, bool) -> Result<Report, DecodeError>;

/// Who judges which algorithms.
const FAMILIES: [(&str, Judge); 5] = [
    ("act.", judge_act),
    ("level.", judge_level),
    ("floor.module/", judge_floor),
    ("floor.tower/", judge_tower),
    ("floor.tower.floor/", judge_tower_floor),
];

fn judge(text: &str, reproduce: bool) -> Result<(Document, Report), DecodeError> {
    let document = Document::decode(text.as_bytes())?;
    let family = FAMILIES.iter().find(|(prefix, _)| document.algorithm.starts_with(prefix));
    let Some((_, judge)) = family else {
        let known = FAMILIES.map(|(prefix, _)| format!("{prefix}*")).join(", ");
        return Err(DecodeError::Unknown { field: "algorithm", value: document.algorithm, known });
    };
    let mut report = judge(&document, reproduce)?;
    put_first(&mut report, document::DIGEST_MATCHES, document.check_digest());
    Ok((document, report))
}

fn judge_act(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = ActMap::from_document(document)?;
    let mut report = act::validate(&map);
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        let again = act::generate(map.seed, &map.spec);
        compare(&mut report, document, again.map(|again| (again == map, again.to_document())));
    }
    Ok(report)
}

fn judge_level(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = Level::from_document(document)?;
    let mut report = level::validate(&map);
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        let again = level::generate(map.seed, &map.spec);
        compare(&mut report, document, again.map(|again| (again == map, again.to_document())));
    }
    Ok(report)
}

fn judge_floor(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = Floor::from_document(document)?;
    let mut report = floor::validate(&map);
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        let mut again = floor::generate(map.seed, &map.spec);
        again.generated_at.clone_from(&map.generated_at);
        compare(&mut report, document, Ok::<_, String>((again == map, again.to_document())));
    }
    Ok(report)
}

fn judge_tower(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = Tower::from_document(document)?;
    let mut report = floor::validate_tower(&map);
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        // The time of making is outside what a seed decides.
        let timeless = map.clone().without_time();
        let again = floor::generate_tower(map.seed, &map.spec);
        compare(&mut report, document, again.map(|again| (again == timeless, again.to_document())));
    }
    Ok(report)
}

fn judge_tower_floor(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = TowerFloor::from_document(document)?;
    let mut report = map.validate();
    put_first(&mut report, document::CANONICAL_FORM, map.check_form(document));
    if reproduce {
        let timeless = map.clone().without_time();
        let again = TowerFloor::generate(map.seed, &map.spec, map.number);
        compare(&mut report, document, again.map(|again| (again == timeless, again.to_document())));
    }
    Ok(report)
}

/// Puts a rule about the whole document before the others.
fn put_first(report: &mut Report, rule: Rule, checked: Result<(), DecodeError>) {
    report.rules.insert(0, rule);
    report.violations.splice(0..0, checked.err().map(|error| violation(rule, error.to_string())));
}

/// Compares a map with the one that its seed and configuration give: whether they are the same, and the latter's document.
fn compare(report: &mut Report, document: &Document, again: Result<(bool, Document), impl Display>) {
    report.rules.push(REPRODUCIBLE);
    let why = match again {
        Ok((true, _)) => None,
        Ok((false, again)) => Some(format!("{} makes a map of digest {}", document.algorithm, again.digest)),
        Err(error) => Some(error.to_string()),
    };
    report.violations.extend(why.map(|why| violation(REPRODUCIBLE, why)));
}

fn violation(rule: Rule, why: String) -> Violation {
    Violation { rule, place: Place::Map, why }
}

fn describe(name: &str, document: &Document, report: &Report, format: Format) -> String {
    if format == Format::Json {
        let verdict = serde_json::json!({
            "file": name,
            "algorithm": document.algorithm,
            "seed": document.seed,
            "digest": document.digest,
            "valid": report.is_valid(),
            "report": report,
        });
        return format!("{verdict}\n");
    }
    let subject = format!("{name}: {} seed {}", document.algorithm, document.seed);
    if report.is_valid() {
        return format!("{subject}: valid, {} rules hold\n", report.rules.len());
    }
    let broken = report.rules.iter().filter(|rule| !report.holds(**rule)).count();
    let mut text = format!("{subject}: NOT VALID, {broken} of {} rules are broken\n", report.rules.len());
    for violation in &report.violations {
        text.push_str(&format!("  {violation}\n"));
    }
    for rule in &report.cut {
        text.push_str(&format!("  {rule}: more than {} violations, the rest is not listed\n", Report::MOST));
    }
    text
}
