//! Renders scenes as SVG.

use crate::curve::{Curve, UNIT};
use crate::icons;
use crate::scene::{Scene, SceneEdge, SceneKind};
use crate::sheet::{LEGEND_ICON, labels};
use crate::text::Escaped;
use crate::theme::{Colours, Theme};
use std::collections::BTreeSet;
use std::fmt::{self, Display};
use wayforge::seed::fnv1a_64;

mod appearance;
mod canvas;
mod floor;
mod paper;

pub(crate) use appearance::{Appearance, visible_radius};
pub(crate) use canvas::{Canvas, MIDDLE, Pen, SPACED, document, outlined};
pub use floor::floor_svg;
#[cfg(feature = "png")]
pub(crate) use floor::floor_tile_svg;
pub(crate) use floor::glyph_svg;
pub(crate) use paper::Paper;

/// TrueType file of `Wayforge Serif`, the font of the pictures.
///
/// PNG files contain text in this font. SVG files name it first; a page that shows them can declare
/// it in an `@font-face` rule. It is a subset of Vollkorn Medium under the SIL Open Font License;
/// see `assets/README.md`.
pub const FONT: &[u8] = include_bytes!("../assets/WayforgeSerif.ttf");

/// Font stack: the bundled font first, then fonts that browsers may have.
pub(crate) const FONTS: &str =
    "'Wayforge Serif', Vollkorn, 'Iowan Old Style', 'Palatino Linotype', Georgia, serif";

/// Renders a scene as SVG.
///
/// Returns one `<svg>` element without scripts or external references. All ids share a prefix
/// derived from the scene, so several pictures can be on one page. For screen readers the element
/// has a title, a description, and a title on every node.
///
/// # Complexity
/// O(scene).
///
/// # Examples
///
/// ```
/// use wayforge::act;
/// use wayforge_draw::{Scene, Theme, svg};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let text = svg(&Scene::from_act(&map), Theme::Parchment);
/// assert!(text.starts_with("<svg ") && text.contains("<title>Node "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg(scene: &Scene, theme: Theme) -> String {
    let mut pen = act_pen(scene, theme);
    pen.open((scene.width, scene.height), &scene.title, &scene.description());
    pen.definitions();
    pen.paper(&scene.paper(), true);
    pen.labels();
    pen.edges();
    pen.nodes();
    pen.legend();
    pen.canvas.out + "</svg>\n"
}

/// Radius of a node's appearance including its glow, in pixels.
pub(crate) const APPEARANCE_RADIUS: i32 = 84;

/// Renders one node appearance, centred in a square document.
pub(crate) fn appearance_svg(scene: &Scene, theme: Theme, appearance: Appearance) -> String {
    let mut pen = act_pen(scene, theme);
    if pen.palette.dark {
        pen.glow(appearance.kind);
    }
    pen.appearance(appearance);
    let (edge, side) = (-APPEARANCE_RADIUS * UNIT, 2 * APPEARANCE_RADIUS * UNIT);
    document([edge, edge, side, side], &pen.out)
}

fn act_pen(scene: &Scene, theme: Theme) -> Pen<'_, Scene> {
    let key = format!("{} {} {} {}", scene.title, scene.info.seed, scene.caption(), theme.name());
    let hash = fnv1a_64(key.as_bytes());
    Pen::new(scene, theme, format!("w{:08x}", (hash ^ (hash >> 32)) as u32))
}

/// Returns the visible parts of edges between the discs of their nodes, on or off the route.
pub(crate) fn visible_edges(scene: &Scene, on_route: bool) -> impl Iterator<Item = Curve> + '_ {
    let reach = |node: usize| {
        scene.nodes.get(node).map(|node| visible_radius(node, scene).saturating_add(4 * UNIT))
    };
    let visible = move |edge: &SceneEdge| edge.curve.between(reach(edge.from)?, reach(edge.to)?);
    scene.edges.iter().filter(move |edge| edge.on_route == on_route).filter_map(visible)
}

/// Displays a length in units as pixels with at most one decimal.
pub(crate) struct Px(pub(crate) i32);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) =
            (self.0.unsigned_abs() / UNIT as u32, self.0.unsigned_abs() % UNIT as u32);
        let sign = if self.0 < 0 { "-" } else { "" };
        match part {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{part}"),
        }
    }
}

impl<'a> Pen<'a, Scene> {
    fn definitions(&mut self) {
        self.out.push_str("<defs>\n");
        self.paper_definitions();
        // `extend` inserts; `collect` would instantiate a sort for each type, which enlarges the
        // WebAssembly package.
        let mut appearances = BTreeSet::new();
        appearances
            .extend(self.scene.nodes.iter().map(|node| Appearance::from_node(self.scene, node)));
        appearances.extend((0..self.scene.kinds.len()).map(Appearance::from_kind));
        if self.palette.dark {
            let mut kinds = BTreeSet::new();
            kinds.extend(appearances.iter().map(|appearance| appearance.kind));
            kinds.into_iter().for_each(|kind| self.glow(kind));
        }
        appearances.into_iter().for_each(|appearance| self.appearance(appearance));
        self.out.push_str("</defs>\n");
    }

    fn kind(&self, kind: Option<usize>) -> Option<&'a SceneKind> {
        kind.and_then(|kind| self.scene.kinds.get(kind))
    }

    fn accent(&self, kind: Option<usize>) -> &'static str {
        self.kind(kind).map_or(self.palette.ink, |kind| self.palette.accents[icons::accent(kind)])
    }

    fn labels(&mut self) {
        // Row and column numbers repeat the nodes' titles, so screen readers skip them.
        let labels = labels(self.scene);
        let (header, numbers) = labels.split_at(2);
        header.iter().for_each(|label| self.label(label));
        self.out.push_str("<g aria-hidden=\"true\">\n");
        numbers.iter().for_each(|label| self.label(label));
        self.out.push_str("</g>\n");
    }

    fn edges(&mut self) {
        let Colours { trail, mark, .. } = self.palette;
        let styles = [(trail, "2.6", " stroke-dasharray=\"6 6\""), (mark, "4.6", "")];
        for ((stroke, width, dashes), on_route) in styles.into_iter().zip([false, true]) {
            if on_route && !self.scene.edges.iter().any(|edge| edge.on_route) {
                return;
            }
            self.put(format_args!(
                "<g fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\" \
                 stroke-linecap=\"round\"{dashes}>\n"
            ));
            for Curve([a, b, c, d]) in visible_edges(self.scene, on_route) {
                self.out.push_str("<path d=\"");
                self.trace(&[("M", &[a.x, a.y]), ("C", &[b.x, b.y, c.x, c.y, d.x, d.y])]);
                self.out.push_str("\"/>\n");
            }
            self.out.push_str("</g>\n");
        }
    }

    fn nodes(&mut self) {
        let (scene, tag) = (self.scene, self.tag.clone());
        for node in &scene.nodes {
            let appearance = Appearance::from_node(scene, node);
            let (x, y, id) = (Px(node.pos.x), Px(node.pos.y), appearance.id());
            let label = Escaped(&node.label);
            let kind = self
                .kind(appearance.kind)
                .map_or(String::new(), |kind| format!(": {}", Escaped(&kind.name)));
            let state =
                ["", ", visited", ", current", ", reachable", ", hidden"][node.state as usize];
            self.put(format_args!(
                "<g transform=\"translate({x},{y})\"><title>{label}{kind}{state}</title>\
                 <use href=\"#{tag}-{id}\"/></g>\n"
            ));
        }
    }

    fn legend(&mut self) {
        let (scene, tag) = (self.scene, self.tag.clone());
        for (kind, (entry, &at)) in scene.kinds.iter().zip(&scene.legend).enumerate() {
            let appearance = Appearance::from_kind(kind);
            let (x, y) = (Px(at.x + 13 * UNIT), Px(at.y));
            self.put(format_args!(
                "<use href=\"#{tag}-{}\" transform=\"translate({x},{y})scale(0.66)\"/>",
                appearance.id()
            ));
            self.legend_text(at.x + LEGEND_ICON, at.y, &entry.name, &entry.count.to_string());
        }
    }
}
