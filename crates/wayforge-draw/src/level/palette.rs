//! Colours of levels.

/// Colours of a level in one theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LevelColours {
    /// Floor: medium, lighter, darker, joints.
    pub(crate) floor: [&'static str; 4],
    /// Outside: ground, dark tufts, light tufts, path from an exit.
    pub(crate) outside: [&'static str; 4],
    /// Shadow colour and opacity.
    pub(crate) shadow: (&'static str, &'static str),
    pub(crate) band: Masonry,
    pub(crate) breakable: Masonry,
    pub(crate) solid: Masonry,
    pub(crate) reinforced: Masonry,
    /// Pits: depth, far wall, far wall in the shade.
    pub(crate) pit: [&'static str; 3],
    /// Edge of a pit.
    pub(crate) pit_lip: &'static str,
    /// Water: surface, edge, glints.
    pub(crate) water: [&'static str; 3],
    /// Belts: plate, edge, chevrons.
    pub(crate) belt: [&'static str; 3],
    /// Plants: lit leaves, shaded leaves, pot, rim of the pot.
    pub(crate) plant: [&'static str; 4],
    /// Cells where objects may fall from above.
    pub(crate) fall: &'static str,
    /// Cells that cars can reach.
    pub(crate) car: &'static str,
    /// Exits: mat, arrow, edge.
    pub(crate) exit: [&'static str; 3],
    /// Plate under an item.
    pub(crate) chip: &'static str,
    /// Dark parts of items.
    pub(crate) dark: &'static str,
    /// Player, car, empty can, fuel, flashlight, shoes.
    pub(crate) items: [&'static str; 6],
    /// Routes of people, then routes of cars.
    pub(crate) routes: [[&'static str; 3]; 2],
    /// Casing of routes, and text on badges.
    pub(crate) casing: &'static str,
    /// Marks; the colours repeat after six marks.
    pub(crate) marks: [&'static str; 6],
    /// Frame around the grid.
    pub(crate) frame: &'static str,
}

/// Colours of a wall: top, front, joints and plates, lit edge, outline and cracks.
pub(crate) type Masonry = [&'static str; 5];

// Every palette lists all fields: a default would hide a missing colour.
pub(crate) const DAY: LevelColours = LevelColours {
    floor: ["#f1e7d2", "#f5edda", "#ece2cb", "#dfd1b4"],
    outside: ["#a7b889", "#8ea26e", "#bccb9f", "#d9cda6"],
    shadow: ("#3a2a1a", "0.2"),
    band: ["#6f7480", "#3f434d", "#555a66", "#969cab", "#2b2e36"],
    breakable: ["#cf9468", "#8a5432", "#a86b42", "#ecbd97", "#5e3720"],
    solid: ["#a39b8f", "#655d52", "#7d7568", "#c8c1b6", "#453e35"],
    reinforced: ["#86a0b5", "#455a6b", "#4d6577", "#c2d5e2", "#2c3c49"],
    pit: ["#1d1612", "#8a6f52", "#4d3c2d"],
    pit_lip: "#c9b48d",
    water: ["#86bcd8", "#4d8fb5", "#e6f5fc"],
    belt: ["#d6cdba", "#9a8f78", "#9a5b08"],
    plant: ["#6da84f", "#3f7a34", "#b9683c", "#d58757"],
    fall: "#a3268f",
    car: "#0a86a0",
    exit: ["#3f8f57", "#ffffff", "#28613a"],
    chip: "#fffaf0",
    dark: "#2f2a26",
    items: ["#2459a8", "#b8322a", "#6b6560", "#b45407", "#836a00", "#7a3a96"],
    routes: [["#d0263b", "#8a2fb0", "#b45300"], ["#1763c6", "#00786b", "#4b4fc4"]],
    casing: "#fffaf0",
    marks: ["#0d6b5c", "#8a2fb0", "#a8560c", "#2459a8", "#a3268f", "#4f7a1f"],
    frame: "#3a2a1a",
};

pub(crate) const NIGHT: LevelColours = LevelColours {
    floor: ["#252f4d", "#2a3556", "#212a46", "#1c243d"],
    outside: ["#0f1d1f", "#1d3833", "#17292a", "#31415a"],
    shadow: ("#02040b", "0.45"),
    band: ["#58638f", "#2a3158", "#434d78", "#8593c4", "#141932"],
    breakable: ["#9a6552", "#4b2b2b", "#74473b", "#cb917a", "#271416"],
    solid: ["#777d92", "#363b4d", "#595f74", "#a4abc2", "#191c28"],
    reinforced: ["#6490aa", "#284253", "#39596c", "#b4dcf0", "#122029"],
    pit: ["#03040a", "#1e2848", "#10172c"],
    pit_lip: "#3d4a78",
    water: ["#2c6ea6", "#62b4e6", "#c9ecff"],
    belt: ["#38446b", "#55639a", "#ffd35c"],
    plant: ["#74cf80", "#3b8d55", "#a8623f", "#cc8660"],
    fall: "#e58bff",
    car: "#5fe3c4",
    exit: ["#1f7a4d", "#d5ffe4", "#7dffb2"],
    chip: "#131a30",
    dark: "#0b0f1e",
    items: ["#7fb2ff", "#ff7a74", "#b4bedd", "#ffab4d", "#ffe36e", "#d59bff"],
    routes: [["#ff6f8a", "#d59bff", "#ffb05c"], ["#6fd3ff", "#5fe3c4", "#a9a6ff"]],
    casing: "#0b0f1e",
    marks: ["#5fe3c4", "#d59bff", "#ffb05c", "#86a8ff", "#ff8fd8", "#a8e06a"],
    frame: "#8b97c2",
};

#[cfg(test)]
mod tests {
    use crate::theme::Theme;
    use crate::theme::tests::contrast;

    #[test]
    fn items_routes_and_walls_have_enough_contrast_in_every_theme() {
        for theme in Theme::ALL {
            let colours = &theme.colours().level;
            let check = |min: f64, subject: &str, a: &str, b: &str| {
                let found = contrast(a, b);
                assert!(found >= min, "{theme:?}: {subject}, {a} on {b}: {found:.2}");
            };
            colours
                .items
                .iter()
                .chain(&colours.marks)
                .for_each(|item| check(4.5, "an item", item, colours.chip));
            for route in colours.routes.as_flattened() {
                check(3.0, "a route", route, colours.floor[0]);
                check(4.5, "a number", colours.casing, route);
            }
            check(3.0, "an arrow", colours.exit[1], colours.exit[0]);
            check(3.0, "a chevron", colours.belt[2], colours.belt[0]);
            for wall in [&colours.band, &colours.breakable, &colours.solid, &colours.reinforced] {
                let [top, side, ..] = wall;
                check(1.8, "a wall", top, colours.floor[0]);
                check(1.8, "the front of a wall", top, side);
            }
        }
    }
}
