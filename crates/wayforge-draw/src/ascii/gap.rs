//! The lines between two rows.
//!
//! One line is enough while no two wide edges lie over each other without a common end. Where they do, each gets a line
//! of its own: of edges that climb to the right the left one runs higher, so none crosses another's upright.

use super::{FAINT, Ink, Line, PITCH, ROUTE};

/// An edge by its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) on_route: bool,
}

/// More lines than this a gap never has; only a map that breaks its rules would ask for them.
const MAX_LINES: usize = 64;

/// The lines of one gap, from the top.
pub(super) fn gap_lines(links: &[Link], cols: usize) -> Vec<Line> {
    let levels = levels(links);
    let count = levels.iter().max().map_or(1, |top| top + 1);
    let mut lines = vec![Line::new(cols); count];
    // Dashes first, ends over them, and the route over all.
    let mut order: Vec<usize> = (0..links.len()).collect();
    order.sort_by_key(|&i| links[i].on_route);
    let slanted = |i: usize| count == 1 && links[i].span() == 1 && !is_covered(links, i);
    for &i in order.iter().filter(|&&i| links[i].span() > 0 && !slanted(i)) {
        let (low, high) = links[i].ends();
        for x in low.min(high)..=low.max(high) {
            lines[levels[i]].put(x, '-', links[i].ink());
        }
    }
    for &i in &order {
        let (link, level) = (links[i], levels[i]);
        if link.span() == 0 {
            lines.iter_mut().for_each(|line| upright(line, link.from * PITCH, link.ink()));
        } else if slanted(i) {
            let x = link.from.min(link.to) * PITCH + PITCH / 2;
            lines[0].put(x, if link.from < link.to { '/' } else { '\\' }, link.ink());
        } else {
            let (low, high) = link.ends();
            let (foot, head) = if link.from < link.to { (',', '\'') } else { ('.', '`') };
            lines[level].put(low, foot, link.ink());
            lines[level].put(high, head, link.ink());
            lines[..level].iter_mut().for_each(|line| upright(line, link.from * PITCH, link.ink()));
            lines[level + 1..].iter_mut().for_each(|line| upright(line, link.to * PITCH, link.ink()));
        }
    }
    lines.reverse();
    lines
}

/// The line below the boss: every node of the top row leads to the middle.
pub(super) fn boss_line(links: &[Link], middle: usize, cols: usize) -> Line {
    let mut line = Line::new(cols);
    let x = |link: &Link| link.from * PITCH;
    let mut order: Vec<&Link> = links.iter().collect();
    order.sort_by_key(|link| link.on_route);
    for link in &order {
        let (left, right) = (x(link).min(middle), x(link).max(middle));
        (left..=right).for_each(|at| line.put(at, '-', link.ink()));
    }
    for link in &order {
        let foot = match x(link).cmp(&middle) {
            std::cmp::Ordering::Less => ',',
            std::cmp::Ordering::Equal => '|',
            std::cmp::Ordering::Greater => '.',
        };
        line.put(x(link), foot, link.ink());
    }
    let some = |test: &dyn Fn(usize) -> bool| links.iter().any(|link| test(x(link)));
    let (left, right) = (some(&|x| x < middle), some(&|x| x > middle));
    let ink = order.last().map_or(FAINT, |link| link.ink());
    match (left || right, some(&|x| x == middle)) {
        (true, true) => line.put(middle, '+', ink),
        (true, false) => line.put(middle, if left { '\'' } else { '`' }, ink),
        (false, _) => {}
    }
    line
}

impl Link {
    fn span(&self) -> usize {
        self.from.abs_diff(self.to)
    }

    /// Where its lower and its upper end are written: beside the columns, so that an upright keeps its place.
    fn ends(&self) -> (usize, usize) {
        match self.from < self.to {
            true => (self.from * PITCH + 1, self.to * PITCH - 1),
            false => ((self.from * PITCH).saturating_sub(1), self.to * PITCH + 1),
        }
    }

    fn ink(&self) -> Ink {
        if self.on_route { ROUTE } else { FAINT }
    }

    fn overlaps(&self, other: &Link) -> bool {
        let (a, b) = (self.from.min(self.to), self.from.max(self.to));
        let (c, d) = (other.from.min(other.to), other.from.max(other.to));
        a < d && c < b
    }
}

/// True if another edge runs over a slanted one's place.
fn is_covered(links: &[Link], i: usize) -> bool {
    links.iter().enumerate().any(|(j, other)| i != j && other.span() > 0 && links[i].overlaps(other))
}

/// The line of every edge, 0 at the bottom.
fn levels(links: &[Link]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..links.len()).collect();
    order.sort_by_key(|&i| (links[i].from, links[i].to));
    let mut levels = vec![0; links.len()];
    if order
        .windows(2)
        .any(|pair| links[pair[0]].to > links[pair[1]].to && links[pair[0]].from != links[pair[1]].from)
    {
        return levels; // Edges have to cross: no order would help.
    }
    let rising = |i: &usize| links[*i].from < links[*i].to;
    let right: Vec<usize> = order.iter().copied().filter(rising).rev().collect();
    let left: Vec<usize> = order.iter().copied().filter(|i| links[*i].from > links[*i].to).collect();
    for side in [right, left] {
        for (place, &i) in side.iter().enumerate() {
            let above = |&j: &usize| {
                let share = links[i].from == links[j].from || links[i].to == links[j].to;
                levels[j] + usize::from(!share)
            };
            let level = side[..place].iter().filter(|&&j| links[i].overlaps(&links[j])).map(above).max();
            levels[i] = level.unwrap_or(0).min(MAX_LINES - 1);
        }
    }
    levels
}

fn upright(line: &mut Line, x: usize, ink: Ink) {
    let c = if line.at(x) == '-' { '+' } else { '|' };
    line.put(x, c, ink);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(pairs: &[(usize, usize)]) -> Vec<String> {
        let links: Vec<Link> = pairs.iter().map(|&(from, to)| Link { from, to, on_route: false }).collect();
        let text =
            |line: &Line| line.0[1..].iter().map(|cell| cell.0).collect::<String>().trim_end().to_owned();
        gap_lines(&links, 8).iter().map(text).collect()
    }

    #[test]
    fn one_column_is_a_slant_and_more_a_shelf() {
        assert_eq!(drawn(&[(0, 0), (0, 1), (2, 1), (3, 3)]), [r"| /   \     |"]);
        assert_eq!(drawn(&[(0, 2)]), [" ,-----'"]);
        assert_eq!(drawn(&[(2, 0)]), [" `-----."]);
        assert_eq!(drawn(&[(0, 0), (0, 2), (1, 2), (2, 2)]), ["|,---,-'|"]);
        assert_eq!(drawn(&[(4, 2), (4, 3), (4, 4)]), ["         `---`-.|"]);
    }

    #[test]
    fn shelves_over_each_other_get_lines_of_their_own() {
        assert_eq!(drawn(&[(0, 2), (1, 3)]), [" ,-----'    |", "|    ,-----'"]);
        assert_eq!(drawn(&[(2, 0), (3, 1)]), ["|    `-----.", " `-----.    |"]);
    }

    #[test]
    fn a_tangle_is_drawn_somehow() {
        assert_eq!(drawn(&[(0, 3), (1, 1), (3, 0)]).len(), 1);
    }
}
