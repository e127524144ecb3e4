//! Reading worlds: the list of maps, then two of them.

#![no_main]

libfuzzer_sys::fuzz_target!(|parts: (&[u8], &[u8], &[u8])| {
    let (world, one, other) = parts;
    let files = [("map.world", world), ("map-001.tmx", one), ("map-002.tmj", other)];
    wayforge_fuzz::read_files("map.world", &files);
});
