//! Films: the making of a map, drawn, ends in the map's own picture.

use wayforge::act::{self, Cell, SpireConfig, WalksConfig};
use wayforge::floor::TileKind;
use wayforge::level;
use wayforge::tower;
use wayforge::trace::Tape;
use wayforge_draw::{
    ActFrames, FloorScene, LevelFrames, LevelScene, LevelView, Painter, Routes, Scene, Theme, TowerFrames,
    act_animation, find_faults, level_animation, level_png, png_floors, tower_animation,
};

/// The pictures of a film, painted one over the other.
fn pictures(film: &[u8]) -> Vec<Vec<u8>> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(film));
    decoder.set_transformations(png::Transformations::ALPHA);
    let mut reader = decoder.read_info().unwrap();
    let count = reader.info().animation_control().expect("a film").num_frames;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let mut canvas = vec![0; 3 * width * height];
    let mut seen = Vec::new();
    for _ in 0..count {
        let mut part = vec![0; 4 * width * height];
        let info = reader.next_frame(&mut part).unwrap();
        let control = *reader.info().frame_control().expect("a part has a place");
        for y in 0..info.height as usize {
            for x in 0..info.width as usize {
                let pixel = &part[y * info.line_size + 4 * x..][..4];
                if pixel[3] == 255 {
                    let at = 3 * ((y + control.y_offset as usize) * width + x + control.x_offset as usize);
                    canvas[at..at + 3].copy_from_slice(&pixel[..3]);
                }
            }
        }
        seen.push(canvas.clone());
    }
    seen
}

fn pixels(png: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

#[test]
fn an_act_film_ends_in_the_picture_of_the_map() {
    let blocked = (1..7).map(|col| Cell { row: 5, col }).collect();
    for config in [
        act::Config::default(),
        act::Config::Walks(WalksConfig { blocked, ..WalksConfig::default() }),
        act::Config::Spire(SpireConfig { emerald: true, ..SpireConfig::default() }),
    ] {
        let mut tape = Tape::new(100_000);
        let map = act::generate_traced(3.into(), &config.resolve().unwrap(), &mut tape).unwrap();
        let film = act_animation(&map, tape.events(), Theme::Parchment, 25).unwrap();
        let seen = pictures(&film);
        let still = Painter::new().png(&Scene::of_act(&map), Theme::Parchment, 25).unwrap();
        assert!(seen.last() == Some(&pixels(&still)), "the last picture is the map's own");
        assert!(seen.len() > 50 && seen.windows(2).all(|pair| pair[0] != pair[1]));
        for shot in ActFrames::new(&map, tape.events()) {
            assert!(shot.scene.edges.iter().all(|edge| edge.to < shot.scene.nodes.len()), "{}", shot.text);
            if !matches!(config, act::Config::Walks(_)) {
                assert_eq!(find_faults(&shot.scene), [], "{}", shot.text);
            }
        }
    }
}

#[test]
fn a_level_film_ends_in_the_picture_of_the_level() {
    let config = level::Config { width: 20, height: 14, ..level::Config::default() };
    let view = LevelView { routes: Routes::All, ..LevelView::default() };
    let mut tape = Tape::new(100_000);
    let level = level::generate_traced(3.into(), &config.resolve().unwrap(), &mut tape).unwrap();
    let seen = pictures(&level_animation(&level, tape.events(), view, Theme::Night, 30).unwrap());
    let still = level_png(&LevelScene::of_level_with(&level, view), Theme::Night, 30).unwrap();
    assert!(seen.last() == Some(&pixels(&still)), "the last picture is the level's own");
    assert!(seen.len() > 10);
    assert_eq!(
        LevelFrames::new(&level, tape.events(), view).last().unwrap().scene,
        LevelScene::of_level_with(&level, view)
    );
}

#[test]
fn a_tower_film_ends_in_the_picture_of_the_tower() {
    let spec = tower::Config { floors: 6, ..tower::Config::default() }.resolve().unwrap();
    let mut tape = Tape::new(100_000);
    let tower = tower::generate_traced(5.into(), &spec, &mut tape).unwrap();
    let seen = pictures(&tower_animation(&tower, tape.events(), Theme::Parchment, 20).unwrap());
    let still = png_floors(&FloorScene::of_tower(&tower), Theme::Parchment, 20).unwrap();
    assert!(seen.last() == Some(&pixels(&still)), "the last picture is the tower's own");
    assert!(seen.len() > 50);
    for (shot, told) in TowerFrames::new(&tower, tape.events()).zip(tape.events()) {
        for (n, panel) in shot.scene.panels.iter().enumerate() {
            let wall = panel.tiles.iter().all(|&tile| tile == TileKind::Wall);
            match n.cmp(&(told.floor as usize)) {
                std::cmp::Ordering::Less => assert_eq!(panel.tiles, tower.floors[n].tiles),
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Greater => assert!(wall && panel.entities.is_empty()),
            }
        }
    }
}

#[test]
fn skipping_steps_leads_to_the_same_step() {
    let mut tape = Tape::new(100_000);
    let map = act::generate_traced(9.into(), &act::Config::default().resolve().unwrap(), &mut tape).unwrap();
    let shots = ActFrames::new(&map, tape.events());
    let all: Vec<_> = shots.clone().collect();
    for n in [0, 1, 77, all.len() - 1] {
        assert_eq!(shots.clone().nth(n).as_ref(), all.get(n));
    }
    assert_eq!(shots.clone().nth(all.len()), None);
}
