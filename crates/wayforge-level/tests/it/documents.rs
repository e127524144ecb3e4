//! Documents of levels: canonical documents round-trip, all others are rejected.

use wayforge_core::{Document, Seed};
use wayforge_level::{self as level, Level, validate};

fn sample() -> Level {
    let config = r#"{"width": 17, "height": 11, "exits": ["top", "left"], "fuel": "refuel_chain",
        "fall_spawn_zones": [{"x": 3, "y": 3, "width": 2, "height": 2}],
        "fall_spawn_floor_ratio": 0.05, "reinforced": "20%", "plants": 3,
        "moving_floors": "4%", "marks": [{"name": "key", "count": 2, "cells": [[4, 4]]}],
        "objectives": [{"steps": ["P", "key", "E"]}]}"#;
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    level::generate(Seed::new(3), &spec).unwrap()
}

/// Decodes a document with another map and a matching digest.
fn decode_with_map(document: &Document, map: String) -> Result<Level, String> {
    let mut document = Document { map, ..document.clone() };
    document.digest = document.computed_digest();
    let text = document.to_text();
    let level = Level::decode(text.as_bytes()).map_err(|error| error.to_string())?;
    assert_eq!(level.to_document().to_text(), text, "accepted documents are canonical");
    Ok(level)
}

/// Returns the range of every value in JSON text without spaces, except keys.
fn values(json: &str) -> Vec<(usize, usize)> {
    let bytes = json.as_bytes();
    let (mut found, mut open, mut at) = (Vec::new(), Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'"' => {
                at += 2 + json[at + 1..].find('"').unwrap();
                if bytes.get(at) != Some(&b':') {
                    found.push((start, at));
                }
                continue;
            }
            b'[' | b'{' => open.push(at),
            b']' | b'}' => found.push((open.pop().unwrap(), at + 1)),
            b',' | b':' => {}
            _ => {
                at += json[at..].find([',', ']', '}']).unwrap();
                found.push((start, at));
                continue;
            }
        }
        at += 1;
    }
    found
}

#[test]
fn levels_round_trip() {
    let level = sample();
    let text = level.to_document().to_text();
    assert_eq!(Level::decode(text.as_bytes()).unwrap(), level);
    assert!(validate(&Level::decode(text.as_bytes()).unwrap()).is_valid());
    for seed in 0..50 {
        let level = level::generate(Seed::new(seed), &level.spec).unwrap();
        assert_eq!(Level::decode(level.to_document().to_text().as_bytes()).unwrap(), level);
    }
}

#[test]
fn digest_detects_changed_bytes() {
    let text = sample().to_document().to_text();
    for (from, to) in
        [(".1", "1."), ("\"seed\":\"3\"", "\"seed\":\"4\""), ("\"index\":0", "\"index\":1")]
    {
        assert!(text.contains(from), "{from}");
        let error = Level::decode(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("digest: "), "{error}");
    }
}

#[test]
fn rejects_members_of_other_types() {
    let document = sample().to_document();
    let json = &document.map;
    let places = values(json);
    assert!(places.len() > 100);
    let mut accepted = 0;
    for &(start, end) in &places {
        let old = &json[start..end];
        for new in [
            "null", "{}", "[]", "-1", "1.5", "70000", "\"\"", "true", "false", "[[0,0]]", "[\"\"]",
            "0",
        ] {
            if new == old {
                continue;
            }
            let changed = format!("{}{new}{}", &json[..start], &json[end..]);
            // A decodable level may be invalid, which the validator reports.
            if let Ok(level) = decode_with_map(&document, changed) {
                accepted += 1;
                assert!(!validate(&level).is_valid(), "{new} for {old} at {start}");
            }
        }
    }
    assert!(accepted > 0, "some damaged documents are decodable");
}

#[test]
fn rejects_missing_and_unknown_members() {
    let document = sample().to_document();
    let json = &document.map;
    let mut keys = 0;
    for (start, end) in values(json) {
        // A member is a key and a value.
        if json.as_bytes()[start.saturating_sub(1)] != b':' {
            continue;
        }
        keys += 1;
        let key = json[..start - 2].rfind('"').unwrap();
        let rest = json[end..].strip_prefix(',').unwrap_or(&json[end..]);
        let before =
            if rest.starts_with('}') { json[..key].trim_end_matches(',') } else { &json[..key] };
        let name = &json[key..start - 1];
        let missing = decode_with_map(&document, format!("{before}{rest}"));
        assert!(missing.is_err(), "{name} must not be missing");
        let twice = decode_with_map(
            &document,
            format!("{}{name}:{},{}", &json[..key], &json[start..end], &json[key..]),
        );
        assert!(twice.is_err(), "duplicate {name}");
        let more =
            decode_with_map(&document, format!("{}\"more\":0,{}", &json[..key], &json[key..]));
        assert!(more.is_err(), "unknown member before {name}");
    }
    assert!(keys > 20, "{keys}");
}

#[test]
fn rejects_non_canonical_documents() {
    let document = sample().to_document();
    let spaced = document.map.replacen(':', ": ", 1);
    assert!(decode_with_map(&document, spaced).is_err());
    let mut short = document.clone();
    short.config = "{}".into();
    short.digest = short.computed_digest();
    assert!(Level::decode(short.to_text().as_bytes()).is_err());
    let mut other = document.clone();
    other.algorithm = "level.blueprint/2".into();
    other.digest = other.computed_digest();
    let error = Level::decode(other.to_text().as_bytes()).unwrap_err().to_string();
    assert!(error.contains("level.blueprint/1"), "{error}");
}
