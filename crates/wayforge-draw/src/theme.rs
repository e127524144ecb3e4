//! Themes: the colours of a picture.

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

    /// The colours of a page in this theme, for pages that are not drawn here.
    ///
    /// ```
    /// use wayforge_draw::Theme;
    /// assert!(Theme::Night.colours().dark && Theme::Night.colours().ink.starts_with('#'));
    /// ```
    pub fn colours(self) -> Colours {
        let palette = self.palette();
        Colours {
            dark: palette.glow,
            page: palette.paper[0],
            rim: palette.paper[2],
            card: palette.disc,
            ink: palette.ink,
            faint: palette.faint,
            mark: palette.route,
            rock: palette.rock,
            accents: palette.accents,
        }
    }

    pub(crate) fn palette(self) -> &'static Palette {
        match self {
            Theme::Parchment => &PARCHMENT,
            Theme::Night => &NIGHT,
        }
    }
}

/// The colours of a page: `#rrggbb` each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// Whether words are lighter than the page.
    pub dark: bool,
    /// The page.
    pub page: &'static str,
    /// Lines around what stands on it.
    pub rim: &'static str,
    /// What stands on it.
    pub card: &'static str,
    /// Words.
    pub ink: &'static str,
    /// Quieter words.
    pub faint: &'static str,
    /// What is pointed at.
    pub mark: &'static str,
    /// Solid ground.
    pub rock: &'static str,
    /// Colours that tell things apart; each can be read on a card.
    pub accents: [&'static str; 12],
}

/// The colours of one theme.
#[derive(Debug)]
pub(crate) struct Palette {
    /// The sheet in its middle, half way and at its edges.
    pub(crate) paper: [&'static str; 3],
    /// The darkening towards the edges, with its opacity in percent.
    pub(crate) shade: (&'static str, u32),
    /// Lines and words of the sheet.
    pub(crate) ink: &'static str,
    /// Quieter words.
    pub(crate) faint: &'static str,
    /// Edges.
    pub(crate) trail: &'static str,
    /// Edges on the route, and rings of the current node.
    pub(crate) route: &'static str,
    /// The disc inside a node.
    pub(crate) disc: &'static str,
    /// Rock around the floors of a floor module, and water on it.
    pub(crate) rock: &'static str,
    pub(crate) water: &'static str,
    /// One accent for each of the twelve places in `icons::accent`.
    pub(crate) accents: [&'static str; 12],
    /// Whether nodes glow.
    pub(crate) glow: bool,
}

// Two rows of one table: the same fields with the colours of each theme.
const PARCHMENT: Palette = Palette {
    paper: ["#f8eed6", "#f3e5c5", "#e6d0a3"],
    shade: ("#6b4218", 22),
    ink: "#3a2a1a",
    faint: "#6b5235",
    trail: "#6e5437",
    route: "#a3231c",
    disc: "#fcf5e3",
    rock: "#cdb488",
    water: "#cfe3ee",
    accents: [
        "#4b3a2a", "#9d1c22", "#1d6173", "#3d6b1f", "#b4470e", "#8a5a00", "#6d1f5e", "#2c4f94", "#0d6b5c",
        "#7a2f8f", "#7d5a1e", "#44566b",
    ],
    glow: false,
};

const NIGHT: Palette = Palette {
    paper: ["#1d2540", "#151b31", "#0b0f1e"],
    shade: ("#02040b", 40),
    ink: "#efe6d2",
    faint: "#a3a9c2",
    trail: "#8b97c2",
    route: "#ffd27a",
    disc: "#131a30",
    rock: "#2e3858",
    water: "#16305c",
    accents: [
        "#b4bedd", "#ff6b74", "#6fd3f2", "#8fe07a", "#ff9d4d", "#ffd35c", "#e58bff", "#86a8ff", "#5fe3c4",
        "#c79bff", "#e2b878", "#a9c0dc",
    ],
    glow: true,
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
            let palette = theme.palette();
            for accent in palette.accents {
                assert!(contrast(accent, palette.disc) >= 4.5, "{theme:?} {accent} on its disc");
            }
            for paper in palette.paper {
                assert!(contrast(palette.ink, paper) >= 7.0, "{theme:?} words on {paper}");
                assert!(contrast(palette.faint, paper) >= 4.5, "{theme:?} quiet words on {paper}");
                assert!(contrast(palette.trail, paper) >= 3.0, "{theme:?} trails on {paper}");
            }
        }
    }
}
