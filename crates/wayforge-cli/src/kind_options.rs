//! Rules about kinds as options of the command line.

use crate::failure::Failure;
use crate::number::whole;
use clap::Args;
use wayforge::act::{BandConfig, Count, FixedRow, Icon, KindConfig, KindsChoice, KindsConfig};

/// What works, in errors about weights and rows.
const WEIGHTS: &str = "0 to 1000000";
const ROWS: &str = "where 0 is the bottom row and -1 the top row";

/// Options that change or add to the set of kinds.
#[derive(Args)]
#[command(next_help_heading = "Kinds")]
pub(crate) struct KindArgs {
    /// The set of kinds to start from: standard, or none for a bare skeleton
    #[arg(long, value_parser = ["standard", "none"], value_name = "SET")]
    kinds: Option<String>,
    /// Change a kind or add one: NAME, then any of weight=N, earliest=ROW, latest=ROW, no-repeat, siblings-differ,
    /// may-repeat, siblings-free, map=MIN..MAX, route=MIN..MAX, symbol=C, icon=NAME (`shop:weight=9,route=1..`)
    #[arg(long = "kind", value_name = "NAME:RULES")]
    kind: Vec<String>,
    /// Make all nodes of a row one kind (`8=treasure`; -1 is the top row), or free a row (`8=`)
    #[arg(long = "fixed", value_name = "ROW=KIND", allow_hyphen_values = true)]
    fixed: Vec<String>,
    /// Give kinds other weights on a range of rows (`0..4:monster=60,event=40`)
    #[arg(long = "band", value_name = "FROM..TO:WEIGHTS", allow_hyphen_values = true)]
    band: Vec<String>,
    /// The kind of the boss
    #[arg(long, value_name = "KIND")]
    boss_kind: Option<String>,
    /// Conflicts after which the complete search for kinds leaves a skeleton undecided, 0 to 10000000 [default: 100000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64, 0, 10000000>)]
    search_limit: Option<i64>,
}

impl KindArgs {
    /// These options, and whether each was given.
    pub(crate) fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("kinds", self.kinds.is_some()),
            ("kind", !self.kind.is_empty()),
            ("fixed", !self.fixed.is_empty()),
            ("band", !self.band.is_empty()),
            ("boss-kind", self.boss_kind.is_some()),
            ("search-limit", self.search_limit.is_some()),
        ]
    }

    /// The choice of kinds after these options; `rows` scales the ruleset's `standard` set.
    pub(crate) fn apply(
        &self,
        choice: KindsChoice,
        standard: fn(i64) -> KindsConfig,
        rows: i64,
    ) -> Result<KindsChoice, Failure> {
        let choice = match self.kinds.as_deref() {
            Some("standard") => KindsChoice::Standard,
            Some(_) => KindsChoice::None,
            None => choice,
        };
        let changed = self.given().into_iter().any(|(option, given)| given && option != "kinds");
        if !changed {
            return Ok(choice);
        }
        let mut kinds = match choice {
            KindsChoice::Own(kinds) => kinds,
            KindsChoice::Standard => Box::new(standard(rows)),
            KindsChoice::None => {
                return Err(Failure::Input(
                    "--kinds none: the map has no kinds to change; leave out the other options about kinds"
                        .into(),
                ));
            }
        };
        self.kind.iter().try_for_each(|text| change_kind(&mut kinds, text))?;
        self.fixed.iter().try_for_each(|text| fix_row(&mut kinds, text, rows))?;
        for text in &self.band {
            kinds.bands.push(parse_band(text)?);
        }
        if let Some(boss) = &self.boss_kind {
            kinds.boss = Some(boss.clone());
        }
        if let Some(limit) = self.search_limit {
            kinds.search_limit = limit;
        }
        Ok(KindsChoice::Own(kinds))
    }
}

fn refuse(option: &str, text: &str, expected: &str) -> Failure {
    Failure::Input(format!("--{option} {text}: {expected}"))
}

fn change_kind(kinds: &mut KindsConfig, text: &str) -> Result<(), Failure> {
    let (name, rules) = text.split_once(':').unwrap_or((text, ""));
    let at = kinds.kinds.iter().position(|kind| kind.name == name).unwrap_or_else(|| {
        kinds.kinds.push(KindConfig::new(name));
        kinds.kinds.len() - 1
    });
    let kind = &mut kinds.kinds[at];
    for rule in rules.split(',').filter(|rule| !rule.is_empty()) {
        let (key, value) = rule.split_once('=').unwrap_or((rule, ""));
        let number = |allowed: &str| {
            let wrong = || refuse("kind", text, &format!("{rule}: use a whole number, {allowed}"));
            value.parse().map_err(|_| wrong())
        };
        match key {
            "weight" => kind.weight = number(WEIGHTS)?,
            "earliest" => kind.earliest = Some(number(ROWS)?),
            "latest" => kind.latest = Some(number(ROWS)?),
            "no-repeat" => kind.no_repeat = true,
            "may-repeat" => kind.no_repeat = false,
            "siblings-differ" => kind.siblings_differ = true,
            "siblings-free" => kind.siblings_differ = false,
            "map" => kind.map = parse_count(text, rule, value)?,
            "route" => kind.route = parse_count(text, rule, value)?,
            "symbol" => kind.symbol = Some(parse_symbol(text, value)?),
            "icon" => kind.icon = Some(parse_icon(text, value)?),
            other => {
                let known = "weight, earliest, latest, no-repeat, may-repeat, siblings-differ, siblings-free, map, route, symbol, icon";
                return Err(refuse("kind", text, &format!("\"{other}\" is no rule; known: {known}")));
            }
        }
    }
    Ok(())
}

/// `2..4`, `..4`, `2..` or `3` for exactly three.
fn parse_count(text: &str, rule: &str, value: &str) -> Result<Count, Failure> {
    let wrong = || refuse("kind", text, &format!("{rule}: write a count as 2..4, ..4, 2.. or 3"));
    let part = |part: &str| match part {
        "" => Ok(None),
        part => part.parse().map(Some).map_err(|_| wrong()),
    };
    match value.split_once("..") {
        Some((min, max)) => Ok(Count { min: part(min)?, max: part(max)? }),
        None => Ok(Count { min: part(value)?, max: part(value)? }),
    }
}

fn parse_symbol(text: &str, value: &str) -> Result<char, Failure> {
    let mut chars = value.chars();
    match (chars.next(), chars.next()) {
        (Some(symbol), None) => Ok(symbol),
        _ => Err(refuse("kind", text, "symbol needs one character")),
    }
}

fn parse_icon(text: &str, value: &str) -> Result<Icon, Failure> {
    serde_json::from_value(value.into()).map_err(|_| {
        let known = "swords, skull, question, bag, fire, chest, crown, star, diamond, flask, key, shield";
        refuse("kind", text, &format!("no icon \"{value}\"; known: {known}"))
    })
}

fn fix_row(kinds: &mut KindsConfig, text: &str, rows: i64) -> Result<(), Failure> {
    let parts = text.split_once('=').and_then(|(row, kind)| Some((row.parse::<i64>().ok()?, kind)));
    let (row, kind) = parts.ok_or_else(|| refuse("fixed", text, "write ROW=KIND, as in 8=treasure"))?;
    let from_bottom = |row: i64| if row < 0 { row.saturating_add(rows) } else { row };
    kinds.fixed.retain(|fixed| from_bottom(fixed.row) != from_bottom(row));
    if !kind.is_empty() {
        kinds.fixed.push(FixedRow { row, kind: kind.to_owned() });
    }
    Ok(())
}

fn parse_band(text: &str) -> Result<BandConfig, Failure> {
    let wrong =
        || refuse("band", text, "write FROM..TO:KIND=WEIGHT,KIND=WEIGHT, as in 0..4:monster=60,event=40");
    let (rows, weights) = text.split_once(':').ok_or_else(wrong)?;
    let (from, to) = rows.split_once("..").ok_or_else(wrong)?;
    let weights = weights.split(',').map(|pair| {
        let (kind, weight) = pair.split_once('=').ok_or_else(wrong)?;
        let no_weight = || refuse("band", text, &format!("{pair}: use a whole number, {WEIGHTS}"));
        Ok((kind.to_owned(), weight.parse().map_err(|_| no_weight())?))
    });
    Ok(BandConfig {
        from: from.parse().map_err(|_| wrong())?,
        to: to.parse().map_err(|_| wrong())?,
        weights: weights.collect::<Result<_, Failure>>()?,
    })
}
