//! Validates hand-drawn levels: every rule, and the soft locks.

use super::summary;
use crate::config_file::{self, Stage};
use crate::documents::numbered;
use crate::failure::{Context, Failure};
use crate::format::FormatArg;
use crate::number::counted;
use crate::output::Output;
use std::fmt::Write;
use std::path::Path;
use wayforge::grid::{BitGrid, Size};
use wayforge::level::{self, Attempt, Blueprint, Level, SoftLock, Symbol, Tags};
use wayforge::{Report, Seed};

/// Maximum number of cells of a soft lock listed in text.
const MAX_CELLS: usize = 12;

/// Checks every drawing of a file against a stage. Returns true if all are valid.
///
/// A stage without width or height takes them from each drawing.
pub(super) fn check(
    path: &Path,
    stage: &Stage,
    format: FormatArg,
    output: &mut Output,
) -> Result<bool, Failure> {
    let bytes = config_file::read_text(path)?;
    if bytes.trim_ascii_start().starts_with(b"{") {
        return Err(Failure::new(path.display(), "a document, not a drawing; leave out --stage"));
    }
    let text = std::str::from_utf8(&bytes).context(path.display())?;
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let drawings = lines.split(|line| line.is_empty()).filter(|rows| !rows.is_empty());
    let (mut count, mut valid) = (0, true);
    for rows in drawings {
        count += 1;
        let name = numbered(path, "drawing", count);
        let blueprint = Blueprint::from_rows(rows).context(&name)?;
        let size = blueprint.size();
        let mut stage = stage.clone();
        stage.set_default_size([size.width.into(), size.height.into()]);
        let spec = stage.config.resolve().context("stage")?;
        let report = level::validate_drawing(&spec, &blueprint);
        let locks = soft_locks(&spec, &blueprint);
        valid &= report.is_valid();
        let text = match format {
            FormatArg::Json => to_json(&name, &spec, size, &report, &locks),
            _ => to_text(&name, &spec, size, &report, &locks),
        };
        output.write(text.as_bytes())?;
    }
    match count {
        0 => Err(Failure::new(path.display(), "contains no drawing; write one row per line")),
        _ => Ok(valid),
    }
}

/// Returns true if the first line of a file consists of level symbols.
pub(super) fn looks_like_drawing(bytes: &[u8]) -> bool {
    let line = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
    line.is_some_and(|line| line.iter().all(|b| Symbol::from_char(char::from(*b)).is_some()))
}

/// Returns the soft locks of a drawing. Its marks are the fixed cells of the stage.
fn soft_locks(spec: &level::Spec, blueprint: &Blueprint) -> Vec<SoftLock> {
    let size = blueprint.size();
    if size != spec.size() {
        return Vec::new();
    }
    let mut marks: Vec<_> = spec.config().marks.iter().map(|mark| mark.cells.clone()).collect();
    marks.iter_mut().for_each(|cells| cells.sort_unstable());
    level::soft_locks(&Level {
        seed: Seed::new(0),
        spec: spec.clone(),
        blueprint: blueprint.clone(),
        tags: Tags { fall_spawn_cells: BitGrid::new(size), reinforced: BitGrid::new(size), marks },
        car_walkable_cells: BitGrid::new(size),
        witness: Vec::new(),
        attempt: Attempt::default(),
    })
}

/// Formats the steps of a chain, separated by arrows.
fn chain_name(spec: &level::Spec, chain: u32) -> String {
    let steps = spec.chains().get(chain as usize).map_or(&[][..], |chain| &chain.steps);
    steps.iter().map(|step| spec.step_name(*step)).collect::<Vec<_>>().join(" -> ")
}

/// Formats the result of every rule and the soft locks as text.
fn to_text(
    name: &str,
    spec: &level::Spec,
    size: Size,
    report: &Report,
    locks: &[SoftLock],
) -> String {
    let mut text = format!("{name}: {} level: {}\n", size, summary(report));
    for rule in &report.rules {
        let word = if report.passes(*rule) { "holds" } else { "BROKEN" };
        let _ = writeln!(text, "  {rule}: {word}");
        for violation in report.violations.iter().filter(|violation| violation.rule == *rule) {
            let _ = writeln!(text, "    at {}: {}", violation.place, violation.why);
        }
        if report.truncated.contains(rule) {
            let _ = writeln!(
                text,
                "    more than {} violations, the others are not listed",
                Report::MAX_PER_RULE
            );
        }
    }
    if locks.is_empty() {
        text.push_str("  soft locks: none\n");
    }
    for group in locks.chunk_by(|a, b| (a.chain, a.progress) == (b.chain, b.progress)) {
        let cells: Vec<String> =
            group.iter().take(MAX_CELLS).map(|lock| lock.cell.to_string()).collect();
        let more = match group.len().saturating_sub(MAX_CELLS) {
            0 => String::new(),
            more => format!(" and {more} more (--format json lists all)"),
        };
        let (chain, step) = (chain_name(spec, group[0].chain), &group[0].step);
        let _ = writeln!(
            text,
            "  soft locks: {} from which {chain} cannot be finished after {step}: {}{more}",
            counted(group.len(), "cell"),
            cells.join(" ")
        );
    }
    text
}

/// Formats the validity, the report and the soft locks as one line of JSON.
fn to_json(
    name: &str,
    spec: &level::Spec,
    size: Size,
    report: &Report,
    locks: &[SoftLock],
) -> String {
    let locks: Vec<serde_json::Value> = locks
        .iter()
        .map(|lock| {
            let chain = chain_name(spec, lock.chain);
            serde_json::json!({"chain": chain, "after": lock.step, "cell": lock.cell})
        })
        .collect();
    let line = serde_json::json!({
        "file": name,
        "width": size.width,
        "height": size.height,
        "valid": report.is_valid(),
        "report": report,
        "soft_locks": locks,
    });
    format!("{line}\n")
}
