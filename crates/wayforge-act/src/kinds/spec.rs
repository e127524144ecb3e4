//! Checks and compiles the configuration of kinds: domains as bit masks, weights, and rules.

use super::config::{Count, Icon, KindConfig, KindsConfig};
use serde::Serialize;
use std::fmt;
use wayforge_core::ConfigError;

/// Index of a kind in the kinds of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u8);

/// Name and appearance of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Its symbol in ASCII pictures, unique on the map.
    pub symbol: char,
    /// Its icon in SVG and PNG pictures.
    pub icon: Icon,
    /// Number of earlier kinds with the same icon. Pictures distinguish them by their frames.
    pub frame: u8,
}

/// A rule about kinds. Generators satisfy it, the validator checks it, and errors name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
#[allow(missing_docs)] // The docs of the variants explain the fields.
#[non_exhaustive]
pub enum KindRule {
    /// All nodes of a row are of one kind.
    Fixed { row: u16, kind: String },
    /// A pinned node has its kind.
    Pinned { row: u16, col: u16, kind: String },
    /// The kind occurs only on these rows, except fixed rows and pins.
    Rows { kind: String, earliest: u16, latest: u16 },
    /// No edge joins two nodes of the kind.
    NoRepeat { kind: String },
    /// No node leads to two nodes of the kind.
    SiblingsDiffer { kind: String },
    /// The map has at least `min` nodes of the kind.
    MapMin { kind: String, min: u32 },
    /// The map has at most `max` nodes of the kind.
    MapMax { kind: String, max: u32 },
    /// Every route passes at least `min` nodes of the kind.
    RouteMin { kind: String, min: u32 },
    /// Every route passes at most `max` nodes of the kind.
    RouteMax { kind: String, max: u32 },
}

/// Checked kinds. `tables` is compiled from `rules` and `weights`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KindSpec {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) rules: Vec<KindRule>,
    pub(crate) boss: Option<KindId>,
    pub(crate) limit: u64,
    /// Whether the rules are known to be satisfiable on every skeleton.
    pub(crate) always_satisfiable: bool,
    weights: RowWeights,
    pub(crate) tables: Tables,
}

/// Lookup tables of the search. In bit masks, bit `k` is kind `k`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tables {
    /// Per row: the possible kinds of its nodes.
    pub(crate) domain: Vec<u32>,
    /// Kinds with `no_repeat`: no edge may join two nodes of the kind.
    pub(crate) no_repeat: u32,
    /// Per row: kinds with `siblings_differ`; empty on fixed rows.
    pub(crate) siblings: Vec<u32>,
    /// Bounds on the whole map.
    pub(crate) map: Vec<Bounds>,
    /// Bounds on every route.
    pub(crate) route: Vec<Bounds>,
    /// Row, column and kind of each pin with a kind.
    pub(crate) pins: Vec<(u16, u16, u8)>,
}

/// Minimum and maximum count of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) kind: u8,
    pub(crate) min: u32,
    pub(crate) max: u32,
}

/// Weights of the kinds on every row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RowWeights {
    /// The usual weights, then those of each band.
    tables: Vec<[u32; 32]>,
    /// Per row: index into `tables`.
    of_row: Vec<u16>,
}

impl KindSpec {
    pub(crate) fn resolve(
        config: &KindsConfig,
        rows: u16,
        pins: &[(u16, u16, Option<String>)],
    ) -> Result<KindSpec, ConfigError> {
        let kinds = resolve_kinds(&config.kinds)?;
        let weights = resolve_weights(config, &kinds, rows)?;
        let mut rules = Vec::new();
        for (i, fixed) in config.fixed.iter().enumerate() {
            let row = row_number(&format!("kinds.fixed[{i}].row"), fixed.row, rows)?;
            let kind = find(&kinds, &format!("kinds.fixed[{i}].kind"), &fixed.kind)?;
            if rules
                .iter()
                .any(|r| matches!(r, KindRule::Fixed { row: other, .. } if *other == row))
            {
                let field = format!("kinds.fixed[{i}].row");
                return Err(ConfigError::new(
                    field,
                    fixed.row,
                    "the row is fixed twice",
                    "fix each row once",
                ));
            }
            rules.push(KindRule::Fixed { row, kind: kinds[kind].name.clone() });
        }
        for (i, (row, col, kind)) in pins.iter().enumerate() {
            let Some(kind) = kind else { continue };
            let field = format!("pins[{i}].kind");
            find(&kinds, &field, kind)?;
            let other = rules.iter().find_map(|rule| match rule {
                KindRule::Fixed { row: fixed, kind: other } if fixed == row && other != kind => {
                    Some(other)
                }
                _ => None,
            });
            if let Some(other) = other {
                let problem = format!("row {row} is fixed to {other}");
                let remedy = format!("pin it as {other}, or do not fix row {row}");
                return Err(ConfigError::new(field, kind, problem, remedy));
            }
            rules.push(KindRule::Pinned { row: *row, col: *col, kind: kind.clone() });
        }
        for (i, kind) in config.kinds.iter().enumerate() {
            kind_rules(i, kind, rows, &mut rules)?;
        }
        let boss =
            config.boss.as_deref().map(|name| find(&kinds, "kinds.boss", name)).transpose()?;
        let boss = boss.map(|kind| KindId(kind as u8));
        let limit =
            ConfigError::in_range("kinds.search_limit", config.search_limit, 0, 10_000_000)? as u64;
        let tables = compile(&kinds, &weights, &rules);
        if let Some(row) = tables.domain.iter().position(|&domain| domain == 0) {
            let problem = format!(
                "no kind is possible on row {row}: weights, earliest and latest exclude all"
            );
            let remedy = format!("give some kind a weight on row {row}, or fix that row");
            return Err(ConfigError::new("kinds.kinds", names(&kinds), problem, remedy));
        }
        let always_satisfiable = false;
        let mut spec = KindSpec { kinds, rules, boss, limit, always_satisfiable, weights, tables };
        spec.always_satisfiable = spec.is_always_satisfiable();
        spec.tables = propagate_fixed_rows(spec.tables);
        Ok(spec)
    }

    /// Creates a spec of kinds without rules, for the spire ruleset. The last kind is the boss.
    pub(crate) fn without_rules(kinds: Vec<Kind>) -> KindSpec {
        let boss = kinds.len().checked_sub(1).map(|last| KindId(last as u8));
        KindSpec { kinds, boss, ..KindSpec::default() }
    }

    /// Checks a sufficient condition for satisfiability on every skeleton.
    ///
    /// There is no minimum and no pinned kind, the fixed rows satisfy the rules, and every other
    /// row allows a kind without rules.
    fn is_always_satisfiable(&self) -> bool {
        let Tables { domain, no_repeat, map, route, pins, .. } = &self.tables;
        let bounded = map.iter().chain(route).fold(0_u32, |mask, bounds| mask | 1 << bounds.kind);
        let siblings = self.tables.siblings.iter().fold(0, |mask, row| mask | row);
        let unbounded = !(no_repeat | siblings | bounded);
        let mut fixed = vec![0; domain.len()];
        for rule in &self.rules {
            if let KindRule::Fixed { row, .. } = rule {
                fixed[usize::from(*row)] = domain[usize::from(*row)];
            }
        }
        let rows_of = |kind: u8| fixed.iter().filter(|&&row| row >> kind & 1 == 1).count();
        pins.is_empty()
            && map.iter().all(|bounds| bounds.min == 0 && rows_of(bounds.kind) == 0)
            && route
                .iter()
                .all(|bounds| bounds.min == 0 && rows_of(bounds.kind) <= bounds.max as usize)
            && fixed.windows(2).all(|pair| pair[0] & pair[1] & no_repeat == 0)
            && domain.iter().zip(&fixed).all(|(row, fixed)| row & (unbounded | fixed) != 0)
    }

    /// Returns the index of the kind of a rule.
    pub(crate) fn kind_index(&self, rule: &KindRule) -> u32 {
        self.find(rule.kind()).map_or(0, |id| id.0.into())
    }

    /// Returns true if `rule` is a minimum for a kind that has weight 0 on some row.
    pub(crate) fn lacks_weight(&self, rule: &KindRule) -> bool {
        let kind = self.kind_index(rule) as usize;
        matches!(rule, KindRule::MapMin { .. } | KindRule::RouteMin { .. })
            && (0..self.weights.of_row.len()).any(|row| self.weights(row)[kind] == 0)
    }

    /// Returns the weights of the kinds on `row`.
    #[inline]
    pub(crate) fn weights(&self, row: usize) -> &[u32; 32] {
        &self.weights.tables[usize::from(self.weights.of_row[row])]
    }

    /// Returns the kind with a name.
    pub(crate) fn find(&self, name: &str) -> Option<KindId> {
        self.kinds.iter().position(|kind| kind.name == name).map(|k| KindId(k as u8))
    }
}

/// Compiles each rule separately into the tables.
fn compile(kinds: &[Kind], weights: &RowWeights, rules: &[KindRule]) -> Tables {
    let id = |name: &str| kinds.iter().position(|k| k.name == name).unwrap_or_default();
    let mut tables = Tables { siblings: vec![0; weights.of_row.len()], ..Tables::default() };
    tables.domain =
        weights.of_row.iter().map(|&band| drawable(&weights.tables[usize::from(band)])).collect();
    for rule in rules {
        match rule {
            KindRule::Rows { kind, earliest, latest } => {
                for (row, domain) in (0..).zip(&mut tables.domain) {
                    if row < *earliest || row > *latest {
                        *domain &= !(1 << id(kind));
                    }
                }
            }
            KindRule::NoRepeat { kind } => tables.no_repeat |= 1 << id(kind),
            KindRule::SiblingsDiffer { kind } => {
                tables.siblings.iter_mut().for_each(|mask| *mask |= 1 << id(kind))
            }
            KindRule::MapMin { kind, min } => bounds_of(&mut tables.map, id(kind)).min = *min,
            KindRule::MapMax { kind, max } => bounds_of(&mut tables.map, id(kind)).max = *max,
            KindRule::RouteMin { kind, min } => bounds_of(&mut tables.route, id(kind)).min = *min,
            KindRule::RouteMax { kind, max } => bounds_of(&mut tables.route, id(kind)).max = *max,
            KindRule::Pinned { row, col, kind } => tables.pins.push((*row, *col, id(kind) as u8)),
            KindRule::Fixed { .. } => {}
        }
    }
    // Last, because fixed rows override weights, row ranges and siblings.
    for rule in rules {
        if let KindRule::Fixed { row, kind } = rule {
            tables.domain[usize::from(*row)] = 1 << id(kind);
            tables.siblings[usize::from(*row)] = 0;
        }
    }
    tables
}

/// Removes kinds that must not repeat from the rows next to a row that has only this kind.
///
/// This is sound because every node has an edge to each neighbouring row.
fn propagate_fixed_rows(mut tables: Tables) -> Tables {
    let single = |domain: u32| if domain.is_power_of_two() { domain } else { 0 };
    let before = tables.domain.clone();
    for row in 0..before.len() {
        let below = row.checked_sub(1).map_or(0, |r| single(before[r]));
        let above = before.get(row + 1).map_or(0, |&d| single(d));
        tables.domain[row] &= !((below | above) & tables.no_repeat);
    }
    tables
}

/// Returns the kinds with a weight above 0.
pub(super) fn drawable(weights: &[u32; 32]) -> u32 {
    (0..32).filter(|&k| weights[k] > 0).fold(0, |mask, k| mask | 1 << k)
}

fn bounds_of(bounds: &mut Vec<Bounds>, kind: usize) -> &mut Bounds {
    let at = bounds.iter().position(|b| usize::from(b.kind) == kind).unwrap_or_else(|| {
        bounds.push(Bounds { kind: kind as u8, min: 0, max: u32::MAX });
        bounds.len() - 1
    });
    &mut bounds[at]
}

fn kind_rules(
    i: usize,
    kind: &KindConfig,
    rows: u16,
    rules: &mut Vec<KindRule>,
) -> Result<(), ConfigError> {
    let name = || kind.name.clone();
    if kind.earliest.is_some() || kind.latest.is_some() {
        let row = |field: &str, value: Option<i64>, default| match value {
            Some(value) => row_number(&format!("kinds.kinds[{i}].{field}"), value, rows),
            None => Ok(default),
        };
        let earliest = row("earliest", kind.earliest, 0)?;
        let latest = row("latest", kind.latest, rows - 1)?;
        if earliest > latest {
            let field = format!("kinds.kinds[{i}].earliest");
            let problem = format!("row {earliest} is above the latest row, {latest}");
            return Err(ConfigError::new(field, earliest, problem, format!("use 0 to {latest}")));
        }
        rules.push(KindRule::Rows { kind: name(), earliest, latest });
    }
    if kind.no_repeat {
        rules.push(KindRule::NoRepeat { kind: name() });
    }
    if kind.siblings_differ {
        rules.push(KindRule::SiblingsDiffer { kind: name() });
    }
    let (min, max) = resolve_count(&format!("kinds.kinds[{i}].map"), kind.map)?;
    rules.extend(min.map(|min| KindRule::MapMin { kind: name(), min }));
    rules.extend(max.map(|max| KindRule::MapMax { kind: name(), max }));
    let (min, max) = resolve_count(&format!("kinds.kinds[{i}].route"), kind.route)?;
    rules.extend(min.map(|min| KindRule::RouteMin { kind: name(), min }));
    rules.extend(max.map(|max| KindRule::RouteMax { kind: name(), max }));
    Ok(())
}

/// Checks a count or a weight.
fn resolve_number(field: String, value: i64) -> Result<u32, ConfigError> {
    ConfigError::in_range(field, value, 0, 1_000_000).map(|value| value as u32)
}

fn resolve_count(field: &str, count: Count) -> Result<(Option<u32>, Option<u32>), ConfigError> {
    let part = |name: &str, value: Option<i64>| {
        value.map(|value| resolve_number(format!("{field}.{name}"), value)).transpose()
    };
    let (min, max) = (part("min", count.min)?, part("max", count.max)?);
    if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        let (field, problem) = (format!("{field}.min"), format!("above max, which is {max}"));
        return Err(ConfigError::new(field, min, problem, format!("use 0 to {max}")));
    }
    Ok((min, max))
}

fn resolve_kinds(configs: &[KindConfig]) -> Result<Vec<Kind>, ConfigError> {
    if configs.is_empty() || configs.len() > 32 {
        let count = format!("{} kinds", configs.len());
        return Err(ConfigError::new("kinds.kinds", count, "out of range", "use 1 to 32 kinds"));
    }
    let mut kinds: Vec<Kind> = Vec::new();
    for (i, KindConfig { name, symbol, icon, .. }) in configs.iter().enumerate() {
        let field = format!("kinds.kinds[{i}].name");
        let letters = name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-');
        if !letters || name.len() > 32 || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            let remedy = "use a lower-case letter, then lower-case letters, digits, _ or -, \
                          at most 32 characters";
            return Err(ConfigError::new(field, format!("\"{name}\""), "invalid name", remedy));
        }
        if kinds.iter().any(|kind| kind.name == *name) {
            return Err(ConfigError::new(field, name, "duplicate name", "use each name once"));
        }
        let default = GENRE_KINDS.iter().find(|(default, ..)| default == name);
        let symbol = match *symbol {
            Some(symbol) => check_symbol(i, symbol, &kinds)?,
            None => {
                let used = kinds
                    .iter()
                    .map(|kind| kind.symbol)
                    .chain(configs.iter().filter_map(|c| c.symbol));
                let used: Vec<char> = used.collect();
                let letters =
                    name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase());
                let others = ('A'..='Z').chain('a'..='z').chain('0'..='9');
                let mut symbols =
                    default.map(|(_, symbol, _)| *symbol).into_iter().chain(letters).chain(others);
                symbols.find(|symbol| !used.contains(symbol)).unwrap_or('#')
            }
        };
        let uses = |icon: &Icon| kinds.iter().filter(|kind| kind.icon == *icon).count();
        let spare = || SPARE_ICONS.into_iter().min_by_key(uses).unwrap_or(Icon::Star);
        let icon = icon.or(default.map(|(_, _, icon)| *icon)).unwrap_or_else(spare);
        let frame = uses(&icon) as u8;
        kinds.push(Kind { name: name.clone(), symbol, icon, frame });
    }
    Ok(kinds)
}

/// The usual kinds of the genre with their default symbols and icons.
pub(crate) const GENRE_KINDS: [(&str, char, Icon); 7] = [
    ("monster", 'M', Icon::Swords),
    ("event", '?', Icon::Question),
    ("elite", 'E', Icon::Skull),
    ("rest", 'R', Icon::Fire),
    ("shop", '$', Icon::Bag),
    ("treasure", 'T', Icon::Chest),
    ("boss", 'B', Icon::Crown),
];

/// Default icons of other kinds.
const SPARE_ICONS: [Icon; 5] = [Icon::Star, Icon::Diamond, Icon::Flask, Icon::Key, Icon::Shield];

fn check_symbol(i: usize, symbol: char, kinds: &[Kind]) -> Result<char, ConfigError> {
    let problem = match symbol {
        _ if !symbol.is_ascii_graphic() || "/|\\-,.'`_".contains(symbol) => {
            "cannot represent a node"
        }
        _ if kinds.iter().any(|kind| kind.symbol == symbol) => "used by another kind",
        _ => return Ok(symbol),
    };
    let remedy = "use an ASCII letter, digit or punctuation mark that neither another kind \
                  nor the drawing of edges uses";
    Err(ConfigError::new(
        format!("kinds.kinds[{i}].symbol"),
        format!("\"{symbol}\""),
        problem,
        remedy,
    ))
}

fn resolve_weights(
    config: &KindsConfig,
    kinds: &[Kind],
    rows: u16,
) -> Result<RowWeights, ConfigError> {
    let mut base = [0; 32];
    for (i, kind) in config.kinds.iter().enumerate() {
        base[i] = resolve_number(format!("kinds.kinds[{i}].weight"), kind.weight)?;
    }
    let mut weights = RowWeights { tables: vec![base], of_row: vec![0; usize::from(rows)] };
    for (i, band) in config.bands.iter().enumerate() {
        let from = row_number(&format!("kinds.bands[{i}].from"), band.from, rows)?;
        let to = row_number(&format!("kinds.bands[{i}].to"), band.to, rows)?;
        if from > to {
            let (field, problem) =
                (format!("kinds.bands[{i}].from"), format!("above the last row, {to}"));
            return Err(ConfigError::new(field, band.from, problem, "put the lower row first"));
        }
        let mut table = base;
        for (name, &weight) in &band.weights {
            let field = format!("kinds.bands[{i}].weights.{name}");
            let kind = find(kinds, &field, name)?;
            table[kind] = resolve_number(field, weight)?;
        }
        let index = weights.tables.len() as u16;
        weights.tables.push(table);
        for row in from..=to {
            let of_row = &mut weights.of_row[usize::from(row)];
            if *of_row != 0 {
                let (field, value) =
                    (format!("kinds.bands[{i}]"), format!("{}..{}", band.from, band.to));
                let problem = format!("overlaps kinds.bands[{}] on row {row}", *of_row - 1);
                return Err(ConfigError::new(
                    field,
                    value,
                    problem,
                    "use at most one band for each row",
                ));
            }
            *of_row = index;
        }
    }
    Ok(weights)
}

fn find(kinds: &[Kind], field: &str, name: &str) -> Result<usize, ConfigError> {
    kinds.iter().position(|kind| kind.name == name).ok_or_else(|| {
        let remedy = format!("use one of {}", names(kinds));
        ConfigError::new(field, format!("\"{name}\""), "no such kind", remedy)
    })
}

/// Joins the names of kinds for messages.
pub(crate) fn names(kinds: &[Kind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
    names.join(", ")
}

/// Resolves a row counted from the bottom (0 and up) or from the top (-1 and down).
fn row_number(field: &str, value: i64, rows: u16) -> Result<u16, ConfigError> {
    let count = i64::from(rows);
    let row = if value < 0 { value.saturating_add(count) } else { value };
    if (0..count).contains(&row) {
        return Ok(row as u16);
    }
    let remedy = format!("use 0 to {} from the bottom, or -1 to -{count} from the top", count - 1);
    Err(ConfigError::new(field, value, "no such row", remedy))
}

impl KindRule {
    /// Returns the name of the kind that the rule is about.
    pub fn kind(&self) -> &str {
        match self {
            KindRule::Fixed { kind, .. }
            | KindRule::Pinned { kind, .. }
            | KindRule::Rows { kind, .. }
            | KindRule::NoRepeat { kind }
            | KindRule::SiblingsDiffer { kind }
            | KindRule::MapMin { kind, .. }
            | KindRule::MapMax { kind, .. }
            | KindRule::RouteMin { kind, .. }
            | KindRule::RouteMax { kind, .. } => kind,
        }
    }
}

impl fmt::Display for KindRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KindRule::Fixed { row, kind } => write!(f, "row {row} is all {kind}"),
            KindRule::Pinned { row, col, kind } => {
                write!(f, "node {col},{row} is pinned as {kind}")
            }
            KindRule::Rows { kind, earliest, latest } => {
                write!(f, "{kind} only on rows {earliest} to {latest}")
            }
            KindRule::NoRepeat { kind } => write!(f, "no {kind} right after {kind}"),
            KindRule::SiblingsDiffer { kind } => {
                write!(f, "no two {kind} after the same node")
            }
            KindRule::MapMin { kind, min } => write!(f, "at least {min} {kind} on the map"),
            KindRule::MapMax { kind, max } => write!(f, "at most {max} {kind} on the map"),
            KindRule::RouteMin { kind, min } => write!(f, "at least {min} {kind} on every route"),
            KindRule::RouteMax { kind, max } => write!(f, "at most {max} {kind} on every route"),
        }
    }
}
