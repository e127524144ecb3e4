//! The scene: a map resolved into positions, labels and looks. Everything that draws only reads it.

use crate::curve::{Curve, Point};
use crate::layout::{BOSS_RADIUS, NODE_RADIUS, PITCH, place};
use crate::svg::Paper;
use crate::text::counted;
use crate::{board, sheet};
use wayforge::Seed;
use wayforge::act::{self, ActMap, Icon, spire_seed_to_text};

/// A picture before it is drawn: all positions are whole [units](crate::UNIT), nothing is left to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The headline.
    pub title: String,
    /// What was drawn.
    pub about: About,
    /// The picture's width.
    pub width: i32,
    /// The picture's height.
    pub height: i32,
    /// The nodes by row and column, and the boss last.
    pub nodes: Vec<SceneNode>,
    /// The edges by row and columns, then those to the boss.
    pub edges: Vec<SceneEdge>,
    /// The kinds in use, in the order of the map's set.
    pub kinds: Vec<SceneKind>,
    /// Where the legend's entries stand, one for each of `kinds`.
    pub legend: Vec<Point>,
    /// The rule above the legend, by its left and right end.
    pub footer: [Point; 2],
    /// Row numbers: where each row stands without jitter, from row 0 up.
    pub row_marks: Vec<Point>,
    /// Whether the column and row of every node are written beside it.
    pub labels: bool,
}

/// What a scene is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The algorithm that made the map.
    pub algorithm: String,
    /// Its seed.
    pub seed: Seed,
    /// Rows of the grid.
    pub rows: u16,
    /// Columns of the grid.
    pub cols: u16,
    /// Nodes drawn, the boss aside.
    pub nodes: usize,
    /// Edges drawn, those to the boss aside.
    pub edges: usize,
}

/// A node with its place and look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneNode {
    /// Its row; the boss stands one above the top row.
    pub row: u16,
    /// Its column; the boss has none of its own and counts as the middle one.
    pub col: u16,
    /// True for the boss.
    pub boss: bool,
    /// Its centre.
    pub pos: Point,
    /// The disc it takes up.
    pub radius: i32,
    /// What it is called: `Node 3,5` on column 3 and row 5, or `Boss`.
    pub label: String,
    /// Its kind, as a place in [`Scene::kinds`].
    pub kind: Option<usize>,
    /// How it stands in a run.
    pub state: NodeState,
}

/// How a node stands in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeState {
    /// Nothing special.
    #[default]
    Plain,
    /// The run has been here.
    Visited,
    /// The run is here.
    Current,
    /// The run can still come here.
    Attainable,
    /// In the fog: its kind is not shown.
    Hidden,
}

/// An edge with its curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneEdge {
    /// The lower node, as a place in [`Scene::nodes`].
    pub from: usize,
    /// The upper node.
    pub to: usize,
    /// From the centre of one to the centre of the other.
    pub curve: Curve,
    /// True if it is part of the route to show.
    pub on_route: bool,
}

/// A kind as pictures show it, with how often it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneKind {
    /// Its name.
    pub name: String,
    /// Its character in ASCII pictures.
    pub symbol: char,
    /// Its icon.
    pub icon: Icon,
    /// Which frame it has: kinds with the same icon have different ones.
    pub frame: u8,
    /// How many nodes are of this kind, the boss included.
    pub count: usize,
}

/// How a scene is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Whether nodes stand a little off the grid, by the map's seed.
    pub jitter: bool,
    /// Whether the column and row of every node are written beside it.
    pub labels: bool,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { jitter: true, labels: false }
    }
}

impl Scene {
    /// The scene of an act map in the usual layout.
    ///
    /// * **Returns.** A scene for any map: nodes off the grid, edges without ends and everything said twice are left out.
    /// * **Complexity.** Near linear in nodes and edges.
    /// * **Determinism.** Stream `draw.jitter`; the same map gives the same scene on every machine.
    /// * **Guarantees.** [`find_faults`](crate::find_faults) finds nothing.
    ///
    /// ```
    /// use wayforge::act;
    /// use wayforge_draw::Scene;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let scene = Scene::of_act(&map);
    /// assert_eq!(scene.about.nodes, map.nodes.len());
    /// assert_eq!(scene.nodes[0].label, map.nodes[0].label());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_act(map: &ActMap) -> Scene {
        Scene::of_act_with(map, Layout::default())
    }

    /// The scene of an act map in a layout of one's own.
    ///
    /// ```
    /// use wayforge::act;
    /// use wayforge_draw::{Layout, Scene};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let scene = Scene::of_act_with(&map, Layout { jitter: false, ..Layout::default() });
    /// let row = |row| scene.nodes.iter().filter(move |node| node.row == row);
    /// assert!(row(3).all(|node| node.pos.y == scene.row_marks[3].y));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_act_with(map: &ActMap, layout: Layout) -> Scene {
        let board = board::of_act(map);
        let placed = place(&board, layout.jitter.then_some(&map.seed));
        let kinds = kinds_in_use(map, &board);
        let at_scene =
            |kind: Option<usize>| kind.and_then(|kind| kinds.binary_search_by_key(&kind, |k| k.0).ok());
        let (rows, cols) = (map.spec.rows(), map.spec.cols());
        let node = |(row, col): (u16, u16), boss: bool, kind: Option<usize>| SceneNode {
            row,
            col,
            boss,
            pos: Point::default(),
            radius: if boss { BOSS_RADIUS } else { NODE_RADIUS },
            label: if boss { "Boss".to_owned() } else { act::Node { row, col, kind: None }.label() },
            kind: at_scene(kind),
            state: NodeState::Plain,
        };
        let placed_nodes = board.cells.iter().zip(&board.kinds);
        let mut nodes: Vec<SceneNode> = placed_nodes.map(|(&cell, &kind)| node(cell, false, kind)).collect();
        if map.boss.is_some() {
            nodes.push(node((rows, cols / 2), true, board.boss_kind));
        }
        let edge = |(&(from, to), &curve)| SceneEdge { from, to, curve, on_route: false };
        let edges: Vec<SceneEdge> = board.edges.iter().zip(&placed.curves).map(edge).collect();
        let about = About {
            algorithm: map.spec.algorithm().to_owned(),
            seed: map.seed.clone(),
            rows,
            cols,
            nodes: board.cells.len(),
            edges: edges.iter().filter(|edge| edge.to < board.cells.len()).count(),
        };
        let mut scene = Scene {
            title: title(map),
            about,
            width: 0,
            height: 0,
            nodes,
            edges,
            kinds: kinds.into_iter().map(|(_, kind)| kind).collect(),
            legend: Vec::new(),
            footer: [Point::default(); 2],
            row_marks: Vec::new(),
            labels: layout.labels,
        };
        scene.tell_emerald_apart(map);
        sheet::arrange(scene, &placed, (i32::from(cols) - 1) * PITCH)
    }

    /// Gives the elite that burns with the emerald flame a look of its own.
    fn tell_emerald_apart(&mut self, map: &ActMap) {
        let Some(mark) = map.emerald else { return };
        let burning = self.kinds.len();
        let place = |node: &&mut SceneNode| (node.row, node.col, node.boss) == (mark.row, mark.col, false);
        let Some(node) = self.nodes.iter_mut().find(place) else { return };
        let Some(plain) = node.kind.and_then(|kind| self.kinds.get_mut(kind)) else { return };
        plain.count -= 1;
        let burning_kind = SceneKind {
            name: format!("burning {}", plain.name),
            symbol: 'X',
            icon: plain.icon,
            frame: plain.frame + 1,
            count: 1,
        };
        node.kind = Some(burning);
        self.kinds.push(burning_kind);
    }

    /// The kind of a node, if it has one.
    pub fn kind_of(&self, node: &SceneNode) -> Option<&SceneKind> {
        node.kind.and_then(|kind| self.kinds.get(kind))
    }

    /// One line that says what the picture shows: algorithm, size, nodes and edges.
    pub fn caption(&self) -> String {
        let About { algorithm, rows, cols, nodes, edges, .. } = &self.about;
        let size = format!("{} by {}", counted((*cols).into(), "column"), counted((*rows).into(), "row"));
        format!("{algorithm}, {size}, {}, {}", counted(*nodes, "node"), counted(*edges, "edge"))
    }

    /// The picture in a sentence or two, for those who cannot see it.
    ///
    /// ```
    /// use wayforge::act::{self, KindsChoice, WalksConfig};
    /// let config = WalksConfig { rows: 2, cols: 2, kinds: KindsChoice::None, ..WalksConfig::default() };
    /// let map = act::generate(7.into(), &act::Config::Walks(config).resolve()?)?;
    /// let text = wayforge_draw::Scene::of_act(&map).description();
    /// assert!(text.starts_with("An act map of 2 columns and 2 rows with 4 nodes and "), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn description(&self) -> String {
        let About { algorithm, seed, rows, cols, nodes, edges } = &self.about;
        let mut text = format!(
            "An act map of {} and {} with {} and {}, made by {algorithm} from seed {seed}. The way leads from row 0 at the bottom to the top",
            counted((*cols).into(), "column"),
            counted((*rows).into(), "row"),
            counted(*nodes, "node"),
            counted(*edges, "edge"),
        );
        text += if self.nodes.last().is_some_and(|node| node.boss) { ", where the boss waits." } else { "." };
        if !self.kinds.is_empty() {
            let counts: Vec<String> =
                self.kinds.iter().map(|kind| format!("{} {}", kind.count, kind.name)).collect();
            text += &format!(" By kind: {}.", counts.join(", "));
        }
        text + &crate::progress::description(self)
    }

    /// The paper that it is drawn on.
    pub(crate) fn paper(&self) -> Paper {
        let Scene { width, height, footer, about, .. } = self;
        Paper { width: *width, height: *height, rule: Some(*footer), seed: Some(about.seed.clone()) }
    }
}

/// The kinds that the picture shows, by their place in the map's set.
fn kinds_in_use(map: &ActMap, board: &board::Board) -> Vec<(usize, SceneKind)> {
    let mut counts = vec![0; map.kinds().len()];
    for &kind in board.kinds.iter().chain([&board.boss_kind]) {
        if let Some(count) = kind.and_then(|kind| counts.get_mut(kind)) {
            *count += 1;
        }
    }
    let used = map.kinds().iter().zip(counts).enumerate().filter(|(_, (_, count))| *count > 0);
    used.map(|(place, (kind, count))| {
        let name = kind.name.clone();
        (place, SceneKind { name, symbol: kind.symbol, icon: kind.icon, frame: kind.frame, count })
    })
    .collect()
}

/// The headline: the seed, in the game's own writing where the map is the game's.
fn title(map: &ActMap) -> String {
    match map.spec.config() {
        act::Config::Spire(_) => format!("Seed {}", spire_seed_to_text(&map.seed)),
        _ => format!("Seed {}", map.seed.to_line()),
    }
}
