//! What the choices on a map are worth: forks that matter, choices that another outdoes, points of no return.

use super::Routes;
use crate::{KindId, NodePos};
use serde::Serialize;

/// One way to go on, and what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The node it leads to.
    pub to: NodePos,
    /// The node's kind.
    pub kind: Option<KindId>,
    /// The least and the most of every kind from that node on, the node included; by the order of the map's set.
    pub counts: Vec<(u16, u16)>,
}

/// A real fork: a place with choices that lead to nodes of different kinds. Reports give kinds by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ForkReport"))]
pub struct Fork<K = KindId> {
    /// Where one chooses: a node, or `None` (null) for the choice of a start.
    pub at: Option<NodePos>,
    /// The columns that one can choose.
    pub cols: Vec<u16>,
    /// The different kinds among them, in order.
    pub kinds: Vec<Option<K>>,
}

/// A choice that another choice at the same place outdoes.
///
/// For every kind, the other's range of what can still be met, from least to most, contains this one's, and for
/// at least one kind it is wider. Ranges are compared kind by kind: for any number of any one kind, the other choice leaves
/// at least as much room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DominatedReport"))]
pub struct Dominated {
    /// Where one chooses: a node, or `None` (null) for the choice of a start.
    pub at: Option<NodePos>,
    /// The node that the choice leads to.
    pub choice: NodePos,
    /// The node that the better choice leads to; the leftmost, if there are several.
    pub by: NodePos,
}

/// A point of no return: a choice after which fewer of a kind can be met than after another choice at the same place. Reports
/// give the kind by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "NoReturnReport"))]
pub struct NoReturn<K = KindId> {
    /// Where one chooses: a node, or `None` (null) for the choice of a start.
    pub at: Option<NodePos>,
    /// The node that the choice leads to.
    pub choice: NodePos,
    /// The kind.
    pub kind: K,
    /// The most that the best choice would still allow.
    pub before: u16,
    /// The most after this choice; 0 means that the kind is lost for good.
    pub after: u16,
}

impl Routes {
    /// The choices at a node, or of a start, by column: every way on that still reaches the top.
    ///
    /// * **Returns.** Nothing at the top row and where there is no node.
    ///
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// let starts = routes.choices(None);
    /// assert!(starts.len() >= 2 && starts.iter().all(|choice| choice.to.row == 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn choices(&self, at: Option<NodePos>) -> Vec<Choice> {
        let Some(stand) = self.graph.stand(at) else { return Vec::new() };
        let choice = |&next: &u32| {
            let node = next as usize;
            let (to, kind) = (self.graph.cells[node], self.graph.kinds[node].map(KindId));
            Choice { to, kind, counts: self.spans.at(node).to_vec() }
        };
        self.graph.choices(stand).iter().map(choice).collect()
    }

    /// How many places ahead, this one included, leave at least two choices.
    pub fn choice_points(&self, from: Option<NodePos>) -> usize {
        self.stands(from).filter(|&stand| self.graph.choices(stand).len() >= 2).count()
    }

    /// The real forks ahead, this place included, by row and column.
    ///
    /// * **Returns.** Places that a route from here passes and whose choices lead to nodes of different kinds.
    /// * **Complexity.** Linear in edges.
    ///
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
        self.stands(from).filter_map(|stand| {
            let choices = self.graph.choices(stand);
            let kind = |&node: &u32| self.graph.kinds[node as usize];
            let first = choices.first().map(kind)?;
            if choices.iter().all(|node| kind(node) == first) {
                return None;
            }
            let mut kinds: Vec<Option<KindId>> = choices.iter().map(|node| kind(node).map(KindId)).collect();
            kinds.sort_unstable();
            kinds.dedup();
            let cols = choices.iter().map(|&node| self.graph.cells[node as usize].col).collect();
            Some(Fork { at: self.cell(stand), cols, kinds })
        })
    }

    /// The choices ahead that another choice at the same place outdoes; see [`Dominated`].
    ///
    /// * **Complexity.** Linear in the pairs of choices at each place, times kinds.
    ///
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
        self.stands(from).flat_map(move |stand| {
            let choices = self.graph.choices(stand);
            choices.iter().filter_map(move |&choice| {
                let better = |&&by: &&u32| self.outdoes(by as usize, choice as usize);
                let by = *choices.iter().find(better)?;
                let cell = |node: u32| self.graph.cells[node as usize];
                Some(Dominated { at: self.cell(stand), choice: cell(choice), by: cell(by) })
            })
        })
    }

    /// The points of no return ahead, by place, choice and kind; see [`NoReturn`].
    ///
    /// * **Complexity.** Linear in the pairs of choices at each place, times kinds.
    ///
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let routes = act::routes(&map);
    /// for point in routes.no_returns(None) {
    ///     let (still, _) = routes.most(point.kind, Some(point.choice)).unwrap();
    ///     assert!(still == point.after && point.after < point.before);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn no_returns(&self, from: Option<NodePos>) -> impl Iterator<Item = NoReturn> {
        self.stands(from).flat_map(move |stand| {
            let choices = self.graph.choices(stand);
            let kinds = if choices.len() < 2 { 0 } else { self.spec.kinds().len() };
            let most = move |choice: u32, kind: usize| self.spans.at(choice as usize)[kind].1;
            (0..choices.len() * kinds).filter_map(move |pair| {
                let (choice, kind) = (choices[pair / kinds], pair % kinds);
                let before = choices.iter().map(|&other| most(other, kind)).max()?;
                let after = most(choice, kind);
                let (at, choice) = (self.cell(stand), self.graph.cells[choice as usize]);
                (after < before).then_some(NoReturn { at, choice, kind: KindId(kind as u8), before, after })
            })
        })
    }

    /// The places where a run from here may choose: itself first, then every node ahead.
    fn stands(&self, from: Option<NodePos>) -> impl Iterator<Item = Option<usize>> {
        let stand = self.graph.stand(from);
        let start = stand.filter(Option::is_none);
        start.into_iter().chain(stand.into_iter().flat_map(|stand| self.graph.ahead(stand)).map(Some))
    }

    fn cell(&self, stand: Option<usize>) -> Option<NodePos> {
        stand.map(|node| self.graph.cells[node])
    }

    /// Whether every range of counts after `better` contains that after `worse`, and one is wider.
    fn outdoes(&self, better: usize, worse: usize) -> bool {
        let (better, worse) = (self.spans.at(better), self.spans.at(worse));
        let mut pairs = better.iter().zip(worse);
        pairs.all(|(better, worse)| better.0 <= worse.0 && worse.1 <= better.1) && better != worse
    }
}
