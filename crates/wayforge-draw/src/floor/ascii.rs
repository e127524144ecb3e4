//! Renders floors as text, in the notation of templates.

use super::glyphs::Glyph;
use super::{FloorPanel, FloorScene};
use crate::ascii::AsciiStyle;
use std::fmt::Write;
use wayforge::grid::Pos;

/// Maximum line width of towers and legends, in characters.
const WRAP: usize = 78;

/// Renders floors as text.
///
/// The output is strictly ASCII, and every line ends in a line feed. Rows use the notation of
/// templates: `#` wall, `.` floor, `<` entrance, `>` exit, `+` door, `^` trap, `$` chest, `~`
/// water, `e` enemy, `i` item, `r` relic, `n` npc, and `@` the climber. The floors of a tower are
/// side by side, the lowest at the bottom left.
///
/// # Examples
///
/// ```
/// use wayforge::floor;
/// use wayforge_draw::{FloorScene, AsciiStyle, floor_ascii};
/// let floor = floor::generate(42.into(), &floor::Config::default().resolve()?)?;
/// let text = floor_ascii(&FloorScene::from_floor(&floor), AsciiStyle::Plain);
/// assert!(text.starts_with(&floor.to_string()));
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
pub fn floor_ascii(scene: &FloorScene, style: AsciiStyle) -> String {
    let mut out = String::new();
    let panel_width = |panel: &FloorPanel| usize::from(panel.size.width).max(panel.label.len());
    let widest = scene.panels.iter().map(panel_width).max().unwrap_or(1);
    let columns = (WRAP / (widest + 3)).max(1);
    let lines: Vec<&[FloorPanel]> = scene.panels.chunks(columns).collect();
    for line in lines.into_iter().rev() {
        if line.iter().any(|panel| !panel.label.is_empty()) {
            let labels: Vec<String> =
                line.iter().map(|panel| format!("{:<widest$}", panel.label)).collect();
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
                (0..width).for_each(|x| put(&mut text, glyph(panel, Pos { x, y }), style));
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

fn glyph(panel: &FloorPanel, pos: Pos) -> Glyph {
    if panel.climber == Some(pos) {
        return Glyph::Climber;
    }
    match panel.entities.iter().find(|entity| entity.1 == pos) {
        Some(&(kind, _)) => panel.entity(kind, pos),
        None => Glyph::Tile(panel.tile_at(pos)),
    }
}

fn put(text: &mut String, glyph: Glyph, style: AsciiStyle) {
    match (style, glyph.sgr()) {
        (AsciiStyle::Plain, _) | (_, "") => text.push(glyph.symbol()),
        (AsciiStyle::Colour, sgr) => {
            let _ = write!(text, "\x1b[{sgr}m{}\x1b[0m", glyph.symbol());
        }
    }
}
