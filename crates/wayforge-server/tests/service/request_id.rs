//! Request ids in responses. `wayforge-cli` tests those in logs.

use crate::fixture::{Fixture, TestResponse};
use axum::body::Body;
use std::collections::BTreeSet;

const ID: &str = "x-request-id";

async fn get_with_id(fixture: &Fixture, path: &str, id: &str) -> TestResponse {
    fixture.request("GET", path, &[(ID, id)], Body::empty()).await
}

#[tokio::test]
async fn every_response_has_a_request_id() {
    let fixture = Fixture::open().await;
    let paths = ["/healthz", "/v1/act?seed=1", "/v1/act?seed=1&nonsense=1", "/nothing", "/docs"];
    let mut created = BTreeSet::new();
    for path in paths {
        assert_eq!(get_with_id(&fixture, path, "Trace_1.a-b").await.header(ID), "Trace_1.a-b");
        created.insert(fixture.get(path).await.header(ID).to_owned());
        // A client cannot choose an id that would need quotes in logs.
        let replaced = get_with_id(&fixture, path, "two words").await;
        assert_ne!(replaced.header(ID), "two words", "{path}");
        created.insert(replaced.header(ID).to_owned());
    }
    assert_eq!(created.len(), 2 * paths.len(), "created ids are unique");
    let problem = get_with_id(&fixture, "/v1/guilds/g/channels/c/map", "7").await;
    assert_eq!(problem.header(ID), "7");
    problem.expect_problem(404, "map-not-found", None);
}
