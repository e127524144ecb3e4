//! `wayforge level`, and `wayforge validate` on levels, as a user meets them.

mod common;

use common::{text, wayforge};
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The arguments of `wayforge level`, which most of these tests are about.
fn level<'a>(args: &[&'a str]) -> Vec<&'a str> {
    ["level"].iter().chain(args).copied().collect()
}

#[track_caller]
fn succeeds(args: &[&str]) -> String {
    common::succeeds(&level(args))
}

#[track_caller]
fn refuses(args: &[&str], parts: &[&str]) {
    common::refuses(&level(args), parts);
}

/// The document of a small level of seed 3.
#[track_caller]
fn document(args: &[&str]) -> Value {
    let fixed = ["--width", "30", "--height", "20", "--seed", "3", "--format", "json"];
    serde_json::from_str(&succeeds(&[&fixed, args].concat())).unwrap()
}

/// How often a symbol stands on the grid of a document.
fn count(document: &Value, symbols: &str) -> usize {
    let rows = document["map"]["rows"].as_array().unwrap();
    rows.iter().flat_map(|row| row.as_str().unwrap().chars()).filter(|c| symbols.contains(*c)).count()
}

/// A folder of this test's own, empty at first.
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
fn the_issues_command_prints_exactly_the_grid() {
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
    assert!(grid.ends_with('\n') && grid.chars().all(|c| "OBE1.PCxhwefls^v<>\n".contains(c)), "{grid}");
    let how_many = |symbol: char| grid.matches(symbol).count();
    assert_eq!("PCefE".chars().map(how_many).collect::<Vec<_>>(), [1, 1, 1, 1, 4]);
    assert_eq!(how_many('O'), 2 * 48 + 2 * 28);
    assert!(how_many('1') > 50, "{grid}");
    assert_eq!(succeeds(&args), grid, "the same again");
    let output = wayforge(&level(&args));
    assert_eq!(text(&output.stderr), "", "nothing besides the grid");
    let document: Value =
        serde_json::from_str(&succeeds(&[&args[..10], &["--format", "json"]].concat())).unwrap();
    let saved: Vec<&str> =
        document["map"]["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
    assert_eq!(saved, rows, "the document holds the same grid");
}

#[test]
fn a_random_seed_is_told_and_makes_the_level_again() {
    let output = wayforge(&level(&[]));
    let error = text(&output.stderr);
    let seed = error.trim().strip_prefix("seed ").unwrap();
    assert_eq!(succeeds(&["--seed", seed]), text(&output.stdout));
}

#[test]
fn count_makes_the_seeds_one_after_another() {
    let one = |seed: &str, format: &str| succeeds(&["--seed", seed, "--format", format]);
    let many = succeeds(&["--seed", "18446744073709551615", "--count", "2", "--format", "json"]);
    assert_eq!(many, one("18446744073709551615", "json") + &one("0", "json"));
    let grids = succeeds(&["--seed", "5", "--count", "2"]);
    assert_eq!(grids, one("5", "ascii") + "\n" + &one("6", "ascii"));
}

/// Each option changes the field that it names, and the level as that field says.
#[test]
fn every_option_does_what_it_says() {
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
        (&["--fall-spawn-zone", "4,5,3x2"], "fall_spawn_zones", r#"[{"height":2,"width":3,"x":4,"y":5}]"#),
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
        // Nothing else is touched.
        let allowed = ["fuel", "width", "height"];
        for (other, here) in plain["config"].as_object().unwrap() {
            if other != field && !allowed.contains(&other.as_str()) {
                assert_eq!(here, &changed["config"][other], "{args:?} changes {other}");
            }
        }
    }
}

#[test]
fn the_grid_holds_what_is_asked_for() {
    let asked = document(&[
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
        ["P", "C", "e", "f", "l", "s", "x", "h", "w", "^v<>", "E"].map(|s| count(&asked, s)).into();
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
        "cars do not matter on endurance stages"
    );
    assert_eq!(on_foot["map"]["witness"][1]["steps"], serde_json::json!(["P", "E"]));
}

#[test]
fn a_stage_file_says_the_same_and_options_stand_above_it() {
    let folder = folder("stage");
    let args =
        ["--walls", "grid_wire", "--fuel", "start_full", "--pitfalls", "2", "--no-repair", "--endurance"];
    let by_options = document(&args);
    let json = write(&folder.join("stage.json"), &by_options["config"].to_string());
    assert_eq!(document(&["--stage", &json]), by_options);
    let toml = write(
        &folder.join("stage.toml"),
        "walls = \"grid_wire\"\nfuel = \"START_FULL\"\npitfalls = \"2%\"\nrepair = false\nendurance = true\n",
    );
    assert_eq!(document(&["--config", &toml]), by_options);
    let above = document(&["--stage", &toml, "--walls", "empty", "--endurance=false", "--repair"]);
    let config = &above["config"];
    assert_eq!(
        (&config["walls"], &config["endurance"], &config["repair"], &config["fuel"]),
        (&"empty".into(), &false.into(), &true.into(), &"start_full".into())
    );
}

#[test]
fn files_may_begin_with_a_byte_order_mark() {
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
fn bad_values_are_one_line_and_exit_2() {
    refuses(&["--width", "8"], &["width = 8", "9 to 1024"]);
    refuses(&["--height", "-3"], &["height = -3", "7 to 1024"]);
    refuses(&["--width", "wide"], &["--width", "wide"]);
    refuses(&["--walls", "bricks"], &["bricks", "grid_wire", "sparse_moore.N%", "maze", "caves"]);
    refuses(&["--walls", "sparse_moore.101%"], &["sparse_moore.101%", "0 to 100"]);
    refuses(&["--walls", "maze.5%"], &["takes no density"]);
    refuses(&["--exits", "up"], &["up", "top, bottom, left, right"]);
    refuses(&["--exits", "top,top"], &["exits", "twice"]);
    refuses(&["--fuel", "gas"], &["gas", "refuel_chain"]);
    refuses(&["--interior-walls", "soft"], &["soft", "breakable, solid"]);
    refuses(&["--pitfalls", "lots"], &["--pitfalls lots", "2.5", "count=12"]);
    refuses(&["--pitfalls", "101"], &["--pitfalls 101", "0 to 100"]);
    refuses(&["--plants", "count=-1"], &["--plants count=-1"]);
    refuses(&["--plants", "count=5%"], &["--plants count=5%"]);
    refuses(&["--plants", "count=9999"], &["plants = 9999", "fit"]);
    refuses(&["--reinforced", "x"], &["--reinforced x", "0 to 100"]);
    refuses(&["--fall-spawn-floor-ratio", "-1"], &["--fall-spawn-floor-ratio -1", "0 to 1"]);
    refuses(&["--fall-spawn-floor-ratio", "5%"], &["--fall-spawn-floor-ratio", "5%"]);
    refuses(&["--min-separation", "30"], &["min_separation = 30", "use 1 to 23", "up to 11 fits every seed"]);
    refuses(&["--pitfall-zone", "1,2"], &["--pitfall-zone 1,2", "X,Y,WxH"]);
    refuses(&["--pitfall-zone", "5,5,2x2:north"], &["--pitfall-zone", "X,Y,WxH"]);
    refuses(&["--pitfall-zone", "0,0,2x2"], &["pitfalls.zones[0]", "2 x 2 at 0,0", "columns 2 to 45"]);
    refuses(&["--pitfall-zone", "5,5,9223372036854775807x2"], &["--pitfall-zone"]);
    refuses(&["--moving-floor-zone", "5,5,2x2:up"], &["up", "north"]);
    refuses(&["--fall-spawn-zone", "5,5,2x2=3%"], &["--fall-spawn-zone"]);
    refuses(&["--mark", "k"], &["marks[0].name", "\"k\""]);
    refuses(&["--mark", "key=many"], &["--mark key=many", "no count"]);
    refuses(&["--mark", "key@1"], &["--mark key@1", "no cells"]);
    refuses(&["--mark", "key:after=P"], &["after=P", "until=STEP"]);
    refuses(&["--mark", "door:until=key"], &["marks[0].locked_until", "key"]);
    refuses(&["--objective", "P"], &["--objective P", "->"]);
    refuses(&["--objective", "P -> -> E"], &["--objective", "->"]);
    refuses(&["--objective", "bus: P -> E"], &["bus", "car:"]);
    refuses(&["--objective", "P -> key"], &["objectives[0].steps[1]", "key"]);
    refuses(&["--blocked-car", "OBP"], &["blocked.car", "'P'"]);
    refuses(&["--blocked-person", "x"], &["blocked.person"]);
    refuses(&["--players", "0"], &["players = 0"]);
    refuses(&["--empty-cans", "2"], &["--empty-cans", "refuel_chain"]);
    refuses(&["--fuel", "start_full", "--fuel-spots", "2"], &["--fuel-spots", "start_full"]);
    refuses(&["--attempts", "0"], &["attempts = 0", "1 to 1000"]);
    refuses(&["--retry", "again"], &["again", "add, hash"]);
    refuses(&["--repair", "--no-repair"], &["--repair", "--no-repair"]);
    refuses(&["--reachable", "all"], &["all", "candidates"]);
    refuses(&["--soft-locks", "yes"], &["yes", "forbidden"]);
    refuses(&["--wdith", "9"], &["--wdith", "--width"]);
    refuses(&["--stage", "nowhere.toml"], &["nowhere.toml", "No such file"]);
    refuses(&["--pins", "nowhere.txt"], &["nowhere.txt", "No such file"]);
    refuses(&["--count", "2", "--format", "svg"], &["--count 2"]);
    refuses(&["--witness", "all"], &["--witness", "--color always"]);
    refuses(&["--witness", "all", "--format", "json"], &["--witness", "document"]);
    refuses(&["--tags", "reinforced"], &["--tags", "plain ASCII"]);
    refuses(&["--tags", "none,reinforced", "--format", "svg"], &["--tags none"]);
    refuses(&["--no-legend"], &["--no-legend"]);
    refuses(&["-o", "level.bmp"], &[".bmp", ".png"]);
}

#[test]
fn bad_stage_files_say_where() {
    let folder = folder("bad");
    let file = |name: &str, content: &str| write(&folder.join(name), content);
    refuses(&["--stage", &file("a.toml", "pitfalls = \"lots\"\n")], &["a.toml", "pitfalls", "lots"]);
    refuses(&["--stage", &file("b.toml", "wals = \"maze\"\n")], &["b.toml", "wals", "walls"]);
    let translated = text(&wayforge(&level(&["--stage", &file("b.toml", "\n\nwals = \"maze\"\n")])).stderr);
    assert!(!translated.contains("line 1"), "no place in a translation: {translated}");
    refuses(&["--stage", &file("c.json", "{\"walls\": \"bricks\"}")], &["c.json", "walls", "bricks"]);
    refuses(&["--stage", &file("d.json", "{\"fuel\": 3}")], &["d.json", "fuel"]);
    refuses(&["--stage", &file("e.toml", "width = = 3\n")], &["e.toml", "line 1"]);
    refuses(&["--stage", &file("f.yaml", "width: 1")], &[".toml or .json"]);
    refuses(
        &["--stage", &file("g.toml", "marks = [{ name = \"key\", cuont = 2 }]\n")],
        &["marks[0]", "cuont"],
    );
    refuses(&["--stage", &file("h.json", "[]")], &["h.json"]);
    refuses(&["--pins", &file("i.txt", "")], &["i.txt", "no drawing"]);
    refuses(&["--pins", &file("j.txt", "OOO\nO\n")], &["width = 3"]);
    std::fs::write(folder.join("k.txt"), [0xff, 0xfe]).unwrap();
    refuses(&["--pins", folder.join("k.txt").to_str().unwrap()], &["k.txt"]);
    refuses(
        &["--pins", &file("l.txt", &"#".repeat(9).lines().collect::<Vec<_>>().repeat(7).join("\n"))],
        &["pins", "'#'"],
    );
}

#[test]
fn a_stage_that_cannot_be_met_says_what_every_attempt_failed_by() {
    let args = ["--seed", "1", "--walls", "empty", "--pitfalls", "97", "--attempts", "3"];
    refuses(
        &args,
        &[
            "seed 1",
            "3 attempts",
            "attempt 0",
            "attempt 2",
            "connectivity at cell",
            "would make the last one whole",
        ],
    );
    let full = ["--seed", "1", "--pitfall-zone", "5,5,3x3", "--plant-zone", "5,5,3x3=count=2"];
    refuses(&full, &["plants.zones[0]", "2", "0 fit"]);
}

#[test]
fn pins_are_kept_and_the_rest_is_made_around_them() {
    let folder = folder("pins");
    let pins: String = YARD.replace('.', "?").replace("B", "?");
    let file = write(&folder.join("pins.txt"), &format!("{}\r\n\r\n", pins.trim_end().replace('\n', "\r\n")));
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
        assert_eq!(grid.lines().next().unwrap().len(), 15, "the size is the drawing's");
        for (pinned, made) in pins.chars().zip(grid.chars()) {
            assert!(pinned == '?' || pinned == made, "{grid}");
        }
        assert_ne!(grid, succeeds(&[&args[..9], &["99"]].concat()), "the rest follows the seed");
    }
    refuses(&["--pins", &file, "--width", "20"], &["pins", "15 x 11", "not the size"]);
    refuses(&["--pins", &file, "--exits", "left"], &["pins", "6,1"]);
}

#[test]
fn pictures_are_written_whole() {
    let folder = folder("pictures");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let starts: [(&str, &[u8]); 4] =
        [("a.svg", b"<svg "), ("a.png", b"\x89PNG"), ("a.json", b"{\"format\""), ("a.txt", b"OOO")];
    for (name, start) in starts {
        assert_eq!(succeeds(&["--seed", "4", "-o", &file(name)]), "");
        assert!(std::fs::read(file(name)).unwrap().starts_with(start), "{name}");
    }
    let svg =
        |args: &[&str]| succeeds(&[&["--seed", "4", "--reinforced", "20", "--format", "svg"], args].concat());
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
    assert_eq!(svg(&["--witness", "none", "--tags", "fall_spawn,reinforced"]), plain, "the defaults");
    let colour = succeeds(&["--seed", "4", "--color", "always"]);
    assert!(colour.contains("\x1b["));
    assert_ne!(succeeds(&["--seed", "4", "--color", "always", "--witness", "all"]), colour);
    let before = std::fs::read(file("a.png")).unwrap();
    refuses(&["--seed", "4", "-o", &file("a.png"), "--scale", "100000"], &["--scale 100000"]);
    assert_eq!(std::fs::read(file("a.png")).unwrap(), before, "a failure leaves the old file");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4, "and nothing beside it");
}

#[test]
fn validate_judges_saved_levels() {
    let folder = folder("validate");
    let path = folder.join("levels.jsonl");
    let args =
        ["--seed", "7", "--count", "20", "--format", "json", "--interior-walls", "solid", "--plants", "2"];
    let file = write(&path, &succeeds(&args));
    let verdict = common::succeeds(&["validate", "--reproduce", &file]);
    assert_eq!(verdict.lines().count(), 20);
    assert!(verdict.contains("level.blueprint/1 seed 7: valid"), "{verdict}");

    let mut document = document(&["--plants", "2"]);
    let route = document["map"]["witness"][0]["route"].as_array_mut().unwrap();
    route[1] = serde_json::json!([0, 0]);
    let row = document["map"]["rows"][5].as_str().unwrap().replacen('.', "h", 1);
    document["map"]["rows"][5] = row.into();
    let file = write(&path, &document.to_string());
    let output = wayforge(&["validate", "--reproduce", &file]);
    assert_eq!(output.status.code(), Some(1));
    let verdict = text(&output.stdout);
    for part in ["NOT VALID", "digest-matches", "witness", "feature-counts", "reproducible"] {
        assert!(verdict.contains(part), "{part}: {verdict}");
    }
    document["algorithm"] = "cake.layers/1".into();
    let file = write(&path, &document.to_string());
    common::refuses(&["validate", &file], &["cake.layers/1", "act.", "level."]);
}

#[test]
fn validate_judges_drawings() {
    let folder = folder("drawings");
    let stage = "exits = [\"top\"]\ninterior_walls = \"solid\"\n";
    let stage = write(&folder.join("stage.toml"), stage);
    let yard = write(&folder.join("yard.txt"), YARD);
    let judge = |drawing: &str| wayforge(&["validate", drawing, "--stage", &stage]);
    let output = judge(&yard);
    let verdict = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{verdict}{}", text(&output.stderr));
    for part in ["15 x 11 level: valid", "outside-ring: holds", "connectivity: holds", "soft locks: none"] {
        assert!(verdict.contains(part), "{part}: {verdict}");
    }
    // The fuel is walled in; an exit too many; no player.
    for (from, to, parts) in [
        ("111.111", "1111111", ["humanoid-objective-connectivity: BROKEN", "P -> f -> C"]),
        ("BBBBBEBB", "BBBBEEBB", ["exits: BROKEN", "exit"]),
        ("P", ".", ["candidate-counts: BROKEN", "P"]),
        ("OB.P", "O..P", ["outer-band: BROKEN", "cell 1,5"]),
    ] {
        let output = judge(&write(&folder.join("broken.txt"), &YARD.replace(from, to)));
        let verdict = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{verdict}");
        assert!(parts.iter().all(|part| verdict.contains(part)), "{parts:?}: {verdict}");
    }
    // Many drawings, the second one broken; the size of the stage is that of each drawing.
    let both = write(&folder.join("both.txt"), &format!("{YARD}\n{}", YARD.replace('C', ".")));
    let output = judge(&both);
    let verdict = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        verdict.contains("both.txt: 15 x 11 level: valid") && verdict.contains("both.txt (drawing 2)"),
        "{verdict}"
    );
    let output = wayforge(&["validate", &both, "--stage", &stage, "--format", "json"]);
    let verdicts: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&verdicts[0]["valid"], &verdicts[1]["valid"]), (&true.into(), &false.into()));
    // A stage that names another size is not met.
    let sized = write(&folder.join("sized.toml"), "exits = [\"top\"]\nwidth = 20\n");
    let output = wayforge(&["validate", &yard, "--stage", &sized]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("size: BROKEN"));

    common::refuses(&["validate", &yard], &["yard.txt", "--stage"]);
    common::refuses(&["validate", &yard, "--stage", &stage, "--reproduce"], &["--reproduce", "no seed"]);
    let odd = write(&folder.join("odd.txt"), "OOO\nOO\n");
    common::refuses(&["validate", &odd, "--stage", &stage], &["odd.txt", "row 1"]);
    let strange = write(&folder.join("strange.txt"), &YARD.replace('P', "@"));
    common::refuses(&["validate", &strange, "--stage", &stage], &["'@'", "known"]);
    let saved = write(&folder.join("saved.json"), &document(&[]).to_string());
    common::refuses(&["validate", &saved, "--stage", &stage], &["saved.json", "leave out --stage"]);
    let nothing = write(&folder.join("nothing.txt"), "\n\n");
    common::refuses(&["validate", &nothing, "--stage", &stage], &["no drawing"]);
}

#[test]
fn drawings_tell_their_soft_locks() {
    // Who steps on the belt before the fuel is fetched never comes back to it.
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
    let verdict = common::succeeds(&["validate", &drawing, "--stage", &allowed]);
    assert!(
        verdict.contains("26 cells from which P -> f -> C cannot be finished after P: 9,1 7,2 "),
        "{verdict}"
    );
    let forbidden = write(&folder.join("forbidden.toml"), &format!("{stage}soft_locks = \"forbidden\"\n"));
    let output = wayforge(&["validate", &drawing, "--stage", &forbidden]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("no-soft-locks: BROKEN"));
    let output = wayforge(&["validate", &drawing, "--stage", &allowed, "--format", "json"]);
    let verdict: Value = serde_json::from_slice(&output.stdout).unwrap();
    let locks = verdict["soft_locks"].as_array().unwrap();
    assert!(locks.iter().any(|lock| lock["cell"] == serde_json::json!([6, 4]) && lock["after"] == "P"));
}

#[test]
fn what_is_printed_is_read_back() {
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
    let verdict = text(&output.stdout);
    assert_eq!((output.status.code(), verdict.matches(": valid, ").count()), (Some(0), 10), "{verdict}");
}

#[test]
fn the_schema_and_the_manual_know_levels() {
    let schema: Value = serde_json::from_str(&common::succeeds(&["schema", "level"])).unwrap();
    assert_eq!(schema["title"], "Wayforge blueprint level");
    assert!(common::succeeds(&["man", "level"]).contains("moving"));
    assert!(succeeds(&["--help"]).contains("--fall-spawn-floor-ratio"));
}
