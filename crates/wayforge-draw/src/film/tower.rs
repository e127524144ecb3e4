//! Towers in the making, floor by floor.

use super::{Film, Shot, is_shown};
use crate::floor::FloorScene;
use crate::paint::Painter;
use crate::png::DrawError;
use crate::theme::Theme;
use wayforge::floor::{Replay, TileKind};
use wayforge::tower::{self, Tower};

/// The steps of the making of a tower, one scene after the other, on the sheet of the finished one: floors below stand, floors above
/// are still wall.
///
/// ```
/// use wayforge::{floor, tower};
/// use wayforge::trace::Tape;
/// use wayforge_draw::{FloorScene, TowerShots};
/// let mut tape = Tape::new(100_000);
/// let tower = tower::generate_traced(42.into(), &tower::Config::default().resolve()?, &mut tape)?;
/// let last = TowerShots::new(&tower, tape.events()).last().unwrap();
/// assert_eq!(last.scene, FloorScene::of_tower(&tower));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TowerShots<'a> {
    events: std::slice::Iter<'a, tower::Event>,
    tower: &'a Tower,
    /// The floor that is being made, from 0, and what is there of it.
    floor: u32,
    replay: Option<Replay>,
    /// The finished tower's own.
    whole: FloorScene,
}

impl<'a> TowerShots<'a> {
    /// The steps of `events`, which told how `tower` was made.
    pub fn new(tower: &'a Tower, events: &'a [tower::Event]) -> TowerShots<'a> {
        let whole = FloorScene::of_tower(tower);
        TowerShots { events: events.iter(), tower, floor: 0, replay: None, whole }
    }

    fn apply(&mut self, told: &tower::Event) {
        if self.replay.is_none() || told.floor != self.floor {
            self.floor = told.floor;
            let floor = self.tower.floors.get(told.floor as usize);
            self.replay = floor.map(|floor| Replay::new(floor.seed.clone(), &floor.spec));
        }
        if let Some(replay) = &mut self.replay {
            replay.apply(&told.event);
        }
    }

    /// What is there now.
    fn scene(&self) -> FloorScene {
        let mut scene = self.whole.clone();
        let next = self.events.as_slice().first().map(|told| told.floor);
        let is_done = next != Some(self.floor);
        for (n, panel) in scene.panels.iter_mut().enumerate().skip(self.floor as usize) {
            match (&self.replay, n == self.floor as usize) {
                (_, true) if is_done => {}
                (Some(replay), true) => {
                    let mut there = FloorScene::of_floor(replay.floor());
                    let Some(now) = there.panels.pop() else { continue };
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
}

impl Iterator for TowerShots<'_> {
    type Item = Shot<FloorScene>;

    fn next(&mut self) -> Option<Shot<FloorScene>> {
        let told = *self.events.next()?;
        self.apply(&told);
        Some(Shot { scene: self.scene(), told: told.to_string() })
    }

    fn nth(&mut self, n: usize) -> Option<Shot<FloorScene>> {
        for _ in 0..n {
            let told = *self.events.next()?;
            self.apply(&told);
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.events.size_hint()
    }
}

impl ExactSizeIterator for TowerShots<'_> {}

/// Draws the making of a tower as animated PNG.
///
/// * **Arguments.** The tower, the events that its making told, the theme, and the scale in percent.
/// * **Returns.** The bytes of the file. Many steps are shown several at a time. The last picture is the tower's own.
/// * **Complexity.** Linear in pictures times pixels.
///
/// ```
/// use wayforge::{floor, tower};
/// use wayforge::trace::Tape;
/// let mut tape = Tape::new(100_000);
/// let spec = tower::Config { floors: 3, ..tower::Config::default() }.resolve()?;
/// let tower = tower::generate_traced(42.into(), &spec, &mut tape)?;
/// let film = wayforge_draw::tower_film(&tower, tape.events(), wayforge_draw::Theme::Night, 10)?;
/// assert!(film.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tower_film(
    tower: &Tower,
    events: &[tower::Event],
    theme: Theme,
    scale: u32,
) -> Result<Vec<u8>, DrawError> {
    let mut painter = Painter::new();
    let mut film = Film::default();
    let mut shots = TowerShots::new(tower, events);
    let (steps, mut last) = (shots.len(), 0);
    for step in (0..steps).filter(|&step| is_shown(step, steps)) {
        let Some(shot) = shots.nth(step - last) else { break };
        last = step + 1;
        let (size, pixels) = painter.floor_pixels(&shot.scene, theme, scale)?;
        film.add(size, pixels)?;
    }
    film.encode()
}
