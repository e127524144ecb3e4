//! Routes and choices in plain sentences, fit for a screen reader.

use super::words::{between, listed, many, number, one, sentence};
use super::{Choice, Route, Routes};
use crate::NodePos;
use std::cmp::Ordering;

impl Routes {
    /// Describes a route in plain sentences: where it starts, every step, what it meets, and whether a boss follows.
    ///
    /// * **Arguments.** A whole route or the rest of one.
    /// * **Returns.** Sentences without line breaks. If the route is none of this map's, they say why.
    /// * **Complexity.** Linear in the route.
    /// * **Determinism.** No stream; the same map and route give the same words.
    ///
    /// ```
    /// use wayforge_act::{self as act, routes::Route};
    /// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
    /// let route = Route { row: 0, cols: map.walks.get(0).to_vec() };
    /// let text = act::routes(&map).describe_route(&route);
    /// assert!(text.starts_with("Start at column "), "{text}");
    /// assert!(text.contains(" 15 places: ") && text.ends_with("; then the boss."), "{text}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe_route(&self, route: &Route) -> String {
        if let Err(error) = self.check(route) {
            return format!("This is no route of the map: {}.", error.problem);
        }
        let cells: Vec<NodePos> = route.cells().collect();
        let kind = |before: &str, cell| self.kind_after(before, cell);
        let Some(&first) = cells.first() else { return String::new() };
        let start = match route.row {
            0 => format!("column {}", first.col),
            _ => first.label(),
        };
        let mut text = format!("Start at {start}{}", kind(" with ", first));
        let steps = cells.windows(2).map(|step| {
            let column = match step[0].col == step[1].col {
                true => String::new(),
                false => format!(" to column {}", step[1].col),
            };
            format!("{}{column}{}", turn(step[0].col, step[1].col), kind(", ", step[1]))
        });
        let steps: Vec<String> = steps.collect();
        if !steps.is_empty() {
            text += &format!(". Then {}", steps.join("; "));
        }
        let places = match cells.len() {
            1 => "1 place".to_owned(),
            count => format!("{count} places"),
        };
        text += &format!(". {places}");
        let tally = self.spec.kinds().iter().zip(self.tally(route)).filter(|(_, count)| *count > 0);
        let met: Vec<String> = tally.map(|(kind, count)| many(count, &kind.name)).collect();
        if !met.is_empty() {
            text += &format!(": {}", listed(&met));
        }
        text + if self.boss { "; then the boss." } else { "." }
    }

    /// Describes the choices at a node, or of a start, in plain sentences: where each leads, and what can be met that way.
    ///
    /// Only kinds for which the choices differ are named.
    ///
    /// * **Arguments.** A node by row and column, or `None` before the first row.
    /// * **Returns.** Sentences without line breaks.
    /// * **Complexity.** Linear in choices times kinds.
    /// * **Determinism.** No stream; the same map and place give the same words.
    ///
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
        let count = number(choices.len());
        let Some(cell) = at else {
            return match choices.len() {
                0 => "No route leads to the top.".to_owned(),
                1 => format!("There is one place to start: {}.", self.goal(None, &choices[0])),
                _ => self.compare(format!("There are {count} places to start."), None, &choices),
            };
        };
        let Some(node) = self.graph.find(cell) else { return format!("There is no node {cell}.") };
        let kind = self.kind_after(", ", cell);
        let here = format!("{}{kind}{}", cell.label(), if kind.is_empty() { "" } else { "," });
        let top = usize::from(cell.row) == self.graph.last_row();
        match choices.len() {
            _ if !self.graph.open[node] => format!("From {here} no way leads to the top."),
            0 if top && self.boss => format!("From {here} the way leads to the boss."),
            0 => format!("{} ends the way: it stands on the top row.", sentence(&here)),
            1 => format!("From {here} one way leads on: {}.", self.goal(at, &choices[0])),
            _ => self.compare(format!("From {here} {count} ways lead on."), at, &choices),
        }
    }

    /// The head, a sentence for each choice, and how they differ.
    fn compare(&self, mut text: String, at: Option<NodePos>, choices: &[Choice]) -> String {
        let differ =
            |kind: &usize| choices.iter().any(|choice| choice.counts[*kind] != choices[0].counts[*kind]);
        let kinds: Vec<usize> = (0..self.spec.kinds().len()).filter(differ).collect();
        for choice in choices {
            text += &format!(" {}", sentence(&self.goal(at, choice)));
            let met = kinds.iter().map(|&kind| between(choice.counts[kind], &self.spec.kinds()[kind].name));
            let met: Vec<String> = met.collect();
            if !met.is_empty() {
                text += &format!(": that way meets {}", listed(&met));
            }
            text.push('.');
        }
        if kinds.is_empty() && !self.spec.kinds().is_empty() {
            text += " What can be met that way is the same.";
        }
        text
    }

    /// "left to Node 4,4, a shop", or "column 4, a shop" for a start.
    fn goal(&self, at: Option<NodePos>, choice: &Choice) -> String {
        let kind = self.kind_after(", ", choice.to);
        match at {
            Some(from) => format!("{} to {}{kind}", turn(from.col, choice.to.col), choice.to.label()),
            None => format!("column {}{kind}", choice.to.col),
        }
    }

    /// The kind of a node with `before` in front, or nothing if it has none.
    fn kind_after(&self, before: &str, cell: NodePos) -> String {
        let kind = self.graph.find(cell).and_then(|node| self.graph.kinds[node]);
        let kind = kind.and_then(|kind| self.spec.kinds().get(usize::from(kind)));
        kind.map_or_else(String::new, |kind| format!("{before}{}", one(&kind.name)))
    }
}

/// Which way a step turns, seen by someone who looks up the map.
fn turn(from: u16, to: u16) -> &'static str {
    match to.cmp(&from) {
        Ordering::Less => "left",
        Ordering::Equal => "straight ahead",
        Ordering::Greater => "right",
    }
}
