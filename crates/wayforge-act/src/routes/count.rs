//! How many routes: a number that may be larger than any machine word.

use std::cmp::Ordering;
use std::fmt;

/// An exact number of routes. A map of 4,096 rows can have more of them than 128 bits hold.
///
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
    /// The number in base 2^64, lowest digit first, without leading zeros: zero is empty.
    limbs: Vec<u64>,
}

impl RouteCount {
    /// True if there is none.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// The number, if 128 bits hold it.
    pub fn to_u128(&self) -> Option<u128> {
        match *self.limbs {
            [] => Some(0),
            [low] => Some(low.into()),
            [low, high] => Some(u128::from(high) << 64 | u128::from(low)),
            _ => None,
        }
    }

    /// Becomes zero and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.limbs.clear();
    }

    pub(crate) fn add(&mut self, other: &RouteCount) {
        if self.limbs.len() < other.limbs.len() {
            self.limbs.resize(other.limbs.len(), 0);
        }
        let mut carry = false;
        for (i, limb) in self.limbs.iter_mut().enumerate() {
            let Some(&more) = other.limbs.get(i).or(carry.then_some(&0)) else { return };
            let (sum, over) = limb.overflowing_add(more);
            let (sum, again) = sum.overflowing_add(carry.into());
            (*limb, carry) = (sum, over || again);
        }
        if carry {
            self.limbs.push(1);
        }
    }
}

impl From<u64> for RouteCount {
    fn from(number: u64) -> RouteCount {
        RouteCount { limbs: if number == 0 { Vec::new() } else { vec![number] } }
    }
}

impl Ord for RouteCount {
    fn cmp(&self, other: &RouteCount) -> Ordering {
        let digits = |count: &RouteCount| count.limbs.len();
        digits(self).cmp(&digits(other)).then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd for RouteCount {
    fn partial_cmp(&self, other: &RouteCount) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In decimal digits.
impl fmt::Display for RouteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The largest power of ten in a limb, and its digits.
        const CHUNK: (u64, usize) = (10_u64.pow(19), 19);
        let mut rest = self.limbs.clone();
        let mut chunks = Vec::new();
        while !rest.is_empty() {
            let mut left: u64 = 0;
            for limb in rest.iter_mut().rev() {
                let number = u128::from(left) << 64 | u128::from(*limb);
                // The quotient fits a limb because what was left is less than the divisor.
                *limb = (number / u128::from(CHUNK.0)) as u64;
                left = (number % u128::from(CHUNK.0)) as u64;
            }
            chunks.push(left);
            while rest.last() == Some(&0) {
                rest.pop();
            }
        }
        let mut text = chunks.pop().unwrap_or_default().to_string();
        for chunk in chunks.iter().rev() {
            text.push_str(&format!("{chunk:0width$}", width = CHUNK.1));
        }
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
    fn powers_of_two_are_written_in_full() {
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
    fn sums_carry_through_every_digit() {
        let mut all_ones = RouteCount { limbs: vec![u64::MAX; 3] };
        all_ones.add(&1.into());
        assert_eq!(all_ones, RouteCount { limbs: vec![0, 0, 0, 1] });
        let mut small = RouteCount::from(u64::MAX);
        small.add(&RouteCount { limbs: vec![1, 7] });
        assert_eq!(small, RouteCount { limbs: vec![0, 8] });
        // Zeros inside are kept: ten to the nineteenth, twice over.
        assert_eq!(doubled(10_u64.pow(19), 1).to_string(), "20000000000000000000");
        small.add(&RouteCount::default());
        assert_eq!(small, RouteCount { limbs: vec![0, 8] });
    }

    #[test]
    fn larger_numbers_compare_larger() {
        let numbers: Vec<RouteCount> = (0..300).map(|times| doubled(1, times)).collect();
        assert!(numbers.is_sorted() && RouteCount::default() < numbers[0]);
        let (low, high) = (RouteCount { limbs: vec![9, 1] }, RouteCount { limbs: vec![1, 2] });
        assert!(low < high && format!("{:>5}", RouteCount::from(7)) == "    7");
    }
}
