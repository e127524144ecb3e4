//! Reading what is asked: strictly, and weighed before any work begins.

use crate::handlers::limits::Limits;
use crate::handlers::map::{Look, Witness, check_load};
use crate::handlers::problem::{Kind, Problem};
use crate::handlers::query::Query;
use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;
use std::fmt;
use wayforge::{AnyConfig, Document, Family, GenerateError, Seed, Strict, describe_json_error};
use wayforge_draw::Theme;
use wayforge_formats::What;

/// What a request asks for: the seed, and the configuration in JSON.
pub struct Ask<'a> {
    /// The seed; none draws one.
    pub seed: Option<Seed>,
    /// The configuration.
    pub config: &'a str,
}

impl Ask<'_> {
    /// Reads a body.
    pub fn read(json: &[u8]) -> Result<Ask<'_>, Problem> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Wire<'a> {
            #[serde(default, deserialize_with = "given")]
            seed: Option<SeedInput>,
            #[serde(default, borrow, deserialize_with = "given")]
            config: Option<&'a RawValue>,
        }
        let Wire { seed, config } = read_object(json)?;
        Ok(Ask { seed: seed.map(|seed| seed.0), config: config.map_or("{}", RawValue::get) })
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

/// A member that is there is not null.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Seed of a request: an integer, or text of at most [`MAX_TEXT`](wayforge::seed::MAX_TEXT) characters. A negative integer is the
/// text of its digits, as on the command line.
pub struct SeedInput(pub Seed);

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
                integer(number).map(|number| SeedInput(Seed::new(number))).ok_or_else(refuse)
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
        Some(Family::Level) | None => {
            let known = [
                ("none", Witness::None),
                ("all", Witness::All),
                ("car", Witness::Car),
                ("person", Witness::Person),
            ];
            query.choose("witness", &known)?.unwrap_or_default()
        }
        Some(_) => Witness::None,
    };
    let labels = match family {
        Some(Family::Act) | None => query.choose("labels", &[("true", true), ("false", false)])?,
        Some(_) => None,
    };
    Ok(Look { theme, scale, witness, labels: labels.unwrap_or(false), pixels: limits.pixels })
}

/// What the files of a family's maps hold.
pub fn what(family: Family) -> What {
    What::Map(family)
}

/// The family's name with a capital.
pub fn title(family: Family) -> &'static str {
    match family {
        Family::Act => "Act",
        Family::Level => "Level",
        Family::Floor => "Floor",
        Family::Tower => "Tower",
    }
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
