//! Generation traces as animated PNGs. The map is generated again from its seed and configuration,
//! and the recorded events are drawn.

use crate::error::{FormatError, reject};
use wayforge::trace::Recorder;
use wayforge::{AnyMap, MapFamily, Seed, WorkLimit, act, floor, level, tower};
use wayforge_draw::{ActFrames, FloorFrames, LevelFrames, LevelView, Theme, TowerFrames};

/// Maximum number of events in an animation. Only a generation with very many failed attempts has
/// more.
const MAX_EVENTS: usize = 1_000_000;
/// Default scale of animations, in percent.
pub(crate) const DEFAULT_SCALE: u32 = 50;

/// Renders the generation of a map as an animated PNG. `scale` is in percent.
///
/// # Errors
/// [`FormatError::Invalid`] if the map was edited, so that its seed and configuration do not
/// reproduce it, or if it has too many events, and [`FormatError::Draw`] if rendering fails.
///
/// # Determinism
/// The same map gives the same bytes. The last frame is the picture of the map.
///
/// # Examples
///
/// ```
/// use wayforge::floor;
/// let map = floor::generate(7.into(), &floor::Config::default().resolve()?)?.into();
/// let bytes = wayforge_formats::animation(&map, wayforge_draw::Theme::Night, 20)?;
/// assert!(bytes.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn animation(map: &AnyMap, theme: Theme, scale: u32) -> Result<Vec<u8>, FormatError> {
    animation_within(map, theme, scale, &WorkLimit::UNLIMITED)
}

/// Like [`animation`], but rendering uses at most the work of `limit`.
///
/// # Errors
/// The same as [`animation`].
pub fn animation_within(
    map: &AnyMap,
    theme: Theme,
    scale: u32,
    limit: &WorkLimit,
) -> Result<Vec<u8>, FormatError> {
    Ok(match map {
        AnyMap::Act(map) => {
            let (map, recorder) = traced(&**map, act::generate_traced)?;
            let frames = ActFrames::new(&map, recorder.events());
            wayforge_draw::animation_within(frames, theme, scale, limit)?
        }
        AnyMap::Level(level) => {
            let (level, recorder) = traced(&**level, level::generate_traced)?;
            let frames = LevelFrames::new(&level, recorder.events(), LevelView::default());
            wayforge_draw::animation_within(frames, theme, scale, limit)?
        }
        AnyMap::Floor(floor) => {
            let (floor, recorder) = traced(&**floor, floor::generate_traced)?;
            let frames = FloorFrames::new(&floor, recorder.events());
            wayforge_draw::animation_within(frames, theme, scale, limit)?
        }
        AnyMap::Tower(tower) => {
            let (tower, recorder) = traced(&**tower, tower::generate_traced)?;
            let frames = TowerFrames::new(&tower, recorder.events());
            wayforge_draw::animation_within(frames, theme, scale, limit)?
        }
    })
}

/// Generates a map again and records its events. Rejects a map that its seed and configuration do
/// not reproduce.
fn traced<F: MapFamily, E>(
    map: &F,
    generate: impl Fn(Seed, &F::Spec, &mut Recorder<E>) -> Result<F, F::Error>,
) -> Result<(F, Recorder<E>), FormatError> {
    let mut recorder = Recorder::new(MAX_EVENTS);
    let generated = generate(map.seed().clone(), map.spec(), &mut recorder)
        .map_err(|error| reject("apng", "the map", error.to_string(), "write it as .png"))?;
    let given = map.to_document().digest;
    if generated.to_document().digest != given {
        let problem = "its seed and configuration give another map: this one was edited";
        return Err(reject("apng", given, problem, "write it as .png"));
    }
    match recorder.dropped() {
        0 => Ok((generated, recorder)),
        dropped => {
            let events = format!("{} events", MAX_EVENTS as u64 + dropped);
            let problem = format!("an animation can show at most {MAX_EVENTS}");
            Err(reject("apng", events, problem, "use a smaller map"))
        }
    }
}
