//! Animations of the generation of act maps.

use super::Frames;
use crate::curve::Curve;
use crate::scene::{NodeState, Scene, SceneEdge, SceneNode};
use std::collections::{BTreeMap, BTreeSet};
use wayforge::act::{self, ActMap, Edge, KindId, Node};

/// Steps of the generation of an act map, with a scene for each. Nodes are at their positions on
/// the finished map.
///
/// The unfinished walk is drawn as a route and its end as the current node; the legend counts the
/// nodes placed so far.
///
/// # Examples
///
/// ```
/// use wayforge::act;
/// use wayforge::trace::Recorder;
/// use wayforge_draw::{ActFrames, Scene};
/// let mut recorder = Recorder::new(10_000);
/// let map = act::generate_traced(42.into(), &act::Config::default().resolve()?, &mut recorder)?;
/// let frames: Vec<_> = ActFrames::new(&map, recorder.events()).collect();
/// assert_eq!(frames[0].text, "walk 1 starts at 4,0");
/// assert_eq!(frames.last().unwrap().scene, Scene::from_act(&map));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ActFrames<'a> = Frames<ActReplay<'a>>;

/// Replays the events of an act map.
#[derive(Clone, Debug)]
pub struct ActReplay<'a> {
    events: std::slice::Iter<'a, act::Event>,
    replay: act::Replay,
    map: &'a ActMap,
    /// Scene of all nodes and edges that any step contains, at their final positions.
    full_scene: Scene,
}

impl<'a> ActFrames<'a> {
    /// Returns the steps of `events`, recorded while `map` was generated.
    pub fn new(map: &'a ActMap, events: &'a [act::Event]) -> ActFrames<'a> {
        let replay = act::Replay::new(map.seed.clone(), &map.spec);
        let full_scene = full_scene(map, events);
        Frames(ActReplay { events: events.iter(), replay, map, full_scene })
    }
}

impl<'a> super::Replay for ActReplay<'a> {
    type Scene = Scene;
    type Step = &'a act::Event;

    fn advance(&mut self) -> Option<&'a act::Event> {
        self.events.next().inspect(|event| self.replay.apply(event))
    }

    fn remaining(&self) -> usize {
        self.events.len()
    }

    fn describe(&self, event: &&act::Event) -> String {
        match event {
            act::Event::SetKind { row, col, kind } => {
                let kind = self.map.kind_name(Some(*kind)).unwrap_or("of an unknown kind");
                format!("{col},{row} is {kind}")
            }
            other => other.to_string(),
        }
    }

    fn scene(&self) -> Scene {
        let current = self.replay.map();
        let kinds: BTreeMap<(u16, u16), Option<KindId>> =
            current.nodes.iter().map(|node| ((node.row, node.col), node.kind)).collect();
        let edges: BTreeSet<Edge> = current.edges.iter().copied().collect();
        let walk = self.replay.walk();
        let walked = |node: &SceneNode| walk.get(usize::from(node.row)) == Some(&node.col);
        let mut scene = self.full_scene.clone();
        scene.kinds.iter_mut().for_each(|kind| kind.count = 0);
        let mut new_indices = vec![None; scene.nodes.len()];
        let mut nodes = Vec::new();
        for (index, mut node) in std::mem::take(&mut scene.nodes).into_iter().enumerate() {
            if !node.boss {
                let Some(&kind) = kinds.get(&(node.row, node.col)) else { continue };
                node.kind = self.kind(&current, &node, kind);
                node.state = if !walked(&node) {
                    NodeState::Plain
                } else if usize::from(node.row) + 1 == walk.len() {
                    NodeState::Current
                } else {
                    NodeState::Visited
                };
            }
            if let Some(kind) = node.kind.and_then(|kind| scene.kinds.get_mut(kind)) {
                kind.count += 1;
            }
            new_indices[index] = Some(nodes.len());
            nodes.push(node);
        }
        let old = &self.full_scene.nodes;
        scene.edges.retain_mut(|edge| {
            let (from, to) = (&old[edge.from], &old[edge.to]);
            let (Some(low), Some(high)) = (new_indices[edge.from], new_indices[edge.to]) else {
                return false;
            };
            if !to.boss && !edges.contains(&Edge { row: from.row, from: from.col, to: to.col }) {
                return false;
            }
            edge.on_route = walked(from) && !to.boss && walked(to);
            (edge.from, edge.to) = (low, high);
            true
        });
        scene.nodes = nodes;
        scene.info.nodes = current.nodes.len();
        scene.info.edges = current.edges.len();
        scene
    }
}

impl ActReplay<'_> {
    /// Returns a node's kind as an index into the legend.
    fn kind(&self, current: &ActMap, node: &SceneNode, kind: Option<KindId>) -> Option<usize> {
        let is_burning =
            current.emerald.is_some_and(|elite| (elite.row, elite.col) == (node.row, node.col));
        let name = self.map.kind_name(kind)?;
        let find = |name: &str| self.full_scene.kinds.iter().position(|kind| kind.name == name);
        is_burning.then(|| find(&format!("burning {name}"))).flatten().or_else(|| find(name))
    }
}

/// Returns the finished scene with the additional nodes and edges that were removed again during
/// generation.
fn full_scene(map: &ActMap, events: &[act::Event]) -> Scene {
    let (finished, mut all) = (Scene::from_act(map), map.clone());
    let mut walk: Vec<u16> = Vec::new();
    // A scene contains the first of several duplicates, here the one of the finished map.
    for event in events {
        match *event {
            act::Event::Step { row, col, .. } => {
                walk.truncate(row.into());
                if let (Some(&from), Some(below)) = (walk.last(), row.checked_sub(1)) {
                    all.edges.push(Edge { row: below, from, to: col });
                }
                walk.push(col);
                all.nodes.push(Node { row, col, kind: None });
            }
            act::Event::AddNode { row, col } => all.nodes.push(Node { row, col, kind: None }),
            act::Event::AddEdge(edge) => all.edges.push(edge),
            _ => {}
        }
    }
    let Scene { mut nodes, mut edges, .. } = Scene::from_act(&all);
    // Everything on the finished map keeps its position.
    let key = |node: &SceneNode| (node.row, node.col, node.boss);
    let final_nodes: BTreeMap<_, &SceneNode> =
        finished.nodes.iter().map(|node| (key(node), node)).collect();
    for node in &mut nodes {
        if let Some(final_node) = final_nodes.get(&key(node)) {
            node.clone_from(final_node);
        }
    }
    let ends =
        |nodes: &[SceneNode], edge: &SceneEdge| (key(&nodes[edge.from]), key(&nodes[edge.to]));
    let curves: BTreeMap<_, Curve> =
        finished.edges.iter().map(|edge| (ends(&finished.nodes, edge), edge.curve)).collect();
    for edge in &mut edges {
        (edge.curve.0[0], edge.curve.0[3]) = (nodes[edge.from].pos, nodes[edge.to].pos);
        if let Some(&curve) = curves.get(&ends(&nodes, edge)) {
            edge.curve = curve;
        }
    }
    Scene { nodes, edges, ..finished }
}
