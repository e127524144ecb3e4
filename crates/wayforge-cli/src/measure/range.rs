//! Values of a field, exactly: `wallDensity=0:1:0.05`.

use serde_json::Value;
use std::str::FromStr;
use wayforge::{AnySpec, Family};

/// The most values of a sweep.
const POINTS: i128 = 201;
/// The most decimals of a value.
const DECIMALS: usize = 9;

/// A field and the values that it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    field: String,
    /// From, to and step, in units of the last decimal.
    ends: [i128; 3],
    decimals: usize,
    percent: bool,
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Range, String> {
        const WRITE: &str = "write FIELD=FROM:TO:STEP, as in wallDensity=0:1:0.05";
        let (field, values) = text.split_once('=').ok_or_else(|| format!("no field; {WRITE}"))?;
        let parts: Vec<&str> = values.split(':').map(str::trim).collect();
        let &[from, to, step] = parts.as_slice() else { return Err(format!("not three numbers; {WRITE}")) };
        let field = field.trim();
        if field.is_empty() {
            return Err(format!("no field; {WRITE}"));
        }
        let percents = [from, to, step].map(|text| text.ends_with('%'));
        if percents.contains(&true) && percents.contains(&false) {
            return Err(
                "some numbers are percentages and some are not; write % after all three or after none".into(),
            );
        }
        let parsed = [from, to, step].map(|text| decimal(text.trim_end_matches('%')));
        let [Some(from), Some(to), Some(step)] = parsed else {
            return Err(format!("\"{values}\": not three numbers of at most {DECIMALS} decimals; {WRITE}"));
        };
        let decimals = from.1.max(to.1).max(step.1);
        let ends = [from, to, step].map(|(value, places)| value * 10_i128.pow((decimals - places) as u32));
        if ends[2] <= 0 || ends[1] < ends[0] {
            return Err("the step must be more than 0, and the end not below the beginning".into());
        }
        let points = (ends[1] - ends[0]) / ends[2] + 1;
        if points > POINTS {
            return Err(format!("{points} values; at most {POINTS}, so take a larger step"));
        }
        Ok(Range { field: field.to_owned(), ends, decimals, percent: percents[0] })
    }
}

impl Range {
    /// The field, as it was written.
    pub(super) fn field(&self) -> &str {
        &self.field
    }

    /// The values in order, as they are written.
    pub(super) fn values(&self) -> Vec<String> {
        let [from, to, step] = self.ends;
        let sign = if self.percent { "%" } else { "" };
        (0..=(to - from) / step)
            .map(|n| format!("{}{sign}", written(from + n * step, self.decimals)))
            .collect()
    }

    /// The configuration of a sweep, with a list written out that the field reaches into and that was left at its default. Where a
    /// default follows from other fields, writing it out may change the maps: that is rejected.
    pub(super) fn written_out(&self, base: &AnySpec, config: &Value) -> Result<Value, String> {
        let family = base.family();
        let defaults: Value = serde_json::from_str(&base.config_json()).unwrap_or_default();
        let forms = [false, true].map(|all| self.write_out(config, &defaults, family, all));
        if forms[0] == *config {
            return Ok(config.clone());
        }
        let is_same = |form: &Value| {
            AnySpec::from_json(family, form.to_string().as_bytes())
                .is_ok_and(|subject| subject.config_json() == base.config_json())
        };
        let problem = "the list's default follows from other fields; write the list out in the configuration";
        forms.into_iter().find(is_same).ok_or_else(|| format!("{}: {problem}", self.field))
    }

    /// A configuration with the list written out that the field reaches into, if it was left at its default; with `all`,
    /// everything around the list that was left at its default is written out as well.
    fn write_out(&self, config: &Value, defaults: &Value, family: Family, all: bool) -> Value {
        let mut written = config.clone();
        let keys: Vec<String> = self.parts().iter().map(|part| spelled(part, family)).collect();
        let list = (1..keys.len()).find(|&n| member(defaults, &keys[..n]).is_some_and(Value::is_array));
        let is_missing = |n: &usize| member(config, &keys[..*n]).is_none_or(Value::is_null);
        if let Some(list) = list
            && let Some(missing) = (1..=list).find(is_missing)
            && member(config, &keys[..missing - 1]).is_some_and(Value::is_object)
        {
            let path = if all { &keys[..missing] } else { &keys[..list] };
            // Indexing makes objects of what is missing.
            let place = path.iter().fold(&mut written, |place, key| &mut place[key]);
            *place = member(defaults, path).cloned().unwrap_or_default();
        }
        written
    }

    /// The names and places on the way to the field.
    fn parts(&self) -> Vec<String> {
        self.field.replace('[', ".").replace(']', "").split('.').map(str::to_owned).collect()
    }

    /// A configuration with the field set.
    pub(super) fn put(&self, config: &Value, value: &str, family: Family) -> Result<Value, String> {
        let value = match self.percent {
            true => Value::String(value.to_owned()),
            false => serde_json::from_str(value).map_err(|error| error.to_string())?,
        };
        let mut config = config.clone();
        let mut place = &mut config;
        let parts = self.parts();
        for (at, part) in parts.iter().enumerate() {
            let (known, walked) = (parts[..at].join("."), parts[..=at].join("."));
            if part.is_empty() {
                return Err(format!("{}: an empty name; write names with dots between them", self.field));
            }
            place = match place {
                // Indexing makes an object of what is missing.
                Value::Null | Value::Object(_) => &mut place[spelled(part, family)],
                Value::Array(items) => {
                    let (count, index) = (items.len(), part.parse::<usize>().ok());
                    let noun = if count == 1 { "item" } else { "items" };
                    index
                        .and_then(|index| items.get_mut(index))
                        .ok_or_else(|| format!("{walked}: {known} has {count} {noun}, counted from 0"))?
                }
                _ => return Err(format!("{walked}: {known} is a value without fields")),
            };
        }
        *place = value;
        Ok(config)
    }
}

/// The member of a configuration at the end of a path of names.
fn member<'a>(config: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(config, |place, key| place.get(key))
}

/// A field as its family spells it: floors and towers are configured in camelCase, and `wall_density` is understood as well.
fn spelled(part: &str, family: Family) -> String {
    if !matches!(family, Family::Floor | Family::Tower) {
        return part.to_owned();
    }
    let mut words = part.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| {
        let mut letters = word.chars();
        let head: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        all + &head + letters.as_str()
    })
}

/// A threshold from 0 to 1 in ten-thousandths.
pub(super) fn threshold(text: &str) -> Result<u64, String> {
    let read = decimal(text).filter(|&(_, places)| places <= 4);
    let read = read.map(|(value, places)| value * 10_i128.pow(4 - places as u32));
    let read = read.filter(|value| (0..=10_000).contains(value));
    read.map(|value| value as u64)
        .ok_or_else(|| "not a number from 0 to 1 with at most four decimals".to_owned())
}

/// A decimal as a whole number and how many of its digits are decimals.
fn decimal(text: &str) -> Option<(i128, usize)> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |text: &str, most| text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || digits.ends_with('.') || !plain(whole, 18) || !plain(rest, DECIMALS) {
        return None;
    }
    let value: i128 = format!("{whole}{rest}").parse().ok()?;
    Some((sign * value, rest.len()))
}

/// Such a number as text, without zeros at its end.
fn written(value: i128, decimals: usize) -> String {
    let power = 10_i128.pow(decimals as u32);
    let (whole, rest) = (value.unsigned_abs() / power as u128, value.unsigned_abs() % power as u128);
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
    fn values_are_exact() {
        let values = |text: &str| text.parse::<Range>().unwrap().values();
        assert_eq!(values("a=0:1:0.25"), ["0", "0.25", "0.5", "0.75", "1"]);
        assert_eq!(values("a=0:0.3:0.1"), ["0", "0.1", "0.2", "0.3"]);
        assert_eq!(values("a=-2:3:2"), ["-2", "0", "2"]);
        assert_eq!(values("a=-0.5:0.1:0.3"), ["-0.5", "-0.2", "0.1"]);
        assert_eq!(values("a= 10 : 30:10"), ["10", "20", "30"]);
        assert_eq!(values("pitfalls=0%:1%:0.5%"), ["0%", "0.5%", "1%"]);
        assert_eq!(values("a=0:1:0.05").len(), 21);
        for wrong in [
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
            assert!(wrong.parse::<Range>().is_err(), "{wrong}");
        }
        assert_eq!([threshold("0.05"), threshold("1"), threshold("0")], [Ok(500), Ok(10_000), Ok(0)]);
        assert!(["1.1", "-0.1", "0.00001", "x", ""].iter().all(|text| threshold(text).is_err()));
    }

    #[test]
    fn fields_are_set_where_they_are() {
        let put = |field: &str, config: Value, family| {
            format!("{field}=0.5:0.5:1").parse::<Range>().unwrap().put(&config, "0.5", family)
        };
        assert_eq!(put("wall_density", json!({}), Family::Floor), Ok(json!({"wallDensity": 0.5})));
        assert_eq!(
            put("floor.wallDensity", json!({"floors": 3}), Family::Tower),
            Ok(json!({"floors": 3, "floor": {"wallDensity": 0.5}}))
        );
        let curves = json!({"curves": [{"by": 1}]});
        assert_eq!(put("curves[0].by", curves.clone(), Family::Tower), Ok(json!({"curves": [{"by": 0.5}]})));
        assert!(put("curves[1].by", curves, Family::Tower).unwrap_err().contains("has 1 item, counted"));
        assert!(put("width.x", json!({"width": 3}), Family::Level).unwrap_err().contains("without fields"));
        assert!(put("a..b", json!({}), Family::Act).is_err());
    }

    #[test]
    fn lists_that_are_left_at_their_defaults_are_written_out() {
        let defaults =
            json!({"width": 3, "kinds": {"boss": "b", "kinds": [{"name": "a", "weight": 1}, {"name": "c"}]}});
        let out = |field: &str, config: &Value, all| {
            format!("{field}=1:1:1").parse::<Range>().unwrap().write_out(config, &defaults, Family::Act, all)
        };
        let none = json!({"width": 5});
        let list = &defaults["kinds"]["kinds"];
        assert_eq!(out("kinds.kinds[0].weight", &none, false), json!({"width": 5, "kinds": {"kinds": list}}));
        assert_eq!(
            out("kinds.kinds[0].weight", &none, true),
            json!({"width": 5, "kinds": defaults["kinds"]})
        );
        // What the file says stays, and what needs no list is left alone.
        let own = json!({"kinds": {"boss": "x"}});
        let with = json!({"kinds": {"boss": "x", "kinds": list}});
        assert_eq!(
            [out("kinds.kinds[1].weight", &own, false), out("kinds.kinds[1].weight", &own, true)],
            [with.clone(), with]
        );
        let there = json!({"kinds": {"kinds": [{"name": "z"}]}});
        for all in [false, true] {
            assert_eq!(out("kinds.kinds[0].weight", &there, all), there);
            assert_eq!(out("width", &json!({}), all), json!({}));
            assert_eq!(out("kinds.search", &json!({}), all), json!({}));
            assert_eq!(out("nothing[0].here", &json!({}), all), json!({}));
        }
    }

    #[test]
    fn what_would_change_the_maps_is_refused() {
        let range: Range = "kinds.kinds[1].weight=1:2:1".parse().unwrap();
        let plain = AnySpec::from_json(Family::Act, b"{}").unwrap();
        let written = range.written_out(&plain, &json!({})).unwrap();
        assert!(written["kinds"]["kinds"].as_array().is_some_and(|kinds| kinds.len() > 1), "{written}");
        // A field that needs no list leaves the configuration as it is.
        let rows: Range = "rows=10:12:1".parse().unwrap();
        assert_eq!(rows.written_out(&plain, &json!({})), Ok(json!({})));
        // With the list the file does not make what it makes without it.
        let other = AnySpec::from_json(Family::Act, br#"{"rows":9}"#).unwrap();
        assert!(range.written_out(&other, &json!({})).unwrap_err().contains("follows from other fields"));
    }
}
