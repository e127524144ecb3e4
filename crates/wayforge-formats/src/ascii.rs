//! Maps as plain text. The kind of content is detected from the characters.

use crate::content::{Content, ContentKind};
use crate::error::{FormatError, reject};
use crate::registry::Source;
use std::io::Write;
use wayforge::AnyMap;
use wayforge::floor::{EntityKind, Template, TileKind};
use wayforge::grid::{Pos, Size};
use wayforge::level::Blueprint;
use wayforge::nav::NavGrid;
use wayforge_draw::{AnyScene, AsciiStyle};

/// Reads a text drawing. Without a hint, an `O` means a blueprint, `<` together with `>` a
/// template, anything else a navigation grid.
pub(crate) fn read(from: &Source<'_>) -> Result<Content, FormatError> {
    let bytes = from.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(from.bytes);
    let text = std::str::from_utf8(bytes)
        .map_err(|error| reject("text", "bytes", error.to_string(), "use plain text in UTF-8"))?;
    let kind = from.hint.unwrap_or_else(|| {
        match (text.contains('O'), text.contains('<') && text.contains('>')) {
            (true, _) => ContentKind::Blueprint,
            (false, true) => ContentKind::Template,
            (false, false) => ContentKind::NavGrid,
        }
    });
    match kind {
        ContentKind::Blueprint => {
            let rows: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
            Ok(Content::Blueprint(Blueprint::from_rows(&rows)?))
        }
        ContentKind::Template => {
            let id = from.name.rsplit_once('.').map_or(from.name, |(stem, _)| stem);
            let template = Template::from_ascii(id, text);
            template.size()?;
            Ok(Content::Template(template))
        }
        ContentKind::NavGrid => Ok(Content::NavGrid(NavGrid::from_text(text.trim_end())?)),
        other => {
            let remedy = "use blueprint, template or grid";
            Err(reject("text", other, "cannot be read from a text drawing", remedy))
        }
    }
}

/// Writes contents as text, separated by empty lines. Every kind of content has a text form.
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
        // The picture of a floor has a legend, so the floor is written in template notation only.
        Content::Map(AnyMap::Floor(floor)) => write!(out, "{floor}")?,
        Content::Map(map) => {
            out.write_all(AnyScene::from_map(map).ascii(AsciiStyle::Plain).as_bytes())?;
        }
        Content::Blueprint(blueprint) => write!(out, "{blueprint}")?,
        Content::Template(template) => {
            for row in &template.rows {
                let row: String = row.chars().map(|c| standard_symbol(template, c)).collect();
                writeln!(out, "{row}")?;
            }
        }
        // `#` is blocked, `.` open, and a digit open with that magnitude, capped at 9.
        Content::NavGrid(grid) => {
            write_rows(grid, out, "\n", |pos| match (grid.is_open(pos), grid.magnitude(pos)) {
                (false, _) => b'#',
                (true, 0) => b'.',
                (true, magnitude) => b'0' + magnitude.min(9),
            })?;
        }
        Content::Queries(queries) => {
            for query in queries {
                writeln!(out, "{} -> {}", join(&query.sources), join(&query.targets))?;
            }
        }
    }
    Ok(())
}

/// Replaces a character of the template's own legend with the standard character of the same kind,
/// because plain text has no legend.
fn standard_symbol(template: &Template, c: char) -> char {
    let (tile, entity) = template.kinds_of(c);
    tile.map(TileKind::symbol).or(entity.map(EntityKind::symbol)).unwrap_or(c)
}

/// Writes one byte per tile, row by row, and `end` after each row.
pub(crate) fn write_rows(
    grid: &NavGrid,
    out: &mut dyn Write,
    end: &str,
    byte: impl Fn(Pos) -> u8,
) -> std::io::Result<()> {
    let Size { width, height } = grid.size();
    let mut row = Vec::with_capacity(usize::from(width) + end.len());
    for y in 0..height {
        row.clear();
        row.extend((0..width).map(|x| byte(Pos { x, y })));
        row.extend_from_slice(end.as_bytes());
        out.write_all(&row)?;
    }
    Ok(())
}

/// Formats cells separated by spaces.
pub(crate) fn join(cells: &[Pos]) -> String {
    cells.iter().map(Pos::to_string).collect::<Vec<_>>().join(" ")
}
