//! Checks that all example configurations generate valid maps.

use crate::common::{rejects, succeeds};
use std::path::PathBuf;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Lists the configuration files of an examples folder.
fn configurations(folder: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(format!("{EXAMPLES}/{folder}"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "toml" || suffix == "json"))
        .collect();
    files.sort();
    files
}

/// Generates and validates maps of every configuration. Returns the saved configurations.
fn generate_and_validate(command: &str, folder: &str) -> Vec<serde_json::Value> {
    let generate = |example: PathBuf| {
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("{folder}-{}.jsonl", example.file_name().unwrap().display()));
        let (example, out) = (example.to_str().unwrap(), out.to_str().unwrap());
        succeeds(&[command, "--config", example, "--seed", "1", "--count", "50", "-o", out]);
        succeeds(&["validate", "--reproduce", out]);
        let documents = std::fs::read_to_string(out).unwrap();
        let first: serde_json::Value =
            serde_json::from_str(documents.lines().next().unwrap()).unwrap();
        first["config"].clone()
    };
    // Floors and towers share a folder; tower files have the prefix `tower-`.
    let is_tower = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.display().to_string().starts_with("tower-"))
    };
    let is_selected = |path: &PathBuf| folder != "floors" || is_tower(path) == (command == "tower");
    configurations(folder).into_iter().filter(is_selected).map(generate).collect()
}

#[test]
fn every_floor_and_tower_example_generates_valid_maps() {
    let floors = generate_and_validate("floor", "floors");
    assert!(floors.len() >= 5);
    for (field, value) in
        [("open", "rooms"), ("carve", "astar"), ("templateId", "shop"), ("width", "64")]
    {
        assert!(
            floors.iter().any(|floor| floor[field].to_string().trim_matches('"') == value),
            "{field} = {value}"
        );
    }
    assert!(generate_and_validate("tower", "floors").len() >= 2);
    let templates = format!("{EXAMPLES}/floors/templates");
    let report = succeeds(&["templates", "check", &templates]);
    assert_eq!(report.matches("valid in every orientation").count(), 2, "{report}");
    succeeds(&[
        "tower",
        "--templates",
        &templates,
        "--template",
        "gate/2",
        "--floors",
        "4",
        "--width",
        "7",
    ]);
}

#[test]
fn every_act_example_generates_valid_maps() {
    assert!(generate_and_validate("act", "acts").len() >= 4);
}

#[test]
fn every_stage_example_generates_valid_levels_and_all_modes_are_covered() {
    let stages = generate_and_validate("level", "stages");
    assert!(stages.len() >= 12);
    let covers = |field: &str, start: &str| {
        assert!(
            stages
                .iter()
                .any(|stage| stage[field].to_string().trim_matches('"').starts_with(start)),
            "no stage with {field} = {start}"
        );
    };
    for walls in [
        "default",
        "empty",
        "grid_wire",
        "sparse_moore",
        "sparse_moore.",
        "sparse_ortho.",
        "maze",
        "caves",
    ] {
        covers("walls", walls);
    }
    for fuel in ["fuel_can", "refuel_chain", "start_full"] {
        covers("fuel", fuel);
    }
    for (field, value) in [
        ("interior_walls", "solid"),
        ("endurance", "true"),
        ("retry", "hash"),
        ("soft_locks", "forbidden"),
        ("reachable", "objectives"),
        ("width", "120"),
        ("height", "53"),
        ("pins", "[\"O"),
        ("marks", "[{"),
        ("objectives", "[{"),
    ] {
        covers(field, value);
    }
}

#[test]
fn example_drawing_is_valid_for_its_stage() {
    let file = |name: &str| format!("{EXAMPLES}/stages/{name}");
    let report =
        succeeds(&["validate", &file("farmhouse.txt"), "--stage", &file("farmhouse.toml")]);
    assert!(
        report.contains("25 x 18 level: valid") && report.contains("soft locks: none"),
        "{report}"
    );
    rejects(&["validate", &file("farmhouse.txt")], &["farmhouse.txt", "--stage"]);
}
