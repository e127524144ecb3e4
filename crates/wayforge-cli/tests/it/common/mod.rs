//! Runs the command in tests as a process.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the command with empty standard input.
pub(crate) fn wayforge(args: &[&str]) -> Output {
    with_input(args, "")
}

/// Runs the command with `input` on standard input.
pub(crate) fn with_input(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wayforge"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Ignore a closed pipe: a process that rejects its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
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
