//! The example configurations are used as their comments say, and their maps hold.

mod common;

use common::{refuses, succeeds};
use std::path::PathBuf;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// The configurations of a folder of examples.
fn configurations(folder: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(format!("{EXAMPLES}/{folder}")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "toml" || suffix == "json"))
        .collect();
    files.sort();
    files
}

/// Makes maps of every configuration and judges them; their configurations as they were saved.
fn make_and_judge(command: &str, folder: &str) -> Vec<serde_json::Value> {
    let make = |example: PathBuf| {
        let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("{folder}-{}.jsonl", example.file_name().unwrap().display()));
        let (example, out) = (example.to_str().unwrap(), out.to_str().unwrap());
        succeeds(&[command, "--config", example, "--seed", "1", "--count", "50", "-o", out]);
        succeeds(&["validate", "--reproduce", out]);
        let documents = std::fs::read_to_string(out).unwrap();
        let first: serde_json::Value = serde_json::from_str(documents.lines().next().unwrap()).unwrap();
        first["config"].clone()
    };
    // Floors and towers share a folder, and the latter say so.
    let is_tower = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.display().to_string().starts_with("tower-"))
    };
    let wanted = |path: &PathBuf| folder != "floors" || is_tower(path) == (command == "tower");
    configurations(folder).into_iter().filter(wanted).map(make).collect()
}

#[test]
fn every_floor_and_tower_makes_valid_maps() {
    let floors = make_and_judge("floor", "floors");
    assert!(floors.len() >= 5);
    for (field, value) in [("open", "rooms"), ("carve", "astar"), ("templateId", "shop"), ("width", "64")] {
        assert!(
            floors.iter().any(|floor| floor[field].to_string().trim_matches('"') == value),
            "{field} = {value}"
        );
    }
    assert!(make_and_judge("tower", "floors").len() >= 2);
    let templates = format!("{EXAMPLES}/floors/templates");
    let said = succeeds(&["templates", "check", &templates]);
    assert_eq!(said.matches("sound in every orientation").count(), 2, "{said}");
    succeeds(&["tower", "--templates", &templates, "--template", "gate/2", "--floors", "4", "--width", "7"]);
}

#[test]
fn every_act_makes_valid_maps() {
    assert!(make_and_judge("act", "acts").len() >= 4);
}

#[test]
fn every_stage_makes_valid_levels_and_all_modes_are_there() {
    let stages = make_and_judge("level", "stages");
    assert!(stages.len() >= 12);
    let shows = |field: &str, start: &str| {
        assert!(
            stages.iter().any(|stage| stage[field].to_string().trim_matches('"').starts_with(start)),
            "no stage with {field} = {start}"
        );
    };
    for walls in
        ["default", "empty", "grid_wire", "sparse_moore", "sparse_moore.", "sparse_ortho.", "maze", "caves"]
    {
        shows("walls", walls);
    }
    for fuel in ["fuel_can", "refuel_chain", "start_full"] {
        shows("fuel", fuel);
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
        shows(field, value);
    }
}

#[test]
fn the_drawing_keeps_its_stage() {
    let file = |name: &str| format!("{EXAMPLES}/stages/{name}");
    let verdict = succeeds(&["validate", &file("farmhouse.txt"), "--stage", &file("farmhouse.toml")]);
    assert!(verdict.contains("25 x 18 level: valid") && verdict.contains("soft locks: none"), "{verdict}");
    refuses(&["validate", &file("farmhouse.txt")], &["farmhouse.txt", "--stage"]);
}
