//! Rasterises SVG. Text uses the bundled font only.

use crate::FONT;
use crate::png::DrawError;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg;
use std::sync::Arc;

/// SVG parser and rasteriser with the bundled font.
pub(crate) struct SvgRasteriser {
    options: usvg::Options<'static>,
}

impl Default for SvgRasteriser {
    fn default() -> SvgRasteriser {
        let mut fonts = usvg::fontdb::Database::new();
        fonts.load_font_data(FONT.to_vec());
        let options = usvg::Options {
            fontdb: Arc::new(fonts),
            font_family: "Wayforge Serif".to_owned(),
            ..usvg::Options::default()
        };
        SvgRasteriser { options }
    }
}

impl SvgRasteriser {
    /// Renders a document, stretched to the given size in pixels.
    pub(crate) fn render(
        &self,
        svg: &str,
        (width, height): (u32, u32),
    ) -> Result<Pixmap, DrawError> {
        let mut pixmap = new_pixmap(width, height)?;
        let tree = self.parse(svg)?;
        let (scale_x, scale_y) =
            (width as f32 / tree.size().width(), height as f32 / tree.size().height());
        resvg::render(&tree, Transform::from_scale(scale_x, scale_y), &mut pixmap.as_mut());
        Ok(pixmap)
    }

    /// Renders a square document that extends `reach` pixels from its centre, scaled by `scale`.
    ///
    /// The centre is the common corner of the four middle pixels of the result. Also returns the
    /// distance from the centre to a side, in pixels.
    pub(super) fn render_centred(
        &self,
        svg: &str,
        reach: i32,
        scale: f32,
    ) -> Result<(Pixmap, i32), DrawError> {
        let half = ((reach as f32 * scale).ceil() as u32).max(1);
        let mut pixmap = new_pixmap(2 * half, 2 * half)?;
        let corner = half as f32 - reach as f32 * scale;
        let transform = Transform::from_row(scale, 0.0, 0.0, scale, corner, corner);
        resvg::render(&self.parse(svg)?, transform, &mut pixmap.as_mut());
        Ok((pixmap, half as i32))
    }

    pub(super) fn parse(&self, svg: &str) -> Result<usvg::Tree, DrawError> {
        usvg::Tree::from_str(svg, &self.options)
            .map_err(|error| DrawError::Render(error.to_string()))
    }
}

pub(crate) fn new_pixmap(width: u32, height: u32) -> Result<Pixmap, DrawError> {
    Pixmap::new(width, height).ok_or(DrawError::Render("cannot allocate its pixels".to_owned()))
}
