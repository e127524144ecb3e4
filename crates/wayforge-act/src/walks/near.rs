//! The nearest columns of a column.

use wayforge_core::MapRng;

/// The up to `nearest` columns closest to one column. The last place may be a tie between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Near {
    sure: u64,
    tie: u64,
}

impl Near {
    /// The `nearest` of `cols` columns that lie closest to `col`.
    pub(super) fn of(col: u32, cols: u32, nearest: u32) -> Near {
        let within = |distance: u32| {
            let cols = (0..cols).filter(|other| other.abs_diff(col) <= distance);
            cols.fold(0_u64, |mask, other| mask | 1 << other)
        };
        let nearest = nearest.min(cols);
        let distance =
            (1..cols).take_while(|&distance| within(distance).count_ones() <= nearest).count() as u32;
        let sure = within(distance);
        let tie = if sure.count_ones() < nearest { within(distance + 1) & !sure } else { 0 };
        Near { sure, tie }
    }

    /// The nearest columns, a tie broken at random.
    #[inline]
    pub(super) fn draw(self, rng: &mut MapRng) -> u64 {
        if self.tie == 0 {
            return self.sure;
        }
        let first = self.tie & self.tie.wrapping_neg();
        self.sure | if rng.below(2) == 0 { first } else { self.tie ^ first }
    }

    pub(super) fn has_no_tie(self) -> bool {
        self.tie == 0
    }

    /// The first and the last column.
    pub(super) fn span(self) -> (u8, u8) {
        (self.any().trailing_zeros() as u8, 63 - self.any().leading_zeros() as u8)
    }

    /// All columns that some breaking of ties would allow.
    #[inline]
    pub(super) fn any(self) -> u64 {
        self.sure | self.tie
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_nearest_are_the_documents() {
        let near = |col| Near::of(col, 7, 3);
        assert_eq!(near(3), Near { sure: 0b001_1100, tie: 0 });
        assert_eq!(near(0), Near { sure: 0b000_0111, tie: 0 }, "at the border a step may span two columns");
        assert_eq!(near(6), Near { sure: 0b111_0000, tie: 0 });
        assert_eq!(Near::of(0, 2, 3), Near { sure: 0b11, tie: 0 }, "fewer than three exist");
    }

    #[test]
    fn even_numbers_leave_a_tie_inside_and_none_at_the_border() {
        assert_eq!(Near::of(3, 7, 2), Near { sure: 0b000_1000, tie: 0b001_0100 });
        assert_eq!(Near::of(0, 7, 2), Near { sure: 0b000_0011, tie: 0 });
        assert_eq!(Near::of(1, 7, 4), Near { sure: 0b000_1111, tie: 0 });
        assert_eq!(Near::of(63, 64, 64), Near { sure: u64::MAX, tie: 0 });
        assert_eq!(Near::of(5, 9, 1), Near { sure: 1 << 5, tie: 0 });
    }

    #[test]
    fn both_sides_of_a_tie_are_drawn() {
        let mut rng = MapRng::from_u64(1);
        let drawn: Vec<u64> = (0..64).map(|_| Near::of(3, 7, 2).draw(&mut rng)).collect();
        assert!(drawn.contains(&0b001_1000) && drawn.contains(&0b000_1100));
        assert!(drawn.iter().all(|mask| mask.count_ones() == 2));
    }
}
