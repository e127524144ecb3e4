//! OpenFront maps: `manifest.json` contains the size, `map.bin` one byte per tile.

use crate::ascii::write_rows;
use crate::content::Content;
use crate::error::{FormatError, reject};
use crate::registry::{Source, Target};
use std::io::{self, Write};
use wayforge::grid::{BitGrid, Dir, Pos, Size};
use wayforge::nav::NavGrid;
use wayforge::{InputError, describe_json_error};

/// Bit 7: the tile is land.
const LAND: u8 = 0x80;
/// Bits 0 to 4: magnitude.
const MAGNITUDE: u8 = 0x1f;

/// Reads `map.bin` and the manifest beside it.
pub(crate) fn read(from: Source<'_>) -> Result<Content, FormatError> {
    let manifest = read_manifest(&from.files.read("manifest.json", 1 << 20)?)?;
    Ok(Content::NavGrid(read_openfront(&manifest, from.bytes)?))
}

/// Writes `map.bin` and the manifest beside it.
pub(crate) fn write(content: &Content, to: Target<'_>) -> Result<(), FormatError> {
    let Content::NavGrid(grid) = content else {
        return Err(reject(
            "map.bin",
            content.kind(),
            "not a navigation grid",
            "see `wayforge formats`",
        ));
    };
    write_openfront(grid, to.files.create(to.name)?)?;
    let title = to.name.rsplit_once('.').map_or(to.name, |(stem, _)| stem);
    Ok(write_manifest(grid, title, to.files.create("manifest.json")?)?)
}

/// Manifest of a map. Ignores the number of land tiles, because some manifests state a wrong one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// Size of the map in tiles.
    pub size: Size,
}

/// Reads `manifest.json`.
///
/// # Errors
/// [`InputError`] if it is not JSON, or if the size is missing or out of range.
pub fn read_manifest(bytes: &[u8]) -> Result<Manifest, InputError> {
    let invalid = |field: &str, value: String, problem: &str| {
        let remedy = "use an object with map.width and map.height";
        InputError::new(field, value, problem, remedy)
    };
    let json: serde_json::Value = serde_json::from_slice(bytes)
        .map_err(|error| invalid("manifest", describe_json_error(&error), "not JSON"))?;
    let map =
        json.get("map").ok_or_else(|| invalid("manifest.map", "missing".into(), "required"))?;
    let side = |name: &str| -> Result<u16, InputError> {
        let field = format!("manifest.map.{name}");
        let value = map.get(name).ok_or_else(|| invalid(&field, "missing".into(), "required"))?;
        let number = value.as_u64().filter(|n| (1..=u64::from(NavGrid::MAX_SIDE)).contains(n));
        number.map(|n| n as u16).ok_or_else(|| {
            InputError::new(
                &field,
                value,
                "out of range",
                format!("use 1 to {}", NavGrid::MAX_SIDE),
            )
        })
    };
    Ok(Manifest { size: Size::new(side("width")?, side("height")?) })
}

/// Writes `map.bin`, one byte per tile: land in bit 7, shore in bit 6, ocean in bit 5, magnitude in
/// bits 0 to 4.
///
/// # Errors
/// Errors of `out`.
///
/// # Examples
/// ```
/// use wayforge::nav::NavGrid;
/// let mut bytes = Vec::new();
/// wayforge_formats::write_openfront(&NavGrid::from_text("3#")?, &mut bytes)?;
/// assert_eq!(bytes, [0x63, 0xc0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_openfront(grid: &NavGrid, out: &mut dyn Write) -> io::Result<()> {
    let size = grid.size();
    let shore = |pos: Pos| {
        let mut neighbours = Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, size));
        neighbours.any(|other| grid.is_open(other) != grid.is_open(pos))
    };
    let tile = |pos: Pos| {
        let kind = if grid.is_open(pos) { 0x20 } else { LAND };
        kind | u8::from(shore(pos)) << 6 | grid.magnitude(pos).min(MAGNITUDE)
    };
    write_rows(grid, out, "", tile)
}

/// Writes `manifest.json` for a map called `name`.
///
/// # Errors
/// Errors of `out`.
pub fn write_manifest(grid: &NavGrid, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let size = grid.size();
    let manifest = serde_json::json!({
        "name": name,
        "map": {
            "width": size.width,
            "height": size.height,
            "num_land_tiles": size.cells() - grid.open_count(),
        },
    });
    writeln!(out, "{manifest:#}")
}

/// Reads `map.bin`, one byte per tile.
///
/// # Errors
/// [`InputError`] if the number of bytes differs from the size in the manifest.
pub fn read_openfront(manifest: &Manifest, tiles: &[u8]) -> Result<NavGrid, InputError> {
    let size = manifest.size;
    if tiles.len() != size.cells() {
        let (actual, needed) = (format!("{} bytes", tiles.len()), size.cells());
        let problem = format!("a {size} map needs {needed}");
        return Err(InputError::new("map.bin", actual, problem, "use one byte per tile"));
    }
    let open = size.iter().zip(tiles).filter(|(_, tile)| **tile & LAND == 0);
    let open = BitGrid::from_cells(size, open.map(|(pos, _)| pos));
    if tiles.iter().any(|&tile| tile & LAND == 0 && tile & MAGNITUDE != 0) {
        NavGrid::with_magnitudes(open, tiles.iter().map(|&tile| tile & MAGNITUDE).collect())
    } else {
        NavGrid::new(open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_valid_maps_and_explains_errors() {
        let manifest =
            read_manifest(br#"{"map":{"width":3,"height":2,"num_land_tiles":2}}"#).unwrap();
        let grid = read_openfront(&manifest, &[0x80, 0x22, 0x23, 0xc1, 0x20, 0x21]).unwrap();
        assert_eq!(grid.open().to_string(), ".##\n.##\n");
        assert_eq!(grid.magnitude(Pos::new(2, 0)), 3);
        let error = |manifest: &str, tiles: &[u8]| {
            let manifest = read_manifest(manifest.as_bytes());
            manifest.and_then(|m| read_openfront(&m, tiles)).unwrap_err().to_string()
        };
        let size = r#"{"map":{"width":2,"height":1}}"#;
        assert!(error(size, &[0]).contains("map.bin = 1 bytes: a 2 x 1 map needs 2"));
        assert!(
            error(&size.replace('2', "99999"), &[])
                .contains("manifest.map.width = 99999: out of range")
        );
        assert!(error(&size.replace("width", "x"), &[]).contains("manifest.map.width = missing"));
        assert!(error("{", &[]).contains("not JSON"));
    }
}
