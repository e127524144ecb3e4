//! Amounts in configurations: counts, percentages and ratios.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use wayforge_core::ConfigError;
use wayforge_core::shorthand::{self, Short};

/// A percentage from 0 to 100 with at most two decimals, written `"2.5%"`.
///
/// # Examples
/// ```
/// use wayforge_level::Percent;
/// let percent: Percent = "2.5%".parse()?;
/// assert_eq!((percent.hundredths(), percent.to_string()), (250, "2.5%".to_owned()));
/// assert_eq!(percent.of(1000), 25);
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(u16);

/// A count of cells, or a density: a percentage of the available cells.
///
/// In a configuration a whole number is a count and `"2.5%"` a density.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Amount {
    /// A number of cells.
    Count(u32),
    /// A percentage of the available cells; at least one cell unless it is 0%.
    Density(Percent),
}

/// A ratio from 0 to 1 with at most four decimals, written as a number: `0.05`.
///
/// # Examples
/// ```
/// use wayforge_level::Ratio;
/// let ratio = Ratio::new(0.05)?;
/// assert_eq!((ratio.of(1000), ratio.to_string()), (50, "0.05".to_owned()));
/// let error = Ratio::new(1.5).unwrap_err();
/// assert_eq!(error.to_string(), "ratio = 1.5: out of range; use 0 to 1");
/// # Ok::<(), wayforge_core::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ratio(u16);

impl Ratio {
    /// Zero.
    pub const NONE: Ratio = Ratio(0);
    const WHOLE: u16 = 10_000;

    /// Creates a ratio, rounded to the nearest ten-thousandth.
    ///
    /// # Errors
    /// [`ConfigError`] if `ratio` is outside 0 to 1.
    pub fn new(ratio: f64) -> Result<Ratio, ConfigError> {
        if (0.0..=1.0).contains(&ratio) {
            Ok(Ratio((ratio * f64::from(Ratio::WHOLE)).round() as u16))
        } else {
            Err(ConfigError::new("ratio", ratio, "out of range", "use 0 to 1"))
        }
    }

    /// Returns this share of `n`, rounded half up; at least 1 unless the ratio or `n` is 0.
    pub fn of(self, n: u32) -> u32 {
        let share = Percent(self.0).of(n);
        if self == Ratio::NONE { 0 } else { share.max(1).min(n) }
    }
}

impl Percent {
    /// 100%.
    pub const ALL: Percent = Percent(10_000);
    /// 0%.
    pub const NONE: Percent = Percent(0);

    /// Returns the percentage in hundredths of a percent.
    pub const fn hundredths(self) -> u32 {
        self.0 as u32
    }

    /// Returns this share of `n`, rounded half up.
    pub fn of(self, n: u32) -> u32 {
        ((u64::from(n) * u64::from(self.0) + 5_000) / 10_000) as u32
    }
}

impl Amount {
    /// Zero cells.
    pub const NONE: Amount = Amount::Count(0);
    /// The largest count.
    pub const MAX: u32 = 1 << 20;

    /// Returns the number of cells for `n` available cells. A density above 0% gives at least one.
    ///
    /// # Examples
    /// ```
    /// use wayforge_level::Amount;
    /// let few: Amount = "0.1%".parse()?;
    /// assert_eq!((few.of(100), few.of(10_000), Amount::Count(7).of(3)), (1, 10, 7));
    /// # Ok::<(), wayforge_core::ConfigError>(())
    /// ```
    pub fn of(self, n: u32) -> u32 {
        match self {
            Amount::Count(count) => count,
            Amount::Density(Percent::NONE) => 0,
            Amount::Density(percent) => percent.of(n).max(1),
        }
    }

    /// Returns true for a count of 0 or a density of 0%.
    pub fn is_none(self) -> bool {
        self == Amount::Count(0) || self == Amount::Density(Percent::NONE)
    }
}

impl Default for Amount {
    fn default() -> Amount {
        Amount::NONE
    }
}

impl FromStr for Percent {
    type Err = ConfigError;

    /// Parses `2.5%`: 0 to 100 with at most two decimals.
    fn from_str(text: &str) -> Result<Percent, ConfigError> {
        let parse = || {
            let number = text.strip_suffix('%')?;
            let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
            let digits = |text: &str, max_length| {
                (1..=max_length).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
            };
            if !digits(whole, 3) || !digits(decimals, 2) {
                return None;
            }
            let scale = if decimals.len() == 1 { 10 } else { 1 };
            let hundredths =
                whole.parse::<u32>().ok()? * 100 + decimals.parse::<u32>().ok()? * scale;
            u16::try_from(hundredths).ok().filter(|&hundredths| hundredths <= 10_000).map(Percent)
        };
        parse().ok_or_else(|| {
            let remedy =
                "write one from \"0%\" to \"100%\" with at most two decimals, as in \"2.5%\"";
            ConfigError::new("percentage", format!("\"{text}\""), "not a percentage", remedy)
        })
    }
}

impl FromStr for Amount {
    type Err = ConfigError;

    /// Parses `12` as a count and `2.5%` as a density.
    fn from_str(text: &str) -> Result<Amount, ConfigError> {
        if text.ends_with('%') {
            return text.parse().map(Amount::Density);
        }
        let count = text.parse().ok().filter(|count| *count <= Amount::MAX);
        count.map(Amount::Count).ok_or_else(|| {
            let remedy =
                format!("write a count from 0 to {} or a percentage, as in \"2.5%\"", Amount::MAX);
            ConfigError::new(
                "amount",
                format!("\"{text}\""),
                "neither a count nor a percentage",
                remedy,
            )
        })
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 100, self.0 % 100);
        match (rest, rest % 10) {
            (0, _) => write!(f, "{whole}%"),
            (_, 0) => write!(f, "{whole}.{}%", rest / 10),
            _ => write!(f, "{whole}.{rest:02}%"),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Count(count) => count.fmt(f),
            Amount::Density(percent) => percent.fmt(f),
        }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (f64::from(self.0) / f64::from(Ratio::WHOLE)).fmt(f)
    }
}

/// Writes 0 and 1 as integers, as JavaScript does.
impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 => serializer.serialize_u64(0),
            Ratio::WHOLE => serializer.serialize_u64(1),
            part => serializer.serialize_f64(f64::from(part) / f64::from(Ratio::WHOLE)),
        }
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ratio, D::Error> {
        Ratio::new(f64::deserialize(deserializer)?).map_err(to_serde_error)
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Percent, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(to_serde_error)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        let short = |short: Short<'_>| Some(Amount::from_short(short));
        shorthand::deserialize(
            deserializer,
            &Amount::expected(),
            short,
            None::<fn(de::IgnoredAny) -> Amount>,
        )
    }
}

impl Amount {
    fn expected() -> String {
        format!("a count from 0 to {} or a percentage such as \"2.5%\"", Amount::MAX)
    }

    /// Converts a JSON number or string to a count or density.
    pub(super) fn from_short(short: Short<'_>) -> Result<Amount, String> {
        match short {
            Short::Text(text) => text.parse().map(Amount::Density).map_err(describe),
            Short::Number(count @ ..0) => {
                Err(format!("`{count}` is negative, expected {}", Amount::expected()))
            }
            Short::Number(count) => {
                let valid = u32::try_from(count).ok().filter(|count| *count <= Amount::MAX);
                let message = || format!("`{count}` is too large, expected {}", Amount::expected());
                valid.map(Amount::Count).ok_or_else(message)
            }
        }
    }
}

/// Returns the message of an error without the field, which the JSON path states already.
fn describe(error: ConfigError) -> String {
    format!("{}: {}; {}", error.value, error.problem, error.remedy)
}

/// Converts a configuration error to an error of the deserializer.
pub(crate) fn to_serde_error<E: de::Error>(error: ConfigError) -> E {
    E::custom(describe(error))
}

#[cfg(feature = "schema")]
wayforge_core::impl_json_schema!(Percent, "Percent", |_| {
    "type": "string",
    "pattern": r"^(100(\.00?)?|0{0,2}[0-9](\.[0-9]{1,2})?|0?[1-9][0-9](\.[0-9]{1,2})?)%$",
    "description": "A percentage with at most two decimals."
});

#[cfg(feature = "schema")]
wayforge_core::impl_json_schema!(Ratio, "Ratio", |_| {
    "type": "number",
    "minimum": 0,
    "maximum": 1,
    "description": "A ratio, rounded to the nearest ten-thousandth."
});

#[cfg(feature = "schema")]
wayforge_core::impl_json_schema!(Amount, "Amount", |generator| {
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": Amount::MAX},
        generator.subschema_for::<Percent>(),
    ],
    "description": "A count of cells, or a percentage of the available cells."
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_round_trip_exactly() {
        for (text, hundredths) in
            [("0%", 0), ("100%", 10_000), ("2.5%", 250), ("0.05%", 5), ("33.33%", 3333)]
        {
            let percent: Percent = text.parse().unwrap();
            assert_eq!((percent.hundredths(), percent.to_string().as_str()), (hundredths, text));
        }
        assert_eq!("2.50%".parse::<Percent>().unwrap().to_string(), "2.5%");
        for text in ["", "%", "5", "-1%", "100.01%", "1.234%", ".5%", "5.%", "1e1%", "999%", "+5%"]
        {
            assert!(text.parse::<Percent>().is_err(), "{text}");
        }
    }

    #[test]
    fn densities_round_half_up_to_at_least_one() {
        let of = |text: &str, n| text.parse::<Amount>().unwrap().of(n);
        assert_eq!(
            (of("50%", 3), of("50%", 4), of("10%", 4), of("0%", 100), of("0.01%", 0)),
            (2, 2, 1, 0, 1)
        );
    }
}
