//! Line plots over the values of a swept field, with percentile bands.

use crate::report::chart::{Axis, Chart, Label, ends, px, remove_overlaps, ticks};
use crate::report::frame::{heads, row, table};
use crate::report::text::number;
use maud::{Markup, html};

const CHART: Chart = Chart { height: 150.0, left: 46.0, right: 14.0, top: 10.0, bottom: 122.0 };
/// Maximum number of lines in a plot that readers can distinguish.
pub(crate) const MAX_LINES: usize = 6;

/// A plot of lines over the values of a field.
pub(crate) struct Plot {
    pub(crate) name: String,
    pub(crate) description: String,
    /// Minimum upper end of an axis that starts at 0. Set for shares, which are drawn on a full
    /// scale.
    pub(crate) full_scale: Option<f64>,
    pub(crate) lines: Vec<Line>,
}

/// A line. Missing points leave a gap.
#[derive(Clone, Default)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<Option<f64>>,
    /// 5th and 95th percentile at each value.
    pub(crate) band: Vec<Option<[f64; 2]>>,
    /// True if the line shows requested values.
    pub(crate) is_requested: bool,
}

impl Plot {
    /// Renders the plot over the values of a field, or nothing if it has no points.
    pub(crate) fn card(&self, field: &str, values: &[&str]) -> Markup {
        let points = self.lines.iter().flat_map(|line| {
            line.points
                .iter()
                .flatten()
                .copied()
                .chain(line.band.iter().flatten().flatten().copied())
        });
        let (low, high) =
            points.fold((f64::MAX, f64::MIN), |(low, high), end| (low.min(end), high.max(end)));
        if low > high {
            return html! {};
        }
        // If the smallest value is near 0, the axis starts at 0.
        let low =
            if self.full_scale.is_some() || (low >= 0.0 && low < high * 0.4) { 0.0 } else { low };
        // If all values are equal, the axis covers 0 and the value.
        let (low, high) = if high - low < 1e-9 {
            (low.min(0.0), if high > 0.0 { high } else { 1.0 })
        } else {
            (low, high)
        };
        let scale = ticks(low, high.max(self.full_scale.unwrap_or(high)));
        let (low, high) = ends(&scale);
        let last = values.len().saturating_sub(1).max(1) as f64;
        let x = |at: usize| CHART.left + CHART.width() * at as f64 / last;
        let y = |value: f64| CHART.y((value - low) / (high - low));
        let names: Vec<String> = values.iter().map(|value| format!("{field} {value}: ")).collect();
        let drawing = html! {
            (CHART.grid(&scale, ""))
            @for (at, line) in self.lines.iter().enumerate() {
                g class={ "s" (at) } { (line.draw(&x, &y, &names)) }
            }
            @for (x, label, _) in labels(values, x) { (CHART.label(None, x, "middle", &label)) }
        };
        CHART.card(
            [&self.name, &self.description, &self.text_alternative()],
            [self.legend(), drawing, html! {}],
        )
    }

    fn legend(&self) -> Markup {
        html! {
            @if self.lines.iter().any(|line| !line.name.is_empty()) {
                p.legend {
                    @for (at, line) in self.lines.iter().enumerate() {
                        @let dashed = if line.is_requested { " dashed" } else { "" };
                        span { i class={ "key line s" (at) (dashed) } {} " " (line.name) } " "
                    }
                }
            }
        }
    }

    /// Returns the text alternative: first and last value of each line.
    fn text_alternative(&self) -> String {
        let lines = self.lines.iter().map(|line| {
            let mut values = line.points.iter().flatten();
            let first = values.next().copied();
            let last = values.next_back().copied().or(first);
            let name = if line.name.is_empty() { String::new() } else { format!("{} ", line.name) };
            match first.zip(last) {
                Some((first, last)) => format!("{name}from {} to {}", number(first), number(last)),
                None => format!("{name}no values"),
            }
        });
        format!("{}: {}", self.name, lines.collect::<Vec<_>>().join("; "))
    }
}

impl Line {
    /// Renders the line. `names` are the tooltip prefixes of the points.
    fn draw(&self, x: &dyn Fn(usize) -> f64, y: &dyn Fn(f64) -> f64, names: &[String]) -> Markup {
        let lines = runs(&self.points);
        let line: String =
            lines.iter().map(|run| path(run.iter().map(|&(at, v)| (x(at), y(v))))).collect();
        let mut band = String::new();
        for run in runs(&self.band) {
            let low = run.iter().map(|&(at, [low, _])| (x(at), y(low)));
            let high = run.iter().rev().map(|&(at, [_, high])| (x(at), y(high)));
            band += &(path(low.chain(high)) + "z");
        }
        let suffix = if self.name.is_empty() { String::new() } else { format!(", {}", self.name) };
        html! {
            @if !band.is_empty() { path.band d=(band) {} }
            path class=(if self.is_requested { "curve requested" } else { "curve" }) d=(line) {}
            g.points {
                @for &(at, point) in lines.iter().flatten().filter(|_| !self.is_requested) {
                    circle cx=(px(x(at))) cy=(px(y(point))) r="2.4" {
                        title { (names[at]) (number(point)) (suffix) }
                    }
                }
            }
        }
    }
}

/// Renders the values of all plots as a table with one row per value of the field.
pub(crate) fn value_table(plots: &[Plot], field: &str, values: &[&str]) -> Markup {
    let names = plots.iter().flat_map(|plot| plot.lines.iter().map(move |line| (plot, line)));
    let names = names.map(|(plot, line)| {
        if line.name.is_empty() {
            plot.name.clone()
        } else {
            format!("{}: {}", plot.name, line.name)
        }
    });
    let cells = |at: usize| {
        let lines = plots.iter().flat_map(|plot| &plot.lines);
        lines.map(move |line| {
            line.points.get(at).copied().flatten().map_or_else(|| "–".to_owned(), number)
        })
    };
    let head = html! { tr { (heads(std::iter::once(field.to_owned()).chain(names))) } };
    let rows = html! { @for (at, value) in values.iter().enumerate() { (row(value, cells(at))) } };
    html! { details { summary { "Values as a table" } (table(head, rows)) } }
}

/// Returns the labels of the horizontal axis: first, last, and evenly spaced ones between them.
fn labels(values: &[&str], x: impl Fn(usize) -> f64) -> Vec<Label> {
    let last = values.len().saturating_sub(1);
    // Prefer a step that divides the range evenly.
    let step =
        (1..=last).find(|&step| last.is_multiple_of(step) && last / step <= 6 && last / step >= 3);
    let step = step.unwrap_or(last.div_ceil(6)).max(1);
    let all = (0..values.len()).filter(|at| at % step == 0 || *at == last);
    remove_overlaps(
        all.map(|at| (x(at), values[at].to_owned(), at == last || at == 0)).collect(),
        Axis::Horizontal,
    )
}

/// Splits points at gaps. Returns runs of indices and values.
fn runs<T: Copy>(points: &[Option<T>]) -> Vec<Vec<(usize, T)>> {
    let all: Vec<Option<(usize, T)>> =
        points.iter().enumerate().map(|(at, point)| Some((at, (*point)?))).collect();
    let runs = all.split(Option::is_none).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().copied().flatten().collect()).collect()
}

/// Returns the SVG path of a polyline.
fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let steps: Vec<String> = points.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    format!("M{}", steps.join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_first_and_last_value_and_keeps_gaps() {
        for count in [1_usize, 2, 5, 13, 20, 21, 22, 201] {
            let values: Vec<String> = (0..count).map(|n| format!("{}", n as f64 * 0.5)).collect();
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let shown = labels(&values, |at| 280.0 * at as f64 / (count.max(2) - 1) as f64);
            assert_eq!(shown.first().unwrap().1, values[0], "{count}");
            assert_eq!(shown.last().unwrap().1, values[count - 1], "{count}: {shown:?}");
            assert!(shown.len() <= 8 && shown.len() >= count.min(3), "{count}: {shown:?}");
        }
        assert_eq!(runs(&[Some(1), None, Some(2), Some(3)]), [vec![(0, 1)], vec![(2, 2), (3, 3)]]);
        let line = Line { points: vec![Some(1.0), None, Some(2.0), Some(3.0)], ..Line::default() };
        let plot = Plot {
            name: "a".into(),
            description: String::new(),
            full_scale: None,
            lines: vec![line],
        };
        let page = plot.card("f", &["1", "2", "3", "4"]).into_string();
        let path = page.split_once("class=\"curve\" d=\"").unwrap().1.split('"').next().unwrap();
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 1), "{path}");
    }
}
