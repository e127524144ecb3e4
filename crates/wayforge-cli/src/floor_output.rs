//! Shared output options of `wayforge floor` and `wayforge tower`.

use crate::failure::{Failure, reject};
use crate::format::{FormatArg, MAPS};
use crate::generate::{Maps, SeedArgs};
use crate::number::pair;
use crate::picture::{Canvas, OutputArgs};
use crate::templates::TemplateFolder;
use clap::Args;
use std::path::Path;
use time::OffsetDateTime;
use wayforge::floor::{DEFAULT_GENERATED_AT, Template, Vec2};

#[derive(Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct FloorOutput {
    /// Output format [default: by the suffix of the output file, else ascii]
    #[arg(long, value_parser = FormatArg::among(&MAPS))]
    format: Option<FormatArg>,
    #[command(flatten)]
    output: OutputArgs,
    /// Value of generatedAt in documents, a time or `now`; not part of the digest
    /// [default: 1970-01-01T00:00:00.000Z]
    #[arg(long, value_name = "TIME")]
    generated_at: Option<String>,
}

impl FloorOutput {
    /// Opens the output.
    ///
    /// # Errors
    /// If the format cannot show the requested maps.
    pub(crate) fn open(&self, seeds: &SeedArgs) -> Result<(Maps<'_>, Canvas), Failure> {
        let canvas = self.output.canvas(self.format)?;
        Ok((Maps::open(&self.output, canvas, seeds, "json or ascii", true)?, canvas))
    }

    /// Returns the value of `generatedAt` in documents.
    pub(crate) fn generated_at(&self) -> Result<String, Failure> {
        match self.generated_at.as_deref() {
            None => Ok(DEFAULT_GENERATED_AT.to_owned()),
            Some("now") => Ok(iso_time(OffsetDateTime::now_utc())),
            Some(text) if text.chars().count() > 64 || text.chars().any(char::is_control) => {
                reject(
                    "--generated-at: not a time; write at most 64 characters, as in \
                     2026-11-16T08:30:00.000Z, or now",
                )
            }
            Some(text) => Ok(text.to_owned()),
        }
    }
}

/// Formats a time like JavaScript's `Date.toISOString`.
fn iso_time(time: OffsetDateTime) -> String {
    let (date, (hour, minute, second, milli)) = (time.date(), time.to_hms_milli());
    format!("{date}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Parses `X,Y`.
pub(crate) fn parse_cell(text: &str) -> Result<Vec2, String> {
    let (x, y) = pair(text).ok_or("write X,Y, as in 4,0")?;
    Ok(Vec2 { x, y })
}

/// Finds the template `id` in a folder. Returns `None` without a folder, or if the folder lacks the
/// template and an embedded one has this id.
pub(crate) fn find_template(folder: Option<&Path>, id: &str) -> Result<Option<Template>, Failure> {
    let Some(folder) = folder else { return Ok(None) };
    let folder = TemplateFolder::read(folder)?;
    match folder.find(id)? {
        Some(template) => Ok(Some(template)),
        None if Template::find(id).is_some() => Ok(None),
        None => reject(format!("--template {id}: no such template in {}", folder.contents())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_times_like_javascript() {
        for (seconds, millis, text) in [
            (0, 0, DEFAULT_GENERATED_AT),
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
