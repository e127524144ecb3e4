//! When something was done: the one place of the store that reads a clock.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};
use wayforge::InputError;

/// A moment in milliseconds since 1970, UTC; written as RFC 3339.
///
/// ```
/// use wayforge_store::Timestamp;
/// let at: Timestamp = "2026-11-16T02:40:00.250Z".parse()?;
/// assert_eq!(at, Timestamp(1_794_796_800_250));
/// assert_eq!(at.to_string(), "2026-11-16T02:40:00.250Z");
/// assert_eq!(Timestamp(-1).to_string(), "1969-12-31T23:59:59.999Z");
/// # Ok::<(), wayforge::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Timestamp(pub i64);

const DAY: i64 = 86_400_000;

impl Timestamp {
    /// Now, by the system's clock.
    pub fn now() -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil(self.0.div_euclid(DAY));
        let ms = self.0.rem_euclid(DAY);
        let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1000)
    }
}

/// Reads what `Display` writes, and nothing else.
impl FromStr for Timestamp {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Timestamp, InputError> {
        let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
        let read = || {
            let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
            let (hour, minute, second, ms) =
                (number(11, 13)?, number(14, 16)?, number(17, 19)?, number(20, 23)?);
            let days = days(year, month, day);
            Some(Timestamp(days * DAY + ((hour * 60 + minute) * 60 + second) * 1000 + ms))
        };
        // Days that do not exist, signs and other forms are not written like this.
        read().filter(|at| at.to_string() == text).ok_or_else(|| {
            InputError::new("time", text, "not a time", "write it as in 2026-11-16T02:40:00.250Z")
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

/// Year, month and day of a number of days since 1970, by Howard Hinnant's method: years begin in March, so that the day
/// that comes and goes is the last one.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (year + era * 400 + i64::from(month <= 2), month, day)
}

fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + day - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_four_centuries_is_read_as_it_is_written() {
        let mut last = civil(-1);
        for day in 0..146_097 {
            let (year, month, date) = civil(day);
            assert_eq!(days(year, month, date), day);
            assert!((year, month, date) > last && (1..=31).contains(&date));
            last = (year, month, date);
            let at = Timestamp(day * DAY + 12_345_678);
            assert_eq!(at.to_string().parse(), Ok(at));
        }
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
