//! Floors from templates.

use super::map::{Entity, Floor, NO_TIME, Origin, TileKind};
use super::spec::FloorSpec;
use super::template::{Plan, Template, Variant};
use super::validate::Judge;
use super::{FloorConfig, Notes};
use crate::Seed;
use crate::grid::{Dir, Pos, Size};
use std::sync::Arc;

/// The floor of one variant: the template's tiles and entities, turned, with a shortest way.
pub(super) fn stamp(spec: &FloorSpec, plan: &Plan, variant: Variant) -> Floor {
    let turned = |pos: Pos| variant.turn.apply(pos, plan.size);
    let size = variant.turn.size(plan.size);
    let mut tiles = vec![TileKind::Wall; size.cells()];
    for pos in plan.size.iter() {
        tiles[size.index(turned(pos))] = plan.tile(pos, variant.ends);
    }
    let mut entities: Vec<Entity> = plan
        .entities
        .iter()
        .map(|(kind, pos, data)| Entity { data: data.clone(), ..Entity::new(*kind, turned(*pos)) })
        .collect();
    entities.sort_by_key(|entity| (entity.kind, entity.pos));
    let mut meta: Vec<(Pos, Arc<Notes>)> =
        plan.meta.iter().map(|(pos, notes)| (turned(*pos), notes.clone())).collect();
    meta.sort_by_key(|(pos, _)| *pos);
    Floor {
        seed: Seed::new(0),
        spec: spec.clone(),
        tiles,
        meta,
        entities,
        entrance: variant.entrance,
        exit: variant.exit,
        path: find_path(plan, variant.ends).into_iter().map(turned).collect(),
        origin: Origin::Template { turn: variant.turn },
        generated_at: NO_TIME.to_owned(),
    }
}

/// A shortest way through the template as it is written, so that it is the same one however it is turned: if one of them can, it keeps
/// off traps and chests, and it has as many cells beside chests as such a way can have. Empty if there is no way.
fn find_path(plan: &Plan, ends: [Pos; 2]) -> Vec<Pos> {
    let tile = |pos: Pos| plan.tile(pos, ends);
    let clear = |pos: Pos| tile(pos).walkable() && !matches!(tile(pos), TileKind::Trap | TileKind::Chest);
    let shortest = follow(plan.size, ends, &|pos| tile(pos).walkable(), &|_| false);
    let beside = |pos: Pos| {
        let near = |dir: &Dir| pos.step(*dir, plan.size).is_some_and(|next| tile(next) == TileKind::Chest);
        Dir::STRAIGHT.iter().any(near)
    };
    let kept_off = follow(plan.size, ends, &clear, &beside);
    if kept_off.len() == shortest.len() { kept_off } else { shortest }
}

/// The shortest way over `open` cells with the most `liked` ones; of equal ones that to the north, then east, south, west.
pub(super) fn follow(
    size: Size,
    [from, to]: [Pos; 2],
    open: &dyn Fn(Pos) -> bool,
    liked: &dyn Fn(Pos) -> bool,
) -> Vec<Pos> {
    // Steps to the exit, and the most liked cells on a shortest way there. A queue meets cells by their steps, so whatever is
    // nearer is done before.
    let mut best: Vec<Option<(u32, u32)>> = vec![None; size.cells()];
    let beside = |pos: Pos| Dir::STRAIGHT.into_iter().filter_map(move |dir| pos.step(dir, size));
    best[size.index(to)] = Some((0, 0));
    let mut queue = vec![to];
    let mut at = 0;
    while let Some(&pos) = queue.get(at) {
        at += 1;
        let Some((steps, count)) = best[size.index(pos)] else { continue };
        for next in beside(pos).filter(|&next| open(next)) {
            let here = &mut best[size.index(next)];
            let through = (steps + 1, count + u32::from(liked(next)));
            match here {
                None => {
                    *here = Some(through);
                    queue.push(next);
                }
                Some(known) if known.0 == through.0 => known.1 = known.1.max(through.1),
                Some(_) => {}
            }
        }
    }
    let mut way = Vec::new();
    let mut here = Some(from).filter(|&pos| best[size.index(pos)].is_some());
    while let Some(pos) = here {
        way.push(pos);
        let steps = best[size.index(pos)].map_or(0, |(steps, _)| steps);
        let nearer = |next: &Pos| best[size.index(*next)].is_some_and(|(left, _)| left + 1 == steps);
        let count = |next: &Pos| best[size.index(*next)].map_or(0, |(_, count)| count);
        // The first of the best, as ties fall to the last otherwise.
        here = beside(pos).filter(nearer).reduce(|a, b| if count(&b) > count(&a) { b } else { a });
    }
    way
}

impl Template {
    /// Lints the template: every fault of every orientation, with every entrance and exit that it marks. Empty if it is sound.
    pub fn check(&self) -> Vec<String> {
        let mut faults: Vec<String> = Vec::new();
        let plan = match self.plan() {
            Ok(plan) => plan,
            Err(error) => return vec![error.to_string()],
        };
        let mut judge = Judge::default();
        for size in [plan.size, Size::new(plan.size.height, plan.size.width)] {
            let variants = plan.variants(size);
            for variant in variants {
                let config = FloorConfig {
                    template: Some(self.clone()),
                    width: Some(size.width.into()),
                    height: Some(size.height.into()),
                    entrance: Some(variant.entrance.into()),
                    exit: Some(variant.exit.into()),
                    min_path_length: Some(0),
                    ..FloorConfig::default()
                };
                let fault = match config.resolve() {
                    Err(error) => Some(error.problem),
                    Ok(spec) => {
                        let verdict = judge.judge(&stamp(&spec, &plan, variant));
                        verdict.report.violations.first().map(ToString::to_string)
                    }
                };
                if let Some(fault) = fault {
                    let (turn, from, to) = (variant.turn.name(), variant.entrance, variant.exit);
                    faults.push(format!("{turn}, from {from} to {to}: {fault}"));
                }
            }
            if plan.size.width == plan.size.height {
                break;
            }
        }
        faults
    }
}
