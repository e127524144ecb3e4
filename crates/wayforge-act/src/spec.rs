//! Checked and compiled configuration of act maps.

use super::config::{Cell, Config, KindsChoice, Pin, RowsConfig, SpireConfig, WalksConfig};
use super::kinds::{Kind, KindId, KindRule, KindSpec, KindsConfig};
use super::rows::RowsSpec;
use super::spire::SpireSpec;
use super::walks::WalksSpec;
use std::sync::Arc;
use wayforge_core::ConfigError;

/// Checked and compiled configuration of an act map. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec(Arc<Inner>);

#[derive(Debug, PartialEq, Eq)]
struct Inner {
    config: Config,
    rows: u16,
    cols: u16,
    boss: bool,
    attempts: u32,
    pub(super) kinds: Option<KindSpec>,
    pub(super) ruleset: Ruleset,
}

/// The part of the configuration that depends on the ruleset.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ruleset {
    Walks(Box<WalksSpec>),
    Rows(RowsSpec),
    Spire(SpireSpec),
}

impl Config {
    /// Checks every field and compiles the configuration.
    ///
    /// # Errors
    /// A field is invalid. The error names the first such field.
    pub fn resolve(&self) -> Result<Spec, ConfigError> {
        match self {
            Config::Walks(config) => resolve_walks(config),
            Config::Rows(config) => resolve_rows(config),
            Config::Spire(config) => resolve_spire(config),
        }
    }
}

impl Spec {
    /// Returns the full configuration, with explicit default values.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Returns the name of the algorithm, which determines the map of every seed.
    pub fn algorithm(&self) -> &'static str {
        self.0.config.algorithm()
    }

    /// Returns the number of rows of the grid.
    pub fn rows(&self) -> u16 {
        self.0.rows
    }

    /// Returns the number of columns of the grid.
    pub fn cols(&self) -> u16 {
        self.0.cols
    }

    /// Returns true if there is a boss above the top row.
    pub fn has_boss(&self) -> bool {
        self.0.boss
    }

    /// Returns the kinds; empty if nodes have none.
    pub fn kinds(&self) -> &[Kind] {
        self.0.kinds.as_ref().map_or(&[], |spec| &spec.kinds)
    }

    /// Returns the rules about kinds.
    pub fn kind_rules(&self) -> &[KindRule] {
        self.0.kinds.as_ref().map_or(&[], |spec| &spec.rules)
    }

    /// Returns the kind of the boss.
    pub fn boss_kind(&self) -> Option<KindId> {
        self.0.kinds.as_ref().filter(|_| self.0.boss).and_then(|spec| spec.boss)
    }

    /// Returns the kind called `name`.
    pub fn find_kind(&self, name: &str) -> Option<KindId> {
        self.0.kinds.as_ref().and_then(|spec| spec.find(name))
    }

    /// Returns the maximum number of skeletons to try for one map.
    pub(super) fn attempts(&self) -> u32 {
        self.0.attempts
    }

    /// Returns the kinds for the search; `None` for the spire ruleset, which assigns kinds itself.
    pub(super) fn kind_spec(&self) -> Option<&KindSpec> {
        self.0.kinds.as_ref().filter(|_| !matches!(self.0.ruleset, Ruleset::Spire(_)))
    }

    pub(super) fn ruleset(&self) -> &Ruleset {
        &self.0.ruleset
    }
}

fn resolve_walks(config: &WalksConfig) -> Result<Spec, ConfigError> {
    let rows = ConfigError::in_range("rows", config.rows, 1, 4096)? as u16;
    let cols = ConfigError::in_range("cols", config.cols, 1, 64)? as u16;
    let walks = ConfigError::in_range("walks", config.walks, 1, 1024)? as u32;
    let nearest = ConfigError::in_range("nearest", config.nearest, 1, 64)? as u32;
    let depth = ConfigError::in_range("depth", config.depth, 0, 4096)? as u32;
    let restarts = ConfigError::in_range("restarts", config.restarts, 0, 10_000)? as u32;
    let attempts = ConfigError::in_range("attempts", config.attempts, 1, 1_000)? as u32;
    if cols == 1 && walks > 1 {
        let problem = format!("the first two of {walks} walks must start on different columns");
        return Err(ConfigError::new("cols", cols, problem, "use 2 to 64 columns, or 1 walk"));
    }
    let blocked = resolve_cells("blocked", config.blocked.iter().copied(), rows, cols)?;
    let pins = resolve_pins(&config.pins, rows, cols, &blocked)?;
    let cells: Vec<(u16, u16)> = pins.iter().map(|&(row, col, _)| (row, col)).collect();
    let ruleset =
        WalksSpec::resolve(rows, cols, walks, nearest, (depth, restarts), &blocked, &cells)?;
    let mut config = config.clone();
    let kinds = resolve_kinds(&mut config.kinds, KindsConfig::standard, rows, config.boss, &pins)?;
    Ok(Spec(Arc::new(Inner {
        rows,
        cols,
        boss: config.boss,
        attempts,
        kinds,
        config: Config::Walks(config),
        ruleset: Ruleset::Walks(Box::new(ruleset)),
    })))
}

fn resolve_rows(config: &RowsConfig) -> Result<Spec, ConfigError> {
    let rows = ConfigError::in_range("rows", config.rows, 2, 4096)? as u16;
    let cols = ConfigError::in_range("cols", config.cols, 1, 64)? as u16;
    let max = ConfigError::in_range("max_nodes", config.max_nodes, 1, 64)? as u16;
    if config.min_nodes > config.max_nodes {
        let problem = format!("above max_nodes, which is {max}");
        return Err(ConfigError::new(
            "min_nodes",
            config.min_nodes,
            problem,
            format!("use 1 to {max}"),
        ));
    }
    let min = ConfigError::in_range("min_nodes", config.min_nodes, 1, 64)? as u16;
    let attempts = ConfigError::in_range("attempts", config.attempts, 1, 1_000)? as u32;
    let ruleset = RowsSpec::resolve(rows, cols, min, max)?;
    let mut config = config.clone();
    let kinds = resolve_kinds(&mut config.kinds, KindsConfig::standard_rows, rows, false, &[])?;
    Ok(Spec(Arc::new(Inner {
        rows,
        cols,
        boss: false,
        attempts,
        kinds,
        config: Config::Rows(config),
        ruleset: Ruleset::Rows(ruleset),
    })))
}

fn resolve_spire(config: &SpireConfig) -> Result<Spec, ConfigError> {
    let ruleset = SpireSpec::resolve(config)?;
    Ok(Spec(Arc::new(Inner {
        rows: ruleset.rows(),
        cols: 7,
        boss: true,
        attempts: 1,
        kinds: Some(KindSpec::without_rules(SpireSpec::kinds())),
        config: Config::Spire(config.clone()),
        ruleset: Ruleset::Spire(ruleset),
    })))
}

/// Checks kinds and replaces `"standard"` by the full configuration.
///
/// Saved maps therefore do not depend on the definition of the standard kinds.
fn resolve_kinds(
    choice: &mut KindsChoice,
    standard: fn(i64) -> KindsConfig,
    rows: u16,
    boss: bool,
    pins: &[(u16, u16, Option<String>)],
) -> Result<Option<KindSpec>, ConfigError> {
    if *choice == KindsChoice::Standard {
        *choice = KindsChoice::Custom(Box::new(standard(rows.into())));
    }
    let KindsChoice::Custom(config) = choice else {
        let mut named = (0..).zip(pins).filter_map(|(i, (_, _, kind))| Some((i, kind.as_deref()?)));
        return named.next().map_or(Ok(None), |(i, kind): (usize, &str)| {
            let remedy = "leave the kind out, or set kinds to \"standard\"";
            Err(ConfigError::new(format!("pins[{i}].kind"), kind, "the map has no kinds", remedy))
        });
    };
    if boss && config.boss.is_none() {
        let problem = "the map has a boss, but its kind is missing";
        let remedy = "name one of the kinds, or set boss to false";
        return Err(ConfigError::new("kinds.boss", "none", problem, remedy));
    }
    KindSpec::resolve(config, rows, pins).map(Some)
}

/// Checks that cells are on the grid.
fn resolve_cells(
    field: &str,
    cells: impl Iterator<Item = Cell>,
    rows: u16,
    cols: u16,
) -> Result<Vec<(u16, u16)>, ConfigError> {
    let cells = cells.enumerate().map(|(i, cell)| {
        let row =
            ConfigError::in_range(format!("{field}[{i}].row"), cell.row, 0, i64::from(rows) - 1)?;
        let col =
            ConfigError::in_range(format!("{field}[{i}].col"), cell.col, 0, i64::from(cols) - 1)?;
        Ok((row as u16, col as u16))
    });
    cells.collect()
}

/// Checks that pins are on the grid, not duplicated and not on blocked cells.
fn resolve_pins(
    pins: &[Pin],
    rows: u16,
    cols: u16,
    blocked: &[(u16, u16)],
) -> Result<Vec<(u16, u16, Option<String>)>, ConfigError> {
    let cells = pins.iter().map(|pin| Cell { row: pin.row, col: pin.col });
    let cells = resolve_cells("pins", cells, rows, cols)?;
    let mut blocked: Vec<(u16, u16)> = blocked.to_vec();
    blocked.sort_unstable();
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|&i| cells[i]);
    let duplicate =
        order.windows(2).find(|pair| cells[pair[0]] == cells[pair[1]]).map(|pair| pair[1]);
    let on_blocked = cells.iter().position(|cell| blocked.binary_search(cell).is_ok());
    let wrong = duplicate.map(|i| (i, "pinned twice", "pin each cell once"));
    let wrong =
        wrong
            .or(on_blocked
                .map(|i| (i, "the cell is blocked", "pin another cell, or unblock this one")));
    if let Some((i, problem, remedy)) = wrong {
        let (row, col) = cells[i];
        return Err(ConfigError::new(
            format!("pins[{i}]"),
            format!("{col},{row}"),
            problem,
            remedy,
        ));
    }
    Ok(cells.iter().zip(pins).map(|(&(row, col), pin)| (row, col, pin.kind.clone())).collect())
}
