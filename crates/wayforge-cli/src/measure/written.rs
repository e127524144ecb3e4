//! Lists of a sweep that its configuration leaves at their defaults.

use super::range::Range;
use serde_json::Value;
use wayforge_search::Subject;

/// The configuration of a sweep, with a list written out that its field reaches into and that was left at its default. Where a default
/// follows from other fields, writing it out may change the maps: that is refused.
pub(super) fn written_out(range: &Range, base: &Subject, config: &Value) -> Result<Value, String> {
    let family = base.family();
    let defaults: Value = serde_json::from_str(&base.config()).unwrap_or_default();
    let ways = [false, true].map(|all| range.write_out(config, &defaults, family, all));
    if ways[0] == *config {
        return Ok(config.clone());
    }
    let same = |way: &Value| {
        Subject::read(family, way.to_string().as_bytes())
            .is_ok_and(|subject| subject.config() == base.config())
    };
    ways.into_iter().find(same).ok_or_else(|| {
        format!(
            "{}: the list's default follows from other fields; write the list out in the configuration",
            range.field()
        )
    })
}
