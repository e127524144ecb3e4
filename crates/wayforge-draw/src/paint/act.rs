//! Paints act maps.

use super::palette::STANDARD_ACCENTS;
use super::stroke::flatten;
use super::{CacheKey, ColourSet, PaintContext, Painter, PngScene, SpriteKey};
use crate::curve::{Point, UNIT};
use crate::icons;
use crate::png::DrawError;
use crate::scene::{NodeState, Scene};
use crate::sheet::{LEGEND_ICON, labels};
use crate::svg::{APPEARANCE_RADIUS, Appearance, appearance_svg, visible_edges};
use crate::theme::Theme;

/// Below this scale, in percent, edges are solid: a dash would be shorter than two pixels.
const MIN_DASHED_SCALE: u32 = 30;
/// Scale of node appearances in the legend.
const LEGEND_FACTOR: f32 = 0.66;

/// Key of a node's appearance, valid for all maps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AppearanceKey {
    /// Icon and frame; `None` for nodes without a kind.
    icon: Option<(u8, u8)>,
    boss: bool,
    state: NodeState,
    in_legend: bool,
}

impl PngScene for Scene {
    fn size(&self) -> (i32, i32) {
        (self.width, self.height)
    }

    fn paint(&self, painter: &mut Painter, theme: Theme, scale: u32) -> Result<(), DrawError> {
        let is_standard = self.kinds.iter().all(|kind| icons::accent(kind) < STANDARD_ACCENTS);
        let colour_set = if is_standard { ColourSet::StandardKinds } else { ColourSet::AllKinds };
        let key = CacheKey { theme, scale, colour_set };
        painter.draw(key, &self.paper(), |context| context.act(self))
    }
}

impl PaintContext<'_> {
    pub(super) fn act(&mut self, scene: &Scene) -> Result<(), DrawError> {
        labels(scene).iter().for_each(|label| self.label(label));
        self.edges(scene);
        for node in &scene.nodes {
            self.appearance(scene, Appearance::from_node(scene, node), false, node.pos)?;
        }
        for (kind, (entry, &at)) in scene.kinds.iter().zip(&scene.legend).enumerate() {
            self.appearance(
                scene,
                Appearance::from_kind(kind),
                true,
                Point::new(at.x + 13 * UNIT, at.y),
            )?;
            self.legend_text(at.x + LEGEND_ICON, at.y, &entry.name, entry.count);
        }
        Ok(())
    }

    fn edges(&mut self, scene: &Scene) {
        let (palette, scale) = (self.palette(), self.cache.key.scale);
        let mut trail =
            self.line(26, palette.trail, if scale < MIN_DASHED_SCALE { 191 } else { 255 });
        let dash = super::to_subpixels(6 * UNIT, scale);
        trail.dashes = (scale >= MIN_DASHED_SCALE).then_some((dash, dash));
        let route = self.line(46, palette.mark, 255);
        for (on_route, line) in [(false, trail), (true, route)] {
            for curve in visible_edges(scene, on_route) {
                let points = flatten(&curve, scale);
                self.stroker.stroke(points, line, self.image, &mut self.cache.blend);
            }
        }
    }

    fn appearance(
        &mut self,
        scene: &Scene,
        appearance: Appearance,
        in_legend: bool,
        at: Point,
    ) -> Result<(), DrawError> {
        let kind = appearance.kind.and_then(|kind| scene.kinds.get(kind));
        let icon = kind.map(|kind| (kind.icon as u8, kind.frame));
        let key = SpriteKey::Node(AppearanceKey {
            icon,
            boss: appearance.boss,
            state: appearance.state,
            in_legend,
        });
        let theme = self.cache.key.theme;
        let factor = if in_legend { LEGEND_FACTOR } else { 1.0 };
        self.sprite(key, at, (APPEARANCE_RADIUS, factor), || {
            appearance_svg(scene, theme, appearance)
        })
    }
}
