//! Chooses the palette of a theme by farthest-first traversal (Gonzalez 1985).

use super::blend::{ALPHA_STEPS, Rgb, mix_colours, rgb};
use super::{ColourSet, SvgRasteriser};
use crate::curve::{Point, UNIT};
use crate::svg::Paper;
use crate::theme::Theme;
use std::collections::BTreeMap;

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
    let [page, half, card] = [palette.page, palette.half, palette.card].map(rgb);
    // Colours that the palette contains exactly.
    let mut colours = vec![page];
    let paper_colours = if palette.dark { DARK_PAPER_COLOURS } else { PAPER_COLOURS };
    add_farthest(&mut colours, &sheet_colours(theme, rasteriser), paper_colours);
    let lines = [palette.ink, palette.faint, palette.trail, palette.mark].map(rgb);
    let plates: Vec<Rgb> = plates.iter().map(|plate| rgb(plate)).chain([card]).collect();
    let accents: Vec<Rgb> = accents.into_iter().map(rgb).collect();
    colours.extend(lines.iter().chain(&plates).chain(&accents));
    // Colours that the palette approximates. Errors are visible in large flat areas, but not at
    // edges.
    let mut approximate: Vec<(Rgb, u32)> = Vec::new();
    let backgrounds = [page, half, mix_colours(rgb(palette.shade.0), half, 40)];
    for line in lines {
        approximate.extend(antialiasing(line, &backgrounds));
    }
    for &plate in &plates {
        approximate.extend(antialiasing(plate, &backgrounds[..2]));
        for ink in [lines[0], lines[1], lines[3]] {
            approximate.extend(antialiasing(ink, &[plate]));
        }
    }
    // All shades of paper share one ramp; otherwise the rings of a glow would be interrupted where
    // the shade changes.
    let paper = mix_colours(page, half, 128);
    for &accent in &accents {
        approximate.extend(antialiasing(accent, &plates));
        approximate.extend(antialiasing(accent, &backgrounds[..2]));
        let glow = ALPHA_STEPS[1..].iter().filter(|_| has_glow);
        approximate.extend(glow.map(|&step| (mix_colours(accent, paper, step.into()), 6)));
    }
    colours.sort_unstable();
    colours.dedup();
    let max_colours = if accents.len() <= 8 { SMALL_PALETTE } else { MAX_COLOURS };
    add_farthest(&mut colours, &approximate, max_colours);
    colours
}

/// Returns the mixtures at antialiased edges between an ink and its backgrounds, with weight 1.
fn antialiasing(ink: Rgb, backgrounds: &[Rgb]) -> impl Iterator<Item = (Rgb, u32)> {
    let mix = move |&background: &Rgb| {
        (1..16).map(move |step| (mix_colours(ink, background, step * 16), 1))
    };
    backgrounds.iter().flat_map(mix)
}

/// Returns the colours of a sheet's gradients, weighted by the square root of their area.
fn sheet_colours(theme: Theme, rasteriser: &SvgRasteriser) -> Vec<(Rgb, u32)> {
    // Gradients stretch with the sheet, so any size shows all colours.
    let (width, height) = (240, 400);
    let rule = Some([Point::default(); 2]);
    let paper = Paper { width: width * UNIT, height: height * UNIT, rule, seed: None };
    let mut counts: BTreeMap<Rgb, u32> = BTreeMap::new();
    if let Ok(pixels) = rasteriser.render(&paper.svg(theme), (width as u32, height as u32)) {
        for &[r, g, b, _] in pixels.data().as_chunks().0 {
            *counts.entry([r, g, b]).or_default() += 1;
        }
    }
    counts.into_iter().map(|(colour, count)| (colour, count.isqrt().max(1))).collect()
}

/// Repeatedly adds the candidate with the largest weighted distance to the chosen colours, until
/// there are `max_colours`.
fn add_farthest(chosen: &mut Vec<Rgb>, candidates: &[(Rgb, u32)], max_colours: usize) {
    chosen.truncate(max_colours);
    let distance =
        |a: Rgb, b: Rgb| -> u32 { (0..3).map(|i| u32::from(a[i].abs_diff(b[i])).pow(2)).sum() };
    let nearest = |&(colour, weight): &(Rgb, u32)| {
        let nearest = chosen.iter().map(|&other| distance(colour, other)).min();
        weight * nearest.unwrap_or(u32::MAX / 64)
    };
    let mut distances: Vec<u32> = candidates.iter().map(nearest).collect();
    while chosen.len() < max_colours {
        let farthest =
            distances.iter().enumerate().max_by_key(|&(index, far)| (*far, usize::MAX - index));
        let Some((index, 1..)) = farthest else { return };
        let added = candidates[index].0;
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
