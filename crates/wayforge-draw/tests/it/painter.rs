//! `Painter`: bytes do not depend on earlier pictures, and PNG pictures look like the SVG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use std::sync::Arc;
use wayforge::act::{
    self, Fog, Icon, KindConfig, KindsChoice, KindsConfig, Play, SpireConfig, WalksConfig,
};
use wayforge::floor;
use wayforge::tower;
use wayforge_draw::{DrawError, FloorScene, Painter, Scene, Theme, floor_svg, png, svg};

fn map(seed: u64, config: act::Config) -> act::ActMap {
    act::generate(seed.into(), &config.resolve().unwrap()).unwrap()
}

/// Kinds whose colours exceed the standard set.
fn custom_kinds() -> KindsChoice {
    let icons = [Icon::Star, Icon::Key, Icon::Shield, Icon::Flask, Icon::Star, Icon::Diamond];
    let kind = |(n, icon): (usize, Icon)| KindConfig {
        icon: Some(icon),
        ..KindConfig::new(format!("kind-{n}"))
    };
    let kinds = icons.into_iter().enumerate().map(kind).collect();
    KindsChoice::Custom(Box::new(KindsConfig {
        kinds,
        bands: vec![],
        fixed: vec![],
        boss: None,
        search_limit: 1000,
    }))
}

/// A map with kind names that need text shaping.
fn complex_text() -> Scene {
    let config = WalksConfig { kinds: custom_kinds(), boss: false, ..WalksConfig::default() };
    let mut scene = Scene::from_act(&map(3, act::Config::Walks(config)));
    let names = ["caf\u{e9}", "ffi  fl", "\u{5d0}\u{5d1}", "x\u{301}y", " a&<b>", "wizard\u{0}"];
    scene.kinds.iter_mut().zip(names).for_each(|(kind, name)| kind.name = name.to_owned());
    scene.title = "\u{1f600} <script>".to_owned();
    scene
}

fn scenes() -> Vec<(&'static str, Scene)> {
    let mut play = Play::start(map(7, act::Config::default()), Fog::Rows(3));
    for _ in 0..5 {
        play = play.advance(play.legal_moves()[0]).unwrap();
    }
    let mut routed = Scene::from_act(&map(5, act::Config::default()));
    routed.edges.iter_mut().step_by(3).for_each(|edge| edge.on_route = true);
    let walks = WalksConfig::default();
    let wide = WalksConfig { cols: 20, rows: 6, walks: 30, nearest: 64, ..walks.clone() };
    vec![
        ("default", Scene::from_act(&map(1, act::Config::default()))),
        ("long title", Scene::from_act(&map(u64::MAX, act::Config::default()))),
        ("play", Scene::from_play(&play)),
        ("route", routed),
        (
            "bare",
            Scene::from_act(&map(
                3,
                act::Config::Walks(WalksConfig { kinds: KindsChoice::None, ..walks }),
            )),
        ),
        ("complex text", complex_text()),
        ("wide", Scene::from_act(&map(3, act::Config::Walks(wide)))),
        ("spire", Scene::from_act(&map(9, act::Config::Spire(SpireConfig::default())))),
    ]
}

fn floors() -> Vec<(&'static str, FloorScene)> {
    let config = r#"{"width":9,"height":7,"itemBudget":1,"relicBudget":1,"npcBudget":1,
        "trapBudget":1,"doorBudget":1,"waterBudget":2}"#;
    let spec = floor::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    let tower = tower::generate(4.into(), &tower::Config::default().resolve().unwrap()).unwrap();
    vec![
        ("floor", FloorScene::from_floor(&floor::generate(3.into(), &spec).unwrap())),
        ("tower", FloorScene::from_tower(&tower)),
    ]
}

#[test]
fn bytes_do_not_depend_on_earlier_pictures() {
    let mut painter = Painter::new();
    let (scenes, floors) = (scenes(), floors());
    // Two rounds, so that every picture follows all others. They need more caches than a painter
    // stores.
    for round in 0..2 {
        for theme in Theme::ALL {
            for scale in [100, 33, 20] {
                // All scenes at small scales, some at full scale.
                let few = if scale == 100 { 3 } else { scenes.len() };
                for (name, scene) in scenes.iter().take(few) {
                    let warm = painter.png(scene, theme, scale).unwrap();
                    if round == 1 {
                        assert!(
                            warm == png(scene, theme, scale).unwrap(),
                            "{name} {theme:?} {scale}"
                        );
                    }
                }
                for (name, scene) in &floors {
                    let warm = painter.png(scene, theme, scale).unwrap();
                    if round == 1 {
                        assert!(
                            warm == png(scene, theme, scale).unwrap(),
                            "{name} {theme:?} {scale}"
                        );
                    }
                }
            }
        }
    }
}

/// Renders a document with resvg and the bundled font.
fn render_svg(svg: &str, width: u32, height: u32) -> Pixmap {
    let mut fonts = usvg::fontdb::Database::new();
    fonts.load_font_data(include_bytes!("../../assets/WayforgeSerif.ttf").to_vec());
    let options = usvg::Options {
        fontdb: Arc::new(fonts),
        font_family: "Wayforge Serif".to_owned(),
        ..Default::default()
    };
    let tree = usvg::Tree::from_str(svg, &options).unwrap();
    let mut pixels = Pixmap::new(width, height).unwrap();
    let stretch = Transform::from_scale(
        width as f32 / tree.size().width(),
        height as f32 / tree.size().height(),
    );
    resvg::render(&tree, stretch, &mut pixels.as_mut());
    pixels
}

/// Returns the mean difference per channel, over the whole picture and in the worst square of 32
/// pixels, in hundredths of a channel step.
fn difference(a: &Pixmap, b: &Pixmap) -> (u64, u64) {
    assert_eq!((a.width(), a.height()), (b.width(), b.height()));
    let (mut sum, mut worst) = (0, 0);
    for top in (0..a.height()).step_by(32) {
        for left in (0..a.width()).step_by(32) {
            let (mut square_sum, mut count) = (0, 0);
            for y in top..(top + 32).min(a.height()) {
                for x in left..(left + 32).min(a.width()) {
                    let (a, b) = (a.pixel(x, y).unwrap(), b.pixel(x, y).unwrap());
                    let part = |a: u8, b: u8| u64::from(a.abs_diff(b));
                    square_sum += part(a.red(), b.red())
                        + part(a.green(), b.green())
                        + part(a.blue(), b.blue());
                    count += 3;
                }
            }
            sum += square_sum;
            worst = worst.max(100 * square_sum / count);
        }
    }
    (100 * sum / u64::from(3 * a.width() * a.height()), worst)
}

/// Returns how many of a million pixels of `a` have no similar pixel in `b` within one pixel. This
/// tolerates edges that are shifted by half a pixel, but no missing line.
fn missing_pixels(a: &Pixmap, b: &Pixmap) -> u64 {
    let (width, height) = (a.width() as usize, a.height() as usize);
    let (a, b) = (a.pixels(), b.pixels());
    let difference = |one: usize, two: usize| {
        let part = |a: u8, b: u8| a.abs_diff(b);
        let (one, two) = (a[one], b[two]);
        part(one.red(), two.red())
            .max(part(one.green(), two.green()))
            .max(part(one.blue(), two.blue()))
    };
    let mut unmatched = 0;
    for y in 1..height - 1 {
        for x in 1..width - 1 {
            let at = y * width + x;
            let near =
                |middle: usize| (middle - 1..=middle + 1).any(|other| difference(at, other) < 40);
            unmatched += u64::from(!near(at) && !near(at - width) && !near(at + width));
        }
    }
    unmatched * 1_000_000 / (width * height) as u64
}

#[test]
fn png_looks_like_the_svg() {
    let mut painter = Painter::new();
    let check = |name: &str, theme: Theme, scale: u32, png: Vec<u8>, svg: String| {
        let png = Pixmap::decode_png(&png).unwrap();
        let svg = render_svg(&svg, png.width(), png.height());
        let (mean, worst) = difference(&png, &svg);
        let (lost, added) = (missing_pixels(&svg, &png), missing_pixels(&png, &svg));
        println!(
            "{name} {theme:?}: mean {mean}, worst square {worst} (hundredths of a channel step); \
             {lost} lost, {added} added of a million"
        );
        assert!(mean < 450, "{name} {theme:?}: mean {mean} hundredths");
        // Sprites are at whole pixels: their edges may differ, but no part may be missing.
        assert!(worst < 2500, "{name} {theme:?}: worst square {worst} hundredths");
        // At half scale lines are about one pixel wide, and dashes start at other positions.
        let limit = if scale == 100 { 4000 } else { 7500 };
        assert!(
            lost < limit && added < limit,
            "{name} {theme:?}: {lost} lost, {added} added of a million"
        );
    };
    for theme in Theme::ALL {
        for (name, scene) in scenes() {
            // Some at full scale, the others at half scale.
            let scale = if ["default", "play", "route"].contains(&name) { 100 } else { 50 };
            check(
                name,
                theme,
                scale,
                painter.png(&scene, theme, scale).unwrap(),
                svg(&scene, theme),
            );
        }
        for (name, scene) in floors() {
            check(
                name,
                theme,
                100,
                painter.png(&scene, theme, 100).unwrap(),
                floor_svg(&scene, theme),
            );
        }
    }
}

#[test]
fn default_maps_are_small_enough_to_upload() {
    let mut painter = Painter::new();
    for theme in Theme::ALL {
        let sizes = (0..60).map(|seed| {
            painter
                .png(&Scene::from_act(&map(seed, act::Config::default())), theme, 100)
                .unwrap()
                .len()
        });
        let sizes: Vec<usize> = sizes.collect();
        println!("{theme:?}: {:?} to {:?}", sizes.iter().min(), sizes.iter().max());
        // The bot uploads pictures with its messages; glows make pictures of the night theme
        // larger.
        assert!(sizes.iter().sum::<usize>() / sizes.len() < 150_000, "{theme:?}");
        let limit = if theme == Theme::Night { 160_000 } else { 120_000 };
        assert!(sizes.iter().all(|&size| size < limit), "{theme:?}: {:?}", sizes.iter().max());
    }
}

#[test]
fn rejects_too_large_sizes_before_painting() {
    let mut painter = Painter::new();
    let scene = Scene::from_act(&map(1, act::Config::default()));
    assert!(matches!(painter.png(&scene, Theme::Night, 1000), Err(DrawError::TooLarge { .. })));
    assert_eq!(painter.png(&scene, Theme::Night, 0), Err(DrawError::ScaleOutOfRange { scale: 0 }));
    assert!(painter.png(&scene, Theme::Night, 20).is_ok());
}
