//! Reference implementation of the game's map generation: lists, loops and the game's own floats.
//!
//! Shares no code with the ruleset. Slow, but easy to compare with the game.

struct Rng(u64, u64);

impl Rng {
    fn new(seed: u64) -> Rng {
        let mix = |z: u64| {
            let z = (z ^ (z >> 33)).wrapping_mul(0xff51afd7ed558ccd);
            let z = (z ^ (z >> 33)).wrapping_mul(0xc4ceb9fe1a85ec53);
            z ^ (z >> 33)
        };
        let first = mix(if seed == 0 { 1 << 63 } else { seed });
        Rng(first, mix(first))
    }

    fn below(&mut self, n: i64) -> i64 {
        loop {
            let (mut x, y) = (self.0, self.1);
            self.0 = y;
            x ^= x << 23;
            self.1 = x ^ y ^ (x >> 17) ^ (y >> 26);
            let bits = (self.1.wrapping_add(y) >> 1) as i64;
            let value = bits % n;
            if (bits - value).checked_add(n - 1).is_some() {
                return value;
            }
        }
    }

    /// Returns a number from `low` to `high`, inclusive.
    fn range(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high - low + 1)
    }
}

#[derive(Clone, Default)]
struct Cell {
    edges: Vec<i64>,
    parents: Vec<i64>,
    kind: Option<char>,
}

type Grid = Vec<Vec<Cell>>;

/// Returns the canonical line of a map of acts 1 to 3, and the row and column of its burning elite.
pub(super) fn generate(seed: i64, act: i64, ascension: i64) -> (String, Option<(u16, u16)>) {
    let offset = [1, 200, 600][act as usize - 1];
    let mut rng = Rng::new(seed.wrapping_add(offset) as u64);
    let mut grid: Grid = vec![vec![Cell::default(); 7]; 15];
    climb_all(&mut grid, &mut rng);
    let mut used: Vec<i64> = Vec::new();
    for cell in &mut grid[0] {
        let before = used.clone();
        cell.edges.retain(|to| !before.contains(to));
        used.extend(&cell.edges);
    }
    assign_kinds(&mut grid, &mut rng, ascension);
    let mut elites = Vec::new();
    let mut line = String::new();
    for (y, row) in grid.iter().enumerate() {
        for (x, cell) in row.iter().enumerate().filter(|(_, cell)| is_node(y, cell)) {
            let kind = cell.kind.unwrap_or('M');
            if kind == 'E' {
                elites.push((y as u16, x as u16));
            }
            let targets: String = cell.edges.iter().map(i64::to_string).collect();
            line += &format!("{x}{kind}{targets},");
        }
        line.push('/');
    }
    let emerald =
        (!elites.is_empty()).then(|| elites[rng.range(0, elites.len() as i64 - 1) as usize]);
    (line, emerald)
}

fn is_node(y: usize, cell: &Cell) -> bool {
    !cell.edges.is_empty() || (y == 14 && !cell.parents.is_empty())
}

fn climb_all(grid: &mut Grid, rng: &mut Rng) {
    let mut first = None;
    for walk in 0..6 {
        let mut x = rng.range(0, 6);
        while walk == 1 && Some(x) == first {
            x = rng.range(0, 6);
        }
        first = first.or(Some(x));
        for y in 0..14 {
            let next = step(grid, x, y, rng);
            let edges = &mut grid[y][x as usize].edges;
            if !edges.contains(&next) {
                edges.push(next);
                edges.sort_unstable();
            }
            grid[y + 1][next as usize].parents.push(x);
            x = next;
        }
    }
}

fn step(grid: &Grid, x: i64, y: usize, rng: &mut Rng) -> i64 {
    let mut next = x + match x {
        0 => rng.range(0, 1),
        6 => rng.range(-1, 0),
        _ => rng.range(-1, 1),
    };
    let parents = |col: i64| &grid[y][col as usize].parents;
    for &q in &grid[y + 1][next as usize].parents {
        // A bug of the game: it compares the column with the row.
        let (left, right) = if q < y as i64 { (q, x) } else { (x, q) };
        let shared = parents(left).iter().max().is_some()
            && parents(left).iter().max() == parents(right).iter().min();
        if q == x || !shared {
            continue;
        }
        next = if next > x {
            let col = x + rng.range(-1, 0);
            if col < 0 { x } else { col }
        } else if next == x {
            match x + rng.range(-1, 1) {
                7 => x - 1,
                -1 => x + 1,
                col => col,
            }
        } else {
            let col = x + rng.range(0, 1);
            if col > 6 { x } else { col }
        };
    }
    if x > 0
        && let Some(&max) = grid[y][x as usize - 1].edges.last()
    {
        next = next.max(max);
    }
    if x < 6
        && let Some(&min) = grid[y][x as usize + 1].edges.first()
    {
        next = next.min(min);
    }
    next
}

fn assign_kinds(grid: &mut Grid, rng: &mut Rng, ascension: i64) {
    let node_count = |grid: &Grid, y: usize| grid[y].iter().filter(|cell| is_node(y, cell)).count();
    let n = (0..15).filter(|&y| y != 13).map(|y| node_count(grid, y)).sum::<usize>() as f32;
    let round = |x: f32| (x + 0.5).floor() as usize;
    let elites = if ascension > 0 { n * 0.08 * 1.6 } else { n * 0.08 };
    let mut bag: Vec<char> = Vec::new();
    for (kind, count) in [
        ('$', round(n * 0.05)),
        ('R', round(n * 0.12)),
        ('E', round(elites)),
        ('?', round(n * 0.22)),
    ] {
        bag.extend(vec![kind; count]);
    }
    for (y, kind) in [(0, 'M'), (8, 'T'), (14, 'R')] {
        grid[y].iter_mut().for_each(|cell| cell.kind = Some(kind));
    }
    let open: Vec<usize> = (0..15).filter(|y| ![0, 8, 14].contains(y)).collect();
    let untyped = open.iter().map(|&y| node_count(grid, y)).sum::<usize>();
    while bag.len() < untyped {
        bag.push('M');
    }
    for i in (2..=bag.len()).rev() {
        let j = rng.below(i as i64) as usize;
        bag.swap(i - 1, j);
    }
    for y in open {
        for x in 0..7 {
            if is_node(y, &grid[y][x]) {
                let fits = bag.iter().position(|&kind| is_allowed(grid, x, y, kind));
                grid[y][x].kind = fits.map(|at| bag.remove(at));
            }
        }
    }
}

fn is_allowed(grid: &Grid, x: usize, y: usize, kind: char) -> bool {
    if (y <= 4 && "RE".contains(kind)) || (y >= 13 && kind == 'R') {
        return false;
    }
    grid[y][x].parents.iter().map(|&p| &grid[y - 1][p as usize]).all(|parent| {
        let repeats = "RE$".contains(kind) && parent.kind == Some(kind);
        let siblings = parent.edges.iter().filter(|&&to| to != x as i64);
        let same = siblings.map(|&to| grid[y][to as usize].kind).any(|other| other == Some(kind));
        !repeats && !same
    })
}
