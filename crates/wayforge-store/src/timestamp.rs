//! Timestamps. No other module of the store reads the clock.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZero;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};
use time::OffsetDateTime;
use time::format_description::well_known::Iso8601;
use time::format_description::well_known::iso8601::{Config, TimePrecision};
use wayforge::InputError;

/// Milliseconds since 1970-01-01 UTC, formatted as RFC 3339.
///
/// # Examples
/// ```
/// use wayforge_store::Timestamp;
/// let at: Timestamp = "2026-11-16T02:40:00.250Z".parse()?;
/// assert_eq!(at, Timestamp(1_794_796_800_250));
/// assert_eq!(at.to_string(), "2026-11-16T02:40:00.250Z");
/// assert_eq!(Timestamp(-1).to_string(), "1969-12-31T23:59:59.999Z");
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(pub i64);

/// RFC 3339 in UTC with milliseconds.
const FORMAT: Iso8601<
    {
        let digits = TimePrecision::Second { decimal_digits: NonZero::new(3) };
        Config::DEFAULT.set_time_precision(digits).encode()
    },
> = Iso8601;

impl Timestamp {
    /// Returns the current time of the system clock.
    pub fn now() -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000);
        match at.ok().and_then(|at| at.format(&FORMAT).ok()) {
            Some(text) => f.write_str(&text),
            // The year is outside the range of RFC 3339.
            None => write!(f, "{} ms", self.0),
        }
    }
}

/// Parses exactly the RFC 3339 form that `Display` writes.
impl FromStr for Timestamp {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Timestamp, InputError> {
        let parsed = OffsetDateTime::parse(text, &FORMAT).ok();
        let parsed = parsed.map(|at| Timestamp((at.unix_timestamp_nanos() / 1_000_000) as i64));
        parsed.filter(|at| at.to_string() == text).ok_or_else(|| {
            InputError::new("time", text, "invalid time", "use the format 2026-11-16T02:40:00.250Z")
        })
    }
}

impl TryFrom<String> for Timestamp {
    type Error = InputError;

    fn try_from(text: String) -> Result<Timestamp, InputError> {
        text.parse()
    }
}

impl From<Timestamp> for String {
    fn from(at: Timestamp) -> String {
        at.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatting_and_parsing_round_trip_for_every_day_of_400_years() {
        for day in 0..146_097 {
            let at = Timestamp(day * 86_400_000 + 12_345_678);
            assert_eq!(at.to_string().parse(), Ok(at));
        }
        assert_eq!(Timestamp(-1).to_string().parse(), Ok(Timestamp(-1)));
        assert_eq!(Timestamp(i64::MAX).to_string(), "9223372036854775807 ms");
        assert_eq!(Timestamp(951_782_400_000).to_string(), "2000-02-29T00:00:00.000Z");
        for bad in [
            "2026-02-29T00:00:00.000Z",
            "2026-11-16T24:00:00.000Z",
            "2026-11-16",
            "",
            "é026-11-16T02:40:00.250Z",
        ] {
            assert_eq!(bad.parse::<Timestamp>().unwrap_err().field, "time", "{bad}");
        }
    }
}
