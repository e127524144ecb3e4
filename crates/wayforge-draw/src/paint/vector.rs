//! Vector shapes as pixels: SVG text, painted with the bundled font and nothing from the machine.

use crate::png::DrawError;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use std::sync::Arc;

/// A subset of Vollkorn Medium; see `assets/README.md`.
const FONT: &[u8] = include_bytes!("../../assets/WayforgeSerif.ttf");

/// What turns SVG text into pixels.
pub(crate) struct Shapes {
    options: usvg::Options<'static>,
}

impl Default for Shapes {
    fn default() -> Shapes {
        let mut fonts = usvg::fontdb::Database::new();
        fonts.load_font_data(FONT.to_vec());
        let options = usvg::Options {
            fontdb: Arc::new(fonts),
            font_family: "Wayforge Serif".to_owned(),
            ..usvg::Options::default()
        };
        Shapes { options }
    }
}

impl Shapes {
    /// Paints a document so that it fills a picture.
    pub(crate) fn fill(&self, svg: &str, (width, height): (u32, u32)) -> Result<Pixmap, DrawError> {
        let mut onto = blank(width, height)?;
        let tree = self.parse(svg)?;
        let (across, down) = (width as f32 / tree.size().width(), height as f32 / tree.size().height());
        resvg::render(&tree, Transform::from_scale(across, down), &mut onto.as_mut());
        Ok(onto)
    }

    /// Paints a document that reaches `reach` pixels from its middle, at a scale, around the corner between the four pixels
    /// in the middle of a square; says how many pixels there are from that middle to a side.
    pub(super) fn stamp(&self, svg: &str, reach: i32, scale: f32) -> Result<(Pixmap, i32), DrawError> {
        let half = ((reach as f32 * scale).ceil() as u32).max(1);
        let mut onto = blank(2 * half, 2 * half)?;
        let corner = half as f32 - reach as f32 * scale;
        let place = Transform::from_row(scale, 0.0, 0.0, scale, corner, corner);
        resvg::render(&self.parse(svg)?, place, &mut onto.as_mut());
        Ok((onto, half as i32))
    }

    pub(super) fn parse(&self, svg: &str) -> Result<usvg::Tree, DrawError> {
        usvg::Tree::from_str(svg, &self.options).map_err(|error| DrawError::Paint(error.to_string()))
    }
}

pub(crate) fn blank(width: u32, height: u32) -> Result<Pixmap, DrawError> {
    Pixmap::new(width, height).ok_or(DrawError::Paint("no room for its pixels".to_owned()))
}
