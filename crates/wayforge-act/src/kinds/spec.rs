//! Kinds checked and compiled: per-row domains as bit masks, weights as tables, rules as values.

use super::config::{Count, Icon, KindConfig, KindsConfig};
use serde::Serialize;
use std::fmt;
use wayforge_core::ConfigError;

/// One kind of a map's set, by its place in the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u8);

/// How one kind is called and shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Its character in ASCII pictures, unique within the set.
    pub symbol: char,
    /// Its icon in drawn pictures.
    pub icon: Icon,
    /// How many kinds before it have the same icon: pictures give those another frame.
    pub frame: u8,
}

/// One rule about kinds. The generator keeps them, the validator checks them, and errors name them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
#[allow(missing_docs)] // The fields are the rule's own words.
pub enum KindRule {
    /// All nodes of a row are of one kind.
    Fixed { row: u16, kind: String },
    /// A pinned node has its kind.
    Pinned { row: u16, col: u16, kind: String },
    /// A kind is drawn only on these rows.
    Rows { kind: String, earliest: u16, latest: u16 },
    /// No edge joins two nodes of the kind.
    NoRepeat { kind: String },
    /// No node leads to two nodes of the kind.
    SiblingsDiffer { kind: String },
    /// The map holds at least so many.
    MapMin { kind: String, min: u32 },
    /// The map holds at most so many.
    MapMax { kind: String, max: u32 },
    /// Every route passes at least so many.
    RouteMin { kind: String, min: u32 },
    /// No route passes more.
    RouteMax { kind: String, max: u32 },
}

/// Kinds ready for the search. `rules` is the truth; `tables` is compiled from it and from the weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KindSpec {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) rules: Vec<KindRule>,
    pub(crate) boss: Option<KindId>,
    pub(crate) limit: u64,
    /// Whether every skeleton has kinds, whatever it looks like; if not, some may have none.
    pub(crate) certain: bool,
    weights: RowWeights,
    pub(crate) tables: Tables,
}

/// What the search reads: masks have bit `k` for kind `k`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tables {
    /// The kinds that a node of each row may have.
    pub(crate) domain: Vec<u32>,
    /// Kinds that no edge may join.
    pub(crate) no_repeat: u32,
    /// Kinds that no node may lead to twice, for each row; none on fixed rows.
    pub(crate) siblings: Vec<u32>,
    /// Bounds on the whole map.
    pub(crate) map: Vec<Bounds>,
    /// Bounds on every route.
    pub(crate) route: Vec<Bounds>,
    /// Pinned kinds by place.
    pub(crate) pins: Vec<(u16, u16, u8)>,
}

/// The least and the most of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) kind: u8,
    pub(crate) min: u32,
    pub(crate) max: u32,
}

/// One table of weights per band, and which band each row is in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RowWeights {
    tables: Vec<[u32; 32]>,
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
            if rules.iter().any(|r| matches!(r, KindRule::Fixed { row: other, .. } if *other == row)) {
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
                KindRule::Fixed { row: fixed, kind: other } if fixed == row && other != kind => Some(other),
                _ => None,
            });
            if let Some(other) = other {
                let problem = format!("row {row} is fixed to {other}");
                let remedy = format!("pin it as {other}, or free row {row}");
                return Err(ConfigError::new(field, kind, problem, remedy));
            }
            rules.push(KindRule::Pinned { row: *row, col: *col, kind: kind.clone() });
        }
        for (i, kind) in config.kinds.iter().enumerate() {
            kind_rules(i, kind, rows, &mut rules)?;
        }
        let boss = config.boss.as_deref().map(|name| find(&kinds, "kinds.boss", name)).transpose()?;
        let boss = boss.map(|kind| KindId(kind as u8));
        let limit = ConfigError::in_range("kinds.search_limit", config.search_limit, 0, 10_000_000)? as u64;
        let tables = compile(&kinds, &weights, &rules);
        if let Some(row) = tables.domain.iter().position(|&domain| domain == 0) {
            let problem =
                format!("no kind can be drawn on row {row}: weights, earliest and latest leave none");
            let remedy = format!("give some kind a weight on row {row}, or fix that row");
            return Err(ConfigError::new("kinds.kinds", names(&kinds), problem, remedy));
        }
        let mut spec = KindSpec { kinds, rules, boss, limit, certain: false, weights, tables };
        spec.certain = spec.is_certain();
        spec.tables = compile_with_neighbours(spec.tables);
        Ok(spec)
    }

    /// Kinds without rules, given by a ruleset itself; the last is the boss.
    pub(crate) fn named(kinds: Vec<Kind>) -> KindSpec {
        let boss = kinds.len().checked_sub(1).map(|last| KindId(last as u8));
        KindSpec { kinds, boss, ..KindSpec::default() }
    }

    /// Sufficient condition for kinds on every skeleton: no minimum and no pinned kind, on every other row a kind that
    /// no rule bounds, and fixed rows that agree among themselves.
    fn is_certain(&self) -> bool {
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
            && route.iter().all(|bounds| bounds.min == 0 && rows_of(bounds.kind) <= bounds.max as usize)
            && fixed.windows(2).all(|pair| pair[0] & pair[1] & no_repeat == 0)
            && domain.iter().zip(&fixed).all(|(row, fixed)| row & (unbounded | fixed) != 0)
    }

    /// The number of the kind that a rule is about.
    pub(crate) fn number(&self, rule: &KindRule) -> u32 {
        self.find(rule.kind()).map_or(0, |id| id.0.into())
    }

    /// Whether `rule` sets a minimum for a kind that weights exclude from some row.
    pub(crate) fn lacks_weight(&self, rule: &KindRule) -> bool {
        let kind = self.number(rule) as usize;
        matches!(rule, KindRule::MapMin { .. } | KindRule::RouteMin { .. })
            && (0..self.weights.of_row.len()).any(|row| self.weights(row)[kind] == 0)
    }

    /// The weights of the kinds on `row`.
    #[inline]
    pub(crate) fn weights(&self, row: usize) -> &[u32; 32] {
        &self.weights.tables[usize::from(self.weights.of_row[row])]
    }

    /// The kind called `name`.
    pub(crate) fn find(&self, name: &str) -> Option<KindId> {
        self.kinds.iter().position(|kind| kind.name == name).map(|k| KindId(k as u8))
    }
}

/// Rules to tables, each rule on its own.
fn compile(kinds: &[Kind], weights: &RowWeights, rules: &[KindRule]) -> Tables {
    let id = |name: &str| kinds.iter().position(|k| k.name == name).unwrap_or_default();
    let mut tables = Tables { siblings: vec![0; weights.of_row.len()], ..Tables::default() };
    tables.domain = weights.of_row.iter().map(|&band| drawable(&weights.tables[usize::from(band)])).collect();
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
    // Last, because a fixed row stands above weights, rows and differing siblings.
    for rule in rules {
        if let KindRule::Fixed { row, kind } = rule {
            tables.domain[usize::from(*row)] = 1 << id(kind);
            tables.siblings[usize::from(*row)] = 0;
        }
    }
    tables
}

/// Takes a fixed row's kind out of the rows beside it where no edge may join it: every node has an edge each way.
fn compile_with_neighbours(mut tables: Tables) -> Tables {
    let alone = |domain: u32| if domain.is_power_of_two() { domain } else { 0 };
    let before = tables.domain.clone();
    for row in 0..before.len() {
        let below = row.checked_sub(1).map_or(0, |r| alone(before[r]));
        let above = before.get(row + 1).map_or(0, |&d| alone(d));
        tables.domain[row] &= !((below | above) & tables.no_repeat);
    }
    tables
}

/// The kinds with a weight.
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

fn kind_rules(i: usize, kind: &KindConfig, rows: u16, rules: &mut Vec<KindRule>) -> Result<(), ConfigError> {
    let name = || kind.name.clone();
    if kind.earliest.is_some() || kind.latest.is_some() {
        let row = |field: &str, value: Option<i64>, otherwise| match value {
            Some(value) => row_number(&format!("kinds.kinds[{i}].{field}"), value, rows),
            None => Ok(otherwise),
        };
        let earliest = row("earliest", kind.earliest, 0)?;
        let latest = row("latest", kind.latest, rows - 1)?;
        if earliest > latest {
            let field = format!("kinds.kinds[{i}].earliest");
            let problem = format!("row {earliest} lies above the latest row, {latest}");
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
    let (min, max) = count(&format!("kinds.kinds[{i}].map"), kind.map)?;
    rules.extend(min.map(|min| KindRule::MapMin { kind: name(), min }));
    rules.extend(max.map(|max| KindRule::MapMax { kind: name(), max }));
    let (min, max) = count(&format!("kinds.kinds[{i}].route"), kind.route)?;
    rules.extend(min.map(|min| KindRule::RouteMin { kind: name(), min }));
    rules.extend(max.map(|max| KindRule::RouteMax { kind: name(), max }));
    Ok(())
}

/// Checks a count or a weight.
fn amount(field: String, value: i64) -> Result<u32, ConfigError> {
    ConfigError::in_range(field, value, 0, 1_000_000).map(|value| value as u32)
}

fn count(field: &str, count: Count) -> Result<(Option<u32>, Option<u32>), ConfigError> {
    let part = |name: &str, value: Option<i64>| {
        value.map(|value| amount(format!("{field}.{name}"), value)).transpose()
    };
    let (min, max) = (part("min", count.min)?, part("max", count.max)?);
    if let (Some(min), Some(max)) = (min, max)
        && min > max
    {
        let (field, problem) = (format!("{field}.min"), format!("above the most, {max}"));
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
        let letters =
            name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-');
        if !letters || name.len() > 32 || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            let remedy = "use a small letter, then small letters, digits, _ or -, at most 32";
            return Err(ConfigError::new(field, format!("\"{name}\""), "not a name", remedy));
        }
        if kinds.iter().any(|kind| kind.name == *name) {
            return Err(ConfigError::new(field, name, "named twice", "name each kind once"));
        }
        let known = KNOWN_KINDS.iter().find(|(known, ..)| known == name);
        let symbol = match *symbol {
            Some(symbol) => own_symbol(i, symbol, &kinds)?,
            None => {
                let taken =
                    kinds.iter().map(|kind| kind.symbol).chain(configs.iter().filter_map(|c| c.symbol));
                let taken: Vec<char> = taken.collect();
                let letters = name.chars().filter(char::is_ascii_alphabetic).map(|c| c.to_ascii_uppercase());
                let rest = ('A'..='Z').chain('a'..='z').chain('0'..='9');
                let mut symbols = known.map(|known| known.1).into_iter().chain(letters).chain(rest);
                symbols.find(|symbol| !taken.contains(symbol)).unwrap_or('#')
            }
        };
        let uses = |icon: &Icon| kinds.iter().filter(|kind| kind.icon == *icon).count();
        let spare = || SPARE_ICONS.into_iter().min_by_key(uses).unwrap_or(Icon::Star);
        let icon = icon.or(known.map(|known| known.2)).unwrap_or_else(spare);
        let frame = uses(&icon) as u8;
        kinds.push(Kind { name: name.clone(), symbol, icon, frame });
    }
    Ok(kinds)
}

/// Kinds that players of the genre know, with their symbols and icons.
pub(crate) const KNOWN_KINDS: [(&str, char, Icon); 7] = [
    ("monster", 'M', Icon::Swords),
    ("event", '?', Icon::Question),
    ("elite", 'E', Icon::Skull),
    ("rest", 'R', Icon::Fire),
    ("shop", '$', Icon::Bag),
    ("treasure", 'T', Icon::Chest),
    ("boss", 'B', Icon::Crown),
];

/// The icons of other kinds.
const SPARE_ICONS: [Icon; 5] = [Icon::Star, Icon::Diamond, Icon::Flask, Icon::Key, Icon::Shield];

fn own_symbol(i: usize, symbol: char, kinds: &[Kind]) -> Result<char, ConfigError> {
    let problem = match symbol {
        _ if !symbol.is_ascii_graphic() || "/|\\-,.'`_".contains(symbol) => "cannot stand for a node",
        _ if kinds.iter().any(|kind| kind.symbol == symbol) => "used by another kind",
        _ => return Ok(symbol),
    };
    let remedy = "use a letter, digit or sign of ASCII that no other kind uses and no edge is drawn with";
    Err(ConfigError::new(format!("kinds.kinds[{i}].symbol"), format!("\"{symbol}\""), problem, remedy))
}

fn resolve_weights(config: &KindsConfig, kinds: &[Kind], rows: u16) -> Result<RowWeights, ConfigError> {
    let mut base = [0; 32];
    for (i, kind) in config.kinds.iter().enumerate() {
        base[i] = amount(format!("kinds.kinds[{i}].weight"), kind.weight)?;
    }
    let mut weights = RowWeights { tables: vec![base], of_row: vec![0; usize::from(rows)] };
    for (i, band) in config.bands.iter().enumerate() {
        let from = row_number(&format!("kinds.bands[{i}].from"), band.from, rows)?;
        let to = row_number(&format!("kinds.bands[{i}].to"), band.to, rows)?;
        if from > to {
            let (field, problem) = (format!("kinds.bands[{i}].from"), format!("above its end, row {to}"));
            return Err(ConfigError::new(field, band.from, problem, "put the lower row first"));
        }
        let mut table = base;
        for (name, &weight) in &band.weights {
            let field = format!("kinds.bands[{i}].weights.{name}");
            let kind = find(kinds, &field, name)?;
            table[kind] = amount(field, weight)?;
        }
        let number = weights.tables.len() as u16;
        weights.tables.push(table);
        for row in from..=to {
            let of_row = &mut weights.of_row[usize::from(row)];
            if *of_row != 0 {
                let (field, value) = (format!("kinds.bands[{i}]"), format!("{}..{}", band.from, band.to));
                let problem = format!("overlaps kinds.bands[{}] on row {row}", *of_row - 1);
                return Err(ConfigError::new(field, value, problem, "give every row at most one band"));
            }
            *of_row = number;
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

/// The names of kinds, for messages.
pub(crate) fn names(kinds: &[Kind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name.as_str()).collect();
    names.join(", ")
}

/// A row given from the bottom (0 and up) or from the top (-1 and down).
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
    /// The kind that the rule is about.
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
            KindRule::Pinned { row, col, kind } => write!(f, "node {col},{row} is pinned as {kind}"),
            KindRule::Rows { kind, earliest, latest } => {
                write!(f, "{kind} only on rows {earliest} to {latest}")
            }
            KindRule::NoRepeat { kind } => write!(f, "no {kind} right after {kind}"),
            KindRule::SiblingsDiffer { kind } => write!(f, "no two {kind} beside each other after one node"),
            KindRule::MapMin { kind, min } => write!(f, "at least {min} {kind} on the map"),
            KindRule::MapMax { kind, max } => write!(f, "at most {max} {kind} on the map"),
            KindRule::RouteMin { kind, min } => write!(f, "at least {min} {kind} on every route"),
            KindRule::RouteMax { kind, max } => write!(f, "at most {max} {kind} on every route"),
        }
    }
}
