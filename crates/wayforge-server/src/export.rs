//! Maps in the files of other tools, and in the making.

use crate::form::Form;
use crate::map::{AnyMap, Look};
use crate::problem::{Kind, Problem};
use wayforge::trace::Tape;
use wayforge::{Family, act, floor, level};
use wayforge_draw::{
    FloorScene, LevelScene, LevelView, Scene, Theme, act_film, floor_film, level_film, level_png_size,
    png_size, tower_film,
};
use wayforge_formats::{Content, Format, FormatError, Memory, zip};

/// The most steps of a making that are shown.
const MOST_EVENTS: usize = 500_000;
/// A film has many pictures: each may have this part of what a still may have.
const FILM_SHARE: u64 = 4;

/// The size of films in percent, if nobody asks for another: levels have the largest sheets.
pub(crate) const fn film_scale(family: Family) -> u32 {
    match family {
        Family::Level => 30,
        _ => 40,
    }
}

/// Writes a map, or water, as a file or as an archive of what belongs together.
pub(crate) fn write(content: Content, form: Form, stem: &str, theme: Theme) -> Result<Vec<u8>, Problem> {
    let mut files = Memory::default();
    let name = form.file(stem);
    Format::of(&name)?.write(&[content], &name, theme, &mut files)?;
    match form.is_archive() {
        true => Ok(zip(&files).map_err(FormatError::Io)?),
        false => Ok(files.0.remove(&name).unwrap_or_default()),
    }
}

/// Draws the making of a map: it is made again, and tells how.
pub(crate) fn film(map: &AnyMap, look: Look) -> Result<Vec<u8>, Problem> {
    let look = Look { pixels: look.pixels / FILM_SHARE, ..look };
    let (theme, scale) = (look.theme, look.scale);
    match map {
        AnyMap::Act(map) => {
            look.fit(png_size(&Scene::of_act(map), scale))?;
            let mut tape = Tape::new(MOST_EVENTS);
            let map =
                act::generate_traced(map.seed, &map.spec, &mut tape).map_err(wayforge::ForgeError::from)?;
            Ok(act_film(&map, whole(&tape)?, theme, scale)?)
        }
        AnyMap::Level(level) => {
            let view = LevelView { routes: look.witness.routes(), ..LevelView::default() };
            look.fit(level_png_size(&LevelScene::of_level_with(level, view), scale))?;
            let mut tape = Tape::new(MOST_EVENTS);
            let level = level::generate_traced(level.seed, &level.spec, &mut tape)
                .map_err(wayforge::ForgeError::from)?;
            Ok(level_film(&level, whole(&tape)?, view, theme, scale)?)
        }
        AnyMap::Floor(floor) => {
            look.fit(FloorScene::of_floor(floor).png_size(scale))?;
            let mut tape = Tape::new(MOST_EVENTS);
            let floor = floor::generate_traced(floor.seed, &floor.spec, &mut tape)
                .map_err(wayforge::ForgeError::from)?;
            Ok(floor_film(&floor, whole(&tape)?, theme, scale)?)
        }
        AnyMap::Tower(tower) => {
            look.fit(FloorScene::of_tower(tower).png_size(scale))?;
            let mut tape = Tape::new(MOST_EVENTS);
            let tower = floor::generate_tower_traced(tower.seed, &tower.spec, &mut tape)?;
            Ok(tower_film(&tower, whole(&tape)?, theme, scale)?)
        }
    }
}

/// All that was told, if the tape could hold it.
fn whole<E>(tape: &Tape<E>) -> Result<&[E], Problem> {
    match tape.missed() {
        0 => Ok(tape.events()),
        missed => {
            let told = MOST_EVENTS as u64 + missed;
            let detail = format!("the map took {told} steps to make; films show at most {MOST_EVENTS}");
            Err(Problem::new(Kind::Limit, detail).allowed("a smaller map, or a still picture"))
        }
    }
}

impl From<FormatError> for Problem {
    fn from(error: FormatError) -> Problem {
        match error {
            FormatError::Refused(error) => error.into(),
            FormatError::Draw(error) => error.into(),
            other => Problem::new(Kind::Internal, other.to_string()),
        }
    }
}
