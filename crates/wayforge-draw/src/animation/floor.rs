//! Animations of the generation of floors and towers.

use super::{Frames, Replay};
use crate::floor::{FloorScene, floor_panel};
use std::fmt;
use wayforge::floor::{self, Floor, TileKind};
use wayforge::tower::{self, Tower};

/// Steps of the generation of a floor, with a scene for each, on the sheet of the finished floor.
///
/// # Examples
///
/// ```
/// use wayforge::floor;
/// use wayforge::trace::Recorder;
/// use wayforge_draw::{FloorFrames, FloorScene};
/// let mut recorder = Recorder::new(10_000);
/// let spec = floor::Config::default().resolve()?;
/// let floor = floor::generate_traced(42.into(), &spec, &mut recorder)?;
/// let last = FloorFrames::new(&floor, recorder.events()).last().unwrap();
/// assert_eq!(last.scene, FloorScene::from_floor(&floor));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type FloorFrames<'a> = Frames<FloorReplay<'a, floor::Event>>;

/// Steps of the generation of a tower, with a scene for each, on the sheet of the finished tower.
///
/// Floors below the current one are finished; floors above it are solid wall.
///
/// # Examples
///
/// ```
/// use wayforge::tower;
/// use wayforge::trace::Recorder;
/// use wayforge_draw::{FloorScene, TowerFrames};
/// let mut recorder = Recorder::new(100_000);
/// let spec = tower::Config::default().resolve()?;
/// let tower = tower::generate_traced(42.into(), &spec, &mut recorder)?;
/// let last = TowerFrames::new(&tower, recorder.events()).last().unwrap();
/// assert_eq!(last.scene, FloorScene::from_tower(&tower));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type TowerFrames<'a> = Frames<FloorReplay<'a, tower::Event>>;

/// An event of a single floor or of one floor of a tower.
pub trait FloorEvent: fmt::Display {
    /// Returns the floor's index and its event.
    fn on_floor(&self) -> (usize, &floor::Event);
}

impl FloorEvent for floor::Event {
    fn on_floor(&self) -> (usize, &floor::Event) {
        (0, self)
    }
}

impl FloorEvent for tower::Event {
    fn on_floor(&self) -> (usize, &floor::Event) {
        (self.floor as usize, &self.event)
    }
}

/// Replays the events of one or several floors.
#[derive(Clone, Debug)]
pub struct FloorReplay<'a, E> {
    events: std::slice::Iter<'a, E>,
    floors: &'a [Floor],
    /// Index of the floor that is being generated.
    floor: usize,
    /// Partial state of that floor.
    replay: Option<floor::Replay>,
    /// Scene of the finished floors.
    finished: FloorScene,
}

impl<'a> FloorFrames<'a> {
    /// Returns the steps of `events`, recorded while `floor` was generated.
    pub fn new(floor: &'a Floor, events: &'a [floor::Event]) -> FloorFrames<'a> {
        let (floors, finished) = (std::slice::from_ref(floor), FloorScene::from_floor(floor));
        Frames(FloorReplay { events: events.iter(), floors, floor: 0, replay: None, finished })
    }
}

impl<'a> TowerFrames<'a> {
    /// Returns the steps of `events`, recorded while `tower` was generated.
    pub fn new(tower: &'a Tower, events: &'a [tower::Event]) -> TowerFrames<'a> {
        let (floors, finished) = (&*tower.floors, FloorScene::from_tower(tower));
        Frames(FloorReplay { events: events.iter(), floors, floor: 0, replay: None, finished })
    }
}

impl<'a, E: FloorEvent> Replay for FloorReplay<'a, E> {
    type Scene = FloorScene;
    type Step = &'a E;

    fn advance(&mut self) -> Option<&'a E> {
        let next = self.events.next()?;
        let (floor, event) = next.on_floor();
        if self.replay.is_none() || floor != self.floor {
            self.floor = floor;
            let floor = self.floors.get(self.floor);
            self.replay = floor.map(|floor| floor::Replay::new(floor.seed.clone(), &floor.spec));
        }
        if let Some(replay) = &mut self.replay {
            replay.apply(event);
        }
        Some(next)
    }

    fn scene(&self) -> FloorScene {
        let mut scene = self.finished.clone();
        let is_done =
            self.events.as_slice().first().is_none_or(|next| next.on_floor().0 != self.floor);
        for (n, panel) in scene.panels.iter_mut().enumerate().skip(self.floor) {
            match (&self.replay, n == self.floor) {
                (_, true) if is_done => {}
                (Some(replay), true) => {
                    let partial = floor_panel(replay.floor(), String::new());
                    panel.bosses.retain(|boss| partial.entities.iter().any(|(_, pos)| pos == boss));
                    (panel.tiles, panel.entities, panel.path) =
                        (partial.tiles, partial.entities, partial.path);
                }
                _ => {
                    panel.tiles.fill(TileKind::Wall);
                    panel.entities.clear();
                    panel.bosses.clear();
                    panel.path.clear();
                }
            }
        }
        scene.update_legend_counts();
        scene
    }

    fn describe(&self, event: &&E) -> String {
        event.to_string()
    }

    fn remaining(&self) -> usize {
        self.events.len()
    }
}
