//! What stands where: one small heat map for each thing.

use crate::words::{number, text, whole};
use std::fmt::Write;
use wayforge_search::{Findings, Occupancy};

/// Shades of a heat map.
const SHADES: usize = 12;

pub(crate) fn write(page: &mut String, found: &Findings, name: &str) {
    let Some(occupancy) = found.occupancy.as_ref().filter(|occupancy| occupancy.floors() > 0) else { return };
    let shown: Vec<(usize, &String)> = found
        .planes
        .iter()
        .enumerate()
        .filter(|(at, _)| occupancy.plane(*at).iter().any(|&count| count > 0))
        .collect();
    let [across, down] = occupancy.group();
    if across > 1 || down > 1 {
        let _ = write!(page, "<p>Cells are counted together in groups of {across} by {down}.</p>");
    }
    if !name.is_empty() {
        let _ = write!(page, "<h3 class=\"which\">{}</h3>", text(name));
    }
    page.push_str("<div class=\"places\">\n");
    for &(at, plane) in &shown {
        picture(page, occupancy, at, plane);
    }
    page.push_str("</div>\n<details><summary>As a table</summary><table><thead><tr><th scope=\"col\">thing</th><th scope=\"col\">on a map, on average</th>\
         <th scope=\"col\">most often at column, row</th><th scope=\"col\">there on</th></tr></thead><tbody>");
    for &(at, plane) in &shown {
        let sum: u64 = occupancy.plane(at).iter().sum();
        let (best, share) = densest(occupancy, at);
        let _ = write!(
            page,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}, {}</td><td>{}</td></tr>",
            text(plane),
            number(sum as f64 / found.maps.max(1) as f64),
            whole((best % occupancy.columns()) as i128 * i128::from(across)),
            whole((best / occupancy.columns()) as i128 * i128::from(down)),
            in_percent(share)
        );
    }
    page.push_str("</tbody></table></details>\n");
}

/// The share of maps on which a cell of a group holds the thing.
fn share(occupancy: &Occupancy, plane: usize, at: usize) -> f64 {
    let all = occupancy.floors().saturating_mul(occupancy.cells_at(at)).max(1);
    occupancy.plane(plane)[at] as f64 / all as f64
}

fn densest(occupancy: &Occupancy, plane: usize) -> (usize, f64) {
    let mut best = (0, 0.0);
    for at in 0..occupancy.plane(plane).len() {
        let share = share(occupancy, plane, at);
        if share > best.1 {
            best = (at, share);
        }
    }
    best
}

fn picture(page: &mut String, occupancy: &Occupancy, plane: usize, name: &str) {
    let (columns, rows) = (occupancy.columns(), occupancy.rows());
    let (best, top) = densest(occupancy, plane);
    let mut shades = vec![String::new(); SHADES + 1];
    for y in 0..rows {
        let shade_at = |x: usize| {
            let share = share(occupancy, plane, y * columns + x);
            if share == 0.0 { 0 } else { ((share / top * SHADES as f64).ceil() as usize).clamp(1, SHADES) }
        };
        let line: Vec<(usize, usize)> = (0..columns).map(|x| (x, shade_at(x))).collect();
        for run in line.chunk_by(|a, b| a.1 == b.1).filter(|run| run[0].1 > 0) {
            let _ = write!(shades[run[0].1], "M{} {y}h{}v1H{}z", run[0].0, run.len(), run[0].0);
        }
    }
    let _ = write!(
        page,
        "<figure><svg viewBox=\"0 0 {columns} {rows}\" role=\"img\" aria-label=\"{}: most often at column {}, row {}, on {} of maps\"><path class=\"field\" d=\"M0 0h{columns}v{rows}H0z\"/>",
        text(name),
        best % columns * usize::from(occupancy.group()[0]),
        best / columns * usize::from(occupancy.group()[1]),
        in_percent(top)
    );
    for (shade, path) in shades.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let strength = 0.06 + 0.94 * shade as f64 / SHADES as f64;
        let _ = write!(page, "<path class=\"hot\" fill-opacity=\"{strength:.2}\" d=\"{path}\"/>");
    }
    let _ = writeln!(
        page,
        "</svg><figcaption>{} <span>up to {}</span></figcaption></figure>",
        text(name),
        in_percent(top)
    );
}

/// A share of maps in percent.
fn in_percent(share: f64) -> String {
    let told = format!("{:.1} %", share * 100.0);
    if told == "100.0 %" { "100 %".to_owned() } else { told }
}
