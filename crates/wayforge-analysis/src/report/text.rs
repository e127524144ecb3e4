//! Formatting of numbers, shares and times.

/// Formats an integer with thousands separators.
pub(crate) fn integer(number: i128) -> String {
    let digits = number.unsigned_abs().to_string();
    let (first, rest) = digits.split_at((digits.len() - 1) % 3 + 1);
    let sign = if number < 0 { "−" } else { "" };
    let groups =
        rest.as_bytes().chunks(3).map(|group| format!(",{}", String::from_utf8_lossy(group)));
    format!("{sign}{first}{}", groups.collect::<String>())
}

/// Formats a count with its noun, in singular or plural.
pub(crate) fn count_noun(number: u64, singular: &str, plural: &str) -> String {
    format!("{} {}", integer(number.into()), if number == 1 { singular } else { plural })
}

/// Formats a number: integers and numbers from 1000 without decimals, others with one to three
/// decimals, more for smaller numbers.
pub(crate) fn number(value: f64) -> String {
    match value.abs() {
        size if !size.is_finite() => "–".to_owned(),
        size if size >= 1000.0 || value == value.trunc() => integer(value.round() as i128),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Formats a share as a percentage. Rounds to 0 % or 100 % only if the share is exactly that.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    match part as f64 * 100.0 / whole as f64 {
        _ if whole == 0 => "–".to_owned(),
        _ if part == 0 => "0 %".to_owned(),
        _ if part == whole => "100 %".to_owned(),
        share if share < 0.01 => "< 0.01 %".to_owned(),
        share if share > 99.99 => "> 99.99 %".to_owned(),
        share if !(1.0..=99.0).contains(&share) => format!("{share:.2} %"),
        share => format!("{share:.1} %"),
    }
}

/// Formats a difference of percentages in percentage points. Never rounds a difference to zero.
pub(crate) fn points(points: f64, decimals: usize) -> String {
    let unit = 0.1_f64.powi(decimals as i32);
    if points.abs() < unit / 2.0 && points != 0.0 {
        format!("less than {unit:.decimals$} points")
    } else {
        format!("{:.decimals$} points", points.abs())
    }
}

/// Returns a suitable unit for a time: its length in nanoseconds, its symbol and its name.
pub(crate) fn time_unit(nanos: f64) -> (f64, &'static str, &'static str) {
    match nanos {
        n if n < 1e3 => (1.0, "ns", "nanoseconds"),
        n if n < 1e6 => (1e3, "µs", "microseconds"),
        n if n < 1e9 => (1e6, "ms", "milliseconds"),
        _ => (1e9, "s", "seconds"),
    }
}

/// Formats a time in a suitable unit.
pub(crate) fn time(nanos: f64) -> String {
    let (size, unit, _) = time_unit(nanos);
    let value = nanos / size;
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_numbers_shares_and_times() {
        assert_eq!([integer(0), integer(999), integer(-1234567)], ["0", "999", "−1,234,567"]);
        assert_eq!(
            [number(12.0), number(1.256), number(0.0314), number(45678.9)],
            ["12", "1.26", "0.031", "45,679"]
        );
        assert_eq!(
            [percent(0, 9), percent(9, 9), percent(1, 1_000_000), percent(1, 3)],
            ["0 %", "100 %", "< 0.01 %", "33.3 %"]
        );
        assert_eq!(
            [percent(999_999, 1_000_000), percent(1, 0), percent(5, 1000)],
            ["> 99.99 %", "–", "0.50 %"]
        );
        assert_eq!(
            [
                count_noun(0, "map", "maps"),
                count_noun(1, "map", "maps"),
                count_noun(1200, "map", "maps")
            ],
            ["0 maps", "1 map", "1,200 maps"]
        );
        assert_eq!(
            [points(0.04, 1), points(-0.06, 1), points(0.001, 2), points(12.34, 1), points(0.0, 1)],
            [
                "less than 0.1 points",
                "0.1 points",
                "less than 0.01 points",
                "12.3 points",
                "0.0 points"
            ]
        );
        assert_eq!([time(12.0), time(45_600.0), time(2.5e9)], ["12.0 ns", "45.6 µs", "2.50 s"]);
    }
}
