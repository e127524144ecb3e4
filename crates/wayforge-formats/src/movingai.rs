//! Maps of the Moving AI Lab benchmarks (Sturtevant 2012): four header lines, then rows of
//! characters.

use crate::ascii::write_rows;
use crate::error::FormatError;
use std::io::Write;
use wayforge::InputError;
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::NavGrid;

/// Writes a navigation grid as a `.map` file: `.` for open tiles, `@` for blocked ones.
pub(crate) fn write_movingai(grid: &NavGrid, out: &mut dyn Write) -> Result<(), FormatError> {
    let Size { width, height } = grid.size();
    write!(out, "type octile\nheight {height}\nwidth {width}\nmap\n")?;
    Ok(write_rows(grid, out, "\n", |pos| if grid.is_open(pos) { b'.' } else { b'@' })?)
}

/// Reads a `.map` file: `.`, `G` and `S` are open; `@`, `O`, `T` and `W` are blocked.
///
/// # Errors
/// [`InputError`] names the invalid header line, row or tile.
///
/// # Examples
/// ```
/// let grid = wayforge_formats::read_movingai(b"type octile\nheight 1\nwidth 3\nmap\n.@G\n")?;
/// assert_eq!(grid.open_count(), 2);
/// # Ok::<(), wayforge::InputError>(())
/// ```
pub fn read_movingai(bytes: &[u8]) -> Result<NavGrid, InputError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        InputError::new(
            "map",
            "bytes",
            error.to_string(),
            "use a Moving AI map, which is plain text",
        )
    })?;
    let mut lines = text.lines();
    let mut header = |name: &'static str| -> Result<&str, InputError> {
        let line = lines.next().unwrap_or("").trim_end();
        line.strip_prefix(name).map(str::trim).ok_or_else(|| {
            let remedy = "the first four lines are `type octile`, `height N`, `width N`, `map`";
            InputError::new(name, line, "unexpected header line", remedy)
        })
    };
    header("type")?;
    let side = |field: &'static str, text: &str| -> Result<u16, InputError> {
        let number = text.parse().ok().filter(|n| (1..=NavGrid::MAX_SIDE).contains(n));
        number.ok_or_else(|| {
            InputError::new(field, text, "not a size", format!("use 1 to {}", NavGrid::MAX_SIDE))
        })
    };
    let height = side("height", header("height")?)?;
    let width = side("width", header("width")?)?;
    header("map")?;
    // Reject a short file that claims a large size before allocating memory.
    let needed = usize::from(width) * usize::from(height);
    if text.len() < needed {
        let problem = format!("{height} rows of {width} need {needed} characters");
        return Err(InputError::new(
            "map",
            format!("{} bytes", text.len()),
            problem,
            "add the missing rows",
        ));
    }
    let mut open = BitGrid::new(Size::new(width, height));
    for y in 0..height {
        let row = lines.next().unwrap_or("").trim_end();
        if row.len() != usize::from(width) {
            let problem = format!("row {y} has {} tiles", row.len());
            return Err(InputError::new(
                "map",
                row,
                problem,
                format!("use {height} rows of {width}"),
            ));
        }
        for (x, tile) in (0..).zip(row.bytes()) {
            match tile {
                b'.' | b'G' | b'S' => open.insert(Pos::new(x, y)),
                b'@' | b'O' | b'T' | b'W' => {}
                _ => {
                    let problem = format!("not a tile (column {x}, row {y})");
                    let remedy = "use . G S for open and @ O T W for blocked tiles";
                    return Err(InputError::new("map", char::from(tile), problem, remedy));
                }
            }
        }
    }
    if let Some(more) = lines.find(|line| !line.trim().is_empty()) {
        return Err(InputError::new(
            "map",
            more,
            "more rows than the header states",
            "remove them",
        ));
    }
    NavGrid::new(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_valid_maps_and_explains_errors() {
        let text = "type octile\nheight 2\nwidth 3\nmap\n.@T\nGS.\n";
        assert_eq!(read_movingai(text.as_bytes()).unwrap().open().to_string(), "#..\n###\n");
        let error = |text: String| read_movingai(text.as_bytes()).unwrap_err().to_string();
        assert!(
            error(text.replace("width 3", "width 4"))
                .contains("row 0 has 3 tiles; use 2 rows of 4")
        );
        assert!(error(text.replace('T', "?")).contains("not a tile (column 2, row 0)"));
        assert!(
            error(text.replace("height 2", "height 1"))
                .contains("more rows than the header states")
        );
        assert!(error(text.replace("type", "kind")).starts_with("type = kind octile"));
        assert!(error(text.replace("height 2", "height 0")).contains("height = 0: not a size"));
        let large =
            error(text.replace("height 2", "height 16384").replace("width 3", "width 16384"));
        assert!(
            large.contains("map = 49 bytes: 16384 rows of 16384 need 268435456 characters"),
            "{large}"
        );
    }
}
