//! `MapFloor` of the floor specification: any JSON value can be validated, valid ones decoded.

use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use wayforge::floor::{
    self, MapFloor, Origin,
    compat::{deserialize_floor, generate_floor, serialize_floor},
    rules,
};
use wayforge::{Place, Rule, SavedMap};

const KINDS: [&str; 8] = ["floor", "wall", "entrance", "exit", "door", "trap", "chest", "water"];

/// Returns a floor drawn in characters, with the members of the specification only.
fn drawn(rows: &[&str]) -> Value {
    let (mut tiles, mut entities) = (Vec::new(), Vec::new());
    let mut ends = [json!(null), json!(null)];
    for (y, row) in rows.iter().enumerate() {
        for (x, symbol) in row.chars().enumerate() {
            let pos = json!({"x": x, "y": y});
            let kind = match symbol {
                '#' => "wall",
                '~' => "water",
                '<' => "entrance",
                '>' => "exit",
                '$' => "chest",
                '+' => "door",
                '^' => "trap",
                _ => "floor",
            };
            match symbol {
                '<' => ends[0] = pos.clone(),
                '>' => ends[1] = pos.clone(),
                'e' => entities
                    .push(json!({"id": format!("goblin {x},{y}"), "kind": "enemy", "pos": pos})),
                _ => {}
            }
            tiles.push(json!({"pos": pos, "kind": kind, "walkable": !"#~".contains(symbol)}));
        }
    }
    json!({
        "width": rows[0].len(), "height": rows.len(), "seed": "by hand", "tiles": tiles,
        "entities": entities, "entrance": ends[0], "exit": ends[1],
        "generatedAt": "Tue Nov 17 2026",
    })
}

fn sample() -> Value {
    // Unreachable open tiles, an enemy next to the entrance and a door that separates nothing: the
    // specification allows them.
    drawn(&["<e..#", ".+..#", "...##", "#$#..", "..>#."])
}

fn report(value: &Value) -> wayforge::Report {
    MapFloor::from_value(value.clone()).validate().report
}

/// Returns the names of the violated rules, in the order of the report.
fn violated_rules(value: &Value) -> Vec<&'static str> {
    let mut rules: Vec<&str> =
        report(value).violations.iter().map(|violation| violation.rule.0).collect();
    rules.dedup();
    rules
}

/// Checks a value by the specification alone: true if it is a playable `MapFloor`.
fn is_playable(value: &Value) -> bool {
    let integer = |value: &Value| {
        value.as_f64().filter(|n| n.fract() == 0.0 && (0.0..1e6).contains(n)).map(|n| n as usize)
    };
    let pos = |value: &Value| Some((integer(&value["x"])?, integer(&value["y"])?));
    let check = || -> Option<bool> {
        let (width, height) = (integer(&value["width"])?, integer(&value["height"])?);
        let tiles = value["tiles"].as_array()?;
        let mut valid = width > 0 && tiles.len() == width * height;
        if !valid {
            return None;
        }
        let mut open = BTreeSet::new();
        let mut ends: [Vec<(usize, usize)>; 2] = Default::default();
        for (at, tile) in tiles.iter().enumerate() {
            let cell = pos(&tile["pos"])?;
            let kind = tile["kind"].as_str()?;
            let walkable = !matches!(kind, "wall" | "water");
            valid &= cell == (at % width, at / width) && tile["walkable"].as_bool()? == walkable;
            open.extend(walkable.then_some(cell));
            ends[0].extend((kind == "entrance").then_some(cell));
            ends[1].extend((kind == "exit").then_some(cell));
        }
        let (entrance, exit) = (pos(&value["entrance"])?, pos(&value["exit"])?);
        valid &= ends == [vec![entrance], vec![exit]];
        let (mut ids, mut taken) = (BTreeSet::new(), BTreeSet::new());
        for entity in value["entities"].as_array()? {
            let cell = pos(&entity["pos"])?;
            valid &=
                ids.insert(entity["id"].as_str()?) && taken.insert(cell) && open.contains(&cell);
        }
        let (mut reached, mut queue) = (BTreeSet::from([entrance]), VecDeque::from([entrance]));
        while let Some((x, y)) = queue.pop_front() {
            let neighbours =
                [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            queue.extend(
                neighbours.into_iter().filter(|next| open.contains(next) && reached.insert(*next)),
            );
        }
        Some(valid && reached.contains(&exit))
    };
    check().unwrap_or(false)
}

#[test]
fn floors_with_the_specified_members_only_are_valid() {
    let report = report(&sample());
    assert!(report.is_valid(), "{:?}", report.violations);
    let names: Vec<&str> = report.rules.iter().map(|rule| rule.0).collect();
    assert_eq!(
        names,
        [
            "member-types",
            "whole-numbers",
            "tiles-in-order",
            "walkable-by-kind",
            "tiles-complete",
            "ends-in-place",
            "solvable",
            "no-stacking",
            "unique-ids"
        ]
    );
    assert!(is_playable(&sample()));
    let floor = deserialize_floor(&sample().to_string()).unwrap();
    assert_eq!((floor.origin, floor.path.len()), (Origin::Given, 7));
    assert_eq!(floor.ids().next().unwrap().0, "goblin 1,0");
    // The document with an envelope preserves the floor and is valid too.
    let document =
        SavedMap::decode(sample().to_string().as_bytes()).unwrap().to_document().unwrap();
    let report = wayforge::validate_document(&document, false).unwrap();
    assert!(report.is_valid(), "{:?}", report.violations);
    let again: Value = serde_json::from_str(&serialize_floor(&floor)).unwrap();
    assert_eq!(again["seed"], "by hand");
    assert_eq!(again["entities"][0]["id"], "goblin 1,0");
    assert_eq!(deserialize_floor(&again.to_string()).unwrap(), floor);
}

#[test]
fn reports_every_violation_with_its_location() {
    type Change<'a> = (&'a dyn Fn(&mut Value), &'a [&'a str]);
    let changes: [Change; 21] = [
        (
            &|f| f["width"] = json!(7),
            &["tiles-in-order", "tiles-complete", "ends-in-place", "solvable"],
        ),
        (&|f| f["width"] = json!(5.5), &["whole-numbers"]),
        (&|f| f["height"] = json!(1e300), &["whole-numbers"]),
        (&|f| f["height"] = json!("NaN"), &["member-types"]),
        (
            &|f| f["tiles"] = json!([]),
            &["tiles-complete", "ends-in-place", "solvable", "no-stacking"],
        ),
        (&|f| f["tiles"].as_array_mut().unwrap().swap(2, 4), &["tiles-in-order"]),
        (&|f| f["tiles"][3]["pos"]["x"] = json!(-1), &["whole-numbers"]),
        (&|f| f["tiles"][3]["walkable"] = json!(false), &["walkable-by-kind"]),
        (&|f| f["tiles"][3]["kind"] = json!("lava"), &["member-types"]),
        (&|f| f["tiles"][3] = json!(null), &["member-types"]),
        (&|f| f["tiles"][3]["meta"] = json!([1]), &["member-types"]),
        (&|f| f["tiles"][3]["blocksVision"] = json!(1), &["member-types"]),
        (&|f| f["entrance"] = json!({"x": 1, "y": 1}), &["ends-in-place"]),
        (
            &|f| f["exit"] = json!({"x": 0.5, "y": 9}),
            &["whole-numbers", "ends-in-place", "solvable"],
        ),
        (&|f| f["entities"][0]["pos"] = json!({"x": 70, "y": 0}), &["no-stacking"]),
        (&|f| f["entities"][0]["pos"] = json!({"x": 4, "y": 0}), &["no-stacking"]),
        (
            &|f| {
                let first = f["entities"][0].clone();
                f["entities"].as_array_mut().unwrap().push(first);
            },
            &["no-stacking", "unique-ids"],
        ),
        (&|f| f["path"] = json!([{"x": 0, "y": 0}]), &["path-witness"]),
        (&|f| f["origin"] = json!({"by": "magic"}), &["member-types"]),
        (&|f| f["config"] = json!({"width": 2}), &["config-agrees"]),
        (&|f| f["config"] = json!({}), &["budgets"]),
    ];
    for (index, (change, expected)) in changes.into_iter().enumerate() {
        let mut value = sample();
        change(&mut value);
        assert_eq!(violated_rules(&value), expected, "change {index}");
        assert!(
            index > 16 || !is_playable(&value) || expected == ["member-types"],
            "change {index}"
        );
    }
    let mut twice_invalid = sample();
    twice_invalid["tiles"][3]["pos"]["x"] = json!(-1);
    twice_invalid["exit"]["x"] = json!(null);
    let violations = report(&twice_invalid).violations;
    let found: Vec<(Rule, &Place)> =
        violations.iter().take(2).map(|violation| (violation.rule, &violation.place)).collect();
    let at = |path: &str| Place::Member(path.to_owned());
    assert_eq!(
        found,
        [(rules::MEMBER_TYPES, &at("exit.x")), (rules::WHOLE_NUMBERS, &at("tiles[3].pos.x"))]
    );
    assert_eq!(violations[1].why, "-1 is not a whole number from 0 to 65534");
    for value in [json!(null), json!("floor"), json!(7), json!([]), json!({})] {
        assert!(!report(&value).is_valid(), "{value}");
        assert!(MapFloor::from_value(value).check_types().is_err());
    }
}

#[test]
fn reports_missing_members_and_ignores_unknown_ones() {
    for name in ["width", "height", "seed", "tiles", "entities", "entrance", "exit", "generatedAt"]
    {
        let mut value = sample();
        value.as_object_mut().unwrap().remove(name);
        let error = MapFloor::from_value(value).check_types().unwrap_err().to_string();
        assert_eq!(error, format!("{name}: missing"));
    }
    let mut value = sample();
    value["biome"] = json!("swamp");
    assert!(report(&value).is_valid());
}

#[test]
fn generated_floors_are_valid_and_preserve_additional_members() {
    for (config, seed) in
        [("{}", 3), (r#"{"templateId":"shop"}"#, 4), (r#"{"width":9,"doorBudget":1}"#, 5)]
    {
        let config = floor::Config::from_json(config.as_bytes()).unwrap();
        let floor = generate_floor(seed, &config).unwrap();
        let text = serialize_floor(&floor);
        assert_eq!(deserialize_floor(&text).unwrap(), floor);
        let saved = SavedMap::decode(text.as_bytes()).unwrap();
        let report = saved.validate(true).unwrap();
        assert!(
            report.is_valid() && report.rules.contains(&rules::BUDGETS),
            "{:?}",
            report.violations
        );
        assert_eq!(saved.to_document().unwrap(), floor.to_document());
        let mut value: Value = serde_json::from_str(&text).unwrap();
        value["entities"][0]["data"] = json!({"hp": 3, "name": "Ann"});
        value["tiles"][0]["meta"] = json!({"seen": true, "generatedAt": "now"});
        value["generatedAt"] =
            json!("Tue Nov 17 2026 20:06:23 GMT+0100 (Central European Standard Time)");
        let saved = SavedMap::decode(value.to_string().as_bytes()).unwrap();
        assert!(saved.validate(true).unwrap().is_valid());
        // The digest covers the additional members; reproduction does not compare them.
        let document = saved.to_document().unwrap();
        assert!(wayforge::validate_document(&document, true).unwrap().is_valid());
        assert_ne!(document.digest, floor.to_document().digest);
        let text = serialize_floor(&deserialize_floor(&document.to_text()).unwrap());
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        value["entities"].as_array_mut().unwrap().pop();
        let report =
            SavedMap::decode(value.to_string().as_bytes()).unwrap().validate(true).unwrap();
        assert!(!report.passes(rules::BUDGETS) && !report.passes(wayforge::REPRODUCIBLE));
    }
    let report = SavedMap::decode(sample().to_string().as_bytes()).unwrap().validate(true).unwrap();
    assert_eq!(report.violations[0].why, "the floor has no config to generate it from");
}

#[test]
fn rejects_numbers_written_as_text() {
    for text in ["NaN", "Infinity", "-Infinity", "5"] {
        let mut value = sample();
        value["exit"]["x"] = json!(text);
        let error = MapFloor::from_value(value.clone()).check_types().unwrap_err().to_string();
        assert_eq!(error, format!("exit.x: \"{text}\" is not a number"));
        assert!(SavedMap::decode(value.to_string().as_bytes()).unwrap().to_document().is_err());
        // Callers pass non-finite numbers, which JSON cannot represent, separately.
        value["seed"] = json!(null);
        let given = [("exit.x", text), ("seed", "NaN")]
            .map(|(path, text)| (path.to_owned(), text.to_owned()));
        let violations =
            MapFloor::from_value(value).with_non_finite(given).validate().report.violations;
        assert_eq!(violations[0].to_string(), "member-types at seed: NaN is not a string");
        let why = format!("whole-numbers at exit.x: {text} is not a whole number from 0 to 65534");
        assert_eq!(violations[1].to_string(), why);
    }
}

/// A number of TypeScript's type `number` that JSON can write; `null` represents the others.
fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        20 => (0_u32..6).prop_map(|n| json!(n)),
        1 => any::<f64>().prop_map(|n| json!(n)),
        1 => any::<i64>().prop_map(|n| json!(n)),
        1 => Just(json!(2.5)),
    ]
}

fn vec2() -> impl Strategy<Value = Value> {
    (number(), number()).prop_map(|(x, y)| json!({"x": x, "y": y}))
}

/// An object with any members, or none.
fn optional_object() -> impl Strategy<Value = Option<Value>> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|b| json!(b)),
        number(),
        ".*".prop_map(Value::from)
    ];
    let value = leaf
        .prop_recursive(3, 16, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Value::from));
    prop::option::of(prop::collection::btree_map(".{0,8}", value, 0..3).prop_map(|map| json!(map)))
}

fn with(mut object: Value, name: &str, value: Option<Value>) -> Value {
    object.as_object_mut().unwrap().extend(value.map(|value| (name.to_owned(), value)));
    object
}

/// Any value of the type `MapFloor` of the specification.
fn any_map_floor() -> impl Strategy<Value = Value> {
    let tile = (
        vec2(),
        prop::sample::select(&KINDS[..]),
        any::<bool>(),
        prop::option::of(any::<bool>()),
        optional_object(),
    )
        .prop_map(|(pos, kind, walkable, blocks, meta)| {
            let tile = json!({"pos": pos, "kind": kind, "walkable": walkable});
            with(with(tile, "blocksVision", blocks.map(Value::from)), "meta", meta)
        });
    let entity = (
        ".{0,4}",
        prop::sample::select(&["enemy", "item", "relic", "npc"][..]),
        vec2(),
        optional_object(),
    )
        .prop_map(|(id, kind, pos, data)| {
            with(json!({"id": id, "kind": kind, "pos": pos}), "data", data)
        });
    let lists = (prop::collection::vec(tile, 0..12), prop::collection::vec(entity, 0..4));
    (number(), number(), ".*", lists, vec2(), vec2(), ".*", prop::option::of(".*")).prop_map(
        |(width, height, seed, (tiles, entities), entrance, exit, time, version)| {
            let floor = json!({
                "width": width, "height": height, "seed": seed, "tiles": tiles,
                "entities": entities, "entrance": entrance, "exit": exit, "generatedAt": time,
            });
            with(floor, "version", version.map(Value::from))
        },
    )
}

/// A valid floor with a few random changes that respect the type.
fn changed_floor() -> impl Strategy<Value = Value> {
    let change = (0_usize..12, 0_usize..25, vec2(), any::<bool>(), number());
    prop::collection::vec(change, 0..4).prop_map(|changes| {
        let mut floor = sample();
        for (kind, at, pos, flag, number) in changes {
            let tiles = floor["tiles"].as_array().map_or(0, Vec::len);
            if at >= tiles {
                continue;
            }
            match kind {
                0 => floor["tiles"][at]["walkable"] = json!(flag),
                1 => floor["tiles"][at]["kind"] = json!(KINDS[at % 8]),
                2 => floor["tiles"][at]["pos"] = pos,
                3 => floor["entities"][0]["pos"] = pos,
                4 => floor["entrance"] = pos,
                5 => floor["exit"] = pos,
                6 => floor["width"] = number,
                7 => floor["tiles"].as_array_mut().unwrap().truncate(at),
                8 => {
                    let id = if flag { "goblin 1,0" } else { "enemy-1" };
                    let entity = json!({"id": id, "kind": "npc", "pos": pos});
                    floor["entities"].as_array_mut().unwrap().push(entity);
                }
                9 => {
                    let pos = json!({"x": at % 5, "y": at / 5});
                    floor["tiles"][at] = json!({"pos": pos, "kind": "floor", "walkable": true});
                }
                10 => floor["tiles"][at]["meta"] = json!({"number": number}),
                _ => floor["generatedAt"] = json!("whenever"),
            }
        }
        floor
    })
}

/// Regular expression of JSON objects with some members of a `MapFloor`. No such object is valid.
const INVALID_FLOORS: &str = concat!(
    r#"\{("(tiles|entities|width|entrance|config|path|origin)":"#,
    r#"(\[\]|\{\}|3|"x"|null|\[null\]|\[\{"pos":\{\}\}\]),){1,3}"seed":"a"\}"#,
);

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_value_of_the_type_is_validated(value in any_map_floor()) {
        let report = report(&value);
        prop_assert_eq!(report.is_valid(), is_playable(&value), "{:?}", report.violations);
        let floor = MapFloor::from_value(value);
        prop_assert!(floor.to_floor().is_err() || report.passes(rules::WHOLE_NUMBERS));
    }

    #[test]
    fn validation_agrees_with_an_independent_check_on_changed_floors(value in changed_floor()) {
        let report = report(&value);
        prop_assert_eq!(report.is_valid(), is_playable(&value), "{:?}", report.violations);
    }

    #[test]
    fn objects_with_some_members_are_invalid(text in INVALID_FLOORS) {
        let value: Value = serde_json::from_str(&text).unwrap();
        prop_assert!(!report(&value).is_valid());
        if let Ok(saved) = SavedMap::decode(text.as_bytes()) {
            prop_assert!(!saved.validate(true).unwrap().is_valid());
            prop_assert!(saved.to_document().is_err());
        }
    }
}
