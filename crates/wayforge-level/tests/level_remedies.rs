//! Repairs of levels, and what is said when none helps.

use wayforge_core::Seed;
use wayforge_level::{self as level, Remedy};

fn spec(json: &str) -> level::Spec {
    level::Config::from_json(json.as_bytes()).unwrap().resolve().unwrap()
}

fn fails(seed: u64, json: &str) -> level::Error {
    level::generate(Seed::new(seed), &spec(json)).unwrap_err()
}

#[test]
fn hundreds_of_places_behind_solid_walls_are_joined() {
    let json = r#"{"width":512,"height":512,"interior_walls":"solid","flashlights":500,"attempts":1}"#;
    let level = level::generate(Seed::new(3), &spec(json)).unwrap();
    assert!(level.attempt.repaired.len() > 12, "{}", level.attempt.repaired.len());
    let report = level::validate(&level);
    assert!(report.violations.is_empty(), "{:?}", report.violations);
}

#[test]
fn what_would_make_a_level_whole_is_proved() {
    let mut proved = 0;
    for seed in 0..40 {
        let json = r#"{"width":32,"height":20,"pitfalls":"75%","flashlights":2,"attempts":1}"#;
        let Remedy::Remove(removal) = fails(seed, json).remedy else { panic!("seed {seed}") };
        assert!(!removal.cells.is_empty(), "seed {seed}");
        proved += u32::from(removal.fewest);
    }
    assert_eq!(proved, 40);
}

#[test]
fn nothing_is_offered_where_pinned_cells_are_in_the_way() {
    // The player stands in a ring of pinned pitfalls.
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
    let error = fails(1, &json.to_string());
    assert_eq!(error.remedy, Remedy::Nothing, "{error}");
    assert!(error.to_string().contains("nothing that may be removed"), "{error}");
}

#[test]
fn a_message_stays_short_and_the_value_whole() {
    let error = fails(1, r#"{"width":256,"height":256,"pitfalls":"80%","flashlights":100,"attempts":1}"#);
    let Remedy::Remove(removal) = &error.remedy else { panic!("{error}") };
    assert!(removal.cells.len() > 100);
    assert!(error.to_string().len() < 1_000, "{error}");
    assert!(error.to_string().contains(" more would make the last one whole"), "{error}");
    assert!(error.to_string().starts_with("seed 1: the only attempt"), "{error}");
}

/// A thousand attempts are in the value; the message stays one that can be read.
#[test]
fn many_attempts_are_told_in_few_words() {
    let json = r#"{"width":40,"height":30,"attempts":1000,"walls":"empty","retry":"hash","pitfalls":"80%","repair":false}"#;
    let error = fails(1, json);
    assert_eq!(error.attempts.len(), 1000);
    let told = error.to_string();
    assert!(
        told.contains("none of 1000 attempts") && told.contains(" more attempts failed in other ways"),
        "{told}"
    );
    assert!(told.len() < 6000, "{} characters", told.len());
}
