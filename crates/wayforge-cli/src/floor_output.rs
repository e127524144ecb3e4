//! What `wayforge floor` and `wayforge tower` share: where results go, how they look, and when they were made.

use crate::failure::{Failure, reject};
use crate::format::{MAPS, OutputFormat};
use crate::generate::{Maps, SeedArgs};
use crate::number::pair;
use crate::picture::{Canvas, LookArgs};
use crate::templates::Shelf;
use clap::Args;
use std::path::Path;
use time::OffsetDateTime;
use wayforge::floor::{NO_TIME, Template, Vec2};

#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct FloorOutput {
    /// The format; by default that of the output file's suffix, else ascii
    #[arg(long, value_parser = OutputFormat::among(&MAPS))]
    format: Option<OutputFormat>,
    #[command(flatten)]
    look: LookArgs,
    /// What documents say in generatedAt: a time, or `now`; it stands outside the digest [default: 1970-01-01T00:00:00.000Z]
    #[arg(long, value_name = "TIME")]
    generated_at: Option<String>,
}

impl FloorOutput {
    /// Opens the output, or rejects what it cannot show.
    pub(crate) fn open(&self, seeds: &SeedArgs) -> Result<(Maps<'_>, Canvas), Failure> {
        let canvas = self.look.canvas(self.format)?;
        Ok((Maps::open(&self.look, canvas, seeds, "json or ascii", true)?, canvas))
    }

    /// What documents say in `generatedAt`.
    pub(crate) fn time(&self) -> Result<String, Failure> {
        match self.generated_at.as_deref() {
            None => Ok(NO_TIME.to_owned()),
            Some("now") => Ok(iso_time(OffsetDateTime::now_utc())),
            Some(text) if text.chars().count() > 64 || text.chars().any(char::is_control) => {
                reject("--generated-at: write at most 64 characters, as in 2026-11-16T08:30:00.000Z, or now")
            }
            Some(text) => Ok(text.to_owned()),
        }
    }
}

/// A time as `Date.toISOString` writes it.
fn iso_time(time: OffsetDateTime) -> String {
    let (date, (hour, minute, second, milli)) = (time.date(), time.to_hms_milli());
    format!("{date}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Parses a cell.
pub(crate) fn parse_cell(text: &str) -> Result<Vec2, String> {
    let (x, y) = pair(text).ok_or("write X,Y, as in 4,0")?;
    Ok(Vec2 { x, y })
}

/// The template called `id` in a folder if one is given; an embedded one by its name alone.
pub(crate) fn find_template(folder: Option<&Path>, id: &str) -> Result<Option<Template>, Failure> {
    let Some(folder) = folder else { return Ok(None) };
    let shelf = Shelf::read(folder)?;
    match shelf.find(id)? {
        Some(template) => Ok(Some(template)),
        None if Template::find(id).is_some() => Ok(None),
        None => reject(format!("--template {id}: no such template in {}", shelf.contents())),
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
            let time = OffsetDateTime::from_unix_timestamp(seconds).unwrap();
            assert_eq!(iso_time(time + time::Duration::milliseconds(millis)), text);
        }
    }
}
