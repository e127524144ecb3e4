//! Colour themes.

use crate::level::palette::{self, LevelColours};

/// Colour theme of a picture.
///
/// # Examples
///
/// ```
/// use wayforge_draw::Theme;
/// assert_eq!(Theme::from_name("night"), Some(Theme::Night));
/// assert!(Theme::ALL.iter().all(|&theme| Theme::from_name(theme.name()) == Some(theme)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Theme {
    /// Dark ink on warm paper.
    #[default]
    Parchment,
    /// Light ink on dark blue, with glowing nodes.
    Night,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 2] = [Theme::Parchment, Theme::Night];

    /// Returns the name, as used in commands and URLs.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Parchment => "parchment",
            Theme::Night => "night",
        }
    }

    /// Returns the theme with this name.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// Returns the colours of the theme. Pages outside this crate use them too.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge_draw::Theme;
    /// assert!(Theme::Night.colours().dark && Theme::Night.colours().ink.starts_with('#'));
    /// ```
    pub fn colours(self) -> &'static Colours {
        match self {
            Theme::Parchment => &PARCHMENT,
            Theme::Night => &NIGHT,
        }
    }
}

/// Colours of a theme, each as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// Whether the theme is dark: text is lighter than the page, and nodes glow.
    pub dark: bool,
    /// Page background; also the inner stop of a sheet's gradient.
    pub page: &'static str,
    /// Middle stop of a sheet's gradient.
    pub(crate) half: &'static str,
    /// Outlines of cards on a page; also the outer stop of a sheet's gradient.
    pub rim: &'static str,
    /// Vignette of a sheet: colour and opacity in percent.
    pub(crate) shade: (&'static str, u32),
    /// Background of cards on a page and of nodes.
    pub card: &'static str,
    /// Lines and text.
    pub ink: &'static str,
    /// Secondary text.
    pub faint: &'static str,
    /// Highlights: edges on the route, the ring of the current node.
    pub mark: &'static str,
    /// Edges off the route.
    pub(crate) trail: &'static str,
    /// Rock around floors.
    pub rock: &'static str,
    /// Water on floors.
    pub(crate) water: &'static str,
    /// Categorical colours, for example of node kinds. Each is legible on `card`.
    pub accents: [&'static str; 12],
    /// Colours of levels.
    pub(crate) level: LevelColours,
}

// Every theme lists all fields: a default would hide a missing colour.
const PARCHMENT: Colours = Colours {
    dark: false,
    page: "#f8eed6",
    half: "#f3e5c5",
    rim: "#e6d0a3",
    shade: ("#6b4218", 22),
    card: "#fcf5e3",
    ink: "#3a2a1a",
    faint: "#6b5235",
    mark: "#a3231c",
    trail: "#6e5437",
    rock: "#cdb488",
    water: "#cfe3ee",
    accents: [
        "#4b3a2a", "#9d1c22", "#1d6173", "#3d6b1f", "#b4470e", "#8a5a00", "#6d1f5e", "#2c4f94",
        "#0d6b5c", "#7a2f8f", "#7d5a1e", "#44566b",
    ],
    level: palette::DAY,
};

const NIGHT: Colours = Colours {
    dark: true,
    page: "#1d2540",
    half: "#151b31",
    rim: "#0b0f1e",
    shade: ("#02040b", 40),
    card: "#131a30",
    ink: "#efe6d2",
    faint: "#a3a9c2",
    mark: "#ffd27a",
    trail: "#8b97c2",
    rock: "#2e3858",
    water: "#16305c",
    accents: [
        "#b4bedd", "#ff6b74", "#6fd3f2", "#8fe07a", "#ff9d4d", "#ffd35c", "#e58bff", "#86a8ff",
        "#5fe3c4", "#c79bff", "#e2b878", "#a9c0dc",
    ],
    level: palette::NIGHT,
};

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Relative luminance as defined by WCAG 2.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    /// Contrast ratio as defined by WCAG 2.
    pub(crate) fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn icons_text_and_edges_meet_wcag_contrast_in_every_theme() {
        for theme in Theme::ALL {
            let palette = theme.colours();
            for accent in palette.accents {
                assert!(contrast(accent, palette.card) >= 4.5, "{theme:?} {accent} on its disc");
            }
            for paper in [palette.page, palette.half, palette.rim] {
                assert!(contrast(palette.ink, paper) >= 7.0, "{theme:?} text on {paper}");
                assert!(
                    contrast(palette.faint, paper) >= 4.5,
                    "{theme:?} secondary text on {paper}"
                );
                assert!(contrast(palette.trail, paper) >= 3.0, "{theme:?} edges on {paper}");
            }
        }
    }
}
