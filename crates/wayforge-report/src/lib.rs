//! What a configuration really makes, to be looked at: surveys as one page that needs nothing else, and as CSV.
//!
//! [`page`] and [`sweep_page`] write HTML with plots in it as SVG; [`tables`] and [`sweep_tables`] write everything that is counted as CSV, the
//! same bytes each time. Only what a clock said stands on the page and in no table.
//!
//! ```
//! use wayforge::Family;
//! use wayforge_draw::Theme;
//! use wayforge_report::{Report, page};
//! use wayforge_search::{Plan, Span, Subject, Survey};
//! let subject = Subject::read(Family::Floor, b"{}")?;
//! let pairs = wayforge_report::usual_pairs(&subject);
//! let mut survey = Survey::new(&subject, Span::from(1).take(500), Plan { pairs, places: true, rows: false });
//! while survey.advance() {}
//! let times = survey.times().clone();
//! let found = survey.finish();
//! let report = Report { name: "defaults".into(), subject: &subject, found: &found, times: &times, against: None };
//! assert!(page(&report, Theme::Night).starts_with("<!doctype html>"));
//! # Ok::<(), wayforge::ForgeError>(())
//! ```

#![forbid(unsafe_code)]

mod bars;
mod bins;
mod csv;
mod curves;
mod frame;
mod heat;
mod places;
mod tables;
mod thumb;
mod words;

pub use csv::{Table, row_head, row_line, sweep_tables, tables};

use frame::Frame;
use heat::Heat;
use std::fmt::Write;
use thumb::Thumbs;
use wayforge::Family;
use wayforge::metric::Term;
use wayforge_draw::Theme;
use wayforge_search::{Findings, Joint, SAMPLES, Shift, Subject, Times, drift};
use words::{percent, text, whole};

/// A survey to be shown.
pub struct Report<'a> {
    /// What the configuration is called.
    pub name: String,
    /// What was surveyed.
    pub subject: &'a Subject,
    /// What was found.
    pub found: &'a Findings,
    /// What a clock said.
    pub times: &'a Times,
    /// Another configuration to compare it with.
    pub against: Option<Against<'a>>,
}

/// A second survey, of the same seeds, and how far it is from the first.
pub struct Against<'a> {
    /// What the configuration is called.
    pub name: String,
    /// What was surveyed.
    pub subject: &'a Subject,
    /// What was found.
    pub found: &'a Findings,
    /// What a clock said.
    pub times: &'a Times,
    /// How far each metric moved.
    pub shifts: Vec<Shift>,
    /// From how far on a metric counts as moved, in ten-thousandths of distance.
    pub threshold: u64,
    /// Metrics that only the first and only the second has.
    pub only: [Vec<String>; 2],
}

/// Surveys of a configuration whose one field was given several values.
pub struct Sweep {
    /// The field.
    pub field: String,
    /// Its values and what was found.
    pub points: Vec<(String, Findings)>,
}

impl<'a> Against<'a> {
    /// Compares a second survey with the first.
    pub fn new(
        first: &Findings,
        name: String,
        subject: &'a Subject,
        found: &'a Findings,
        times: &'a Times,
        threshold: u64,
    ) -> Against<'a> {
        let only = |a: &Findings, b: &Findings| {
            let names = a.metrics.iter().map(|metric| metric.name.clone());
            names.filter(|name| b.metric(name).is_none()).collect()
        };
        let only = [only(first, found), only(found, first)];
        Against { name, subject, found, times, shifts: drift(first, found), threshold, only }
    }

    /// The metrics that moved beyond the threshold, the farthest first.
    pub fn moved(&self) -> impl Iterator<Item = &Shift> {
        self.shifts.iter().filter(|shift| shift.is_beyond(self.threshold))
    }
}

/// Pairs of metrics that show the range of a family well.
pub fn usual_pairs(subject: &Subject) -> Vec<[Term; 2]> {
    let names: &[[&str; 2]] = match subject.family() {
        Family::Act => &[["nodes", "routes"], ["splits", "merges"]],
        Family::Level => &[["walls", "path"], ["dead_ends", "junctions"], ["branching", "detour"]],
        Family::Floor | Family::Tower => {
            &[["path", "junctions"], ["dead_ends", "branching"], ["path", "detour"]]
        }
    };
    let catalogue = subject.catalogue();
    let pair = |[x, y]: &[&str; 2]| Some([catalogue.parse(x).ok()?, catalogue.parse(y).ok()?]);
    names.iter().filter_map(pair).collect()
}

/// A survey as one HTML page: nothing is fetched, and it can be read without scripts.
///
/// * **Guarantees.** The same survey gives the same page, but for what the clock said.
pub fn page(report: &Report<'_>, theme: Theme) -> String {
    let found = report.found;
    let title = format!("{} {} measured", whole(found.maps.into()), plural(found.family, found.maps));
    let mut page = String::new();
    let mut frame = Frame::begin(&mut page, &title, theme, &found.planes);
    let names = [report.name.as_str(), report.against.as_ref().map_or("", |against| against.name.as_str())];
    let mut all: Vec<(&str, &Findings)> = vec![(names[0], found)];
    let mut clocks: Vec<(&str, &Times)> = vec![(names[0], report.times)];
    if let Some(against) = &report.against {
        all.push((names[1], against.found));
        clocks.push((names[1], against.times));
    }
    frame.header(&title, &seeds(found), &headline(report));
    if let Some(against) = &report.against {
        frame.section("drift", "What moved", |page| {
            let _ = write!(
                page,
                "<p class=\"legend\"><i class=\"key first\"></i> {} <i class=\"key second\"></i> {}</p>",
                text(names[0]),
                text(names[1])
            );
            tables::drift(page, against);
        });
    }
    if found.maps > 0 {
        let mut thumbs = vec![Thumbs::new(report.subject)];
        thumbs.extend(report.against.as_ref().map(|against| Thumbs::new(against.subject)));
        frame.section("range", "Expressive range", |page| {
            page.push_str(
                "<p>How many maps have which pair of values. The stronger the colour, the more maps.</p>\n",
            );
            let every: Vec<&Findings> = all.iter().map(|(_, found)| *found).collect();
            let mut heats = Vec::new();
            let varies = |term| every.iter().any(|found| found.metrics.iter().any(|m| m.term == term && !m.histogram.is_constant()));
            let both_vary = |joint: &Joint| varies(joint.x) && varies(joint.y);
            let worth = found.joints.iter().any(both_vary);
            for (at, joint) in found.joints.iter().enumerate() {
                // A pair with a metric that never varies shows less than the metric's own plot.
                if worth && !both_vary(joint) {
                    let names = [joint.x, joint.y].map(|term| text(&report.subject.catalogue().name(term)));
                    let _ = writeln!(page, "<p class=\"steady\">{} and {} are left out: one of them is the same on every map.</p>", names[0], names[1]);
                    continue;
                }
                let bins = heat::bins(joint, &every);
                for (which, (prefix, (name, found))) in ('a'..).zip(&all).enumerate() {
                    let name = if all.len() > 1 { *name } else { "" };
                    heats.extend(
                        found.joints.get(at).map(|joint| (which, Heat { found, joint, bins, name, prefix })),
                    );
                }
            }
            // A first map of every cell has its picture before any has a second.
            for round in 0..SAMPLES {
                heats.iter().for_each(|(which, heat)| heat.draw_round(round, &mut thumbs[*which]));
            }
            heats.iter().for_each(|(which, heat)| heat.write(page, &thumbs[*which]));
            page.push_str("<svg class=\"symbols\" aria-hidden=\"true\"><defs>\n");
            thumbs.iter().for_each(|thumbs| page.push_str(thumbs.symbols()));
            page.push_str("</defs></svg>\n");
            legend(page, &all);
        });
        frame.section("metrics", "Metrics", |page| metrics(page, report));
    }
    frame.section("tries", "Tries and failures", |page| tables::tries(page, &all));
    frame.section("budgets", "Asked and placed", |page| tables::budgets(page, &all));
    if found.maps > 0 {
        frame.section("places", "What stands where", |page| {
            page.push_str(
                "<p>On how many maps a thing stands on a cell. Each picture has its own scale.</p>\n",
            );
            for (name, found) in &all {
                places::write(page, found, if all.len() > 1 { name } else { "" });
            }
        });
        frame.section("repeats", "Maps that repeat", |page| tables::repeats(page, &all));
    }
    frame.section("time", "Time to make a map", |page| tables::times(page, &clocks));
    frame.section("configuration", "Configuration", |page| {
        configuration(page, names[0], report.subject);
        if let Some(against) = &report.against {
            configuration(page, names[1], against.subject);
        }
    });
    frame.end();
    page
}

/// Surveys along a field as one HTML page with curves.
pub fn sweep_page(sweep: &Sweep, subject: &Subject, name: &str, theme: Theme) -> String {
    let mut page = String::new();
    let ends =
        [sweep.points.first(), sweep.points.last()].map(|point| point.map_or("", |point| point.0.as_str()));
    let title = format!("{} from {} to {}", sweep.field, ends[0], ends[1]);
    let mut frame = Frame::begin(&mut page, &title, theme, &[]);
    let found = sweep.points.first().map(|(_, found)| found);
    let about = found
        .map_or_else(String::new, |found| format!("{} values, each on {}", sweep.points.len(), seeds(found)));
    frame.header(&title, &about, &[]);
    frame.section("curves", "Curves", |page| {
        page.push_str("<p>Averages as a line; nine of ten maps lie in the band.</p>\n");
        curves::write(page, sweep);
    });
    frame.section("configuration", "Configuration", |page| configuration(page, name, subject));
    frame.end();
    page
}

/// Which seeds.
fn seeds(found: &Findings) -> String {
    let Findings { first, last, seeds, .. } = found;
    let part = if last.0.wrapping_sub(first.0) >= *seeds { "of the seeds" } else { "seeds" };
    format!("{} {part}, {first} to {last}", whole((*seeds).into()))
}

/// A family's maps as they are spoken of.
fn plural(family: Family, count: u64) -> &'static str {
    match (family, count == 1) {
        (Family::Act, true) => "act map",
        (Family::Act, false) => "act maps",
        (Family::Level, true) => "level",
        (Family::Level, false) => "levels",
        (Family::Floor, true) => "floor",
        (Family::Floor, false) => "floors",
        (Family::Tower, true) => "tower",
        (Family::Tower, false) => "towers",
    }
}

/// What is to be known first.
fn headline(report: &Report<'_>) -> Vec<(String, String)> {
    let found = report.found;
    let mut facts = vec![
        ("have a map".to_owned(), percent(found.maps, found.seeds)),
        ("at the first try".to_owned(), percent(found.first_try, found.seeds)),
    ];
    if let Some(repeats) = found.repeats.filter(|repeats| repeats.maps > 0) {
        facts.push(("repeat another".to_owned(), percent(repeats.maps - repeats.different, repeats.maps)));
        let turned = if found.family == Family::Act { "if mirrored" } else { "if mirrored or turned" };
        facts.push((turned.to_owned(), percent(repeats.maps - repeats.turned, repeats.maps)));
    }
    facts.push(("half are made within".to_owned(), words::time(report.times.percentile(500))));
    if let Some(against) = &report.against {
        facts.insert(0, ("metrics moved".to_owned(), against.moved().count().to_string()));
    }
    facts
}

/// The distribution of every metric that varies; the others in a sentence.
fn metrics(page: &mut String, report: &Report<'_>) {
    let other = |name: &str| {
        let found = report.against.as_ref().map(|against| against.found)?;
        found.metric(name).map(|metric| &metric.histogram).filter(|histogram| histogram.maps() > 0)
    };
    let (mut steady, mut varied) = (Vec::new(), Vec::new());
    for metric in &report.found.metrics {
        let both = other(&metric.name);
        let same = both.is_none_or(|other| other.is_constant() && other.least() == metric.histogram.least());
        if metric.histogram.is_constant() && same { steady.push(metric) } else { varied.push((metric, both)) }
    }
    page.push_str("<div class=\"plots\">\n");
    varied.into_iter().for_each(|(metric, both)| bars::write(page, metric, both));
    page.push_str("</div>\n");
    let (none, steady): (Vec<_>, Vec<_>) =
        steady.into_iter().partition(|metric| metric.histogram.least() == 0);
    let list = |metrics: &[&wayforge_search::Measured], values: bool| {
        let told = metrics.iter().map(|metric| match values {
            true => format!("{} <b>{}</b>", text(&metric.name), whole(metric.histogram.least().into())),
            false => text(&metric.name),
        });
        told.collect::<Vec<_>>().join(", ")
    };
    if !steady.is_empty() {
        let _ = writeln!(page, "<p class=\"steady\">The same on every map: {}.</p>", list(&steady, true));
    }
    if !none.is_empty() {
        let _ = writeln!(page, "<p class=\"steady\">0 on every map: {}.</p>", list(&none, false));
    }
}

/// What the colours of small maps mean.
fn legend(page: &mut String, all: &[(&str, &Findings)]) {
    let Some((_, found)) = all.first() else { return };
    page.push_str("<p class=\"legend\" id=\"legend\">");
    for (at, plane) in found.planes.iter().enumerate() {
        let met = |found: &Findings| {
            found.occupancy.as_ref().is_some_and(|o| o.plane(at).iter().any(|&count| count > 0))
        };
        let (ink, fills) = thumb::look_of(plane, at);
        if ink != thumb::Ink::None && all.iter().any(|(_, found)| met(found)) {
            let round = if fills && found.family != Family::Act { "" } else { " round" };
            let _ = write!(page, "<span><i class=\"key p{at}{round}\"></i> {}</span> ", text(plane));
        }
    }
    page.push_str("</p>\n");
}

fn configuration(page: &mut String, name: &str, subject: &Subject) {
    let _ = writeln!(
        page,
        "<details><summary>{}: {}, with every default written out</summary><pre>{}</pre></details>",
        text(name),
        subject.algorithm(),
        text(&subject.config())
    );
}
