//! The list of map families, and configurations, specs, maps and errors of any family.
//!
//! `families!` is the only list of families in the workspace. It generates [`Family`],
//! [`AnyConfig`], [`AnySpec`], [`AnyMap`], [`AnyGenerator`] and [`GenerateError`]. All other code
//! uses these types or [`MapFamily`].

use crate::metric::{Budget, Catalogue, MapShape, Measure, MetricValue};
use crate::{
    ConfigError, DecodeError, Document, GenerationError, InputError, MapFamily, MapGenerator,
    Report, SavedMap, Seed, Stopped, WorkLimit,
};
use crate::{act, floor, level, tower};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A visitor that is generic over the family; see [`AnyGenerator::visit`].
pub trait GeneratorVisitor {
    /// Result of the visit.
    type Output;

    /// Visits the generator and the meter of a family.
    fn visit<F: MapFamily + Measure>(
        self,
        generator: &mut F::Generator,
        meter: &mut F::Meter,
    ) -> Self::Output;
}

macro_rules! families {
    ($($(#[doc = $doc:literal])+ $Variant:ident($module:ident::$Map:ident),)+) => {
        /// A map family, by name. Exhaustive, like the `Any*` types: a new family breaks every
        /// `match` that must handle it.
        ///
        /// # Examples
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

        /// A generator of any family, with a meter for its maps.
        pub enum AnyGenerator {
            $(
                $(#[doc = $doc])+
                $Variant(Box<($module::Generator, <$module::$Map as Measure>::Meter)>),
            )+
        }

        /// Error of generating a map from a configuration and a seed.
        #[derive(Clone, Debug, PartialEq, thiserror::Error)]
        #[non_exhaustive]
        pub enum GenerateError {
            /// The configuration cannot be decoded.
            #[error(transparent)]
            Decode(#[from] DecodeError),
            /// The configuration is invalid.
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

            /// Name in commands, files and URLs.
            pub const fn name(self) -> &'static str {
                match self { $(Family::$Variant => <$module::$Map as MapFamily>::NAME,)+ }
            }

            /// Algorithms whose documents belong to the family.
            pub const fn algorithms(self) -> &'static [&'static str] {
                match self { $(Family::$Variant => <$module::$Map as MapFamily>::ALGORITHMS,)+ }
            }

            /// How the objects of its maps are arranged.
            pub const fn shape(self) -> MapShape {
                match self { $(Family::$Variant => <$module::$Map as Measure>::SHAPE,)+ }
            }

            /// The JSON Schema of the family's documents.
            #[cfg(feature = "schema")]
            pub fn schema(self) -> schemars::Schema {
                match self { $(Family::$Variant => $module::document_schema(),)+ }
            }

            /// Decodes a document of this family strictly and encodes it without `generatedAt`:
            /// the form that the digest covers.
            ///
            /// # Errors
            /// [`DecodeError`] if the document is not a valid document of this family.
            pub fn canonical(self, bytes: &[u8]) -> Result<Document, DecodeError> {
                match self { $(Family::$Variant => canonical::<$module::$Map>(bytes),)+ }
            }
        }

        impl AnyConfig {
            /// Parses a configuration from a JSON object.
            ///
            /// # Errors
            /// [`DecodeError`] with the path of the first invalid member.
            pub fn from_json(family: Family, json: &[u8]) -> Result<AnyConfig, DecodeError> {
                Ok(match family {
                    $(Family::$Variant => {
                        AnyConfig::$Variant(Box::new(<$module::$Map>::config_from_json(json)?))
                    })+
                })
            }

            /// Parses the configuration of a document.
            ///
            /// # Errors
            /// [`DecodeError`] if the algorithm is unknown or the configuration cannot be decoded.
            pub fn from_document(document: &Document) -> Result<AnyConfig, DecodeError> {
                Ok(match Family::from_document(document)? {
                    $(Family::$Variant => {
                        let config = <$module::$Map>::config_of_document(document)?;
                        AnyConfig::$Variant(Box::new(config))
                    })+
                })
            }

            /// The family.
            pub fn family(&self) -> Family {
                match self { $(AnyConfig::$Variant(_) => Family::$Variant,)+ }
            }

            /// Validates the configuration and resolves it into a spec.
            ///
            /// # Errors
            /// [`ConfigError`] with the first invalid field and a remedy.
            pub fn resolve(&self) -> Result<AnySpec, ConfigError> {
                Ok(match self {
                    $(AnyConfig::$Variant(config) => {
                        AnySpec::$Variant(<$module::$Map as MapFamily>::resolve(config)?)
                    })+
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
                match self {
                    $(AnySpec::$Variant(spec) => <$module::$Map as MapFamily>::algorithm(spec),)+
                }
            }

            /// The configuration with all defaults, as documents contain it: JSON without spaces.
            pub fn config_json(&self) -> String {
                let json = match self {
                    $(AnySpec::$Variant(spec) => {
                        serde_json::to_string(<$module::$Map as MapFamily>::config(spec))
                    })+
                };
                // Writing plain values into memory cannot fail.
                json.unwrap_or_default()
            }

            /// Generates the map of a seed.
            ///
            /// # Errors
            /// [`GenerateError`] if no attempt succeeds for this seed.
            pub fn generate(&self, seed: Seed) -> Result<AnyMap, GenerateError> {
                Ok(match self {
                    $(AnySpec::$Variant(spec) => {
                        <$module::$Map as MapFamily>::generate(seed, spec)?.into()
                    })+
                })
            }

            /// Generates the map of a seed within a limit of work.
            ///
            /// # Errors
            /// [`GenerateError`] if no attempt succeeds for this seed, or if generation is
            /// [stopped](GenerateError::stopped).
            ///
            /// # Determinism
            /// Returns the same map as [`generate`](Self::generate), or an error. Without an
            /// interrupt, it does not depend on the machine which of the two.
            ///
            /// # Examples
            /// ```
            /// use wayforge::{AnySpec, Family, WorkLimit};
            /// let spec = AnySpec::from_json(Family::Level, b"{}")?;
            /// let error = spec.generate_within(1.into(), &WorkLimit::steps(1000)).unwrap_err();
            /// assert!(error.stopped().is_some());
            /// let level = spec.generate_within(1.into(), &WorkLimit::steps(1_000_000))?;
            /// assert_eq!(level, spec.generate(1.into())?);
            /// # Ok::<(), wayforge::GenerateError>(())
            /// ```
            pub fn generate_within(
                &self,
                seed: Seed,
                limit: &WorkLimit,
            ) -> Result<AnyMap, GenerateError> {
                Ok(match self {
                    $(AnySpec::$Variant(spec) => {
                        <$module::$Map as MapFamily>::generate_within(seed, spec, limit)?.into()
                    })+
                })
            }

            /// Returns a generator for this spec.
            pub fn generator(&self) -> AnyGenerator {
                match self {
                    $(AnySpec::$Variant(spec) => {
                        let generator = <$module::$Map as MapFamily>::generator(spec);
                        AnyGenerator::$Variant(Box::new((generator, Default::default())))
                    })+
                }
            }

            /// Returns true if generating a single map may take seconds.
            pub fn may_be_slow(&self) -> bool {
                match self {
                    $(AnySpec::$Variant(_) => <$module::$Map as MapFamily>::MAY_BE_SLOW,)+
                }
            }

            /// The metrics of its maps.
            pub fn catalogue(&self) -> Catalogue {
                match self {
                    $(AnySpec::$Variant(spec) => <$module::$Map as Measure>::catalogue(spec),)+
                }
            }

            /// The numbers that the configuration requests, as bounds on metrics.
            pub fn budgets(&self) -> Vec<Budget> {
                match self {
                    $(AnySpec::$Variant(spec) => <$module::$Map as Measure>::budgets(spec),)+
                }
            }
        }

        impl AnyGenerator {
            /// Limits the work of each map.
            pub fn limit_work(&mut self, limit: &WorkLimit) {
                match self {
                    $(AnyGenerator::$Variant(parts) => {
                        MapGenerator::limit_work(&mut parts.0, limit.clone())
                    })+
                }
            }

            /// Generates the map of a seed, or returns `None`.
            pub fn try_generate(&mut self, seed: Seed) -> Option<AnyMap> {
                match self {
                    $(AnyGenerator::$Variant(parts) => {
                        Some(MapGenerator::try_generate(&mut parts.0, seed)?.clone().into())
                    })+
                }
            }

            /// Returns the number of steps of work that the last map took.
            pub fn steps(&self) -> u64 {
                match self { $(AnyGenerator::$Variant(parts) => MapGenerator::steps(&parts.0),)+ }
            }

            /// Calls a visitor with the generator and its meter.
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

            /// Computes all metrics of the map.
            pub fn metric_values(&self) -> Vec<MetricValue> {
                match self { $(AnyMap::$Variant(map) => metric_values(&**map),)+ }
            }

            /// The seed.
            pub fn seed(&self) -> &Seed {
                match self { $(AnyMap::$Variant(map) => MapFamily::seed(&**map),)+ }
            }

            /// The spec.
            pub fn spec(&self) -> AnySpec {
                match self {
                    $(AnyMap::$Variant(map) => AnySpec::$Variant(MapFamily::spec(&**map).clone()),)+
                }
            }

            /// The canonical document.
            pub fn to_document(&self) -> Document {
                match self { $(AnyMap::$Variant(map) => MapFamily::to_document(&**map),)+ }
            }

            /// Validates the map against every rule.
            pub fn validate(&self) -> Report {
                match self { $(AnyMap::$Variant(map) => MapFamily::validate(&**map),)+ }
            }

            /// Decodes a document strictly: structure, configuration, digest and canonical form.
            ///
            /// # Errors
            /// [`DecodeError`] with the first problem.
            pub fn decode_document(document: &Document) -> Result<AnyMap, DecodeError> {
                Ok(match Family::from_document(document)? {
                    $(Family::$Variant => {
                        <$module::$Map as MapFamily>::decode_document(document)?.into()
                    })+
                })
            }
        }

        /// Validates a document of any family: digest, canonical form and every rule of its map.
        /// With `reproduce`, also generates the map again and compares both.
        ///
        /// # Errors
        /// [`DecodeError`] if the document cannot be decoded or its algorithm is unknown.
        ///
        /// # Examples
        /// ```
        /// use wayforge::act;
        /// let spec = act::Config::default().resolve()?;
        /// let document = act::generate(7.into(), &spec)?.to_document();
        /// assert!(wayforge::validate_document(&document, true)?.is_valid());
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        pub fn validate_document(
            document: &Document,
            reproduce: bool,
        ) -> Result<Report, DecodeError> {
            match Family::from_document(document)? {
                $(Family::$Variant => {
                    <$module::$Map as MapFamily>::validate_document(document, reproduce)
                })+
            }
        }

        /// Validates a document like [`validate_document`] within a limit of work, which validation
        /// and reproduction have each. Returns `Ok(Err(_))` if the work was stopped.
        ///
        /// # Errors
        /// The same as [`validate_document`].
        pub fn validate_document_within(
            document: &Document,
            reproduce: bool,
            limit: &WorkLimit,
        ) -> Result<Result<Report, Stopped>, DecodeError> {
            match Family::from_document(document)? {
                $(Family::$Variant => {
                    <$module::$Map as MapFamily>::validate_document_within(
                        document, reproduce, limit,
                    )
                })+
            }
        }

        impl GenerateError {
            /// Returns the family's generation error; `None` for an invalid configuration.
            pub fn generation(&self) -> Option<&dyn GenerationError> {
                match self {
                    GenerateError::Decode(_) | GenerateError::Config(_) => None,
                    $(GenerateError::$Variant(error) => Some(error),)+
                }
            }

            /// Why generation stopped before it decided whether there is a map, if it did.
            pub fn stopped(&self) -> Option<Stopped> {
                self.generation().and_then(GenerationError::stopped)
            }

            /// Additional members of machine-readable error reports; see
            /// [`GenerationError::details`].
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
    /// Dungeon floors.
    Floor(floor::Floor),
    /// Towers of floors.
    Tower(tower::Tower),
}

impl Family {
    /// Name of one map in sentences, with its article: `an act map`.
    pub const fn with_article(self) -> &'static str {
        match self {
            Family::Act => "an act map",
            Family::Level => "a level",
            Family::Floor => "a floor",
            Family::Tower => "a tower",
        }
    }

    /// Name of one map in sentences, without an article: `act map`. The plural ends with `s`.
    pub fn noun(self) -> &'static str {
        let text = self.with_article();
        text.split_once(' ').map_or(text, |(_, noun)| noun)
    }

    /// Lists families in a sentence.
    ///
    /// # Examples
    /// ```
    /// use wayforge::Family;
    /// assert_eq!(Family::list([Family::Act, Family::Level]), "an act map or a level");
    /// ```
    pub fn list(families: impl IntoIterator<Item = Family>) -> String {
        let nouns: Vec<&str> = families.into_iter().map(Family::with_article).collect();
        alternatives(&nouns)
    }

    /// The family whose documents name `algorithm` (`act.rows/1`).
    pub fn from_algorithm(algorithm: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.algorithms().contains(&algorithm))
    }

    /// The family of a document.
    ///
    /// # Errors
    /// [`DecodeError::Unknown`] with the known algorithms.
    pub fn from_document(document: &Document) -> Result<Family, DecodeError> {
        Family::from_algorithm(&document.algorithm).ok_or_else(|| {
            let known: Vec<&str> =
                Family::ALL.iter().flat_map(|family| family.algorithms()).copied().collect();
            DecodeError::unknown("algorithm", &document.algorithm, &known.join(", "))
        })
    }

    /// Generates the map of `seed` under a configuration in JSON.
    ///
    /// # Errors
    /// [`GenerateError`] if the configuration is invalid or no attempt succeeds for this seed.
    ///
    /// # Determinism
    /// Returns the same map as the family's own `generate`.
    ///
    /// # Examples
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
    /// Parses and resolves a configuration in JSON.
    ///
    /// # Errors
    /// [`GenerateError`] with the first invalid member.
    ///
    /// # Examples
    /// ```
    /// use wayforge::{AnySpec, Family, Seed};
    /// let spec = AnySpec::from_json(Family::Act, br#"{"ruleset":"rows"}"#)?;
    /// let document = spec.generate(Seed::new(1))?.to_document();
    /// assert_eq!(document.algorithm, spec.algorithm());
    /// assert_eq!(document.config, spec.config_json());
    /// # Ok::<(), wayforge::GenerateError>(())
    /// ```
    pub fn from_json(family: Family, json: &[u8]) -> Result<AnySpec, GenerateError> {
        Ok(AnyConfig::from_json(family, json)?.resolve()?)
    }
}

impl AnyMap {
    /// Decodes a document of any family, or a `MapFloor` without an envelope.
    ///
    /// # Errors
    /// [`DecodeError`] with the first problem.
    pub fn decode(bytes: &[u8]) -> Result<AnyMap, DecodeError> {
        SavedMap::decode(bytes)?.to_map()
    }

    /// The metrics of its family.
    pub fn catalogue(&self) -> Catalogue {
        self.spec().catalogue()
    }
}

/// Decodes a document strictly and encodes it without `generatedAt`.
fn canonical<F: MapFamily>(bytes: &[u8]) -> Result<Document, DecodeError> {
    let mut map = F::decode(bytes)?;
    map.clear_generated_at();
    Ok(map.to_document())
}

/// Computes all metrics of a map.
fn metric_values<F: Measure>(map: &F) -> Vec<MetricValue> {
    F::catalogue(map.spec()).metric_values(&mut F::Meter::default(), map)
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
            let remedy = format!("use {}", alternatives(&names));
            InputError::new("family", text, "unknown family", remedy)
        })
    }
}

/// Joins names: `a, b or c`.
fn alternatives(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_algorithms_identify_families() {
        let mut algorithms = Vec::new();
        for family in Family::ALL {
            assert_eq!(serde_json::to_value(family).unwrap(), family.name());
            assert_eq!(family.name().parse(), Ok(family));
            for &algorithm in family.algorithms() {
                assert_eq!(Family::from_algorithm(algorithm), Some(family));
                assert!(!algorithms.contains(&algorithm), "{algorithm} is listed twice");
                algorithms.push(algorithm);
            }
        }
    }
}
