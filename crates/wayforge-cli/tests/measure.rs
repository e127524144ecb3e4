//! `wayforge measure` as a user meets it.

mod common;

use common::{refuses, succeeds, text, wayforge};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
fn a_configuration_has_not_moved_from_itself_and_has_from_another() {
    let folder = folder("against");
    let same = write(&folder, "same.toml", "minPathLength = 3\n");
    let other = write(&folder, "other.toml", "minPathLength = 8\n");
    let page = folder.join("report.html").display().to_string();
    let measure = ["measure", "floor", "--config", &same, "--count", "2000", "-o", &page, "--against"];
    let told = succeeds(&[&measure[..], &[&same]].concat());
    assert_eq!(told, "no metric moved by more than 0.05\n");
    assert!(std::fs::read_to_string(&page).unwrap().contains("No metric moved"));

    let output = wayforge(&[&measure[..], &[&other]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("moved: path  distance "), "{}", text(&output.stdout));
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(shown.contains("metrics moved by more than 0.05") && shown.contains("class=\"other\""));
    compares_at_a_glance(&shown);
    let drift = std::fs::read_to_string(folder.join("report/drift.csv")).unwrap();
    let path = drift.lines().find(|line| line.starts_with("path,")).unwrap();
    assert!(path.ends_with(",true"), "{path}");
    assert!(drift.lines().any(|line| line.starts_with("count(enemy),0.000000,") && line.ends_with(",false")));
    assert!(folder.join("report/maps-against.csv").is_file());

    // Nothing is farther than 1, and everything that moved at all is farther than 0.
    let output = wayforge(&[&measure[..], &[&other, "--threshold", "1"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let one = write(&folder, "one.toml", "enemyBudget = 4\n");
    let output = wayforge(&[&measure[..], &[&one, "--threshold", "0"]].concat());
    assert!(text(&output.stdout).contains("moved: count(enemy)  distance 1.0000  mean 3.000 -> 4.000"));
    // Axes reach over both: three enemies and four are told apart, though neither has the other's.
    wayforge(&[&measure[..], &[&one, "--pairs", "path:count(enemy)"]].concat());
    let shown = std::fs::read_to_string(&page).unwrap();
    let cells = |class: &str| {
        let start = format!("<rect class=\"cell {class}\"");
        let labels = shown.split(&start).skip(1).map(|cell| between(cell, "aria-label=\"", "\"").to_owned());
        labels.filter(|label| label.contains(" maps, ")).collect::<Vec<_>>()
    };
    for (class, enemies) in [("first", "count(enemy) 3: "), ("second", "count(enemy) 4: ")] {
        assert!(
            cells(class).len() > 3 && cells(class).iter().all(|label| label.contains(enemies)),
            "{:?}",
            cells(class)
        );
    }
    // What an earlier measurement left does not stay.
    assert_eq!(succeeds(&["measure", "floor", "--count", "50", "--no-maps", "-o", &page]), "");
    let names: Vec<String> = tables(&folder.join("report")).into_keys().collect();
    assert!(!names.iter().any(|name| name.contains("drift") || name.contains("maps")), "{names:?}");
}

/// Everything of a comparison names both configurations and has them in one place.
fn compares_at_a_glance(page: &str) {
    let names = "<i class=\"key first\"></i>\u{a0}same.toml</th><th scope=\"col\"><i class=\"key second\"></i>\u{a0}other.toml</th>";
    let facts = between(page, "<table class=\"facts\">", "</table>");
    assert!(facts.contains(names), "{facts}");
    for fact in
        ["have a map", "at the first try", "attempts, on average", "repeat another", "half are made within"]
    {
        let row = between(facts, &format!("<th scope=\"row\">{fact}</th>"), "</tr>");
        assert_eq!(row.matches("<td>").count(), 2, "{fact}: {row}");
    }
    for section in ["range", "metrics", "places"] {
        let section = between(page, &format!("<section id=\"{section}\">"), "</section>");
        let legend = between(section, "<p class=\"legend which\">", "</p>");
        assert!(legend.contains("same.toml") && legend.contains("other.toml"), "{legend}");
    }
    // A pair of metrics has three charts on the same axes: one, the other, and the difference.
    let range = between(page, "<div class=\"range two\">", "</figure>");
    let charts: Vec<&str> = range.split("<svg ").skip(1).collect();
    assert_eq!(charts.len(), 3);
    let axes = |chart: &str| {
        let words = chart.split("<text").skip(1).map(|text| between(text, ">", "</text>").to_owned());
        words.collect::<Vec<_>>()
    };
    assert!(
        axes(charts[0]).len() > 4 && axes(charts[0]) == axes(charts[1]) && axes(charts[0]) == axes(charts[2])
    );
    let places = between(page, "<div class=\"places two\">", "</section>");
    assert_eq!(between(places, "<figcaption>wall", "</figure>").matches("<svg ").count(), 3);
    // The share of a cell less the share of the same cell of the other is what the difference says.
    let share = |chart: &str, at: &str| -> f64 {
        let cell = chart.split("<rect class=\"cell").find(|cell| cell.contains(&format!("data-at=\"{at}\"")));
        let label = cell.map(|cell| between(cell, "aria-label=\"", "\""));
        label.map_or(0.0, |label| label.rsplit(", ").next().unwrap().trim_end_matches(" %").parse().unwrap())
    };
    let mut moved = 0;
    for cell in charts[2].split("<rect class=\"cell ").skip(1) {
        let label = between(cell, "aria-label=\"", "\"");
        let Some((points, _)) = label.rsplit(": ").next().unwrap().split_once(" points more of ") else {
            continue;
        };
        let at = between(cell, "data-at=\"", "\"");
        let told = points.parse::<f64>().unwrap() * if cell.starts_with("second") { 1.0 } else { -1.0 };
        assert!((share(charts[1], at) - share(charts[0], at) - told).abs() < 0.11, "{label}");
        moved += 1;
    }
    assert!(moved > 5);
}

#[test]
fn names_stand_for_the_same_in_both_configurations() {
    let folder = folder("kinds");
    let config = |name: &str, kinds: [&str; 3]| {
        let kinds = kinds.map(|kind| format!(r#"{{"name":"{kind}"}}"#)).join(",");
        write(&folder, name, &format!(r#"{{"kinds":{{"boss":"x","kinds":[{kinds}]}}}}"#))
    };
    let (one, two) = (config("one.json", ["x", "elk", "fox"]), config("two.json", ["fox", "x", "elk"]));
    let page = folder.join("report.html").display().to_string();
    let args = [
        "measure",
        "act",
        "--config",
        &one,
        "--against",
        &two,
        "--count",
        "200",
        "--pairs",
        "nodes:count(elk)",
    ];
    wayforge(&[&args[..], &["--threshold", "1", "-o", &page]].concat());
    let shown = std::fs::read_to_string(&page).unwrap();
    let range = between(&shown, "<div class=\"range two\">", "</figure>");
    let cells = range.split("class=\"cell second\"").filter(|cell| cell.contains("data-s="));
    let (mut looked, plain) = (0, |text: &str| text.parse::<u32>().ok());
    for cell in cells {
        let (seed, label) = (between(cell, "data-s=\"", ":"), between(cell, "aria-label=\"", ": "));
        let bounds = label.rsplit("count(elk) ").next().unwrap();
        let (low, high) = bounds.split_once(" to ").unwrap_or((bounds, bounds));
        let Some((low, high)) = plain(low).zip(plain(high)).filter(|_| looked < 3) else { continue };
        let condition = format!("count(elk) >= {low} and count(elk) <= {high}");
        let args = ["find", "act", "--config", &two, "--seed", seed, "--limit", "1", "--where", &condition];
        assert_eq!(succeeds(&[&args[..], &["--format", "seeds"]].concat()).trim(), seed, "{label}");
        looked += 1;
    }
    assert_eq!(looked, 3);
    // One thing has one colour, whichever place it has in its configuration.
    let places = between(&shown, "<div class=\"places two\">", "</section>");
    assert_eq!(places.matches("<figcaption>elk").count(), 1);
    let classes = |prefix: char| {
        let symbols = shown.split(&format!("<symbol id=\"{prefix}0\"")).nth(1).unwrap();
        let symbol = symbols.split("</symbol>").next().unwrap();
        symbol.matches("class=\"p").count()
    };
    assert!(classes('a') > 1 && classes('b') > 1);
    let legend = between(&shown, "id=\"legend\">", "</p>");
    assert_eq!(legend.matches("</span>").count(), 3, "{legend}");
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
fn a_field_is_given_several_values() {
    let folder = folder("sweep");
    let page = folder.join("report.html").display().to_string();
    succeeds(&["measure", "floor", "--sweep", "wall_density=0:1:0.25", "--count", "400", "-o", &page]);
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(shown.contains("<h1>wall_density from 0 to 1</h1>") && shown.contains("class=\"band\""));
    let sweep = std::fs::read_to_string(folder.join("report/sweep.csv")).unwrap();
    let open: Vec<(&str, f64)> = sweep
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|row| row[1] == "open")
        .map(|row| (row[0], row[4].parse().unwrap()))
        .collect();
    assert_eq!(open.iter().map(|(value, _)| *value).collect::<Vec<_>>(), ["0", "0.25", "0.5", "0.75", "1"]);
    assert!(open.windows(2).all(|pair| pair[0].1 >= pair[1].1) && open[0].1 > 20.0, "{open:?}");
    // Each point is what measuring that configuration alone gives.
    let config = write(&folder, "half.json", r#"{"wallDensity":0.5}"#);
    let alone = folder.join("alone.html").display().to_string();
    succeeds(&["measure", "floor", "--config", &config, "--count", "400", "-o", &alone]);
    let metrics = std::fs::read_to_string(folder.join("alone/metrics.csv")).unwrap();
    for line in metrics.lines().skip(1) {
        let told = line.split_once(',').unwrap().1;
        assert!(sweep.contains(&format!("0.5,{told}\n")), "{told}");
    }
    // Everything that a single page counts follows the field, and the axis is labelled to its end.
    for section in ["tries", "budgets", "metrics", "repeats", "time"] {
        let section = between(&shown, &format!("<section id=\"{section}\">"), "</section>");
        assert!(section.contains("class=\"curve\"") && section.contains("<table>"), "{section}");
    }
    for name in ["first try", "without a map", "attempts", "failures by rule", "path", "repeats", "time"] {
        let plot = between(&shown, &format!("<h3>{name}</h3>"), "</figure>");
        let labels: Vec<&str> = plot.split("text-anchor=\"middle\">").skip(1).collect();
        assert!(labels.last().unwrap().starts_with("1</text>"), "{name}: {plot}");
    }
    // The numbers behind the curves are those of the tables.
    let seeds = tables(&folder.join("report"))["seeds.csv"].clone();
    for line in seeds.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let share = row[7].parse::<f64>().unwrap() / 4.0;
        let told = between(&shown, &format!("<tr><th scope=\"row\">{}</th><td>", row[0]), "</td>");
        assert!((told.parse::<f64>().unwrap() - share).abs() < 0.06, "{line}: {told}");
    }
    let path =
        between(between(&shown, "<section id=\"budgets\">", "</section>"), "<h3>path</h3>", "</figure>");
    assert!(
        path.contains("class=\"curve asked\"") && path.contains("placed") && path.contains("at least"),
        "{path}"
    );
    let names: Vec<String> = tables(&folder.join("report")).into_keys().collect();
    assert_eq!(names, ["budgets", "failures", "repeats", "seeds", "sweep"].map(|name| format!("{name}.csv")));
    let failures = tables(&folder.join("report"))["failures.csv"].clone();
    let dense: Vec<&str> = failures.lines().filter(|line| line.starts_with("1,")).collect();
    assert!(failures.starts_with("wall_density,rule,refused,") && !dense.is_empty(), "{failures}");

    succeeds(&["measure", "level", "--sweep", "pitfalls=0%:4%:2%", "--count", "40", "-o", &page]);
    let sweep = std::fs::read_to_string(folder.join("report/sweep.csv")).unwrap();
    assert!(
        sweep.contains("\n4%,count(pitfall),cells,40,") && sweep.contains("\n0%,count(pitfall),cells,40,0.0")
    );
}

#[test]
fn a_field_in_a_list_of_the_defaults_is_reached() {
    let folder = folder("lists");
    let page = folder.join("report.html").display().to_string();
    let sweep = |config: &str, field: &str| {
        let file = write(&folder, "config.json", config);
        succeeds(&["measure", "act", "--config", &file, "--sweep", field, "--count", "60", "-o", &page]);
        std::fs::read_to_string(folder.join("report/sweep.csv")).unwrap()
    };
    // The value that the default has gives what the configuration gives without it.
    let defaults = succeeds(&["measure", "act", "--count", "60"]);
    let written = between(&defaults, "<pre>", "</pre>").replace("&quot;", "\"");
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    let weight = written["kinds"]["kinds"][1]["weight"].as_u64().unwrap();
    let table = sweep("{}", &format!("kinds.kinds[1].weight={weight}:{}:7", weight + 7));
    let alone = folder.join("alone.html").display().to_string();
    succeeds(&["measure", "act", "--count", "60", "-o", &alone]);
    let metrics = std::fs::read_to_string(folder.join("alone/metrics.csv")).unwrap();
    for line in metrics.lines().skip(1) {
        let told = format!("\n{weight},{}\n", line.split_once(',').unwrap().1);
        assert!(table.contains(&told), "{told}");
    }
    // And another value gives other maps.
    let rows = |value: u64| {
        let start = format!("{value},");
        table.lines().filter_map(|line| line.strip_prefix(&start)).map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(rows(weight).len() > 5 && rows(weight) != rows(weight + 7));
    refuses(
        &["measure", "act", "--sweep", "kinds.kinds[99].weight=1:2:1"],
        &["--sweep", "items, counted from 0"],
    );
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
fn ctrl_c_leaves_what_was_measured_and_shards_are_parts_of_the_whole() {
    let folder = folder("stopped");
    let page = folder.join("report.html").display().to_string();
    let stop = |more: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wayforge"))
            .args(["measure", "tower", "--count", "1000000000", "-o", &page])
            .args(more)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_secs(2));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        (child.wait().unwrap().code(), told)
    };
    // A sweep that is not complete is not written.
    let (code, told) = stop(&["--sweep", "floors=2:6:1"]);
    assert!(code == Some(1) && told.contains("stopped; nothing is written"), "{code:?} {told}");
    assert!(!Path::new(&page).exists());
    let (code, told) = stop(&[]);
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
