//! The OpenAPI description is complete and matches the responses.

use crate::fixture::Fixture;
use serde_json::{Value, json};
use std::collections::BTreeSet;

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
    for (family, name) in
        [("act", "Act"), ("level", "Level"), ("floor", "Floor"), ("tower", "Tower")]
    {
        let document = fixture.get(&format!("/v1/{family}?seed=3")).await.expect_status(200).json();
        check(&format!("{name}Document"), &document);
        check("AnyDocument", &document);
        check(&format!("{family}.{name}Config"), &document["config"]);
        check(&format!("{name}Request"), &json!({ "seed": 3, "config": document["config"] }));
        check(
            "ValidationResponse",
            &fixture.post("/v1/validate", &document.to_string()).await.expect_status(200).json(),
        );
        if family == "floor" {
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
