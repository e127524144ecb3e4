//! Scenes of maps and runs of any family.

use wayforge::{AnyMap, Run};
#[cfg(feature = "png")]
use wayforge_draw::{DrawError, Painter};
use wayforge_draw::{FloorScene, Layout, LevelScene, LevelView, Paint, Routes, Scene, Theme};

/// A scene of any family, drawn alike.
pub enum AnyScene {
    /// An act map.
    Act(Scene),
    /// A level.
    Level(LevelScene),
    /// A floor, or the floors of a tower.
    Floors(FloorScene),
}

impl AnyScene {
    /// A map: a level with its proven routes, an act map with column and row beside every node if `labels` is set.
    pub fn of_map(map: &AnyMap, routes: Routes, labels: bool) -> AnyScene {
        let view = LevelView { routes, ..LevelView::default() };
        match map {
            AnyMap::Act(map) => {
                AnyScene::Act(Scene::of_act_with(map, Layout { labels, ..Layout::default() }))
            }
            AnyMap::Level(level) => AnyScene::Level(LevelScene::of_level_with(level, view)),
            AnyMap::Floor(floor) => AnyScene::Floors(FloorScene::of_floor(floor)),
            AnyMap::Tower(tower) => AnyScene::Floors(FloorScene::of_tower(tower)),
        }
    }

    /// A run with its party.
    pub fn of_run(run: &Run, labels: bool) -> AnyScene {
        match run {
            Run::Act(play) => AnyScene::Act(Scene { labels, ..Scene::of_play(play) }),
            Run::Climb(climb) => AnyScene::Floors(FloorScene::of_climb(climb)),
        }
    }

    /// The scene as SVG.
    pub fn svg(&self, theme: Theme) -> String {
        match self {
            AnyScene::Act(scene) => wayforge_draw::svg(scene, theme),
            AnyScene::Level(scene) => wayforge_draw::level_svg(scene, theme),
            AnyScene::Floors(scene) => wayforge_draw::svg_floors(scene, theme),
        }
    }

    /// The scene as text.
    pub fn ascii(&self) -> String {
        match self {
            AnyScene::Act(scene) => wayforge_draw::ascii(scene, Paint::Plain),
            AnyScene::Level(scene) => wayforge_draw::level_ascii(scene, Paint::Plain),
            AnyScene::Floors(scene) => wayforge_draw::ascii_floors(scene, Paint::Plain),
        }
    }

    /// The scene as PNG, at a scale in percent.
    #[cfg(feature = "png")]
    pub fn png(&self, painter: &mut Painter, theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
        match self {
            AnyScene::Act(scene) => painter.png(scene, theme, scale),
            AnyScene::Level(scene) => painter.png_level(scene, theme, scale),
            AnyScene::Floors(scene) => painter.png_floors(scene, theme, scale),
        }
    }

    /// The size that [`png`](Self::png) would have, in pixels.
    #[cfg(feature = "png")]
    pub fn png_size(&self, scale: u32) -> Result<(u32, u32), DrawError> {
        match self {
            AnyScene::Act(scene) => wayforge_draw::png_size(scene, scale),
            AnyScene::Level(scene) => wayforge_draw::level_png_size(scene, scale),
            AnyScene::Floors(scene) => scene.png_size(scale),
        }
    }
}
