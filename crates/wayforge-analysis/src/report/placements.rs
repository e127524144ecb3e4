//! Placement heat maps, one per object. Two configurations are shown side by side on the same
//! colour scale, with their difference.

use crate::report::frame::{heads, row, table};
use crate::report::side::{Shade, Side, legend};
use crate::report::text::{integer, number, points};
use crate::search::Occupancy;
use maud::{Markup, Render, html};
use std::fmt::Write;
use wayforge::metric::MapShape;

/// Number of shades in a heat map.
const SHADES: usize = 12;

/// Placements of one object on one side.
struct ObjectPlane<'a> {
    side: Side<'a>,
    occupancy: &'a Occupancy,
    /// Index of the object's plane in `occupancy`.
    plane: usize,
}

pub(crate) fn section(sides: &[Side<'_>], planes: &[String]) -> Markup {
    let sizes: Vec<_> = sides.iter().filter_map(|side| Some(occupancy_of(side)?.size())).collect();
    let one_size = sizes.windows(2).all(|pair| pair[0] == pair[1]);
    let class = match (sides.len(), one_size) {
        (1, _) => "placements",
        (_, true) => "placements two",
        (_, false) => "placements two sizes",
    };
    let objects: Vec<(&String, Vec<ObjectPlane<'_>>)> = planes
        .iter()
        .map(|name| {
            (
                name,
                sides.iter().filter_map(|side| ObjectPlane::new(*side, name)).collect::<Vec<_>>(),
            )
        })
        .filter(|(_, planes)| planes.iter().any(|plane| plane.sum() > 0))
        .collect();
    let two = sides.len() > 1;
    html! {
        p {
            "Share of " (unit_noun(sides).1) " with an object on each cell. "
            @if two {
                "Each object has its own colour scale, shared by both configurations."
            } @else {
                "Each heat map has its own colour scale."
            }
        }
        (legend(sides))
        @for side in sides {
            @let [across, down] = side.results.occupancy.as_ref().map_or([1, 1], Occupancy::group);
            @if across > 1 || down > 1 {
                p {
                    "Cells" @if two { " of " (side.name) }
                    " are merged in groups of " (across) " by " (down) "."
                }
            }
        }
        @if !one_size { p { "The maps differ in size, so no difference is shown." } }
        div class=(class) {
            @for (name, planes) in &objects {
                @let top = planes.iter().map(|plane| plane.densest().1).fold(0.0, f64::max);
                figure {
                    figcaption { (name) @if !two { " " span { "up to " (format_share(top)) } } }
                    div {
                        @for plane in planes { (plane.draw(name, top, two)) }
                        @if let ([first, second], true) = (planes.as_slice(), one_size) {
                            (difference(name, top, first, second))
                        }
                    }
                }
            }
        }
        (summary_table(&objects, sides))
    }
}

/// Returns the placements of one side, if it has maps.
fn occupancy_of<'a>(side: &Side<'a>) -> Option<&'a Occupancy> {
    side.results.occupancy.as_ref().filter(|occupancy| occupancy.floors() > 0)
}

impl<'a> ObjectPlane<'a> {
    fn new(side: Side<'a>, name: &str) -> Option<ObjectPlane<'a>> {
        let plane = side.results.planes.iter().position(|plane| plane == name)?;
        Some(ObjectPlane { side, occupancy: occupancy_of(&side)?, plane })
    }

    fn sum(&self) -> u64 {
        self.occupancy.plane(self.plane).iter().sum()
    }

    fn cells(&self) -> usize {
        self.occupancy.plane(self.plane).len()
    }

    /// Returns the mean share of maps (of floors, for stacks) with the object on a cell of the
    /// group.
    fn share(&self, cell: usize) -> f64 {
        let all = self.occupancy.floors().saturating_mul(self.occupancy.cells_in(cell)).max(1);
        self.occupancy.plane(self.plane)[cell] as f64 / all as f64
    }

    /// Returns the group with the highest share, and that share.
    fn densest(&self) -> (usize, f64) {
        largest_magnitude((0..self.cells()).map(|cell| self.share(cell)))
    }

    /// Returns the first column and row of a group of cells.
    fn position(&self, cell: usize) -> [usize; 2] {
        let (columns, [across, down]) = (self.occupancy.columns().max(1), self.occupancy.group());
        [cell % columns * usize::from(across), cell / columns * usize::from(down)]
    }

    fn draw(&self, name: &str, top: f64, named: bool) -> Markup {
        let (best, max) = self.densest();
        let [column, row] = self.position(best);
        let (singular, plural) = unit_noun(&[self.side]);
        let owner = if named { format!(" of {}", self.side.name) } else { String::new() };
        let share = format_share(max);
        let aria = if max > 0.0 {
            format!(
                "{name}{owner}: most frequent at column {column}, row {row}, on {share} of {plural}"
            )
        } else {
            format!("{name}{owner}: on no {singular}")
        };
        let label =
            html! { @if named { span { i class={ "key " (self.side.class) } {} " " (share) } } };
        let shade = |cell: usize| (self.side.class, self.share(cell) / top);
        heat_map(self.occupancy, &aria, label, shade)
    }
}

/// Renders the difference of two placement maps in percentage points.
fn difference(name: &str, top: f64, first: &ObjectPlane<'_>, second: &ObjectPlane<'_>) -> Markup {
    let difference = |cell: usize| second.share(cell) - first.share(cell);
    let (cell, max) = largest_magnitude((0..first.cells()).map(difference));
    let [column, row] = first.position(cell);
    let more = if max > 0.0 { second.side.name } else { first.side.name };
    let points = points(max * 100.0, 1);
    let sign = if points.starts_with("less") { "" } else { "± " };
    let (aria, label) = if max == 0.0 {
        (format!("{name}: no difference"), "no difference".to_owned())
    } else {
        let aria = format!(
            "{name}, difference: largest at column {column}, row {row}, {points} more in {more}"
        );
        (aria, format!("{sign}{points}"))
    };
    let shade = |cell: usize| {
        let difference = difference(cell);
        (if difference > 0.0 { "second" } else { "first" }, difference.abs() / top)
    };
    heat_map(first.occupancy, &aria, html! { span { (label) } }, shade)
}

/// Returns the first number with the largest absolute value, and its index.
fn largest_magnitude(numbers: impl Iterator<Item = f64>) -> (usize, f64) {
    numbers
        .enumerate()
        .fold((0, 0.0), |best, next| if next.1.abs() > best.1.abs() { next } else { best })
}

/// Renders a small heat map. `shade` returns the colour class and strength of a cell.
fn heat_map(
    occupancy: &Occupancy,
    aria: &str,
    label: Markup,
    shade: impl Fn(usize) -> Shade,
) -> Markup {
    let (columns, rows) = (occupancy.columns(), occupancy.rows());
    let mut shades = [vec![String::new(); SHADES + 1], vec![String::new(); SHADES + 1]];
    for y in 0..rows {
        let shade_at = |x: usize| {
            let (class, strength) = shade(y * columns + x);
            let strength = (strength * SHADES as f64).ceil() as usize;
            (usize::from(class == "second"), strength.min(SHADES))
        };
        let line: Vec<(usize, (usize, usize))> = (0..columns).map(|x| (x, shade_at(x))).collect();
        for run in line.chunk_by(|a, b| a.1 == b.1) {
            let (x, (side, strength)) = run[0];
            if strength > 0 {
                let _ = write!(shades[side][strength], "M{x} {y}h{}v1H{x}z", run.len());
            }
        }
    }
    html! {
        div {
            svg viewBox={ "0 0 " (columns) " " (rows) } role="img" aria-label=(aria) {
                path.field d={ "M0 0h" (columns) "v" (rows) "H0z" } {}
                @for (class, shades) in ["first", "second"].iter().zip(&shades) {
                    @for (shade, path) in shades.iter().enumerate() {
                        @if !path.is_empty() {
                            @let strength = 0.06 + 0.94 * shade as f64 / SHADES as f64;
                            path class={ "hot " (class) }
                                fill-opacity=(format!("{strength:.2}")) d=(path) {}
                        }
                    }
                }
            }
            (label)
        }
    }
}

fn summary_table(objects: &[(&String, Vec<ObjectPlane<'_>>)], sides: &[Side<'_>]) -> Markup {
    let (singular, plural) = unit_noun(sides);
    let head = html! {
        tr {
            (heads(["object"])) @if sides.len() > 1 { (heads(["configuration"])) }
            (heads([
                format!("per {singular} on average"),
                "most frequent column, row".to_owned(),
                format!("share of {plural}"),
            ]))
        }
    };
    let cells = |plane: &ObjectPlane<'_>| {
        let (best, share) = plane.densest();
        let [column, row] = plane.position(best).map(|index| integer(index as i128));
        let mean = number(plane.sum() as f64 / plane.occupancy.floors().max(1) as f64);
        let owner = (sides.len() > 1).then(|| plane.side.label(sides));
        owner.into_iter().chain(
            [mean, format!("{column}, {row}"), format_share(share)].map(|text| text.render()),
        )
    };
    let rows = html! {
        @for (name, planes) in objects { @for plane in planes { (row(name, cells(plane))) } }
    };
    html! { details { summary { "As a table" } (table(head, rows)) } }
}

/// Returns the noun of the counted unit in singular and plural: floors for stacks of floors, else
/// maps.
fn unit_noun(sides: &[Side<'_>]) -> (&'static str, &'static str) {
    if sides.iter().any(|side| side.results.family.shape() == MapShape::Stack) {
        ("floor", "floors")
    } else {
        ("map", "maps")
    }
}

/// Formats a share as a percentage.
fn format_share(share: f64) -> String {
    match share {
        0.0 => "0 %".to_owned(),
        1.0 => "100 %".to_owned(),
        share if share < 0.000_5 => "< 0.1 %".to_owned(),
        share if share >= 0.999_5 => "> 99.9 %".to_owned(),
        _ => format!("{:.1} %", share * 100.0),
    }
}
