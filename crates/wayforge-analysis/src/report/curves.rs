//! How something follows a field of the configuration: lines over its values, and a band where maps scatter.

use crate::report::scale::{Way, apart, tick_label, ticks};
use crate::report::words::{number, text};
use std::fmt::Write;

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
const FLOOR: f64 = 122.0;
const TOP: f64 = 10.0;
/// The most lines of a plot that can be told apart.
pub(crate) const LINES: usize = 6;

/// A plot of lines over the values of a field.
pub(crate) struct Plot {
    pub(crate) name: String,
    pub(crate) about: String,
    /// What the axis goes up to at least, and begins with: shares of everything are drawn whole.
    pub(crate) whole: Option<f64>,
    pub(crate) lines: Vec<Line>,
}

/// One line; values without a point leave a gap.
#[derive(Clone, Default)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<Option<f64>>,
    /// What nine of ten maps have, where they scatter.
    pub(crate) band: Vec<Option<[f64; 2]>>,
    /// Whether it is what was asked for.
    pub(crate) asked: bool,
}

impl Plot {
    /// Draws it over the values of a field.
    pub(crate) fn write(&self, page: &mut String, field: &str, values: &[&str]) {
        let ends = self.lines.iter().flat_map(|line| {
            line.points.iter().flatten().copied().chain(line.band.iter().flatten().flatten().copied())
        });
        let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), end| (low.min(end), high.max(end)));
        if low > high {
            return;
        }
        // What begins near nothing is drawn from nothing.
        let low = if self.whole.is_some() || (low >= 0.0 && low < high * 0.4) { 0.0 } else { low };
        let (low, high) = match high - low < 1e-9 {
            // One value all along: from nothing, or to a little more than nothing.
            true => (low.min(0.0), if high > 0.0 { high } else { 1.0 }),
            false => (low, high),
        };
        let scale = ticks(low, high.max(self.whole.unwrap_or(high)));
        let (low, high) = (scale[0], scale.last().copied().unwrap_or(high));
        let last = values.len().saturating_sub(1).max(1) as f64;
        let x = |at: usize| LEFT + (WIDTH - LEFT - RIGHT) * at as f64 / last;
        let y = |value: f64| FLOOR - (FLOOR - TOP) * (value - low) / (high - low);
        let _ = writeln!(
            page,
            "<figure class=\"plot\"><figcaption><h3>{}</h3> <span>{}</span></figcaption>",
            text(&self.name),
            text(&self.about)
        );
        self.legend(page);
        let _ = write!(
            page,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            text(&self.told())
        );
        for &value in &scale {
            let _ = write!(
                page,
                "<path class=\"grid\" d=\"M{LEFT} {:.1}H{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                y(value),
                WIDTH - RIGHT,
                LEFT - 5.0,
                y(value) + 4.0,
                tick_label(value)
            );
        }
        for (at, line) in self.lines.iter().enumerate() {
            line.draw(page, at, &x, &y, &|place| format!("{field} {}: ", values[place]));
        }
        for (x, label, _) in labels(values, x) {
            let _ = write!(
                page,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                FLOOR + 16.0,
                text(&label)
            );
        }
        page.push_str("</svg></figure>\n");
    }

    fn legend(&self, page: &mut String) {
        if self.lines.iter().any(|line| !line.name.is_empty()) {
            page.push_str("<p class=\"legend\">");
            for (at, line) in self.lines.iter().enumerate() {
                let dashed = if line.asked { " dashed" } else { "" };
                let _ = write!(
                    page,
                    "<span><i class=\"key line s{at}{dashed}\"></i> {}</span> ",
                    text(&line.name)
                );
            }
            page.push_str("</p>");
        }
    }

    /// The plot in words: where each line begins and ends.
    fn told(&self) -> String {
        let told = self.lines.iter().map(|line| {
            let mut met = line.points.iter().flatten();
            let first = met.next().copied();
            let last = met.next_back().copied().or(first);
            let name = if line.name.is_empty() { String::new() } else { format!("{} ", line.name) };
            match first.zip(last) {
                Some((first, last)) => format!("{name}from {} to {}", number(first), number(last)),
                None => format!("{name}nowhere"),
            }
        });
        format!("{}: {}", self.name, told.collect::<Vec<_>>().join("; "))
    }
}

impl Line {
    fn draw(
        &self,
        page: &mut String,
        number_of_line: usize,
        x: &dyn Fn(usize) -> f64,
        y: &dyn Fn(f64) -> f64,
        at_value: &dyn Fn(usize) -> String,
    ) {
        let (mut line, mut band) = (String::new(), String::new());
        for run in runs(&self.points) {
            for (n, at) in run.clone().enumerate() {
                let Some(point) = self.points[at] else { continue };
                let _ = write!(line, "{}{:.1} {:.1}", if n == 0 { 'M' } else { 'L' }, x(at), y(point));
            }
        }
        for run in runs(&self.band) {
            let edge = |at: usize, end: usize| self.band[at].map_or(0.0, |band| y(band[end]));
            let low =
                run.clone().enumerate().map(|(n, at)| (if n == 0 { 'M' } else { 'L' }, x(at), edge(at, 0)));
            let high = run.clone().rev().map(|at| ('L', x(at), edge(at, 1)));
            for (step, x, y) in low.chain(high) {
                let _ = write!(band, "{step}{x:.1} {y:.1}");
            }
            band.push('z');
        }
        let _ = write!(page, "<g class=\"s{number_of_line}\">");
        if !band.is_empty() {
            let _ = write!(page, "<path class=\"band\" d=\"{band}\"/>");
        }
        let _ = write!(
            page,
            "<path class=\"curve{}\" d=\"{line}\"/><g class=\"points\">",
            if self.asked { " asked" } else { "" }
        );
        let of = if self.name.is_empty() { String::new() } else { format!(", {}", self.name) };
        for (at, &point) in self.points.iter().enumerate().filter(|_| !self.asked) {
            let Some(point) = point else { continue };
            let _ = write!(
                page,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.4\"><title>{}</title></circle>",
                x(at),
                y(point),
                text(&format!("{}{}{of}", at_value(at), number(point)))
            );
        }
        page.push_str("</g></g>");
    }
}

/// The numbers behind plots, a row for each value of a field.
pub(crate) fn table(page: &mut String, plots: &[Plot], field: &str, values: &[&str]) {
    let _ = write!(
        page,
        "<details><summary>The numbers as a table</summary><div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr><th scope=\"col\">{}</th>",
        text(field)
    );
    for (plot, line) in plots.iter().flat_map(|plot| plot.lines.iter().map(move |line| (plot, line))) {
        let name =
            if line.name.is_empty() { plot.name.clone() } else { format!("{}: {}", plot.name, line.name) };
        let _ = write!(page, "<th scope=\"col\">{}</th>", text(&name));
    }
    page.push_str("</tr></thead><tbody>");
    for (at, value) in values.iter().enumerate() {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", text(value));
        for line in plots.iter().flat_map(|plot| &plot.lines) {
            let told = line.points.get(at).copied().flatten().map_or_else(|| "–".to_owned(), number);
            let _ = write!(page, "<td>{told}</td>");
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table></div></details>\n");
}

/// Values below the axis: the first, the last, and evenly between them as many as there is room for.
fn labels(values: &[&str], x: impl Fn(usize) -> f64) -> Vec<(f64, String, bool)> {
    let last = values.len().saturating_sub(1);
    // Where a step leads from end to end evenly, that is the best one.
    let step = (1..=last).find(|&step| last.is_multiple_of(step) && last / step <= 6 && last / step >= 3);
    let step = step.unwrap_or(last.div_ceil(6)).max(1);
    let all = (0..values.len()).filter(|at| at % step == 0 || *at == last);
    apart(all.map(|at| (x(at), values[at].to_owned(), at == last || at == 0)).collect(), Way::Across, |end| {
        *end
    })
}

/// Stretches without a gap.
fn runs<T>(points: &[Option<T>]) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for at in (0..points.len()).filter(|&at| points[at].is_some()) {
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_has_its_label_and_gaps_stay_gaps() {
        for count in [1_usize, 2, 5, 13, 20, 21, 22, 201] {
            let values: Vec<String> = (0..count).map(|n| format!("{}", n as f64 * 0.5)).collect();
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let told = labels(&values, |at| 280.0 * at as f64 / (count.max(2) - 1) as f64);
            assert_eq!(told.first().unwrap().1, values[0], "{count}");
            assert_eq!(told.last().unwrap().1, values[count - 1], "{count}: {told:?}");
            assert!(told.len() <= 8 && told.len() >= count.min(3), "{count}: {told:?}");
        }
        assert_eq!(runs(&[Some(1), None, Some(2), Some(3)]), [0..1, 2..4]);
        let line = Line { points: vec![Some(1.0), None, Some(2.0), Some(3.0)], ..Line::default() };
        let plot = Plot { name: "a".into(), about: String::new(), whole: None, lines: vec![line] };
        let mut page = String::new();
        plot.write(&mut page, "f", &["1", "2", "3", "4"]);
        let path = page.split_once("class=\"curve\" d=\"").unwrap().1.split('"').next().unwrap();
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 1), "{path}");
    }
}
