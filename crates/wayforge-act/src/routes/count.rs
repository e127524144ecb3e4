//! Exact number of routes, as an arbitrary-precision integer.

use std::cmp::Ordering;
use std::fmt;

/// Base of the digits. The sum of two digits fits into 64 bits.
const BASE: u64 = 10_u64.pow(18);

/// An exact number of routes. A map of 4,096 rows can have more than fit into `u128`.
///
/// # Examples
/// ```
/// use wayforge_act as act;
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let count = act::routes(&map).count(None);
/// assert_eq!(count.to_string(), count.to_u128().unwrap().to_string());
/// assert!(count > 1_u64.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RouteCount {
    /// Digits in base [`BASE`], least significant first, without leading zeros. Zero has no digits.
    digits: Vec<u64>,
}

impl RouteCount {
    /// Returns true if there is no route.
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Returns the number, or `None` if it does not fit.
    pub fn to_u128(&self) -> Option<u128> {
        let mut digits = self.digits.iter().rev();
        digits.try_fold(0_u128, |number, &digit| {
            number.checked_mul(BASE.into())?.checked_add(digit.into())
        })
    }

    /// Sets the number to zero and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.digits.clear();
    }

    pub(crate) fn add(&mut self, other: &RouteCount) {
        if self.digits.len() < other.digits.len() {
            self.digits.resize(other.digits.len(), 0);
        }
        let mut overflow = 0;
        for (i, digit) in self.digits.iter_mut().enumerate() {
            let Some(&addend) = other.digits.get(i).or((overflow > 0).then_some(&0)) else {
                return;
            };
            let sum = *digit + addend + overflow;
            overflow = u64::from(sum >= BASE);
            *digit = sum - overflow * BASE;
        }
        if overflow > 0 {
            self.digits.push(overflow);
        }
    }
}

impl From<u64> for RouteCount {
    fn from(number: u64) -> RouteCount {
        let mut digits = vec![number % BASE, number / BASE];
        digits.truncate(if number >= BASE { 2 } else { usize::from(number > 0) });
        RouteCount { digits }
    }
}

impl Ord for RouteCount {
    fn cmp(&self, other: &RouteCount) -> Ordering {
        let lengths = self.digits.len().cmp(&other.digits.len());
        lengths.then_with(|| self.digits.iter().rev().cmp(other.digits.iter().rev()))
    }
}

impl PartialOrd for RouteCount {
    fn partial_cmp(&self, other: &RouteCount) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes the number in decimal.
impl fmt::Display for RouteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = self.digits.iter().rev();
        let first = digits.next().unwrap_or(&0).to_string();
        let text = digits.fold(first, |text, digit| text + &format!("{digit:018}"));
        f.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubled(start: u64, times: usize) -> RouteCount {
        (0..times).fold(start.into(), |count: RouteCount, _| {
            let mut sum = count.clone();
            sum.add(&count);
            sum
        })
    }

    #[test]
    fn displays_powers_of_two_exactly() {
        assert_eq!(RouteCount::default().to_string(), "0");
        assert_eq!(doubled(1, 64).to_string(), "18446744073709551616");
        assert_eq!(doubled(1, 127).to_u128(), Some(1 << 127));
        assert_eq!(doubled(1, 128).to_u128(), None);
        assert_eq!(doubled(1, 128).to_string(), "340282366920938463463374607431768211456");
        assert_eq!(
            doubled(1, 256).to_string(),
            "115792089237316195423570985008687907853269984665640564039457584007913129639936"
        );
    }

    #[test]
    fn addition_propagates_through_every_digit() {
        let mut all_nines = RouteCount { digits: vec![BASE - 1; 3] };
        all_nines.add(&1.into());
        assert_eq!(all_nines, RouteCount { digits: vec![0, 0, 0, 1] });
        let mut small = RouteCount::from(BASE - 1);
        small.add(&RouteCount { digits: vec![1, 7] });
        assert_eq!(small, RouteCount { digits: vec![0, 8] });
        assert_eq!(RouteCount::from(u64::MAX).to_u128(), Some(u64::MAX.into()));
        // Inner zeros are printed: 2 * 10^19.
        assert_eq!(doubled(10_u64.pow(19), 1).to_string(), "20000000000000000000");
        small.add(&RouteCount::default());
        assert_eq!(small, RouteCount { digits: vec![0, 8] });
    }

    #[test]
    fn orders_numbers_by_value() {
        let numbers: Vec<RouteCount> = (0..300).map(|times| doubled(1, times)).collect();
        assert!(numbers.is_sorted() && RouteCount::default() < numbers[0]);
        let (low, high) = (RouteCount { digits: vec![9, 1] }, RouteCount { digits: vec![1, 2] });
        assert!(low < high && format!("{:>5}", RouteCount::from(7)) == "    7");
    }
}
