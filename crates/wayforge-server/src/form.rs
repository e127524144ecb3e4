//! Forms that a map can be had in, and which of them a request asks for.

use crate::problem::{Kind, Problem};

/// A form of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// The document.
    Json,
    Svg,
    Png,
    /// A drawing in characters.
    Text,
}

impl Form {
    pub(crate) const ALL: [Form; 4] = [Form::Json, Form::Svg, Form::Png, Form::Text];

    /// The suffix of addresses that ask for it.
    pub(crate) const fn suffix(self) -> &'static str {
        match self {
            Form::Json => "json",
            Form::Svg => "svg",
            Form::Png => "png",
            Form::Text => "txt",
        }
    }

    /// What `Content-Type` says.
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Form::Json => "application/json",
            Form::Svg => "image/svg+xml",
            Form::Png => "image/png",
            Form::Text => "text/plain; charset=utf-8",
        }
    }

    /// The media type alone.
    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Form::Text => "text/plain",
            other => other.content_type(),
        }
    }

    /// The form that an `Accept` header likes best; of equals the first of [`Form::ALL`]. Without a header, JSON.
    pub(crate) fn negotiate(accept: Option<&str>) -> Result<Form, Problem> {
        let Some(accept) = accept else { return Ok(Form::Json) };
        let best =
            Form::ALL.into_iter().map(|form| (quality(accept, form), form)).rev().max_by_key(|(q, _)| *q);
        match best {
            Some((quality, form)) if quality > 0 => Ok(form),
            _ => {
                let allowed = Form::ALL.map(Form::media_type).join(", ");
                Err(Problem::new(Kind::NotAcceptable, format!("Accept: {}: use {allowed}", shorten(accept)))
                    .field("Accept")
                    .value(accept)
                    .allowed(allowed))
            }
        }
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(80).collect()
}

/// How much an `Accept` header likes a form, in thousandths; the most exact range that fits decides.
fn quality(accept: &str, form: Form) -> u32 {
    let (kind, _) = form.media_type().split_once('/').unwrap_or_default();
    let mut best: Option<(u8, u32)> = None;
    for range in accept.split(',').take(64) {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let exactness = match name.as_str() {
            name if name == form.media_type() => 2,
            name if name.strip_suffix("/*") == Some(kind) => 1,
            "*/*" => 0,
            _ => continue,
        };
        let q = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let quality = q.map_or(1000, thousandths);
        if best.is_none_or(|(known, _)| exactness >= known) {
            best = Some((exactness, quality));
        }
    }
    best.map_or(0, |(_, quality)| quality)
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
            assert_eq!(Form::negotiate(Some(accept)).unwrap(), form, "{accept}");
        }
        assert_eq!(Form::negotiate(None).unwrap(), Form::Json);
        for refused in ["text/html", "image/png;q=0", "", "image/webp, text/plain;q=x"] {
            assert_eq!(Form::negotiate(Some(refused)).unwrap_err().status(), 406, "{refused}");
        }
    }
}
