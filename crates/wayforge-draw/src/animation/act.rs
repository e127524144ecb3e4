//! The generation of act maps.

use super::{Frames, MAX_PICTURES, animate};
use crate::curve::Curve;
use crate::paint::Painter;
use crate::png::DrawError;
use crate::scene::{NodeState, Scene, SceneEdge, SceneNode};
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
        let walked = |node: &SceneNode| walk.get(usize::from(node.row)) == Some(&node.col);
        let mut scene = self.whole.clone();
        scene.kinds.iter_mut().for_each(|kind| kind.count = 0);
        let mut places = vec![None; scene.nodes.len()];
        let mut nodes = Vec::new();
        for (at, mut node) in std::mem::take(&mut scene.nodes).into_iter().enumerate() {
            if !node.boss {
                let Some(&kind) = kinds.get(&(node.row, node.col)) else { continue };
                node.kind = self.kind(&there, &node, kind);
                node.state = match walked(&node) {
                    true if usize::from(node.row) + 1 == walk.len() => NodeState::Current,
                    true => NodeState::Visited,
                    false => NodeState::Plain,
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
    let mut painter = Painter::new();
    animate(ActFrames::new(map, events), MAX_PICTURES, |scene| painter.pixels(&scene, theme, scale))
}

/// The scene of everything that ever stands: the finished map's own, with what was taken back again set into it.
fn whole(map: &ActMap, events: &[act::Event]) -> Scene {
    let (own, mut all) = (Scene::of_act(map), map.clone());
    let mut walk: Vec<u16> = Vec::new();
    // Scenes show everything once: what stands on the finished map comes first.
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
            act::Event::Node { row, col } => all.nodes.push(Node { row, col, kind: None }),
            act::Event::Join(edge) => all.edges.push(edge),
            _ => {}
        }
    }
    let Scene { mut nodes, mut edges, .. } = Scene::of_act(&all);
    // The finished map keeps its sheet and its places.
    let place = |node: &SceneNode| (node.row, node.col, node.boss);
    let places: BTreeMap<_, &SceneNode> = own.nodes.iter().map(|node| (place(node), node)).collect();
    for node in &mut nodes {
        if let Some(stands) = places.get(&place(node)) {
            node.clone_from(stands);
        }
    }
    let ends = |nodes: &[SceneNode], edge: &SceneEdge| (place(&nodes[edge.from]), place(&nodes[edge.to]));
    let curves: BTreeMap<_, Curve> =
        own.edges.iter().map(|edge| (ends(&own.nodes, edge), edge.curve)).collect();
    for edge in &mut edges {
        (edge.curve.0[0], edge.curve.0[3]) = (nodes[edge.from].pos, nodes[edge.to].pos);
        if let Some(&curve) = curves.get(&ends(&nodes, edge)) {
            edge.curve = curve;
        }
    }
    Scene { nodes, edges, ..own }
}
