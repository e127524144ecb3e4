//! How much shorter ways can get through new water: most craters at a coast are dents, and dents shorten little.
//!
//! A way through new water leaves old water at a tile `u` beside the new and comes back at a tile `v` beside it. Before, `u` and
//! `v` were `d` steps apart around the new water, now they are at least as far apart as on open water: no way has got shorter by
//! more than the largest difference between the two. Looking at a small box around the new water is enough for a bound:
//! inside it `d` is never too small.

use super::bound::Rect;
use super::lines::Lines;
use crate::query::Moves;
use wayforge_core::grid::Pos;

/// Nothing is known: ways may have got shorter by any number of steps.
pub(super) const UNBOUNDED: u32 = u32::MAX;

/// How far around new water a way around it is looked for.
pub(super) const MARGIN: u16 = 12;
const SIDE: usize = 64;

/// By how many steps ways can have got shorter through the new water in `rect`; `is_new` tells which water is new.
pub(super) fn most_shortened(lines: &Lines, rect: Rect, moves: Moves, is_new: impl Fn(Pos) -> bool) -> u32 {
    let Rect { low, high } = rect.grown(MARGIN, lines.size);
    let (width, height) = (usize::from(high.x - low.x) + 1, usize::from(high.y - low.y) + 1);
    if width > SIDE || height > SIDE {
        return UNBOUNDED;
    }
    let mut old = Square::default();
    let mut new = Square::default();
    for y in 0..height {
        for x in 0..width {
            let pos = Pos::new(low.x + x as u16, low.y + y as u16);
            if lines.rows.is_open(pos.x.into(), pos.y.into()) {
                let onto = if is_new(pos) { &mut new } else { &mut old };
                onto.0[y] |= 1 << x;
            }
        }
    }
    let beside = new.with_neighbours().and(&old);
    let mut most = 0;
    for (y, x) in beside.iter() {
        match most_around(&old, &beside, (x, y), moves) {
            UNBOUNDED => return UNBOUNDED,
            more => most = most.max(more),
        }
    }
    most
}

/// The most steps by which a way inside `old` from one tile to another of `ends` is longer than on open water.
fn most_around(old: &Square, ends: &Square, (x, y): (usize, usize), moves: Moves) -> u32 {
    let mut reached = Square::default();
    reached.0[y] = 1 << x;
    let (mut rest, mut most, mut level) = (*ends, 0, 0);
    rest.0[y] &= !(1 << x);
    while !rest.is_empty() {
        let grown = reached.grown(old, moves);
        if grown.0 == reached.0 {
            return UNBOUNDED;
        }
        (reached, level) = (grown, level + 1);
        for (to_y, to_x) in rest.and(&reached).iter() {
            let (dx, dy) = (x.abs_diff(to_x) as u32, y.abs_diff(to_y) as u32);
            let open = if moves == Moves::Four { dx + dy } else { dx.max(dy) };
            most = most.max(level - open);
            rest.0[to_y] &= !(1 << to_x);
        }
    }
    most
}

/// A set of tiles of the box: a word a row.
#[derive(Clone, Copy)]
struct Square([u64; SIDE]);

impl Default for Square {
    fn default() -> Square {
        Square([0; SIDE])
    }
}

impl Square {
    fn and(&self, other: &Square) -> Square {
        Square(std::array::from_fn(|y| self.0[y] & other.0[y]))
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&row| row == 0)
    }

    /// Row and column of every tile.
    fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.into_iter().enumerate().flat_map(|(y, mut row)| {
            std::iter::from_fn(move || {
                let x = row.trailing_zeros() as usize;
                row &= row.wrapping_sub(1);
                (x < SIDE).then_some((y, x))
            })
        })
    }

    /// The set with all eight neighbours of its tiles.
    fn with_neighbours(&self) -> Square {
        let wide = self.0.map(|row| row | row << 1 | row >> 1);
        let row = |y: usize| wide.get(y).copied().unwrap_or(0);
        Square(std::array::from_fn(|y| row(y) | row(y.wrapping_sub(1)) | row(y + 1)))
    }

    /// One step on inside `water`; no corner is cut.
    fn grown(&self, water: &Square, moves: Moves) -> Square {
        let at = |set: &Square, y: usize| set.0.get(y).copied().unwrap_or(0);
        Square(std::array::from_fn(|y| {
            let (here, open) = (self.0[y], water.0[y]);
            let mut next = here | here << 1 | here >> 1;
            for beside in [y.wrapping_sub(1), y + 1] {
                let (from, free) = (at(self, beside), at(water, beside));
                next |= from;
                if moves == Moves::Eight {
                    // From a tile to the left: water beside it in its own row, and left of here in this one.
                    next |= (from & open) << 1 & free | (from & open) >> 1 & free;
                }
            }
            next & open
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Navigator, Prepare, Query, Water};

    fn shortened(text: &str, moves: Moves) -> u32 {
        // `+` is the new water.
        let water = Water::from_text(&text.replace('+', ".")).unwrap();
        let rows: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
        let is_new = |pos: Pos| rows[usize::from(pos.y)][usize::from(pos.x)] == b'+';
        let rect = Rect::around(water.open().iter().filter(|&pos| is_new(pos))).unwrap();
        most_shortened(&Lines::new(&water), rect, moves, is_new)
    }

    #[test]
    fn dents_shorten_nothing_capes_a_little_and_canals_anything() {
        assert_eq!(shortened("#++#\n....\n....", Moves::Eight), 0);
        assert_eq!(shortened("#++#\n####\n....", Moves::Four), 0, "a pond");
        assert_eq!(shortened("..+..\n..#..\n.....", Moves::Four), 4);
        assert_eq!(shortened("..+..\n..#..\n.....", Moves::Eight), 4);
        assert_eq!(shortened(".+.\n.#.\n.#.", Moves::Eight), UNBOUNDED);
    }

    #[test]
    fn no_way_gets_shorter_by_more() {
        let mut rng = wayforge_core::MapRng::from_u64(3);
        for round in 0..200 {
            let size = wayforge_core::grid::Size::new(14, 11);
            let open = wayforge_core::grid::BitGrid::of(size, size.iter().filter(|_| rng.chance(3, 5)));
            let before = Water::new(open).unwrap();
            let mut after = before.clone();
            let corner = Pos::new(rng.below(12) as u16, rng.below(9) as u16);
            let dug: Vec<Pos> = (0..6).map(|n| Pos::new(corner.x + n % 2, corner.y + n / 3)).collect();
            let new: Vec<Pos> = dug.into_iter().filter(|&pos| !before.is_open(pos)).collect();
            new.iter().for_each(|&pos| after.set(pos, true));
            let Some(rect) = Rect::around(new.iter().copied()) else { continue };
            let mut navigators = [&before, &after].map(|water| Navigator::new(water, Prepare::None));
            let tiles: Vec<Pos> = before.open().iter().filter(|_| rng.chance(1, 6)).collect();
            for moves in [Moves::Four, Moves::Eight] {
                let most = most_shortened(&Lines::new(&after), rect, moves, |pos| new.contains(&pos));
                for (&a, &b) in tiles.iter().zip(tiles.iter().rev()) {
                    let query = Query::between(a, b).moves(moves);
                    let [old, now] = navigators
                        .each_mut()
                        .map(|navigator| navigator.find(&query).unwrap().map(|way| way.steps()));
                    match (old, now) {
                        (None, Some(_)) => assert_eq!(most, UNBOUNDED, "round {round}"),
                        (Some(old), Some(now)) => {
                            assert!(old - now <= most, "round {round}: {old} {now} {most}")
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}
