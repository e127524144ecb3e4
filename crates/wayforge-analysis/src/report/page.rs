//! The page of one configuration, or of two beside each other.

use crate::report::frame::Frame;
use crate::report::heat::Heat;
use crate::report::look::{Ink, Look, looks};
use crate::report::side::{self, Side, sides};
use crate::report::thumb::Thumbs;
use crate::report::words::{text, whole};
use crate::report::{Report, bars, drift, places, tables};
use crate::search::{Measured, SAMPLES};
use std::fmt::Write;
use wayforge::AnySpec;
use wayforge::Family;
use wayforge_draw::Theme;

/// A survey as one HTML page: nothing is fetched, and it can be read without scripts.
///
/// * **Arguments.** Without a `theme` the page is light or dark as its reader's screen is.
/// * **Guarantees.** The same survey gives the same page, but for what the clock said.
pub fn page(report: &Report<'_>, theme: Option<Theme>) -> String {
    let sides = sides(report);
    let found = report.found;
    let title = match sides.as_slice() {
        [first, second] => format!("{} against {}", first.name, second.name),
        _ => format!("{} measured", side::maps(found.family, found.maps)),
    };
    let about = match sides.as_slice() {
        [first, second] => {
            let [a, b] = [first, second].map(|side| whole(side.found.maps.into()));
            format!(
                "{a} and {} of the same {}",
                side::maps(found.family, second.found.maps),
                side::seeds(found)
            )
            .replace(&format!("{b} and {b}"), &b)
        }
        _ => side::seeds(found),
    };
    let mut page = String::new();
    let planes = side::planes(&sides);
    let looks = looks(&planes, found.family == Family::Act);
    let mut frame = Frame::begin(&mut page, &title, theme, &looks);
    let notices: Vec<String> = sides.iter().filter_map(|side| side::stopped(side.found)).collect();
    frame.header(&title, &about, &notices, &facts(&sides));
    if let Some(against) = &report.against {
        frame.section("drift", "What moved", |page| drift::write(page, against, &sides));
    }
    let made = sides.iter().any(|side| side.found.maps > 0);
    if made {
        frame.section("range", "Expressive range", |page| range(page, &sides, &planes, &looks));
        frame.section("metrics", "Metrics", |page| metrics(page, &sides));
    }
    frame.section("tries", "Tries and failures", |page| tables::tries(page, &sides));
    frame.section("budgets", "Asked and placed", |page| tables::budgets(page, &sides));
    if made {
        frame.section("places", "What stands where", |page| places::write(page, &sides, &planes));
        frame.section("repeats", "Maps that repeat", |page| tables::repeats(page, &sides));
    }
    frame.section("time", "Time to make a map", |page| tables::times(page, &sides));
    frame.section("configuration", "Configuration", |page| {
        sides.iter().for_each(|side| configuration(page, side.name, side.subject));
    });
    frame.end();
    page
}

/// What is to be known first: large numbers of one configuration, or a table of two.
fn facts(sides: &[Side<'_>]) -> String {
    let mut out = String::new();
    let facts = tables::headline(sides);
    if sides.len() == 1 {
        out.push_str("<dl>");
        for (name, values) in &facts {
            let _ = write!(out, "<div><dd>{}</dd><dt>{}</dt></div>", text(&values.concat()), text(name));
        }
        out.push_str("</dl>");
        return out;
    }
    out.push_str("<table class=\"facts\"><thead><tr><td></td>");
    for side in sides {
        let _ = write!(out, "<th scope=\"col\">{}</th>", side.label(sides));
    }
    out.push_str("</tr></thead><tbody>");
    for (name, values) in &facts {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", text(name));
        values.iter().for_each(|value| out.push_str(&format!("<td>{}</td>", text(value))));
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
    out
}

fn range(page: &mut String, sides: &[Side<'_>], planes: &[String], looks: &[Look]) {
    page.push_str("<p>How many maps have which pair of values. The stronger the colour, the more maps.");
    if sides.len() > 1 {
        page.push_str(" Both have the same axes and strengths of colour; a cell shows maps of both.");
    }
    page.push_str("</p>\n");
    side::legend(page, sides);
    let varies =
        |name: &str| sides.iter().any(|side| side.histogram(name).is_some_and(|met| !met.is_constant()));
    let varies = |metric: &Measured| {
        let values: Vec<i64> =
            sides.iter().filter_map(|side| Some(side.histogram(&metric.name)?.least())).collect();
        varies(&metric.name) || values.windows(2).any(|pair| pair[0] != pair[1])
    };
    let Some(first) = sides.first() else { return };
    let metric = |term| first.found.metrics.iter().find(|metric| metric.term == term);
    let both_vary: Vec<bool> = first
        .found
        .joints
        .iter()
        .map(|joint| [joint.x, joint.y].into_iter().all(|term| metric(term).is_some_and(varies)))
        .collect();
    let mut heats = Vec::new();
    for (at, joint) in first.found.joints.iter().enumerate() {
        // A pair with a metric that never varies shows less than the metric's own plot.
        if both_vary.contains(&true) && !both_vary[at] {
            let names =
                [joint.x, joint.y].map(|term| metric(term).map_or_else(String::new, |m| text(&m.name)));
            let _ = writeln!(
                page,
                "<p class=\"steady\">{} and {} are left out: one of them is the same on every map.</p>",
                names[0], names[1]
            );
            continue;
        }
        heats.extend(Heat::new(at, sides));
    }
    let mut thumbs: Vec<Thumbs> = sides.iter().map(|side| Thumbs::new(side.subject, planes, looks)).collect();
    // A first map of every cell has its picture before any has a second.
    for round in 0..SAMPLES {
        heats.iter().for_each(|heat| heat.draw_round(round, &mut thumbs));
    }
    heats.iter().for_each(|heat| heat.write(page, &thumbs));
    page.push_str("<svg class=\"symbols\" aria-hidden=\"true\"><defs>\n");
    thumbs.iter().for_each(|thumbs| page.push_str(thumbs.symbols()));
    page.push_str("</defs></svg>\n");
    things(page, sides, planes, looks);
}

/// What the colours and shapes of small maps mean.
fn things(page: &mut String, sides: &[Side<'_>], planes: &[String], looks: &[Look]) {
    let met = |side: &Side<'_>, plane: &String| {
        let at = side.found.planes.iter().position(|known| known == plane);
        let counts = at.zip(side.found.occupancy.as_ref()).map(|(at, occupancy)| occupancy.plane(at));
        counts.is_some_and(|counts| counts.iter().any(|&count| count > 0))
    };
    page.push_str("<p class=\"legend\" id=\"legend\">");
    for (at, (plane, look)) in planes.iter().zip(looks).enumerate() {
        if look.ink != Ink::None && sides.iter().any(|side| met(side, plane)) {
            let (mut path, class) = (String::new(), look.shape.class());
            look.shape.draw(&mut path, (0, 0), 1);
            let _ = write!(
                page,
                "<span><svg class=\"sign\" viewBox=\"0 0 2 2\" aria-hidden=\"true\"><path class=\"p{at} {class}\" d=\"{path}\"/></svg> {}</span> ",
                text(plane)
            );
        }
    }
    page.push_str("</p>\n");
}

/// The distribution of every metric that varies; the others in a sentence.
fn metrics(page: &mut String, sides: &[Side<'_>]) {
    let (mut steady, mut varied): (Vec<&Measured>, Vec<&Measured>) = (Vec::new(), Vec::new());
    let every = sides.iter().flat_map(|side| &side.found.metrics);
    for metric in every {
        let known = |list: &[&Measured]| list.iter().any(|known| known.name == metric.name);
        if known(&steady) || known(&varied) {
            continue;
        }
        let met: Vec<_> = sides.iter().filter_map(|side| side.histogram(&metric.name)).collect();
        let same = met.iter().all(|one| one.is_constant() && one.least() == met[0].least());
        let there = met.len() == sides.iter().filter(|side| side.found.maps > 0).count();
        if same && (there || met.first().is_none_or(|met| met.least() == 0)) {
            steady.push(metric);
        } else {
            varied.push(metric);
        }
    }
    if sides.len() > 1 {
        page.push_str("<p>Bars are the first configuration, the line over them the second.</p>");
    }
    side::legend(page, sides);
    let mut plots = String::new();
    varied.into_iter().for_each(|metric| bars::write(&mut plots, metric, sides));
    if plots.contains("class=\"end\"") {
        page.push_str(
            "<p>Ends that are striped, with ≤ or ≥ below them, also hold the few maps beyond.</p>\n",
        );
    }
    let _ = writeln!(page, "<div class=\"plots\">\n{plots}</div>");
    let (none, steady): (Vec<_>, Vec<_>) =
        steady.into_iter().partition(|metric| metric.histogram.least() == 0);
    let list = |metrics: &[&Measured], values: bool| {
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

pub(crate) fn configuration(page: &mut String, name: &str, subject: &AnySpec) {
    let _ = writeln!(
        page,
        "<details><summary>{}: {}, with every default written out</summary><pre>{}</pre></details>",
        text(name),
        subject.algorithm(),
        text(&subject.config_json())
    );
}
