//! End-to-end tests of `wayforge find`.

use crate::common::{rejects, succeeds, text, wayforge};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A condition that few floors meet.
const FLOOR_CONDITION: &str = "path = 10";
const ACT_CONDITION: &str = "routes > 300 and min(elite) = 0 and max(shop) >= 3";

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("find-{name}"));
    let _ = std::fs::remove_file(&path);
    path
}

fn found(args: &[&str]) -> Vec<Value> {
    let all = [&["find"], args, &["--format", "json"]].concat();
    succeeds(&all).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn finds_the_first_matching_seeds() {
    let seeds = found(&["act", "--where", ACT_CONDITION, "--count", "20"]);
    assert_eq!(seeds.len(), 20);
    for line in &seeds {
        let metrics = &line["metrics"];
        assert!(metrics["routes"].as_i64() > Some(300) && metrics["min(elite)"] == 0, "{line}");
        assert!(metrics["max(shop)"].as_i64() >= Some(3), "{line}");
    }
    let numbers: Vec<u64> =
        seeds.iter().map(|line| line["seed"].as_str().unwrap().parse().unwrap()).collect();
    assert!(numbers.is_sorted());
    // `wayforge routes` counts the same number of routes.
    let map = file("first.json");
    succeeds(&["act", "--seed", &numbers[0].to_string(), "-o", &map.display().to_string()]);
    let analysis = succeeds(&["routes", "--format", "json", &map.display().to_string()]);
    let analysis: Value = serde_json::from_str(&analysis).unwrap();
    assert_eq!(analysis["routes"].as_str().unwrap(), seeds[0]["metrics"]["routes"].to_string());
    for threads in ["1", "3"] {
        assert_eq!(
            found(&["act", "--where", ACT_CONDITION, "--count", "20", "--threads", threads]),
            seeds
        );
    }
    let plain =
        succeeds(&["find", "act", "--where", ACT_CONDITION, "--count", "20", "--format", "seeds"]);
    assert_eq!(plain.lines().map(|line| line.parse().unwrap()).collect::<Vec<u64>>(), numbers);
}

#[test]
fn shards_together_find_all_seeds() {
    let options = |shard| {
        ["floor", "--where", "path > 8", "--count", "100000", "--limit", "20000", "--shard", shard]
    };
    let sort = |mut lines: Vec<Value>| {
        lines.sort_by_key(|line| line["seed"].as_str().unwrap().parse::<u64>().unwrap());
        lines
    };
    let whole = found(&options("1/1"));
    assert!(whole.len() > 100);
    assert_eq!(
        sort(["1/3", "2/3", "3/3"].iter().flat_map(|shard| found(&options(shard))).collect()),
        whole
    );
}

#[test]
fn closest_seeds_are_sorted_by_distance() {
    let closest =
        found(&["act", "--closest", "nodes=60, routes=200", "--count", "5", "--limit", "20000"]);
    let distances: Vec<u64> =
        closest.iter().map(|line| line["distance"].as_u64().unwrap()).collect();
    assert!(distances.len() == 5 && distances.is_sorted(), "{distances:?}");
    let both =
        found(&["act", "--closest", "routes=200", "--where", "nodes > 70", "--limit", "20000"]);
    assert!(both[0]["metrics"]["nodes"].as_i64() > Some(70));
}

#[test]
fn resumed_search_finds_the_same_seeds_as_an_uninterrupted_one() {
    let state = file("state.json").display().to_string();
    let count = ["--count", "1000000", "--limit", "100000000"];
    let common = ["find", "level", "--where", "path > 0", "--format", "seeds"];
    // Too many seeds to find in an hour, so the search runs until it is stopped.
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(common)
        .args(count)
        .args(["--resume", &state])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A printed seed shows that the search is running.
    let mut found_seeds = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    found_seeds.read_line(&mut first).unwrap();
    assert!(first.trim_end().parse::<u64>().is_ok(), "{first}");
    assert!(
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success()
    );
    let more = found_seeds.lines().map(Result::unwrap).count();
    let stderr: Vec<String> =
        BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{stderr:?}");
    assert!(
        stderr.last().unwrap().contains(&format!("stopped, continue with --resume {state}")),
        "{stderr:?}"
    );
    let saved: Value = serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap();
    assert!(saved["seeds"].as_u64() >= Some(1) && saved["request"]["family"] == "level", "{saved}");
    assert_eq!(saved["found"].as_array().unwrap().len(), more + 1, "printed seeds are saved");
    // A different condition does not continue the search.
    let other =
        [&["find", "level", "--where", "path > 3", "--resume", &state], &count[..]].concat();
    rejects(&other, &[&state, "a different search: where was \"path > 0\", now \"path > 3\""]);
    // A completed search continues with a larger limit.
    let (whole, half) =
        (file("whole.json").display().to_string(), file("half.json").display().to_string());
    let search = |more: &[&str]| {
        found(&[&["act", "--where", "routes > 900", "--count", "100000"], more].concat())
    };
    let all = search(&["--limit", "24576", "--resume", &whole]);
    search(&["--limit", "12288", "--resume", &half]);
    let state: Value = serde_json::from_slice(&std::fs::read(&half).unwrap()).unwrap();
    assert_eq!(state["seeds"], 12_288);
    assert_eq!(search(&["--limit", "24576", "--resume", &half]), all);
    assert!(all.len() > 10);
    // A larger count continues the search, also in the middle of a block; a smaller one does not.
    let grown = file("grown.json").display().to_string();
    let first = |count: &str, more: &[&str]| {
        found(&[&["act", "--where", "routes > 200", "--count", count], more].concat())
    };
    for count in 1..=9 {
        let count = count.to_string();
        assert_eq!(first(&count, &["--resume", &grown]), first(&count, &[]));
    }
    rejects(
        &["find", "act", "--where", "routes > 200", "--count", "8", "--resume", &grown],
        &[&grown, "count was 9, now 8", "a larger --count or --limit"],
    );
    // With targets the count is fixed, because only the closest seeds are saved.
    let state = file("closest.json").display().to_string();
    let closest = |count| {
        [
            "find",
            "floor",
            "--closest",
            "path = 9",
            "--limit",
            "100",
            "--count",
            count,
            "--resume",
            &state,
        ]
    };
    succeeds(&closest("1"));
    rejects(&closest("2"), &[&state, "count was 1, now 2", "a larger --limit"]);
    assert!(!PathBuf::from(format!("{state}.lock")).exists());
}

#[test]
fn checkpoint_keeps_the_text_of_the_first_seed() {
    let state = file("text-seed.json").display().to_string();
    let search = |seed: &str, more: &[&str]| {
        let options = ["floor", "--seed", seed, "--where", "path > 0", "--limit", "10000"];
        found(&[&options[..], more].concat())
    };
    for seed in ["first light", "007", "two\nlines \"quoted\""] {
        let _ = std::fs::remove_file(&state);
        search(seed, &["--count", "3", "--resume", &state]);
        let saved: Value = serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap();
        assert_eq!(saved["request"]["seed"], seed, "{saved}");
        let resumed = search(seed, &["--count", "6", "--resume", &state]);
        assert_eq!(resumed, search(seed, &["--count", "6"]));
        let saved: Value = serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap();
        assert_eq!(saved["request"]["seed"], seed, "{saved}");
    }
    rejects(
        &[
            "find", "floor", "--seed", "7", "--where", "path > 0", "--limit", "10000", "--resume",
            &state,
        ],
        &["a different search", "seed was \"two\\nlines"],
    );
}

/// Starts a long search with a checkpoint file.
fn start_search(state: &str) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args([
            "find",
            "floor",
            "--where",
            FLOOR_CONDITION,
            "--count",
            "1000000",
            "--format",
            "seeds",
        ])
        .args(["--resume", state])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    (child, lines)
}

#[test]
fn prints_matches_at_once_and_locks_the_checkpoint_file() {
    let state = file("locked.json").display().to_string();
    // An empty file starts a new search.
    std::fs::write(&state, "").unwrap();
    let (mut child, mut lines) = start_search(&state);
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    assert!(child.try_wait().unwrap().is_none(), "printed while the search is running");
    rejects(
        &["find", "floor", "--where", FLOOR_CONDITION, "--count", "1000000", "--resume", &state],
        &[&state, "in use by another wayforge process"],
    );
    // A closed pipe stops the search, which saves its matches.
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let saved: Value = serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap();
    assert_eq!(saved["found"][0][0].as_str(), Some(first.trim()), "{saved}");
    // A killed process releases the lock.
    let (mut child, mut lines) = start_search(&state);
    let mut again = String::new();
    lines.read_line(&mut again).unwrap();
    assert_eq!(again, first);
    child.kill().unwrap();
    let (mut next, mut lines) = start_search(&state);
    let mut again = String::new();
    lines.read_line(&mut again).unwrap();
    assert_eq!(again, first);
    next.kill().unwrap();
    child.wait().unwrap();
    next.wait().unwrap();
}

#[test]
fn rejects_invalid_requests_with_positions() {
    rejects(
        &["find", "act", "--where", "nodes > 3 and ruotes > 3"],
        &["--where", "column 15", "ruotes", "routes"],
    );
    rejects(&["find", "act", "--where", "min(dragon) = 1"], &["dragon", "elite"]);
    rejects(&["find", "act", "--closest", "nodes"], &["--closest", "column"]);
    rejects(&["find", "act", "--where", "nodes > 3", "--shard", "4/3"], &["--shard", "PART/OF"]);
    rejects(&["find", "act"], &["nothing to search for", "--where", "--closest", "--metrics"]);
    rejects(&["find", "act", "--where", "nodes > 3", "--limit", "0"], &["--limit"]);
    assert_eq!(found(&["act", "--where", "-1 < nodes", "--limit", "8"]).len(), 1);
    // Inputs are never overwritten.
    let config = file("own.toml");
    std::fs::write(&config, "").unwrap();
    let config = config.display().to_string();
    let search = ["find", "floor", "--where", "path > 1", "--config", &config];
    rejects(&[&search[..], &["-o", &config]].concat(), &[&config, "would be replaced"]);
    rejects(&[&search[..], &["--resume", &config]].concat(), &[&config, "would be replaced"]);
    let state = file("both.json").display().to_string();
    rejects(
        &[&search[..], &["--resume", &state, "-o", &state]].concat(),
        &[&state, "would be replaced"],
    );
    assert!(std::fs::read(&config).unwrap().is_empty() && !PathBuf::from(&state).exists());
    rejects(&["find", "act", "--where", "nodes > 3 && edges > 3"], &["column 11", "write \"and\""]);
    let long = "nodes > 3 and ".repeat(3000);
    let stderr = text(&wayforge(&["find", "act", "--where", &long]).stderr);
    assert!(stderr.contains("column 10001") && stderr.len() < 500, "{stderr}");
    let config = file("wrong.toml").display().to_string();
    std::fs::write(&config, "# Comment.\nrows = 9\ncols = \"x\"\n").unwrap();
    let message = "wrong.toml: cols: \"x\" is not a whole number (use 1 to 64) at line 3 column 8";
    rejects(&["find", "act", "--where", "nodes > 3", "--config", &config], &[message]);
    rejects(
        &["find", "act", "--where", "nodes > 3", "--config", "/nosuch.toml"],
        &["/nosuch.toml"],
    );
    let state = file("noise.json");
    std::fs::write(&state, "noise").unwrap();
    rejects(
        &["find", "act", "--where", "nodes > 3", "--resume", &state.display().to_string()],
        &["not a saved search"],
    );
}

#[test]
fn lists_metrics_and_succeeds_without_matches() {
    let list = succeeds(&["find", "floor", "--metrics"]);
    assert!(list.contains("path ") && list.contains("count(") && list.contains("enemy"), "{list}");
    let output = wayforge(&["find", "floor", "--where", "path > 100", "--limit", "5000"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert!(text(&output.stderr).contains("0 of 1 found"));
    let output =
        wayforge(&["find", "floor", "--where", "path > 1", "--limit", "50", "--shard", "2/2"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert!(
        text(&output.stderr)
            .contains("shard 2/2 has no seeds: 50 seeds are distributed in blocks of 4096")
    );
}

#[test]
fn marks_of_a_stage_are_metrics() {
    let stage = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/stages/key-and-door.toml");
    let seeds =
        found(&["level", "--config", stage, "--where", "count(key) = 1 and count(door) > 0"]);
    assert_eq!(
        (&seeds[0]["metrics"]["count(key)"], &seeds[0]["metrics"]["count(door)"]),
        (&1.into(), &1.into())
    );
    assert!(
        succeeds(&["find", "level", "--config", stage, "--metrics"])
            .contains("moving, key, door\n")
    );
    rejects(&["find", "level", "--where", "count(key) = 1"], &["unknown symbol key"]);
    let page = file("marks.html").display().to_string();
    succeeds(&["measure", "level", "--config", stage, "--count", "20", "-o", &page]);
    let table = |name: &str| std::fs::read_to_string(page.replace(".html", name)).unwrap();
    let (budgets, placements) = (table("/budgets.csv"), table("/placements.csv"));
    let keys = budgets
        .lines()
        .find(|line| line.contains("count(key)"))
        .unwrap_or_else(|| panic!("{budgets}"));
    assert!(keys.contains(",1,"), "{keys}");
    let on = |plane: &str| {
        placements.lines().filter(|line| line.contains(&format!(",{plane},"))).count()
    };
    assert_eq!((on("door"), on("mark")), (1, on("key") + 1));
    assert!(placements.contains(",door,26,6,1,1,20\n") && on("key") > 5, "{placements}");
}
