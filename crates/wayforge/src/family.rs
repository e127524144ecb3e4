//! The families of maps by name, for callers that keep or serve maps of any of them.

use crate::act::{self, ActConfig, ActMap};
use crate::floor::{self, Floor, FloorConfig, FloorGenerationError, NO_TIME, Tower, TowerConfig, TowerError};
use crate::level::{self, Level, LevelConfig, MapGenerationError};
use crate::{ConfigError, DecodeError, Document, GenerateError, Seed};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A family of maps.
///
/// ```
/// use wayforge::{Family, Seed};
/// let document = Family::Floor.forge(b"{}", Seed::new(42))?;
/// assert_eq!(Family::of(&document.algorithm), Some(Family::Floor));
/// assert_eq!("tower".parse::<Family>(), Ok(Family::Tower));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Act maps.
    Act,
    /// Blueprint levels.
    Level,
    /// Floor modules.
    Floor,
    /// Towers of floors.
    Tower,
}

/// Why no map could be made from a configuration and a seed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ForgeError {
    /// The configuration is not of its family's shape.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The seed's act map has no kinds that satisfy the rules.
    #[error(transparent)]
    Act(#[from] GenerateError),
    /// No attempt at the seed's level was accepted.
    #[error(transparent)]
    Level(#[from] MapGenerationError),
    /// No attempt at the seed's floor was accepted, and none is known.
    #[error(transparent)]
    Floor(#[from] Box<FloorGenerationError>),
    /// No attempt at one of the floors of the seed's tower was accepted, and none is known.
    #[error(transparent)]
    Tower(#[from] TowerError),
}

impl Family {
    /// All families.
    pub const ALL: [Family; 4] = [Family::Act, Family::Level, Family::Floor, Family::Tower];

    /// Its name in files and addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Act => "act",
            Family::Level => "level",
            Family::Floor => "floor",
            Family::Tower => "tower",
        }
    }

    /// The family of an algorithm (`act.rows/1`), if there is one.
    pub fn of(algorithm: &str) -> Option<Family> {
        match algorithm {
            floor::TOWER_ALGORITHM => Some(Family::Tower),
            floor::ALGORITHM => Some(Family::Floor),
            act if act.starts_with("act.") => Some(Family::Act),
            level if level.starts_with("level.") => Some(Family::Level),
            _ => None,
        }
    }

    /// Makes the map of `seed` under a configuration in JSON, and its document.
    ///
    /// * **Returns.** The document, or which field of the configuration is wrong, or why the seed has no map.
    /// * **Complexity.** That of the family's own `resolve` and `generate`.
    /// * **Determinism.** The document is that of the family's own `generate`.
    ///
    /// ```
    /// use wayforge::{Family, Seed, act::{self, ActConfig}};
    /// let document = Family::Act.forge(br#"{"ruleset":"rows"}"#, Seed::new(7))?;
    /// let config = ActConfig::from_json(br#"{"ruleset":"rows"}"#)?;
    /// assert_eq!(document, act::generate(Seed::new(7), &config.resolve()?)?.to_document());
    /// assert!(Family::Act.forge(br#"{"rows":0}"#, Seed::new(7)).unwrap_err().to_string().starts_with("rows = 0"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forge(self, config: &[u8], seed: Seed) -> Result<Document, ForgeError> {
        Ok(match self {
            Family::Act => act::generate(seed, &ActConfig::from_json(config)?.resolve()?)?.to_document(),
            Family::Level => {
                level::generate(seed, &LevelConfig::from_json(config)?.resolve()?)?.to_document()
            }
            Family::Floor => {
                floor::generate(seed, &FloorConfig::from_json(config)?.resolve()?)?.to_document()
            }
            Family::Tower => {
                floor::generate_tower(seed, &TowerConfig::from_json(config)?.resolve()?)?.to_document()
            }
        })
    }

    /// Reads a document of this family strictly, as the family's own `decode` does, and writes it anew without a time: the one
    /// form that a digest has.
    pub fn canonical(self, bytes: &[u8]) -> Result<Document, DecodeError> {
        Ok(match self {
            Family::Act => ActMap::decode(bytes)?.to_document(),
            Family::Level => Level::decode(bytes)?.to_document(),
            Family::Floor => {
                Floor { generated_at: NO_TIME.to_owned(), ..Floor::decode(bytes)? }.to_document()
            }
            Family::Tower => Tower::decode(bytes)?.without_time().to_document(),
        })
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Family {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Family, ConfigError> {
        let found = Family::ALL.into_iter().find(|family| family.name() == text);
        found.ok_or_else(|| {
            ConfigError::new("family", text, "no such family", "use act, level, floor or tower")
        })
    }
}
