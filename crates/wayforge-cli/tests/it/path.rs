//! End-to-end tests of `wayforge path` and `wayforge archipelago`.

use crate::common::{self, rejects, succeeds};
use serde_json::Value;
use std::path::PathBuf;

/// Creates a folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("path-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn drawing(name: &str, text: &str) -> String {
    let path = folder(name).join("map.txt");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

const BAY: &str = "....#...\n.##.#.#.\n........\n";

#[test]
fn json_result_has_all_fields_in_order() {
    let map = drawing("fields", BAY);
    let out = succeeds(&[
        "path", "--map", &map, "--from", "0,0", "--from", "0,2", "--to", "7,0", "--format", "json",
    ]);
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(result["found"], true);
    assert_eq!(result["length"], 9);
    assert_eq!(result["source"], serde_json::json!([0, 2]));
    assert_eq!(result["target"], serde_json::json!([7, 0]));
    assert_eq!((&result["source_index"], &result["target_index"]), (&1.into(), &0.into()));
    assert_eq!(result["tiles"].as_array().unwrap().len(), 10);
    assert_eq!(
        (&result["guarantee"], &result["expansions"], &result["fallback"]),
        (&"exact".into(), &0.into(), &false.into())
    );
    assert!(result["visited"].as_u64().is_some() && result["method"].is_string());
    let order = [
        "found",
        "length",
        "tiles",
        "source",
        "target",
        "guarantee",
        "method",
        "visited",
        "expansions",
        "fallback",
    ];
    let places: Vec<usize> =
        order.iter().map(|key| out.find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(
        places.is_sorted() && out.starts_with("{\"found\":true,\"length\":9,\"tiles\":[["),
        "{out}"
    );
    // The same result as text.
    let text = succeeds(&["path", "--map", &map, "--from", "0,2", "--to", "7,0"]);
    assert!(text.starts_with("length 9 (exact) by "), "{text}");
}

#[test]
fn every_method_finds_a_path() {
    let map = drawing("methods", "......\n......\n......\n......\n");
    for method in [
        "auto",
        "bfs",
        "bidirectional",
        "restart",
        "mask-f1",
        "mask-f2",
        "mask-optimal",
        "components",
        "jps",
        "jps-graph",
    ] {
        for (connectivity, length) in [("8", 5), ("4", 8)] {
            let out = succeeds(&[
                "path",
                "--map",
                &map,
                "--from",
                "0,0",
                "--to",
                "5,3",
                "--connectivity",
                connectivity,
                "--method",
                method,
                "--format",
                "json",
            ]);
            let result: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(result["length"], length, "{method} {connectivity}");
        }
    }
    let out = succeeds(&[
        "path", "--map", &map, "--from", "0,0", "--to", "5,3", "--metric", "octile", "--format",
        "json",
    ]);
    let result: Value = serde_json::from_str(&out).unwrap();
    assert!(
        (result["length"].as_f64().unwrap() - (2.0 + 3.0 * std::f64::consts::SQRT_2)).abs() < 1e-9,
        "{out}"
    );
}

#[test]
fn reports_that_no_path_exists() {
    let map = drawing("none", "..#..\n");
    let out =
        succeeds(&["path", "--map", &map, "--from", "0,0", "--to", "4,0", "--format", "json"]);
    let result: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&result["found"], &result["length"], &result["visited"]),
        (&false.into(), &Value::Null, &0.into())
    );
}

#[test]
fn query_files_print_one_line_per_query() {
    let folder = folder("queries");
    let map = folder.join("m.map");
    std::fs::write(&map, "type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n").unwrap();
    let map = map.display().to_string();
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let multi = file("q.multi", "0,8\t11\n0\t3,11\n");
    let lines = succeeds(&["path", "--map", &map, "--queries", &multi, "--format", "json"]);
    let lengths: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["length"].clone())
        .collect();
    assert_eq!(lengths, [3, 3]);
    let scen = file("q.scen", "version 1\n0 m.map 4 3 0 0 3 2 5\n");
    let line: Value =
        serde_json::from_str(&succeeds(&["path", "--map", &map, "--queries", &scen])).unwrap();
    assert_eq!((line["length"].as_f64(), line["expected"].as_f64()), (Some(5.0), Some(5.0)));
    let land = file("land.p2p", "0\t5\n");
    let output = common::wayforge(&["path", "--map", &map, "--queries", &land]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        common::text(&output.stderr).contains("query 1: targets[0] = 1,1: blocked"),
        "{}",
        common::text(&output.stderr)
    );
}

#[test]
fn rejects_invalid_input_with_one_line() {
    let map = drawing("bad", BAY);
    let check =
        |more: &[&str], parts: &[&str]| rejects(&[&["path", "--map", &map], more].concat(), parts);
    check(&["--from", "0,0"], &["--to: missing"]);
    check(&["--from", "0,0", "--to", "4,0"], &["--to[0] = 4,0: blocked; use an open tile"]);
    check(&["--from", "9,0", "--to", "0,0"], &["--from[0] = 9,0: outside the grid of 8 x 3"]);
    check(&["--from", "-1,0", "--to", "0,0"], &["--from -1,0: out of range"]);
    check(
        &["--from", "0,0", "--to", "1,0", "--method", "fast"],
        &["--method = fast: unknown; use auto"],
    );
    check(&["--from", "0,0", "--to", "1,0", "--draw", "x.bmp"], &["use .png"]);
    check(&["--from", "0,0", "--to", "1,0", "--depths", "3"], &["this map has no magnitudes"]);
    check(
        &["--from", "0,0", "--to", "1,0", "--metric", "octile", "--method", "bidirectional"],
        &["counts steps"],
    );
    rejects(&["path", "--map", "nowhere.map", "--from", "0,0", "--to", "1,0"], &["nowhere.map"]);
    rejects(&["archipelago", "--width", "0"], &["--width = 0: out of range; use 1 to 16384"]);
    rejects(&["archipelago", "--land", "101"], &["--land = 101"]);
}

#[test]
fn archipelago_is_generated_drawn_and_searched() {
    let folder = folder("sea");
    let path = |name: &str| folder.join(name).display().to_string();
    let generate =
        ["archipelago", "--seed", "7", "--width", "200", "--height", "120", "--scale", "60"];
    let summary =
        succeeds(&[&generate[..], &["-o", &path("sea"), "--draw", &path("sea.png")]].concat());
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(
        (&summary["algorithm"], &summary["seed"]),
        (&"water.archipelago/1".into(), &"7".into())
    );
    assert_eq!(summary["water"].as_u64().unwrap() + summary["land"].as_u64().unwrap(), 200 * 120);
    assert!(std::fs::read(path("sea.png")).unwrap().starts_with(b"\x89PNG"));
    // The written map contains depths: find a path between two water tiles.
    let tiles = std::fs::read(path("sea/map.bin")).unwrap();
    let water: Vec<usize> = (0..tiles.len()).filter(|&index| tiles[index] & 0x80 == 0).collect();
    assert_eq!(water.len() as u64, summary["water"].as_u64().unwrap());
    let tile = |index: usize| format!("{},{}", index % 200, index / 200);
    // The last water tile before the first gap.
    let end = water.windows(2).position(|pair| pair[1] != pair[0] + 1).unwrap();
    assert!(end > 0);
    let (from, to) = (tile(water[0]), tile(water[end]));
    let map = path("sea/map.bin");
    let args = ["path", "--map", &map, "--from", &from, "--to", &to, "--format", "json"];
    let result: Value =
        serde_json::from_str(&succeeds(&[&args[..], &["--depths", "4,1"]].concat())).unwrap();
    assert_eq!((&result["found"], result["depth"].is_u64()), (&true.into(), true), "{result}");
    succeeds(&[&args[..], &["--draw", &path("path.png"), "--theme", "night"]].concat());
    assert!(std::fs::read(path("path.png")).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(succeeds(&generate), succeeds(&generate), "one seed, one map");
}

#[test]
fn shows_a_search_step_by_step() {
    let map = folder("steps").join("bay.txt");
    std::fs::write(&map, "........\n.######.\n........\n").unwrap();
    let path = map.to_str().unwrap();
    let args = ["path", "--map", path, "--from", "0,0", "--to", "7,2", "--method", "mask-f2"];
    let steps = succeeds(&[&args[..], &["--steps"]].concat());
    assert!(steps.starts_with("step 1 of ") && steps.contains("tiles visited"), "{steps}");
    assert!(steps.ends_with("a path of 9 steps\nSooooooo\n*######o\n*******T\n"), "{steps}");
    let animation = map.with_extension("apng");
    let output = succeeds(
        &[&args[..], &["--draw", animation.to_str().unwrap(), "--format", "json"]].concat(),
    );
    assert!(output.contains("\"length\":9"), "{output}");
    assert!(std::fs::read(&animation).unwrap().windows(4).any(|chunk| chunk == b"acTL"));
    // Without --method, a method with steps is chosen.
    let plain = succeeds(&["path", "--map", path, "--from", "0,0", "--to", "7,2", "--steps"]);
    assert!(plain.starts_with("step 1 of ") && plain.contains("a path of 9 steps"), "{plain}");
    rejects(
        &["path", "--map", path, "--from", "0,0", "--to", "7,2", "--method", "jps", "--steps"],
        &["--method = jps", "bfs"],
    );
    rejects(
        &["path", "--map", path, "--from", "1,1", "--to", "7,2", "--method", "bfs", "--steps"],
        &["wayforge: --from[0] = 1,1"],
    );
}

#[test]
fn rejects_invalid_numbers_by_option() {
    let map = drawing("odd", BAY);
    let check = |more: &[&str], parts: &[&str]| {
        rejects(&[&["path", "--map", map.as_str(), "--to", "7,0"], more].concat(), parts);
    };
    check(
        &["--from", "99999999999,0"],
        &["--from 99999999999,0: out of range; use columns and rows from 0 to 16383"],
    );
    check(&["--from", "-1,0"], &["--from -1,0: out of range"]);
    check(&["--from", "8,0"], &["--from[0] = 8,0", "columns 0 to 7"]);
    check(&["--from", "0;0"], &["--from 0;0: not a tile"]);
    check(
        &["--from", "0,0", "--side", "9", "--draw", "odd.png"],
        &["--side 9: out of range; use 64 to 8192"],
    );
    check(&["--from", "0,0", "--depths", "3"], &["--depths = 3", "magnitudes"]);
    check(
        &["--from", "0,0", "--method", "bfs", "--metric", "octile"],
        &["--method = bfs", "or the metric steps"],
    );
}

/// Draws a grid of 48 x 64 tiles with a wall at column 23 from row 28.
fn walled(name: &str) -> String {
    let tile = |x: usize, y: usize| if x == 23 && y >= 28 { '#' } else { '.' };
    let row = |y: usize| (0..48).map(|x| tile(x, y)).collect::<String>() + "\n";
    drawing(name, &(0..64).map(row).collect::<String>())
}

#[test]
fn sources_outside_the_first_corridor_are_used() {
    let map = walled("sources");
    for method in ["restart", "mask-f1", "mask-f2", "mask-optimal", "components", "auto"] {
        let out = succeeds(&[
            "path", "--map", &map, "--from", "21,50", "--from", "25,33", "--to", "25,50",
            "--method", method,
        ]);
        assert!(out.starts_with("length 17 ("), "{method}: {out}");
    }
}

#[test]
fn corridor_options_are_applied_and_checked() {
    let map = walled("corridor");
    let find = |more: &[&str]| {
        let ends =
            ["path", "--map", &map, "--from", "21,50", "--to", "25,50", "--method", "mask-optimal"];
        succeeds(&[&ends[..], more].concat())
    };
    assert!(find(&[]).contains("(shortest in region) by mask-optimal"));
    assert!(find(&["--radius", "20"]).contains(" 0 expansions\n"));
    assert!(find(&["--coarse-rule", "components"]).contains(" 0 expansions\n"));
    assert!(find(&["--max-expansions", "0"]).contains("length 48 (exact) by mask-optimal"));
    let wide = find(&["--factor", "2", "--max-expansions", "1000"]);
    assert!(wide.contains("(shortest in region)") && !wide.contains("fell back"), "{wide}");
    let error = |more: &[&str], parts: &[&str]| {
        let ends =
            ["path", "--map", &map, "--from", "21,50", "--to", "25,50", "--method", "mask-f2"];
        rejects(&[&ends[..], more].concat(), parts);
    };
    error(&["--factor", "0"], &["--factor = 0: out of range; use 1 to 1024"]);
    error(&["--radius", "-1"], &["--radius = -1: out of range; use 0 to 1024"]);
    error(&["--max-expansions", "1025"], &["--max-expansions = 1025: out of range; use 0 to 1024"]);
    error(
        &["--coarse-rule", "cells"],
        &["--coarse-rule = cells: unknown; use any-tile, components"],
    );
    rejects(
        &["path", "--map", &map, "--from", "21,50", "--to", "25,50", "--radius", "3"],
        &["--radius = 3: the method auto has no corridor; use the method restart, mask-f1"],
    );
    let help = succeeds(&["path", "--help"]);
    for part in
        ["--factor <TILES>", "--radius <CELLS>", "--max-expansions <K>", "--coarse-rule <RULE>"]
    {
        assert!(help.contains(part), "{part}");
    }
}
