//! Animations of the generation of levels.

use super::{Frames, Replay};
use crate::level::{LevelScene, LevelView};
use wayforge::level::{self, Level, Symbol};

/// Steps of the generation of a level, with a scene for each, on the sheet of the finished level.
///
/// # Examples
///
/// ```
/// use wayforge::level;
/// use wayforge::trace::Recorder;
/// use wayforge_draw::{LevelFrames, LevelView, AsciiStyle, level_ascii};
/// let mut recorder = Recorder::new(100_000);
/// let spec = level::Config::default().resolve()?;
/// let level = level::generate_traced(42.into(), &spec, &mut recorder)?;
/// let last = LevelFrames::new(&level, recorder.events(), LevelView::default()).last().unwrap();
/// assert_eq!(level_ascii(&last.scene, AsciiStyle::Plain), level.blueprint.to_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type LevelFrames<'a> = Frames<LevelReplay<'a>>;

/// Replays the events of a level.
#[derive(Clone, Debug)]
pub struct LevelReplay<'a> {
    events: &'a [level::Event],
    replay: level::Replay,
    level: &'a Level,
    view: LevelView,
    /// Scene of the finished level.
    finished: LevelScene,
}

impl<'a> LevelFrames<'a> {
    /// Returns the steps of `events`, recorded while `level` was generated. `view` selects the
    /// layers to show.
    pub fn new(level: &'a Level, events: &'a [level::Event], view: LevelView) -> LevelFrames<'a> {
        let replay = level::Replay::new(level.seed.clone(), &level.spec);
        let finished = LevelScene::from_level_with(level, view);
        Frames(LevelReplay { events, replay, level, view, finished })
    }
}

impl<'a> Replay for LevelReplay<'a> {
    type Scene = LevelScene;
    /// A group of events, including the [`EndGroup`](level::Event::EndGroup) at its end.
    type Step = &'a [level::Event];

    fn advance(&mut self) -> Option<&'a [level::Event]> {
        let end = self.events.iter().position(|event| *event == level::Event::EndGroup)?;
        let (group, rest) = self.events.split_at(end + 1);
        self.events = rest;
        group.iter().for_each(|event| self.replay.apply(event));
        Some(group)
    }

    fn describe(&self, group: &&[level::Event]) -> String {
        match group {
            [event, level::Event::EndGroup] => event.to_string(),
            [event @ level::Event::Attempt { .. }, ..] => event.to_string(),
            _ => {
                let symbol = |event: &level::Event| match event {
                    level::Event::Put { symbol, .. } => Some(*symbol),
                    _ => None,
                };
                let count =
                    |wanted| group.iter().filter(|&event| symbol(event) == Some(wanted)).count();
                match (count(Symbol::Wall), count(Symbol::Floor)) {
                    (0, 0) => format!("{} cells changed", group.len() - 1),
                    (walls, 0) => format!("wall placed on {walls} cells"),
                    (0, floors) => format!("floor placed on {floors} cells"),
                    (walls, floors) => format!("wall placed on {walls} cells, floor on {floors}"),
                }
            }
        }
    }

    fn remaining(&self) -> usize {
        self.events.iter().filter(|event| **event == level::Event::EndGroup).count()
    }

    fn scene(&self) -> LevelScene {
        let mut current = self.replay.level().clone();
        if self.events.is_empty() {
            // Events do not contain the cells that cars can reach; they are known for the finished
            // level.
            current.car_walkable_cells.clone_from(&self.level.car_walkable_cells);
        }
        let mut scene = LevelScene::from_level_with(&current, self.view);
        let LevelScene { corner, width, height, footer, caption, .. } = &self.finished;
        (scene.corner, scene.width, scene.height, scene.footer) =
            (*corner, *width, *height, *footer);
        scene.caption.clone_from(caption);
        let entries = std::mem::replace(&mut scene.legend, self.finished.legend.clone());
        for entry in &mut scene.legend {
            let new = entries.iter().find(|new| new.subject == entry.subject);
            entry.count = new.map_or(0, |new| new.count);
        }
        scene
    }
}
