//! Expressive range plots (Smith & Whitehead 2010): heat maps of pairs of metrics, whose cells show
//! sample maps.
//!
//! Two configurations are shown side by side on the same axes and colour scale, with their
//! difference.

use crate::report::chart::{Axis, Bins, Label, label_width, px, text};
use crate::report::frame::{heads, table};
use crate::report::side::{Shade, Side, by_count};
use crate::report::text::{count_noun, integer, percent, points};
use crate::report::thumbnails::Thumbnails;
use crate::search::{JointCell, JointHistogram, MetricDistribution};
use maud::{Markup, html};
use std::collections::{BTreeMap, BTreeSet};

/// Minimum side of a cell in pixels.
const CELL_SIDE: f64 = 18.0;
/// Width in pixels that few cells are enlarged to fill, up to four times `CELL_SIDE` each.
const MIN_WIDTH: f64 = 240.0;
/// Space for the title of the vertical axis, and between its labels and the cells, in pixels.
const AXIS_TITLE: f64 = 20.0;
const GAP: f64 = 6.0;
const TOP: f64 = 8.0;
/// Maximum columns and rows, first for one configuration, then for two. Two share the page width
/// with their difference.
const MAX_CELLS: [[usize; 2]; 2] = [[26, 18], [18, 14]];

/// Keyboard help in text alternatives.
const KEYS: &str = "Use arrow keys to move between cells and Enter to show maps.";

/// Column and row of a cell, counted from the lower left.
type CellIndex = (usize, usize);

/// Heat map of one pair of metrics on all sides.
pub(crate) struct HeatMap<'a> {
    metrics: [&'a MetricDistribution; 2],
    /// Bins of both metrics, shared by all sides.
    bins: [Bins; 2],
    shown: Vec<(Side<'a>, BTreeMap<CellIndex, JointCell>)>,
}

impl<'a> HeatMap<'a> {
    /// Builds the heat map of joint histogram number `index`. Returns `None` if no side has it.
    pub(crate) fn new(index: usize, sides: &[Side<'a>]) -> Option<HeatMap<'a>> {
        let joints: Vec<(Side<'a>, &'a JointHistogram)> = sides
            .iter()
            .filter_map(|side| Some((*side, side.results.joints.get(index)?)))
            .collect();
        let (first, joint) = joints.first()?;
        let metrics = [first.results.metric_of(joint.x)?, first.results.metric_of(joint.y)?];
        let max = MAX_CELLS[usize::from(sides.len() > 1)];
        let bins_of = |axis: usize| {
            let histograms =
                joints.iter().filter_map(|(side, _)| side.results.histogram(&metrics[axis].name));
            Bins::new(&histograms.collect::<Vec<_>>(), max[axis])
        };
        let bins = [bins_of(0), bins_of(1)];
        let shown = joints.into_iter().map(|(side, joint)| {
            let mut cells: BTreeMap<CellIndex, JointCell> = BTreeMap::new();
            for ([x, y], cell) in joint.cells() {
                cells.entry((bins[0].index_of(x), bins[1].index_of(y))).or_default().merge(cell);
            }
            (side, cells)
        });
        Some(HeatMap { metrics, bins, shown: shown.collect() })
    }

    /// Draws the thumbnail of sample number `round` of every cell. Starts with the fullest cells,
    /// because the number of thumbnails is limited.
    pub(crate) fn draw_round(&self, round: usize, thumbnails: &mut [Thumbnails]) {
        for ((side, cells), thumbnails) in self.shown.iter().zip(thumbnails) {
            for (at, _) in fullest_first(cells) {
                if let Some(&offset) = cells[&at].samples.get(round) {
                    thumbnails.draw(side.results.seed_at(offset), side.prefix);
                }
            }
        }
    }

    pub(crate) fn render(&self, thumbnails: &[Thumbnails]) -> Markup {
        let [x, y] = self.metrics;
        let two = self.shown.len() > 1;
        let shares = self
            .shown
            .iter()
            .flat_map(|(side, cells)| cells.values().map(move |cell| side.share(cell)));
        // One scale for all sides: equal opacity means equal share.
        let max_share = shares.fold(0.0, f64::max).max(1e-9);
        let chart =
            |side: &Side<'_>, cells: &BTreeMap<CellIndex, JointCell>, thumbnails: &Thumbnails| {
                let (fullest, count) = fullest_first(cells).first().copied().unwrap_or_default();
                let owner = if two { format!("{}: ", side.name) } else { String::new() };
                let occupied = count_noun(cells.len() as u64, "cell", "cells");
                let maps = count_noun(side.results.maps, "map", "maps");
                let count = integer(count.into());
                let aria = format!(
                    "{owner}{} horizontally, {} vertically: {occupied}, \
                     the fullest with {count} of {maps}. {KEYS}",
                    x.name, y.name,
                );
                let initial = if side.class == "first" {
                    self.initial_cell().unwrap_or(fullest)
                } else {
                    fullest
                };
                let samples = |cell: &JointCell| {
                    let samples = cell.samples.iter().map(|&offset| {
                        let seed = side.results.seed_at(offset);
                        let number =
                            thumbnails.get(&seed).map(|number| format!("{}{number}", side.prefix));
                        format!("{seed}:{}", number.unwrap_or_default())
                    });
                    samples.collect::<Vec<_>>().join(" ")
                };
                let cells = html! {
                    @for (&at, cell) in cells {
                        @let maps = count_noun(cell.count, "map", "maps");
                        @let percentage = percent(cell.count, side.results.maps);
                        @let label = format!("{}: {maps}, {percentage}", self.describe(at));
                        @let strength = 0.1 + 0.9 * (side.share(cell) / max_share).sqrt();
                        @let shade = (side.class, strength);
                        (self.cell(at, shade, initial == at, Some(samples(cell)), &label))
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
                        @for ((side, cells), thumbnails) in self.shown.iter().zip(thumbnails) {
                            (chart(side, cells, thumbnails))
                        }
                        (self.difference(max_share * 100.0))
                    }
                    aside.maps aria-live="polite" {
                        p.hint { "Select a cell to see sample maps and their seeds." }
                    }
                }
                (self.cell_table())
            }
        }
    }

    /// Renders the difference of two heat maps in percentage points. `top` is the difference of
    /// full opacity.
    fn difference(&self, top: f64) -> Markup {
        let [(first, before), (second, after)] = self.shown.as_slice() else { return html! {} };
        let share = |side: &Side<'_>, cell: Option<&JointCell>| {
            cell.map_or(0.0, |cell| side.share(cell) * 100.0)
        };
        let all: BTreeSet<CellIndex> = before.keys().chain(after.keys()).copied().collect();
        let difference_at =
            |at: CellIndex| (at, share(second, after.get(&at)) - share(first, before.get(&at)));
        let differences: Vec<(CellIndex, f64)> = all.into_iter().map(difference_at).collect();
        let largest =
            differences.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()).then(b.0.cmp(&a.0)));
        let Some(&(largest, difference)) = largest else { return html! {} };
        let magnitude = difference.abs();
        let size = match points(magnitude, 1) {
            text if text.starts_with("less") => text,
            text => format!("up to {text}"),
        };
        let summary = if magnitude > 0.0 {
            format!("the shares of {} and {} differ by {size}", first.name, second.name)
        } else {
            "none".to_owned()
        };
        let aria = format!("Difference: {summary}. {KEYS}");
        let title = html! {
            b { "Difference" } " "
            span {
                @if magnitude > 0.0 {
                    (size) " more in " i.key.first {} " or in " i.key.second {}
                } @else {
                    "none"
                }
            }
        };
        let cell = |at: CellIndex, difference: f64| {
            let (class, name) =
                if difference > 0.0 { ("second", second.name) } else { ("first", first.name) };
            let label = if difference == 0.0 {
                format!("{}: equal share", self.describe(at))
            } else {
                format!("{}: {} more of {name}", self.describe(at), points(difference, 2))
            };
            let strength =
                if difference == 0.0 { 0.0 } else { 0.06 + 0.94 * (difference.abs() / top).sqrt() };
            self.cell(at, (class, strength), largest == at, None, &label)
        };
        self.chart(
            &aria,
            Some(title),
            html! { @for (at, difference) in differences { (cell(at, difference)) } },
        )
    }

    /// Returns the initially selected cell of a comparison: the one with the most maps on both
    /// sides.
    fn initial_cell(&self) -> Option<CellIndex> {
        let [(first, before), (second, after)] = self.shown.as_slice() else { return None };
        let both = before.iter().filter_map(|(at, cell)| {
            Some((first.share(cell).min(second.share(after.get(at)?)), *at))
        });
        both.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, at)| at)
    }

    /// Describes the values of a cell.
    fn describe(&self, (i, j): CellIndex) -> String {
        let ([x, y], [across, up]) = (self.metrics, &self.bins);
        format!("{} {}, {} {}", x.name, across.describe(i), y.name, up.describe(j))
    }

    /// Returns the width and height of a cell.
    fn cell_size(&self) -> [f64; 2] {
        let [across, up] = self.bins.map(|bins| bins.count as f64);
        [
            CELL_SIDE.max((MIN_WIDTH / across).min(4.0 * CELL_SIDE)),
            CELL_SIDE.max((MIN_WIDTH / 2.0 / up).min(2.0 * CELL_SIDE)),
        ]
    }

    /// Returns the labels of the vertical axis.
    fn vertical_labels(&self) -> Vec<Label> {
        self.bins[1].labels(self.cell_size()[1], 6, Axis::Vertical)
    }

    /// Returns the x coordinate of the first column. Leaves room for the widest label and the axis
    /// title.
    fn left_edge(&self) -> f64 {
        let widest = self
            .vertical_labels()
            .iter()
            .map(|(_, label, _)| label_width(label))
            .fold(0.0, f64::max);
        (AXIS_TITLE + widest + GAP).ceil()
    }

    /// Renders one heat map with title, cells and axes. Dashed lines separate end bins that also
    /// contain all values beyond them.
    fn chart(&self, aria: &str, title: Option<Markup>, cells: Markup) -> Markup {
        let [cell_width, cell_height] = self.cell_size();
        let [x_title, y_title] = self.metrics.map(|metric| with_unit(&metric.name, metric.unit));
        let [across, up] = &self.bins;
        let left = self.left_edge();
        let right = left + cell_width * across.count as f64;
        let bottom = TOP + cell_height * up.count as f64;
        let middle = (TOP + bottom) / 2.0;
        let (width, height) = (right + 16.0, bottom + 40.0);
        let beyond = |bins: &Bins| {
            [(bins.beyond[0], 1), (bins.beyond[1], bins.count - 1)]
                .into_iter()
                .filter(|(beyond, _)| *beyond)
        };
        let class = |end: bool| end.then_some("end");
        html! {
            div {
                @if let Some(title) = title { p.chart { (title) } }
                svg viewBox={ "0 0 " (round_px(width)) " " (round_px(height)) }
                    style={ "max-width:" (round_px(width * 1.5)) "px" }
                    role="group" aria-label=(aria) {
                    rect.field x=(left) y=(TOP)
                        width=(round_px(right - left)) height=(round_px(bottom - TOP)) {}
                    (cells)
                    @for (at, label, end) in across.labels(cell_width, 8, Axis::Horizontal) {
                        @let x = left + cell_width * at - 0.5;
                        (text(class(end), x, bottom + 15.0, "middle", label))
                    }
                    @for (at, label, end) in self.vertical_labels() {
                        @let y = bottom - cell_height * at + 4.0;
                        (text(class(end), left - GAP, y, "end", label))
                    }
                    @for (_, at) in beyond(across) {
                        @let x = px(left + cell_width * at as f64 - 0.5);
                        path.separator d={ "M" (x) " " (TOP) "V" (round_px(bottom)) } {}
                    }
                    @for (_, at) in beyond(up) {
                        @let y = px(bottom - cell_height * at as f64 - 0.5);
                        path.separator d={ "M" (left) " " (y) "H" (round_px(right)) } {}
                    }
                    (text(Some("name"), (left + right) / 2.0, bottom + 33.0, "middle", x_title))
                    text.name text-anchor="middle"
                        transform={ "translate(12 " (round_px(middle)) ") rotate(-90)" } {
                        (y_title)
                    }
                }
            }
        }
    }

    /// Renders one cell. `is_first` is the cell that receives keyboard focus first.
    fn cell(
        &self,
        (i, j): CellIndex,
        shade: Shade,
        is_first: bool,
        samples: Option<String>,
        label: &str,
    ) -> Markup {
        let (class, strength) = shade;
        let [width, height] = self.cell_size();
        let bottom = TOP + height * self.bins[1].count as f64;
        let (x, y) = (self.left_edge() + width * i as f64, bottom - height * (j as f64 + 1.0));
        html! {
            rect class={ "cell " (class) } x=(round_px(x)) y=(round_px(y))
                width=(round_px(width - 1.0)) height=(round_px(height - 1.0))
                fill-opacity=(format!("{strength:.2}")) role="button"
                tabindex=(if is_first { "0" } else { "-1" })
                data-at={ (i) "," (j) } data-s=[samples]
                aria-label=(label) {
                title { (label) }
            }
        }
    }

    fn cell_table(&self) -> Markup {
        const MAX_ROWS: usize = 40;
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
        let none = JointCell::default();
        let seeds = |side: &Side<'_>, cell: &JointCell| {
            let seeds = cell.samples.iter().map(|&offset| side.results.seed_at(offset).to_string());
            seeds.collect::<Vec<_>>().join(", ")
        };
        let rows = html! {
            @for ((i, j), _) in order.into_iter().take(MAX_ROWS) {
                tr {
                    td { (self.bins[0].describe(i)) } td { (self.bins[1].describe(j)) }
                    @for (side, cells) in &self.shown {
                        @let cell = cells.get(&(i, j)).unwrap_or(&none);
                        td { (integer(cell.count.into())) }
                        td { (percent(cell.count, side.results.maps)) }
                        td { (seeds(side, cell)) }
                    }
                }
            }
        };
        html! {
            details {
                summary { "Fullest cells as a table" }
                (table(html! { tr { (heads(names)) } }, rows))
            }
        }
    }
}

/// Formats a coordinate without decimals.
fn round_px(length: f64) -> String {
    format!("{length:.0}")
}

fn fullest_first(cells: &BTreeMap<CellIndex, JointCell>) -> Vec<(CellIndex, u64)> {
    by_count(cells.iter().map(|(&at, cell)| (at, cell.count)))
}

/// Returns the name of a metric with its unit, unless they are equal.
fn with_unit(name: &str, unit: &str) -> String {
    if name == unit { name.to_owned() } else { format!("{name} ({unit})") }
}
