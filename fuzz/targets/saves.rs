//! Resumes runs of every family that can be played from saves.

#![no_main]

use std::sync::OnceLock;
use wayforge::{Family, Run, Seed};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static RUNS: OnceLock<Vec<Run>> = OnceLock::new();
    let runs = RUNS.get_or_init(|| {
        let playable = Family::ALL.into_iter().filter(|family| family.is_playable());
        let start = |family: Family| {
            let map = family.generate(b"{}", Seed::new(7)).expect("default configurations work");
            Run::start(&map.to_document()).expect("the family is playable")
        };
        playable.map(start).collect()
    });
    for run in runs {
        let _ = run.resumed(bytes);
    }
});
