//! Runs the command in tests as a process with empty standard input.

use std::process::{Command, Output, Stdio};

pub(crate) fn wayforge(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wayforge")).args(args).stdin(Stdio::null()).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
pub(crate) fn succeeds(args: &[&str]) -> String {
    let output = wayforge(args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// Asserts exit code 2, no standard output, and one line on standard error that contains all
/// `parts`.
#[track_caller]
pub(crate) fn rejects(args: &[&str], parts: &[&str]) {
    let output = wayforge(args);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("wayforge: "), "{error}");
    for part in parts {
        assert!(error.contains(part), "{args:?}: {error:?} does not contain {part:?}");
    }
}
