//! RFC 9457 problem documents, and the conversion of library errors into them.

use crate::bindings::BindingError;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;
use wayforge::{
    ConfigError, DecodeError, GenerateError, InputError, SeedSearchError, Stopped, TextPosition,
};
use wayforge_draw::DrawError;

/// Declares the kinds of problems, each with the last part of its `type`, status and title.
macro_rules! kinds {
    ($(
        $(#[doc = $meaning:literal])+
        $name:ident = $slug:literal, $status:literal, $title:literal;
    )+) => {
        /// Kind of a problem: its `type`, status and title.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum ProblemKind { $($(#[doc = $meaning])+ $name,)+ }

        impl ProblemKind {
            /// All kinds.
            pub const ALL: &[ProblemKind] = &[$(ProblemKind::$name,)+];

            /// Returns the last part of the `type`.
            pub const fn slug(self) -> &'static str {
                match self { $(ProblemKind::$name => $slug,)+ }
            }

            /// Returns the HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(ProblemKind::$name => $status,)+ }
            }

            /// Returns the title.
            pub const fn title(self) -> &'static str {
                match self { $(ProblemKind::$name => $title,)+ }
            }
        }
    };
}

kinds! {
    /// The body is not valid JSON or does not match the schema of the route.
    InvalidBody = "invalid-body", 400, "Invalid request body";
    /// A path segment, a header or a query parameter is invalid.
    InvalidParameter = "invalid-parameter", 400, "Invalid parameter";
    /// The route requires a token, and the request has none or an invalid one.
    Unauthorized = "unauthorized", 401, "Authentication required";
    /// The request has no valid and recent signature by Discord for this application.
    InvalidSignature = "invalid-signature", 401, "Invalid signature";
    /// The token does not grant access to this resource.
    Forbidden = "forbidden", 403, "Access denied";
    /// The route does not exist.
    NotFound = "not-found", 404, "Route not found";
    /// The channel has no map, or its map has no such revision.
    MapNotFound = "map-not-found", 404, "Map not found";
    /// The route does not support the method; `Allow` lists the supported ones.
    MethodNotAllowed = "method-not-allowed", 405, "Method not allowed";
    /// The resource is not available in any media type that `Accept` lists.
    NotAcceptable = "not-acceptable", 406, "No acceptable media type";
    /// The body did not arrive in time.
    RequestTimeout = "request-timeout", 408, "Request body timed out";
    /// The current state of the map does not allow the change.
    Conflict = "conflict", 409, "Conflict with the state of the map";
    /// The map is not at the revision that the request names; `current` contains the stored map.
    PreconditionFailed = "precondition-failed", 412, "Precondition failed";
    /// The body is larger than the server accepts.
    ContentTooLarge = "content-too-large", 413, "Request body too large";
    /// The media type of the body is not supported.
    UnsupportedMediaType = "unsupported-media-type", 415, "Unsupported media type";
    /// `Host` is not a name of this server.
    MisdirectedRequest = "misdirected-request", 421, "Not a name of this server";
    /// A configuration, a document or a value is well-formed but invalid.
    InvalidConfig = "invalid-config", 422, "Invalid configuration";
    /// The request exceeds a limit of the server.
    LimitExceeded = "limit-exceeded", 422, "Limit exceeded";
    /// The seed has no map under this configuration.
    GenerationFailed = "generation-failed", 422, "No map for this seed";
    /// The move is not legal; `legal` lists the legal moves.
    IllegalMove = "illegal-move", 422, "Illegal move";
    /// A change must name the revision that it is based on.
    PreconditionRequired = "precondition-required", 428, "If-Match header required";
    /// The client exceeded its rate limit; `Retry-After` says how long to wait.
    TooManyRequests = "too-many-requests", 429, "Too many requests";
    /// An unexpected error on the server.
    InternalError = "internal-error", 500, "Internal server error";
    /// The stored map does not match its checksum or digest.
    CorruptMap = "corrupt-map", 500, "Stored map is corrupt";
    /// A newer version stored the map; this version does not know its algorithm.
    UnknownAlgorithm = "unknown-algorithm", 501, "Map requires a newer server";
    /// The server has too many waiting requests.
    Busy = "busy", 503, "Server busy";
    /// The request took longer than the server allows.
    Timeout = "timeout", 503, "Request timed out";
    /// The database does not respond.
    Unavailable = "unavailable", 503, "Database unavailable";
    /// The disk of the server is full.
    InsufficientStorage = "insufficient-storage", 507, "Insufficient storage";
}

/// RFC 9457 problem document. Boxed, because most functions return it in a `Result`.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Problem(Box<Content>);

impl JsonSchema for Problem {
    fn schema_name() -> Cow<'static, str> {
        "Problem".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Content::json_schema(generator)
    }
}

/// Members of a problem document.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Content {
    /// Kind of the problem, as a link to its documentation.
    #[serde(rename = "type")]
    #[schemars(regex(pattern = "^/docs#problem-[a-z-]+$"))]
    reference: String,
    /// Kind of the problem in words.
    title: &'static str,
    /// HTTP status.
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// Explanation of this occurrence, with a remedy where there is one.
    detail: String,
    /// Path of the request.
    instance: String,
    /// The invalid field, parameter or header.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// The rejected value.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Allowed values.
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<String>,
    /// Extension members of some kinds: `current`, `legal`, `violations`.
    #[serde(flatten)]
    extensions: Map<String, Value>,
    /// Where a parser found the problem; part of the detail of the body.
    #[serde(skip)]
    #[schemars(skip)]
    position: Option<TextPosition>,
    #[serde(skip)]
    #[schemars(skip)]
    headers: Vec<(&'static str, String)>,
}

impl Problem {
    /// Creates a problem; `detail` explains this occurrence.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Problem {
        Problem(Box::new(Content {
            reference: format!("/docs#problem-{}", kind.slug()),
            title: kind.title(),
            status: kind.status(),
            detail: detail.into(),
            instance: String::new(),
            field: None,
            value: None,
            allowed: None,
            extensions: Map::new(),
            position: None,
            headers: Vec::new(),
        }))
    }

    /// Creates a problem with field, value and remedy of a library error.
    pub fn from_error(kind: ProblemKind, error: impl Into<BindingError>) -> Problem {
        let BindingError { message, field, value, remedy, .. } = error.into();
        let mut problem = Problem::new(kind, message);
        (problem.0.field, problem.0.allowed) = (field, remedy);
        match value {
            Some(value) => problem.value(value),
            None => problem,
        }
    }

    /// Replaces the explanation of this occurrence.
    pub fn with_detail(mut self, detail: impl Into<String>) -> Problem {
        self.0.detail = detail.into();
        self.0.position = None;
        self
    }

    /// Sets the invalid field.
    pub fn field(mut self, field: impl Into<String>) -> Problem {
        self.0.field = Some(field.into());
        self
    }

    /// Sets line and column, which [`to_body`](Self::to_body) appends to the detail.
    pub(crate) fn position(mut self, position: Option<TextPosition>) -> Problem {
        self.0.position = position;
        self
    }

    /// Sets the rejected value, truncated to 200 characters.
    pub fn value(mut self, value: impl Into<String>) -> Problem {
        self.0.value = Some(value.into().chars().take(200).collect());
        self
    }

    /// Sets the allowed values.
    pub fn allowed(mut self, allowed: impl Into<String>) -> Problem {
        self.0.allowed = Some(allowed.into());
        self
    }

    /// Adds an extension member.
    pub fn extension(mut self, member: &str, value: impl Serialize) -> Problem {
        // A value that cannot be serialised is dropped, so it does not hide the problem itself.
        if let Ok(value) = serde_json::to_value(value) {
            self.0.extensions.insert(member.to_owned(), value);
        }
        self
    }

    /// Adds a header to the response.
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Problem {
        self.0.headers.push((name, value.into()));
        self
    }

    /// Converts a problem with status 400 to [`ProblemKind::InvalidConfig`], which has status 422.
    ///
    /// Status 400 is for a body that cannot be parsed, 422 for an invalid part of a parsed body.
    pub fn into_invalid_config(mut self) -> Problem {
        if self.0.status == 400 {
            let config = Problem::new(ProblemKind::InvalidConfig, "");
            (self.0.reference, self.0.title, self.0.status) =
                (config.0.reference, config.0.title, config.0.status);
        }
        self
    }

    /// Prefixes the field with `member`, a member of the body, and removes line and column.
    ///
    /// Line and column count from the start of the member, so they are wrong for the whole body.
    pub fn in_member(self, member: &str) -> Problem {
        let mut problem = self.in_parameter(member);
        problem.0.position = None;
        problem
    }

    /// Prefixes the field with `parameter`, a query parameter, and keeps line and column.
    pub fn in_parameter(self, parameter: &str) -> Problem {
        let mut problem = self.into_invalid_config();
        problem.0.field = Some(match problem.0.field.as_deref() {
            None | Some("document") => parameter.to_owned(),
            Some(field) if field.starts_with('[') => format!("{parameter}{field}"),
            Some(field) => format!("{parameter}.{field}"),
        });
        problem
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// Returns the additional headers of the response.
    pub fn headers(&self) -> &[(&'static str, String)] {
        &self.0.headers
    }

    /// Serialises the problem as the body of a response to a request for `path`.
    pub fn to_body(&self, path: &str) -> Vec<u8> {
        let mut problem = self.clone();
        path.clone_into(&mut problem.0.instance);
        if let Some(position) = problem.0.position {
            problem.0.detail += &format!(" at {position}");
        }
        serde_json::to_vec(&problem).unwrap_or_default()
    }

    /// Returns the explanation of this occurrence.
    pub fn detail(&self) -> &str {
        &self.0.detail
    }
}

/// Creates an empty response with the problem as an extension. The outermost middleware, which
/// knows the path, writes the body.
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

/// Maps errors of configurations and arguments to [`ProblemKind::InvalidConfig`].
macro_rules! invalid_config {
    ($($Error:ty),+) => {
        $(impl From<$Error> for Problem {
            fn from(error: $Error) -> Problem {
                Problem::from_error(ProblemKind::InvalidConfig, error)
            }
        })+
    };
}

invalid_config!(ConfigError, InputError, BindingError);

impl From<SeedSearchError> for Problem {
    fn from(error: SeedSearchError) -> Problem {
        match error {
            SeedSearchError::Stopped { stopped } => {
                Problem::from(stopped).field("pins").allowed(SeedSearchError::REMEDY)
            }
            error => Problem::from_error(ProblemKind::InvalidConfig, error),
        }
    }
}

impl From<DecodeError> for Problem {
    fn from(error: DecodeError) -> Problem {
        let (kind, position) = match error {
            DecodeError::Malformed { position, .. } => (ProblemKind::InvalidBody, position),
            _ => (ProblemKind::InvalidConfig, None),
        };
        Problem::from_error(kind, error.without_position()).position(position)
    }
}

impl From<GenerateError> for Problem {
    fn from(error: GenerateError) -> Problem {
        match error {
            error if let Some(stopped) = error.stopped() => {
                Problem::from(stopped).with_detail(error.to_string())
            }
            error if error.generation().is_some() => {
                let details = error.details();
                let mut problem = Problem::from_error(ProblemKind::GenerationFailed, error);
                problem.0.detail = problem.0.detail.chars().take(2_000).collect();
                problem.0.extensions.extend(details);
                problem.field("seed")
            }
            GenerateError::Config(error) => error.into(),
            GenerateError::Decode(error) => error.into(),
            other => Problem::new(ProblemKind::InternalError, other.to_string()),
        }
    }
}

impl From<Stopped> for Problem {
    fn from(stopped: Stopped) -> Problem {
        match stopped {
            Stopped::LimitReached { limit } => {
                let remedy = "a smaller map, fewer attempts or simpler rules";
                Problem::new(ProblemKind::LimitExceeded, stopped.to_string())
                    .field("config")
                    .value(format!("more than {limit} steps of work"))
                    .allowed(remedy)
            }
            _ => Problem::new(ProblemKind::Timeout, stopped.to_string()),
        }
    }
}

impl From<DrawError> for Problem {
    fn from(error: DrawError) -> Problem {
        let kind = match error {
            DrawError::TooLarge { .. } => ProblemKind::LimitExceeded,
            DrawError::ScaleOutOfRange { .. } => ProblemKind::InvalidParameter,
            DrawError::Stopped(stopped) => {
                return Problem::from(stopped).field("scale").allowed("a smaller scale");
            }
            _ => ProblemKind::InternalError,
        };
        Problem::from_error(kind, error)
    }
}
