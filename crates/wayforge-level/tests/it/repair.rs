//! Repairs of levels, and errors without a repair.

use wayforge_core::Seed;
use wayforge_level::{self as level, RepairOutcome};

fn spec(json: &str) -> level::Spec {
    level::Config::from_json(json.as_bytes()).unwrap().resolve().unwrap()
}

fn generation_error(seed: u64, json: &str) -> level::Error {
    level::generate(Seed::new(seed), &spec(json)).unwrap_err()
}

#[test]
fn repairs_levels_with_hundreds_of_candidates() {
    let json =
        r#"{"width":512,"height":512,"interior_walls":"solid","flashlights":500,"attempts":1}"#;
    let level = level::generate(Seed::new(3), &spec(json)).unwrap();
    assert!(level.attempt.repaired.len() > 12, "{}", level.attempt.repaired.len());
    let report = level::validate(&level);
    assert!(report.violations.is_empty(), "{:?}", report.violations);
}

#[test]
fn repairs_of_pitfalls_are_proved_minimum() {
    let mut proved = 0;
    for seed in 0..40 {
        let json = r#"{"width":32,"height":20,"pitfalls":"75%","flashlights":2,"attempts":1}"#;
        let RepairOutcome::Found(repair) = generation_error(seed, json).repair else {
            panic!("seed {seed}")
        };
        assert!(!repair.cells.is_empty(), "seed {seed}");
        proved += u32::from(repair.is_minimum);
    }
    assert_eq!(proved, 40);
}

#[test]
fn pinned_obstacles_make_a_repair_infeasible() {
    // The player is enclosed by pinned pitfalls.
    let drawing = [
        "?????????????",
        "?????????????",
        "?????????????",
        "???xxxxx?????",
        "???x._.x?????",
        "???x.P.x?????",
    ];
    let mut pins: Vec<String> = drawing.iter().map(|row| row.replace('_', ".")).collect();
    pins.push("???xxxxx?????".into());
    pins.extend(std::iter::repeat_n("?????????????".to_owned(), 4));
    let json = serde_json::json!({"width": 13, "height": 11, "pins": pins, "attempts": 3});
    let error = generation_error(1, &json.to_string());
    assert_eq!(error.repair, RepairOutcome::Infeasible, "{error}");
    assert!(error.to_string().contains("no removal of walls or terrain"), "{error}");
}

#[test]
fn messages_of_large_repairs_are_bounded() {
    let error = generation_error(
        1,
        r#"{"width":256,"height":256,"pitfalls":"80%","flashlights":100,"attempts":1}"#,
    );
    let RepairOutcome::Found(repair) = &error.repair else { panic!("{error}") };
    assert!(repair.cells.len() > 100);
    assert!(error.to_string().len() < 1_000, "{error}");
    assert!(error.to_string().contains(" more would make the last attempt valid"), "{error}");
    assert!(error.to_string().starts_with("seed 1: the only attempt"), "{error}");
}

/// The error contains all attempts; the message is limited.
#[test]
fn messages_of_many_attempts_are_bounded() {
    let json = r#"{"width":40,"height":30,"attempts":1000,"walls":"empty","retry":"hash",
        "pitfalls":"80%","repair":false}"#;
    let error = generation_error(1, json);
    assert_eq!(error.attempts.len(), 1000);
    let message = error.to_string();
    assert!(
        message.contains("all 1000 attempts failed")
            && message.contains(" more attempts failed for other reasons"),
        "{message}"
    );
    assert!(message.len() < 6000, "{} characters", message.len());
}
