//! Lists of a sweep that its configuration leaves at their defaults.

use super::range::Range;
use serde_json::Value;
use wayforge::AnySpec;

/// The configuration of a sweep, with a list written out that its field reaches into and that was left at its default. Where a default
/// follows from other fields, writing it out may change the maps: that is refused.
pub(super) fn written_out(range: &Range, base: &AnySpec, config: &Value) -> Result<Value, String> {
    let family = base.family();
    let defaults: Value = serde_json::from_str(&base.config_json()).unwrap_or_default();
    let ways = [false, true].map(|all| range.write_out(config, &defaults, family, all));
    if ways[0] == *config {
        return Ok(config.clone());
    }
    let same = |way: &Value| {
        AnySpec::from_json(family, way.to_string().as_bytes())
            .is_ok_and(|subject| subject.config_json() == base.config_json())
    };
    ways.into_iter().find(same).ok_or_else(|| {
        format!(
            "{}: the list's default follows from other fields; write the list out in the configuration",
            range.field()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wayforge::Family;

    #[test]
    fn what_would_change_the_maps_is_refused() {
        let range: Range = "kinds.kinds[1].weight=1:2:1".parse().unwrap();
        let plain = AnySpec::from_json(Family::Act, b"{}").unwrap();
        let written = written_out(&range, &plain, &json!({})).unwrap();
        assert!(written["kinds"]["kinds"].as_array().is_some_and(|kinds| kinds.len() > 1), "{written}");
        // A field that needs no list leaves the configuration as it is.
        let rows: Range = "rows=10:12:1".parse().unwrap();
        assert_eq!(written_out(&rows, &plain, &json!({})), Ok(json!({})));
        // With the list the file does not make what it makes without it.
        let other = AnySpec::from_json(Family::Act, br#"{"rows":9}"#).unwrap();
        assert!(written_out(&range, &other, &json!({})).unwrap_err().contains("follows from other fields"));
    }
}
