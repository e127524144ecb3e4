//! `wayforge routes` as a user meets it.

mod common;

use common::{refuses, succeeds, text};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder of this test's own with the map of seed 42 in it.
fn folder(name: &str, more: &[&str]) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("routes-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    let map = path.join("map.json").display().to_string();
    let mut args = vec!["act", "--seed", "42", "-o", &map];
    args.extend(more);
    succeeds(&args);
    (path, map)
}

fn json(args: &[&str]) -> Value {
    let mut all = vec!["routes", "--format", "json"];
    all.extend(args);
    let out = succeeds(&all);
    assert_eq!(out.lines().count(), 1);
    serde_json::from_str(&out).unwrap()
}

/// How many routes a document has, counted from its JSON alone.
fn count(document: &Value) -> u64 {
    let edges = document["map"]["edges"].as_array().unwrap();
    let rows = document["map"]["rows"].as_u64().unwrap();
    let mut ways: Vec<u64> = vec![1; 64];
    for row in (0..rows - 1).rev() {
        let mut below = vec![0; 64];
        for edge in edges.iter().filter(|edge| edge["row"] == row) {
            below[edge["from"].as_u64().unwrap() as usize] += ways[edge["to"].as_u64().unwrap() as usize];
        }
        ways = below;
    }
    ways.iter().sum()
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_summary_reads_well() {
    let (folder, map) = folder("text", &[]);
    let out = succeeds(&["routes", &map]);
    let routes = count(&read(&folder.join("map.json")));
    assert!(out.contains(&format!("{routes} routes lead to the top.")), "{out}");
    for part in ["least  most", "elite", "Real forks, of ", "Dominated choices: ", "places to start."] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(!out.contains("Wanted") && !out.contains("Route "), "{out}");
    let wanted = succeeds(&["routes", &map, "--want", "elite=2..", "--route", "most:shop"]);
    assert!(wanted.contains("Wanted elite=2..: ") && wanted.contains("\nRoute "), "{wanted}");
    assert!(wanted.contains("; then the boss."), "{wanted}");
    let never = succeeds(&["routes", &map, "--want", "elite=15"]);
    assert!(never.contains("Wanted elite=15: no route does."), "{never}");
}

/// What `routes` counts by itself and what the catalogue counts are the same, under the catalogue's names.
#[test]
fn metrics_are_those_of_the_catalogue() {
    let (_, map) = folder("metrics", &[]);
    let answer = json(&[&map, "--metrics"]);
    let metrics = answer["metrics"].as_array().unwrap();
    let value = |name: &str| {
        let found = metrics.iter().find(|reading| reading["name"] == name);
        found.unwrap_or_else(|| panic!("no {name}"))["value"].as_i64().unwrap()
    };
    assert_eq!(value("routes").to_string(), answer["routes"].as_str().unwrap());
    for kind in answer["kinds"].as_array().unwrap() {
        let name = kind["kind"].as_str().unwrap();
        assert_eq!(value(&format!("min({name})")), kind["least"].as_i64().unwrap(), "{name}");
        assert_eq!(value(&format!("max({name})")), kind["most"].as_i64().unwrap(), "{name}");
    }
    let found = succeeds(&[
        "find",
        "act",
        "--seed",
        "42",
        "--limit",
        "1",
        "--where",
        "routes > 0",
        "--format",
        "json",
    ]);
    let found: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["metrics"]["routes"], value("routes"));
    let text = succeeds(&["routes", &map, "--metrics"]);
    for reading in metrics {
        let name = reading["name"].as_str().unwrap();
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        let told = [
            &reading["value"].to_string(),
            reading["unit"].as_str().unwrap(),
            reading["about"].as_str().unwrap(),
        ]
        .map(|part| line.contains(part));
        assert_eq!(told, [true; 3], "{line}");
    }
    assert!(json(&[&map]).get("metrics").is_none() && !succeeds(&["routes", &map]).contains("Metrics"));
}

#[test]
fn json_holds_exact_numbers_under_documented_names() {
    let (folder, map) = folder("json", &[]);
    let document = read(&folder.join("map.json"));
    let answer = json(&[&map, "--want", "elite=1..2", "--want", "shop=1", "--route", "wanted"]);
    let members: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = vec![
        "algorithm",
        "choice_points",
        "choices",
        "digest",
        "dominated",
        "file",
        "forks",
        "from",
        "kinds",
        "no_returns",
        "route",
        "routes",
        "seed",
        "wanted",
    ];
    expected.sort_unstable();
    assert_eq!(members, expected);
    assert_eq!(answer["routes"], count(&document).to_string());
    assert_eq!((&answer["digest"], &answer["from"]), (&document["digest"], &Value::Null));
    assert_eq!(answer["kinds"].as_array().unwrap().len(), 7);
    assert_eq!(answer["route"], answer["wanted"]["route"]);
    let cols = answer["route"]["cols"].as_array().unwrap();
    let kind_at = |row: usize| {
        let nodes = document["map"]["nodes"].as_array().unwrap();
        nodes.iter().find(|n| n["row"] == row && n["col"] == cols[row]).unwrap()["kind"].as_str().unwrap()
    };
    let met = |kind: &str| (0..15).filter(|&row| kind_at(row) == kind).count();
    assert!((1..=2).contains(&met("elite")) && met("shop") == 1);
    for list in ["forks", "dominated", "no_returns"] {
        assert_eq!(answer[list]["total"], answer[list]["list"].as_array().unwrap().len(), "{list}");
    }
    let fork = &answer["forks"]["list"][0];
    assert!(fork["cols"].as_array().unwrap().len() >= 2 && fork["kinds"].as_array().unwrap().len() >= 2);
}

#[test]
fn questions_start_where_the_run_stands() {
    let (_, map) = folder("from", &[]);
    let all = json(&[&map]);
    let most = &all["kinds"][1]["most_route"];
    let here = format!("{},4", most[4]);
    let answer = json(&[&map, "--from", &here, "--route", "most:elite"]);
    assert_eq!(answer["from"]["row"], 4);
    assert_eq!((&answer["route"]["row"], answer["route"]["cols"].as_array().unwrap().len()), (&4.into(), 11));
    assert!(answer["choices"].as_str().unwrap().starts_with(&format!("From Node {here}")));
    let routes = |answer: &Value| answer["routes"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(routes(&answer) < routes(&all));
    assert!(
        succeeds(&["routes", &map, "--from", &here]).contains(&format!("lead to the top from Node {here}."))
    );
}

#[test]
fn many_documents_are_answered_one_by_one() {
    let many = succeeds(&["act", "--seed", "1", "--count", "3", "--format", "json"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(["routes", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(many.as_bytes()).unwrap();
    let out = text(&child.wait_with_output().unwrap().stdout);
    let seeds: Vec<Value> =
        out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["seed"].clone()).collect();
    assert_eq!(seeds, ["1", "2", "3"]);
}

#[test]
fn a_route_is_drawn_up_to_the_boss() {
    let (folder, map) = folder("draw", &[]);
    let draw = |name: &str, more: &[&str]| {
        let path = folder.join(name).display().to_string();
        let mut args = vec!["routes", &map, "--draw", &path];
        args.extend(more);
        succeeds(&args);
        std::fs::read(path).unwrap()
    };
    let plain = succeeds(&["act", "--seed", "42", "--format", "svg"]);
    let drawn = text(&draw("a.svg", &["--route", "most:elite"]));
    assert_ne!(drawn, plain);
    assert!(drawn.contains("#a3231c") && !plain.contains("#a3231c"), "the route has its colour");
    assert!(text(&draw("b.svg", &["--route", "most:elite", "--theme", "night"])).contains("#ffd27a"));
    assert!(draw("c.png", &["--want", "elite=2.."]).starts_with(b"\x89PNG"));
    let answer = json(&[&map]);
    let cols: Vec<String> =
        answer["kinds"][1]["most_route"].as_array().unwrap().iter().map(Value::to_string).collect();
    let ascii = text(&draw("d.txt", &["--route", &cols.join("-")]));
    assert_eq!(ascii.matches('(').count(), 15, "{ascii}");
    assert_eq!(text(&draw("e.txt", &["--route", "most:elite"])), ascii);
}

#[test]
fn maps_without_kinds_and_of_one_row_are_answered() {
    let (folder, bare) =
        folder("bare", &["--rows", "1", "--cols", "3", "--walks", "2", "--kinds", "none", "--boss", "false"]);
    let out = succeeds(&["routes", &bare]);
    assert!(
        out.contains("2 routes lead to the top.") && out.contains("Real forks, of 1 with a choice: 0"),
        "{out}"
    );
    assert_eq!(json(&[&bare])["kinds"], Value::Array(vec![]));
    let col = read(Path::new(&bare))["map"]["nodes"][0]["col"].to_string();
    let picture = folder.join("one.svg").display().to_string();
    succeeds(&["routes", &bare, "--draw", &picture, "--route", &col]);
    assert!(std::fs::read_to_string(picture).unwrap().contains(", visited"), "a lone node is marked");
    refuses(&["routes", &bare, "--want", "elite=1"], &["--want elite=1", "the map has no kinds"]);
}

#[test]
fn mistakes_are_one_line() {
    let (folder, map) = folder("mistakes", &[]);
    refuses(&["routes", "no-such-file.json"], &["no-such-file.json"]);
    refuses(&["routes", &map, "--from", "up"], &["--from up", "COL,ROW"]);
    refuses(&["routes", &map, "--from", "0,99"], &["--from 0,99", "there is no node"]);
    refuses(&["routes", &map, "--want", "dragon=1.."], &["--want dragon=1..", "known: monster, elite"]);
    refuses(&["routes", &map, "--want", "elite"], &["--want elite", "KIND=MIN..MAX"]);
    refuses(&["routes", &map, "--want", "elite=3..1"], &["3 is more than 1"]);
    refuses(&["routes", &map, "--route", "best"], &["--route best", "most:KIND"]);
    refuses(&["routes", &map, "--route", "wanted"], &["--want KIND=MIN..MAX"]);
    refuses(&["routes", &map, "--route", "99-1"], &["route[0] = 99", "use one of"]);
    refuses(&["routes", &map, "--route", "least:dragon"], &["--route least:dragon", "known: "]);
    let picture = folder.join("picture.svg");
    let at = picture.display().to_string();
    refuses(&["routes", &map, "--draw", &at], &["--draw", "--route"]);
    refuses(&["routes", &map, "--draw", &at, "--want", "elite=15.."], &["no route meets what is wanted"]);
    refuses(&["routes", &map, "--draw", "picture.gif", "--route", "most:elite"], &["picture.gif", ".svg"]);
    let two = folder.join("two.json");
    let document = std::fs::read_to_string(&map).unwrap();
    std::fs::write(&two, format!("{document}{document}")).unwrap();
    let two = two.display().to_string();
    refuses(&["routes", &two, "--draw", &at, "--route", "most:elite"], &["(document 2)", "one map"]);
    assert!(!picture.exists(), "nothing is drawn by a command that fails");
    let broken = folder.join("broken.json");
    std::fs::write(&broken, format!("{document}{}", document.replace("\"seed\":\"42\"", "\"seed\":\"43\"")))
        .unwrap();
    refuses(&["routes", &broken.display().to_string()], &["(document 2)", "digest"]);
}
