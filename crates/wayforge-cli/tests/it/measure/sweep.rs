//! Tests of `wayforge measure --sweep`.

use super::{between, folder, tables, write};
use crate::common::{rejects, succeeds};

#[test]
fn sweep_plots_every_metric_over_the_field() {
    let folder = folder("sweep");
    let page = folder.join("report.html").display().to_string();
    let base = write(&folder, "base.json", r#"{"minPathLength":3}"#);
    let sweep = "wall_density=0:1:0.25";
    succeeds(&[
        "measure", "floor", "--config", &base, "--sweep", sweep, "--count", "400", "-o", &page,
    ]);
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(
        shown.contains("<h1>wall_density from 0 to 1</h1>") && shown.contains("class=\"band\"")
    );
    let sweep = std::fs::read_to_string(folder.join("report/sweep.csv")).unwrap();
    let open: Vec<(&str, f64)> = sweep
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter(|row| row[1] == "open")
        .map(|row| (row[0], row[4].parse().unwrap()))
        .collect();
    assert_eq!(
        open.iter().map(|(value, _)| *value).collect::<Vec<_>>(),
        ["0", "0.25", "0.5", "0.75", "1"]
    );
    assert!(open.windows(2).all(|pair| pair[0].1 >= pair[1].1) && open[0].1 > 20.0, "{open:?}");
    // Each point equals a separate measurement of that configuration.
    let config = write(&folder, "half.json", r#"{"minPathLength":3,"wallDensity":0.5}"#);
    let alone = folder.join("alone.html").display().to_string();
    succeeds(&["measure", "floor", "--config", &config, "--count", "400", "-o", &alone]);
    let metrics = std::fs::read_to_string(folder.join("alone/metrics.csv")).unwrap();
    for line in metrics.lines().skip(1) {
        let values = line.split_once(',').unwrap().1;
        assert!(sweep.contains(&format!("0.5,{values}\n")), "{values}");
    }
    // Every section has curves and a table, and the axis is labelled to its end.
    for section in ["attempts", "budgets", "metrics", "duplicates", "time"] {
        let section = between(&shown, &format!("<section id=\"{section}\">"), "</section>");
        assert!(section.contains("class=\"curve\"") && section.contains("<table>"), "{section}");
    }
    for name in [
        "first attempt",
        "without a map",
        "attempts",
        "failures by rule",
        "path",
        "duplicates",
        "time",
    ] {
        let plot = between(&shown, &format!("<h3>{name}</h3>"), "</figure>");
        let labels: Vec<&str> = plot.split("text-anchor=\"middle\">").skip(1).collect();
        assert!(labels.last().unwrap().starts_with("1</text>"), "{name}: {plot}");
    }
    // The tables on the page equal the CSV tables.
    let seeds = tables(&folder.join("report"))["seeds.csv"].clone();
    for line in seeds.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let share = row[7].parse::<f64>().unwrap() / 4.0;
        let cell = between(&shown, &format!("<tr><th scope=\"row\">{}</th><td>", row[0]), "</td>");
        assert!((cell.parse::<f64>().unwrap() - share).abs() < 0.06, "{line}: {cell}");
    }
    let path = between(
        between(&shown, "<section id=\"budgets\">", "</section>"),
        "<h3>path</h3>",
        "</figure>",
    );
    assert!(
        path.contains("class=\"curve requested\"")
            && path.contains("placed")
            && path.contains("at least"),
        "{path}"
    );
    let names: Vec<String> = tables(&folder.join("report")).into_keys().collect();
    assert_eq!(
        names,
        ["budgets", "duplicates", "failures", "seeds", "sweep", "times"]
            .map(|name| format!("{name}.csv"))
    );
    let failures = tables(&folder.join("report"))["failures.csv"].clone();
    let dense: Vec<&str> = failures.lines().filter(|line| line.starts_with("1,")).collect();
    assert!(failures.starts_with("wall_density,rule,rejected,") && !dense.is_empty(), "{failures}");

    succeeds(&["measure", "level", "--sweep", "pitfalls=0%:4%:2%", "--count", "40", "-o", &page]);
    let sweep = std::fs::read_to_string(folder.join("report/sweep.csv")).unwrap();
    assert!(
        sweep.contains("\n4%,count(pitfall),cells,40,")
            && sweep.contains("\n0%,count(pitfall),cells,40,0.0")
    );
}

#[test]
fn sweeps_a_field_of_an_omitted_default_list() {
    let folder = folder("lists");
    let page = folder.join("report.html").display().to_string();
    let sweep = |config: &str, field: &str| {
        let file = write(&folder, "config.json", config);
        succeeds(&[
            "measure", "act", "--config", &file, "--sweep", field, "--count", "60", "-o", &page,
        ]);
        std::fs::read_to_string(folder.join("report/sweep.csv")).unwrap()
    };
    // The default value of the field gives the same maps as the default configuration.
    let defaults = succeeds(&["measure", "act", "--count", "60"]);
    let written = between(&defaults, "<pre>", "</pre>").replace("&quot;", "\"");
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    let weight = written["kinds"]["kinds"][1]["weight"].as_u64().unwrap();
    let table = sweep("{}", &format!("kinds.kinds[1].weight={weight}:{}:7", weight + 7));
    let alone = folder.join("alone.html").display().to_string();
    succeeds(&["measure", "act", "--count", "60", "-o", &alone]);
    let metrics = std::fs::read_to_string(folder.join("alone/metrics.csv")).unwrap();
    for line in metrics.lines().skip(1) {
        let row = format!("\n{weight},{}\n", line.split_once(',').unwrap().1);
        assert!(table.contains(&row), "{row}");
    }
    // Another value gives other maps.
    let rows = |value: u64| {
        let start = format!("{value},");
        table
            .lines()
            .filter_map(|line| line.strip_prefix(&start))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(rows(weight).len() > 5 && rows(weight) != rows(weight + 7));
    rejects(
        &["measure", "act", "--sweep", "kinds.kinds[99].weight=1:2:1"],
        &["--sweep", "items, counted from 0"],
    );
}
