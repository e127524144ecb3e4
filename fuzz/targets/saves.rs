//! Taking up runs from saves.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for family in [wayforge::Family::Act, wayforge::Family::Floor, wayforge::Family::Tower] {
        let run = family.forge(b"{}", wayforge::Seed(7)).ok().and_then(|document| wayforge::Run::start(&document).ok());
        let _ = run.map(|run| run.resumed(bytes));
    }
});
