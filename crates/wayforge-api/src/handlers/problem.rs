//! What a caller is told when something is refused: RFC 9457 problems, and the one place where errors become them.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use wayforge::{ConfigError, DecodeError, GenerateError, InputError};
use wayforge_draw::DrawError;

/// The kinds of problems: the end of their `type`, status and title. The documentation page lists them.
macro_rules! kinds {
    ($($(#[doc = $meaning:literal])+ $name:ident = $slug:literal, $status:literal, $title:literal;)+) => {
        /// The kind of a problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind { $($(#[doc = $meaning])+ $name,)+ }

        impl Kind {
            /// All kinds.
            pub const ALL: &[Kind] = &[$(Kind::$name,)+];

            /// The last part of its `type`, its status and its title.
            pub const fn parts(self) -> (&'static str, u16, &'static str) {
                match self { $(Kind::$name => ($slug, $status, $title),)+ }
            }
        }
    };
}

kinds! {
    /// The body is not JSON, or not of the shape that the route reads.
    Body = "body", 400, "The body cannot be read";
    /// A part of the path or a query parameter cannot be used.
    Parameter = "parameter", 400, "A parameter cannot be used";
    /// The server asks for a token and got none that is good.
    Unauthorized = "unauthorized", 401, "A token is needed";
    /// The request is not signed by Discord for this application, or not just now.
    Signature = "signature", 401, "The signature does not hold";
    /// The token does not open this.
    Forbidden = "forbidden", 403, "The token does not open this";
    /// There is no such route.
    NotFound = "not-found", 404, "There is nothing here";
    /// The channel has no map, or no such revision of one.
    NoMap = "no-map", 404, "The channel has no such map";
    /// The route does not know the method; `Allow` names those it knows.
    Method = "method", 405, "The method is not allowed here";
    /// None of the forms that `Accept` names is offered.
    NotAcceptable = "not-acceptable", 406, "No such form is offered";
    /// The body did not arrive in time.
    SlowBody = "slow-body", 408, "The request took too long to arrive";
    /// What was asked for cannot be done to the map as it stands.
    Conflict = "conflict", 409, "The map does not allow that as it stands";
    /// The map is not at the revision that the request names; `current` is how it stands.
    Stale = "stale", 412, "Somebody else was first";
    /// The body is larger than the server reads.
    TooLarge = "too-large", 413, "The body is too large";
    /// The body is not of a type that the route reads.
    MediaType = "media-type", 415, "The body is not of a type that is read here";
    /// A configuration, a document or a value that is read but cannot be used.
    Config = "config", 422, "The configuration cannot be used";
    /// More work than is done for one request.
    Limit = "limit", 422, "Beyond the limits of one request";
    /// The seed has no map under this configuration.
    NoSeedMap = "no-seed-map", 422, "The seed has no map under this configuration";
    /// The move is not legal; `legal` lists those that are.
    IllegalMove = "illegal-move", 422, "The move is not legal";
    /// A change must name the revision that it saw.
    Unconditional = "unconditional", 428, "The revision is missing";
    /// The client asks too often; `Retry-After` says when to come back.
    TooMany = "too-many", 429, "Too many requests";
    /// Something that should not happen.
    Internal = "internal", 500, "The server failed";
    /// What the database holds is not what was written to it.
    Damaged = "damaged", 500, "The kept map is damaged";
    /// A later version stored the map, and this one does not know its algorithm.
    NewerMap = "newer-map", 501, "The map needs a newer server";
    /// The server has more work than it can do now.
    Busy = "busy", 503, "The server is busy";
    /// The work took longer than the server gives a request.
    Timeout = "timeout", 503, "The request took too long";
    /// The database does not answer.
    Unavailable = "unavailable", 503, "The database does not answer";
}

/// A refusal: small, because nearly everything may return one.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Problem(Box<Told>);

impl JsonSchema for Problem {
    fn schema_name() -> Cow<'static, str> {
        "Problem".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Told::json_schema(generator)
    }
}

/// A refusal, as the body tells it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Told {
    /// The kind of problem, as a reference to its documentation.
    #[serde(rename = "type")]
    #[schemars(regex(pattern = "^/docs#problem-[a-z-]+$"))]
    reference: String,
    /// The kind in words.
    title: &'static str,
    /// The status of the response.
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// What was wrong this time, and what would work.
    detail: String,
    /// The path that was asked for.
    instance: String,
    /// The field, parameter or header that was wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// The value that was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// What would work.
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<String>,
    /// What some kinds add: `current`, `legal`, `violations`.
    #[serde(flatten)]
    more: Map<String, Value>,
    #[serde(skip)]
    #[schemars(skip)]
    headers: Vec<(&'static str, String)>,
}

impl Problem {
    /// A problem of a kind; `detail` says what was wrong this time.
    pub fn new(kind: Kind, detail: impl Into<String>) -> Problem {
        let (slug, status, title) = kind.parts();
        Problem(Box::new(Told {
            reference: format!("/docs#problem-{slug}"),
            title,
            status,
            detail: detail.into(),
            instance: String::new(),
            field: None,
            value: None,
            allowed: None,
            more: Map::new(),
            headers: Vec::new(),
        }))
    }

    /// The problem of a wrong argument.
    pub fn of_input(kind: Kind, error: InputError) -> Problem {
        Problem::new(kind, error.to_string()).field(error.field).value(error.value).allowed(error.remedy)
    }

    /// Names the field that was wrong.
    pub fn field(mut self, field: impl Into<String>) -> Problem {
        self.0.field = Some(field.into());
        self
    }

    /// Quotes the refused value.
    pub fn value(mut self, value: impl Into<String>) -> Problem {
        self.0.value = Some(value.into().chars().take(200).collect());
        self
    }

    /// Says what would work.
    pub fn allowed(mut self, allowed: impl Into<String>) -> Problem {
        self.0.allowed = Some(allowed.into());
        self
    }

    /// Adds a member of its own.
    pub fn with(mut self, member: &str, value: impl Serialize) -> Problem {
        // A value of ours that cannot be written is left out rather than hide the problem itself.
        if let Ok(value) = serde_json::to_value(value) {
            self.0.more.insert(member.to_owned(), value);
        }
        self
    }

    /// Adds a header to the response.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Problem {
        self.0.headers.push((name, value.into()));
        self
    }

    /// The same problem about a part that can be read and not be used: 400 is for what is no JSON of the right members at all.
    pub fn unusable(mut self) -> Problem {
        if self.0.status == 400 {
            let as_config = Problem::new(Kind::Config, "");
            (self.0.reference, self.0.title, self.0.status) =
                (as_config.0.reference, as_config.0.title, as_config.0.status);
        }
        self
    }

    /// The same problem about a member of a body. Line and column would count from where the member begins, and mislead; the
    /// field says where.
    pub fn inside(self, outer: &str) -> Problem {
        let mut problem = self.under(outer);
        if let Some((what, _)) = problem.0.detail.rsplit_once(" at line ") {
            problem.0.detail.truncate(what.len());
        }
        problem
    }

    /// The same problem with its field under `outer`, which is read by itself.
    pub fn under(self, outer: &str) -> Problem {
        let mut problem = self.unusable();
        problem.0.field = Some(match problem.0.field.as_deref() {
            None | Some("document") => outer.to_owned(),
            Some(field) if field.starts_with('[') => format!("{outer}{field}"),
            Some(field) => format!("{outer}.{field}"),
        });
        problem
    }

    /// The status of the response.
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// The headers of the response.
    pub fn headers(&self) -> &[(&'static str, String)] {
        &self.0.headers
    }

    /// The body of the response to a request for `path`.
    pub fn to_body(&self, path: &str) -> Vec<u8> {
        let mut told = self.clone();
        path.clone_into(&mut told.0.instance);
        serde_json::to_vec(&told).unwrap_or_default()
    }

    /// What was wrong this time.
    pub fn detail(&self) -> &str {
        &self.0.detail
    }
}

/// An empty response that carries the problem as an extension: the server writes the body where it knows the path.
#[cfg(feature = "axum")]
impl axum_core::response::IntoResponse for Problem {
    fn into_response(self) -> axum_core::response::Response {
        let mut response = axum_core::response::Response::default();
        if let Ok(status) = self.status().try_into() {
            *response.status_mut() = status;
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<ConfigError> for Problem {
    fn from(error: ConfigError) -> Problem {
        let problem = Problem::new(Kind::Config, error.to_string());
        problem.field(error.field).value(error.value).allowed(error.remedy)
    }
}

/// A wrong argument has the type and status of a wrong configuration.
impl From<InputError> for Problem {
    fn from(error: InputError) -> Problem {
        Problem::of_input(Kind::Config, error)
    }
}

impl From<DecodeError> for Problem {
    fn from(error: DecodeError) -> Problem {
        let detail = error.to_string();
        match error {
            DecodeError::Shape { path, .. } => Problem::new(Kind::Body, detail).field(path),
            DecodeError::Unknown { field, value, known } => {
                Problem::new(Kind::Config, detail).field(field).value(value).allowed(known)
            }
            DecodeError::Config(error) => Problem::from(error).inside("config"),
            DecodeError::Digest { stated, computed } => {
                Problem::new(Kind::Config, detail).field("digest").value(stated).allowed(computed)
            }
            _ => Problem::new(Kind::Config, detail),
        }
    }
}

impl From<GenerateError> for Problem {
    fn from(error: GenerateError) -> Problem {
        if let Some(failed) = error.generation() {
            let detail: String = error.to_string().chars().take(2_000).collect();
            let mut problem = Problem::new(Kind::NoSeedMap, detail).field("seed");
            if let Some(seed) = failed.seed() {
                problem = problem.value(seed.to_string());
            }
            problem.0.more.extend(error.details());
            return problem;
        }
        match error {
            // Here the configuration is the whole, not a member of a document.
            GenerateError::Decode(DecodeError::Config(error)) | GenerateError::Config(error) => error.into(),
            GenerateError::Decode(error) => error.into(),
            other => Problem::new(Kind::Internal, other.to_string()),
        }
    }
}

impl From<DrawError> for Problem {
    fn from(error: DrawError) -> Problem {
        let (kind, scale, allowed) = match error {
            DrawError::TooLarge { scale, largest: 0, .. } => (Kind::Limit, scale, "SVG".to_owned()),
            DrawError::TooLarge { scale, largest, .. } => (Kind::Limit, scale, format!("1 to {largest}")),
            DrawError::Scale { scale } => (Kind::Parameter, scale, "1 to 1000".to_owned()),
            _ => return Problem::new(Kind::Internal, error.to_string()),
        };
        Problem::new(kind, error.to_string()).field("scale").value(scale.to_string()).allowed(allowed)
    }
}
