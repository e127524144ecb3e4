//! `POST /v1/reroll/act`, `POST /v1/reroll/tower`: the next seed whose map keeps what is pinned.

use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::openapi::Operation;
use crate::pages::json_response;
use crate::problem::Kind;
use axum::http::Method;
use serde_json::json;
use wayforge::Family;
use wayforge::tower;
use wayforge_api::handlers::ask::title;
use wayforge_api::handlers::reroll::{MAX_PINS, RerollAnswer, reroll};

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    let outline = api.outline();
    outline.schema::<RerollAnswer>();
    outline.schema::<tower::Pin>();
    let part = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    for (family, pin) in [(Family::Act, "act.Pin"), (Family::Tower, "TowerPin")] {
        let (name, capital) = (family.name(), title(family));
        let request = format!("{capital}RerollRequest");
        api.outline().plain(
            &request,
            json!({
                "type": "object",
                "properties": {
                    "seed": part("SeedInput"),
                    "config": part(&format!("{name}.{capital}Config")),
                    "pins": { "type": "array", "items": part(pin), "maxItems": MAX_PINS },
                },
                "required": ["pins"],
                "additionalProperties": false,
            }),
        );
        let about = format!("The next seed whose {name} keeps what is pinned");
        let told = Operation::new("answers", format!("reroll{capital}"), about)
            .body("application/json", &request, true)
            .answer(200, "The seed.", "application/json", Some("RerollAnswer"))
            .problem(&[Kind::Config, Kind::Limit, Kind::Busy]);
        api.on(Method::POST, &format!("/v1/reroll/{name}"), Need::Token, told, move |call| {
            answer(call, family)
        });
    }
}

async fn answer(mut call: Call, family: Family) -> Answer {
    call.query().finish()?;
    let body = call.json().await?;
    let limits = call.service.limits.clone();
    let found = call.service.workers.run(move || reroll(&body, family, &limits));
    json_response(&found.await?)
}
