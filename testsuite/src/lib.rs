//! Tests shared by all languages: digest catalogues, JSON Schemas and golden maps.
//!
//! The tests are in `tests/`; this library contains the configurations that several of them use,
//! and the comparison with golden files for the tests of other crates.

pub mod golden;

/// Configurations of the pinned floors: small and large, every option, rare cases.
pub const FLOORS: [&str; 18] = [
    "{}",
    r#"{"carve":"astar"}"#,
    r#"{"open":"rooms"}"#,
    r#"{"itemBudget":1,"relicBudget":1,"npcBudget":1,"trapBudget":1,"doorBudget":1,"waterBudget":2}"#,
    r#"{"wallDensity":0,"enemyBudget":8}"#,
    r#"{"wallDensity":1}"#,
    r#"{"minPathLength":12,"enemyBudget":2,"chestBudget":0}"#,
    r#"{"minPathLength":16,"enemyBudget":4}"#,
    r#"{"attempts":0,"doorBudget":1}"#,
    r#"{"entrance":{"x":2,"y":2}}"#,
    r#"{"entrance":{"x":1,"y":1},"exit":{"x":3,"y":1},"minPathLength":6}"#,
    r#"{"width":3,"height":3,"enemyBudget":1}"#,
    r#"{"width":8,"height":8,"doorBudget":2,"wallDensity":0.6}"#,
    r#"{"width":13,"height":5,"enemyBudget":9,"open":"rooms"}"#,
    r#"{"width":64,"height":64,"enemyBudget":40,"doorBudget":3,"waterBudget":30,"minPathLength":100}"#,
    r#"{"templateId":"shop"}"#,
    r#"{"templateId":"boss","entrance":{"x":0,"y":4}}"#,
    r##"{"template":{"id":"hall","rows":["<..","#+#",".e>"]}}"##,
];

/// Configurations of the pinned towers.
pub const TOWERS: [&str; 4] = [
    "{}",
    r#"{"floors":20}"#,
    r#"{"floors":12,"floor":{"minPathLength":11,"enemyBudget":2,"chestBudget":0},"curves":[],"templates":[]}"#,
    r#"{"floors":6,"floor":{"width":20,"height":14},"templates":[{"every":2,"template":"rest"}],"boss":null}"#,
];
