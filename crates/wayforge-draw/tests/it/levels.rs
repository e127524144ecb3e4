//! Pictures of levels: scenes for the golden files, and properties of all pictures.

use resvg::usvg::roxmltree;
use std::collections::BTreeSet;
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::level::{self, Blueprint, FuelMode, Level, Mover, Symbol, Witness};
use wayforge_draw::{
    AsciiStyle, DrawError, GroundKind, LegendSubject, LevelScene, LevelView, Routes, Theme,
    level_ascii, level_svg, png, png_size,
};

/// Hand-drawn blueprint with all symbols, so that these goldens do not depend on the generator.
const DRAWING: &str = "
OOOOOOOOOOOOOOOO
OBBBBBBBEBBBBBBO
OB....x.......BO
OB.P.xx..11..lBO
OB....1111...hBO
OE.^^....1.w..BO
OB.<>.f..1ww..BO
OB.vv....11...BO
OB.1.1.e....C.EO
OB..1..s..h...BO
OBBBBBBBBBBBBBBO
OOOOOOOOOOOOOOOO
";

fn config(text: &str) -> level::Config {
    level::Config::from_json(text.as_bytes()).unwrap()
}

fn spec(text: &str) -> level::Spec {
    config(text).resolve().unwrap()
}

fn drawing() -> Blueprint {
    Blueprint::from_text(DRAWING.trim()).unwrap()
}

/// Returns the drawing as a level with tags, a mark and routes.
fn level() -> Level {
    let spec = spec(
        r#"{"width": 16, "height": 12, "fuel": "refuel_chain", "reinforced": "10%",
            "marks": [{"name": "key"}], "objectives": [{"steps": ["P", "key"]}]}"#,
    );
    let mut level = level::generate(1.into(), &spec).unwrap();
    level.blueprint = drawing();
    let size = level.blueprint.size();
    level.tags.reinforced =
        BitGrid::from_cells(size, [Pos::new(6, 4), Pos::new(9, 5), Pos::new(2, 2)]);
    level.tags.fall_spawn_cells =
        BitGrid::from_cells(size, [(3, 9), (4, 9), (11, 6)].map(|(x, y)| Pos::new(x, y)));
    level.tags.marks = vec![vec![Pos::new(12, 2)]];
    level.car_walkable_cells = BitGrid::from_cells(size, (9..14).map(|x| Pos::new(x, 8)));
    level.witness = (0..)
        .zip(level.spec.chains())
        .map(|(chain, steps)| {
            let route = match steps.mover {
                Mover::Car => vec![(12, 8), (13, 8), (14, 8)],
                Mover::Person if steps.steps.len() == 2 => {
                    (3..=12).map(|x| (x, 2 + u16::from(x == 3))).collect()
                }
                Mover::Person => {
                    let mut cells = vec![
                        (3, 3),
                        (4, 4),
                        (5, 5),
                        (6, 6),
                        (7, 7),
                        (7, 8),
                        (7, 7),
                        (6, 6),
                        (7, 7),
                    ];
                    cells.extend([(8, 8), (9, 8), (10, 8), (11, 8), (12, 8)]);
                    cells
                }
            };
            let last = route.len() as u32 - 1;
            let reached = if steps.steps.len() == 4 { vec![0, 5, 7, last] } else { vec![0, last] };
            Witness { chain, route: route.into_iter().map(Pos::from).collect(), reached }
        })
        .collect();
    level
}

fn full_view() -> LevelView {
    LevelView { routes: Routes::All, car_walkable: true, ..LevelView::default() }
}

pub(crate) fn scenes() -> Vec<(&'static str, LevelScene)> {
    let blueprint = |text: &str, spec: &level::Spec| {
        LevelScene::from_blueprint(&Blueprint::from_text(text).unwrap(), spec, LevelView::default())
    };
    let usual = spec("{}");
    let solid = spec(r#"{"interior_walls": "solid", "fuel": "start_full", "endurance": true}"#);
    let wide = (0..7)
        .map(|y| if y == 3 { ".1".repeat(60) } else { "1.x.".repeat(30) })
        .collect::<Vec<_>>();
    let long = |width: usize| {
        let row = |y: usize| {
            if y.is_multiple_of(2) { ".1.w>".repeat(width) } else { "hx^.1".repeat(width) }
        };
        (0..12).map(row).collect::<Vec<_>>().join("\n")
    };
    vec![
        ("level", LevelScene::from_level_with(&level(), full_view())),
        (
            "bare",
            LevelScene::from_level_with(
                &level(),
                LevelView { legend: false, ..LevelView::default() },
            ),
        ),
        ("drawn", LevelScene::from_blueprint(&drawing(), &solid, LevelView::default())),
        ("one", blueprint("P", &solid)),
        ("wide", blueprint(&wide.join("\n"), &solid)),
        ("long", blueprint(&long(60), &usual)),
        ("longer", blueprint(&long(70), &usual)),
        ("longest", blueprint(&long(120), &usual)),
    ]
}

#[test]
fn plain_text_equals_the_blueprint() {
    for walls in
        ["default", "empty", "grid_wire", "sparse_moore.25%", "sparse_ortho", "maze", "caves"]
    {
        let json = format!(
            r#"{{"walls": "{walls}", "pitfalls": "1%", "plants": "1%", "moving_floors": "1%"}}"#
        );
        let level = level::generate(5.into(), &spec(&json)).unwrap();
        for view in [LevelView::default(), full_view()] {
            let scene = LevelScene::from_level_with(&level, view);
            let plain = level_ascii(&scene, AsciiStyle::Plain);
            assert_eq!(plain, level.blueprint.to_string());
            let coloured = level_ascii(&scene, AsciiStyle::Colour);
            let stripped: String = coloured
                .split("\x1b[")
                .enumerate()
                .map(|(i, part)| if i == 0 { part } else { part.split_once('m').unwrap().1 })
                .collect();
            assert_eq!(stripped, plain);
        }
    }
}

#[test]
fn colour_shows_routes_and_tags() {
    let level = level();
    let bare = level_ascii(&LevelScene::from_level(&level), AsciiStyle::Colour);
    let full = level_ascii(&LevelScene::from_level_with(&level, full_view()), AsciiStyle::Colour);
    let people = LevelView { routes: Routes::Mover(Mover::Person), ..LevelView::default() };
    let people = level_ascii(&LevelScene::from_level_with(&level, people), AsciiStyle::Colour);
    let backgrounds =
        |text: &str| ["43m", "46m", "45m"].map(|background| text.contains(background));
    assert_eq!(
        (backgrounds(&bare), backgrounds(&people), backgrounds(&full)),
        ([false; 3], [true, false, false], [true; 3])
    );
    assert!(bare.contains("\x1b[90;4m") && bare.contains("\x1b[1;97m1\x1b[0m"), "{bare:?}");
}

#[test]
fn walls_broken_by_a_route_are_marked() {
    let spec = spec(r#"{"walls": "grid_wire"}"#);
    let mut marked = 0;
    for seed in 0..10 {
        let level = level::generate(seed.into(), &spec).unwrap();
        let broken: BTreeSet<Pos> =
            level.witness.iter().flat_map(|route| level.broken_walls(route)).collect();
        let bare = LevelScene::from_level(&level);
        let full = LevelScene::from_level_with(&level, full_view());
        let cells = full.size.iter().zip(&full.cells).filter(|(_, cell)| cell.is_broken());
        assert_eq!(cells.map(|(pos, _)| pos).collect::<BTreeSet<_>>(), broken);
        assert!(!level_ascii(&bare, AsciiStyle::Colour).contains(";41m"));
        assert_eq!(level_ascii(&full, AsciiStyle::Colour).contains(";41m"), !broken.is_empty());
        assert!(!bare.description().contains("broken by a route"));
        if !broken.is_empty() {
            let picture = level_svg(&full, Theme::Parchment);
            let (_, holes) =
                picture.split_once("<path fill=\"#f1e7d2\" stroke=\"#5e3720\"").unwrap();
            assert_eq!(holes.split_once("/>").unwrap().0.matches('z').count(), broken.len());
            assert!(
                full.description().contains(&format!("wall broken by a route {}", broken.len()))
            );
            marked += 1;
        }
    }
    assert!(marked > 5, "{marked}");
}

#[test]
fn legend_counts_all_symbols_tags_marks_and_routes_in_use() {
    for (name, scene) in scenes() {
        let count_of = |entry: LegendSubject| match entry {
            LegendSubject::Symbol(Symbol::Wall) => scene
                .cells
                .iter()
                .filter(|cell| cell.symbol == Symbol::Wall && !cell.reinforced)
                .count(),
            LegendSubject::Symbol(symbol) => {
                scene.cells.iter().filter(|cell| cell.symbol == symbol).count()
            }
            LegendSubject::Reinforced => scene.cells.iter().filter(|cell| cell.reinforced).count(),
            LegendSubject::FallSpawn => scene.cells.iter().filter(|cell| cell.fall_spawn).count(),
            LegendSubject::CarWalkable => {
                scene.cells.iter().filter(|cell| cell.car_walkable).count()
            }
            LegendSubject::Broken => scene.cells.iter().filter(|cell| cell.is_broken()).count(),
            LegendSubject::Mark(mark) => {
                scene.mark_cells.iter().filter(|marked| marked.1 == mark).count()
            }
            LegendSubject::Route(route) => {
                scene.routes.iter().filter(|other| other.chain == scene.routes[route].chain).count()
            }
        };
        for entry in &scene.legend {
            assert!(entry.count > 0 && count_of(entry.subject) == entry.count, "{name}: {entry:?}");
            assert_eq!(entry.pos.is_some(), name != "bare");
        }
        let is_listed =
            |entry: LegendSubject| scene.legend.iter().any(|other| other.subject == entry);
        for cell in &scene.cells {
            assert!(is_listed(if cell.reinforced {
                LegendSubject::Reinforced
            } else {
                LegendSubject::Symbol(cell.symbol)
            }));
            assert!(!cell.fall_spawn || is_listed(LegendSubject::FallSpawn));
            assert!(!cell.car_walkable || is_listed(LegendSubject::CarWalkable));
            assert!(!cell.is_broken() || is_listed(LegendSubject::Broken));
        }
        let positions: BTreeSet<_> = scene.legend.iter().filter_map(|entry| entry.pos).collect();
        assert!(name == "bare" || positions.len() == scene.legend.len());
        let inside =
            |x: i32, y: i32| (0..scene.width).contains(&x) && (0..scene.height).contains(&y);
        assert!(positions.iter().all(|at| inside(at.x, at.y)));
    }
}

#[test]
fn svg_is_well_formed_and_self_contained() {
    for (name, scene) in scenes() {
        for theme in Theme::ALL {
            let text = level_svg(&scene, theme);
            let options = roxmltree::ParsingOptions { nodes_limit: u32::MAX, ..Default::default() };
            let document = roxmltree::Document::parse_with_options(&text, options);
            let document = document.unwrap_or_else(|error| panic!("{name}: {error}"));
            let ids: Vec<&str> =
                document.descendants().filter_map(|node| node.attribute("id")).collect();
            let unique: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(ids.len(), unique.len(), "{name}: duplicate id");
            for node in document.descendants().filter(|node| node.is_element()) {
                assert!(node.tag_name().name() != "script");
                for attribute in node.attributes() {
                    let value = attribute.value();
                    assert!(!attribute.name().starts_with("on") && !value.contains("url("));
                    if attribute.name() == "href" {
                        assert!(unique.contains(value.trim_start_matches('#')), "{name}: {value}");
                    }
                    if attribute.name() == "d" {
                        assert!(!value.is_empty(), "{name}: an empty path");
                    }
                }
            }
        }
    }
}

#[test]
fn every_candidate_and_plant_is_drawn_once_per_cell() {
    let scene = LevelScene::from_level(&level());
    let text = level_svg(&scene, Theme::Parchment);
    for symbol in Symbol::CANDIDATES.into_iter().chain([Symbol::Plant]) {
        let used = text.matches(&format!("-{symbol}\" x=")).count();
        // One more for the legend.
        assert_eq!(used, drawing().count(symbol) + 1, "{symbol}");
    }
    let cells = |ground: GroundKind| {
        scene.cells.iter().filter(|cell| scene.ground(cell) == Some(ground)).count()
    };
    assert_eq!((cells(GroundKind::Reinforced), cells(GroundKind::Breakable)), (2, 11));
}

#[test]
fn fuel_stations_cans_and_wall_types_look_different() {
    let picture = |json: &str| {
        let mut scene = LevelScene::from_blueprint(&drawing(), &spec(json), LevelView::default());
        // Without text, only the drawing can differ.
        (scene.title, scene.caption, scene.legend) = (String::new(), Vec::new(), Vec::new());
        Theme::ALL.map(|theme| level_svg(&scene, theme))
    };
    let [plain, station, solid] =
        ["{}", r#"{"fuel": "refuel_chain"}"#, r#"{"interior_walls": "solid"}"#].map(picture);
    assert!(
        plain[0] != station[0]
            && plain[1] != station[1]
            && plain[0] != solid[0]
            && plain[1] != solid[1]
    );
    assert_eq!(level::Config::default().fuel, FuelMode::FuelCan);
}

#[test]
fn hostile_names_are_escaped() {
    let mut scene = LevelScene::from_level_with(&level(), full_view());
    scene.title = "\u{0}<script>&\"'".to_owned();
    scene.caption = vec!["<b>".to_owned()];
    scene.marks = vec!["<script>alert(1)</script>".to_owned()];
    scene.legend.iter_mut().for_each(|entry| entry.name = "\"><script>".to_owned());
    for route in &mut scene.routes {
        route.stops.iter_mut().for_each(|stop| stop.name = "<i>".to_owned());
    }
    for theme in Theme::ALL {
        let text = level_svg(&scene, theme);
        assert!(!text.contains("<script") && !text.contains("<b>") && !text.contains("<i>"));
        roxmltree::Document::parse(&text).unwrap();
        png(&scene, theme, 20).unwrap();
    }
}

#[test]
fn invalid_levels_are_drawn() {
    let mut level = level();
    level.tags.marks = vec![vec![Pos::new(900, 900), Pos::new(1, 1)], vec![Pos::new(2, 2)]];
    level.tags.fall_spawn_cells =
        BitGrid::from_cells(Size::new(3, 3), [Pos::new(0, 0), Pos::new(2, 2)]);
    level.car_walkable_cells = BitGrid::from_cells(Size::new(900, 900), [Pos::new(899, 899)]);
    level.witness = vec![
        Witness { chain: 99, route: vec![Pos::new(1, 1)], reached: vec![0, 0] },
        Witness { chain: 0, route: vec![], reached: vec![0, 1] },
        Witness {
            chain: 1,
            route: vec![Pos::new(900, 0), Pos::new(1, 1), Pos::new(9, 9)],
            reached: vec![7, 1, 0, 1],
        },
    ];
    let scene = LevelScene::from_level_with(&level, full_view());
    for theme in Theme::ALL {
        roxmltree::Document::parse(&level_svg(&scene, theme)).unwrap();
        png(&scene, theme, 10).unwrap();
    }
    level_ascii(&scene, AsciiStyle::Colour);
}

#[test]
fn rejects_too_large_sizes_before_drawing() {
    let scene = LevelScene::from_blueprint(&drawing(), &spec("{}"), LevelView::default());
    let (width, height) = png_size(&scene, 100).unwrap();
    assert_eq!(png_size(&scene, 50).unwrap(), (width.div_ceil(2), height.div_ceil(2)));
    assert_eq!(png(&scene, Theme::Night, 0), Err(DrawError::ScaleOutOfRange { scale: 0 }));
    let Err(DrawError::TooLarge { max_scale, .. }) = png(&scene, Theme::Night, 1000) else {
        panic!("a picture of {width} x {height} was drawn ten times as large");
    };
    assert!(png_size(&scene, max_scale).is_ok() && png_size(&scene, max_scale + 1).is_err());
}

#[test]
fn largest_level_fits_at_full_scale_with_bounded_svg_size() {
    let json = r#"{"width": 1024, "height": 1024, "walls": "sparse_moore", "pitfalls": "3%",
        "plants": "3%", "puddles": "3%", "moving_floors": "3%", "reinforced": "20%"}"#;
    let level = level::generate(1.into(), &spec(json)).unwrap();
    let scene = LevelScene::from_level_with(&level, full_view());
    assert!(png_size(&scene, 100).is_ok());
    assert!(level_svg(&scene, Theme::Night).len() < 24_000_000);
    let bytes = png(&scene, Theme::Parchment, 10).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"));
}

#[test]
fn default_size_levels_have_small_svg() {
    for walls in ["default", "grid_wire", "sparse_moore.50%", "sparse_ortho.50%", "maze", "caves"] {
        let json = format!(
            r#"{{"walls": "{walls}", "pitfalls": "3%", "plants": "5%", "puddles": "5%",
                "moving_floors": "5%", "reinforced": "20%", "fall_spawn_floor_ratio": 0.05}}"#
        );
        let level = level::generate(3.into(), &spec(&json)).unwrap();
        let text = level_svg(&LevelScene::from_level_with(&level, full_view()), Theme::Parchment);
        assert!(text.len() < 300_000, "{walls}: {}", text.len());
    }
}

#[test]
fn same_level_gives_same_bytes() {
    let level = level::generate(9.into(), &spec("{}")).unwrap();
    let picture = || {
        let scene = LevelScene::from_level_with(&level, full_view());
        (level_svg(&scene, Theme::Night), png(&scene, Theme::Night, 30).unwrap())
    };
    assert_eq!(picture(), picture());
}
