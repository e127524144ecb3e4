//! Pictures of Wayforge's maps: a map becomes a [`Scene`], and a scene becomes [ASCII](ascii()), [SVG](svg()) or
//! [PNG](png()).
//!
//! All decisions fall in the scene, in whole numbers; what draws only reads. The same map gives the same bytes.
//!
//! ```
//! use wayforge::{Seed, act::{self, ActConfig}};
//! use wayforge_draw::{Paint, Scene, Theme, ascii, png, svg};
//!
//! let map = act::generate(Seed::from_text("first light"), &ActConfig::default().resolve()?)?;
//! let scene = Scene::of_act(&map);
//! println!("{}", ascii(&scene, Paint::Plain));
//! assert!(svg(&scene, Theme::Parchment).starts_with("<svg "));
//! assert!(png(&scene, Theme::Night, 50)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod ascii;
mod board;
mod chart;
mod check;
mod curve;
mod icons;
mod layout;
mod png;
mod progress;
mod scene;
mod sheet;
mod svg;
mod text;
mod theme;

pub use ascii::{Paint, ascii};
pub use chart::{Chart, chart_png};
pub use check::{Fault, find_faults};
pub use curve::{Curve, Point, UNIT};
pub use png::{DrawError, png, png_size};
pub use scene::{About, Layout, NodeState, Scene, SceneEdge, SceneKind, SceneNode};
pub use svg::svg;
pub use theme::Theme;
