//! End-to-end tests of `--steps`, animations and `wayforge gallery`.

use crate::common::{rejects, succeeds};
use std::path::PathBuf;

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("animation");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

#[test]
fn last_step_shows_the_finished_map() {
    for args in [
        &["act", "--seed", "7"][..],
        &["act", "--ruleset", "rows", "--seed", "7"],
        &["act", "--ruleset", "spire", "--seed", "7"],
        &["level", "--seed", "7", "--walls", "caves"],
        &["floor", "--seed", "7", "--width", "9", "--height", "7", "--doors", "1", "--water", "3"],
        &["tower", "--seed", "7", "--floors", "5"],
    ] {
        let map = succeeds(args);
        let steps = succeeds(&[args, &["--steps"]].concat());
        assert!(steps.ends_with(&map), "{args:?}\n{steps}");
        let heads: Vec<&str> = steps.lines().filter(|line| line.starts_with("step ")).collect();
        assert!(heads.len() > 8, "{args:?}");
        let count = heads.len();
        for (n, head) in heads.iter().enumerate() {
            assert!(head.starts_with(&format!("step {} of {count}: ", n + 1)), "{head}");
        }
    }
    assert!(succeeds(&["act", "--seed", "7", "--steps"]).contains("walk 2 steps to 1,"));
}

#[test]
fn animations_are_reproducible_animated_pngs() {
    for args in [
        ["act", "--seed", "7"],
        ["level", "--seed", "7"],
        ["floor", "--seed", "7"],
        ["tower", "--seed", "7"],
    ] {
        let path = file(&format!("{}.apng", args[0]));
        let write_animation = || {
            succeeds(&[&args[..], &["--scale", "15", "-o", path.to_str().unwrap()]].concat());
            std::fs::read(&path).unwrap()
        };
        let first = write_animation();
        assert!(first.starts_with(b"\x89PNG") && first.windows(4).any(|chunk| chunk == b"acTL"));
        assert!(first == write_animation());
    }
    rejects(&["tower", "--steps", "--only", "2"], &["--only"]);
    rejects(&["act", "--steps", "--format", "svg"], &["--steps"]);
    rejects(&["act", "--steps", "--count", "2"], &["--count 2"]);
    rejects(&["level", "--format", "apng", "--count", "2"], &["--count 2"]);
}

#[test]
fn gallery_lists_the_command_that_reproduces_each_map() {
    let path = file("page.html");
    succeeds(&["gallery", "--count", "18", "--seed", "40", "-o", path.to_str().unwrap()]);
    let page = std::fs::read_to_string(&path).unwrap();
    assert_eq!(page.matches("<figure ").count(), 18);
    for external in ["http://", "https://", "<script", "src=\"/", "url(http"] {
        let page = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains(external), "the page is self-contained: {external}");
    }
    let between = |text: &str, from: &str, to: &str| {
        let start = text.find(from)? + from.len();
        Some(text[start..start + text[start..].find(to)?].to_owned())
    };
    let mut reproduced = 0;
    for figure in page.split("<figure ").skip(1) {
        let command = between(figure, "<code>", "</code>").expect("a command");
        let args: Vec<&str> = command.split(' ').skip(1).collect();
        let Some(digest) = between(figure, "<dt>digest</dt><dd>", "…") else {
            assert_eq!(args[0], "archipelago");
            continue;
        };
        let document = succeeds(&[&args[..], &["--format", "json"]].concat());
        assert!(document.contains(&format!("sha256:{digest}")), "{command}");
        reproduced += 1;
    }
    assert_eq!(reproduced, 16);
    rejects(&["gallery", "--count", "0"], &["--count"]);
    rejects(&["gallery", "--config", "x.toml"], &["--family"]);
    rejects(
        &["gallery", "--family", "act", "--config", "no-such-file.toml"],
        &["no-such-file.toml"],
    );
}
