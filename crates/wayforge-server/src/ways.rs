//! `POST /v1/water`, `POST /v1/way`: seas with islands, ways over them or over a map of one's own, and how they were searched; both
//! in the files of other tools, too.

use crate::access::Need;
use crate::api::{Answer, Api};
use crate::call::Call;
use crate::form::Form;
use crate::generate::respond;
use crate::openapi::Operation;
use crate::pages::json_response;
use crate::problem::Kind;
use axum::http::Method as Http;
use serde_json::json;
use wayforge::nav::{ArchipelagoConfig, Method};
use wayforge_api::handlers::ways::{
    self, CorridorInput, MAX_ENDS, MapInput, WaterMap, WayAnswer, read_theme,
};
use wayforge_formats::What;

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    let outline = api.outline();
    outline.schema::<WaterMap>();
    outline.schema::<WayAnswer>();
    outline.schema::<MapInput>();
    outline.schema::<CorridorInput>();
    outline.schema::<ArchipelagoConfig>();
    let part = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let (seed, config) = (part("SeedInput"), part("ArchipelagoConfig"));
    outline.plain(
        "WaterRequest",
        json!({ "type": "object", "properties": { "seed": seed, "config": config }, "additionalProperties": false }),
    );
    let number = json!({ "type": "integer", "minimum": 0, "maximum": u16::MAX });
    outline.plain(
        "SeaRequest",
        json!({
            "type": "object",
            "properties": { "seed": seed, "config": config, "map": part("MapInput") },
            "additionalProperties": false,
        }),
    );
    let ends = json!({ "type": "array", "minItems": 1, "maxItems": MAX_ENDS, "description": "Tiles as [x, y].",
        "items": { "type": "array", "prefixItems": [number, number], "minItems": 2, "maxItems": 2 } });
    outline.plain(
        "WayRequest",
        json!({
            "type": "object",
            "properties": {
                "seed": seed,
                "config": config,
                "map": part("MapInput"),
                "sources": ends,
                "targets": ends,
                "method": { "type": "string", "enum": Method::ALL.map(Method::name) },
                "moves": { "type": "string", "enum": ["four", "eight"] },
                "corridor": part("CorridorInput"),
            },
            "required": ["sources", "targets"],
            "additionalProperties": false,
        }),
    );
    let told = Operation::new("maps", "makeWater", "The sea of a seed, with islands")
        .body("application/json", "WaterRequest", false)
        .answer(200, "The sea.", "application/json", Some("WaterMap"))
        .problem(&[Kind::Config, Kind::Limit, Kind::Busy]);
    api.on(Http::POST, "/v1/water", Need::Token, told, water);
    for form in Form::of(What::Water) {
        let as_what = match form {
            Form::Png => "as a mask, one pixel a tile".to_owned(),
            form if form.is_archive() => {
                format!("as an archive: {} with what belongs beside it", form.file("water"))
            }
            form => format!("as {}", form.title()),
        };
        let about = format!("The sea of a seed, or a map of one's own, {as_what}");
        let told = Operation::new("maps", format!("makeWater{}", form.title()), about)
            .query("theme", "Theme", "The look of tiles.")
            .body("application/json", "SeaRequest", false)
            .answer(200, "The sea.", form.media_type(), None)
            .problem(&[Kind::Config, Kind::Limit, Kind::Busy]);
        let path = format!("/v1/water.{}", form.suffix());
        api.on(Http::POST, &path, Need::Token, told, move |call| write_sea(call, form));
    }
    let about = "A search over a seed's sea or a map of one's own, step by step, as animated PNG";
    let told = Operation::new("answers", "filmWay", about)
        .query("theme", "Theme", "The look of the film.")
        .body("application/json", "WayRequest", true)
        .answer(200, "The film.", Form::Film.media_type(), None)
        .problem(&[Kind::Config, Kind::Limit, Kind::Busy]);
    api.on(Http::POST, "/v1/way.apng", Need::Token, told, film);
    let about = "A way over a seed's sea or a map of one's own, and how it was searched";
    let told = Operation::new("answers", "findWay", about)
        .body("application/json", "WayRequest", true)
        .answer(200, "The way.", "application/json", Some("WayAnswer"))
        .problem(&[Kind::Config, Kind::Limit, Kind::Busy]);
    api.on(Http::POST, "/v1/way", Need::Token, told, way);
}

async fn water(mut call: Call) -> Answer {
    call.query().finish()?;
    let body = call.json().await?;
    let limits = call.service.limits.clone();
    let made = call.service.workers.run(move || ways::water(&body, &limits));
    json_response(&made.await?)
}

async fn write_sea(mut call: Call, form: Form) -> Answer {
    let theme = read_theme(call.query())?;
    let body = call.json().await?;
    let limits = call.service.limits.clone();
    let written = call.service.workers.run(move || ways::write_sea(&body, form, theme, &limits));
    Ok(respond(form, written.await?))
}

async fn film(mut call: Call) -> Answer {
    let theme = read_theme(call.query())?;
    let body = call.json().await?;
    let limits = call.service.limits.clone();
    let drawn = call.service.workers.run(move || ways::film(&body, theme, &limits));
    Ok(respond(Form::Film, drawn.await?))
}

async fn way(mut call: Call) -> Answer {
    call.query().finish()?;
    let body = call.json().await?;
    let limits = call.service.limits.clone();
    let found = call.service.workers.run(move || ways::way(&body, &limits));
    json_response(&found.await?)
}
