//! The generation of floors and towers, floor by floor.

use super::{Frames, MAX_PICTURES, Replay, animate};
use crate::floor::{FloorScene, panel_of};
use crate::paint::Painter;
use crate::png::DrawError;
use crate::theme::Theme;
use std::fmt;
use wayforge::floor::{self, Floor, TileKind};
use wayforge::tower::{self, Tower};

/// The steps of the generation of a floor, one scene after another, on the sheet of the finished one.
///
/// ```
/// use wayforge::floor;
/// use wayforge::trace::Tape;
/// use wayforge_draw::{FloorFrames, FloorScene};
/// let mut tape = Tape::new(10_000);
/// let floor = floor::generate_traced(42.into(), &floor::Config::default().resolve()?, &mut tape)?;
/// let last = FloorFrames::new(&floor, tape.events()).last().unwrap();
/// assert_eq!(last.scene, FloorScene::of_floor(&floor));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type FloorFrames<'a> = Frames<FloorReplay<'a, floor::Event>>;

/// The steps of the generation of a tower, one scene after another, on the sheet of the finished one: floors below stand,
/// floors above are still wall.
///
/// ```
/// use wayforge::tower;
/// use wayforge::trace::Tape;
/// use wayforge_draw::{FloorScene, TowerFrames};
/// let mut tape = Tape::new(100_000);
/// let tower = tower::generate_traced(42.into(), &tower::Config::default().resolve()?, &mut tape)?;
/// let last = TowerFrames::new(&tower, tape.events()).last().unwrap();
/// assert_eq!(last.scene, FloorScene::of_tower(&tower));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type TowerFrames<'a> = Frames<FloorReplay<'a, tower::Event>>;

/// An event of a floor, and which floor of a tower it belongs to.
pub trait FloorEvent: fmt::Display {
    /// The number of the floor, from 0, and what happened on it.
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

/// The events of one or several floors, replayed.
#[derive(Clone, Debug)]
pub struct FloorReplay<'a, E> {
    events: std::slice::Iter<'a, E>,
    floors: &'a [Floor],
    /// The floor that is being generated, from 0, and what is there of it.
    floor: usize,
    replay: Option<floor::Replay>,
    /// The scene of the finished floors.
    whole: FloorScene,
}

impl<'a> FloorFrames<'a> {
    /// The steps of `events`, which were recorded while `floor` was generated.
    pub fn new(floor: &'a Floor, events: &'a [floor::Event]) -> FloorFrames<'a> {
        let (floors, whole) = (std::slice::from_ref(floor), FloorScene::of_floor(floor));
        Frames(FloorReplay { events: events.iter(), floors, floor: 0, replay: None, whole })
    }
}

impl<'a> TowerFrames<'a> {
    /// The steps of `events`, which were recorded while `tower` was generated.
    pub fn new(tower: &'a Tower, events: &'a [tower::Event]) -> TowerFrames<'a> {
        let (floors, whole) = (&*tower.floors, FloorScene::of_tower(tower));
        Frames(FloorReplay { events: events.iter(), floors, floor: 0, replay: None, whole })
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
        let mut scene = self.whole.clone();
        let is_done = self.events.as_slice().first().is_none_or(|next| next.on_floor().0 != self.floor);
        for (n, panel) in scene.panels.iter_mut().enumerate().skip(self.floor) {
            match (&self.replay, n == self.floor) {
                (_, true) if is_done => {}
                (Some(replay), true) => {
                    let now = panel_of(replay.floor(), String::new());
                    panel.bosses.retain(|boss| now.entities.iter().any(|(_, pos)| pos == boss));
                    (panel.tiles, panel.entities, panel.path) = (now.tiles, now.entities, now.path);
                }
                _ => {
                    panel.tiles.fill(TileKind::Wall);
                    panel.entities.clear();
                    panel.bosses.clear();
                    panel.path.clear();
                }
            }
        }
        scene.count_again();
        scene
    }

    fn describe(&self, event: &&E) -> String {
        event.to_string()
    }

    fn remaining(&self) -> usize {
        self.events.len()
    }
}

/// Draws the generation of a floor as animated PNG.
///
/// * **Arguments.** The floor, the events that were recorded, the theme, and the scale in percent.
/// * **Returns.** The bytes of the file. Many steps are shown several at a time. The last picture is the floor's own.
/// * **Complexity.** O(pictures * pixels).
///
/// ```
/// use wayforge::floor;
/// use wayforge::trace::Tape;
/// let mut tape = Tape::new(10_000);
/// let floor = floor::generate_traced(42.into(), &floor::Config::default().resolve()?, &mut tape)?;
/// let bytes = wayforge_draw::floor_animation(&floor, tape.events(), wayforge_draw::Theme::Night, 20)?;
/// assert!(bytes.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn floor_animation(
    floor: &Floor,
    events: &[floor::Event],
    theme: Theme,
    scale: u32,
) -> Result<Vec<u8>, DrawError> {
    animate_floors(FloorFrames::new(floor, events), theme, scale)
}

/// Draws the generation of a tower as animated PNG, as [`floor_animation`] does that of a floor.
///
/// ```
/// use wayforge::tower;
/// use wayforge::trace::Tape;
/// let mut tape = Tape::new(100_000);
/// let spec = tower::Config { floors: 3, ..tower::Config::default() }.resolve()?;
/// let tower = tower::generate_traced(42.into(), &spec, &mut tape)?;
/// let bytes = wayforge_draw::tower_animation(&tower, tape.events(), wayforge_draw::Theme::Night, 10)?;
/// assert!(bytes.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tower_animation(
    tower: &Tower,
    events: &[tower::Event],
    theme: Theme,
    scale: u32,
) -> Result<Vec<u8>, DrawError> {
    animate_floors(TowerFrames::new(tower, events), theme, scale)
}

fn animate_floors<E: FloorEvent>(
    frames: Frames<FloorReplay<'_, E>>,
    theme: Theme,
    scale: u32,
) -> Result<Vec<u8>, DrawError> {
    let mut painter = Painter::new();
    animate(frames, MAX_PICTURES, |scene| painter.floor_pixels(&scene, theme, scale))
}
