//! Connector lines between two rows of an act map.
//!
//! One line is enough unless two wide edges overlap without a common end. Such edges get separate
//! lines: of two edges that rise to the right, the left one gets the higher line, so that neither
//! crosses the vertical part of the other.

use super::{FAINT, Line, PITCH, ROUTE, Sgr};

/// An edge as its lower and upper column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) on_route: bool,
}

/// Maximum number of lines in a gap. Only invalid maps would need more.
const MAX_LINES: usize = 64;

/// Returns the lines of one gap, top line first.
pub(super) fn gap_lines(links: &[Link], cols: usize) -> Vec<Line> {
    let levels = levels(links);
    let count = levels.iter().max().map_or(1, |top| top + 1);
    let mut lines = vec![Line::new(cols); count];
    // Dashes first, then the ends of edges; edges on the route are drawn last.
    let mut order: Vec<usize> = (0..links.len()).collect();
    order.sort_by_key(|&i| links[i].on_route);
    let slanted = |i: usize| count == 1 && links[i].span() == 1 && !is_covered(links, i);
    for &i in order.iter().filter(|&&i| links[i].span() > 0 && !slanted(i)) {
        let (low, high) = links[i].ends();
        for x in low.min(high)..=low.max(high) {
            lines[levels[i]].put(x, '-', links[i].sgr());
        }
    }
    for &i in &order {
        let (link, level) = (links[i], levels[i]);
        let verticals = |lines: &mut [Line], column: usize| {
            lines.iter_mut().for_each(|line| draw_vertical(line, column * PITCH, link.sgr()));
        };
        if link.span() == 0 {
            verticals(&mut lines, link.from);
        } else if slanted(i) {
            let x = link.from.min(link.to) * PITCH + PITCH / 2;
            lines[0].put(x, if link.from < link.to { '/' } else { '\\' }, link.sgr());
        } else {
            let (low, high) = link.ends();
            let (foot, head) = if link.from < link.to { (',', '\'') } else { ('.', '`') };
            lines[level].put(low, foot, link.sgr());
            lines[level].put(high, head, link.sgr());
            verticals(&mut lines[..level], link.from);
            verticals(&mut lines[level + 1..], link.to);
        }
    }
    lines.reverse();
    lines
}

/// Returns the line below the boss, which connects every node of the top row to the middle.
pub(super) fn boss_line(links: &[Link], middle: usize, cols: usize) -> Line {
    let mut line = Line::new(cols);
    let x = |link: &Link| link.from * PITCH;
    let mut order: Vec<&Link> = links.iter().collect();
    order.sort_by_key(|link| link.on_route);
    for link in &order {
        let (left, right) = (x(link).min(middle), x(link).max(middle));
        (left..=right).for_each(|at| line.put(at, '-', link.sgr()));
    }
    for link in &order {
        let foot = match x(link).cmp(&middle) {
            std::cmp::Ordering::Less => ',',
            std::cmp::Ordering::Equal => '|',
            std::cmp::Ordering::Greater => '.',
        };
        line.put(x(link), foot, link.sgr());
    }
    let any = |test: &dyn Fn(usize) -> bool| links.iter().any(|link| test(x(link)));
    let (left, right) = (any(&|x| x < middle), any(&|x| x > middle));
    let sgr = order.last().map_or(FAINT, |link| link.sgr());
    match (left || right, any(&|x| x == middle)) {
        (true, true) => line.put(middle, '+', sgr),
        (true, false) => line.put(middle, if left { '\'' } else { '`' }, sgr),
        (false, _) => {}
    }
    line
}

impl Link {
    fn span(&self) -> usize {
        self.from.abs_diff(self.to)
    }

    /// Returns the positions of the lower and upper end: one character beside the columns, which
    /// leaves space for vertical edges.
    fn ends(&self) -> (usize, usize) {
        if self.from < self.to {
            (self.from * PITCH + 1, self.to * PITCH - 1)
        } else {
            ((self.from * PITCH).saturating_sub(1), self.to * PITCH + 1)
        }
    }

    fn sgr(&self) -> Sgr {
        if self.on_route { ROUTE } else { FAINT }
    }

    fn overlaps(&self, other: &Link) -> bool {
        let (a, b) = (self.from.min(self.to), self.from.max(self.to));
        let (c, d) = (other.from.min(other.to), other.from.max(other.to));
        a < d && c < b
    }
}

/// Returns whether another edge overlaps edge `i`.
fn is_covered(links: &[Link], i: usize) -> bool {
    let mut others = links.iter().enumerate().filter(|&(j, other)| i != j && other.span() > 0);
    others.any(|(_, other)| links[i].overlaps(other))
}

/// Assigns a line to every edge; 0 is the bottom line.
fn levels(links: &[Link]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..links.len()).collect();
    order.sort_by_key(|&i| (links[i].from, links[i].to));
    let mut levels = vec![0; links.len()];
    if order.windows(2).any(|pair| {
        links[pair[0]].to > links[pair[1]].to && links[pair[0]].from != links[pair[1]].from
    }) {
        return levels; // Some edges must cross, so no assignment is free of crossings.
    }
    let rising = |i: &usize| links[*i].from < links[*i].to;
    let right: Vec<usize> = order.iter().copied().filter(rising).rev().collect();
    let left: Vec<usize> =
        order.iter().copied().filter(|i| links[*i].from > links[*i].to).collect();
    for side in [right, left] {
        for (rank, &i) in side.iter().enumerate() {
            let above = |&j: &usize| {
                let share = links[i].from == links[j].from || links[i].to == links[j].to;
                levels[j] + usize::from(!share)
            };
            let level =
                side[..rank].iter().filter(|&&j| links[i].overlaps(&links[j])).map(above).max();
            levels[i] = level.unwrap_or(0).min(MAX_LINES - 1);
        }
    }
    levels
}

fn draw_vertical(line: &mut Line, x: usize, sgr: Sgr) {
    let c = if line.at(x) == '-' { '+' } else { '|' };
    line.put(x, c, sgr);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(pairs: &[(usize, usize)]) -> Vec<String> {
        let links: Vec<Link> =
            pairs.iter().map(|&(from, to)| Link { from, to, on_route: false }).collect();
        let text = |line: &Line| {
            line.0[1..].iter().map(|cell| cell.0).collect::<String>().trim_end().to_owned()
        };
        gap_lines(&links, 8).iter().map(text).collect()
    }

    #[test]
    fn draws_edges_to_the_next_column_as_slashes_and_wider_ones_as_dashes() {
        assert_eq!(render(&[(0, 0), (0, 1), (2, 1), (3, 3)]), [r"| /   \     |"]);
        assert_eq!(render(&[(0, 2)]), [" ,-----'"]);
        assert_eq!(render(&[(2, 0)]), [" `-----."]);
        assert_eq!(render(&[(0, 0), (0, 2), (1, 2), (2, 2)]), ["|,---,-'|"]);
        assert_eq!(render(&[(4, 2), (4, 3), (4, 4)]), ["         `---`-.|"]);
    }

    #[test]
    fn overlapping_wide_edges_get_separate_lines() {
        assert_eq!(render(&[(0, 2), (1, 3)]), [" ,-----'    |", "|    ,-----'"]);
        assert_eq!(render(&[(2, 0), (3, 1)]), ["|    `-----.", " `-----.    |"]);
    }

    #[test]
    fn forced_crossings_are_drawn_on_one_line() {
        assert_eq!(render(&[(0, 3), (1, 1), (3, 0)]).len(), 1);
    }
}
