//! Serialisable report of all route queries.

use super::{Dominated, Fork, PointOfNoReturn, Route, Routes};
use crate::{ActMap, KindId, NodePos};
use serde::Serialize;
use wayforge_core::{Digest, Seed};

/// Maximum length of each list of a report. The totals are exact.
const MAX_LISTED: usize = 1_000;

/// Analysis of the routes of a map from one position; see `docs/routes.md`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RouteReport {
    /// The algorithm that generated the map.
    pub algorithm: String,
    /// The seed of the map.
    pub seed: Seed,
    /// The digest of the map's document.
    pub digest: Digest,
    /// Position where the routes start; null for before the first row.
    pub from: Option<NodePos>,
    /// The exact number of routes in decimal.
    pub routes: String,
    /// Minimum and maximum of each kind.
    pub kinds: Vec<KindReport>,
    /// Number of nodes with at least two choices.
    pub choice_points: u64,
    /// Nodes whose choices lead to different kinds.
    pub forks: Listed<Fork<String>>,
    /// Choices that are dominated by another choice.
    pub dominated: Listed<Dominated>,
    /// Choices that lower the maximum count of a kind.
    pub points_of_no_return: Listed<PointOfNoReturn<String>>,
    /// Description of the choices at `from`.
    pub choices: String,
}

/// A list of at most 1,000 entries, with the total number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listed<T> {
    /// Number of entries before truncation.
    pub total: u64,
    /// The first 1,000 entries.
    pub list: Vec<T>,
}

/// Minimum and maximum of one kind, with routes as lists of columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct KindReport {
    pub kind: String,
    pub min: u16,
    pub max: u16,
    pub min_route: Vec<u16>,
    pub max_route: Vec<u16>,
}

/// One route with its description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RouteDescription {
    /// The row of the first column.
    pub row: u16,
    /// The column on each row, from `row` up.
    pub cols: Vec<u16>,
    /// The route in plain sentences.
    pub description: String,
}

impl Routes {
    /// Returns the results of all route queries from `from`. `map` must be the map of these routes.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let report = act::routes(&map).report(&map, None);
    /// assert_eq!(report.routes, act::routes(&map).count(None).to_string());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self, map: &ActMap, from: Option<NodePos>) -> RouteReport {
        let kind = |id: Option<KindId>| map.kind_name(id).map(str::to_owned);
        let name = |id: KindId| kind(Some(id)).unwrap_or_default();
        let kinds = self.kind_ranges(from).into_iter().map(|range| KindReport {
            kind: name(range.kind),
            min: range.min,
            max: range.max,
            min_route: range.min_route.cols,
            max_route: range.max_route.cols,
        });
        let forks = self.forks(from).map(|Fork { at, cols, kinds }| {
            let kinds = kinds.into_iter().map(kind).collect();
            Fork { at, cols, kinds }
        });
        let points_of_no_return = self.points_of_no_return(from).map(
            |PointOfNoReturn { at, choice, kind, before, after }| {
                let kind = name(kind);
                PointOfNoReturn { at, choice, kind, before, after }
            },
        );
        RouteReport {
            algorithm: map.spec.algorithm().to_owned(),
            seed: map.seed.clone(),
            digest: map.to_document().digest,
            from,
            routes: self.count(from).to_string(),
            kinds: kinds.collect(),
            choice_points: self.choice_points(from) as u64,
            forks: truncate(forks),
            dominated: truncate(self.dominated(from)),
            points_of_no_return: truncate(points_of_no_return),
            choices: self.describe_choices(from),
        }
    }

    /// Returns a route with its description.
    pub fn describe(&self, route: &Route) -> RouteDescription {
        RouteDescription {
            row: route.row,
            cols: route.cols.clone(),
            description: self.describe_route(route),
        }
    }
}

fn truncate<T>(mut items: impl Iterator<Item = T>) -> Listed<T> {
    let list: Vec<T> = items.by_ref().take(MAX_LISTED).collect();
    Listed { total: (list.len() + items.count()) as u64, list }
}
