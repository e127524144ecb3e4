//! Expressive range: which pairs of values maps have, as cells that can be asked for their maps. Two configurations stand beside each
//! other on the same axes and in the same strengths of colour, and then their difference.

use crate::report::chart::{Axis, Bins, Label, px, text, width};
use crate::report::frame::{heads, table};
use crate::report::side::{Shade, Side, by_count};
use crate::report::thumb::Thumbs;
use crate::report::words::{counted, percent, points, whole};
use crate::search::{Cell, Joint, Measured};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

const SIDE: f64 = 18.0;
/// The least that a heat map measures; few cells are drawn the wider for it.
const MIN: f64 = 240.0;
/// What the name of the axis upwards takes, and what lies between its labels and the cells.
const NAME: f64 = 20.0;
const GAP: f64 = 6.0;
const TOP: f64 = 8.0;
/// The most cells across and up; of two configurations, which share the width of a page with their difference.
const MAX: [[usize; 2]; 2] = [[26, 18], [18, 14]];

/// Columns and rows of a picture, counted from the lower left.
type At = (usize, usize);

/// One pair of metrics on all sides of a page.
pub(crate) struct Heat<'a> {
    metrics: [&'a Measured; 2],
    /// The steps of both metrics, shared by all sides.
    bins: [Bins; 2],
    shown: Vec<(Side<'a>, BTreeMap<At, Cell>)>,
}

impl<'a> Heat<'a> {
    /// The heat map of the pair that each side has at a place of its list.
    pub(crate) fn new(at: usize, sides: &[Side<'a>]) -> Option<Heat<'a>> {
        let joints: Vec<(Side<'a>, &'a Joint)> =
            sides.iter().filter_map(|side| Some((*side, side.found.joints.get(at)?))).collect();
        let (first, joint) = joints.first()?;
        let metrics = [first.found.metric_of(joint.x)?, first.found.metric_of(joint.y)?];
        let most = MAX[usize::from(sides.len() > 1)];
        let of = |axis: usize| {
            let met = joints.iter().filter_map(|(side, _)| side.found.histogram(&metrics[axis].name));
            Bins::of(&met.collect::<Vec<_>>(), most[axis])
        };
        let bins = [of(0), of(1)];
        let shown = joints.into_iter().map(|(side, joint)| {
            let mut cells: BTreeMap<At, Cell> = BTreeMap::new();
            for ([x, y], cell) in joint.cells() {
                cells.entry((bins[0].at(x), bins[1].at(y))).or_default().merge(cell);
            }
            (side, cells)
        });
        Some(Heat { metrics, bins, shown: shown.collect() })
    }

    /// Draws the pictures of one map of each cell, the fullest cells first, should there not be room for all.
    pub(crate) fn draw_round(&self, round: usize, thumbs: &mut [Thumbs]) {
        for ((side, cells), thumbs) in self.shown.iter().zip(thumbs) {
            for (at, _) in fullest_first(cells) {
                if let Some(&place) = cells[&at].places.get(round) {
                    thumbs.draw(side.found.seed(place), side.prefix);
                }
            }
        }
    }

    pub(crate) fn figure(&self, thumbs: &[Thumbs]) -> Markup {
        let [x, y] = self.metrics;
        let two = self.shown.len() > 1;
        let share = |side: &Side<'_>, cell: &Cell| cell.count as f64 / side.found.maps.max(1) as f64;
        let shares =
            self.shown.iter().flat_map(|(side, cells)| cells.values().map(move |cell| share(side, cell)));
        // One scale for all: the same strength is the same share.
        let most = shares.fold(0.0, f64::max).max(1e-9);
        let chart = |side: &Side<'_>, cells: &BTreeMap<At, Cell>, thumbs: &Thumbs| {
            let (fullest, count) = fullest_first(cells).first().copied().unwrap_or_default();
            let whose = if two { format!("{}: ", side.name) } else { String::new() };
            let different = counted(cells.len() as u64, "cell", "different cells");
            let maps = counted(side.found.maps, "map", "maps");
            let count = whole(count.into());
            let aria = format!(
                "{whose}{} across, {} upwards: {different}, the fullest with {count} of {maps}. Arrow keys go from cell to cell, Enter shows maps.",
                x.name, y.name,
            );
            let start = if side.class == "first" { self.start().unwrap_or(fullest) } else { fullest };
            let samples = |cell: &Cell| {
                let samples = cell.places.iter().map(|&place| {
                    let seed = side.found.seed(place);
                    let number = thumbs.get(&seed).map(|number| format!("{}{number}", side.prefix));
                    format!("{seed}:{}", number.unwrap_or_default())
                });
                samples.collect::<Vec<_>>().join(" ")
            };
            let cells = html! {
                @for (&at, cell) in cells {
                    @let maps = counted(cell.count, "map", "maps");
                    @let told = format!("{}: {maps}, {}", self.place(at), percent(cell.count, side.found.maps));
                    @let strength = 0.1 + 0.9 * (share(side, cell) / most).sqrt();
                    (self.cell(at, (side.class, strength), start == at, Some(samples(cell)), &told))
                }
            };
            self.chart(
                &aria,
                two.then(|| html! { b { i class={ "key " (side.class) } {} " " (side.name) } }),
                cells,
            )
        };
        html! {
            figure.heat {
                figcaption { h3 { (x.name) " and " (y.name) } }
                div class=(if two { "range two" } else { "range" }) {
                    div.charts {
                        @for ((side, cells), thumbs) in self.shown.iter().zip(thumbs) { (chart(side, cells, thumbs)) }
                        (self.difference(most * 100.0))
                    }
                    aside.maps aria-live="polite" {
                        p.hint { "Choose a cell to see maps from it, with their seeds." }
                    }
                }
                (self.numbers())
            }
        }
    }

    /// By how many points of a hundred the share of a cell is larger on one side than on the other.
    fn difference(&self, top: f64) -> Markup {
        let [(first, before), (second, after)] = self.shown.as_slice() else { return html! {} };
        let share = |side: &Side<'_>, cell: Option<&Cell>| {
            cell.map_or(0.0, |cell| cell.count as f64 * 100.0 / side.found.maps.max(1) as f64)
        };
        let all: BTreeSet<At> = before.keys().chain(after.keys()).copied().collect();
        let moved = |at: At| (at, share(second, after.get(&at)) - share(first, before.get(&at)));
        let moved: Vec<(At, f64)> = all.into_iter().map(moved).collect();
        let farthest = moved.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()).then(b.0.cmp(&a.0)));
        let Some(&(farthest, most)) = farthest else { return html! {} };
        let most = most.abs();
        let far = match points(most, 1) {
            far if far.starts_with("less") => far,
            far => format!("up to {far}"),
        };
        let how = if most > 0.0 { format!("by {far}") } else { "nowhere".to_owned() };
        let aria = format!(
            "The difference: where {} or {} has more maps, {how}. Arrow keys go from cell to cell, Enter shows maps.",
            first.name, second.name
        );
        let title = html! {
            b { "Difference" } " "
            span {
                @if most > 0.0 { (far) " more in " i.key.first {} " or in " i.key.second {} } @else { "none" }
            }
        };
        let cell = |at: At, moved: f64| {
            let (class, name) = if moved > 0.0 { ("second", second.name) } else { ("first", first.name) };
            let told = match moved == 0.0 {
                true => format!("{}: as many of both", self.place(at)),
                false => format!("{}: {} more of {name}", self.place(at), points(moved, 2)),
            };
            let strength = if moved == 0.0 { 0.0 } else { 0.06 + 0.94 * (moved.abs() / top).sqrt() };
            self.cell(at, (class, strength), farthest == at, None, &told)
        };
        self.chart(&aria, Some(title), html! { @for (at, moved) in moved { (cell(at, moved)) } })
    }

    /// The cell that is shown before one is chosen: of two, the one that has the most maps of both.
    fn start(&self) -> Option<At> {
        let [(first, before), (second, after)] = self.shown.as_slice() else { return None };
        let share = |side: &Side<'_>, cell: &Cell| cell.count as f64 / side.found.maps.max(1) as f64;
        let both = before
            .iter()
            .filter_map(|(at, cell)| Some((share(first, cell).min(share(second, after.get(at)?)), *at)));
        both.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, at)| at)
    }

    /// The two values of a cell in words.
    fn place(&self, (i, j): At) -> String {
        let ([x, y], [across, up]) = (self.metrics, &self.bins);
        format!("{} {}, {} {}", x.name, across.name(i), y.name, up.name(j))
    }

    /// How wide and how tall a cell is.
    fn sizes(&self) -> [f64; 2] {
        let [across, up] = self.bins.map(|bins| bins.count as f64);
        [SIDE.max((MIN / across).min(4.0 * SIDE)), SIDE.max((MIN / 2.0 / up).min(2.0 * SIDE))]
    }

    /// Labels of the axis upwards.
    fn labels_up(&self) -> Vec<Label> {
        self.bins[1].labels(self.sizes()[1], 6, Axis::Up)
    }

    /// Where cells begin: there is room for the widest label and the name of the axis.
    fn left(&self) -> f64 {
        let widest = self.labels_up().iter().map(|(_, label, _)| width(label)).fold(0.0, f64::max);
        (NAME + widest + GAP).ceil()
    }

    /// One heat map: its title, its cells and both axes. Ends that have values beyond them are set apart by a line.
    fn chart(&self, aria: &str, title: Option<Markup>, cells: Markup) -> Markup {
        let ([wide, tall], [x, y], [across, up]) = (self.sizes(), self.metrics, &self.bins);
        let left = self.left();
        let (right, floor) = (left + wide * across.count as f64, TOP + tall * up.count as f64);
        let (width, height) = (right + 16.0, floor + 40.0);
        let beyond = |bins: &Bins| {
            [(bins.beyond[0], 1), (bins.beyond[1], bins.count - 1)].into_iter().filter(|(beyond, _)| *beyond)
        };
        let class = |end: bool| end.then_some("end");
        html! {
            div {
                @if let Some(title) = title { p.chart { (title) } }
                svg viewBox={ "0 0 " (round(width)) " " (round(height)) } style={ "max-width:" (round(width * 1.5)) "px" }
                    role="group" aria-label=(aria) {
                    rect.field x=(left) y=(TOP) width=(round(right - left)) height=(round(floor - TOP)) {}
                    (cells)
                    @for (at, label, end) in across.labels(wide, 8, Axis::Across) {
                        (text(class(end), left + wide * at - 0.5, floor + 15.0, "middle", label))
                    }
                    @for (at, label, end) in self.labels_up() {
                        (text(class(end), left - GAP, floor - tall * at + 4.0, "end", label))
                    }
                    @for (_, at) in beyond(across) {
                        path.apart d={ "M" (px(left + wide * at as f64 - 0.5)) " " (TOP) "V" (round(floor)) } {}
                    }
                    @for (_, at) in beyond(up) {
                        path.apart d={ "M" (left) " " (px(floor - tall * at as f64 - 0.5)) "H" (round(right)) } {}
                    }
                    (text(Some("name"), (left + right) / 2.0, floor + 33.0, "middle", named(&x.name, x.unit)))
                    text.name transform={ "translate(12 " (round((TOP + floor) / 2.0)) ") rotate(-90)" } text-anchor="middle" {
                        (named(&y.name, y.unit))
                    }
                }
            }
        }
    }

    /// One cell; `first` is the one that the keyboard reaches first.
    fn cell(&self, (i, j): At, shade: Shade, first: bool, samples: Option<String>, told: &str) -> Markup {
        let (class, strength) = shade;
        let [wide, tall] = self.sizes();
        let (left, floor) = (self.left(), TOP + tall * self.bins[1].count as f64);
        html! {
            rect class={ "cell " (class) } x=(round(left + wide * i as f64)) y=(round(floor - tall * (j as f64 + 1.0)))
                width=(round(wide - 1.0)) height=(round(tall - 1.0)) fill-opacity=(format!("{strength:.2}"))
                role="button" tabindex=(if first { "0" } else { "-1" }) data-at={ (i) "," (j) } data-s=[samples]
                aria-label=(told) {
                title { (told) }
            }
        }
    }

    fn numbers(&self) -> Markup {
        const ROWS: usize = 40;
        let [x, y] = self.metrics;
        let mut names = vec![x.name.clone(), y.name.clone()];
        for (side, _) in &self.shown {
            names.extend(["maps", "share", "seeds"].map(|head| match self.shown.len() {
                1 => head.to_owned(),
                _ => format!("{head}, {}", side.name),
            }));
        }
        let cells = self.shown.iter().flat_map(|(_, cells)| cells);
        let order = by_count(cells.map(|(&at, cell)| (at, cell.count)));
        let none = Cell::default();
        let rows = html! {
            @for ((i, j), _) in order.into_iter().take(ROWS) {
                tr {
                    td { (self.bins[0].name(i)) } td { (self.bins[1].name(j)) }
                    @for (side, cells) in &self.shown {
                        @let cell = cells.get(&(i, j)).unwrap_or(&none);
                        @let seeds: Vec<String> = cell.places.iter().map(|&place| side.found.seed(place).to_string()).collect();
                        td { (whole(cell.count.into())) } td { (percent(cell.count, side.found.maps)) } td { (seeds.join(", ")) }
                    }
                }
            }
        };
        html! {
            details { summary { "The fullest cells as a table" } (table(html! { tr { (heads(names)) } }, rows)) }
        }
    }
}

/// A length in a picture, without decimals.
fn round(length: f64) -> String {
    format!("{length:.0}")
}

fn fullest_first(cells: &BTreeMap<At, Cell>) -> Vec<(At, u64)> {
    by_count(cells.iter().map(|(&at, cell)| (at, cell.count)))
}

/// A metric with its unit, where that says more.
fn named(name: &str, unit: &str) -> String {
    if name == unit { name.to_owned() } else { format!("{name} ({unit})") }
}
