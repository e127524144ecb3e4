//! Scenes of maps and runs of any family.

use wayforge::{AnyMap, Run};
use wayforge_draw::{AsciiStyle, FloorScene, Layout, LevelScene, LevelView, Routes, Scene, Theme};
#[cfg(feature = "png")]
use wayforge_draw::{DrawError, Painter};

/// Scene of a map or run of any family.
pub enum AnyScene {
    /// Act map.
    Act(Scene),
    /// Level.
    Level(LevelScene),
    /// Floor, or the floors of a tower.
    Floors(FloorScene),
}

impl AnyScene {
    /// Creates the scene of a map.
    ///
    /// `routes` selects the proven routes of a level to show. With `labels`, every node of an act
    /// map shows its column and row.
    pub fn from_map(map: &AnyMap, routes: Routes, labels: bool) -> AnyScene {
        let view = LevelView { routes, ..LevelView::default() };
        match map {
            AnyMap::Act(map) => {
                AnyScene::Act(Scene::from_act_with(map, Layout { labels, ..Layout::default() }))
            }
            AnyMap::Level(level) => AnyScene::Level(LevelScene::from_level_with(level, view)),
            AnyMap::Floor(floor) => AnyScene::Floors(FloorScene::from_floor(floor)),
            AnyMap::Tower(tower) => AnyScene::Floors(FloorScene::from_tower(tower)),
        }
    }

    /// Creates the scene of a run, with the position of the party.
    pub fn from_run(run: &Run, labels: bool) -> AnyScene {
        match run {
            Run::Act(play) => AnyScene::Act(Scene { labels, ..Scene::from_play(play) }),
            Run::Tower(run) => AnyScene::Floors(FloorScene::from_run(run)),
        }
    }

    /// Draws the scene as SVG.
    pub fn svg(&self, theme: Theme) -> String {
        match self {
            AnyScene::Act(scene) => wayforge_draw::svg(scene, theme),
            AnyScene::Level(scene) => wayforge_draw::level_svg(scene, theme),
            AnyScene::Floors(scene) => wayforge_draw::floor_svg(scene, theme),
        }
    }

    /// Draws the scene as text.
    pub fn ascii(&self) -> String {
        match self {
            AnyScene::Act(scene) => wayforge_draw::ascii(scene, AsciiStyle::Plain),
            AnyScene::Level(scene) => wayforge_draw::level_ascii(scene, AsciiStyle::Plain),
            AnyScene::Floors(scene) => wayforge_draw::floor_ascii(scene, AsciiStyle::Plain),
        }
    }

    /// Draws the scene as PNG, at a scale in percent.
    ///
    /// # Errors
    /// [`DrawError`] if the scale is out of range or the picture is too large.
    #[cfg(feature = "png")]
    pub fn png(
        &self,
        painter: &mut Painter,
        theme: Theme,
        scale: u32,
    ) -> Result<Vec<u8>, DrawError> {
        match self {
            AnyScene::Act(scene) => painter.png(scene, theme, scale),
            AnyScene::Level(scene) => painter.png(scene, theme, scale),
            AnyScene::Floors(scene) => painter.png(scene, theme, scale),
        }
    }

    /// Returns width and height of the PNG in pixels, without drawing it.
    ///
    /// # Errors
    /// [`DrawError`] if the scale is out of range or the picture is too large.
    #[cfg(feature = "png")]
    pub fn png_size(&self, scale: u32) -> Result<(u32, u32), DrawError> {
        match self {
            AnyScene::Act(scene) => wayforge_draw::png_size(scene, scale),
            AnyScene::Level(scene) => wayforge_draw::png_size(scene, scale),
            AnyScene::Floors(scene) => wayforge_draw::png_size(scene, scale),
        }
    }
}
