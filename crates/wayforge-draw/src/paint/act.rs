//! Act maps, painted.

use super::palette::STANDARD;
use super::stroke::flattened;
use super::{Easel, Range, Stamp};
use crate::curve::{Point, UNIT};
use crate::icons;
use crate::png::DrawError;
use crate::scene::{NodeState, Scene};
use crate::sheet::{LEGEND_ICON, labels};
use crate::svg::{Look, STAMP_REACH, seen_edges, svg_stamp};

/// Below this scale a dash is smaller than two pixels.
const MIN_DASHED: u32 = 30;
/// How large looks are in the legend.
const LEGEND_FACTOR: f32 = 0.66;

/// What a look is made of, whatever the map.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LookOf {
    icon: Option<(u8, u8)>,
    boss: bool,
    state: NodeState,
    in_legend: bool,
}

pub(super) fn range(scene: &Scene) -> Range {
    match scene.kinds.iter().all(|kind| icons::accent(kind) < STANDARD) {
        true => Range::Standard,
        false => Range::Any,
    }
}

impl Easel<'_> {
    pub(super) fn act(&mut self, scene: &Scene) -> Result<(), DrawError> {
        labels(scene).iter().for_each(|label| self.label(label));
        self.edges(scene);
        for node in &scene.nodes {
            self.look(scene, Look::of(scene, node), false, node.pos)?;
        }
        for (kind, (entry, &at)) in scene.kinds.iter().zip(&scene.legend).enumerate() {
            self.look(scene, Look::of_kind(kind), true, Point::new(at.x + 13 * UNIT, at.y))?;
            self.legend_words(at.x + LEGEND_ICON, at.y, &entry.name, entry.count);
        }
        Ok(())
    }

    fn edges(&mut self, scene: &Scene) {
        let (palette, scale) = (self.palette(), self.kit.of.scale);
        let mut trail = self.line(26, palette.trail, if scale < MIN_DASHED { 191 } else { 255 });
        let dash = super::fine(6 * UNIT, scale);
        trail.dashes = (scale >= MIN_DASHED).then_some((dash, dash));
        let route = self.line(46, palette.mark, 255);
        for (on_route, line) in [(false, trail), (true, route)] {
            for curve in seen_edges(scene, on_route) {
                self.stroker.stroke(flattened(&curve, scale), line, self.frame, &mut self.kit.inks);
            }
        }
    }

    fn look(&mut self, scene: &Scene, look: Look, in_legend: bool, at: Point) -> Result<(), DrawError> {
        let icon = look.kind.and_then(|kind| scene.kinds.get(kind)).map(|kind| (kind.icon as u8, kind.frame));
        let stamp = Stamp::Look(LookOf { icon, boss: look.boss, state: look.state, in_legend });
        let theme = self.kit.of.theme;
        let factor = if in_legend { LEGEND_FACTOR } else { 1.0 };
        self.stamp(stamp, at, (STAMP_REACH, factor), || svg_stamp(scene, theme, look))
    }
}
