//! Rows of metrics: one line a map, its columns those of its family.

use crate::content::{Content, What};
use crate::error::{FormatError, refuse};
use crate::queries::Asked;
use std::io::Write;
use wayforge::floor::{Budget, Floor, TileKind};
use wayforge::grid::Pos;
use wayforge::level::{Level, Symbol};
use wayforge::{Digest, Document};

/// A column by name, and what a map has there.
type Cell = (String, String);

/// Writes one line for each map after a line of names. All of them are of one kind.
pub(crate) fn write(contents: &[Content], out: &mut dyn Write) -> Result<(), FormatError> {
    let Some(first) = contents.first().map(Content::what) else { return Ok(()) };
    if let Some(other) = contents.iter().find(|content| content.what() != first) {
        let problem = format!("the first map is a {first}, and they have other columns");
        return Err(refuse("csv", other.what(), problem, "write maps of one family into one file"));
    }
    if let [Content::Queries(queries)] = contents {
        return Ok(write_queries(queries, out)?);
    }
    // Maps of one family may have kinds of their own: every column that any of them has.
    let mut names: Vec<String> = Vec::new();
    for content in contents {
        for (name, _) in row(content) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    line(names.iter().map(String::as_str), out)?;
    for content in contents {
        let cells = row(content);
        let value =
            |name: &String| cells.iter().find(|cell| cell.0 == *name).map_or("", |cell| cell.1.as_str());
        line(names.iter().map(value), out)?;
    }
    Ok(())
}

fn write_queries(queries: &[Asked], out: &mut dyn Write) -> std::io::Result<()> {
    line(["sources", "targets", "length"].into_iter(), out)?;
    for asked in queries {
        let cells = |list: &[Pos]| list.iter().map(Pos::to_string).collect::<Vec<_>>().join(" ");
        let length = asked.length.map_or_else(String::new, |length| length.to_string());
        line([cells(&asked.sources), cells(&asked.targets), length].iter().map(String::as_str), out)?;
    }
    Ok(())
}

/// A line with commas; what holds a comma, a quote or a line end stands in quotes.
fn line<'a>(cells: impl Iterator<Item = &'a str>, out: &mut dyn Write) -> std::io::Result<()> {
    for (n, cell) in cells.enumerate() {
        if n > 0 {
            out.write_all(b",")?;
        }
        match cell.contains([',', '"', '\n', '\r']) {
            true => write!(out, "\"{}\"", cell.replace('"', "\"\""))?,
            false => out.write_all(cell.as_bytes())?,
        }
    }
    out.write_all(b"\r\n")
}

fn row(content: &Content) -> Vec<Cell> {
    match content {
        Content::Act(map) => {
            let mut cells = made(&map.to_document());
            number(&mut cells, "rows", map.spec.rows());
            number(&mut cells, "cols", map.spec.cols());
            number(&mut cells, "nodes", map.nodes.len());
            number(&mut cells, "edges", map.edges.len());
            number(&mut cells, "walks", map.walks.len());
            for (id, kind) in map.kinds().iter().enumerate() {
                let of =
                    |node: &&wayforge::act::Node| node.kind.is_some_and(|here| usize::from(here.0) == id);
                number(&mut cells, &format!("kind {}", kind.name), map.nodes.iter().filter(of).count());
            }
            number(&mut cells, "dead_ends", map.attempts.dead_ends);
            cells
        }
        Content::Level(level) => level_row(level),
        Content::Floor(floor) => {
            let mut cells = made(&floor.to_document());
            floor_cells(&mut cells, std::slice::from_ref(floor));
            cells
        }
        Content::Tower(tower) => {
            let mut cells = made(&tower.to_document());
            number(&mut cells, "floors", tower.floors.len());
            floor_cells(&mut cells, &tower.floors);
            cells
        }
        Content::Water(water) => {
            let mut cells = Vec::new();
            number(&mut cells, "width", water.size().width);
            number(&mut cells, "height", water.size().height);
            number(&mut cells, "water", water.tiles());
            number(&mut cells, "land", water.size().cells() - water.tiles());
            cells
        }
        Content::Blueprint(_) | Content::Template(_) | Content::Queries(_) => Vec::new(),
    }
}

fn made(document: &Document) -> Vec<Cell> {
    let digest: Digest = document.digest;
    vec![
        ("algorithm".into(), document.algorithm.clone()),
        ("seed".into(), document.seed.to_string()),
        ("digest".into(), digest.to_string()),
    ]
}

fn number(cells: &mut Vec<Cell>, name: &str, value: impl ToString) {
    cells.push((name.to_owned(), value.to_string()));
}

fn level_row(level: &Level) -> Vec<Cell> {
    let mut cells = made(&level.to_document());
    let size = level.blueprint.size();
    number(&mut cells, "width", size.width);
    number(&mut cells, "height", size.height);
    for symbol in Symbol::ALL {
        number(&mut cells, symbol.meaning(), level.blueprint.count(symbol));
    }
    number(&mut cells, "reinforced", level.tags.reinforced.len());
    number(&mut cells, "fall_spawn", level.tags.fall_spawn_cells.len());
    number(&mut cells, "car_walkable", level.car_walkable_cells.len());
    number(&mut cells, "routes", level.witness.len());
    let longest = level.witness.iter().map(|witness| witness.route.len().saturating_sub(1)).max();
    number(&mut cells, "longest_route", longest.unwrap_or(0));
    number(&mut cells, "attempt", level.attempt.index);
    number(&mut cells, "repaired", level.attempt.repaired.len());
    cells
}

fn floor_cells(cells: &mut Vec<Cell>, floors: &[impl std::borrow::Borrow<Floor>]) {
    let sum =
        |count: &dyn Fn(&Floor) -> usize| floors.iter().map(|floor| count(floor.borrow())).sum::<usize>();
    let size = floors.first().map(|floor| floor.borrow().size()).unwrap_or_default();
    number(cells, "width", size.width);
    number(cells, "height", size.height);
    number(cells, "steps", sum(&|floor| floor.path.len().saturating_sub(1)));
    number(cells, "walls", sum(&|floor| floor.tiles.iter().filter(|&&tile| tile == TileKind::Wall).count()));
    for budget in Budget::ALL {
        number(cells, budget.plural(), sum(&|floor| floor.count(budget)));
    }
}

/// What can be a row.
pub(crate) const WRITES: &[What] =
    &[What::Act, What::Level, What::Floor, What::Tower, What::Water, What::Queries];
