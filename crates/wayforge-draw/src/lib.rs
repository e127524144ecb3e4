//! Renders Wayforge's maps: a map becomes a [`Scene`], and a scene becomes [ASCII](ascii()),
//! [SVG](svg()) or [PNG](png()).
//!
//! A scene stores the complete layout as integers, and the renderers only read it. The same map
//! therefore gives the same bytes on every platform.
//!
//! The main functions:
//!
//! - [`AnyScene::from_map`] lays out a map of any family; [`AnyScene::svg`] and [`AnyScene::ascii`]
//!   render it.
//! - [`png()`] renders any scene as PNG. A [`Painter`] renders many faster.
//! - [`animation()`] renders the generation of a map as animated PNG.
//!
//! ```
//! use wayforge::{Seed, act};
//! use wayforge_draw::{AsciiStyle, Scene, Theme, ascii, png, svg};
//!
//! let map = act::generate(Seed::from_text("first light"), &act::Config::default().resolve()?)?;
//! let scene = Scene::from_act(&map);
//! println!("{}", ascii(&scene, AsciiStyle::Plain));
//! assert!(svg(&scene, Theme::Parchment).starts_with("<svg "));
//! assert!(png(&scene, Theme::Night, 50)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Levels work the same way: a level becomes a [`LevelScene`], which becomes
//! [ASCII](level_ascii()), [SVG](level_svg()) or [PNG](png()).
//!
//! ```
//! use wayforge::{Seed, level};
//! use wayforge_draw::{LevelScene, LevelView, AsciiStyle, Routes, Theme, level_ascii, level_svg};
//!
//! let spec = level::Config::default().resolve()?;
//! let level = level::generate(Seed::from_text("first light"), &spec)?;
//! let view = LevelView { routes: Routes::All, ..LevelView::default() };
//! let scene = LevelScene::from_level_with(&level, view);
//! print!("{}", level_ascii(&scene, AsciiStyle::Colour));
//! assert!(level_svg(&scene, Theme::Parchment).starts_with("<svg "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! - `png` (default): PNG, animations and tile sheets; adds an SVG rasteriser and a font engine.

#![forbid(unsafe_code)]
// Without `png`, code that only the PNG painter uses is dead.
#![cfg_attr(not(feature = "png"), allow(dead_code, unused_imports))]

#[cfg(feature = "png")]
mod animation;
mod any_scene;
mod ascii;
mod board;
#[cfg(feature = "png")]
mod chart;
mod check;
mod curve;
mod floor;
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
        ActFrames, FloorFrames, Frame, Frames, LevelFrames, Replay, SearchFrames, SearchScene,
        TowerFrames, animation, animation_within, search_animation, search_animation_within,
        search_ascii,
    },
    chart::{NavGridChart, nav_grid_png},
    paint::{Painter, PngScene, deflate_each},
    png::{DrawError, png, png_size},
    tiles::{
        FloorTile, LevelTile, NAV_GRID_MAGNITUDES, NAV_GRID_TILE_SIDE, TILE_SIDE, TileSheet,
        floor_tiles, level_tiles, nav_grid_tiles,
    },
};

pub use any_scene::AnyScene;
pub use ascii::{AsciiStyle, ascii};
pub use check::{LayoutDefect, find_layout_defects};
pub use curve::{Curve, Point, UNIT};
pub use floor::{FloorPanel, FloorScene, LegendEntry, floor_ascii};
pub use level::{
    GroundKind, LegendSubject, LevelLegendEntry, LevelScene, LevelView, Outline, Routes, SceneCell,
    SceneRoute, SceneStop, level_ascii, level_svg,
};
pub use scene::{Layout, NodeState, Scene, SceneEdge, SceneInfo, SceneKind, SceneNode};
pub use svg::{FONT, floor_svg, svg};
pub use text::Escaped;
pub use theme::{Colours, Theme};

/// Runs the README examples as doctests.
#[cfg(all(doctest, feature = "png"))]
#[doc = include_str!("../README.md")]
struct Readme;
