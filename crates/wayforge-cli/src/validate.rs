//! `wayforge validate`: check saved documents from scratch.

use crate::config_file;
use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, ValueEnum};
use serde_json::value::RawValue;
use std::path::PathBuf;
use wayforge::act::{self, ActMap};
use wayforge::floor::{self, Floor, Tower};
use wayforge::{DecodeError, Digest, Document, Place, Report, Rule, Violation, document};

/// The map is what its algorithm makes from its seed and configuration.
const REPRODUCIBLE: Rule = Rule("reproducible");

/// The options of `wayforge validate`.
#[derive(Args)]
pub(crate) struct ValidateArgs {
    /// The documents to check, one or many in a file (JSON lines); - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
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

/// Checks every document of every file; exit 1 if one breaks a rule.
pub(crate) fn run(args: ValidateArgs) -> Result<(), Failure> {
    let mut output = Output::open(None)?;
    let mut valid = true;
    for path in &args.files {
        let bytes = config_file::read(path)?;
        let mut documents = 0;
        for text in serde_json::Deserializer::from_slice(&bytes).into_iter::<&RawValue>() {
            documents += 1;
            let name = match documents {
                1 => path.display().to_string(),
                n => format!("{} (document {n})", path.display()),
            };
            let text = text.map_err(|error| Failure::about(&name, error))?;
            let (document, report) =
                judge(text.get(), args.reproduce).map_err(|error| Failure::about(&name, error))?;
            valid &= report.is_valid();
            output.write(describe(&name, &document, &report, args.format).as_bytes())?;
        }
        if documents == 0 {
            return Err(Failure::about(path.display(), "holds no document"));
        }
    }
    output.finish()?;
    if valid { Ok(()) } else { Err(Failure::Check) }
}

fn judge(text: &str, reproduce: bool) -> Result<(Document, Report), DecodeError> {
    let document = Document::decode(text.as_bytes())?;
    let family = document.algorithm.split('.').next().unwrap_or_default();
    let judged = match (family, document.algorithm.as_str()) {
        ("floor", floor::TOWER_ALGORITHM) => judge_tower(&document, reproduce)?,
        ("floor", _) => judge_floor(&document, reproduce)?,
        _ => judge_act(&document, reproduce)?,
    };
    let Judged { mut report, form, again } = judged;
    let whole = [(document::DIGEST_MATCHES, document.check_digest()), (document::CANONICAL_FORM, form)];
    for (rule, checked) in whole {
        report.rules.insert(0, rule);
        report.violations.splice(0..0, checked.err().map(|error| violation(rule, error.to_string())));
    }
    if reproduce {
        report.rules.push(REPRODUCIBLE);
        let why = match again {
            Again::Same => None,
            Again::Other(digest) => Some(format!("{} makes a map of digest {digest}", document.algorithm)),
            Again::Fails(why) => Some(why),
        };
        report.violations.extend(why.map(|why| violation(REPRODUCIBLE, why)));
    }
    Ok((document, report))
}

/// What one family says about a document.
struct Judged {
    report: Report,
    form: Result<(), DecodeError>,
    again: Again,
}

/// What the algorithm makes of the same seed and configuration.
enum Again {
    Same,
    Other(Digest),
    Fails(String),
}

impl Again {
    /// Compares a map with the one made again; `make` is only called if that was asked for.
    fn of<M: PartialEq, E: ToString>(
        asked: bool,
        map: &M,
        make: impl FnOnce() -> Result<M, E>,
        digest: impl Fn(&M) -> Digest,
    ) -> Again {
        if !asked {
            return Again::Same;
        }
        match make() {
            Ok(again) if again == *map => Again::Same,
            Ok(again) => Again::Other(digest(&again)),
            Err(error) => Again::Fails(error.to_string()),
        }
    }
}

fn judge_act(document: &Document, reproduce: bool) -> Result<Judged, DecodeError> {
    let map = ActMap::from_document(document)?;
    let make = || act::generate(map.seed, &map.spec);
    let again = Again::of(reproduce, &map, make, |map| map.to_document().digest);
    Ok(Judged { report: act::validate(&map), form: map.check_form(document), again })
}

fn judge_floor(document: &Document, reproduce: bool) -> Result<Judged, DecodeError> {
    let map = Floor::from_document(document)?;
    let make = || {
        let mut again = floor::generate(map.seed, &map.spec);
        again.generated_at.clone_from(&map.generated_at);
        Ok::<Floor, String>(again)
    };
    let again = Again::of(reproduce, &map, make, |map| map.to_document().digest);
    Ok(Judged { report: floor::validate(&map), form: map.check_form(document), again })
}

fn judge_tower(document: &Document, reproduce: bool) -> Result<Judged, DecodeError> {
    let map = Tower::from_document(document)?;
    let timeless = map.clone().without_time();
    let make = || floor::generate_tower(map.seed, &map.spec);
    let again = Again::of(reproduce, &timeless, make, |map| map.to_document().digest);
    Ok(Judged { report: floor::validate_tower(&map), form: map.check_form(document), again })
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
