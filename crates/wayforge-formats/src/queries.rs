//! Pathfinding queries: `.p2p`, `.multi` and Moving AI `.scen` files.

use crate::content::Content;
use crate::error::FormatError;
use crate::registry::Source;
use wayforge::InputError;
use wayforge::grid::{Pos, Size};
use wayforge::nav::NavGrid;

/// Maximum number of queries in a file.
const MAX_QUERIES: usize = 1_000_000;

/// One pathfinding query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryRecord {
    /// Tiles where the path may start.
    pub sources: Vec<Pos>,
    /// Tiles where the path may end.
    pub targets: Vec<Pos>,
    /// Optimal octile length, stated by `.scen` files.
    pub length: Option<f64>,
}

/// Reads the queries of a map of `size`. The format is detected from the content.
///
/// A file that starts with `version` is a `.scen` file. In the other formats every line contains
/// sources, a tab and targets, each a comma-separated list of tile indices.
///
/// # Errors
/// [`InputError`] names the line and the invalid value.
pub fn read_queries(bytes: &[u8], size: Size) -> Result<Vec<QueryRecord>, InputError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        InputError::new("queries", "bytes", error.to_string(), "use a .p2p, .multi or .scen file")
    })?;
    let is_scen = text.starts_with("version");
    let lines = (1..)
        .zip(text.lines())
        .skip(usize::from(is_scen))
        .filter(|(_, line)| !line.trim().is_empty());
    let mut queries = Vec::new();
    for (number, line) in lines {
        if queries.len() == MAX_QUERIES {
            let remedy = format!("use at most {MAX_QUERIES}");
            return Err(InputError::new(
                "queries",
                format!("more than {MAX_QUERIES}"),
                "too many",
                remedy,
            ));
        }
        queries.push(if is_scen {
            read_scen_line(line, size, number)?
        } else {
            read_list_line(line, size, number)?
        });
    }
    Ok(queries)
}

fn read_list_line(line: &str, size: Size, number: usize) -> Result<QueryRecord, InputError> {
    let field = format!("line {number}");
    let (sources, targets) = line.split_once('\t').ok_or_else(|| {
        InputError::new(&field, line, "no tab", "write sources, a tab and targets")
    })?;
    let list = |role: &str, text: &str| -> Result<Vec<Pos>, InputError> {
        if text.trim().is_empty() {
            return Err(InputError::new(
                &field,
                line,
                format!("no {role}"),
                "name at least one tile",
            ));
        }
        let tile = |text: &str| -> Result<Pos, InputError> {
            let index: Option<usize> =
                text.trim().parse().ok().filter(|&index| index < size.cells());
            index.map(|index| size.pos(index)).ok_or_else(|| {
                let remedy = format!(
                    "use row * {} + column, 0 to {}",
                    size.width,
                    size.cells().saturating_sub(1)
                );
                InputError::new(&field, text, "not a tile of the map", remedy)
            })
        };
        text.split(',').map(tile).collect()
    };
    Ok(QueryRecord {
        sources: list("sources", sources)?,
        targets: list("targets", targets)?,
        length: None,
    })
}

fn read_scen_line(line: &str, size: Size, number: usize) -> Result<QueryRecord, InputError> {
    let reject = |value: &str, problem: String| {
        let remedy = "write bucket, map, width, height, start x, start y, goal x, goal y, length";
        InputError::new(format!("line {number}"), value, problem, remedy)
    };
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [_, _, width, height, rest @ ..] = fields.as_slice() else {
        return Err(reject(line, "too few fields".into()));
    };
    let [sx, sy, gx, gy, length] = rest else {
        return Err(reject(line, format!("{} fields instead of nine", fields.len())));
    };
    let number = |text: &str| {
        text.parse::<u16>()
            .map_err(|_| reject(text, format!("not a whole number from 0 to {}", u16::MAX)))
    };
    let stated = Size::new(number(width)?, number(height)?);
    if stated != size {
        return Err(reject(line, format!("for a map of {stated}, but this map is {size}")));
    }
    let pos =
        |x: &str, y: &str| -> Result<Pos, InputError> { Ok(Pos::new(number(x)?, number(y)?)) };
    let length = length.parse().ok().filter(|length: &f64| length.is_finite() && *length >= 0.0);
    let length = length.ok_or_else(|| reject(fields[8], "not a length".into()))?;
    Ok(QueryRecord {
        sources: vec![pos(sx, sy)?],
        targets: vec![pos(gx, gy)?],
        length: Some(length),
    })
}

/// Reads a `.scen` file without its map. The first query states the size.
pub(crate) fn read_scenarios(from: &Source<'_>) -> Result<Content, FormatError> {
    let size = stated_size(from.bytes).ok_or_else(|| {
        let problem = "the first query states no map size";
        crate::error::reject("scen", from.name, problem, "use a Moving AI .scen file")
    })?;
    Ok(Content::Queries(read_queries(from.bytes, size)?))
}

/// Returns the map size that the first query of a `.scen` file states.
fn stated_size(bytes: &[u8]) -> Option<Size> {
    let line =
        bytes.split(|byte| *byte == b'\n').skip(1).find(|line| !line.trim_ascii().is_empty())?;
    let mut fields = std::str::from_utf8(line).ok()?.split_whitespace().skip(2);
    let mut side =
        || fields.next()?.parse().ok().filter(|side| (1..=NavGrid::MAX_SIDE).contains(side));
    Some(Size::new(side()?, side()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_all_formats_and_explains_errors() {
        let size = Size::new(4, 3);
        let read = |text: &str| read_queries(text.as_bytes(), size);
        let multi = read("0,5\t11\n3\t4\n").unwrap();
        assert_eq!(multi[0].sources, [Pos::new(0, 0), Pos::new(1, 1)]);
        assert_eq!(multi[0].targets, [Pos::new(3, 2)]);
        let scen = read("version 1\n0\tm.map\t4\t3\t1\t2\t3\t0\t2.5\n").unwrap();
        assert_eq!((scen[0].sources[0], scen[0].length), (Pos::new(1, 2), Some(2.5)));
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error("0 1").contains("line 1 = 0 1: no tab"));
        assert!(
            error("0\t12")
                .contains("line 1 = 12: not a tile of the map; use row * 4 + column, 0 to 11")
        );
        // An empty map has no tiles. Found by fuzzing: the range in the message underflowed.
        assert!(read_queries(b"0\t0\n", Size::default()).is_err());
        assert_eq!(stated_size(b"version 1\n0 m 0 0 0 0 0 0 0\n"), None);
        assert!(error("0\t1\n\nx\t1").contains("line 3 = x"));
        assert!(error("\t1").contains("no sources; name at least one tile"));
        assert!(error("3\t").contains("no targets; name at least one tile"));
        assert!(error("version 1\n0 m 5 3 0 0 1 1 1").contains("for a map of 5 x 3"));
        assert!(error("version 1\n0 m 4").contains("too few fields"));
        assert!(error("version 1\n0 m 4 3 0 0 1 1 inf").contains("inf: not a length"));
    }
}
