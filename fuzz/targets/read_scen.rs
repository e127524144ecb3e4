//! Reads Moving AI scenarios.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wayforge_fuzz::read("map.scen", bytes));
