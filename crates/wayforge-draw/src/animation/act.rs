//! The generation of act maps.

use super::{Frames, MAX_PICTURES, animate};
use crate::paint::Painter;
use crate::png::DrawError;
use crate::scene::{NodeState, Scene, SceneNode};
use crate::theme::Theme;
use std::collections::{BTreeMap, BTreeSet};
use wayforge::act::{self, ActMap, Edge, KindId, Node};

/// The steps of the generation of an act map, one scene after another: every node stands where it stands on the finished map.
///
/// The walk under way is drawn as a route, its end as the current node; the legend counts what is there.
///
/// ```
/// use wayforge::act;
/// use wayforge::trace::Tape;
/// use wayforge_draw::{ActFrames, Scene};
/// let mut tape = Tape::new(10_000);
/// let map = act::generate_traced(42.into(), &act::Config::default().resolve()?, &mut tape)?;
/// let frames: Vec<_> = ActFrames::new(&map, tape.events()).collect();
/// assert_eq!(frames[0].text, "walk 1 starts on 4,0");
/// assert_eq!(frames.last().unwrap().scene, Scene::of_act(&map));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type ActFrames<'a> = Frames<ActReplay<'a>>;

/// The events of an act map, replayed.
#[derive(Clone, Debug)]
pub struct ActReplay<'a> {
    events: std::slice::Iter<'a, act::Event>,
    replay: act::Replay,
    map: &'a ActMap,
    /// Everything that ever stands, in its place.
    whole: Scene,
}

impl<'a> ActFrames<'a> {
    /// The steps of `events`, which were recorded while `map` was generated.
    pub fn new(map: &'a ActMap, events: &'a [act::Event]) -> ActFrames<'a> {
        let replay = act::Replay::new(map.seed.clone(), &map.spec);
        Frames(ActReplay { events: events.iter(), replay, map, whole: whole(map, events) })
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
            act::Event::Kind { row, col, kind } => {
                format!("{col},{row} is {}", self.map.kind_name(Some(*kind)).unwrap_or("of an unknown kind"))
            }
            other => other.to_string(),
        }
    }

    fn scene(&self) -> Scene {
        let there = self.replay.map();
        let kinds: BTreeMap<(u16, u16), Option<KindId>> =
            there.nodes.iter().map(|node| ((node.row, node.col), node.kind)).collect();
        let edges: BTreeSet<Edge> = there.edges.iter().copied().collect();
        let walk = self.replay.walk();
        let mut scene = self.whole.clone();
        for kind in &mut scene.kinds {
            kind.count = 0;
        }
        let mut places = vec![None; scene.nodes.len()];
        let mut nodes = Vec::new();
        for (at, mut node) in std::mem::take(&mut scene.nodes).into_iter().enumerate() {
            let cell = (node.row, node.col);
            if !node.boss {
                let Some(&kind) = kinds.get(&cell) else { continue };
                node.kind = self.kind(&there, &node, kind);
                node.state = match walk.get(usize::from(node.row)) {
                    Some(&col) if col != node.col => NodeState::Plain,
                    Some(_) if usize::from(node.row) + 1 == walk.len() => NodeState::Current,
                    Some(_) => NodeState::Visited,
                    None => NodeState::Plain,
                };
            }
            if let Some(kind) = node.kind.and_then(|kind| scene.kinds.get_mut(kind)) {
                kind.count += 1;
            }
            places[at] = Some(nodes.len());
            nodes.push(node);
        }
        let old = &self.whole.nodes;
        scene.edges.retain_mut(|edge| {
            let (from, to) = (&old[edge.from], &old[edge.to]);
            let (Some(low), Some(high)) = (places[edge.from], places[edge.to]) else { return false };
            if !to.boss && !edges.contains(&Edge { row: from.row, from: from.col, to: to.col }) {
                return false;
            }
            let walked = |node: &SceneNode| walk.get(usize::from(node.row)) == Some(&node.col);
            edge.on_route = walked(from) && !to.boss && walked(to);
            (edge.from, edge.to) = (low, high);
            true
        });
        scene.nodes = nodes;
        scene.about.nodes = there.nodes.len();
        scene.about.edges = there.edges.len();
        scene
    }
}

impl ActReplay<'_> {
    /// A node's kind as a place in the legend.
    fn kind(&self, there: &ActMap, node: &SceneNode, kind: Option<KindId>) -> Option<usize> {
        let burns = there.emerald.is_some_and(|mark| (mark.row, mark.col) == (node.row, node.col));
        let name = self.map.kind_name(kind)?;
        let find = |name: &str| self.whole.kinds.iter().position(|kind| kind.name == name);
        burns.then(|| find(&format!("burning {name}"))).flatten().or_else(|| find(name))
    }
}

/// Draws the generation of an act map as animated PNG.
///
/// * **Arguments.** The map, the events that were recorded, the theme, and the scale in percent.
/// * **Returns.** The bytes of the file. Many steps are shown several at a time. The last picture is the map's own.
/// * **Complexity.** O(pictures * pixels).
///
/// ```
/// use wayforge::act;
/// use wayforge::trace::Tape;
/// let mut tape = Tape::new(10_000);
/// let map = act::generate_traced(42.into(), &act::Config::default().resolve()?, &mut tape)?;
/// let bytes = wayforge_draw::act_animation(&map, tape.events(), wayforge_draw::Theme::Night, 20)?;
/// assert!(bytes.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn act_animation(
    map: &ActMap,
    events: &[act::Event],
    theme: Theme,
    scale: u32,
) -> Result<Vec<u8>, DrawError> {
    let (mut painter, own) = (Painter::new(), Scene::of_act(map));
    animate(ActFrames::new(map, events), MAX_PICTURES, |scene| painter.pixels(&scene, &own, theme, scale))
}

/// The scene of everything that ever stands: the finished map's own, with what was taken back again set into it.
fn whole(map: &ActMap, events: &[act::Event]) -> Scene {
    let own = Scene::of_act(map);
    let mut all = map.clone();
    let (mut cells, mut edges) = (BTreeSet::new(), BTreeSet::new());
    let mut walk: Vec<u16> = Vec::new();
    for event in events {
        match *event {
            act::Event::Step { row, col, .. } => {
                walk.truncate(row.into());
                if let (Some(&from), Some(below)) = (walk.last(), row.checked_sub(1)) {
                    edges.insert(Edge { row: below, from, to: col });
                }
                walk.push(col);
                cells.insert((row, col));
            }
            act::Event::Node { row, col } => {
                cells.insert((row, col));
            }
            act::Event::Join(edge) => {
                edges.insert(edge);
            }
            _ => {}
        }
    }
    let stands: BTreeSet<(u16, u16)> = map.nodes.iter().map(|node| (node.row, node.col)).collect();
    all.nodes.extend(cells.difference(&stands).map(|&(row, col)| Node { row, col, kind: None }));
    let joined: BTreeSet<Edge> = map.edges.iter().copied().collect();
    all.edges.extend(edges.difference(&joined));
    if all.nodes.len() == map.nodes.len() && all.edges.len() == map.edges.len() {
        return own;
    }
    let mut whole = Scene::of_act(&all);
    // The finished map keeps its sheet and its places.
    let places: BTreeMap<(u16, u16, bool), &SceneNode> =
        own.nodes.iter().map(|node| ((node.row, node.col, node.boss), node)).collect();
    for node in &mut whole.nodes {
        if let Some(stands) = places.get(&(node.row, node.col, node.boss)) {
            node.clone_from(stands);
        }
    }
    let key = |scene: &Scene, from: usize, to: usize| {
        let (from, to) = (&scene.nodes[from], &scene.nodes[to]);
        ((from.row, from.col), (to.row, to.col, to.boss))
    };
    let curves: BTreeMap<_, _> =
        own.edges.iter().map(|edge| (key(&own, edge.from, edge.to), edge.curve)).collect();
    let keys: Vec<_> = whole.edges.iter().map(|edge| key(&whole, edge.from, edge.to)).collect();
    for (edge, key) in whole.edges.iter_mut().zip(keys) {
        if let Some(&curve) = curves.get(&key) {
            edge.curve = curve;
        } else {
            let ends = [whole.nodes[edge.from].pos, whole.nodes[edge.to].pos];
            (edge.curve.0[0], edge.curve.0[3]) = (ends[0], ends[1]);
        }
    }
    Scene { nodes: whole.nodes, edges: whole.edges, ..own }
}
