//! End-to-end tests of `wayforge routes`.

use crate::common::{rejects, succeeds, text};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Creates a folder for one test with the map of seed 42.
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

/// Counts the routes of a document from its JSON.
fn count(document: &Value) -> u64 {
    let edges = document["map"]["edges"].as_array().unwrap();
    let rows = document["map"]["rows"].as_u64().unwrap();
    let mut counts: Vec<u64> = vec![1; 64];
    for row in (0..rows - 1).rev() {
        let mut below = vec![0; 64];
        for edge in edges.iter().filter(|edge| edge["row"] == row) {
            below[edge["from"].as_u64().unwrap() as usize] +=
                counts[edge["to"].as_u64().unwrap() as usize];
        }
        counts = below;
    }
    counts.iter().sum()
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn text_output_lists_counts_forks_and_choices() {
    let (folder, map) = folder("text", &[]);
    let out = succeeds(&["routes", &map]);
    let routes = count(&read(&folder.join("map.json")));
    assert!(out.contains(&format!("{routes} routes lead to the top.")), "{out}");
    for part in
        ["min   max", "elite", "Meaningful forks, of ", "Dominated choices: ", "starting nodes."]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(!out.contains("Query") && !out.contains("Route "), "{out}");
    let found = succeeds(&["routes", &map, "--query", "elite=2..", "--route", "max:shop"]);
    assert!(found.contains("Query elite=2..: ") && found.contains("\nRoute "), "{found}");
    assert!(found.contains("; then the boss."), "{found}");
    let never = succeeds(&["routes", &map, "--query", "elite=15"]);
    assert!(never.contains("Query elite=15: no such route."), "{never}");
}

/// The counts of `routes` equal the metrics of the catalogue.
#[test]
fn metrics_equal_those_of_the_catalogue() {
    let (_, map) = folder("metrics", &[]);
    let analysis = json(&[&map, "--metrics"]);
    let metrics = analysis["metrics"].as_array().unwrap();
    let value = |name: &str| {
        let found = metrics.iter().find(|metric| metric["name"] == name);
        found.unwrap_or_else(|| panic!("no {name}"))["value"].as_i64().unwrap()
    };
    assert_eq!(value("routes").to_string(), analysis["routes"].as_str().unwrap());
    for kind in analysis["kinds"].as_array().unwrap() {
        let name = kind["kind"].as_str().unwrap();
        assert_eq!(value(&format!("min({name})")), kind["min"].as_i64().unwrap(), "{name}");
        assert_eq!(value(&format!("max({name})")), kind["max"].as_i64().unwrap(), "{name}");
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
    for metric in metrics {
        let name = metric["name"].as_str().unwrap();
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        let is_printed = [
            &metric["value"].to_string(),
            metric["unit"].as_str().unwrap(),
            metric["description"].as_str().unwrap(),
        ]
        .map(|part| line.contains(part));
        assert_eq!(is_printed, [true; 3], "{line}");
    }
    assert!(
        json(&[&map]).get("metrics").is_none() && !succeeds(&["routes", &map]).contains("Metrics")
    );
}

#[test]
fn json_output_has_the_documented_members() {
    let (folder, map) = folder("json", &[]);
    let document = read(&folder.join("map.json"));
    let analysis = json(&[&map, "--query", "elite=1..2", "--query", "shop=1", "--route", "match"]);
    let members: Vec<&str> = analysis.as_object().unwrap().keys().map(String::as_str).collect();
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
        "points_of_no_return",
        "query",
        "route",
        "routes",
        "seed",
    ];
    expected.sort_unstable();
    assert_eq!(members, expected);
    assert_eq!(analysis["routes"], count(&document).to_string());
    assert_eq!((&analysis["digest"], &analysis["from"]), (&document["digest"], &Value::Null));
    assert_eq!(analysis["kinds"].as_array().unwrap().len(), 7);
    assert_eq!(analysis["route"], analysis["query"]["route"]);
    let cols = analysis["route"]["cols"].as_array().unwrap();
    let kind_at = |row: usize| {
        let nodes = document["map"]["nodes"].as_array().unwrap();
        nodes.iter().find(|n| n["row"] == row && n["col"] == cols[row]).unwrap()["kind"]
            .as_str()
            .unwrap()
    };
    let visits = |kind: &str| (0..15).filter(|&row| kind_at(row) == kind).count();
    assert!((1..=2).contains(&visits("elite")) && visits("shop") == 1);
    for list in ["forks", "dominated", "points_of_no_return"] {
        assert_eq!(
            analysis[list]["total"],
            analysis[list]["list"].as_array().unwrap().len(),
            "{list}"
        );
    }
    let fork = &analysis["forks"]["list"][0];
    assert!(
        fork["cols"].as_array().unwrap().len() >= 2 && fork["kinds"].as_array().unwrap().len() >= 2
    );
}

#[test]
fn from_restricts_the_analysis_to_routes_from_a_node() {
    let (_, map) = folder("from", &[]);
    let all = json(&[&map]);
    let max_route = &all["kinds"][1]["max_route"];
    let start = format!("{},4", max_route[4]);
    let analysis = json(&[&map, "--from", &start, "--route", "max:elite"]);
    assert_eq!(analysis["from"]["row"], 4);
    assert_eq!(
        (&analysis["route"]["row"], analysis["route"]["cols"].as_array().unwrap().len()),
        (&4.into(), 11)
    );
    assert!(analysis["choices"].as_str().unwrap().starts_with(&format!("From Node {start}")));
    let routes = |analysis: &Value| analysis["routes"].as_str().unwrap().parse::<u64>().unwrap();
    assert!(routes(&analysis) < routes(&all));
    assert!(
        succeeds(&["routes", &map, "--from", &start])
            .contains(&format!("lead to the top from Node {start}."))
    );
}

#[test]
fn analyses_every_document_of_the_input() {
    let many = succeeds(&["act", "--seed", "1", "--count", "3", "--format", "json"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(["routes", "-", "--format", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(many.as_bytes()).unwrap();
    let out = text(&child.wait_with_output().unwrap().stdout);
    let seeds: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["seed"].clone())
        .collect();
    assert_eq!(seeds, ["1", "2", "3"]);
}

#[test]
fn draws_a_route_up_to_the_boss() {
    let (folder, map) = folder("draw", &[]);
    let draw = |name: &str, more: &[&str]| {
        let path = folder.join(name).display().to_string();
        let mut args = vec!["routes", &map, "--draw", &path];
        args.extend(more);
        succeeds(&args);
        std::fs::read(path).unwrap()
    };
    let plain = succeeds(&["act", "--seed", "42", "--format", "svg"]);
    let drawn = text(&draw("a.svg", &["--route", "max:elite"]));
    assert_ne!(drawn, plain);
    assert!(drawn.contains("#a3231c") && !plain.contains("#a3231c"), "the route has its colour");
    assert!(
        text(&draw("b.svg", &["--route", "max:elite", "--theme", "night"])).contains("#ffd27a")
    );
    assert!(draw("c.png", &["--query", "elite=2.."]).starts_with(b"\x89PNG"));
    let analysis = json(&[&map]);
    let cols: Vec<String> = analysis["kinds"][1]["max_route"]
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect();
    let ascii = text(&draw("d.txt", &["--route", &cols.join("-")]));
    assert_eq!(ascii.matches('(').count(), 15, "{ascii}");
    assert_eq!(text(&draw("e.txt", &["--route", "max:elite"])), ascii);
}

#[test]
fn analyses_maps_without_kinds_and_with_one_row() {
    let (folder, bare) = folder(
        "bare",
        &["--rows", "1", "--cols", "3", "--walks", "2", "--kinds", "none", "--boss", "false"],
    );
    let out = succeeds(&["routes", &bare]);
    assert!(
        out.contains("2 routes lead to the top.")
            && out.contains("Meaningful forks, of 1 choice point: 0"),
        "{out}"
    );
    assert_eq!(json(&[&bare])["kinds"], Value::Array(vec![]));
    let col = read(Path::new(&bare))["map"]["nodes"][0]["col"].to_string();
    let picture = folder.join("one.svg").display().to_string();
    succeeds(&["routes", &bare, "--draw", &picture, "--route", &col]);
    assert!(
        std::fs::read_to_string(picture).unwrap().contains(", visited"),
        "a lone node is marked"
    );
    rejects(&["routes", &bare, "--query", "elite=1"], &["--query elite=1", "the map has no kinds"]);
}

#[test]
fn rejects_invalid_queries_with_one_line() {
    let (folder, map) = folder("mistakes", &[]);
    rejects(&["routes", "no-such-file.json"], &["no-such-file.json"]);
    rejects(&["routes", &map, "--from", "up"], &["--from up", "COL,ROW"]);
    rejects(&["routes", &map, "--from", "0,99"], &["--from 0,99", "no such node"]);
    rejects(
        &["routes", &map, "--query", "dragon=1.."],
        &["--query dragon=1..", "known: monster, elite"],
    );
    rejects(&["routes", &map, "--query", "elite"], &["--query elite", "KIND=MIN..MAX"]);
    rejects(&["routes", &map, "--query", "elite=3..1"], &["3 is more than 1"]);
    rejects(&["routes", &map, "--route", "best"], &["--route best", "max:KIND"]);
    rejects(&["routes", &map, "--route", "match"], &["--query KIND=MIN..MAX"]);
    rejects(&["routes", &map, "--route", "99-1"], &["route[0] = 99", "use one of"]);
    rejects(&["routes", &map, "--route", "min:dragon"], &["--route min:dragon", "known: "]);
    let picture = folder.join("picture.svg");
    let picture_path = picture.display().to_string();
    rejects(&["routes", &map, "--draw", &picture_path], &["--draw", "--route"]);
    rejects(
        &["routes", &map, "--draw", &picture_path, "--query", "elite=15.."],
        &["no route satisfies --query"],
    );
    rejects(
        &["routes", &map, "--draw", "picture.gif", "--route", "max:elite"],
        &["picture.gif", ".svg"],
    );
    let two = folder.join("two.json");
    let document = std::fs::read_to_string(&map).unwrap();
    std::fs::write(&two, format!("{document}{document}")).unwrap();
    let two = two.display().to_string();
    rejects(
        &["routes", &two, "--draw", &picture_path, "--route", "max:elite"],
        &["(document 2)", "one map"],
    );
    assert!(!picture.exists(), "nothing is drawn by a command that fails");
    let broken = folder.join("broken.json");
    std::fs::write(
        &broken,
        format!("{document}{}", document.replace("\"seed\":\"42\"", "\"seed\":\"43\"")),
    )
    .unwrap();
    rejects(&["routes", &broken.display().to_string()], &["(document 2)", "digest"]);
}
