//! Ranges of exact decimal values for `--sweep`, e.g. `wallDensity=0:1:0.05`.

use crate::number::counted;
use serde_json::Value;
use std::str::FromStr;
use wayforge::{AnySpec, Family};

/// Maximum number of values.
const MAX_VALUES: i128 = 201;
/// Maximum number of decimals of a value.
const MAX_DECIMALS: usize = 9;

/// A field of the configuration and its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SweepRange {
    field: String,
    /// From, to and step, in units of the last decimal place.
    from_to_step: [i128; 3],
    decimals: usize,
    percent: bool,
}

impl FromStr for SweepRange {
    type Err = String;

    fn from_str(text: &str) -> Result<SweepRange, String> {
        const USAGE: &str = "write FIELD=FROM:TO:STEP, as in wallDensity=0:1:0.05";
        let (field, values) = text.split_once('=').ok_or_else(|| format!("no field; {USAGE}"))?;
        let parts: Vec<&str> = values.split(':').map(str::trim).collect();
        let &[from, to, step] = parts.as_slice() else {
            return Err(format!("not three numbers; {USAGE}"));
        };
        let field = field.trim();
        if field.is_empty() {
            return Err(format!("no field; {USAGE}"));
        }
        let percents = [from, to, step].map(|text| text.ends_with('%'));
        if percents.contains(&true) && percents.contains(&false) {
            return Err(
                "percentages mixed with plain numbers; write % after all three or after none"
                    .into(),
            );
        }
        let parsed = [from, to, step].map(|text| parse_decimal(text.trim_end_matches('%')));
        let [Some(from), Some(to), Some(step)] = parsed else {
            return Err(format!(
                "\"{values}\": not three numbers with at most {MAX_DECIMALS} decimals; {USAGE}"
            ));
        };
        let decimals = from.1.max(to.1).max(step.1);
        let [from, to, step] =
            [from, to, step].map(|(value, places)| value * 10_i128.pow((decimals - places) as u32));
        if step <= 0 || to < from {
            return Err("the step must be positive and TO not less than FROM".into());
        }
        let count = (to - from) / step + 1;
        if count > MAX_VALUES {
            return Err(format!("{count} values; use a larger step for at most {MAX_VALUES}"));
        }
        Ok(SweepRange {
            field: field.to_owned(),
            from_to_step: [from, to, step],
            decimals,
            percent: percents[0],
        })
    }
}

impl SweepRange {
    /// Returns the field as written by the user.
    pub(super) fn field(&self) -> &str {
        &self.field
    }

    /// Returns the values in order, as text.
    pub(super) fn values(&self) -> Vec<String> {
        let [from, to, step] = self.from_to_step;
        let suffix = if self.percent { "%" } else { "" };
        (0..=(to - from) / step)
            .map(|n| format!("{}{suffix}", format_decimal(from + n * step, self.decimals)))
            .collect()
    }

    /// Returns the configuration with a default list written out if the field is inside that list.
    ///
    /// # Errors
    /// A message if the default depends on other fields, so that writing it out changes the maps.
    pub(super) fn expand_default_list(
        &self,
        base: &AnySpec,
        config: &Value,
    ) -> Result<Value, String> {
        let family = base.family();
        let defaults: Value = serde_json::from_str(&base.config_json()).unwrap_or_default();
        let candidates = [false, true].map(|all| self.insert_list(config, &defaults, family, all));
        if candidates[0] == *config {
            return Ok(config.clone());
        }
        let is_equivalent = |candidate: &Value| {
            AnySpec::from_json(family, candidate.to_string().as_bytes())
                .is_ok_and(|spec| spec.config_json() == base.config_json())
        };
        let problem =
            "the list's default depends on other fields; write the list in the configuration";
        candidates
            .into_iter()
            .find(is_equivalent)
            .ok_or_else(|| format!("{}: {problem}", self.field))
    }

    /// Inserts the default list that contains the field, if the configuration omits it. With `all`,
    /// also inserts the other defaults of the omitted objects around the list.
    fn insert_list(&self, config: &Value, defaults: &Value, family: Family, all: bool) -> Value {
        let mut expanded = config.clone();
        let keys: Vec<String> =
            self.path().iter().map(|part| to_family_case(part, family)).collect();
        let list =
            (1..keys.len()).find(|&n| member(defaults, &keys[..n]).is_some_and(Value::is_array));
        let is_missing = |n: &usize| member(config, &keys[..*n]).is_none_or(Value::is_null);
        if let Some(list) = list
            && let Some(missing) = (1..=list).find(is_missing)
            && member(config, &keys[..missing - 1]).is_some_and(Value::is_object)
        {
            let path = if all { &keys[..missing] } else { &keys[..list] };
            // Indexing creates missing objects.
            let target = path.iter().fold(&mut expanded, |target, key| &mut target[key]);
            *target = member(defaults, path).cloned().unwrap_or_default();
        }
        expanded
    }

    /// Splits the field into its names and indices.
    fn path(&self) -> Vec<String> {
        self.field.replace('[', ".").replace(']', "").split('.').map(str::to_owned).collect()
    }

    /// Returns the configuration with the field set to `value`.
    pub(super) fn set_field(
        &self,
        config: &Value,
        value: &str,
        family: Family,
    ) -> Result<Value, String> {
        let value = if self.percent {
            Value::String(value.to_owned())
        } else {
            serde_json::from_str(value).map_err(|error| error.to_string())?
        };
        let mut config = config.clone();
        let mut target = &mut config;
        let parts = self.path();
        for (index, part) in parts.iter().enumerate() {
            let (parent, full) = (parts[..index].join("."), parts[..=index].join("."));
            if part.is_empty() {
                return Err(format!("{}: empty name; write names separated by dots", self.field));
            }
            target = match target {
                // Indexing creates a missing object.
                Value::Null | Value::Object(_) => &mut target[to_family_case(part, family)],
                Value::Array(items) => {
                    let (count, index) = (items.len(), part.parse::<usize>().ok());
                    index.and_then(|index| items.get_mut(index)).ok_or_else(|| {
                        format!("{full}: {parent} has {}, counted from 0", counted(count, "item"))
                    })?
                }
                _ => return Err(format!("{full}: {parent} is a value without fields")),
            };
        }
        *target = value;
        Ok(config)
    }
}

/// Returns the value at a path of names.
fn member<'a>(config: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(config, |value, key| value.get(key))
}

/// Converts a field name to the family's case: camelCase for floors and towers, so that
/// `wall_density` works as well.
fn to_family_case(part: &str, family: Family) -> String {
    match family {
        Family::Act | Family::Level => return part.to_owned(),
        Family::Floor | Family::Tower => {}
    }
    let mut words = part.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| {
        let mut letters = word.chars();
        let head: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        all + &head + letters.as_str()
    })
}

/// Parses a threshold from 0 to 1 and returns it in ten-thousandths.
pub(super) fn parse_threshold(text: &str) -> Result<u64, String> {
    let parsed = parse_decimal(text).filter(|&(_, places)| places <= 4);
    let scaled = parsed.map(|(value, places)| value * 10_i128.pow(4 - places as u32));
    scaled
        .filter(|value| (0..=10_000).contains(value))
        .map(|value| value as u64)
        .ok_or_else(|| "out of range; use 0 to 1 with at most four decimals".to_owned())
}

/// Parses a decimal number. Returns its digits as a whole number and the number of decimals.
fn parse_decimal(text: &str) -> Option<(i128, usize)> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits =
        |text: &str, max| text.len() <= max && text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty()
        || digits.ends_with('.')
        || !is_digits(whole, 18)
        || !is_digits(rest, MAX_DECIMALS)
    {
        return None;
    }
    let value: i128 = format!("{whole}{rest}").parse().ok()?;
    Some((sign * value, rest.len()))
}

/// Formats a decimal number without trailing zeros.
fn format_decimal(value: i128, decimals: usize) -> String {
    let power = 10_i128.pow(decimals as u32);
    let (whole, rest) =
        (value.unsigned_abs() / power as u128, value.unsigned_abs() % power as u128);
    let sign = if value < 0 { "-" } else { "" };
    let rest = format!("{rest:0decimals$}");
    match rest.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        rest => format!("{sign}{whole}.{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parses_exact_decimal_values() {
        let values = |text: &str| text.parse::<SweepRange>().unwrap().values();
        assert_eq!(values("a=0:1:0.25"), ["0", "0.25", "0.5", "0.75", "1"]);
        assert_eq!(values("a=0:0.3:0.1"), ["0", "0.1", "0.2", "0.3"]);
        assert_eq!(values("a=-2:3:2"), ["-2", "0", "2"]);
        assert_eq!(values("a=-0.5:0.1:0.3"), ["-0.5", "-0.2", "0.1"]);
        assert_eq!(values("a= 10 : 30:10"), ["10", "20", "30"]);
        assert_eq!(values("pitfalls=0%:1%:0.5%"), ["0%", "0.5%", "1%"]);
        assert_eq!(values("a=0:1:0.05").len(), 21);
        for invalid in [
            "",
            "a",
            "=0:1:1",
            "a=0:1",
            "a=0:1:0",
            "a=1:0:1",
            "a=0:1:0.0000000001",
            "a=0:1e3:1",
            "a=0:1%:1",
            "a=0:1:0.001",
            "a=.5:1:1",
            "a=1.:2:1",
        ] {
            assert!(invalid.parse::<SweepRange>().is_err(), "{invalid}");
        }
        assert_eq!(
            [parse_threshold("0.05"), parse_threshold("1"), parse_threshold("0")],
            [Ok(500), Ok(10_000), Ok(0)]
        );
        assert!(
            ["1.1", "-0.1", "0.00001", "x", ""].iter().all(|text| parse_threshold(text).is_err())
        );
    }

    #[test]
    fn sets_nested_fields() {
        let set = |field: &str, config: Value, family| {
            let range: SweepRange = format!("{field}=0.5:0.5:1").parse().unwrap();
            range.set_field(&config, "0.5", family)
        };
        assert_eq!(set("wall_density", json!({}), Family::Floor), Ok(json!({"wallDensity": 0.5})));
        assert_eq!(
            set("floor.wallDensity", json!({"floors": 3}), Family::Tower),
            Ok(json!({"floors": 3, "floor": {"wallDensity": 0.5}}))
        );
        let curves = json!({"curves": [{"by": 1}]});
        assert_eq!(
            set("curves[0].by", curves.clone(), Family::Tower),
            Ok(json!({"curves": [{"by": 0.5}]}))
        );
        assert!(
            set("curves[1].by", curves, Family::Tower).unwrap_err().contains("has 1 item, counted")
        );
        assert!(
            set("width.x", json!({"width": 3}), Family::Level)
                .unwrap_err()
                .contains("without fields")
        );
        assert!(set("a..b", json!({}), Family::Act).is_err());
    }

    #[test]
    fn inserts_omitted_default_lists() {
        let defaults = json!({
            "width": 3,
            "kinds": {"boss": "b", "kinds": [{"name": "a", "weight": 1}, {"name": "c"}]},
        });
        let insert = |field: &str, config: &Value, all| {
            let range: SweepRange = format!("{field}=1:1:1").parse().unwrap();
            range.insert_list(config, &defaults, Family::Act, all)
        };
        let without = json!({"width": 5});
        let list = &defaults["kinds"]["kinds"];
        assert_eq!(
            insert("kinds.kinds[0].weight", &without, false),
            json!({"width": 5, "kinds": {"kinds": list}})
        );
        assert_eq!(
            insert("kinds.kinds[0].weight", &without, true),
            json!({"width": 5, "kinds": defaults["kinds"]})
        );
        // Given fields stay unchanged, and fields outside a list insert nothing.
        let partial = json!({"kinds": {"boss": "x"}});
        let with = json!({"kinds": {"boss": "x", "kinds": list}});
        for all in [false, true] {
            assert_eq!(insert("kinds.kinds[1].weight", &partial, all), with);
        }
        let own_list = json!({"kinds": {"kinds": [{"name": "z"}]}});
        for all in [false, true] {
            assert_eq!(insert("kinds.kinds[0].weight", &own_list, all), own_list);
            assert_eq!(insert("width", &json!({}), all), json!({}));
            assert_eq!(insert("kinds.search", &json!({}), all), json!({}));
            assert_eq!(insert("nothing[0].here", &json!({}), all), json!({}));
        }
    }

    #[test]
    fn rejects_expansion_that_changes_the_maps() {
        let range: SweepRange = "kinds.kinds[1].weight=1:2:1".parse().unwrap();
        let plain = AnySpec::from_json(Family::Act, b"{}").unwrap();
        let expanded = range.expand_default_list(&plain, &json!({})).unwrap();
        assert!(
            expanded["kinds"]["kinds"].as_array().is_some_and(|kinds| kinds.len() > 1),
            "{expanded}"
        );
        // A field outside a list leaves the configuration unchanged.
        let rows: SweepRange = "rows=10:12:1".parse().unwrap();
        assert_eq!(rows.expand_default_list(&plain, &json!({})), Ok(json!({})));
        // The default list depends on the number of rows, so writing it out changes the maps.
        let other = AnySpec::from_json(Family::Act, br#"{"rows":9}"#).unwrap();
        assert!(
            range
                .expand_default_list(&other, &json!({}))
                .unwrap_err()
                .contains("depends on other fields")
        );
    }
}
