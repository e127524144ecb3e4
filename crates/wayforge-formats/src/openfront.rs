//! OpenFront's maps: `manifest.json` has the size, `map.bin` one byte a tile.

use wayforge::ConfigError;
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::nav::Water;

/// Bit 7 of a tile.
const LAND: u8 = 0x80;
/// Bits 0 to 4.
const MAGNITUDE: u8 = 0x1f;

/// What a manifest says of its map. Its count of land tiles is not read: some maps' manifests state another than the map has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) size: Size,
}

/// Reads `manifest.json`.
pub(crate) fn read_manifest(bytes: &[u8]) -> Result<Manifest, ConfigError> {
    let refuse = |field: &str, value: String, problem: &str| {
        let remedy = "give an object with map.width and map.height";
        ConfigError::new(field, value, problem, remedy)
    };
    let json: serde_json::Value =
        serde_json::from_slice(bytes).map_err(|error| refuse("manifest", error.to_string(), "not JSON"))?;
    let map = json.get("map").ok_or_else(|| refuse("manifest.map", "missing".into(), "needed"))?;
    let side = |name: &str| -> Result<u16, ConfigError> {
        let field = format!("manifest.map.{name}");
        let value = map.get(name).ok_or_else(|| refuse(&field, "missing".into(), "needed"))?;
        let number = value.as_u64().filter(|n| (1..=u64::from(Water::MOST_SIDE)).contains(n));
        number.map(|n| n as u16).ok_or_else(|| {
            ConfigError::new(&field, value, "out of range", format!("use 1 to {}", Water::MOST_SIDE))
        })
    };
    let size = Size::new(side("width")?, side("height")?);
    Ok(Manifest { size })
}

/// Reads `map.bin`.
pub(crate) fn read_openfront(manifest: &Manifest, tiles: &[u8]) -> Result<Water, ConfigError> {
    let size = manifest.size;
    if tiles.len() != size.cells() {
        return Err(ConfigError::new(
            "map.bin",
            format!("{} bytes", tiles.len()),
            format!("the manifest's {size} needs {}", size.cells()),
            "give one byte a tile",
        ));
    }
    let mut open = BitGrid::new(size);
    for (y, row) in (0..).zip(tiles.chunks(usize::from(size.width))) {
        for (x, _) in (0..).zip(row).filter(|&(_, &tile)| tile & LAND == 0) {
            open.insert(Pos::new(x, y));
        }
    }
    let magnitudes: Vec<u8> = tiles.iter().map(|&tile| tile & MAGNITUDE).collect();
    let known = tiles.iter().any(|&tile| tile & LAND == 0 && tile & MAGNITUDE != 0);
    match known {
        true => Water::with_magnitudes(open, magnitudes),
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
