//! Nearest columns of each column.

use wayforge_core::MapRng;

/// Bit set of the columns closest to one column. Two columns may tie for the last position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NearestColumns {
    /// Columns that always belong to the set.
    certain: u64,
    /// Two columns of which one belongs to the set, or 0.
    tied: u64,
}

impl NearestColumns {
    /// Returns the `nearest` of `cols` columns that are closest to `col`.
    pub(super) fn new(col: u32, cols: u32, nearest: u32) -> NearestColumns {
        let within = |distance: u32| {
            let cols = (0..cols).filter(|other| other.abs_diff(col) <= distance);
            cols.fold(0_u64, |mask, other| mask | 1 << other)
        };
        let nearest = nearest.min(cols);
        let distance = (1..cols)
            .take_while(|&distance| within(distance).count_ones() <= nearest)
            .count() as u32;
        let certain = within(distance);
        let tied = if certain.count_ones() < nearest { within(distance + 1) & !certain } else { 0 };
        NearestColumns { certain, tied }
    }

    /// Returns the nearest columns and breaks a tie at random.
    #[inline]
    pub(super) fn draw(self, rng: &mut MapRng) -> u64 {
        if self.tied == 0 {
            return self.certain;
        }
        let first = self.tied & self.tied.wrapping_neg();
        self.certain | if rng.below(2) == 0 { first } else { self.tied ^ first }
    }

    pub(super) fn has_no_tie(self) -> bool {
        self.tied == 0
    }

    /// Returns the first and the last column.
    pub(super) fn span(self) -> (u8, u8) {
        (self.any().trailing_zeros() as u8, 63 - self.any().leading_zeros() as u8)
    }

    /// Returns all columns, including both of a tie.
    #[inline]
    pub(super) fn any(self) -> u64 {
        self.certain | self.tied
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_the_three_nearest_columns() {
        let nearest = |col| NearestColumns::new(col, 7, 3);
        assert_eq!(nearest(3), NearestColumns { certain: 0b001_1100, tied: 0 });
        assert_eq!(
            nearest(0),
            NearestColumns { certain: 0b000_0111, tied: 0 },
            "at the edge a step may span two columns"
        );
        assert_eq!(nearest(6), NearestColumns { certain: 0b111_0000, tied: 0 });
        let all = NearestColumns { certain: 0b11, tied: 0 };
        assert_eq!(NearestColumns::new(0, 2, 3), all, "there are fewer than three columns");
    }

    #[test]
    fn even_numbers_are_tied_except_at_the_edge() {
        for ((col, cols, nearest), certain, tied) in [
            ((3, 7, 2), 0b000_1000, 0b001_0100),
            ((0, 7, 2), 0b000_0011, 0),
            ((1, 7, 4), 0b000_1111, 0),
            ((63, 64, 64), u64::MAX, 0),
            ((5, 9, 1), 1 << 5, 0),
        ] {
            let expected = NearestColumns { certain, tied };
            assert_eq!(NearestColumns::new(col, cols, nearest), expected);
        }
    }

    #[test]
    fn draws_both_sides_of_a_tie() {
        let mut rng = MapRng::from_u64(1);
        let drawn: Vec<u64> =
            (0..64).map(|_| NearestColumns::new(3, 7, 2).draw(&mut rng)).collect();
        assert!(drawn.contains(&0b001_1000) && drawn.contains(&0b000_1100));
        assert!(drawn.iter().all(|mask| mask.count_ones() == 2));
    }
}
