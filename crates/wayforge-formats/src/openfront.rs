//! OpenFront's maps: `manifest.json` has the size, `map.bin` one byte a tile.

use crate::ascii::write_rows;
use crate::content::Content;
use crate::error::{FormatError, reject};
use crate::registry::{Source, Target};
use std::io::{self, Write};
use wayforge::InputError;
use wayforge::grid::{BitGrid, Dir, Pos, Size};
use wayforge::nav::Water;

/// Bit 7 of a tile.
const LAND: u8 = 0x80;
/// Bits 0 to 4.
const MAGNITUDE: u8 = 0x1f;

/// Reads `map.bin` with the manifest beside it.
pub(crate) fn read(from: Source<'_>) -> Result<Content, FormatError> {
    let manifest = read_manifest(&from.files.read("manifest.json", 1 << 20)?)?;
    Ok(Content::Water(read_openfront(&manifest, from.bytes)?))
}

/// Writes `map.bin` and the manifest beside it.
pub(crate) fn write(content: &Content, to: Target<'_>) -> Result<(), FormatError> {
    let Content::Water(water) = content else {
        return Err(reject("map.bin", content.what(), "not water", "see `wayforge formats`"));
    };
    write_openfront(water, to.files.create(to.name)?)?;
    let title = to.name.rsplit_once('.').map_or(to.name, |(stem, _)| stem);
    Ok(write_manifest(water, title, to.files.create("manifest.json")?)?)
}

/// What a manifest says of its map. Its count of land tiles is not read: some maps' manifests state another than the map has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// Columns and rows.
    pub size: Size,
}

/// Reads `manifest.json`.
pub fn read_manifest(bytes: &[u8]) -> Result<Manifest, InputError> {
    let invalid = |field: &str, value: String, problem: &str| {
        let remedy = "give an object with map.width and map.height";
        InputError::new(field, value, problem, remedy)
    };
    let json: serde_json::Value =
        serde_json::from_slice(bytes).map_err(|error| invalid("manifest", error.to_string(), "not JSON"))?;
    let map = json.get("map").ok_or_else(|| invalid("manifest.map", "missing".into(), "needed"))?;
    let side = |name: &str| -> Result<u16, InputError> {
        let field = format!("manifest.map.{name}");
        let value = map.get(name).ok_or_else(|| invalid(&field, "missing".into(), "needed"))?;
        let number = value.as_u64().filter(|n| (1..=u64::from(Water::MAX_SIDE)).contains(n));
        number.map(|n| n as u16).ok_or_else(|| {
            InputError::new(&field, value, "out of range", format!("use 1 to {}", Water::MAX_SIDE))
        })
    };
    Ok(Manifest { size: Size::new(side("width")?, side("height")?) })
}

/// Writes `map.bin`: one byte a tile, land in bit 7, a shore in bit 6, water in bit 5, the magnitude in bits 0 to 4.
///
/// ```
/// use wayforge::nav::Water;
/// let mut bytes = Vec::new();
/// wayforge_formats::write_openfront(&Water::from_text("3#")?, &mut bytes)?;
/// assert_eq!(bytes, [0x63, 0xc0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_openfront(water: &Water, out: &mut dyn Write) -> io::Result<()> {
    let size = water.size();
    let shore = |pos: Pos| {
        let mut beside = Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, size));
        beside.any(|other| water.is_open(other) != water.is_open(pos))
    };
    let tile = |pos: Pos| {
        let kind = if water.is_open(pos) { 0x20 } else { LAND };
        kind | u8::from(shore(pos)) << 6 | water.magnitude(pos).min(MAGNITUDE)
    };
    write_rows(water, out, "", tile)
}

/// Writes `manifest.json` for a map called `name`.
pub fn write_manifest(water: &Water, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let size = water.size();
    let manifest = serde_json::json!({
        "name": name,
        "map": {
            "width": size.width,
            "height": size.height,
            "num_land_tiles": size.cells() - water.tiles(),
        },
    });
    writeln!(out, "{manifest:#}")
}

/// Reads `map.bin`.
pub fn read_openfront(manifest: &Manifest, tiles: &[u8]) -> Result<Water, InputError> {
    let size = manifest.size;
    if tiles.len() != size.cells() {
        let (there, needed) = (format!("{} bytes", tiles.len()), size.cells());
        let problem = format!("the manifest's {size} needs {needed}");
        return Err(InputError::new("map.bin", there, problem, "give one byte a tile"));
    }
    let water = size.iter().zip(tiles).filter(|(_, tile)| **tile & LAND == 0);
    let open = BitGrid::of(size, water.map(|(pos, _)| pos));
    match tiles.iter().any(|&tile| tile & LAND == 0 && tile & MAGNITUDE != 0) {
        true => Water::with_magnitudes(open, tiles.iter().map(|&tile| tile & MAGNITUDE).collect()),
        false => Water::new(open),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_should_and_says_why_not() {
        let manifest = read_manifest(br#"{"map":{"width":3,"height":2,"num_land_tiles":2}}"#).unwrap();
        let water = read_openfront(&manifest, &[0x80, 0x22, 0x23, 0xc1, 0x20, 0x21]).unwrap();
        assert_eq!(water.open().to_string(), ".##\n.##\n");
        assert_eq!(water.magnitude(Pos::new(2, 0)), 3);
        let refused = |manifest: &str, tiles: &[u8]| {
            let manifest = read_manifest(manifest.as_bytes());
            manifest.and_then(|m| read_openfront(&m, tiles)).unwrap_err().to_string()
        };
        let size = r#"{"map":{"width":2,"height":1}}"#;
        assert!(refused(size, &[0]).contains("map.bin = 1 bytes: the manifest's 2 x 1 needs 2"));
        assert!(
            refused(&size.replace('2', "99999"), &[]).contains("manifest.map.width = 99999: out of range")
        );
        assert!(refused(&size.replace("width", "x"), &[]).contains("manifest.map.width = missing"));
        assert!(refused("{", &[]).contains("not JSON"));
    }
}
