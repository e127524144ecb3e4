//! Animations of map generation end with the picture of the finished map.

use wayforge::act::{self, Cell, SpireConfig, WalksConfig};
use wayforge::floor::TileKind;
use wayforge::level;
use wayforge::tower;
use wayforge::trace::Recorder;
use wayforge_draw::{
    ActFrames, FloorScene, LevelFrames, LevelScene, LevelView, Painter, Routes, Scene, Theme,
    TowerFrames, animation, find_layout_defects, png,
};
use wayforge_testsuite::golden::Picture;

#[test]
fn act_animation_ends_with_the_picture_of_the_map() {
    let blocked = (1..7).map(|col| Cell { row: 5, col }).collect();
    for config in [
        act::Config::default(),
        act::Config::Walks(WalksConfig { blocked, ..WalksConfig::default() }),
        act::Config::Spire(SpireConfig { emerald: true, ..SpireConfig::default() }),
    ] {
        let mut recorder = Recorder::new(100_000);
        let map =
            act::generate_traced(3.into(), &config.resolve().unwrap(), &mut recorder).unwrap();
        let animation =
            animation(ActFrames::new(&map, recorder.events()), Theme::Parchment, 25).unwrap();
        let shown = Picture::decode(&animation).frames;
        let finished = Painter::new().png(&Scene::from_act(&map), Theme::Parchment, 25).unwrap();
        assert!(
            shown.last() == Some(&Picture::decode(&finished).frames[0]),
            "the last picture shows the finished map"
        );
        assert!(shown.len() > 50 && shown.windows(2).all(|pair| pair[0] != pair[1]));
        for frame in ActFrames::new(&map, recorder.events()) {
            assert!(
                frame.scene.edges.iter().all(|edge| edge.to < frame.scene.nodes.len()),
                "{}",
                frame.text
            );
            if !matches!(config, act::Config::Walks(_)) {
                assert_eq!(find_layout_defects(&frame.scene), [], "{}", frame.text);
            }
        }
    }
}

#[test]
fn level_animation_ends_with_the_picture_of_the_level() {
    let config = level::Config { width: 20, height: 14, ..level::Config::default() };
    let view = LevelView { routes: Routes::All, ..LevelView::default() };
    let mut recorder = Recorder::new(100_000);
    let level =
        level::generate_traced(3.into(), &config.resolve().unwrap(), &mut recorder).unwrap();
    let animation =
        &animation(LevelFrames::new(&level, recorder.events(), view), Theme::Night, 30).unwrap();
    let shown = Picture::decode(animation).frames;
    let finished = png(&LevelScene::from_level_with(&level, view), Theme::Night, 30).unwrap();
    assert!(
        shown.last() == Some(&Picture::decode(&finished).frames[0]),
        "the last picture shows the finished level"
    );
    assert!(shown.len() > 10);
    assert_eq!(
        LevelFrames::new(&level, recorder.events(), view).last().unwrap().scene,
        LevelScene::from_level_with(&level, view)
    );
}

#[test]
fn tower_animation_ends_with_the_picture_of_the_tower() {
    let spec = tower::Config { floors: 6, ..tower::Config::default() }.resolve().unwrap();
    let mut recorder = Recorder::new(100_000);
    let tower = tower::generate_traced(5.into(), &spec, &mut recorder).unwrap();
    let animation =
        &animation(TowerFrames::new(&tower, recorder.events()), Theme::Parchment, 20).unwrap();
    let shown = Picture::decode(animation).frames;
    let finished = png(&FloorScene::from_tower(&tower), Theme::Parchment, 20).unwrap();
    assert!(
        shown.last() == Some(&Picture::decode(&finished).frames[0]),
        "the last picture shows the finished tower"
    );
    assert!(shown.len() > 50);
    for (frame, event) in TowerFrames::new(&tower, recorder.events()).zip(recorder.events()) {
        for (n, panel) in frame.scene.panels.iter().enumerate() {
            let is_wall = panel.tiles.iter().all(|&tile| tile == TileKind::Wall);
            match n.cmp(&(event.floor as usize)) {
                std::cmp::Ordering::Less => assert_eq!(panel.tiles, tower.floors[n].tiles),
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Greater => assert!(is_wall && panel.entities.is_empty()),
            }
        }
    }
}

#[test]
fn nth_returns_the_same_frame_as_stepping() {
    let mut recorder = Recorder::new(100_000);
    let map =
        act::generate_traced(9.into(), &act::Config::default().resolve().unwrap(), &mut recorder)
            .unwrap();
    let frames = ActFrames::new(&map, recorder.events());
    let all: Vec<_> = frames.clone().collect();
    for n in [0, 1, 77, all.len() - 1] {
        assert_eq!(frames.clone().nth(n).as_ref(), all.get(n));
    }
    assert_eq!(frames.clone().nth(all.len()), None);
}
