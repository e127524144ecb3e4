//! Metrics against definitions that share no code with them, and the language over them.

use wayforge::Seed;
use wayforge::act::{self, ActConfig, RowsConfig, SpireConfig, WalksConfig};
use wayforge::floor::{self, FloorConfig, TowerConfig};
use wayforge::level::{self, LevelConfig};
use wayforge::metric::{ActMeter, Aim, Catalogue, FloorMeter, LevelMeter, Meter, Query, Term, TowerMeter};

fn term(catalogue: &Catalogue, name: &str) -> Term {
    catalogue.terms().find(|&term| catalogue.name(term) == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn routes_and_kinds_are_those_of_the_routes_module() {
    let tall = WalksConfig { rows: 90, cols: 9, walks: 8, ..WalksConfig::default() };
    for config in [
        ActConfig::default(),
        ActConfig::Walks(tall),
        ActConfig::Rows(RowsConfig::default()),
        ActConfig::Spire(SpireConfig::default()),
        ActConfig::Spire(SpireConfig { act: 4, ..SpireConfig::default() }),
    ] {
        let spec = config.resolve().unwrap();
        let catalogue = Catalogue::of_act(&spec);
        let mut meter = ActMeter::default();
        for seed in 0..60 {
            let map = act::generate(Seed(seed), &spec).unwrap();
            let routes = act::routes(&map);
            let mut read = |name: &str| meter.read(&map, term(&catalogue, name));
            let exact = routes.count(None).to_u128().and_then(|count| i64::try_from(count).ok());
            assert_eq!(read("routes"), exact.unwrap_or(i64::MAX), "seed {seed}");
            for range in routes.kinds(None) {
                let name = &spec.kinds()[usize::from(range.kind.0)].name;
                assert_eq!(read(&format!("min({name})")), i64::from(range.least), "seed {seed}: {name}");
                assert_eq!(read(&format!("max({name})")), i64::from(range.most), "seed {seed}: {name}");
            }
            let leaving = |node: &act::Node| {
                map.edges.iter().filter(|e| (e.row, e.from) == (node.row, node.col)).count()
            };
            let entering = |node: &act::Node| {
                map.edges.iter().filter(|e| (e.row + 1, e.to) == (node.row, node.col)).count()
            };
            assert_eq!(read("splits"), map.nodes.iter().filter(|node| leaving(node) > 1).count() as i64);
            assert_eq!(read("merges"), map.nodes.iter().filter(|node| entering(node) > 1).count() as i64);
            let row = |row: u16| map.nodes.iter().filter(|node| node.row == row).count() as i64;
            let sizes = || (0..spec.rows()).map(row);
            assert_eq!((read("widest"), read("narrowest")), (sizes().max().unwrap(), sizes().min().unwrap()));
            assert_eq!((read("starts"), read("ends")), (row(0), row(spec.rows() - 1)));
        }
    }
}

#[test]
fn every_term_of_every_family_can_be_read() {
    let level = level::generate(Seed(1), &LevelConfig::default().resolve().unwrap()).unwrap();
    let floor = floor::generate(Seed(1), &FloorConfig::default().resolve().unwrap()).unwrap();
    let tower = floor::generate_tower(Seed(1), &TowerConfig::default().resolve().unwrap()).unwrap();
    let all = |catalogue: &Catalogue, read: &mut dyn FnMut(Term) -> i64| {
        let values: Vec<(String, i64)> =
            catalogue.terms().map(|term| (catalogue.name(term), read(term))).collect();
        assert!(values.iter().all(|(_, value)| *value >= 0));
        values
    };
    let values = all(&Catalogue::of_level(), &mut |term| LevelMeter::default().read(&level, term));
    let value = |name: &str| values.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!((value("cells"), value("count(player)"), value("attempts")), (48 * 30, 1, 1));
    assert_eq!(value("walls"), value("count(wall)"));
    assert!(value("detour") >= 1000 && value("path") >= value("shortest"));
    let values = all(&Catalogue::of_floor(), &mut |term| FloorMeter::default().read(&floor, term));
    let value = |name: &str| values.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!((value("count(enemy)"), value("count(chest)"), value("cells")), (3, 1, 25));
    assert_eq!(value("path"), i64::from(floor::validate_floor(&floor).shortest.unwrap()));
    let values = all(&Catalogue::of_tower(), &mut |term| TowerMeter::default().read(&tower, term));
    let value = |name: &str| values.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!(value("floors"), tower.floors.len() as i64);
    assert_eq!(value("path"), tower.floors.iter().map(|floor| floor.path.len() as i64 - 1).sum::<i64>());
    let enemies = |floor: &floor::Floor| floor.count(floor::Budget::Enemy) as i64;
    assert_eq!(value("count(enemy)"), tower.floors.iter().map(enemies).sum::<i64>());
}

#[test]
fn conditions_mean_what_they_say() {
    let spec = ActConfig::default().resolve().unwrap();
    let catalogue = Catalogue::of_act(&spec);
    let map = act::generate(Seed(1), &spec).unwrap();
    let mut meter = ActMeter::default();
    let nodes = map.nodes.len();
    let edges = map.edges.len();
    for (text, expected) in [
        (format!("nodes = {nodes}"), true),
        (format!("nodes != {nodes}"), false),
        (format!("nodes < {nodes} or edges >= {edges}"), true),
        (format!("not (nodes = {nodes})"), false),
        (format!("not nodes = {nodes} or 1 = 1 and 2 = 3"), false),
        (format!("(nodes = 0 or nodes > 0) and edges = {edges}"), true),
        (format!("2 * nodes - nodes = {nodes} * 1"), true),
        (format!("1 + 2 * 3 = 7 and -nodes = 0 - {nodes}"), true),
        ("9_223_372_036_854_775_807 + routes = 9223372036854775807".to_owned(), true),
        ("count( elite )>=0and nodes>0".to_owned(), true),
    ] {
        let query = Query::parse(&text, &catalogue).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(query.holds(&mut meter, &map), expected, "{text}");
    }
    let query = Query::parse("routes > 3 and min(elite) = 0 or routes < 2", &catalogue).unwrap();
    let names: Vec<String> = query.terms().into_iter().map(|term| catalogue.name(term)).collect();
    assert_eq!(names, ["routes", "min(elite)"]);
}

#[test]
fn what_skeletons_tell_is_what_their_maps_tell() {
    let walks = WalksConfig { rows: 12, cols: 5, ..WalksConfig::default() };
    for config in [
        ActConfig::default(),
        ActConfig::Walks(walks),
        ActConfig::Rows(RowsConfig::default()),
        ActConfig::Spire(SpireConfig::default()),
    ] {
        let spec = config.resolve().unwrap();
        let catalogue = Catalogue::of_act(&spec);
        let known: Vec<Term> =
            catalogue.terms().filter(|&term| ActMeter::reads_skeletons(&catalogue, term)).collect();
        assert!(known.len() >= 10);
        let (mut forge, mut meter) = (act::Forge::new(&spec), ActMeter::default());
        for seed in (0..200).map(Seed) {
            let mut early = Vec::new();
            let map = forge.generate_if(seed, |skeleton| {
                early = known.iter().map(|&term| meter.read(skeleton, term)).collect();
                true
            });
            let map = map.unwrap().unwrap();
            assert_eq!(early, known.iter().map(|&term| meter.read(map, term)).collect::<Vec<_>>());
            assert_eq!(*map, act::generate(seed, &spec).unwrap());
            assert_eq!(forge.generate_if(seed, |_| false).unwrap(), None);
        }
    }
}

#[test]
fn a_condition_in_two_holds_where_it_does_in_one() {
    let spec = ActConfig::default().resolve().unwrap();
    let catalogue = Catalogue::of_act(&spec);
    let known = |term| ActMeter::reads_skeletons(&catalogue, term);
    let either = "(routes > 300 and max(shop) > 1) or (routes < 100 and max(shop) > 2)";
    for (text, early, rest) in [
        (
            "routes > 300 and min(elite) = 0 and max(shop) >= 3",
            "routes > 300",
            "min(elite) = 0 and max(shop) >= 3",
        ),
        ("min(elite) = 0 and (nodes > 60 or edges > 75)", "nodes > 60 or edges > 75", "min(elite) = 0"),
        ("routes > 300 and not splits = 3", "routes > 300 and not splits = 3", ""),
        ("routes > 300 or min(elite) = 0", "", "routes > 300 or min(elite) = 0"),
        (either, "routes > 300 or routes < 100", either),
        ("not (routes > 300 and min(elite) = 0)", "", "not (routes > 300 and min(elite) = 0)"),
        ("nodes + count(elite) > 3", "", "nodes + count(elite) > 3"),
        ("dead_ends = 0 and 1 = 1", "1 = 1", "dead_ends = 0"),
        ("1 = 2 or nodes > 55", "1 = 2 or nodes > 55", ""),
    ] {
        let parse = |text: &str| Query::parse(text, &catalogue).unwrap();
        let query = parse(text);
        let parts = query.split(known);
        let wanted = [early, rest].map(|text| (!text.is_empty()).then(|| parse(text)));
        assert_eq!([&parts.0, &parts.1], [&wanted[0], &wanted[1]], "{text}");
        let (mut meter, mut held) = (ActMeter::default(), 0);
        for seed in (0..300).map(Seed) {
            let map = act::generate(seed, &spec).unwrap();
            let mut holds =
                |part: &Option<Query>| part.as_ref().is_none_or(|part| part.holds(&mut meter, &map));
            let in_two = holds(&parts.0) && holds(&parts.1);
            assert_eq!(in_two, query.holds(&mut meter, &map), "{text}: seed {seed}");
            held += u32::from(in_two);
        }
        assert!(held > 0, "{text}: never holds");
    }
}

#[test]
fn mistakes_point_at_their_column() {
    let catalogue = Catalogue::of_act(&ActConfig::default().resolve().unwrap());
    for (text, column, says) in [
        ("", 1, "ends here"),
        ("ruotes > 300", 1, "there is no metric ruotes; there are nodes, edges, routes"),
        ("nodes > 3 and ruotes > 300", 15, "there is no metric ruotes"),
        ("nodes", 1, "compare it"),
        ("nodes > 3 and edges", 15, "compare it"),
        ("min > 3", 1, "min takes a kind, as in min(monster)"),
        ("min(dragon) > 3", 1, "there is no kind dragon; there are monster"),
        ("nodes(elite) > 3", 1, "takes nothing"),
        ("nodes >", 8, "ends here"),
        ("nodes > 3 edges < 4", 11, "not expected"),
        ("1 < nodes < 9", 11, "one comparison at a time"),
        ("(nodes > 3", 11, ") is missing"),
        ("nodes > 3)", 10, "not expected"),
        ("min(elite > 3", 5, ") is missing"),
        ("nodes / 2 > 3", 7, "/ has no meaning"),
        ("nodes > 99999999999999999999", 9, "too large"),
        ("(nodes > 3) + 1 > 2", 1, "a condition where + needs a number"),
        ("nodes and 1 = 1", 1, "a number where and needs a condition"),
        ("and nodes > 1", 1, "stands between"),
        ("not nodes", 5, "a number where not needs"),
    ] {
        let error = Query::parse(text, &catalogue).unwrap_err();
        assert_eq!(error.column, column, "{text:?}: {error}");
        assert!(error.problem.contains(says), "{text:?}: {error}");
    }
    for hostile in ["(".repeat(9_000), "not ".repeat(2_000), "-".repeat(9_000), "1+".repeat(6_000)] {
        assert!(Query::parse(&hostile, &catalogue).is_err());
    }
    for (text, column) in
        [("", 1), ("nodes", 6), ("nodes = ", 9), ("nodes = 3,", 11), ("nodes = 3 edges", 11)]
    {
        assert_eq!(Aim::parse(text, &catalogue).unwrap_err().column, column, "{text:?}");
    }
}
