//! The wall algorithms by name.

use crate::config::InteriorWalls;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use wayforge_core::ConfigError;

/// How interior walls are drawn, parsed once from its name.
///
/// ```
/// use wayforge_level::WallStyle;
/// assert_eq!("sparse_moore.25%".parse(), Ok(WallStyle::SparseMoore { percent: 25 }));
/// assert_eq!("sparse_ortho".parse(), Ok(WallStyle::SparseOrtho { percent: 10 }));
/// assert_eq!(WallStyle::SparseMoore { percent: 25 }.to_string(), "sparse_moore.25%");
/// let error = "sparse_moore.101%".parse::<WallStyle>().unwrap_err();
/// assert!(error.to_string().contains("0 to 100"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WallStyle {
    /// `default`: random line segments.
    #[default]
    Default,
    /// `empty`: no interior walls.
    Empty,
    /// `grid_wire`: lines of both directions, each direction drawn apart and then merged.
    GridWire,
    /// `sparse_moore`: scattered walls, none beside another in eight directions.
    SparseMoore {
        /// The density: the percentage of the tried cells that become walls, 0 to 100.
        percent: u8,
    },
    /// `sparse_ortho`: scattered walls, none beside another in four directions.
    SparseOrtho {
        /// The density: the percentage of the tried cells that become walls, 0 to 100.
        percent: u8,
    },
    /// `maze`: corridors with loops.
    Maze,
    /// `caves`: hollows grown by a cellular automaton and joined.
    Caves,
}

impl WallStyle {
    /// The names, as an error lists them.
    pub const NAMES: &str = "default, empty, grid_wire, sparse_moore, sparse_moore.N%, sparse_ortho, sparse_ortho.N% \
         (N a density from 0 to 100), maze, caves";

    /// The density of `sparse_moore` and `sparse_ortho` without a number, in percent.
    pub const DEFAULT_DENSITY: u8 = 10;

    /// Whether the interior walls of this style are solid or breakable unless the configuration says so.
    ///
    /// The corridors of a maze and the tunnels of caves mean nothing if movers break through their walls.
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
        let refuse = |problem| {
            Err(ConfigError::new(
                "walls",
                format!("\"{text}\""),
                problem,
                format!("use {}", WallStyle::NAMES),
            ))
        };
        let (name, percent) = match text.split_once('.') {
            None => (text, None),
            Some((name, percent)) => (name, Some(percent)),
        };
        let style = match name {
            "default" => WallStyle::Default,
            "empty" => WallStyle::Empty,
            "grid_wire" => WallStyle::GridWire,
            "maze" => WallStyle::Maze,
            "caves" => WallStyle::Caves,
            "sparse_moore" => WallStyle::SparseMoore { percent: WallStyle::DEFAULT_DENSITY },
            "sparse_ortho" => WallStyle::SparseOrtho { percent: WallStyle::DEFAULT_DENSITY },
            _ => return refuse("no such wall algorithm"),
        };
        let Some(percent) = percent else { return Ok(style) };
        let digits = percent.strip_suffix('%').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        let number = digits.and_then(|digits| digits.parse::<u8>().ok()).filter(|number| *number <= 100);
        match (style, number) {
            (WallStyle::SparseMoore { .. }, Some(percent)) => Ok(WallStyle::SparseMoore { percent }),
            (WallStyle::SparseOrtho { .. }, Some(percent)) => Ok(WallStyle::SparseOrtho { percent }),
            (WallStyle::SparseMoore { .. } | WallStyle::SparseOrtho { .. }, None) => refuse("not a density"),
            _ => refuse("this wall algorithm takes no density"),
        }
    }
}

impl fmt::Display for WallStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WallStyle::Default => f.write_str("default"),
            WallStyle::Empty => f.write_str("empty"),
            WallStyle::GridWire => f.write_str("grid_wire"),
            WallStyle::Maze => f.write_str("maze"),
            WallStyle::Caves => f.write_str("caves"),
            WallStyle::SparseMoore { percent: WallStyle::DEFAULT_DENSITY } => f.write_str("sparse_moore"),
            WallStyle::SparseOrtho { percent: WallStyle::DEFAULT_DENSITY } => f.write_str("sparse_ortho"),
            WallStyle::SparseMoore { percent } => write!(f, "sparse_moore.{percent}%"),
            WallStyle::SparseOrtho { percent } => write!(f, "sparse_ortho.{percent}%"),
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
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|error: ConfigError| {
            serde::de::Error::custom(format_args!("{}: {}; {}", error.value, error.problem, error.remedy))
        })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for WallStyle {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "WallStyle".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "pattern": r"^(default|empty|grid_wire|maze|caves|sparse_(moore|ortho)(\.(0*([0-9]|[1-9][0-9]|100))%)?)$",
            "description": "The wall algorithm; the sparse ones take a density in percent, 10 without one."
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_nothing_else_is_guessed() {
        for text in ["default", "empty", "grid_wire", "sparse_moore", "sparse_ortho", "maze", "caves"] {
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
