//! Tests of `wayforge measure --baseline`.

use super::{between, folder, tables, write};
use crate::common::{succeeds, text, wayforge};

#[test]
fn detects_moved_metrics_and_none_for_the_same_configuration() {
    let folder = folder("baseline");
    let same = write(&folder, "same.toml", "minPathLength = 3\n");
    let other = write(&folder, "other.toml", "minPathLength = 8\n");
    let page = folder.join("report.html").display().to_string();
    let measure =
        ["measure", "floor", "--config", &same, "--count", "2000", "-o", &page, "--baseline"];
    let stdout = succeeds(&[&measure[..], &[&same]].concat());
    assert_eq!(stdout, "no metric moved by more than 0.05\n");
    assert!(std::fs::read_to_string(&page).unwrap().contains("No metric moved"));

    let output = wayforge(&[&measure[..], &[&other]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("moved: path  distance "), "{}", text(&output.stdout));
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(shown.contains("metrics moved by more than 0.05") && shown.contains("class=\"other\""));
    check_side_by_side(&shown);
    let drift = std::fs::read_to_string(folder.join("report/drift.csv")).unwrap();
    let path = drift.lines().find(|line| line.starts_with("path,")).unwrap();
    assert!(path.ends_with(",true"), "{path}");
    assert!(
        drift
            .lines()
            .any(|line| line.starts_with("count(enemy),0.000000,") && line.ends_with(",false"))
    );
    assert!(folder.join("report/maps-baseline.csv").is_file());

    // Maps of different sizes are shown next to each other without a difference.
    let wide = write(&folder, "wide.toml", "width = 7\n");
    wayforge(&[&measure[..], &[&wide]].concat());
    let shown = std::fs::read_to_string(&page).unwrap();
    let placements = between(&shown, "<div class=\"placements two sizes\">", "</section>");
    assert_eq!(between(placements, "<figcaption>wall", "</figure>").matches("<svg ").count(), 2);
    assert!(shown.contains("maps differ in size"));

    // No distance exceeds 1, and every change exceeds 0.
    let output = wayforge(&[&measure[..], &[&other, "--threshold", "1"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let one = write(&folder, "one.toml", "enemyBudget = 4\n");
    let output = wayforge(&[&measure[..], &[&one, "--threshold", "0"]].concat());
    assert!(
        text(&output.stdout).contains("moved: count(enemy)  distance 1.0000  mean 3.000 -> 4.000")
    );
    // Axes cover both configurations: 3 and 4 enemies are different cells.
    wayforge(&[&measure[..], &[&one, "--pairs", "path:count(enemy)"]].concat());
    let shown = std::fs::read_to_string(&page).unwrap();
    let cells = |class: &str| {
        let start = format!("<rect class=\"cell {class}\"");
        let labels =
            shown.split(&start).skip(1).map(|cell| between(cell, "aria-label=\"", "\"").to_owned());
        labels.filter(|label| label.contains(" maps, ")).collect::<Vec<_>>()
    };
    for (class, enemies) in [("first", "count(enemy) 3: "), ("second", "count(enemy) 4: ")] {
        assert!(
            cells(class).len() > 3 && cells(class).iter().all(|label| label.contains(enemies)),
            "{:?}",
            cells(class)
        );
    }
    // Tables of an earlier measurement are removed.
    assert_eq!(succeeds(&["measure", "floor", "--count", "50", "--no-maps", "-o", &page]), "");
    let names: Vec<String> = tables(&folder.join("report")).into_keys().collect();
    assert!(!names.iter().any(|name| name.contains("drift") || name.contains("maps")), "{names:?}");
}

/// Checks that every section names both configurations and compares them side by side.
fn check_side_by_side(page: &str) {
    let names = "<i class=\"key first\"></i>\u{a0}same.toml</th><th scope=\"col\"><i class=\"key second\"></i>\u{a0}other.toml</th>";
    let headline = between(page, "<table class=\"headline\">", "</table>");
    assert!(headline.contains(names), "{headline}");
    for label in [
        "have a map",
        "on the first attempt",
        "attempts on average",
        "are duplicates",
        "median time per seed",
    ] {
        let row = between(headline, &format!("<th scope=\"row\">{label}</th>"), "</tr>");
        assert_eq!(row.matches("<td>").count(), 2, "{label}: {row}");
    }
    for section in ["range", "metrics", "placements"] {
        let section = between(page, &format!("<section id=\"{section}\">"), "</section>");
        let legend = between(section, "<p class=\"legend which\">", "</p>");
        assert!(legend.contains("same.toml") && legend.contains("other.toml"), "{legend}");
    }
    // A pair of metrics has three charts with equal axes: each configuration and the difference.
    let range = between(page, "<div class=\"range two\">", "</figure>");
    let charts: Vec<&str> = range.split("<svg ").skip(1).collect();
    assert_eq!(charts.len(), 3);
    let axes = |chart: &str| {
        let words =
            chart.split("<text").skip(1).map(|text| between(text, ">", "</text>").to_owned());
        words.collect::<Vec<_>>()
    };
    assert!(
        axes(charts[0]).len() > 4
            && axes(charts[0]) == axes(charts[1])
            && axes(charts[0]) == axes(charts[2])
    );
    let placements = between(page, "<div class=\"placements two\">", "</section>");
    assert_eq!(between(placements, "<figcaption>wall", "</figure>").matches("<svg ").count(), 3);
    // The difference chart shows the difference of the shares of each cell.
    let share = |chart: &str, at: &str| -> f64 {
        let cell = chart
            .split("<rect class=\"cell")
            .find(|cell| cell.contains(&format!("data-at=\"{at}\"")));
        let label = cell.map(|cell| between(cell, "aria-label=\"", "\""));
        label.map_or(0.0, |label| {
            label.rsplit(", ").next().unwrap().trim_end_matches(" %").parse().unwrap()
        })
    };
    let mut moved = 0;
    for cell in charts[2].split("<rect class=\"cell ").skip(1) {
        let label = between(cell, "aria-label=\"", "\"");
        let Some((points, _)) = label.rsplit(": ").next().unwrap().split_once(" points more of ")
        else {
            continue;
        };
        let at = between(cell, "data-at=\"", "\"");
        let sign = if cell.starts_with("second") { 1.0 } else { -1.0 };
        let difference = sign * points.parse::<f64>().unwrap();
        assert!((share(charts[1], at) - share(charts[0], at) - difference).abs() < 0.11, "{label}");
        moved += 1;
    }
    assert!(moved > 5);
}

#[test]
fn metrics_are_matched_by_name() {
    let folder = folder("kinds");
    let config = |name: &str, kinds: [&str; 3]| {
        let kinds = kinds.map(|kind| format!(r#"{{"name":"{kind}"}}"#)).join(",");
        write(&folder, name, &format!(r#"{{"kinds":{{"boss":"x","kinds":[{kinds}]}}}}"#))
    };
    let (one, two) =
        (config("one.json", ["x", "elk", "fox"]), config("two.json", ["fox", "x", "elk"]));
    let page = folder.join("report.html").display().to_string();
    let args = [
        "measure",
        "act",
        "--config",
        &one,
        "--baseline",
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
    let (mut checked, plain) = (0, |text: &str| text.parse::<u32>().ok());
    for cell in cells {
        let (seed, label) = (between(cell, "data-s=\"", ":"), between(cell, "aria-label=\"", ": "));
        let bounds = label.rsplit("count(elk) ").next().unwrap();
        let (low, high) = bounds.split_once(" to ").unwrap_or((bounds, bounds));
        let Some((low, high)) = plain(low).zip(plain(high)).filter(|_| checked < 3) else {
            continue;
        };
        let condition = format!("count(elk) >= {low} and count(elk) <= {high}");
        let args = [
            "find", "act", "--config", &two, "--seed", seed, "--limit", "1", "--where", &condition,
        ];
        assert_eq!(succeeds(&[&args[..], &["--format", "seeds"]].concat()).trim(), seed, "{label}");
        checked += 1;
    }
    assert_eq!(checked, 3);
    // A kind has the same colour in both configurations, regardless of its index.
    let placements = between(&shown, "<div class=\"placements two\">", "</section>");
    assert_eq!(placements.matches("<figcaption>elk").count(), 1);
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
fn metrics_of_only_one_configuration_have_moved() {
    let folder = folder("only");
    let page = folder.join("report.html").display().to_string();
    let kinds = |name: &str| {
        let list = format!(
            "boss = false\n[kinds]\nkinds = [{{ name = \"monster\", weight = 3 }}, {{ name = \"{name}\", weight = 1 }}]\n"
        );
        write(&folder, &format!("{name}.toml"), &list)
    };
    let (elite, wreck) = (kinds("elite"), kinds("wreck"));
    let options =
        ["measure", "act", "--config", &elite, "--baseline", &wreck, "--count", "300", "-o", &page];
    let output = wayforge(&options);
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{stdout}{}", text(&output.stderr));
    assert!(
        stdout.contains("moved: count(elite)  distance 1.0000  mean ")
            && stdout.contains("-> none\n"),
        "{stdout}"
    );
    assert!(stdout.contains("moved: count(wreck)  distance 1.0000  mean none -> "), "{stdout}");
    let drift = &tables(&folder.join("report"))["drift.csv"];
    assert!(
        drift.contains("\ncount(wreck),1.000000,,") && drift.contains("\ncount(elite),1.000000,"),
        "{drift}"
    );
    // Nothing is compared without seeds or without maps.
    let floor = write(&folder, "floor.toml", "");
    let empty =
        ["measure", "floor", "--baseline", &floor, "--count", "10", "--shard", "2/2", "-o", &page];
    let output = wayforge(&empty);
    assert!(
        output.status.code() == Some(2) && text(&output.stderr).contains("nothing is compared")
    );
    let none = write(
        &folder,
        "none.toml",
        "attempts = 1\nrepair = false\npitfalls = \"80%\"\nwalls = \"empty\"\n",
    );
    let output = wayforge(&[
        "measure",
        "level",
        "--config",
        &none,
        "--baseline",
        &none,
        "--count",
        "10",
        "-o",
        &page,
    ]);
    let stdout = text(&output.stdout);
    assert!(
        output.status.code() == Some(1) && stdout.contains("neither configuration has a map"),
        "{stdout}{}",
        text(&output.stderr)
    );
}
