//! Names of the wall algorithms.

use crate::amount::to_serde_error;
use crate::config::InteriorWalls;
use crate::spec::reject;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use wayforge_core::ConfigError;

/// Algorithm of the interior walls.
///
/// # Examples
/// ```
/// use wayforge_level::WallStyle;
/// assert_eq!("sparse_moore.25%".parse(), Ok(WallStyle::SparseMoore { percent: 25 }));
/// assert_eq!("sparse_ortho".parse(), Ok(WallStyle::SparseOrtho { percent: 10 }));
/// assert_eq!(WallStyle::SparseMoore { percent: 25 }.to_string(), "sparse_moore.25%");
/// let error = "sparse_moore.101%".parse::<WallStyle>().unwrap_err();
/// assert!(error.to_string().contains("0 to 100"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WallStyle {
    /// `default`: random line segments.
    #[default]
    Default,
    /// `empty`: no interior walls.
    Empty,
    /// `grid_wire`: horizontal and vertical lines that cross but never run side by side.
    GridWire,
    /// `sparse_moore`: scattered walls, none adjacent to another in eight directions.
    SparseMoore {
        /// Density: percentage of the eligible cells that become walls, 0 to 100.
        percent: u8,
    },
    /// `sparse_ortho`: scattered walls, none adjacent to another in four directions.
    SparseOrtho {
        /// Density: percentage of the eligible cells that become walls, 0 to 100.
        percent: u8,
    },
    /// `maze`: corridors with loops.
    Maze,
    /// `caves`: caves of a cellular automaton, connected by tunnels.
    Caves,
}

impl WallStyle {
    /// All names, for error messages.
    pub const NAMES: &str = "default, empty, grid_wire, sparse_moore, sparse_moore.N%, \
         sparse_ortho, sparse_ortho.N% (N a density from 0 to 100), maze, caves";

    /// Default density of `sparse_moore` and `sparse_ortho`, in percent.
    pub const DEFAULT_DENSITY: u8 = 10;

    const TABLE: [(&str, WallStyle); 7] = [
        ("default", WallStyle::Default),
        ("empty", WallStyle::Empty),
        ("grid_wire", WallStyle::GridWire),
        ("sparse_moore", WallStyle::SparseMoore { percent: WallStyle::DEFAULT_DENSITY }),
        ("sparse_ortho", WallStyle::SparseOrtho { percent: WallStyle::DEFAULT_DENSITY }),
        ("maze", WallStyle::Maze),
        ("caves", WallStyle::Caves),
    ];

    /// Returns the default of `interior_walls` for this style.
    ///
    /// Walls of mazes and caves are solid, because breakable walls would make corridors pointless.
    pub const fn default_interior_walls(self) -> InteriorWalls {
        match self {
            WallStyle::Maze | WallStyle::Caves => InteriorWalls::Solid,
            _ => InteriorWalls::Breakable,
        }
    }
}

impl FromStr for WallStyle {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<WallStyle, ConfigError> {
        let fail = |problem| {
            reject("walls", format!("\"{text}\""), problem, format!("use {}", WallStyle::NAMES))
        };
        let (name, percent) =
            text.split_once('.').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let Some(&(_, style)) = WallStyle::TABLE.iter().find(|(known, _)| *known == name) else {
            return fail("unknown wall algorithm");
        };
        let Some(percent) = percent else { return Ok(style) };
        let digits =
            percent.strip_suffix('%').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        let number =
            digits.and_then(|digits| digits.parse::<u8>().ok()).filter(|number| *number <= 100);
        match (style, number) {
            (WallStyle::SparseMoore { .. }, Some(percent)) => {
                Ok(WallStyle::SparseMoore { percent })
            }
            (WallStyle::SparseOrtho { .. }, Some(percent)) => {
                Ok(WallStyle::SparseOrtho { percent })
            }
            (WallStyle::SparseMoore { .. } | WallStyle::SparseOrtho { .. }, None) => {
                fail("not a density")
            }
            _ => fail("this wall algorithm takes no density"),
        }
    }
}

impl fmt::Display for WallStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let same =
            |style: WallStyle| std::mem::discriminant(&style) == std::mem::discriminant(self);
        let name =
            WallStyle::TABLE.iter().find(|(_, style)| same(*style)).map_or("", |(name, _)| name);
        match self {
            WallStyle::SparseMoore { percent } | WallStyle::SparseOrtho { percent }
                if *percent != WallStyle::DEFAULT_DENSITY =>
            {
                write!(f, "{name}.{percent}%")
            }
            _ => f.write_str(name),
        }
    }
}

impl Serialize for WallStyle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WallStyle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WallStyle, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(to_serde_error)
    }
}

#[cfg(feature = "schema")]
wayforge_core::impl_json_schema!(WallStyle, "WallStyle", |_| {
    "type": "string",
    "pattern": concat!(
        "^(default|empty|grid_wire|maze|caves|",
        r"sparse_(moore|ortho)(\.(0*([0-9]|[1-9][0-9]|100))%)?)$",
    ),
    "description": "The wall algorithm; sparse ones take a density in percent [default: 10]."
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_other_texts_are_rejected() {
        for text in
            ["default", "empty", "grid_wire", "sparse_moore", "sparse_ortho", "maze", "caves"]
        {
            assert_eq!(text.parse::<WallStyle>().unwrap().to_string(), text);
        }
        for text in ["sparse_moore.0%", "sparse_ortho.15%", "sparse_moore.100%"] {
            assert_eq!(text.parse::<WallStyle>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "Default",
            "sparse",
            "sparse_moore.",
            "sparse_moore.%",
            "sparse_moore.15",
            "sparse_moore.1.5%",
        ] {
            let error = text.parse::<WallStyle>().unwrap_err().to_string();
            assert!(error.contains("grid_wire") && error.contains("0 to 100"), "{error}");
        }
        assert_eq!("sparse_ortho.10%".parse::<WallStyle>().unwrap().to_string(), "sparse_ortho");
        for text in [
            "sparse_moore.101%",
            "sparse_moore.200%",
            "sparse_ortho.-1%",
            "sparse_ortho.+5%",
            "default.50%",
            "maze.1%",
        ] {
            assert!(text.parse::<WallStyle>().is_err(), "{text}");
        }
    }
}
