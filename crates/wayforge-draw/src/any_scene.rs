//! Scenes of maps and runs of any family.

use crate::{AsciiStyle, Theme, ascii, floor_ascii, floor_svg, level_ascii, level_svg, svg};
#[cfg(feature = "png")]
use crate::{DrawError, Painter, PngScene};
use crate::{FloorScene, Layout, LevelScene, LevelView, Routes, Scene};
use wayforge::{AnyMap, Run};

/// Scene of a map or run of any family.
///
/// # Examples
///
/// ```
/// use wayforge::{AnySpec, Family};
/// use wayforge_draw::{AnyScene, Theme};
/// for family in Family::ALL {
///     let map = AnySpec::from_json(family, b"{}")?.generate(7.into())?;
///     assert!(AnyScene::from_map(&map).svg(Theme::Night).starts_with("<svg "));
/// }
/// # Ok::<(), wayforge::GenerateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyScene {
    /// Act map.
    Act(Scene),
    /// Level.
    Level(LevelScene),
    /// Floor, or the floors of a tower.
    Floors(FloorScene),
}

impl AnyScene {
    /// Creates the scene of a map with the default options.
    pub fn from_map(map: &AnyMap) -> AnyScene {
        AnyScene::from_map_with(map, Routes::None, false)
    }

    /// Creates the scene of a map.
    ///
    /// `routes` selects the proven routes of a level to show. With `labels`, every node of an act
    /// map shows its column and row.
    pub fn from_map_with(map: &AnyMap, routes: Routes, labels: bool) -> AnyScene {
        let view = LevelView { routes, ..LevelView::default() };
        match map {
            AnyMap::Act(map) => {
                Scene::from_act_with(map, Layout { labels, ..Layout::default() }).into()
            }
            AnyMap::Level(level) => LevelScene::from_level_with(level, view).into(),
            AnyMap::Floor(floor) => FloorScene::from_floor(floor).into(),
            AnyMap::Tower(tower) => FloorScene::from_tower(tower).into(),
        }
    }

    /// Creates the scene of a run, with the position of the party.
    pub fn from_run(run: &Run, labels: bool) -> AnyScene {
        match run {
            Run::Act(play) => Scene { labels, ..Scene::from_play(play) }.into(),
            Run::Tower(run) => FloorScene::from_run(run).into(),
        }
    }

    /// Renders the scene as SVG.
    pub fn svg(&self, theme: Theme) -> String {
        match self {
            AnyScene::Act(scene) => svg(scene, theme),
            AnyScene::Level(scene) => level_svg(scene, theme),
            AnyScene::Floors(scene) => floor_svg(scene, theme),
        }
    }

    /// Renders the scene as text.
    pub fn ascii(&self, style: AsciiStyle) -> String {
        match self {
            AnyScene::Act(scene) => ascii(scene, style),
            AnyScene::Level(scene) => level_ascii(scene, style),
            AnyScene::Floors(scene) => floor_ascii(scene, style),
        }
    }

    /// Describes the picture in a few sentences, for screen readers.
    pub fn description(&self) -> String {
        match self {
            AnyScene::Act(scene) => scene.description(),
            AnyScene::Level(scene) => scene.description(),
            AnyScene::Floors(scene) => scene.description.clone(),
        }
    }
}

impl From<Scene> for AnyScene {
    fn from(scene: Scene) -> AnyScene {
        AnyScene::Act(scene)
    }
}

impl From<LevelScene> for AnyScene {
    fn from(scene: LevelScene) -> AnyScene {
        AnyScene::Level(scene)
    }
}

impl From<FloorScene> for AnyScene {
    fn from(scene: FloorScene) -> AnyScene {
        AnyScene::Floors(scene)
    }
}

#[cfg(feature = "png")]
impl PngScene for AnyScene {
    fn size(&self) -> (i32, i32) {
        match self {
            AnyScene::Act(scene) => scene.size(),
            AnyScene::Level(scene) => scene.size(),
            AnyScene::Floors(scene) => scene.size(),
        }
    }

    fn paint(&self, painter: &mut Painter, theme: Theme, scale: u32) -> Result<(), DrawError> {
        match self {
            AnyScene::Act(scene) => scene.paint(painter, theme, scale),
            AnyScene::Level(scene) => scene.paint(painter, theme, scale),
            AnyScene::Floors(scene) => scene.paint(painter, theme, scale),
        }
    }
}
