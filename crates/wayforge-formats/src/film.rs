//! Maps in the making, as animated PNG: a map is made again from its seed and configuration, and tells how.

use crate::content::Content;
use crate::error::{FormatError, refuse};
use wayforge::tower;
use wayforge::trace::Tape;
use wayforge::{Digest, act, floor, level};
use wayforge_draw::{LevelView, Theme, act_film, floor_film, level_film, tower_film};

/// The most steps that are shown; only searches that go wrong again and again take more.
const MAX_EVENTS: usize = 1_000_000;
/// The size of films in percent.
pub(crate) const SCALE: u32 = 50;

/// Draws the making of a map.
///
/// * **Arguments.** An act map, a level, a floor or a tower, the theme, and the scale in percent.
/// * **Returns.** The bytes of the file, or why there is none: a map that somebody edited was never made.
/// * **Determinism.** That of the generators: the last picture is the map's own.
///
/// ```
/// use wayforge::floor;
/// use wayforge_formats::{Content, film};
/// let made = floor::generate(7.into(), &floor::Config::default().resolve()?)?;
/// let bytes = film(&Content::Floor(Box::new(made)), wayforge_draw::Theme::Night, 20)?;
/// assert!(bytes.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn film(content: &Content, theme: Theme, scale: u32) -> Result<Vec<u8>, FormatError> {
    match content {
        Content::Act(map) => {
            let mut tape = Tape::new(MAX_EVENTS);
            let made = act::generate_traced(map.seed.clone(), &map.spec, &mut tape).map_err(unmade)?;
            same(made.to_document().digest, map.to_document().digest)?;
            Ok(act_film(&made, whole(&tape)?, theme, scale)?)
        }
        Content::Level(level) => {
            let mut tape = Tape::new(MAX_EVENTS);
            let made = level::generate_traced(level.seed.clone(), &level.spec, &mut tape).map_err(unmade)?;
            same(made.to_document().digest, level.to_document().digest)?;
            Ok(level_film(&made, whole(&tape)?, LevelView::default(), theme, scale)?)
        }
        Content::Floor(floor) => {
            let mut tape = Tape::new(MAX_EVENTS);
            let made = floor::generate_traced(floor.seed.clone(), &floor.spec, &mut tape).map_err(unmade)?;
            same(made.to_document().digest, floor.to_document().digest)?;
            Ok(floor_film(&made, whole(&tape)?, theme, scale)?)
        }
        Content::Tower(tower) => {
            let mut tape = Tape::new(MAX_EVENTS);
            let made = tower::generate_traced(tower.seed.clone(), &tower.spec, &mut tape).map_err(unmade)?;
            same(made.to_document().digest, tower.to_document().digest)?;
            Ok(tower_film(&made, whole(&tape)?, theme, scale)?)
        }
        other => Err(refuse("apng", other.what(), "is not made step by step", "write it in another format")),
    }
}

/// Why a map cannot be made again.
fn unmade(error: impl std::fmt::Display) -> FormatError {
    refuse("apng", "the map", error.to_string(), "write it as .png")
}

fn same(made: Digest, given: Digest) -> Result<(), FormatError> {
    if made == given {
        return Ok(());
    }
    let problem = "seed and configuration make another map: this one was edited";
    Err(refuse("apng", given, problem, "write it as .png"))
}

/// All that was told, if the tape could hold it.
fn whole<E>(tape: &Tape<E>) -> Result<&[E], FormatError> {
    match tape.missed() {
        0 => Ok(tape.events()),
        missed => {
            let told = format!("{} steps", MAX_EVENTS as u64 + missed);
            Err(refuse("apng", told, format!("a film shows at most {MAX_EVENTS}"), "use a smaller map"))
        }
    }
}
