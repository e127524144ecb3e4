//! Builds the OpenAPI 3.1 description from the registered routes.
//!
//! OpenAPI 3.1 uses JSON Schema 2020-12, so the library's schemas of maps and configurations are
//! used as they are; only their references are rewritten.

use crate::access::RequiredAccess;
use crate::output_format;
use crate::problem::{Problem, ProblemKind};
use axum::http::Method;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use wayforge_formats::Format;

/// OpenAPI operation: one method of one path.
pub(crate) struct Operation {
    tag: &'static str,
    id: String,
    summary: String,
    parameters: Vec<Value>,
    body: Option<Value>,
    responses: Map<String, Value>,
    problems: Vec<ProblemKind>,
    /// Whether the handler limits the time of its body itself.
    pub(crate) streams: bool,
}

/// OpenAPI description under construction: operations and component schemas.
#[derive(Default)]
pub(crate) struct OpenApiBuilder {
    paths: BTreeMap<String, Map<String, Value>>,
    schemas: Map<String, Value>,
}

/// Tags of operations with their descriptions.
const TAGS: [(&str, &str); 5] = [
    ("maps", "Generate maps from seed and configuration, without storage."),
    ("analysis", "Validate and analyse maps, and find paths."),
    ("channels", "Store and play maps per guild and channel."),
    ("discord", "Receive slash commands and button presses of the Discord bot."),
    ("server", "Health, metrics and documentation of the server."),
];

/// Problems of operations that generate maps.
pub(crate) const GENERATION_PROBLEMS: [ProblemKind; 4] = [
    ProblemKind::InvalidConfig,
    ProblemKind::LimitExceeded,
    ProblemKind::GenerationFailed,
    ProblemKind::Busy,
];

/// Returns a reference to a component schema.
pub(crate) fn schema_ref(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Returns the content object of a media type.
fn content(media: &str, schema: Option<&str>) -> (String, Value) {
    (media.to_owned(), schema.map_or(json!({}), |schema| json!({ "schema": schema_ref(schema) })))
}

impl Operation {
    pub(crate) fn new(
        tag: &'static str,
        id: impl Into<String>,
        summary: impl Into<String>,
    ) -> Operation {
        Operation {
            tag,
            id: id.into(),
            summary: summary.into(),
            parameters: Vec::new(),
            body: None,
            responses: Map::new(),
            problems: Vec::new(),
            streams: false,
        }
    }

    /// Adds an optional query parameter.
    pub(crate) fn query(self, name: &str, schema: &str, description: &str) -> Operation {
        self.parameter("query", name, false, schema, description)
    }

    /// Adds a request header.
    pub(crate) fn header(
        self,
        name: &str,
        required: bool,
        schema: &str,
        description: &str,
    ) -> Operation {
        self.parameter("header", name, required, schema, description)
    }

    /// Sets the value of the last parameter in the example request; the documentation omits
    /// parameters without one.
    pub(crate) fn example(mut self, value: impl Into<Value>) -> Operation {
        if let Some(parameter) = self.parameters.last_mut() {
            parameter["example"] = value.into();
        }
        self
    }

    /// Adds a path parameter.
    pub(crate) fn path(self, name: &str, schema: &str, description: &str) -> Operation {
        self.parameter("path", name, true, schema, description)
    }

    /// Adds an optional query parameter with JSON content.
    pub(crate) fn json_query(mut self, name: &str, schema: &str, description: &str) -> Operation {
        let content = Map::from_iter([content("application/json", Some(schema))]);
        self.parameters.push(json!({
            "name": name,
            "in": "query",
            "description": description,
            "required": false,
            "content": content,
        }));
        self
    }

    /// Sets the request body.
    pub(crate) fn body(mut self, media: &str, schema: &str, required: bool) -> Operation {
        let content = Map::from_iter([content(media, Some(schema))]);
        self.body = Some(json!({ "content": content, "required": required }));
        self.problem(&[
            ProblemKind::InvalidBody,
            ProblemKind::RequestTimeout,
            ProblemKind::ContentTooLarge,
            ProblemKind::UnsupportedMediaType,
        ])
    }

    /// Sets a JSON request body with an example.
    pub(crate) fn json_body(mut self, schema: &str, required: bool, example: Value) -> Operation {
        self = self.body("application/json", schema, required);
        if let Some(body) = &mut self.body {
            body["content"]["application/json"]["example"] = example;
        }
        self
    }

    /// Adds a JSON response with status 200.
    pub(crate) fn json_response(self, description: &str, schema: &str) -> Operation {
        self.response(200, description, "application/json", Some(schema))
    }

    /// Adds a response with one media type.
    pub(crate) fn response(
        self,
        status: u16,
        description: &str,
        media: &str,
        schema: Option<&str>,
    ) -> Operation {
        self.responses(status, description, &[(media, schema)], &[])
    }

    /// Adds a response without a body.
    pub(crate) fn empty_response(self, status: u16, description: &str) -> Operation {
        self.responses(status, description, &[], &[])
    }

    /// Adds a response with several media types and with headers.
    pub(crate) fn responses(
        mut self,
        status: u16,
        description: &str,
        media: &[(&str, Option<&str>)],
        headers: &[&'static str],
    ) -> Operation {
        let mut response = json!({ "description": description });
        if !media.is_empty() {
            response["content"] =
                media.iter().map(|(media, schema)| content(media, *schema)).collect();
        }
        if !headers.is_empty() {
            let text = |name: &&str| ((*name).to_owned(), json!({ "schema": schema_ref("Text") }));
            response["headers"] = headers.iter().map(text).collect();
        }
        self.responses.insert(status.to_string(), response);
        self
    }

    /// Adds a response with a map in several formats.
    pub(crate) fn map_response(self, status: u16, formats: &[Format], schema: &str) -> Operation {
        let media: Vec<_> = formats
            .iter()
            .map(|format| {
                (
                    output_format::media_type(*format),
                    (*format == Format::Document).then_some(schema),
                )
            })
            .collect();
        self.responses(status, "The map.", &media, &["ETag", "Cache-Control"])
    }

    /// Removes the time limit of the handler, which receives a body of any size.
    pub(crate) fn streams(mut self) -> Operation {
        self.streams = true;
        self
    }

    /// Adds problems of the operation to those that every route has.
    pub(crate) fn problem(mut self, kinds: &[ProblemKind]) -> Operation {
        self.problems.extend(kinds);
        self
    }

    fn parameter(
        mut self,
        location: &str,
        name: &str,
        required: bool,
        schema: &str,
        description: &str,
    ) -> Operation {
        self.parameters.push(json!({
            "name": name,
            "in": location,
            "description": description,
            "required": required,
            "schema": schema_ref(schema),
        }));
        self.problem(&[ProblemKind::InvalidParameter])
    }
}

impl OpenApiBuilder {
    /// Adds an operation with the problems of its required access.
    pub(crate) fn add_operation(
        &mut self,
        method: &Method,
        path: &str,
        access: RequiredAccess,
        operation: Operation,
    ) {
        let Operation {
            tag,
            id,
            summary,
            parameters,
            body,
            mut responses,
            problems: mut kinds,
            ..
        } = operation;
        kinds.extend([
            ProblemKind::InvalidParameter,
            ProblemKind::InternalError,
            ProblemKind::Timeout,
            ProblemKind::MisdirectedRequest,
        ]);
        if access != RequiredAccess::None {
            kinds.extend([
                ProblemKind::Unauthorized,
                ProblemKind::Forbidden,
                ProblemKind::TooManyRequests,
            ]);
        }
        // Kinds with the same status share a response.
        kinds.sort_by_key(|kind| kind.status());
        for group in kinds.chunk_by(|a, b| a.status() == b.status()) {
            let mut titles: Vec<&str> = Vec::new();
            for title in group.iter().map(|kind| kind.title()) {
                if !titles.contains(&title) {
                    titles.push(title);
                }
            }
            let content = Map::from_iter([content("application/problem+json", Some("Problem"))]);
            let response =
                json!({ "description": format!("{}.", titles.join("; or: ")), "content": content });
            responses.insert(group[0].status().to_string(), response);
        }
        let mut operation =
            json!({ "tags": [tag], "summary": summary, "operationId": id, "responses": responses });
        if !parameters.is_empty() {
            operation["parameters"] = parameters.into();
        }
        if let Some(body) = body {
            operation["requestBody"] = body;
        }
        if access != RequiredAccess::None {
            operation["security"] = json!([{ "token": [] }]);
        }
        let method = method.as_str().to_ascii_lowercase();
        self.paths.entry(path.to_owned()).or_default().insert(method, operation);
    }

    /// Adds the schema of a request as `name`, with the schemas it refers to.
    ///
    /// `config` is the component schema of its member `config`. `removed` lists members to remove;
    /// `play.fog` is the member `fog` of the member `play`.
    pub(crate) fn add_request<T: JsonSchema>(
        &mut self,
        name: &str,
        config: &str,
        removed: &[&str],
    ) -> &mut Value {
        let mut schema = schemars::schema_for!(T);
        schema.remove("title");
        self.add_root("", name, schema);
        let schema = &mut self.schemas[name];
        schema["properties"]["config"] = schema_ref(config);
        for path in removed {
            let (object, member) = path.rsplit_once('.').unwrap_or(("", path));
            let objects = object.split('.').filter(|name| !name.is_empty());
            let pointer: String = objects.map(|name| format!("/properties/{name}")).collect();
            let members = schema.pointer_mut(&(pointer + "/properties"));
            let removed = members.and_then(Value::as_object_mut).and_then(|all| all.remove(member));
            debug_assert!(removed.is_some(), "{name} has no member {path}");
        }
        schema
    }

    /// Adds the schema of a type, with the schemas it refers to.
    pub(crate) fn add_type<T: JsonSchema>(&mut self) {
        self.add_root("", &T::schema_name(), schemars::schema_for!(T));
    }

    /// Adds a literal schema.
    pub(crate) fn add_schema(&mut self, name: &str, schema: Value) {
        self.schemas.insert(name.to_owned(), schema);
    }

    /// Adds a root schema as `name`, and its definitions with a prefix.
    pub(crate) fn add_root(&mut self, prefix: &str, name: &str, schema: Schema) {
        let mut schema = schema.to_value();
        let definitions = schema.as_object_mut().and_then(|schema| {
            schema.remove("$schema");
            schema.remove("$defs")
        });
        if let Some(Value::Object(definitions)) = definitions {
            for (definition, mut schema) in definitions {
                rewrite_refs(&mut schema, prefix);
                self.schemas.insert(format!("{prefix}{definition}"), schema);
            }
        }
        rewrite_refs(&mut schema, prefix);
        self.schemas.insert(name.to_owned(), schema);
    }

    /// Returns the complete description.
    pub(crate) fn build(mut self) -> Value {
        self.add_type::<Problem>();
        self.add_schema("Text", json!({ "type": "string" }));
        let description = "Generates maps from a seed, validates and draws them, and stores them \
                           per guild and channel. The JSON of a map is its document, the ETag its \
                           digest.";
        let tags =
            TAGS.map(|(name, description)| json!({ "name": name, "description": description }));
        let problems = ProblemKind::ALL.iter().map(
            |kind| json!({ "name": kind.slug(), "status": kind.status(), "title": kind.title() }),
        );
        json!({
            // OpenAPI 3.1 uses JSON Schema 2020-12, like the schemas.
            "openapi": "3.1.0",
            "info": {
                "title": "Wayforge",
                "description": description,
                "license": { "name": "MIT OR Apache-2.0" },
                "version": env!("CARGO_PKG_VERSION"),
            },
            "paths": self.paths,
            "components": {
                "schemas": self.schemas,
                "securitySchemes": {
                    "token": {
                        "type": "http",
                        "scheme": "bearer",
                        "description": "A token created by `wayforge token create`.",
                    },
                },
            },
            "tags": tags,
            "x-problems": problems.collect::<Vec<_>>(),
        })
    }
}

/// Rewrites references to definitions (`$defs`) as references to components.
fn rewrite_refs(schema: &mut Value, prefix: &str) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), &mut *member) {
                    ("$ref", Value::String(reference)) => {
                        if let Some(name) = reference.strip_prefix("#/$defs/") {
                            *reference = format!("#/components/schemas/{prefix}{name}");
                        }
                    }
                    _ => rewrite_refs(member, prefix),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rewrite_refs(item, prefix)),
        _ => {}
    }
}
