//! Parts of a measurement: stopped, and in shards.

use crate::common::{refuses, succeeds};
use crate::{between, folder, write};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Waits until something can be observed of a process that runs.
fn wait_until(child: &mut Child, is_observed: &dyn Fn() -> bool) {
    while !is_observed() {
        assert_eq!(child.try_wait().unwrap(), None, "it ended too early");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn ctrl_c_leaves_what_was_measured_and_shards_are_parts_of_the_whole() {
    let folder = folder("stopped");
    let page = folder.join("report.html").display().to_string();
    // Whether any table in the folder has rows yet.
    let has_rows = || {
        let files = std::fs::read_dir(folder.join("report")).into_iter().flatten().flatten();
        files.into_iter().any(|file| file.metadata().is_ok_and(|file| file.len() > 0))
    };
    let stop = |more: &[&str], is_under_way: &dyn Fn() -> bool| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
            .args(["measure", "tower", "--count", "1000000000", "-o", &page])
            .args(more)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until(&mut child, is_under_way);
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        (child.wait().unwrap().code(), told)
    };
    // A sweep that is not complete is not written.
    let (code, told) = stop(&["--sweep", "floors=2:6:1"], &|| folder.join("report").exists());
    assert!(code == Some(1) && told.contains("stopped; nothing is written"), "{code:?} {told}");
    assert!(!Path::new(&page).exists());
    // Nor is a comparison, and nothing is left of it.
    let other = write(&folder, "other.toml", "floors = 3\n");
    let (code, told) = stop(&["--against", &other], &has_rows);
    assert!(code == Some(1) && told.contains("nothing is compared or written"), "{code:?} {told}");
    assert!(!Path::new(&page).exists() && !folder.join("report").exists());
    let (code, told) = stop(&[], &has_rows);
    assert!(code == Some(1) && told.contains("with a map; stopped"), "{code:?} {told}");
    let seeds: u64 = told.split_once(" of ").unwrap().0.parse().unwrap();
    let maps = std::fs::read_to_string(folder.join("report/maps.csv")).unwrap();
    assert_eq!(maps.lines().count() as u64, seeds + 1);
    // The page and its table say that it is not the whole.
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(shown.contains("towers measured"));
    let told = between(&shown, "<p class=\"notice\">", "</p>");
    assert_eq!(
        told.replace(',', ""),
        format!("Stopped early: {seeds} of 1000000000 seeds were gone through.")
    );
    let table = std::fs::read_to_string(folder.join("report/seeds.csv")).unwrap();
    assert!(
        table.contains(&format!("\ndefaults,0,{},1/1,{seeds},1000000000,{seeds},", seeds - 1)),
        "{table}"
    );

    let rows = |shard: &str| {
        succeeds(&["measure", "floor", "--count", "9000", "--shard", shard, "-o", &page]);
        let rows = std::fs::read_to_string(folder.join("report/maps.csv")).unwrap();
        rows.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(rows("4/4").is_empty());
    let table = std::fs::read_to_string(folder.join("report/seeds.csv")).unwrap();
    assert!(table.ends_with("\ndefaults,,,4/4,0,0,0,0\n"), "{table}");
    let whole = rows("1/1");
    let mut parts = [rows("1/2"), rows("2/2")].concat();
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(
        shown.contains("<p>4,096 seeds of shard 2/2, 4096 to 8191</p>")
            && !shown.contains("class=\"notice\"")
    );
    let table = std::fs::read_to_string(folder.join("report/seeds.csv")).unwrap();
    assert_eq!(
        table.lines().next().unwrap(),
        "configuration,first_seed,last_seed,shard,seeds,seeds_asked,made,first_try"
    );
    assert!(table.contains("\ndefaults,4096,8191,2/2,4096,4096,4096,"), "{table}");
    // Seeds of cells are those of the shard.
    let pairs = std::fs::read_to_string(folder.join("report/pairs.csv")).unwrap();
    let samples = pairs.lines().skip(1).flat_map(|line| line.rsplit(',').next().unwrap().split(' '));
    assert!(samples.map(|seed| seed.parse::<u64>().unwrap()).all(|seed| (4096..8192).contains(&seed)));
    parts.sort_by_key(|row| row.split(',').next().unwrap().parse::<u64>().unwrap());
    assert_eq!(parts, whole);
}

#[test]
fn one_that_was_killed_is_in_nobodys_way_and_two_are_kept_apart() {
    let folder = folder("killed");
    let page = folder.join("report.html").display().to_string();
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
        .args(["measure", "level", "--count", "1000000000", "-o", &page])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let left = || std::fs::read_dir(folder.join("report")).map_or(0, Iterator::count);
    wait_until(&mut child, &|| left() >= 3);
    let again = ["measure", "level", "--count", "10", "-o", &page];
    refuses(&again, &["report", "another command is at work"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(left() >= 3, "what was under way is left");
    succeeds(&again);
    let names = std::fs::read_dir(folder.join("report")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| name.to_string_lossy().ends_with(".csv")));
    let beside = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(beside.filter(|name| name.to_string_lossy().starts_with('.')).count(), 0);
}
