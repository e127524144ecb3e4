//! Output formats of maps, and content negotiation by the `Accept` header (RFC 9110).

use crate::handlers::problem::{Problem, ProblemKind};
use wayforge::InputError;
use wayforge_formats::{ContentKind, Format};

/// Formats of stored maps: those that can show the party.
pub const STORED_MAP: [Format; 4] = [Format::Document, Format::Svg, Format::Png, Format::Ascii];

/// Returns the formats that can represent content of a kind.
pub fn formats_for(content: ContentKind) -> Vec<Format> {
    let writes = |format: &Format| format.info().writes.contains(&content);
    Format::ALL.iter().copied().filter(writes).collect()
}

/// Returns the path suffix that selects the format. Several files become a ZIP archive.
pub fn path_suffix(format: Format) -> String {
    let ending = if format.info().writes_several_files { ".zip" } else { "" };
    format!("{}{ending}", format.info().suffixes[0])
}

/// Returns the name of the file, or of the main file of an archive.
pub fn file_name(format: Format, stem: &str) -> String {
    format!("{stem}.{}", format.info().suffixes[0])
}

/// Returns the suffix for OpenAPI operation ids, e.g. `TiledTMX`.
pub fn operation_suffix(format: Format) -> String {
    format.info().label.replace(' ', "")
}

/// Describes the response for OpenAPI summaries, e.g. `PNG` or `a ZIP archive with level.tmx`.
pub fn describe_response(format: Format, stem: &str) -> String {
    let description = match format {
        Format::Document => "its document",
        Format::Ascii => "plain text",
        Format::Apng => "an animated PNG of its generation",
        Format::Dot => "a Graphviz graph",
        Format::Mermaid => "a Mermaid flowchart",
        Format::Csv => "a row of metrics in CSV",
        Format::MovingAi => "a Moving AI map",
        Format::Pgm => "a PGM mask with one pixel per tile",
        Format::ZombieEscape => "a blueprint for the game Zombie Escape",
        _ if format.info().writes_several_files => {
            return format!("a ZIP archive with {}", file_name(format, stem));
        }
        _ => format.info().label,
    };
    description.to_owned()
}

/// Returns the media type without parameters.
pub fn media_type(format: Format) -> &'static str {
    format.info().content_type.split(';').next().unwrap_or_default()
}

/// Returns the format with the highest quality value in an `Accept` header.
///
/// On a tie, the first one in `formats` wins. Without a header, the format is JSON. Archives cannot
/// be negotiated, because all of them have the same media type.
///
/// # Errors
/// [`ProblemKind::NotAcceptable`] if the header accepts none of `formats`.
pub fn negotiate(accept: Option<&str>, formats: &[Format]) -> Result<Format, Problem> {
    let Some(accept) = accept else { return Ok(Format::Document) };
    let offered = || formats.iter().copied().filter(|format| !format.info().writes_several_files);
    let best =
        offered().map(|format| (quality(accept, format), format)).rev().max_by_key(|(q, _)| *q);
    match best {
        Some((quality, format)) if quality > 0 => Ok(format),
        _ => {
            let allowed = offered().map(media_type).collect::<Vec<_>>().join(", ");
            let remedy = format!("use {allowed}");
            let error = InputError::new("Accept", accept, "not available", remedy);
            Err(Problem::from_error(ProblemKind::NotAcceptable, error))
        }
    }
}

/// Returns the quality value of a format in an `Accept` header, in thousandths.
///
/// The most specific matching media range decides. Media ranges after the first 64 are ignored.
fn quality(accept: &str, format: Format) -> u32 {
    let (main_type, _) = media_type(format).split_once('/').unwrap_or_default();
    let matching = accept.split(',').take(64).filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next()?.to_ascii_lowercase();
        let specificity = match name.as_str() {
            name if name == media_type(format) => 2,
            name if name.strip_suffix("/*") == Some(main_type) => 1,
            "*/*" => 0,
            _ => return None,
        };
        let q = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        Some((specificity, q.map_or(1000, parse_quality)))
    });
    matching.max_by_key(|(specificity, _)| *specificity).map_or(0, |(_, quality)| quality)
}

/// Parses a quality value in thousandths: `0.5` is 500. Invalid text is 0.
fn parse_quality(text: &str) -> u32 {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let digits: String = rest.chars().chain("000".chars()).take(3).collect();
    match (whole, digits.parse::<u32>()) {
        ("1", Ok(_)) => 1000,
        ("0", Ok(part)) => part,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_header_selects_the_format() {
        for (accept, format) in [
            ("*/*", Format::Document),
            ("image/*", Format::Svg),
            ("image/png", Format::Png),
            ("text/plain, image/svg+xml;q=0.9", Format::Ascii),
            ("application/json;q=0.2, image/png;q=0.201", Format::Png),
            ("*/*;q=0.1, image/svg+xml", Format::Svg),
            ("image/*, image/svg+xml;q=0", Format::Png),
            ("text/html,application/xhtml+xml,image/webp,*/*;q=0.8", Format::Document),
            ("IMAGE/PNG ; Q=1", Format::Png),
        ] {
            assert_eq!(negotiate(Some(accept), Format::ALL).unwrap(), format, "{accept}");
        }
        assert_eq!(negotiate(None, &STORED_MAP).unwrap(), Format::Document);
        assert_eq!(
            negotiate(Some("text/csv"), &formats_for(ContentKind::Map(wayforge::Family::Act)))
                .unwrap(),
            Format::Csv
        );
        for rejected in
            ["text/html", "image/png;q=0", "", "image/webp, text/plain;q=x", "application/zip"]
        {
            assert_eq!(
                negotiate(Some(rejected), Format::ALL).unwrap_err().status(),
                406,
                "{rejected}"
            );
        }
    }
}
