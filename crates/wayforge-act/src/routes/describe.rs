//! Routes and choices in plain sentences, fit for a screen reader.

use super::words::{between, listed, many, number, one, sentence};
use super::{Choice, Route, Routes, routes};
use crate::{ActMap, NodePos};
use std::cmp::Ordering;

/// Describes a route in plain sentences: where it starts, every step, what it meets, and whether a boss follows.
///
/// * **Arguments.** The map, and a whole route or the rest of one.
/// * **Returns.** Sentences without line breaks. If the route is none of this map's, they say why.
/// * **Complexity.** Linear in the map; [`Routes::describe_route`] is linear in the route.
/// * **Determinism.** No stream; the same map and route give the same words.
///
/// ```
/// use wayforge_act::{self as act, routes::{self, Route}};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let route = Route { row: 0, cols: map.walks.get(0).to_vec() };
/// let text = routes::describe_route(&map, &route);
/// assert!(text.starts_with("Start at column "), "{text}");
/// assert!(text.contains(" 15 places: ") && text.ends_with("; then the boss."), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn describe_route(map: &ActMap, route: &Route) -> String {
    routes(map).describe_route(route)
}

/// Describes the choices at a node, or of a start, in plain sentences: where each leads, and what can be met that way.
///
/// Only kinds for which the choices differ are spoken of.
///
/// * **Arguments.** The map, and where one stands: a node by row and column, or `None` before the first row.
/// * **Returns.** Sentences without line breaks.
/// * **Complexity.** Linear in the map; [`Routes::describe_choices`] is linear in choices times kinds.
/// * **Determinism.** No stream; the same map and place give the same words.
///
/// ```
/// use wayforge_act::{self as act, routes};
/// let map = act::generate(42.into(), &act::Config::default().resolve()?)?;
/// let start = map.nodes[0];
/// let text = routes::describe_choices(&map, Some(start.pos()));
/// assert!(text.starts_with(&format!("From {}, a monster, ", start.label())), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn describe_choices(map: &ActMap, at: Option<NodePos>) -> String {
    routes(map).describe_choices(at)
}

impl Routes {
    /// What [`describe_route`] says, without laying out the map again.
    pub fn describe_route(&self, route: &Route) -> String {
        if let Err(error) = self.check(route) {
            return format!("This is no route of the map: {}.", error.problem);
        }
        let cells: Vec<NodePos> = route.cells().collect();
        let kind = |cell| self.kind_at(cell);
        let Some(&first) = cells.first() else { return String::new() };
        let start = match route.row {
            0 => format!("column {}", first.col),
            _ => first.label(),
        };
        let mut text = format!("Start at {start}");
        if let Some(name) = kind(first) {
            text += &format!(" with {}", one(name));
        }
        let steps = cells.windows(2).map(|step| {
            let mut text = turn(step[0].col, step[1].col).to_owned();
            if step[0].col != step[1].col {
                text += &format!(" to column {}", step[1].col);
            }
            if let Some(name) = kind(step[1]) {
                text += &format!(", {}", one(name));
            }
            text
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
        let names = self.spec.kinds().iter().map(|kind| kind.name.as_str());
        let met: Vec<String> = names
            .zip(self.tally(route))
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| many(count, name))
            .collect();
        if !met.is_empty() {
            text += &format!(": {}", listed(&met));
        }
        text + if self.boss { "; then the boss." } else { "." }
    }

    /// What [`describe_choices`] says, without laying out the map again.
    pub fn describe_choices(&self, at: Option<NodePos>) -> String {
        let choices = self.choices(at);
        let Some(cell) = at else {
            return match choices.len() {
                0 => "No route leads to the top.".to_owned(),
                1 => format!("There is one place to start: {}.", self.goal(None, &choices[0])),
                count => {
                    self.compare(&format!("There are {} places to start.", number(count)), None, &choices)
                }
            };
        };
        let Some(node) = self.graph.find(cell) else {
            return format!("There is no node {cell}.");
        };
        let here = match self.kind_at(cell) {
            Some(name) => format!("{}, {},", cell.label(), one(name)),
            None => cell.label(),
        };
        let top = usize::from(cell.row) == self.graph.last_row();
        match choices.len() {
            _ if !self.graph.open[node] => format!("From {here} no way leads to the top."),
            0 if top && self.boss => format!("From {here} the way leads to the boss."),
            0 => format!("{} ends the way: it stands on the top row.", sentence(&here)),
            1 => format!("From {here} one way leads on: {}.", self.goal(at, &choices[0])),
            count => self.compare(&format!("From {here} {} ways lead on.", number(count)), at, &choices),
        }
    }

    /// The head, a sentence for each choice, and how they differ.
    fn compare(&self, head: &str, at: Option<NodePos>, choices: &[Choice]) -> String {
        let differ =
            |kind: &usize| choices.iter().any(|choice| choice.counts[*kind] != choices[0].counts[*kind]);
        let kinds: Vec<usize> = (0..self.spec.kinds().len()).filter(differ).collect();
        let mut text = head.to_owned();
        for choice in choices {
            text += &format!(" {}", sentence(&self.goal(at, choice)));
            let met = kinds.iter().map(|&kind| {
                let (least, most) = choice.counts[kind];
                between(least, most, &self.spec.kinds()[kind].name)
            });
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
        let mut text = match at {
            Some(from) => format!("{} to {}", turn(from.col, choice.to.col), choice.to.label()),
            None => format!("column {}", choice.to.col),
        };
        if let Some(name) = self.kind_at(choice.to) {
            text += &format!(", {}", one(name));
        }
        text
    }

    fn kind_at(&self, cell: NodePos) -> Option<&str> {
        let kind = self.graph.kinds[self.graph.find(cell)?]?;
        self.spec.kinds().get(usize::from(kind)).map(|kind| kind.name.as_str())
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
