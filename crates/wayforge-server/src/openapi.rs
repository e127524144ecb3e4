//! The OpenAPI description, made from the routes themselves. Schemas of maps and configurations are those of the library
//! (the committed JSON Schemas): OpenAPI 3.1 speaks the same language, so that only their references are bent.

use crate::access::Need;
use crate::form::Form;
use crate::problem::{Kind, Problem};
use axum::http::Method;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{
    ContentBuilder, HeaderBuilder, InfoBuilder, LicenseBuilder, OpenApiBuilder, Paths, Ref, Required,
};

/// Media types with the names of their schemas.
type Media = Vec<(String, Option<String>)>;

/// How one operation is told.
pub(crate) struct Operation {
    tag: &'static str,
    id: String,
    summary: String,
    parameters: Vec<Parameter>,
    body: Option<RequestBody>,
    answers: Vec<(u16, String, Media, Vec<&'static str>)>,
    problems: Vec<Kind>,
}

/// All operations, and the schemas that they name.
#[derive(Default)]
pub(crate) struct Outline {
    paths: Paths,
    schemas: Map<String, Value>,
}

impl Operation {
    pub(crate) fn new(tag: &'static str, id: impl Into<String>, summary: impl Into<String>) -> Operation {
        Operation {
            tag,
            id: id.into(),
            summary: summary.into(),
            parameters: Vec::new(),
            body: None,
            answers: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// A query parameter whose schema is a component.
    pub(crate) fn query(self, name: &str, schema: &str, about: &str) -> Operation {
        self.parameter(ParameterIn::Query, name, Required::False, schema, about)
    }

    /// A header that the request may carry.
    pub(crate) fn header(self, name: &str, schema: &str, about: &str) -> Operation {
        self.parameter(ParameterIn::Header, name, Required::False, schema, about)
    }

    /// A header that the request must carry.
    pub(crate) fn required_header(self, name: &str, schema: &str, about: &str) -> Operation {
        self.parameter(ParameterIn::Header, name, Required::True, schema, about)
    }

    /// A part of the path.
    pub(crate) fn path(self, name: &str, schema: &str, about: &str) -> Operation {
        self.parameter(ParameterIn::Path, name, Required::True, schema, about)
    }

    /// A query parameter that holds JSON.
    pub(crate) fn json_query(mut self, name: &str, schema: &str, about: &str) -> Operation {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).build();
        let parameter = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(about))
            .content("application/json", content);
        self.parameters.push(parameter.build());
        self
    }

    /// A body whose schema is a component.
    pub(crate) fn body(mut self, media: &str, schema: &str, required: bool) -> Operation {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).build();
        let required = if required { Required::True } else { Required::False };
        let body = RequestBodyBuilder::new().content(media, content).required(Some(required));
        self.body = Some(body.build());
        self.problem(&[Kind::Body, Kind::SlowBody, Kind::TooLarge, Kind::MediaType])
    }

    /// An answer of one media type.
    pub(crate) fn answer(self, status: u16, about: &str, media: &str, schema: Option<&str>) -> Operation {
        self.answers(status, about, &[(media, schema)], &[])
    }

    /// An answer without a body.
    pub(crate) fn empty(self, status: u16, about: &str) -> Operation {
        self.answers(status, about, &[], &[])
    }

    /// An answer of several media types, with headers.
    pub(crate) fn answers(
        mut self,
        status: u16,
        about: &str,
        media: &[(&str, Option<&str>)],
        headers: &[&'static str],
    ) -> Operation {
        let media =
            media.iter().map(|(media, schema)| ((*media).to_owned(), schema.map(str::to_owned))).collect();
        self.answers.push((status, about.to_owned(), media, headers.to_vec()));
        self
    }

    /// A map in the forms that are offered.
    pub(crate) fn map_answer(self, status: u16, forms: &[Form], schema: &str) -> Operation {
        let media: Vec<_> =
            forms.iter().map(|form| (form.media_type(), (*form == Form::Json).then_some(schema))).collect();
        self.answers(status, "The map.", &media, &["ETag", "Cache-Control"])
    }

    /// What may be refused, beside what every route refuses.
    pub(crate) fn problem(mut self, kinds: &[Kind]) -> Operation {
        self.problems.extend(kinds);
        self
    }

    fn parameter(
        mut self,
        place: ParameterIn,
        name: &str,
        required: Required,
        schema: &str,
        about: &str,
    ) -> Operation {
        let parameter = ParameterBuilder::new()
            .name(name)
            .parameter_in(place)
            .required(required)
            .description(Some(about))
            .schema(Some(Ref::from_schema_name(schema)));
        self.parameters.push(parameter.build());
        self.problem(&[Kind::Parameter])
    }
}

impl Outline {
    /// Adds an operation.
    pub(crate) fn add(&mut self, method: &Method, path: &str, need: Need, told: Operation) {
        let mut kinds = told.problems;
        kinds.extend([Kind::Parameter, Kind::Internal, Kind::Timeout]);
        let mut operation = OperationBuilder::new()
            .operation_id(Some(told.id))
            .summary(Some(told.summary))
            .tag(told.tag)
            .request_body(told.body);
        match need {
            Need::Nothing => {}
            Need::Token | Need::Read | Need::Write => {
                kinds.extend([Kind::Unauthorized, Kind::TooMany]);
                let none: [String; 0] = [];
                operation = operation.security(SecurityRequirement::new("token", none));
                if need != Need::Token {
                    kinds.push(Kind::Forbidden);
                }
            }
        }
        for parameter in told.parameters {
            operation = operation.parameter(parameter);
        }
        for (status, about, media, headers) in told.answers {
            let mut response = ResponseBuilder::new().description(about);
            for (media, schema) in media {
                let schema = schema.map(|schema| Ref::from_schema_name(&schema));
                response = response.content(media, ContentBuilder::new().schema(schema).build());
            }
            for header in headers {
                let text = HeaderBuilder::new().schema(Some(Ref::from_schema_name("Text")));
                response = response.header(header, text.build());
            }
            operation = operation.response(status.to_string(), response.build());
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
            let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
            let response = ResponseBuilder::new()
                .description(format!("{}.", titles.join("; or: ")))
                .content("application/problem+json", content);
            operation = operation.response(same[0].parts().1.to_string(), response.build());
        }
        let method = match *method {
            Method::PUT => HttpMethod::Put,
            Method::POST => HttpMethod::Post,
            Method::DELETE => HttpMethod::Delete,
            _ => HttpMethod::Get,
        };
        self.paths.add_path_operation(path, vec![method], operation.build());
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
        let info = InfoBuilder::new()
            .title("Wayforge")
            .version(env!("CARGO_PKG_VERSION"))
            .description(Some(about))
            .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").build()));
        let api = OpenApiBuilder::new().info(info.build()).paths(self.paths).build();
        let mut told = serde_json::to_value(api).unwrap_or_default();
        // The schemas are of JSON Schema 2020-12, which is what 3.1 reads.
        told["openapi"] = json!("3.1.0");
        told["components"] = json!({
            "schemas": self.schemas,
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "A token of `wayforge token create`." }
            },
        });
        let problems: Vec<Value> = Kind::ALL
            .iter()
            .map(|kind| {
                let (name, status, title) = kind.parts();
                json!({ "name": name, "status": status, "title": title })
            })
            .collect();
        told["x-problems"] = Value::Array(problems);
        told["tags"] = json!([
            { "name": "maps", "description": "Maps made from a seed and a configuration; nothing is kept." },
            { "name": "answers", "description": "What can be said about a map." },
            { "name": "channels", "description": "Maps kept per guild and channel." },
            { "name": "server", "description": "The server itself." },
        ]);
        told
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
