//! The OpenAPI description is complete and matches the responses.

use crate::fixture::{Fixture, TestResponse};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wayforge::Family;
use wayforge_api::handlers::request::title;

/// Collects all references in a value.
fn collect_references<'a>(value: &'a Value, into: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(members) => {
            if let Some(to) = members.get("$ref").and_then(Value::as_str) {
                into.insert(to);
            }
            members.values().for_each(|member| collect_references(member, into));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, into)),
        _ => {}
    }
}

#[tokio::test]
async fn references_resolve_and_operations_are_complete() {
    let fixture = Fixture::open().await;
    let api = fixture.get("/openapi.json").await.expect_status(200).json();
    assert_eq!(api["openapi"], "3.1.0");
    let mut named = BTreeSet::new();
    collect_references(&api, &mut named);
    for reference in &named {
        let pointer =
            reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} is external"));
        assert!(api.pointer(pointer).is_some(), "{reference} does not resolve");
    }
    let tags: Vec<&Value> =
        api["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    let mut ids = BTreeSet::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} twice");
            assert!(!operation["summary"].as_str().unwrap().is_empty());
            let tag = &operation["tags"][0];
            assert!(tags.contains(&tag), "{method} {path}: unlisted tag {tag}");
            let responses = operation["responses"].as_object().unwrap();
            assert!(responses.keys().any(|status| status.starts_with('2')), "{method} {path}");
            let in_path = path.matches('{').count();
            let described = operation["parameters"].as_array().map_or(0, |all| {
                all.iter().filter(|one| one["in"] == "path" && one["required"] == true).count()
            });
            assert_eq!(in_path, described, "{path}");
        }
    }
}

/// Returns a validator for a component schema.
fn validator(api: &Value, name: &str) -> jsonschema::Validator {
    let mut schema = json!({ "$ref": format!("#/components/schemas/{name}") });
    schema["components"] = api["components"].clone();
    jsonschema::validator_for(&schema).unwrap()
}

#[tokio::test]
async fn requests_and_responses_match_their_schemas() {
    let fixture = Fixture::open().await;
    let api = fixture.get("/openapi.json").await.expect_status(200).json();
    let check = |name: &str, value: &Value| {
        if let Err(error) = validator(&api, name).validate(value) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
    };
    for family in Family::ALL {
        let name = title(family);
        let document = fixture.get(&format!("/v1/{family}?seed=3")).await.expect_status(200).json();
        check(&format!("{name}Document"), &document);
        check("AnyDocument", &document);
        check(&format!("{family}.{name}Config"), &document["config"]);
        check(&format!("{name}Request"), &json!({ "seed": 3, "config": document["config"] }));
        check(
            "ValidationResponse",
            &fixture.post("/v1/validate", &document.to_string()).await.expect_status(200).json(),
        );
        if family == Family::Floor {
            let floor = document["map"].to_string();
            check("AnyDocument", &document["map"]);
            check("MapFloor", &document["map"]);
            check(
                "ValidationResponse",
                &fixture.post("/v1/validate", &floor).await.expect_status(200).json(),
            );
        }
        let body = json!({ "family": family, "seed": 3, "config": {} });
        check("MapRequest", &body);
        check("MapRequest", &json!({ "document": document }));
        let path = format!("/v1/guilds/g/channels/{family}/map");
        check("MapView", &fixture.post(&path, &body.to_string()).await.expect_status(201).json());
    }
    let conditions = json!([{ "kind": "elite", "min": 1 }]);
    let query = json!({ "seed": 42, "query": conditions, "route": { "min": "rest" } });
    check("RoutesRequest", &query);
    check(
        "RoutesResponse",
        &fixture.post("/v1/routes", &query.to_string()).await.expect_status(200).json(),
    );
    check("MapList", &fixture.get("/v1/guilds/g/maps").await.expect_status(200).json());
    check(
        "HistoryList",
        &fixture.get("/v1/guilds/g/channels/act/map/history").await.expect_status(200).json(),
    );
    for path in ["/v1/nothing", "/v1/act?x=1", "/v1/act?config=%7B%22rows%22:0%7D"] {
        check("Problem", &fixture.get(path).await.json());
    }
    // The schemas reject invalid values.
    assert!(!validator(&api, "MapRequest").is_valid(&json!({ "family": "act", "rows": 3 })));
    assert!(!validator(&api, "ActRequest").is_valid(&json!({ "config": { "rows": 5000 } })));
    assert!(!validator(&api, "Problem").is_valid(&json!({ "title": "x" })));
}

/// Sends the request that the documentation shows for an operation.
async fn send_example(
    fixture: &Fixture,
    method: &str,
    path: &str,
    operation: &Value,
) -> TestResponse {
    let (mut path, mut query, mut headers) = (path.to_owned(), Vec::new(), Vec::new());
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let Some(example) = parameter.get("example") else { continue };
        let name = parameter["name"].as_str().unwrap();
        let value = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        match parameter["in"].as_str().unwrap() {
            "path" => path = path.replace(&format!("{{{name}}}"), &value),
            "query" => query.push(format!("{name}={value}")),
            _ => headers.push((name, value)),
        }
    }
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    let body = operation.pointer("/requestBody/content/application~1json/example");
    if body.is_some() {
        headers.push(("content-type", "application/json".to_owned()));
    }
    let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let body = body.map(Value::to_string).unwrap_or_default();
    fixture.request(&method.to_uppercase(), &path, &headers, body).await
}

#[tokio::test]
async fn documented_examples_succeed() {
    let fixture = Fixture::open().await;
    let api = fixture.get("/openapi.json").await.expect_status(200).json();
    let mut without_example = BTreeSet::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            if let Some(body) = operation.get("requestBody")
                && body.pointer("/content/application~1json/example").is_none()
            {
                without_example.insert(id);
                continue;
            }
            // Files of the studio have version numbers in their path.
            if path.contains("{version}") {
                continue;
            }
            // Each change gets its own database, with a map at revision 1 unless it creates one.
            let own = if path.contains("{channel}") { Some(Fixture::open().await) } else { None };
            let fixture = own.as_ref().unwrap_or(&fixture);
            let creates_map = id.starts_with("putMap") || id.starts_with("createMap");
            if path.contains("{channel}") && !creates_map {
                let base = format!("{}/map", path.split_once("/map").unwrap().0);
                let create = &api["paths"][&base]["put"];
                send_example(fixture, "put", &base, create).await.expect_status(201);
            }
            let response = send_example(fixture, method, path, operation).await;
            let status = response.status.as_u16();
            let is_expected = match status {
                // A new map has no move to undo.
                409 => id.starts_with("undo"),
                _ => (200..300).contains(&status),
            };
            assert!(
                is_expected && operation["responses"].get(status.to_string()).is_some(),
                "{id}: status {status}: {}",
                String::from_utf8_lossy(&response.body)
            );
            if path == "/v1/path" {
                assert!(response.json()["path"].is_object(), "the example has a path");
            }
        }
    }
    // The documentation shows a placeholder for a file instead.
    let files = ["importGuild", "importGuildDirect", "validate"];
    assert_eq!(without_example, BTreeSet::from(files));
}
