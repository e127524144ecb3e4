//! Command-line options for kinds and their rules.

use crate::failure::{Context, Failure, reject};
use crate::number::{set, whole};
use crate::overlay::given_options;
use clap::Args;
use serde::Serialize;
use wayforge::act::{BandConfig, Count, FixedRow, Icon, KindConfig, KindsChoice, KindsConfig};

/// Valid weights and rows, for error messages.
const WEIGHTS: &str = "0 to 1000000";
const ROWS: &str = "where 0 is the bottom row and -1 the top row";

/// Options that change the set of kinds.
#[derive(Args, Serialize)]
#[command(next_help_heading = "Kinds")]
pub(crate) struct KindArgs {
    /// Set of kinds to start from; none generates a skeleton without kinds [default: standard]
    #[arg(long, value_parser = ["standard", "none"], value_name = "SET")]
    kinds: Option<String>,
    /// Change or add a kind, e.g. shop:weight=9,route=1..; repeatable. Rules: weight=N,
    /// earliest=ROW, latest=ROW, no-repeat, may-repeat, siblings-differ, siblings-free,
    /// map=MIN..MAX, route=MIN..MAX, symbol=C, icon=NAME
    #[arg(long = "kind", value_name = "NAME:RULES")]
    kind: Vec<String>,
    /// Give all nodes of a row one kind, e.g. 8=treasure (-1 is the top row), or none with 8=;
    /// repeatable
    #[arg(
        long = "fixed",
        value_name = "ROW=KIND",
        allow_hyphen_values = true,
        value_parser = parse_fixed
    )]
    fixed: Vec<FixedRow>,
    /// Override weights on a range of rows, e.g. 0..4:monster=60,event=40; repeatable
    #[arg(
        long = "band",
        value_name = "FROM..TO:WEIGHTS",
        allow_hyphen_values = true,
        value_parser = parse_band
    )]
    band: Vec<BandConfig>,
    /// Kind of the boss
    #[arg(long, value_name = "KIND")]
    boss_kind: Option<String>,
    /// Conflicts before the search for kinds gives up on a skeleton, 0 to 10000000
    /// [default: 100000]
    #[arg(long, value_name = "N", value_parser = whole(0..=10000000))]
    search_limit: Option<i64>,
}

impl KindArgs {
    /// Applies the options to the choice of kinds. `standard` returns the ruleset's set for `rows`.
    pub(crate) fn apply(
        &self,
        choice: &mut KindsChoice,
        standard: fn(i64) -> KindsConfig,
        rows: i64,
    ) -> Result<(), Failure> {
        match self.kinds.as_deref() {
            Some("standard") => *choice = KindsChoice::Standard,
            Some(_) => *choice = KindsChoice::None,
            None => {}
        }
        if given_options(self)?.keys().all(|option| option == "kinds") {
            return Ok(());
        }
        if *choice == KindsChoice::Standard {
            *choice = KindsChoice::Custom(Box::new(standard(rows)));
        }
        let KindsChoice::Custom(kinds) = choice else {
            return reject(
                "--kinds none: the map has no kinds to change; leave out the other kind options",
            );
        };
        for text in &self.kind {
            change_kind(kinds, text).context(format!("--kind {text}"))?;
        }
        let from_bottom = |row: i64| if row < 0 { row.saturating_add(rows) } else { row };
        for fixed in &self.fixed {
            kinds.fixed.retain(|other| from_bottom(other.row) != from_bottom(fixed.row));
            kinds.fixed.extend(Some(fixed.clone()).filter(|fixed| !fixed.kind.is_empty()));
        }
        kinds.bands.extend(self.band.iter().cloned());
        kinds.boss = self.boss_kind.clone().or(kinds.boss.take());
        set(&mut kinds.search_limit, self.search_limit);
        Ok(())
    }
}

fn change_kind(kinds: &mut KindsConfig, text: &str) -> Result<(), String> {
    let (name, rules) = text.split_once(':').unwrap_or((text, ""));
    let index = kinds.kinds.iter().position(|kind| kind.name == name).unwrap_or_else(|| {
        kinds.kinds.push(KindConfig::new(name));
        kinds.kinds.len() - 1
    });
    let kind = &mut kinds.kinds[index];
    for rule in rules.split(',').filter(|rule| !rule.is_empty()) {
        let (key, value) = rule.split_once('=').unwrap_or((rule, ""));
        let number = |allowed: &str| {
            value.parse().map_err(|_| format!("{rule}: use a whole number, {allowed}"))
        };
        let count = || {
            parse_count(value)
                .ok_or_else(|| format!("{rule}: write a count as 2..4, ..4, 2.. or 3"))
        };
        match key {
            "weight" => kind.weight = number(WEIGHTS)?,
            "earliest" => kind.earliest = Some(number(ROWS)?),
            "latest" => kind.latest = Some(number(ROWS)?),
            "no-repeat" => kind.no_repeat = true,
            "may-repeat" => kind.no_repeat = false,
            "siblings-differ" => kind.siblings_differ = true,
            "siblings-free" => kind.siblings_differ = false,
            "map" => kind.map = count()?,
            "route" => kind.route = count()?,
            "symbol" => {
                kind.symbol = Some(
                    value
                        .parse()
                        .map_err(|_| format!("{rule}: write one character, as in symbol=S"))?,
                )
            }
            "icon" => kind.icon = Some(parse_icon(value)?),
            other => {
                let known = "weight, earliest, latest, no-repeat, may-repeat, siblings-differ, \
                             siblings-free, map, route, symbol, icon";
                return Err(format!("unknown rule \"{other}\"; use {known}"));
            }
        }
    }
    Ok(())
}

/// Parses `2..4`, `..4`, `2..`, or `3` for exactly three.
fn parse_count(value: &str) -> Option<Count> {
    let part = |part: &str| if part.is_empty() { Some(None) } else { part.parse().ok().map(Some) };
    let (min, max) = value.split_once("..").unwrap_or((value, value));
    Some(Count { min: part(min)?, max: part(max)? })
}

fn parse_icon(value: &str) -> Result<Icon, String> {
    let known =
        "swords, skull, question, bag, fire, chest, crown, star, diamond, flask, key, shield";
    serde_json::from_value(value.into())
        .map_err(|_| format!("unknown icon \"{value}\"; use {known}"))
}

fn parse_fixed(text: &str) -> Result<FixedRow, String> {
    let parts =
        text.split_once('=').and_then(|(row, kind)| Some((row.parse().ok()?, kind.to_owned())));
    let (row, kind) = parts.ok_or("write ROW=KIND, as in 8=treasure")?;
    Ok(FixedRow { row, kind })
}

fn parse_band(text: &str) -> Result<BandConfig, String> {
    let usage = "write FROM..TO:KIND=WEIGHT,KIND=WEIGHT, as in 0..4:monster=60,event=40";
    let (rows, weights) = text.split_once(':').ok_or(usage)?;
    let (from, to) = rows.split_once("..").ok_or(usage)?;
    let weights = weights.split(',').map(|pair| {
        let (kind, weight) = pair.split_once('=').ok_or(usage)?;
        let weight =
            weight.parse().map_err(|_| format!("{pair}: use a whole number, {WEIGHTS}"))?;
        Ok((kind.to_owned(), weight))
    });
    Ok(BandConfig {
        from: from.parse().map_err(|_| usage)?,
        to: to.parse().map_err(|_| usage)?,
        weights: weights.collect::<Result<_, String>>()?,
    })
}
