//! What a survey finds is what counting by hand finds, whatever the threads.

use std::collections::{BTreeMap, BTreeSet};
use wayforge::AnySpec;
use wayforge::floor::{self, Floor};
use wayforge::grid::Symmetry;
use wayforge::level::{self, Symbol};
use wayforge::{Family, Seed};
use wayforge_analysis::search::{Findings, Plan, SAMPLES, Span, Survey, columns};

const CASES: [(Family, &str, u64); 5] = [
    (Family::Act, "{}", 1500),
    (
        Family::Act,
        r#"{"attempts":1,"kinds":{"boss":"a","search_limit":0,"kinds":[{"name":"a"},{"name":"b","no_repeat":true,"map":{"min":26}}]}}"#,
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

fn survey(family: Family, config: &str, count: u64, threads: usize) -> Findings {
    let subject = AnySpec::from_json(family, config.as_bytes()).unwrap();
    let terms: Vec<_> = subject.catalogue().terms().collect();
    let plan = Plan { pairs: vec![[terms[1], terms[3]], [terms[2], terms[0]]], places: true, rows: false };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut survey = Survey::new(&subject, Span::from(7).take(count), plan);
        while survey.advance() {}
        assert_eq!(survey.seeds_done(), count);
        assert_eq!(survey.times().maps(), count);
        survey.finish()
    })
}

#[test]
fn threads_change_nothing_and_metrics_are_those_of_columns() {
    for (family, config, count) in CASES {
        let found = survey(family, config, count, 1);
        assert!([2, 5].iter().all(|&threads| survey(family, config, count, threads) == found), "{family}");
        let subject = AnySpec::from_json(family, config.as_bytes()).unwrap();
        let terms: Vec<_> = subject.catalogue().terms().collect();
        let table = columns(&subject, Span::from(7).take(count), &terms);
        let made = |column: &[i64]| -> Vec<i64> {
            column.iter().zip(&table.made).filter(|(_, made)| **made).map(|(&value, _)| value).collect()
        };
        assert_eq!(found.maps, table.made.iter().filter(|made| **made).count() as u64);
        for (metric, column) in found.metrics.iter().zip(&table.values) {
            let mut plain: BTreeMap<i64, u64> = BTreeMap::new();
            made(column).into_iter().for_each(|value| *plain.entry(value).or_default() += 1);
            assert_eq!(
                metric.histogram.bins().collect::<BTreeMap<_, _>>(),
                plain,
                "{family} {}",
                metric.name
            );
        }
        for joint in &found.joints {
            let at = |term| terms.iter().position(|known| *known == term).unwrap();
            let [a, b] = joint.widths();
            let mut plain: BTreeMap<[i64; 2], Vec<u64>> = BTreeMap::new();
            for place in 0..count as usize {
                if table.made[place] {
                    let [x, y] = [joint.x, joint.y].map(|term| table.values[at(term)][place]);
                    // Where there are too many values, neighbours are counted together.
                    let pair = [x.div_euclid(a) * a, y.div_euclid(b) * b];
                    plain.entry(pair).or_default().push(place as u64);
                }
            }
            assert_eq!(joint.cells().count(), plain.len());
            for (pair, cell) in joint.cells() {
                assert_eq!(cell.count, plain[&pair].len() as u64);
                assert_eq!(cell.places, plain[&pair][..SAMPLES.min(plain[&pair].len())]);
                assert_eq!(found.seed(cell.places[0]), Seed::new(7 + cell.places[0]));
            }
        }
    }
}

#[test]
fn refusals_are_those_of_the_generators() {
    let (family, config, count) = CASES[2];
    let found = survey(family, config, count, 2);
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let mut plain: BTreeMap<String, u64> = BTreeMap::new();
    let (mut first, mut without) = (0, 0);
    // `retry` adds: the attempts of a seed are the first attempts of the next ones, each judged alone.
    let alone = level::Config { attempts: 1, ..spec.config().clone() }.resolve().unwrap();
    for seed in 7..7 + count {
        let refused: Vec<String> = (0..4)
            .map_while(|n| level::generate(Seed::new(seed + n), &alone).err())
            .map(|error| error.attempts[0].violation.rule.0.to_owned())
            .collect();
        first += u64::from(refused.is_empty());
        without += u64::from(refused.len() == 4);
        refused.into_iter().for_each(|rule| *plain.entry(rule).or_default() += 1);
    }
    assert!(first > 0 && without > 0 && first + without < count);
    assert_eq!((found.first_try, found.seeds - found.maps), (first, without));
    let told: BTreeMap<String, u64> =
        found.refusals.iter().map(|(rule, r)| (rule.clone(), r.refused)).collect();
    assert_eq!(told, plain);
    assert!(found.refusals.values().all(|refusals| refusals.mended == 0));
    let mended = survey(family, r#"{"walls":"maze","interior_walls":"solid","pitfalls":"30%"}"#, 200, 2);
    let repaired = mended.metric("repaired").unwrap().histogram.bins().filter(|bin| bin.0 > 0);
    assert_eq!(
        mended.refusals.values().map(|r| r.mended).sum::<u64>(),
        repaired.map(|bin| bin.1).sum::<u64>()
    );
    // Every attempt at a floor but the accepted one missed something; before the safe floor, all of them did.
    let tower = r#"{"floors":2,"templates":[],"boss":null,"floor":{"minPathLength":9}}"#;
    for (family, config, floors) in [(CASES[3].0, CASES[3].1, 1), (Family::Tower, tower, 2)] {
        let found = survey(family, config, 300, 2);
        let sum = |name: &str| {
            let bins = found.metric(name).unwrap().histogram.bins();
            bins.map(|(value, maps)| value as u64 * maps).sum::<u64>()
        };
        let refused: u64 = found.refusals.values().map(|refusals| refusals.refused).sum();
        assert_eq!(refused, sum("attempts") + sum("safe") - floors * found.maps, "{family}");
        assert!(refused > 20 && found.refusals.contains_key("minPathLength"), "{:?}", found.refusals);
        assert!(found.first_try > 0 && found.first_try < found.maps);
    }
    // Rules about kinds that stand against each other are named.
    let (family, config, count) = CASES[1];
    let found = survey(family, config, count, 2);
    assert!(found.maps < count && found.refusals.values().any(|refusals| refusals.without > 0));
}

/// A floor as plain values, turned.
fn turned(floor: &Floor, turn: Symmetry) -> Vec<(u16, u16, u8)> {
    let size = floor.size();
    let tiles = size.iter().zip(&floor.tiles).map(|(pos, &tile)| (pos, tile as u8));
    let things = floor.entities.iter().map(|entity| (entity.pos, 100 + entity.kind as u8));
    let mut all: Vec<_> = tiles
        .chain(things)
        .map(|(pos, what)| {
            let pos = turn.apply(pos, size);
            (pos.x, pos.y, what)
        })
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn repeats_and_occupancy_are_those_of_plain_counting() {
    for (config, turns) in [
        (r#"{"width":4,"height":4,"enemyBudget":1,"chestBudget":0}"#, &Symmetry::ALL[..]),
        (
            r#"{"width":4,"height":3,"enemyBudget":1,"chestBudget":0}"#,
            &[Symmetry::R0, Symmetry::R180, Symmetry::M0, Symmetry::M180],
        ),
    ] {
        let count = 4000;
        let found = survey(Family::Floor, config, count, 2);
        let spec = floor::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
        let (mut same, mut mirrored, mut all) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let mut enemies = vec![0; spec.size().cells()];
        for seed in 7..7 + count {
            let floor = floor::generate(Seed::new(seed), &spec).unwrap();
            *same.entry(turned(&floor, Symmetry::R0)).or_insert(0_u64) += 1;
            mirrored.insert(turned(&floor, Symmetry::R0).min(turned(&floor, Symmetry::M0)));
            all.insert(turns.iter().map(|&turn| turned(&floor, turn)).min());
            floor.entities.iter().for_each(|entity| enemies[spec.size().index(entity.pos)] += 1);
        }
        let repeats = found.repeats.unwrap();
        assert_eq!((repeats.maps, repeats.different), (count, same.len() as u64), "{config}");
        assert_eq!((repeats.mirrored, repeats.turned), (mirrored.len() as u64, all.len() as u64));
        assert_eq!(repeats.most, *same.values().max().unwrap());
        assert!(repeats.turned < repeats.mirrored && repeats.mirrored < repeats.different);
        let occupancy = found.occupancy.as_ref().unwrap();
        let enemy = found.planes.iter().position(|plane| plane == "enemy").unwrap();
        assert_eq!((occupancy.plane(enemy), occupancy.floors()), (&enemies[..], count));
    }
}

#[test]
fn large_maps_are_counted_in_groups() {
    let config = r#"{"width":130,"height":70,"walls":"empty"}"#;
    let found = survey(Family::Level, config, 30, 2);
    let occupancy = found.occupancy.as_ref().unwrap();
    assert_eq!((occupancy.group(), occupancy.columns(), occupancy.rows()), ([3, 2], 44, 35));
    let cells: u64 = (0..44 * 35).map(|at| occupancy.cells_at(at)).sum();
    assert_eq!(cells, 130 * 70);
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let mut cars = vec![0; 44 * 35];
    for seed in 7..37 {
        let level = level::generate(Seed::new(seed), &spec).unwrap();
        for pos in level.blueprint.find(Symbol::Car) {
            cars[usize::from(pos.y / 2) * 44 + usize::from(pos.x / 3)] += 1;
        }
    }
    let car = found.planes.iter().position(|plane| plane == "car").unwrap();
    assert_eq!(occupancy.plane(car), cars);
}

#[test]
fn marks_are_asked_for_and_stand_each_on_its_own() {
    let config =
        r#"{"width":24,"height":18,"marks":[{"name":"key","count":2},{"name":"door","cells":[[9,7]]}]}"#;
    let found = survey(Family::Level, config, 200, 2);
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let size = spec.size();
    let mut plain = [vec![0; size.cells()], vec![0; size.cells()]];
    for level in (7..207).filter_map(|seed| level::generate(Seed::new(seed), &spec).ok()) {
        for (plane, cells) in plain.iter_mut().zip(&level.tags.marks) {
            cells.iter().for_each(|&pos| plane[size.index(pos)] += 1);
        }
    }
    let occupancy = found.occupancy.as_ref().unwrap();
    let plane = |name: &str| occupancy.plane(found.planes.iter().position(|plane| plane == name).unwrap());
    assert_eq!([plane("key"), plane("door")], [&plain[0][..], &plain[1][..]]);
    assert!(plane("key").iter().filter(|count| **count > 0).count() > 50);
    let all: Vec<u64> = plain[0].iter().zip(&plain[1]).map(|(key, door)| key + door).collect();
    assert_eq!(plane("mark"), all);
    for (name, asked) in [("count(key)", "2"), ("count(door)", "1")] {
        let metric = found.metric(name).unwrap();
        let (budget, met) = found.budgets.iter().find(|(budget, _)| budget.term == metric.term).unwrap();
        assert_eq!((budget.asked.as_str(), *met), (asked, found.maps), "{name}");
    }
}
