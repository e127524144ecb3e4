//! End-to-end tests of `wayforge batch`, including kills and resumption.

use crate::common::{rejects, succeeds, text, wayforge};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Configuration whose levels are slow to generate and fail for some seeds.
const SCARCE: &str = r#"{"attempts":1,"repair":false,"width":20,"height":14,"soft_locks":"forbidden",
    "pitfalls":"10%","moving_floors":"10%","walls":"empty"}"#;

/// Creates a folder that contains only the configuration `scarce.json`.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("batch-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("scarce.json"), SCARCE).unwrap();
    path
}

/// Returns the staging folder of an output path.
fn staging(target: &Path) -> PathBuf {
    PathBuf::from(format!("{}.partial", target.display()))
}

/// Builds the command `wayforge batch` with the output `target`.
fn batch(target: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayforge"));
    command.arg("batch").args(options).arg("-o").arg(target);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Waits for a process and returns its exit code and standard error.
fn wait(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), text(&output.stderr))
}

#[track_caller]
fn finishes(target: &Path, options: &[&str]) -> String {
    let (code, stderr) = wait(batch(target, options).spawn().unwrap());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(!staging(target).exists(), "the staging folder is removed");
    stderr
}

/// Returns the number of seeds in the checkpoint.
fn seeds(target: &Path) -> u64 {
    let state = fs::read(staging(target).join("state")).unwrap_or_default();
    let line = state.split(|&byte| byte == b'\n').next().unwrap_or_default();
    serde_json::from_slice::<Value>(line).map_or(0, |state| state["seeds"].as_u64().unwrap_or(0))
}

/// Waits until the checkpoint has more than `before` seeds or the child has ended.
fn wait_for_more(child: &mut Child, target: &Path, before: u64) {
    while seeds(target) <= before && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Returns every file of a folder with its bytes, or the bytes of a single file.
fn content(target: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if target.is_file() {
        return vec![(PathBuf::new(), fs::read(target).unwrap())];
    }
    let (mut files, mut folders) = (Vec::new(), vec![target.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(target).unwrap().to_owned();
                files.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

#[test]
fn repeatedly_killed_batch_ends_with_the_same_bytes() {
    let dir = folder("killed");
    let config = dir.join("scarce.json").display().to_string();
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
        let (whole, target) =
            (dir.join(format!("whole-{name}")), dir.join(name.trim_end_matches('/')));
        finishes(&whole, &[options, &["--threads", "3"]].concat());
        let format = if name.ends_with('/') { &["--format", "folder"][..] } else { &[] };
        let options = [options, &["--threads", "1", "--save-every", "0"], format].concat();
        let mut kills = 0;
        for _ in 0..4 {
            let before = seeds(&target);
            let mut child = batch(&target, &options).spawn().unwrap();
            wait_for_more(&mut child, &target, before);
            if child.try_wait().unwrap().is_some() {
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(!target.exists(), "{name}: the output appears only when complete");
            kills += 1;
            // Simulate a power failure: bytes after the checkpoint may be garbage.
            let torn = staging(&target).join("content");
            if torn.is_file() {
                let bytes = [fs::read(&torn).unwrap(), b"torn".to_vec()].concat();
                fs::write(&torn, bytes).unwrap();
            }
        }
        assert!(kills >= 2, "{name}: killed only {kills} times");
        if !target.exists() {
            finishes(&target, &options);
        }
        assert!(content(&target) == content(&whole), "{name}: other bytes after {kills} kills");
    }
}

#[test]
fn ctrl_c_stops_and_the_same_command_continues() {
    let dir = folder("stopped");
    let target = dir.join("acts.csv");
    let options = ["act", "--count", "60000", "--metrics", "routes", "--seed", "first light"];
    let mut child =
        batch(&target, &[&options[..], &["--save-every", "0", "--threads", "1"]].concat())
            .spawn()
            .unwrap();
    wait_for_more(&mut child, &target, 0);
    let signal = |name: &str| {
        assert!(
            Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success()
        );
    };
    // A second process is locked out while the first one is suspended.
    signal("-STOP");
    rejects(
        &[&["batch"][..], &options, &["-o", &target.display().to_string()]].concat(),
        &["acts.csv.partial", "in use by another wayforge process"],
    );
    signal("-INT");
    signal("-CONT");
    let (code, stderr) = wait(child);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("stopped; run the same command to continue"), "{stderr}");
    assert!(!target.exists() && seeds(&target) > 0);
    // A different request does not continue it.
    let output = target.display().to_string();
    let other = [
        "batch",
        "act",
        "--count",
        "60001",
        "--metrics",
        "routes",
        "--seed",
        "first light",
        "-o",
        &output,
    ];
    rejects(
        &other,
        &["acts.csv.partial", "a different batch", "count was 60000, now 60001", "--force"],
    );
    let whole = dir.join("whole.csv");
    finishes(&whole, &options);
    finishes(&target, &options);
    assert!(content(&target) == content(&whole));
    assert_eq!(fs::read_to_string(&target).unwrap().lines().count(), 60_001);
}

/// Waits until a process has opened a file.
#[cfg(target_os = "linux")]
fn wait_until_open(mut child: Child, file: &Path) -> Child {
    let is_open = |id: u32| {
        let open = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
        open.into_iter().any(|fd| fs::read_link(fd.path()).is_ok_and(|open| open == file))
    };
    while !is_open(child.id()) {
        assert_eq!(child.try_wait().unwrap(), None, "the process did not wait");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child
}

#[cfg(target_os = "linux")]
#[test]
fn process_that_waited_for_the_lock_finds_the_finished_output() {
    let dir = folder("waited");
    let target = dir.join("acts.csv");
    fs::create_dir(staging(&target)).unwrap();
    let lock = fs::File::create(staging(&target).join("lock")).unwrap();
    lock.lock().unwrap();
    let options = ["act", "--count", "10", "--metrics", "routes", "--threads", "1"];
    let waiting = [(); 2].map(|()| batch(&target, &options).spawn().unwrap());
    let path = staging(&target).join("lock").canonicalize().unwrap();
    let waiting = waiting.map(|child| wait_until_open(child, &path));
    // Both wait for the lock. One writes the file; the other must not start over.
    assert!(!target.exists());
    drop(lock);
    let mut ended = waiting.map(wait);
    ended.sort();
    assert_eq!((ended[0].0, ended[1].0), (Some(0), Some(2)), "{ended:?}");
    assert!(ended[1].1.contains("acts.csv: already exists"), "{ended:?}");
    assert_eq!(fs::read_to_string(&target).unwrap().lines().count(), 11);
    assert!(!staging(&target).exists());
}

#[test]
fn replaces_existing_output_only_with_force() {
    let dir = folder("replaced");
    let target = dir.join("floors.csv");
    let output = target.display().to_string();
    let args = |count: &'static str| {
        ["batch", "floor", "--count", count, "--metrics", "path", "-o", &output]
    };
    fs::write(&target, "existing").unwrap();
    rejects(&args("10"), &["floors.csv", "already exists", "--force"]);
    assert_eq!(fs::read(&target).unwrap(), b"existing");
    succeeds(&[&args("10")[..], &["--force"]].concat());
    assert_eq!(fs::read_to_string(&target).unwrap().lines().count(), 11);
    rejects(&args("10"), &["already exists"]);
    // A folder with other files is never replaced.
    let others = dir.join("others");
    fs::create_dir(&others).unwrap();
    fs::write(others.join("letter.txt"), "dear").unwrap();
    let folder = others.display().to_string();
    rejects(
        &["batch", "floor", "--count", "3", "-o", &folder, "--force"],
        &["others", "other files"],
    );
    assert_eq!(fs::read(others.join("letter.txt")).unwrap(), b"dear");
    // Folders written by a batch are replaced, and empty folders are used.
    let ours = dir.join("ours").display().to_string();
    fs::create_dir(&ours).unwrap();
    succeeds(&["batch", "floor", "--count", "3", "-o", &ours]);
    rejects(&["batch", "floor", "--count", "2", "-o", &ours], &["already exists"]);
    succeeds(&["batch", "floor", "--count", "2", "-o", &ours, "--force"]);
    let names: Vec<PathBuf> = content(Path::new(&ours)).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["0/000/0.json", "0/000/1.json", "batch.json"].map(PathBuf::from));
    // A folder with the name of the staging folder but other content is never touched.
    let taken = dir.join("taken.csv");
    fs::create_dir(staging(&taken)).unwrap();
    fs::write(staging(&taken).join("letter.txt"), "dear").unwrap();
    let output = taken.display().to_string();
    rejects(
        &["batch", "floor", "--count", "3", "-o", &output, "--force"],
        &["taken.csv.partial", "is not an unfinished batch"],
    );
    assert!(staging(&taken).join("letter.txt").exists());
}

#[test]
fn next_run_finishes_a_batch_killed_at_the_end() {
    let dir = folder("end");
    let target = dir.join("floors.csv");
    let options = ["floor", "--count", "200000", "--metrics", "path"];
    let mut child =
        batch(&target, &[&options[..], &["--save-every", "0"]].concat()).spawn().unwrap();
    wait_for_more(&mut child, &target, 0);
    child.kill().unwrap();
    child.wait().unwrap();
    let state = fs::read(staging(&target).join("state")).unwrap();
    let restore = |parts: &[(&str, &[u8])]| {
        fs::create_dir(staging(&target)).unwrap();
        for (name, bytes) in parts {
            fs::write(staging(&target).join(name), bytes).unwrap();
        }
    };
    finishes(&target, &options);
    let whole = fs::read(&target).unwrap();
    // Killed after the content was complete, before it was moved.
    fs::remove_file(&target).unwrap();
    restore(&[("state", &state), ("lock", b""), ("complete", b""), ("content", &whole)]);
    finishes(&target, &options);
    assert!(fs::read(&target).unwrap() == whole);
    // Killed after the content was moved, before the staging folder was removed.
    restore(&[("state", &state), ("lock", b""), ("complete", b"")]);
    finishes(&target, &options);
    assert!(fs::read(&target).unwrap() == whole);
    // Killed before the first checkpoint.
    fs::remove_file(&target).unwrap();
    restore(&[("lock", b""), ("state.new", b"{")]);
    finishes(&target, &options);
    assert!(fs::read(&target).unwrap() == whole);
    // The content is shorter than the checkpoint says.
    fs::remove_file(&target).unwrap();
    restore(&[("state", &state), ("lock", b""), ("content", b"seed")]);
    let (code, stderr) = wait(batch(&target, &options).spawn().unwrap());
    assert!(
        code == Some(2) && stderr.contains("damaged") && stderr.contains("remove it to start over"),
        "{stderr}"
    );
}

#[test]
fn documents_equal_those_of_single_seeds() {
    let dir = folder("documents");
    let (lines, files) = (dir.join("towers.jsonl"), dir.join("towers"));
    let options = ["tower", "--count", "70", "--seed", "999960"];
    finishes(&lines, &[&options[..], &["--documents"]].concat());
    finishes(&files, &[&options[..], &["--format", "folder"]].concat());
    let lines = fs::read_to_string(lines).unwrap();
    for (seed, line) in (999_960..).zip(lines.lines()) {
        let path =
            files.join(format!("{}/{:03}/{seed}.json", seed / 1_000_000, seed / 1000 % 1000));
        assert_eq!(fs::read_to_string(path).unwrap(), format!("{line}\n"));
    }
    assert_eq!(lines.lines().count(), 70);
    let one = files.join("1/000/1000003.json").display().to_string();
    succeeds(&["validate", "--reproduce", &one]);
    let single = succeeds(&["tower", "--seed", "1000003", "--format", "json"]);
    assert_eq!(fs::read_to_string(one).unwrap(), single);
    let manifest = fs::read(files.join("batch.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(
        (&manifest["generated"], &manifest["request"]["seed"]),
        (&70.into(), &"999960".into())
    );
}

#[test]
fn shards_together_contain_all_rows() {
    let dir = folder("shards");
    let rows = |shard: &str| {
        let target = dir.join(format!("{}.csv", shard.replace('/', "of")));
        finishes(&target, &["floor", "--count", "20000", "--metrics", "path", "--shard", shard]);
        let text = fs::read_to_string(target).unwrap();
        text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut parts: Vec<String> = ["1/3", "2/3", "3/3"].into_iter().flat_map(rows).collect();
    parts.sort_by_key(|line| line.split(',').next().unwrap().parse::<u64>().unwrap());
    assert_eq!(parts, rows("1/1"));
}

#[test]
fn rejects_invalid_requests_without_leaving_files() {
    let dir = folder("wrong");
    let path = |name: &str| dir.join(name).display().to_string();
    let check = |more: &[&str], parts: &[&str]| {
        rejects(&[&["batch", "floor", "--count", "10"], more].concat(), parts)
    };
    check(
        &["-o", &path("a.xlsx")],
        &["a.xlsx", "unknown suffix", ".parquet", ".jsonl", ".csv", "--format"],
    );
    check(&["-o", &path("nowhere/a.csv")], &["a.csv", "cannot write to", "nowhere"]);
    check(
        &["-o", &path("a.csv"), "--metrics", "path,gold"],
        &["--metrics", "column 6", "gold", "path"],
    );
    check(
        &["-o", &path("a.parquet"), "--format", "csv"],
        &["a.parquet", "does not match --format"],
    );
    check(
        &["-o", &path("a.csv"), "--metrics", "path,path"],
        &["--metrics", "path is listed twice"],
    );
    check(&["-o", &path("a.csv"), "--documents"], &["--documents", ".jsonl"]);
    check(&["-o", &path("a/"), "--metrics", "path"], &["--metrics", "folder"]);
    check(
        &["-o", &path("a.csv"), "--format", "folder", "--config", &path("no.toml")],
        &["no.toml"],
    );
    check(&["-o", "/"], &["/", "no file name"]);
    check(&["-o", "-", "--format", "csv"], &["--output -", "name a file"]);
    let scarce = path("scarce.json");
    rejects(
        &[
            "batch", "level", "--count", "10", "--config", &scarce, "--format", "csv", "--force",
            "-o", &scarce,
        ],
        &["scarce.json", "would be replaced"],
    );
    check(&["-o", "/dev/null", "--format", "csv"], &["/dev/null", "not a regular file"]);
    check(&["-o", &dir.display().to_string(), "--format", "csv"], &["is a folder"]);
    check(&["-o", &path("a.csv"), "--shard", "3/2"], &["--shard", "PART/OF"]);
    rejects(&["batch", "floor", "-o", &path("a.csv")], &["--count"]);
    rejects(&["batch", "floor", "--count", "0", "-o", &path("a.csv")], &["--count"]);
    rejects(&["batch", "floor", "--count", "10"], &["--output"]);
    rejects(
        &["batch", "floor", "--count", "18446744073709551615", "-o", &path("a.parquet")],
        &["--count", "too many for one Parquet file", "shards"],
    );
    // The rejected requests left no files.
    let left: Vec<_> =
        fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["scarce.json"]);
    assert!(text(&wayforge(&["batch", "--help"]).stdout).contains("--documents"));
    finishes(&dir.join("LOUD.CSV"), &["floor", "--count", "10"]);
}

/// A file size limit stands in for a full disk: writing fails in the middle.
#[cfg(unix)]
#[test]
fn write_error_saves_progress_and_the_same_command_continues() {
    let dir = folder("full");
    let target = dir.join("acts.jsonl");
    let command = format!(
        "trap '' XFSZ; ulimit -f 600; exec {} batch act --count 20000 --save-every 0 -o {}",
        env!("CARGO_BIN_EXE_wayforge"),
        target.display()
    );
    let output = Command::new("bash").args(["-c", &command]).stdin(Stdio::null()).output().unwrap();
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("acts.jsonl: cannot write: ")
            && stderr.contains("run the same command to continue"),
        "{stderr}"
    );
    assert!(!target.exists());
    finishes(&target, &["act", "--count", "20000"]);
    let whole = dir.join("whole.jsonl");
    finishes(&whole, &["act", "--count", "20000"]);
    assert!(content(&target) == content(&whole));
}

#[test]
fn names_missing_options() {
    let output = wayforge(&["batch", "floor"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "wayforge: missing --count <N>, --output <PATH>\n");
}
