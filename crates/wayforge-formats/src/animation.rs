//! Generation traces as animated PNG: a map is generated again from its seed and configuration, and its events are drawn.

use crate::error::{FormatError, reject};
use wayforge::trace::Tape;
use wayforge::{AnyMap, MapFamily, Seed, act, floor, level, tower};
use wayforge_draw::{LevelView, Theme, act_animation, floor_animation, level_animation, tower_animation};

/// The most events that are shown; only searches that fail again and again take more.
const MAX_EVENTS: usize = 1_000_000;
/// The size of animations in percent.
pub(crate) const SCALE: u32 = 50;

/// Draws the generation of a map.
///
/// * **Arguments.** The map, the theme, and the scale in percent.
/// * **Returns.** The bytes of the file, or why there is none: a map that somebody edited was never generated.
/// * **Determinism.** That of the generators: the last picture is the map's own.
///
/// ```
/// use wayforge::floor;
/// let map = floor::generate(7.into(), &floor::Config::default().resolve()?)?.into();
/// let bytes = wayforge_formats::animation(&map, wayforge_draw::Theme::Night, 20)?;
/// assert!(bytes.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn animation(map: &AnyMap, theme: Theme, scale: u32) -> Result<Vec<u8>, FormatError> {
    Ok(match map {
        AnyMap::Act(map) => {
            let (map, tape) = traced(&**map, act::generate_traced)?;
            act_animation(&map, tape.events(), theme, scale)?
        }
        AnyMap::Level(level) => {
            let (level, tape) = traced(&**level, level::generate_traced)?;
            level_animation(&level, tape.events(), LevelView::default(), theme, scale)?
        }
        AnyMap::Floor(floor) => {
            let (floor, tape) = traced(&**floor, floor::generate_traced)?;
            floor_animation(&floor, tape.events(), theme, scale)?
        }
        AnyMap::Tower(tower) => {
            let (tower, tape) = traced(&**tower, tower::generate_traced)?;
            tower_animation(&tower, tape.events(), theme, scale)?
        }
    })
}

/// Generates a map again and records its events. Rejects a map that its seed and configuration do not give.
fn traced<F: MapFamily, E>(
    map: &F,
    generate: impl Fn(Seed, &F::Spec, &mut Tape<E>) -> Result<F, F::Error>,
) -> Result<(F, Tape<E>), FormatError> {
    let mut tape = Tape::new(MAX_EVENTS);
    let generated = generate(map.seed().clone(), map.spec(), &mut tape)
        .map_err(|error| reject("apng", "the map", error.to_string(), "write it as .png"))?;
    let given = map.to_document().digest;
    if generated.to_document().digest != given {
        let problem = "seed and configuration make another map: this one was edited";
        return Err(reject("apng", given, problem, "write it as .png"));
    }
    match tape.missed() {
        0 => Ok((generated, tape)),
        missed => {
            let events = format!("{} steps", MAX_EVENTS as u64 + missed);
            let problem = format!("an animation shows at most {MAX_EVENTS}");
            Err(reject("apng", events, problem, "use a smaller map"))
        }
    }
}
