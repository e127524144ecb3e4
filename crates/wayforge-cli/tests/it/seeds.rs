//! End-to-end tests of text seeds: documents keep them, and every output format escapes them.

use crate::common::{rejects, succeeds, text, wayforge};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const HOSTILE: &str = "../<b>&\"' \\ \u{1b}[31m\täöü \u{1f680}\u{2028}";

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn seeds(lines: &str) -> Vec<String> {
    let seed =
        |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["seed"].clone();
    lines.lines().map(|line| seed(line).as_str().unwrap().to_owned()).collect()
}

#[test]
fn documents_keep_the_seed_text_and_validate() {
    let file = folder("seed-text").join("maps.jsonl");
    let floor = succeeds(&["floor", "--seed", "first light", "--format", "json"]);
    assert_eq!(floor.matches("\"seed\":\"first light\"").count(), 2, "{floor}");
    for seed in ["first light", "007", "", HOSTILE] {
        for family in ["act", "level", "floor", "tower"] {
            let lines = succeeds(&[family, "--seed", seed, "--count", "2", "--format", "json"]);
            let [given, next] = <[String; 2]>::try_from(seeds(&lines)).unwrap();
            let number = wayforge::Seed::from_text(seed).number();
            assert_eq!((given.as_str(), next), (seed, number.wrapping_add(1).to_string()));
            std::fs::write(&file, &lines).unwrap();
            let report = succeeds(&["validate", file.to_str().unwrap(), "--reproduce"]);
            assert_eq!(report.matches(": valid, ").count(), 2, "{report}");
            assert!(!report.contains(['\u{1b}', '\t']), "{report:?}");
        }
    }
}

#[test]
fn independent_checkers_accept_text_seeds() {
    for (family, checker) in
        [("act", "act"), ("level", "level"), ("floor", "floor"), ("tower", "floor")]
    {
        let path = format!("{}/../../testsuite/check_{checker}.py", env!("CARGO_MANIFEST_DIR"));
        for seed in ["first light", "007", "99999999999999999999", HOSTILE] {
            let lines = succeeds(&[family, "--seed", seed, "--count", "3", "--format", "json"]);
            let python = Command::new("python3")
                .arg(&path)
                .env("PYTHONUTF8", "1")
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn();
            let mut python = python.expect("python3 runs the independent checkers");
            python.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
            let output = python.wait_with_output().unwrap();
            let printed = text(&output.stdout);
            assert!(
                output.status.success() && printed.contains("3 "),
                "{family} {seed:?}: {printed}"
            );
        }
    }
}

#[test]
fn rejects_seed_texts_over_256_characters() {
    let long = "x".repeat(257);
    for family in ["act", "level", "floor", "tower", "archipelago"] {
        rejects(&[family, "--seed", &long], &["--seed", "257 characters; use at most 256"]);
    }
    for command in ["batch", "find", "measure"] {
        rejects(&[command, "act", "--seed", &long], &["--seed", "257 characters; use at most 256"]);
    }
    rejects(&["gallery", "--seed", &long], &["--seed", "257 characters; use at most 256"]);
    rejects(&["act", "--ruleset", "spire", "--seed", &long], &["257 characters; use at most 256"]);
}

#[test]
fn pictures_and_graphs_escape_the_seed_text() {
    for family in ["act", "level", "floor", "tower"] {
        let svg = succeeds(&[family, "--seed", HOSTILE, "--format", "svg"]);
        assert!(
            svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>") && !svg.contains('\u{1b}'),
            "{family}"
        );
        let ascii = succeeds(&[family, "--seed", HOSTILE, "--format", "ascii"]);
        assert!(!ascii.contains(['\u{1b}', '\t']), "{ascii:?}");
        let png = wayforge(&[family, "--seed", HOSTILE, "--format", "png"]);
        assert!(png.stdout.starts_with(b"\x89PNG"), "{}", text(&png.stderr));
    }
    let folder = folder("seed-formats");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(file("act.json"), succeeds(&["act", "--seed", HOSTILE, "--format", "json"]))
        .unwrap();
    for suffix in ["dot", "graphml", "mmd", "csv"] {
        succeeds(&["convert", &file("act.json"), &file(&format!("act.{suffix}"))]);
    }
    let read = |name: &str| std::fs::read_to_string(file(name)).unwrap();
    assert!(
        read("act.mmd").starts_with("---\ntitle: act.walks/1 seed ..  b"),
        "{}",
        read("act.mmd")
    );
    assert!(read("act.dot").contains("<b>&\\\"' \\\\"), "{}", read("act.dot"));
    assert!(read("act.graphml").contains("&lt;b&gt;&amp;"));
}

#[test]
fn tiled_round_trip_keeps_the_seed_text() {
    let folder = folder("seed-tiled");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for family in ["level", "floor"] {
        let document = succeeds(&[family, "--seed", "first \"light\" <1>\n", "--format", "json"]);
        std::fs::write(file("map.json"), &document).unwrap();
        for name in ["map.tmx", "map.tmj"] {
            succeeds(&["convert", &file("map.json"), &file(name)]);
            succeeds(&["convert", &file(name), &file("back.json")]);
            assert_eq!(
                std::fs::read_to_string(file("back.json")).unwrap(),
                document,
                "{family} {name}"
            );
        }
    }
}

#[test]
fn tables_and_searches_print_seed_numbers() {
    let number = wayforge::Seed::from_text("first light").number();
    let folder = folder("seed-tables");
    let file = folder.join("maps.csv").to_str().unwrap().to_owned();
    succeeds(&["batch", "floor", "--seed", "first light", "--count", "2", "-o", &file]);
    let table = std::fs::read_to_string(&file).unwrap();
    assert!(table.lines().nth(1).unwrap().starts_with(&format!("{number},true,")), "{table}");
    let found = succeeds(&[
        "find",
        "floor",
        "--seed",
        "first light",
        "--where",
        "path > 0",
        "--count",
        "2",
    ]);
    assert!(found.contains(&number.to_string()) && !found.contains("first light"), "{found}");
    let documents = folder.join("maps.jsonl").to_str().unwrap().to_owned();
    succeeds(&[
        "batch",
        "floor",
        "--seed",
        "first light",
        "--count",
        "2",
        "--documents",
        "-o",
        &documents,
    ]);
    let lines = std::fs::read_to_string(&documents).unwrap();
    assert_eq!(
        lines,
        succeeds(&["floor", "--seed", "first light", "--count", "2", "--format", "json"])
    );
}
