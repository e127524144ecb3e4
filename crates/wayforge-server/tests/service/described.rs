//! The description: complete, whole, and true of what is served.

use crate::bed::Bed;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// All references inside a value.
fn references<'a>(value: &'a Value, into: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(members) => {
            if let Some(to) = members.get("$ref").and_then(Value::as_str) {
                into.insert(to);
            }
            members.values().for_each(|member| references(member, into));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, into)),
        _ => {}
    }
}

#[tokio::test]
async fn the_description_is_whole() {
    let bed = Bed::open().await;
    let api = bed.get("/openapi.json").await.is(200).json();
    assert_eq!(api["openapi"], "3.1.0");
    let mut named = BTreeSet::new();
    references(&api, &mut named);
    for reference in &named {
        let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} leads outside"));
        assert!(api.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
    let mut ids = BTreeSet::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} twice");
            assert!(!operation["summary"].as_str().unwrap().is_empty());
            let answers = operation["responses"].as_object().unwrap();
            assert!(answers.keys().any(|status| status.starts_with('2')), "{method} {path}");
            let parts = path.matches('{').count();
            let told = operation["parameters"].as_array().map_or(0, |all| {
                all.iter().filter(|one| one["in"] == "path" && one["required"] == true).count()
            });
            assert_eq!(parts, told, "{path}");
        }
    }
}

/// A schema of the description that stands alone.
fn validator(api: &Value, name: &str) -> jsonschema::Validator {
    let mut schema = json!({ "$ref": format!("#/components/schemas/{name}") });
    schema["components"] = api["components"].clone();
    jsonschema::validator_for(&schema).unwrap()
}

#[tokio::test]
async fn answers_keep_their_schemas() {
    let bed = Bed::open().await;
    let api = bed.get("/openapi.json").await.is(200).json();
    let check = |name: &str, value: &Value| {
        if let Err(error) = validator(&api, name).validate(value) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
    };
    for (family, name) in [("act", "Act"), ("level", "Level"), ("floor", "Floor"), ("tower", "Tower")] {
        let document = bed.get(&format!("/v1/{family}?seed=3")).await.is(200).json();
        check(&format!("{name}Document"), &document);
        check("AnyDocument", &document);
        check(&format!("{family}.{name}Config"), &document["config"]);
        check(&format!("{name}Request"), &json!({ "seed": 3, "config": document["config"] }));
        check("Verdict", &bed.post("/v1/validate", &document.to_string()).await.is(200).json());
        if family == "floor" {
            let floor = document["map"].to_string();
            check("AnyDocument", &document["map"]);
            check("MapFloor", &document["map"]);
            check("Verdict", &bed.post("/v1/validate", &floor).await.is(200).json());
        }
        let body = json!({ "family": family, "seed": 3, "config": {} });
        check("MapRequest", &body);
        check("MapRequest", &json!({ "document": document }));
        let path = format!("/v1/guilds/g/channels/{family}/map");
        check("MapView", &bed.post(&path, &body.to_string()).await.is(201).json());
    }
    let ask = json!({ "seed": 42, "want": [{ "kind": "elite", "min": 1 }], "route": { "least": "rest" } });
    check("RoutesRequest", &ask);
    check("RoutesAnswer", &bed.post("/v1/routes", &ask.to_string()).await.is(200).json());
    check("MapList", &bed.get("/v1/guilds/g/maps").await.is(200).json());
    check("HistoryList", &bed.get("/v1/guilds/g/channels/act/map/history").await.is(200).json());
    for path in ["/v1/nothing", "/v1/act?x=1", "/v1/act?config=%7B%22rows%22:0%7D"] {
        check("Problem", &bed.get(path).await.json());
    }
    // The schemas are not so wide that anything would keep them.
    assert!(!validator(&api, "MapRequest").is_valid(&json!({ "family": "act", "rows": 3 })));
    assert!(!validator(&api, "ActRequest").is_valid(&json!({ "config": { "rows": 5000 } })));
    assert!(!validator(&api, "Problem").is_valid(&json!({ "title": "x" })));
}
