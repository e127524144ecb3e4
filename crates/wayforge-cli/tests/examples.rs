//! The example configurations are used as their comments say, and their maps hold.

use std::process::Command;

#[test]
fn every_example_makes_valid_maps() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/acts");
    let mut examples: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    examples.sort();
    assert!(examples.len() >= 4);
    for example in examples {
        let out = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(example.file_name().unwrap())
            .with_extension("jsonl");
        let wayforge = |args: &[&str]| {
            let output = Command::new(env!("CARGO_BIN_EXE_wayforge")).args(args).output().unwrap();
            assert!(output.status.success(), "{example:?}: {}", String::from_utf8_lossy(&output.stderr));
        };
        let (example, out) = (example.to_str().unwrap(), out.to_str().unwrap());
        wayforge(&["act", "--config", example, "--seed", "1", "--count", "50", "-o", out]);
        wayforge(&["validate", "--reproduce", out]);
    }
}
