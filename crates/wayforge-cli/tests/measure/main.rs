//! `wayforge measure` as a user meets it.

mod against;
#[path = "../common/mod.rs"]
mod common;
mod stopped;
mod sweep;

use common::{refuses, succeeds, text, wayforge};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A fresh folder of a test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("measure-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn write(folder: &Path, name: &str, content: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path.display().to_string()
}

/// Every table beside a page, by its name.
fn tables(folder: &Path) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    files
        .map(|file| (file.file_name().into_string().unwrap(), std::fs::read_to_string(file.path()).unwrap()))
        .collect()
}

/// The page without what a clock said.
fn without_times(page: &str) -> String {
    let (before, rest) = page.split_once("<section id=\"time\">").unwrap();
    let mut out = before.to_owned() + rest.split_once("</section>").unwrap().1;
    for fact in ["half are made within", "99 % are made within"] {
        let told = out.find(&format!("</dd><dt>{fact}")).unwrap();
        let cut = out[..told].rfind("<dd>").unwrap();
        out.replace_range(cut..told, "");
    }
    out
}

/// What stands between two texts, the first time.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let rest = page.split_once(from).unwrap_or_else(|| panic!("no {from}")).1;
    rest.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

#[test]
fn every_family_has_its_page_and_the_same_tables_whatever_the_threads() {
    for (family, config) in [
        ("act", ""),
        (
            "level",
            r#"{"walls":"maze","interior_walls":"solid","pitfalls":"30%","repair":false,"attempts":3}"#,
        ),
        ("floor", r#"{"minPathLength":7,"width":6}"#),
        ("tower", r#"{"floors":3}"#),
    ] {
        let folder = folder(family);
        let mut pages = Vec::new();
        for threads in ["1", "3"] {
            let page = folder.join(format!("report-{threads}.html"));
            let shown = page.display().to_string();
            let mut args = vec!["measure", family, "--count", "700", "--threads", threads, "-o", &shown];
            let file = write(&folder, "config.json", config);
            if !config.is_empty() {
                args.extend(["--config", &file]);
            }
            assert_eq!(succeeds(&args), "");
            let text = std::fs::read_to_string(&page).unwrap();
            assert!(text.starts_with("<!doctype html>") && text.ends_with("</html>\n"));
            assert!(
                !text.contains("http://")
                    || text.matches("http://").all(|_| text.contains("http://www.w3.org/2000/svg"))
            );
            assert!(!text.contains("https://") && !text.contains("src=") && !text.contains("@import"));
            pages.push((without_times(&text), tables(&folder.join(format!("report-{threads}")))));
        }
        assert_eq!(pages[0].0, pages[1].0, "{family}");
        // What a clock said has a table of its own.
        assert!(pages.iter_mut().all(|(_, tables)| tables.remove("times.csv").is_some()), "{family}");
        assert_eq!(pages[0].1, pages[1].1, "{family}");
        let names: Vec<&str> = pages[0].1.keys().map(String::as_str).collect();
        let all =
            ["budgets", "failures", "histograms", "maps", "metrics", "pairs", "places", "repeats", "seeds"];
        assert_eq!(names, all.map(|name| format!("{name}.csv")));
        // A row for each map, and what the rows say is what the tables say.
        let maps = &pages[0].1["maps.csv"];
        assert_eq!(maps.lines().count(), 701);
        let head: Vec<&str> = maps.lines().next().unwrap().split(',').collect();
        let made: Vec<Vec<&str>> = maps
            .lines()
            .skip(1)
            .map(|line| line.split(',').collect())
            .filter(|row: &Vec<&str>| row[1] == "true")
            .collect();
        for line in pages[0].1["metrics.csv"].lines().skip(1) {
            let row: Vec<&str> = line.split(',').collect();
            let at = head.iter().position(|name| *name == row[1]).unwrap();
            let values: Vec<i64> = made.iter().map(|row| row[at].parse().unwrap()).collect();
            assert_eq!(row[3], values.len().to_string(), "{family} {}", row[1]);
            let mean = values.iter().sum::<i64>() as f64 / values.len() as f64;
            assert!((row[4].parse::<f64>().unwrap() - mean).abs() < 1e-5, "{family} {line}");
            assert_eq!(
                [row[6], row[12]],
                [values.iter().min(), values.iter().max()].map(|end| end.unwrap().to_string())
            );
        }
    }
}

#[test]
fn pages_follow_the_scheme_of_their_reader_and_mark_what_lies_beyond() {
    let page = succeeds(&["measure", "level", "--count", "300"]);
    assert!(
        page.contains("@media screen and (prefers-color-scheme: dark)")
            && page.contains("color-scheme: light;")
    );
    for theme in ["parchment", "night"] {
        let page = succeeds(&["measure", "floor", "--count", "9", "--theme", theme]);
        assert!(!page.contains("prefers-color-scheme"), "{theme}");
        assert_eq!(page.contains("color-scheme: dark;"), theme == "night");
    }
    // A bar that holds what lies beyond is told apart and says so; every plot has a scale of shares.
    let metrics = between(&page, "<section id=\"metrics\">", "</section>");
    let open = between(metrics, "<h3>walls</h3>", "</figure>");
    assert!(open.contains("<rect class=\"end\"") && open.contains("<text class=\"end\""), "{open}");
    let marks = open.split("<text class=\"end\"").skip(1).map(|text| between(text, ">", "</text>"));
    assert!(marks.into_iter().all(|mark| mark.starts_with("≤ ") || mark.starts_with("≥ ")));
    for plot in metrics.split("<figure class=\"plot\">").skip(1) {
        assert!(plot.matches(" %</text>").count() >= 2, "{plot}");
    }
    assert!(metrics.contains("how many cells hold the symbol wall"));
    // One is one.
    for args in [
        &["measure", "act", "--count", "1"][..],
        &["measure", "floor", "--count", "1", "--sweep", "width=6:6:1"],
    ] {
        let page = succeeds(args);
        for wrong in ["1 maps", "1 seeds", "1 values", "1 floors", "1 act maps"] {
            let found = page
                .match_indices(wrong)
                .find(|(at, _)| !page[..*at].ends_with(|c: char| c.is_ascii_digit()));
            assert!(found.is_none(), "{args:?}: {wrong}");
        }
    }
}

#[test]
fn pairs_are_chosen_and_the_page_can_be_piped() {
    let page =
        succeeds(&["measure", "act", "--count", "300", "--pairs", "nodes:max(elite), routes:branching"]);
    assert!(page.contains("<h3>nodes and max(elite)</h3>") && page.contains("<h3>routes and branching</h3>"));
    assert!(page.contains("data-s=\"") && page.contains("<symbol id=\"a0\""));
    // Seeds that are shown make the maps of their cells: the first cell's first seed has its number of nodes.
    let cell = page.split("class=\"cell first\"").nth(1).unwrap();
    let seed = cell.split_once("data-s=\"").unwrap().1.split(':').next().unwrap();
    let label = cell.split_once("aria-label=\"nodes ").unwrap().1.split_once(", max(elite) ").unwrap();
    let condition = format!("nodes = {}", label.0.replace("up to ", ""));
    let found = succeeds(&[
        "find", "act", "--seed", seed, "--limit", "1", "--where", &condition, "--format", "seeds",
    ]);
    assert_eq!(found.trim(), seed, "{condition}");
}

#[test]
fn seeds_without_maps_and_hostile_names_leave_a_page() {
    let folder = folder("hostile");
    let name = "<b>&.json";
    let config = write(&folder, name, r#"{"width":64,"height":64,"minPathLength":2650,"attempts":1}"#);
    let page = folder.join("report.html").display().to_string();
    succeeds(&["measure", "floor", "--config", &config, "--count", "3", "-o", &page]);
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(shown.contains("&lt;b&gt;&amp;.json") && !shown.contains(name));
    assert!(shown.contains("<h1>0 floors measured</h1>") && shown.contains("minPathLength"));
    let failures = std::fs::read_to_string(folder.join("report/failures.csv")).unwrap();
    assert!(failures.ends_with(",minPathLength,3,0,3\n"), "{failures}");
    // Nor does a second configuration without maps have averages.
    let output = wayforge(&["measure", "floor", "--against", &config, "--count", "3", "-o", &page]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stdout);
    assert!(told.contains("moved: count(enemy)  distance 1.0000  mean 3.000 -> none\n"), "{told}");
    assert!(told.contains("moved: made  distance 1.0000  mean 1.000 -> 0.000\n"), "{told}");
    let drift = std::fs::read_to_string(folder.join("report/drift.csv")).unwrap();
    assert!(drift.contains("\ncount(enemy),1.000000,3.000000,,,true\n"), "{drift}");
    succeeds(&[
        "measure",
        "floor",
        "--config",
        &config,
        "--sweep",
        "attempts=1:2:1",
        "--count",
        "3",
        "-o",
        &page,
    ]);
    let shown = std::fs::read_to_string(&page).unwrap();
    let plot = between(&shown, "<h3>without a map</h3>", "</figure>");
    assert!(plot.matches(": 100</title>").count() == 2 && !shown.contains("NaN"), "{plot}");
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let folder = folder("refused");
    let broken = write(&folder, "broken.toml", "rows = 0\n");
    let page = folder.join("report.html").display().to_string();
    refuses(&["measure"], &["FAMILY"]);
    refuses(&["measure", "sea"], &["sea", "act, level, floor, tower"]);
    refuses(&["measure", "act", "--config", &broken], &["broken.toml", "rows = 0"]);
    refuses(&["measure", "floor", "--against", &broken, "-o", &page], &["broken.toml", "rows"]);
    refuses(&["measure", "act", "--count", "0"], &["--count", "0"]);
    refuses(
        &["measure", "act", "--pairs", "nodes"],
        &["--pairs \"nodes\": column 6", "a colon between them"],
    );
    refuses(
        &["measure", "act", "--pairs", "nodes:ruotes"],
        &["column 7", "no metric ruotes (did you mean routes?)"],
    );
    refuses(&["measure", "act", "--pairs", "nodes:count(ghost)"], &["column 13", "no kind ghost", "elite"]);
    refuses(&["measure", "act", "--pairs", &["nodes:routes"; 13].join(",")], &["--pairs", "13 pairs", "12"]);
    refuses(&["measure", "floor", "--threshold", "2"], &["--threshold", "0 to 1"]);
    // What would have no effect is refused.
    refuses(&["measure", "floor", "--threshold", "0.1"], &["--threshold", "--against"]);
    let sweep = "wallDensity=0:1:0.5";
    refuses(&["measure", "floor", "--sweep", sweep, "--threshold", "0.1"], &["--threshold", "--sweep"]);
    refuses(&["measure", "floor", "--sweep", sweep, "--no-maps"], &["--no-maps", "--sweep"]);
    for name in ["noext", "page.txt", "page.csv"] {
        let path = folder.join(name);
        let (shown, html) = (path.display().to_string(), path.with_extension("html").display().to_string());
        refuses(&["measure", "floor", "--count", "9", "-o", &shown], &[name, "HTML", &html]);
        assert!(!path.exists() && !path.with_extension("").exists() && !path.with_extension("csv").exists());
    }
    succeeds(&["measure", "floor", "--count", "9", "-o", &folder.join("Old.HTM").display().to_string()]);
    assert!(folder.join("Old/seeds.csv").is_file());
    refuses(&["measure", "floor", "--sweep", "wallDensity=0:1"], &["--sweep", "FIELD=FROM:TO:STEP"]);
    refuses(&["measure", "floor", "--sweep", "wallDensity=0:1:0"], &["--sweep", "step"]);
    refuses(&["measure", "floor", "--sweep", "wallDensity=0:1:0.001"], &["--sweep", "1001 values"]);
    refuses(
        &["measure", "floor", "--sweep", "wallDensty=0:1:0.5"],
        &["--sweep wallDensty = 0", "unknown field", "wallDensity"],
    );
    refuses(
        &["measure", "floor", "--sweep", "wallDensity=0.5:1.5:0.5"],
        &["--sweep wallDensity = 1.5", "from 0 to 1"],
    );
    refuses(&["measure", "floor", "--sweep", "a=0:1:1", "--against", &broken], &["--against"]);
    refuses(&["measure", "act", "-o", "/no/such/folder/report.html"], &["/no/such/folder"]);
    // A file stands where the folder for CSV would.
    write(&folder, "report", "");
    refuses(&["measure", "act", "--count", "9", "-o", &page], &["report", "CSV"]);
}
