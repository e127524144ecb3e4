//! Reads Tiled worlds: the list of maps and two maps.

#![no_main]

libfuzzer_sys::fuzz_target!(|parts: (&[u8], &[u8], &[u8])| {
    let (world, one, other) = parts;
    let files = [("map.world", world), ("map-001.tmx", one), ("map-002.tmj", other)];
    wayforge_fuzz::read_files("map.world", &files);
});
