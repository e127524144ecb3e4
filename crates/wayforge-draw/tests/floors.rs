//! Pictures of floors and towers: everything shown, nothing outside the sheet, the same bytes every time.

use wayforge::floor::{self, TileKind};
use wayforge::grid::Pos;
use wayforge::tower::{self, Climb};
use wayforge_draw::{FloorScene, Paint, Theme, UNIT, ascii_floors, png_floors, svg_floors};

fn rich(seed: u64) -> floor::Floor {
    let text = r#"{"width":9,"height":7,"itemBudget":1,"relicBudget":1,"npcBudget":1,"trapBudget":1,"doorBudget":1,"waterBudget":2}"#;
    floor::generate(seed.into(), &floor::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap())
        .unwrap()
}

fn tower(text: &str) -> tower::Tower {
    tower::generate(42.into(), &tower::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap())
        .unwrap()
}

#[test]
fn text_is_the_template_of_the_floor() {
    for seed in 0..50 {
        let floor = rich(seed);
        let text = ascii_floors(&FloorScene::of_floor(&floor), Paint::Plain);
        let rows: Vec<&str> = text.lines().take(7).collect();
        let again = floor::Template::from_ascii("again", &rows.join("\n"));
        // Rows do not say which of several shortest ways the path was; all else they say.
        assert!(again.check().iter().all(|fault| fault.contains("-path at")), "{text}");
        assert!(text.is_ascii() && text.contains("e enemy 3") && text.contains("~ water 2"), "{text}");
        let coloured = ascii_floors(&FloorScene::of_floor(&floor), Paint::Colour);
        let mut plain = String::new();
        let mut in_colour = false;
        for c in coloured.chars() {
            in_colour |= c == '\x1b';
            if !in_colour {
                plain.push(c);
            }
            in_colour &= c != 'm';
        }
        assert_eq!(plain, text, "colours change no character");
    }
}

#[test]
fn every_thing_has_its_place_and_its_title_on_the_sheet() {
    let floor = rich(3);
    let scene = FloorScene::of_floor(&floor);
    for theme in Theme::ALL {
        let svg = svg_floors(&scene, theme);
        assert_eq!(svg, svg_floors(&scene, theme));
        for pos in floor.size().iter() {
            let tile = floor.tile(pos);
            let shown = svg.contains(&format!("<title>{} at {pos}</title>", tile.name()));
            assert_eq!(shown, !matches!(tile, TileKind::Floor | TileKind::Wall), "{tile:?} at {pos}");
        }
        for entity in &floor.entities {
            assert!(svg.contains(&format!("<title>{} at {}</title>", entity.kind.name(), entity.pos)));
        }
        assert!(!svg.contains("script") && !svg.contains("http://www.w3.org/1999/xlink"));
        assert!(png_floors(&scene, theme, 20).unwrap().starts_with(b"\x89PNG"));
    }
    assert!(png_floors(&scene, Theme::Night, 0).is_err());
}

#[test]
fn floors_of_different_sizes_share_the_middle_line_of_their_row() {
    // Six floors in two rows of three; the shop and the boss's floor measure 5 x 5.
    let tower = tower(r#"{"floors":6,"floor":{"width":12,"height":8}}"#);
    let scene = FloorScene::of_tower(&tower);
    let heights: Vec<u16> = scene.panels.iter().map(|panel| panel.size.height).collect();
    assert_eq!(heights, [8, 8, 8, 8, 5, 5]);
    let middle = |n: usize| {
        let panel = &scene.panels[n];
        panel.corner.y + i32::from(panel.size.height) * panel.tile / 2
    };
    assert_eq!([middle(0), middle(1)], [middle(1), middle(2)]);
    assert_eq!([middle(3), middle(4)], [middle(4), middle(5)]);
    assert!(middle(3) < middle(0));
}

#[test]
fn panels_of_a_tower_stand_apart_from_the_lowest_up() {
    for text in [
        "{}",
        r#"{"floors":7}"#,
        r#"{"floors":1}"#,
        r#"{"floors":3,"floor":{"width":20,"height":9},"boss":null}"#,
    ] {
        let tower = tower(text);
        let scene = FloorScene::of_tower(&tower);
        assert_eq!(scene.panels.len(), tower.floors.len());
        let size = svg_floors(&scene, Theme::Parchment);
        let number = |name: &str| -> i32 {
            let rest = size.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split(['"', '.']).next().unwrap().parse().unwrap()
        };
        let (width, height) = (number("width") * UNIT, number("height") * UNIT);
        let boxes: Vec<[i32; 4]> = scene
            .panels
            .iter()
            .map(|panel| {
                let (wide, tall) =
                    (i32::from(panel.size.width) * panel.tile, i32::from(panel.size.height) * panel.tile);
                [panel.corner.x, panel.corner.y, panel.corner.x + wide, panel.corner.y + tall]
            })
            .collect();
        for (i, a) in boxes.iter().enumerate() {
            assert!(a[0] > 0 && a[1] > 0 && a[2] < width && a[3] < height, "{a:?} in {width} x {height}");
            for b in &boxes[..i] {
                assert!(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1], "{a:?} {b:?}");
                assert!(a[1] <= b[1], "higher floors stand higher");
            }
        }
        assert!(scene.legend.iter().all(|entry| entry.pos.x > 0 && entry.pos.y < height));
    }
}

#[test]
fn bosses_shores_and_things_on_the_way_can_be_told() {
    let tower = tower("{}");
    let scene = FloorScene::of_tower(&tower);
    let svg = svg_floors(&scene, Theme::Parchment);
    assert_eq!(scene.panels[9].bosses.len(), 1);
    assert!(svg.contains("<title>boss at "));
    let arrows = svg.matches("stroke-width=\"2.4\" stroke-linecap=\"round\" stroke-linejoin").count();
    assert_eq!(arrows, 9, "one between each two floors");
    assert!(ascii_floors(&scene, Paint::Plain).contains("e boss 1"));
    let floor = rich(3);
    let svg = svg_floors(&FloorScene::of_floor(&floor), Theme::Parchment);
    let on_way = |pos: &Pos| {
        let special = !matches!(floor.tile(*pos), TileKind::Floor | TileKind::Entrance | TileKind::Exit);
        special || floor.entity(*pos).is_some()
    };
    let rings = svg.matches("opacity=\"0.85\"").count() - 1;
    assert_eq!(
        rings,
        floor.path.iter().filter(|pos| on_way(pos)).count(),
        "a ring around each thing on the way"
    );
}

#[test]
fn floors_that_break_their_rules_can_be_drawn() {
    let mut floor = rich(1);
    floor.tiles.truncate(5);
    floor.path.push(Pos::new(200, 200));
    floor.entities[0].pos = Pos::new(999, 0);
    floor.exit = Pos::new(500, 3);
    let scene = FloorScene::of_floor(&floor);
    assert!(ascii_floors(&scene, Paint::Plain).is_ascii());
    assert!(svg_floors(&scene, Theme::Night).starts_with("<svg "));
    assert!(png_floors(&scene, Theme::Night, 20).is_ok());
}

#[test]
fn a_climb_shows_who_climbs_and_the_way_walked() {
    let mut climb = Climb::start(tower("{}"));
    for _ in 0..2 {
        climb.step(climb.way_on().unwrap()).unwrap();
    }
    let scene = FloorScene::of_climb(&climb);
    assert_eq!(scene.panels[0].climber, Some(climb.pos()));
    assert_eq!(scene.panels[0].path.len(), 3);
    assert_eq!(ascii_floors(&scene, Paint::Plain).matches('@').count(), 1);
}

#[test]
fn the_largest_floors_and_towers_can_be_drawn() {
    let config = floor::Config { width: Some(64), height: Some(64), ..floor::Config::default() };
    let floor = floor::generate(1.into(), &config.resolve().unwrap()).unwrap();
    assert!(png_floors(&FloorScene::of_floor(&floor), Theme::Parchment, 30).is_ok());
    let tower = tower(r#"{"floors":200}"#);
    assert!(svg_floors(&FloorScene::of_tower(&tower), Theme::Night).contains("Floor 200, boss"));
}
