//! Floors in the making.

use super::{Film, Shot, is_shown};
use crate::floor::FloorScene;
use crate::paint::Painter;
use crate::png::DrawError;
use crate::theme::Theme;
use wayforge::floor::{self, Floor, Replay};

/// The steps of the making of a floor, one scene after the other, on the sheet of the finished one.
///
/// ```
/// use wayforge::floor;
/// use wayforge::trace::Tape;
/// use wayforge_draw::{FloorScene, FloorShots};
/// let mut tape = Tape::new(10_000);
/// let floor = floor::generate_traced(42.into(), &floor::Config::default().resolve()?, &mut tape)?;
/// let last = FloorShots::new(&floor, tape.events()).last().unwrap();
/// assert_eq!(last.scene, FloorScene::of_floor(&floor));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FloorShots<'a> {
    events: std::slice::Iter<'a, floor::Event>,
    replay: Replay,
    /// The finished floor's own.
    whole: FloorScene,
}

impl<'a> FloorShots<'a> {
    /// The steps of `events`, which told how `floor` was made.
    pub fn new(floor: &Floor, events: &'a [floor::Event]) -> FloorShots<'a> {
        let replay = Replay::new(floor.seed.clone(), &floor.spec);
        FloorShots { events: events.iter(), replay, whole: FloorScene::of_floor(floor) }
    }

    /// What is there now.
    fn scene(&self) -> FloorScene {
        let mut scene = self.whole.clone();
        if self.events.len() == 0 {
            return scene;
        }
        let there = FloorScene::of_floor(self.replay.floor());
        for (panel, now) in scene.panels.iter_mut().zip(there.panels) {
            panel.bosses.retain(|boss| now.entities.iter().any(|(_, pos)| pos == boss));
            (panel.tiles, panel.entities, panel.path) = (now.tiles, now.entities, now.path);
        }
        scene.count_again();
        scene
    }
}

impl Iterator for FloorShots<'_> {
    type Item = Shot<FloorScene>;

    fn next(&mut self) -> Option<Shot<FloorScene>> {
        let event = self.events.next()?;
        self.replay.apply(event);
        Some(Shot { scene: self.scene(), told: event.to_string() })
    }

    fn nth(&mut self, n: usize) -> Option<Shot<FloorScene>> {
        self.events.by_ref().take(n).for_each(|event| self.replay.apply(event));
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.events.size_hint()
    }
}

impl ExactSizeIterator for FloorShots<'_> {}

/// Draws the making of a floor as animated PNG.
///
/// * **Arguments.** The floor, the events that its making told, the theme, and the scale in percent.
/// * **Returns.** The bytes of the file. Many steps are shown several at a time. The last picture is the floor's own.
/// * **Complexity.** Linear in pictures times pixels.
///
/// ```
/// use wayforge::floor;
/// use wayforge::trace::Tape;
/// let mut tape = Tape::new(10_000);
/// let floor = floor::generate_traced(42.into(), &floor::Config::default().resolve()?, &mut tape)?;
/// let film = wayforge_draw::floor_film(&floor, tape.events(), wayforge_draw::Theme::Night, 20)?;
/// assert!(film.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn floor_film(
    floor: &Floor,
    events: &[floor::Event],
    theme: Theme,
    scale: u32,
) -> Result<Vec<u8>, DrawError> {
    let mut painter = Painter::new();
    let mut film = Film::default();
    let mut shots = FloorShots::new(floor, events);
    let (steps, mut last) = (shots.len(), 0);
    for step in (0..steps).filter(|&step| is_shown(step, steps)) {
        let Some(shot) = shots.nth(step - last) else { break };
        last = step + 1;
        let (size, pixels) = painter.floor_pixels(&shot.scene, theme, scale)?;
        film.add(size, pixels)?;
    }
    film.encode()
}
