//! Content of the CSV tables of reports and sweeps.

use super::{NO_MAPS, Surveyed, columns, table};
use wayforge::Family;
use wayforge_analysis::report::{Sweep, SweepPoint, sweep_tables, tables};

#[test]
fn fields_are_empty_without_maps() {
    let (some, none) =
        (Surveyed::new(Family::Floor, "{}", 3), Surveyed::new(Family::Floor, NO_MAPS, 2));
    assert!(some.results.maps == 3 && none.results.maps == 0);
    let all = tables(&some.report_with_baseline(&none, 500));
    let points = [("1", some.point()), ("2", none.point())];
    let points = points.map(|(value, (results, times))| SweepPoint {
        value: value.to_owned(),
        results,
        times,
    });
    let swept = sweep_tables(&Sweep { field: "field".to_owned(), points: points.into() });
    for (tables, name, first, first_empty) in [
        (&all, "metrics.csv", "second", 4),
        (&swept, "sweep.csv", "2", 4),
        (&all, "budgets.csv", "second", 3),
        (&swept, "budgets.csv", "2", 3),
    ] {
        let rows = columns(table(tables, name));
        let (empty, full): (Vec<_>, Vec<_>) = rows.iter().skip(1).partition(|row| row[0] == first);
        assert!(!empty.is_empty() && !full.is_empty(), "{name}");
        assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{name}: {rows:?}");
        assert!(
            empty.iter().all(|row| row[first_empty..].iter().all(String::is_empty)),
            "{name}: {empty:?}"
        );
        assert!(
            full.iter().all(|row| row.iter().all(|field| !field.is_empty())),
            "{name}: {full:?}"
        );
        // The number of maps (0) is still known.
        assert!(first_empty == 3 || empty.iter().all(|row| row[3] == "0"), "{name}: {empty:?}");
    }
}

#[test]
fn times_have_a_separate_table() {
    let (some, none) =
        (Surveyed::new(Family::Floor, "{}", 40), Surveyed::new(Family::Floor, NO_MAPS, 1));
    let rows = columns(table(&tables(&some.report_with_baseline(&none, 500)), "times.csv"));
    assert_eq!(
        rows[0],
        ["configuration", "mean_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "max_ns"]
    );
    let times = rows[1][1..].iter().map(|field| field.parse::<u64>().unwrap()).collect::<Vec<_>>();
    assert!(rows[1][0] == "first" && times[0] > 0 && times[1..].is_sorted(), "{rows:?}");
    assert_eq!(times[5], some.times.max());
    assert_eq!(rows[2], ["second", "", "", "", "", "", ""]);
    let (results, times) = some.point();
    let sweep = Sweep {
        field: "a,b".into(),
        points: vec![SweepPoint { value: "7%".into(), results, times }],
    };
    let swept = sweep_tables(&sweep);
    let text = table(&swept, "times.csv");
    assert!(text.starts_with("\"a,b\",mean_ns,"), "{text}");
    assert_eq!(text.lines().nth(1).unwrap().split(',').skip(1).collect::<Vec<_>>(), rows[1][1..]);
}

#[test]
fn pairs_state_both_ends_of_merged_values() {
    // More than 256 distinct values of routes: neighbours are merged.
    let mut act = Surveyed::new(Family::Act, "{}", 1);
    let joint = act.results.joints.first_mut().unwrap();
    for n in 0..700_i64 {
        joint.add([n % 5, n * 3], 0);
    }
    let [width, height] = joint.bin_widths();
    assert!(width == 1 && height > 1);
    let rows = columns(table(&tables(&act.report()), "pairs.csv"));
    assert_eq!(rows[0][3..], ["x_from", "x_to", "y_from", "y_to", "maps", "seeds"]);
    let number = |field: &String| field.parse::<i64>().unwrap();
    let counted = rows.iter().filter(|row| row[1] == rows[1][1]).collect::<Vec<_>>();
    assert!(counted.len() > 100);
    for row in counted {
        assert_eq!(
            [number(&row[4]) - number(&row[3]), number(&row[6]) - number(&row[5])],
            [0, height - 1]
        );
    }
}
