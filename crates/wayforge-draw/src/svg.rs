//! Scenes as SVG.

use crate::curve::{Curve, Point, UNIT};
use crate::icons;
use crate::scene::{NodeState, Scene, SceneEdge, SceneKind};
use crate::sheet::{self, LEGEND_ICON, labels};
use crate::text;
use crate::theme::{Palette, Theme};
use std::collections::BTreeSet;
use std::fmt::{self, Display, Write};
use wayforge::seed::fnv1a_64;

mod floor;
mod look;
mod paper;

#[cfg(feature = "png")]
pub(crate) use floor::floor_tiles_svg;
pub use floor::svg_floors;
pub(crate) use floor::{LABEL_SIZE, label_place, svg_thing};

pub(crate) use look::Look;
pub(crate) use look::seen_radius;
pub(crate) use paper::Paper;

/// The bundled font first; then what a browser may have.
pub(crate) const FONTS: &str =
    "'Wayforge Serif', Vollkorn, 'Iowan Old Style', 'Palatino Linotype', Georgia, serif";

/// Draws a scene as SVG.
///
/// * **Arguments.** The scene and the theme.
/// * **Returns.** A document for one `<svg>` element: no scripts, no outside references. It may stand in a page beside others, as its
///   ids begin with a tag of their own. For screen readers it has a title, a description, and a title on every node.
/// * **Complexity.** Linear in the scene.
///
/// ```
/// use wayforge::act;
/// use wayforge_draw::{Scene, Theme, svg};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let text = svg(&Scene::of_act(&map), Theme::Parchment);
/// assert!(text.starts_with("<svg ") && text.contains("<title>Node "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg(scene: &Scene, theme: Theme) -> String {
    let mut pen = Pen::new(scene, theme);
    pen.open();
    pen.definitions();
    pen.paper();
    pen.words();
    pen.edges();
    pen.nodes();
    pen.legend();
    pen.out.push_str("</svg>\n");
    pen.out
}

/// How far a look reaches from its centre in pixels, its light included.
pub(crate) const STAMP_REACH: i32 = 84;

/// One look alone in the middle of a square.
pub(crate) fn svg_stamp(scene: &Scene, theme: Theme, look: Look) -> String {
    let mut pen = Pen::new(scene, theme);
    let (reach, side) = (STAMP_REACH, 2 * STAMP_REACH);
    pen.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" viewBox=\"-{reach} -{reach} {side} {side}\">"
    ));
    if pen.palette.glow {
        pen.glow(look.kind);
    }
    pen.look(look);
    pen.out.push_str("</svg>\n");
    pen.out
}

/// The parts of edges that are seen between the discs of their nodes, on the route or off it.
pub(crate) fn seen_edges(scene: &Scene, on_route: bool) -> impl Iterator<Item = Curve> + '_ {
    let reach =
        |node: usize| scene.nodes.get(node).map(|node| seen_radius(node, scene).saturating_add(4 * UNIT));
    let seen = move |edge: &SceneEdge| edge.curve.between(reach(edge.from)?, reach(edge.to)?);
    scene.edges.iter().filter(move |edge| edge.on_route == on_route).filter_map(seen)
}

struct Pen<'a> {
    scene: &'a Scene,
    palette: &'static Palette,
    /// What every id begins with.
    tag: String,
    out: String,
}

/// Units as pixels with at most one digit behind the point.
pub(crate) struct Px(pub(crate) i32);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0.unsigned_abs() / UNIT as u32, self.0.unsigned_abs() % UNIT as u32);
        let sign = if self.0 < 0 { "-" } else { "" };
        match part {
            0 => write!(f, "{sign}{whole}"),
            _ => write!(f, "{sign}{whole}.{part}"),
        }
    }
}

impl<'a> Pen<'a> {
    fn new(scene: &'a Scene, theme: Theme) -> Pen<'a> {
        let key = format!("{} {} {} {}", scene.title, scene.about.seed, scene.caption(), theme.name());
        let hash = fnv1a_64(key.as_bytes());
        let tag = format!("w{:08x}", (hash ^ (hash >> 32)) as u32);
        Pen { scene, palette: theme.palette(), tag, out: String::new() }
    }

    fn put(&mut self, text: fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
    }

    fn escaped(&mut self, text: &str) {
        text::escape(text, &mut self.out);
    }

    fn open(&mut self) {
        let (width, height, tag) = (Px(self.scene.width), Px(self.scene.height), self.tag.clone());
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-labelledby=\"{tag}-title {tag}-desc\" font-family=\"{FONTS}\">\n<title id=\"{tag}-title\">"
        ));
        self.escaped(&self.scene.title);
        self.put(format_args!("</title>\n<desc id=\"{tag}-desc\">"));
        self.escaped(&self.scene.description());
        self.put(format_args!("</desc>\n"));
    }

    fn sheet(&mut self) -> Paper<'_> {
        let Scene { width, height, about, .. } = self.scene;
        let Pen { palette, tag, out, .. } = self;
        Paper { palette, tag, width: *width, height: *height, seed: Some(about.seed.clone()), out }
    }

    fn paper(&mut self) {
        let rule = self.scene.footer;
        self.sheet().sheet(Some(rule));
    }

    fn definitions(&mut self) {
        self.out.push_str("<defs>\n");
        self.sheet().definitions();
        let mut looks: BTreeSet<Look> =
            self.scene.nodes.iter().map(|node| Look::of(self.scene, node)).collect();
        looks.extend((0..self.scene.kinds.len()).map(Look::of_kind));
        if self.palette.glow {
            let kinds: BTreeSet<Option<usize>> = looks.iter().map(|look| look.kind).collect();
            kinds.into_iter().for_each(|kind| self.glow(kind));
        }
        looks.into_iter().for_each(|look| self.look(look));
        self.out.push_str("</defs>\n");
    }

    fn kind(&self, kind: Option<usize>) -> Option<&'a SceneKind> {
        kind.and_then(|kind| self.scene.kinds.get(kind))
    }

    fn accent(&self, kind: Option<usize>) -> &'static str {
        self.kind(kind).map_or(self.palette.ink, |kind| self.palette.accents[icons::accent(kind)])
    }

    /// A line of text around or from `at`.
    fn write(&mut self, at: Point, size: i32, fill: &str, extra: &str, words: &str) {
        let (x, y) = (Px(at.x), Px(at.y));
        self.put(format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{extra}>"));
        self.escaped(words);
        self.out.push_str("</text>\n");
    }

    fn words(&mut self) {
        let palette = self.palette;
        let (title, marks) = labels(self.scene).into_iter().partition::<Vec<_>, _>(|label| !label.repeats);
        let mut write = |label: sheet::Label| {
            let spaced = if label.spaced > 0 { " letter-spacing=\"1\"" } else { "" };
            let extra = format!(" text-anchor=\"middle\"{spaced}");
            let fill = if label.loud { palette.ink } else { palette.faint };
            self.write(label.at, label.size, fill, &extra, &label.words);
        };
        title.into_iter().for_each(&mut write);
        self.out.push_str("<g aria-hidden=\"true\">\n");
        for label in marks {
            let fill = if label.loud { palette.ink } else { palette.faint };
            self.write(label.at, label.size, fill, " text-anchor=\"middle\"", &label.words);
        }
        self.out.push_str("</g>\n");
    }

    fn edges(&mut self) {
        let (trail, route) = (self.palette.trail, self.palette.route);
        self.put(format_args!(
            "<g fill=\"none\" stroke=\"{trail}\" stroke-width=\"2.6\" stroke-linecap=\"round\" stroke-dasharray=\"6 6\">\n"
        ));
        self.edges_where(false);
        self.out.push_str("</g>\n");
        if self.scene.edges.iter().any(|edge| edge.on_route) {
            self.put(format_args!(
                "<g fill=\"none\" stroke=\"{route}\" stroke-width=\"4.6\" stroke-linecap=\"round\">\n"
            ));
            self.edges_where(true);
            self.out.push_str("</g>\n");
        }
    }

    fn edges_where(&mut self, on_route: bool) {
        for curve in seen_edges(self.scene, on_route) {
            let [a, b, c, d] = curve.0.map(|p| (Px(p.x), Px(p.y)));
            self.put(format_args!(
                "<path d=\"M{} {}C{} {} {} {} {} {}\"/>\n",
                a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1
            ));
        }
    }

    fn nodes(&mut self) {
        let (scene, tag) = (self.scene, self.tag.clone());
        for node in &scene.nodes {
            let look = Look::of(scene, node);
            self.put(format_args!(
                "<g transform=\"translate({},{})\"><title>",
                Px(node.pos.x),
                Px(node.pos.y)
            ));
            self.escaped(&node.label);
            if let Some(kind) = self.kind(look.kind) {
                self.out.push_str(": ");
                self.escaped(&kind.name);
            }
            self.out.push_str(match node.state {
                NodeState::Plain => "",
                NodeState::Visited => ", visited",
                NodeState::Current => ", current",
                NodeState::Attainable => ", attainable",
                NodeState::Hidden => ", hidden",
            });
            self.put(format_args!("</title><use href=\"#{tag}-{}\"/></g>\n", look.id()));
        }
    }

    fn legend(&mut self) {
        let (scene, palette, tag) = (self.scene, self.palette, self.tag.clone());
        for (kind, (entry, &at)) in scene.kinds.iter().zip(&scene.legend).enumerate() {
            let look = Look::of_kind(kind);
            let (x, y) = (Px(at.x + 13 * UNIT), Px(at.y));
            self.put(format_args!(
                "<use href=\"#{tag}-{}\" transform=\"translate({x},{y})scale(0.66)\"/>",
                look.id()
            ));
            let (x, y) = (Px(at.x + LEGEND_ICON), Px(at.y + 6 * UNIT));
            let (size, ink, faint) = (text::LEGEND, palette.ink, palette.faint);
            self.put(format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{ink}\">"));
            self.escaped(&entry.name);
            self.put(format_args!(" <tspan fill=\"{faint}\">{}</tspan></text>\n", entry.count));
        }
    }
}
