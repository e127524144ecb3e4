//! Strict parsing of request bodies and parameters, with cost checks.

use crate::FamilyOption;
use crate::handlers::limits::{CostEstimate, Limits};
use crate::handlers::map::{RenderOptions, check_cost, read_config};
use crate::handlers::problem::{Problem, ProblemKind};
use crate::handlers::query::Query;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use wayforge::document::{JsonError, deserialize};
use wayforge::seed::MAX_TEXT;
use wayforge::{AnyConfig, Document, Family, GenerateError, Seed};
use wayforge_draw::{Routes, Theme};

/// Body of a request for a map: a seed and a configuration, both optional.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SeedAndConfig<'a> {
    /// Seed; random if omitted.
    pub seed: OptionalField<SeedInput>,
    /// Configuration; all defaults if omitted.
    #[serde(borrow)]
    #[schemars(with = "ConfigInput")]
    pub config: OptionalField<&'a RawValue>,
}

/// JSON object of a configuration; the OpenAPI description uses the family's schema instead.
pub(crate) type ConfigInput = serde_json::Map<String, serde_json::Value>;

impl OptionalField<SeedInput> {
    /// Returns the seed of a request, or a random one if it is omitted.
    ///
    /// # Errors
    /// If no random seed is available.
    pub fn seed(&self) -> Result<Seed, Problem> {
        self.0.as_ref().map_or_else(random_seed, |seed| Ok(seed.0.clone()))
    }
}

impl<'a> OptionalField<&'a RawValue> {
    /// Returns the JSON text of the configuration; `{}` if it is omitted.
    pub fn json(&self) -> &'a [u8] {
        self.0.map_or("{}", RawValue::get).as_bytes()
    }

    /// Parses the configuration of a request and checks its cost.
    ///
    /// # Errors
    /// If the configuration is invalid or exceeds the limits.
    pub fn config(
        &self,
        family: Family,
        limits: &Limits,
    ) -> Result<(AnyConfig, CostEstimate), Problem> {
        let in_config = |problem: Problem| problem.in_member("config");
        let config = read_config(family, self.json()).map_err(in_config)?;
        let cost = check_cost(&config, limits).map_err(in_config)?;
        Ok((config, cost))
    }
}

/// Parses a JSON object strictly.
///
/// # Errors
/// [`ProblemKind::InvalidBody`] for invalid JSON, unknown or duplicate members, and lists in place
/// of objects.
pub fn read_object<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Problem> {
    let invalid = |field: &str, message: &str| {
        Problem::new(ProblemKind::InvalidBody, format!("{field}: {message}")).field(field)
    };
    if !json.trim_ascii_start().starts_with(b"{") {
        return Err(invalid("body", "not a JSON object"));
    }
    deserialize(json).map_err(|JsonError { path, message, position }| {
        let field = match path.as_str() {
            // At the top level only the message names an unknown or missing member.
            "." => message.split('`').nth(1).unwrap_or("body"),
            // The text ends in the middle of a member.
            path if path.contains('?') => "body",
            path => path,
        };
        invalid(field, &message).position(position)
    })
}

/// Optional member of a request. Unlike `Option`, it rejects `null`.
pub struct OptionalField<T>(pub Option<T>);

impl<T> Default for OptionalField<T> {
    fn default() -> OptionalField<T> {
        OptionalField(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OptionalField<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<OptionalField<T>, D::Error> {
        T::deserialize(from).map(|value| OptionalField(Some(value)))
    }
}

impl<T: JsonSchema> JsonSchema for OptionalField<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// Seed of a request: an integer, or text of at most [`MAX_TEXT`] characters.
///
/// A negative integer is treated as text, as on the command line.
pub struct SeedInput(pub Seed);

impl JsonSchema for SeedInput {
    fn schema_name() -> Cow<'static, str> {
        "SeedInput".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An integer, or text of at most 256 characters, which the map stores. \
                Digits are a number; other text and negative integers are hashed.",
            "anyOf": [
                { "type": "integer", "minimum": i64::MIN, "maximum": u64::MAX },
                { "type": "string", "maxLength": MAX_TEXT, "pattern": "^[^\\u0000]*$" },
            ],
        })
    }
}

impl<'de> Deserialize<'de> for SeedInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeedInput, D::Error> {
        struct Input;
        impl de::Visitor<'_> for Input {
            type Value = SeedInput;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "an integer up to 18446744073709551615, or text of at most 256 characters",
                )
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<SeedInput, E> {
                Ok(SeedInput(Seed::new(number)))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<SeedInput, E> {
                Ok(SeedInput(Seed::from_text(&number.to_string())))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<SeedInput, E> {
                // Above 2^53 floats skip integers, so the intended one is ambiguous.
                if number.fract() != 0.0 || number.abs() > 9_007_199_254_740_992.0 {
                    return Err(E::invalid_value(de::Unexpected::Float(number), &self));
                }
                Ok(SeedInput(Seed::from_text(&(number as i64).to_string())))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<SeedInput, E> {
                text.parse().map(SeedInput).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Input)
    }
}

/// Converts a generation error. Fields of an invalid configuration get the prefix `config`.
pub fn generation_problem(error: GenerateError) -> Problem {
    let is_seed_error = error.generation().is_some();
    let problem = Problem::from(error);
    if is_seed_error { problem } else { problem.in_member("config") }
}

/// Returns a random seed from the operating system.
///
/// # Errors
/// [`ProblemKind::InternalError`] if the operating system provides no randomness.
#[cfg(not(target_family = "wasm"))]
pub fn random_seed() -> Result<Seed, Problem> {
    let failed =
        |error| Problem::new(ProblemKind::InternalError, format!("no system randomness: {error}"));
    getrandom::u64().map(Seed::new).map_err(failed)
}

/// Always fails: in WebAssembly, requests must contain a seed.
///
/// # Errors
/// [`ProblemKind::InvalidConfig`] names the missing seed.
#[cfg(target_family = "wasm")]
pub fn random_seed() -> Result<Seed, Problem> {
    Err(Problem::new(ProblemKind::InvalidConfig, "seed: missing; use a number or any text")
        .field("seed")
        .allowed("a number, or any text"))
}

/// Returns whether a family, or any if there is none, supports an option.
pub fn supports(family: Option<Family>, option: FamilyOption) -> bool {
    family.is_none_or(|family| option.is_supported_by(family))
}

/// Reads the rendering options from the query; without a family, those of all families.
///
/// # Errors
/// [`ProblemKind::InvalidParameter`] if a parameter is invalid.
pub fn read_render_options(
    query: &mut Query,
    family: Option<Family>,
    default_scale: u32,
    limits: &Limits,
) -> Result<RenderOptions, Problem> {
    let themes = Theme::ALL.map(|theme| (theme.name(), theme));
    let theme = query.choose("theme", &themes)?.unwrap_or_default();
    let scale = query.number("scale", 1, 1000)?.map_or(default_scale, |scale| scale as u32);
    let (mut routes, mut labels) = (Routes::None, false);
    if supports(family, FamilyOption::Witness) {
        let choices = Routes::ALL.map(|routes| (routes.name(), routes));
        routes = query.choose("witness", &choices)?.unwrap_or_default();
    }
    if supports(family, FamilyOption::Labels) {
        labels = query.flag("labels")?;
    }
    Ok(RenderOptions { theme, scale, routes, labels, max_pixels: limits.pixels })
}

/// Returns the family's name, capitalised.
pub fn title(family: Family) -> String {
    let (first, rest) = family.name().split_at(1);
    first.to_uppercase() + rest
}

/// Checks the cost of a document's configuration against the limits.
///
/// # Errors
/// If the family is unknown, or the configuration is invalid or exceeds the limits.
pub fn check_document_cost(document: &Document, limits: &Limits) -> Result<(), Problem> {
    Family::from_document(document)?;
    let in_config = |problem: Problem| problem.in_member("config");
    let config = AnyConfig::from_document(document)
        .map_err(|error| in_config(GenerateError::Decode(error).into()))?;
    check_cost(&config, limits).map_err(in_config)?;
    Ok(())
}
