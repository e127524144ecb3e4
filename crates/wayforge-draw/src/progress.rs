//! Scenes of a map being played: where the party has been, where it is, where it can go, and what it cannot see.

use crate::scene::{Layout, NodeState, Scene, SceneNode};
use crate::sheet;
use crate::text::counted;
use wayforge::act::{Play, Step};

impl Scene {
    /// The scene of a map being played, in the usual layout.
    ///
    /// * **Returns.** The scene of the map with a state on every node: visited, current, attainable (all that can still be
    ///   reached), hidden in the fog, or plain, which is out of reach for good. Walked edges are on the route. What the fog hides
    ///   is not in the scene: hidden nodes have no kind, edges that end in the fog are gone, and legend, caption and description
    ///   count only what is seen. A next step that the fog hides is attainable and has no kind.
    /// * **Complexity.** As [`of_act`](Self::of_act).
    /// * **Guarantees.** Every picture of a run has the same size, and every node keeps its place.
    ///
    /// ```
    /// use wayforge::act::{self, Fog, Play};
    /// use wayforge_draw::{NodeState, Paint, Scene, ascii};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::Rows(2));
    /// let play = play.advance(play.legal_moves()[0])?;
    /// let scene = Scene::of_play(&play);
    /// assert_eq!(scene.nodes[0].state, NodeState::Current);
    /// assert_eq!(scene.nodes.last().unwrap().state, NodeState::Hidden, "the boss is far");
    /// println!("{}", ascii(&scene, Paint::Plain));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_play(play: &Play) -> Scene {
        Scene::of_play_with(play, Layout::default())
    }

    /// The scene of a map being played, in a layout of one's own.
    ///
    /// ```
    /// use wayforge::act::{self, Fog, Play};
    /// use wayforge_draw::{Layout, Scene};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let scene = Scene::of_play_with(&Play::start(map, Fog::Rows(1)), Layout { jitter: false, ..Layout::default() });
    /// assert!(scene.nodes.iter().take_while(|node| node.row == 0).all(|node| node.pos.y == scene.row_marks[0].y));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_play_with(play: &Play, layout: Layout) -> Scene {
        let mut scene = Scene::of_act_with(play.map(), layout);
        let attainable = play.attainable();
        let next = play.legal_moves();
        let seen: Vec<bool> = scene.nodes.iter().map(|node| play.is_revealed(step(node))).collect();
        for (node, &seen) in scene.nodes.iter_mut().zip(&seen) {
            let here = step(node);
            node.state = match () {
                _ if play.current() == Some(here) => NodeState::Current,
                _ if play.is_visited(here) => NodeState::Visited,
                _ if next.contains(&here) => NodeState::Attainable,
                _ if !seen => NodeState::Hidden,
                _ if attainable.binary_search(&here).is_ok() => NodeState::Attainable,
                _ => NodeState::Plain,
            };
            node.kind = node.kind.filter(|_| seen);
        }
        let nodes = &scene.nodes;
        scene.edges.retain(|edge| {
            let next =
                nodes[edge.from].state == NodeState::Current && nodes[edge.to].state != NodeState::Hidden;
            next || (seen[edge.from] && seen[edge.to])
        });
        for edge in &mut scene.edges {
            let walked = |node: usize| play.is_visited(step(&nodes[node]));
            edge.on_route = walked(edge.from) && walked(edge.to);
        }
        scene.about.edges = scene.edges.iter().filter(|edge| !scene.nodes[edge.to].boss).count();
        if seen.contains(&false) {
            count_kinds(&mut scene);
        }
        scene
    }
}

/// The run in a sentence or two, for those who cannot see it; empty if the scene shows none.
pub(crate) fn description(scene: &Scene) -> String {
    let of = |state: NodeState| scene.nodes.iter().filter(move |node| node.state == state);
    let mut text = String::new();
    if let Some(here) = of(NodeState::Current).next() {
        text += &format!(" The party is at {}", here.label);
        text += &match of(NodeState::Visited).count() {
            0 => ".".to_owned(),
            count => format!(" and has visited {} before.", counted(count, "node")),
        };
    }
    for (state, words) in [(NodeState::Attainable, "attainable"), (NodeState::Hidden, "hidden")] {
        let count = of(state).count();
        if count > 0 {
            let are = if count == 1 { "is" } else { "are" };
            text += &format!(" {} {are} {words}.", counted(count, "node"));
        }
    }
    text
}

fn step(node: &SceneNode) -> Step {
    match node.boss {
        true => Step::Boss,
        false => Step::Node { row: node.row, col: node.col },
    }
}

/// Counts the kinds that are seen and leaves the others out of the legend; the sheet keeps its size.
fn count_kinds(scene: &mut Scene) {
    let mut counts = vec![0; scene.kinds.len()];
    scene.nodes.iter().filter_map(|node| node.kind).for_each(|kind| counts[kind] += 1);
    let place = |kind: usize| counts[..kind].iter().filter(|&&count| count > 0).count();
    scene.nodes.iter_mut().for_each(|node| node.kind = node.kind.map(place));
    for (kind, &count) in scene.kinds.iter_mut().zip(&counts) {
        kind.count = count;
    }
    scene.kinds.retain(|kind| kind.count > 0);
    let height = scene.height;
    sheet::place_legend(scene, scene.footer[0].y);
    scene.height = height;
}
