//! Pictures of Wayforge's maps: a map becomes a [`Scene`], and a scene becomes [ASCII](ascii()), [SVG](svg()) or
//! [PNG](png()).
//!
//! All decisions fall in the scene, in whole numbers; what draws only reads. The same map gives the same bytes.
//!
//! ```
//! use wayforge::{Seed, act};
//! use wayforge_draw::{Paint, Scene, Theme, ascii, png, svg};
//!
//! let map = act::generate(Seed::from_text("first light"), &act::Config::default().resolve()?)?;
//! let scene = Scene::of_act(&map);
//! println!("{}", ascii(&scene, Paint::Plain));
//! assert!(svg(&scene, Theme::Parchment).starts_with("<svg "));
//! assert!(png(&scene, Theme::Night, 50)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Levels go the same way: a level becomes a [`LevelScene`], and that becomes [ASCII](level_ascii()), [SVG](level_svg()) or
//! [PNG](level_png()).
//!
//! ```
//! use wayforge::{Seed, level};
//! use wayforge_draw::{LevelScene, LevelView, Paint, Routes, Theme, level_ascii, level_svg};
//!
//! let level = level::generate(Seed::from_text("first light"), &level::Config::default().resolve()?)?;
//! let scene = LevelScene::of_level_with(&level, LevelView { routes: Routes::All, ..LevelView::default() });
//! print!("{}", level_ascii(&scene, Paint::Colour));
//! assert!(level_svg(&scene, Theme::Parchment).starts_with("<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
// What only painters read stands beside what drawings do.
#![cfg_attr(not(feature = "png"), allow(dead_code, unused_imports))]

#[cfg(feature = "png")]
mod animation;
mod ascii;
mod board;
#[cfg(feature = "png")]
mod chart;
mod check;
mod curve;
mod floor;
mod gallery;
mod icons;
mod layout;
mod level;
#[cfg(feature = "png")]
mod paint;
#[cfg(feature = "png")]
mod png;
mod progress;
mod scene;
mod sheet;
mod svg;
mod text;
mod theme;
#[cfg(feature = "png")]
mod tiles;

#[cfg(feature = "png")]
pub use {
    animation::{
        ActFrames, FloorFrames, Frame, Frames, LevelFrames, SearchFrames, SearchScene, TowerFrames,
        act_animation, floor_animation, level_animation, search_animation, search_ascii, tower_animation,
    },
    chart::{Chart, chart_png},
    paint::{Painter, deflate_each},
    png::{DrawError, level_png, level_png_size, png, png_floors, png_size},
    tiles::{
        FloorTile, LevelTile, TILE_SIDE, TileSheet, WATER_MAGNITUDES, WATER_SIDE, floor_tiles, level_tiles,
        water_tiles,
    },
};

pub use ascii::{Paint, ascii};
pub use check::{Fault, find_faults};
pub use curve::{Curve, Point, UNIT};
pub use floor::{FloorScene, LegendEntry, Panel, ascii_floors};
pub use gallery::{Exhibit, Picture, gallery};
pub use level::{
    Entry, Ground, LevelEntry, LevelScene, LevelView, Outline, Routes, SceneCell, SceneRoute, SceneStop,
    level_ascii, level_svg,
};
pub use scene::{About, Layout, NodeState, Scene, SceneEdge, SceneKind, SceneNode};
pub use svg::{svg, svg_floors};
pub use text::Escaped;
pub use theme::{Colours, Theme};
