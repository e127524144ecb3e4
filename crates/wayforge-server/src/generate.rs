//! `/v1/act`, `/v1/level`, `/v1/floor`, `/v1/tower`: maps from a seed and a configuration. Nothing is kept, and what a seed was
//! given for never changes.

use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::condition;
use crate::export;
use crate::form::Form;
use crate::limits::Limits;
use crate::map::{AnyConfig, Look, Witness};
use crate::openapi::{Operation, Outline};
use crate::problem::{Kind, Problem};
use crate::query::Query;
use crate::work::Brush;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use serde::{Deserialize, Deserializer, de};
use serde_json::json;
use serde_json::value::RawValue;
use std::fmt;
use std::sync::atomic::Ordering;
use wayforge::floor::TowerError;
use wayforge::{Digest, Family, ForgeError, Seed, Strict, act, document, floor, level};
use wayforge_draw::Theme;
use wayforge_formats::What;

/// What nobody has to ask for again.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    describe_schemas(api.outline());
    for family in Family::ALL {
        let name = family.name();
        for form in [None].into_iter().chain(Form::of(what(family)).into_iter().map(Some)) {
            let suffix = form.map(|form| format!(".{}", form.suffix())).unwrap_or_default();
            let path = format!("/v1/{name}{suffix}");
            for method in [Method::GET, Method::POST] {
                let told = describe(family, form, &method);
                api.on(method, &path, Need::Token, told, move |call| make(call, family, form));
            }
        }
    }
}

/// What a request asks for: the seed, and the configuration in JSON.
pub(crate) struct Ask<'a> {
    pub(crate) seed: Option<Seed>,
    pub(crate) config: &'a str,
}

impl Ask<'_> {
    /// Reads a body.
    pub(crate) fn read(json: &[u8]) -> Result<Ask<'_>, Problem> {
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
pub(crate) fn read_object<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, Problem> {
    if json.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(Problem::new(Kind::Body, "the body is not a JSON object").field("body"));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let read = serde_path_to_error::deserialize(Strict(&mut deserializer)).map_err(|error| {
        let path = error.path().to_string();
        let message = error.into_inner().to_string();
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
    ended.map_err(|error| Problem::new(Kind::Body, error.to_string()).field("body"))?;
    Ok(read)
}

/// A member that is there is not null.
pub(crate) fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// A seed as people write it: a number, or any text.
pub(crate) struct SeedInput(pub(crate) Seed);

impl<'de> Deserialize<'de> for SeedInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeedInput, D::Error> {
        struct Input;
        impl de::Visitor<'_> for Input {
            type Value = SeedInput;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number from 0 to 18446744073709551615, or text")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<SeedInput, E> {
                Ok(SeedInput(Seed(number)))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<SeedInput, E> {
                let refuse = || E::invalid_value(de::Unexpected::Float(number), &self);
                integer(number).map(|number| SeedInput(Seed(number))).ok_or_else(refuse)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<SeedInput, E> {
                Ok(SeedInput(Seed::from_text(text)))
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
pub(crate) struct Whole<T>(pub(crate) T);

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
pub(crate) fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(from: D) -> Result<T, D::Error> {
    Whole::deserialize(from).map(|whole| whole.0)
}

/// Why a map could not be made: by its configuration, or by its seed.
pub(crate) fn not_made(error: ForgeError) -> Problem {
    let by_seed = match error {
        ForgeError::Decode(_) | ForgeError::Config(_) | ForgeError::Tower(TowerError::Config(_)) => false,
        ForgeError::Act(_) | ForgeError::Level(_) | ForgeError::Floor(_) | ForgeError::Tower(_) => true,
    };
    let problem = Problem::from(error);
    if by_seed { problem } else { problem.inside("config") }
}

/// A seed from the system's randomness.
pub(crate) fn random_seed() -> Result<Seed, Problem> {
    let refuse = |error| Problem::new(Kind::Internal, format!("no random seed: {error}"));
    getrandom::u64().map(Seed).map_err(refuse)
}

/// The options of pictures.
pub(crate) fn read_look(
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
    Ok(Look { theme, scale, witness, pixels: limits.pixels })
}

/// The strong tag of a map in a form. A document is its digest for ever; pictures may become prettier with a version.
pub(crate) fn tag(digest: Digest, form: Form, look: Look) -> String {
    let Look { theme, scale, witness, .. } = look;
    let version = env!("CARGO_PKG_VERSION");
    match form {
        Form::Json => format!("\"{digest}\""),
        Form::Svg => format!("\"{digest};svg;{};{witness:?};{version}\"", theme.name()),
        Form::Png | Form::Film => {
            format!("\"{digest};{};{};{witness:?};{scale};{version}\"", form.suffix(), theme.name())
        }
        _ if form.is_archive() => format!("\"{digest};{};{};{version}\"", form.suffix(), theme.name()),
        _ => format!("\"{digest};{};{version}\"", form.suffix()),
    }
}

/// A response with a body of a form.
pub(crate) fn respond(form: Form, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(form.content_type()));
    if form == Form::Svg {
        // A picture from here is no page: it runs and loads nothing.
        let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Sets a header whose value is ours.
pub(crate) fn set(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

/// What became of the work.
struct Made {
    tag: String,
    /// None if the caller has it already.
    body: Option<Vec<u8>>,
}

async fn make(mut call: Call, family: Family, suffix: Option<Form>) -> Answer {
    let form = match suffix {
        Some(form) => form,
        None => Form::negotiate(call.header(&header::ACCEPT)?, &Form::of(what(family)))?,
    };
    let mut query = call.query();
    let usual_scale = if form == Form::Film { export::film_scale(family) } else { 100 };
    let look = read_look(&mut query, Some(family), usual_scale, &call.service.limits)?;
    let (seed, config) = match call.is_get() {
        true => {
            let seed = query.take("seed")?.map(|text| Seed::from_text(&text));
            let config = query.take("config")?;
            query.finish()?;
            let read = AnyConfig::read(family, config.as_deref().unwrap_or("{}").as_bytes());
            (seed, read.map_err(|problem| problem.under("config"))?)
        }
        false => {
            query.finish()?;
            let body = call.json().await?;
            let ask = Ask::read(&body)?;
            let read = AnyConfig::read(family, ask.config.as_bytes());
            (ask.seed, read.map_err(|problem| problem.inside("config"))?)
        }
    };
    let load = config.weigh(&call.service.limits).map_err(|problem| problem.inside("config"))?;
    let (seed, given) = match seed {
        Some(seed) => (seed, true),
        None => (random_seed()?, false),
    };
    let seen = call.header(&header::IF_NONE_MATCH)?.map(str::to_owned);
    let work = move |brush: &mut Brush| {
        let map = config.make(seed).map_err(not_made)?;
        let document = map.to_document();
        let tag = tag(document.digest, form, look);
        let known = seen.is_some_and(|seen| condition::names(&seen, &tag));
        let body = match form {
            _ if known => None,
            Form::Json => Some(document.to_text().into_bytes()),
            Form::Svg | Form::Png | Form::Text => Some(map.draw(form, look, brush)?),
            Form::Film => Some(export::film(map, look)?),
            _ => {
                let stem = format!("{}-{seed}", family.name());
                Some(export::write(map.into_content(), form, &stem, look.theme)?)
            }
        };
        Ok(Made { tag, body })
    };
    // An act map in JSON takes less time than handing it to another thread.
    let made = match load.quick && form == Form::Json {
        true => work(&mut Brush::default())?,
        false => call.service.workers.draw(work).await?,
    };
    call.service.metrics.made.fetch_add(1, Ordering::Relaxed);
    let mut response = match made.body {
        Some(body) => respond(form, body),
        None if call.is_get() => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        }
        None => {
            let detail = "If-None-Match names this very map: you have it already";
            return Err(Problem::new(Kind::Stale, detail).field("If-None-Match").value(made.tag));
        }
    };
    set(&mut response, header::ETAG, &made.tag);
    set(&mut response, header::CACHE_CONTROL, if given { FOR_EVER } else { "no-store" });
    set(&mut response, HeaderName::from_static("wayforge-seed"), &seed.to_string());
    if suffix.is_none() {
        set(&mut response, header::VARY, "Accept");
    }
    Ok(response)
}

fn describe(family: Family, form: Option<Form>, method: &Method) -> Operation {
    let (name, get) = (family.name(), method == Method::GET);
    let title = title(family);
    let id =
        format!("{}{title}{}", if get { "get" } else { "make" }, form.map(Form::title).unwrap_or_default());
    let summary = match form {
        None => format!("The {name} of a seed and a configuration, in the form that Accept asks for"),
        Some(Form::Json) => format!("The {name} of a seed and a configuration as its document"),
        Some(Form::Film) => {
            format!("The {name} of a seed and a configuration in the making, as animated PNG")
        }
        Some(form) if form.is_archive() => {
            let file = form.file(name);
            format!(
                "The {name} of a seed and a configuration as an archive: {file} with what belongs beside it"
            )
        }
        Some(form) => format!("The {name} of a seed and a configuration as {}", form.title()),
    };
    let mut told =
        Operation::new("maps", id, summary).query("theme", "Theme", "The look of pictures.").query(
            "scale",
            "Scale",
            "The size of PNG pictures in percent; 100 if left out, and 40 for films (30 of levels).",
        );
    if family == Family::Level {
        told = told.query(
            "witness",
            "Witness",
            "Which of the routes that prove the level are shown in pictures.",
        );
    }
    told = match get {
        true => told
            .query("seed", "Text", "The seed, a number or any text; drawn at random if left out.")
            .json_query("config", &format!("{name}.{title}Config"), "The configuration as JSON."),
        false => told.body("application/json", &format!("{title}Request"), false),
    };
    if get {
        told = told.empty(304, "The caller has it already (`If-None-Match`).").problem(&[Kind::Body]);
    } else {
        told = told.problem(&[Kind::Stale]);
    }
    let forms = match form {
        Some(form) => vec![form],
        None => {
            told = told.problem(&[Kind::NotAcceptable]);
            Form::of(what(family)).into_iter().filter(|form| !form.is_archive()).collect()
        }
    };
    told.map_answer(200, &forms, &format!("{title}Document")).problem(&[
        Kind::Config,
        Kind::Limit,
        Kind::NoSeedMap,
        Kind::Busy,
    ])
}

/// What the files of a family's maps hold.
pub(crate) fn what(family: Family) -> What {
    match family {
        Family::Act => What::Act,
        Family::Level => What::Level,
        Family::Floor => What::Floor,
        Family::Tower => What::Tower,
    }
}

/// The family's name with a capital.
pub(crate) fn title(family: Family) -> &'static str {
    match family {
        Family::Act => "Act",
        Family::Level => "Level",
        Family::Floor => "Floor",
        Family::Tower => "Tower",
    }
}

fn describe_schemas(outline: &mut Outline) {
    let documents = [
        (Family::Act, act::document_schema()),
        (Family::Level, level::document_schema()),
        (Family::Floor, floor::document_schema()),
        (Family::Tower, floor::tower_schema()),
    ];
    for (family, schema) in documents {
        let (name, title) = (family.name(), title(family));
        outline.root(&format!("{name}."), &format!("{title}Document"), schema);
        let config = format!("#/components/schemas/{name}.{title}Config");
        outline.plain(
            &format!("{title}Request"),
            json!({
                "type": "object",
                "properties": { "seed": { "$ref": "#/components/schemas/SeedInput" }, "config": { "$ref": config } },
                "additionalProperties": false,
            }),
        );
    }
    outline.plain(
        "SeedInput",
        json!({
            "description": "A number, or any text. Digits are the number; other text is hashed.",
            "anyOf": [{ "type": "integer", "minimum": 0, "maximum": u64::MAX }, { "type": "string" }],
        }),
    );
    outline.plain("Theme", json!({ "type": "string", "enum": Theme::ALL.map(Theme::name) }));
    outline.plain("Scale", json!({ "type": "integer", "minimum": 1, "maximum": 1000 }));
    outline.plain("Witness", json!({ "type": "string", "enum": ["none", "all", "car", "person"] }));
}

/// Where a document says its map is too much for this server.
pub(crate) fn weigh_document(document: &document::Document, limits: &Limits) -> Result<(), Problem> {
    let Some(family) = Family::of(&document.algorithm) else {
        let known = "act.*, level.*, floor.*";
        let detail = format!("algorithm: \"{}\" is unknown; known: {known}", document.algorithm);
        return Err(Problem::new(Kind::Config, detail).field("algorithm").allowed(known));
    };
    let inside = |problem: Problem| problem.inside("config");
    let config = AnyConfig::read(family, document.config.as_bytes()).map_err(inside)?;
    config.weigh(limits).map_err(inside)?;
    Ok(())
}
