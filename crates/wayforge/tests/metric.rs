//! Metrics against definitions that share no code with them, and the language over them.

use wayforge::Seed;
use wayforge::act::{self, RowsConfig, SpireConfig, WalksConfig};
use wayforge::floor;
use wayforge::grid::{Dir, Pos, Symmetry};
use wayforge::level;
use wayforge::metric::{
    ActMeter, Aim, Budget, Catalogue, FloorMeter, Forms, Imprint, LevelMeter, Meter, Query, Term, TowerMeter,
};
use wayforge::tower;

fn term(catalogue: &Catalogue, name: &str) -> Term {
    catalogue.terms().find(|&term| catalogue.name(term) == name).unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn routes_and_kinds_are_those_of_the_routes_module() {
    let tall = WalksConfig { rows: 90, cols: 9, walks: 8, ..WalksConfig::default() };
    for config in [
        act::Config::default(),
        act::Config::Walks(tall),
        act::Config::Rows(RowsConfig::default()),
        act::Config::Spire(SpireConfig::default()),
        act::Config::Spire(SpireConfig { act: 4, ..SpireConfig::default() }),
    ] {
        let spec = config.resolve().unwrap();
        let catalogue = Catalogue::of_act(&spec);
        let mut meter = ActMeter::default();
        for seed in 0..60 {
            let map = act::generate(Seed::new(seed), &spec).unwrap();
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
            let dull = |row: u16| !map.nodes.iter().any(|node| node.row == row && leaving(node) > 1);
            let below_top: Vec<bool> = (0..spec.rows() - 1).map(dull).collect();
            let runs = below_top.chunk_by(|a, b| a == b).filter(|run| run[0]);
            assert_eq!(read("corridor"), runs.map(|run| run.len() as i64).max().unwrap_or(0), "seed {seed}");
            // The stretches of routes that start at each node, from the top down.
            let mut stretches: Vec<(act::NodePos, i64)> = Vec::new();
            for node in map.nodes.iter().rev() {
                let next = map.edges.iter().filter(|e| (e.row, e.from) == (node.row, node.col));
                let next: Vec<_> = next.map(|e| act::NodePos { row: e.row + 1, col: e.to }).collect();
                let after = |pos| stretches.iter().find(|(at, _)| *at == pos).map_or(0, |(_, rows)| *rows);
                let rows = if let [only] = next[..] { after(only) + 1 } else { 0 };
                stretches.push((node.pos(), rows));
            }
            let longest = stretches.iter().map(|(_, rows)| *rows).max().unwrap();
            assert_eq!(read("forced"), longest, "seed {seed}");
            let row = |row: u16| map.nodes.iter().filter(|node| node.row == row).count() as i64;
            let sizes = || (0..spec.rows()).map(row);
            assert_eq!((read("widest"), read("narrowest")), (sizes().max().unwrap(), sizes().min().unwrap()));
            assert_eq!((read("starts"), read("ends")), (row(0), row(spec.rows() - 1)));
        }
    }
}

#[test]
fn every_term_of_every_family_can_be_read() {
    let level = level::generate(Seed::new(1), &level::Config::default().resolve().unwrap()).unwrap();
    let floor = floor::generate(Seed::new(1), &floor::Config::default().resolve().unwrap()).unwrap();
    let tower = tower::generate(Seed::new(1), &tower::Config::default().resolve().unwrap()).unwrap();
    let all = |catalogue: &Catalogue, read: &mut dyn FnMut(Term) -> i64| {
        let values: Vec<(String, i64)> =
            catalogue.terms().map(|term| (catalogue.name(term), read(term))).collect();
        assert!(values.iter().all(|(_, value)| *value >= 0));
        values
    };
    let values = all(&Catalogue::of_level(&level.spec), &mut |term| LevelMeter::default().read(&level, term));
    let value = |name: &str| values.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!((value("cells"), value("count(player)"), value("attempts")), (48 * 30, 1, 1));
    assert_eq!(value("walls"), value("count(wall)"));
    assert!(value("detour") >= 1000 && value("path") >= value("shortest"));
    let values = all(&Catalogue::of_floor(), &mut |term| FloorMeter::default().read(&floor, term));
    let value = |name: &str| values.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!((value("count(enemy)"), value("count(chest)"), value("cells")), (3, 1, 25));
    assert_eq!(value("path"), i64::from(floor::compat::validate_floor(&floor).shortest.unwrap()));
    let values = all(&Catalogue::of_tower(), &mut |term| TowerMeter::default().read(&tower, term));
    let value = |name: &str| values.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!(value("floors"), tower.floors.len() as i64);
    assert_eq!(value("path"), tower.floors.iter().map(|floor| floor.path.len() as i64 - 1).sum::<i64>());
    let enemies = |floor: &floor::Floor| floor.count(floor::Budget::Enemy) as i64;
    assert_eq!(value("count(enemy)"), tower.floors.iter().map(enemies).sum::<i64>());
}

#[test]
fn conditions_mean_what_they_say() {
    let spec = act::Config::default().resolve().unwrap();
    let catalogue = Catalogue::of_act(&spec);
    let map = act::generate(Seed::new(1), &spec).unwrap();
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
        act::Config::default(),
        act::Config::Walks(walks),
        act::Config::Rows(RowsConfig::default()),
        act::Config::Spire(SpireConfig::default()),
    ] {
        let spec = config.resolve().unwrap();
        let catalogue = Catalogue::of_act(&spec);
        let known: Vec<Term> =
            catalogue.terms().filter(|&term| ActMeter::reads_unfinished(&catalogue, term)).collect();
        assert!(known.len() >= 10);
        let (mut forge, mut meter) = (act::Generator::new(&spec), ActMeter::default());
        for seed in (0..200).map(Seed::new) {
            let mut early = Vec::new();
            let map = forge.generate_if(seed.clone(), |skeleton| {
                early = known.iter().map(|&term| meter.read(skeleton, term)).collect();
                true
            });
            let map = map.unwrap();
            assert_eq!(early, known.iter().map(|&term| meter.read(map, term)).collect::<Vec<_>>());
            assert_eq!(*map, act::generate(seed.clone(), &spec).unwrap());
            assert_eq!(forge.generate_if(seed, |_| false), None);
        }
    }
}

#[test]
fn a_condition_in_two_holds_where_it_does_in_one() {
    let spec = act::Config::default().resolve().unwrap();
    let catalogue = Catalogue::of_act(&spec);
    let known = |term| ActMeter::reads_unfinished(&catalogue, term);
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
        for seed in (0..300).map(Seed::new) {
            let map = act::generate(seed.clone(), &spec).unwrap();
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
    let catalogue = Catalogue::of_act(&act::Config::default().resolve().unwrap());
    for (text, column, says) in [
        ("", 1, "ends here"),
        (
            "ruotes > 300",
            1,
            "there is no metric ruotes (did you mean routes?); there are nodes, edges, routes",
        ),
        ("nodes > 3 and ruotes > 300", 15, "there is no metric ruotes"),
        ("nodes", 1, "compare it"),
        ("nodes > 3 and edges", 15, "compare it"),
        ("min > 3", 1, "min takes a kind, as in min(monster)"),
        ("min(dragon) > 3", 5, "there is no kind dragon; there are monster"),
        ("nodes(elite) > 3", 1, "takes nothing"),
        ("nodes >", 8, "ends here"),
        ("nodes > 3 edges < 4", 11, "not expected"),
        ("1 < nodes < 9", 11, "one comparison at a time"),
        ("(nodes > 3", 11, ") is missing"),
        ("nodes > 3)", 10, "not expected"),
        ("min(elite > 3", 10, ") is missing"),
        ("nodes > 3 and max( imp ) = 1", 20, "there is no kind imp"),
        ("min() = 0", 5, "min takes a kind"),
        ("nodes == 3", 8, "equal is one ="),
        ("nodes / 2 > 3", 7, "/ has no meaning here; there is no division"),
        ("nodes > 3 && edges > 3", 11, "& has no meaning here; write and"),
        ("nodes > 3 || edges > 3", 11, "write or"),
        ("!(nodes > 3)", 1, "write not"),
        ("nodes ≥ 3", 7, "write >="),
        ("nodes <> 3", 8, "unequal is !="),
        ("nodes > 3.5", 9, "whole numbers"),
        ("Nodes > 3", 1, "did you mean nodes?"),
        ("\"nodes\" > 3", 1, "without quotes"),
        ("max(elites) = 1", 5, "there is no kind elites (did you mean elite?); there"),
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
    // Who writes in capitals is understood.
    let loud = Query::parse("nodes > 3 AND Not edges > 3", &catalogue).unwrap();
    assert_eq!(loud, Query::parse("nodes > 3 and not edges > 3", &catalogue).unwrap());
    for hostile in ["(".repeat(9_000), "not ".repeat(2_000), "-".repeat(9_000), "1+".repeat(6_000)] {
        assert!(Query::parse(&hostile, &catalogue).is_err());
    }
    for (text, column) in [
        ("", 1),
        ("nodes", 6),
        ("nodes = ", 9),
        ("nodes = 3,", 11),
        ("nodes = 3 edges", 11),
        ("nodes = 3, nodes = 4", 20),
    ] {
        assert_eq!(Aim::parse(text, &catalogue).unwrap_err().column, column, "{text:?}");
    }
    for (text, column, says) in [
        ("", 1, "a metric is needed"),
        ("nodes", 6, "a colon between them"),
        ("nodes:ruotes", 7, "there is no metric ruotes (did you mean routes?)"),
        ("nodes:routes, nodes : max( elit )", 28, "there is no kind elit (did you mean elite?)"),
        ("nodes:routes splits:merges", 14, "commas"),
        ("nodes:routes,", 14, "a metric is needed"),
        ("nodes:3", 7, "a metric is needed"),
    ] {
        let error = catalogue.pairs(text).unwrap_err();
        assert_eq!(error.column, column, "{text:?}: {error}");
        assert!(error.problem.contains(says), "{text:?}: {error}");
    }
    let pairs = catalogue.pairs("nodes:max(elite),routes : nodes").unwrap();
    let names = |pair: &[_; 2]| pair.map(|term| catalogue.name(term));
    assert_eq!(pairs.iter().map(names).collect::<Vec<_>>(), [["nodes", "max(elite)"], ["routes", "nodes"]]);
    for (text, column) in
        [("", 1), ("nodes,", 7), ("nodes, ruotes", 8), ("nodes edges", 7), ("nodes, nodes", 8), ("min", 1)]
    {
        assert_eq!(catalogue.list(text).unwrap_err().column, column, "{text:?}");
    }
    let names = catalogue.list("routes, min( elite ),nodes").unwrap();
    let names: Vec<String> = names.into_iter().map(|term| catalogue.name(term)).collect();
    assert_eq!(names, ["routes", "min(elite)", "nodes"]);
}

/// Of two maps that are nearly what is wanted, the one that is exactly so is closer, however large the numbers are.
#[test]
fn only_what_is_exact_has_no_distance() {
    let spec = act::Config::default().resolve().unwrap();
    let catalogue = Catalogue::of_act(&spec);
    let map = act::generate(Seed::new(3), &spec).unwrap();
    let mut meter = ActMeter::default();
    let routes = meter.read(&map, catalogue.parse("routes").unwrap());
    let mut far = |text: &str| Aim::parse(text, &catalogue).unwrap().distance(&mut meter, &map);
    assert_eq!(far(&format!("routes = {routes}")), 0);
    assert_eq!(far(&format!("routes = {}", 2 * routes)), 500_000);
    assert_eq!(far("routes = 0"), 1_000_000 * routes.unsigned_abs());
    assert_eq!(far(&format!("routes = {}", i64::MAX)), 1_000_000);
    let (near, nearer) = (far(&format!("routes = {}", routes + 2)), far(&format!("routes = {}", routes + 1)));
    assert!(0 < nearer && nearer < near, "{nearer} {near}");
}

/// The value of every term on a map, by name.
fn values<M: Meter>(catalogue: &Catalogue, meter: &mut M, map: &M::Map) -> Vec<(String, i64)> {
    catalogue.terms().map(|term| (catalogue.name(term), meter.read(map, term))).collect()
}

#[test]
fn branching_is_the_average_of_plain_counts() {
    let spec = act::Config::default().resolve().unwrap();
    let map = act::generate(Seed::new(3), &spec).unwrap();
    let below: Vec<_> = map.nodes.iter().filter(|node| node.row + 1 < spec.rows()).collect();
    let ways: usize = below
        .iter()
        .map(|node| map.edges.iter().filter(|e| (e.row, e.from) == (node.row, node.col)).count())
        .sum();
    let catalogue = Catalogue::of_act(&spec);
    let read = ActMeter::default().read(&map, term(&catalogue, "branching"));
    assert_eq!(read, (ways * 1000 / below.len()) as i64);
    let tower = tower::generate(Seed::new(3), &tower::Config::default().resolve().unwrap()).unwrap();
    let (mut open, mut links, mut ends, mut straight) = (0, 0, 0, 0);
    for floor in &tower.floors {
        let walkable = |pos: Pos| floor.tile(pos).walkable();
        for pos in floor.size().iter().filter(|&pos| walkable(pos)) {
            let beside = Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, floor.size()));
            let beside = beside.filter(|&to| walkable(to)).count();
            (open, links, ends) = (open + 1, links + beside, ends + usize::from(beside < 2));
        }
        straight += floor.entrance.taxi_distance(floor.exit) as usize;
    }
    let read = values(&Catalogue::of_tower(), &mut TowerMeter::default(), &tower);
    let value = |name: &str| read.iter().find(|(found, _)| found == name).unwrap().1 as usize;
    assert_eq!(value("branching"), links * 1000 / open);
    assert_eq!((value("dead_ends"), value("open")), (ends, open));
    assert_eq!(value("detour"), value("path") * 1000 / straight);
}

/// The digests of a map.
fn forms<M: Meter>(meter: &mut M, map: &M::Map) -> Forms {
    let mut imprint = Imprint::default();
    meter.imprint(map, &mut imprint);
    imprint.forms()
}

#[test]
fn turned_floors_are_recognised_and_others_are_not() {
    let config =
        floor::Config { width: Some(7), height: Some(7), trap_budget: Some(2), ..floor::Config::default() };
    let spec = config.resolve().unwrap();
    let mut seen = Vec::new();
    for seed in 0..50 {
        let floor = floor::generate(Seed::new(seed), &spec).unwrap();
        let plain = forms(&mut FloorMeter::default(), &floor);
        for turn in Symmetry::ALL {
            let size = floor.size();
            let mut turned = floor.clone();
            for pos in size.iter() {
                turned.tiles[size.index(turn.apply(pos, size))] = floor.tile(pos);
            }
            turned.entities.iter_mut().for_each(|entity| entity.pos = turn.apply(entity.pos, size));
            let told = forms(&mut FloorMeter::default(), &turned);
            assert_eq!(told.turned, plain.turned, "{turn:?}");
            assert_eq!(told.same == plain.same, turn == Symmetry::R0);
            assert_eq!(
                told.mirrored == plain.mirrored,
                matches!(turn, Symmetry::R0 | Symmetry::M0),
                "{turn:?}"
            );
        }
        // An enemy on another tile is another floor.
        let mut other = floor.clone();
        let free = free_tile(&other);
        other.entities[0].pos = free;
        assert_ne!(forms(&mut FloorMeter::default(), &other).turned, plain.turned);
        seen.push(plain.turned);
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 45);
}

fn free_tile(floor: &floor::Floor) -> Pos {
    let free = |pos: &Pos| floor.tile(*pos) == floor::TileKind::Floor && floor.entity(*pos).is_none();
    floor.size().iter().find(free).unwrap()
}

#[test]
fn moving_floors_and_edges_turn_with_their_maps() {
    let spec = level::Config { moving_floors: level::Amount::Count(9).into(), ..level::Config::default() };
    let mut level = level::generate(Seed::new(4), &spec.resolve().unwrap()).unwrap();
    level.tags.fall_spawn_cells = Default::default();
    let plain = forms(&mut LevelMeter::default(), &level);
    let size = level.blueprint.size();
    let mut mirrored = level.clone();
    for pos in size.iter() {
        let symbol = match level.blueprint.get(pos) {
            level::Symbol::MovesWest => level::Symbol::MovesEast,
            level::Symbol::MovesEast => level::Symbol::MovesWest,
            other => other,
        };
        mirrored.blueprint.set(Symmetry::M0.apply(pos, size), symbol);
    }
    let told = forms(&mut LevelMeter::default(), &mirrored);
    assert_eq!((told.mirrored, told.turned), (plain.mirrored, plain.turned));
    assert_ne!(told.same, plain.same);
    let moving = size.iter().find(|&pos| level.blueprint.get(pos).moves().is_some()).unwrap();
    let other = if level.blueprint.get(moving) == level::Symbol::MovesNorth { '^' } else { 'v' };
    let turned = if other == '^' { level::Symbol::MovesSouth } else { level::Symbol::MovesNorth };
    let mut changed = level.clone();
    changed.blueprint.set(moving, turned);
    assert_ne!(forms(&mut LevelMeter::default(), &changed).turned, plain.turned);

    let spec = act::Config::default().resolve().unwrap();
    let map = act::generate(Seed::new(4), &spec).unwrap();
    let mut mirror = map.clone();
    let last = spec.cols() - 1;
    mirror.nodes.iter_mut().for_each(|node| node.col = last - node.col);
    mirror.edges.iter_mut().for_each(|edge| (edge.from, edge.to) = (last - edge.from, last - edge.to));
    let (plain, told) = (forms(&mut ActMeter::default(), &map), forms(&mut ActMeter::default(), &mirror));
    assert_eq!((told.mirrored, told.turned), (plain.mirrored, plain.mirrored));
    assert_ne!(told.same, plain.same);
    mirror.edges.pop();
    assert_ne!(forms(&mut ActMeter::default(), &mirror).mirrored, plain.mirrored);
}

#[test]
fn what_is_asked_for_is_what_maps_have() {
    let config = br#"{"pitfalls":"2%","plants":{"amount":3,"zones":[{"x":4,"y":4,"width":6,"height":5,"amount":"40%"}]},
        "moving_floors":7,"players":2,"shoes":3,"exits":["top","left"]}"#;
    let spec = level::Config::from_json(config).unwrap().resolve().unwrap();
    let budgets = Budget::of_level(&spec);
    assert_eq!(budgets.len(), 4 + 1 + 3);
    for seed in 0..40 {
        let level = level::generate(Seed::new(seed), &spec).unwrap();
        for budget in &budgets {
            let placed = LevelMeter::default().read(&level, budget.term);
            assert!(budget.is_met(placed), "seed {seed}: {placed} of {budget:?}");
        }
    }
    let spec = tower::Config::default().resolve().unwrap();
    let budgets = Budget::of_tower(&spec);
    assert!(!budgets.is_empty());
    for seed in 0..10 {
        let tower = tower::generate(Seed::new(seed), &spec).unwrap();
        assert!(budgets.iter().all(|budget| budget.is_met(TowerMeter::default().read(&tower, budget.term))));
    }
    let spec = act::Config::from_json(
        br#"{"kinds":{"boss":"fight","kinds":[{"name":"fight","weight":8},{"name":"shop","map":{"min":2,"max":4},"route":{"max":2}}]}}"#,
    );
    let spec = spec.unwrap().resolve().unwrap();
    let budgets = Budget::of_act(&spec);
    assert_eq!(budgets.len(), 3);
    for seed in 0..20 {
        let map = act::generate(Seed::new(seed), &spec).unwrap();
        assert!(budgets.iter().all(|budget| budget.is_met(ActMeter::default().read(&map, budget.term))));
    }
}

/// Marks with names of every kind: plain, with a dash, and such as symbols, tags and all moving floors have.
const MARKED: &[u8] = br#"{"exits":["top","left"],"marks":[{"name":"key","count":2},{"name":"my-door","cells":[[9,7]]},
    {"name":"exit","count":3},{"name":"mark","count":4},{"name":"moving","count":5},{"name":"reinforced","count":6}]}"#;

#[test]
fn marks_are_counted_by_their_names() {
    let spec = level::Config::from_json(MARKED).unwrap().resolve().unwrap();
    let catalogue = Catalogue::of_level(&spec);
    let names = ["key", "my-door", "mark exit", "mark mark", "mark moving", "mark reinforced"];
    let plain = Catalogue::of_level(&level::Config::default().resolve().unwrap());
    assert_eq!((plain.things().len(), plain.planes().len()), (18 + 1, 18 + 3));
    assert_eq!(catalogue.things(), [plain.things(), &names.map(str::to_owned)].concat());
    assert_eq!(catalogue.planes(), [plain.planes(), &names.map(str::to_owned)].concat());
    let (before, after) = (plain.terms().collect::<Vec<_>>(), catalogue.terms().collect::<Vec<_>>());
    assert_eq!(after[..before.len()], before, "marks come after everything else");

    let counts = "count(key) = 2 and count( my-door )=1 and count(mark exit) = 3 and count(exit) = 2 and count(mark mark) = 4
        and count(mark moving) = 5 and count(moving) = 0 and count(mark reinforced) = 6";
    let query = Query::parse(counts, &catalogue).unwrap();
    let budgets = Budget::of_level(&spec);
    let asked: Vec<_> = budgets.iter().map(|b| (catalogue.name(b.term), b.asked.as_str())).collect();
    let marks: Vec<_> = names.iter().zip(["2", "1", "3", "4", "5", "6"]).collect();
    let marks: Vec<_> = marks.into_iter().map(|(name, asked)| (format!("count({name})"), asked)).collect();
    assert!(asked.ends_with(&marks) && asked.contains(&("count(exit)".to_owned(), "2")), "{asked:?}");
    let mut meter = LevelMeter::default();
    for seed in 0..20 {
        let mut level = level::generate(Seed::new(seed), &spec).unwrap();
        assert!(query.holds(&mut meter, &level), "seed {seed}");
        assert!(budgets.iter().all(|budget| budget.is_met(meter.read(&level, budget.term))), "seed {seed}");
        level.tags.marks[0].pop();
        let missed: Vec<_> = budgets.iter().filter(|b| !b.is_met(meter.read(&level, b.term))).collect();
        assert_eq!(missed.iter().map(|b| catalogue.name(b.term)).collect::<Vec<_>>(), ["count(key)"]);
        level.tags.marks.clear();
        assert_eq!(meter.read(&level, term(&catalogue, "count(mark reinforced)")), 0);
    }
    let error = Query::parse("count(my-dor) = 1", &catalogue).unwrap_err();
    assert!(error.problem.starts_with("there is no symbol my-dor (did you mean my-door?)"), "{error}");
    assert!(Query::parse("count(key) = 1", &plain).is_err());
}

#[test]
fn every_mark_lies_on_a_plane_of_its_own_and_on_that_of_all() {
    let spec = level::Config::from_json(MARKED).unwrap().resolve().unwrap();
    let planes = Catalogue::of_level(&spec).planes().to_vec();
    let mut level = level::generate(Seed::new(3), &spec).unwrap();
    let on = |level: &level::Level, plane: &str| {
        let (mut imprint, at) = (Imprint::default(), planes.iter().position(|known| known == plane).unwrap());
        LevelMeter::default().imprint(level, &mut imprint);
        assert!(imprint.spots().iter().all(|spot| usize::from(spot.plane.unwrap()) < planes.len()));
        let spots = imprint.spots().iter().filter(|spot| spot.plane == Some(at as u16));
        spots.map(|spot| spot.at).collect::<Vec<Pos>>()
    };
    for (mark, name) in [(0, "key"), (1, "my-door"), (2, "mark exit"), (5, "mark reinforced")] {
        assert_eq!(on(&level, name), level.tags.marks[mark], "{name}");
    }
    assert_eq!(on(&level, "my-door"), [Pos { x: 9, y: 7 }]);
    assert_eq!(on(&level, "mark"), level.tags.marks.concat());
    assert_eq!(on(&level, "exit").len(), 2);
    // The same cells under other names are another level, however it is turned.
    let plain = forms(&mut LevelMeter::default(), &level);
    let mut swapped = level.clone();
    (swapped.tags.marks[0][0], swapped.tags.marks[2][0]) = (level.tags.marks[2][0], level.tags.marks[0][0]);
    assert_ne!(forms(&mut LevelMeter::default(), &swapped).turned, plain.turned);
    // A mark that the stage does not have lies on no plane.
    level.tags.marks.push(vec![Pos { x: 5, y: 5 }]);
    assert_eq!(forms(&mut LevelMeter::default(), &level), plain);
    assert_eq!(on(&level, "mark").len(), 2 + 1 + 3 + 4 + 5 + 6);
}

#[test]
fn forges_tell_what_their_refused_attempts_broke() {
    let config = br#"{"walls":"maze","interior_walls":"solid","repair":false,"pitfalls":"30%"}"#;
    let mut forge = level::Generator::new(&level::Config::from_json(config).unwrap().resolve().unwrap());
    let mut refused = 0;
    for seed in 0..30 {
        match forge.generate(Seed::new(seed)).map(|level| level.attempt.index) {
            Ok(index) => assert_eq!(forge.rejected().len(), index as usize),
            Err(error) => assert_eq!(forge.rejected(), error.attempts),
        }
        assert_eq!(forge.repaired_rule(), None);
        refused += forge.rejected().len();
    }
    assert!(refused > 30, "{refused}");
    let config = br#"{"walls":"maze","interior_walls":"solid","pitfalls":"30%"}"#;
    let mut forge = level::Generator::new(&level::Config::from_json(config).unwrap().resolve().unwrap());
    let mut mended = 0;
    for seed in 0..60 {
        let Ok(level) = forge.generate(Seed::new(seed)) else { continue };
        let repaired = !level.attempt.repaired.is_empty();
        assert_eq!(forge.repaired_rule().is_some(), repaired);
        mended += usize::from(repaired);
    }
    assert!(mended > 0);
    let spec =
        floor::Config::from_json(br#"{"minPathLength":14,"enemyBudget":3}"#).unwrap().resolve().unwrap();
    let mut forge = floor::Generator::new(&spec);
    let mut missed = 0;
    for seed in 0..50 {
        let attempts = match forge.generate(Seed::new(seed)).unwrap().origin {
            floor::Origin::Carve { attempt } => attempt,
            floor::Origin::Safe { attempts } => attempts,
            _ => 0,
        };
        let told: u32 = forge.missed().map(|missed| missed.attempts).sum();
        assert_eq!(told, attempts);
        missed += told;
    }
    assert!(missed > 50, "{missed}");
    let config = br#"{"floors":3,"floor":{"minPathLength":13},"templates":[],"curves":[],"boss":null}"#;
    let spec = tower::Config::from_json(config).unwrap().resolve().unwrap();
    let mut floors = tower::Floors::new(Seed::new(5), &spec);
    let attempts: i64 = floors
        .by_ref()
        .map(|floor| match floor.unwrap().origin {
            floor::Origin::Carve { attempt } => i64::from(attempt),
            floor::Origin::Safe { attempts } => i64::from(attempts),
            _ => 0,
        })
        .sum();
    assert_eq!(floors.missed().map(|missed| i64::from(missed.attempts)).sum::<i64>(), attempts);
}
