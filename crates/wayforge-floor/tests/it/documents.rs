//! Documents of floors and towers: round trips, and rejection of damaged documents.

use wayforge_core::{MapRng, Seed};
use wayforge_floor::{
    self as floor, Floor, MapFloor,
    compat::{deserialize_floor, generate_floor, serialize_floor},
    tower::{self, Tower},
};

fn floors() -> Vec<Floor> {
    [
        "{}",
        r#"{"templateId":"shop"}"#,
        r#"{"width":9,"height":3,"doorBudget":1,"waterBudget":1,"wallDensity":1}"#,
    ]
    .iter()
    .flat_map(|text| {
        let config = floor::Config::from_json(text.as_bytes()).unwrap();
        (0..20).map(move |seed| generate_floor(seed, &config).unwrap())
    })
    .collect()
}

#[test]
fn floors_survive_a_round_trip() {
    for mut floor in floors() {
        floor.generated_at = "2026-11-16T08:30:00.000Z".to_owned();
        let text = serialize_floor(&floor);
        assert_eq!(deserialize_floor(&text).unwrap(), floor);
        assert_eq!(serialize_floor(&deserialize_floor(&text).unwrap()), text);
        assert_eq!(MapFloor::from_json(text.as_bytes()).unwrap().to_floor().unwrap(), floor);
        assert_eq!(deserialize_floor(&floor.to_document().to_text()).unwrap(), floor);
    }
}

#[test]
fn map_has_the_fields_of_the_specification() {
    let floor = generate_floor("first light", &floor::Config::default()).unwrap();
    let document: serde_json::Value = serde_json::from_str(&floor.to_document().to_text()).unwrap();
    let mut map: serde_json::Value = serde_json::from_str(&serialize_floor(&floor)).unwrap();
    let config = map.as_object_mut().unwrap().remove("config").unwrap();
    assert_eq!((&document["map"], &document["config"]), (&map, &config));
    for (field, is) in [
        ("width", map["width"] == 5),
        ("height", map["height"] == 5),
        ("seed", map["seed"] == floor.seed.to_string()),
        ("generatedAt", map["generatedAt"] == floor::DEFAULT_GENERATED_AT),
        ("version", map["version"] == "floor.module/1"),
        (
            "entrance",
            map["entrance"]["x"] == floor.entrance.x && map["entrance"]["y"] == floor.entrance.y,
        ),
        ("exit", map["exit"]["x"] == floor.exit.x && map["exit"]["y"] == floor.exit.y),
        ("tiles", map["tiles"].as_array().unwrap().len() == 25),
        ("pos", map["tiles"][7]["pos"] == serde_json::json!({"x": 2, "y": 1})),
        (
            "blocksVision",
            map["tiles"][0]["blocksVision"].is_boolean() && map["tiles"][0]["meta"].is_object(),
        ),
        (
            "entities",
            map["entities"][0]["id"] == "enemy-1" && map["entities"][0]["data"].is_object(),
        ),
    ] {
        assert!(is, "{field}: {map}");
    }
}

#[test]
fn generated_at_is_not_part_of_the_digest() {
    let mut floor = generate_floor(5, &floor::Config::default()).unwrap();
    let before = floor.to_document();
    floor.generated_at = "2026-11-16T08:30:00.000Z".to_owned();
    let after = floor.to_document();
    assert_eq!(before.digest, after.digest);
    assert_eq!(
        before.map.replace(floor::DEFAULT_GENERATED_AT, "2026-11-16T08:30:00.000Z"),
        after.map
    );
}

#[test]
fn rejects_damaged_documents_with_a_path() {
    let floor = generate_floor(5, &floor::Config::default()).unwrap();
    let text = floor.to_document().to_text();
    let error_after_replacing = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let mut document =
            wayforge_core::Document::decode(text.replacen(from, to, 1).as_bytes()).unwrap();
        document.digest = document.computed_digest();
        deserialize_floor(&document.to_text()).unwrap_err().to_string()
    };
    for (from, to, part) in [
        (
            "\"width\":5,\"height\":5,\"seed\"",
            "\"width\":6,\"height\":5,\"seed\"",
            "map.width: 6 does not match config.width",
        ),
        (
            "\"map\":{\"width\":5,\"height\":5,\"seed\":\"5\"",
            "\"map\":{\"width\":5,\"height\":5,\"seed\":\"6\"",
            "map.seed",
        ),
        (
            "\"version\":\"floor.module/1\"",
            "\"version\":\"floor.module/9\"",
            "map.version: \"floor.module/9\" is unknown",
        ),
        (
            "\"algorithm\":\"floor.module/1\"",
            "\"algorithm\":\"floor.module/2\"",
            "algorithm: \"floor.module/2\" is unknown",
        ),
        (
            "{\"pos\":{\"x\":1,\"y\":0}",
            "{\"pos\":{\"x\":2,\"y\":0}",
            "map.tiles[1].pos: should be 1,0",
        ),
        (
            "\"kind\":\"wall\",\"walkable\":false",
            "\"kind\":\"wall\",\"walkable\":true",
            "walkable: should be false",
        ),
        ("\"kind\":\"wall\"", "\"kind\":\"lava\"", "kind: unknown value `lava`"),
        ("\"enemyBudget\":3", "\"enemyBudget\":30", "config.enemyBudget = 30"),
        ("\"wallDensity\":0.5", "\"wallDensity\":0.50", "config: not in canonical form"),
        ("\"path\":[", "\"path\":[{\"x\":-1,\"y\":0},", "map.path[0].x"),
    ] {
        let error = error_after_replacing(from, to);
        assert!(error.contains(part), "{from}: {error}");
    }
    let changed = text.replacen(
        "\"kind\":\"wall\",\"walkable\":false,\"blocksVision\":true",
        "\"kind\":\"water\",\"walkable\":false,\"blocksVision\":false",
        1,
    );
    assert!(deserialize_floor(&changed).unwrap_err().to_string().starts_with("digest: "));
}

#[test]
fn rejects_noise_and_truncation_with_a_position() {
    let text = generate_floor(5, &floor::Config::default()).unwrap().to_document().to_text();
    for end in 0..text.len() {
        let error = Floor::decode(&text.as_bytes()[..end]).unwrap_err().to_string();
        assert!(
            error.contains("line 1 column") || error.contains("line 1, column") || end == 0,
            "{end}: {error}"
        );
    }
    let mut rng = MapRng::from_u64(1);
    let noise: Vec<u8> = (0..1_000_000).map(|_| rng.next_u64() as u8).collect();
    assert!(Floor::decode(&noise).unwrap_err().to_string().starts_with("document: "));
    assert!(Tower::decode(&noise).unwrap_err().to_string().starts_with("document: "));
    // A changed byte is rejected unless it is part of `generatedAt` or white space.
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] = bytes[at].wrapping_add(1 + rng.below(200) as u8);
        if let Ok(floor) = Floor::decode(&bytes) {
            assert_eq!(
                floor.to_document().digest.to_string(),
                text[text.len() - 73..text.len() - 2]
            );
        }
    }
}

#[test]
fn towers_survive_a_round_trip() {
    let spec = tower::Config::default().resolve().unwrap();
    for seed in 0..5 {
        let tower = tower::generate(Seed::new(seed), &spec).unwrap();
        let text = tower.to_document().to_text();
        assert_eq!(Tower::decode(text.as_bytes()).unwrap(), tower);
        assert!(Tower::decode(&text.as_bytes()[..text.len() / 2]).is_err());
        let error = Floor::decode(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("algorithm: \"floor.tower/1\" is unknown"), "{error}");
        assert!(text.len() < 60_000);
    }
}

/// Reports name the member with unusable coordinates, never a cell.
#[test]
fn unusable_coordinates_are_reported_by_member() {
    let floor = floor::generate(7.into(), &floor::Config::default().resolve().unwrap()).unwrap();
    let value: serde_json::Value =
        serde_json::from_str(&floor::compat::serialize_floor(&floor)).unwrap();
    for (pointer, member) in [
        ("/entities/1/pos", "entities[1].pos"),
        ("/entrance", "entrance"),
        ("/exit", "exit"),
        ("/path/0", "path[0]"),
    ] {
        let mut broken = value.clone();
        broken.pointer_mut(pointer).unwrap()["x"] = serde_json::json!(-1.5);
        let report = floor::MapFloor::from_value(broken).validate().report;
        let lines: Vec<String> = report.violations.iter().map(ToString::to_string).collect();
        assert!(lines.iter().all(|line| !line.contains("65535")), "{lines:#?}");
        let named = |line: &String| line.contains(member) && line.contains("no usable coordinates");
        assert!(lines.iter().any(named), "{lines:#?}");
    }
}
