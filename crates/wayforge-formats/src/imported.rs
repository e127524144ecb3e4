//! Content of a file that may have been edited, and its regeneration around pinned cells.

use crate::content::Content;
use crate::error::{FormatError, reject};
use wayforge::floor::{self, Budget, Floor};
use wayforge::grid::{BitGrid, Pos, Size};
use wayforge::level::{self, Blueprint, Level, Symbol};
use wayforge::{AnyMap, Digest, Seed};

/// Content of a file with the provenance that the file states.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedContent {
    /// The content as drawn.
    pub content: Content,
    /// Digest of the unedited map, if the file states one.
    pub stated_digest: Option<Digest>,
    /// Cells marked as pinned, if the file can mark cells.
    pub pins: Option<BitGrid>,
}

/// Selection of cells to pin when a map is regenerated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PinMode {
    /// Cells marked in the file.
    #[default]
    Marked,
    /// Cells that differ from the map of the seed and configuration.
    Changed,
    /// All cells.
    All,
}

impl ImportedContent {
    /// Creates content without a digest or pins.
    pub fn new(content: Content) -> ImportedContent {
        ImportedContent { content, stated_digest: None, pins: None }
    }

    /// Returns true if the file states a digest that differs from the map's own.
    pub fn is_edited(&self) -> bool {
        let Content::Map(map) = &self.content else { return false };
        self.stated_digest.is_some_and(|stated| stated != map.to_document().digest)
    }

    /// Returns true if any cell is marked as pinned.
    pub fn has_pins(&self) -> bool {
        self.pins.as_ref().is_some_and(|pins| !pins.is_empty())
    }

    /// Generates the map again from its seed and configuration, with pinned cells as drawn.
    ///
    /// # Errors
    /// [`FormatError::Generation`] if no valid map exists around the pinned cells,
    /// [`FormatError::Config`] if the configuration does not allow them, and
    /// [`FormatError::Invalid`] if the content is neither a level nor a floor, or if its seed and
    /// configuration generate no map to compare with ([`PinMode::Changed`]).
    ///
    /// # Determinism
    /// The pinned cells become `pins` of the configuration, so the result is deterministic.
    ///
    /// # Examples
    /// ```
    /// use wayforge::{AnyMap, grid::{BitGrid, Pos}, level::{self, Symbol}};
    /// use wayforge_formats::{Content, PinMode, ImportedContent};
    /// let generated = level::generate(7.into(), &level::Config::default().resolve()?)?;
    /// let (size, cell) = (generated.blueprint.size(), Pos::new(20, 12));
    /// let mut drawn = generated.clone();
    /// drawn.blueprint.set(cell, Symbol::Puddle);
    /// let pins = Some(BitGrid::from_cells(size, [cell]));
    /// let stated_digest = Some(generated.to_document().digest);
    /// let imported = ImportedContent { content: drawn.into(), stated_digest, pins };
    /// assert!(imported.is_edited());
    /// let content = imported.regenerate(PinMode::Marked)?;
    /// let Content::Map(AnyMap::Level(level)) = content else { panic!() };
    /// assert_eq!(level.blueprint.get(cell), Symbol::Puddle);
    /// assert!(level::validate(&level).is_valid());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn regenerate(&self, mode: PinMode) -> Result<Content, FormatError> {
        match &self.content {
            Content::Map(AnyMap::Level(drawn)) => {
                let size = drawn.blueprint.size();
                let pins = self.pinned_cells(size, mode, || {
                    let generated =
                        level::generate(drawn.seed.clone(), &drawn.spec).map_err(no_original)?;
                    let changed =
                        |pos: &Pos| generated.blueprint.get(*pos) != drawn.blueprint.get(*pos);
                    Ok(BitGrid::from_cells(size, size.iter().filter(changed)))
                })?;
                let (marks, config) = (&drawn.tags.marks, drawn.spec.config());
                Ok(regenerate_level(&drawn.blueprint, marks, &pins, config, drawn.seed.clone())?
                    .into())
            }
            Content::Map(AnyMap::Floor(drawn)) => {
                let size = drawn.size();
                let pins = self.pinned_cells(size, mode, || {
                    let generated =
                        floor::generate(drawn.seed.clone(), &drawn.spec).map_err(no_original)?;
                    let kinds = |floor: &Floor, pos| {
                        (floor.tile(pos), floor.entity(pos).map(|entity| entity.kind))
                    };
                    let changed = |pos: &Pos| kinds(&generated, *pos) != kinds(drawn, *pos);
                    Ok(BitGrid::from_cells(size, size.iter().filter(changed)))
                })?;
                Ok(regenerate_floor(drawn, &pins)?.into())
            }
            other @ (Content::Map(AnyMap::Act(_) | AnyMap::Tower(_))
            | Content::Blueprint(_)
            | Content::Template(_)
            | Content::NavGrid(_)
            | Content::Queries(_)) => {
                let problem = "only levels and floors can be regenerated around pinned cells";
                Err(reject("pins", other.kind(), problem, "omit the pins"))
            }
        }
    }

    /// Generates a level around the pinned cells of a hand-drawn blueprint, with the configuration
    /// `stage`.
    ///
    /// # Errors
    /// [`FormatError::Generation`] if no valid level exists around the pinned cells,
    /// [`FormatError::Config`] if `stage` is invalid, and [`FormatError::Invalid`] if the content
    /// is not a blueprint or `mode` is [`PinMode::Changed`].
    pub fn regenerate_with(
        &self,
        mode: PinMode,
        stage: &level::Config,
        seed: Seed,
    ) -> Result<Content, FormatError> {
        let Content::Blueprint(drawn) = &self.content else {
            let problem = "only a blueprint needs a stage; other maps contain their configuration";
            return Err(reject("stage", self.content.kind(), problem, "omit it"));
        };
        let pins = self.pinned_cells(drawn.size(), mode, || {
            let problem = "a blueprint was not generated, so its changed cells are unknown";
            Err(reject("pins", "changed", problem, "use marked or all"))
        })?;
        Ok(regenerate_level(drawn, &[], &pins, stage, seed)?.into())
    }

    /// Returns the cells to pin. `changed` computes those that differ from the generated map.
    fn pinned_cells(
        &self,
        size: Size,
        mode: PinMode,
        changed: impl FnOnce() -> Result<BitGrid, FormatError>,
    ) -> Result<BitGrid, FormatError> {
        match mode {
            PinMode::Marked => Ok(self.pins.clone().unwrap_or_else(|| BitGrid::new(size))),
            PinMode::All => Ok(BitGrid::from_cells(size, size.iter())),
            PinMode::Changed => changed(),
        }
    }
}

fn no_map(error: impl std::fmt::Display) -> FormatError {
    FormatError::Generation(error.to_string())
}

/// Returns the error for a map that its own seed and configuration do not generate.
fn no_original(error: impl std::fmt::Display) -> FormatError {
    let problem = format!("its seed and configuration generate no map: {error}");
    reject("pins", "changed", problem, "use marked or all")
}

/// Returns the rows of a drawing with `?` for cells that are not pinned, or an empty list if no
/// cell is pinned.
fn pin_rows(size: Size, pins: &BitGrid, symbol: impl Fn(Pos) -> char) -> Vec<String> {
    if pins.is_empty() {
        return Vec::new();
    }
    let cell = |pos: Pos| if pins.contains(pos) { symbol(pos) } else { '?' };
    (0..size.height).map(|y| (0..size.width).map(|x| cell(Pos { x, y })).collect()).collect()
}

fn regenerate_level(
    drawn: &Blueprint,
    marks: &[Vec<Pos>],
    pins: &BitGrid,
    stage: &level::Config,
    seed: Seed,
) -> Result<Level, FormatError> {
    let size = drawn.size();
    let mut config = level::Config {
        width: size.width.into(),
        height: size.height.into(),
        pins: pin_rows(size, pins, |pos| drawn.get(pos).to_char()),
        ..stage.clone()
    };
    // Pinned objects count towards the requested numbers. `flashlights` and `shoes` are exact
    // counts.
    let pinned =
        |symbol: Symbol| pins.iter().filter(|&pos| drawn.get(pos) == symbol).count() as i64;
    config.flashlights = config.flashlights.max(pinned(Symbol::Flashlight));
    config.shoes = config.shoes.max(pinned(Symbol::Shoes));
    for (mark, cells) in config.marks.iter_mut().zip(marks) {
        // Cells that the stage itself fixes stay fixed if they still have the mark.
        let is_fixed = |pos: &Pos| pins.contains(*pos) || mark.cells.contains(pos);
        mark.cells = cells.iter().copied().filter(is_fixed).collect();
        mark.count = mark.count.max(mark.cells.len() as i64);
    }
    level::generate(seed, &config.resolve()?).map_err(no_map)
}

fn regenerate_floor(drawn: &Floor, pins: &BitGrid) -> Result<Floor, FormatError> {
    let symbol = |pos: Pos| match drawn.entity(pos) {
        Some(entity) => entity.kind.symbol(),
        None => drawn.tile(pos).symbol(),
    };
    let mut config = drawn.spec.config().clone();
    let mut pins = pins.clone();
    if config.template.is_some() && !pins.is_empty() {
        // A template fixes all cells, so all cells are pinned.
        pins = BitGrid::from_cells(drawn.size(), drawn.size().iter());
        config = floor::Config {
            width: config.width,
            height: config.height,
            min_path_length: config.min_path_length,
            ..floor::Config::default()
        };
        for budget in Budget::ALL {
            *config.budget_mut(budget) = Some(drawn.count(budget) as i64);
        }
    }
    config.pins = pin_rows(drawn.size(), &pins, symbol);
    // Pinned objects count towards the requested numbers.
    for budget in Budget::ALL {
        let counts = |pos: &Pos| match (budget.entity(), drawn.entity(*pos)) {
            (Some(kind), Some(entity)) => entity.kind == kind,
            (None, None) => Budget::from_tile(drawn.tile(*pos)) == Some(budget),
            _ => false,
        };
        let pinned = pins.iter().filter(|pos| counts(pos)).count() as i64;
        let requested = config.budget_mut(budget);
        *requested = requested.map(|requested| requested.max(pinned));
    }
    for (end, kind, pos) in [
        (&mut config.entrance, floor::TileKind::Entrance, drawn.entrance),
        (&mut config.exit, floor::TileKind::Exit, drawn.exit),
    ] {
        // An entrance or exit that was moved and pinned becomes the configured one.
        if pins.contains(pos) && drawn.tile(pos) == kind {
            *end = Some(pos.into());
        }
    }
    floor::generate(drawn.seed.clone(), &config.resolve()?).map_err(no_map)
}
