//! Levels resolved for drawing: cells with their looks, outlines of what is joined, routes, legend.
//!
//! As with act maps, everything is decided here in whole numbers; [ASCII](level_ascii()), [SVG](level_svg()) and
//! [PNG](crate::level_png()) only emit.

use crate::curve::Point;
use std::collections::BTreeMap;
use wayforge::Seed;
use wayforge::grid::{BitGrid, Dir, Pos, Size};
use wayforge::level::{self, Blueprint, FuelMode, InteriorWalls, Level, Mover, Symbol, Tags};

mod ascii;
mod icons;
mod outline;
pub(crate) mod palette;
mod routes;
mod sheet;
mod svg;

pub use ascii::level_ascii;
pub use outline::Outline;
pub use routes::{SceneRoute, SceneStop};
pub use svg::level_svg;
#[cfg(feature = "png")]
pub(crate) use svg::level_tile_svg;

/// A level before it is drawn: all positions are whole [units](crate::UNIT), nothing is left to decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelScene {
    /// The headline.
    pub title: String,
    /// The lines below it.
    pub caption: Vec<String>,
    /// The algorithm and the seed of the level; none for a drawing by hand.
    pub made: Option<(String, Seed)>,
    /// The grid's size.
    pub size: Size,
    /// The cells in reading order.
    pub cells: Vec<SceneCell>,
    /// What is joined over cells, one for each ground in use, in the order of [`Ground`].
    pub outlines: Vec<(Ground, Outline)>,
    /// What stands at the marks of the configuration: a place in `marks` for each cell.
    pub marked: Vec<(Pos, usize)>,
    /// The names of the marks.
    pub marks: Vec<String>,
    /// The routes to show.
    pub routes: Vec<SceneRoute>,
    /// What occurs, with its name and count, and where it stands in the legend.
    pub entries: Vec<LevelEntry>,
    /// True if `f` is a fuel station.
    pub station: bool,
    /// True if interior walls hold.
    pub solid: bool,
    /// A cell's side.
    pub tile: i32,
    /// The side of the square that a thing is drawn in; more than a tile where tiles are very small.
    pub thing: i32,
    /// The upper left corner of the grid.
    pub corner: Point,
    /// The picture's width.
    pub width: i32,
    /// The picture's height.
    pub height: i32,
    /// The rule above the legend, by its left and right end; none without a legend.
    pub footer: Option<[Point; 2]>,
}

/// A cell with its look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneCell {
    /// Its symbol.
    pub symbol: Symbol,
    /// Which of several looks it has: a byte that depends on the cell only.
    pub variant: u8,
    /// For an exit, the side on which outside lies.
    pub opens: Option<Dir>,
    /// True if something may fall on it, and that is to be shown.
    pub fall_spawn: bool,
    /// True for a reinforced wall, if that is to be shown.
    pub reinforced: bool,
    /// True if cars can drive here, and that is to be shown.
    pub car_walkable: bool,
    /// One bit for each of the routes that pass here: bit 0 for people, bit 1 for cars.
    pub passed: u8,
}

impl SceneCell {
    /// Floor in its middle shade. Outside has no tuft in this variant.
    pub(crate) fn plain() -> SceneCell {
        SceneCell { variant: 200, ..SceneCell::default() }
    }

    /// True for an interior wall that a shown route breaks.
    pub fn is_broken(&self) -> bool {
        self.symbol == Symbol::Wall && self.passed != 0
    }
}

/// What cells are made of, as far as neighbours of the same ground are drawn as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// Outside.
    Outside,
    /// Holes.
    Pitfall,
    /// Water.
    Puddle,
    /// Moving floors.
    Belt,
    /// Where cars drive.
    CarWalkable,
    /// Where things fall.
    FallSpawn,
    /// The outer wall.
    Band,
    /// Interior walls that break.
    Breakable,
    /// Interior walls that hold.
    Solid,
    /// Walls that nobody breaks.
    Reinforced,
}

/// What a line of the legend explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A symbol.
    Symbol(Symbol),
    /// Reinforced walls.
    Reinforced,
    /// Where things fall.
    FallSpawn,
    /// Where cars drive.
    CarWalkable,
    /// Interior walls that the shown routes break.
    Broken,
    /// A mark, by its place in [`LevelScene::marks`].
    Mark(usize),
    /// The routes of a mover along one chain, by the place of the first in [`LevelScene::routes`].
    Route(usize),
}

/// A line of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelEntry {
    /// What it explains.
    pub entry: Entry,
    /// Its name.
    pub name: String,
    /// How often it occurs.
    pub count: usize,
    /// The left end of its line, at half its height; none without a legend.
    pub at: Option<Point>,
}

/// Which routes are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routes {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those of one mover.
    Of(Mover),
}

/// What of a level is shown.
///
/// ```
/// use wayforge_draw::{LevelView, Routes};
/// let proof = LevelView { routes: Routes::All, ..LevelView::default() };
/// assert!(proof.legend && proof.reinforced && proof.fall_spawn && !proof.car_walkable);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelView {
    /// The witness routes.
    pub routes: Routes,
    /// Where something may fall from above.
    pub fall_spawn: bool,
    /// Which walls are reinforced.
    pub reinforced: bool,
    /// Where cars can drive.
    pub car_walkable: bool,
    /// The legend.
    pub legend: bool,
}

impl Default for LevelView {
    fn default() -> LevelView {
        LevelView {
            routes: Routes::None,
            fall_spawn: true,
            reinforced: true,
            car_walkable: false,
            legend: true,
        }
    }
}

impl LevelScene {
    /// The scene of a level as it is usually shown.
    ///
    /// ```
    /// use wayforge::level;
    /// use wayforge_draw::LevelScene;
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let scene = LevelScene::of_level(&level);
    /// assert_eq!(scene.cells.len(), 48 * 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_level(level: &Level) -> LevelScene {
        LevelScene::of_level_with(level, LevelView::default())
    }

    /// The scene of a level, showing what the view asks for.
    ///
    /// * **Returns.** A scene for any level, broken ones too: what lies beyond the grid is left out.
    /// * **Complexity.** Linear in the cells and the routes.
    /// * **Determinism.** The variants of cells are hashes of their places; no stream is used.
    ///
    /// ```
    /// use wayforge::level;
    /// use wayforge_draw::{LevelScene, LevelView, Routes};
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let scene = LevelScene::of_level_with(&level, LevelView { routes: Routes::All, ..LevelView::default() });
    /// assert_eq!(scene.routes.len(), level.witness.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_level_with(level: &Level, view: LevelView) -> LevelScene {
        LevelScene::resolve(&level.blueprint, &level.spec, Some(level), view)
    }

    /// The scene of a blueprint that was drawn by hand for a stage: no seed, no tags, no routes.
    ///
    /// ```
    /// use wayforge::level::{self, Blueprint};
    /// use wayforge_draw::{LevelScene, Paint, level_ascii};
    /// let drawing = "OOOO\nBEBB\nB.PB\nBBBB\n";
    /// let spec = level::Config::default().resolve()?;
    /// let scene = LevelScene::of_blueprint(&Blueprint::from_text(drawing)?, &spec);
    /// assert_eq!(level_ascii(&scene, Paint::Plain), drawing);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_blueprint(blueprint: &Blueprint, spec: &level::Spec) -> LevelScene {
        LevelScene::of_blueprint_with(blueprint, spec, LevelView::default())
    }

    /// The scene of a blueprint that was drawn by hand, with or without a legend.
    ///
    /// ```
    /// use wayforge::level::{self, Blueprint};
    /// use wayforge_draw::{LevelScene, LevelView};
    /// let spec = level::Config::default().resolve()?;
    /// let view = LevelView { legend: false, ..LevelView::default() };
    /// let scene = LevelScene::of_blueprint_with(&Blueprint::from_text("O.\nE1")?, &spec, view);
    /// assert!(scene.entries.iter().all(|entry| entry.at.is_none()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_blueprint_with(blueprint: &Blueprint, spec: &level::Spec, view: LevelView) -> LevelScene {
        LevelScene::resolve(blueprint, spec, None, view)
    }

    /// The ground that a cell is drawn as, if it is joined with its neighbours.
    ///
    /// ```
    /// use wayforge::level::{self, Blueprint};
    /// use wayforge_draw::{Ground, LevelScene};
    /// let scene = LevelScene::of_blueprint(&Blueprint::from_text("1.")?, &level::Config::default().resolve()?);
    /// assert_eq!(scene.ground(&scene.cells[0]), Some(Ground::Breakable));
    /// assert_eq!(scene.ground(&scene.cells[1]), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ground(&self, cell: &SceneCell) -> Option<Ground> {
        Some(match cell.symbol {
            Symbol::Outside => Ground::Outside,
            Symbol::Pitfall => Ground::Pitfall,
            Symbol::Puddle => Ground::Puddle,
            symbol if symbol.moves().is_some() => Ground::Belt,
            Symbol::Band => Ground::Band,
            Symbol::Wall if cell.reinforced => Ground::Reinforced,
            Symbol::Wall if self.solid => Ground::Solid,
            Symbol::Wall => Ground::Breakable,
            _ => return None,
        })
    }

    /// The picture in a sentence or two, for those who cannot see it.
    ///
    /// ```
    /// use wayforge::level;
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let text = wayforge_draw::LevelScene::of_level(&level).description();
    /// assert!(text.starts_with("A level of 48 x 30 cells, made by level.blueprint/1 from seed 42. "), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn description(&self) -> String {
        let made_by = |(algorithm, seed): &(String, Seed)| format!(", made by {algorithm} from seed {seed}");
        let made = self.made.as_ref().map_or(String::new(), made_by);
        let list: Vec<String> =
            self.entries.iter().map(|entry| format!("{} {}", entry.name, entry.count)).collect();
        format!("A level of {} cells{made}. On it: {}.", self.size, list.join(", "))
    }

    /// Resolves a blueprint, with tags, seed and routes if it is that of a level.
    fn resolve(
        blueprint: &Blueprint,
        spec: &level::Spec,
        level: Option<&Level>,
        view: LevelView,
    ) -> LevelScene {
        let (size, config) = (blueprint.size(), spec.config());
        let untagged = Tags::default();
        let tags = level.map_or(&untagged, |level| &level.tags);
        let can_drive = |pos: Pos| level.is_some_and(|level| level.car_walkable_cells.contains(pos));
        let cell = |pos: Pos| {
            let symbol = blueprint.get(pos);
            SceneCell {
                symbol,
                variant: variant(pos),
                opens: (symbol == Symbol::Exit).then(|| opens(blueprint, pos)).flatten(),
                fall_spawn: view.fall_spawn && tags.fall_spawn_cells.contains(pos),
                reinforced: view.reinforced && symbol == Symbol::Wall && tags.reinforced.contains(pos),
                car_walkable: view.car_walkable && can_drive(pos),
                passed: 0,
            }
        };
        let marked =
            tags.marks.iter().enumerate().flat_map(|(mark, cells)| cells.iter().map(move |&pos| (pos, mark)));
        let mut scene = LevelScene {
            title: level.map_or("Blueprint".to_owned(), |level| format!("Seed {}", level.seed.to_line())),
            made: level.map(|level| (spec.algorithm().to_owned(), level.seed.clone())),
            size,
            cells: size.iter().map(cell).collect(),
            marked: marked.filter(|&(pos, _)| size.contains(pos)).collect(),
            marks: config.marks.iter().map(|mark| mark.name.clone()).collect(),
            station: config.fuel == FuelMode::RefuelChain,
            solid: config.interior_walls == Some(InteriorWalls::Solid),
            tile: sheet::tile(size),
            ..LevelScene::default()
        };
        scene.thing = sheet::thing(&scene);
        if let Some(level) = level {
            scene.routes = routes::of_level(level, view.routes, scene.tile, scene.thing);
        }
        for route in &scene.routes {
            for &pos in &route.cells {
                scene.cells[size.index(pos)].passed |= if route.mover == Mover::Car { 2 } else { 1 };
            }
        }
        scene.join();
        scene.entries = sheet::entries(&scene, spec);
        sheet::arrange(&mut scene, spec, view.legend);
        scene
    }

    /// Traces what is joined.
    fn join(&mut self) {
        let mut sets: BTreeMap<Ground, BitGrid> = BTreeMap::new();
        for (pos, cell) in self.size.iter().zip(&self.cells) {
            let fall_spawn = cell.fall_spawn.then_some(Ground::FallSpawn);
            let car_walkable = cell.car_walkable.then_some(Ground::CarWalkable);
            for ground in [self.ground(cell), fall_spawn, car_walkable].into_iter().flatten() {
                sets.entry(ground).or_insert_with(|| BitGrid::new(self.size)).insert(pos);
            }
        }
        self.outlines = sets.into_iter().map(|(ground, set)| (ground, Outline::of(&set))).collect();
    }
}

/// The side on which outside lies.
fn opens(blueprint: &Blueprint, pos: Pos) -> Option<Dir> {
    let size = blueprint.size();
    Dir::STRAIGHT
        .into_iter()
        .find(|&dir| pos.step(dir, size).is_none_or(|next| blueprint.get(next) == Symbol::Outside))
}

/// A byte that depends on the cell only.
pub(crate) fn variant(pos: Pos) -> u8 {
    let [a, b] = pos.x.to_le_bytes();
    let [c, d] = pos.y.to_le_bytes();
    let hash = wayforge::seed::fnv1a_64(&[a, b, c, d, 0x57]);
    (hash ^ (hash >> 29) ^ (hash >> 47)) as u8
}
