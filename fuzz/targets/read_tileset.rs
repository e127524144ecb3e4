//! Reads external tilesets as XML and as JSON.

#![no_main]

/// Map of two cells that uses the fuzzed tileset.
const MAP: &str = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="16"
tileheight="16" infinite="0"><properties><property name="family" value="grid"/></properties>
<tileset firstgid="1" source="SOURCE"/>
<layer name="ground" width="2" height="1"><data encoding="csv">1,2</data></layer></map>"#;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for source in ["own.tsx", "own.tsj"] {
        let map = MAP.replace("SOURCE", source);
        wayforge_fuzz::read_files("map.tmx", &[("map.tmx", map.as_bytes()), (source, bytes)]);
    }
});
