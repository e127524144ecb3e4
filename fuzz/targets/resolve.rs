//! Resolving configurations of every family.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    use wayforge::act::ActConfig;
    use wayforge::floor::{FloorConfig, TowerConfig};
    use wayforge::level::LevelConfig;
    let _ = ActConfig::from_json(bytes).map(|config| config.resolve());
    let _ = LevelConfig::from_json(bytes).map(|config| config.resolve());
    let _ = FloorConfig::from_json(bytes).map(|config| config.resolve());
    let _ = TowerConfig::from_json(bytes).map(|config| config.resolve());
});
