//! A `MapFloor` as the document of floors types it: any value of the type is validated, and valid ones can be read.

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

/// A floor drawn in characters, in the document's members alone.
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
                'e' => entities.push(json!({"id": format!("goblin {x},{y}"), "kind": "enemy", "pos": pos})),
                _ => {}
            }
            tiles.push(json!({"pos": pos, "kind": kind, "walkable": !"#~".contains(symbol)}));
        }
    }
    json!({"width": rows[0].len(), "height": rows.len(), "seed": "by hand", "tiles": tiles, "entities": entities,
        "entrance": ends[0], "exit": ends[1], "generatedAt": "Tue Nov 17 2026"})
}

fn sample() -> Value {
    // Open tiles that nobody reaches, an enemy beside the entrance and a door that guards nothing: the document allows them.
    drawn(&["<e..#", ".+..#", "...##", "#$#..", "..>#."])
}

fn report(value: &Value) -> wayforge::Report {
    MapFloor::from_value(value.clone()).validate().report
}

fn broken(value: &Value) -> Vec<&'static str> {
    let mut rules: Vec<&str> = report(value).violations.iter().map(|violation| violation.rule.0).collect();
    rules.dedup();
    rules
}

/// Checks a value by the document alone: true if it is a `MapFloor` that can be played.
fn plays(value: &Value) -> bool {
    let whole = |value: &Value| {
        value.as_f64().filter(|n| n.fract() == 0.0 && (0.0..1e6).contains(n)).map(|n| n as usize)
    };
    let pos = |value: &Value| Some((whole(&value["x"])?, whole(&value["y"])?));
    let check = || -> Option<bool> {
        let (width, height) = (whole(&value["width"])?, whole(&value["height"])?);
        let tiles = value["tiles"].as_array()?;
        let mut good = width > 0 && tiles.len() == width * height;
        if !good {
            return None;
        }
        let mut open = BTreeSet::new();
        let mut ends: [Vec<(usize, usize)>; 2] = Default::default();
        for (at, tile) in tiles.iter().enumerate() {
            let here = pos(&tile["pos"])?;
            let kind = tile["kind"].as_str()?;
            let walkable = !matches!(kind, "wall" | "water");
            good &= here == (at % width, at / width) && tile["walkable"].as_bool()? == walkable;
            open.extend(walkable.then_some(here));
            ends[0].extend((kind == "entrance").then_some(here));
            ends[1].extend((kind == "exit").then_some(here));
        }
        let (entrance, exit) = (pos(&value["entrance"])?, pos(&value["exit"])?);
        good &= ends == [vec![entrance], vec![exit]];
        let (mut ids, mut taken) = (BTreeSet::new(), BTreeSet::new());
        for entity in value["entities"].as_array()? {
            let here = pos(&entity["pos"])?;
            good &= ids.insert(entity["id"].as_str()?) && taken.insert(here) && open.contains(&here);
        }
        let (mut reached, mut queue) = (BTreeSet::from([entrance]), VecDeque::from([entrance]));
        while let Some((x, y)) = queue.pop_front() {
            let near = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            queue.extend(near.into_iter().filter(|next| open.contains(next) && reached.insert(*next)));
        }
        Some(good && reached.contains(&exit))
    };
    check().unwrap_or(false)
}

#[test]
fn the_documents_members_alone_are_enough() {
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
    assert!(plays(&sample()));
    let floor = deserialize_floor(&sample().to_string()).unwrap();
    assert_eq!((floor.origin, floor.path.len()), (Origin::Given, 7));
    assert_eq!(floor.ids().next().unwrap().0, "goblin 1,0");
    // The envelope keeps what the floor says, and its document is valid too.
    let document = SavedMap::decode(sample().to_string().as_bytes()).unwrap().to_document().unwrap();
    let report = wayforge::validate_document(&document, false).unwrap();
    assert!(report.is_valid(), "{:?}", report.violations);
    let again: Value = serde_json::from_str(&serialize_floor(&floor)).unwrap();
    assert_eq!(again["seed"], "by hand");
    assert_eq!(again["entities"][0]["id"], "goblin 1,0");
    assert_eq!(deserialize_floor(&again.to_string()).unwrap(), floor);
}

#[test]
fn every_violation_is_reported_with_its_place() {
    type Change<'a> = (&'a dyn Fn(&mut Value), &'a [&'a str]);
    let changes: [Change; 21] = [
        (&|f| f["width"] = json!(7), &["tiles-in-order", "tiles-complete", "ends-in-place", "solvable"]),
        (&|f| f["width"] = json!(5.5), &["whole-numbers"]),
        (&|f| f["height"] = json!(1e300), &["whole-numbers"]),
        (&|f| f["height"] = json!("NaN"), &["member-types"]),
        (&|f| f["tiles"] = json!([]), &["tiles-complete", "ends-in-place", "solvable", "no-stacking"]),
        (&|f| f["tiles"].as_array_mut().unwrap().swap(2, 4), &["tiles-in-order"]),
        (&|f| f["tiles"][3]["pos"]["x"] = json!(-1), &["whole-numbers"]),
        (&|f| f["tiles"][3]["walkable"] = json!(false), &["walkable-by-kind"]),
        (&|f| f["tiles"][3]["kind"] = json!("lava"), &["member-types"]),
        (&|f| f["tiles"][3] = json!(null), &["member-types"]),
        (&|f| f["tiles"][3]["meta"] = json!([1]), &["member-types"]),
        (&|f| f["tiles"][3]["blocksVision"] = json!(1), &["member-types"]),
        (&|f| f["entrance"] = json!({"x": 1, "y": 1}), &["ends-in-place"]),
        (&|f| f["exit"] = json!({"x": 0.5, "y": 9}), &["whole-numbers", "ends-in-place", "solvable"]),
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
    for (at, (change, expected)) in changes.into_iter().enumerate() {
        let mut value = sample();
        change(&mut value);
        assert_eq!(broken(&value), expected, "change {at}");
        assert!(at > 16 || !plays(&value) || expected == ["member-types"], "change {at}");
    }
    let mut two = sample();
    two["tiles"][3]["pos"]["x"] = json!(-1);
    two["exit"]["x"] = json!(null);
    let violations = report(&two).violations;
    let found: Vec<(Rule, &Place)> =
        violations.iter().take(2).map(|violation| (violation.rule, &violation.place)).collect();
    let at = |path: &str| Place::Member(path.to_owned());
    assert_eq!(found, [(rules::MEMBER_TYPES, &at("exit.x")), (rules::WHOLE_NUMBERS, &at("tiles[3].pos.x"))]);
    assert_eq!(violations[1].why, "-1 is not a whole number from 0 to 65534");
    for value in [json!(null), json!("floor"), json!(7), json!([]), json!({})] {
        assert!(!report(&value).is_valid(), "{value}");
        assert!(MapFloor::from_value(value).check_types().is_err());
    }
}

#[test]
fn what_is_missing_is_named_and_what_is_more_is_ignored() {
    for name in ["width", "height", "seed", "tiles", "entities", "entrance", "exit", "generatedAt"] {
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
fn a_generated_floor_keeps_every_rule_and_its_free_members() {
    for (config, seed) in [("{}", 3), (r#"{"templateId":"shop"}"#, 4), (r#"{"width":9,"doorBudget":1}"#, 5)] {
        let config = floor::Config::from_json(config.as_bytes()).unwrap();
        let floor = generate_floor(seed, &config).unwrap();
        let text = serialize_floor(&floor);
        assert_eq!(deserialize_floor(&text).unwrap(), floor);
        let saved = SavedMap::decode(text.as_bytes()).unwrap();
        let report = saved.validate(true).unwrap();
        assert!(report.is_valid() && report.rules.contains(&rules::BUDGETS), "{:?}", report.violations);
        assert_eq!(saved.to_document().unwrap(), floor.to_document());
        let mut value: Value = serde_json::from_str(&text).unwrap();
        value["entities"][0]["data"] = json!({"hp": 3, "name": "Ann"});
        value["tiles"][0]["meta"] = json!({"seen": true, "generatedAt": "now"});
        value["generatedAt"] = json!("Tue Nov 17 2026 20:06:23 GMT+0100 (Central European Standard Time)");
        let saved = SavedMap::decode(value.to_string().as_bytes()).unwrap();
        assert!(saved.validate(true).unwrap().is_valid());
        // The envelope's digest covers the free members, and nothing compares them with the generated ones.
        let document = saved.to_document().unwrap();
        assert!(wayforge::validate_document(&document, true).unwrap().is_valid());
        assert_ne!(document.digest, floor.to_document().digest);
        let text = serialize_floor(&deserialize_floor(&document.to_text()).unwrap());
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        value["entities"].as_array_mut().unwrap().pop();
        let report = SavedMap::decode(value.to_string().as_bytes()).unwrap().validate(true).unwrap();
        assert!(!report.holds(rules::BUDGETS) && !report.holds(wayforge::REPRODUCIBLE));
    }
    let report = SavedMap::decode(sample().to_string().as_bytes()).unwrap().validate(true).unwrap();
    assert_eq!(report.violations[0].why, "the floor has no config to generate it from");
}

#[test]
fn text_that_spells_a_number_is_not_a_number() {
    for text in ["NaN", "Infinity", "-Infinity", "5"] {
        let mut value = sample();
        value["exit"]["x"] = json!(text);
        let error = MapFloor::from_value(value.clone()).check_types().unwrap_err().to_string();
        assert_eq!(error, format!("exit.x: \"{text}\" is not a number"));
        assert!(SavedMap::decode(value.to_string().as_bytes()).unwrap().to_document().is_err());
        // A caller whose numbers are not all finite names those that are not.
        value["seed"] = json!(null);
        let given =
            [("exit.x", text), ("seed", "NaN")].map(|(path, text)| (path.to_owned(), text.to_owned()));
        let violations = MapFloor::from_value(value).with_non_finite(given).validate().report.violations;
        assert_eq!(violations[0].to_string(), "member-types at seed: NaN is not a string");
        let why = format!("whole-numbers at exit.x: {text} is not a whole number from 0 to 65534");
        assert_eq!(violations[1].to_string(), why);
    }
}

/// A number of TypeScript's type `number` that JSON can write; `null` stands for the others.
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

fn free() -> impl Strategy<Value = Option<Value>> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|b| json!(b)),
        number(),
        ".*".prop_map(Value::from)
    ];
    let value =
        leaf.prop_recursive(3, 16, 4, |inner| prop::collection::vec(inner, 0..4).prop_map(Value::from));
    prop::option::of(prop::collection::btree_map(".{0,8}", value, 0..3).prop_map(|map| json!(map)))
}

fn with(mut object: Value, name: &str, value: Option<Value>) -> Value {
    object.as_object_mut().unwrap().extend(value.map(|value| (name.to_owned(), value)));
    object
}

/// Any value of the document's type `MapFloor`.
fn any_map_floor() -> impl Strategy<Value = Value> {
    let tile =
        (vec2(), prop::sample::select(&KINDS[..]), any::<bool>(), prop::option::of(any::<bool>()), free())
            .prop_map(|(pos, kind, walkable, blocks, meta)| {
                let tile = json!({"pos": pos, "kind": kind, "walkable": walkable});
                with(with(tile, "blocksVision", blocks.map(Value::from)), "meta", meta)
            });
    let entity = (".{0,4}", prop::sample::select(&["enemy", "item", "relic", "npc"][..]), vec2(), free())
        .prop_map(|(id, kind, pos, data)| with(json!({"id": id, "kind": kind, "pos": pos}), "data", data));
    let lists = (prop::collection::vec(tile, 0..12), prop::collection::vec(entity, 0..4));
    (number(), number(), ".*", lists, vec2(), vec2(), ".*", prop::option::of(".*")).prop_map(
        |(width, height, seed, (tiles, entities), entrance, exit, time, version)| {
            let floor = json!({"width": width, "height": height, "seed": seed, "tiles": tiles, "entities": entities,
                "entrance": entrance, "exit": exit, "generatedAt": time});
            with(floor, "version", version.map(Value::from))
        },
    )
}

/// A floor that is right but for a few random changes, all of them within the type.
fn nearly_right() -> impl Strategy<Value = Value> {
    let change = (0_usize..12, 0_usize..25, vec2(), any::<bool>(), number());
    prop::collection::vec(change, 0..4).prop_map(|changes| {
        let mut floor = sample();
        for (what, at, pos, flag, number) in changes {
            let tiles = floor["tiles"].as_array().map_or(0, Vec::len);
            if at >= tiles {
                continue;
            }
            match what {
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
                    floor["tiles"][at] =
                        json!({"pos": {"x": at % 5, "y": at / 5}, "kind": "floor", "walkable": true})
                }
                10 => floor["tiles"][at]["meta"] = json!({"number": number}),
                _ => floor["generatedAt"] = json!("whenever"),
            }
        }
        floor
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_of_the_type_is_validated(value in any_map_floor()) {
        let report = report(&value);
        prop_assert_eq!(report.is_valid(), plays(&value), "{:?}", report.violations);
        let floor = MapFloor::from_value(value);
        prop_assert!(floor.to_floor().is_err() || report.holds(rules::WHOLE_NUMBERS));
    }

    #[test]
    fn floors_with_a_few_changes_are_judged_as_by_an_independent_check(value in nearly_right()) {
        let report = report(&value);
        prop_assert_eq!(report.is_valid(), plays(&value), "{:?}", report.violations);
    }

    #[test]
    fn any_json_is_validated(text in r#"\{("(tiles|entities|width|entrance|config|path|origin)":(\[\]|\{\}|3|"x"|null|\[null\]|\[\{"pos":\{\}\}\]),){1,3}"seed":"a"\}"#) {
        let value: Value = serde_json::from_str(&text).unwrap();
        prop_assert!(!report(&value).is_valid());
        if let Ok(saved) = SavedMap::decode(text.as_bytes()) {
            prop_assert!(!saved.validate(true).unwrap().is_valid());
            prop_assert!(saved.to_document().is_err());
        }
    }
}
