//! What is best said in tables: tries, failures, budgets, repeats, times, drift.

use crate::Against;
use crate::bars::share_bar;
use crate::words::{number, text, time, whole};
use std::fmt::Write;
use wayforge_search::{COMPARED, Findings, Times};

/// How seeds came by their maps, and what stood in the way.
pub(crate) fn tries(page: &mut String, all: &[(&str, &Findings)]) {
    page.push_str("<table><thead><tr><td></td><th scope=\"col\">seeds</th><th scope=\"col\">with a map</th><th scope=\"col\">at the first try</th><th scope=\"col\">attempts, on average</th></tr></thead><tbody>");
    for (name, found) in all {
        let attempts = found.metric("attempts").filter(|metric| metric.histogram.maps() > 0);
        let attempts = attempts.map_or_else(|| "–".to_owned(), |metric| number(metric.histogram.mean()));
        let _ = write!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{attempts}</td></tr>",
            text(name),
            whole(found.seeds.into()),
            share_bar(found.maps, found.seeds),
            share_bar(found.first_try, found.seeds)
        );
    }
    page.push_str("</tbody></table>\n");
    for (name, found) in all {
        let which = if all.len() > 1 { format!(" of {name}") } else { String::new() };
        if found.refusals.is_empty() {
            let _ = writeln!(page, "<p>No attempt{} was refused or repaired.</p>", text(&which));
            continue;
        }
        let mut rules: Vec<_> = found.refusals.iter().collect();
        rules.sort_by_key(|(rule, refusals)| (std::cmp::Reverse(refusals.refused + refusals.mended), *rule));
        let most: u64 = rules.iter().map(|(_, refusals)| refusals.refused + refusals.mended).sum();
        let _ = write!(
            page,
            "<h3>Failures by rule{}</h3><table><thead><tr><th scope=\"col\">rule</th><th scope=\"col\">of all failures</th><th scope=\"col\">attempts refused</th>\
             <th scope=\"col\">attempts repaired</th><th scope=\"col\">seeds without a map</th></tr></thead><tbody>",
            text(&which)
        );
        for (rule, refusals) in rules {
            let _ = write!(
                page,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                text(rule),
                share_bar(refusals.refused + refusals.mended, most),
                whole(refusals.refused.into()),
                whole(refusals.mended.into()),
                whole(refusals.without.into())
            );
        }
        page.push_str("</tbody></table>\n");
    }
}

/// What was asked for, beside what was placed.
pub(crate) fn budgets(page: &mut String, all: &[(&str, &Findings)]) {
    for (name, found) in all {
        if all.len() > 1 {
            let _ = write!(page, "<h3 class=\"which\">{}</h3>", text(name));
        }
        if found.budgets.is_empty() {
            page.push_str("<p>The configuration asks for no certain numbers.</p>\n");
            continue;
        }
        page.push_str("<table><thead><tr><th scope=\"col\">what</th><th scope=\"col\">asked</th><th scope=\"col\">placed, on average</th><th scope=\"col\">least to most</th><th scope=\"col\">as asked</th></tr></thead><tbody>");
        for (budget, met) in &found.budgets {
            let Some(metric) = found.metrics.iter().find(|metric| metric.term == budget.term) else {
                continue;
            };
            let (least, most) = (metric.histogram.least(), metric.histogram.most());
            let range = if least == most {
                whole(least.into())
            } else {
                format!("{} to {}", whole(least.into()), whole(most.into()))
            };
            let _ = write!(
                page,
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{range}</td><td>{}</td></tr>",
                text(&metric.name),
                text(&budget.asked),
                number(metric.histogram.mean()),
                share_bar(*met, found.maps)
            );
        }
        page.push_str("</tbody></table>\n");
    }
}

/// How many maps are the same.
pub(crate) fn repeats(page: &mut String, all: &[(&str, &Findings)]) {
    page.push_str("<table><thead><tr><td></td><th scope=\"col\">maps compared</th><th scope=\"col\">repeated</th><th scope=\"col\">repeated, or mirrored</th><th scope=\"col\">repeated, mirrored or turned</th><th scope=\"col\">the most frequent map</th></tr></thead><tbody>");
    for (name, found) in all {
        let Some(repeats) = &found.repeats else { continue };
        let _ =
            write!(page, "<tr><th scope=\"row\">{}</th><td>{}</td>", text(name), whole(repeats.maps.into()));
        for different in [repeats.different, repeats.mirrored, repeats.turned] {
            let _ = write!(page, "<td>{}</td>", share_bar(repeats.maps - different, repeats.maps));
        }
        let times = if repeats.most == 1 {
            "once".to_owned()
        } else {
            format!("{} times", whole(repeats.most.into()))
        };
        let _ = write!(page, "<td>{times}</td></tr>");
    }
    page.push_str("</tbody></table>\n");
    if all.iter().any(|(_, found)| found.maps > COMPARED as u64) {
        let _ = write!(page, "<p>The first {} maps are compared.</p>", whole(COMPARED as i128));
    }
}

/// What a clock says of this run.
pub(crate) fn times(page: &mut String, all: &[(&str, &Times)]) {
    page.push_str("<p>Of this machine and this run; everything else on this page is the same each time.</p><table><thead><tr><td></td>");
    for head in ["mean", "50 %", "90 %", "99 %", "99.9 %", "longest"] {
        let _ = write!(page, "<th scope=\"col\">{head}</th>");
    }
    page.push_str("</tr></thead><tbody>");
    for (name, times) in all {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th><td>{}</td>", text(name), time(times.mean()));
        for thousandths in [500, 900, 990, 999] {
            let _ = write!(page, "<td>{}</td>", time(times.percentile(thousandths)));
        }
        let _ = write!(page, "<td>{}</td></tr>", time(times.most() as f64));
    }
    page.push_str("</tbody></table>\n");
}

/// Which metrics moved.
pub(crate) fn drift(page: &mut String, against: &Against<'_>) {
    let moved = against.shifts.iter().filter(|shift| shift.is_beyond(against.threshold)).count();
    let threshold = against.threshold as f64 / 10_000.0;
    let verdict = match moved {
        0 => format!("No metric moved by more than {threshold}."),
        1 => format!("One metric moved by more than {threshold}."),
        _ => format!("{moved} metrics moved by more than {threshold}."),
    };
    let _ = write!(page, "<p class=\"verdict {}\">{verdict}</p>", if moved == 0 { "still" } else { "moved" });
    page.push_str("<p>The distance is Kolmogorov's: the largest difference between the shares of maps whose value does not exceed a bound, 0 for the same \
         distribution, 1 for ones that do not overlap. Both configurations made maps of the same seeds.</p>\
         <table><thead><tr><th scope=\"col\">metric</th><th scope=\"col\">distance</th><th scope=\"col\">average, first</th><th scope=\"col\">second</th>\
         <th scope=\"col\">moved, in deviations</th><td></td></tr></thead><tbody>");
    for shift in against.shifts.iter().filter(|shift| shift.distance.0 > 0) {
        let beyond = shift.is_beyond(against.threshold);
        let deviations = match shift.deviations {
            Some(moved) => format!("{moved:+.2}"),
            None => "–".to_owned(),
        };
        let _ = write!(
            page,
            "<tr{}><th scope=\"row\">{}</th><td><span class=\"bar\" aria-hidden=\"true\"><i style=\"width:{:.2}%\"></i></span> {:.4}</td><td>{}</td><td>{}</td><td>{deviations}</td><td>{}</td></tr>",
            if beyond { " class=\"beyond\"" } else { "" },
            text(&shift.name),
            shift.share() * 100.0,
            shift.share(),
            number(shift.means[0]),
            number(shift.means[1]),
            if beyond { "moved" } else { "" }
        );
    }
    page.push_str("</tbody></table>\n");
    let still = against.shifts.iter().filter(|shift| shift.distance.0 == 0).count();
    let _ = writeln!(page, "<p>{still} of {} are distributed exactly as before.</p>", against.shifts.len());
    for (only, whose) in [(&against.only[0], "the first"), (&against.only[1], "the second")] {
        if !only.is_empty() {
            let _ = writeln!(page, "<p>Only {whose} configuration has {}.</p>", text(&only.join(", ")));
        }
    }
}
