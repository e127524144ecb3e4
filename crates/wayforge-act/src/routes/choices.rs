//! Comparison of choices: forks, dominated choices and points of no return.

use super::Routes;
use crate::{KindId, NodePos};
use serde::Serialize;

/// One choice at a node, and the counts of kinds that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The node it leads to.
    pub to: NodePos,
    /// The node's kind.
    pub kind: Option<KindId>,
    /// Minimum and maximum of every kind from that node to the top, the node included; by kind.
    pub counts: Vec<(u16, u16)>,
}

/// A fork: a node with choices that lead to different kinds. Reports name the kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ForkReport"))]
pub struct Fork<K = KindId> {
    /// The node with the choice, or `None` (null) for the choice of a start.
    pub at: Option<NodePos>,
    /// The columns to choose from.
    pub cols: Vec<u16>,
    /// The distinct kinds among them, in order.
    pub kinds: Vec<Option<K>>,
}

/// A choice that is dominated by another choice at the same node.
///
/// For every kind, the other choice's range of counts contains this one's, and at least one range
/// is wider. Ranges are compared kind by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DominatedReport"))]
pub struct Dominated {
    /// The node with the choice, or `None` (null) for the choice of a start.
    pub at: Option<NodePos>,
    /// The node that the choice leads to.
    pub choice: NodePos,
    /// The leftmost node that a dominating choice leads to.
    pub by: NodePos,
}

/// A point of no return: a choice that lowers the maximum count of a kind.
///
/// Another choice at the same node allows more of the kind. Reports name the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "NoReturnReport"))]
pub struct PointOfNoReturn<K = KindId> {
    /// The node with the choice, or `None` (null) for the choice of a start.
    pub at: Option<NodePos>,
    /// The node that the choice leads to.
    pub choice: NodePos,
    /// The kind.
    pub kind: K,
    /// Maximum count over all choices at the node.
    pub before: u16,
    /// Maximum count after this choice; 0 if the kind can no longer be reached.
    pub after: u16,
}

impl Routes {
    /// Returns the choices at a node, or of a start, that lead to the top; by column.
    ///
    /// Empty on the top row and where there is no node.
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// let starts = routes.choices(None);
    /// assert!(starts.len() >= 2 && starts.iter().all(|choice| choice.to.row == 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choices(&self, at: Option<NodePos>) -> Vec<Choice> {
        let Some(origin) = self.graph.origin(at) else { return Vec::new() };
        let choice = |&next: &u32| {
            let node = next as usize;
            let (to, kind) = (self.graph.positions[node], self.graph.kinds[node].map(KindId));
            Choice { to, kind, counts: self.ranges.at(node).to_vec() }
        };
        self.graph.choices(origin).iter().map(choice).collect()
    }

    /// Counts the nodes reachable from `from`, inclusive, that have at least two choices.
    pub fn choice_points(&self, from: Option<NodePos>) -> usize {
        self.decision_points(from).filter(|&point| self.graph.choices(point).len() >= 2).count()
    }

    /// Returns the forks on routes from `from`, inclusive, by row and column; see [`Fork`].
    ///
    /// # Complexity
    /// O(edges).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// for fork in routes.forks(None) {
    ///     assert!(fork.cols.len() >= 2 && fork.kinds.len() >= 2);
    /// }
    /// assert!(routes.forks(None).count() <= routes.choice_points(None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forks(&self, from: Option<NodePos>) -> impl Iterator<Item = Fork> {
        self.decision_points(from).filter_map(|point| {
            let choices = self.graph.choices(point);
            let kind = |&node: &u32| self.graph.kinds[node as usize];
            let first = choices.first().map(kind)?;
            if choices.iter().all(|node| kind(node) == first) {
                return None;
            }
            let mut kinds: Vec<Option<KindId>> =
                choices.iter().map(|node| kind(node).map(KindId)).collect();
            kinds.sort_unstable();
            kinds.dedup();
            let cols =
                choices.iter().map(|&node| self.graph.positions[node as usize].col).collect();
            Some(Fork { at: self.cell(point), cols, kinds })
        })
    }

    /// Returns the dominated choices on routes from `from`; see [`Dominated`].
    ///
    /// # Complexity
    /// O(pairs of choices at each node * kinds).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// for worse in routes.dominated(None) {
    ///     let choices = routes.choices(worse.at);
    ///     let counts = |to| &choices.iter().find(|choice| choice.to == to).unwrap().counts;
    ///     let mut pairs = counts(worse.choice).iter().zip(counts(worse.by));
    ///     assert!(pairs.all(|(worse, better)| better.0 <= worse.0 && worse.1 <= better.1));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dominated(&self, from: Option<NodePos>) -> impl Iterator<Item = Dominated> {
        self.decision_points(from).flat_map(move |point| {
            let choices = self.graph.choices(point);
            choices.iter().filter_map(move |&choice| {
                let better = |&&by: &&u32| self.dominates(by as usize, choice as usize);
                let by = *choices.iter().find(better)?;
                let cell = |node: u32| self.graph.positions[node as usize];
                Some(Dominated { at: self.cell(point), choice: cell(choice), by: cell(by) })
            })
        })
    }

    /// Returns the points of no return on routes from `from`; see [`PointOfNoReturn`].
    ///
    /// Ordered by node, choice and kind.
    ///
    /// # Complexity
    /// O(pairs of choices at each node * kinds).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// for point in routes.points_of_no_return(None) {
    ///     let (max, _) = routes.max_count(point.kind, Some(point.choice)).unwrap();
    ///     assert!(max == point.after && point.after < point.before);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn points_of_no_return(
        &self,
        from: Option<NodePos>,
    ) -> impl Iterator<Item = PointOfNoReturn> {
        self.decision_points(from).flat_map(move |point| {
            let choices = self.graph.choices(point);
            let kinds = if choices.len() < 2 { 0 } else { self.spec.kinds().len() };
            let max = move |choice: u32, kind: usize| self.ranges.at(choice as usize)[kind].1;
            (0..choices.len() * kinds).filter_map(move |pair| {
                let (choice, kind) = (choices[pair / kinds], pair % kinds);
                let before = choices.iter().map(|&other| max(other, kind)).max()?;
                let after = max(choice, kind);
                let (at, choice) = (self.cell(point), self.graph.positions[choice as usize]);
                (after < before).then_some(PointOfNoReturn {
                    at,
                    choice,
                    kind: KindId(kind as u8),
                    before,
                    after,
                })
            })
        })
    }

    /// Returns `from` and every node reachable from it; `None` stands for the choice of a start.
    fn decision_points(&self, from: Option<NodePos>) -> impl Iterator<Item = Option<usize>> {
        let origin = self.graph.origin(from);
        let start = origin.filter(Option::is_none);
        start
            .into_iter()
            .chain(origin.into_iter().flat_map(|origin| self.graph.reachable(origin)).map(Some))
    }

    fn cell(&self, point: Option<usize>) -> Option<NodePos> {
        point.map(|node| self.graph.positions[node])
    }

    /// Whether every range of counts of `better` contains that of `worse`, and one is wider.
    fn dominates(&self, better: usize, worse: usize) -> bool {
        let (better, worse) = (self.ranges.at(better), self.ranges.at(worse));
        let mut pairs = better.iter().zip(worse);
        pairs.all(|(better, worse)| better.0 <= worse.0 && worse.1 <= better.1) && better != worse
    }
}
