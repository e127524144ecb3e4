//! Output formats of maps, and content negotiation by the `Accept` header (RFC 9110).

use crate::handlers::problem::{Problem, ProblemKind};
use wayforge::InputError;
use wayforge_formats::{ContentKind, Format};

/// Declares the formats: path suffix, label and content type.
macro_rules! formats {
    ($(#[doc = $doc:literal] $name:ident = $suffix:literal, $label:literal, $type:literal;)+) => {
        /// Output format of a map.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum OutputFormat { $(#[doc = $doc] $name,)+ }

        impl OutputFormat {
            const ALL: &[OutputFormat] = &[$(OutputFormat::$name,)+];

            /// Returns the path suffix that selects the format.
            pub const fn suffix(self) -> &'static str {
                match self { $(OutputFormat::$name => $suffix,)+ }
            }

            /// Returns the label for buttons.
            pub const fn label(self) -> &'static str {
                match self { $(OutputFormat::$name => $label,)+ }
            }

            /// Returns the value of `Content-Type`.
            pub const fn content_type(self) -> &'static str {
                match self { $(OutputFormat::$name => $type,)+ }
            }
        }
    };
}

formats! {
    /// Map document.
    Json = "json", "JSON", "application/json";
    /// Vector drawing.
    Svg = "svg", "SVG", "image/svg+xml";
    /// Raster picture.
    Png = "png", "PNG", "image/png";
    /// Drawing in ASCII characters.
    Text = "txt", "Text", "text/plain; charset=utf-8";
    /// Animated PNG of the generation.
    Animation = "apng", "Animation", "image/apng";
    /// Graphviz DOT graph.
    Dot = "dot", "DOT", "text/vnd.graphviz; charset=utf-8";
    /// GraphML graph.
    GraphMl = "graphml", "GraphML", "application/graphml+xml";
    /// Mermaid diagram.
    Mermaid = "mmd", "Mermaid", "text/vnd.mermaid; charset=utf-8";
    /// Metrics: a header line and one line of values.
    Csv = "csv", "CSV", "text/csv; charset=utf-8";
    /// Archive with a Tiled map in XML and its tileset image.
    Tmx = "tmx.zip", "Tiled TMX", "application/zip";
    /// Archive with a Tiled map in JSON and its tileset image.
    Tmj = "tmj.zip", "Tiled TMJ", "application/zip";
    /// Archive with a Tiled world of several maps.
    World = "world.zip", "Tiled world", "application/zip";
    /// Archive with an LDtk project.
    Ldtk = "ldtk.zip", "LDtk", "application/zip";
    /// Archive with an OpenFront map and its manifest.
    OpenFront = "bin.zip", "OpenFront", "application/zip";
    /// Moving AI benchmark map.
    MovingAi = "map", "Moving AI", "application/octet-stream";
    /// Greyscale mask, one byte per tile.
    Pgm = "pgm", "PGM", "image/x-portable-graymap";
    /// Blueprint for the game Zombie Escape.
    ZombieEscape = "zombie", "Zombie Escape", "application/vnd.zombie-escape+json";
}

impl OutputFormat {
    /// Formats of stored maps: those that can show the party.
    pub const STORED_MAP: [OutputFormat; 4] =
        [OutputFormat::Json, OutputFormat::Svg, OutputFormat::Png, OutputFormat::Text];

    /// Returns the formats that can represent content of a kind.
    pub fn for_content(content: ContentKind) -> Vec<OutputFormat> {
        let writes = |format: &OutputFormat| {
            Format::from_file_name(&format.file_name("map"))
                .is_ok_and(|format| format.writes.contains(&content))
        };
        OutputFormat::ALL.iter().copied().filter(writes).collect()
    }

    /// Returns whether the format is a ZIP archive.
    ///
    /// Archives are selected by suffix only, because all of them have the same media type.
    pub fn is_archive(self) -> bool {
        self.suffix().ends_with(".zip")
    }

    /// Returns the name of the file, or of the main file of an archive.
    pub fn file_name(self, stem: &str) -> String {
        let suffix = self.suffix();
        format!("{stem}.{}", suffix.strip_suffix(".zip").unwrap_or(suffix))
    }

    /// Returns a short description.
    pub fn description(self) -> &'static str {
        Format::from_file_name(&self.file_name("map")).map_or("", |format| format.description)
    }

    /// Returns the suffix for OpenAPI operation ids, e.g. `TiledTMX`.
    pub fn operation_suffix(self) -> String {
        self.label().replace(' ', "")
    }

    /// Describes the response for OpenAPI summaries, e.g. `PNG` or `a ZIP archive with level.tmx`.
    pub fn describe_response(self, stem: &str) -> String {
        let description = match self {
            OutputFormat::Json => "its document",
            OutputFormat::Text => "plain text",
            OutputFormat::Animation => "an animated PNG of its generation",
            OutputFormat::Dot => "a Graphviz graph",
            OutputFormat::Mermaid => "a Mermaid flowchart",
            OutputFormat::Csv => "a row of metrics in CSV",
            OutputFormat::MovingAi => "a Moving AI map",
            OutputFormat::Pgm => "a PGM mask with one pixel per tile",
            OutputFormat::ZombieEscape => "a blueprint for the game Zombie Escape",
            _ if self.is_archive() => {
                return format!("a ZIP archive with {}", self.file_name(stem));
            }
            _ => self.label(),
        };
        description.to_owned()
    }

    /// Returns the media type without parameters.
    pub fn media_type(self) -> &'static str {
        self.content_type().split(';').next().unwrap_or_default()
    }

    /// Returns the format with the highest quality value in an `Accept` header.
    ///
    /// On a tie, the first one in `formats` wins. Without a header, the format is JSON. Archives
    /// cannot be negotiated.
    ///
    /// # Errors
    /// [`ProblemKind::NotAcceptable`] if the header accepts none of `formats`.
    pub fn negotiate(
        accept: Option<&str>,
        formats: &[OutputFormat],
    ) -> Result<OutputFormat, Problem> {
        let Some(accept) = accept else { return Ok(OutputFormat::Json) };
        let offered = || formats.iter().copied().filter(|format| !format.is_archive());
        let best =
            offered().map(|format| (quality(accept, format), format)).rev().max_by_key(|(q, _)| *q);
        match best {
            Some((quality, format)) if quality > 0 => Ok(format),
            _ => {
                let allowed =
                    offered().map(OutputFormat::media_type).collect::<Vec<_>>().join(", ");
                let remedy = format!("use {allowed}");
                let error = InputError::new("Accept", accept, "not available", remedy);
                Err(Problem::from_error(ProblemKind::NotAcceptable, error))
            }
        }
    }
}

/// Returns the quality value of a format in an `Accept` header, in thousandths.
///
/// The most specific matching media range decides. Media ranges after the first 64 are ignored.
fn quality(accept: &str, format: OutputFormat) -> u32 {
    let (main_type, _) = format.media_type().split_once('/').unwrap_or_default();
    let matching = accept.split(',').take(64).filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next()?.to_ascii_lowercase();
        let specificity = match name.as_str() {
            name if name == format.media_type() => 2,
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
            ("*/*", OutputFormat::Json),
            ("image/*", OutputFormat::Svg),
            ("image/png", OutputFormat::Png),
            ("text/plain, image/svg+xml;q=0.9", OutputFormat::Text),
            ("application/json;q=0.2, image/png;q=0.201", OutputFormat::Png),
            ("*/*;q=0.1, image/svg+xml", OutputFormat::Svg),
            ("image/*, image/svg+xml;q=0", OutputFormat::Png),
            ("text/html,application/xhtml+xml,image/webp,*/*;q=0.8", OutputFormat::Json),
            ("IMAGE/PNG ; Q=1", OutputFormat::Png),
        ] {
            assert_eq!(
                OutputFormat::negotiate(Some(accept), OutputFormat::ALL).unwrap(),
                format,
                "{accept}"
            );
        }
        assert_eq!(
            OutputFormat::negotiate(None, &OutputFormat::STORED_MAP).unwrap(),
            OutputFormat::Json
        );
        assert_eq!(
            OutputFormat::negotiate(
                Some("text/csv"),
                &OutputFormat::for_content(ContentKind::Map(wayforge::Family::Act))
            )
            .unwrap(),
            OutputFormat::Csv
        );
        for rejected in
            ["text/html", "image/png;q=0", "", "image/webp, text/plain;q=x", "application/zip"]
        {
            assert_eq!(
                OutputFormat::negotiate(Some(rejected), OutputFormat::ALL).unwrap_err().status(),
                406,
                "{rejected}"
            );
        }
    }
}
