//! Resolves configurations of every family.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    use wayforge::act;
    use wayforge::floor;
    use wayforge::level;
    use wayforge::tower;
    let _ = act::Config::from_json(bytes).map(|config| config.resolve());
    let _ = level::Config::from_json(bytes).map(|config| config.resolve());
    let _ = floor::Config::from_json(bytes).map(|config| config.resolve());
    let _ = tower::Config::from_json(bytes).map(|config| config.resolve());
});
