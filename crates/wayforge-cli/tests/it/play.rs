//! End-to-end tests of `wayforge play` with scripts and save files.

use crate::common::{succeeds, text, with_input};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Run {
    code: Option<i32>,
    lines: Vec<String>,
    error: String,
}

fn wayforge(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayforge"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Plays with `script` on standard input.
fn play(args: &[&str], script: impl AsRef<[u8]>) -> Run {
    let Output { status, stdout, stderr } = with_input(&[&["play"], args].concat(), script);
    let lines = text(&stdout).lines().map(str::to_owned).collect();
    Run { code: status.code(), lines, error: text(&stderr) }
}

/// Asserts exit code 0 and no standard error. Returns the printed lines.
#[track_caller]
fn plays(args: &[&str], script: impl AsRef<[u8]>) -> Vec<String> {
    let run = play(args, script);
    assert_eq!((run.code, run.error.as_str()), (Some(0), ""), "{:#?}", run.lines);
    run.lines
}

/// Asserts exit code 2 and one line on standard error that contains all `parts`.
#[track_caller]
fn rejects(args: &[&str], script: &str, parts: &[&str]) {
    let Run { code, error, .. } = play(args, script);
    assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
    for part in parts {
        assert!(error.contains(part), "{error:?} does not contain {part:?}");
    }
}

/// Creates a folder for one test with the map of seed 42.
fn folder(name: &str, options: &[&str]) -> (PathBuf, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("play-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    let map = path.join("map.json").display().to_string();
    let args = [&["act", "--seed", "42", "-o", &map], options].concat();
    succeeds(&args);
    (path, map)
}

fn saved(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn plays_a_map_to_the_boss() {
    let (folder, map) = folder("whole", &[]);
    let lines = plays(&[&map], "1\n".repeat(16) + "moves\nquit\n");
    assert_eq!(lines.len(), 1 + 16 + 1 + 1, "one line for each command: {lines:#?}");
    assert!(
        lines[0].starts_with("act.walks/1, seed 42: below row 0; moves: 1 Node 0,0 (monster), 2 ")
    );
    assert!(lines[15].ends_with("; moves: 1 Boss"), "{}", lines[15]);
    assert_eq!(lines[16..18], ["at Boss; the run is finished", "the run is finished"]);
    assert_eq!(
        lines[18],
        format!("saved to {}; at Boss", folder.join("map.progress.json").display())
    );
    let save = saved(&folder.join("map.progress.json"));
    assert_eq!((save["path"].as_array().unwrap().len(), &save["boss"]), (15, &true.into()));
}

#[test]
fn maps_without_a_boss_end_on_the_top_row() {
    let (_, map) = folder("bare", &["--kinds", "none", "--boss", "false", "--rows", "5"]);
    let lines = plays(&[&map], "1\n".repeat(6));
    assert!(
        lines[5].starts_with("at Node ") && lines[5].ends_with("; the run is finished"),
        "{}",
        lines[5]
    );
    assert_eq!(lines[6], "1: no such move; the run is finished");
}

#[test]
fn undo_and_illegal_moves_keep_the_run_consistent() {
    let (_, map) = folder("undo", &[]);
    let lines = plays(&[&map], "undo\n2\nc6\nboss\n9\n0\nc0\nu\nUNDO\nmoves\n");
    assert!(lines[1].starts_with("nothing to undo; below row 0; moves: 1 "), "{}", lines[1]);
    assert_eq!(lines[2], "at Node 1,0 (monster); moves: 1 Node 0,1 (event)");
    assert_eq!(lines[3], "Node 6,1 is not a legal move from Node 1,0; legal: Node 0,1");
    assert_eq!(lines[4], "Boss is not a legal move from Node 1,0; legal: Node 0,1");
    assert_eq!(lines[5], "9: no such move; moves: 1 Node 0,1 (event)");
    assert_eq!(lines[6], "0: no such move; moves: 1 Node 0,1 (event)");
    assert!(lines[7].starts_with("at Node 0,1 (event); moves: "), "{}", lines[7]);
    assert_eq!(lines[8], lines[2], "undone");
    assert!(lines[0].ends_with(&lines[9]) && lines[9].ends_with(&lines[10]));
    assert_eq!(lines[11], "nothing new to save; below row 0");
}

#[test]
fn resumes_a_saved_run() {
    let (folder, map) = folder("resume", &[]);
    let save = folder.join("elsewhere.json").display().to_string();
    let first = plays(&[&map, "--save", &save, "--fog", "1"], "1\n1\nq\n3\n");
    assert_eq!(first.len(), 4, "nothing is read after quit: {first:#?}");
    assert_eq!(saved(Path::new(&save))["fog"], 1);
    let bytes = std::fs::read(&save).unwrap();
    assert!(bytes.ends_with(b"}\n") && !bytes.contains(&b' '), "one line, canonical");
    let second = plays(&[&map, "--save", &save], "");
    assert!(second[0].ends_with(&first[2]), "{second:#?}");
    assert!(second[1].starts_with("nothing new to save; at Node "), "{second:#?}");
    assert_eq!(std::fs::read(&save).unwrap(), bytes);
    plays(&[&map, "--save", &save, "--fog", "none"], "1");
    let now = saved(Path::new(&save));
    assert_eq!((now["path"].as_array().unwrap().len(), &now["fog"]), (3, &serde_json::Value::Null));
    assert!(!folder.join("map.progress.json").exists(), "only the named file is written");
}

#[test]
fn does_not_save_an_unchanged_run_unless_requested() {
    let (folder, map) = folder("nothing", &[]);
    let save = folder.join("map.progress.json");
    plays(&[&map], "moves\nshow\n1\nundo\nquit\n");
    assert!(!save.exists());
    let lines = plays(&[&map], "save\n");
    assert_eq!(lines[1], format!("saved to {}; below row 0", save.display()));
    assert_eq!(saved(&save)["path"], serde_json::json!([]));
    let left: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn rejects_a_save_of_another_map_without_changing_it() {
    let (folder, map) = folder("other", &[]);
    let other = folder.join("other.json").display().to_string();
    succeeds(&["act", "--seed", "43", "-o", &other]);
    plays(&[&map], "1\n1\n");
    let save = folder.join("map.progress.json").display().to_string();
    let bytes = std::fs::read(&save).unwrap();
    rejects(
        &[&other, "--save", &save],
        "1\n1\nsave\n",
        &[&save, "the save belongs to map sha256:"],
    );
    assert_eq!(std::fs::read(&save).unwrap(), bytes, "never overwritten");

    // Files that are not saves are rejected and unchanged as well.
    let map_bytes = std::fs::read(&map).unwrap();
    rejects(&[&map, "--save", &map], "1\n", &["not a save", "format: \"wayforge/1\" is unknown"]);
    assert_eq!(std::fs::read(&map).unwrap(), map_bytes);
    let edited = String::from_utf8(bytes).unwrap().replace("\"path\":[", "\"path\":[6,");
    std::fs::write(&save, &edited).unwrap();
    rejects(
        &[&map],
        "1\n",
        &["path[0]: Node 6,0 is not a legal move from below row 0; legal: Node 0,0"],
    );
    assert_eq!(std::fs::read_to_string(&save).unwrap(), edited);
}

#[test]
fn does_not_overwrite_a_save_replaced_during_the_run() {
    let (folder, map) = folder("race", &[]);
    let save = folder.join("map.progress.json");
    let mut child = wayforge(&["play", &map]).spawn().unwrap();
    let (mut input, mut output) =
        (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    input.write_all(b"1\n").unwrap();
    line.clear();
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("at Node 0,0 "), "printed at once: {line}");
    std::fs::write(&save, "my novel").unwrap();
    input.write_all(b"save\n").unwrap();
    line.clear();
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("not saved: ") && line.contains("not a save"), "{line}");
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert_eq!(std::fs::read_to_string(&save).unwrap(), "my novel");
}

#[test]
fn invalid_commands_print_one_line_each() {
    let (_, map) = folder("garbage", &[]);
    let long = "z".repeat(1_000_000);
    let script = [
        b"dance\n\n# a remark\n\x1b[A\n\xff\xfe\n-1\nc\n1 2\n".as_slice(),
        long.as_bytes(),
        b"\n1\n",
    ]
    .concat();
    let lines = plays(&[&map], script);
    assert_eq!(lines.len(), 1 + 7 + 1 + 1, "{lines:#?}");
    for line in &lines[1..8] {
        assert!(
            line.contains("unknown command; commands: ") && line.is_ascii() && line.len() < 400,
            "{line}"
        );
    }
    assert!(lines[8].starts_with("at Node 0,0 "), "the run continues");
}

#[test]
fn end_of_input_saves_like_quit() {
    let (folder, map) = folder("end", &[]);
    for (script, length) in [("1\n", 1), ("1", 2), ("1\r\n", 3)] {
        plays(&[&map], script);
        assert_eq!(
            saved(&folder.join("map.progress.json"))["path"].as_array().unwrap().len(),
            length
        );
    }
}

#[test]
fn closed_output_ends_and_saves_the_run() {
    let (folder, map) = folder("closed", &[]);
    let mut child = wayforge(&["play", &map]).spawn().unwrap();
    let (mut input, mut output) =
        (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    input.write_all(b"1\n").unwrap();
    output.read_line(&mut line).unwrap();
    drop(output);
    // A process started by another test at this moment may briefly inherit the pipe.
    while input.write_all(b"moves\n").is_ok() {}
    drop(input);
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("standard output was closed"), "{error}");
    assert_eq!(
        saved(&folder.join("map.progress.json"))["path"].as_array().unwrap().len(),
        1,
        "the completed moves are saved"
    );
}

#[test]
fn shows_the_map_with_node_states_and_fog() {
    let (_, map) = folder("show", &[]);
    let text = plays(&[&map, "--fog", "2"], "1\n1\nshow\n").join("\n");
    assert!(text.contains("(M)") && text.contains("[?]") && text.contains("<?>"), "{text}");
    assert!(!text.contains("treasure") && !text.contains('\u{1b}'), "{text}");
    let coloured = plays(&[&map, "--color", "always"], "show\n").join("\n");
    assert!(coloured.contains("\u{1b}["));
    let hidden = plays(&[&map, "--fog", "0"], "moves\n");
    assert!(hidden[1].ends_with("(hidden)"), "{hidden:#?}");
}

#[test]
fn rejects_invalid_arguments_with_one_line() {
    let (folder, map) = folder("bad", &[]);
    rejects(&["-"], "1\n", &["the map must be a file"]);
    rejects(&[&map, "--save", "-"], "1\n", &["--save must be a file"]);
    rejects(&[&map, "--fog", "-1"], "1\n", &["--fog"]);
    rejects(&[&map, "--fog", "far"], "1\n", &["use 0 to 65535, or none"]);
    rejects(&[&map, "--save", &folder.display().to_string()], "1\n", &["is a folder"]);
    rejects(&[&folder.join("none.json").display().to_string()], "", &["none.json"]);
    let nowhere = folder.join("no/such/folder.json").display().to_string();
    rejects(&[&map, "--save", &nowhere], "1\n", &["folder.json: cannot write to"]);
    let damaged =
        std::fs::read_to_string(&map).unwrap().replacen("\"seed\":\"42\"", "\"seed\":\"41\"", 1);
    std::fs::write(&map, damaged).unwrap();
    rejects(&[&map], "1\n", &["map.json: digest: "]);
}

#[test]
fn draws_a_saved_run_and_rejects_an_unwritable_save_before_playing() {
    let (folder, map) = folder("draw", &[]);
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    plays(&[&map, "--fog", "2"], "1\n1\n");
    for name in ["run.svg", "run.png", "run.txt"] {
        plays(&[&map, "--draw", &path(name)], "1\n");
    }
    let text = std::fs::read_to_string(path("run.txt")).unwrap();
    assert!(
        text.contains('[') && text.contains('(') && text.contains('.'),
        "current, visited, hidden: {text}"
    );
    let rejected = play(&[&map, "--save", &path("nowhere/run.json")], "1\n");
    assert_eq!((rejected.code, rejected.lines.len()), (Some(2), 0));
}
