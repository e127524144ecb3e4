//! How things look on small maps: each has a colour and a shape that no other has.

use std::fmt::Write;
use wayforge_draw::Colours;

/// Accents for things that have none of their own: the ones that are easily told apart first.
const FREE: [usize; 12] = [5, 6, 0, 9, 1, 11, 8, 10, 3, 2, 4, 7];
/// Shapes of things that do not fill their cells; neighbours in a list have different ones, should colours look alike.
const SHAPES: [Shape; 5] = [Shape::Dot, Shape::Ring, Shape::Square, Shape::Cross, Shape::Plus];

/// How a thing looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) ink: Ink,
    pub(crate) shape: Shape,
}

/// A colour of the theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    None,
    Dark,
    Faint,
    Rock,
    Accent(usize),
}

/// What is drawn on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Fill,
    Dot,
    Ring,
    Square,
    Cross,
    Plus,
}

/// How everything of a page looks. The kinds of an act bear any names, so these say nothing there.
///
/// Sixty things have looks of their own; beyond, they repeat.
pub(crate) fn looks(planes: &[String], act: bool) -> Vec<Look> {
    let mut things = 0;
    let fixed: Vec<(Option<Ink>, Shape)> = planes
        .iter()
        .map(|plane| {
            let (ink, fills) = if act { (None, false) } else { known(plane) };
            let shape = if fills { Shape::Fill } else { SHAPES[things % SHAPES.len()] };
            things += usize::from(!fills);
            (ink, shape)
        })
        .collect();
    let mut taken: Vec<Look> = Vec::new();
    for (at, &(ink, shape)) in fixed.iter().enumerate() {
        let ink = ink.unwrap_or_else(|| {
            let inks = || FREE.into_iter().map(Ink::Accent);
            // A colour that nothing has or will have; then one that no thing of this shape has.
            let own = |ink: &Ink| fixed.iter().all(|other| other.0 != Some(*ink));
            let fresh = inks().find(|ink| own(ink) && taken.iter().all(|look| look.ink != *ink));
            let clear = |ink: &Ink| {
                !taken.contains(&Look { ink: *ink, shape }) && !fixed.contains(&(Some(*ink), shape))
            };
            let things = || fixed[..=at].iter().filter(|other| other.1 != Shape::Fill).count();
            fresh.or_else(|| inks().find(clear)).unwrap_or_else(|| Ink::Accent(things() % 12))
        });
        taken.push(Look { ink, shape });
    }
    taken
}

/// The colour of a thing that has one of its own, and whether it fills its cell.
fn known(plane: &str) -> (Option<Ink>, bool) {
    let (ink, fills) = match plane {
        // Each mark has a look of its own, so all of them together need none.
        "floor" | "outside" | "fall_spawn" | "mark" => (Ink::None, true),
        "wall" => (Ink::Rock, true),
        "band" => (Ink::Faint, true),
        "water" | "puddle" => (Ink::Accent(7), true),
        "pitfall" => (Ink::Dark, true),
        "reinforced" => (Ink::Accent(11), true),
        "entrance" | "player" => (Ink::Accent(3), false),
        "exit" => (Ink::Accent(2), false),
        "enemy" => (Ink::Accent(1), false),
        "chest" | "fuel" => (Ink::Accent(4), false),
        "car" => (Ink::Accent(6), false),
        _ => return (None, false),
    };
    (Some(ink), fills)
}

impl Ink {
    pub(crate) fn colour(self, colours: &Colours) -> &'static str {
        match self {
            Ink::None => "none",
            Ink::Dark => colours.ink,
            Ink::Faint => colours.faint,
            Ink::Rock => colours.rock,
            Ink::Accent(at) => colours.accents[at % 12],
        }
    }
}

impl Shape {
    /// The class of its strokes.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Shape::Fill => "f",
            Shape::Dot => "d",
            Shape::Square => "q",
            Shape::Ring | Shape::Cross | Shape::Plus => "t",
        }
    }

    /// Strokes of a run of cells from a column on, in halves of a cell; only what fills cells is drawn in one.
    pub(crate) fn draw(self, path: &mut String, (x, y): (u32, u32), run: usize) {
        let (x, y) = (2 * x, 2 * y);
        if self == Shape::Fill {
            let _ = write!(path, "M{x} {}h{}", y + 1, 2 * run);
            return;
        }
        for x in (x..).step_by(2).take(run) {
            let _ = match self {
                Shape::Fill | Shape::Dot | Shape::Square => write!(path, "M{} {}h0", x + 1, y + 1),
                Shape::Ring => write!(path, "M{x}.5 {}a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0", y + 1),
                Shape::Cross => write!(path, "M{x}.5 {y}.5l1 1m-1 0l1-1"),
                Shape::Plus => write!(path, "M{x}.3 {}h1.4m-.7-.7v1.4", y + 1),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayforge::AnySpec;
    use wayforge::Family;
    use wayforge_draw::Theme;

    /// All that are drawn look different in every theme; the first twelve have colours of their own as well.
    fn all_differ(planes: &[String], act: bool) {
        let looks = looks(planes, act);
        assert_eq!(looks.len(), planes.len());
        for theme in Theme::ALL {
            let mut seen = Vec::new();
            for (look, plane) in looks.iter().zip(planes).filter(|(look, _)| look.ink != Ink::None) {
                let seen_as = (look.ink.colour(&theme.colours()), look.shape);
                assert!(!seen.contains(&seen_as), "{theme:?}: {plane} {seen_as:?}");
                seen.push(seen_as);
            }
        }
    }

    #[test]
    fn no_two_things_look_alike() {
        for family in [Family::Act, Family::Level, Family::Floor, Family::Tower] {
            let subject = AnySpec::from_json(family, b"{}").unwrap();
            all_differ(subject.catalogue().planes(), family == Family::Act);
        }
        let names = |count: usize| (0..count).map(|n| format!("kind {n}")).collect::<Vec<_>>();
        all_differ(&names(60), true);
        assert_eq!(looks(&names(500), true).len(), 500);
        let inks = |count: usize| looks(&names(count), true).into_iter().map(|look| look.ink);
        let few: Vec<Ink> = inks(12).collect();
        assert!((1..12).all(|at| !few[..at].contains(&few[at])), "{few:?}");
        // Kinds of an act that are called like tiles are seen all the same.
        let tiles = ["floor", "wall", "water", "puddle"].map(str::to_owned);
        all_differ(&tiles, true);
        assert!(looks(&tiles, true).iter().all(|look| look.ink != Ink::None && look.shape != Shape::Fill));
        let floor = ["door", "chest"].map(str::to_owned);
        let [door, chest] = looks(&floor, false)[..] else { panic!() };
        assert!(door.ink != chest.ink && door.shape != chest.shape, "{door:?} {chest:?}");
    }
}
