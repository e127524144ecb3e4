//! Scenes of levels: cells with their appearance, outlines of joined cells, routes and legend.
//!
//! As for act maps, the scene stores the complete layout as integers; the [ASCII](level_ascii()),
//! [SVG](level_svg()) and [PNG](crate::png()) renderers only read it.

use crate::curve::{Point, UNIT};
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

/// The complete layout of a picture of a level. All positions are integers in [units](crate::UNIT).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelScene {
    /// Headline.
    pub title: String,
    /// Lines of text below the headline.
    pub caption: Vec<String>,
    /// Algorithm and seed of the level; `None` for a hand-drawn blueprint.
    pub origin: Option<(String, Seed)>,
    /// Size of the grid.
    pub size: Size,
    /// Cells in row-major order.
    pub cells: Vec<SceneCell>,
    /// Outlines of joined cells, one for each ground in use, in the order of [`GroundKind`].
    pub outlines: Vec<(GroundKind, Outline)>,
    /// Marked cells, each with its index into `marks`.
    pub mark_cells: Vec<(Pos, usize)>,
    /// Names of the marks.
    pub marks: Vec<String>,
    /// Routes to show.
    pub routes: Vec<SceneRoute>,
    /// Legend: every symbol, tag, mark and route in use, with name, count and position.
    pub legend: Vec<LevelLegendEntry>,
    /// Whether `f` is a fuel station instead of a fuel can.
    pub fuel_station: bool,
    /// Whether interior walls are solid instead of breakable.
    pub solid_walls: bool,
    /// Side of a cell.
    pub tile_size: i32,
    /// Side of the square around an icon; larger than a cell if cells are very small.
    pub icon_size: i32,
    /// Upper left corner of the grid.
    pub corner: Point,
    /// Width of the picture.
    pub width: i32,
    /// Height of the picture.
    pub height: i32,
    /// Left and right end of the horizontal line above the legend; `None` without a legend.
    pub footer: Option<[Point; 2]>,
}

/// A cell with its appearance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SceneCell {
    /// Symbol.
    pub symbol: Symbol,
    /// Selects one of several appearances; a hash of the position.
    pub variant: u8,
    /// Direction from an exit to the outside.
    pub exit_side: Option<Dir>,
    /// Whether objects may fall on the cell; false if the view hides this layer.
    pub fall_spawn: bool,
    /// Whether the cell is a reinforced wall; false if the view hides this layer.
    pub reinforced: bool,
    /// Whether cars can reach the cell; false if the view hides this layer.
    pub car_walkable: bool,
    /// Movers whose visible routes pass through the cell: bit 0 for people, bit 1 for cars.
    pub route_mask: u8,
}

impl SceneCell {
    /// Returns a floor cell of medium shade. In this variant, outside cells have no tuft.
    pub(crate) fn plain() -> SceneCell {
        SceneCell { variant: 200, ..SceneCell::default() }
    }

    /// Returns whether the cell is an interior wall that a visible route breaks.
    pub fn is_broken(&self) -> bool {
        self.symbol == Symbol::Wall && self.route_mask != 0
    }
}

/// Ground of a cell. Neighbouring cells with the same ground are drawn as one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroundKind {
    /// Outside.
    Outside,
    /// Pits.
    Pitfall,
    /// Water.
    Puddle,
    /// Moving floors.
    Belt,
    /// Cells that cars can reach.
    CarWalkable,
    /// Cells where objects may fall from above.
    FallSpawn,
    /// Outer wall.
    Band,
    /// Breakable interior walls.
    Breakable,
    /// Solid interior walls.
    Solid,
    /// Reinforced walls.
    Reinforced,
}

/// Subject of a legend entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendSubject {
    /// A symbol.
    Symbol(Symbol),
    /// Reinforced walls.
    Reinforced,
    /// Cells where objects may fall from above.
    FallSpawn,
    /// Cells that cars can reach.
    CarWalkable,
    /// Interior walls broken by visible routes.
    Broken,
    /// A mark, as an index into [`LevelScene::marks`].
    Mark(usize),
    /// All routes of one chain; the index of the first one in [`LevelScene::routes`].
    Route(usize),
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelLegendEntry {
    /// Subject.
    pub subject: LegendSubject,
    /// Name.
    pub name: String,
    /// Number of occurrences.
    pub count: usize,
    /// Middle of the left edge; `None` without a legend.
    pub pos: Option<Point>,
}

/// Selects the routes to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routes {
    /// No routes.
    #[default]
    None,
    /// All routes.
    All,
    /// Routes of one mover.
    Mover(Mover),
}

impl Routes {
    /// All values.
    pub const ALL: [Routes; 4] =
        [Routes::None, Routes::All, Routes::Mover(Mover::Car), Routes::Mover(Mover::Person)];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Routes::None => "none",
            Routes::All => "all",
            Routes::Mover(Mover::Car) => "car",
            Routes::Mover(Mover::Person) => "person",
        }
    }

    /// Returns the value with this name.
    pub fn from_name(name: &str) -> Option<Routes> {
        Routes::ALL.into_iter().find(|routes| routes.name() == name)
    }
}

/// Selects the layers of a level to show.
///
/// # Examples
///
/// ```
/// use wayforge_draw::{LevelView, Routes};
/// let view = LevelView { routes: Routes::All, ..LevelView::default() };
/// assert!(view.legend && view.reinforced && view.fall_spawn && !view.car_walkable);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelView {
    /// Witness routes.
    pub routes: Routes,
    /// Cells where objects may fall from above.
    pub fall_spawn: bool,
    /// Reinforced walls.
    pub reinforced: bool,
    /// Cells that cars can reach.
    pub car_walkable: bool,
    /// Legend.
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
    /// Returns the scene of a level with the default view.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::level;
    /// use wayforge_draw::LevelScene;
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let scene = LevelScene::from_level(&level);
    /// assert_eq!(scene.cells.len(), 48 * 30);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_level(level: &Level) -> LevelScene {
        LevelScene::from_level_with(level, LevelView::default())
    }

    /// Returns the scene of a level with the given view.
    ///
    /// Accepts invalid levels too: tags, marks and routes outside the grid are left out.
    ///
    /// # Complexity
    /// O(cells + routes).
    ///
    /// # Determinism
    /// Cell variants are hashes of positions; no random stream is used.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::level;
    /// use wayforge_draw::{LevelScene, LevelView, Routes};
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let view = LevelView { routes: Routes::All, ..LevelView::default() };
    /// let scene = LevelScene::from_level_with(&level, view);
    /// assert_eq!(scene.routes.len(), level.witness.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_level_with(level: &Level, view: LevelView) -> LevelScene {
        LevelScene::build(&level.blueprint, &level.spec, Some(level), view)
    }

    /// Returns the scene of a hand-drawn blueprint, without seed, tags and routes.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::level::{self, Blueprint};
    /// use wayforge_draw::{AsciiStyle, LevelScene, LevelView, level_ascii};
    /// let drawing = "OOOO\nBEBB\nB.PB\nBBBB\n";
    /// let (spec, view) = (level::Config::default().resolve()?, LevelView::default());
    /// let scene = LevelScene::from_blueprint(&Blueprint::from_text(drawing)?, &spec, view);
    /// assert_eq!(level_ascii(&scene, AsciiStyle::Plain), drawing);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_blueprint(
        blueprint: &Blueprint,
        spec: &level::Spec,
        view: LevelView,
    ) -> LevelScene {
        LevelScene::build(blueprint, spec, None, view)
    }

    /// Returns the ground of a cell; `None` if the cell is drawn on plain floor.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::level::{self, Blueprint};
    /// use wayforge_draw::{GroundKind, LevelScene, LevelView};
    /// let spec = level::Config::default().resolve()?;
    /// let blueprint = Blueprint::from_text("1.")?;
    /// let scene = LevelScene::from_blueprint(&blueprint, &spec, LevelView::default());
    /// assert_eq!(scene.ground(&scene.cells[0]), Some(GroundKind::Breakable));
    /// assert_eq!(scene.ground(&scene.cells[1]), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ground(&self, cell: &SceneCell) -> Option<GroundKind> {
        Some(match cell.symbol {
            Symbol::Outside => GroundKind::Outside,
            Symbol::Pitfall => GroundKind::Pitfall,
            Symbol::Puddle => GroundKind::Puddle,
            symbol if symbol.move_direction().is_some() => GroundKind::Belt,
            Symbol::Band => GroundKind::Band,
            Symbol::Wall if cell.reinforced => GroundKind::Reinforced,
            Symbol::Wall if self.solid_walls => GroundKind::Solid,
            Symbol::Wall => GroundKind::Breakable,
            _ => return None,
        })
    }

    /// Describes the picture in a few sentences, for screen readers.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::level;
    /// let level = level::generate(42.into(), &level::Config::default().resolve()?)?;
    /// let text = wayforge_draw::LevelScene::from_level(&level).description();
    /// assert!(text.starts_with("A level of 48 x 30 cells, generated by level.blueprint/1 from "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn description(&self) -> String {
        let origin = |(algorithm, seed): &(String, Seed)| {
            format!(", generated by {algorithm} from seed {seed}")
        };
        let origin = self.origin.as_ref().map_or(String::new(), origin);
        let list: Vec<String> =
            self.legend.iter().map(|entry| format!("{} {}", entry.name, entry.count)).collect();
        format!("A level of {} cells{origin}. Contents: {}.", self.size, list.join(", "))
    }

    /// Builds the scene of a blueprint; tags, seed and routes come from `level`.
    fn build(
        blueprint: &Blueprint,
        spec: &level::Spec,
        level: Option<&Level>,
        view: LevelView,
    ) -> LevelScene {
        let (size, config) = (blueprint.size(), spec.config());
        let untagged = Tags::default();
        let tags = level.map_or(&untagged, |level| &level.tags);
        let can_drive =
            |pos: Pos| level.is_some_and(|level| level.car_walkable_cells.contains(pos));
        let cell = |pos: Pos| {
            let symbol = blueprint.get(pos);
            SceneCell {
                symbol,
                variant: variant(pos),
                exit_side: (symbol == Symbol::Exit).then(|| exit_side(blueprint, pos)).flatten(),
                fall_spawn: view.fall_spawn && tags.fall_spawn_cells.contains(pos),
                reinforced: view.reinforced
                    && symbol == Symbol::Wall
                    && tags.reinforced.contains(pos),
                car_walkable: view.car_walkable && can_drive(pos),
                route_mask: 0,
            }
        };
        let marked = tags
            .marks
            .iter()
            .enumerate()
            .flat_map(|(mark, cells)| cells.iter().map(move |&pos| (pos, mark)));
        let mut scene = LevelScene {
            title: level
                .map_or("Blueprint".to_owned(), |level| format!("Seed {}", level.seed.to_line())),
            origin: level.map(|level| (spec.algorithm().to_owned(), level.seed.clone())),
            size,
            cells: size.iter().map(cell).collect(),
            mark_cells: marked.filter(|&(pos, _)| size.contains(pos)).collect(),
            marks: config.marks.iter().map(|mark| mark.name.clone()).collect(),
            fuel_station: config.fuel == FuelMode::RefuelChain,
            solid_walls: config.interior_walls == Some(InteriorWalls::Solid),
            tile_size: sheet::tile_size(size),
            ..LevelScene::default()
        };
        scene.icon_size = sheet::icon_size(&scene);
        if let Some(level) = level {
            scene.routes = routes::from_level(level, view.routes, scene.tile_size, scene.icon_size);
        }
        for route in &scene.routes {
            for &pos in &route.cells {
                scene.cells[size.index(pos)].route_mask |=
                    if route.mover == Mover::Car { 2 } else { 1 };
            }
        }
        scene.trace_outlines();
        scene.legend = sheet::legend(&scene, spec);
        sheet::arrange(&mut scene, spec, view.legend);
        scene
    }

    /// Returns a scene of `cells` x `cells` equal cells, each `side` pixels wide.
    fn uniform(
        cell: SceneCell,
        cells: u16,
        side: i32,
        fuel_station: bool,
        solid_walls: bool,
    ) -> LevelScene {
        let (size, side) = (Size::new(cells, cells), side * UNIT);
        let mut scene = LevelScene {
            size,
            cells: vec![cell; size.cells()],
            fuel_station,
            solid_walls,
            tile_size: side,
            icon_size: side,
            ..LevelScene::default()
        };
        scene.trace_outlines();
        scene
    }

    /// Computes the outlines of joined cells.
    fn trace_outlines(&mut self) {
        let mut sets: BTreeMap<GroundKind, BitGrid> = BTreeMap::new();
        for (pos, cell) in self.size.iter().zip(&self.cells) {
            let fall_spawn = cell.fall_spawn.then_some(GroundKind::FallSpawn);
            let car_walkable = cell.car_walkable.then_some(GroundKind::CarWalkable);
            for ground in [self.ground(cell), fall_spawn, car_walkable].into_iter().flatten() {
                sets.entry(ground).or_insert_with(|| BitGrid::new(self.size)).insert(pos);
            }
        }
        self.outlines =
            sets.into_iter().map(|(ground, set)| (ground, Outline::trace(&set))).collect();
    }
}

/// Returns the direction from an exit to the outside.
fn exit_side(blueprint: &Blueprint, pos: Pos) -> Option<Dir> {
    let size = blueprint.size();
    Dir::STRAIGHT
        .into_iter()
        .find(|&dir| pos.step(dir, size).is_none_or(|next| blueprint.get(next) == Symbol::Outside))
}

/// Returns a hash of a position.
pub(crate) fn variant(pos: Pos) -> u8 {
    let [a, b] = pos.x.to_le_bytes();
    let [c, d] = pos.y.to_le_bytes();
    let hash = wayforge::seed::fnv1a_64(&[a, b, c, d, 0x57]);
    (hash ^ (hash >> 29) ^ (hash >> 47)) as u8
}
