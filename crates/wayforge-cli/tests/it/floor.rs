//! End-to-end tests of `wayforge floor`, `tower` and `templates`, and of playing towers.

use crate::common::{rejects, succeeds, text, wayforge, with_input};
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn play(args: &[&str], input: &str) -> (i32, String, String) {
    let output = with_input(&[&["play"], args].concat(), input);
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn documents_contain_a_map_floor_and_validate() {
    let folder = folder("floor-documents");
    let file = folder.join("floors.jsonl");
    let lines = succeeds(&["floor", "--seed", "1", "--count", "50", "--format", "json"]);
    assert_eq!(
        lines,
        succeeds(&["floor", "--seed", "1", "--count", "50", "--format", "json"]),
        "the same bytes"
    );
    assert_eq!(lines.lines().count(), 50);
    let document: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    for field in [
        "width",
        "height",
        "seed",
        "tiles",
        "entities",
        "entrance",
        "exit",
        "generatedAt",
        "version",
    ] {
        assert!(document["map"].get(field).is_some(), "{field}");
    }
    std::fs::write(&file, &lines).unwrap();
    let reports = succeeds(&["validate", file.to_str().unwrap(), "--reproduce"]);
    assert_eq!(reports.matches(": valid, ").count(), 50, "{reports}");
    std::fs::write(
        &file,
        lines.replacen(
            "\"kind\":\"floor\",\"walkable\":true",
            "\"kind\":\"trap\",\"walkable\":true",
            1,
        ),
    )
    .unwrap();
    let output = wayforge(&["validate", file.to_str().unwrap(), "--reproduce"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    for rule in
        ["digest-matches at map", "budgets at map: 1 trap, expected 0", "reproducible at map"]
    {
        assert!(report.contains(rule), "{report}");
    }
}

/// Builds a bare floor (MapFloor) from a drawing, with the required members only.
fn map_floor(rows: &[&str]) -> serde_json::Value {
    let cells = || {
        rows.iter()
            .enumerate()
            .flat_map(|(y, row)| row.chars().enumerate().map(move |(x, c)| (x, y, c)))
    };
    let kind = |c| match c {
        '#' => "wall",
        '<' => "entrance",
        '>' => "exit",
        _ => "floor",
    };
    let tiles = cells().map(|(x, y, c)| {
        let pos = serde_json::json!({"x": x, "y": y});
        serde_json::json!({"pos": pos, "kind": kind(c), "walkable": c != '#'})
    });
    let end = |symbol| {
        cells().find(|&(_, _, c)| c == symbol).map(|(x, y, _)| serde_json::json!({"x": x, "y": y}))
    };
    serde_json::json!({
        "width": rows[0].len(),
        "height": rows.len(),
        "seed": "by hand",
        "tiles": tiles.collect::<Vec<_>>(),
        "entities": [],
        "entrance": end('<'),
        "exit": end('>'),
        "generatedAt": "",
    })
}

#[test]
fn bare_floor_is_validated_played_and_converted() {
    let folder = folder("floor-bare");
    let file = folder.join("floor.json");
    let path = file.to_str().unwrap();
    let mut floor = map_floor(&["<..", "##.", ">.."]);
    std::fs::write(&file, serde_json::to_string_pretty(&floor).unwrap()).unwrap();
    let report = succeeds(&["validate", path]);
    assert!(report.contains("floor.json: MapFloor seed by hand: valid, 9 rules hold"), "{report}");
    let report: serde_json::Value =
        serde_json::from_str(&succeeds(&["validate", path, "--format", "json"])).unwrap();
    assert_eq!(
        (&report["algorithm"], &report["seed"]),
        (&serde_json::Value::Null, &"by hand".into())
    );
    let (code, stdout, stderr) =
        play(&[path, "--save", folder.join("save").to_str().unwrap()], "climb\n");
    assert_eq!(code, 0, "{stdout}{stderr}");
    let converted = folder.join("document.json");
    succeeds(&["convert", path, converted.to_str().unwrap()]);
    let document = std::fs::read_to_string(&converted).unwrap();
    assert!(
        document.contains(r#""seed":"by hand""#) && document.contains(r#""origin":{"by":"given"}"#),
        "{document}"
    );
    floor["exit"]["x"] = serde_json::json!(1.5);
    floor["tiles"][2]["walkable"] = serde_json::json!(false);
    std::fs::write(&file, floor.to_string()).unwrap();
    let output = wayforge(&["validate", path, "--reproduce"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    for part in [
        "NOT VALID, 5 of 10 rules broken",
        "whole-numbers at exit.x: 1.5 is not a whole number from 0 to 65534",
        "walkable-by-kind at tiles[2].walkable: false should be true for a floor tile",
        "reproducible at map: the floor has no config to generate it from",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
}

#[test]
fn generated_at_does_not_change_the_digest() {
    let plain = succeeds(&["floor", "--seed", "1", "--format", "json"]);
    let timed = succeeds(&[
        "floor",
        "--seed",
        "1",
        "--format",
        "json",
        "--generated-at",
        "2026-11-16T08:30:00.000Z",
    ]);
    assert_eq!(plain.replace("1970-01-01T00:00:00.000Z", "2026-11-16T08:30:00.000Z"), timed);
    let now = succeeds(&["floor", "--seed", "1", "--format", "json", "--generated-at", "now"]);
    assert!(now.contains("\"generatedAt\":\"20"), "{now}");
    rejects(&["floor", "--generated-at", "a\nb"], &["--generated-at"]);
}

#[test]
fn rejects_invalid_options() {
    rejects(&["floor", "--width", "2"], &["width = 2", "use 3 to 64"]);
    rejects(
        &["floor", "--min-path-length", "17"],
        &["minPathLength = 17", "no floor of 5 x 5", "use at most 16"],
    );
    rejects(&["floor", "--enemies", "-1"], &["enemyBudget = -1", "use 0 to 23"]);
    rejects(&["floor", "--wall-density", "1.5"], &["--wall-density 1.5", "0 to 1"]);
    rejects(&["floor", "--entrance", "1;2"], &["--entrance 1;2", "X,Y"]);
    rejects(&["floor", "--template", "tavern"], &["templateId", "shop, boss, rest"]);
    rejects(&["floor", "--templates", "."], &["--template"]);
    rejects(&["floor", "--count", "2", "--format", "svg"], &["--count 2"]);
    rejects(&["floor", "-o", "x.gif"], &[".gif"]);
    rejects(&["tower", "--floors", "0"], &["floors = 0", "use 1 to 1000"]);
    rejects(&["tower", "--curve", "enemyBudget"], &["--curve enemyBudget", "FIELD=BY/EVERY..TO"]);
    rejects(&["tower", "--curve", "mood=1/1..2"], &["--curve mood=1/1..2", "wallDensity"]);
    rejects(&["tower", "--template", "shop"], &["--template shop", "ID/EVERY"]);
    rejects(&["tower", "--only", "11"], &["--only 11", "use 1 to 10"]);
    rejects(&["tower", "--boss", "dragon"], &["boss", "shop, boss, rest"]);
    rejects(&["templates", "check", "/nowhere"], &["/nowhere"]);
}

#[test]
fn options_override_the_configuration_file() {
    let folder = folder("floor-config");
    let file = folder.join("floor.toml");
    std::fs::write(
        &file,
        "width = 7\nwallDensity = 0.4\nenemyBudget = 5\n[entrance]\nx = 0\ny = 3\n",
    )
    .unwrap();
    let line = succeeds(&[
        "floor",
        "--seed",
        "1",
        "--config",
        file.to_str().unwrap(),
        "--enemies",
        "2",
        "--format",
        "json",
    ]);
    for part in [
        "\"width\":7",
        "\"wallDensity\":0.4",
        "\"enemyBudget\":2",
        "\"entrance\":{\"x\":0,\"y\":3}",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    std::fs::write(&file, "width = 7\nwalls = 3\n").unwrap();
    rejects(&["floor", "--config", file.to_str().unwrap()], &["floor.toml", "walls"]);
}

#[test]
fn tower_floors_connect_and_single_floors_are_identical() {
    let line = succeeds(&["tower", "--floors", "20", "--seed", "1", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&line).unwrap();
    let floors = document["map"]["floors"].as_array().unwrap();
    assert_eq!(floors.len(), 20);
    for pair in floors.windows(2) {
        assert_eq!(pair[0]["exit"], pair[1]["entrance"]);
    }
    let single =
        succeeds(&["tower", "--floors", "20", "--seed", "1", "--only", "7", "--format", "json"]);
    let single: serde_json::Value = serde_json::from_str(&single).unwrap();
    assert_eq!(single["map"], floors[6]);
    // Each document of a single floor is enough to reproduce that floor.
    let folder = folder("floor-single");
    let file = folder.join("single.jsonl");
    let lines: String = (1..=20)
        .map(|n| {
            let only = n.to_string();
            succeeds(&[
                "tower",
                "--floors",
                "20",
                "--seed",
                "1",
                "--only",
                &only,
                "--format",
                "json",
                "--generated-at",
                "now",
            ])
        })
        .collect();
    std::fs::write(&file, &lines).unwrap();
    let reports = succeeds(&["validate", file.to_str().unwrap(), "--reproduce"]);
    assert_eq!(reports.matches(": valid, ").count(), 20, "{reports}");
    // With another floor number the document is invalid.
    std::fs::write(
        &file,
        lines.lines().nth(6).unwrap().replacen("\"floor\":7,", "\"floor\":8,", 1),
    )
    .unwrap();
    let report = text(&wayforge(&["validate", file.to_str().unwrap(), "--reproduce"]).stdout);
    assert!(report.contains("tower-seeds at map"), "{report}");
    let text = succeeds(&["tower", "--floors", "20", "--seed", "1"]);
    assert!(text.contains("Floor 20, boss") && text.contains("Floor 15, shop"), "{text}");
}

#[test]
fn checks_and_uses_templates_of_a_folder() {
    let folder = folder("floor-templates");
    let path = folder.to_str().unwrap();
    std::fs::write(folder.join("hall.txt"), "<..#\n...#\n#+##\n..n>\n").unwrap();
    std::fs::write(folder.join("crypt.json"), r##"{"id":"crypt","rows":["<...>","#.#.#","..T.."],"legend":{"T":{"kind":"relic","data":{"curse":3}}}}"##).unwrap();
    let report = succeeds(&["templates", "check", path]);
    assert_eq!(report.matches("valid in every orientation").count(), 2, "{report}");
    let floor = succeeds(&[
        "floor",
        "--seed",
        "5",
        "--templates",
        path,
        "--template",
        "crypt",
        "--format",
        "json",
    ]);
    assert!(floor.contains("\"data\":{\"curse\":3}"), "{floor}");
    let tower = succeeds(&[
        "tower",
        "--seed",
        "5",
        "--templates",
        path,
        "--template",
        "hall/2",
        "--boss",
        "none",
        "--floors",
        "4",
    ]);
    assert_eq!(tower.matches(", hall").count(), 2, "{tower}");
    std::fs::write(folder.join("trap.txt"), "<^>\n###\n###\n").unwrap();
    let output = wayforge(&["templates", "check", path]);
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    assert!(
        report.contains("trap: NOT VALID, 8 problems") && report.contains("trap-off-path"),
        "{report}"
    );
    assert_eq!(succeeds(&["templates", "list"]).lines().count(), 3);
}

#[test]
fn invalid_template_does_not_affect_others() {
    let folder = folder("floor-broken-templates");
    let path = folder.to_str().unwrap();
    std::fs::write(folder.join("aaa.json"), "{ broken").unwrap();
    std::fs::write(folder.join("bad.txt"), b"<\xff>\n").unwrap();
    std::fs::write(folder.join("hall.txt"), "\u{feff}<..#\r\n...#\r\n#+##\r\n..n>\r\n").unwrap();
    let shop = r#"{"id":"shop","rows":["<<.<<",".....","..K..",".....","<<.<>"],"legend":{"K":{"kind":"npc","meta":{"rug":"red"},"data":{"role":"smith"}}}}"#;
    std::fs::write(folder.join("shop.json"), format!("\u{feff}{shop}")).unwrap();
    std::fs::write(folder.join("zzz.txt"), "<>\n").unwrap();
    let output = wayforge(&["templates", "check", path]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{report}");
    for part in [
        "aaa.json",
        "bad.txt",
        "hall.txt: hall, 4 x 4: valid",
        "shop.json: shop, 5 x 5: valid",
        "zzz.txt: zzz: NOT VALID, 1 problem\n",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    succeeds(&["floor", "--seed", "1", "--templates", path, "--template", "hall"]);
    // A template of the folder replaces the embedded one with the same id.
    let tower = succeeds(&["tower", "--seed", "1", "--templates", path, "--format", "json"]);
    assert!(
        tower.contains("\"role\":\"smith\"") && tower.contains("\"meta\":{\"rug\":\"red\"}"),
        "{tower}"
    );
    assert!(!tower.contains("merchant"));
    rejects(
        &["floor", "--templates", path, "--template", "inn"],
        &["no such template", "hall, shop", "aaa.json"],
    );
    // Duplicate ids are rejected.
    std::fs::write(folder.join("other.json"), r#"{"id":"hall","rows":["<..","...","..>"]}"#)
        .unwrap();
    rejects(
        &["floor", "--templates", path, "--template", "hall"],
        &["hall.txt", "other.json", "rename"],
    );
    let report = text(&wayforge(&["templates", "check", path]).stdout);
    assert!(
        report.contains("the same id as") && report.contains("valid in every orientation"),
        "{report}"
    );
    rejects(&["templates"], &["check FOLDER", "list"]);
}

#[test]
fn plays_a_single_floor_as_a_tower_with_one_floor() {
    let folder = folder("floor-play-one");
    for (name, args) in [
        ("floor.json", &["floor", "--seed", "4"][..]),
        ("boss.json", &["floor", "--seed", "4", "--template", "boss"]),
        ("single.json", &["tower", "--seed", "4", "--only", "3"]),
    ] {
        let (map, save) = (folder.join(name), folder.join(format!("{name}.save")));
        let (map, save) = (map.to_str().unwrap(), save.to_str().unwrap());
        let mut args = args.to_vec();
        args.extend(["-o", map]);
        succeeds(&args);
        let (code, out, error) = play(&[map, "--save", save], "on\nsave\nwalk\n");
        assert_eq!(code, 0, "{error}");
        assert!(out.contains("floor 1 of 1 at ") && out.contains(", 1 step; "), "{out}");
        assert!(out.contains("the last exit is reached"), "{out}");
        let (_, out, _) = play(&[map, "--save", save], "");
        assert!(out.contains("the last exit is reached"), "resumed: {out}");
    }
    let level = folder.join("level.json");
    succeeds(&["level", "--seed", "1", "-o", level.to_str().unwrap()]);
    let (code, _, error) = play(&[level.to_str().unwrap()], "");
    assert!(code == 2 && error.contains("level.json: a level cannot be played; use"), "{error}");
}

#[test]
fn script_follows_the_witness_of_a_tower_to_the_last_exit() {
    let folder = folder("floor-play");
    let (map, save) = (folder.join("tower.json"), folder.join("run.json"));
    let (map, save) = (map.to_str().unwrap(), save.to_str().unwrap());
    succeeds(&["tower", "--seed", "9", "--floors", "12", "-o", map]);
    // Convert the paths in the document to step commands.
    let document: serde_json::Value = serde_json::from_slice(&std::fs::read(map).unwrap()).unwrap();
    let mut script = String::new();
    for floor in document["map"]["floors"].as_array().unwrap() {
        let cell =
            |pos: &serde_json::Value| (pos["x"].as_i64().unwrap(), pos["y"].as_i64().unwrap());
        for pair in floor["path"].as_array().unwrap().windows(2) {
            let (from, to) = (cell(&pair[0]), cell(&pair[1]));
            script.push_str(match (to.0 - from.0, to.1 - from.1) {
                (0, -1) => "n\n",
                (1, 0) => "e\n",
                (0, 1) => "s\n",
                _ => "w\n",
            });
        }
    }
    let (code, out, error) = play(&[map, "--save", save], &script);
    assert_eq!(code, 0, "{error}");
    let steps = script.lines().count();
    assert!(out.contains(&format!("{steps} steps; the last exit is reached")), "{out}");
    // Play half of it, then resume and finish with `climb`.
    std::fs::remove_file(save).unwrap();
    let half: String = script.lines().take(steps / 2).map(|line| format!("{line}\n")).collect();
    play(&[map, "--save", save], &half);
    let (_, out, _) = play(&[map, "--save", save], "show\nclimb\nfly\n");
    assert!(out.contains('@') && out.contains("the last exit is reached"), "{out}");
    assert!(out.contains("\"fly\": unknown command"), "{out}");
    let (code, _, error) = play(&[map, "--save", save, "--fog", "2"], "");
    assert!(code == 2 && error.contains("--fog"), "{error}");
    let picture = folder.join("run.svg");
    succeeds(&["play", map, "--save", save, "--draw", picture.to_str().unwrap()]);
    assert!(std::fs::read_to_string(picture).unwrap().contains("<title>climber at "));
}

#[test]
fn draws_every_picture_format() {
    let folder = folder("floor-pictures");
    for (name, head) in
        [("floor.svg", &b"<svg "[..]), ("floor.png", b"\x89PNG"), ("floor.json", b"{\"format\"")]
    {
        let file = folder.join(name);
        succeeds(&[
            "floor",
            "--seed",
            "3",
            "--theme",
            "night",
            "--scale",
            "60",
            "-o",
            file.to_str().unwrap(),
        ]);
        assert!(std::fs::read(&file).unwrap().starts_with(head), "{name}");
    }
    let tower = folder.join("tower.png");
    succeeds(&["tower", "--seed", "3", "--scale", "40", "-o", tower.to_str().unwrap()]);
    assert!(std::fs::read(&tower).unwrap().starts_with(b"\x89PNG"));
    let coloured = succeeds(&["floor", "--seed", "3", "--color", "always"]);
    let plain = succeeds(&["floor", "--seed", "3", "--color", "never"]);
    assert!(coloured.contains('\x1b') && !plain.contains('\x1b'));
}

#[test]
fn pinned_cells_are_kept() {
    let folder = folder("floor-pins");
    let path = folder.join("pins.txt");
    std::fs::write(&path, "?????????\n??$??????\n?????~???\n?????????\n??<???e??\n?????????\n")
        .unwrap();
    let pins = path.to_str().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for seed in ["1", "2", "3"] {
        let args = ["floor", "--pins", pins, "--seed", seed, "--water", "2"];
        let drawn = succeeds(&args);
        let rows: Vec<&str> = drawn.lines().take(6).collect();
        let cell = |x: usize, y: usize| rows[y].chars().nth(x);
        let pinned = [cell(2, 1), cell(5, 2), cell(2, 4), cell(6, 4)];
        assert_eq!(pinned.map(Option::unwrap).iter().collect::<String>(), "$~<e", "{drawn}");
        let document = succeeds(&[&args[..], &["--format", "json"]].concat());
        assert!(document.contains("??$??????"), "the document contains the pins");
        seen.insert(drawn);
    }
    assert_eq!(seen.len(), 3, "the other cells depend on the seed");
    rejects(&["floor", "--pins", pins, "--width", "5"], &["pins[0]", "not the floor's width"]);
    rejects(&["floor", "--pins", pins, "--template", "shop"], &["a template fixes every cell"]);
    rejects(&["floor", "--pins", "no-such-file.txt"], &["no-such-file.txt"]);
}

#[test]
fn safe_route_options_and_disabled_templates() {
    let document =
        succeeds(&["floor", "--seed", "3", "--safe-route", "--safe-chests", "--format", "json"]);
    assert!(document.contains(r#""safeRoute":true,"safeChests":true"#), "{document}");
    let folder = folder("floor-template-off");
    let config = folder.join("floor.json");
    std::fs::write(&config, r#"{"templateId":"boss","useTemplate":false}"#).unwrap();
    let path = config.to_str().unwrap();
    let drawn = succeeds(&["floor", "--seed", "3"]);
    assert_eq!(succeeds(&["floor", "--seed", "3", "--config", path]), drawn);
    assert_ne!(succeeds(&["floor", "--seed", "3", "--config", path, "--template", "boss"]), drawn);
}
