//! Scenes of act maps being played: visited, current, reachable and hidden nodes.

use crate::scene::{NodeState, Scene, SceneNode};
use crate::sheet;
use crate::text::counted;
use wayforge::act::{Play, Step};

impl Scene {
    /// Returns the scene of a map being played, in the default layout.
    ///
    /// Every node has a state: visited, current, reachable, hidden by the fog, or plain
    /// (no longer reachable). Walked edges are on the route.
    ///
    /// The scene does not contain hidden information: hidden nodes have no kind, edges that end in
    /// the fog are removed, and legend, caption and description count only what is visible. A legal
    /// next node that the fog hides is reachable and has no kind.
    ///
    /// All pictures of one run have the same size, and nodes keep their positions.
    ///
    /// # Complexity
    /// The same as [`from_act`](Self::from_act).
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::act::{self, Fog, Play};
    /// use wayforge_draw::{NodeState, AsciiStyle, Scene, ascii};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let play = Play::start(map, Fog::Rows(2));
    /// let play = play.advance(play.legal_moves()[0])?;
    /// let scene = Scene::from_play(&play);
    /// assert_eq!(scene.nodes[0].state, NodeState::Current);
    /// assert_eq!(scene.nodes.last().unwrap().state, NodeState::Hidden, "the boss is far");
    /// println!("{}", ascii(&scene, AsciiStyle::Plain));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_play(play: &Play) -> Scene {
        let mut scene = Scene::from_act(play.map());
        let reachable = play.reachable();
        let legal = play.legal_moves();
        let revealed: Vec<bool> =
            scene.nodes.iter().map(|node| play.is_revealed(step(node))).collect();
        for (node, &revealed) in scene.nodes.iter_mut().zip(&revealed) {
            let step = step(node);
            node.state = match () {
                _ if play.current() == Some(step) => NodeState::Current,
                _ if play.is_visited(step) => NodeState::Visited,
                _ if legal.contains(&step) => NodeState::Reachable,
                _ if !revealed => NodeState::Hidden,
                _ if reachable.binary_search(&step).is_ok() => NodeState::Reachable,
                _ => NodeState::Plain,
            };
            node.kind = node.kind.filter(|_| revealed);
        }
        let nodes = &scene.nodes;
        scene.edges.retain(|edge| {
            let is_next = nodes[edge.from].state == NodeState::Current
                && nodes[edge.to].state != NodeState::Hidden;
            is_next || (revealed[edge.from] && revealed[edge.to])
        });
        for edge in &mut scene.edges {
            let walked = |node: usize| play.is_visited(step(&nodes[node]));
            edge.on_route = walked(edge.from) && walked(edge.to);
        }
        scene.info.edges = scene.edges.iter().filter(|edge| !scene.nodes[edge.to].boss).count();
        if revealed.contains(&false) {
            count_kinds(&mut scene);
        }
        scene
    }
}

/// Describes the run in a few sentences, for screen readers; empty if no run is in progress.
pub(crate) fn description(scene: &Scene) -> String {
    let of = |state: NodeState| scene.nodes.iter().filter(move |node| node.state == state);
    let mut text = String::new();
    if let Some(current) = of(NodeState::Current).next() {
        text += &format!(" The party is at {}", current.label);
        text += &match of(NodeState::Visited).count() {
            0 => ".".to_owned(),
            count => format!(" and has visited {} before.", counted(count, "node")),
        };
    }
    for (state, adjective) in [(NodeState::Reachable, "reachable"), (NodeState::Hidden, "hidden")] {
        let count = of(state).count();
        if count > 0 {
            let verb = if count == 1 { "is" } else { "are" };
            text += &format!(" {} {verb} {adjective}.", counted(count, "node"));
        }
    }
    text
}

fn step(node: &SceneNode) -> Step {
    if node.boss { Step::Boss } else { Step::Node { row: node.row, col: node.col } }
}

/// Counts the visible nodes of each kind and removes the other kinds from the legend. The size of
/// the sheet does not change.
fn count_kinds(scene: &mut Scene) {
    let mut counts = vec![0; scene.kinds.len()];
    scene.nodes.iter().filter_map(|node| node.kind).for_each(|kind| counts[kind] += 1);
    let new_index = |kind: usize| counts[..kind].iter().filter(|&&count| count > 0).count();
    scene.nodes.iter_mut().for_each(|node| node.kind = node.kind.map(new_index));
    for (kind, &count) in scene.kinds.iter_mut().zip(&counts) {
        kind.count = count;
    }
    scene.kinds.retain(|kind| kind.count > 0);
    let height = scene.height;
    sheet::place_legend(scene, scene.footer[0].y);
    scene.height = height;
}
