//! The list of map families, and configurations, specs, maps and errors of any family.
//!
//! `families!` is the only list of families in the workspace. It generates [`Family`], [`AnyConfig`], [`AnySpec`],
//! [`AnyMap`], [`AnyGenerator`] and [`GenerateError`]; everything else goes through them or through [`MapFamily`].

use crate::metric::{Budget, Catalogue, Measure, Meter, Reading, Term};
use crate::{
    ConfigError, DecodeError, Document, GenerationError, InputError, MapFamily, Report, SavedMap, Seed,
};
use crate::{act, floor, level, tower};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A function that is generic over a generator with its meter; see [`AnyGenerator::visit`].
pub trait GeneratorVisitor {
    /// What it returns.
    type Output;

    /// Runs with the generator and the meter of a family.
    fn visit<F: MapFamily + Measure>(
        self,
        generator: &mut F::Generator,
        meter: &mut F::Meter,
    ) -> Self::Output;
}

macro_rules! families {
    ($($(#[doc = $doc:literal])+ $Variant:ident($module:ident::$Map:ident),)+) => {
        /// A map family, by name.
        ///
        /// ```
        /// use wayforge::Family;
        /// assert_eq!(Family::from_algorithm("act.rows/1"), Some(Family::Act));
        /// assert_eq!("tower".parse::<Family>(), Ok(Family::Tower));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "snake_case")]
        pub enum Family { $($(#[doc = $doc])+ $Variant,)+ }

        /// A configuration of any family.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyConfig { $($(#[doc = $doc])+ $Variant(Box<$module::Config>),)+ }

        /// A resolved configuration of any family.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnySpec { $($(#[doc = $doc])+ $Variant($module::Spec),)+ }

        /// A map of any family.
        #[derive(Clone, Debug, PartialEq)]
        pub enum AnyMap { $($(#[doc = $doc])+ $Variant(Box<$module::$Map>),)+ }

        /// A generator of any family, with the meter that reads its maps. Both reuse their memory.
        pub enum AnyGenerator {
            $($(#[doc = $doc])+ $Variant(Box<($module::Generator, <$module::$Map as Measure>::Meter)>),)+
        }

        /// Why there is no map for a configuration and a seed.
        #[derive(Clone, Debug, PartialEq, thiserror::Error)]
        #[non_exhaustive]
        pub enum GenerateError {
            /// The configuration is not of its family's shape.
            #[error(transparent)]
            Decode(#[from] DecodeError),
            /// The configuration cannot be used.
            #[error(transparent)]
            Config(#[from] ConfigError),
            $(
                $(#[doc = $doc])+
                #[error(transparent)]
                $Variant($module::Error),
            )+
        }

        $(
            impl From<$module::Error> for GenerateError {
                fn from(error: $module::Error) -> GenerateError {
                    match error.config_error() {
                        Some(error) => GenerateError::Config(error.clone()),
                        None => GenerateError::$Variant(error),
                    }
                }
            }

            impl From<$module::$Map> for AnyMap {
                fn from(map: $module::$Map) -> AnyMap {
                    AnyMap::$Variant(Box::new(map))
                }
            }
        )+

        impl Family {
            /// All families.
            pub const ALL: [Family; [$(stringify!($Variant),)+].len()] = [$(Family::$Variant,)+];

            /// Name in commands, files and addresses.
            pub const fn name(self) -> &'static str {
                match self { $(Family::$Variant => <$module::$Map as MapFamily>::NAME,)+ }
            }

            /// Algorithms whose documents belong to the family.
            pub const fn algorithms(self) -> &'static [&'static str] {
                match self { $(Family::$Variant => <$module::$Map as MapFamily>::ALGORITHMS,)+ }
            }

            /// The JSON Schema of the family's documents.
            #[cfg(feature = "schema")]
            pub fn schema(self) -> schemars::Schema {
                match self { $(Family::$Variant => $module::document_schema(),)+ }
            }

            /// Reads a document of this family strictly and writes it again without a time: the form that its digest
            /// describes.
            ///
            /// # Errors
            /// The document is not a valid one of this family.
            pub fn canonical(self, bytes: &[u8]) -> Result<Document, DecodeError> {
                match self { $(Family::$Variant => canonical::<$module::$Map>(bytes),)+ }
            }
        }

        impl AnyConfig {
            /// Parses a configuration from a JSON object.
            ///
            /// # Errors
            /// The path of the first member that cannot be read.
            pub fn from_json(family: Family, json: &[u8]) -> Result<AnyConfig, DecodeError> {
                Ok(match family {
                    $(Family::$Variant => AnyConfig::$Variant(Box::new(<$module::$Map>::config_from_json(json)?)),)+
                })
            }

            /// Parses the configuration of a document.
            ///
            /// # Errors
            /// The algorithm is unknown, or a member of the configuration cannot be read.
            pub fn from_document(document: &Document) -> Result<AnyConfig, DecodeError> {
                Ok(match Family::from_document(document)? {
                    $(Family::$Variant => {
                        AnyConfig::$Variant(Box::new(<$module::$Map>::config_of_document(document)?))
                    })+
                })
            }

            /// The family.
            pub fn family(&self) -> Family {
                match self { $(AnyConfig::$Variant(_) => Family::$Variant,)+ }
            }

            /// Checks the configuration.
            ///
            /// # Errors
            /// The first field that cannot be used, and what would work.
            pub fn resolve(&self) -> Result<AnySpec, ConfigError> {
                Ok(match self {
                    $(AnyConfig::$Variant(config) => AnySpec::$Variant(<$module::$Map as MapFamily>::resolve(config)?),)+
                })
            }
        }

        impl AnySpec {
            /// The family.
            pub fn family(&self) -> Family {
                match self { $(AnySpec::$Variant(_) => Family::$Variant,)+ }
            }

            /// The algorithm that generates its maps (`act.walks/1`).
            pub fn algorithm(&self) -> &'static str {
                match self { $(AnySpec::$Variant(spec) => <$module::$Map as MapFamily>::algorithm(spec),)+ }
            }

            /// The configuration with every default written out, as documents contain it: JSON without spaces.
            pub fn config_json(&self) -> String {
                let json = match self {
                    $(AnySpec::$Variant(spec) => serde_json::to_string(<$module::$Map as MapFamily>::config(spec)),)+
                };
                // Writing plain values into memory cannot fail.
                json.unwrap_or_default()
            }

            /// Generates the map of a seed.
            ///
            /// # Errors
            /// The seed has no map.
            pub fn generate(&self, seed: Seed) -> Result<AnyMap, GenerateError> {
                Ok(match self {
                    $(AnySpec::$Variant(spec) => <$module::$Map as MapFamily>::generate(seed, spec)?.into(),)+
                })
            }

            /// A generator of its maps.
            pub fn generator(&self) -> AnyGenerator {
                match self {
                    $(AnySpec::$Variant(spec) => {
                        AnyGenerator::$Variant(Box::new((<$module::$Map as MapFamily>::generator(spec), Default::default())))
                    })+
                }
            }

            /// True if a single map may take seconds.
            pub fn may_be_slow(&self) -> bool {
                match self { $(AnySpec::$Variant(_) => <$module::$Map as MapFamily>::MAY_BE_SLOW,)+ }
            }

            /// Returns true if a metric can be read before a map is finished; see [`MapGenerator::generate_if`].
            ///
            /// [`MapGenerator::generate_if`]: crate::MapGenerator::generate_if
            pub fn reads_unfinished(&self, catalogue: &Catalogue, term: Term) -> bool {
                match self {
                    $(AnySpec::$Variant(_) => <$module::$Map as Measure>::Meter::reads_unfinished(catalogue, term),)+
                }
            }

            /// The metrics of its maps.
            pub fn catalogue(&self) -> Catalogue {
                match self { $(AnySpec::$Variant(spec) => <$module::$Map as Measure>::catalogue(spec),)+ }
            }

            /// What its configuration asks for, as bounds of metrics.
            pub fn budgets(&self) -> Vec<Budget> {
                match self { $(AnySpec::$Variant(spec) => <$module::$Map as Measure>::budgets(spec),)+ }
            }
        }

        impl AnyGenerator {
            /// Calls a generic function with the generator and its meter.
            #[inline]
            pub fn visit<V: GeneratorVisitor>(&mut self, visitor: V) -> V::Output {
                match self {
                    $(AnyGenerator::$Variant(parts) => {
                        let (generator, meter) = &mut **parts;
                        visitor.visit::<$module::$Map>(generator, meter)
                    })+
                }
            }
        }

        impl AnyMap {
            /// The family.
            pub fn family(&self) -> Family {
                match self { $(AnyMap::$Variant(_) => Family::$Variant,)+ }
            }

            /// Every metric of the map with name, unit and meaning.
            pub fn readings(&self) -> Vec<Reading> {
                match self { $(AnyMap::$Variant(map) => readings(&**map),)+ }
            }

            /// The seed.
            pub fn seed(&self) -> &Seed {
                match self { $(AnyMap::$Variant(map) => MapFamily::seed(&**map),)+ }
            }

            /// The spec.
            pub fn spec(&self) -> AnySpec {
                match self { $(AnyMap::$Variant(map) => AnySpec::$Variant(MapFamily::spec(&**map).clone()),)+ }
            }

            /// The canonical document.
            pub fn to_document(&self) -> Document {
                match self { $(AnyMap::$Variant(map) => MapFamily::to_document(&**map),)+ }
            }

            /// Checks every rule of the map.
            pub fn validate(&self) -> Report {
                match self { $(AnyMap::$Variant(map) => MapFamily::validate(&**map),)+ }
            }

            /// Reads a document strictly: shape, configuration, digest and canonical form must all be right.
            ///
            /// # Errors
            /// The first fault.
            pub fn decode_document(document: &Document) -> Result<AnyMap, DecodeError> {
                Ok(match Family::from_document(document)? {
                    $(Family::$Variant => <$module::$Map as MapFamily>::decode_document(document)?.into(),)+
                })
            }
        }

        /// Validates a document of any family: digest, canonical form and every rule of its map. With `reproduce`, also
        /// generates the map again and compares.
        ///
        /// # Errors
        /// The document cannot be read, or its algorithm is unknown.
        ///
        /// ```
        /// use wayforge::act;
        /// let document = act::generate(7.into(), &act::Config::default().resolve()?)?.to_document();
        /// assert!(wayforge::validate_document(&document, true)?.is_valid());
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        pub fn validate_document(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
            match Family::from_document(document)? {
                $(Family::$Variant => <$module::$Map as MapFamily>::validate_document(document, reproduce),)+
            }
        }

        impl GenerateError {
            /// The error of a seed without a map; `None` for a configuration that cannot be used.
            pub fn generation(&self) -> Option<&dyn GenerationError> {
                match self {
                    GenerateError::Decode(_) | GenerateError::Config(_) => None,
                    $(GenerateError::$Variant(error) => Some(error),)+
                }
            }

            /// Members that a machine-readable report of the error adds; see [`GenerationError::details`].
            pub fn details(&self) -> serde_json::Map<String, serde_json::Value> {
                match self {
                    GenerateError::Decode(_) | GenerateError::Config(_) => serde_json::Map::new(),
                    $(GenerateError::$Variant(error) => GenerationError::details(error),)+
                }
            }
        }
    };
}

families! {
    /// Act maps.
    Act(act::ActMap),
    /// Blueprint levels.
    Level(level::Level),
    /// Floor modules.
    Floor(floor::Floor),
    /// Towers of floors.
    Tower(tower::Tower),
}

impl Family {
    /// The family whose documents name `algorithm` (`act.rows/1`).
    pub fn from_algorithm(algorithm: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.algorithms().contains(&algorithm))
    }

    /// The family of a document.
    ///
    /// # Errors
    /// The algorithm is unknown; the error lists the known ones.
    pub fn from_document(document: &Document) -> Result<Family, DecodeError> {
        Family::from_algorithm(&document.algorithm).ok_or_else(|| {
            let known: Vec<&str> =
                Family::ALL.iter().flat_map(|family| family.algorithms()).copied().collect();
            let value = document.algorithm.chars().take(80).collect();
            DecodeError::Unknown { field: "algorithm", value, known: known.join(", ") }
        })
    }

    /// Generates the map of `seed` under a configuration in JSON.
    ///
    /// # Errors
    /// A configuration that cannot be read or used, or a seed without a map.
    ///
    /// # Determinism
    /// The map is that of the family's own `generate`.
    ///
    /// ```
    /// use wayforge::{AnyMap, Family, Seed, act};
    /// let map = Family::Act.generate(br#"{"ruleset":"rows"}"#, Seed::new(7))?;
    /// let config = act::Config::from_json(br#"{"ruleset":"rows"}"#)?;
    /// assert_eq!(map, AnyMap::from(act::generate(Seed::new(7), &config.resolve()?)?));
    /// let error = Family::Act.generate(br#"{"rows":0}"#, Seed::new(7)).unwrap_err();
    /// assert_eq!(error.to_string(), "rows = 0: out of range; use 1 to 4096");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn generate(self, config: &[u8], seed: Seed) -> Result<AnyMap, GenerateError> {
        AnyConfig::from_json(self, config)?.resolve()?.generate(seed)
    }
}

impl AnySpec {
    /// Parses and checks a configuration in JSON.
    ///
    /// # Errors
    /// The first member that cannot be read or used.
    ///
    /// ```
    /// use wayforge::{AnySpec, Family, Seed};
    /// let spec = AnySpec::from_json(Family::Act, br#"{"ruleset":"rows"}"#)?;
    /// let document = spec.generate(Seed::new(1))?.to_document();
    /// assert_eq!((document.algorithm.as_str(), document.config), (spec.algorithm(), spec.config_json()));
    /// # Ok::<(), wayforge::GenerateError>(())
    /// ```
    pub fn from_json(family: Family, json: &[u8]) -> Result<AnySpec, GenerateError> {
        Ok(AnyConfig::from_json(family, json)?.resolve()?)
    }
}

impl AnyMap {
    /// Reads a document of any family, or a `MapFloor` without an envelope.
    ///
    /// # Errors
    /// The first fault.
    pub fn decode(bytes: &[u8]) -> Result<AnyMap, DecodeError> {
        SavedMap::decode(bytes)?.to_map()
    }

    /// The metrics of its family.
    pub fn catalogue(&self) -> Catalogue {
        self.spec().catalogue()
    }
}

/// Reads a document strictly and writes it again without a time.
fn canonical<F: MapFamily>(bytes: &[u8]) -> Result<Document, DecodeError> {
    let mut map = F::decode(bytes)?;
    map.clear_generated_at();
    Ok(map.to_document())
}

/// Every metric of a map.
fn readings<F: Measure>(map: &F) -> Vec<Reading> {
    F::catalogue(map.spec()).readings(&mut F::Meter::default(), map)
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Family {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Family, InputError> {
        let found = Family::ALL.into_iter().find(|family| family.name() == text);
        found.ok_or_else(|| {
            let names: Vec<&str> = Family::ALL.iter().map(|family| family.name()).collect();
            let (last, rest) = names.split_last().unwrap_or((&"", &[]));
            let remedy = format!("use {} or {last}", rest.join(", "));
            InputError::new("family", text, "no such family", remedy)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_one_name_and_algorithms_one_family() {
        let mut algorithms = Vec::new();
        for family in Family::ALL {
            assert_eq!(serde_json::to_value(family).unwrap(), family.name());
            assert_eq!(family.name().parse(), Ok(family));
            for &algorithm in family.algorithms() {
                assert_eq!(Family::from_algorithm(algorithm), Some(family));
                assert!(!algorithms.contains(&algorithm), "{algorithm} is named twice");
                algorithms.push(algorithm);
            }
        }
    }
}
