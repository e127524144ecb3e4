//! Reads OpenFront maps: a manifest and tiles.

#![no_main]

libfuzzer_sys::fuzz_target!(|parts: (&[u8], &[u8])| {
    wayforge_fuzz::read_files("map.bin", &[("manifest.json", parts.0), ("map.bin", parts.1)]);
});
