//! End-to-end tests of `wayforge convert` and `wayforge formats`.

use crate::common::{rejects, succeeds, text, wayforge};
use std::path::Path;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn path_in(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

/// Sets a cell of a layer of a TMX map.
fn paint(tmx: &str, layer: &str, x: usize, y: usize, gid: &str) -> String {
    let (head, rest) = tmx.split_once(&format!("name=\"{layer}\"")).unwrap();
    let (open, rest) = rest.split_once("<data encoding=\"csv\">\n").unwrap();
    let (rows, tail) = rest.split_once("</data>").unwrap();
    let mut rows: Vec<Vec<&str>> =
        rows.lines().map(|row| row.trim_end_matches(',').split(',').collect()).collect();
    rows[y][x] = gid;
    let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
    format!(
        "{head}name=\"{layer}\"{open}<data encoding=\"csv\">\n{}\n</data>{tail}",
        rows.join(",\n")
    )
}

#[test]
fn lists_formats_as_text_and_json() {
    let table = succeeds(&["formats"]);
    assert!(
        table.lines().next().unwrap().trim_start().starts_with("act level floor tower blueprint"),
        "{table}"
    );
    assert!(table.contains("\n.tmx ") && table.contains("rw"));
    let lines = succeeds(&["formats", "--format", "json"]);
    let tmx: serde_json::Value = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .find(|f: &serde_json::Value| f["name"] == "tmx")
        .unwrap();
    assert_eq!(tmx["suffixes"], serde_json::json!(["tmx"]));
    assert!(tmx["reads"].as_array().unwrap().contains(&"level".into()));
}

#[test]
fn round_trips_through_tiled_are_lossless() {
    let folder = folder();
    let path = |name: &str| path_in(folder.path(), name);
    succeeds(&["level", "--seed", "7", "--width", "20", "--height", "15", "-o", &path("a.json")]);
    succeeds(&["convert", &path("a.json"), &path("b.tmx")]);
    succeeds(&["convert", &path("b.tmx"), &path("c.tmj"), "--theme", "night"]);
    succeeds(&["convert", &path("c.tmj"), &path("d.json")]);
    assert_eq!(std::fs::read(path("a.json")).unwrap(), std::fs::read(path("d.json")).unwrap());
    assert!(folder.path().join("wayforge-level-parchment.png").exists());
    assert!(folder.path().join("wayforge-level-night.png").exists());
    succeeds(&["tower", "--seed", "7", "--floors", "3", "-o", &path("t.json")]);
    succeeds(&["convert", &path("t.json"), &path("t.world")]);
    assert!(folder.path().join("t-003.tmx").exists());
    succeeds(&["convert", &path("t.world"), &path("u.json")]);
    assert_eq!(std::fs::read(path("t.json")).unwrap(), std::fs::read(path("u.json")).unwrap());
}

#[test]
fn edited_level_is_validated_or_regenerated() {
    let folder = folder();
    let path = |name: &str| path_in(folder.path(), name);
    succeeds(&[
        "level",
        "--seed",
        "7",
        "--width",
        "20",
        "--height",
        "15",
        "--walls",
        "empty",
        "-o",
        &path("a.json"),
    ]);
    succeeds(&["convert", &path("a.json"), &path("a.tmx")]);
    let tmx = std::fs::read_to_string(path("a.tmx")).unwrap();
    let ascii = succeeds(&["convert", &path("a.json"), &path("a.txt")])
        + &std::fs::read_to_string(path("a.txt")).unwrap();
    let (x, y) = ascii
        .lines()
        .enumerate()
        .find_map(|(y, row)| row.find("...").filter(|_| y > 4).map(|x| (x + 1, y)))
        .unwrap();
    // A puddle is the tenth symbol of the legend.
    let edited = paint(&tmx, "ground", x, y, "10");
    std::fs::write(path("edited.tmx"), &edited).unwrap();
    let output = wayforge(&["convert", &path("edited.tmx"), &path("edited.json")]);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("edited since generation; written as drawn"), "{stderr}");
    assert_eq!(
        output.status.code(),
        Some(1),
        "a puddle outside the configuration breaks a rule: {stderr}"
    );
    assert!(stderr.contains("NOT VALID"), "{stderr}");
    std::fs::write(path("marked.tmx"), paint(&edited, "pins", x, y, "31")).unwrap();
    for (input, pins) in [("marked.tmx", "marked"), ("edited.tmx", "changed")] {
        let output = wayforge(&["convert", &path(input), &path("again.json"), "--pins", pins]);
        let stderr = text(&output.stderr);
        assert!(output.status.success() && stderr.contains(": valid, "), "{stderr}");
        succeeds(&["validate", "--reproduce", &path("again.json")]);
        succeeds(&["convert", &path("again.json"), &path("again.txt")]);
        let row =
            std::fs::read_to_string(path("again.txt")).unwrap().lines().nth(y).unwrap().to_owned();
        assert_eq!(row.chars().nth(x), Some('w'), "{input}");
    }
    // Without --pins, marked cells are pinned.
    let output = wayforge(&["convert", &path("marked.tmx"), &path("again.tmx")]);
    assert!(text(&output.stderr).contains(": valid, "));
}

#[test]
fn generates_a_level_from_a_blueprint() {
    let folder = folder();
    let path = |name: &str| path_in(folder.path(), name);
    let stage = "examples/stages/farmhouse.toml";
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let output = wayforge(&[
        "convert",
        &format!("{root}examples/stages/farmhouse.txt"),
        &path("yard.json"),
        "--stage",
        &format!("{root}{stage}"),
        "--seed",
        "4",
        "--pins",
        "all",
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    succeeds(&["validate", "--reproduce", &path("yard.json")]);
}

#[test]
fn errors_name_the_file_and_leave_no_output() {
    let folder = folder();
    let path = |name: &str| path_in(folder.path(), name);
    succeeds(&["act", "--seed", "7", "-o", &path("a.json")]);
    rejects(
        &["convert", &path("a.json"), &path("a.tmx")],
        &["a.tmx: tmx does not support act; it supports level"],
    );
    rejects(
        &["convert", &path("a.json"), &path("a.doc")],
        &["suffix = a.doc: unknown suffix; use .json"],
    );
    rejects(&["convert", &path("none.tmx"), &path("a.json")], &["none.tmx"]);
    rejects(
        &["convert", &path("a.json"), &path("b.json"), "--pins", "all"],
        &["pins = act: only levels and floors"],
    );
    std::fs::write(path("bad.tmx"), "<map").unwrap();
    rejects(&["convert", &path("bad.tmx"), &path("c.json")], &["bad.tmx: document = line 1"]);
    let mut names: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["a.json", "bad.tmx"]);
}

#[test]
fn finds_paths_in_every_grid_format() {
    let folder = folder();
    let path = |name: &str| path_in(folder.path(), name);
    std::fs::write(path("sea.txt"), "...\n.#.\n...\n").unwrap();
    for suffix in ["map", "pgm", "png", "tmx", "tmj", "bin"] {
        let map = path(&format!("sea.{suffix}"));
        succeeds(&["convert", &path("sea.txt"), &map]);
        let output =
            succeeds(&["path", "--map", &map, "--from", "0,0", "--to", "2,2", "--format", "json"]);
        assert!(output.contains("\"length\":4"), "{suffix}: {output}");
    }
}
