//! All answers about a map's routes as one value that can be written down.

use super::{Dominated, Fork, NoReturn, Route, Routes};
use crate::{ActMap, KindId, NodePos};
use serde::Serialize;
use wayforge_core::{Digest, Seed};

/// How many entries each list of a report holds; the totals are exact.
const LISTED: usize = 1_000;

/// What the routes of a map meet from one place on; `docs/routes.md` explains every member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RouteReport {
    /// The algorithm that made the map.
    pub algorithm: String,
    /// Its seed.
    pub seed: Seed,
    /// The digest of its document.
    pub digest: Digest,
    /// Where it was asked from; null for the start.
    pub from: Option<NodePos>,
    /// The number of routes in decimal digits, exact at any size.
    pub routes: String,
    /// The least and the most of each kind.
    pub kinds: Vec<KindReport>,
    /// Places ahead with at least two choices.
    pub choice_points: u64,
    /// Places whose choices lead to different kinds.
    pub forks: Listed<Fork<String>>,
    /// Choices that another choice outdoes.
    pub dominated: Listed<Dominated>,
    /// Choices after which fewer of a kind can be met.
    pub no_returns: Listed<NoReturn<String>>,
    /// The choices here, in sentences.
    pub choices: String,
}

/// A list cut at a thousand entries, with how many there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listed<T> {
    /// How many there are.
    pub total: u64,
    /// The first thousand of them.
    pub list: Vec<T>,
}

/// The least and the most of one kind, with routes as columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)]
pub struct KindReport {
    pub kind: String,
    pub least: u16,
    pub most: u16,
    pub least_route: Vec<u16>,
    pub most_route: Vec<u16>,
}

/// One route in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToldRoute {
    /// The row of the first column.
    pub row: u16,
    /// The column on each row from there on.
    pub cols: Vec<u16>,
    /// The route in sentences.
    pub description: String,
}

impl Routes {
    /// Everything that is known about the routes of `map` from one place on.
    ///
    /// * **Arguments.** The map that these routes are of, and where to ask from.
    ///
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let report = act::routes(&map).report(&map, None);
    /// assert_eq!(report.routes, act::routes(&map).count(None).to_string());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn report(&self, map: &ActMap, from: Option<NodePos>) -> RouteReport {
        let kind = |id: Option<KindId>| map.kind_name(id).map(str::to_owned);
        let named = |id: KindId| kind(Some(id)).unwrap_or_default();
        let kinds = self.kinds(from).into_iter().map(|range| KindReport {
            kind: named(range.kind),
            least: range.least,
            most: range.most,
            least_route: range.least_route.cols,
            most_route: range.most_route.cols,
        });
        let forks = self.forks(from).map(|Fork { at, cols, kinds }| {
            let kinds = kinds.into_iter().map(kind).collect();
            Fork { at, cols, kinds }
        });
        let no_returns = self.no_returns(from).map(|NoReturn { at, choice, kind, before, after }| {
            let kind = named(kind);
            NoReturn { at, choice, kind, before, after }
        });
        RouteReport {
            algorithm: map.spec.algorithm().to_owned(),
            seed: map.seed.clone(),
            digest: map.to_document().digest,
            from,
            routes: self.count(from).to_string(),
            kinds: kinds.collect(),
            choice_points: self.choice_points(from) as u64,
            forks: listed(forks),
            dominated: listed(self.dominated(from)),
            no_returns: listed(no_returns),
            choices: self.describe_choices(from),
        }
    }

    /// A route with its description.
    pub fn told(&self, route: &Route) -> ToldRoute {
        ToldRoute { row: route.row, cols: route.cols.clone(), description: self.describe_route(route) }
    }
}

fn listed<T>(mut items: impl Iterator<Item = T>) -> Listed<T> {
    let list: Vec<T> = items.by_ref().take(LISTED).collect();
    Listed { total: (list.len() + items.count()) as u64, list }
}
