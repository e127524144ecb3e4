//! CSV export: one row of metrics per map. The columns depend on the family.

use crate::ascii::join;
use crate::content::Content;
use crate::error::{FormatError, reject};
use crate::queries::QueryRecord;
use std::collections::BTreeSet;
use std::io::Write;
use wayforge::act::{ActMap, Node};
use wayforge::floor::{Budget, Floor, TileKind};
use wayforge::grid::Size;
use wayforge::level::{Level, Symbol};
use wayforge::{AnyMap, Document};

/// Column name and value.
type Cell = (String, String);

/// Writes a header and one row per map. All contents must be of the same kind.
pub(crate) fn write(contents: &[Content], out: &mut dyn Write) -> Result<(), FormatError> {
    let Some(first) = contents.first().map(Content::kind) else { return Ok(()) };
    if let Some(other) = contents.iter().find(|content| content.kind() != first) {
        let problem =
            format!("the columns of the file are those of its first map, of kind {first}");
        return Err(reject("csv", other.kind(), problem, "write maps of one family into one file"));
    }
    if let [Content::Queries(queries)] = contents {
        return Ok(write_queries(queries, out)?);
    }
    // Act maps can define different kinds of nodes, so the columns are the union over all maps.
    let mut seen = BTreeSet::new();
    let names = contents.iter().flat_map(row).map(|(name, _)| name);
    let names: Vec<String> = names.filter(|name| seen.insert(name.clone())).collect();
    write_row(names.iter().map(String::as_str), out)?;
    for content in contents {
        let cells = row(content);
        let value = |name: &String| {
            cells.iter().find(|cell| cell.0 == *name).map_or("", |cell| cell.1.as_str())
        };
        write_row(names.iter().map(value), out)?;
    }
    Ok(())
}

fn write_queries(queries: &[QueryRecord], out: &mut dyn Write) -> std::io::Result<()> {
    write_row(["sources", "targets", "length"].into_iter(), out)?;
    for query in queries {
        let length = query.length.map_or_else(String::new, |length| length.to_string());
        write_row(
            [join(&query.sources), join(&query.targets), length].iter().map(String::as_str),
            out,
        )?;
    }
    Ok(())
}

/// Writes a CSV row. Fields with commas, quotes or line breaks are quoted.
fn write_row<'a>(cells: impl Iterator<Item = &'a str>, out: &mut dyn Write) -> std::io::Result<()> {
    for (n, cell) in cells.enumerate() {
        if n > 0 {
            out.write_all(b",")?;
        }
        if cell.contains([',', '"', '\n', '\r']) {
            write!(out, "\"{}\"", cell.replace('"', "\"\""))?;
        } else {
            out.write_all(cell.as_bytes())?;
        }
    }
    out.write_all(b"\r\n")
}

/// Returns the names and values of a row; empty for content without metrics.
fn row(content: &Content) -> Vec<Cell> {
    let mut cells = Vec::new();
    match content {
        Content::Map(map) => {
            let Document { algorithm, seed, digest, .. } = map.to_document();
            let provenance = [
                ("algorithm", algorithm),
                ("seed", seed.to_string()),
                ("digest", digest.to_string()),
            ];
            cells.extend(provenance.map(|(name, value)| (name.to_owned(), value)));
            match map {
                AnyMap::Act(map) => act_cells(&mut cells, map),
                AnyMap::Level(level) => level_cells(&mut cells, level),
                AnyMap::Floor(floor) => floor_cells(&mut cells, std::slice::from_ref(&**floor)),
                AnyMap::Tower(tower) => {
                    push_numbers(&mut cells, [("floors", tower.floors.len())]);
                    floor_cells(&mut cells, &tower.floors);
                }
            }
        }
        Content::NavGrid(grid) => {
            let land = grid.size().cells() - grid.open_count();
            push_size(&mut cells, grid.size());
            push_numbers(&mut cells, [("water", grid.open_count()), ("land", land)]);
        }
        Content::Blueprint(_) | Content::Template(_) | Content::Queries(_) => {}
    }
    cells
}

fn push_numbers<const N: usize>(cells: &mut Vec<Cell>, columns: [(&str, usize); N]) {
    cells.extend(columns.map(|(name, value)| (name.to_owned(), value.to_string())));
}

fn push_size(cells: &mut Vec<Cell>, Size { width, height }: Size) {
    push_numbers(cells, [("width", width.into()), ("height", height.into())]);
}

fn act_cells(cells: &mut Vec<Cell>, map: &ActMap) {
    let (rows, cols) = (map.spec.rows().into(), map.spec.cols().into());
    push_numbers(cells, [("rows", rows), ("cols", cols), ("nodes", map.nodes.len())]);
    push_numbers(cells, [("edges", map.edges.len()), ("walks", map.walks.len())]);
    for (id, kind) in map.kinds().iter().enumerate() {
        let has_kind = |node: &&Node| node.kind.is_some_and(|kind| usize::from(kind.0) == id);
        push_numbers(
            cells,
            [(&format!("kind {}", kind.name), map.nodes.iter().filter(has_kind).count())],
        );
    }
    cells.push(("dead_ends".to_owned(), map.attempts.dead_ends.to_string()));
}

fn level_cells(cells: &mut Vec<Cell>, level: &Level) {
    push_size(cells, level.blueprint.size());
    for symbol in Symbol::ALL {
        push_numbers(cells, [(symbol.meaning(), level.blueprint.count(symbol))]);
    }
    let longest = level.witness.iter().map(|witness| witness.route.len().saturating_sub(1)).max();
    push_numbers(
        cells,
        [
            ("reinforced", level.tags.reinforced.len()),
            ("fall_spawn", level.tags.fall_spawn_cells.len()),
            ("car_walkable", level.car_walkable_cells.len()),
            ("routes", level.witness.len()),
            ("longest_route", longest.unwrap_or(0)),
            ("attempt", level.attempt.index as usize),
            ("repaired", level.attempt.repaired.len()),
        ],
    );
}

fn floor_cells(cells: &mut Vec<Cell>, floors: &[Floor]) {
    let sum = |count: &dyn Fn(&Floor) -> usize| floors.iter().map(count).sum::<usize>();
    push_size(cells, floors.first().map(Floor::size).unwrap_or_default());
    let walls = |floor: &Floor| floor.tiles.iter().filter(|&&tile| tile == TileKind::Wall).count();
    push_numbers(
        cells,
        [("steps", sum(&|floor| floor.path.len().saturating_sub(1))), ("walls", sum(&walls))],
    );
    for budget in Budget::ALL {
        push_numbers(cells, [(budget.plural(), sum(&|floor| floor.count(budget)))]);
    }
}
