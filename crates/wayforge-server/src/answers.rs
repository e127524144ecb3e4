//! `POST` routes without state beside maps themselves: validation, routes, scenes, rerolls, seas and paths. The responses are
//! those of [`wayforge_api::handlers::answer`]; this module routes and describes them.

use crate::access::Need;
use crate::api::Api;
use crate::extract::{JsonBytes, State};
use crate::form::Form;
use crate::generate::respond;
use crate::openapi::{Operation, Outline, part};
use crate::problem::{Kind, Problem};
use axum::http::{Method, Uri};
use axum::response::IntoResponse;
use serde_json::{Value, json};
use wayforge::nav::ArchipelagoConfig;
use wayforge::{Family, act, tower};
use wayforge_api::handlers::ask::{SeedAndConfig, title};
use wayforge_api::handlers::reroll::{RerollAnswer, RerollRequest};
use wayforge_api::handlers::routes::{RoutesAnswer, RoutesRequest};
use wayforge_api::handlers::scene::{MapScene, SceneRequest};
use wayforge_api::handlers::validate::Verdict;
use wayforge_api::handlers::ways::{SeaRequest, WaterMap, WayAnswer, WayRequest};
use wayforge_formats::What;

/// Adds the routes.
pub(crate) fn routes(api: &mut Api) {
    schemas(&mut api.outline);
    let mut post = |path: &str, told: Operation| {
        let told = told.problem(&[Kind::Config, Kind::Limit, Kind::Busy]);
        api.on(Method::POST, path, Need::Token, told, answer);
    };
    let about = "Every rule of a saved map, checked from scratch";
    let told = Operation::new("answers", "validate", about)
        .query("reproduce", "Flag", "Whether the map is also made again from its seed and compared.")
        .json_body("AnyDocument", true)
        .json("The verdict, whether the map is valid or not.", "Verdict");
    post("/v1/validate", told);
    let about = "What the routes of an act map meet, and whether a wanted one is there";
    let told = Operation::new("answers", "routes", about).json_body("RoutesRequest", false);
    post("/v1/routes", told.json("The answers.", "RoutesAnswer").problem(&[Kind::NoSeedMap]));
    for family in Family::ALL {
        let (name, capital) = (family.name(), title(family));
        let about =
            format!("The {name} of a seed with its picture, where everything stands on it, and a run");
        let told = Operation::new("answers", format!("scene{capital}"), about)
            .json_body(&format!("{capital}SceneRequest"), false)
            .json("The scene.", "MapScene")
            .problem(&[Kind::NoSeedMap, Kind::IllegalMove]);
        post(&format!("/v1/scene/{name}"), told);
    }
    for family in [Family::Act, Family::Tower] {
        let (name, capital) = (family.name(), title(family));
        let about = format!("The next seed whose {name} keeps what is pinned");
        let told = Operation::new("answers", format!("reroll{capital}"), about)
            .json_body(&format!("{capital}RerollRequest"), true);
        post(&format!("/v1/reroll/{name}"), told.json("The seed.", "RerollAnswer"));
    }
    let told = Operation::new("maps", "makeWater", "The sea of a seed, with islands");
    post("/v1/water", told.json_body("WaterRequest", false).json("The sea.", "WaterMap"));
    for form in Form::of(What::Water) {
        let as_what = match form {
            Form::Png => "a mask, one pixel a tile".to_owned(),
            form => form.described("water"),
        };
        let about = format!("The sea of a seed, or a map of one's own, as {as_what}");
        let told = Operation::new("maps", format!("makeWater{}", form.title()), about)
            .query("theme", "Theme", "The look of tiles.")
            .json_body("SeaRequest", false);
        post(&format!("/v1/water.{}", form.suffix()), told.answer(200, "The sea.", form.media_type(), None));
    }
    let about = "A search over a seed's sea or a map of one's own, step by step, as animated PNG";
    let told = Operation::new("answers", "filmWay", about)
        .query("theme", "Theme", "The look of the film.")
        .json_body("WayRequest", true);
    post("/v1/way.apng", told.answer(200, "The film.", Form::Film.media_type(), None));
    let about = "A way over a seed's sea or a map of one's own, and how it was searched";
    let told = Operation::new("answers", "findWay", about).json_body("WayRequest", true);
    post("/v1/way", told.json("The way.", "WayAnswer"));
}

/// Answers by the path of the request, on a worker.
async fn answer(
    axum::extract::State(service): State,
    uri: Uri,
    JsonBytes(body): JsonBytes,
) -> Result<impl IntoResponse, Problem> {
    let told = service.draw(move |brush, limits| {
        let query = uri.query().unwrap_or_default();
        wayforge_api::handlers::answer(uri.path(), query, &body, limits, brush)
    });
    told.await.map(|told| respond(told.content_type, told.body))
}

fn schemas(outline: &mut Outline) {
    outline.schema::<Verdict>();
    outline.root("map-floor.", "MapFloor", wayforge::floor::map_floor_schema());
    outline.schema::<RoutesAnswer>();
    outline.schema::<MapScene>();
    outline.schema::<RerollAnswer>();
    outline.schema::<WaterMap>();
    outline.schema::<WayAnswer>();
    outline.schema::<ArchipelagoConfig>();
    let documents = Family::ALL.iter().map(|&family| part(&format!("{}Document", title(family))));
    let documents: Vec<Value> = documents.chain([part("MapFloor")]).collect();
    outline.plain("AnyDocument", json!({ "anyOf": documents }));
    outline.request::<RoutesRequest<'_>>("RoutesRequest", "act.ActConfig", &[]);
    for family in Family::ALL {
        let without: &[(&str, &str)] = match family {
            Family::Level => &[("/properties", "play"), ("/properties", "labels")],
            Family::Act => &[("/properties", "witness")],
            Family::Floor | Family::Tower => &[
                ("/properties", "witness"),
                ("/properties", "labels"),
                ("/properties/play/properties", "fog"),
            ],
        };
        let (name, capital) = (family.name(), title(family));
        let config = format!("{name}.{capital}Config");
        outline.request::<SceneRequest<'_>>(&format!("{capital}SceneRequest"), &config, without);
    }
    outline.request::<RerollRequest<'_, act::Pin>>("ActRerollRequest", "act.ActConfig", &[]);
    outline.request::<RerollRequest<'_, tower::Pin>>("TowerRerollRequest", "tower.TowerConfig", &[]);
    outline.request::<SeedAndConfig<'_>>("WaterRequest", "ArchipelagoConfig", &[]);
    outline.request::<SeaRequest<'_>>("SeaRequest", "ArchipelagoConfig", &[]);
    outline.request::<WayRequest<'_>>("WayRequest", "ArchipelagoConfig", &[]);
}
