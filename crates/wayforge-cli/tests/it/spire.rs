//! End-to-end tests of `wayforge act --ruleset spire`.

use crate::common;

/// Prefixes arguments with `act --ruleset`.
fn act<'a>(args: &[&'a str]) -> Vec<&'a str> {
    ["act", "--ruleset"].iter().chain(args).copied().collect()
}

#[track_caller]
fn succeeds(args: &[&str]) -> String {
    common::succeeds(&act(args))
}

#[track_caller]
fn rejects(args: &[&str], parts: &[&str]) {
    common::rejects(&act(args), parts);
}

/// Act 1 of the game's seed AGCK93XT at ascension 1, as one line.
const LINE: &str = "0M1,2M3,5M4,/1M0,3M234,4?5,/0$1,2M3,3?4,4$5,5?6,/1M1,3M3,4M35,5M6,6?6,/1M0,3?24,5M6,6?6,/0\
    R1,2E2,4M5,6E56,/1E1,2M2,5M45,6?56,/1M1,2E2,4M5,5?5,6M6,/1T1,2T2,5T56,6T6,/1M1,2R3,5M45,6E\
    6,/1M1,3M3,4R4,5$5,6R5,/1?2,3?2,4E4,5?56,/2R1,4M3,5E4,6?5,/1?01,3M4,4M4,5M6,/0R,1R,4R,6R,/";

#[test]
fn reproduces_the_games_map() {
    let act = ["spire", "--act", "1", "--ascension", "1", "--format", "line"];
    let with = |more: &[&str]| succeeds(&[&act, more].concat());
    assert_eq!(with(&["--seed", "673465884448"]), format!("{LINE}\n"));
    assert_eq!(with(&["--seed-text", "AGCK93XT"]), format!("{LINE}\n"));
    assert_eq!(with(&["--seed-text", " agck93xt"]), format!("{LINE}\n"));
    let many = with(&["--seed", "673465884446", "--count", "4"]);
    assert_eq!((many.lines().count(), many.lines().nth(2)), (4, Some(LINE)));
}

#[test]
fn seeds_may_be_signed_or_unsigned() {
    let line = |seed: &str| succeeds(&["spire", "--format", "line", seed]);
    assert_eq!(line("--seed=-200"), line("--seed=18446744073709551416"));
    assert_eq!(line("--seed=-9223372036854775808"), line("--seed=9223372036854775808"));
    assert_eq!(line("--seed=-1"), line("--seed-text=5G24A25UXKXFF"));
    assert_ne!(line("--seed=-x"), line("--seed=x"), "other text is hashed");
    let two = succeeds(&["spire", "--format", "line", "--seed=-1", "--count", "2"]);
    assert_eq!(two.lines().nth(1).map(str::to_owned), Some(line("--seed=0").trim_end().to_owned()));
}

#[test]
fn documents_contain_the_unsigned_seed_and_the_emerald_elite() {
    let args =
        ["spire", "--seed=-1", "--act", "2", "--ascension", "20", "--emerald", "--format", "json"];
    let document: serde_json::Value = serde_json::from_str(&succeeds(&args)).unwrap();
    assert_eq!(document["algorithm"], "act.spire/1");
    assert_eq!(document["seed"], "18446744073709551615");
    assert_eq!(document["config"]["ascension"], 20);
    assert!(document["map"]["emerald"]["row"].is_u64());
}

#[test]
fn draws_ascii_and_writes_lines_of_act_4_and_walks() {
    let drawn = succeeds(&["spire", "--seed", "5"]);
    assert!(drawn.contains("act.spire/1"), "{drawn}");
    assert_eq!(
        succeeds(&["spire", "--act", "4", "--format", "line", "--seed", "1"]),
        "3R3,/3$3,/3E,/\n"
    );
    let walks = succeeds(&["walks", "--seed", "5", "--format", "line"]);
    assert_eq!(walks.matches('/').count(), 15, "any map with few columns has a line");
}

#[test]
fn rejects_options_of_other_rulesets_and_invalid_values() {
    for (option, value) in [
        ("--walks", "6"),
        ("--rows", "15"),
        ("--pin", "3,3"),
        ("--kind", "shop:weight=9"),
        ("--boss", "false"),
    ] {
        rejects(&["spire", option, value], &[option, "spire"]);
    }
    for options in
        [&["--act", "1"][..], &["--ascension", "0"], &["--emerald"], &["--seed-text", "A"]]
    {
        rejects(&[&["walks"], options].concat(), &[options[0], "walks"]);
    }
    rejects(&["spire", "--act", "5"], &["act", "1 to 4"]);
    rejects(&["spire", "--ascension", "-1"], &["ascension", "0 to 20"]);
    rejects(&["spire", "--act", "4", "--emerald"], &["emerald", "act 4"]);
    rejects(&["spire", "--seed-text", "AB*C"], &["--seed-text", "'*'", "A to Z"]);
    rejects(&["spire", "--seed-text", ""], &["--seed-text", "empty"]);
    rejects(&["spire", "--seed-text", "A", "--seed", "1"], &["--seed-text", "--seed"]);
    rejects(
        &["walks", "--cols", "12", "--format", "line", "--seed", "1"],
        &["--format line", "cols"],
    );
}
