//! Scenes of floors and towers: panels of tiles on one sheet, computed once and read by every
//! renderer.

mod ascii;
pub(crate) mod glyphs;
pub(crate) mod shapes;

pub use ascii::floor_ascii;

use crate::curve::{Point, UNIT};
use crate::sheet::{self, CAPTION_LINE};
use crate::svg::Paper;
use crate::text::{self, counted};
use glyphs::Glyph;
use wayforge::floor::{Entity, EntityKind, Floor, Origin, TileKind};
use wayforge::grid::{Pos, Size};
use wayforge::seed::Seed;
use wayforge::tower::{SingleFloor, Tower, TowerRun};

/// The complete layout of a picture of floors. All positions are integers in [units](UNIT).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorScene {
    /// Headline.
    pub title: String,
    /// Line below the headline.
    pub caption: String,
    /// Description in a few sentences, for screen readers.
    pub description: String,
    /// Floors; the lowest is first.
    pub panels: Vec<FloorPanel>,
    /// Legend: the tiles and entities in use, with their counts.
    pub legend: Vec<LegendEntry>,
    pub(crate) paper: Paper,
}

/// One floor on the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorPanel {
    /// Label above the panel; may be empty.
    pub label: String,
    /// Columns and rows.
    pub size: Size,
    /// Tiles in row-major order.
    pub tiles: Vec<TileKind>,
    /// Entities and their positions.
    pub entities: Vec<(EntityKind, Pos)>,
    /// Positions of enemies whose data has `"role": "boss"`.
    pub bosses: Vec<Pos>,
    /// Path from entrance to exit, or the walked path of a run.
    pub path: Vec<Pos>,
    /// Position of the climber.
    pub climber: Option<Pos>,
    /// Upper left corner of the tiles.
    pub corner: Point,
    /// Side of a tile.
    pub tile_size: i32,
}

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendEntry {
    /// Name.
    pub name: &'static str,
    /// Number of occurrences.
    pub count: usize,
    pub(crate) glyph: Glyph,
    /// Middle of the left edge of its tile.
    pub pos: Point,
}

/// Margin left and right of the panels.
const SIDE: i32 = 84 * UNIT;
/// Minimum width of the sheet.
const MIN_WIDTH: i32 = 600 * UNIT;
/// Space between panels.
const GAP: i32 = 36 * UNIT;
/// Height of a panel's label.
const LABEL: i32 = 30 * UNIT;
/// Space between the panels and the line above the legend.
const FOOT: i32 = 46 * UNIT;
/// Space between that line and the legend.
const LEGEND_TOP: i32 = 44 * UNIT;
/// Space below the legend.
const BOTTOM: i32 = 66 * UNIT;
/// Side of a tile in the legend.
pub(crate) const LEGEND_TILE: i32 = 30 * UNIT;
/// Height of a line of the legend.
const LEGEND_LINE: i32 = 44 * UNIT;
/// Space between two legend entries.
const LEGEND_SPACE: i32 = 30 * UNIT;

impl FloorScene {
    /// Returns width and height in [units](UNIT).
    pub fn size(&self) -> (i32, i32) {
        (self.paper.width, self.paper.height)
    }

    /// Returns the size in pixels of the picture that [`floor_png`](crate::floor_png) renders.
    ///
    /// # Errors
    /// As [`floor_png`](crate::floor_png).
    #[cfg(feature = "png")]
    pub fn png_size(&self, scale: u32) -> Result<(u32, u32), crate::DrawError> {
        crate::png::size_at(self.paper.width, self.paper.height, scale)
    }

    /// Updates the counts of the legend from the panels; entries keep their positions.
    pub(crate) fn update_legend_counts(&mut self) {
        let counted = legend(&self.panels);
        for entry in &mut self.legend {
            entry.count =
                counted.iter().find(|new| new.name == entry.name).map_or(0, |new| new.count);
        }
    }

    /// Returns the scene of one floor.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::floor;
    /// use wayforge_draw::FloorScene;
    /// let floor = floor::generate(42.into(), &floor::Config::default().resolve()?)?;
    /// let scene = FloorScene::from_floor(&floor);
    /// assert_eq!(scene.panels[0].tiles, floor.tiles);
    /// # Ok::<(), wayforge::GenerateError>(())
    /// ```
    pub fn from_floor(floor: &Floor) -> FloorScene {
        let source = (wayforge::floor::ALGORITHM, &floor.seed);
        FloorScene::single(floor, format!("Seed {}", floor.seed.to_line()), source)
    }

    /// Returns the scene of one floor of a tower. The title contains the tower's seed and the
    /// number of the floor.
    pub fn from_tower_floor(single: &SingleFloor) -> FloorScene {
        let title = format!("Seed {}, floor {}", single.seed.to_line(), single.number + 1);
        FloorScene::single(&single.floor, title, (wayforge::tower::FLOOR_ALGORITHM, &single.seed))
    }

    fn single(floor: &Floor, title: String, (algorithm, seed): (&str, &Seed)) -> FloorScene {
        let size = floor.size();
        let origin = origin(floor);
        let steps = counted(floor.path.len().max(1) - 1, "step");
        let caption = format!("{algorithm}, {size}, path of {steps}, {origin}");
        let description = format!(
            "A floor of {size} tiles, generated by {algorithm} from seed {seed}, {origin}. \
             The shortest path from the entrance at {} to the exit at {} has {steps}.",
            floor.entrance, floor.exit,
        );
        arrange([title, caption, description], &floor.seed, vec![floor_panel(floor, String::new())])
    }

    /// Returns the scene of a tower: all floors on one sheet, the lowest at the bottom.
    ///
    /// # Examples
    ///
    /// ```
    /// use wayforge::{floor, tower};
    /// use wayforge_draw::FloorScene;
    /// let tower = tower::generate(42.into(), &tower::Config::default().resolve()?)?;
    /// let scene = FloorScene::from_tower(&tower);
    /// assert!(scene.panels[0].corner.y > scene.panels[9].corner.y);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_tower(tower: &Tower) -> FloorScene {
        let count = tower.floors.len();
        let steps: usize = tower.floors.iter().map(|floor| floor.path.len().max(1) - 1).sum();
        let (height, steps) = (counted(count, "floor"), counted(steps, "step"));
        // The reading order matters only for several floors.
        let order = if count > 1 { ", read from the lower left" } else { "" };
        let caption = format!("{}, {height}, path of {steps}{order}", wayforge::tower::ALGORITHM);
        let description = format!(
            "A tower of {height}, generated by {} from seed {}. \
             The entrance of each floor is at the exit of the floor below; \
             the path to the top has {steps}. The lowest floor is at the lower left, \
             the next one to its right, and so on row by row.",
            wayforge::tower::ALGORITHM,
            tower.seed
        );
        let label = |(n, floor): (usize, &Floor)| {
            let name = floor
                .spec
                .template()
                .map_or(String::new(), |template| format!(", {}", template.id));
            floor_panel(floor, format!("Floor {}{name}", n + 1))
        };
        let panels = tower.floors.iter().enumerate().map(label).collect();
        let title = format!("Seed {}", tower.seed.to_line());
        arrange([title, caption, description], &tower.seed, panels)
    }

    /// Returns the scene of the current floor of a run, with the path walked on it.
    pub fn from_run(run: &TowerRun) -> FloorScene {
        let stack = run.stack();
        let (number, count) = (run.floor_number(), stack.floors.len());
        let caption = format!("floor {number} of {count}, {} walked", counted(run.len(), "step"));
        let description = format!(
            "Floor {number} of a tower of {}; the climber is at {}.",
            counted(count, "floor"),
            run.pos()
        );
        let panels = run.floor().map(|floor| FloorPanel {
            path: run.visited().collect(),
            climber: Some(run.pos()),
            ..floor_panel(floor, String::new())
        });
        let title = format!("Seed {}", stack.seed.to_line());
        arrange([title, caption, description], &stack.seed, panels.into_iter().collect())
    }
}

/// Describes how a floor was generated, for captions.
fn origin(floor: &Floor) -> String {
    match (floor.origin, floor.spec.template()) {
        (Origin::Carve { attempt: 0 }, _) => "first attempt".to_owned(),
        (Origin::Carve { attempt }, _) => format!("attempt {}", attempt + 1),
        (Origin::Fallback { .. }, _) => "fallback layout".to_owned(),
        (Origin::Template { symmetry }, Some(template)) => {
            format!("template {}, symmetry {}", template.id, symmetry.name())
        }
        _ => "hand-made".to_owned(),
    }
}

/// Returns the panel of a floor, not yet placed on a sheet. Entities and path cells outside the
/// floor are left out.
pub(crate) fn floor_panel(floor: &Floor, label: String) -> FloorPanel {
    let size = floor.size();
    let inside = || floor.entities.iter().filter(|entity| size.contains(entity.pos));
    let is_boss = |entity: &&Entity| {
        let role = entity.data.as_ref().and_then(|data| data.get("role"));
        entity.kind == EntityKind::Enemy && role == Some(&"boss".into())
    };
    FloorPanel {
        label,
        size,
        tiles: size.iter().map(|pos| floor.tile(pos)).collect(),
        entities: inside().map(|entity| (entity.kind, entity.pos)).collect(),
        bosses: inside().filter(is_boss).map(|entity| entity.pos).collect(),
        path: floor.path.iter().copied().filter(|&pos| size.contains(pos)).collect(),
        climber: None,
        corner: Point::default(),
        tile_size: 0,
    }
}

impl FloorPanel {
    /// Returns the tile of a cell; cells outside the panel are walls.
    pub fn tile_at(&self, pos: Pos) -> TileKind {
        if self.size.contains(pos) { self.tiles[self.size.index(pos)] } else { TileKind::Wall }
    }

    /// Returns the centre of a cell.
    pub(crate) fn centre(&self, pos: Pos) -> Point {
        let at = |n: u16| i32::from(n) * self.tile_size + self.tile_size / 2;
        Point::new(self.corner.x + at(pos.x), self.corner.y + at(pos.y))
    }
}

/// Places panels, headline and legend on a sheet.
fn arrange(
    [title, caption, description]: [String; 3],
    seed: &Seed,
    mut panels: Vec<FloorPanel>,
) -> FloorScene {
    let is_tower = panels.len() > 1;
    let side = |panel: &FloorPanel| i32::from(panel.size.width.max(panel.size.height));
    let largest = panels.iter().map(side).max().unwrap_or(1);
    let tile =
        if is_tower { (240 / largest).clamp(6, 44) } else { (900 / largest).clamp(14, 84) } * UNIT;
    let cell_width =
        panels.iter().map(|panel| i32::from(panel.size.width)).max().unwrap_or(1) * tile;
    let cell_height =
        panels.iter().map(|panel| i32::from(panel.size.height)).max().unwrap_or(1) * tile;
    let label = if is_tower { LABEL } else { 0 };
    let (count, per_row) = (panels.len(), columns(panels.len()));
    let rows = count.div_ceil(per_row);
    let block = per_row as i32 * (cell_width + GAP) - GAP;
    let text_width = text::width(&title, text::TITLE).max(text::width(&caption, text::CAPTION));
    let width = (block.max(text_width) + 2 * SIDE).max(MIN_WIDTH);
    let (left, top) = ((width - block) / 2, CAPTION_LINE + 38 * UNIT);
    for (n, panel) in panels.iter_mut().enumerate() {
        let (row, column) = ((rows - 1 - n / per_row) as i32, (n % per_row) as i32);
        panel.tile_size = tile;
        // An incomplete top row is centred.
        let missing = if row == 0 { (rows * per_row - count) as i32 } else { 0 };
        let spare = cell_width - i32::from(panel.size.width) * tile + missing * (cell_width + GAP);
        // Templates may be smaller than other floors; the panels of a row are centred vertically.
        let spare_height = cell_height - i32::from(panel.size.height) * tile;
        panel.corner = Point::new(
            left + column * (cell_width + GAP) + spare / 2,
            top + row * (cell_height + label + GAP) + label + spare_height / 2,
        );
    }
    let foot = top + rows as i32 * (cell_height + label + GAP) - GAP + FOOT;
    let mut legend = legend(&panels);
    let entry_width = |entry: &LegendEntry| {
        let text = format!("{} {}", entry.name, entry.count);
        LEGEND_TILE + 10 * UNIT + text::width(&text, text::LEGEND)
    };
    let widths: Vec<i32> = legend.iter().map(entry_width).collect();
    let positions = sheet::centred_lines(&widths, width, width - SIDE * 3 / 2, LEGEND_SPACE);
    let mut bottom = foot + LEGEND_TOP;
    for (entry, (x, line)) in legend.iter_mut().zip(positions) {
        bottom = foot + LEGEND_TOP + line as i32 * LEGEND_LINE;
        entry.pos = Point::new(x, bottom);
    }
    let rule = [Point::new(SIDE * 3 / 4, foot), Point::new(width - SIDE * 3 / 4, foot)];
    let paper =
        Paper { width, height: bottom + BOTTOM, rule: Some(rule), seed: Some(seed.clone()) };
    FloorScene { title, caption, description, panels, legend, paper }
}

/// Returns the number of panels per row, for a nearly square arrangement with full rows if
/// possible.
fn columns(panels: usize) -> usize {
    let square = (1..=panels.max(1)).find(|&per_row| per_row * per_row >= panels).unwrap_or(1);
    let empty = |per_row: &usize| panels.div_ceil(*per_row) * per_row - panels;
    (square..=square + 1).min_by_key(empty).unwrap_or(square).clamp(1, panels.clamp(1, 10))
}

fn legend(panels: &[FloorPanel]) -> Vec<LegendEntry> {
    use TileKind::{Chest, Door, Entrance, Exit, Trap, Water};
    let glyphs: Vec<Glyph> =
        panels.iter().flat_map(FloorPanel::glyphs).map(|entry| entry.1).collect();
    let tiles =
        [Entrance, Exit, Door, Chest, Trap, Water].map(|kind| (Glyph::Tile(kind), kind.name()));
    let entities = EntityKind::ALL.map(|kind| (Glyph::Entity(kind), kind.name()));
    let candidates = tiles.into_iter().chain(entities).chain([(Glyph::Boss, "boss")]);
    let entry = |(glyph, name)| {
        let count = glyphs.iter().filter(|&&other| other == glyph).count();
        LegendEntry { name, count, glyph, pos: Point::default() }
    };
    candidates.map(entry).filter(|entry| entry.count > 0).collect()
}
