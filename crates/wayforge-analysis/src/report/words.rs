//! Numbers and words as people read them.

/// A whole number with commas between thousands.
pub(crate) fn whole(number: i128) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut out = String::new();
    if number < 0 {
        out.push('−');
    }
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// So many of something, in the singular where there is one.
pub(crate) fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", whole(number.into()), if number == 1 { one } else { several })
}

/// A number with as many decimals as say something.
pub(crate) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    match value.abs() {
        size if size >= 1000.0 || value == value.trunc() => whole(value.round() as i128),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A share as a percentage. Nothing and everything are said only of nothing and everything.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    if part == 0 || part == whole {
        return if part == 0 { "0 %" } else { "100 %" }.to_owned();
    }
    let share = part as f64 * 100.0 / whole as f64;
    if share < 0.01 {
        "< 0.01 %".to_owned()
    } else if share > 99.99 {
        "> 99.99 %".to_owned()
    } else if !(1.0..=99.0).contains(&share) {
        format!("{share:.2} %")
    } else {
        format!("{share:.1} %")
    }
}

/// A difference of shares in points of a hundred: never nothing, where there is one.
pub(crate) fn points(points: f64, decimals: usize) -> String {
    let least = 0.1_f64.powi(decimals as i32);
    match points.abs() < least / 2.0 && points != 0.0 {
        true => format!("less than {least:.decimals$} points"),
        false => format!("{:.decimals$} points", points.abs()),
    }
}

/// A time in a unit that suits it.
pub(crate) fn time(nanos: f64) -> String {
    let (value, unit) = match nanos {
        n if n < 1e3 => (n, "ns"),
        n if n < 1e6 => (n / 1e3, "µs"),
        n if n < 1e9 => (n / 1e6, "ms"),
        n => (n / 1e9, "s"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([whole(0), whole(999), whole(-1234567)], ["0", "999", "−1,234,567"]);
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
            [counted(0, "map", "maps"), counted(1, "map", "maps"), counted(1200, "map", "maps")],
            ["0 maps", "1 map", "1,200 maps"]
        );
        assert_eq!(
            [points(0.04, 1), points(-0.06, 1), points(0.001, 2), points(12.34, 1), points(0.0, 1)],
            ["less than 0.1 points", "0.1 points", "less than 0.01 points", "12.3 points", "0.0 points"]
        );
        assert_eq!([time(12.0), time(45_600.0), time(2.5e9)], ["12.0 ns", "45.6 µs", "2.50 s"]);
    }
}
