//! Stateless `POST` routes other than map generation: validation, route analysis, scenes, rerolls,
//! archipelagos and pathfinding.
//!
//! This module registers and describes the routes; [`wayforge_api::handlers::dispatch`] handles
//! the requests.

use crate::access::RequiredAccess;
use crate::api::ApiRouter;
use crate::extract::{JsonBytes, State};
use crate::generate::respond;
use crate::openapi::{OpenApiBuilder, Operation, schema_ref};
use crate::output_format;
use crate::problem::{Problem, ProblemKind};
use axum::http::{Method, Uri};
use axum::response::IntoResponse;
use serde_json::{Value, json};
use wayforge::nav::ArchipelagoConfig;
use wayforge::{Family, act, tower};
use wayforge_api::FamilyOption;
use wayforge_api::handlers::path::{
    ArchipelagoResponse, NavGridRequest, PathRequest, PathResponse,
};
use wayforge_api::handlers::request::{SeedAndConfig, title};
use wayforge_api::handlers::reroll::{RerollRequest, RerollResponse};
use wayforge_api::handlers::routes::{RoutesRequest, RoutesResponse};
use wayforge_api::handlers::scene::{MapScene, SceneRequest};
use wayforge_api::handlers::validate::ValidationResponse;
use wayforge_formats::{ContentKind, Format};

/// Adds the routes.
pub(crate) fn routes(api: &mut ApiRouter) {
    add_schemas(&mut api.openapi);
    let rerolls = Family::ALL.map(|family| describe_reroll(&mut api.openapi, family));
    let mut post = |path: &str, operation: Operation| {
        let operation = operation.problem(&[
            ProblemKind::InvalidConfig,
            ProblemKind::LimitExceeded,
            ProblemKind::Busy,
        ]);
        api.route(Method::POST, path, RequiredAccess::Token, operation, handle);
    };
    let seed = || json!({ "seed": 42 });
    let reproduce = "Whether to regenerate the map from its seed and compare.";
    let operation = Operation::new("analysis", "validate", "Validate a saved map")
        .query("reproduce", "Flag", reproduce)
        .body("application/json", "AnyDocument", true)
        .json_response("The validation report of a valid or invalid map.", "ValidationResponse");
    post("/v1/validate", operation);
    let summary = "Analyse the routes of an act map";
    let operation = Operation::new("analysis", "analyseRoutes", summary)
        .json_body("RoutesRequest", false, seed())
        .json_response("The route analysis.", "RoutesResponse")
        .problem(&[ProblemKind::GenerationFailed]);
    post("/v1/routes", operation);
    for family in Family::ALL {
        let (name, title) = (family.name(), title(family));
        let summary = format!("Generate {} with its picture and layout", with_article(family));
        let operation = Operation::new("analysis", format!("scene{title}"), summary)
            .json_body(&format!("{title}SceneRequest"), false, seed())
            .json_response("The scene.", "MapScene")
            .problem(&[ProblemKind::GenerationFailed, ProblemKind::IllegalMove]);
        post(&format!("/v1/scene/{name}"), operation);
    }
    for (path, operation) in rerolls.into_iter().flatten() {
        post(&path, operation);
    }
    let summary = "Generate a sea map with islands";
    let operation = Operation::new("maps", "generateArchipelago", summary)
        .json_body("ArchipelagoRequest", false, seed())
        .json_response("The archipelago.", "ArchipelagoResponse");
    post("/v1/archipelago", operation);
    for format in output_format::formats_for(ContentKind::NavGrid) {
        let description = match format {
            Format::Png => "a mask with one pixel per tile".to_owned(),
            format => output_format::describe_response(format, "grid"),
        };
        let id = format!("generateArchipelago{}", output_format::operation_suffix(format));
        let summary = format!("Write an archipelago or an uploaded map as {description}");
        let operation = Operation::new("maps", id, summary)
            .query("theme", "Theme", "Theme of the tileset image.")
            .json_body("NavGridRequest", false, seed())
            .response(200, "The map.", output_format::media_type(format), None);
        post(&format!("/v1/archipelago.{}", output_format::path_suffix(format)), operation);
    }
    let size = json!({ "width": 96, "height": 64 });
    let query = json!({ "seed": 42, "config": size, "sources": [[30, 44]], "targets": [[90, 40]] });
    let summary = "Draw a path search as an animated PNG";
    let operation = Operation::new("analysis", "animatePath", summary)
        .query("theme", "Theme", "Theme of the animation.")
        .json_body("PathRequest", true, query.clone())
        .response(200, "The animation.", output_format::media_type(Format::Apng), None);
    post("/v1/path.apng", operation);
    let summary = "Find shortest paths on an archipelago or an uploaded map";
    let operation = Operation::new("analysis", "findPath", summary)
        .json_body("PathRequest", true, query.clone())
        .json_response("The path with statistics and events of the search.", "PathResponse");
    post("/v1/path", operation);
}

/// Adds the schema of a family's rerolls and returns their path and operation; `None` if maps of
/// the family have no pins.
fn describe_reroll(openapi: &mut OpenApiBuilder, family: Family) -> Option<(String, Operation)> {
    let (name, title) = (family.name(), title(family));
    let (request, config) = (format!("{title}RerollRequest"), format!("{name}.{title}Config"));
    let pin = match family {
        Family::Act => {
            openapi.add_request::<RerollRequest<'_, act::Pin>>(&request, &config, &[]);
            json!({ "row": 5, "col": 3 })
        }
        Family::Tower => {
            openapi.add_request::<RerollRequest<'_, tower::Pin>>(&request, &config, &[]);
            json!({ "floor": 2, "x": 1, "y": 1, "symbol": "." })
        }
        Family::Level | Family::Floor => return None,
    };
    let summary =
        format!("Find the next seed that generates {} with all pins", with_article(family));
    let operation = Operation::new("analysis", format!("reroll{title}"), summary)
        .json_body(&request, true, json!({ "seed": 42, "pins": [pin] }))
        .json_response("The seed.", "RerollResponse");
    Some((format!("/v1/reroll/{name}"), operation))
}

/// Returns the family's name with an article.
pub(crate) fn with_article(family: Family) -> &'static str {
    family.with_article()
}

/// Dispatches a request by its path, on a worker.
async fn handle(
    axum::extract::State(service): State,
    uri: Uri,
    JsonBytes(body): JsonBytes,
) -> Result<impl IntoResponse, Problem> {
    let response = service.draw(move |painter, limits| {
        let query = uri.query().unwrap_or_default();
        wayforge_api::handlers::dispatch(uri.path(), query, &body, limits, painter)
    });
    response.await.map(|response| respond(response.content_type, response.body))
}

/// Adds the schemas of requests and responses.
fn add_schemas(openapi: &mut OpenApiBuilder) {
    openapi.add_type::<ValidationResponse>();
    openapi.add_root("map-floor.", "MapFloor", wayforge::floor::map_floor_schema());
    openapi.add_type::<RoutesResponse>();
    openapi.add_type::<MapScene>();
    openapi.add_type::<RerollResponse>();
    openapi.add_type::<ArchipelagoResponse>();
    openapi.add_type::<PathResponse>();
    openapi.add_type::<ArchipelagoConfig>();
    let document = |family: &Family| schema_ref(&format!("{}Document", title(*family)));
    let documents = Family::ALL.iter().map(document).chain([schema_ref("MapFloor")]);
    openapi.add_schema("AnyDocument", json!({ "anyOf": documents.collect::<Vec<Value>>() }));
    openapi.add_request::<RoutesRequest<'_>>("RoutesRequest", "act.ActConfig", &[]);
    for family in Family::ALL {
        let unsupported = FamilyOption::ALL.into_iter();
        let unsupported = unsupported.filter(|option| !option.is_supported_by(family));
        let removed: Vec<&str> = unsupported.map(FamilyOption::member).collect();
        let (name, title) = (family.name(), title(family));
        let config = format!("{name}.{title}Config");
        openapi.add_request::<SceneRequest<'_>>(&format!("{title}SceneRequest"), &config, &removed);
    }
    openapi.add_request::<SeedAndConfig<'_>>("ArchipelagoRequest", "ArchipelagoConfig", &[]);
    openapi.add_request::<NavGridRequest<'_>>("NavGridRequest", "ArchipelagoConfig", &[]);
    openapi.add_request::<PathRequest<'_>>("PathRequest", "ArchipelagoConfig", &[]);
}
