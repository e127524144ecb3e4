//! Which 255 colours a picture has.

use super::inks::{FADE, Rgb, mixed, rgb};
use super::{Range, Shapes};
use crate::curve::{Point, UNIT};
use crate::svg::Paper;
use crate::theme::Theme;
use std::collections::BTreeMap;

/// The colours of blending that a picture may need, with how much they matter.
struct Wanted {
    /// Colours that must be there.
    exact: Vec<Rgb>,
    /// Colours that something near will do for, weighed: a large even shade shows steps that a rim hides.
    near: Vec<(Rgb, u32)>,
}

/// Colours in all for few accents and for many: fewer would show, and more are more to encode.
const FEW: usize = 184;
const MAX: usize = 255;
/// Steps of the paper between its middle and its rim, and for a dark one, whose middle and rim are nearer.
const PAPERS: usize = 44;
const DARK_PAPERS: usize = 30;

/// The accents of the standard kinds: those before this one.
pub(super) const STANDARD: usize = 7;

/// The palette of maps on a sheet, in a theme, whose shapes have the colours of a range.
pub(super) fn choose(theme: Theme, range: Range, shapes: &Shapes) -> Vec<Rgb> {
    let palette = theme.colours();
    let (accents, plates): (Vec<&str>, &[&str]) = match range {
        Range::Standard => ([&palette.accents[..STANDARD], &[palette.ink]].concat(), &[]),
        Range::Any => ([&palette.accents[..], &[palette.ink]].concat(), &[]),
        Range::Floors => (palette.accents.to_vec(), &[palette.rock, palette.water]),
    };
    let glow = palette.dark && range != Range::Floors;
    let mut papers = vec![rgb(palette.page)];
    spread(&mut papers, &sheet(theme, shapes), if palette.dark { DARK_PAPERS } else { PAPERS });
    let mut wanted = Wanted { exact: papers, near: Vec::new() };
    let lines = [palette.ink, palette.faint, palette.trail, palette.mark].map(rgb);
    let solid = |text: &&str| rgb(text);
    wanted
        .exact
        .extend(lines.into_iter().chain([rgb(palette.card)]).chain(accents.iter().chain(plates).map(solid)));
    let backs = [rgb(palette.page), rgb(palette.half), mixed(rgb(palette.shade.0), rgb(palette.half), 40)];
    for line in lines {
        wanted.rim(line, &backs);
    }
    let plates: Vec<Rgb> = plates.iter().map(solid).chain([rgb(palette.card)]).collect();
    for &plate in &plates {
        wanted.rim(plate, &backs[..2]);
        wanted.rim(lines[0], &[plate]);
        wanted.rim(lines[1], &[plate]);
        wanted.rim(lines[3], &[plate]);
    }
    for accent in accents.iter().map(solid) {
        wanted.rim(accent, &plates);
        wanted.rim(accent, &backs[..2]);
        if glow {
            wanted.glow(accent, mixed(backs[0], backs[1], 128));
        }
    }
    let mut colours = wanted.exact;
    colours.sort_unstable();
    colours.dedup();
    spread(&mut colours, &wanted.near, if accents.len() <= 8 { FEW } else { MAX });
    colours
}

impl Wanted {
    fn rim(&mut self, ink: Rgb, backs: &[Rgb]) {
        for &back in backs {
            self.near.extend((1..16).map(|step| (mixed(ink, back, step * 16), 1)));
        }
    }

    /// Light that fades into the paper: one ramp for papers of all shades, or rings would break where the paper changes.
    fn glow(&mut self, ink: Rgb, back: Rgb) {
        self.near.extend(FADE[1..].iter().map(|&step| (mixed(ink, back, step.into()), 6)));
    }
}

/// The colours of a sheet's light and shade, each with a weight that grows with the room it takes.
fn sheet(theme: Theme, shapes: &Shapes) -> Vec<(Rgb, u32)> {
    // Light and shade stretch with the sheet, so that any one shows all their colours.
    let (width, height) = (240, 400);
    let rule = Some([Point::default(); 2]);
    let paper = Paper { width: width * UNIT, height: height * UNIT, rule, seed: None };
    let mut counts: BTreeMap<Rgb, u32> = BTreeMap::new();
    if let Ok(pixels) = shapes.fill(&paper.svg(theme), (width as u32, height as u32)) {
        pixels
            .data()
            .as_chunks::<4>()
            .0
            .iter()
            .for_each(|&[r, g, b, _]| *counts.entry([r, g, b]).or_default() += 1);
    }
    counts.into_iter().map(|(colour, count)| (colour, count.isqrt().max(1))).collect()
}

/// Takes the colour that is farthest from all that are chosen, until there are enough.
fn spread(chosen: &mut Vec<Rgb>, wanted: &[(Rgb, u32)], most: usize) {
    chosen.truncate(most);
    let apart = |a: Rgb, b: Rgb| -> u32 { (0..3).map(|i| u32::from(a[i].abs_diff(b[i])).pow(2)).sum() };
    let mut left: Vec<u32> = wanted
        .iter()
        .map(|&(colour, weight)| {
            weight * chosen.iter().map(|&other| apart(colour, other)).min().unwrap_or(u32::MAX / 64)
        })
        .collect();
    while chosen.len() < most {
        let Some((at, &far)) = left.iter().enumerate().max_by_key(|&(at, far)| (*far, usize::MAX - at))
        else {
            return;
        };
        if far == 0 {
            return;
        }
        let taken = wanted[at].0;
        chosen.push(taken);
        for (far, &(colour, weight)) in left.iter_mut().zip(wanted) {
            *far = (*far).min(weight * apart(colour, taken));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palettes_are_full_hold_what_is_exact_and_say_nothing_twice() {
        for theme in Theme::ALL {
            let palette = theme.colours();
            let mut colours = choose(theme, Range::Any, &Shapes::default());
            assert!((100..=MAX).contains(&colours.len()), "{}", colours.len());
            for solid in palette.accents.iter().chain([&palette.card, &palette.ink, &palette.mark]) {
                assert!(colours.contains(&rgb(solid)), "{solid}");
            }
            let count = colours.len();
            colours.sort_unstable();
            colours.dedup();
            assert_eq!(colours.len(), count);
        }
    }
}
