//! Golden files in `tests/golden`: pages that open in a browser, and tables.

use super::Surveyed;
use std::time::Duration;
use wayforge::{AnySpec, Family};
use wayforge_analysis::report::{
    GalleryItem, Picture, Sweep, SweepPoint, Table, gallery, page, sweep_page, sweep_tables, tables,
};
use wayforge_analysis::search::GenerationTimes;
use wayforge_draw::{AnyScene, Theme, png};
use wayforge_testsuite::golden::Golden;

/// Surveys the first 40 seeds and replaces the measured times, which vary.
fn survey(family: Family, config: &str) -> Surveyed {
    let mut times = GenerationTimes::default();
    (0..40).for_each(|n| times.add(Duration::from_micros(20 + n * n)));
    Surveyed { times, ..Surveyed::new(family, config, 40) }
}

#[test]
fn reports_match_the_golden_files() {
    let mut golden = Golden::open("crates/wayforge-analysis/tests/golden");
    let compare_tables = |folder: &str, tables: Vec<Table>, golden: &mut Golden| {
        for table in tables {
            golden.compare_text(&format!("{folder}/{}", table.name), &table.text);
        }
    };

    let act = survey(Family::Act, r#"{"rows":8,"cols":5,"walks":4}"#);
    golden.compare_text("act.html", &page(&act.report(), None));
    compare_tables("act", tables(&act.report()), &mut golden);

    let [short, long] = [6, 7].map(|length| {
        survey(Family::Floor, &format!(r#"{{"minPathLength":{length},"doorBudget":1}}"#))
    });
    let comparison = short.report_with_baseline(&long, 500);
    golden.compare_text("comparison.html", &page(&comparison, Some(Theme::Parchment)));
    compare_tables("comparison", tables(&comparison), &mut golden);

    let points = [("6", &short), ("7", &long)].map(|(value, surveyed)| {
        let (results, times) = surveyed.point();
        SweepPoint { value: value.to_owned(), results, times }
    });
    let sweep = Sweep { field: "minPathLength".to_owned(), points: points.into() };
    let swept = sweep_page(&sweep, &short.spec, "floor.json", Some(Theme::Night));
    golden.compare_text("sweep.html", &swept);
    compare_tables("sweep", sweep_tables(&sweep), &mut golden);

    golden.compare_text("gallery.html", &gallery("Small maps", &items(), Theme::Parchment));
    golden.finish();
}

/// A gallery item for each family; the first picture is a PNG.
fn items() -> Vec<GalleryItem> {
    let families = [
        (Family::Act, r#"{"rows":5,"cols":4,"walks":3}"#),
        (Family::Level, r#"{"width":14,"height":10}"#),
        (Family::Floor, r#"{"doorBudget":1}"#),
        (Family::Tower, r#"{"floors":2}"#),
    ];
    let item = |(family, config): (Family, &str)| {
        let map =
            AnySpec::from_json(family, config.as_bytes()).unwrap().generate(7.into()).unwrap();
        let scene = AnyScene::from_map(&map);
        let picture = match family {
            Family::Act => Picture::Png(png(&scene, Theme::Parchment, 60).unwrap()),
            _ => Picture::Svg(scene.svg(Theme::Parchment)),
        };
        GalleryItem {
            title: format!("{}, seed 7", family.name()),
            command: format!("wayforge {} --seed 7", family.name()),
            picture,
            description: scene.description(),
            metrics: vec![("family".to_owned(), family.name().to_owned())],
        }
    };
    families.map(item).into()
}
