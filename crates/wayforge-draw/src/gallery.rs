//! HTML galleries: maps with their metrics on one self-contained page.

use crate::text::Escaped;
use crate::theme::{Colours, Theme};
use data_encoding::BASE64;
use std::fmt::Write;

/// One map of a gallery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GalleryItem {
    /// Headline.
    pub title: String,
    /// Command that generates the map.
    pub command: String,
    /// Picture.
    pub picture: Picture,
    /// Alternative text of the picture.
    pub description: String,
    /// Metrics as names and values.
    pub metrics: Vec<(String, String)>,
}

/// Picture of a gallery item.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Picture {
    /// An `<svg>` element whose ids are unique on the page.
    Svg(String),
    /// A PNG file.
    Png(Vec<u8>),
}

/// Returns a gallery as one HTML page without scripts or external resources. A map's headline links
/// to an enlarged view.
///
/// # Examples
///
/// ```
/// use wayforge_draw::{GalleryItem, Picture, Theme, gallery};
/// let item = GalleryItem {
///     title: "Seed 7".into(),
///     command: "wayforge act --seed 7".into(),
///     picture: Picture::Svg("<svg></svg>".into()),
///     description: "An act map".into(),
///     metrics: vec![("routes".into(), "240".into())],
/// };
/// let page = gallery("My maps", &[item], Theme::Parchment);
/// assert!(page.starts_with("<!doctype html>") && page.contains("<dt>routes</dt><dd>240</dd>"));
/// ```
pub fn gallery(title: &str, items: &[GalleryItem], theme: Theme) -> String {
    let Colours { dark, page, half, ink, faint, mark, card, .. } = theme.colours();
    let scheme = if *dark { "dark" } else { "light" };
    let (title, count) = (Escaped(title), items.len());
    let maps = if count == 1 { "map" } else { "maps" };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n\
         :root {{ color-scheme: {scheme}; --ink: {ink}; --faint: {faint}; --mark: {mark}; \
         --page: {page}; --card: {card}; --rim: {half}; }}\n\
         {STYLE}</style>\n</head>\n<body>\n<header><h1>{title}</h1>\
         <p>{count} {maps} by Wayforge</p></header>\n<main>\n"
    );
    for (number, item) in items.iter().enumerate() {
        item.write(number + 1, &mut page);
    }
    page + "</main>\n</body>\n</html>\n"
}

const STYLE: &str = include_str!("gallery.css");

impl GalleryItem {
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
        for (name, value) in &self.metrics {
            let (name, value) = (Escaped(name), Escaped(value));
            let _ = write!(page, "<div><dt>{name}</dt><dd>{value}</dd></div>");
        }
        let command = Escaped(&self.command);
        let _ = write!(page, "</dl>\n<code>{command}</code></figcaption>\n</figure>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_text_is_escaped() {
        let hostile = "<script>\"&'".to_owned();
        let item = GalleryItem {
            title: hostile.clone(),
            command: hostile.clone(),
            picture: Picture::Png(vec![1, 2, 3]),
            description: hostile.clone(),
            metrics: vec![(hostile.clone(), hostile.clone())],
        };
        let page = gallery(&hostile, &[item], Theme::Night);
        assert!(!page.contains("<script"));
        assert_eq!(page.matches("&lt;script&gt;").count(), 7);
        assert!(page.contains("data:image/png;base64,AQID\""));
    }
}
