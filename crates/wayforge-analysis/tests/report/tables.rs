//! What stands in the tables beside a page.

use crate::{NONE, Surveyed, columns, table};
use wayforge::Family;
use wayforge_analysis::report::{Point, Sweep, sweep_tables, tables};

#[test]
fn where_there_is_no_map_fields_are_empty() {
    let (some, none) = (Surveyed::new(Family::Floor, "{}", 3), Surveyed::new(Family::Floor, NONE, 2));
    assert!(some.found.maps == 3 && none.found.maps == 0);
    let all = tables(&some.report_against(&none, 500));
    let points = [("1", some.point()), ("2", none.point())];
    let points = points.map(|(value, (found, times))| Point { value: value.to_owned(), found, times });
    let swept = sweep_tables(&Sweep { field: "field".to_owned(), points: points.into() });
    for (tables, name, first, known) in [
        (&all, "metrics.csv", "second", 4),
        (&swept, "sweep.csv", "2", 4),
        (&all, "budgets.csv", "second", 3),
        (&swept, "budgets.csv", "2", 3),
    ] {
        let rows = columns(table(tables, name));
        let (empty, full): (Vec<_>, Vec<_>) = rows.iter().skip(1).partition(|row| row[0] == first);
        assert!(!empty.is_empty() && !full.is_empty(), "{name}");
        assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{name}: {rows:?}");
        assert!(empty.iter().all(|row| row[known..].iter().all(String::is_empty)), "{name}: {empty:?}");
        assert!(full.iter().all(|row| row.iter().all(|field| !field.is_empty())), "{name}: {full:?}");
        // How many maps there are is known.
        assert!(known == 3 || empty.iter().all(|row| row[3] == "0"), "{name}: {empty:?}");
    }
}

#[test]
fn times_have_a_table_of_their_own() {
    let (some, none) = (Surveyed::new(Family::Floor, "{}", 40), Surveyed::new(Family::Floor, NONE, 1));
    let rows = columns(table(&tables(&some.report_against(&none, 500)), "times.csv"));
    assert_eq!(rows[0], ["configuration", "mean_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "longest_ns"]);
    let times = rows[1][1..].iter().map(|field| field.parse::<u64>().unwrap()).collect::<Vec<_>>();
    assert!(rows[1][0] == "first" && times[0] > 0 && times[1..].is_sorted(), "{rows:?}");
    assert_eq!(times[5], some.times.most());
    assert_eq!(rows[2], ["second", "", "", "", "", "", ""]);
    let (found, times) = some.point();
    let sweep = Sweep { field: "a,b".into(), points: vec![Point { value: "7%".into(), found, times }] };
    let swept = sweep_tables(&sweep);
    let text = table(&swept, "times.csv");
    assert!(text.starts_with("\"a,b\",mean_ns,"), "{text}");
    assert_eq!(text.lines().nth(1).unwrap().split(',').skip(1).collect::<Vec<_>>(), rows[1][1..]);
}

#[test]
fn pairs_have_both_ends_of_what_is_counted_together() {
    // More than 256 different values of routes: neighbouring ones are counted together.
    let mut act = Surveyed::new(Family::Act, "{}", 1);
    let joint = act.found.joints.first_mut().unwrap();
    for n in 0..700_i64 {
        joint.add([n % 5, n * 3], 0);
    }
    let [wide, tall] = joint.widths();
    assert!(wide == 1 && tall > 1);
    let rows = columns(table(&tables(&act.report()), "pairs.csv"));
    assert_eq!(rows[0][3..], ["x_from", "x_to", "y_from", "y_to", "maps", "seeds"]);
    let number = |field: &String| field.parse::<i64>().unwrap();
    let counted = rows.iter().filter(|row| row[1] == rows[1][1]).collect::<Vec<_>>();
    assert!(counted.len() > 100);
    for row in counted {
        assert_eq!([number(&row[4]) - number(&row[3]), number(&row[6]) - number(&row[5])], [0, tall - 1]);
    }
}
