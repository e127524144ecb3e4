//! Glyphs of tiles and entities: SVG shapes around the origin in a box of about 24 pixels, each
//! with its colour.

use crate::icons;
use crate::theme::Colours;
use wayforge::act::Icon;
use wayforge::floor::{EntityKind, TileKind};

/// A tile or entity with its own glyph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Glyph {
    Tile(TileKind),
    Entity(EntityKind),
    /// A boss enemy.
    Boss,
    Climber,
}

impl Glyph {
    /// Returns the shape as SVG. It inherits `fill` and `stroke` from its group, whose
    /// `stroke-width` is 0.
    pub(crate) fn markup(self) -> &'static str {
        match self {
            Glyph::Tile(TileKind::Entrance) => concat!(
                r#"<path d="M-10 10V-2A10 10 0 0 1 10-2V10H6.4V-2A6.4 6.4 0 0 0-6.4-2V10Z"/>"#,
                r#"<path d="M-1.7-6.5H1.7V1.6H5.6L0 9-5.6 1.6H-1.7Z"/>"#,
            ),
            Glyph::Tile(TileKind::Exit) => {
                r#"<path d="M-11 10.5V5.5H-5.5V0H0V-5.5H5.5V-11H11V10.5Z"/>"#
            }
            Glyph::Tile(TileKind::Door) => concat!(
                r#"<path fill-rule="evenodd" d="M-8.5 11.5V-3A8.5 8.5 0 0 1 8.5-3V11.5ZM-1.1 9.2"#,
                r#"V-9A6.3 6.3 0 0 0-6.2-3V9.2Z"#,
                r#"M1.1 9.2H6.2V-3A6.3 6.3 0 0 0 1.1-9Z"/><circle cx="3.2" cy="2.6" r="1.5"/>"#,
            ),
            Glyph::Tile(TileKind::Trap) => concat!(
                r#"<path d="M-11.5 9.5-8-7-4.5 9.5ZM-3.5 9.5 0-9.5 3.5 9.5ZM4.5 9.5 8-7 11.5 9.5"#,
                r#"Z"/>"#,
                r#"<path d="M-12 10.4H12V12.2H-12Z"/>"#,
            ),
            Glyph::Tile(TileKind::Chest) => icons::markup(Icon::Chest),
            Glyph::Tile(TileKind::Water) => concat!(
                r#"<path fill="none" stroke-width="2.2" stroke-linecap="round" d="M-10.5-5"#,
                r#"Q-7-8.6-3.5-5T3.5-5 10.5-5"#,
                r#"M-10.5 1Q-7-2.6-3.5 1T3.5 1 10.5 1M-10.5 7Q-7 3.4-3.5 7T3.5 7 10.5 7"/>"#,
            ),
            Glyph::Entity(EntityKind::Enemy) => icons::markup(Icon::Skull),
            // A crowned skull.
            Glyph::Boss => concat!(
                r#"<path d="M-11-3.5-9.5-12-4.6-7.6 0-13 4.6-7.6 9.5-12 11-3.5Z"/>"#,
                r#"<path fill-rule="evenodd" d="M-8.6-2.2H8.6V4A8.6 7.4 0 0 1 5 9.6V13H-5V9.6"#,
                r#"A8.6 7.4 0 0 1-8.6 4ZM-3.7 1.2"#,
                r#"A2.3 2.3 0 1 0-3.7 5.8 2.3 2.3 0 1 0-3.7 1.2ZM3.7 1.2"#,
                r#"A2.3 2.3 0 1 0 3.7 5.8 2.3 2.3 0 1 0 3.7 1.2ZM-.9 10V13H.9V10Z"/>"#,
            ),
            Glyph::Entity(EntityKind::Item) => icons::markup(Icon::Flask),
            Glyph::Entity(EntityKind::Relic) => icons::markup(Icon::Diamond),
            Glyph::Entity(EntityKind::Npc) => {
                r#"<circle cy="-6" r="5"/><path d="M-9.5 11C-9.5 3.6-6 .6 0 .6S9.5 3.6 9.5 11Z"/>"#
            }
            Glyph::Climber => concat!(
                r#"<circle r="11.4" fill="none" stroke-width="2.4"/>"#,
                r#"<circle cy="-3.6" r="3.4"/><path d="M-6 7.4C-6 2.6-3.8.8 0 .8S6 2.6 6 7.4Z"/>"#,
            ),
            Glyph::Tile(TileKind::Floor | TileKind::Wall) => "",
        }
    }

    /// Returns the radius of the glyph's disc, in percent of the tile's side. Bosses are larger.
    pub(crate) fn radius_percent(self) -> i32 {
        if self == Glyph::Boss { 43 } else { 36 }
    }

    /// Returns the accent index, if any, and the ANSI SGR code.
    fn style(self) -> (Option<usize>, &'static str) {
        match self {
            Glyph::Tile(TileKind::Wall) => (None, "2"),
            Glyph::Tile(TileKind::Floor) => (None, ""),
            Glyph::Tile(TileKind::Entrance) => (Some(3), "92"),
            Glyph::Tile(TileKind::Exit) => (Some(0), "1;92"),
            Glyph::Tile(TileKind::Door) => (Some(10), "33"),
            Glyph::Tile(TileKind::Trap) => (Some(4), "91"),
            Glyph::Tile(TileKind::Chest) => (Some(5), "93"),
            Glyph::Tile(TileKind::Water) => (Some(7), "94"),
            Glyph::Entity(EntityKind::Enemy) => (Some(1), "1;31"),
            Glyph::Entity(EntityKind::Item) => (Some(8), "36"),
            Glyph::Entity(EntityKind::Relic) => (Some(9), "95"),
            Glyph::Entity(EntityKind::Npc) => (Some(2), "96"),
            Glyph::Boss => (Some(1), "1;7;31"),
            Glyph::Climber => (None, "1;7"),
        }
    }

    /// Returns the colour.
    pub(crate) fn colour(self, palette: &Colours) -> &'static str {
        let plain = if self == Glyph::Climber { palette.mark } else { palette.ink };
        self.style().0.map_or(plain, |accent| palette.accents[accent])
    }

    /// Returns the ANSI SGR code.
    pub(crate) fn sgr(self) -> &'static str {
        self.style().1
    }

    /// Returns the name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Glyph::Tile(kind) => kind.name(),
            Glyph::Entity(kind) => kind.name(),
            Glyph::Boss => "boss",
            Glyph::Climber => "climber",
        }
    }

    /// Returns the character in text output.
    pub(crate) fn symbol(self) -> char {
        match self {
            Glyph::Tile(kind) => kind.symbol(),
            Glyph::Entity(kind) => kind.symbol(),
            // Templates write a boss as an enemy.
            Glyph::Boss => EntityKind::Enemy.symbol(),
            Glyph::Climber => '@',
        }
    }
}
