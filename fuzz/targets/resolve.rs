//! Resolves configurations of every family.

#![no_main]

use wayforge::{AnyConfig, Family};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for family in Family::ALL {
        let _ = AnyConfig::from_json(family, bytes).map(|config| config.resolve());
    }
});
