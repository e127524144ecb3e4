//! `wayforge find` as a user meets it.

mod common;

use common::{refuses, succeeds, text, wayforge};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

/// Some floors are like that, few.
const CONDITION: &str = "path = 10";
const WHERE: &str = "routes > 300 and min(elite) = 0 and max(shop) >= 3";

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
fn seeds_are_those_whose_maps_are_so() {
    let seeds = found(&["act", "--where", WHERE, "--count", "20"]);
    assert_eq!(seeds.len(), 20);
    for line in &seeds {
        let metrics = &line["metrics"];
        assert!(metrics["routes"].as_i64() > Some(300) && metrics["min(elite)"] == 0, "{line}");
        assert!(metrics["max(shop)"].as_i64() >= Some(3), "{line}");
    }
    let numbers: Vec<u64> =
        seeds.iter().map(|line| line["seed"].as_str().unwrap().parse().unwrap()).collect();
    assert!(numbers.is_sorted());
    // The routes of the first one, told by another command.
    let map = file("first.json");
    succeeds(&["act", "--seed", &numbers[0].to_string(), "-o", &map.display().to_string()]);
    let told = succeeds(&["routes", "--format", "json", &map.display().to_string()]);
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["routes"].as_str().unwrap(), seeds[0]["metrics"]["routes"].to_string());
    for threads in ["1", "3"] {
        assert_eq!(found(&["act", "--where", WHERE, "--count", "20", "--threads", threads]), seeds);
    }
    let plain = succeeds(&["find", "act", "--where", WHERE, "--count", "20", "--format", "seeds"]);
    assert_eq!(plain.lines().map(|line| line.parse().unwrap()).collect::<Vec<u64>>(), numbers);
}

#[test]
fn shards_together_are_the_whole() {
    let options =
        |shard| ["floor", "--where", "path > 8", "--count", "100000", "--limit", "20000", "--shard", shard];
    let sort = |mut lines: Vec<Value>| {
        lines.sort_by_key(|line| line["seed"].as_str().unwrap().parse::<u64>().unwrap());
        lines
    };
    let whole = found(&options("1/1"));
    assert!(whole.len() > 100);
    assert_eq!(sort(["1/3", "2/3", "3/3"].iter().flat_map(|shard| found(&options(shard))).collect()), whole);
}

#[test]
fn the_closest_come_first() {
    let near = found(&["act", "--aim", "nodes=60, routes=200", "--count", "5", "--limit", "20000"]);
    let distances: Vec<u64> = near.iter().map(|line| line["distance"].as_u64().unwrap()).collect();
    assert!(distances.len() == 5 && distances.is_sorted(), "{distances:?}");
    let both = found(&["act", "--aim", "routes=200", "--where", "nodes > 70", "--limit", "20000"]);
    assert!(both[0]["metrics"]["nodes"].as_i64() > Some(70));
}

#[test]
fn a_kept_search_goes_on_and_ends_as_if_never_stopped() {
    let state = file("state.json").display().to_string();
    let count = ["--count", "1000000", "--limit", "100000000"];
    let common = ["find", "level", "--where", "path > 0", "--format", "seeds"];
    // More than it finds in an hour, so it goes on until it is stopped.
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(common)
        .args(count)
        .args(["--resume", &state])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A seed that is written was found by a search under way.
    let mut found_seeds = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    found_seeds.read_line(&mut first).unwrap();
    assert!(first.trim_end().parse::<u64>().is_ok(), "{first}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let more = found_seeds.lines().map(Result::unwrap).count();
    let told: Vec<String> =
        BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{told:?}");
    assert!(told.last().unwrap().contains(&format!("stopped, go on with --resume {state}")), "{told:?}");
    let kept: Value = serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap();
    assert!(kept["seeds"].as_u64() >= Some(1) && kept["request"]["family"] == "level", "{kept}");
    assert_eq!(kept["found"].as_array().unwrap().len(), more + 1, "what was written is kept");
    // Another question does not go on from there.
    let other = [&["find", "level", "--where", "path > 3", "--resume", &state], &count[..]].concat();
    refuses(&other, &[&state, "another search: where is \"path > 0\" there and \"path > 3\" here"]);
    // A search in two halves finds what one finds: the state of the first half is one that ended.
    let (whole, half) = (file("whole.json").display().to_string(), file("half.json").display().to_string());
    let ask =
        |more: &[&str]| found(&[&["act", "--where", "routes > 900", "--count", "100000"], more].concat());
    let all = ask(&["--limit", "24576", "--resume", &whole]);
    ask(&["--limit", "12288", "--resume", &half]);
    let state: Value = serde_json::from_slice(&std::fs::read(&half).unwrap()).unwrap();
    assert_eq!(state["seeds"], 12_288);
    // A larger limit is the same search; a smaller one is not.
    assert_eq!(ask(&["--limit", "24576", "--resume", &half]), all);
    assert!(all.len() > 10);
    // So is a larger count, also in the middle of a piece; of an aim only the closest are kept.
    let grown = file("grown.json").display().to_string();
    let first = |count: &str, more: &[&str]| {
        found(&[&["act", "--where", "routes > 200", "--count", count], more].concat())
    };
    for count in 1..=9 {
        let count = count.to_string();
        assert_eq!(first(&count, &["--resume", &grown]), first(&count, &[]));
    }
    refuses(
        &["find", "act", "--where", "routes > 200", "--count", "8", "--resume", &grown],
        &[&grown, "count is 9 there and 8 here", "a larger --count or --limit"],
    );
    let aim = file("aim.json").display().to_string();
    let near =
        |count| ["find", "floor", "--aim", "path = 9", "--limit", "100", "--count", count, "--resume", &aim];
    succeeds(&near("1"));
    refuses(&near("2"), &[&aim, "count is 1 there and 2 here", "a larger --limit"]);
    assert!(!PathBuf::from(format!("{aim}.lock")).exists());
}

#[test]
fn a_kept_search_keeps_the_text_of_its_first_seed() {
    let state = file("text-seed.json").display().to_string();
    let ask = |seed: &str, more: &[&str]| {
        let options = ["floor", "--seed", seed, "--where", "path > 0", "--limit", "10000"];
        found(&[&options[..], more].concat())
    };
    for seed in ["first light", "007", "two\nlines \"quoted\""] {
        let _ = std::fs::remove_file(&state);
        ask(seed, &["--count", "3", "--resume", &state]);
        let kept: Value = serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap();
        assert_eq!(kept["request"]["seed"], seed, "{kept}");
        assert_eq!(ask(seed, &["--count", "6", "--resume", &state]), ask(seed, &["--count", "6"]));
        let kept: Value = serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap();
        assert_eq!(kept["request"]["seed"], seed, "{kept}");
    }
    refuses(
        &["find", "floor", "--seed", "7", "--where", "path > 0", "--limit", "10000", "--resume", &state],
        &["another search", "seed is \"two\\nlines"],
    );
}

/// A search that found something and goes on for long, with its state kept.
fn goes_on(state: &str) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(["find", "floor", "--where", CONDITION, "--count", "1000000", "--format", "seeds"])
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
fn what_is_found_is_told_at_once_and_nobody_else_works_there() {
    let state = file("told.json").display().to_string();
    // An empty file is no state yet.
    std::fs::write(&state, "").unwrap();
    let (mut child, mut lines) = goes_on(&state);
    let mut first = String::new();
    lines.read_line(&mut first).unwrap();
    assert!(child.try_wait().unwrap().is_none(), "it is told while the search goes on");
    refuses(
        &["find", "floor", "--where", CONDITION, "--count", "1000000", "--resume", &state],
        &[&state, "another command is at work"],
    );
    // Nobody reads any more: what was found is not lost.
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let kept: Value = serde_json::from_slice(&std::fs::read(&state).unwrap()).unwrap();
    assert_eq!(kept["found"][0][0].as_str(), Some(first.trim()), "{kept}");
    // One that is killed is in nobody's way.
    let (mut child, mut lines) = goes_on(&state);
    let mut again = String::new();
    lines.read_line(&mut again).unwrap();
    assert_eq!(again, first);
    child.kill().unwrap();
    let (mut next, mut lines) = goes_on(&state);
    let mut again = String::new();
    lines.read_line(&mut again).unwrap();
    assert_eq!(again, first);
    next.kill().unwrap();
    child.wait().unwrap();
    next.wait().unwrap();
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    refuses(
        &["find", "act", "--where", "nodes > 3 and ruotes > 3"],
        &["--where", "column 15", "ruotes", "routes"],
    );
    refuses(&["find", "act", "--where", "min(dragon) = 1"], &["dragon", "elite"]);
    refuses(&["find", "act", "--aim", "nodes"], &["--aim", "column"]);
    refuses(&["find", "act", "--where", "nodes > 3", "--shard", "4/3"], &["--shard", "PART/OF"]);
    refuses(&["find", "act"], &["nothing is asked for", "--where", "--aim", "--metrics"]);
    refuses(&["find", "act", "--where", "nodes > 3", "--limit", "0"], &["--limit"]);
    assert_eq!(found(&["act", "--where", "-1 < nodes", "--limit", "8"]).len(), 1);
    // What is read is not written over.
    let mine = file("mine.toml");
    std::fs::write(&mine, "").unwrap();
    let mine = mine.display().to_string();
    let ask = ["find", "floor", "--where", "path > 1", "--config", &mine];
    refuses(&[&ask[..], &["-o", &mine]].concat(), &[&mine, "would be replaced"]);
    refuses(&[&ask[..], &["--resume", &mine]].concat(), &[&mine, "would be replaced"]);
    let state = file("both.json").display().to_string();
    refuses(&[&ask[..], &["--resume", &state, "-o", &state]].concat(), &[&state, "would be replaced"]);
    assert!(std::fs::read(&mine).unwrap().is_empty() && !PathBuf::from(&state).exists());
    refuses(&["find", "act", "--where", "nodes > 3 && edges > 3"], &["column 11", "write and"]);
    let long = "nodes > 3 and ".repeat(3000);
    let told = text(&wayforge(&["find", "act", "--where", &long]).stderr);
    assert!(told.contains("column 10001") && told.len() < 500, "{told}");
    let config = file("wrong.toml").display().to_string();
    std::fs::write(&config, "# Mine.\nrows = 9\ncols = \"x\"\n").unwrap();
    let place = "wrong.toml: cols: \"x\" is not a whole number (use 1 to 64) at line 3 column 8";
    refuses(&["find", "act", "--where", "nodes > 3", "--config", &config], &[place]);
    refuses(&["find", "act", "--where", "nodes > 3", "--config", "/nosuch.toml"], &["/nosuch.toml"]);
    let state = file("noise.json");
    std::fs::write(&state, "noise").unwrap();
    refuses(
        &["find", "act", "--where", "nodes > 3", "--resume", &state.display().to_string()],
        &["no state of a search"],
    );
}

#[test]
fn metrics_are_listed_and_nothing_found_is_no_error() {
    let list = succeeds(&["find", "floor", "--metrics"]);
    assert!(list.contains("path ") && list.contains("count(") && list.contains("enemy"), "{list}");
    let output = wayforge(&["find", "floor", "--where", "path > 100", "--limit", "5000"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert!(text(&output.stderr).contains("0 of 1 found"));
    let output = wayforge(&["find", "floor", "--where", "path > 1", "--limit", "50", "--shard", "2/2"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    assert!(text(&output.stderr).contains("shard 2/2 has no seed: 50 seeds are dealt out in blocks of 4096"));
}

#[test]
fn marks_of_a_stage_are_found_and_measured_by_their_names() {
    let stage = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/stages/key-and-door.toml");
    let seeds = found(&["level", "--config", stage, "--where", "count(key) = 1 and count(door) > 0"]);
    assert_eq!(
        (&seeds[0]["metrics"]["count(key)"], &seeds[0]["metrics"]["count(door)"]),
        (&1.into(), &1.into())
    );
    assert!(succeeds(&["find", "level", "--config", stage, "--metrics"]).contains("moving, key, door\n"));
    refuses(&["find", "level", "--where", "count(key) = 1"], &["there is no symbol key"]);
    let page = file("marks.html").display().to_string();
    succeeds(&["measure", "level", "--config", stage, "--count", "20", "-o", &page]);
    let table = |name: &str| std::fs::read_to_string(page.replace(".html", name)).unwrap();
    let (budgets, places) = (table("/budgets.csv"), table("/places.csv"));
    let keys =
        budgets.lines().find(|line| line.contains("count(key)")).unwrap_or_else(|| panic!("{budgets}"));
    assert!(keys.contains(",1,"), "{keys}");
    let on = |plane: &str| places.lines().filter(|line| line.contains(&format!(",{plane},"))).count();
    assert_eq!((on("door"), on("mark")), (1, on("key") + 1));
    assert!(places.contains(",door,26,6,1,1,20\n") && on("key") > 5, "{places}");
}
