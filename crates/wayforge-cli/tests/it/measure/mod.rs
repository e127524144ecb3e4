//! End-to-end tests of `wayforge measure`.

mod baseline;
mod stopped;
mod sweep;

use crate::common::{rejects, succeeds, text, wayforge};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Creates an empty folder for one test.
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

/// Reads every table of a folder by name.
fn tables(folder: &Path) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    files
        .map(|file| {
            (file.file_name().into_string().unwrap(), std::fs::read_to_string(file.path()).unwrap())
        })
        .collect()
}

/// Removes measured times from a page.
fn without_times(page: &str) -> String {
    let (before, rest) = page.split_once("<section id=\"time\">").unwrap();
    let mut out = before.to_owned() + rest.split_once("</section>").unwrap().1;
    for label in ["median time per seed", "99th percentile"] {
        let end = out.find(&format!("</dd><dt>{label}")).unwrap();
        let start = out[..end].rfind("<dd>").unwrap();
        out.replace_range(start..end, "");
    }
    out
}

/// Returns the text between the first `from` and the next `to`.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let rest = page.split_once(from).unwrap_or_else(|| panic!("no {from}")).1;
    rest.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

#[test]
fn page_and_tables_of_every_family_do_not_depend_on_threads() {
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
            let mut args =
                vec!["measure", family, "--count", "700", "--threads", threads, "-o", &shown];
            let file = write(&folder, "config.json", config);
            if !config.is_empty() {
                args.extend(["--config", &file]);
            }
            assert_eq!(succeeds(&args), "");
            let text = std::fs::read_to_string(&page).unwrap();
            assert!(text.starts_with("<!doctype html>") && text.ends_with("</html>\n"));
            let mut addresses = text.match_indices("http://").map(|(at, _)| &text[at..]);
            assert!(addresses.all(|text| text.starts_with("http://www.w3.org/2000/svg")));
            assert!(
                !text.contains("https://") && !text.contains("src=") && !text.contains("@import")
            );
            pages.push((without_times(&text), tables(&folder.join(format!("report-{threads}")))));
        }
        assert_eq!(pages[0].0, pages[1].0, "{family}");
        // Only times.csv depends on a clock.
        assert!(
            pages.iter_mut().all(|(_, tables)| tables.remove("times.csv").is_some()),
            "{family}"
        );
        assert_eq!(pages[0].1, pages[1].1, "{family}");
        let names: Vec<&str> = pages[0].1.keys().map(String::as_str).collect();
        let all = [
            "budgets",
            "duplicates",
            "failures",
            "histograms",
            "maps",
            "metrics",
            "pairs",
            "placements",
            "seeds",
        ];
        assert_eq!(names, all.map(|name| format!("{name}.csv")));
        // maps.csv has one row per seed, and metrics.csv summarises these rows.
        let maps = &pages[0].1["maps.csv"];
        assert_eq!(maps.lines().count(), 701);
        let head: Vec<&str> = maps.lines().next().unwrap().split(',').collect();
        let generated: Vec<Vec<&str>> = maps
            .lines()
            .skip(1)
            .map(|line| line.split(',').collect())
            .filter(|row: &Vec<&str>| row[1] == "true")
            .collect();
        for line in pages[0].1["metrics.csv"].lines().skip(1) {
            let row: Vec<&str> = line.split(',').collect();
            let column = head.iter().position(|name| *name == row[1]).unwrap();
            let values: Vec<i64> =
                generated.iter().map(|row| row[column].parse().unwrap()).collect();
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
fn pages_follow_the_colour_scheme_and_mark_overflow_bars() {
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
    // Overflow bars are marked and labelled, and every plot has a percentage axis.
    let metrics = between(&page, "<section id=\"metrics\">", "</section>");
    let open = between(metrics, "<h3>walls</h3>", "</figure>");
    assert!(open.contains("<rect class=\"end\"") && open.contains("<text class=\"end\""), "{open}");
    let marks = open.split("<text class=\"end\"").skip(1).map(|text| between(text, ">", "</text>"));
    assert!(marks.into_iter().all(|mark| mark.starts_with("≤ ") || mark.starts_with("≥ ")));
    for plot in metrics.split("<figure class=\"plot\">").skip(1) {
        assert!(plot.matches(" %</text>").count() >= 2, "{plot}");
    }
    assert!(metrics.contains("number of cells with the symbol wall"));
    // Counts of one use the singular.
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
fn pairs_are_selectable_and_the_page_can_be_piped() {
    let page = succeeds(&[
        "measure",
        "act",
        "--count",
        "300",
        "--pairs",
        "nodes:max(elite), routes:branching",
    ]);
    assert!(
        page.contains("<h3>nodes and max(elite)</h3>")
            && page.contains("<h3>routes and branching</h3>")
    );
    assert!(page.contains("data-s=\"") && page.contains("<symbol id=\"a0\""));
    // The seeds of a cell belong to it: the map of the first cell's first seed has its nodes.
    let cell = page.split("class=\"cell first\"").nth(1).unwrap();
    let seed = cell.split_once("data-s=\"").unwrap().1.split(':').next().unwrap();
    let label =
        cell.split_once("aria-label=\"nodes ").unwrap().1.split_once(", max(elite) ").unwrap();
    let condition = format!("nodes = {}", label.0.replace("up to ", ""));
    let found = succeeds(&[
        "find", "act", "--seed", seed, "--limit", "1", "--where", &condition, "--format", "seeds",
    ]);
    assert_eq!(found.trim(), seed, "{condition}");
}

#[test]
fn writes_a_page_for_seeds_without_maps_and_escapes_names() {
    let folder = folder("hostile");
    let name = "<b>&.json";
    let config =
        write(&folder, name, r#"{"width":64,"height":64,"minPathLength":2650,"attempts":1}"#);
    let page = folder.join("report.html").display().to_string();
    succeeds(&["measure", "floor", "--config", &config, "--count", "3", "-o", &page]);
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(shown.contains("&lt;b&gt;&amp;.json") && !shown.contains(name));
    assert!(shown.contains("<h1>0 floors measured</h1>") && shown.contains("minPathLength"));
    let failures = std::fs::read_to_string(folder.join("report/failures.csv")).unwrap();
    assert!(failures.ends_with(",minPathLength,3,0,3\n"), "{failures}");
    // A baseline without maps has no means.
    let output =
        wayforge(&["measure", "floor", "--baseline", &config, "--count", "3", "-o", &page]);
    assert_eq!(output.status.code(), Some(1));
    let stdout = text(&output.stdout);
    assert!(
        stdout.contains("moved: count(enemy)  distance 1.0000  mean 3.000 -> none\n"),
        "{stdout}"
    );
    assert!(
        stdout.contains("moved: generated  distance 1.0000  mean 1.000 -> 0.000\n"),
        "{stdout}"
    );
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
fn rejects_invalid_measurements() {
    let folder = folder("rejected");
    let broken = write(&folder, "broken.toml", "rows = 0\n");
    let page = folder.join("report.html").display().to_string();
    rejects(&["measure"], &["FAMILY"]);
    rejects(&["measure", "sea"], &["sea", "act, level, floor, tower"]);
    rejects(&["measure", "act", "--config", &broken], &["broken.toml", "rows = 0"]);
    rejects(&["measure", "floor", "--baseline", &broken, "-o", &page], &["broken.toml", "rows"]);
    rejects(&["measure", "act", "--count", "0"], &["--count", "0"]);
    rejects(
        &["measure", "act", "--pairs", "nodes"],
        &["--pairs \"nodes\": column 6", "a colon between them"],
    );
    rejects(
        &["measure", "act", "--pairs", "nodes:ruotes"],
        &["column 7", "unknown metric ruotes (did you mean routes?)"],
    );
    rejects(
        &["measure", "act", "--pairs", "nodes:count(ghost)"],
        &["column 13", "unknown kind ghost", "elite"],
    );
    rejects(
        &["measure", "act", "--pairs", &["nodes:routes"; 13].join(",")],
        &["--pairs", "13 pairs", "12"],
    );
    rejects(&["measure", "floor", "--threshold", "2"], &["--threshold", "0 to 1"]);
    // Options without effect are rejected.
    rejects(&["measure", "floor", "--threshold", "0.1"], &["--threshold", "--baseline"]);
    let sweep = "wallDensity=0:1:0.5";
    rejects(
        &["measure", "floor", "--sweep", sweep, "--threshold", "0.1"],
        &["--threshold", "--sweep"],
    );
    rejects(&["measure", "floor", "--sweep", sweep, "--no-maps"], &["--no-maps", "--sweep"]);
    for name in ["noext", "page.txt", "page.csv"] {
        let path = folder.join(name);
        let (shown, html) =
            (path.display().to_string(), path.with_extension("html").display().to_string());
        rejects(&["measure", "floor", "--count", "9", "-o", &shown], &[name, "HTML", &html]);
        assert!(
            !path.exists()
                && !path.with_extension("").exists()
                && !path.with_extension("csv").exists()
        );
    }
    succeeds(&[
        "measure",
        "floor",
        "--count",
        "9",
        "-o",
        &folder.join("Old.HTM").display().to_string(),
    ]);
    assert!(folder.join("Old/seeds.csv").is_file());
    rejects(
        &["measure", "floor", "--sweep", "wallDensity=0:1"],
        &["--sweep", "FIELD=FROM:TO:STEP"],
    );
    rejects(&["measure", "floor", "--sweep", "wallDensity=0:1:0"], &["--sweep", "step"]);
    rejects(&["measure", "floor", "--sweep", "wallDensity=0:1:0.001"], &["--sweep", "1001 values"]);
    rejects(
        &["measure", "floor", "--sweep", "wallDensty=0:1:0.5"],
        &["--sweep wallDensty = 0", "unknown field", "wallDensity"],
    );
    rejects(
        &["measure", "floor", "--sweep", "wallDensity=0.5:1.5:0.5"],
        &["--sweep wallDensity = 1.5", "use 0 to 1"],
    );
    rejects(&["measure", "floor", "--sweep", "a=0:1:1", "--baseline", &broken], &["--baseline"]);
    rejects(&["measure", "act", "-o", "/no/such/folder/report.html"], &["/no/such/folder"]);
    // A file has the name of the folder for CSV tables.
    write(&folder, "report", "");
    rejects(&["measure", "act", "--count", "9", "-o", &page], &["report", "CSV"]);
}
