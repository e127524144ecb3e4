//! Checks layouts with floating-point geometry that is independent of the crate's own check.

use wayforge::act::{self, ActMap, KindsChoice, RowsConfig, SpireConfig, WalksConfig};
use wayforge_draw::{Layout, LayoutDefect, Point, Scene, Theme, UNIT, find_layout_defects, svg};

fn map(seed: u64, config: WalksConfig) -> ActMap {
    act::generate(seed.into(), &act::Config::Walks(config).resolve().unwrap()).unwrap()
}

fn bare(cols: i64, rows: i64, walks: i64, nearest: i64) -> WalksConfig {
    WalksConfig { cols, rows, walks, nearest, kinds: KindsChoice::None, ..WalksConfig::default() }
}

type PointF = (f64, f64);

fn line(scene: &Scene, edge: usize) -> Vec<PointF> {
    const STEPS: i32 = 40;
    let p: Vec<PointF> =
        scene.edges[edge].curve.0.iter().map(|p| (f64::from(p.x), f64::from(p.y))).collect();
    let at = |t: f64| {
        let s = 1.0 - t;
        let sum = |a: f64, b: f64, c: f64, d: f64| {
            s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
        };
        (sum(p[0].0, p[1].0, p[2].0, p[3].0), sum(p[0].1, p[1].1, p[2].1, p[3].1))
    };
    (0..=STEPS).map(|i| at(f64::from(i) / f64::from(STEPS))).collect()
}

fn distance(p: PointF, a: PointF, b: PointF) -> f64 {
    let (ux, uy, vx, vy) = (b.0 - a.0, b.1 - a.1, p.0 - a.0, p.1 - a.1);
    let length = ux * ux + uy * uy;
    let t = if length > 0.0 { ((ux * vx + uy * vy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (vx - t * ux).hypot(vy - t * uy)
}

fn segments_cross(a: PointF, b: PointF, c: PointF, d: PointF) -> bool {
    let side =
        |p: PointF, q: PointF, r: PointF| (q.0 - p.0) * (r.1 - p.1) - (q.1 - p.1) * (r.0 - p.0);
    side(a, b, c) * side(a, b, d) < -1e-6 && side(c, d, a) * side(c, d, b) < -1e-6
}

/// Returns descriptions of all defects of a scene.
fn independent_defects(scene: &Scene) -> Vec<String> {
    let lines: Vec<Vec<PointF>> = (0..scene.edges.len()).map(|edge| line(scene, edge)).collect();
    let row = |edge: usize| scene.nodes[scene.edges[edge].from].row;
    let mut found = Vec::new();
    for a in 0..scene.edges.len() {
        let edge = scene.edges[a];
        for (n, node) in scene.nodes.iter().enumerate() {
            if n == edge.from || n == edge.to || node.row < row(a) || node.row > row(a) + 1 {
                continue;
            }
            let centre = (f64::from(node.pos.x), f64::from(node.pos.y));
            let near =
                lines[a].windows(2).map(|s| distance(centre, s[0], s[1])).fold(f64::MAX, f64::min);
            if near < f64::from(node.radius + 3 * UNIT) {
                found.push(format!("edge {a} passes {} at distance {near}", node.label));
            }
        }
        for b in (a + 1..scene.edges.len()).take_while(|&b| row(b) == row(a)) {
            let cross = |s: &[PointF], t: &[PointF]| {
                let disjoint =
                    |x: f64, y: f64, u: f64, v: f64| x.max(y) < u.min(v) || u.max(v) < x.min(y);
                !disjoint(s[0].1, s[1].1, t[0].1, t[1].1)
                    && !disjoint(s[0].0, s[1].0, t[0].0, t[1].0)
                    && segments_cross(s[0], s[1], t[0], t[1])
            };
            if lines[a].windows(2).any(|s| lines[b].windows(2).any(|t| cross(s, t))) {
                found.push(format!("edges {a} and {b} cross"));
            }
        }
    }
    found
}

fn assert_no_defects(seed: u64, config: WalksConfig) {
    let (cols, nearest) = (config.cols, config.nearest);
    let map = map(seed, config);
    for jitter in [true, false] {
        let scene = Scene::from_act_with(&map, Layout { jitter, ..Layout::default() });
        assert_eq!(
            independent_defects(&scene),
            [""; 0],
            "seed {seed}, {cols} columns, nearest {nearest}, jitter {jitter}"
        );
        assert_eq!(
            find_layout_defects(&scene),
            [],
            "seed {seed}, {cols} columns, nearest {nearest}, jitter {jitter}"
        );
    }
}

#[test]
fn default_maps_have_no_defects() {
    (0..300).for_each(|seed| {
        assert_no_defects(seed, WalksConfig { kinds: KindsChoice::None, ..WalksConfig::default() })
    });
}

#[test]
fn maps_of_all_widths_and_spans_have_no_defects() {
    for cols in [1, 2, 3, 4, 9, 16, 33, 64] {
        for nearest in [1, 2, 3, 5, 9, 24, 64] {
            let seeds = if cols > 16 { 1 } else { 4 };
            for seed in 0..seeds {
                let walks = if cols == 1 { 1 } else { (cols * (1 + seed as i64) / 2).max(2) };
                assert_no_defects(seed, bare(cols, 5, walks, nearest));
            }
        }
    }
}

#[test]
fn jitter_moves_most_nodes_and_is_reproducible() {
    let (mut moved, mut total) = (0, 0);
    for seed in 0..50 {
        let map = map(seed, WalksConfig::default());
        let (jittered, on_grid) = (
            Scene::from_act(&map),
            Scene::from_act_with(&map, Layout { jitter: false, ..Layout::default() }),
        );
        for (a, b) in jittered.nodes.iter().zip(&on_grid.nodes).filter(|(a, _)| !a.boss) {
            total += 1;
            moved += usize::from((a.pos.x - b.pos.x).abs() + (a.pos.y - b.pos.y).abs() > 4 * UNIT);
        }
    }
    assert!(moved * 10 > total * 8, "only {moved} of {total} nodes are off the grid");
    let again = || Scene::from_act(&map(3, WalksConfig::default()));
    assert_eq!(again(), again());
}

#[test]
fn wide_edges_enlarge_row_gaps() {
    let usual = Scene::from_act(&map(1, bare(64, 5, 60, 3)));
    let far = Scene::from_act(&map(1, bare(64, 5, 60, 64)));
    assert!(far.height > usual.height + 100 * UNIT, "{} {}", far.height, usual.height);
}

#[test]
fn both_checkers_find_injected_defects() {
    let mut scene = Scene::from_act(&map(42, WalksConfig::default()));
    let edge = scene.edges.iter().position(|e| scene.nodes[e.from].row == 4).unwrap();
    let other = (0..scene.nodes.len())
        .find(|&n| scene.nodes[n].row == 5 && n != scene.edges[edge].to)
        .unwrap();
    scene.nodes[other].pos = scene.edges[edge].curve.at(1, 2);
    assert!(
        find_layout_defects(&scene).contains(&LayoutDefect::EdgeThroughNode { edge, node: other })
    );
    assert!(independent_defects(&scene).iter().any(|text| text.contains("passes")));

    let mut scene = Scene::from_act(&map(42, WalksConfig::default()));
    let row = |scene: &Scene, e: usize| scene.nodes[scene.edges[e].from].row;
    let (a, b) = (0..scene.edges.len())
        .flat_map(|a| (a + 1..scene.edges.len()).map(move |b| (a, b)))
        .find(|&(a, b)| {
            let (one, two) = (scene.edges[a], scene.edges[b]);
            row(&scene, a) == row(&scene, b) && one.from != two.from && one.to != two.to
        })
        .unwrap();
    let (one, two) = (scene.edges[a].curve, scene.edges[b].curve);
    scene.edges[a].curve.0[2..].copy_from_slice(&two.0[2..]);
    scene.edges[b].curve.0[2..].copy_from_slice(&one.0[2..]);
    assert!(find_layout_defects(&scene).contains(&LayoutDefect::EdgesCross { edge: a, other: b }));
    assert!(independent_defects(&scene).contains(&format!("edges {a} and {b} cross")));
}

#[test]
fn row_0_is_at_the_bottom_and_the_boss_at_the_top() {
    let scene = Scene::from_act(&map(42, WalksConfig::default()));
    assert!(scene.row_labels.windows(2).all(|pair| pair[1].y < pair[0].y));
    let boss = scene.nodes.last().unwrap();
    assert!(boss.boss && boss.radius > scene.nodes[0].radius && boss.pos.x == scene.width / 2);
    assert!(scene.nodes[..scene.nodes.len() - 1].iter().all(|node| node.pos.y > boss.pos.y));
    let top = scene.nodes.iter().filter(|node| node.row == 14).count();
    assert_eq!(scene.edges.iter().filter(|edge| scene.nodes[edge.to].boss).count(), top);
    let inside = |p: Point| (0..scene.width).contains(&p.x) && (0..scene.height).contains(&p.y);
    assert!(
        scene.nodes.iter().all(|node| inside(node.pos)) && scene.legend.iter().all(|&p| inside(p))
    );
}

#[test]
fn spire_maps_show_the_seed_in_game_notation_and_the_burning_elite() {
    use wayforge::act::{self, SpireConfig};
    let config = SpireConfig { ascension: 1, emerald: true, ..SpireConfig::default() };
    let spec = act::Config::Spire(config).resolve().unwrap();
    let map = wayforge::act::generate(wayforge::Seed::new(673465884448), &spec).unwrap();
    let scene = wayforge_draw::Scene::from_act(&map);
    assert_eq!(scene.title, "Seed AGCK93XT");
    let emerald = map.emerald.unwrap();
    let burning =
        scene.nodes.iter().find(|node| (node.row, node.col) == (emerald.row, emerald.col)).unwrap();
    let kind = scene.kind_of(burning).unwrap();
    assert_eq!((kind.name.as_str(), kind.count), ("burning elite", 1));
    let elites = scene.kinds.iter().find(|kind| kind.name == "elite").unwrap();
    assert!(elites.icon == kind.icon && elites.frame != kind.frame, "the frames differ");
    assert_eq!(
        scene.nodes.iter().filter(|node| scene.kind_of(node) == Some(elites)).count(),
        elites.count
    );
}

/// Returns the node labels of a picture: text, left edge, right edge and vertical centre, in
/// pixels.
fn labels(text: &str) -> Vec<(String, f64, f64, f64)> {
    let number = |line: &str, name: &str| -> f64 {
        let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    let found =
        text.lines().filter(|line| line.starts_with("<text") && line.contains(" font-size=\"13\""));
    let label = |line: &str| {
        let text = line.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned();
        // Digits are at most 0.602 em wide, commas 0.268 em.
        let half = ((text.len() - 1) as f64 * 0.602 + 0.268) * 13.0 / 2.0;
        let (x, y) = (number(line, "x"), number(line, "y"));
        (text, x - half, x + half, y - 4.0)
    };
    found.map(label).collect()
}

#[test]
fn labels_name_every_node_without_overlaps() {
    let configs = [
        act::Config::default(),
        act::Config::Rows(RowsConfig::default()),
        act::Config::Spire(SpireConfig::default()),
    ];
    for (config, seed) in configs.iter().flat_map(|config| (0..100).map(move |seed| (config, seed)))
    {
        let map = act::generate(seed.into(), &config.resolve().unwrap()).unwrap();
        let scene = Scene::from_act_with(&map, Layout { labels: true, ..Layout::default() });
        let found = labels(&svg(&scene, Theme::Parchment));
        let mut texts: Vec<&str> = found.iter().map(|label| label.0.as_str()).collect();
        let mut expected: Vec<String> =
            map.nodes.iter().map(|node| format!("{},{}", node.col, node.row)).collect();
        texts.sort_unstable();
        expected.sort_unstable();
        assert_eq!(texts, expected, "seed {seed}");
        let unit = f64::from(UNIT);
        for (text, left, right, y) in &found {
            for node in &scene.nodes {
                let (x, at) = (f64::from(node.pos.x) / unit, f64::from(node.pos.y) / unit);
                let nearest = x.clamp(*left, *right);
                let distance = (nearest - x).hypot(y - at);
                assert!(
                    distance >= f64::from(node.radius) / unit,
                    "seed {seed}: {text} overlaps {}",
                    node.label
                );
            }
            assert!(
                *right < f64::from(scene.width) / unit,
                "seed {seed}: {text} is outside the sheet"
            );
        }
        for edge in 0..scene.edges.len() {
            for (x, at) in line(&scene, edge).into_iter().map(|(x, y)| (x / unit, y / unit)) {
                let crossed = found.iter().find(|(_, left, right, y)| {
                    (*left..*right).contains(&x) && (at - y).abs() < 4.0
                });
                assert!(crossed.is_none(), "seed {seed}: edge {edge} crosses {crossed:?}");
            }
        }
    }
    let map = map(1, WalksConfig::default());
    assert!(
        labels(&svg(&Scene::from_act(&map), Theme::Night)).is_empty(),
        "labels are off by default"
    );
}
