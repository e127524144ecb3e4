//! `wayforge way` and `wayforge water` as a person runs them.

mod common;

use common::{refuses, succeeds};
use serde_json::Value;
use std::path::PathBuf;

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("way-{name}"));
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
fn an_answer_has_all_its_fields() {
    let map = drawing("fields", BAY);
    let out = succeeds(&[
        "way", "--map", &map, "--from", "0,0", "--from", "0,2", "--to", "7,0", "--format", "json",
    ]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["found"], true);
    assert_eq!(answer["length"], 9);
    assert_eq!(answer["source"], serde_json::json!([0, 2]));
    assert_eq!(answer["target"], serde_json::json!([7, 0]));
    assert_eq!((&answer["source_index"], &answer["target_index"]), (&1.into(), &0.into()));
    assert_eq!(answer["tiles"].as_array().unwrap().len(), 10);
    assert_eq!(
        (&answer["guarantee"], &answer["expansions"], &answer["fallback"]),
        (&"exact".into(), &0.into(), &false.into())
    );
    assert!(answer["visited"].as_u64().is_some() && answer["method"].is_string());
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
    let places: Vec<usize> = order.iter().map(|key| out.find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(places.is_sorted() && out.starts_with("{\"found\":true,\"length\":9,\"tiles\":[["), "{out}");
    // The same in words.
    let text = succeeds(&["way", "--map", &map, "--from", "0,2", "--to", "7,0"]);
    assert!(text.starts_with("length 9 (exact) by "), "{text}");
}

#[test]
fn every_method_answers() {
    let map = drawing("methods", "......\n......\n......\n......\n");
    for method in
        ["auto", "bfs", "wave", "restart", "mask-f1", "mask-f2", "mask-optimal", "pieces", "jump", "graph"]
    {
        for (moves, length) in [("8", 5), ("4", 8)] {
            let out = succeeds(&[
                "way", "--map", &map, "--from", "0,0", "--to", "5,3", "--moves", moves, "--method", method,
                "--format", "json",
            ]);
            let answer: Value = serde_json::from_str(&out).unwrap();
            assert_eq!(answer["length"], length, "{method} {moves}");
        }
    }
    let out = succeeds(&[
        "way", "--map", &map, "--from", "0,0", "--to", "5,3", "--metric", "octile", "--format", "json",
    ]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert!(
        (answer["length"].as_f64().unwrap() - (2.0 + 3.0 * std::f64::consts::SQRT_2)).abs() < 1e-9,
        "{out}"
    );
}

#[test]
fn no_way_is_an_answer() {
    let map = drawing("none", "..#..\n");
    let out = succeeds(&["way", "--map", &map, "--from", "0,0", "--to", "4,0", "--format", "json"]);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&answer["found"], &answer["length"], &answer["visited"]),
        (&false.into(), &Value::Null, &0.into())
    );
}

#[test]
fn files_of_queries_are_answered_line_by_line() {
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
    let lines = succeeds(&["way", "--map", &map, "--queries", &multi, "--format", "json"]);
    let lengths: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["length"].clone()).collect();
    assert_eq!(lengths, [3, 3]);
    let scen = file("q.scen", "version 1\n0 m.map 4 3 0 0 3 2 5\n");
    let line: Value = serde_json::from_str(&succeeds(&["way", "--map", &map, "--queries", &scen])).unwrap();
    assert_eq!((line["length"].as_f64(), line["stated"].as_f64()), (Some(5.0), Some(5.0)));
    let land = file("land.p2p", "0\t5\n");
    let output = common::wayforge(&["way", "--map", &map, "--queries", &land]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        common::text(&output.stderr).contains("query 1: targets[0] = 1,1: is land"),
        "{}",
        common::text(&output.stderr)
    );
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let map = drawing("bad", BAY);
    let way = |more: &[&str], parts: &[&str]| refuses(&[&["way", "--map", &map], more].concat(), parts);
    way(&["--from", "0,0"], &["--to: missing"]);
    way(&["--from", "0,0", "--to", "4,0"], &["--to[0] = 4,0: is land; name a water tile"]);
    way(&["--from", "9,0", "--to", "0,0"], &["--from[0] = 9,0: lies beyond the grid of 8 x 3"]);
    way(&["--from", "-1,0", "--to", "0,0"], &["--from -1,0: beyond every map"]);
    way(&["--from", "0,0", "--to", "1,0", "--method", "fast"], &["--method = fast: unknown; use auto"]);
    way(&["--from", "0,0", "--to", "1,0", "--draw", "x.bmp"], &["use .png"]);
    way(&["--from", "0,0", "--to", "1,0", "--depths", "3"], &["this map knows no magnitudes"]);
    way(&["--from", "0,0", "--to", "1,0", "--metric", "octile", "--method", "wave"], &["counts steps"]);
    refuses(&["way", "--map", "nowhere.map", "--from", "0,0", "--to", "1,0"], &["nowhere.map"]);
    refuses(&["water", "--width", "0"], &["--width = 0: out of range; use 1 to 16384"]);
    refuses(&["water", "--land", "101"], &["--land = 101"]);
}

#[test]
fn a_sea_can_be_made_drawn_and_crossed() {
    let folder = folder("sea");
    let path = |name: &str| folder.join(name).display().to_string();
    let made = ["water", "--seed", "7", "--width", "200", "--height", "120", "--scale", "60"];
    let facts = succeeds(&[&made[..], &["-o", &path("sea"), "--draw", &path("sea.png")]].concat());
    let facts: Value = serde_json::from_str(&facts).unwrap();
    assert_eq!((&facts["algorithm"], &facts["seed"]), (&"water.archipelago/1".into(), &"7".into()));
    assert_eq!(facts["water"].as_u64().unwrap() + facts["land"].as_u64().unwrap(), 200 * 120);
    assert!(std::fs::read(path("sea.png")).unwrap().starts_with(b"\x89PNG"));
    // The map reads back with its depths: find some water and a way over it.
    let tiles = std::fs::read(path("sea/map.bin")).unwrap();
    let water: Vec<usize> = (0..tiles.len()).filter(|&at| tiles[at] & 0x80 == 0).collect();
    assert_eq!(water.len() as u64, facts["water"].as_u64().unwrap());
    let tile = |at: usize| format!("{},{}", at % 200, at / 200);
    let (from, to) = (tile(water[0]), tile(water[water.len() / 2]));
    let map = path("sea/map.bin");
    let ask = ["way", "--map", &map, "--from", &from, "--to", &to, "--format", "json"];
    let answer: Value = serde_json::from_str(&succeeds(&[&ask[..], &["--depths", "4,1"]].concat())).unwrap();
    assert!(answer["found"] == false || answer["depth"].is_u64());
    succeeds(&[&ask[..], &["--draw", &path("way.png"), "--theme", "night"]].concat());
    assert!(std::fs::read(path("way.png")).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(succeeds(&made), succeeds(&made), "one seed, one map");
}

#[test]
fn a_search_is_shown_step_by_step() {
    let map = folder("steps").join("bay.txt");
    std::fs::write(&map, "........\n.######.\n........\n").unwrap();
    let path = map.to_str().unwrap();
    let ask = ["way", "--map", path, "--from", "0,0", "--to", "7,2", "--method", "mask-f2"];
    let steps = succeeds(&[&ask[..], &["--steps"]].concat());
    assert!(steps.starts_with("step 1 of ") && steps.contains("tiles visited"), "{steps}");
    assert!(steps.ends_with("a way of 9 steps\nSooooooo\n*######o\n*******T\n"), "{steps}");
    let film = map.with_extension("apng");
    let told = succeeds(&[&ask[..], &["--draw", film.to_str().unwrap(), "--format", "json"]].concat());
    assert!(told.contains("\"length\":9"), "{told}");
    assert!(std::fs::read(&film).unwrap().windows(4).any(|chunk| chunk == b"acTL"));
    // Without a method it is one that can be shown.
    let plain = succeeds(&["way", "--map", path, "--from", "0,0", "--to", "7,2", "--steps"]);
    assert!(plain.starts_with("step 1 of ") && plain.contains("a way of 9 steps"), "{plain}");
    refuses(
        &["way", "--map", path, "--from", "0,0", "--to", "7,2", "--method", "jump", "--steps"],
        &["--method = jump", "bfs"],
    );
    refuses(
        &["way", "--map", path, "--from", "1,1", "--to", "7,2", "--method", "bfs", "--steps"],
        &["wayforge: --from[0] = 1,1"],
    );
}

#[test]
fn odd_numbers_are_refused_by_their_option() {
    let map = drawing("odd", BAY);
    let ask = |more: &[&str], said: &[&str]| {
        refuses(&[&["way", "--map", map.as_str(), "--to", "7,0"], more].concat(), said);
    };
    ask(&["--from", "99999999999,0"], &["--from 99999999999,0: beyond every map", "16384"]);
    ask(&["--from", "-1,0"], &["--from -1,0: beyond every map"]);
    ask(&["--from", "8,0"], &["--from[0] = 8,0", "columns 0 to 7"]);
    ask(&["--from", "0;0"], &["--from 0;0: not a tile"]);
    ask(&["--from", "0,0", "--side", "9", "--draw", "odd.png"], &["--side 9: out of range; use 64 to 8192"]);
    ask(&["--from", "0,0", "--depths", "3"], &["--depths = 3", "magnitudes"]);
    ask(
        &["--from", "0,0", "--method", "bfs", "--metric", "octile"],
        &["--method = bfs", "or the metric steps"],
    );
}

/// A grid of 48 x 64 tiles with a wall at column 23 from row 28 on.
fn walled(name: &str) -> String {
    let tile = |x: usize, y: usize| if x == 23 && y >= 28 { '#' } else { '.' };
    let row = |y: usize| (0..48).map(|x| tile(x, y)).collect::<String>() + "\n";
    drawing(name, &(0..64).map(row).collect::<String>())
}

#[test]
fn sources_outside_the_first_corridor_count() {
    let map = walled("sources");
    for method in ["restart", "mask-f1", "mask-f2", "mask-optimal", "pieces", "auto"] {
        let out = succeeds(&[
            "way", "--map", &map, "--from", "21,50", "--from", "25,33", "--to", "25,50", "--method", method,
        ]);
        assert!(out.starts_with("length 17 ("), "{method}: {out}");
    }
}

#[test]
fn corridors_have_options() {
    let map = walled("corridor");
    let ask = |more: &[&str]| {
        let ends = ["way", "--map", &map, "--from", "21,50", "--to", "25,50", "--method", "mask-optimal"];
        succeeds(&[&ends[..], more].concat())
    };
    assert!(ask(&[]).contains("(shortest in region) by mask-optimal"));
    assert!(ask(&["--radius", "20"]).contains(" 0 expansions\n"));
    assert!(ask(&["--coarse-rule", "components"]).contains(" 0 expansions\n"));
    assert!(ask(&["--max-expansions", "0"]).contains("length 48 (exact) by mask-optimal"));
    let wide = ask(&["--factor", "2", "--max-expansions", "1000"]);
    assert!(wide.contains("(shortest in region)") && !wide.contains("fell back"), "{wide}");
    let error = |more: &[&str], parts: &[&str]| {
        let ends = ["way", "--map", &map, "--from", "21,50", "--to", "25,50", "--method", "mask-f2"];
        refuses(&[&ends[..], more].concat(), parts);
    };
    error(&["--factor", "0"], &["--factor = 0: out of range; use 1 to 1024"]);
    error(&["--radius", "-1"], &["--radius = -1: out of range; use 0 to 1024"]);
    error(&["--max-expansions", "1025"], &["--max-expansions = 1025: out of range; use 0 to 1024"]);
    error(&["--coarse-rule", "cells"], &["--coarse-rule = cells: unknown; use any-tile, components"]);
    refuses(
        &["way", "--map", &map, "--from", "21,50", "--to", "25,50", "--radius", "3"],
        &["--radius = 3: the method auto has no corridor; use the method restart, mask-f1"],
    );
    let help = succeeds(&["way", "--help"]);
    for part in ["--factor <TILES>", "--radius <CELLS>", "--max-expansions <K>", "--coarse-rule <RULE>"] {
        assert!(help.contains(part), "{part}");
    }
}
