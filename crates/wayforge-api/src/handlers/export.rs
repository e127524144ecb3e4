//! Maps in the files of other tools, and in the making.

use crate::AnyScene;
use crate::handlers::form::Form;
use crate::handlers::map::Look;
use crate::handlers::problem::{Kind, Problem};
use wayforge::{AnyMap, Family};
use wayforge_draw::{Routes, Theme};
use wayforge_formats::{Content, Format, FormatError, Memory, zip};

/// A film has many pictures: each may have this part of what a still may have.
const FILM_SHARE: u64 = 4;

/// The size of pictures in percent, if nobody asks for another: films have many, and levels have the largest sheets.
pub const fn usual_scale(family: Family, form: Form) -> u32 {
    match (form, family) {
        (Form::Film, Family::Level) => 30,
        (Form::Film, _) => 40,
        _ => 100,
    }
}

/// Writes a map, or water, as a file or as an archive of what belongs together.
pub fn write(content: Content, form: Form, stem: &str, theme: Theme) -> Result<Vec<u8>, Problem> {
    let mut files = Memory::default();
    let name = form.file(stem);
    Format::of(&name)?.write(&[content], &name, theme, &mut files)?;
    match form.is_archive() {
        true => Ok(zip(&files).map_err(FormatError::Io)?),
        false => Ok(files.0.remove(&name).unwrap_or_default()),
    }
}

/// Draws the making of a map.
pub fn film(map: AnyMap, look: Look) -> Result<Vec<u8>, Problem> {
    let size = AnyScene::of_map(&map, Routes::None, false).png_size(look.scale);
    Look { pixels: look.pixels / FILM_SHARE, ..look }.fit(size)?;
    Ok(wayforge_formats::animation(&map, look.theme, look.scale)?)
}

impl From<FormatError> for Problem {
    fn from(error: FormatError) -> Problem {
        match error {
            FormatError::Invalid(error) => error.into(),
            FormatError::Config(error) => error.into(),
            FormatError::Draw(error) => error.into(),
            other => Problem::new(Kind::Internal, other.to_string()),
        }
    }
}
