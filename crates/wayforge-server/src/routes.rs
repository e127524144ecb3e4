//! `POST /v1/routes`: what the routes of an act map meet.

use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::openapi::Operation;
use crate::pages::json_response;
use crate::problem::Kind;
use axum::http::Method;
use serde_json::json;
use wayforge_api::handlers::routes::{MAX_WANTS, Place, RoutesAnswer, Want, Which};

/// Adds the route.
pub(crate) fn routes(api: &mut Api) {
    let outline = api.outline();
    outline.schema::<RoutesAnswer>();
    outline.schema::<Place>();
    outline.schema::<Want>();
    outline.schema::<Which>();
    let part = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    outline.plain(
        "RoutesRequest",
        json!({
            "type": "object",
            "properties": {
                "document": part("ActDocument"),
                "seed": part("SeedInput"),
                "config": part("act.ActConfig"),
                "from": part("RoutePlace"),
                "want": { "type": "array", "items": part("Want"), "maxItems": MAX_WANTS },
                "route": part("Which"),
            },
            "additionalProperties": false,
        }),
    );
    let told = Operation::new(
        "answers",
        "routes",
        "What the routes of an act map meet, and whether a wanted one is there",
    )
    .body("application/json", "RoutesRequest", false)
    .answer(200, "The answers.", "application/json", Some("RoutesAnswer"))
    .problem(&[Kind::Config, Kind::Limit, Kind::NoSeedMap, Kind::Busy]);
    api.on(Method::POST, "/v1/routes", Need::Token, told, answer);
}

async fn answer(mut call: Call) -> Answer {
    call.query().finish()?;
    let body = call.json().await?;
    let limits = call.service.limits.clone();
    let told = call.service.workers.run(move || wayforge_api::handlers::routes::routes(&body, &limits));
    json_response(&told.await?)
}
