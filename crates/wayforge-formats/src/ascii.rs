//! Maps as plain text. What a text is, its characters tell.

use crate::content::{Content, What};
use crate::error::{FormatError, reject};
use crate::registry::Source;
use std::io::Write;
use wayforge::AnyMap;
use wayforge::floor::{EntityKind, Template, TileKind};
use wayforge::grid::{Pos, Size};
use wayforge::level::Blueprint;
use wayforge::nav::Water;
use wayforge_draw::{FloorScene, Paint, Scene, ascii, ascii_floors};

/// Reads a drawing. An `O` makes it a blueprint, a `<` with a `>` a template, and the rest is water and land, unless `hint` says.
pub(crate) fn read(from: &Source<'_>) -> Result<Content, FormatError> {
    let bytes = from.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(from.bytes);
    let text = std::str::from_utf8(bytes)
        .map_err(|error| reject("text", "bytes", error.to_string(), "give plain text"))?;
    let what =
        from.hint.unwrap_or_else(|| match (text.contains('O'), text.contains('<') && text.contains('>')) {
            (true, _) => What::Blueprint,
            (false, true) => What::Template,
            (false, false) => What::Water,
        });
    match what {
        What::Blueprint => {
            let rows: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
            Ok(Content::Blueprint(Blueprint::from_rows(&rows)?))
        }
        What::Template => {
            let id = from.name.rsplit_once('.').map_or(from.name, |(stem, _)| stem);
            let template = Template::from_ascii(id, text);
            template.size()?;
            Ok(Content::Template(template))
        }
        What::Water => Ok(Content::Water(Water::from_text(text.trim_end())?)),
        other => {
            let remedy = "use blueprint, template or water";
            Err(reject("text", other, "cannot be read from a drawing", remedy))
        }
    }
}

/// Writes maps as text, the one form that all of them have, with empty lines between them.
pub(crate) fn write(contents: &[Content], out: &mut dyn Write) -> Result<(), FormatError> {
    for (n, content) in contents.iter().enumerate() {
        if n > 0 {
            out.write_all(b"\n")?;
        }
        write_one(content, out)?;
    }
    Ok(())
}

fn write_one(content: &Content, out: &mut dyn Write) -> Result<(), FormatError> {
    match content {
        Content::Map(AnyMap::Act(map)) => {
            out.write_all(ascii(&Scene::of_act(map), Paint::Plain).as_bytes())?;
        }
        Content::Map(AnyMap::Level(level)) => write!(out, "{}", level.blueprint)?,
        Content::Map(AnyMap::Floor(floor)) => write!(out, "{floor}")?,
        Content::Map(AnyMap::Tower(tower)) => {
            out.write_all(ascii_floors(&FloorScene::of_tower(tower), Paint::Plain).as_bytes())?;
        }
        Content::Blueprint(blueprint) => write!(out, "{blueprint}")?,
        Content::Template(template) => {
            for row in &template.rows {
                let row: String = row.chars().map(|c| standard(template, c)).collect();
                writeln!(out, "{row}")?;
            }
        }
        // `#` is land, `.` water, a digit water of that magnitude; what is deeper than 9 is written as 9.
        Content::Water(water) => {
            write_rows(water, out, "\n", |pos| match (water.is_open(pos), water.magnitude(pos)) {
                (false, _) => b'#',
                (true, 0) => b'.',
                (true, magnitude) => b'0' + magnitude.min(9),
            })?;
        }
        Content::Queries(queries) => {
            for asked in queries {
                writeln!(out, "{} -> {}", join(&asked.sources), join(&asked.targets))?;
            }
        }
    }
    Ok(())
}

/// The character of all templates for what a character of this one stands for: a text has no legend.
fn standard(template: &Template, c: char) -> char {
    let Some(meaning) = template.legend.get(&c.to_string()) else { return c };
    let tile = TileKind::ALL.into_iter().find(|kind| kind.name() == meaning.kind).map(TileKind::symbol);
    let entity = EntityKind::ALL.into_iter().find(|kind| kind.name() == meaning.kind).map(EntityKind::symbol);
    tile.or(entity).unwrap_or(c)
}

/// Writes one byte for each tile of water, row by row, and `end` after each row.
pub(crate) fn write_rows(
    water: &Water,
    out: &mut dyn Write,
    end: &str,
    byte: impl Fn(Pos) -> u8,
) -> std::io::Result<()> {
    let Size { width, height } = water.size();
    let mut row = Vec::with_capacity(usize::from(width) + end.len());
    for y in 0..height {
        row.clear();
        row.extend((0..width).map(|x| byte(Pos { x, y })));
        row.extend_from_slice(end.as_bytes());
        out.write_all(&row)?;
    }
    Ok(())
}

/// Cells with spaces between them.
pub(crate) fn join(cells: &[Pos]) -> String {
    cells.iter().map(Pos::to_string).collect::<Vec<_>>().join(" ")
}
