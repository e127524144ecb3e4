//! Tests of stopped, killed and sharded measurements.

use super::{between, folder, write};
use crate::common::{rejects, succeeds};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Waits until `is_observed` returns true while the process runs.
fn wait_until(child: &mut Child, is_observed: &dyn Fn() -> bool) {
    while !is_observed() {
        assert_eq!(child.try_wait().unwrap(), None, "the process ended too early");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

#[test]
fn ctrl_c_writes_partial_results_and_shards_cover_all_seeds() {
    let folder = folder("stopped");
    let page = folder.join("report.html").display().to_string();
    // Returns true if any table in the folder has rows.
    let has_rows = || {
        let files = std::fs::read_dir(folder.join("report")).into_iter().flatten().flatten();
        files.into_iter().any(|file| file.metadata().is_ok_and(|file| file.len() > 0))
    };
    let stop = |more: &[&str], is_running: &dyn Fn() -> bool| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
            .args(["measure", "tower", "--count", "1000000000", "-o", &page])
            .args(more)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_until(&mut child, is_running);
        assert!(
            Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (child.wait().unwrap().code(), stderr)
    };
    // An incomplete sweep is not written.
    let (code, stderr) = stop(&["--sweep", "floors=2:6:1"], &|| folder.join("report").exists());
    assert!(code == Some(1) && stderr.contains("stopped; nothing is written"), "{code:?} {stderr}");
    assert!(!Path::new(&page).exists());
    // An incomplete comparison is not written and leaves no files.
    let other = write(&folder, "other.toml", "floors = 3\n");
    let (code, stderr) = stop(&["--baseline", &other], &has_rows);
    assert!(
        code == Some(1) && stderr.contains("nothing is compared or written"),
        "{code:?} {stderr}"
    );
    assert!(!Path::new(&page).exists() && !folder.join("report").exists());
    let (code, stderr) = stop(&[], &has_rows);
    assert!(code == Some(1) && stderr.contains("with a map; stopped"), "{code:?} {stderr}");
    let seeds: u64 = stderr.split_once(" of ").unwrap().0.parse().unwrap();
    let maps = std::fs::read_to_string(folder.join("report/maps.csv")).unwrap();
    assert_eq!(maps.lines().count() as u64, seeds + 1);
    // The page and seeds.csv state that the measurement is incomplete.
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(shown.contains("towers measured"));
    let notice = between(&shown, "<p class=\"notice\">", "</p>");
    assert_eq!(
        notice.replace(',', ""),
        format!("Stopped early: {seeds} of 1000000000 seeds were processed.")
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
        "configuration,first_seed,last_seed,shard,seeds,seeds_requested,generated,first_attempt"
    );
    assert!(table.contains("\ndefaults,4096,8191,2/2,4096,4096,4096,"), "{table}");
    // Cells list only seeds of the shard.
    let pairs = std::fs::read_to_string(folder.join("report/pairs.csv")).unwrap();
    let samples =
        pairs.lines().skip(1).flat_map(|line| line.rsplit(',').next().unwrap().split(' '));
    assert!(
        samples.map(|seed| seed.parse::<u64>().unwrap()).all(|seed| (4096..8192).contains(&seed))
    );
    parts.sort_by_key(|row| row.split(',').next().unwrap().parse::<u64>().unwrap());
    assert_eq!(parts, whole);
}

#[test]
fn running_measurement_locks_its_folder_and_a_killed_one_is_cleaned_up() {
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
    rejects(&again, &["report", "in use by another wayforge process"]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(left() >= 3, "the killed process leaves temporary files");
    succeeds(&again);
    let names =
        std::fs::read_dir(folder.join("report")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| name.to_string_lossy().ends_with(".csv")));
    let beside = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(beside.filter(|name| name.to_string_lossy().starts_with('.')).count(), 0);
}
