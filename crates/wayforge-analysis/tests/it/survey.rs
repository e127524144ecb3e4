//! Survey results equal those of direct counting, for any number of threads.

use std::collections::{BTreeMap, BTreeSet};
use wayforge::AnySpec;
use wayforge::floor::{self, Floor};
use wayforge::grid::Symmetry;
use wayforge::level::{self, Symbol};
use wayforge::{Family, Seed};
use wayforge_analysis::search::{
    MAX_SAMPLES, SeedRange, Survey, SurveyPlan, SurveyResults, measure_seeds,
};

const CASES: [(Family, &str, u64); 5] = [
    (Family::Act, "{}", 1500),
    (
        Family::Act,
        r#"{"attempts":1,"kinds":{"boss":"a","search_limit":0,"kinds":[{"name":"a"},
            {"name":"b","no_repeat":true,"map":{"min":26}}]}}"#,
        400,
    ),
    (
        Family::Level,
        r#"{"walls":"maze","interior_walls":"solid","pitfalls":"30%","repair":false,"attempts":4}"#,
        600,
    ),
    (Family::Floor, r#"{"width":6,"minPathLength":9}"#, 1300),
    (Family::Tower, r#"{"floors":2}"#, 300),
];

fn survey(family: Family, config: &str, count: u64, threads: usize) -> SurveyResults {
    let spec = AnySpec::from_json(family, config.as_bytes()).unwrap();
    let terms: Vec<_> = spec.catalogue().terms().collect();
    let plan = SurveyPlan {
        pairs: vec![[terms[1], terms[3]], [terms[2], terms[0]]],
        occupancy: true,
        rows: false,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut survey = Survey::new(&spec, SeedRange::from(7).take(count), plan);
        while survey.advance() {}
        assert_eq!(survey.seeds_done(), count);
        assert_eq!(survey.times().count(), count);
        survey.finish()
    })
}

#[test]
fn results_do_not_depend_on_threads_and_metrics_equal_columns() {
    for (family, config, count) in CASES {
        let results = survey(family, config, count, 1);
        assert!(
            [2, 5].iter().all(|&threads| survey(family, config, count, threads) == results),
            "{family}"
        );
        let spec = AnySpec::from_json(family, config.as_bytes()).unwrap();
        let terms: Vec<_> = spec.catalogue().terms().collect();
        let table = measure_seeds(&spec, SeedRange::from(7).take(count), &terms);
        let with_map = |column: &[i64]| -> Vec<i64> {
            column
                .iter()
                .zip(&table.generated)
                .filter(|(_, generated)| **generated)
                .map(|(&value, _)| value)
                .collect()
        };
        assert_eq!(
            results.maps,
            table.generated.iter().filter(|generated| **generated).count() as u64
        );
        for (metric, column) in results.metrics.iter().zip(&table.values) {
            let mut expected: BTreeMap<i64, u64> = BTreeMap::new();
            with_map(column).into_iter().for_each(|value| *expected.entry(value).or_default() += 1);
            assert_eq!(
                metric.histogram.bins().collect::<BTreeMap<_, _>>(),
                expected,
                "{family} {}",
                metric.name
            );
        }
        for joint in &results.joints {
            let index = |term| terms.iter().position(|other| *other == term).unwrap();
            let [a, b] = joint.bin_widths();
            let mut expected: BTreeMap<[i64; 2], Vec<u64>> = BTreeMap::new();
            for offset in 0..count as usize {
                if table.generated[offset] {
                    let [x, y] = [joint.x, joint.y].map(|term| table.values[index(term)][offset]);
                    // If there are too many values, neighbours are merged.
                    let pair = [x.div_euclid(a) * a, y.div_euclid(b) * b];
                    expected.entry(pair).or_default().push(offset as u64);
                }
            }
            assert_eq!(joint.cells().count(), expected.len());
            for (pair, cell) in joint.cells() {
                assert_eq!(cell.count, expected[&pair].len() as u64);
                assert_eq!(cell.samples, expected[&pair][..MAX_SAMPLES.min(expected[&pair].len())]);
                assert_eq!(results.seed_at(cell.samples[0]), Seed::new(7 + cell.samples[0]));
            }
        }
    }
}

#[test]
fn failures_equal_those_of_the_generators() {
    let (family, config, count) = CASES[2];
    let results = survey(family, config, count, 2);
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    let (mut first, mut without) = (0, 0);
    // With `retry = "add"`, attempt n of a seed is the first attempt of seed + n. Each is generated
    // alone here.
    let alone = level::Config { attempts: 1, ..spec.config().clone() }.resolve().unwrap();
    for seed in 7..7 + count {
        let rejected: Vec<String> = (0..4)
            .map_while(|n| level::generate(Seed::new(seed + n), &alone).err())
            .map(|error| error.attempts[0].violation.rule.0.to_owned())
            .collect();
        first += u64::from(rejected.is_empty());
        without += u64::from(rejected.len() == 4);
        rejected.into_iter().for_each(|rule| *expected.entry(rule).or_default() += 1);
    }
    assert!(first > 0 && without > 0 && first + without < count);
    assert_eq!((results.first_attempt, results.seeds - results.maps), (first, without));
    let rejected: BTreeMap<String, u64> =
        results.failures.iter().map(|(rule, r)| (rule.clone(), r.rejected)).collect();
    assert_eq!(rejected, expected);
    assert!(results.failures.values().all(|failures| failures.repaired == 0));
    let with_repair =
        survey(family, r#"{"walls":"maze","interior_walls":"solid","pitfalls":"30%"}"#, 200, 2);
    let repaired = with_repair.metric("repaired").unwrap().histogram.bins().filter(|bin| bin.0 > 0);
    assert_eq!(
        with_repair.failures.values().map(|r| r.repaired).sum::<u64>(),
        repaired.map(|bin| bin.1).sum::<u64>()
    );
    // Every attempt at a floor except the accepted one violated something. Before the fallback
    // layout, all attempts did.
    let tower = r#"{"floors":2,"templates":[],"boss":null,"floor":{"minPathLength":9}}"#;
    for (family, config, floors) in [(CASES[3].0, CASES[3].1, 1), (Family::Tower, tower, 2)] {
        let results = survey(family, config, 300, 2);
        let sum = |name: &str| {
            let bins = results.metric(name).unwrap().histogram.bins();
            bins.map(|(value, maps)| value as u64 * maps).sum::<u64>()
        };
        let rejected: u64 = results.failures.values().map(|failures| failures.rejected).sum();
        assert_eq!(rejected, sum("attempts") + sum("fallback") - floors * results.maps, "{family}");
        assert!(
            rejected > 20 && results.failures.contains_key("minPathLength"),
            "{:?}",
            results.failures
        );
        assert!(results.first_attempt > 0 && results.first_attempt < results.maps);
    }
    // Conflicting rules about kinds are named.
    let (family, config, count) = CASES[1];
    let results = survey(family, config, count, 2);
    assert!(
        results.maps < count
            && results.failures.values().any(|failures| failures.seeds_without_map > 0)
    );
}

/// Transforms a floor by a symmetry and lists its tiles and entities.
fn transformed(floor: &Floor, symmetry: Symmetry) -> Vec<(u16, u16, u8)> {
    let size = floor.size();
    let tiles = size.iter().zip(&floor.tiles).map(|(pos, &tile)| (pos, tile as u8));
    let entities = floor.entities.iter().map(|entity| (entity.pos, 100 + entity.kind as u8));
    let mut all: Vec<_> = tiles
        .chain(entities)
        .map(|(pos, value)| {
            let pos = symmetry.apply(pos, size);
            (pos.x, pos.y, value)
        })
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn duplicates_and_occupancy_equal_direct_counting() {
    for (config, symmetries) in [
        (r#"{"width":4,"height":4,"enemyBudget":1,"chestBudget":0}"#, &Symmetry::ALL[..]),
        (
            r#"{"width":4,"height":3,"enemyBudget":1,"chestBudget":0}"#,
            &[Symmetry::R0, Symmetry::R180, Symmetry::M0, Symmetry::M180],
        ),
    ] {
        let count = 4000;
        let results = survey(Family::Floor, config, count, 2);
        let spec = floor::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
        let (mut same, mut mirrored, mut all) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let mut enemies = vec![0; spec.size().cells()];
        for seed in 7..7 + count {
            let floor = floor::generate(Seed::new(seed), &spec).unwrap();
            *same.entry(transformed(&floor, Symmetry::R0)).or_insert(0_u64) += 1;
            mirrored
                .insert(transformed(&floor, Symmetry::R0).min(transformed(&floor, Symmetry::M0)));
            all.insert(symmetries.iter().map(|&symmetry| transformed(&floor, symmetry)).min());
            floor.entities.iter().for_each(|entity| enemies[spec.size().index(entity.pos)] += 1);
        }
        let duplicates = results.duplicates.unwrap();
        assert_eq!((duplicates.maps, duplicates.distinct), (count, same.len() as u64), "{config}");
        assert_eq!(
            (duplicates.distinct_mirrored, duplicates.distinct_rotated),
            (mirrored.len() as u64, all.len() as u64)
        );
        assert_eq!(duplicates.max_count, *same.values().max().unwrap());
        assert!(
            duplicates.distinct_rotated < duplicates.distinct_mirrored
                && duplicates.distinct_mirrored < duplicates.distinct
        );
        let occupancy = results.occupancy.as_ref().unwrap();
        let enemy = results.planes.iter().position(|plane| plane == "enemy").unwrap();
        assert_eq!((occupancy.plane(enemy), occupancy.floors()), (&enemies[..], count));
    }
}

#[test]
fn large_maps_merge_neighbouring_cells() {
    let config = r#"{"width":130,"height":70,"walls":"empty"}"#;
    let results = survey(Family::Level, config, 30, 2);
    let occupancy = results.occupancy.as_ref().unwrap();
    assert_eq!((occupancy.group(), occupancy.columns(), occupancy.rows()), ([3, 2], 44, 35));
    let cells: u64 = (0..44 * 35).map(|at| occupancy.cells_in(at)).sum();
    assert_eq!(cells, 130 * 70);
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let mut cars = vec![0; 44 * 35];
    for seed in 7..37 {
        let level = level::generate(Seed::new(seed), &spec).unwrap();
        for pos in level.blueprint.find(Symbol::Car) {
            cars[usize::from(pos.y / 2) * 44 + usize::from(pos.x / 3)] += 1;
        }
    }
    let car = results.planes.iter().position(|plane| plane == "car").unwrap();
    assert_eq!(occupancy.plane(car), cars);
}

#[test]
fn each_mark_has_its_own_plane_and_budget() {
    let config = r#"{"width":24,"height":18,
        "marks":[{"name":"key","count":2},{"name":"door","cells":[[9,7]]}]}"#;
    let results = survey(Family::Level, config, 200, 2);
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let size = spec.size();
    let mut expected = [vec![0; size.cells()], vec![0; size.cells()]];
    for level in (7..207).filter_map(|seed| level::generate(Seed::new(seed), &spec).ok()) {
        for (plane, cells) in expected.iter_mut().zip(&level.tags.marks) {
            cells.iter().for_each(|&pos| plane[size.index(pos)] += 1);
        }
    }
    let occupancy = results.occupancy.as_ref().unwrap();
    let plane = |name: &str| {
        occupancy.plane(results.planes.iter().position(|plane| plane == name).unwrap())
    };
    assert_eq!([plane("key"), plane("door")], [&expected[0][..], &expected[1][..]]);
    assert!(plane("key").iter().filter(|count| **count > 0).count() > 50);
    let all: Vec<u64> =
        expected[0].iter().zip(&expected[1]).map(|(key, door)| key + door).collect();
    assert_eq!(plane("mark"), all);
    for (name, requested) in [("count(key)", "2"), ("count(door)", "1")] {
        let metric = results.metric(name).unwrap();
        let (budget, satisfied) =
            results.budgets.iter().find(|(budget, _)| budget.term == metric.term).unwrap();
        assert_eq!((budget.requested.as_str(), *satisfied), (requested, results.maps), "{name}");
    }
}
