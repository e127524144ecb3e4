//! Act maps, painted.

use super::inks::{Rgb, rgb};
use super::palette::choose;
use super::words::Setting;
use super::{Easel, Range, Shapes, Stamp};
use crate::curve::{Point, UNIT};
use crate::icons;
use crate::png::DrawError;
use crate::scene::{NodeState, Scene};
use crate::sheet::{LEGEND_ICON, labels};
use crate::svg::{Look, STAMP_REACH, seen_edges, svg_stamp};
use crate::text;
use crate::theme::Theme;

/// Below this scale a dash is smaller than two pixels.
const MIN_DASHED: u32 = 30;
/// The accents of the standard kinds: those before this one.
const STANDARD: usize = 7;
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

pub(super) fn palette(theme: Theme, range: Range, shapes: &Shapes) -> Vec<Rgb> {
    let palette = theme.palette();
    let accents = if range == Range::Standard { &palette.accents[..STANDARD] } else { &palette.accents };
    let accents: Vec<&str> = accents.iter().copied().chain([palette.ink]).collect();
    choose(theme, &accents, &[], palette.glow, shapes)
}

impl Easel<'_> {
    pub(super) fn act(&mut self, scene: &Scene) -> Result<(), DrawError> {
        let palette = self.kit.of.theme.palette();
        let (ink, faint) = (rgb(palette.ink), rgb(palette.faint));
        for label in labels(scene) {
            let setting = Setting { at: label.at, centred: true, size: label.size, spaced: label.spaced };
            self.write(setting, &[(&label.words, if label.loud { ink } else { faint })]);
        }
        self.edges(scene);
        for node in &scene.nodes {
            self.look(scene, Look::of(scene, node), false, node.pos)?;
        }
        for (kind, (entry, &at)) in scene.kinds.iter().zip(&scene.legend).enumerate() {
            self.look(scene, Look::of_kind(kind), true, Point::new(at.x + 13 * UNIT, at.y))?;
            let at = Point::new(at.x + LEGEND_ICON, at.y + 6 * UNIT);
            let setting = Setting { at, centred: false, size: text::LEGEND, spaced: 0 };
            self.write(setting, &[(&entry.name, ink), (&format!(" {}", entry.count), faint)]);
        }
        Ok(())
    }

    fn edges(&mut self, scene: &Scene) {
        let palette = self.kit.of.theme.palette();
        let scale = self.scale();
        let mut trail = self.line(26, rgb(palette.trail), if scale < MIN_DASHED { 191 } else { 255 });
        let dash = super::fine(6 * UNIT, scale);
        trail.dashes = (scale >= MIN_DASHED).then_some((dash, dash));
        let route = self.line(46, rgb(palette.route), 255);
        for (on_route, line) in [(false, trail), (true, route)] {
            for curve in seen_edges(scene, on_route) {
                self.stroker.curve(&curve, scale, line, self.frame, &mut self.kit.inks);
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
