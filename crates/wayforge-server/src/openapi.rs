//! The OpenAPI description, made from the routes themselves. Schemas of maps and configurations are those of the library
//! (the committed JSON Schemas): OpenAPI 3.1 speaks the same language, so that only their references are bent.

use crate::access::Need;
use crate::form::Form;
use crate::problem::{Kind, Problem};
use axum::http::Method;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Description of one operation.
pub(crate) struct Operation {
    tag: &'static str,
    id: String,
    summary: String,
    parameters: Vec<Value>,
    body: Option<Value>,
    responses: Map<String, Value>,
    problems: Vec<Kind>,
}

/// All operations, and the schemas that they name.
#[derive(Default)]
pub(crate) struct Outline {
    paths: BTreeMap<String, Map<String, Value>>,
    schemas: Map<String, Value>,
}

/// A reference to a component.
pub(crate) fn part(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Content of one media type.
fn content(media: &str, schema: Option<&str>) -> (String, Value) {
    (media.to_owned(), schema.map_or(json!({}), |schema| json!({ "schema": part(schema) })))
}

impl Operation {
    pub(crate) fn new(tag: &'static str, id: impl Into<String>, summary: impl Into<String>) -> Operation {
        Operation {
            tag,
            id: id.into(),
            summary: summary.into(),
            parameters: Vec::new(),
            body: None,
            responses: Map::new(),
            problems: Vec::new(),
        }
    }

    /// A query parameter whose schema is a component.
    pub(crate) fn query(self, name: &str, schema: &str, about: &str) -> Operation {
        self.parameter("query", name, false, schema, about)
    }

    /// A header of the request.
    pub(crate) fn header(self, name: &str, required: bool, schema: &str, about: &str) -> Operation {
        self.parameter("header", name, required, schema, about)
    }

    /// A parameter of the path.
    pub(crate) fn path(self, name: &str, schema: &str, about: &str) -> Operation {
        self.parameter("path", name, true, schema, about)
    }

    /// A query parameter that holds JSON.
    pub(crate) fn json_query(mut self, name: &str, schema: &str, about: &str) -> Operation {
        let content = Map::from_iter([content("application/json", Some(schema))]);
        let parameter = json!({ "name": name, "in": "query", "description": about, "required": false, "content": content });
        self.parameters.push(parameter);
        self
    }

    /// A body whose schema is a component.
    pub(crate) fn body(mut self, media: &str, schema: &str, required: bool) -> Operation {
        let content = Map::from_iter([content(media, Some(schema))]);
        self.body = Some(json!({ "content": content, "required": required }));
        self.problem(&[Kind::Body, Kind::SlowBody, Kind::TooLarge, Kind::MediaType])
    }

    /// A body of JSON.
    pub(crate) fn json_body(self, schema: &str, required: bool) -> Operation {
        self.body("application/json", schema, required)
    }

    /// A response of JSON.
    pub(crate) fn json(self, about: &str, schema: &str) -> Operation {
        self.answer(200, about, "application/json", Some(schema))
    }

    /// A response of one media type.
    pub(crate) fn answer(self, status: u16, about: &str, media: &str, schema: Option<&str>) -> Operation {
        self.answers(status, about, &[(media, schema)], &[])
    }

    /// A response without a body.
    pub(crate) fn empty(self, status: u16, about: &str) -> Operation {
        self.answers(status, about, &[], &[])
    }

    /// A response of several media types, with headers.
    pub(crate) fn answers(
        mut self,
        status: u16,
        about: &str,
        media: &[(&str, Option<&str>)],
        headers: &[&'static str],
    ) -> Operation {
        let mut response = json!({ "description": about });
        if !media.is_empty() {
            response["content"] = media.iter().map(|(media, schema)| content(media, *schema)).collect();
        }
        if !headers.is_empty() {
            let text = |name: &&str| ((*name).to_owned(), json!({ "schema": part("Text") }));
            response["headers"] = headers.iter().map(text).collect();
        }
        self.responses.insert(status.to_string(), response);
        self
    }

    /// A map in the forms that are offered.
    pub(crate) fn map_answer(self, status: u16, forms: &[Form], schema: &str) -> Operation {
        let media: Vec<_> =
            forms.iter().map(|form| (form.media_type(), (*form == Form::Json).then_some(schema))).collect();
        self.answers(status, "The map.", &media, &["ETag", "Cache-Control"])
    }

    /// Problems of the operation, beside those of every route.
    pub(crate) fn problem(mut self, kinds: &[Kind]) -> Operation {
        self.problems.extend(kinds);
        self
    }

    fn parameter(mut self, place: &str, name: &str, required: bool, schema: &str, about: &str) -> Operation {
        self.parameters.push(json!({
            "name": name, "in": place, "description": about, "required": required, "schema": part(schema),
        }));
        self.problem(&[Kind::Parameter])
    }
}

impl Outline {
    /// Adds an operation.
    pub(crate) fn add(&mut self, method: &Method, path: &str, need: Need, told: Operation) {
        let Operation { tag, id, summary, parameters, body, mut responses, problems: mut kinds } = told;
        kinds.extend([Kind::Parameter, Kind::Internal, Kind::Timeout]);
        if need != Need::Nothing {
            kinds.extend([Kind::Unauthorized, Kind::TooMany]);
        }
        if matches!(need, Need::Read | Need::Write) {
            kinds.push(Kind::Forbidden);
        }
        // Several kinds may share a status.
        kinds.sort_by_key(|kind| kind.parts().1);
        for same in kinds.chunk_by(|one, other| one.parts().1 == other.parts().1) {
            let mut titles: Vec<&str> = Vec::new();
            for title in same.iter().map(|kind| kind.parts().2) {
                if !titles.contains(&title) {
                    titles.push(title);
                }
            }
            let content = Map::from_iter([content("application/problem+json", Some("Problem"))]);
            let response =
                json!({ "description": format!("{}.", titles.join("; or: ")), "content": content });
            responses.insert(same[0].parts().1.to_string(), response);
        }
        let mut operation =
            json!({ "tags": [tag], "summary": summary, "operationId": id, "responses": responses });
        if !parameters.is_empty() {
            operation["parameters"] = parameters.into();
        }
        if let Some(body) = body {
            operation["requestBody"] = body;
        }
        if need != Need::Nothing {
            operation["security"] = json!([{ "token": [] }]);
        }
        let method = method.as_str().to_ascii_lowercase();
        self.paths.entry(path.to_owned()).or_default().insert(method, operation);
    }

    /// Adds the schema of a request under `name`, and those that it names. `config` is the component of its configuration;
    /// members at the JSON pointers `without` are left out.
    pub(crate) fn request<T: JsonSchema>(
        &mut self,
        name: &str,
        config: &str,
        without: &[(&str, &str)],
    ) -> &mut Value {
        let mut schema = schemars::schema_for!(T);
        schema.remove("title");
        self.root("", name, schema);
        let schema = &mut self.schemas[name];
        schema["properties"]["config"] = part(config);
        for (object, member) in without {
            if let Some(Value::Object(members)) = schema.pointer_mut(object) {
                members.remove(*member);
            }
        }
        schema
    }

    /// Adds the schema of a type of the service, and those that it names.
    pub(crate) fn schema<T: JsonSchema>(&mut self) {
        self.root("", &T::schema_name(), schemars::schema_for!(T));
    }

    /// Adds a schema written out.
    pub(crate) fn plain(&mut self, name: &str, schema: Value) {
        self.schemas.insert(name.to_owned(), schema);
    }

    /// Adds a whole schema under `name`, its definitions under `prefix`.
    pub(crate) fn root(&mut self, prefix: &str, name: &str, schema: Schema) {
        let mut schema = schema.to_value();
        let parts = schema.as_object_mut().and_then(|schema| {
            schema.remove("$schema");
            schema.remove("$defs")
        });
        if let Some(Value::Object(parts)) = parts {
            for (part, mut schema) in parts {
                bend(&mut schema, prefix);
                self.schemas.insert(format!("{prefix}{part}"), schema);
            }
        }
        bend(&mut schema, prefix);
        self.schemas.insert(name.to_owned(), schema);
    }

    /// The whole description.
    pub(crate) fn describe(mut self) -> Value {
        self.schema::<Problem>();
        self.plain("Text", json!({ "type": "string" }));
        let about = "Maps that games can trust, over HTTP: made from a seed, judged, drawn, and kept per guild and channel. \
            A map's JSON is its document; its digest is the ETag.";
        let problems = Kind::ALL.iter().map(|kind| {
            let (name, status, title) = kind.parts();
            json!({ "name": name, "status": status, "title": title })
        });
        json!({
            // The schemas are of JSON Schema 2020-12, as OpenAPI 3.1 has them.
            "openapi": "3.1.0",
            "info": {
                "title": "Wayforge",
                "description": about,
                "license": { "name": "MIT OR Apache-2.0" },
                "version": env!("CARGO_PKG_VERSION"),
            },
            "paths": self.paths,
            "components": {
                "schemas": self.schemas,
                "securitySchemes": {
                    "token": { "type": "http", "scheme": "bearer", "description": "A token of `wayforge token create`." }
                },
            },
            "tags": [
                { "name": "maps", "description": "Maps made from a seed and a configuration; nothing is kept." },
                { "name": "answers", "description": "What can be said about a map." },
                { "name": "channels", "description": "Maps kept per guild and channel." },
                { "name": "server", "description": "The server itself." },
            ],
            "x-problems": problems.collect::<Vec<_>>(),
        })
    }
}

/// Makes references to definitions into references to components.
fn bend(schema: &mut Value, prefix: &str) {
    match schema {
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), &mut *member) {
                    ("$ref", Value::String(to)) => {
                        if let Some(part) = to.strip_prefix("#/$defs/") {
                            *to = format!("#/components/schemas/{prefix}{part}");
                        }
                    }
                    _ => bend(member, prefix),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| bend(item, prefix)),
        _ => {}
    }
}
