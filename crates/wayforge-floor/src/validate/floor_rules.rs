//! Rules of a single floor, each checked directly by its definition.

use super::view::{UNREACHABLE, View};
use super::{Findings, INVALID_POS, rules};
use crate::config::Budget;
use crate::map::Content;
use crate::spec::Method;
use crate::{Entity, Floor, OpenMethod, Origin, TileKind};
use std::collections::BTreeSet;
use wayforge_core::Place;
use wayforge_core::grid::Dir;

/// Minimum number of tiles that a door separates from the entrance.
const MIN_GUARDED_TILES: u32 = 3;
/// Minimum number of steps from the entrance to an enemy.
const MIN_ENEMY_DISTANCE: u16 = 2;

/// Checks the rules of the floor module specification, which apply to floors of any generator.
///
/// Budgets and the length of the shortest path are checked only if the configuration is known.
pub(super) fn check_specified_rules(
    floor: &Floor,
    view: &mut View,
    config_known: bool,
    findings: &mut impl Findings,
) {
    tiles_complete(floor, view, findings);
    ends_in_place(floor, view, findings);
    solvable(floor, view, findings);
    if config_known {
        min_path_length(floor, view, findings);
        budgets(floor, view, findings);
    }
    if !floor.path.is_empty() {
        path_witness(floor, view, findings);
    }
    no_stacking(floor, view, TileKind::is_walkable, findings);
    unique_ids(floor, findings);
}

/// Checks every rule, or only the rules of the specification if the origin is unknown.
pub(super) fn check(floor: &Floor, view: &mut View, findings: &mut impl Findings) {
    if floor.origin == Origin::Given {
        return check_specified_rules(floor, view, true, findings);
    }
    tiles_complete(floor, view, findings);
    ends_in_place(floor, view, findings);
    solvable(floor, view, findings);
    connected(view, findings);
    min_path_length(floor, view, findings);
    path_witness(floor, view, findings);
    budgets(floor, view, findings);
    entities(floor, view, findings);
    unique_ids(floor, findings);
    tiles(floor, view, findings);
    doors(floor, view, findings);
    safety(floor, view, findings);
    wall_density(floor, view, findings);
    template_matches(floor, findings);
    pins_match(floor, findings);
}

/// There is one tile for every cell.
fn tiles_complete(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin_rule(rules::TILES_COMPLETE);
    let (present, cells) = (floor.tiles.len(), view.size.cells());
    if present != cells {
        findings.violation(Place::Map, || {
            format!("{present} tiles, a floor of {} has {cells}", view.size)
        });
    }
}

/// Entrance and exit are on the floor, distinct, at their configured positions, and unique.
fn ends_in_place(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin_rule(rules::ENDS_IN_PLACE);
    let config = floor.spec.config();
    for (end, kind, requested) in [
        (floor.entrance, TileKind::Entrance, config.entrance),
        (floor.exit, TileKind::Exit, config.exit),
    ] {
        let (name, tile) = (kind.name(), floor.tile(end));
        if end == INVALID_POS {
            findings.violation(Place::Member(name.into()), || {
                format!("the {name} has no usable coordinates")
            });
            continue;
        }
        if !view.size.contains(end) {
            findings
                .violation_at(end, || format!("the {name} is outside a floor of {}", view.size));
        } else if tile != kind {
            findings.violation_at(end, || format!("the {name} is on a {} tile", tile.name()));
        }
        if let Some(requested) = requested.filter(|&requested| requested != end.into()) {
            findings.violation_at(end, || {
                format!("the {name} is configured at {},{}", requested.x, requested.y)
            });
        }
        if view.counts[kind as usize] == 1 && tile == kind {
            continue;
        }
        for pos in view.cells_of(floor, kind).filter(|&pos| pos != end) {
            findings
                .violation_at(pos, || format!("a second {name}; the floor's {name} is at {end}"));
        }
    }
    if floor.entrance == floor.exit && floor.exit != INVALID_POS {
        findings.violation_at(floor.exit, || "entrance and exit are the same cell".into());
    }
}

/// The exit is reachable from the entrance.
fn solvable(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin_rule(rules::SOLVABLE);
    if view.distance_to(floor.exit) == UNREACHABLE {
        findings.violation_at(floor.exit, || "the exit cannot be reached from the entrance".into());
    }
}

/// Every walkable tile is reachable.
fn connected(view: &View, findings: &mut impl Findings) {
    findings.begin_rule(rules::CONNECTED);
    if view.reached == view.walkable {
        return;
    }
    for pos in
        view.size.iter().filter(|&pos| view.is_open(pos) && view.distance_to(pos) == UNREACHABLE)
    {
        findings.violation_at(pos, || "cannot be reached from the entrance".into());
    }
}

/// The shortest path has at least the configured length.
fn min_path_length(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin_rule(rules::MIN_PATH_LENGTH);
    let (steps, minimum) = (view.distance_to(floor.exit), floor.spec.min_path_length());
    if steps != UNREACHABLE && u32::from(steps) < minimum {
        findings.violation_at(floor.exit, || {
            format!("{} from the entrance, expected at least {minimum}", steps_label(steps))
        });
    }
}

/// The path is a shortest path from entrance to exit.
fn path_witness(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin_rule(rules::PATH_WITNESS);
    if let Some(step) = floor.path.iter().position(|&pos| pos == INVALID_POS) {
        let place = Place::Member(format!("path[{step}]"));
        return findings
            .violation(place, || format!("step {step} of the path has no usable coordinates"));
    }
    let (first, last) = (floor.path.first(), floor.path.last());
    if first != Some(&floor.entrance) || last != Some(&floor.exit) {
        return findings.violation(Place::Map, || {
            "the path does not lead from the entrance to the exit".into()
        });
    }
    // A path of neighbours is shortest if the distance from the entrance grows by one with every
    // step.
    for (step, (&pos, next)) in floor.path.iter().zip(floor.path.iter().skip(1)).enumerate() {
        if pos.manhattan_distance(*next) != 1 {
            findings.violation_at(pos, || {
                format!("step {step} of the path goes to {next}, which is not a neighbour")
            });
        }
    }
    for (step, &pos) in floor.path.iter().enumerate() {
        let steps = view.distance_to(pos);
        if usize::from(steps) != step {
            findings.violation_at(pos, || match steps {
                UNREACHABLE => format!("step {step} of the path cannot be reached"),
                steps => {
                    format!("step {step} of the path is {} from the entrance", steps_label(steps))
                }
            });
        }
    }
}

/// The number of objects of every budget is as configured.
fn budgets(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin_rule(rules::BUDGETS);
    let mut counts =
        Budget::ALL.map(|budget| budget.tile().map_or(0, |kind| view.counts[kind as usize]));
    floor.entities.iter().for_each(|entity| counts[entity.kind.budget() as usize] += 1);
    for budget in Budget::ALL {
        let (present, requested) = (counts[budget as usize], floor.spec.budget(budget));
        if present != requested {
            findings.violation(Place::Map, || {
                format!("{}, expected {requested}", budget.count_label(present))
            });
        }
    }
}

/// Entities are reachable and alone on a floor tile; enemies are far enough from the entrance.
fn entities(floor: &Floor, view: &mut View, findings: &mut impl Findings) {
    findings.begin_rule(rules::REACHABLE);
    for entity in &floor.entities {
        // Another rule covers entities outside the floor.
        if view.size.contains(entity.pos) && view.distance_to(entity.pos) == UNREACHABLE {
            findings.violation_at(entity.pos, || {
                format!("the {} cannot be reached", entity.kind.name())
            });
        }
    }
    // If every walkable tile is reachable, so are these.
    let has_unreachable = view.reached != view.walkable;
    for (pos, &tile) in view.size.iter().zip(&floor.tiles).take_while(|_| has_unreachable) {
        let is_object = matches!(tile, TileKind::Chest | TileKind::Door | TileKind::Trap);
        if is_object && view.distance_to(pos) == UNREACHABLE {
            findings.violation_at(pos, || format!("the {} cannot be reached", tile.name()));
        }
    }
    no_stacking(floor, view, |tile| tile == TileKind::Floor, findings);
    findings.begin_rule(rules::ENEMY_DISTANCE);
    for enemy in floor.entities.iter().filter(|entity| entity.kind.budget() == Budget::Enemy) {
        let steps = view.distance_to(enemy.pos);
        if steps < MIN_ENEMY_DISTANCE {
            let minimum = MIN_ENEMY_DISTANCE;
            findings.violation_at(enemy.pos, || {
                format!(
                    "the enemy is {} from the entrance, the minimum is {minimum}",
                    steps_label(steps)
                )
            });
        }
    }
}

/// Every entity is on the floor, on a tile of an allowed kind, and alone there.
fn no_stacking(
    floor: &Floor,
    view: &mut View,
    allowed: fn(TileKind) -> bool,
    findings: &mut impl Findings,
) {
    findings.begin_rule(rules::NO_STACKING);
    for (index, entity) in floor.entities.iter().enumerate() {
        let (name, tile) = (entity.kind.name(), floor.tile(entity.pos));
        if entity.pos == INVALID_POS {
            let place = Place::Member(format!("entities[{index}].pos"));
            findings.violation(place, || format!("the {name} has no usable coordinates"));
            continue;
        }
        if !view.size.contains(entity.pos) {
            let id = || {
                floor
                    .ids()
                    .nth(index)
                    .map_or_else(String::new, |(id, _)| format!("{id} at {}", entity.pos))
            };
            findings.violation_at(entity.pos, || {
                format!("{} is outside a floor of {}", id(), view.size)
            });
            continue;
        }
        if !allowed(tile) {
            findings
                .violation_at(entity.pos, || format!("the {name} is on a {} tile", tile.name()));
        }
        let occupied = &mut view.occupied[view.size.index(entity.pos)];
        if std::mem::replace(occupied, true) {
            findings.violation_at(entity.pos, || format!("the {name} is not the only entity here"));
        }
    }
}

/// Entity ids are unique.
fn unique_ids(floor: &Floor, findings: &mut impl Findings) {
    findings.begin_rule(rules::UNIQUE_IDS);
    // Default ids are numbered, so only custom ids can repeat.
    if floor.entities.iter().all(|entity| entity.id.is_none()) {
        return;
    }
    let mut seen = BTreeSet::new();
    for (index, (id, _)) in floor.ids().enumerate() {
        if let Some(id) = seen.replace(id) {
            findings.violation(Place::Member(format!("entities[{index}].id")), || {
                format!("{} is the id of an earlier entity", serde_json::Value::from(id))
            });
        }
    }
}

fn steps_label(steps: u16) -> String {
    format!("{steps} {}", if steps == 1 { "step" } else { "steps" })
}

/// Chests are next to the path, traps and water off it.
fn tiles(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin_rule(rules::CHEST_BESIDE_PATH);
    for pos in view.cells_of(floor, TileKind::Chest) {
        if view.is_on_path(pos) {
            findings.violation_at(pos, || "the chest is on the path".into());
        } else if !view.neighbours(pos).any(|next| view.is_on_path(next)) {
            findings.violation_at(pos, || "the chest is not next to the path".into());
        }
    }
    for (rule, kind) in
        [(rules::TRAP_OFF_PATH, TileKind::Trap), (rules::WATER_OFF_PATH, TileKind::Water)]
    {
        findings.begin_rule(rule);
        for pos in view.cells_of(floor, kind).filter(|&pos| view.is_on_path(pos)) {
            findings.violation_at(pos, || format!("the {} is on the path", kind.name()));
        }
    }
}

/// Doors have walls on two opposite sides and open tiles on the other two.
///
/// Closing a door separates enough tiles from the entrance, and no two doors are neighbours.
fn doors(floor: &Floor, view: &mut View, findings: &mut impl Findings) {
    findings.begin_rule(rules::DOOR_AT_CHOKEPOINT);
    let reached = view.reached;
    for pos in view.cells_of(floor, TileKind::Door) {
        let open = |dir: Dir| pos.step(dir, view.size).is_some_and(|next| view.is_open(next));
        let [north, east, south, west] = Dir::STRAIGHT.map(open);
        let horizontal = east && west && !north && !south;
        let vertical = north && south && !east && !west;
        if !horizontal && !vertical {
            findings.violation_at(pos, || "the door is not between two walls".into());
        } else if view.reached_without(floor, pos) + 1 == reached {
            findings.violation_at(pos, || "the door can be bypassed".into());
        }
    }
    findings.begin_rule(rules::DOOR_GUARDS);
    for pos in view.cells_of(floor, TileKind::Door) {
        // Other rules cover doors that are unreachable or can be bypassed.
        let guarded = reached.saturating_sub(view.reached_without(floor, pos) + 1);
        if (1..MIN_GUARDED_TILES).contains(&guarded) {
            findings.violation_at(pos, || {
                format!("the door guards {guarded} tiles, expected at least {MIN_GUARDED_TILES}")
            });
        }
        if view.neighbours(pos).any(|next| floor.tile(next) == TileKind::Door) {
            findings.violation_at(pos, || "the door is next to another door".into());
        }
    }
    if view.counts[TileKind::Door as usize] > 0 {
        view.compute_distances(floor, std::iter::empty());
    }
}

/// If configured, the exit and the chests are reachable without stepping on an enemy's tile.
fn safety(floor: &Floor, view: &mut View, findings: &mut impl Findings) {
    let config = floor.spec.config();
    if !config.safe_route && !config.safe_chests {
        return;
    }
    let enemies = floor.entities.iter().filter(|entity| entity.kind.budget() == Budget::Enemy);
    view.compute_distances(floor, enemies.map(|enemy| enemy.pos));
    if config.safe_route {
        findings.begin_rule(rules::SAFE_ROUTE);
        if view.distance_to(floor.exit) == UNREACHABLE {
            findings.violation_at(floor.exit, || "every route to the exit passes an enemy".into());
        }
    }
    if config.safe_chests {
        findings.begin_rule(rules::SAFE_CHESTS);
        for pos in view
            .cells_of(floor, TileKind::Chest)
            .filter(|&pos| view.distance_to(pos) == UNREACHABLE)
        {
            findings.violation_at(pos, || "every route to the chest passes an enemy".into());
        }
    }
    view.compute_distances(floor, std::iter::empty());
}

/// At most the configured share of tiles is closed.
///
/// Does not apply if entrance and exit are closer than the minimum path length, because the path
/// then needs more walls. Rooms, doors, pins and fallback layouts only approximate the share.
fn wall_density(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin_rule(rules::WALL_DENSITY);
    let config = floor.spec.config();
    let is_carved_by_density = matches!(floor.origin, Origin::Carve { .. })
        && config.open == OpenMethod::Density
        && floor.spec.budget(Budget::Door) == 0;
    let unconstrained =
        floor.entrance.manhattan_distance(floor.exit) >= floor.spec.min_path_length();
    let Some(density) = config
        .wall_density
        .filter(|_| is_carved_by_density && unconstrained && config.pins.is_empty())
    else {
        return;
    };
    let cells = view.size.cells() as u32;
    let maximum = density.of(cells).max(floor.spec.budget(Budget::Water));
    let closed = cells - view.walkable;
    if closed > maximum {
        findings.violation(Place::Map, || {
            format!(
                "{closed} of {cells} tiles are closed, expected at most {maximum} (share {density})"
            )
        });
    }
}

/// Pinned cells have the pinned content.
fn pins_match(floor: &Floor, findings: &mut impl Findings) {
    let Method::Pinned(pins, _) = floor.spec.method() else { return };
    findings.begin_rule(rules::PINS_MATCH);
    for (pos, fixed) in pins.iter() {
        let actual =
            Content { tile: floor.tile(pos), entity: floor.entity(pos).map(|entity| entity.kind) };
        if actual != fixed {
            findings.violation_at(pos, || format!("{}, pinned as {}", actual.name(), fixed.name()));
        }
    }
}

/// A floor from a template equals the template transformed by its symmetry.
///
/// Games may use `meta` and `data` freely.
fn template_matches(floor: &Floor, findings: &mut impl Findings) {
    findings.begin_rule(rules::TEMPLATE_MATCHES);
    let Some(template) = floor.spec.template() else { return };
    let (Origin::Template { symmetry }, Ok(plan)) = (floor.origin, template.plan()) else {
        let why = || format!("the floor was not generated from the template {}", template.id);
        return findings.violation(Place::Map, why);
    };
    if symmetry.size(plan.size) != floor.size() {
        let why =
            || format!("the template has another size after the symmetry {}", symmetry.name());
        return findings.violation(Place::Map, why);
    }
    let transform = |pos| symmetry.apply(pos, plan.size);
    for pos in plan.size.iter() {
        let (expected, actual) = (plan.tiles[plan.size.index(pos)], floor.tile(transform(pos)));
        let is_end = matches!(expected, TileKind::Entrance | TileKind::Exit);
        // Objects beyond the template's are placed on its free floor.
        let added = Budget::from_tile(actual)
            .is_some_and(|budget| floor.spec.budget(budget) > plan.count(budget) as u32);
        let is_free = is_end || expected == TileKind::Floor;
        if actual != expected && !(is_end && actual == TileKind::Floor) && !(is_free && added) {
            findings.violation_at(transform(pos), || {
                format!("{}, the template has {}", actual.name(), expected.name())
            });
        }
    }
    for Entity { kind, pos, .. } in &plan.entities {
        let pos = transform(*pos);
        if floor.entity(pos).is_none_or(|entity| entity.kind != *kind) {
            findings.violation_at(pos, || format!("the template's {} is missing", kind.name()));
        }
    }
}
