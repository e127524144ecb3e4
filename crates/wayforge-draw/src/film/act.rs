//! Act maps in the making.

use super::{Film, Shot, is_shown};
use crate::paint::Painter;
use crate::png::DrawError;
use crate::scene::{NodeState, Scene, SceneNode};
use crate::theme::Theme;
use std::collections::{BTreeMap, BTreeSet};
use wayforge::act::{self, ActMap, Edge, KindId, Node, Replay};

/// The steps of the making of an act map, one scene after the other: every node stands where it stands on the finished map.
///
/// The walk under way is drawn as a route, its end as the current node; the legend counts what is there.
///
/// ```
/// use wayforge::act;
/// use wayforge::trace::Tape;
/// use wayforge_draw::{ActShots, Scene};
/// let mut tape = Tape::new(10_000);
/// let map = act::generate_traced(42.into(), &act::Config::default().resolve()?, &mut tape)?;
/// let shots: Vec<_> = ActShots::new(&map, tape.events()).collect();
/// assert_eq!(shots[0].told, "walk 1 starts on 4,0");
/// assert_eq!(shots.last().unwrap().scene, Scene::of_act(&map));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ActShots<'a> {
    events: std::slice::Iter<'a, act::Event>,
    replay: Replay,
    map: &'a ActMap,
    /// Everything that ever stands, in its place.
    whole: Scene,
}

impl<'a> ActShots<'a> {
    /// The steps of `events`, which told how `map` was made.
    pub fn new(map: &'a ActMap, events: &'a [act::Event]) -> ActShots<'a> {
        ActShots {
            events: events.iter(),
            replay: Replay::new(map.seed.clone(), &map.spec),
            map,
            whole: whole(map, events),
        }
    }

    /// What is there now.
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

    /// A node's kind as a place in the legend.
    fn kind(&self, there: &ActMap, node: &SceneNode, kind: Option<KindId>) -> Option<usize> {
        let burns = there.emerald.is_some_and(|mark| (mark.row, mark.col) == (node.row, node.col));
        let name = self.map.kind_name(kind)?;
        let find = |name: &str| self.whole.kinds.iter().position(|kind| kind.name == name);
        burns.then(|| find(&format!("burning {name}"))).flatten().or_else(|| find(name))
    }

    /// What happened, with the kind by its name.
    fn told(&self, event: &act::Event) -> String {
        match event {
            act::Event::Kind { row, col, kind } => {
                format!("{col},{row} is {}", self.map.kind_name(Some(*kind)).unwrap_or("of an unknown kind"))
            }
            other => other.to_string(),
        }
    }
}

impl Iterator for ActShots<'_> {
    type Item = Shot<Scene>;

    fn next(&mut self) -> Option<Shot<Scene>> {
        let event = self.events.next()?;
        self.replay.apply(event);
        Some(Shot { scene: self.scene(), told: self.told(event) })
    }

    fn nth(&mut self, n: usize) -> Option<Shot<Scene>> {
        self.events.by_ref().take(n).for_each(|event| self.replay.apply(event));
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.events.size_hint()
    }
}

impl ExactSizeIterator for ActShots<'_> {}

/// Draws the making of an act map as animated PNG.
///
/// * **Arguments.** The map, the events that its making told, the theme, and the scale in percent.
/// * **Returns.** The bytes of the file. Many steps are shown several at a time. The last picture is the map's own.
/// * **Complexity.** Linear in pictures times pixels.
///
/// ```
/// use wayforge::act;
/// use wayforge::trace::Tape;
/// let mut tape = Tape::new(10_000);
/// let map = act::generate_traced(42.into(), &act::Config::default().resolve()?, &mut tape)?;
/// let film = wayforge_draw::act_film(&map, tape.events(), wayforge_draw::Theme::Night, 20)?;
/// assert!(film.windows(4).any(|chunk| chunk == b"acTL"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn act_film(map: &ActMap, events: &[act::Event], theme: Theme, scale: u32) -> Result<Vec<u8>, DrawError> {
    let mut painter = Painter::new();
    let mut film = Film::default();
    let mut shots = ActShots::new(map, events);
    let (own, steps) = (Scene::of_act(map), shots.len());
    let mut last = 0;
    for step in (0..steps).filter(|&step| is_shown(step, steps)) {
        let Some(shot) = shots.nth(step - last) else { break };
        last = step + 1;
        let (size, pixels) = painter.pixels(&shot.scene, &own, theme, scale)?;
        film.add(size, pixels)?;
    }
    film.encode()
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
