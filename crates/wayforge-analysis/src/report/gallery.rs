//! HTML galleries: maps with their metrics on one self-contained page.

use crate::report::frame::{html_page, variables};
use data_encoding::BASE64;
use maud::{PreEscaped, html};
use wayforge_draw::Theme;

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
/// use wayforge_analysis::report::{GalleryItem, Picture, gallery};
/// use wayforge_draw::Theme;
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
    let css = format!("\n:root {{ {} }}\n{}", variables(theme, &[]), include_str!("gallery.css"));
    let maps = if items.len() == 1 { "map" } else { "maps" };
    let body = html! {
        header { h1 { (title) } p { (items.len()) " " (maps) " by Wayforge" } }
        main {
            @for (number, item) in (1..).zip(items) {
                figure id={ "map-" (number) } {
                    @match &item.picture {
                        Picture::Svg(svg) => (PreEscaped(svg)),
                        Picture::Png(bytes) => img alt=(item.description)
                            src={ "data:image/png;base64," (BASE64.encode(bytes)) };,
                    }
                    figcaption {
                        h2 { a href={ "#map-" (number) } { (item.title) } }
                        dl {
                            @for (name, value) in &item.metrics {
                                div { dt { (name) } dd { (value) } }
                            }
                        }
                        code { (item.command) }
                    }
                }
            }
        }
    };
    html_page(title, Some(theme), css, body)
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
