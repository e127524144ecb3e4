//! Resumes runs from saves.

#![no_main]

use std::sync::OnceLock;
use wayforge::{Family, Run, Seed};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    static RUNS: OnceLock<Vec<Run>> = OnceLock::new();
    let start =
        |family: Family| Run::start(&family.generate(b"{}", Seed::new(7)).ok()?.to_document()).ok();
    let runs = RUNS.get_or_init(|| {
        [Family::Act, Family::Floor, Family::Tower].into_iter().filter_map(start).collect()
    });
    for run in runs {
        let _ = run.resumed(bytes);
    }
});
