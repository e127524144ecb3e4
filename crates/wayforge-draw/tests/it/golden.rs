//! Golden files in `tests/golden`: pictures, animations and texts that open in a viewer. `cat`
//! shows the texts with the suffix `ansi` in colour.
//!
//! `digests.txt` lists a hash of every PNG file. It pins what the comparison of pictures tolerates:
//! the exact bytes, which are the same on every platform. If only this list fails, the pictures
//! look as before, and a new version of the rasteriser or of the encoder is the usual reason.

use crate::{floors, levels, pictures};
use std::fmt::Write;
use wayforge::act::{self, WalksConfig};
use wayforge::grid::Pos;
use wayforge::level;
use wayforge::nav::{
    ArchipelagoConfig, Method, NavGrid, Navigator, Path, Preprocessing, Query, SearchEvent,
    archipelago,
};
use wayforge::seed::fnv1a_64;
use wayforge::tower::TowerRun;
use wayforge::trace::Recorder;
use wayforge_draw::{
    ActFrames, AsciiStyle, FloorScene, LevelFrames, LevelView, NavGridChart, PngScene,
    SearchFrames, Theme, animation, ascii, floor_ascii, floor_svg, floor_tiles, level_ascii,
    level_svg, level_tiles, nav_grid_png, nav_grid_tiles, png, search_animation, search_ascii, svg,
};
use wayforge_testsuite::golden::Golden;

/// Golden files, and the digests of the pictures among them.
struct Files {
    golden: Golden,
    digests: String,
}

impl Files {
    fn text(&mut self, name: &str, text: &str) {
        self.golden.compare_text(name, text);
    }

    fn picture(&mut self, name: &str, png: &[u8]) {
        self.golden.compare_picture(name, png);
        writeln!(self.digests, "{name} {:016x}", fnv1a_64(png)).unwrap();
    }

    /// Renders a scene in every theme.
    fn scene(&mut self, name: &str, scene: &impl PngScene, scale: u32) {
        for theme in Theme::ALL {
            let name = format!("{name}-{}.png", theme.name());
            self.picture(&name, &png(scene, theme, scale).unwrap());
        }
    }
}

#[test]
fn outputs_match_the_golden_files() {
    let golden = Golden::open("crates/wayforge-draw/tests/golden");
    let mut files = Files { golden, digests: String::new() };
    acts(&mut files);
    levels(&mut files);
    floors(&mut files);
    tiles(&mut files);
    sea(&mut files);
    animations(&mut files);
    files.golden.compare_text("digests.txt", &files.digests);
    files.golden.finish();
}

fn acts(files: &mut Files) {
    for (name, scene) in pictures::scenes() {
        let name = format!("act/{name}");
        files.scene(&name, &scene, 50);
        files.text(&format!("{name}.svg"), &svg(&scene, Theme::Parchment));
        files.text(&format!("{name}.ansi"), &ascii(&scene, AsciiStyle::Colour));
        files.text(&format!("{name}.txt"), &ascii(&scene, AsciiStyle::Plain));
    }
}

fn levels(files: &mut Files) {
    for (name, scene) in levels::scenes() {
        let name = format!("level/{name}");
        files.scene(&name, &scene, 50);
        files.text(&format!("{name}.svg"), &level_svg(&scene, Theme::Parchment));
        files.text(&format!("{name}.ansi"), &level_ascii(&scene, AsciiStyle::Colour));
    }
}

fn floors(files: &mut Files) {
    let tower = floors::tower(r#"{"floors":5}"#);
    let mut run = TowerRun::start(tower.clone());
    for _ in 0..9 {
        run.step(run.next_step().unwrap()).unwrap();
    }
    for (name, scene) in [
        ("floor", FloorScene::from_floor(&floors::floor_with_all_kinds(3))),
        ("tower", FloorScene::from_tower(&tower)),
        ("run", FloorScene::from_run(&run)),
    ] {
        let name = format!("floor/{name}");
        files.scene(&name, &scene, 50);
        files.text(&format!("{name}.svg"), &floor_svg(&scene, Theme::Parchment));
        files.text(&format!("{name}.ansi"), &floor_ascii(&scene, AsciiStyle::Colour));
    }
}

fn tiles(files: &mut Files) {
    for theme in Theme::ALL {
        let name = theme.name();
        files.picture(&format!("tiles/level-{name}.png"), &level_tiles(theme).unwrap().png);
        files.picture(&format!("tiles/floor-{name}.png"), &floor_tiles(theme).unwrap().png);
        files.picture(&format!("tiles/sea-{name}.png"), &nav_grid_tiles(theme).unwrap().png);
    }
}

/// A search on a sea map.
struct Sea {
    grid: NavGrid,
    query: Query,
    events: Vec<SearchEvent>,
    path: Path,
}

impl Sea {
    fn new(width: i64, height: i64, method: Method) -> Sea {
        let config = ArchipelagoConfig { width, height, scale: 48, ..ArchipelagoConfig::default() };
        let grid = archipelago(11.into(), &config.resolve().unwrap());
        // Open tiles, nearest to a place first.
        let open_from = |place: Pos| {
            let distance =
                |pos: &Pos| u32::from(pos.x.abs_diff(place.x)) + u32::from(pos.y.abs_diff(place.y));
            let mut tiles: Vec<_> = grid.size().iter().filter(|&pos| grid.is_open(pos)).collect();
            tiles.sort_by_key(distance);
            tiles
        };
        let (right, bottom) = (width as u16 - 1, height as u16 - 1);
        let source = open_from(Pos::new(right / 10, bottom / 2))[0];
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        let mut recorder = Recorder::new(100_000);
        // The tile nearest to the corner may be in another sea.
        let (query, path) = open_from(Pos::new(right, 0))
            .into_iter()
            .find_map(|target| {
                let query = Query::new([source], [target]).method(method);
                recorder = Recorder::new(100_000);
                let path = navigator.find_traced(&query, &mut recorder).unwrap()?;
                Some((query, path))
            })
            .unwrap();
        let events = recorder.events().to_vec();
        Sea { grid, query, events, path }
    }
}

fn sea(files: &mut Files) {
    let Sea { grid, query, events, path } = Sea::new(160, 100, Method::Components);
    let last = SearchFrames::new(&grid, &events, Some(&path)).last().unwrap();
    let chart = NavGridChart {
        grid: &grid,
        visited: Some(&last.scene.visited),
        paths: &[path.tiles],
        sources: &query.sources,
        targets: &query.targets,
    };
    for theme in Theme::ALL {
        let bytes = nav_grid_png(&chart, theme, 480).unwrap();
        files.picture(&format!("sea/path-{}.png", theme.name()), &bytes);
    }
    files.text("sea/path.txt", &search_ascii(&grid, &query, &last.scene, 80));
}

fn animations(files: &mut Files) {
    let mut recorder = Recorder::new(10_000);
    let config = WalksConfig { rows: 4, cols: 4, walks: 3, ..WalksConfig::default() };
    let spec = act::Config::Walks(config).resolve().unwrap();
    let map = act::generate_traced(3.into(), &spec, &mut recorder).unwrap();
    let frames = ActFrames::new(&map, recorder.events());
    files.picture("animation/act.png", &animation(frames, Theme::Parchment, 30).unwrap());

    let mut recorder = Recorder::new(10_000);
    let config = level::Config { width: 12, height: 9, ..level::Config::default() };
    let spec = config.resolve().unwrap();
    let level = level::generate_traced(3.into(), &spec, &mut recorder).unwrap();
    let frames = LevelFrames::new(&level, recorder.events(), LevelView::default());
    files.picture("animation/level.png", &animation(frames, Theme::Night, 30).unwrap());

    let Sea { grid, query, events, path } = Sea::new(80, 50, Method::MaskF2);
    let frames = SearchFrames::new(&grid, &events, Some(&path));
    let bytes = search_animation(frames, &query, Theme::Night, 240).unwrap();
    files.picture("animation/search.png", &bytes);
}
