//! Reading what is asked: strictly, and weighed before any work begins.

use crate::handlers::limits::{Limits, Load};
use crate::handlers::map::{Look, Witness, check_load, read_config};
use crate::handlers::problem::{Kind, Problem};
use crate::handlers::query::Query;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use wayforge::seed::MAX_TEXT;
use wayforge::{AnyConfig, Document, Family, GenerateError, Seed, Strict, describe_json_error};
use wayforge_draw::Theme;

/// Body of a request for a map: a seed and a configuration, both optional.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SeedAndConfig<'a> {
    /// The seed; a random one if left out.
    pub seed: Given<SeedInput>,
    /// The configuration; all defaults if left out.
    #[serde(borrow)]
    #[schemars(with = "ConfigInput")]
    pub config: Given<&'a RawValue>,
}

/// A configuration in JSON; the description of a service names its schema.
pub(crate) type ConfigInput = serde_json::Map<String, serde_json::Value>;

impl Given<SeedInput> {
    /// The seed of a request; a random one if none is given.
    pub fn seed(&self) -> Result<Seed, Problem> {
        self.0.as_ref().map_or_else(random_seed, |seed| Ok(seed.0.clone()))
    }
}

impl<'a> Given<&'a RawValue> {
    /// The configuration of a request in JSON.
    pub fn json(&self) -> &'a [u8] {
        self.0.map_or("{}", RawValue::get).as_bytes()
    }

    /// Reads the configuration of a request and checks its load.
    pub fn config(&self, family: Family, limits: &Limits) -> Result<(AnyConfig, Load), Problem> {
        let inside = |problem: Problem| problem.inside("config");
        let config = read_config(family, self.json()).map_err(inside)?;
        let load = check_load(&config, limits).map_err(inside)?;
        Ok((config, load))
    }
}

/// Parses a JSON object, strictly.
pub fn read_object<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Problem> {
    if json.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(Problem::new(Kind::Body, "the body is not a JSON object").field("body"));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let read = serde_path_to_error::deserialize(Strict(&mut deserializer)).map_err(|error| {
        let path = error.path().to_string();
        let message = describe_json_error(&error.into_inner());
        // At the top, a member that is unknown or missing is named only by the message.
        let field = match path.as_str() {
            // The path ends where the text does.
            path if path.contains('?') => "body".to_owned(),
            "." => message.split('`').nth(1).unwrap_or("body").to_owned(),
            path => path.to_owned(),
        };
        Problem::new(Kind::Body, format!("{field}: {message}")).field(field)
    })?;
    let ended = deserializer.end();
    ended.map_err(|error| Problem::new(Kind::Body, describe_json_error(&error)).field("body"))?;
    Ok(read)
}

/// An optional member of a request; one that is there is not null.
pub struct Given<T>(pub Option<T>);

impl<T> Default for Given<T> {
    fn default() -> Given<T> {
        Given(None)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Given<T>, D::Error> {
        T::deserialize(from).map(|value| Given(Some(value)))
    }
}

impl<T: JsonSchema> JsonSchema for Given<T> {
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

/// Seed of a request: an integer, or text of at most [`MAX_TEXT`] characters. A negative integer is the
/// text of its digits, as on the command line.
pub struct SeedInput(pub Seed);

impl JsonSchema for SeedInput {
    fn schema_name() -> Cow<'static, str> {
        "SeedInput".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "An integer, or any text of at most 256 characters, which the map keeps. Digits are the number; \
                other text is hashed, and so is a negative integer.",
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
                f.write_str("an integer up to 18446744073709551615, or text of at most 256 characters")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<SeedInput, E> {
                Ok(SeedInput(Seed::new(number)))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<SeedInput, E> {
                Ok(SeedInput(Seed::from_text(&number.to_string())))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<SeedInput, E> {
                let refuse = || E::invalid_value(de::Unexpected::Float(number), &self);
                let size = integer(number.abs()).ok_or_else(refuse)?;
                let text = if number < 0.0 { format!("-{size}") } else { size.to_string() };
                Ok(SeedInput(Seed::from_text(&text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<SeedInput, E> {
                text.parse().map(SeedInput).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Input)
    }
}

/// `7.0` is the integer 7 to JSON and to JSON Schema; beyond 2^53 floats skip integers, and nobody knows which one was meant.
fn integer(number: f64) -> Option<u64> {
    let exact = number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number);
    exact.then_some(number as u64)
}

/// A whole number, `7.0` included.
#[derive(JsonSchema)]
#[schemars(transparent)]
pub struct Whole<T>(pub T);

impl<'de, T: TryFrom<u64>> Deserialize<'de> for Whole<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Whole<T>, D::Error> {
        struct Input<T>(std::marker::PhantomData<T>);
        impl<T: TryFrom<u64>> de::Visitor<'_> for Input<T> {
            type Value = Whole<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let bits = std::mem::size_of::<T>() * 8;
                write!(f, "a whole number from 0 to {}", u64::MAX >> (64 - bits.min(64)))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Whole<T>, E> {
                let refuse = |_| E::invalid_value(de::Unexpected::Unsigned(number), &self);
                T::try_from(number).map(Whole).map_err(refuse)
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Whole<T>, E> {
                let refuse = || E::invalid_value(de::Unexpected::Float(number), &self);
                integer(number).and_then(|number| T::try_from(number).ok()).map(Whole).ok_or_else(refuse)
            }
        }
        deserializer.deserialize_any(Input(std::marker::PhantomData))
    }
}

/// Reads a whole number into a plain field.
pub fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(from: D) -> Result<T, D::Error> {
    Whole::deserialize(from).map(|whole| whole.0)
}

/// Why a map could not be made: by its configuration, or by its seed.
pub fn not_made(error: GenerateError) -> Problem {
    let by_seed = error.generation().is_some();
    let problem = Problem::from(error);
    if by_seed { problem } else { problem.inside("config") }
}

/// A seed from the system's randomness.
#[cfg(not(target_family = "wasm"))]
pub fn random_seed() -> Result<Seed, Problem> {
    let refuse = |error| Problem::new(Kind::Internal, format!("no random seed: {error}"));
    getrandom::u64().map(Seed::new).map_err(refuse)
}

/// There is no randomness here.
#[cfg(target_family = "wasm")]
pub fn random_seed() -> Result<Seed, Problem> {
    Err(Problem::new(Kind::Config, "seed: none is given; name one")
        .field("seed")
        .allowed("a number, or any text"))
}

/// The options of pictures.
pub fn read_look(
    query: &mut Query,
    family: Option<Family>,
    usual_scale: u32,
    limits: &Limits,
) -> Result<Look, Problem> {
    let themes = Theme::ALL.map(|theme| (theme.name(), theme));
    let theme = query.choose("theme", &themes)?.unwrap_or_default();
    let scale = query.number("scale", 1, 1000)?.map_or(usual_scale, |scale| scale as u32);
    let witness = match family {
        Some(Family::Level) | None => query.choose("witness", &Witness::ALL)?.unwrap_or_default(),
        Some(_) => Witness::None,
    };
    let labels = match family {
        Some(Family::Act) | None => query.choose("labels", &[("true", true), ("false", false)])?,
        Some(_) => None,
    };
    Ok(Look { theme, scale, witness, labels: labels.unwrap_or(false), pixels: limits.pixels })
}

/// The family's name with a capital.
pub fn title(family: Family) -> String {
    let (first, rest) = family.name().split_at(1);
    first.to_uppercase() + rest
}

/// Where a document says its map is too much for one answer.
pub fn weigh_document(document: &Document, limits: &Limits) -> Result<(), Problem> {
    Family::from_document(document)?;
    let inside = |problem: Problem| problem.inside("config");
    let config =
        AnyConfig::from_document(document).map_err(|error| inside(GenerateError::Decode(error).into()))?;
    check_load(&config, limits).map_err(inside)?;
    Ok(())
}
