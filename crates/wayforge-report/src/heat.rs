//! Expressive range: which pairs of values maps have, as cells that can be asked for their maps.

use crate::bins::Bins;
use crate::thumb::Thumbs;
use crate::words::{percent, text, whole};
use std::collections::BTreeMap;
use std::fmt::Write;
use wayforge_search::{Cell, Findings, Joint};

const SIDE: f64 = 18.0;
/// The least that a heat map measures; few cells are drawn the wider for it.
const LEAST: f64 = 240.0;
const LEFT: f64 = 58.0;
const TOP: f64 = 8.0;
const ACROSS: usize = 26;
const UP: usize = 18;

/// One configuration's heat map in a page.
pub(crate) struct Heat<'a> {
    pub(crate) found: &'a Findings,
    pub(crate) joint: &'a Joint,
    /// The steps of both metrics, shared by all configurations of a page.
    pub(crate) bins: [Bins; 2],
    pub(crate) name: &'a str,
    /// What the ids of its pictures begin with.
    pub(crate) prefix: char,
}

/// The steps that suit a pair of metrics in all of these.
pub(crate) fn bins(joint: &Joint, all: &[&Findings]) -> [Bins; 2] {
    let of = |term, most| {
        let histograms =
            all.iter().filter_map(|found| found.metrics.iter().find(|metric| metric.term == term));
        Bins::of(&histograms.map(|metric| &metric.histogram).collect::<Vec<_>>(), most)
    };
    [of(joint.x, ACROSS), of(joint.y, UP)]
}

impl Heat<'_> {
    /// Draws the pictures of one map of each cell, the fullest cells first, should there not be room for all.
    pub(crate) fn draw_round(&self, round: usize, thumbs: &mut Thumbs) {
        let cells = self.cells();
        let mut order: Vec<_> = cells.iter().collect();
        order.sort_by_key(|(at, cell)| (std::cmp::Reverse(cell.count), **at));
        for (_, cell) in order {
            if let Some(&place) = cell.places.get(round) {
                thumbs.draw(self.found.seed(place), self.prefix);
            }
        }
    }

    /// What falls into each cell of the picture.
    fn cells(&self) -> BTreeMap<(usize, usize), Cell> {
        let mut cells: BTreeMap<(usize, usize), Cell> = BTreeMap::new();
        for ([x, y], cell) in self.joint.cells() {
            cells.entry((self.bins[0].at(x), self.bins[1].at(y))).or_default().merge(cell);
        }
        cells
    }

    pub(crate) fn write(&self, page: &mut String, thumbs: &Thumbs) {
        let [across, up] = &self.bins;
        let cells = self.cells();
        let most = cells.values().map(|cell| cell.count).max().unwrap_or(1).max(1);
        let metric = |term| self.found.metrics.iter().find(|metric| metric.term == term);
        let (Some(x), Some(y)) = (metric(self.joint.x), metric(self.joint.y)) else { return };
        let wide = SIDE.max((LEAST / across.count as f64).min(4.0 * SIDE));
        let tall = SIDE.max((LEAST / 2.0 / up.count as f64).min(2.0 * SIDE));
        let (width, height) = (LEFT + wide * across.count as f64 + 8.0, TOP + tall * up.count as f64 + 40.0);
        let floor = TOP + tall * up.count as f64;
        let maps = self.found.maps;
        let _ = write!(
            page,
            "<figure class=\"heat\"><figcaption><h3>{} and {}</h3> <span>{}</span></figcaption>\n<div class=\"range\">\
             <svg viewBox=\"0 0 {width:.0} {height:.0}\" style=\"max-width:{:.0}px\" role=\"group\" aria-label=\"{} across, {} upwards: {} different cells, the fullest with {} of {} maps. \
             Arrow keys go from cell to cell, Enter shows maps.\">",
            text(&x.name),
            text(&y.name),
            text(self.name),
            width * 1.5,
            text(&x.name),
            text(&y.name),
            cells.len(),
            whole(most.into()),
            whole(maps.into())
        );
        let _ = write!(
            page,
            "<rect class=\"field\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{:.0}\" height=\"{:.0}\"/>",
            wide * across.count as f64,
            tall * up.count as f64
        );
        let fullest =
            cells.iter().max_by_key(|(at, cell)| (cell.count, std::cmp::Reverse(**at))).map(|(at, _)| *at);
        let mut order: Vec<_> = cells.iter().collect();
        order.sort_by_key(|(at, cell)| (std::cmp::Reverse(cell.count), **at));
        let sample = |&place: &u64| {
            let seed = self.found.seed(place);
            thumbs
                .get(seed)
                .map_or_else(|| format!("{seed}:"), |number| format!("{seed}:{}{number}", self.prefix))
        };
        for (&(i, j), cell) in &cells {
            let strength = 0.1 + 0.9 * (cell.count as f64 / most as f64).sqrt();
            let label = format!(
                "{} {}, {} {}: {} maps, {}",
                x.name,
                across.name(i),
                y.name,
                up.name(j),
                whole(cell.count.into()),
                percent(cell.count, maps)
            );
            let tab = if fullest == Some((i, j)) { 0 } else { -1 };
            let _ = write!(
                page,
                "<rect class=\"cell\" x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" fill-opacity=\"{strength:.2}\" role=\"button\" tabindex=\"{tab}\" \
                 data-at=\"{i},{j}\" data-s=\"{}\" aria-label=\"{}\"><title>{}</title></rect>",
                LEFT + wide * i as f64,
                floor - tall * (j as f64 + 1.0),
                wide - 1.0,
                tall - 1.0,
                cell.places.iter().map(sample).collect::<Vec<_>>().join(" "),
                text(&label),
                text(&label)
            );
        }
        for (at, label) in across.ticks(8) {
            let _ = write!(
                page,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{label}</text>",
                LEFT + wide * (at as f64 + 0.5),
                floor + 15.0
            );
        }
        for (at, label) in up.ticks(6) {
            let _ = write!(
                page,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{label}</text>",
                LEFT - 6.0,
                floor - tall * (at as f64 + 0.5) + 4.0
            );
        }
        let middle = LEFT + wide * across.count as f64 / 2.0;
        let _ = writeln!(
            page,
            "<text class=\"name\" x=\"{middle:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{}</text>\
             <text class=\"name\" transform=\"translate(12 {:.0}) rotate(-90)\" text-anchor=\"middle\">{}</text></svg>",
            floor + 33.0,
            text(&named(&x.name, x.unit)),
            TOP + tall * up.count as f64 / 2.0,
            text(&y.name)
        );
        page.push_str("<aside class=\"maps\" aria-live=\"polite\"><p class=\"hint\">Choose a cell to see maps from it, with their seeds.</p></aside></div>\n");
        self.table(page, &order, &x.name, &y.name);
        page.push_str("</figure>\n");
    }

    fn table(&self, page: &mut String, order: &[(&(usize, usize), &Cell)], x: &str, y: &str) {
        const ROWS: usize = 40;
        let [across, up] = &self.bins;
        let _ = write!(
            page,
            "<details><summary>The fullest cells as a table</summary><table><thead><tr><th scope=\"col\">{}</th><th scope=\"col\">{}</th>\
             <th scope=\"col\">maps</th><th scope=\"col\">share</th><th scope=\"col\">seeds</th></tr></thead><tbody>",
            text(x),
            text(y)
        );
        for ((i, j), cell) in order.iter().take(ROWS) {
            let seeds: Vec<String> =
                cell.places.iter().map(|&place| self.found.seed(place).to_string()).collect();
            let _ = write!(
                page,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                across.name(*i),
                up.name(*j),
                whole(cell.count.into()),
                percent(cell.count, self.found.maps),
                seeds.join(", ")
            );
        }
        page.push_str("</tbody></table></details>\n");
    }
}

/// A metric with its unit, where that says more.
fn named(name: &str, unit: &str) -> String {
    if name == unit { name.to_owned() } else { format!("{name} ({unit})") }
}
