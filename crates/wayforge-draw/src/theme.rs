//! Themes: the colours of a picture.

use crate::level::palette::{self, Tiles};

/// How a drawn picture looks.
///
/// ```
/// use wayforge_draw::Theme;
/// assert_eq!(Theme::from_name("night"), Some(Theme::Night));
/// assert!(Theme::ALL.iter().all(|&theme| Theme::from_name(theme.name()) == Some(theme)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// Ink on warm paper.
    #[default]
    Parchment,
    /// Lights in the dark.
    Night,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 2] = [Theme::Parchment, Theme::Night];

    /// The theme's name.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Parchment => "parchment",
            Theme::Night => "night",
        }
    }

    /// The theme called `name`.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The colours of this theme, for pages that are not drawn here too.
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

/// The colours of a theme: `#rrggbb` each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// Whether words are lighter than the page, and nodes glow.
    pub dark: bool,
    /// The page, or a sheet in its middle.
    pub page: &'static str,
    /// A sheet half way to its edges.
    pub(crate) half: &'static str,
    /// Lines around what stands on a page, or a sheet at its edges.
    pub rim: &'static str,
    /// The darkening of a sheet towards its edges, with its opacity in percent.
    pub(crate) shade: (&'static str, u32),
    /// What stands on a page, or the disc inside a node.
    pub card: &'static str,
    /// Lines and words.
    pub ink: &'static str,
    /// Quieter words.
    pub faint: &'static str,
    /// What is pointed at: edges on the route, rings of the current node.
    pub mark: &'static str,
    /// Edges.
    pub(crate) trail: &'static str,
    /// Solid ground, such as the rock around floors.
    pub rock: &'static str,
    /// Water on floors.
    pub(crate) water: &'static str,
    /// Colours that tell things apart, such as the kinds of `icons::accent`; each can be read on a card.
    pub accents: [&'static str; 12],
    /// The colours of levels.
    pub(crate) tiles: Tiles,
}

// Two rows of one table: the same fields with the colours of each theme.
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
        "#4b3a2a", "#9d1c22", "#1d6173", "#3d6b1f", "#b4470e", "#8a5a00", "#6d1f5e", "#2c4f94", "#0d6b5c",
        "#7a2f8f", "#7d5a1e", "#44566b",
    ],
    tiles: palette::DAY,
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
        "#b4bedd", "#ff6b74", "#6fd3f2", "#8fe07a", "#ff9d4d", "#ffd35c", "#e58bff", "#86a8ff", "#5fe3c4",
        "#c79bff", "#e2b878", "#a9c0dc",
    ],
    tiles: palette::NIGHT,
};

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Relative luminance in thousandths, by the formula of WCAG 2.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let c = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    pub(crate) fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn icons_and_words_stand_out_in_every_theme() {
        for theme in Theme::ALL {
            let palette = theme.colours();
            for accent in palette.accents {
                assert!(contrast(accent, palette.card) >= 4.5, "{theme:?} {accent} on its disc");
            }
            for paper in [palette.page, palette.half, palette.rim] {
                assert!(contrast(palette.ink, paper) >= 7.0, "{theme:?} words on {paper}");
                assert!(contrast(palette.faint, paper) >= 4.5, "{theme:?} quiet words on {paper}");
                assert!(contrast(palette.trail, paper) >= 3.0, "{theme:?} trails on {paper}");
            }
        }
    }
}
