//! `POST /v1/scene/{family}`: a map with its picture, and where everything stands on it, so that a page can be clicked. Moves are
//! played without being kept.

use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::generate::LABELS;
use crate::openapi::Operation;
use crate::pages::json_response;
use crate::problem::Kind;
use axum::http::Method;
use serde_json::{Value, json};
use wayforge::Family;
use wayforge_api::handlers::ask::title;
use wayforge_api::handlers::scene::{MAX_MOVES, MapScene, scene};

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    let outline = api.outline();
    outline.schema::<MapScene>();
    for family in Family::ALL {
        let (name, capital) = (family.name(), title(family));
        let request = format!("{capital}SceneRequest");
        api.outline().plain(&request, request_schema(family));
        let about =
            format!("The {name} of a seed with its picture, where everything stands on it, and a run");
        let told = Operation::new("answers", format!("scene{capital}"), about)
            .body("application/json", &request, false)
            .answer(200, "The scene.", "application/json", Some("MapScene"))
            .problem(&[Kind::Config, Kind::Limit, Kind::NoSeedMap, Kind::IllegalMove, Kind::Busy]);
        api.on(Method::POST, &format!("/v1/scene/{name}"), Need::Token, told, move |call| {
            answer(call, family)
        });
    }
}

/// What may be asked about a family: levels show routes and are not played, and only act maps have fog and labels.
fn request_schema(family: Family) -> Value {
    let part = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let object =
        |members: Value| json!({ "type": "object", "properties": members, "additionalProperties": false });
    let mut members = json!({
        "seed": part("SeedInput"),
        "config": part(&format!("{}.{}Config", family.name(), title(family))),
        "theme": part("Theme"),
    });
    if family == Family::Level {
        members["witness"] = part("Witness");
        return object(members);
    }
    let mut play = json!({ "moves": {
        "type": "array", "maxItems": MAX_MOVES, "items": part("Move"), "description": "The moves so far.",
    } });
    if family == Family::Act {
        play["fog"] = part("FogRows");
        members["labels"] = json!({ "type": "boolean", "description": LABELS });
    }
    members["play"] = object(play);
    object(members)
}

async fn answer(mut call: Call, family: Family) -> Answer {
    call.query().finish()?;
    let body = call.json().await?;
    let limits = call.service.limits.clone();
    let made = call.service.workers.draw(move |brush| scene(&body, family, &limits, brush));
    json_response(&made.await?)
}
