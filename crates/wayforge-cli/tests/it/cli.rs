//! End-to-end tests of the command with real processes, files and pipes.

use crate::common::{rejects, succeeds, text, wayforge};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Creates an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn draws_a_map_as_plain_ascii_in_a_pipe() {
    let map = succeeds(&["act", "--seed", "42"]);
    assert!(map.is_ascii(), "ASCII only");
    assert!(!map.contains('\x1b'), "no colour in a pipe");
    assert!(map.contains("42") && map.contains("act.walks/1") && map.contains("boss"), "{map}");
    assert!(map.lines().all(|line| line.len() <= 80 && line == line.trim_end()), "{map}");
    assert!(succeeds(&["act", "--seed", "42", "--color", "always"]).contains("\x1b["));
}

#[test]
fn document_has_the_documented_members() {
    let args = [
        "act",
        "--ruleset",
        "walks",
        "--rows",
        "15",
        "--cols",
        "7",
        "--seed",
        "1",
        "--format",
        "json",
    ];
    let out = succeeds(&args);
    assert_eq!(out.lines().count(), 1);
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    let members: Vec<&String> = document.as_object().unwrap().keys().collect();
    assert_eq!(members.len(), 6);
    for member in ["format", "algorithm", "seed", "config", "map", "digest"] {
        assert!(document.get(member).is_some(), "{member}");
    }
    let map = &document["map"];
    assert_eq!((&map["rows"], &map["cols"]), (&15.into(), &7.into()));
    assert!(
        map["nodes"][0]["row"].is_u64()
            && map["nodes"][0]["col"].is_u64()
            && map["nodes"][0]["kind"].is_string()
    );
    assert!(
        map["edges"][0]["row"].is_u64()
            && map["edges"][0]["from"].is_u64()
            && map["edges"][0]["to"].is_u64()
    );
    assert_eq!(
        (map["walks"].as_array().unwrap().len(), map["walks"][0].as_array().unwrap().len()),
        (6, 15)
    );
}

#[test]
fn count_uses_consecutive_seeds_and_wraps() {
    let many =
        succeeds(&["act", "--seed", "18446744073709551614", "--count", "3", "--format", "json"]);
    let one = |seed: &str| succeeds(&["act", "--seed", seed, "--format", "json"]);
    assert_eq!(
        many,
        one("18446744073709551614") + &one("18446744073709551615") + &one("0"),
        "wraps after the largest seed"
    );
}

#[test]
fn rejects_invalid_counts() {
    for family in ["act", "level", "floor", "tower"] {
        for count in ["0", "-1", "2.5", "many", "18446744073709551616"] {
            let output = wayforge(&[family, "--seed", "5", &format!("--count={count}")]);
            let error = text(&output.stderr);
            assert_eq!(
                (output.status.code(), output.stdout.len()),
                (Some(2), 0),
                "{family} {count}: {error}"
            );
            assert!(
                error.contains("--count") && error.contains("use 1 or more"),
                "{family} {count}: {error}"
            );
        }
    }
}

#[test]
fn locale_time_zone_and_threads_do_not_change_the_output() {
    let args = ["act", "--seed", "some text", "--count", "20", "--format", "json"];
    let plain = succeeds(&args);
    for (key, value) in [
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LANG", "de_DE"),
        ("TZ", "Pacific/Apia"),
        ("RAYON_NUM_THREADS", "1"),
        ("COLUMNS", "20"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_wayforge"))
            .args(args)
            .env(key, value)
            .output()
            .unwrap();
        assert_eq!(text(&output.stdout), plain, "{key}={value}");
    }
}

#[test]
fn printed_random_seed_reproduces_the_map() {
    let output = wayforge(&["act", "--format", "json"]);
    let error = text(&output.stderr);
    let seed = error.trim().strip_prefix("seed ").unwrap();
    assert_eq!(succeeds(&["act", "--format", "json", "--seed", seed]), text(&output.stdout));
    assert!(succeeds(&["act"]).contains("Seed "), "in the caption");
}

#[test]
fn options_and_configuration_file_are_equivalent() {
    let folder = folder("config");
    let args = [
        "act",
        "--seed",
        "9",
        "--format",
        "json",
        "--rows",
        "12",
        "--cols",
        "9",
        "--walks",
        "5",
        "--nearest",
        "4",
        "--depth",
        "3",
        "--restarts",
        "2",
        "--blocked",
        "3,3",
        "--blocked",
        "4,3",
        "--pin",
        "0,5=shop",
        "--pin",
        "8,6",
        "--boss",
        "true",
        "--boss-kind",
        "elite",
        "--kind",
        "shop:weight=9,route=1..,siblings-free,symbol=S,icon=key",
        "--kind",
        "camp:weight=3,earliest=2,latest=-2,map=1..9,no-repeat",
        "--fixed",
        "-1=camp",
        "--fixed",
        "6=",
        "--band",
        "1..2:monster=1,event=3",
        "--search-limit",
        "5000",
    ];
    let by_options = succeeds(&args);
    let document: serde_json::Value = serde_json::from_str(&by_options).unwrap();
    let file = folder.join("act.json");
    std::fs::write(&file, document["config"].to_string()).unwrap();
    let by_file =
        succeeds(&["act", "--seed", "9", "--format", "json", "--config", file.to_str().unwrap()]);
    assert_eq!(by_file, by_options);
    let kinds = &by_options;
    assert!(
        kinds.contains(r#""name":"camp","weight":3,"earliest":2,"latest":-2,"no_repeat":true"#),
        "{kinds}"
    );
    assert!(
        kinds.contains(r#""search_limit":5000"#) && kinds.contains(r#""boss":"elite""#),
        "{kinds}"
    );

    let toml = folder.join("act.toml");
    std::fs::write(
        &toml,
        "ruleset = \"walks\"\nrows = 9\n[[pins]]\nrow = 3\ncol = 2\nkind = \"shop\"\n",
    )
    .unwrap();
    let out = succeeds(&[
        "act",
        "--seed",
        "3",
        "--format",
        "json",
        "--config",
        toml.to_str().unwrap(),
        "--cols",
        "5",
    ]);
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&document["map"]["rows"], &document["map"]["cols"]),
        (&9.into(), &5.into()),
        "options override the file"
    );
}

#[test]
fn pictures_are_written_atomically() {
    let folder = folder("pictures");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for (name, start) in [
        ("a.svg", &b"<svg "[..]),
        ("a.png", b"\x89PNG"),
        ("a.json", b"{\"format\""),
        ("a.txt", b" "),
    ] {
        assert_eq!(succeeds(&["act", "--seed", "4", "-o", &file(name), "--theme", "night"]), "");
        assert!(std::fs::read(file(name)).unwrap().starts_with(start), "{name}");
    }
    let before = std::fs::read(file("a.png")).unwrap();
    succeeds(&["act", "--seed", "4", "-o", &file("a.png"), "--theme", "night"]);
    assert_eq!(std::fs::read(file("a.png")).unwrap(), before, "the same bytes again");
    // A failure keeps the old file and leaves no temporary file.
    rejects(
        &["act", "--seed", "4", "-o", &file("a.png"), "--scale", "100000"],
        &["--scale 100000"],
    );
    rejects(&["act", "--seed", "4", "-o", &file("a.json"), "--rows", "0"], &["rows = 0"]);
    assert_eq!(std::fs::read(file("a.png")).unwrap(), before);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4);
    rejects(&["act", "-o", &file("a.bmp")], &[".bmp", ".png"]);
    rejects(&["act", "-o", &file("missing/a.png")], &["missing"]);
    rejects(&["act", "-o", folder.to_str().unwrap(), "--format", "json"], &["is a folder"]);
    rejects(&["act", "--count", "2", "--format", "png"], &["--count 2"]);
    rejects(&["act", "--labels"], &["--labels", "svg or png"]);
    let labelled = succeeds(&["act", "--seed", "4", "--format", "svg", "--labels", "--pin", "2,5"]);
    assert!(labelled.contains(">2,5</text>"), "column 2, row 5");
    assert!(
        !succeeds(&["act", "--seed", "4", "--format", "svg", "--pin", "2,5"])
            .contains(">2,5</text>")
    );
    succeeds(&["act", "--seed", "4", "--format", "json", "-o", "/dev/null"]);
    assert!(
        !std::fs::metadata("/dev/null").unwrap().is_file(),
        "a device is written to, not replaced"
    );
}

#[test]
fn rejects_invalid_input_with_one_line() {
    rejects(&["act", "--rows", "-5"], &["rows = -5", "1 to 4096"]);
    rejects(
        &["act", "--rows", "99999999999999999999"],
        &["--rows", "99999999999999999999", "1 to 4096"],
    );
    rejects(&["act", "--rows", "many"], &["--rows", "many", "not a whole number; use 1 to 4096"]);
    rejects(&["act", "--count", "x"], &["--count", "not a whole number; use 1 or more"]);
    rejects(
        &["act", "--search-limit", "x"],
        &["--search-limit", "not a whole number; use 0 to 10000000"],
    );
    rejects(
        &["act", "--ruleset", "spire", "--act", "x"],
        &["--act", "not a whole number; use 1 to 4"],
    );
    rejects(&["act", "--cols", "1"], &["cols = 1", "2 to 64"]);
    rejects(&["act", "--blocked", "3;4"], &["--blocked 3;4", "COL,ROW"]);
    rejects(&["act", "--pin", "1,1=dragon"], &["pins[0].kind", "dragon", "monster"]);
    rejects(&["act", "--kind", "shop:wait=3"], &["wait", "weight"]);
    rejects(&["act", "--kind", "shop:route=x"], &["route=x", "2..4"]);
    rejects(&["act", "--kind", "shop:map=2..x"], &["map=2..x", "2..4"]);
    rejects(&["act", "--kind", "shop:weight=x"], &["weight=x", "whole number", "0 to 1000000"]);
    rejects(&["act", "--kind", "shop:latest=x"], &["latest=x", "whole number", "-1 the top row"]);
    rejects(&["act", "--fixed", "x=shop"], &["--fixed x=shop", "ROW=KIND"]);
    rejects(&["act", "--band", "0..4:shop=x"], &["shop=x", "whole number", "0 to 1000000"]);
    rejects(&["act", "--kind", "shop:icon=dog"], &["dog", "chest"]);
    rejects(&["act", "--band", "0-4:a=1"], &["--band", "FROM..TO"]);
    rejects(&["act", "--kinds", "none", "--kind", "a"], &["--kinds none"]);
    rejects(&["act", "--rwos", "3"], &["--rwos", "--rows"]);
    rejects(&["act", "--ruleset", "magic"], &["magic", "walks"]);
    rejects(&["act", "--config", "nowhere.toml"], &["nowhere.toml", "No such file"]);
    rejects(&["dance"], &["dance"]);
    rejects(&["man", "dance"], &["dance", "act"]);
}

#[test]
fn rejected_values_are_reported_with_a_remedy() {
    for (args, message) in [
        (&["act", "--rows", "x"][..], "--rows x: not a whole number; use 1 to 4096"),
        (&["act", "--rows", ""], "--rows : not a whole number; use 1 to 4096"),
        (&["act", "--rows", "1.5"], "--rows 1.5: not a whole number; use 1 to 4096"),
        (
            &["act", "--rows", "99999999999999999999"],
            "--rows 99999999999999999999: out of range; use 1 to 4096",
        ),
        (&["act", "--rows", "0"], "rows = 0: out of range; use 1 to"),
        (&["level", "--width", "wide"], "--width wide: not a whole number"),
        (&["floor", "--enemies", "many"], "--enemies many: not a whole number"),
        (&["floor", "--count=-3"], "--count -3: out of range; use 1 or more"),
        (&["tower", "--floors", "1e3"], "--floors 1e3: not a whole number"),
        (&["archipelago", "--width", "-1"], "--width = -1: out of range; use 1 to 16384"),
        (&["archipelago", "--side", "63"], "--side 63: out of range; use 64 to 8192"),
        (&["archipelago", "--side", "big"], "--side big: not a whole number"),
        (&["gallery", "--count", "501"], "--count 501: out of range; use 1 to 500"),
        (
            &["find", "act", "--where", "nodes > 3", "--limit", "0"],
            "--limit 0: out of range; use 1 or more",
        ),
        (&["path", "--factor", "big"], "--factor big: not a whole number"),
        (&["find", "act", "--count", "x"], "--count x: not a whole number; use 1 to 1000000"),
        #[cfg(feature = "serve")]
        (&["serve", "--max-time", "0"], "--max-time 0: out of range; use 1 to 3600000"),
        (&["act", "--rows", "-1"], "rows = -1: out of range; use 1 to 4096"),
        (&["path", "--depths", "300"], "--depths 300: out of range; use 0 to 255"),
    ] {
        rejects(args, &[message]);
    }
    let long = "x".repeat(300);
    rejects(&["floor", "--seed", &long], &["--seed xxx", "...: 300 characters; use at most 256"]);
    let output = wayforge(&["act", "--rows", &long]);
    assert!(text(&output.stderr).len() < 200, "{}", text(&output.stderr));
}

#[test]
fn reports_conflicting_rules_with_rows_and_remedies() {
    let output = wayforge(&["act", "--kind", "shop:route=2..,earliest=6,latest=6", "--seed", "4"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let error = text(&output.stderr);
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines[0], "wayforge: seed 4: no kinds satisfy the rules on any of 20 skeletons");
    assert_eq!(
        lines[1],
        "  conflicting rules: shop only on rows 6 to 6; at least 2 shop on every route"
    );
    assert!(lines[2].starts_with("  rows involved: "), "{error}");
    assert_eq!(lines[3], "  try: widen the range of rows, lower the minimum, or raise attempts");
    assert_eq!(lines.len(), 4);
    let once = wayforge(&[
        "act",
        "--kind",
        "elite:route=3..",
        "--seed",
        "0",
        "--count",
        "9",
        "--attempts",
        "1",
    ]);
    assert_eq!(once.status.code(), Some(2), "some seed needs another skeleton");
    rejects(&["act", "--attempts", "0"], &["attempts = 0", "1 to 1000"]);
    succeeds(&["act", "--ruleset", "rows", "--attempts", "5", "--seed", "1"]);
    rejects(&["act", "--ruleset", "spire", "--attempts", "5"], &["--attempts", "spire"]);
}

#[test]
fn errors_in_files_name_the_position() {
    let folder = folder("bad");
    let file = |name: &str, content: &str| {
        std::fs::write(folder.join(name), content).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    rejects(
        &["act", "--config", &file("a.json", "{\"rows\": \"ten\"}")],
        &["a.json", "rows", "ten", "1 to 4096"],
    );
    rejects(&["act", "--config", &file("b.json", "{\"rows\": 1")], &["b.json", "EOF", "line 1"]);
    rejects(&["act", "--config", &file("c.json", "{\"rowz\": 1}")], &["c.json", "rowz", "rows"]);
    rejects(
        &["act", "--config", &file("d.json", "{\"ruleset\": \"magic\"}")],
        &["ruleset", "magic", "walks"],
    );
    rejects(&["act", "--config", &file("e.toml", "rows = 9\ncols = = 3\n")], &["e.toml", "line 2"]);
    rejects(&["act", "--config", &file("f.toml", "rows = 1e999\n")], &["f.toml"]);
    rejects(&["act", "--config", &file("g.yaml", "rows: 1")], &[".toml or .json"]);
    let kinds = r#"{"kinds": {"kinds": [{"name": "a", "weihgt": 3}]}}"#;
    rejects(&["act", "--config", &file("h.json", kinds)], &["kinds.kinds[0]", "weihgt"]);
    rejects(&["validate", &file("i.json", "{\"format\": 1}")], &["i.json", "format"]);
    rejects(&["validate", &file("j.json", "")], &["j.json", "no document"]);
    rejects(&["validate", &file("k.json", "\u{0}\u{1}")], &["k.json"]);
    rejects(&["validate", &file("l.json", &"[".repeat(200_000))], &["l.json"]);
    rejects(&["validate", folder.join("none").to_str().unwrap()], &["none"]);
    std::fs::write(folder.join("m.json"), [0xff, 0xfe, 0x00]).unwrap();
    rejects(&["validate", folder.join("m.json").to_str().unwrap()], &["m.json"]);
}

#[test]
fn validate_lists_every_violation_and_exits_1() {
    let folder = folder("validate");
    let path = folder.join("map.json");
    let good = succeeds(&["act", "--seed", "7", "--format", "json"]);
    std::fs::write(&path, &good).unwrap();
    let report = succeeds(&["validate", "--reproduce", path.to_str().unwrap()]);
    assert!(report.contains("valid") && report.contains("seed 7"), "{report}");

    let mut document: serde_json::Value = serde_json::from_str(&good).unwrap();
    document["map"]["nodes"][0]["col"] = 99.into();
    document["map"]["walks"][5][14] = 77.into();
    document["map"]["boss"] = serde_json::Value::Null;
    std::fs::write(&path, document.to_string()).unwrap();
    let output = wayforge(&["validate", "--reproduce", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let report = text(&output.stdout);
    for part in [
        "NOT VALID",
        "digest-matches",
        "in-range at node 99,0",
        "in-range at walk 5 at row 14",
        "boss",
        "reproducible",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let output = wayforge(&["validate", "--format", "json", path.to_str().unwrap()]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["valid"]), (Some(1), &false.into()));
    assert!(report["report"]["violations"].as_array().unwrap().len() > 3);
}

#[test]
fn files_that_are_not_json_are_named() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("not-json.json");
    std::fs::write(&path, "{\"seed\": }").unwrap();
    for command in ["validate", "routes"] {
        let message = "not-json.json: not JSON: expected value at line 1 column 10";
        rejects(&[command, path.to_str().unwrap()], &[message]);
    }
}

#[test]
fn validate_reads_standard_input_and_many_documents() {
    let documents = succeeds(&["act", "--seed", "1", "--count", "50", "--format", "json"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(["validate", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(documents.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout).lines().count()), (Some(0), 50));
}

#[test]
fn closed_standard_output_is_an_error_without_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(["act", "--seed", "1", "--count", "100000", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 100];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = child.wait_with_output().unwrap();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(error, "wayforge: standard output was closed before everything was written\n");
}

#[test]
fn prints_completions_manual_pages_and_schemas() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(succeeds(&["completions", shell]).contains("wayforge"), "{shell}");
    }
    assert!(succeeds(&["man"]).contains(".TH"));
    assert!(succeeds(&["man", "act"]).contains("nearest"));
    let schema: serde_json::Value = serde_json::from_str(&succeeds(&["schema", "act"])).unwrap();
    assert!(schema["properties"]["digest"].is_object());
    assert!(succeeds(&["--version"]).starts_with("wayforge "));
    assert!(succeeds(&["act", "--help"]).contains("--nearest"));
}
