//! Metrics compared with independent definitions, and the expression language over them.

use wayforge::Seed;
use wayforge::act::{self, RowsConfig, SpireConfig, WalksConfig};
use wayforge::floor;
use wayforge::grid::{Dir, Pos, Symmetry};
use wayforge::level;
use wayforge::metric::{
    ActMeter, Catalogue, FloorMeter, LevelMeter, Measure, Meter, MetricTargets, Placements, Query,
    SymmetryDigests, Term, TowerMeter,
};
use wayforge::tower;

fn term(catalogue: &Catalogue, name: &str) -> Term {
    catalogue
        .terms()
        .find(|&term| catalogue.name(term) == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

/// Template floors may be larger than the first floor.
#[test]
fn placements_of_towers_contain_every_cell_of_larger_template_floors() {
    let config = br#"{"floors":2,"curves":[],"boss":null,
        "templates":[{"every":2,"template":"rest"}],
        "floor":{"width":3,"height":3,"enemyBudget":0,"chestBudget":0,"itemBudget":0,
                 "minPathLength":1}}"#;
    let spec = tower::Config::from_json(config).unwrap().resolve().unwrap();
    let tower = tower::generate(Seed::new(1), &spec).unwrap();
    assert_ne!(tower.floors[0].size(), tower.floors[1].size());
    let mut placements = Placements::default();
    TowerMeter::default().collect_placements(&tower, &mut placements);
    let cells = tower.floors.iter().map(|floor| floor.tiles.len() + floor.entities.len());
    assert_eq!(placements.as_slice().len(), cells.sum::<usize>());
}

#[test]
fn act_metrics_agree_with_the_routes_module_and_plain_counts() {
    let tall = WalksConfig { rows: 90, cols: 9, walks: 8, ..WalksConfig::default() };
    for config in [
        act::Config::default(),
        act::Config::Walks(tall),
        act::Config::Rows(RowsConfig::default()),
        act::Config::Spire(SpireConfig::default()),
        act::Config::Spire(SpireConfig { act: 4, ..SpireConfig::default() }),
    ] {
        let spec = config.resolve().unwrap();
        let catalogue = act::ActMap::catalogue(&spec);
        let mut meter = ActMeter::default();
        for seed in 0..60 {
            let map = act::generate(Seed::new(seed), &spec).unwrap();
            let routes = act::routes(&map);
            let mut read = |name: &str| meter.read(&map, term(&catalogue, name));
            let exact = routes.count(None).to_u128().and_then(|count| i64::try_from(count).ok());
            assert_eq!(read("routes"), exact.unwrap_or(i64::MAX), "seed {seed}");
            for range in routes.kind_ranges(None) {
                let name = &spec.kinds()[usize::from(range.kind.0)].name;
                assert_eq!(
                    read(&format!("min({name})")),
                    i64::from(range.min),
                    "seed {seed}: {name}"
                );
                assert_eq!(
                    read(&format!("max({name})")),
                    i64::from(range.max),
                    "seed {seed}: {name}"
                );
            }
            let outgoing = |node: &act::Node| {
                map.edges.iter().filter(|e| (e.row, e.from) == (node.row, node.col)).count()
            };
            let incoming = |node: &act::Node| {
                map.edges.iter().filter(|e| (e.row + 1, e.to) == (node.row, node.col)).count()
            };
            assert_eq!(
                read("splits"),
                map.nodes.iter().filter(|node| outgoing(node) > 1).count() as i64
            );
            assert_eq!(
                read("merges"),
                map.nodes.iter().filter(|node| incoming(node) > 1).count() as i64
            );
            let no_split =
                |row: u16| !map.nodes.iter().any(|node| node.row == row && outgoing(node) > 1);
            let below_top: Vec<bool> = (0..spec.rows() - 1).map(no_split).collect();
            let runs = below_top.chunk_by(|a, b| a == b).filter(|run| run[0]);
            assert_eq!(
                read("corridor"),
                runs.map(|run| run.len() as i64).max().unwrap_or(0),
                "seed {seed}"
            );
            // Longest stretch without a choice that starts at each node, from the top row down.
            let mut stretches: Vec<(act::NodePos, i64)> = Vec::new();
            for node in map.nodes.iter().rev() {
                let next = map.edges.iter().filter(|e| (e.row, e.from) == (node.row, node.col));
                let next: Vec<_> =
                    next.map(|e| act::NodePos { row: e.row + 1, col: e.to }).collect();
                let after =
                    |pos| stretches.iter().find(|(at, _)| *at == pos).map_or(0, |(_, rows)| *rows);
                let rows = if let [only] = next[..] { after(only) + 1 } else { 0 };
                stretches.push((node.pos(), rows));
            }
            let longest = stretches.iter().map(|(_, rows)| *rows).max().unwrap();
            assert_eq!(read("forced"), longest, "seed {seed}");
            let row = |row: u16| map.nodes.iter().filter(|node| node.row == row).count() as i64;
            let sizes = || (0..spec.rows()).map(row);
            assert_eq!(
                (read("widest"), read("narrowest")),
                (sizes().max().unwrap(), sizes().min().unwrap())
            );
            assert_eq!((read("starts"), read("ends")), (row(0), row(spec.rows() - 1)));
        }
    }
}

#[test]
fn every_metric_of_every_family_can_be_read() {
    let level =
        level::generate(Seed::new(1), &level::Config::default().resolve().unwrap()).unwrap();
    let floor =
        floor::generate(Seed::new(1), &floor::Config::default().resolve().unwrap()).unwrap();
    let tower =
        tower::generate(Seed::new(1), &tower::Config::default().resolve().unwrap()).unwrap();
    let all = |catalogue: &Catalogue, read: &mut dyn FnMut(Term) -> i64| {
        let values: Vec<(String, i64)> =
            catalogue.terms().map(|term| (catalogue.name(term), read(term))).collect();
        assert!(values.iter().all(|(_, value)| *value >= 0));
        values
    };
    let values = all(&level::Level::catalogue(&level.spec), &mut |term| {
        LevelMeter::default().read(&level, term)
    });
    let value = |name: &str| values.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!((value("cells"), value("count(player)"), value("attempts")), (48 * 30, 1, 1));
    assert_eq!(value("walls"), value("count(wall)"));
    assert!(value("detour") >= 1000 && value("path") >= value("shortest"));
    let values = all(&floor::Floor::catalogue(&floor.spec), &mut |term| {
        FloorMeter::default().read(&floor, term)
    });
    let value = |name: &str| values.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!((value("count(enemy)"), value("count(chest)"), value("cells")), (3, 1, 25));
    assert_eq!(
        value("path"),
        i64::from(floor::compat::validate_floor(&floor).shortest_path.unwrap())
    );
    let values = all(&tower::Tower::catalogue(&tower.spec), &mut |term| {
        TowerMeter::default().read(&tower, term)
    });
    let value = |name: &str| values.iter().find(|(found, _)| found == name).unwrap().1;
    assert_eq!(value("floors"), tower.floors.len() as i64);
    assert_eq!(
        value("path"),
        tower.floors.iter().map(|floor| floor.path.len() as i64 - 1).sum::<i64>()
    );
    let enemies = |floor: &floor::Floor| floor.count(floor::Budget::Enemy) as i64;
    assert_eq!(value("count(enemy)"), tower.floors.iter().map(enemies).sum::<i64>());
}

#[test]
fn conditions_evaluate_with_the_usual_precedence() {
    let spec = act::Config::default().resolve().unwrap();
    let catalogue = act::ActMap::catalogue(&spec);
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
        let query =
            Query::parse(&text, &catalogue).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(query.matches(&mut meter, &map), expected, "{text}");
    }
    let query = Query::parse("routes > 3 and min(elite) = 0 or routes < 2", &catalogue).unwrap();
    let names: Vec<String> = query.terms().into_iter().map(|term| catalogue.name(term)).collect();
    assert_eq!(names, ["routes", "min(elite)"]);
}

#[test]
fn term_of_another_family_reads_0() {
    let spec = floor::Config::default().resolve().unwrap();
    let floor = floor::generate(1.into(), &spec).unwrap();
    let acts = act::ActMap::catalogue(&act::Config::default().resolve().unwrap());
    // Floors count enemies with their last metric. Act maps have more metrics.
    let enemy = floor::Budget::Enemy as usize;
    let foreign = term(&acts, &format!("max({})", acts.arguments()[enemy]));
    assert!(foreign > term(&floor::Floor::catalogue(&spec), "count(enemy)"));
    assert_eq!(FloorMeter::default().read(&floor, foreign), 0);
}

#[test]
fn early_metrics_are_equal_on_skeleton_and_map() {
    let walks = WalksConfig { rows: 12, cols: 5, ..WalksConfig::default() };
    for config in [
        act::Config::default(),
        act::Config::Walks(walks),
        act::Config::Rows(RowsConfig::default()),
        act::Config::Spire(SpireConfig::default()),
    ] {
        let spec = config.resolve().unwrap();
        let catalogue = act::ActMap::catalogue(&spec);
        let known: Vec<Term> =
            catalogue.terms().filter(|&term| catalogue.metric(term).is_early).collect();
        assert!(known.len() >= 10);
        let (mut generator, mut meter) = (act::Generator::new(&spec), ActMeter::default());
        for seed in (0..200).map(Seed::new) {
            let mut early = Vec::new();
            let map = generator.generate_if(seed.clone(), |skeleton| {
                early = known.iter().map(|&term| meter.read(skeleton, term)).collect();
                true
            });
            let map = map.unwrap();
            assert_eq!(early, known.iter().map(|&term| meter.read(map, term)).collect::<Vec<_>>());
            assert_eq!(*map, act::generate(seed.clone(), &spec).unwrap());
            assert_eq!(generator.generate_if(seed, |_| false), None);
        }
    }
}

#[test]
fn split_conditions_are_equivalent_to_the_whole() {
    let spec = act::Config::default().resolve().unwrap();
    let catalogue = act::ActMap::catalogue(&spec);
    let known = |term| catalogue.metric(term).is_early;
    let either = "(routes > 300 and max(shop) > 1) or (routes < 100 and max(shop) > 2)";
    for (text, early, rest) in [
        (
            "routes > 300 and min(elite) = 0 and max(shop) >= 3",
            "routes > 300",
            "min(elite) = 0 and max(shop) >= 3",
        ),
        (
            "min(elite) = 0 and (nodes > 60 or edges > 75)",
            "nodes > 60 or edges > 75",
            "min(elite) = 0",
        ),
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
        let expected = [early, rest].map(|text| (!text.is_empty()).then(|| parse(text)));
        assert_eq!([&parts.0, &parts.1], [&expected[0], &expected[1]], "{text}");
        let (mut meter, mut satisfied) = (ActMeter::default(), 0);
        for seed in (0..300).map(Seed::new) {
            let map = act::generate(seed.clone(), &spec).unwrap();
            let mut matches = |part: &Option<Query>| {
                part.as_ref().is_none_or(|part| part.matches(&mut meter, &map))
            };
            let in_parts = matches(&parts.0) && matches(&parts.1);
            assert_eq!(in_parts, query.matches(&mut meter, &map), "{text}: seed {seed}");
            satisfied += u32::from(in_parts);
        }
        assert!(satisfied > 0, "{text}: never satisfied");
    }
}

#[test]
fn syntax_errors_report_their_column() {
    let catalogue = act::ActMap::catalogue(&act::Config::default().resolve().unwrap());
    for (text, column, expected) in [
        ("", 1, "unexpected end"),
        (
            "ruotes > 300",
            1,
            "unknown metric ruotes (did you mean routes?); known: nodes, edges, routes",
        ),
        ("nodes > 3 and ruotes > 300", 15, "unknown metric ruotes"),
        ("nodes", 1, "compare it"),
        ("nodes > 3 and edges", 15, "compare it"),
        ("min > 3", 1, "min needs a kind, as in min(monster)"),
        ("min(dragon) > 3", 5, "unknown kind dragon; known: monster"),
        ("nodes(elite) > 3", 1, "takes no argument"),
        ("nodes >", 8, "unexpected end"),
        ("nodes > 3 edges < 4", 11, "unexpected"),
        ("1 < nodes < 9", 11, "comparisons cannot be chained"),
        ("(nodes > 3", 11, ") is missing"),
        ("nodes > 3)", 10, "unexpected"),
        ("min(elite > 3", 10, ") is missing"),
        ("nodes > 3 and max( imp ) = 1", 20, "unknown kind imp"),
        ("min() = 0", 5, "min needs a kind"),
        ("nodes == 3", 8, "equal is written with one ="),
        ("nodes / 2 > 3", 7, "unknown character /; there is no division"),
        ("nodes > 3 && edges > 3", 11, "unknown character &; write \"and\""),
        ("nodes > 3 || edges > 3", 11, "write \"or\""),
        ("!(nodes > 3)", 1, "write \"not\""),
        ("nodes ≥ 3", 7, "write >="),
        ("nodes <> 3", 8, "not equal is written !="),
        ("nodes > 3.5", 9, "whole numbers"),
        ("Nodes > 3", 1, "did you mean nodes?"),
        ("\"nodes\" > 3", 1, "without quotes"),
        ("max(elites) = 1", 5, "unknown kind elites (did you mean elite?); known"),
        ("nodes > 99999999999999999999", 9, "too large"),
        ("(nodes > 3) + 1 > 2", 1, "a condition where \"+\" needs a number"),
        ("nodes and 1 = 1", 1, "a number where \"and\" needs a condition"),
        ("and nodes > 1", 1, "\"and\" is an operator"),
        ("not nodes", 5, "a number where \"not\" needs"),
    ] {
        let error = Query::parse(text, &catalogue).unwrap_err();
        assert_eq!(error.column, column, "{text:?}: {error}");
        assert!(error.problem.contains(expected), "{text:?}: {error}");
    }
    // Operators are case-insensitive.
    let capitals = Query::parse("nodes > 3 AND Not edges > 3", &catalogue).unwrap();
    assert_eq!(capitals, Query::parse("nodes > 3 and not edges > 3", &catalogue).unwrap());
    for hostile in ["(".repeat(9_000), "not ".repeat(2_000), "-".repeat(9_000), "1+".repeat(6_000)]
    {
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
        assert_eq!(MetricTargets::parse(text, &catalogue).unwrap_err().column, column, "{text:?}");
    }
    for (text, column, expected) in [
        ("", 1, "a metric is needed"),
        ("nodes", 6, "a colon between them"),
        ("nodes:ruotes", 7, "unknown metric ruotes (did you mean routes?)"),
        ("nodes:routes, nodes : max( elit )", 28, "unknown kind elit (did you mean elite?)"),
        ("nodes:routes splits:merges", 14, "commas"),
        ("nodes:routes,", 14, "a metric is needed"),
        ("nodes:3", 7, "a metric is needed"),
    ] {
        let error = catalogue.parse_pairs(text).unwrap_err();
        assert_eq!(error.column, column, "{text:?}: {error}");
        assert!(error.problem.contains(expected), "{text:?}: {error}");
    }
    let pairs = catalogue.parse_pairs("nodes:max(elite),routes : nodes").unwrap();
    let names = |pair: &[_; 2]| pair.map(|term| catalogue.name(term));
    assert_eq!(
        pairs.iter().map(names).collect::<Vec<_>>(),
        [["nodes", "max(elite)"], ["routes", "nodes"]]
    );
    for (text, column) in [
        ("", 1),
        ("nodes,", 7),
        ("nodes, ruotes", 8),
        ("nodes edges", 7),
        ("nodes, nodes", 8),
        ("min", 1),
    ] {
        assert_eq!(catalogue.parse_list(text).unwrap_err().column, column, "{text:?}");
    }
    let names = catalogue.parse_list("routes, min( elite ),nodes").unwrap();
    let names: Vec<String> = names.into_iter().map(|term| catalogue.name(term)).collect();
    assert_eq!(names, ["routes", "min(elite)", "nodes"]);
}

/// Rounding up keeps the distance above 0 unless the value is exact, for targets of any size.
#[test]
fn distance_is_zero_only_for_exact_values() {
    let spec = act::Config::default().resolve().unwrap();
    let catalogue = act::ActMap::catalogue(&spec);
    let map = act::generate(Seed::new(3), &spec).unwrap();
    let mut meter = ActMeter::default();
    let routes = meter.read(&map, catalogue.parse("routes").unwrap());
    let mut distance =
        |text: &str| MetricTargets::parse(text, &catalogue).unwrap().distance(&mut meter, &map);
    assert_eq!(distance(&format!("routes = {routes}")), 0);
    assert_eq!(distance(&format!("routes = {}", 2 * routes)), 500_000);
    assert_eq!(distance("routes = 0"), 1_000_000 * routes.unsigned_abs());
    assert_eq!(distance(&format!("routes = {}", i64::MAX)), 1_000_000);
    let [one_off, two_off] =
        [1, 2].map(|difference| distance(&format!("routes = {}", routes + difference)));
    assert!(0 < one_off && one_off < two_off, "{one_off} {two_off}");
}

/// Returns the value of every term for a map, by name.
fn values<M: Meter>(catalogue: &Catalogue, meter: &mut M, map: &M::Map) -> Vec<(String, i64)> {
    catalogue.terms().map(|term| (catalogue.name(term), meter.read(map, term))).collect()
}

#[test]
fn branching_is_the_mean_of_independent_counts() {
    let spec = act::Config::default().resolve().unwrap();
    let map = act::generate(Seed::new(3), &spec).unwrap();
    let below: Vec<_> = map.nodes.iter().filter(|node| node.row + 1 < spec.rows()).collect();
    let outgoing: usize = below
        .iter()
        .map(|node| map.edges.iter().filter(|e| (e.row, e.from) == (node.row, node.col)).count())
        .sum();
    let catalogue = act::ActMap::catalogue(&spec);
    let read = ActMeter::default().read(&map, term(&catalogue, "branching"));
    assert_eq!(read, (outgoing * 1000 / below.len()) as i64);
    let tower =
        tower::generate(Seed::new(3), &tower::Config::default().resolve().unwrap()).unwrap();
    let (mut open, mut links, mut dead_ends, mut straight) = (0, 0, 0, 0);
    for floor in &tower.floors {
        let walkable = |pos: Pos| floor.tile(pos).is_walkable();
        for pos in floor.size().iter().filter(|&pos| walkable(pos)) {
            let neighbours =
                Dir::STRAIGHT.into_iter().filter_map(|dir| pos.step(dir, floor.size()));
            let neighbours = neighbours.filter(|&to| walkable(to)).count();
            (open, links, dead_ends) =
                (open + 1, links + neighbours, dead_ends + usize::from(neighbours < 2));
        }
        straight += floor.entrance.manhattan_distance(floor.exit) as usize;
    }
    let read = values(&tower::Tower::catalogue(&tower.spec), &mut TowerMeter::default(), &tower);
    let value = |name: &str| read.iter().find(|(found, _)| found == name).unwrap().1 as usize;
    assert_eq!(value("branching"), links * 1000 / open);
    assert_eq!((value("dead_ends"), value("open")), (dead_ends, open));
    assert_eq!(value("detour"), value("path") * 1000 / straight);
}

/// Returns the digests of a map.
fn digests<M: Meter>(meter: &mut M, map: &M::Map) -> SymmetryDigests {
    let mut placements = Placements::default();
    meter.collect_placements(map, &mut placements);
    placements.symmetry_digests()
}

#[test]
fn rotated_floors_share_a_digest_and_other_floors_do_not() {
    let config = floor::Config {
        width: Some(7),
        height: Some(7),
        trap_budget: Some(2),
        ..floor::Config::default()
    };
    let spec = config.resolve().unwrap();
    let mut seen = Vec::new();
    for seed in 0..50 {
        let floor = floor::generate(Seed::new(seed), &spec).unwrap();
        let plain = digests(&mut FloorMeter::default(), &floor);
        for symmetry in Symmetry::ALL {
            let size = floor.size();
            let mut transformed = floor.clone();
            for pos in size.iter() {
                transformed.tiles[size.index(symmetry.apply(pos, size))] = floor.tile(pos);
            }
            transformed
                .entities
                .iter_mut()
                .for_each(|entity| entity.pos = symmetry.apply(entity.pos, size));
            let image = digests(&mut FloorMeter::default(), &transformed);
            assert_eq!(image.rotated, plain.rotated, "{symmetry:?}");
            assert_eq!(image.exact == plain.exact, symmetry == Symmetry::R0);
            assert_eq!(
                image.mirrored == plain.mirrored,
                matches!(symmetry, Symmetry::R0 | Symmetry::M0),
                "{symmetry:?}"
            );
        }
        // Moving an enemy changes the digest.
        let mut other = floor.clone();
        let free = free_tile(&other);
        other.entities[0].pos = free;
        assert_ne!(digests(&mut FloorMeter::default(), &other).rotated, plain.rotated);
        seen.push(plain.rotated);
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() > 45);
}

fn free_tile(floor: &floor::Floor) -> Pos {
    let free =
        |pos: &Pos| floor.tile(*pos) == floor::TileKind::Floor && floor.entity(*pos).is_none();
    floor.size().iter().find(free).unwrap()
}

#[test]
fn mirrored_maps_share_a_digest_and_changed_maps_do_not() {
    let config =
        level::Config { moving_floors: level::Amount::Count(9).into(), ..level::Config::default() };
    let mut level = level::generate(Seed::new(4), &config.resolve().unwrap()).unwrap();
    level.tags.fall_spawn_cells = Default::default();
    let plain = digests(&mut LevelMeter::default(), &level);
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
    let image = digests(&mut LevelMeter::default(), &mirrored);
    assert_eq!((image.mirrored, image.rotated), (plain.mirrored, plain.rotated));
    assert_ne!(image.exact, plain.exact);
    let moving =
        size.iter().find(|&pos| level.blueprint.get(pos).move_direction().is_some()).unwrap();
    let is_north = level.blueprint.get(moving) == level::Symbol::MovesNorth;
    let opposite = if is_north { level::Symbol::MovesSouth } else { level::Symbol::MovesNorth };
    let mut changed = level.clone();
    changed.blueprint.set(moving, opposite);
    assert_ne!(digests(&mut LevelMeter::default(), &changed).rotated, plain.rotated);

    let spec = act::Config::default().resolve().unwrap();
    let map = act::generate(Seed::new(4), &spec).unwrap();
    let mut mirror = map.clone();
    let last = spec.cols() - 1;
    mirror.nodes.iter_mut().for_each(|node| node.col = last - node.col);
    mirror
        .edges
        .iter_mut()
        .for_each(|edge| (edge.from, edge.to) = (last - edge.from, last - edge.to));
    let (plain, image) =
        (digests(&mut ActMeter::default(), &map), digests(&mut ActMeter::default(), &mirror));
    assert_eq!((image.mirrored, image.rotated), (plain.mirrored, plain.mirrored));
    assert_ne!(image.exact, plain.exact);
    mirror.edges.pop();
    assert_ne!(digests(&mut ActMeter::default(), &mirror).mirrored, plain.mirrored);
}

#[test]
fn generated_maps_satisfy_their_budgets() {
    let config = br#"{"pitfalls":"2%",
        "plants":{"amount":3,"zones":[{"x":4,"y":4,"width":6,"height":5,"amount":"40%"}]},
        "moving_floors":7,"players":2,"shoes":3,"exits":["top","left"]}"#;
    let spec = level::Config::from_json(config).unwrap().resolve().unwrap();
    let budgets = level::Level::budgets(&spec);
    assert_eq!(budgets.len(), 4 + 1 + 3);
    for seed in 0..40 {
        let level = level::generate(Seed::new(seed), &spec).unwrap();
        for budget in &budgets {
            let placed = LevelMeter::default().read(&level, budget.term);
            assert!(budget.is_satisfied_by(placed), "seed {seed}: {placed} of {budget:?}");
        }
    }
    let spec = tower::Config::default().resolve().unwrap();
    let budgets = tower::Tower::budgets(&spec);
    assert!(!budgets.is_empty());
    for seed in 0..10 {
        let tower = tower::generate(Seed::new(seed), &spec).unwrap();
        assert!(
            budgets
                .iter()
                .all(|budget| budget
                    .is_satisfied_by(TowerMeter::default().read(&tower, budget.term)))
        );
    }
    let spec = act::Config::from_json(
        br#"{"kinds":{"boss":"fight","kinds":[{"name":"fight","weight":8},
            {"name":"shop","map":{"min":2,"max":4},"route":{"max":2}}]}}"#,
    );
    let spec = spec.unwrap().resolve().unwrap();
    let budgets = act::ActMap::budgets(&spec);
    assert_eq!(budgets.len(), 3);
    for seed in 0..20 {
        let map = act::generate(Seed::new(seed), &spec).unwrap();
        assert!(
            budgets
                .iter()
                .all(|budget| budget.is_satisfied_by(ActMeter::default().read(&map, budget.term)))
        );
    }
}

/// Marks with plain names, with a dash, and with the names of a symbol, tags and `moving`.
const MARKED: &[u8] = br#"{"exits":["top","left"],"marks":[
    {"name":"key","count":2},{"name":"my-door","cells":[[9,7]]},{"name":"exit","count":3},
    {"name":"mark","count":4},{"name":"moving","count":5},{"name":"reinforced","count":6}]}"#;

#[test]
fn marks_are_counted_by_their_names() {
    let spec = level::Config::from_json(MARKED).unwrap().resolve().unwrap();
    let catalogue = level::Level::catalogue(&spec);
    let names = ["key", "my-door", "mark exit", "mark mark", "mark moving", "mark reinforced"];
    let plain = level::Level::catalogue(&level::Config::default().resolve().unwrap());
    assert_eq!((plain.arguments().len(), plain.planes().len()), (18 + 1, 18 + 3));
    assert_eq!(catalogue.arguments(), [plain.arguments(), &names.map(str::to_owned)].concat());
    assert_eq!(catalogue.planes(), [plain.planes(), &names.map(str::to_owned)].concat());
    let (before, after) =
        (plain.terms().collect::<Vec<_>>(), catalogue.terms().collect::<Vec<_>>());
    assert_eq!(after[..before.len()], before, "marks come last");

    let counts = "count(key) = 2 and count( my-door )=1 and count(mark exit) = 3
        and count(exit) = 2 and count(mark mark) = 4 and count(mark moving) = 5
        and count(moving) = 0 and count(mark reinforced) = 6";
    let query = Query::parse(counts, &catalogue).unwrap();
    let budgets = level::Level::budgets(&spec);
    let requested: Vec<_> =
        budgets.iter().map(|b| (catalogue.name(b.term), b.requested.as_str())).collect();
    let marks: Vec<_> = names.iter().zip(["2", "1", "3", "4", "5", "6"]).collect();
    let marks: Vec<_> =
        marks.into_iter().map(|(name, requested)| (format!("count({name})"), requested)).collect();
    assert!(
        requested.ends_with(&marks) && requested.contains(&("count(exit)".to_owned(), "2")),
        "{requested:?}"
    );
    let mut meter = LevelMeter::default();
    for seed in 0..20 {
        let mut level = level::generate(Seed::new(seed), &spec).unwrap();
        assert!(query.matches(&mut meter, &level), "seed {seed}");
        assert!(
            budgets.iter().all(|budget| budget.is_satisfied_by(meter.read(&level, budget.term))),
            "seed {seed}"
        );
        level.tags.marks[0].pop();
        let missed: Vec<_> =
            budgets.iter().filter(|b| !b.is_satisfied_by(meter.read(&level, b.term))).collect();
        assert_eq!(
            missed.iter().map(|b| catalogue.name(b.term)).collect::<Vec<_>>(),
            ["count(key)"]
        );
        level.tags.marks.clear();
        assert_eq!(meter.read(&level, term(&catalogue, "count(mark reinforced)")), 0);
    }
    let error = Query::parse("count(my-dor) = 1", &catalogue).unwrap_err();
    assert!(error.problem.starts_with("unknown symbol my-dor (did you mean my-door?)"), "{error}");
    assert!(Query::parse("count(key) = 1", &plain).is_err());
}

#[test]
fn every_mark_is_on_its_own_plane_and_on_the_plane_of_all_marks() {
    let spec = level::Config::from_json(MARKED).unwrap().resolve().unwrap();
    let planes = level::Level::catalogue(&spec).planes().to_vec();
    let mut level = level::generate(Seed::new(3), &spec).unwrap();
    let cells_on = |level: &level::Level, plane: &str| {
        let (mut placements, at) =
            (Placements::default(), planes.iter().position(|name| name == plane).unwrap());
        LevelMeter::default().collect_placements(level, &mut placements);
        assert!(
            placements
                .as_slice()
                .iter()
                .all(|placement| usize::from(placement.plane.unwrap()) < planes.len())
        );
        let placements =
            placements.as_slice().iter().filter(|placement| placement.plane == Some(at as u16));
        placements.map(|placement| placement.at).collect::<Vec<Pos>>()
    };
    for (mark, name) in [(0, "key"), (1, "my-door"), (2, "mark exit"), (5, "mark reinforced")] {
        assert_eq!(cells_on(&level, name), level.tags.marks[mark], "{name}");
    }
    assert_eq!(cells_on(&level, "my-door"), [Pos { x: 9, y: 7 }]);
    assert_eq!(cells_on(&level, "mark"), level.tags.marks.concat());
    assert_eq!(cells_on(&level, "exit").len(), 2);
    // Swapping cells between two marks changes the digest.
    let plain = digests(&mut LevelMeter::default(), &level);
    let mut swapped = level.clone();
    (swapped.tags.marks[0][0], swapped.tags.marks[2][0]) =
        (level.tags.marks[2][0], level.tags.marks[0][0]);
    assert_ne!(digests(&mut LevelMeter::default(), &swapped).rotated, plain.rotated);
    // A mark that the configuration does not define is on no plane.
    level.tags.marks.push(vec![Pos { x: 5, y: 5 }]);
    assert_eq!(digests(&mut LevelMeter::default(), &level), plain);
    assert_eq!(cells_on(&level, "mark").len(), 2 + 1 + 3 + 4 + 5 + 6);
}

#[test]
fn generators_report_the_rules_that_rejected_attempts_violated() {
    let config = br#"{"walls":"maze","interior_walls":"solid","repair":false,"pitfalls":"30%"}"#;
    let mut generator =
        level::Generator::new(&level::Config::from_json(config).unwrap().resolve().unwrap());
    let mut rejected = 0;
    for seed in 0..30 {
        match generator.generate(Seed::new(seed)).map(|level| level.attempt.index) {
            Ok(index) => assert_eq!(generator.rejected().len(), index as usize),
            Err(error) => assert_eq!(generator.rejected(), error.attempts),
        }
        assert_eq!(generator.repaired_rule(), None);
        rejected += generator.rejected().len();
    }
    assert!(rejected > 30, "{rejected}");
    let config = br#"{"walls":"maze","interior_walls":"solid","pitfalls":"30%"}"#;
    let mut generator =
        level::Generator::new(&level::Config::from_json(config).unwrap().resolve().unwrap());
    let mut repaired_levels = 0;
    for seed in 0..60 {
        let Ok(level) = generator.generate(Seed::new(seed)) else { continue };
        let repaired = !level.attempt.repaired.is_empty();
        assert_eq!(generator.repaired_rule().is_some(), repaired);
        repaired_levels += usize::from(repaired);
    }
    assert!(repaired_levels > 0);
    let spec = floor::Config::from_json(br#"{"minPathLength":14,"enemyBudget":3}"#)
        .unwrap()
        .resolve()
        .unwrap();
    let mut generator = floor::Generator::new(&spec);
    let mut missed = 0;
    for seed in 0..50 {
        let attempts = match generator.generate(Seed::new(seed)).unwrap().origin {
            floor::Origin::Carve { attempt } => attempt,
            floor::Origin::Fallback { attempts } => attempts,
            _ => 0,
        };
        let reported: u32 = generator.unmet_constraints().map(|missed| missed.attempts).sum();
        assert_eq!(reported, attempts);
        missed += reported;
    }
    assert!(missed > 50, "{missed}");
    let config =
        br#"{"floors":3,"floor":{"minPathLength":13},"templates":[],"curves":[],"boss":null}"#;
    let spec = tower::Config::from_json(config).unwrap().resolve().unwrap();
    let mut floors = tower::Floors::new(Seed::new(5), &spec);
    let attempts: i64 = floors
        .by_ref()
        .map(|floor| match floor.unwrap().origin {
            floor::Origin::Carve { attempt } => i64::from(attempt),
            floor::Origin::Fallback { attempts } => i64::from(attempts),
            _ => 0,
        })
        .sum();
    assert_eq!(
        floors.unmet_constraints().map(|missed| i64::from(missed.attempts)).sum::<i64>(),
        attempts
    );
}
