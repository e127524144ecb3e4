//! Documents of levels: read back as written, and refused in any other form.

use wayforge_core::{Document, Seed};
use wayforge_level::{self as level, Level, validate};

fn sample() -> Level {
    let config = r#"{"width": 17, "height": 11, "exits": ["top", "left"], "fuel": "refuel_chain", "reinforced": "20%",
        "fall_spawn_zones": [{"x": 3, "y": 3, "width": 2, "height": 2}], "fall_spawn_floor_ratio": 0.05, "plants": 3,
        "moving_floors": "4%", "marks": [{"name": "key", "count": 2, "cells": [[4, 4]]}],
        "objectives": [{"steps": ["P", "key", "E"]}]}"#;
    let spec = level::Config::from_json(config.as_bytes()).unwrap().resolve().unwrap();
    level::generate(Seed::new(3), &spec).unwrap()
}

/// Decodes a document with another map, sealed as if it were meant.
fn resealed(document: &Document, map: String) -> Result<Level, String> {
    let mut document = Document { map, ..document.clone() };
    document.digest = document.computed_digest();
    let text = document.to_text();
    let level = Level::decode(text.as_bytes()).map_err(|error| error.to_string())?;
    assert_eq!(level.to_document().to_text(), text, "what is accepted is written the same way");
    Ok(level)
}

/// The bounds of every value in a text of JSON without spaces: texts, numbers, words, lists and objects, not keys.
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
fn levels_are_read_back() {
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
fn a_changed_byte_is_told_by_the_digest() {
    let text = sample().to_document().to_text();
    for (from, to) in [(".1", "1."), ("\"seed\":\"3\"", "\"seed\":\"4\""), ("\"index\":0", "\"index\":1")] {
        assert!(text.contains(from), "{from}");
        let error = Level::decode(text.replacen(from, to, 1).as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("digest: "), "{error}");
    }
}

#[test]
fn every_member_is_needed_in_its_own_form() {
    let document = sample().to_document();
    let json = &document.map;
    let places = values(json);
    assert!(places.len() > 100);
    let mut accepted = 0;
    for &(start, end) in &places {
        let old = &json[start..end];
        for new in
            ["null", "{}", "[]", "-1", "1.5", "70000", "\"\"", "true", "false", "[[0,0]]", "[\"\"]", "0"]
        {
            if new == old {
                continue;
            }
            let changed = format!("{}{new}{}", &json[..start], &json[end..]);
            // A level that can be read may be wrong; then the judge says so.
            if let Ok(level) = resealed(&document, changed) {
                accepted += 1;
                assert!(!validate(&level).is_valid(), "{new} for {old} at {start}");
            }
        }
    }
    assert!(accepted > 0, "some damage is for the judge");
}

#[test]
fn no_member_may_be_missing_or_added() {
    let document = sample().to_document();
    let json = &document.map;
    let mut keys = 0;
    for (start, end) in values(json) {
        // A member is a value with its key before it.
        if json.as_bytes()[start.saturating_sub(1)] != b':' {
            continue;
        }
        keys += 1;
        let key = json[..start - 2].rfind('"').unwrap();
        let rest = json[end..].strip_prefix(',').unwrap_or(&json[end..]);
        let before = if rest.starts_with('}') { json[..key].trim_end_matches(',') } else { &json[..key] };
        let name = &json[key..start - 1];
        let missing = resealed(&document, format!("{before}{rest}"));
        assert!(missing.is_err(), "{name} may not be missing");
        let twice =
            resealed(&document, format!("{}{name}:{},{}", &json[..key], &json[start..end], &json[key..]));
        assert!(twice.is_err(), "{name} stands twice");
        let more = resealed(&document, format!("{}\"more\":0,{}", &json[..key], &json[key..]));
        assert!(more.is_err(), "more than {name}");
    }
    assert!(keys > 20, "{keys}");
}

#[test]
fn only_the_canonical_form_decodes() {
    let document = sample().to_document();
    let spaced = document.map.replacen(':', ": ", 1);
    assert!(resealed(&document, spaced).is_err());
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
