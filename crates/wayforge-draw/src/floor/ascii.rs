//! Floors as text: the rows that templates are written in.

use super::glyphs::Glyph;
use super::{FloorScene, Panel};
use crate::ascii::Paint;
use std::fmt::Write;
use wayforge::grid::Pos;

/// The widest line of a tower.
const WRAP: usize = 78;

/// Draws floors as text.
///
/// * **Arguments.** The scene, and whether to colour it.
/// * **Returns.** Lines that end in a line feed, strictly ASCII. A floor's rows are those of a template: `#` wall, `.` floor, `<`
///   entrance, `>` exit, `+` door, `^` trap, `$` chest, `~` water, `e` enemy, `i` item, `r` relic, `n` npc, and `@` who climbs.
///   The floors of a tower stand side by side, the lowest at the bottom left.
///
/// ```
/// use wayforge::floor;
/// use wayforge_draw::{FloorScene, Paint, ascii_floors};
/// let floor = floor::generate(42.into(), &floor::Config::default().resolve()?)?;
/// let text = ascii_floors(&FloorScene::of_floor(&floor), Paint::Plain);
/// assert!(text.starts_with(&floor.to_string()));
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub fn ascii_floors(scene: &FloorScene, paint: Paint) -> String {
    let mut out = String::new();
    let wide = |panel: &Panel| usize::from(panel.size.width).max(panel.label.len());
    let widest = scene.panels.iter().map(wide).max().unwrap_or(1);
    let across = (WRAP / (widest + 3)).max(1);
    let lines: Vec<&[Panel]> = scene.panels.chunks(across).collect();
    for line in lines.into_iter().rev() {
        if line.iter().any(|panel| !panel.label.is_empty()) {
            let labels: Vec<String> = line.iter().map(|panel| format!("{:<widest$}", panel.label)).collect();
            let _ = writeln!(out, "{}", labels.join("   ").trim_end());
        }
        let tallest = line.iter().map(|panel| panel.size.height).max().unwrap_or(0);
        for y in 0..tallest {
            let mut text = String::new();
            for (n, panel) in line.iter().enumerate() {
                if n > 0 {
                    text.push_str("   ");
                }
                let width = if y < panel.size.height { panel.size.width } else { 0 };
                (0..width).for_each(|x| put(&mut text, glyph(panel, Pos { x, y }), paint));
                text.extend(std::iter::repeat_n(' ', widest - usize::from(width)));
            }
            let _ = writeln!(out, "{}", text.trim_end());
        }
        out.push('\n');
    }
    let mut legend = String::new();
    for entry in &scene.legend {
        let text = format!("{} {} {}", entry.glyph.symbol(), entry.name, entry.count);
        let used = legend.rsplit('\n').next().map_or(0, str::len);
        if used > 0 {
            legend.push_str(if used + text.len() + 3 > WRAP { "\n" } else { "   " });
        }
        legend.push_str(&text);
    }
    let _ = writeln!(out, "{legend}\n{}: {}", scene.title, scene.caption);
    out
}

fn glyph(panel: &Panel, pos: Pos) -> Glyph {
    if panel.climber == Some(pos) {
        return Glyph::Climber;
    }
    match panel.entities.iter().find(|entity| entity.1 == pos) {
        Some(_) if panel.bosses.contains(&pos) => Glyph::Boss,
        Some(&(kind, _)) => Glyph::Entity(kind),
        None => Glyph::Tile(panel.tile_at(pos)),
    }
}

fn put(text: &mut String, glyph: Glyph, paint: Paint) {
    match (paint, glyph.sgr()) {
        (Paint::Plain, _) | (_, "") => text.push(glyph.symbol()),
        (Paint::Colour, sgr) => {
            let _ = write!(text, "\x1b[{sgr}m{}\x1b[0m", glyph.symbol());
        }
    }
}
