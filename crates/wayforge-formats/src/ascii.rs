//! Maps as plain text. What a text is, its characters tell.

use crate::content::{Content, What};
use crate::error::{FormatError, refuse};
use std::io::Write;
use wayforge::floor::{EntityKind, Template, TileKind};
use wayforge::grid::Pos;
use wayforge::level::Blueprint;
use wayforge::nav::Water;
use wayforge_draw::{FloorScene, Paint, Scene, ascii, ascii_floors};

/// Reads a drawing. An `O` makes it a blueprint, a `<` with a `>` a template, and the rest is water and land, unless `hint` says.
pub(crate) fn read(bytes: &[u8], name: &str, hint: Option<What>) -> Result<Content, FormatError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes)
        .map_err(|error| refuse("text", "bytes", error.to_string(), "give plain text"))?;
    let what = hint.unwrap_or_else(|| match (text.contains('O'), text.contains('<') && text.contains('>')) {
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
            let id = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            let template = Template::from_ascii(id, text);
            template.size()?;
            Ok(Content::Template(template))
        }
        What::Water => Ok(Content::Water(Water::from_text(text.trim_end())?)),
        other => {
            let remedy = "use blueprint, template or water";
            Err(refuse("text", other, "cannot be read from a drawing", remedy))
        }
    }
}

/// Writes a map as text: the one form that all of them have.
pub(crate) fn write(content: &Content, out: &mut dyn Write) -> Result<(), FormatError> {
    match content {
        Content::Act(map) => out.write_all(ascii(&Scene::of_act(map), Paint::Plain).as_bytes())?,
        Content::Level(level) => write!(out, "{}", level.blueprint)?,
        Content::Blueprint(blueprint) => write!(out, "{blueprint}")?,
        Content::Floor(floor) => write!(out, "{floor}")?,
        Content::Template(template) => {
            for row in &template.rows {
                let row: String = row.chars().map(|c| standard(template, c)).collect();
                writeln!(out, "{row}")?;
            }
        }
        Content::Tower(tower) => {
            out.write_all(ascii_floors(&FloorScene::of_tower(tower), Paint::Plain).as_bytes())?;
        }
        Content::Water(water) => write_water(water, out)?,
        Content::Queries(queries) => {
            for asked in queries {
                let cells = |list: &[Pos]| list.iter().map(Pos::to_string).collect::<Vec<_>>().join(" ");
                writeln!(out, "{} -> {}", cells(&asked.sources), cells(&asked.targets))?;
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

/// `#` is land, `.` water, a digit water of that magnitude; what is deeper than 9 is written as 9.
fn write_water(water: &Water, out: &mut dyn Write) -> Result<(), FormatError> {
    let size = water.size();
    let mut row = Vec::with_capacity(usize::from(size.width) + 1);
    for y in 0..size.height {
        row.clear();
        row.extend((0..size.width).map(|x| {
            match (water.is_open(Pos { x, y }), water.magnitude(Pos { x, y })) {
                (false, _) => b'#',
                (true, 0) => b'.',
                (true, magnitude) => b'0' + magnitude.min(9),
            }
        }));
        row.push(b'\n');
        out.write_all(&row)?;
    }
    Ok(())
}
