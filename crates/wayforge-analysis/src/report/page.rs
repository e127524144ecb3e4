//! Report page of one configuration, or of two side by side.

use crate::report::frame::{Section, document, heads, row};
use crate::report::heat_map::HeatMap;
use crate::report::side::{self, Side, common_value, sides};
use crate::report::text::integer;
use crate::report::thumbnails::{Colour, Style, Thumbnails, styles};
use crate::report::{Report, bars, drift, placements, tables};
use crate::search::{MAX_SAMPLES, MetricDistribution};
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeSet;
use wayforge::AnySpec;
use wayforge_draw::Theme;

/// Renders a survey as one self-contained HTML page that is readable without scripts.
///
/// Without a `theme`, the page follows the reader's light or dark mode.
///
/// # Determinism
/// Equal surveys give equal pages, except for generation times.
pub fn page(report: &Report<'_>, theme: Option<Theme>) -> String {
    let sides = sides(report);
    let results = report.results;
    let (title, subtitle) = match sides.as_slice() {
        [first, second] => {
            let [a, b] = [first, second].map(|side| integer(side.results.maps.into()));
            let maps = side::maps(results.family, second.results.maps);
            let maps = if a == b { maps } else { format!("{a} and {maps}") };
            let subtitle = format!("{maps} of the same {}", side::seeds(results));
            let title = format!("{} compared with {}", first.name, second.name);
            (title, subtitle)
        }
        _ => {
            (format!("{} measured", side::maps(results.family, results.maps)), side::seeds(results))
        }
    };
    let planes = side::planes(&sides);
    let styles = styles(&planes, results.family.shape());
    let has_maps = sides.iter().any(|side| side.results.maps > 0);
    let mut sections: Vec<Section> = Vec::new();
    if let Some(baseline) = &report.baseline {
        sections.push(("drift", "Changes", drift::section(baseline, &sides)));
    }
    if has_maps {
        sections.push(("range", "Expressive range", range(&sides, &planes, &styles)));
        sections.push(("metrics", "Metrics", metrics(&sides)));
    }
    sections.push(("attempts", "Attempts and failures", tables::attempts(&sides)));
    sections.push(("budgets", "Requested vs placed", tables::budgets(&sides)));
    if has_maps {
        sections.push(("placements", "Placement heat maps", placements::section(&sides, &planes)));
        sections.push(("duplicates", "Duplicate maps", tables::duplicates(&sides)));
    }
    sections.push(("time", "Generation time", tables::times(&sides)));
    let configurations = html! { @for side in &sides { (configuration(side.name, side.spec)) } };
    sections.push(("configuration", "Configuration", configurations));
    let summary = html! {
        @for notice in sides.iter().filter_map(|side| side::stopped(side.results)) {
            p.notice { (notice) }
        }
        (headline(&sides))
    };
    document(&title, &subtitle, summary, theme, &styles, &sections)
}

/// Renders the headline values: large numbers for one configuration, a table for two.
fn headline(sides: &[Side<'_>]) -> Markup {
    let values = tables::headline(sides);
    html! {
        @if sides.len() == 1 {
            dl { @for (name, values) in &values { div { dd { (values.concat()) } dt { (name) } } } }
        } @else {
            table.headline {
                thead { tr { td {} (heads(sides.iter().map(|side| side.label(sides)))) } }
                tbody { @for (name, values) in &values { (row(name, values)) } }
            }
        }
    }
}

fn range(sides: &[Side<'_>], planes: &[String], styles: &[Style]) -> Markup {
    let varies = |metric: &MetricDistribution| shared_value(sides, &metric.name).is_none();
    let Some(first) = sides.first() else { return html! {} };
    let metric = |term| first.results.metric_of(term);
    let terms = |at: usize| [first.results.joints[at].x, first.results.joints[at].y];
    // A pair with a constant metric shows less than the plot of the other metric.
    let (varying, constant): (Vec<usize>, Vec<usize>) = (0..first.results.joints.len())
        .partition(|&at| terms(at).into_iter().all(|term| metric(term).is_some_and(varies)));
    let (drawn, omitted) =
        if varying.is_empty() { (constant, varying) } else { (varying, constant) };
    let heat_maps: Vec<HeatMap<'_>> =
        drawn.into_iter().filter_map(|at| HeatMap::new(at, sides)).collect();
    let mut thumbnails: Vec<Thumbnails> =
        sides.iter().map(|side| Thumbnails::new(side.spec, planes, styles)).collect();
    // Every cell gets its first thumbnail before any cell gets a second one.
    for round in 0..MAX_SAMPLES {
        heat_maps.iter().for_each(|heat_map| heat_map.draw_round(round, &mut thumbnails));
    }
    html! {
        p {
            "Number of maps by pair of metric values. Stronger colours mean more maps."
            @if sides.len() > 1 {
                " Both configurations share axes and colour scale. A cell shows maps of both."
            }
        }
        (side::legend(sides))
        @for at in omitted {
            @let [x, y] = terms(at).map(|term| metric(term).map_or("", |metric| &metric.name));
            p.constant { (x) " and " (y) " are omitted: one of them is the same on every map." }
        }
        @for heat_map in &heat_maps { (heat_map.render(&thumbnails)) }
        svg.symbols aria-hidden="true" {
            defs { @for thumbnails in &thumbnails { (PreEscaped(thumbnails.symbols())) } }
        }
        (object_legend(sides, planes, styles))
    }
}

/// Renders the legend of the colours and shapes in thumbnails.
fn object_legend(sides: &[Side<'_>], planes: &[String], styles: &[Style]) -> Markup {
    let occurs_on = |side: &Side<'_>, plane: &String| {
        let at = side.results.planes.iter().position(|name| name == plane);
        let counts =
            at.zip(side.results.occupancy.as_ref()).map(|(at, occupancy)| occupancy.plane(at));
        counts.is_some_and(|counts| counts.iter().any(|&count| count > 0))
    };
    html! {
        p.legend #legend {
            @for (at, (plane, style)) in planes.iter().zip(styles).enumerate() {
                @if style.colour != Colour::None
                    && sides.iter().any(|side| occurs_on(side, plane)) {
                    span {
                        svg.sign viewBox="0 0 2 2" aria-hidden="true" {
                            path class={ "p" (at) " " (style.shape.class()) }
                                d=(style.shape.path((0, 0), 1)) {}
                        }
                        " " (plane)
                    } " "
                }
            }
        }
    }
}

/// Returns the value of a metric that all maps of all sides share; see [`common_value`].
fn shared_value(sides: &[Side<'_>], metric: &str) -> Option<Option<i64>> {
    common_value(sides.iter().map(|side| side.results), metric)
}

/// Renders the distributions of all metrics that vary, and lists the constant ones in a sentence.
fn metrics(sides: &[Side<'_>]) -> Markup {
    let mut seen = BTreeSet::new();
    let every = sides
        .iter()
        .flat_map(|side| &side.results.metrics)
        .filter(|metric| seen.insert(&metric.name));
    let (constant, varying): (Vec<&MetricDistribution>, Vec<&MetricDistribution>) = every
        .partition(|metric| {
            let lacks = |side: &Side<'_>| {
                side.results.maps > 0 && side.results.metric(&metric.name).is_none()
            };
            shared_value(sides, &metric.name).is_some_and(|value| {
                value.is_none_or(|value| value == 0) || !sides.iter().any(lacks)
            })
        });
    let plots = html! { @for metric in varying { (bars::card(metric, sides)) } };
    let (zero, constant): (Vec<_>, Vec<_>) =
        constant.into_iter().partition(|metric| metric.histogram.min() == 0);
    let names: Vec<&str> = zero.iter().map(|metric| metric.name.as_str()).collect();
    html! {
        @if sides.len() > 1 { p { "Bars show the first configuration, the outline the second." } }
        (side::legend(sides))
        @if plots.0.contains("class=\"end\"") {
            p { "Striped bars at the ends, marked ≤ or ≥, also contain the few maps beyond them." }
        }
        div.plots { (plots) }
        @if !constant.is_empty() {
            p.constant {
                "The same on every map: "
                @for (at, metric) in constant.iter().enumerate() {
                    @if at > 0 { ", " }
                    (metric.name) " " b { (integer(metric.histogram.min().into())) }
                }
                "."
            }
        }
        @if !names.is_empty() { p.constant { "0 on every map: " (names.join(", ")) "." } }
    }
}

pub(crate) fn configuration(name: &str, spec: &AnySpec) -> Markup {
    html! {
        details {
            summary { (name) ": " (spec.algorithm()) ", with all defaults" }
            pre { (spec.config_json()) }
        }
    }
}
