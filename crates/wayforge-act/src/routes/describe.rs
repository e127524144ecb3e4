//! Descriptions of routes and choices in plain sentences, suitable for screen readers.

use super::words::{capitalize, counted, counted_range, join_list, number_word, with_article};
use super::{Choice, Route, Routes};
use crate::NodePos;
use std::cmp::Ordering;

impl Routes {
    /// Describes a route in plain sentences: start, steps, counts of kinds, and the boss.
    ///
    /// Accepts whole and partial routes. The text has no line breaks. If the route is not one of
    /// this map, the text says why.
    ///
    /// # Complexity
    /// O(rows).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act::{self as act, routes::Route};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let route = Route { row: 0, cols: map.walks.get(0).to_vec() };
    /// let text = act::routes(&map).describe_route(&route);
    /// assert!(text.starts_with("Start at column "), "{text}");
    /// assert!(text.contains(" 15 nodes: ") && text.ends_with("; then the boss."), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe_route(&self, route: &Route) -> String {
        if let Err(error) = self.check(route) {
            return format!("This is not a route of the map: {}.", error.problem);
        }
        let cells: Vec<NodePos> = route.positions().collect();
        let kind = |prefix: &str, cell| self.kind_with_prefix(prefix, cell);
        let Some(&first) = cells.first() else { return String::new() };
        let start = match route.row {
            0 => format!("column {}", first.col),
            _ => first.label(),
        };
        let mut text = format!("Start at {start}{}", kind(" with ", first));
        let steps = cells.windows(2).map(|step| {
            let column = if step[0].col == step[1].col {
                String::new()
            } else {
                format!(" to column {}", step[1].col)
            };
            format!("{}{column}{}", direction(step[0].col, step[1].col), kind(", ", step[1]))
        });
        let steps: Vec<String> = steps.collect();
        if !steps.is_empty() {
            text += &format!(". Then {}", steps.join("; "));
        }
        let length = match cells.len() {
            1 => "1 node".to_owned(),
            count => format!("{count} nodes"),
        };
        text += &format!(". {length}");
        let tally = self.spec.kinds().iter().zip(self.tally(route)).filter(|(_, count)| *count > 0);
        let counts: Vec<String> = tally.map(|(kind, count)| counted(count, &kind.name)).collect();
        if !counts.is_empty() {
            text += &format!(": {}", join_list(&counts));
        }
        text + if self.boss { "; then the boss." } else { "." }
    }

    /// Describes the choices at a node, or of a start, in plain sentences.
    ///
    /// Names the target of each choice and the counts of kinds that follow it, but only kinds for
    /// which the choices differ. The text has no line breaks.
    ///
    /// # Complexity
    /// O(choices * kinds).
    ///
    /// # Examples
    /// ```
    /// use wayforge_act as act;
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let start = map.nodes[0];
    /// let text = act::routes(&map).describe_choices(Some(start.pos()));
    /// assert!(text.starts_with(&format!("From {}, a monster, ", start.label())), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe_choices(&self, at: Option<NodePos>) -> String {
        let choices = self.choices(at);
        let count = number_word(choices.len());
        let Some(cell) = at else {
            return match choices.len() {
                0 => "No route leads to the top.".to_owned(),
                1 => format!("There is one starting node: {}.", self.target(None, &choices[0])),
                _ => self.compare(format!("There are {count} starting nodes."), None, &choices),
            };
        };
        let Some(node) = self.graph.find(cell) else { return format!("There is no node {cell}.") };
        let kind = self.kind_with_prefix(", ", cell);
        let place = format!("{}{kind}{}", cell.label(), if kind.is_empty() { "" } else { "," });
        let top = usize::from(cell.row) == self.graph.last_row();
        match choices.len() {
            _ if !self.graph.reaches_top[node] => {
                format!("From {place} no route leads to the top.")
            }
            0 if top && self.boss => format!("From {place} the route leads to the boss."),
            0 => format!("{} is on the top row, where the route ends.", capitalize(&place)),
            1 => format!("From {place} there is one choice: {}.", self.target(at, &choices[0])),
            _ => self.compare(format!("From {place} there are {count} choices."), at, &choices),
        }
    }

    /// Appends one sentence per choice to `text`, with the kinds for which the choices differ.
    fn compare(&self, mut text: String, at: Option<NodePos>, choices: &[Choice]) -> String {
        let differ = |kind: &usize| {
            choices.iter().any(|choice| choice.counts[*kind] != choices[0].counts[*kind])
        };
        let kinds: Vec<usize> = (0..self.spec.kinds().len()).filter(differ).collect();
        for choice in choices {
            text += &format!(" {}", capitalize(&self.target(at, choice)));
            let counts = kinds
                .iter()
                .map(|&kind| counted_range(choice.counts[kind], &self.spec.kinds()[kind].name));
            let counts: Vec<String> = counts.collect();
            if !counts.is_empty() {
                text += &format!(": from there on {}", join_list(&counts));
            }
            text.push('.');
        }
        if kinds.is_empty() && !self.spec.kinds().is_empty() {
            text += " All of them lead to the same counts of kinds.";
        }
        text
    }

    /// Names the target of a choice: "left to Node 4,4, a shop", or "column 4, a shop" for a start.
    fn target(&self, at: Option<NodePos>, choice: &Choice) -> String {
        let kind = self.kind_with_prefix(", ", choice.to);
        match at {
            Some(from) => {
                format!("{} to {}{kind}", direction(from.col, choice.to.col), choice.to.label())
            }
            None => format!("column {}{kind}", choice.to.col),
        }
    }

    /// Returns `prefix` and the kind of a node, or an empty string if it has no kind.
    fn kind_with_prefix(&self, prefix: &str, cell: NodePos) -> String {
        let kind = self.graph.find(cell).and_then(|node| self.graph.kinds[node]);
        let kind = kind.and_then(|kind| self.spec.kinds().get(usize::from(kind)));
        kind.map_or_else(String::new, |kind| format!("{prefix}{}", with_article(&kind.name)))
    }
}

/// Direction of a step, seen with row 0 at the bottom.
fn direction(from: u16, to: u16) -> &'static str {
    match to.cmp(&from) {
        Ordering::Less => "left",
        Ordering::Equal => "straight ahead",
        Ordering::Greater => "right",
    }
}
