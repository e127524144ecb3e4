//! Appearance of nodes: frame, icon, glow and state marks.

use super::{Pen, Px};
use crate::curve::UNIT;
use crate::icons;
use crate::scene::{NodeState, Scene, SceneKind, SceneNode};

/// Appearance of a node. A document defines each appearance once and references it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Appearance {
    pub(crate) kind: Option<usize>,
    pub(crate) boss: bool,
    pub(crate) state: NodeState,
}

impl Appearance {
    /// Returns the appearance of a node. A hidden node has no kind.
    pub(crate) fn from_node(scene: &Scene, node: &SceneNode) -> Appearance {
        let hidden = node.state == NodeState::Hidden;
        let kind = node.kind.filter(|&kind| kind < scene.kinds.len() && !hidden);
        Appearance { kind, boss: node.boss, state: node.state }
    }

    /// Returns the appearance of a kind in the legend.
    pub(crate) fn from_kind(kind: usize) -> Appearance {
        Appearance { kind: Some(kind), boss: false, state: NodeState::Plain }
    }

    /// Returns the id of the definition, without the prefix of the document.
    pub(super) fn id(&self) -> String {
        let state = ["", "v", "c", "r", "h"][self.state as usize];
        format!("k{}{}{state}", kind_id(self.kind), if self.boss { "b" } else { "" })
    }
}

/// Returns the part of an id that identifies a kind.
fn kind_id(kind: Option<usize>) -> String {
    kind.map_or("n".to_owned(), |kind| kind.to_string())
}

/// Returns the radius of the drawn disc, in units. Nodes without a kind are dots.
pub(crate) fn visible_radius(node: &SceneNode, scene: &Scene) -> i32 {
    let scale = if node.boss { 2 } else { 1 };
    match node.state {
        NodeState::Hidden => 14 * UNIT * scale,
        NodeState::Current | NodeState::Reachable => node.radius.saturating_add(6 * UNIT * scale),
        _ if scene.kind_of(node).is_none() => 15 * UNIT * scale,
        _ => node.radius,
    }
}

impl Pen<'_, Scene> {
    /// Defines the gradient of the glow around a node.
    pub(super) fn glow(&mut self, kind: Option<usize>) {
        let (tag, accent, id) = (self.tag.clone(), self.accent(kind), kind_id(kind));
        self.put(format_args!(
            "<radialGradient id=\"{tag}-g{id}\">\
             <stop offset=\"0.45\" stop-color=\"{accent}\" stop-opacity=\"0.34\"/>\
             <stop offset=\"0.72\" stop-color=\"{accent}\" stop-opacity=\"0.1\"/>\
             <stop offset=\"1\" stop-color=\"{accent}\" stop-opacity=\"0\"/></radialGradient>\n"
        ));
    }

    /// Defines one appearance: glow, state marks, disc, frame, icon.
    pub(super) fn appearance(&mut self, appearance: Appearance) {
        let (accent, disc, route) =
            (self.accent(appearance.kind), self.palette.card, self.palette.mark);
        let tag = self.tag.clone();
        self.put(format_args!("<g id=\"{tag}-{}\">", appearance.id()));
        if appearance.state == NodeState::Hidden {
            let (ink, scale) = (self.palette.faint, if appearance.boss { 2 } else { 1 });
            self.put(format_args!(
                "<g transform=\"scale({scale})\"><circle r=\"13\" fill=\"{disc}\" stroke=\"{ink}\" \
                 stroke-width=\"1.6\" stroke-dasharray=\"1 4.1\" stroke-linecap=\"round\"/>\
                 <circle r=\"3\" fill=\"{ink}\"/></g></g>\n"
            ));
            return;
        }
        if appearance.boss {
            self.out.push_str("<g transform=\"scale(1.84)\">");
        }
        if self.palette.dark {
            self.put(format_args!(
                "<circle r=\"44\" fill=\"url(#{tag}-g{})\"/>",
                kind_id(appearance.kind)
            ));
        }
        match appearance.state {
            NodeState::Current => self.put(format_args!(
                "<circle r=\"30\" fill=\"none\" stroke=\"{route}\" stroke-width=\"3.4\"/>"
            )),
            NodeState::Reachable => self.put(format_args!(
                "<circle r=\"29.4\" fill=\"none\" stroke=\"{route}\" stroke-width=\"2.6\" \
                 stroke-dasharray=\"5.6 5.95\" stroke-linecap=\"round\"/>"
            )),
            _ => {}
        }
        match self.kind(appearance.kind) {
            Some(kind) => self.framed_icon(appearance, kind),
            None => {
                let fill = if appearance.state == NodeState::Visited { accent } else { disc };
                self.put(format_args!(
                    "<circle r=\"13\" fill=\"{fill}\" stroke=\"{accent}\" stroke-width=\"2.6\"/>\
                     <circle r=\"5.4\" fill=\"{accent}\"/>"
                ));
            }
        }
        self.out.push_str(if appearance.boss { "</g></g>\n" } else { "</g>\n" });
    }

    fn framed_icon(&mut self, appearance: Appearance, kind: &SceneKind) {
        let (accent, disc, frame) =
            (self.accent(appearance.kind), self.palette.card, icons::outline(kind.frame));
        let (fill, icon) =
            if appearance.state == NodeState::Visited { (accent, disc) } else { (disc, accent) };
        let ring = if appearance.boss { "1.7" } else { "2.5" };
        self.put(format_args!(
            "<g fill=\"{fill}\" stroke=\"{accent}\" stroke-width=\"{ring}\" \
             stroke-linejoin=\"round\">{frame}</g>"
        ));
        if appearance.boss {
            self.put(format_args!(
                "<circle r=\"20.2\" fill=\"none\" stroke=\"{icon}\" stroke-width=\"1.1\" \
                 stroke-dasharray=\"0.01 3.173\" stroke-linecap=\"round\"/>"
            ));
        }
        let scale = 124 * i32::from(icons::icon_scale(kind.frame)) / 100
            - if appearance.boss { 22 } else { 0 };
        let (whole, part, markup) = (scale / 100, scale % 100, icons::markup(kind.icon));
        self.put(format_args!(
            "<g transform=\"scale({whole}.{part:02})\" fill=\"{icon}\" stroke=\"{icon}\" \
             stroke-width=\"0\">{markup}</g>"
        ));
        let pips = i32::from(icons::pips(kind.frame));
        for i in 0..pips {
            let x = Px((2 * i - pips + 1) * 38);
            self.put(format_args!(
                "<circle cx=\"{x}\" cy=\"22.5\" r=\"3.7\" fill=\"{accent}\" stroke=\"{disc}\" \
                 stroke-width=\"1.5\"/>"
            ));
        }
    }
}
