//! The interface that every map family implements.
//!
//! A family is one map type with its configuration: act maps, levels, floors, towers. Code that handles maps of any family
//! (command line, service, bindings, search) is written against [`MapFamily`] or against the enums of the facade crate,
//! which are generated from one list of families.

use crate::document::{self, CANONICAL_FORM, DIGEST_MATCHES, Document};
use crate::{ConfigError, DecodeError, Place, Report, Rule, Seed, Violation};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// The rule that a map is what its algorithm generates from its seed and configuration.
pub const REPRODUCIBLE: Rule = Rule("reproducible");

/// A map type with everything that generates, validates and stores its maps.
///
/// Data flows one way: `Config` -> [`resolve`](Self::resolve) -> `Spec` -> [`generate`](Self::generate) -> map ->
/// [`validate`](Self::validate) -> [`Report`]; map -> [`to_document`](Self::to_document) -> bytes and digest.
pub trait MapFamily: Clone + fmt::Debug + PartialEq + Sized {
    /// Name in commands, addresses and files (`act`).
    const NAME: &'static str;
    /// Algorithms whose documents belong to this family.
    const ALGORITHMS: &'static [&'static str];
    /// True if a single map may take seconds.
    const MAY_BE_SLOW: bool = false;
    /// Settings as a person writes them.
    type Config: Clone + fmt::Debug + Default + PartialEq + Serialize;
    /// A checked configuration with every default filled in.
    type Spec: Clone + fmt::Debug + PartialEq;
    /// Why a seed has no map.
    type Error: GenerationError + Clone + PartialEq;
    /// Generates maps of one spec and reuses its memory.
    type Generator: MapGenerator<Map = Self, Error = Self::Error>;

    /// Checks a configuration.
    ///
    /// # Errors
    /// The first field that cannot be used, and what would work.
    fn resolve(config: &Self::Config) -> Result<Self::Spec, ConfigError>;

    /// Returns the configuration of a spec, with every default written out.
    fn config(spec: &Self::Spec) -> &Self::Config;

    /// Returns the algorithm that generates the maps of a spec.
    fn algorithm(spec: &Self::Spec) -> &'static str;

    /// Returns a generator for a spec.
    fn generator(spec: &Self::Spec) -> Self::Generator;

    /// Generates the map of a seed.
    ///
    /// # Errors
    /// The seed has no map under this spec.
    fn generate(seed: Seed, spec: &Self::Spec) -> Result<Self, Self::Error>;

    /// Returns the seed of this map.
    fn seed(&self) -> &Seed;

    /// Returns the spec of this map.
    fn spec(&self) -> &Self::Spec;

    /// Checks every rule of the family.
    fn validate(&self) -> Report;

    /// Returns the canonical document of this map.
    fn to_document(&self) -> Document;

    /// Reads the map of a document without checking digest and canonical form.
    ///
    /// # Errors
    /// The first member that cannot be read.
    fn from_document(document: &Document) -> Result<Self, DecodeError>;

    /// Returns the map with its parts in canonical order, as [`to_document`](Self::to_document) writes a valid map.
    fn in_canonical_order(&self) -> Cow<'_, Self> {
        Cow::Borrowed(self)
    }

    /// Removes what neither seed nor configuration determines, such as the time of generation.
    fn without_metadata(self) -> Self {
        self
    }

    /// Removes the time of generation.
    fn clear_generated_at(&mut self) {}

    /// Parses a configuration from a JSON object.
    ///
    /// # Errors
    /// The path of the first member that cannot be read.
    fn config_from_json(json: &[u8]) -> Result<Self::Config, DecodeError>;

    /// Parses the configuration of a document.
    ///
    /// # Errors
    /// The path of the first member that cannot be read.
    fn config_of_document(document: &Document) -> Result<Self::Config, DecodeError> {
        Self::config_from_json(document.config.as_bytes())
    }

    /// Reads a document strictly: shape, configuration, digest and canonical form must all be right.
    ///
    /// # Errors
    /// The first fault.
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_document(&Document::decode(bytes)?)
    }

    /// Reads the map of a document as strictly as [`decode`](Self::decode).
    ///
    /// # Errors
    /// The first fault.
    fn decode_document(document: &Document) -> Result<Self, DecodeError> {
        decode_strictly(document, Self::from_document, |map| map.in_canonical_order().to_document())
    }

    /// Validates a document: digest, canonical form and every rule of its map. With `reproduce`, also generates the map
    /// again and compares.
    ///
    /// # Errors
    /// The document cannot be read.
    fn validate_document(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
        validate_document::<Self>(document, reproduce)
    }
}

/// Generates maps of one spec one after another and reuses its memory.
pub trait MapGenerator {
    /// The map type.
    type Map;
    /// Why a seed has no map.
    type Error;

    /// Generates the map of a seed.
    ///
    /// # Errors
    /// The seed has no map.
    fn generate(&mut self, seed: Seed) -> Result<&Self::Map, Self::Error>;

    /// Generates the map of a seed. Returns `None` if the seed has no map, without the cost of explaining why.
    #[inline]
    fn try_generate(&mut self, seed: Seed) -> Option<&Self::Map> {
        self.generate(seed).ok()
    }

    /// Generates the map of a seed if it has one and `wanted` accepts it. A family may ask before the map is finished, to
    /// save work.
    #[inline]
    fn generate_if(&mut self, seed: Seed, wanted: impl FnOnce(&Self::Map) -> bool) -> Option<&Self::Map> {
        self.try_generate(seed).filter(|map| wanted(map))
    }

    /// Calls `record` with every rule or field that rejected attempts at the last map, and with the number of attempts.
    fn rejections(&self, _record: &mut dyn FnMut(&'static str, u32)) {}

    /// The rule that the last accepted attempt broke before it was repaired.
    fn repaired_rule(&self) -> Option<&'static str> {
        None
    }

    /// True if the last map was generated without taking anything back.
    fn without_backtracking(&self) -> bool {
        true
    }
}

/// Why a seed has no map: the parts that callers of any family report.
pub trait GenerationError: std::error::Error + Send + Sync + 'static {
    /// The seed without a map.
    fn seed(&self) -> Option<&Seed>;

    /// Names of the rules or configuration fields that no map satisfies together, without repeats.
    fn conflicts(&self) -> Vec<String>;

    /// What to change, as the end of a sentence.
    fn remedy(&self) -> String {
        "ask for less, try another seed or raise attempts".to_owned()
    }

    /// Members that a machine-readable error report adds. Not callable through `dyn GenerationError`: programs that report
    /// no members, such as the WebAssembly package, then contain no code for them.
    fn details(&self) -> Map<String, Value>
    where
        Self: Sized,
    {
        Map::from_iter([("conflict".to_owned(), self.conflicts().into())])
    }

    /// The configuration error behind this one, if there is one.
    fn config_error(&self) -> Option<&ConfigError> {
        None
    }
}

/// Implements [`MapFamily`] and [`MapGenerator`] for a family module with the usual names: `Config`, `Spec`, `Error`,
/// `Generator`, `generate` and `validate`, all in scope where the macro is called. What a family does differently from the
/// defaults of the traits follows in the two blocks.
///
/// ```text
/// map_family! {
///     Level, "level", [ALGORITHM];
///     family { const MAY_BE_SLOW: bool = true; }
///     generator {}
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! map_family {
    ($map:ident, $name:literal, $algorithms:expr; family { $($family:tt)* } generator { $($generator:tt)* }) => {
        impl $crate::MapFamily for $map {
            const NAME: &'static str = $name;
            const ALGORITHMS: &'static [&'static str] = &$algorithms;
            type Config = Config;
            type Spec = Spec;
            type Error = Error;
            type Generator = Generator;

            fn config_from_json(json: &[u8]) -> Result<Config, $crate::DecodeError> {
                Config::from_json(json)
            }

            fn resolve(config: &Config) -> Result<Spec, $crate::ConfigError> {
                config.resolve()
            }

            fn config(spec: &Spec) -> &Config {
                spec.config()
            }

            fn algorithm(spec: &Spec) -> &'static str {
                spec.algorithm()
            }

            fn generator(spec: &Spec) -> Generator {
                Generator::new(spec)
            }

            fn generate(seed: $crate::Seed, spec: &Spec) -> Result<$map, Error> {
                generate(seed, spec)
            }

            fn seed(&self) -> &$crate::Seed {
                &self.seed
            }

            fn spec(&self) -> &Spec {
                &self.spec
            }

            fn validate(&self) -> $crate::Report {
                validate(self)
            }

            fn to_document(&self) -> $crate::Document {
                self.to_document()
            }

            fn from_document(document: &$crate::Document) -> Result<$map, $crate::DecodeError> {
                $map::from_document(document)
            }

            $($family)*
        }

        impl $crate::MapGenerator for Generator {
            type Map = $map;
            type Error = Error;

            #[inline]
            fn generate(&mut self, seed: $crate::Seed) -> Result<&$map, Error> {
                self.generate(seed)
            }

            $($generator)*
        }
    };
}

/// What [`MapFamily::validate_document`] does unless a family overrides it.
#[doc(hidden)]
pub fn validate_document<F: MapFamily>(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
    let map = F::from_document(document)?;
    let mut report = document_report(document, &map.in_canonical_order().to_document(), map.validate());
    if reproduce {
        let again = F::generate(map.seed().clone(), map.spec()).map(|again| {
            let digest = again.to_document().digest;
            (again.without_metadata() == map.without_metadata(), digest)
        });
        report.check_reproduction(&document.algorithm, again);
    }
    Ok(report)
}

/// Reads a document strictly: digest, shape and canonical form. `read` and `write` are those of the map.
#[doc(hidden)]
pub fn decode_strictly<M>(
    document: &Document,
    read: impl FnOnce(&Document) -> Result<M, DecodeError>,
    write: impl FnOnce(&M) -> Document,
) -> Result<M, DecodeError> {
    document.check_digest()?;
    let map = read(document)?;
    document.check_form(&write(&map))?;
    Ok(map)
}

/// The report of a document: its digest, its canonical form and the rules of its map.
#[doc(hidden)]
pub fn document_report(document: &Document, canonical: &Document, rules: Report) -> Report {
    let mut report = Report::default();
    report.check_result(DIGEST_MATCHES, document.check_digest());
    report.check_result(CANONICAL_FORM, document.check_form(canonical));
    report.append(rules);
    report
}

impl Report {
    /// Records a rule about the whole document.
    fn check_result(&mut self, rule: Rule, checked: Result<(), impl fmt::Display>) {
        self.rules.push(rule);
        let violation = |error: String| Violation { rule, place: Place::Map, why: error };
        self.violations.extend(checked.err().map(|error| violation(error.to_string())));
    }

    /// Records whether the map that was generated again equals the one of the document, with the digest of the former.
    #[doc(hidden)]
    pub fn check_reproduction(
        &mut self,
        algorithm: &str,
        again: Result<(bool, document::Digest), impl fmt::Display>,
    ) {
        let checked = match again {
            Ok((true, _)) => Ok(()),
            Ok((false, digest)) => Err(format!("{algorithm} generates a map of digest {digest}")),
            Err(error) => Err(error.to_string()),
        };
        self.check_result(REPRODUCIBLE, checked);
    }
}
