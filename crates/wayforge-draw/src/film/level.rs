//! Levels in the making.

use super::{Film, Shot, is_shown};
use crate::level::{LevelScene, LevelView, level_png_size, level_svg};
use crate::paint::Shapes;
use crate::png::DrawError;
use crate::theme::Theme;
use wayforge::level::{self, Level, Replay, Symbol};

/// The steps of the making of a level, one scene after the other, on the sheet of the finished one.
///
/// ```
/// use wayforge::level;
/// use wayforge::trace::Tape;
/// use wayforge_draw::{LevelShots, LevelView, Paint, level_ascii};
/// let mut tape = Tape::new(100_000);
/// let level = level::generate_traced(42.into(), &level::Config::default().resolve()?, &mut tape)?;
/// let last = LevelShots::new(&level, tape.events(), LevelView::default()).last().unwrap();
/// assert_eq!(level_ascii(&last.scene, Paint::Plain), level.blueprint.to_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LevelShots<'a> {
    events: &'a [level::Event],
    replay: Replay,
    level: &'a Level,
    view: LevelView,
    sheet: LevelScene,
}

impl<'a> LevelShots<'a> {
    /// The steps of `events`, which told how `level` was made, as far as the view shows them.
    pub fn new(level: &'a Level, events: &'a [level::Event], view: LevelView) -> LevelShots<'a> {
        let replay = Replay::new(level.seed.clone(), &level.spec);
        LevelShots { events, replay, level, view, sheet: LevelScene::of_level_with(level, view) }
    }

    /// Goes on to the next beat, and says what happened until then.
    fn go_on(&mut self) -> Option<String> {
        let end = self.events.iter().position(|event| *event == level::Event::Beat)?;
        let (beat, rest) = self.events.split_at(end + 1);
        self.events = rest;
        beat.iter().for_each(|event| self.replay.apply(event));
        Some(match beat {
            [event, level::Event::Beat] => event.to_string(),
            [level::Event::Attempt { .. }, ..] => beat[0].to_string(),
            _ => {
                let wall =
                    |event: &&level::Event| matches!(event, level::Event::Put { symbol: Symbol::Wall, .. });
                let floor =
                    |event: &&level::Event| matches!(event, level::Event::Put { symbol: Symbol::Floor, .. });
                let (walls, floors) = (beat.iter().filter(wall).count(), beat.iter().filter(floor).count());
                match (walls, floors) {
                    (0, 0) => format!("{} cells", beat.len() - 1),
                    (_, 0) => format!("wall on {walls} cells"),
                    (0, _) => format!("floor on {floors} cells"),
                    _ => format!("wall on {walls} cells, floor on {floors}"),
                }
            }
        })
    }

    /// What is there now.
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

impl Iterator for LevelShots<'_> {
    type Item = Shot<LevelScene>;

    fn next(&mut self) -> Option<Shot<LevelScene>> {
        let told = self.go_on()?;
        Some(Shot { scene: self.scene(), told })
    }

    fn nth(&mut self, n: usize) -> Option<Shot<LevelScene>> {
        (0..n).try_for_each(|_| self.go_on().map(|_| ()))?;
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let beats = self.events.iter().filter(|event| **event == level::Event::Beat).count();
        (beats, Some(beats))
    }
}

impl ExactSizeIterator for LevelShots<'_> {}

/// Draws the making of a level as animated PNG.
///
/// * **Arguments.** The level, the events that its making told, what is shown, the theme, and the scale in percent.
/// * **Returns.** The bytes of the file. Many steps are shown several at a time. The last picture is the level's own.
/// * **Complexity.** Linear in pictures times pixels.
///
/// ```
/// use wayforge::level;
/// use wayforge::trace::Tape;
/// use wayforge_draw::{LevelView, Theme, level_film};
/// let config = level::Config { width: 16, height: 12, ..level::Config::default() };
/// let mut tape = Tape::new(100_000);
/// let level = level::generate_traced(42.into(), &config.resolve()?, &mut tape)?;
/// let film = level_film(&level, tape.events(), LevelView::default(), Theme::Parchment, 20)?;
/// assert!(film.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level_film(
    level: &Level,
    events: &[level::Event],
    view: LevelView,
    theme: Theme,
    scale: u32,
) -> Result<Vec<u8>, DrawError> {
    let mut film = Film::default();
    let shapes = Shapes::new();
    let mut shots = LevelShots::new(level, events, view);
    let (steps, mut last) = (shots.len(), 0);
    for step in (0..steps).filter(|&step| is_shown(step, steps)) {
        let Some(shot) = shots.nth(step - last) else { break };
        last = step + 1;
        let size = level_png_size(&shot.scene, scale)?;
        let pixels = shapes.fill(&level_svg(&shot.scene, theme), size)?;
        film.add(size, crate::png::opaque(&pixels))?;
    }
    film.encode()
}
