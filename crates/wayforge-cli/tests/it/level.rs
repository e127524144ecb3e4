//! End-to-end tests of `wayforge level`, and of `wayforge validate` for levels.

use crate::common::{self, text, wayforge};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Prefixes arguments with `level`.
fn level<'a>(args: &[&'a str]) -> Vec<&'a str> {
    ["level"].iter().chain(args).copied().collect()
}

#[track_caller]
fn succeeds(args: &[&str]) -> String {
    common::succeeds(&level(args))
}

#[track_caller]
fn rejects(args: &[&str], parts: &[&str]) {
    common::rejects(&level(args), parts);
}

/// Generates the document of a small level with seed 3.
#[track_caller]
fn document(args: &[&str]) -> Value {
    let fixed = ["--width", "30", "--height", "20", "--seed", "3", "--format", "json"];
    serde_json::from_str(&succeeds(&[&fixed, args].concat())).unwrap()
}

/// Counts the cells with any of `symbols` in a document.
fn count(document: &Value, symbols: &str) -> usize {
    let rows = document["map"]["rows"].as_array().unwrap();
    rows.iter()
        .flat_map(|row| row.as_str().unwrap().chars())
        .filter(|c| symbols.contains(*c))
        .count()
}

/// Creates an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("level").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn write(path: &std::path::Path, content: &str) -> String {
    std::fs::write(path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

const YARD: &str = "\
OOOOOOOOOOOOOOO
OBBBBBEBBBBBBBO
OB...........BO
OB..1111111..BO
OB..1.....1..BO
OB.P1..f..1C.BO
OB..1.....1..BO
OB..111.111..BO
OB...........BO
OBBBBBBBBBBBBBO
OOOOOOOOOOOOOOO
";

#[test]
fn ascii_output_is_exactly_the_grid() {
    let args = [
        "--width",
        "48",
        "--height",
        "30",
        "--walls",
        "sparse_moore.25%",
        "--fuel",
        "refuel_chain",
        "--seed",
        "1",
        "--format",
        "ascii",
    ];
    let grid = succeeds(&args);
    let rows: Vec<&str> = grid.lines().collect();
    assert_eq!(rows.len(), 30);
    assert!(rows.iter().all(|row| row.len() == 48), "{grid}");
    assert!(
        grid.ends_with('\n') && grid.chars().all(|c| "OBE1.PCxhwefls^v<>\n".contains(c)),
        "{grid}"
    );
    let count = |symbol: char| grid.matches(symbol).count();
    assert_eq!("PCefE".chars().map(count).collect::<Vec<_>>(), [1, 1, 1, 1, 4]);
    assert_eq!(count('O'), 2 * 48 + 2 * 28);
    assert!(count('1') > 50, "{grid}");
    assert_eq!(succeeds(&args), grid, "reproducible");
    let output = wayforge(&level(&args));
    assert_eq!(text(&output.stderr), "", "prints only the grid");
    let document: Value =
        serde_json::from_str(&succeeds(&[&args[..10], &["--format", "json"]].concat())).unwrap();
    let saved: Vec<&str> = document["map"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row.as_str().unwrap())
        .collect();
    assert_eq!(saved, rows, "the document contains the same grid");
}

#[test]
fn printed_random_seed_reproduces_the_level() {
    let output = wayforge(&level(&[]));
    let error = text(&output.stderr);
    let seed = error.trim().strip_prefix("seed ").unwrap();
    assert_eq!(succeeds(&["--seed", seed]), text(&output.stdout));
}

#[test]
fn count_uses_consecutive_seeds_and_wraps() {
    let one = |seed: &str, format: &str| succeeds(&["--seed", seed, "--format", format]);
    let many = succeeds(&["--seed", "18446744073709551615", "--count", "2", "--format", "json"]);
    assert_eq!(many, one("18446744073709551615", "json") + &one("0", "json"));
    let grids = succeeds(&["--seed", "5", "--count", "2"]);
    assert_eq!(grids, one("5", "ascii") + "\n" + &one("6", "ascii"));
}

/// Each option changes its own field of the configuration and no other.
#[test]
fn every_option_sets_its_field() {
    let plain = document(&[]);
    for (args, field, value) in [
        (&["--width", "40"][..], "width", "40"),
        (&["--height", "25"], "height", "25"),
        (&["--exits", "top,left"], "exits", r#"["top","left"]"#),
        (&["--walls", "sparse_ortho.20%"], "walls", r#""sparse_ortho.20%""#),
        (&["--interior-walls", "solid"], "interior_walls", r#""solid""#),
        (&["--reinforced", "12.5"], "reinforced", r#""12.5%""#),
        (&["--blocked-car", "OBxhw"], "blocked", r#"{"car":"OBxhw","person":"OBx"}"#),
        (&["--blocked-person", "BO"], "blocked", r#"{"car":"OBx","person":"OB"}"#),
        (&["--fuel", "REFUEL_CHAIN"], "fuel", r#""refuel_chain""#),
        (&["--fuel", "start_full"], "fuel", r#""start_full""#),
        (&["--endurance"], "endurance", "true"),
        (&["--players", "2"], "players", "2"),
        (&["--cars", "3"], "cars", "3"),
        (&["--fuel", "refuel_chain", "--empty-cans", "4"], "empty_cans", "4"),
        (&["--fuel-spots", "5"], "fuel_spots", "5"),
        (&["--flashlights", "6"], "flashlights", "6"),
        (&["--shoes", "7"], "shoes", "7"),
        (&["--pitfalls", "3"], "pitfalls", r#"{"amount":"3%","zones":[]}"#),
        (&["--plants", "2.5%"], "plants", r#"{"amount":"2.5%","zones":[]}"#),
        (&["--puddles", "count=12"], "puddles", r#"{"amount":12,"zones":[]}"#),
        (&["--moving-floors", "1.25"], "moving_floors", r#"{"amount":"1.25%","zones":[]}"#),
        (
            &["--pitfall-zone", "4,5,3x2=count=2"],
            "pitfalls",
            r#"{"amount":0,"zones":[{"amount":2,"height":2,"width":3,"x":4,"y":5}]}"#,
        ),
        (
            &["--plant-zone", "4,5,3x2"],
            "plants",
            r#"{"amount":0,"zones":[{"amount":"100%","height":2,"width":3,"x":4,"y":5}]}"#,
        ),
        (
            &["--puddle-zone", "4,5,3x2=50%"],
            "puddles",
            r#"{"amount":0,"zones":[{"amount":"50%","height":2,"width":3,"x":4,"y":5}]}"#,
        ),
        (
            &["--moving-floor-zone", "4,5,3x2=50:west"],
            "moving_floors",
            r#"{"amount":0,"zones":[{"amount":"50%","height":2,"moves":"<","width":3,"x":4,"y":5}]}"#,
        ),
        (
            &["--fall-spawn-zone", "4,5,3x2"],
            "fall_spawn_zones",
            r#"[{"height":2,"width":3,"x":4,"y":5}]"#,
        ),
        (&["--fall-spawn-floor-ratio", "0.04"], "fall_spawn_floor_ratio", "0.04"),
        (&["--min-separation", "12"], "min_separation", "12"),
        (
            &["--mark", "key", "--mark", "door=2@9,9;10,9:until=key"],
            "marks",
            r#"[{"cells":[],"count":1,"name":"key"},{"cells":[[9,9],[10,9]],"count":2,"locked_until":"key","name":"door"}]"#,
        ),
        (
            &["--objective", "P -> f->E", "--objective", "car: C -> E"],
            "objectives",
            r#"[{"mover":"person","steps":["P","f","E"]},{"mover":"car","steps":["C","E"]}]"#,
        ),
        (&["--reachable", "objectives"], "reachable", r#""objectives""#),
        (&["--soft-locks", "forbidden"], "soft_locks", r#""forbidden""#),
        (&["--attempts", "7"], "attempts", "7"),
        (&["--retry", "hash"], "retry", r#""hash""#),
        (&["--no-repair"], "repair", "false"),
    ] {
        let fixed = ["--width", "30", "--height", "20"];
        let sized = args[0] == "--width" || args[0] == "--height";
        let base: Vec<&str> = if sized { Vec::new() } else { fixed.to_vec() };
        let out = succeeds(&[&base[..], &["--seed", "3", "--format", "json"], args].concat());
        let changed: Value = serde_json::from_str(&out).unwrap();
        let value: Value = serde_json::from_str(value).unwrap();
        assert_eq!(changed["config"][field], value, "{args:?}");
        assert_ne!(plain["config"][field], value, "{args:?} changes nothing");
        // Other fields stay unchanged.
        let allowed = ["fuel", "width", "height"];
        for (other, value) in plain["config"].as_object().unwrap() {
            if other != field && !allowed.contains(&other.as_str()) {
                assert_eq!(value, &changed["config"][other], "{args:?} changes {other}");
            }
        }
    }
}

#[test]
fn grid_contains_the_requested_objects() {
    let level = document(&[
        "--fuel",
        "refuel_chain",
        "--players",
        "2",
        "--cars",
        "2",
        "--empty-cans",
        "3",
        "--fuel-spots",
        "4",
        "--flashlights",
        "5",
        "--shoes",
        "6",
        "--pitfalls",
        "count=7",
        "--plants",
        "count=8",
        "--puddles",
        "count=9",
        "--moving-floors",
        "count=10",
        "--exits",
        "top,left",
    ]);
    let found: Vec<usize> =
        ["P", "C", "e", "f", "l", "s", "x", "h", "w", "^v<>", "E"].map(|s| count(&level, s)).into();
    assert_eq!(found, [2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2]);
    // 26 x 16 cells inside, three of them candidates: 3 % of 413 are 12.
    assert_eq!(count(&document(&["--pitfalls", "3"]), "x"), 12);
    assert_eq!(count(&document(&["--walls", "empty"]), "1"), 0);
    let belts = document(&["--moving-floor-zone", "2,2,8x1:^", "--walls", "empty"]);
    assert_eq!((count(&belts, "^"), count(&belts, "v<>")), (8, 0));
    let on_foot = document(&["--endurance"]);
    assert_eq!(
        on_foot["map"]["car_walkable_cells"],
        serde_json::json!([]),
        "endurance stages ignore cars"
    );
    assert_eq!(on_foot["map"]["witness"][1]["steps"], serde_json::json!(["P", "E"]));
}

#[test]
fn stage_file_equals_options_and_options_override_it() {
    let folder = folder("stage");
    let args = [
        "--walls",
        "grid_wire",
        "--fuel",
        "start_full",
        "--pitfalls",
        "2",
        "--no-repair",
        "--endurance",
    ];
    let by_options = document(&args);
    let json = write(&folder.join("stage.json"), &by_options["config"].to_string());
    assert_eq!(document(&["--stage", &json]), by_options);
    let toml = write(
        &folder.join("stage.toml"),
        "walls = \"grid_wire\"\nfuel = \"START_FULL\"\npitfalls = \"2%\"\nrepair = false\nendurance = true\n",
    );
    assert_eq!(document(&["--config", &toml]), by_options);
    let overridden =
        document(&["--stage", &toml, "--walls", "empty", "--endurance=false", "--repair"]);
    let config = &overridden["config"];
    assert_eq!(
        (&config["walls"], &config["endurance"], &config["repair"], &config["fuel"]),
        (&"empty".into(), &false.into(), &true.into(), &"start_full".into())
    );
}

#[test]
fn files_may_start_with_a_byte_order_mark() {
    let folder = folder("mark");
    let stage = write(&folder.join("stage.toml"), "\u{feff}walls = \"empty\"\n");
    assert_eq!(document(&["--stage", &stage])["config"]["walls"], "empty");
    let drawing = write(&folder.join("yard.txt"), YARD);
    let plain = wayforge(&["validate", &drawing, "--stage", &stage]);
    write(&folder.join("yard.txt"), &format!("\u{feff}{YARD}"));
    let marked = wayforge(&["validate", &drawing, "--stage", &stage]);
    assert!(!plain.stdout.is_empty() && text(&plain.stdout) == text(&marked.stdout), "{marked:?}");
}

#[test]
fn rejects_invalid_options_with_one_line() {
    rejects(&["--width", "8"], &["width = 8", "9 to 1024"]);
    rejects(&["--height", "-3"], &["height = -3", "7 to 1024"]);
    rejects(&["--width", "wide"], &["--width", "wide"]);
    rejects(&["--walls", "bricks"], &["bricks", "grid_wire", "sparse_moore.N%", "maze", "caves"]);
    rejects(&["--walls", "sparse_moore.101%"], &["sparse_moore.101%", "0 to 100"]);
    rejects(&["--walls", "maze.5%"], &["takes no density"]);
    rejects(&["--exits", "up"], &["up", "top, bottom, left, right"]);
    rejects(&["--exits", "top,top"], &["exits", "twice"]);
    rejects(&["--fuel", "gas"], &["gas", "refuel_chain"]);
    rejects(&["--interior-walls", "soft"], &["soft", "breakable, solid"]);
    rejects(&["--pitfalls", "lots"], &["--pitfalls lots", "2.5", "count=12"]);
    rejects(&["--pitfalls", "101"], &["--pitfalls 101", "0 to 100"]);
    rejects(&["--plants", "count=-1"], &["--plants count=-1"]);
    rejects(&["--plants", "count=5%"], &["--plants count=5%"]);
    rejects(&["--plants", "count=9999"], &["plants = 9999", "fit"]);
    rejects(&["--reinforced", "x"], &["--reinforced x", "0 to 100"]);
    rejects(&["--fall-spawn-floor-ratio", "-1"], &["--fall-spawn-floor-ratio -1", "0 to 1"]);
    rejects(&["--fall-spawn-floor-ratio", "5%"], &["--fall-spawn-floor-ratio", "5%"]);
    rejects(
        &["--min-separation", "30"],
        &["min_separation = 30", "use 1 to 23", "values up to 11 work for every seed"],
    );
    rejects(&["--pitfall-zone", "1,2"], &["--pitfall-zone 1,2", "X,Y,WxH"]);
    rejects(&["--pitfall-zone", "5,5,2x2:north"], &["--pitfall-zone", "X,Y,WxH"]);
    rejects(
        &["--pitfall-zone", "0,0,2x2"],
        &["pitfalls.zones[0]", "2 x 2 at 0,0", "columns 2 to 45"],
    );
    rejects(&["--pitfall-zone", "5,5,9223372036854775807x2"], &["--pitfall-zone"]);
    rejects(&["--moving-floor-zone", "5,5,2x2:up"], &["up", "north"]);
    rejects(&["--fall-spawn-zone", "5,5,2x2=3%"], &["--fall-spawn-zone"]);
    rejects(&["--mark", "k"], &["marks[0].name", "\"k\""]);
    rejects(&["--mark", "key=many"], &["--mark key=many", "invalid count"]);
    rejects(&["--mark", "key@1"], &["--mark key@1", "invalid cells"]);
    rejects(&["--mark", "key:after=P"], &["after=P", "until=STEP"]);
    rejects(&["--mark", "door:until=key"], &["marks[0].locked_until", "key"]);
    rejects(&["--objective", "P"], &["--objective P", "->"]);
    rejects(&["--objective", "P -> -> E"], &["--objective", "->"]);
    rejects(&["--objective", "bus: P -> E"], &["bus", "car:"]);
    rejects(&["--objective", "P -> key"], &["objectives[0].steps[1]", "key"]);
    rejects(&["--blocked-car", "OBP"], &["blocked.car", "'P'"]);
    rejects(&["--blocked-person", "x"], &["blocked.person"]);
    rejects(&["--players", "0"], &["players = 0"]);
    rejects(&["--empty-cans", "2"], &["--empty-cans", "refuel_chain"]);
    rejects(&["--fuel", "start_full", "--fuel-spots", "2"], &["--fuel-spots", "start_full"]);
    rejects(&["--attempts", "0"], &["attempts = 0", "1 to 1000"]);
    rejects(&["--retry", "again"], &["again", "add, hash"]);
    rejects(&["--repair", "--no-repair"], &["--repair", "--no-repair"]);
    rejects(&["--reachable", "all"], &["all", "candidates"]);
    rejects(&["--soft-locks", "yes"], &["yes", "forbidden"]);
    rejects(&["--wdith", "9"], &["--wdith", "--width"]);
    rejects(&["--stage", "nowhere.toml"], &["nowhere.toml", "No such file"]);
    rejects(&["--pins", "nowhere.txt"], &["nowhere.txt", "No such file"]);
    rejects(&["--count", "2", "--format", "svg"], &["--count 2"]);
    rejects(&["--witness", "all"], &["--witness", "--color always"]);
    rejects(&["--witness", "all", "--format", "json"], &["--witness", "document"]);
    rejects(&["--tags", "reinforced"], &["--tags", "plain ASCII"]);
    rejects(&["--tags", "none,reinforced", "--format", "svg"], &["--tags none"]);
    rejects(&["--no-legend"], &["--no-legend"]);
    rejects(&["-o", "level.bmp"], &[".bmp", ".png"]);
}

#[test]
fn errors_in_stage_files_name_the_position() {
    let folder = folder("bad");
    let file = |name: &str, content: &str| write(&folder.join(name), content);
    rejects(
        &["--stage", &file("a.toml", "pitfalls = \"lots\"\n")],
        &["a.toml", "pitfalls", "lots"],
    );
    rejects(&["--stage", &file("b.toml", "wals = \"maze\"\n")], &["b.toml", "wals", "walls"]);
    let translated =
        text(&wayforge(&level(&["--stage", &file("b.toml", "\n\nwals = \"maze\"\n")])).stderr);
    assert!(!translated.contains("line 1"), "no position in the generated JSON: {translated}");
    rejects(
        &["--stage", &file("c.json", "{\"walls\": \"bricks\"}")],
        &["c.json", "walls", "bricks"],
    );
    rejects(&["--stage", &file("d.json", "{\"fuel\": 3}")], &["d.json", "fuel"]);
    rejects(&["--stage", &file("e.toml", "width = = 3\n")], &["e.toml", "line 1"]);
    rejects(&["--stage", &file("f.yaml", "width: 1")], &[".toml or .json"]);
    rejects(
        &["--stage", &file("g.toml", "marks = [{ name = \"key\", cuont = 2 }]\n")],
        &["marks[0]", "cuont"],
    );
    rejects(&["--stage", &file("h.json", "[]")], &["h.json"]);
    rejects(&["--pins", &file("i.txt", "")], &["i.txt", "no drawing"]);
    rejects(&["--pins", &file("j.txt", "OOO\nO\n")], &["width = 3"]);
    std::fs::write(folder.join("k.txt"), [0xff, 0xfe]).unwrap();
    rejects(&["--pins", folder.join("k.txt").to_str().unwrap()], &["k.txt"]);
    rejects(
        &[
            "--pins",
            &file("l.txt", &"#".repeat(9).lines().collect::<Vec<_>>().repeat(7).join("\n")),
        ],
        &["pins", "'#'"],
    );
}

#[test]
fn infeasible_stage_reports_the_failure_of_every_attempt() {
    let args = ["--seed", "1", "--walls", "empty", "--pitfalls", "97", "--attempts", "3"];
    rejects(
        &args,
        &[
            "seed 1",
            "3 attempts",
            "attempt 0",
            "attempt 2",
            "connectivity at cell",
            "would make the last attempt valid",
        ],
    );
    let full = ["--seed", "1", "--pitfall-zone", "5,5,3x3", "--plant-zone", "5,5,3x3=count=2"];
    rejects(&full, &["plants.zones[0]", "2", "0 fit"]);
}

#[test]
fn pinned_cells_are_kept_and_other_cells_depend_on_the_seed() {
    let folder = folder("pins");
    let pins: String = YARD.replace('.', "?").replace("B", "?");
    let file = write(
        &folder.join("pins.txt"),
        &format!("{}\r\n\r\n", pins.trim_end().replace('\n', "\r\n")),
    );
    for seed in ["1", "2", "3"] {
        let args = [
            "--pins",
            &file,
            "--exits",
            "top",
            "--interior-walls",
            "solid",
            "--walls",
            "sparse_moore",
            "--seed",
            seed,
        ];
        let grid = succeeds(&args);
        assert_eq!(grid.lines().next().unwrap().len(), 15, "the drawing sets the size");
        for (pinned, generated) in pins.chars().zip(grid.chars()) {
            assert!(pinned == '?' || pinned == generated, "{grid}");
        }
        let other = succeeds(&[&args[..9], &["99"]].concat());
        assert_ne!(grid, other, "other cells depend on the seed");
    }
    rejects(&["--pins", &file, "--width", "20"], &["pins", "15 x 11", "not the size"]);
    rejects(&["--pins", &file, "--exits", "left"], &["pins", "6,1"]);
}

#[test]
fn pictures_are_written_atomically_and_show_the_options() {
    let folder = folder("pictures");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let starts: [(&str, &[u8]); 4] =
        [("a.svg", b"<svg "), ("a.png", b"\x89PNG"), ("a.json", b"{\"format\""), ("a.txt", b"OOO")];
    for (name, start) in starts {
        assert_eq!(succeeds(&["--seed", "4", "-o", &file(name)]), "");
        assert!(std::fs::read(file(name)).unwrap().starts_with(start), "{name}");
    }
    let svg = |args: &[&str]| {
        succeeds(&[&["--seed", "4", "--reinforced", "20", "--format", "svg"], args].concat())
    };
    let plain = svg(&[]);
    for args in [
        &["--witness", "all"][..],
        &["--witness", "car"],
        &["--witness", "person"],
        &["--tags", "none"],
        &["--tags", "reinforced,car_walkable"],
        &["--no-legend"],
        &["--theme", "night"],
    ] {
        assert_ne!(svg(args), plain, "{args:?} changes nothing");
    }
    assert_eq!(
        svg(&["--witness", "none", "--tags", "fall_spawn,reinforced"]),
        plain,
        "the defaults"
    );
    let colour = succeeds(&["--seed", "4", "--color", "always"]);
    assert!(colour.contains("\x1b["));
    assert_ne!(succeeds(&["--seed", "4", "--color", "always", "--witness", "all"]), colour);
    let before = std::fs::read(file("a.png")).unwrap();
    rejects(&["--seed", "4", "-o", &file("a.png"), "--scale", "100000"], &["--scale 100000"]);
    assert_eq!(std::fs::read(file("a.png")).unwrap(), before, "a failure keeps the old file");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4, "no temporary file is left");
}

#[test]
fn validates_saved_levels() {
    let folder = folder("validate");
    let path = folder.join("levels.jsonl");
    let args = [
        "--seed",
        "7",
        "--count",
        "20",
        "--format",
        "json",
        "--interior-walls",
        "solid",
        "--plants",
        "2",
    ];
    let file = write(&path, &succeeds(&args));
    let report = common::succeeds(&["validate", "--reproduce", &file]);
    assert_eq!(report.lines().count(), 20);
    assert!(report.contains("level.blueprint/1 seed 7: valid"), "{report}");

    let mut document = document(&["--plants", "2"]);
    let route = document["map"]["witness"][0]["route"].as_array_mut().unwrap();
    route[1] = serde_json::json!([0, 0]);
    let row = document["map"]["rows"][5].as_str().unwrap().replacen('.', "h", 1);
    document["map"]["rows"][5] = row.into();
    let file = write(&path, &document.to_string());
    let output = wayforge(&["validate", "--reproduce", &file]);
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    for part in ["NOT VALID", "digest-matches", "witness", "feature-counts", "reproducible"] {
        assert!(report.contains(part), "{part}: {report}");
    }
    document["algorithm"] = "cake.layers/1".into();
    let file = write(&path, &document.to_string());
    common::rejects(&["validate", &file], &["cake.layers/1", "act.", "level."]);
}

#[test]
fn validates_drawings() {
    let folder = folder("drawings");
    let stage = "exits = [\"top\"]\ninterior_walls = \"solid\"\n";
    let stage = write(&folder.join("stage.toml"), stage);
    let yard = write(&folder.join("yard.txt"), YARD);
    let validate = |drawing: &str| wayforge(&["validate", drawing, "--stage", &stage]);
    let output = validate(&yard);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{report}{}", text(&output.stderr));
    for part in
        ["15 x 11 level: valid", "outside-ring: holds", "connectivity: holds", "soft locks: none"]
    {
        assert!(report.contains(part), "{part}: {report}");
    }
    // The fuel is walled in, there are two exits, the player is missing, the outer band is open.
    for (from, to, parts) in [
        ("111.111", "1111111", ["humanoid-objective-connectivity: BROKEN", "P -> f -> C"]),
        ("BBBBBEBB", "BBBBEEBB", ["exits: BROKEN", "exit"]),
        ("P", ".", ["candidate-counts: BROKEN", "P"]),
        ("OB.P", "O..P", ["outer-band: BROKEN", "cell 1,5"]),
    ] {
        let output = validate(&write(&folder.join("broken.txt"), &YARD.replace(from, to)));
        let report = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{report}");
        assert!(parts.iter().all(|part| report.contains(part)), "{parts:?}: {report}");
    }
    // Two drawings, the second one invalid. Each drawing sets the size of the stage.
    let both = write(&folder.join("both.txt"), &format!("{YARD}\n{}", YARD.replace('C', ".")));
    let output = validate(&both);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        report.contains("both.txt: 15 x 11 level: valid")
            && report.contains("both.txt (drawing 2)"),
        "{report}"
    );
    let output = wayforge(&["validate", &both, "--stage", &stage, "--format", "json"]);
    let reports: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&reports[0]["valid"], &reports[1]["valid"]), (&true.into(), &false.into()));
    // A stage with another size makes the drawing invalid.
    let sized = write(&folder.join("sized.toml"), "exits = [\"top\"]\nwidth = 20\n");
    let output = wayforge(&["validate", &yard, "--stage", &sized]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("size: BROKEN"));

    common::rejects(&["validate", &yard], &["yard.txt", "--stage"]);
    common::rejects(
        &["validate", &yard, "--stage", &stage, "--reproduce"],
        &["--reproduce", "no seed"],
    );
    let odd = write(&folder.join("odd.txt"), "OOO\nOO\n");
    common::rejects(&["validate", &odd, "--stage", &stage], &["odd.txt", "row 1"]);
    let strange = write(&folder.join("strange.txt"), &YARD.replace('P', "@"));
    common::rejects(&["validate", &strange, "--stage", &stage], &["'@'", "known"]);
    let saved = write(&folder.join("saved.json"), &document(&[]).to_string());
    common::rejects(&["validate", &saved, "--stage", &stage], &["saved.json", "leave out --stage"]);
    let nothing = write(&folder.join("nothing.txt"), "\n\n");
    common::rejects(&["validate", &nothing, "--stage", &stage], &["no drawing"]);
}

#[test]
fn reports_soft_locks_of_drawings() {
    // A player who steps on the belt before fetching the fuel cannot return to it.
    let yard = "\
OOOOOOOOOOOOOOO
OBBBBBBBBEBBBBO
OB....1......BO
OB.f..1......BO
OB..P.>...C..BO
OB....1......BO
OBBBBBBBBBBBBBO
OOOOOOOOOOOOOOO
";
    let folder = folder("locks");
    let drawing = write(&folder.join("yard.txt"), yard);
    let stage = "exits = [\"top\"]\ninterior_walls = \"solid\"\n";
    let allowed = write(&folder.join("allowed.toml"), stage);
    let report = common::succeeds(&["validate", &drawing, "--stage", &allowed]);
    assert!(
        report.contains("26 cells from which P -> f -> C cannot be finished after P: 9,1 7,2 "),
        "{report}"
    );
    let forbidden =
        write(&folder.join("forbidden.toml"), &format!("{stage}soft_locks = \"forbidden\"\n"));
    let output = wayforge(&["validate", &drawing, "--stage", &forbidden]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("no-soft-locks: BROKEN"));
    let output = wayforge(&["validate", &drawing, "--stage", &allowed, "--format", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let locks = report["soft_locks"].as_array().unwrap();
    assert!(
        locks.iter().any(|lock| lock["cell"] == serde_json::json!([6, 4]) && lock["after"] == "P")
    );
}

#[test]
fn validates_printed_grids() {
    let folder = folder("back");
    let stage = write(
        &folder.join("stage.toml"),
        "walls = \"sparse_moore\"\nflashlights = 2\nwidth = 25\nheight = 25\n",
    );
    let grids = succeeds(&["--stage", &stage, "--seed", "1", "--count", "10"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(["validate", "-", "--stage", &stage])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(grids.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let report = text(&output.stdout);
    assert_eq!(
        (output.status.code(), report.matches(": valid, ").count()),
        (Some(0), 10),
        "{report}"
    );
}

#[test]
fn schema_and_manual_page_cover_levels() {
    let schema: Value = serde_json::from_str(&common::succeeds(&["schema", "level"])).unwrap();
    assert_eq!(schema["title"], "Wayforge blueprint level");
    assert!(common::succeeds(&["man", "level"]).contains("moving"));
    assert!(succeeds(&["--help"]).contains("--fall-spawn-floor-ratio"));
}
