//! Every method against plain searches, on noise, mazes and archipelagos; edits, depths, refusals.

mod nav_oracle;

use nav_oracle::{Kind, octile_length, random_query, water_of};
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::{MapRng, Seed};
use wayforge_nav::{
    CoarseRule, CorridorOptions, Guarantee, Method, Metric, Moves, MultiSourceAnyTargetBFS, Navigator,
    Options, Prepare, Query, Water, Way, in_sight,
};

const EXACT: [Method; 5] = [Method::Auto, Method::Bfs, Method::Wave, Method::Jump, Method::Graph];
const CORRIDORS: [Method; 5] =
    [Method::Restart, Method::MaskF1, Method::MaskF2, Method::MaskOptimal, Method::Pieces];

/// Checks a way from scratch and returns its steps.
fn judged(way: &Way, water: &Water, query: &Query) -> u32 {
    assert_eq!(way.fault(water, query.moves), None, "{query:?}");
    assert_eq!(way.tiles[0], query.sources[way.source]);
    assert_eq!(*way.tiles.last().unwrap(), query.targets[way.target]);
    assert_eq!(way.tiles.len() as u32, way.steps() + 1);
    way.steps()
}

#[test]
fn every_method_agrees_with_plain_search_on_the_length() {
    for (i, (kind, size)) in nav_oracle::grounds().enumerate() {
        let mut rng = MapRng::from_u64(i as u64);
        let water = water_of(kind, size, Seed::new(i as u64));
        let mut plain = MultiSourceAnyTargetBFS::new(&water);
        for prepare in [Prepare::None, Prepare::Coarse, Prepare::Full] {
            let mut navigator = Navigator::new(&water, prepare);
            for _ in 0..12 {
                let Some(query) = random_query(&mut rng, &water) else { continue };
                let best = plain.find(&water, &query).unwrap().map(|way| judged(&way, &water, &query));
                for method in EXACT {
                    let way = navigator.find(&query.clone().method(method)).unwrap();
                    let steps = way.as_ref().map(|way| judged(way, &water, &query));
                    assert_eq!(steps, best, "{kind:?} {size} {method} {query:?}");
                    assert!(way.is_none_or(|way| way.guarantee == Guarantee::Exact));
                }
                for method in CORRIDORS {
                    let way = navigator.find(&query.clone().method(method)).unwrap();
                    let steps = way.as_ref().map(|way| judged(way, &water, &query));
                    assert_eq!(steps.is_some(), best.is_some(), "{kind:?} {size} {method} {query:?}");
                    assert!(steps >= best);
                    let exact = way.is_some_and(|way| way.guarantee == Guarantee::Exact);
                    assert!(!exact || steps == best, "{method} claims to be exact");
                }
            }
        }
    }
}

#[test]
fn octile_lengths_are_those_of_dijkstra() {
    for (i, (kind, size)) in nav_oracle::grounds().enumerate() {
        let mut rng = MapRng::from_u64(77 + i as u64);
        let water = water_of(kind, size, Seed::new(i as u64));
        let mut navigator = Navigator::new(&water, Prepare::None);
        for _ in 0..6 {
            let Some(query) = random_query(&mut rng, &water) else { continue };
            let query = query.moves(Moves::Eight).metric(Metric::Octile);
            let best = octile_length(&water, &query);
            for method in [Method::Auto, Method::Jump, Method::Graph] {
                let way = navigator.find(&query.clone().method(method)).unwrap();
                way.iter().for_each(|way| {
                    judged(way, &water, &query);
                });
                let length = way.map(|way| way.length(Metric::Octile));
                let close = match (length, best) {
                    (Some(a), Some(b)) => (a - b).abs() < 1e-6,
                    (a, b) => a == b,
                };
                assert!(close, "{kind:?} {size} {method}: {length:?}, Dijkstra says {best:?}");
            }
        }
    }
}

#[test]
fn corridor_paths_are_valid_for_all_options_and_shortest_in_a_corridor_over_everything() {
    let water = water_of(Kind::Archipelago, Size::new(101, 67), Seed::new(5));
    let mut rng = MapRng::from_u64(5);
    for factor in [1, 2, 3, 5, 8, 13, 40, 200] {
        for rule in [CoarseRule::AnyTile, CoarseRule::Components] {
            let tuning =
                CorridorOptions { factor, rule, radius: (factor % 3), max_expansions: u32::from(factor % 4) };
            // A corridor over everything: nothing is outside, so shortest in region is shortest.
            let wide = CorridorOptions { radius: 300, ..tuning };
            let options = Options { document: tuning, pieces: wide, ..Options::default() };
            let mut navigator = Navigator::with(&water, options).unwrap();
            for _ in 0..20 {
                let Some(query) = random_query(&mut rng, &water) else { continue };
                let best = navigator.find(&query).unwrap().map(|way| way.steps());
                for method in CORRIDORS {
                    let way = navigator.find(&query.clone().method(method)).unwrap();
                    assert_eq!(way.is_some(), best.is_some());
                    let Some(way) = way else { continue };
                    let steps = judged(&way, &water, &query);
                    assert!(way.counts.expansions <= tuning.max_expansions || method == Method::Pieces);
                    if method == Method::Pieces {
                        assert_eq!(Some(steps), best, "factor {factor} {rule:?}");
                        assert_eq!((way.counts.expansions, way.counts.fallback), (0, false));
                    }
                }
                let length = |navigator: &mut Navigator, method| {
                    let way = navigator.find(&query.clone().method(method)).unwrap();
                    way.map(|way| (way.counts.expansions, way.steps()))
                };
                let (f1, f2) =
                    (length(&mut navigator, Method::MaskF1), length(&mut navigator, Method::MaskF2));
                assert_eq!(f1.map(|f| f.0), f2.map(|f| f.0), "F1 and F2 widen alike");
            }
        }
    }
}

#[test]
fn pieces_need_no_fallback_where_cells_do() {
    // Two seas, parted by an isthmus one tile wide, joined far away.
    let size = Size::new(200, 60);
    let open = BitGrid::of(size, size.iter().filter(|pos| pos.x != 100 || pos.y > 57));
    let water = Water::new(open).unwrap();
    let mut navigator = Navigator::new(&water, Prepare::Coarse);
    let query = Query::between(Pos::new(90, 3), Pos::new(110, 3));
    let best = navigator.find(&query).unwrap().unwrap().steps();
    let cells = navigator.find(&query.clone().method(Method::MaskF2)).unwrap().unwrap();
    let pieces = navigator.find(&query.clone().method(Method::Pieces)).unwrap().unwrap();
    assert!(cells.counts.expansions > 0, "the isthmus looks like water to cells");
    assert_eq!((pieces.counts.expansions, pieces.counts.fallback), (0, false));
    assert!(pieces.steps() <= best + best / 20);
}

#[test]
fn edits_leave_everything_as_if_made_anew() {
    for kind in [Kind::Noise(25), Kind::Archipelago, Kind::Maze, Kind::Open] {
        let size = Size::new(90, 70);
        let mut water = water_of(kind, size, Seed::new(8));
        let mut rng = MapRng::from_u64(8);
        let mut navigator = Navigator::new(&water, Prepare::Full);
        for round in 0..25 {
            let centre = Pos::new(rng.below(90) as u16, rng.below(70) as u16);
            let (radius, open) = (rng.below(9) as i32, rng.chance(1, 2));
            let mut changes: Vec<(Pos, bool)> = size
                .iter()
                .filter(|pos| {
                    let (dx, dy) =
                        (i32::from(pos.x) - i32::from(centre.x), i32::from(pos.y) - i32::from(centre.y));
                    dx * dx + dy * dy <= radius * radius
                })
                .map(|pos| (pos, open))
                .collect();
            if round % 5 == 4 {
                // And tiles all over the map.
                changes.extend(size.iter().filter(|_| rng.chance(1, 60)).map(|pos| (pos, rng_bit(pos))));
            }
            let before = water.clone();
            changes.iter().for_each(|&(pos, open)| water.set(pos, open));
            let really = size.iter().filter(|&pos| before.is_open(pos) != water.is_open(pos)).count();
            assert_eq!(navigator.edit(&changes).unwrap(), really);
            assert_eq!(navigator.water().open(), water.open());
            let mut anew = Navigator::new(&water, Prepare::None);
            for _ in 0..10 {
                let Some(query) = random_query(&mut rng, &water) else { continue };
                let best = anew.find(&query.clone().method(Method::Bfs)).unwrap().map(|way| way.steps());
                for method in EXACT {
                    let way = navigator.find(&query.clone().method(method)).unwrap();
                    let steps = way.map(|way| judged(&way, &water, &query));
                    assert_eq!(steps, best, "{kind:?} round {round} {method} {query:?}");
                }
                for method in CORRIDORS {
                    let way = navigator.find(&query.clone().method(method)).unwrap();
                    assert_eq!(
                        way.map(|way| judged(&way, &water, &query)).is_some(),
                        best.is_some(),
                        "{method}"
                    );
                }
                let octile = query.clone().moves(Moves::Eight).metric(Metric::Octile);
                let length = navigator.find(&octile).unwrap().map(|way| way.length(Metric::Octile));
                let best = octile_length(&water, &octile);
                assert!(length.is_some() == best.is_some());
                assert!(length.zip(best).is_none_or(|(a, b)| (a - b).abs() < 1e-6), "{length:?} {best:?}");
            }
        }
    }
}

fn rng_bit(pos: Pos) -> bool {
    (pos.x ^ pos.y) & 1 == 1
}

#[test]
fn distances_are_those_of_plain_searches() {
    for (i, (kind, size)) in nav_oracle::grounds().enumerate() {
        let water = water_of(kind, size, Seed::new(i as u64));
        let mut rng = MapRng::from_u64(i as u64);
        let Some(query) = random_query(&mut rng, &water) else { continue };
        let navigator = Navigator::new(&water, Prepare::None);
        let mut plain = MultiSourceAnyTargetBFS::new(&water);
        for moves in [Moves::Four, Moves::Eight] {
            let field = navigator.distance_field(&query.sources, moves).unwrap();
            for pos in size.iter().filter(|_| rng.chance(1, 20)) {
                let steps = water.is_open(pos).then(|| {
                    let query = Query::new(query.sources.clone(), [pos]).moves(moves);
                    plain.find(&water, &query).unwrap().map(|way| way.steps())
                });
                assert_eq!(field.get(pos), steps.flatten(), "{kind:?} {size} {pos}");
            }
        }
    }
}

#[test]
fn depth_comes_first_and_then_length() {
    for seed in 0..6 {
        let water = water_of(Kind::Archipelago, Size::new(70, 50), Seed::new(seed));
        let mut rng = MapRng::from_u64(seed);
        let mut navigator = Navigator::new(&water, Prepare::None);
        for _ in 0..15 {
            let Some(query) = random_query(&mut rng, &water) else { continue };
            let asked = query.clone().depths([8, 4, 2, 1]);
            let way = navigator.find(&asked).unwrap();
            // By definition: the first depth whose water holds a way, and the shortest in it.
            let at_depth = |least: u8| {
                let deep = water.at_least(least);
                let ends = |tiles: &[Pos]| -> Vec<Pos> {
                    tiles.iter().copied().filter(|&pos| deep.is_open(pos)).collect()
                };
                let query = Query::new(ends(&query.sources), ends(&query.targets)).moves(query.moves);
                MultiSourceAnyTargetBFS::new(&deep)
                    .find(&deep, &query)
                    .ok()
                    .flatten()
                    .map(|way| (least, way.steps()))
            };
            let best = [8, 4, 2, 1, 0].into_iter().find_map(at_depth);
            assert_eq!(
                way.as_ref().map(|way| (way.depth.unwrap(), judged(way, &water, &query))),
                best,
                "{asked:?}"
            );
        }
    }
    let flat = Water::from_text("...").unwrap();
    let refused = Navigator::new(&flat, Prepare::None)
        .find(&Query::between(Pos::new(0, 0), Pos::new(2, 0)).depths([3]))
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "depths = 3: this map knows no magnitudes; leave depths out, or give a map that has them"
    );
}

#[test]
fn smooth_ways_see_from_corner_to_corner() {
    let water = water_of(Kind::Archipelago, Size::new(120, 90), Seed::new(4));
    let mut rng = MapRng::from_u64(4);
    let mut navigator = Navigator::new(&water, Prepare::None);
    let mut shorter = 0;
    for _ in 0..40 {
        let Some(query) = random_query(&mut rng, &water) else { continue };
        let Some(whole) = navigator.find(&query).unwrap() else { continue };
        let smooth = navigator.find(&Query { smooth: true, ..query.clone() }).unwrap().unwrap();
        assert_eq!(smooth.steps(), whole.steps());
        assert_eq!((smooth.tiles[0], smooth.tiles.last()), (whole.tiles[0], whole.tiles.last()));
        assert!(smooth.tiles.windows(2).all(|leg| in_sight(&water, leg[0], leg[1])));
        shorter += usize::from(smooth.tiles.len() < whole.tiles.len());
    }
    assert!(shorter > 10);
}

#[test]
fn bad_questions_are_refused_with_what_would_work() {
    let water = Water::from_text("..#..\n..#..").unwrap();
    let mut navigator = Navigator::new(&water, Prepare::None);
    let pos = Pos::new;
    let mut refused = |query: Query| navigator.find(&query).unwrap_err().to_string();
    assert_eq!(refused(Query::new([], [pos(0, 0)])), "sources = []: empty; name at least one water tile");
    assert_eq!(refused(Query::new([pos(0, 0)], [])), "targets = []: empty; name at least one water tile");
    assert_eq!(refused(Query::between(pos(0, 0), pos(2, 1))), "targets[0] = 2,1: is land; name a water tile");
    assert_eq!(
        refused(Query::new([pos(0, 0), pos(5, 0)], [pos(0, 0)])),
        "sources[1] = 5,0: lies beyond the grid of 5 x 2; use columns 0 to 4 and rows 0 to 1"
    );
    let octile = Query::between(pos(0, 0), pos(1, 1)).metric(Metric::Octile).method(Method::Wave);
    assert!(refused(octile).contains("use auto, jump or graph"));
    assert!(
        "fast"
            .parse::<Method>()
            .unwrap_err()
            .to_string()
            .starts_with("method = fast: unknown; use auto, bfs")
    );
    let out = navigator.edit(&[(pos(0, 0), true), (pos(9, 0), true)]).unwrap_err();
    assert_eq!(out.to_string(), "changes[1] = 9,0: lies beyond the grid of 5 x 2; name a tile of the grid");
    let wrong = Options {
        document: CorridorOptions { factor: 0, ..CorridorOptions::document() },
        ..Options::default()
    };
    assert!(Navigator::with(&water, wrong).unwrap_err().to_string().starts_with("document.factor = 0"));
}

#[test]
fn another_lake_is_refused_without_a_search() {
    let water = Water::from_text("..#..\n..#..").unwrap();
    let mut navigator = Navigator::new(&water, Prepare::Full);
    let mut way = Way::default();
    for method in Method::ALL {
        let query = Query::between(Pos::new(0, 0), Pos::new(4, 1)).method(method);
        assert!(!navigator.find_into(&query, &mut way).unwrap());
        assert_eq!((way.counts.visited, navigator.visited().len()), (0, 0), "{method}");
    }
    // Land that parts a sea is found out by one search, and refused at once after it.
    navigator.edit(&[(Pos::new(1, 0), false), (Pos::new(1, 1), false), (Pos::new(2, 0), true)]).unwrap();
    let query = Query::between(Pos::new(0, 0), Pos::new(4, 1));
    assert!(!navigator.find_into(&query, &mut way).unwrap());
    assert!(!navigator.find_into(&query, &mut way).unwrap());
    assert_eq!(way.counts.visited, 0);
}

#[test]
fn what_was_visited_is_counted_once() {
    let size = Size::new(70, 50);
    let mut rng = MapRng::from_u64(31);
    for kind in [Kind::Open, Kind::Archipelago, Kind::Noise(25)] {
        let water = water_of(kind, size, Seed::new(31));
        let mut navigator = Navigator::new(&water, Prepare::None);
        for _ in 0..20 {
            let Some(query) = random_query(&mut rng, &water) else { continue };
            for method in [Method::Bfs, Method::Wave] {
                if let Some(way) = navigator.find(&query.clone().method(method)).unwrap() {
                    assert_eq!(way.counts.visited, navigator.visited().len() as u64, "{kind:?} {method}");
                }
            }
        }
    }
}
