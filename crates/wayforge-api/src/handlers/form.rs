//! Forms that a map can be had in, and which of them a request asks for.

use crate::handlers::problem::{Kind, Problem};
use wayforge_formats::{Format, What};

/// The forms by suffix, label and content type.
macro_rules! forms {
    ($(#[doc = $about:literal] $name:ident = $suffix:literal, $label:literal, $type:literal;)+) => {
        /// A form of a map.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Form { $(#[doc = $about] $name,)+ }

        impl Form {
            const ALL: &[Form] = &[$(Form::$name,)+];

            /// The suffix of addresses that ask for it.
            pub const fn suffix(self) -> &'static str {
                match self { $(Form::$name => $suffix,)+ }
            }

            /// What a button says.
            pub const fn label(self) -> &'static str {
                match self { $(Form::$name => $label,)+ }
            }

            /// What `Content-Type` says.
            pub const fn content_type(self) -> &'static str {
                match self { $(Form::$name => $type,)+ }
            }
        }
    };
}

forms! {
    /// The document.
    Json = "json", "JSON", "application/json";
    /// A drawing of lines.
    Svg = "svg", "SVG", "image/svg+xml";
    /// A picture of dots.
    Png = "png", "PNG", "image/png";
    /// A drawing in characters.
    Text = "txt", "Text", "text/plain; charset=utf-8";
    /// The map in the making, as animated PNG.
    Film = "apng", "Film", "image/apng";
    /// Graphviz.
    Dot = "dot", "DOT", "text/vnd.graphviz; charset=utf-8";
    /// A graph in XML.
    GraphMl = "graphml", "GraphML", "application/graphml+xml";
    /// A diagram for READMEs.
    Mermaid = "mmd", "Mermaid", "text/vnd.mermaid; charset=utf-8";
    /// One line of metrics.
    Csv = "csv", "CSV", "text/csv; charset=utf-8";
    /// Tiled's XML, with the picture of its tiles, as an archive; so are the next four.
    Tmx = "tmx.zip", "Tiled TMX", "application/zip";
    /// Tiled's JSON.
    Tmj = "tmj.zip", "Tiled TMJ", "application/zip";
    /// Tiled's world of several maps.
    World = "world.zip", "Tiled world", "application/zip";
    /// LDtk's project.
    Ldtk = "ldtk.zip", "LDtk", "application/zip";
    /// OpenFront's map with its manifest.
    OpenFront = "bin.zip", "OpenFront", "application/zip";
    /// Moving AI's grid.
    MovingAi = "map", "Moving AI", "application/octet-stream";
    /// A mask, one byte a tile.
    Pgm = "pgm", "PGM", "image/x-portable-graymap";
    /// A blueprint for the game Zombie Escape.
    ZombieEscape = "zombie", "Zombie Escape", "application/vnd.zombie-escape+json";
}

impl Form {
    /// The forms of maps that are kept: those that show the party.
    pub const KEPT: [Form; 4] = [Form::Json, Form::Svg, Form::Png, Form::Text];

    /// The forms that a family's maps, or water, can be had in, as the table of formats says.
    pub fn of(what: What) -> Vec<Form> {
        let holds =
            |form: &Form| Format::of(&form.file("map")).is_ok_and(|format| format.writes.contains(&what));
        Form::ALL.iter().copied().filter(holds).collect()
    }

    /// True if it is several files in one archive. Their media type says nothing of them, so they are asked for by suffix alone.
    pub fn is_archive(self) -> bool {
        self.suffix().ends_with(".zip")
    }

    /// The name of its file, or of the file that matters in its archive.
    pub fn file(self, stem: &str) -> String {
        let suffix = self.suffix();
        format!("{stem}.{}", suffix.strip_suffix(".zip").unwrap_or(suffix))
    }

    /// What it is, in a few words.
    pub fn about(self) -> &'static str {
        Format::of(&self.file("map")).map_or("", |format| format.about)
    }

    /// Its name in the names of operations.
    pub fn title(self) -> String {
        self.suffix().replace('.', "").to_uppercase()
    }

    /// What a response in this form is, for descriptions of routes.
    pub fn described(self, stem: &str) -> String {
        match self.is_archive() {
            true => format!("an archive: {} with what belongs beside it", self.file(stem)),
            false => self.title(),
        }
    }

    /// The media type alone.
    pub fn media_type(self) -> &'static str {
        self.content_type().split(';').next().unwrap_or_default()
    }

    /// The form of `forms` that an `Accept` header likes best; of equals the first. Without a header, JSON.
    pub fn negotiate(accept: Option<&str>, forms: &[Form]) -> Result<Form, Problem> {
        let Some(accept) = accept else { return Ok(Form::Json) };
        let offered = || forms.iter().copied().filter(|form| !form.is_archive());
        let best = offered().map(|form| (quality(accept, form), form)).rev().max_by_key(|(q, _)| *q);
        match best {
            Some((quality, form)) if quality > 0 => Ok(form),
            _ => {
                let allowed = offered().map(Form::media_type).collect::<Vec<_>>().join(", ");
                let short: String = accept.chars().take(80).collect();
                let problem = Problem::new(Kind::NotAcceptable, format!("Accept: {short}: use {allowed}"));
                Err(problem.field("Accept").value(accept).allowed(allowed))
            }
        }
    }
}

/// How much an `Accept` header likes a form, in thousandths; the most exact range that fits decides.
fn quality(accept: &str, form: Form) -> u32 {
    let (kind, _) = form.media_type().split_once('/').unwrap_or_default();
    let fitting = accept.split(',').take(64).filter_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next()?.to_ascii_lowercase();
        let exactness = match name.as_str() {
            name if name == form.media_type() => 2,
            name if name.strip_suffix("/*") == Some(kind) => 1,
            "*/*" => 0,
            _ => return None,
        };
        let q = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        Some((exactness, q.map_or(1000, thousandths)))
    });
    fitting.max_by_key(|(exactness, _)| *exactness).map_or(0, |(_, quality)| quality)
}

/// `0.5` as 500; what is no number counts as nothing.
fn thousandths(text: &str) -> u32 {
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
    fn accept_headers_choose() {
        for (accept, form) in [
            ("*/*", Form::Json),
            ("image/*", Form::Svg),
            ("image/png", Form::Png),
            ("text/plain, image/svg+xml;q=0.9", Form::Text),
            ("application/json;q=0.2, image/png;q=0.201", Form::Png),
            ("*/*;q=0.1, image/svg+xml", Form::Svg),
            ("image/*, image/svg+xml;q=0", Form::Png),
            ("text/html,application/xhtml+xml,image/webp,*/*;q=0.8", Form::Json),
            ("IMAGE/PNG ; Q=1", Form::Png),
        ] {
            assert_eq!(Form::negotiate(Some(accept), Form::ALL).unwrap(), form, "{accept}");
        }
        assert_eq!(Form::negotiate(None, &Form::KEPT).unwrap(), Form::Json);
        assert_eq!(
            Form::negotiate(Some("text/csv"), &Form::of(What::Map(wayforge::Family::Act))).unwrap(),
            Form::Csv
        );
        for refused in ["text/html", "image/png;q=0", "", "image/webp, text/plain;q=x", "application/zip"] {
            assert_eq!(Form::negotiate(Some(refused), Form::ALL).unwrap_err().status(), 406, "{refused}");
        }
    }
}
