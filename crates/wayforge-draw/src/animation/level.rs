//! The generation of levels.

use super::{Frames, MAX_PICTURES, Replay, animate};
use crate::level::{LevelScene, LevelView, level_svg};
use crate::paint::Shapes;
use crate::png::{DrawError, level_png_size, opaque};
use crate::theme::Theme;
use wayforge::level::{self, Level, Symbol};

/// The steps of the generation of a level, one scene after another, on the sheet of the finished one.
///
/// ```
/// use wayforge::level;
/// use wayforge::trace::Tape;
/// use wayforge_draw::{LevelFrames, LevelView, Paint, level_ascii};
/// let mut tape = Tape::new(100_000);
/// let level = level::generate_traced(42.into(), &level::Config::default().resolve()?, &mut tape)?;
/// let last = LevelFrames::new(&level, tape.events(), LevelView::default()).last().unwrap();
/// assert_eq!(level_ascii(&last.scene, Paint::Plain), level.blueprint.to_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type LevelFrames<'a> = Frames<LevelReplay<'a>>;

/// The events of a level, replayed.
#[derive(Clone, Debug)]
pub struct LevelReplay<'a> {
    events: &'a [level::Event],
    replay: level::Replay,
    level: &'a Level,
    view: LevelView,
    sheet: LevelScene,
}

impl<'a> LevelFrames<'a> {
    /// The steps of `events`, which were recorded while `level` was generated, as far as the view shows them.
    pub fn new(level: &'a Level, events: &'a [level::Event], view: LevelView) -> LevelFrames<'a> {
        let replay = level::Replay::new(level.seed.clone(), &level.spec);
        Frames(LevelReplay { events, replay, level, view, sheet: LevelScene::of_level_with(level, view) })
    }
}

impl<'a> Replay for LevelReplay<'a> {
    type Scene = LevelScene;
    /// All events up to a beat.
    type Step = &'a [level::Event];

    fn advance(&mut self) -> Option<&'a [level::Event]> {
        let end = self.events.iter().position(|event| *event == level::Event::Beat)?;
        let (beat, rest) = self.events.split_at(end + 1);
        self.events = rest;
        beat.iter().for_each(|event| self.replay.apply(event));
        Some(beat)
    }

    fn describe(&self, beat: &&[level::Event]) -> String {
        match beat {
            [event, level::Event::Beat] => event.to_string(),
            [event @ level::Event::Attempt { .. }, ..] => event.to_string(),
            _ => {
                let symbol = |event: &level::Event| match event {
                    level::Event::Put { symbol, .. } => Some(*symbol),
                    _ => None,
                };
                let put = |wanted| beat.iter().filter(|&event| symbol(event) == Some(wanted)).count();
                match (put(Symbol::Wall), put(Symbol::Floor)) {
                    (0, 0) => format!("{} cells", beat.len() - 1),
                    (walls, 0) => format!("wall on {walls} cells"),
                    (0, floors) => format!("floor on {floors} cells"),
                    (walls, floors) => format!("wall on {walls} cells, floor on {floors}"),
                }
            }
        }
    }

    fn remaining(&self) -> usize {
        self.events.iter().filter(|event| **event == level::Event::Beat).count()
    }

    fn scene(&self) -> LevelScene {
        let mut there = self.replay.level().clone();
        if self.events.is_empty() {
            // Where cars can drive is only known of the finished level.
            there.car_walkable_cells.clone_from(&self.level.car_walkable_cells);
        }
        let mut scene = LevelScene::of_level_with(&there, self.view);
        let LevelScene { corner, width, height, footer, caption, .. } = &self.sheet;
        (scene.corner, scene.width, scene.height, scene.footer) = (*corner, *width, *height, *footer);
        scene.caption.clone_from(caption);
        let entries = std::mem::replace(&mut scene.entries, self.sheet.entries.clone());
        for entry in &mut scene.entries {
            let now = entries.iter().find(|now| now.entry == entry.entry);
            entry.count = now.map_or(0, |now| now.count);
        }
        scene
    }
}

/// Draws the generation of a level as animated PNG.
///
/// * **Arguments.** The level, the events that were recorded, what is shown, the theme, and the scale in percent.
/// * **Returns.** The bytes of the file. Many steps are shown several at a time. The last picture is the level's own.
/// * **Complexity.** O(pictures * pixels).
///
/// ```
/// use wayforge::level;
/// use wayforge::trace::Tape;
/// use wayforge_draw::{LevelView, Theme, level_animation};
/// let config = level::Config { width: 16, height: 12, ..level::Config::default() };
/// let mut tape = Tape::new(100_000);
/// let level = level::generate_traced(42.into(), &config.resolve()?, &mut tape)?;
/// let bytes = level_animation(&level, tape.events(), LevelView::default(), Theme::Parchment, 20)?;
/// assert!(bytes.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_animation(
    level: &Level,
    events: &[level::Event],
    view: LevelView,
    theme: Theme,
    scale: u32,
) -> Result<Vec<u8>, DrawError> {
    let shapes = Shapes::default();
    animate(LevelFrames::new(level, events, view), MAX_PICTURES, |scene| {
        let size = level_png_size(&scene, scale)?;
        Ok((size, opaque(&shapes.fill(&level_svg(&scene, theme), size)?)))
    })
}
