//! Pictures of floors and towers: complete, inside the sheet, and reproducible.

use wayforge::floor::{self, TileKind};
use wayforge::grid::Pos;
use wayforge::tower::{self, TowerRun};
use wayforge_draw::{AsciiStyle, FloorScene, Theme, UNIT, floor_ascii, floor_svg, png};

pub(crate) fn floor_with_all_kinds(seed: u64) -> floor::Floor {
    let text = r#"{"width":9,"height":7,"itemBudget":1,"relicBudget":1,"npcBudget":1,
        "trapBudget":1,"doorBudget":1,"waterBudget":2}"#;
    floor::generate(
        seed.into(),
        &floor::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap(),
    )
    .unwrap()
}

pub(crate) fn tower(text: &str) -> tower::Tower {
    tower::generate(
        42.into(),
        &tower::Config::from_json(text.as_bytes()).unwrap().resolve().unwrap(),
    )
    .unwrap()
}

#[test]
fn text_can_be_parsed_as_a_template() {
    for seed in 0..50 {
        let floor = floor_with_all_kinds(seed);
        let text = floor_ascii(&FloorScene::from_floor(&floor), AsciiStyle::Plain);
        let rows: Vec<&str> = text.lines().take(7).collect();
        let template = floor::Template::from_ascii("again", &rows.join("\n"));
        // The text does not record which of several shortest paths was chosen; the rest must match.
        assert!(template.lint().iter().all(|fault| fault.contains("-path at")), "{text}");
        assert!(
            text.is_ascii() && text.contains("e enemy 3") && text.contains("~ water 2"),
            "{text}"
        );
        let coloured = floor_ascii(&FloorScene::from_floor(&floor), AsciiStyle::Colour);
        let mut plain = String::new();
        let mut in_colour = false;
        for c in coloured.chars() {
            in_colour |= c == '\x1b';
            if !in_colour {
                plain.push(c);
            }
            in_colour &= c != 'm';
        }
        assert_eq!(plain, text, "colour adds only escape sequences");
    }
}

#[test]
fn svg_has_a_title_for_every_glyph() {
    let floor = floor_with_all_kinds(3);
    let scene = FloorScene::from_floor(&floor);
    for theme in Theme::ALL {
        let svg = floor_svg(&scene, theme);
        assert_eq!(svg, floor_svg(&scene, theme));
        for pos in floor.size().iter() {
            let tile = floor.tile(pos);
            let shown = svg.contains(&format!("<title>{} at {pos}</title>", tile.name()));
            assert_eq!(
                shown,
                !matches!(tile, TileKind::Floor | TileKind::Wall),
                "{tile:?} at {pos}"
            );
        }
        for entity in &floor.entities {
            assert!(svg.contains(&format!(
                "<title>{} at {}</title>",
                entity.kind.name(),
                entity.pos
            )));
        }
        assert!(!svg.contains("script") && !svg.contains("http://www.w3.org/1999/xlink"));
        assert!(png(&scene, theme, 20).unwrap().starts_with(b"\x89PNG"));
    }
    assert!(png(&scene, Theme::Night, 0).is_err());
}

#[test]
fn floors_of_different_sizes_are_centred_in_their_row() {
    // Six floors in two rows of three; the shop and the boss floor measure 5 x 5.
    let tower = tower(r#"{"floors":6,"floor":{"width":12,"height":8}}"#);
    let scene = FloorScene::from_tower(&tower);
    let heights: Vec<u16> = scene.panels.iter().map(|panel| panel.size.height).collect();
    assert_eq!(heights, [8, 8, 8, 8, 5, 5]);
    let centre_y = |n: usize| {
        let panel = &scene.panels[n];
        panel.corner.y + i32::from(panel.size.height) * panel.tile_size / 2
    };
    assert_eq!([centre_y(0), centre_y(1)], [centre_y(1), centre_y(2)]);
    assert_eq!([centre_y(3), centre_y(4)], [centre_y(4), centre_y(5)]);
    assert!(centre_y(3) < centre_y(0));
}

#[test]
fn tower_panels_do_not_overlap_and_higher_floors_are_drawn_higher() {
    for text in [
        "{}",
        r#"{"floors":7}"#,
        r#"{"floors":1}"#,
        r#"{"floors":3,"floor":{"width":20,"height":9},"boss":null}"#,
    ] {
        let tower = tower(text);
        let scene = FloorScene::from_tower(&tower);
        assert_eq!(scene.panels.len(), tower.floors.len());
        let svg = floor_svg(&scene, Theme::Parchment);
        let number = |name: &str| -> i32 {
            let rest = svg.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split(['"', '.']).next().unwrap().parse().unwrap()
        };
        let (width, height) = (number("width") * UNIT, number("height") * UNIT);
        let boxes: Vec<[i32; 4]> = scene
            .panels
            .iter()
            .map(|panel| {
                let (panel_width, panel_height) = (
                    i32::from(panel.size.width) * panel.tile_size,
                    i32::from(panel.size.height) * panel.tile_size,
                );
                [
                    panel.corner.x,
                    panel.corner.y,
                    panel.corner.x + panel_width,
                    panel.corner.y + panel_height,
                ]
            })
            .collect();
        for (i, a) in boxes.iter().enumerate() {
            assert!(
                a[0] > 0 && a[1] > 0 && a[2] < width && a[3] < height,
                "{a:?} in {width} x {height}"
            );
            for b in &boxes[..i] {
                assert!(
                    a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1],
                    "{a:?} {b:?}"
                );
                assert!(a[1] <= b[1], "higher floors are drawn higher");
            }
        }
        assert!(scene.legend.iter().all(|entry| entry.pos.x > 0 && entry.pos.y < height));
    }
}

#[test]
fn draws_bosses_arrows_and_rings_around_glyphs_on_the_path() {
    let tower = tower("{}");
    let scene = FloorScene::from_tower(&tower);
    let svg = floor_svg(&scene, Theme::Parchment);
    assert_eq!(scene.panels[9].bosses.len(), 1);
    assert!(svg.contains("<title>boss at "));
    let arrows =
        svg.matches("stroke-width=\"2.4\" stroke-linecap=\"round\" stroke-linejoin").count();
    assert_eq!(arrows, 9, "one arrow between each pair of consecutive floors");
    assert!(floor_ascii(&scene, AsciiStyle::Plain).contains("e boss 1"));
    let floor = floor_with_all_kinds(3);
    let svg = floor_svg(&FloorScene::from_floor(&floor), Theme::Parchment);
    let has_glyph = |pos: &Pos| {
        let is_special =
            !matches!(floor.tile(*pos), TileKind::Floor | TileKind::Entrance | TileKind::Exit);
        is_special || floor.entity(*pos).is_some()
    };
    let rings = svg.matches("opacity=\"0.85\"").count() - 1;
    assert_eq!(
        rings,
        floor.path.iter().filter(|pos| has_glyph(pos)).count(),
        "one ring around every glyph on the path"
    );
}

#[test]
fn invalid_floors_are_drawn() {
    let mut floor = floor_with_all_kinds(1);
    floor.tiles.truncate(5);
    floor.path.push(Pos::new(200, 200));
    floor.entities[0].pos = Pos::new(999, 0);
    floor.exit = Pos::new(500, 3);
    let scene = FloorScene::from_floor(&floor);
    assert!(floor_ascii(&scene, AsciiStyle::Plain).is_ascii());
    assert!(floor_svg(&scene, Theme::Night).starts_with("<svg "));
    assert!(png(&scene, Theme::Night, 20).is_ok());
}

#[test]
fn run_shows_the_climber_and_the_walked_path() {
    let mut run = TowerRun::start(tower("{}"));
    for _ in 0..2 {
        run.step(run.next_step().unwrap()).unwrap();
    }
    let scene = FloorScene::from_run(&run);
    assert_eq!(scene.panels[0].climber, Some(run.pos()));
    assert_eq!(scene.panels[0].path.len(), 3);
    assert_eq!(floor_ascii(&scene, AsciiStyle::Plain).matches('@').count(), 1);
}

#[test]
fn largest_floors_and_towers_are_drawn() {
    let config = floor::Config { width: Some(64), height: Some(64), ..floor::Config::default() };
    let floor = floor::generate(1.into(), &config.resolve().unwrap()).unwrap();
    assert!(png(&FloorScene::from_floor(&floor), Theme::Parchment, 30).is_ok());
    let tower = tower(r#"{"floors":200}"#);
    assert!(floor_svg(&FloorScene::from_tower(&tower), Theme::Night).contains("Floor 200, boss"));
}
