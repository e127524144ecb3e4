//! Floors from templates.

use super::board::{Board, Rows, Tracks};
use super::map::{Entity, Floor, NO_TIME, Origin, TileKind};
use super::spec::FloorSpec;
use super::template::{Plan, Template, Variant};
use super::validate::Judge;
use super::{FloorConfig, Notes};
use crate::Seed;
use crate::grid::Pos;
use std::sync::Arc;

/// The floor of one variant: the template's tiles and entities, turned, with a shortest way that keeps off traps if there is one.
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
        .map(|(kind, pos, data)| Entity { kind: *kind, pos: turned(*pos), data: data.clone() })
        .collect();
    entities.sort_by_key(|entity| (entity.kind, entity.pos));
    let mut meta: Vec<(Pos, Arc<Notes>)> =
        plan.meta.iter().map(|(pos, notes)| (turned(*pos), notes.clone())).collect();
    meta.sort_by_key(|(pos, _)| *pos);
    let mut floor = Floor {
        seed: Seed(0),
        spec: spec.clone(),
        tiles,
        meta,
        entities,
        entrance: variant.entrance,
        exit: variant.exit,
        path: Vec::new(),
        origin: Origin::Template { turn: variant.turn },
        generated_at: NO_TIME.to_owned(),
    };
    floor.path = find_path(&floor);
    floor
}

/// A shortest way, off traps if one of them is, or else any; none if there is no way.
fn find_path(floor: &Floor) -> Vec<Pos> {
    let frame = <Rows as Board>::frame(floor.size());
    let (mut open, mut safe) = (Rows::empty(&frame), Rows::empty(&frame));
    for pos in floor.size().iter().filter(|&pos| floor.tile(pos).walkable()) {
        open.add(frame.cell(pos));
        if floor.tile(pos) != TileKind::Trap {
            safe.add(frame.cell(pos));
        }
    }
    let (from, to) = (frame.cell(floor.entrance), frame.cell(floor.exit));
    let (mut tracks, mut way, mut wary) = (Tracks::default(), Vec::new(), Vec::new());
    let any = open.find_way(&frame, from, to, &safe, &mut tracks, &mut way);
    let off_traps = safe.find_way(&frame, from, to, &safe, &mut tracks, &mut wary);
    let chosen = if off_traps && wary.len() == way.len() { wary } else { way };
    if any { chosen.into_iter().map(|cell| frame.pos(cell)).collect() } else { Vec::new() }
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
        for size in [plan.size, crate::grid::Size::new(plan.size.height, plan.size.width)] {
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
