//! Chooses the palette of a theme by farthest-first traversal (Gonzalez 1985).

use super::blend::{ALPHA_STEPS, Rgb, mix_colours, rgb};
use super::{ColourSet, SvgRasteriser};
use crate::curve::{Point, UNIT};
use crate::svg::Paper;
use crate::theme::Theme;
use std::collections::BTreeMap;

/// Colours that a picture may need.
struct Candidates {
    /// Colours that the palette must contain.
    exact: Vec<Rgb>,
    /// Colours that may be approximated, with weights. Errors are visible in large flat areas, but
    /// not at edges.
    approximate: Vec<(Rgb, u32)>,
}

/// Palette size for few accents. With fewer colours banding is visible; more colours make files
/// larger.
const SMALL_PALETTE: usize = 184;
/// Palette size for many accents.
const MAX_COLOURS: usize = 255;
/// Number of colours for the gradient of light paper.
const PAPER_COLOURS: usize = 44;
/// Number of colours for the gradient of dark paper, which has a smaller range.
const DARK_PAPER_COLOURS: usize = 30;

/// Number of accents used by the standard kinds.
pub(super) const STANDARD_ACCENTS: usize = 7;

/// Chooses the palette of a theme for a set of colours.
pub(super) fn choose_palette(
    theme: Theme,
    colour_set: ColourSet,
    rasteriser: &SvgRasteriser,
) -> Vec<Rgb> {
    let palette = theme.colours();
    let (accents, plates): (Vec<&str>, &[&str]) = match colour_set {
        ColourSet::StandardKinds => {
            ([&palette.accents[..STANDARD_ACCENTS], &[palette.ink]].concat(), &[])
        }
        ColourSet::AllKinds => ([&palette.accents[..], &[palette.ink]].concat(), &[]),
        ColourSet::Floors => (palette.accents.to_vec(), &[palette.rock, palette.water]),
    };
    let has_glow = palette.dark && colour_set != ColourSet::Floors;
    let mut papers = vec![rgb(palette.page)];
    add_farthest(
        &mut papers,
        &sheet_colours(theme, rasteriser),
        if palette.dark { DARK_PAPER_COLOURS } else { PAPER_COLOURS },
    );
    let mut candidates = Candidates { exact: papers, approximate: Vec::new() };
    let lines = [palette.ink, palette.faint, palette.trail, palette.mark].map(rgb);
    let solid = |text: &&str| rgb(text);
    candidates.exact.extend(
        lines.into_iter().chain([rgb(palette.card)]).chain(accents.iter().chain(plates).map(solid)),
    );
    let backgrounds = [
        rgb(palette.page),
        rgb(palette.half),
        mix_colours(rgb(palette.shade.0), rgb(palette.half), 40),
    ];
    for line in lines {
        candidates.add_antialiasing(line, &backgrounds);
    }
    let plates: Vec<Rgb> = plates.iter().map(solid).chain([rgb(palette.card)]).collect();
    for &plate in &plates {
        candidates.add_antialiasing(plate, &backgrounds[..2]);
        candidates.add_antialiasing(lines[0], &[plate]);
        candidates.add_antialiasing(lines[1], &[plate]);
        candidates.add_antialiasing(lines[3], &[plate]);
    }
    for accent in accents.iter().map(solid) {
        candidates.add_antialiasing(accent, &plates);
        candidates.add_antialiasing(accent, &backgrounds[..2]);
        if has_glow {
            candidates.add_glow(accent, mix_colours(backgrounds[0], backgrounds[1], 128));
        }
    }
    let mut colours = candidates.exact;
    colours.sort_unstable();
    colours.dedup();
    add_farthest(
        &mut colours,
        &candidates.approximate,
        if accents.len() <= 8 { SMALL_PALETTE } else { MAX_COLOURS },
    );
    colours
}

impl Candidates {
    /// Adds the mixtures at antialiased edges between an ink and its backgrounds.
    fn add_antialiasing(&mut self, ink: Rgb, backgrounds: &[Rgb]) {
        for &background in backgrounds {
            self.approximate
                .extend((1..16).map(|step| (mix_colours(ink, background, step * 16), 1)));
        }
    }

    /// Adds a glow that fades into the paper. All shades of paper share one ramp; otherwise the
    /// rings of a glow would be interrupted where the shade changes.
    fn add_glow(&mut self, ink: Rgb, background: Rgb) {
        self.approximate.extend(
            ALPHA_STEPS[1..].iter().map(|&step| (mix_colours(ink, background, step.into()), 6)),
        );
    }
}

/// Returns the colours of a sheet's gradients, weighted by the square root of their area.
fn sheet_colours(theme: Theme, rasteriser: &SvgRasteriser) -> Vec<(Rgb, u32)> {
    // Gradients stretch with the sheet, so any size shows all colours.
    let (width, height) = (240, 400);
    let rule = Some([Point::default(); 2]);
    let paper = Paper { width: width * UNIT, height: height * UNIT, rule, seed: None };
    let mut counts: BTreeMap<Rgb, u32> = BTreeMap::new();
    if let Ok(pixels) = rasteriser.render(&paper.svg(theme), (width as u32, height as u32)) {
        pixels
            .data()
            .as_chunks::<4>()
            .0
            .iter()
            .for_each(|&[r, g, b, _]| *counts.entry([r, g, b]).or_default() += 1);
    }
    counts.into_iter().map(|(colour, count)| (colour, count.isqrt().max(1))).collect()
}

/// Repeatedly adds the candidate with the largest weighted distance to the chosen colours, until
/// there are `max_colours`.
fn add_farthest(chosen: &mut Vec<Rgb>, candidates: &[(Rgb, u32)], max_colours: usize) {
    chosen.truncate(max_colours);
    let distance =
        |a: Rgb, b: Rgb| -> u32 { (0..3).map(|i| u32::from(a[i].abs_diff(b[i])).pow(2)).sum() };
    let mut distances: Vec<u32> = candidates
        .iter()
        .map(|&(colour, weight)| {
            weight
                * chosen.iter().map(|&other| distance(colour, other)).min().unwrap_or(u32::MAX / 64)
        })
        .collect();
    while chosen.len() < max_colours {
        let Some((at, &far)) =
            distances.iter().enumerate().max_by_key(|&(at, far)| (*far, usize::MAX - at))
        else {
            return;
        };
        if far == 0 {
            return;
        }
        let added = candidates[at].0;
        chosen.push(added);
        for (far, &(colour, weight)) in distances.iter_mut().zip(candidates) {
            *far = (*far).min(weight * distance(colour, added));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palettes_contain_exact_colours_without_duplicates() {
        for theme in Theme::ALL {
            let palette = theme.colours();
            let mut colours = choose_palette(theme, ColourSet::AllKinds, &SvgRasteriser::default());
            assert!((100..=MAX_COLOURS).contains(&colours.len()), "{}", colours.len());
            for solid in palette.accents.iter().chain([&palette.card, &palette.ink, &palette.mark])
            {
                assert!(colours.contains(&rgb(solid)), "{solid}");
            }
            let count = colours.len();
            colours.sort_unstable();
            colours.dedup();
            assert_eq!(colours.len(), count);
        }
    }
}
