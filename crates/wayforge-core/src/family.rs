//! Traits that every map family implements.
//!
//! A family is one map type with its configuration: act maps, levels, floors, towers. Code that
//! handles maps of any family uses [`MapFamily`], or the enums of the facade crate, which are
//! generated from one list of families.

use crate::document::{self, CANONICAL_FORM, DIGEST_MATCHES, Document};
use crate::{ConfigError, DecodeError, Place, Report, Rule, Seed, Stopped, Violation, WorkLimit};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// Rule: a map equals the one that its algorithm generates from its seed and configuration.
pub const REPRODUCIBLE: Rule = Rule("reproducible");

/// A map type together with its configuration, generator, validator and documents.
///
/// Data flows one way: `Config` -> [`resolve`](Self::resolve) -> `Spec` ->
/// [`generate`](Self::generate) -> map -> [`validate`](Self::validate) -> [`Report`]; map ->
/// [`to_document`](Self::to_document) -> bytes and digest.
pub trait MapFamily: Clone + fmt::Debug + PartialEq + Sized {
    /// Name in commands, URLs and files (`act`).
    const NAME: &'static str;
    /// Algorithms whose documents belong to this family.
    ///
    /// [`config_of_document`](Self::config_of_document) and
    /// [`validate_document`](Self::validate_document) accept all of them.
    /// [`decode_document`](Self::decode_document) accepts those of complete maps: a document of one
    /// floor of a tower is not a tower and is rejected with an error that says so.
    const ALGORITHMS: &'static [&'static str];
    /// True if generating a single map may take seconds.
    const MAY_BE_SLOW: bool = false;
    /// Configuration as the user writes it.
    type Config: Clone + fmt::Debug + Default + PartialEq + Serialize;
    /// Checked configuration with explicit default values.
    type Spec: Clone + fmt::Debug + PartialEq;
    /// Error of generation.
    type Error: GenerationError + Clone + PartialEq;
    /// Generator of maps of one spec.
    type Generator: MapGenerator<Map = Self, Error = Self::Error>;

    /// Checks a configuration.
    ///
    /// # Errors
    /// A field is invalid. The error names the first such field and a remedy.
    fn resolve(config: &Self::Config) -> Result<Self::Spec, ConfigError>;

    /// Returns the configuration of a spec, with explicit default values.
    fn config(spec: &Self::Spec) -> &Self::Config;

    /// Returns the algorithm that generates the maps of a spec.
    fn algorithm(spec: &Self::Spec) -> &'static str;

    /// Returns a generator for a spec.
    fn generator(spec: &Self::Spec) -> Self::Generator;

    /// Generates the map of a seed.
    ///
    /// # Errors
    /// The generator finds no map for this seed and spec.
    fn generate(seed: Seed, spec: &Self::Spec) -> Result<Self, Self::Error>;

    /// Generates the map of a seed within a limit of work.
    ///
    /// # Errors
    /// The same as [`generate`](Self::generate), or generation is
    /// [stopped](GenerationError::stopped).
    fn generate_within(
        seed: Seed,
        spec: &Self::Spec,
        limit: &WorkLimit,
    ) -> Result<Self, Self::Error> {
        let mut generator = Self::generator(spec);
        generator.limit_work(limit.clone());
        generator.generate(seed).cloned()
    }

    /// Returns the seed of this map.
    fn seed(&self) -> &Seed;

    /// Returns the spec of this map.
    fn spec(&self) -> &Self::Spec;

    /// Checks every rule of the family.
    fn validate(&self) -> Report;

    /// Checks every rule of the family within a limit of work.
    ///
    /// Families whose validator takes O(size of the map) do not count its work.
    ///
    /// # Errors
    /// The work was stopped.
    fn validate_within(&self, limit: &WorkLimit) -> Result<Report, Stopped> {
        limit.start().check().map(|()| self.validate())
    }

    /// Returns the canonical document of this map.
    fn to_document(&self) -> Document;

    /// Converts a document to a map without checking digest and canonical form.
    ///
    /// # Errors
    /// A member is malformed. The error names the first such member.
    fn from_document(document: &Document) -> Result<Self, DecodeError>;

    /// Returns the map with its parts in the canonical order of documents.
    fn in_canonical_order(&self) -> Cow<'_, Self> {
        Cow::Borrowed(self)
    }

    /// Removes metadata that does not depend on seed and configuration, such as the time of
    /// generation.
    fn without_metadata(self) -> Self {
        self
    }

    /// Removes the time of generation.
    fn clear_generated_at(&mut self) {}

    /// Parses a configuration from a JSON object.
    ///
    /// # Errors
    /// A member is malformed. The error contains the path of the first such member.
    fn config_from_json(json: &[u8]) -> Result<Self::Config, DecodeError>;

    /// Parses the configuration of a document.
    ///
    /// # Errors
    /// A member is malformed. The error contains the path of the first such member.
    fn config_of_document(document: &Document) -> Result<Self::Config, DecodeError> {
        Self::config_from_json(document.config.as_bytes())
    }

    /// Parses a document strictly.
    ///
    /// # Errors
    /// The document is malformed or not canonical, its configuration is invalid, or its digest does
    /// not match.
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_document(&Document::decode(bytes)?)
    }

    /// Converts a document to a map as strictly as [`decode`](Self::decode).
    ///
    /// # Errors
    /// The same as [`decode`](Self::decode).
    fn decode_document(document: &Document) -> Result<Self, DecodeError> {
        decode_strictly(document, Self::from_document, |map| map.in_canonical_order().to_document())
    }

    /// Validates a document: digest, canonical form and every rule of its map.
    ///
    /// With `reproduce`, also generates the map again and compares the two.
    ///
    /// # Errors
    /// The document is malformed or its configuration is invalid.
    fn validate_document(document: &Document, reproduce: bool) -> Result<Report, DecodeError> {
        let checked = Self::validate_document_within(document, reproduce, &WorkLimit::UNLIMITED)?;
        // Unlimited work never stops.
        Ok(checked.unwrap_or_default())
    }

    /// Validates a document like [`validate_document`](Self::validate_document) within a limit of
    /// work, which validation and reproduction have each.
    ///
    /// Returns `Ok(Err(_))` if the work was stopped.
    ///
    /// # Errors
    /// The same as [`validate_document`](Self::validate_document).
    fn validate_document_within(
        document: &Document,
        reproduce: bool,
        limit: &WorkLimit,
    ) -> Result<Result<Report, Stopped>, DecodeError> {
        validate_document_within::<Self>(document, reproduce, limit)
    }
}

/// A generator of many maps of one spec. Returns references, so that a family can reuse the memory
/// of the last map.
pub trait MapGenerator {
    /// The map type.
    type Map;
    /// Error of generation.
    type Error;

    /// Limits the work of each map.
    fn limit_work(&mut self, limit: WorkLimit);

    /// Returns the number of steps of work that the last map took.
    fn steps(&self) -> u64;

    /// Generates the map of a seed.
    ///
    /// # Errors
    /// The generator finds no map for this seed.
    fn generate(&mut self, seed: Seed) -> Result<&Self::Map, Self::Error>;

    /// Like [`generate`](Self::generate), but returns `None` instead of computing an error.
    #[inline]
    fn try_generate(&mut self, seed: Seed) -> Option<&Self::Map> {
        self.generate(seed).ok()
    }

    /// Generates the map of a seed, or returns `None` if there is none or `accept` rejects it.
    ///
    /// To save work, a family may call `accept` before the map is complete.
    #[inline]
    fn generate_if(
        &mut self,
        seed: Seed,
        accept: impl FnOnce(&Self::Map) -> bool,
    ) -> Option<&Self::Map> {
        self.try_generate(seed).filter(|map| accept(map))
    }

    /// Calls `record` with each rule or field that rejected attempts at the last map, and the
    /// number of attempts that it rejected.
    fn rejections(&self, _record: &mut dyn FnMut(&'static str, u32)) {}

    /// Returns the rule that the last accepted attempt violated before it was repaired.
    fn repaired_rule(&self) -> Option<&'static str> {
        None
    }

    /// Returns true if the last map was generated without backtracking.
    fn without_backtracking(&self) -> bool {
        true
    }
}

/// Error of generation, as reported for any family.
pub trait GenerationError: std::error::Error + Send + Sync + 'static {
    /// Returns the seed for which generation failed.
    fn seed(&self) -> Option<&Seed>;

    /// Returns why generation stopped before it decided whether there is a map, if it did.
    fn stopped(&self) -> Option<Stopped>;

    /// Returns the names of the conflicting rules or configuration fields, without duplicates.
    fn conflicts(&self) -> Vec<String>;

    /// Returns a remedy: an imperative phrase without a final full stop.
    fn remedy(&self) -> String {
        "relax the configuration, try another seed or raise attempts".to_owned()
    }

    /// Returns additional members of a machine-readable error report.
    ///
    /// Not callable through `dyn GenerationError`, so that programs without such reports do not
    /// contain the code, for example the WebAssembly package.
    fn details(&self) -> Map<String, Value>
    where
        Self: Sized,
    {
        Map::from_iter([("conflict".to_owned(), self.conflicts().into())])
    }

    /// Returns the configuration error that caused this one, if any.
    fn config_error(&self) -> Option<&ConfigError> {
        None
    }
}

/// Implements [`MapFamily`] and [`MapGenerator`] for a family module.
///
/// Uses `Config`, `Spec`, `Error`, `Generator`, `generate` and `validate`, which must be in scope.
/// The two blocks override defaults of the traits.
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
    (
        $map:ident, $name:literal, $algorithms:expr;
        family { $($family:tt)* }
        generator { $($generator:tt)* }
    ) => {
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

            fn limit_work(&mut self, limit: $crate::WorkLimit) {
                self.limit_work(limit);
            }

            fn steps(&self) -> u64 {
                self.work.used()
            }

            #[inline]
            fn generate(&mut self, seed: $crate::Seed) -> Result<&$map, Error> {
                self.generate(seed)
            }

            $($generator)*
        }
    };
}

/// Default implementation of [`MapFamily::validate_document_within`].
#[doc(hidden)]
pub fn validate_document_within<F: MapFamily>(
    document: &Document,
    reproduce: bool,
    limit: &WorkLimit,
) -> Result<Result<Report, Stopped>, DecodeError> {
    let map = F::from_document(document)?;
    let rules = match map.validate_within(limit) {
        Ok(rules) => rules,
        Err(stopped) => return Ok(Err(stopped)),
    };
    let mut report = document_report(document, &map.in_canonical_order().to_document(), rules);
    if reproduce {
        let reproduced = F::generate_within(map.seed().clone(), map.spec(), limit);
        if let Some(stopped) = reproduced.as_ref().err().and_then(GenerationError::stopped) {
            return Ok(Err(stopped));
        }
        let reproduced = reproduced.map(|reproduced| {
            let digest = reproduced.to_document().digest;
            (reproduced.without_metadata() == map.without_metadata(), digest)
        });
        report.check_reproduction(&document.algorithm, reproduced);
    }
    Ok(Ok(report))
}

/// Converts a document to a map and checks digest and canonical form.
///
/// `read` and `write` convert between documents and maps of the family.
#[doc(hidden)]
pub fn decode_strictly<M>(
    document: &Document,
    read: impl FnOnce(&Document) -> Result<M, DecodeError>,
    write: impl FnOnce(&M) -> Document,
) -> Result<M, DecodeError> {
    document.check_digest()?;
    let map = read(document)?;
    document.check_canonical_form(&write(&map))?;
    Ok(map)
}

/// Returns the report of a document: digest, canonical form and the rules of its map.
#[doc(hidden)]
pub fn document_report(document: &Document, canonical: &Document, rules: Report) -> Report {
    let mut report = Report::default();
    report.check_result(DIGEST_MATCHES, document.check_digest());
    report.check_result(CANONICAL_FORM, document.check_canonical_form(canonical));
    report.append(rules);
    report
}

impl Report {
    /// Records the result of a rule about the whole document.
    fn check_result(&mut self, rule: Rule, checked: Result<(), impl fmt::Display>) {
        self.rules.push(rule);
        let violation = |error: String| Violation { rule, place: Place::Map, why: error };
        self.violations.extend(checked.err().map(|error| violation(error.to_string())));
    }

    /// Records whether a map is reproducible.
    ///
    /// `reproduced` contains whether the regenerated map is equal, and its digest; or the error of
    /// generating it.
    #[doc(hidden)]
    pub fn check_reproduction(
        &mut self,
        algorithm: &str,
        reproduced: Result<(bool, document::Digest), impl fmt::Display>,
    ) {
        let checked = match reproduced {
            Ok((true, _)) => Ok(()),
            Ok((false, digest)) => Err(format!("{algorithm} generates a map with digest {digest}")),
            Err(error) => Err(error.to_string()),
        };
        self.check_result(REPRODUCIBLE, checked);
    }
}
