//! What stands where: one small heat map for each thing; of two configurations, one beside the other in the same strengths of colour, and
//! then their difference.

use crate::report::frame::{heads, row, table};
use crate::report::side::{Shade, Side, legend};
use crate::report::words::{number, points, whole};
use crate::search::Occupancy;
use maud::{Markup, Render, html};
use std::fmt::Write;
use wayforge::Family;

/// Shades of a heat map.
const SHADES: usize = 12;

/// How often one thing stands where, on one side.
struct Plane<'a> {
    side: Side<'a>,
    occupancy: &'a Occupancy,
    at: usize,
}

pub(crate) fn section(sides: &[Side<'_>], planes: &[String]) -> Markup {
    let sizes: Vec<_> = sides.iter().filter_map(|side| Some(counted(side)?.size())).collect();
    let one_size = sizes.windows(2).all(|pair| pair[0] == pair[1]);
    let class = match (sides.len(), one_size) {
        (1, _) => "places",
        (_, true) => "places two",
        (_, false) => "places two sizes",
    };
    let things: Vec<(&String, Vec<Plane<'_>>)> = planes
        .iter()
        .map(|name| (name, sides.iter().filter_map(|side| Plane::of(*side, name)).collect::<Vec<_>>()))
        .filter(|(_, found)| found.iter().any(|plane| plane.sum() > 0))
        .collect();
    let two = sides.len() > 1;
    html! {
        p {
            "On how many " (sheets(sides).1) " a thing stands on a cell. "
            @if two { "Each thing has its own scale, the same for both." } @else { "Each picture has its own scale." }
        }
        (legend(sides))
        @for side in sides {
            @let [across, down] = side.found.occupancy.as_ref().map_or([1, 1], Occupancy::group);
            @if across > 1 || down > 1 {
                p {
                    "Cells" @if two { " of " (side.name) }
                    " are counted together in groups of " (across) " by " (down) "."
                }
            }
        }
        @if !one_size { p { "The maps of both are not of one size, so there is no difference to draw." } }
        div class=(class) {
            @for (name, found) in &things {
                @let top = found.iter().map(|plane| plane.densest().1).fold(0.0, f64::max);
                figure {
                    figcaption { (name) @if !two { " " span { "up to " (in_percent(top)) } } }
                    div {
                        @for plane in found { (plane.draw(name, top, two)) }
                        @if let ([first, second], true) = (found.as_slice(), one_size) {
                            (difference(name, top, first, second))
                        }
                    }
                }
            }
        }
        (numbers(&things, sides))
    }
}

/// What stands where on one side, if it has maps.
fn counted<'a>(side: &Side<'a>) -> Option<&'a Occupancy> {
    side.found.occupancy.as_ref().filter(|occupancy| occupancy.floors() > 0)
}

impl<'a> Plane<'a> {
    fn of(side: Side<'a>, name: &str) -> Option<Plane<'a>> {
        let at = side.found.planes.iter().position(|plane| plane == name)?;
        Some(Plane { side, occupancy: counted(&side)?, at })
    }

    fn sum(&self) -> u64 {
        self.occupancy.plane(self.at).iter().sum()
    }

    fn cells(&self) -> usize {
        self.occupancy.plane(self.at).len()
    }

    /// The share of maps, or of floors of towers, on which a cell of a group holds the thing.
    fn share(&self, cell: usize) -> f64 {
        let all = self.occupancy.floors().saturating_mul(self.occupancy.cells_at(cell)).max(1);
        self.occupancy.plane(self.at)[cell] as f64 / all as f64
    }

    /// Where it stands most often.
    fn densest(&self) -> (usize, f64) {
        farthest((0..self.cells()).map(|cell| self.share(cell)))
    }

    /// Column and row of a group of cells.
    fn place(&self, cell: usize) -> [usize; 2] {
        let (columns, [across, down]) = (self.occupancy.columns().max(1), self.occupancy.group());
        [cell % columns * usize::from(across), cell / columns * usize::from(down)]
    }

    fn draw(&self, name: &str, top: f64, named: bool) -> Markup {
        let (best, most) = self.densest();
        let [column, row] = self.place(best);
        let (one, several) = sheets(&[self.side]);
        let who = if named { format!(" of {}", self.side.name) } else { String::new() };
        let share = in_percent(most);
        let aria = match most > 0.0 {
            true => format!("{name}{who}: most often at column {column}, row {row}, on {share} of {several}"),
            false => format!("{name}{who}: on no {one}"),
        };
        let label = html! { @if named { span { i class={ "key " (self.side.class) } {} " " (share) } } };
        let shade = |cell: usize| (self.side.class, self.share(cell) / top);
        picture(self.occupancy, &aria, label, shade)
    }
}

/// By how many points of a hundred a thing stands on a cell more often on one side than on the other.
fn difference(name: &str, top: f64, first: &Plane<'_>, second: &Plane<'_>) -> Markup {
    let moved = |cell: usize| second.share(cell) - first.share(cell);
    let (cell, most) = farthest((0..first.cells()).map(moved));
    let [column, row] = first.place(cell);
    let more = if most > 0.0 { second.side.name } else { first.side.name };
    let points = points(most * 100.0, 1);
    let sign = if points.starts_with("less") { "" } else { "± " };
    let where_most = format!("the largest at column {column}, row {row}, {points} more of {more}");
    let (aria, label) = match most == 0.0 {
        true => (format!("{name}: no difference"), "no difference".to_owned()),
        false => (format!("{name}, the difference: {where_most}"), format!("{sign}{points}")),
    };
    let shade = |cell: usize| {
        let moved = moved(cell);
        (if moved > 0.0 { "second" } else { "first" }, moved.abs() / top)
    };
    picture(first.occupancy, &aria, html! { span { (label) } }, shade)
}

/// The first of the numbers that are farthest from 0, with its index.
fn farthest(numbers: impl Iterator<Item = f64>) -> (usize, f64) {
    numbers.enumerate().fold((0, 0.0), |best, next| if next.1.abs() > best.1.abs() { next } else { best })
}

/// A small heat map; `shade` says whose colour a cell has, and how strong it is.
fn picture(occupancy: &Occupancy, aria: &str, label: Markup, shade: impl Fn(usize) -> Shade) -> Markup {
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
            let (x, (whose, strength)) = run[0];
            if strength > 0 {
                let _ = write!(shades[whose][strength], "M{x} {y}h{}v1H{x}z", run.len());
            }
        }
    }
    html! {
        div {
            svg viewBox={ "0 0 " (columns) " " (rows) } role="img" aria-label=(aria) {
                path.field d={ "M0 0h" (columns) "v" (rows) "H0z" } {}
                @for (class, shades) in ["first", "second"].iter().zip(&shades) {
                    @for (shade, path) in shades.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
                        @let strength = 0.06 + 0.94 * shade as f64 / SHADES as f64;
                        path class={ "hot " (class) } fill-opacity=(format!("{strength:.2}")) d=(path) {}
                    }
                }
            }
            (label)
        }
    }
}

fn numbers(things: &[(&String, Vec<Plane<'_>>)], sides: &[Side<'_>]) -> Markup {
    let (one, several) = sheets(sides);
    let head = html! {
        tr {
            (heads(["thing"])) @if sides.len() > 1 { (heads(["configuration"])) }
            (heads([
                format!("on a {one}, on average"),
                "most often at column, row".to_owned(),
                format!("there on, of {several}"),
            ]))
        }
    };
    let cells = |plane: &Plane<'_>| {
        let (best, share) = plane.densest();
        let [column, row] = plane.place(best).map(|place| whole(place as i128));
        let mean = number(plane.sum() as f64 / plane.occupancy.floors().max(1) as f64);
        let whose = (sides.len() > 1).then(|| plane.side.label(sides));
        whose
            .into_iter()
            .chain([mean, format!("{column}, {row}"), in_percent(share)].map(|told| told.render()))
    };
    let rows = html! {
        @for (name, found) in things { @for plane in found { (row(name, cells(plane))) } }
    };
    html! { details { summary { "As a table" } (table(head, rows)) } }
}

/// What lies over each other here, one and several: the floors of towers, and maps of everything else.
fn sheets(sides: &[Side<'_>]) -> (&'static str, &'static str) {
    match sides.iter().any(|side| side.found.family == Family::Tower) {
        true => ("floor", "floors"),
        false => ("map", "maps"),
    }
}

/// A share in percent.
fn in_percent(share: f64) -> String {
    match share {
        0.0 => "0 %".to_owned(),
        1.0 => "100 %".to_owned(),
        share if share < 0.000_5 => "< 0.1 %".to_owned(),
        share if share >= 0.999_5 => "> 99.9 %".to_owned(),
        _ => format!("{:.1} %", share * 100.0),
    }
}
