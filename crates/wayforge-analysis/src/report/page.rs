//! The page of one configuration, or of two beside each other.

use crate::report::frame::{Section, document, heads, row};
use crate::report::heat::Heat;
use crate::report::side::{self, Side, sides};
use crate::report::thumb::{Ink, Look, Thumbs, looks};
use crate::report::words::whole;
use crate::report::{Report, bars, drift, places, tables};
use crate::search::{Measured, SAMPLES};
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeSet;
use wayforge::{AnySpec, Family};
use wayforge_draw::Theme;

/// A survey as one HTML page: nothing is fetched, and it can be read without scripts.
///
/// * **Arguments.** Without a `theme` the page is light or dark as its reader's screen is.
/// * **Guarantees.** The same survey gives the same page, but for what the clock said.
pub fn page(report: &Report<'_>, theme: Option<Theme>) -> String {
    let sides = sides(report);
    let found = report.found;
    let (title, about) = match sides.as_slice() {
        [first, second] => {
            let [a, b] = [first, second].map(|side| whole(side.found.maps.into()));
            let both = format!("{a} and {}", side::maps(found.family, second.found.maps));
            let about = format!("{both} of the same {}", side::seeds(found));
            let title = format!("{} against {}", first.name, second.name);
            (title, about.replace(&format!("{b} and {b}"), &b))
        }
        _ => (format!("{} measured", side::maps(found.family, found.maps)), side::seeds(found)),
    };
    let planes = side::planes(&sides);
    let looks = looks(&planes, found.family == Family::Act);
    let made = sides.iter().any(|side| side.found.maps > 0);
    let mut sections: Vec<Section> = Vec::new();
    if let Some(against) = &report.against {
        sections.push(("drift", "What moved", drift::section(against, &sides)));
    }
    if made {
        sections.push(("range", "Expressive range", range(&sides, &planes, &looks)));
        sections.push(("metrics", "Metrics", metrics(&sides)));
    }
    sections.push(("tries", "Tries and failures", tables::tries(&sides)));
    sections.push(("budgets", "Asked and placed", tables::budgets(&sides)));
    if made {
        sections.push(("places", "What stands where", places::section(&sides, &planes)));
        sections.push(("repeats", "Maps that repeat", tables::repeats(&sides)));
    }
    sections.push(("time", "Time to make a map", tables::times(&sides)));
    let configurations = html! { @for side in &sides { (configuration(side.name, side.subject)) } };
    sections.push(("configuration", "Configuration", configurations));
    let first = html! {
        @for notice in sides.iter().filter_map(|side| side::stopped(side.found)) { p.notice { (notice) } }
        (facts(&sides))
    };
    document(&title, &about, first, theme, &looks, &sections)
}

/// What is to be known first: large numbers of one configuration, or a table of two.
fn facts(sides: &[Side<'_>]) -> Markup {
    let facts = tables::headline(sides);
    html! {
        @if sides.len() == 1 {
            dl { @for (name, values) in &facts { div { dd { (values.concat()) } dt { (name) } } } }
        } @else {
            table.facts {
                thead { tr { td {} (heads(sides.iter().map(|side| side.label(sides)))) } }
                tbody { @for (name, values) in &facts { (row(name, values)) } }
            }
        }
    }
}

fn range(sides: &[Side<'_>], planes: &[String], looks: &[Look]) -> Markup {
    let varies = |metric: &Measured| {
        let met: Vec<_> = sides.iter().filter_map(|side| side.found.histogram(&metric.name)).collect();
        met.iter().any(|one| !one.is_constant() || one.least() != met[0].least())
    };
    let Some(first) = sides.first() else { return html! {} };
    let metric = |term| first.found.metric_of(term);
    let terms = |at: usize| [first.found.joints[at].x, first.found.joints[at].y];
    // A pair with a metric that never varies shows less than the metric's own plot.
    let (varied, steady): (Vec<usize>, Vec<usize>) = (0..first.found.joints.len())
        .partition(|&at| terms(at).into_iter().all(|term| metric(term).is_some_and(varies)));
    let (drawn, left_out) = if varied.is_empty() { (steady, varied) } else { (varied, steady) };
    let heats: Vec<Heat<'_>> = drawn.into_iter().filter_map(|at| Heat::new(at, sides)).collect();
    let mut thumbs: Vec<Thumbs> = sides.iter().map(|side| Thumbs::new(side.subject, planes, looks)).collect();
    // A first map of every cell has its picture before any has a second.
    for round in 0..SAMPLES {
        heats.iter().for_each(|heat| heat.draw_round(round, &mut thumbs));
    }
    html! {
        p {
            "How many maps have which pair of values. The stronger the colour, the more maps."
            @if sides.len() > 1 {
                " Both have the same axes and strengths of colour; a cell shows maps of both."
            }
        }
        (side::legend(sides))
        @for at in left_out {
            @let [x, y] = terms(at).map(|term| metric(term).map_or("", |metric| &metric.name));
            p.steady { (x) " and " (y) " are left out: one of them is the same on every map." }
        }
        @for heat in &heats { (heat.figure(&thumbs)) }
        svg.symbols aria-hidden="true" { defs { @for thumbs in &thumbs { (PreEscaped(thumbs.symbols())) } } }
        (things(sides, planes, looks))
    }
}

/// What the colours and shapes of small maps mean.
fn things(sides: &[Side<'_>], planes: &[String], looks: &[Look]) -> Markup {
    let met = |side: &Side<'_>, plane: &String| {
        let at = side.found.planes.iter().position(|known| known == plane);
        let counts = at.zip(side.found.occupancy.as_ref()).map(|(at, occupancy)| occupancy.plane(at));
        counts.is_some_and(|counts| counts.iter().any(|&count| count > 0))
    };
    html! {
        p.legend #legend {
            @for (at, (plane, look)) in planes.iter().zip(looks).enumerate() {
                @if look.ink != Ink::None && sides.iter().any(|side| met(side, plane)) {
                    span {
                        svg.sign viewBox="0 0 2 2" aria-hidden="true" {
                            path class={ "p" (at) " " (look.shape.class()) } d=(look.shape.path((0, 0), 1)) {}
                        }
                        " " (plane)
                    } " "
                }
            }
        }
    }
}

/// The distribution of every metric that varies; the others in a sentence.
fn metrics(sides: &[Side<'_>]) -> Markup {
    let mut seen = BTreeSet::new();
    let every = sides.iter().flat_map(|side| &side.found.metrics).filter(|metric| seen.insert(&metric.name));
    let (steady, varied): (Vec<&Measured>, Vec<&Measured>) = every.partition(|metric| {
        let met: Vec<_> = sides.iter().filter_map(|side| side.found.histogram(&metric.name)).collect();
        let same = met.iter().all(|one| one.is_constant() && one.least() == met[0].least());
        let there = met.len() == sides.iter().filter(|side| side.found.maps > 0).count();
        same && (there || met.first().is_none_or(|met| met.least() == 0))
    });
    let plots = html! { @for metric in varied { (bars::card(metric, sides)) } };
    let (none, steady): (Vec<_>, Vec<_>) =
        steady.into_iter().partition(|metric| metric.histogram.least() == 0);
    let names: Vec<&str> = none.iter().map(|metric| metric.name.as_str()).collect();
    html! {
        @if sides.len() > 1 { p { "Bars are the first configuration, the line over them the second." } }
        (side::legend(sides))
        @if plots.0.contains("class=\"end\"") {
            p { "Ends that are striped, with ≤ or ≥ below them, also hold the few maps beyond." }
        }
        div.plots { (plots) }
        @if !steady.is_empty() {
            p.steady {
                "The same on every map: "
                @for (at, metric) in steady.iter().enumerate() {
                    @if at > 0 { ", " }
                    (metric.name) " " b { (whole(metric.histogram.least().into())) }
                }
                "."
            }
        }
        @if !names.is_empty() { p.steady { "0 on every map: " (names.join(", ")) "." } }
    }
}

pub(crate) fn configuration(name: &str, subject: &AnySpec) -> Markup {
    html! {
        details {
            summary { (name) ": " (subject.algorithm()) ", with every default written out" }
            pre { (subject.config_json()) }
        }
    }
}
