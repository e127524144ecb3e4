//! Scenes of act maps: positions, labels and appearance, computed once and read by every renderer.

use crate::curve::{Curve, Point};
use crate::layout::{BOSS_RADIUS, NODE_RADIUS, PITCH, lay_out};
use crate::svg::Paper;
use crate::text::counted;
use crate::{board, sheet};
use wayforge::Seed;
use wayforge::act::{self, ActMap, Icon, spire_seed_to_text};

/// The complete layout of a picture of an act map. All positions are integers in
/// [units](crate::UNIT).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Headline.
    pub title: String,
    /// Properties of the map.
    pub info: SceneInfo,
    /// Width of the picture.
    pub width: i32,
    /// Height of the picture.
    pub height: i32,
    /// Nodes, sorted by row and column; the boss is last.
    pub nodes: Vec<SceneNode>,
    /// Edges, sorted by row and columns; edges to the boss are last.
    pub edges: Vec<SceneEdge>,
    /// Kinds in use, in the order of the map's kind set.
    pub kinds: Vec<SceneKind>,
    /// Positions of the legend entries, one for each of `kinds`.
    pub legend: Vec<Point>,
    /// Left and right end of the horizontal line above the legend.
    pub footer: [Point; 2],
    /// Positions of the row numbers, starting with row 0; jitter does not move them.
    pub row_labels: Vec<Point>,
    /// Whether every node is labelled with its column and row.
    pub labels: bool,
}

/// Properties of the map, shown in caption and description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneInfo {
    /// Algorithm that generated the map.
    pub algorithm: String,
    /// Seed of the map.
    pub seed: Seed,
    /// Number of rows of the grid.
    pub rows: u16,
    /// Number of columns of the grid.
    pub cols: u16,
    /// Number of nodes drawn, without the boss.
    pub nodes: usize,
    /// Number of edges drawn, without edges to the boss.
    pub edges: usize,
}

/// A node with its position and appearance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneNode {
    /// Row; the boss is one row above the top row.
    pub row: u16,
    /// Column; the boss gets the middle column.
    pub col: u16,
    /// Whether this is the boss.
    pub boss: bool,
    /// Centre.
    pub pos: Point,
    /// Radius of the disc that the node occupies.
    pub radius: i32,
    /// Label: `Node 3,5` for column 3 and row 5, or `Boss`.
    pub label: String,
    /// Kind, as an index into [`Scene::kinds`].
    pub kind: Option<usize>,
    /// State in a run.
    pub state: NodeState,
}

/// State of a node in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum NodeState {
    /// No run is in progress, or the run can no longer reach the node.
    #[default]
    Plain,
    /// Visited earlier in the run.
    Visited,
    /// Current position of the run.
    Current,
    /// The run can still reach the node.
    Reachable,
    /// Hidden by the fog: the kind is not shown.
    Hidden,
}

/// An edge with its curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneEdge {
    /// Lower node, as an index into [`Scene::nodes`].
    pub from: usize,
    /// Upper node, as an index into [`Scene::nodes`].
    pub to: usize,
    /// Curve from the centre of `from` to the centre of `to`.
    pub curve: Curve,
    /// Whether the edge is on the highlighted route.
    pub on_route: bool,
}

/// A kind as it is drawn, with its number of occurrences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneKind {
    /// Name.
    pub name: String,
    /// Character in ASCII pictures.
    pub symbol: char,
    /// Icon.
    pub icon: Icon,
    /// Frame number; kinds with the same icon have different frames.
    pub frame: u8,
    /// Number of nodes of this kind, including the boss.
    pub count: usize,
}

/// Layout options of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Whether nodes are moved slightly off the grid, using the map's seed.
    pub jitter: bool,
    /// Whether every node is labelled with its column and row.
    pub labels: bool,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { jitter: true, labels: false }
    }
}

impl Scene {
    /// Returns the scene of an act map in the default layout.
    ///
    /// Accepts invalid maps too: nodes outside the grid, edges with a missing end and duplicates
    /// are left out. [`find_layout_defects`](crate::find_layout_defects) finds no defect in the
    /// result.
    ///
    /// # Complexity
    /// O((nodes + edges) log (nodes + edges) + p), where p is the number of pairs of edges, or of
    /// an edge and a node, that overlap horizontally between two rows.
    ///
    /// # Determinism
    /// Jitter uses the stream `draw.jitter`; the same map gives the same scene on every platform.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::act;
    /// use wayforge_draw::Scene;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let scene = Scene::from_act(&map);
    /// assert_eq!(scene.info.nodes, map.nodes.len());
    /// assert_eq!(scene.nodes[0].label, map.nodes[0].label());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_act(map: &ActMap) -> Scene {
        Scene::from_act_with(map, Layout::default())
    }

    /// Returns the scene of an act map with the given layout options.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::act;
    /// use wayforge_draw::{Layout, Scene};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let scene = Scene::from_act_with(&map, Layout { jitter: false, ..Layout::default() });
    /// let row = |row| scene.nodes.iter().filter(move |node| node.row == row);
    /// assert!(row(3).all(|node| node.pos.y == scene.row_labels[3].y));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_act_with(map: &ActMap, layout: Layout) -> Scene {
        let board = board::from_act(map);
        let placement = lay_out(&board, layout.jitter.then_some(&map.seed));
        let kinds = kinds_in_use(map, &board);
        let scene_kind = |kind: Option<usize>| {
            kind.and_then(|kind| kinds.binary_search_by_key(&kind, |k| k.0).ok())
        };
        let (rows, cols) = (map.spec.rows(), map.spec.cols());
        let node = |(&(row, col), &kind): (&(u16, u16), &Option<usize>)| SceneNode {
            row,
            col,
            boss: false,
            pos: Point::default(),
            radius: NODE_RADIUS,
            label: act::Node { row, col, kind: None }.label(),
            kind: scene_kind(kind),
            state: NodeState::Plain,
        };
        let mut nodes: Vec<SceneNode> = board.cells.iter().zip(&board.kinds).map(node).collect();
        if map.boss.is_some() {
            let (label, boss) = ("Boss".to_owned(), node((&(rows, cols / 2), &board.boss_kind)));
            nodes.push(SceneNode { boss: true, radius: BOSS_RADIUS, label, ..boss });
        }
        let edge = |(&(from, to), &curve)| SceneEdge { from, to, curve, on_route: false };
        let edges: Vec<SceneEdge> = board.edges.iter().zip(&placement.curves).map(edge).collect();
        let info = SceneInfo {
            algorithm: map.spec.algorithm().to_owned(),
            seed: map.seed.clone(),
            rows,
            cols,
            nodes: board.cells.len(),
            edges: edges.iter().filter(|edge| edge.to < board.cells.len()).count(),
        };
        // Maps of the Spire ruleset show the seed in the notation of the game.
        let seed = match map.spec.config() {
            act::Config::Spire(_) => spire_seed_to_text(&map.seed),
            _ => map.seed.to_line(),
        };
        let mut scene = Scene {
            title: format!("Seed {seed}"),
            info,
            width: 0,
            height: 0,
            nodes,
            edges,
            kinds: kinds.into_iter().map(|(_, kind)| kind).collect(),
            legend: Vec::new(),
            footer: [Point::default(); 2],
            row_labels: Vec::new(),
            labels: layout.labels,
        };
        scene.split_burning_elite(map);
        sheet::arrange(scene, &placement, (i32::from(cols) - 1) * PITCH)
    }

    /// Gives the elite that guards the emerald key its own legend entry and frame.
    fn split_burning_elite(&mut self, map: &ActMap) {
        let Some(emerald) = map.emerald else { return };
        let burning = self.kinds.len();
        let is_burning = |node: &&mut SceneNode| {
            (node.row, node.col, node.boss) == (emerald.row, emerald.col, false)
        };
        let Some(node) = self.nodes.iter_mut().find(is_burning) else { return };
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

    /// Returns the kind of a node.
    pub fn kind_of(&self, node: &SceneNode) -> Option<&SceneKind> {
        node.kind.and_then(|kind| self.kinds.get(kind))
    }

    /// Returns a one-line summary: algorithm, size, number of nodes and number of edges.
    pub fn caption(&self) -> String {
        let SceneInfo { algorithm, rows, cols, nodes, edges, .. } = &self.info;
        let size =
            format!("{} by {}", counted((*cols).into(), "column"), counted((*rows).into(), "row"));
        format!("{algorithm}, {size}, {}, {}", counted(*nodes, "node"), counted(*edges, "edge"))
    }

    /// Describes the picture in a few sentences, for screen readers.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::act::{self, KindsChoice, WalksConfig};
    /// let kinds = KindsChoice::None;
    /// let config = WalksConfig { rows: 2, cols: 2, kinds, ..WalksConfig::default() };
    /// let map = act::generate(7.into(), &act::Config::Walks(config).resolve()?)?;
    /// let text = wayforge_draw::Scene::from_act(&map).description();
    /// assert!(text.starts_with("An act map of 2 columns and 2 rows with 4 nodes and "), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn description(&self) -> String {
        let SceneInfo { algorithm, seed, rows, cols, nodes, edges } = &self.info;
        let mut text = format!(
            "An act map of {} and {} with {} and {}, generated by {algorithm} from seed {seed}. \
             Routes lead from row 0 at the bottom to ",
            counted((*cols).into(), "column"),
            counted((*rows).into(), "row"),
            counted(*nodes, "node"),
            counted(*edges, "edge"),
        );
        let has_boss = self.nodes.last().is_some_and(|node| node.boss);
        text += if has_boss { "the boss at the top." } else { "the top row." };
        if !self.kinds.is_empty() {
            let counts: Vec<String> =
                self.kinds.iter().map(|kind| format!("{} {}", kind.count, kind.name)).collect();
            text += &format!(" Node kinds: {}.", counts.join(", "));
        }
        text + &crate::progress::description(self)
    }

    /// Returns the sheet of paper behind the scene.
    pub(crate) fn paper(&self) -> Paper {
        let Scene { width, height, footer, info, .. } = self;
        Paper { width: *width, height: *height, rule: Some(*footer), seed: Some(info.seed.clone()) }
    }
}

/// Returns the kinds that occur, each with its index in the map's kind set.
fn kinds_in_use(map: &ActMap, board: &board::Board) -> Vec<(usize, SceneKind)> {
    let mut counts = vec![0; map.kinds().len()];
    for &kind in board.kinds.iter().chain([&board.boss_kind]) {
        if let Some(count) = kind.and_then(|kind| counts.get_mut(kind)) {
            *count += 1;
        }
    }
    let used = map.kinds().iter().zip(counts).enumerate().filter(|(_, (_, count))| *count > 0);
    used.map(|(index, (kind, count))| {
        let name = kind.name.clone();
        (index, SceneKind { name, symbol: kind.symbol, icon: kind.icon, frame: kind.frame, count })
    })
    .collect()
}
