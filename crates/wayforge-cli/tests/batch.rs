//! `wayforge batch` as a user meets it: the same bytes, however often it is killed on the way.

mod common;

use common::{refuses, succeeds, text, wayforge};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Levels that take their time, and of which some seeds have none.
const SCARCE: &str = r#"{"attempts":1,"repair":false,"width":20,"height":14,"soft_locks":"forbidden",
    "pitfalls":"10%","moving_floors":"10%","walls":"empty"}"#;

/// A folder with nothing in it.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("batch-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("scarce.json"), SCARCE).unwrap();
    path
}

fn beside(place: &Path) -> PathBuf {
    PathBuf::from(format!("{}.unfinished", place.display()))
}

/// `wayforge batch` into `place`.
fn batch(place: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayforge"));
    command.arg("batch").args(options).arg("-o").arg(place);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn told(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), text(&output.stderr))
}

#[track_caller]
fn finishes(place: &Path, options: &[&str]) -> String {
    let (code, told) = told(batch(place, options).spawn().unwrap());
    assert_eq!(code, Some(0), "{told}");
    assert!(!beside(place).exists(), "what was not finished is still there");
    told
}

/// How many seeds the state counts.
fn seeds(place: &Path) -> u64 {
    let state = fs::read(beside(place).join("state")).unwrap_or_default();
    let line = state.split(|&byte| byte == b'\n').next().unwrap_or_default();
    serde_json::from_slice::<Value>(line).map_or(0, |state| state["seeds"].as_u64().unwrap_or(0))
}

/// Waits until the state counts more than `seeds` seeds or the child is done.
fn wait_for_more(child: &mut Child, place: &Path, before: u64) {
    while seeds(place) <= before && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Every file under a folder with its bytes; a file is itself.
fn content(place: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if place.is_file() {
        return vec![(PathBuf::new(), fs::read(place).unwrap())];
    }
    let (mut files, mut folders) = (Vec::new(), vec![place.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push((path.strip_prefix(place).unwrap().to_owned(), fs::read(&path).unwrap())),
            }
        }
    }
    files.sort();
    files
}

#[test]
fn killed_again_and_again_it_ends_in_the_same_bytes() {
    let here = folder("killed");
    let config = here.join("scarce.json").display().to_string();
    let floors = ["floor", "--count", "400000", "--metrics", "path,count(enemy)"];
    let levels = ["level", "--config", &config, "--count", "20000"];
    let documents = ["level", "--config", &config, "--count", "8000", "--documents"];
    let cases: [(&str, &[&str]); 5] = [
        ("floors.parquet", &floors),
        ("levels.parquet", &levels),
        ("levels.csv", &levels),
        ("levels.jsonl", &documents),
        ("levels/", &documents),
    ];
    for (name, options) in cases {
        let (whole, place) = (here.join(format!("whole-{name}")), here.join(name.trim_end_matches('/')));
        finishes(&whole, &[options, &["--threads", "3"]].concat());
        let format = if name.ends_with('/') { &["--format", "folder"][..] } else { &[] };
        let options = [options, &["--threads", "1", "--save-every", "0"], format].concat();
        let mut kills = 0;
        for _ in 0..4 {
            let before = seeds(&place);
            let mut child = batch(&place, &options).spawn().unwrap();
            wait_for_more(&mut child, &place, before);
            if child.try_wait().unwrap().is_some() {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(!place.exists(), "{name}: something stands at its place too early");
            kills += 1;
            // What was under way when the power failed can be anything.
            let torn = beside(&place).join("content");
            if torn.is_file() {
                let bytes = [fs::read(&torn).unwrap(), b"torn".to_vec()].concat();
                fs::write(&torn, bytes).unwrap();
            }
        }
        assert!(kills >= 2, "{name}: killed {kills} times only");
        if !place.exists() {
            finishes(&place, &options);
        }
        assert!(content(&place) == content(&whole), "{name}: other bytes after {kills} kills");
    }
}

#[test]
fn ctrl_c_stops_it_and_the_same_command_goes_on() {
    let here = folder("stopped");
    let place = here.join("acts.csv");
    let options = ["act", "--count", "60000", "--metrics", "routes", "--seed", "first light"];
    let mut child =
        batch(&place, &[&options[..], &["--save-every", "0", "--threads", "1"]].concat()).spawn().unwrap();
    wait_for_more(&mut child, &place, 0);
    let signal = |name: &str| {
        assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
    };
    // Nobody else may work there, however long it takes.
    signal("-STOP");
    refuses(
        &[&["batch"][..], &options, &["-o", &place.display().to_string()]].concat(),
        &["acts.csv.unfinished", "another command is at work"],
    );
    signal("-INT");
    signal("-CONT");
    let (code, told) = told(child);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("stopped, the same command goes on"), "{told}");
    assert!(!place.exists() && seeds(&place) > 0);
    // Another request does not.
    let output = place.display().to_string();
    let other =
        ["batch", "act", "--count", "60001", "--metrics", "routes", "--seed", "first light", "-o", &output];
    refuses(
        &other,
        &["acts.csv.unfinished", "another batch", "count is 60000 there and 60001 here", "--force"],
    );
    let whole = here.join("whole.csv");
    finishes(&whole, &options);
    finishes(&place, &options);
    assert!(content(&place) == content(&whole));
    assert_eq!(fs::read_to_string(&place).unwrap().lines().count(), 60_001);
}

#[test]
fn who_waited_finds_what_the_other_made() {
    let here = folder("waited");
    let place = here.join("acts.csv");
    fs::create_dir(beside(&place)).unwrap();
    let lock = fs::File::create(beside(&place).join("lock")).unwrap();
    lock.lock().unwrap();
    let options = ["act", "--count", "10", "--metrics", "routes", "--threads", "1"];
    let waiting = [(); 2].map(|()| batch(&place, &options).spawn().unwrap());
    // Both wait for the lock. One of them makes the file; the other never begins again.
    std::thread::sleep(std::time::Duration::from_millis(300));
    drop(lock);
    let mut ended = waiting.map(told);
    ended.sort();
    assert_eq!((ended[0].0, ended[1].0), (Some(0), Some(2)), "{ended:?}");
    assert!(ended[1].1.contains("acts.csv: is there already"), "{ended:?}");
    assert_eq!(fs::read_to_string(&place).unwrap().lines().count(), 11);
    assert!(!beside(&place).exists());
}

#[test]
fn nothing_is_replaced_unless_it_is_meant() {
    let here = folder("replaced");
    let place = here.join("floors.csv");
    let output = place.display().to_string();
    let ask = |count: &'static str| ["batch", "floor", "--count", count, "--metrics", "path", "-o", &output];
    fs::write(&place, "mine").unwrap();
    refuses(&ask("10"), &["floors.csv", "is there already", "--force"]);
    assert_eq!(fs::read(&place).unwrap(), b"mine");
    succeeds(&[&ask("10")[..], &["--force"]].concat());
    assert_eq!(fs::read_to_string(&place).unwrap().lines().count(), 11);
    refuses(&ask("10"), &["is there already"]);
    // Folders of others are not replaced at all.
    let others = here.join("others");
    fs::create_dir(&others).unwrap();
    fs::write(others.join("letter.txt"), "dear").unwrap();
    let folder = others.display().to_string();
    refuses(&["batch", "floor", "--count", "3", "-o", &folder, "--force"], &["others", "other things in it"]);
    assert_eq!(fs::read(others.join("letter.txt")).unwrap(), b"dear");
    // Those that a batch made are, and empty ones are taken.
    let ours = here.join("ours").display().to_string();
    fs::create_dir(&ours).unwrap();
    succeeds(&["batch", "floor", "--count", "3", "-o", &ours]);
    refuses(&["batch", "floor", "--count", "2", "-o", &ours], &["is there already"]);
    succeeds(&["batch", "floor", "--count", "2", "-o", &ours, "--force"]);
    let names: Vec<PathBuf> = content(Path::new(&ours)).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["0/000/0.json", "0/000/1.json", "batch.json"].map(PathBuf::from));
    // A folder of that name which no batch made is left alone.
    let taken = here.join("taken.csv");
    fs::create_dir(beside(&taken)).unwrap();
    fs::write(beside(&taken).join("letter.txt"), "dear").unwrap();
    let output = taken.display().to_string();
    refuses(
        &["batch", "floor", "--count", "3", "-o", &output, "--force"],
        &["taken.csv.unfinished", "holds no batch"],
    );
    assert!(beside(&taken).join("letter.txt").exists());
}

#[test]
fn killed_at_the_very_end_it_is_finished_by_the_next() {
    let here = folder("end");
    let place = here.join("floors.csv");
    let options = ["floor", "--count", "200000", "--metrics", "path"];
    let mut child = batch(&place, &[&options[..], &["--save-every", "0"]].concat()).spawn().unwrap();
    wait_for_more(&mut child, &place, 0);
    child.kill().unwrap();
    child.wait().unwrap();
    let state = fs::read(beside(&place).join("state")).unwrap();
    let restore = |parts: &[(&str, &[u8])]| {
        fs::create_dir(beside(&place)).unwrap();
        parts.iter().for_each(|(name, bytes)| fs::write(beside(&place).join(name), bytes).unwrap());
    };
    finishes(&place, &options);
    let whole = fs::read(&place).unwrap();
    // All was written, nothing was moved.
    fs::remove_file(&place).unwrap();
    restore(&[("state", &state), ("lock", b""), ("complete", b""), ("content", &whole)]);
    finishes(&place, &options);
    assert!(fs::read(&place).unwrap() == whole);
    // It was moved, and the rest was not tidied up.
    restore(&[("state", &state), ("lock", b""), ("complete", b"")]);
    finishes(&place, &options);
    assert!(fs::read(&place).unwrap() == whole);
    // The state was never written.
    fs::remove_file(&place).unwrap();
    restore(&[("lock", b""), ("state.new", b"{")]);
    finishes(&place, &options);
    assert!(fs::read(&place).unwrap() == whole);
    // The content is shorter than it was.
    fs::remove_file(&place).unwrap();
    restore(&[("state", &state), ("lock", b""), ("content", b"seed")]);
    let (code, told) = told(batch(&place, &options).spawn().unwrap());
    assert!(
        code == Some(2) && told.contains("damaged") && told.contains("remove it to begin anew"),
        "{told}"
    );
}

#[test]
fn documents_are_those_of_their_seeds() {
    let here = folder("documents");
    let (lines, files) = (here.join("towers.jsonl"), here.join("towers"));
    let options = ["tower", "--count", "70", "--seed", "999960"];
    finishes(&lines, &[&options[..], &["--documents"]].concat());
    finishes(&files, &[&options[..], &["--format", "folder"]].concat());
    let lines = fs::read_to_string(lines).unwrap();
    for (seed, line) in (999_960..).zip(lines.lines()) {
        let path = files.join(format!("{}/{:03}/{seed}.json", seed / 1_000_000, seed / 1000 % 1000));
        assert_eq!(fs::read_to_string(path).unwrap(), format!("{line}\n"));
    }
    assert_eq!(lines.lines().count(), 70);
    let one = files.join("1/000/1000003.json").display().to_string();
    succeeds(&["validate", "--reproduce", &one]);
    let made = succeeds(&["tower", "--seed", "1000003", "--format", "json"]);
    assert_eq!(fs::read_to_string(one).unwrap(), made);
    let told: Value = serde_json::from_slice(&fs::read(files.join("batch.json")).unwrap()).unwrap();
    assert_eq!((&told["made"], &told["request"]["seed"]), (&70.into(), &"999960".into()));
}

#[test]
fn shards_together_are_the_whole() {
    let here = folder("shards");
    let rows = |shard: &str| {
        let place = here.join(format!("{}.csv", shard.replace('/', "of")));
        finishes(&place, &["floor", "--count", "20000", "--metrics", "path", "--shard", shard]);
        let text = fs::read_to_string(place).unwrap();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut parts: Vec<String> = ["1/3", "2/3", "3/3"].into_iter().flat_map(rows).collect();
    parts.sort_by_key(|line| line.split(',').next().unwrap().parse::<u64>().unwrap());
    assert_eq!(parts, rows("1/1"));
}

#[test]
fn what_is_wrong_is_told() {
    let here = folder("wrong");
    let at = |name: &str| here.join(name).display().to_string();
    let ask = |more: &[&str], parts: &[&str]| {
        refuses(&[&["batch", "floor", "--count", "10"], more].concat(), parts)
    };
    ask(&["-o", &at("a.xlsx")], &["a.xlsx", "unknown suffix", ".parquet", ".jsonl", ".csv", "--format"]);
    ask(&["-o", &at("nowhere/a.csv")], &["a.csv", "cannot write in", "nowhere"]);
    ask(&["-o", &at("a.csv"), "--metrics", "path,gold"], &["--metrics", "column 6", "gold", "path"]);
    ask(&["-o", &at("a.parquet"), "--format", "csv"], &["a.parquet", "another format than --format"]);
    ask(&["-o", &at("a.csv"), "--metrics", "path,path"], &["--metrics", "path is asked for twice"]);
    ask(&["-o", &at("a.csv"), "--documents"], &["--documents", ".jsonl"]);
    ask(&["-o", &at("a/"), "--metrics", "path"], &["--metrics", "folder"]);
    ask(&["-o", &at("a.csv"), "--format", "folder", "--config", &at("no.toml")], &["no.toml"]);
    ask(&["-o", "/"], &["/", "no name"]);
    ask(&["-o", "-", "--format", "csv"], &["--output -", "name a file"]);
    let scarce = at("scarce.json");
    refuses(
        &[
            "batch", "level", "--count", "10", "--config", &scarce, "--format", "csv", "--force", "-o",
            &scarce,
        ],
        &["scarce.json", "would be replaced"],
    );
    ask(&["-o", "/dev/null", "--format", "csv"], &["/dev/null", "no plain file"]);
    ask(&["-o", &here.display().to_string(), "--format", "csv"], &["is a folder"]);
    ask(&["-o", &at("a.csv"), "--shard", "3/2"], &["--shard", "PART/OF"]);
    refuses(&["batch", "floor", "-o", &at("a.csv")], &["--count"]);
    refuses(&["batch", "floor", "--count", "0", "-o", &at("a.csv")], &["--count"]);
    refuses(&["batch", "floor", "--count", "10"], &["--output"]);
    refuses(
        &["batch", "floor", "--count", "18446744073709551615", "-o", &at("a.parquet")],
        &["--count", "more than one Parquet file holds", "shards"],
    );
    // Nothing of all this left anything behind.
    let left: Vec<_> = fs::read_dir(&here).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["scarce.json"]);
    assert!(text(&wayforge(&["batch", "--help"]).stdout).contains("--documents"));
    finishes(&here.join("LOUD.CSV"), &["floor", "--count", "10"]);
}

/// A file that may not grow is what a full disk is: an error in the middle of writing.
#[cfg(unix)]
#[test]
fn where_nothing_more_can_be_written_the_rest_is_kept() {
    let here = folder("full");
    let place = here.join("acts.jsonl");
    let command = format!(
        "trap '' XFSZ; ulimit -f 600; exec {} batch act --count 20000 --save-every 0 -o {}",
        env!("CARGO_BIN_EXE_wayforge"),
        place.display()
    );
    let output = Command::new("bash").args(["-c", &command]).stdin(Stdio::null()).output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("acts.jsonl: cannot write: ") && told.contains("the same command goes on"),
        "{told}"
    );
    assert!(!place.exists());
    finishes(&place, &["act", "--count", "20000"]);
    let whole = here.join("whole.jsonl");
    finishes(&whole, &["act", "--count", "20000"]);
    assert!(content(&place) == content(&whole));
}
