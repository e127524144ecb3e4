//! Signals leave no temporary files behind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Creates an empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("interrupt").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the size of the temporary file in a folder, if there is one.
fn staged_bytes(folder: &Path) -> Option<u64> {
    let mut entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let staged = entries.find(|entry| entry.file_name().to_string_lossy().starts_with('.'))?;
    staged.metadata().ok().map(|metadata| metadata.len())
}

/// Returns the names of all files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Starts a command that writes to `output`, and waits until its temporary file has `min` bytes.
fn start(args: &[&str], output: &Path, min: u64) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(args)
        .arg("-o")
        .arg(output)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while staged_bytes(output.parent().unwrap()).is_none_or(|bytes| bytes < min) {
        assert_eq!(child.try_wait().unwrap(), None, "{args:?} ended too early");
        assert!(start.elapsed() < Duration::from_secs(60), "{args:?} writes nothing");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// Sends a signal. Returns the exit code.
fn stop(mut child: Child, signal: &str) -> Option<i32> {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    child.wait().unwrap().code()
}

#[test]
fn signals_remove_unfinished_output() {
    let many = ["--seed", "7", "--count", "1000000000", "--format", "json"];
    for (family, signal, code) in [
        ("act", "-INT", 130),
        ("level", "-TERM", 143),
        ("floor", "-HUP", 129),
        ("tower", "-INT", 130),
    ] {
        let folder = folder(family);
        let child = start(&[&[family][..], &many].concat(), &folder.join("maps.jsonl"), 1);
        assert_eq!(stop(child, signal), Some(code), "{family} {signal}");
        assert_eq!(names(&folder), [""; 0], "{family} {signal}");
    }
}

#[test]
fn signals_keep_the_output_that_would_have_been_replaced() {
    let folder = folder("replaced");
    let output = folder.join("maps.jsonl");
    fs::write(&output, "old").unwrap();
    let child = start(&["act", "--count", "1000000000", "--format", "json"], &output, 1);
    assert_eq!(stop(child, "-TERM"), Some(143));
    assert_eq!(names(&folder), ["maps.jsonl"]);
    assert_eq!(fs::read_to_string(&output).unwrap(), "old");
}

#[test]
fn signals_remove_unfinished_animations() {
    let folder = folder("animation");
    // The frames are drawn before the file is written.
    let animation = ["tower", "--seed", "7", "--floors", "200"];
    let child = start(&animation, &folder.join("tower.apng"), 0);
    assert_eq!(stop(child, "-TERM"), Some(143));
    assert_eq!(names(&folder), [""; 0]);
}

#[test]
fn stopped_searches_write_their_matches_or_nothing() {
    let search = ["find", "floor", "--format", "seeds", "--count", "1000000", "--where"];
    for signal in ["-INT", "-TERM"] {
        let folder = folder(&format!("found{signal}"));
        let output = folder.join("seeds.txt");
        let child = start(&[&search[..], &["path > 0"]].concat(), &output, 1);
        assert_eq!(stop(child, signal), Some(1), "{signal}");
        assert_eq!(names(&folder), ["seeds.txt"], "{signal}");
        let seeds = fs::read_to_string(&output).unwrap();
        assert!(seeds.lines().count() > 100 && seeds.ends_with('\n'), "{signal}: {seeds}");
    }
    for (signal, old) in [("-INT", None), ("-TERM", Some("old"))] {
        let folder = folder(&format!("none{signal}"));
        let output = folder.join("seeds.txt");
        if let Some(old) = old {
            fs::write(&output, old).unwrap();
        }
        let child = start(&[&search[..], &["path > 60000"]].concat(), &output, 0);
        // Wait until the search has replaced the initial effect of the signal.
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(stop(child, signal), Some(1), "{signal}");
        assert_eq!(fs::read_to_string(&output).ok().as_deref(), old, "{signal}");
        assert_eq!(names(&folder).len(), usize::from(old.is_some()), "{signal}");
    }
}

/// `nohup` lets a command continue after its terminal was closed.
#[cfg(target_os = "linux")]
#[test]
fn ignored_hangups_stay_ignored() {
    let folder = folder("nohup");
    let output = folder.join("maps.jsonl");
    let mut child = Command::new("nohup")
        .arg(env!("CARGO_BIN_EXE_wayforge"))
        .args(["act", "--count", "1000000000", "--format", "json", "-o"])
        .arg(&output)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while staged_bytes(&folder).is_none_or(|bytes| bytes < 1) {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-HUP", &id]).status().unwrap().success());
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().unwrap(), None);
    assert_eq!(stop(child, "-TERM"), Some(143));
    assert_eq!(names(&folder), [""; 0]);
}
