//! How something follows a field of the configuration: lines over its values, and a band where maps scatter.

use crate::report::chart::{Axis, Chart, Label, apart, ends, px, ticks};
use crate::report::frame::{heads, row, table};
use crate::report::words::number;
use maud::{Markup, html};

const CHART: Chart = Chart { height: 150.0, left: 46.0, right: 14.0, top: 10.0, floor: 122.0 };
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
    /// Draws it over the values of a field; nothing if it has no point.
    pub(crate) fn card(&self, field: &str, values: &[&str]) -> Markup {
        let points = self.lines.iter().flat_map(|line| {
            line.points.iter().flatten().copied().chain(line.band.iter().flatten().flatten().copied())
        });
        let (low, high) = points.fold((f64::MAX, f64::MIN), |(low, high), end| (low.min(end), high.max(end)));
        if low > high {
            return html! {};
        }
        // What begins near nothing is drawn from nothing.
        let low = if self.whole.is_some() || (low >= 0.0 && low < high * 0.4) { 0.0 } else { low };
        let (low, high) = match high - low < 1e-9 {
            // One value all along: from nothing, or to a little more than nothing.
            true => (low.min(0.0), if high > 0.0 { high } else { 1.0 }),
            false => (low, high),
        };
        let scale = ticks(low, high.max(self.whole.unwrap_or(high)));
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
        CHART.card([&self.name, &self.about, &self.told()], [self.legend(), drawing, html! {}])
    }

    fn legend(&self) -> Markup {
        html! {
            @if self.lines.iter().any(|line| !line.name.is_empty()) {
                p.legend {
                    @for (at, line) in self.lines.iter().enumerate() {
                        @let dashed = if line.asked { " dashed" } else { "" };
                        span { i class={ "key line s" (at) (dashed) } {} " " (line.name) } " "
                    }
                }
            }
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
    /// Draws it with the `names` of its points.
    fn draw(&self, x: &dyn Fn(usize) -> f64, y: &dyn Fn(f64) -> f64, names: &[String]) -> Markup {
        let lines = runs(&self.points);
        let line: String = lines.iter().map(|run| path(run.iter().map(|&(at, v)| (x(at), y(v))))).collect();
        let mut band = String::new();
        for run in runs(&self.band) {
            let low = run.iter().map(|&(at, [low, _])| (x(at), y(low)));
            let high = run.iter().rev().map(|&(at, [_, high])| (x(at), y(high)));
            band += &(path(low.chain(high)) + "z");
        }
        let of = if self.name.is_empty() { String::new() } else { format!(", {}", self.name) };
        html! {
            @if !band.is_empty() { path.band d=(band) {} }
            path class=(if self.asked { "curve asked" } else { "curve" }) d=(line) {}
            g.points {
                @for &(at, point) in lines.iter().flatten().filter(|_| !self.asked) {
                    circle cx=(px(x(at))) cy=(px(y(point))) r="2.4" { title { (names[at]) (number(point)) (of) } }
                }
            }
        }
    }
}

/// The numbers behind plots, a row for each value of a field.
pub(crate) fn numbers(plots: &[Plot], field: &str, values: &[&str]) -> Markup {
    let names = plots.iter().flat_map(|plot| plot.lines.iter().map(move |line| (plot, line)));
    let names = names.map(|(plot, line)| match line.name.is_empty() {
        true => plot.name.clone(),
        false => format!("{}: {}", plot.name, line.name),
    });
    let told = |at: usize| {
        let lines = plots.iter().flat_map(|plot| &plot.lines);
        lines.map(move |line| line.points.get(at).copied().flatten().map_or_else(|| "–".to_owned(), number))
    };
    let head = html! { tr { (heads(std::iter::once(field.to_owned()).chain(names))) } };
    let rows = html! { @for (at, value) in values.iter().enumerate() { (row(value, told(at))) } };
    html! { details { summary { "The numbers as a table" } (table(head, rows)) } }
}

/// Values below the axis: the first, the last, and evenly between them as many as there is room for.
fn labels(values: &[&str], x: impl Fn(usize) -> f64) -> Vec<Label> {
    let last = values.len().saturating_sub(1);
    // Where a step leads from end to end evenly, that is the best one.
    let step = (1..=last).find(|&step| last.is_multiple_of(step) && last / step <= 6 && last / step >= 3);
    let step = step.unwrap_or(last.div_ceil(6)).max(1);
    let all = (0..values.len()).filter(|at| at % step == 0 || *at == last);
    apart(all.map(|at| (x(at), values[at].to_owned(), at == last || at == 0)).collect(), Axis::Across)
}

/// Stretches without a gap: the places of points and their values.
fn runs<T: Copy>(points: &[Option<T>]) -> Vec<Vec<(usize, T)>> {
    let all: Vec<Option<(usize, T)>> =
        points.iter().enumerate().map(|(at, point)| Some((at, (*point)?))).collect();
    let runs = all.split(Option::is_none).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().copied().flatten().collect()).collect()
}

/// The path of a line through points.
fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let steps: Vec<String> = points.map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    format!("M{}", steps.join("L"))
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
        assert_eq!(runs(&[Some(1), None, Some(2), Some(3)]), [vec![(0, 1)], vec![(2, 2), (3, 3)]]);
        let line = Line { points: vec![Some(1.0), None, Some(2.0), Some(3.0)], ..Line::default() };
        let plot = Plot { name: "a".into(), about: String::new(), whole: None, lines: vec![line] };
        let page = plot.card("f", &["1", "2", "3", "4"]).into_string();
        let path = page.split_once("class=\"curve\" d=\"").unwrap().1.split('"').next().unwrap();
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 1), "{path}");
    }
}
