//! A gallery: maps with their seeds and facts on one page that needs nothing else.

use crate::text::Escaped;
use crate::theme::{Colours, Theme};
use data_encoding::BASE64;
use std::fmt::Write;

/// One map of a gallery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhibit {
    /// Its headline.
    pub title: String,
    /// The command that makes it.
    pub command: String,
    /// Its picture.
    pub picture: Picture,
    /// What it looks like, for those who cannot see it.
    pub description: String,
    /// What is known of it, by name.
    pub facts: Vec<(String, String)>,
}

/// A picture of an exhibit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Picture {
    /// An `<svg>` element whose ids are its own.
    Svg(String),
    /// The bytes of a PNG file.
    Png(Vec<u8>),
}

/// Writes a gallery as one HTML page: no scripts, nothing fetched. A map's headline is a link that shows it large.
///
/// ```
/// use wayforge_draw::{Exhibit, Picture, Theme, gallery};
/// let exhibit = Exhibit {
///     title: "Seed 7".into(),
///     command: "wayforge act --seed 7".into(),
///     picture: Picture::Svg("<svg></svg>".into()),
///     description: "An act map".into(),
///     facts: vec![("routes".into(), "240".into())],
/// };
/// let page = gallery("My maps", &[exhibit], Theme::Parchment);
/// assert!(page.starts_with("<!doctype html>") && page.contains("<dt>routes</dt><dd>240</dd>"));
/// ```
pub fn gallery(title: &str, exhibits: &[Exhibit], theme: Theme) -> String {
    let Colours { dark, page, half, ink, faint, mark, card, .. } = theme.colours();
    let scheme = if *dark { "dark" } else { "light" };
    let (title, count) = (Escaped(title), exhibits.len());
    let maps = if count == 1 { "map" } else { "maps" };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n\
         :root {{ color-scheme: {scheme}; --ink: {ink}; --faint: {faint}; --mark: {mark}; --page: {page}; --card: {card}; --rim: {half}; }}\n\
         {STYLE}</style>\n</head>\n<body>\n<header><h1>{title}</h1><p>{count} {maps} by Wayforge</p></header>\n<main>\n"
    );
    for (number, exhibit) in exhibits.iter().enumerate() {
        exhibit.write(number + 1, &mut page);
    }
    page + "</main>\n</body>\n</html>\n"
}

const STYLE: &str = "\
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 'Iowan Old Style', 'Palatino Linotype', Georgia, serif; }
header { padding: 3rem 1.5rem 1.5rem; text-align: center; }
h1 { margin: 0; font-size: 2.2rem; font-weight: 500; letter-spacing: .02em; }
header p { margin: .3rem 0 0; color: var(--faint); }
main { columns: 21rem; column-gap: 1.5rem; max-width: 96rem; margin: 0 auto; padding: 1.5rem; }
figure { break-inside: avoid; margin: 0 0 1.5rem; background: var(--card); border: 1px solid var(--rim); border-radius: .5rem; overflow: hidden; box-shadow: 0 1px 6px rgb(0 0 0 / 12%); }
figure svg, figure img { display: block; width: 100%; height: auto; }
figcaption { padding: .8rem 1rem 1rem; }
h2 { margin: 0; font-size: 1.1rem; font-weight: 600; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover, h2 a:focus-visible { color: var(--mark); text-decoration: underline; }
dl { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; margin: .4rem 0 .6rem; }
dl div { display: flex; gap: .4rem; }
dt { color: var(--faint); }
dd { margin: 0; font-variant-numeric: tabular-nums; }
code { display: block; overflow-wrap: anywhere; font: .8rem/1.4 ui-monospace, Menlo, Consolas, monospace; color: var(--faint); }
figure:target { column-span: all; max-width: 72rem; margin-inline: auto; outline: 3px solid var(--mark); }
@media print { figure { box-shadow: none; } }
";

impl Exhibit {
    fn write(&self, number: usize, page: &mut String) {
        let _ = writeln!(page, "<figure id=\"map-{number}\">");
        match &self.picture {
            Picture::Svg(svg) => page.push_str(svg),
            Picture::Png(bytes) => {
                let description = Escaped(&self.description);
                let _ = write!(page, "<img alt=\"{description}\" src=\"data:image/png;base64,");
                BASE64.encode_append(bytes, page);
                page.push_str("\">\n");
            }
        }
        let title = Escaped(&self.title);
        let _ = write!(page, "<figcaption><h2><a href=\"#map-{number}\">{title}</a></h2>\n<dl>");
        for (name, value) in &self.facts {
            let _ = write!(page, "<div><dt>{}</dt><dd>{}</dd></div>", Escaped(name), Escaped(value));
        }
        let _ = write!(page, "</dl>\n<code>{}</code></figcaption>\n</figure>\n", Escaped(&self.command));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_said_becomes_markup() {
        let hostile = "<script>\"&'".to_owned();
        let exhibit = Exhibit {
            title: hostile.clone(),
            command: hostile.clone(),
            picture: Picture::Png(vec![1, 2, 3]),
            description: hostile.clone(),
            facts: vec![(hostile.clone(), hostile.clone())],
        };
        let page = gallery(&hostile, &[exhibit], Theme::Night);
        assert!(!page.contains("<script"));
        assert_eq!(page.matches("&lt;script&gt;").count(), 7);
        assert!(page.contains("data:image/png;base64,AQID\""));
    }
}
