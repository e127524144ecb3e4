//! What `wayforge floor` and `wayforge tower` share: where results go, how they look, and when they were made.

use crate::failure::Failure;
use crate::output::Output;
use crate::picture::LookArgs;
use crate::steps;
use crate::templates::Shelf;
use clap::{Args, ValueEnum};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use wayforge::Seed;
use wayforge::floor::{self, NO_TIME, Template, Vec2};
use wayforge::tower;
use wayforge_draw::{
    DrawError, FloorFrames, FloorScene, TowerFrames, ascii_floors, floor_animation, png_floors, svg_floors,
    tower_animation,
};

#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct FloorOutput {
    /// The format; by default that of the output file's suffix, else ascii
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    look: LookArgs,
    /// What documents say in generatedAt: a time, or `now`; it stands outside the digest [default: 1970-01-01T00:00:00.000Z]
    #[arg(long, value_name = "TIME")]
    generated_at: Option<String>,
    /// Show it in the making, step by step: by keys on a terminal, else one step after the other
    #[arg(long)]
    steps: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Format {
    Ascii,
    Svg,
    Png,
    /// The floor or tower in the making, as an animated PNG
    Apng,
    Json,
}

impl FloorOutput {
    pub(crate) fn format(&self) -> Result<Format, Failure> {
        self.look.format(self.format)
    }

    /// Opens the destination; refuses what it cannot show.
    pub(crate) fn open(&self, format: Format, count: u64) -> Result<Output, Failure> {
        if count != 1 && (self.steps || matches!(format, Format::Svg | Format::Png | Format::Apng)) {
            return Err(Failure::Input(format!(
                "--count {count}: a picture holds one map; use --format json or ascii"
            )));
        }
        let output = Output::open(self.look.output())?;
        if self.steps && format != Format::Ascii {
            return Err(Failure::Input(
                "--steps: steps are shown as ascii; leave --format out, or use apng".into(),
            ));
        }
        if matches!(format, Format::Png | Format::Apng) && output.is_terminal() {
            return Err(Failure::Input("--format png: a terminal cannot show it; use -o FILE.png".into()));
        }
        Ok(output)
    }

    /// True if a floor in the making is asked for.
    pub(crate) fn is_making(&self, format: Format) -> bool {
        self.steps || format == Format::Apng
    }

    /// Shows a floor in the making, or draws it so.
    pub(crate) fn show_making(
        &self,
        seed: Seed,
        spec: &floor::Spec,
        mut output: Output,
    ) -> Result<(), Failure> {
        let mut tape = steps::tape();
        let floor = floor::generate_traced(seed, spec, &mut tape)
            .map_err(|error| Failure::Input(error.to_string()))?;
        let events = steps::whole(&tape)?;
        if self.steps {
            let paint = self.look.paint(&output);
            let shots = FloorFrames::new(&floor, events);
            return steps::show(&shots, |scene| ascii_floors(scene, paint), output);
        }
        let film = floor_animation(&floor, events, self.look.theme(), self.look.scale());
        self.write_film(film, &mut output)?;
        output.finish()
    }

    /// Shows a tower in the making, or draws it so.
    pub(crate) fn show_tower(
        &self,
        seed: Seed,
        spec: &tower::Spec,
        mut output: Output,
    ) -> Result<(), Failure> {
        let mut tape = steps::tape();
        let tower = tower::generate_traced(seed, spec, &mut tape)
            .map_err(|error| Failure::Input(error.to_string()))?;
        let events = steps::whole(&tape)?;
        if self.steps {
            let paint = self.look.paint(&output);
            let shots = TowerFrames::new(&tower, events);
            return steps::show(&shots, |scene| ascii_floors(scene, paint), output);
        }
        let film = tower_animation(&tower, events, self.look.theme(), self.look.scale());
        self.write_film(film, &mut output)?;
        output.finish()
    }

    fn write_film(&self, film: Result<Vec<u8>, DrawError>, output: &mut Output) -> Result<(), Failure> {
        let film = film.map_err(|error| Failure::about(format!("--scale {}", self.look.scale()), error))?;
        output.write(&film)
    }

    /// The bytes of a picture.
    pub(crate) fn draw(
        &self,
        scene: &FloorScene,
        format: Format,
        output: &Output,
    ) -> Result<Vec<u8>, Failure> {
        let (theme, scale) = (self.look.theme(), self.look.scale());
        match format {
            Format::Svg => Ok(svg_floors(scene, theme).into_bytes()),
            Format::Png => png_floors(scene, theme, scale)
                .map_err(|error| Failure::about(format!("--scale {scale}"), error)),
            _ => Ok(ascii_floors(scene, self.look.paint(output)).into_bytes()),
        }
    }

    /// What documents say in `generatedAt`.
    pub(crate) fn time(&self) -> Result<String, Failure> {
        match self.generated_at.as_deref() {
            None => Ok(NO_TIME.to_owned()),
            Some("now") => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Ok(iso_time(since.as_secs(), since.subsec_millis()))
            }
            Some(text) if text.chars().count() > 64 || text.chars().any(char::is_control) => {
                Err(Failure::Input(
                    "--generated-at: write at most 64 characters, as in 2026-11-16T08:30:00.000Z, or now"
                        .into(),
                ))
            }
            Some(text) => Ok(text.to_owned()),
        }
    }
}

/// A time as `Date.toISOString` writes it.
fn iso_time(seconds: u64, millis: u32) -> String {
    let (days, rest) = ((seconds / 86_400) as i64, seconds % 86_400);
    // Days since the 1st of March of the year 0, in eras of 400 years.
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// A cell from `X,Y`.
pub(crate) fn parse_cell(option: &str, text: &str) -> Result<Vec2, Failure> {
    let parsed = text
        .split_once(',')
        .and_then(|(x, y)| Some(Vec2 { x: x.trim().parse().ok()?, y: y.trim().parse().ok()? }));
    parsed.ok_or_else(|| Failure::Input(format!("--{option} {text}: write X,Y, as in 4,0")))
}

/// The seed that was given, or a random one, which is printed unless the picture shows it.
pub(crate) fn seed(given: Option<&Seed>, format: Format) -> Result<Seed, Failure> {
    if let Some(seed) = given {
        return Ok(seed.clone());
    }
    let seed = crate::seed::random()?;
    if format != Format::Ascii {
        eprintln!("seed {seed}");
    }
    Ok(seed)
}

/// The template called `id` in a folder if one is given; an embedded one by its name alone.
pub(crate) fn find_template(folder: Option<&Path>, id: &str) -> Result<Option<Template>, Failure> {
    let Some(folder) = folder else { return Ok(None) };
    let shelf = Shelf::read(folder)?;
    match shelf.find(id)? {
        Some(template) => Ok(Some(template)),
        None if Template::find(id).is_some() => Ok(None),
        None => Err(Failure::Input(format!("--template {id}: no such template in {}", shelf.contents()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, millis, text) in [
            (0, 0, NO_TIME),
            (951_782_400, 5, "2000-02-29T00:00:00.005Z"),
            (1_794_787_199, 999, "2026-11-15T23:59:59.999Z"),
            (4_107_542_399, 0, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400, 0, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(iso_time(seconds, millis), text);
        }
    }
}
