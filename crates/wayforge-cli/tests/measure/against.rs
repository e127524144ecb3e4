//! Two configurations beside each other.

use crate::common::{succeeds, text, wayforge};
use crate::{between, folder, tables, write};

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

    // Maps of two sizes stand beside each other without a difference.
    let wide = write(&folder, "wide.toml", "width = 7\n");
    wayforge(&[&measure[..], &[&wide]].concat());
    let shown = std::fs::read_to_string(&page).unwrap();
    let places = between(&shown, "<div class=\"places two sizes\">", "</section>");
    assert_eq!(between(places, "<figcaption>wall", "</figure>").matches("<svg ").count(), 2);
    assert!(shown.contains("not of one size"));

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
fn what_only_one_has_moved_and_nothing_is_not_compared() {
    let folder = folder("only");
    let page = folder.join("report.html").display().to_string();
    let kinds = |name: &str| {
        let list = format!(
            "boss = false\n[kinds]\nkinds = [{{ name = \"monster\", weight = 3 }}, {{ name = \"{name}\", weight = 1 }}]\n"
        );
        write(&folder, &format!("{name}.toml"), &list)
    };
    let (elite, wreck) = (kinds("elite"), kinds("wreck"));
    let options = ["measure", "act", "--config", &elite, "--against", &wreck, "--count", "300", "-o", &page];
    let output = wayforge(&options);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}{}", text(&output.stderr));
    assert!(
        told.contains("moved: count(elite)  distance 1.0000  mean ") && told.contains("-> none\n"),
        "{told}"
    );
    assert!(told.contains("moved: count(wreck)  distance 1.0000  mean none -> "), "{told}");
    let drift = &tables(&folder.join("report"))["drift.csv"];
    assert!(
        drift.contains("\ncount(wreck),1.000000,,") && drift.contains("\ncount(elite),1.000000,"),
        "{drift}"
    );
    // No seeds, and no maps.
    let floor = write(&folder, "floor.toml", "");
    let empty = ["measure", "floor", "--against", &floor, "--count", "10", "--shard", "2/2", "-o", &page];
    let output = wayforge(&empty);
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains("nothing is compared"));
    let none =
        write(&folder, "none.toml", "attempts = 1\nrepair = false\npitfalls = \"80%\"\nwalls = \"empty\"\n");
    let output =
        wayforge(&["measure", "level", "--config", &none, "--against", &none, "--count", "10", "-o", &page]);
    let told = text(&output.stdout);
    assert!(
        output.status.code() == Some(1) && told.contains("neither configuration has a map"),
        "{told}{}",
        text(&output.stderr)
    );
}
