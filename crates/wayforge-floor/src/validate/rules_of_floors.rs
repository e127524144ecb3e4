//! The rules of one floor, each by its definition.

use super::view::{FAR, View};
use super::{Findings, NOWHERE, rules};
use crate::config::Budget;
use crate::map::Content;
use crate::spec::Make;
use crate::{Entity, Floor, Opening, Origin, TileKind};
use std::collections::BTreeSet;
use wayforge_core::Place;
use wayforge_core::grid::Dir;

/// Doors separate at least this many tiles from the entrance.
const GUARDED_TILES: u32 = 3;
/// Enemies keep at least so many steps from the entrance.
const ENEMY_STEPS: u16 = 2;

/// Checks the rules that the document of floors states, for floors of any generator. Budgets and the shortest path's length
/// are known only with the configuration.
pub(super) fn check_given(floor: &Floor, view: &mut View, config_known: bool, findings: &mut impl Findings) {
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
    no_stacking(floor, view, TileKind::walkable, findings);
    unique_ids(floor, findings);
}

pub(super) fn check(floor: &Floor, view: &mut View, findings: &mut impl Findings) {
    if floor.origin == Origin::Given {
        return check_given(floor, view, true, findings);
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
    template_kept(floor, findings);
    pins_kept(floor, findings);
}

/// There is one tile for every cell.
fn tiles_complete(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin(rules::TILES_COMPLETE);
    let (there, cells) = (floor.tiles.len(), view.size.cells());
    if there != cells {
        findings.found(Place::Map, || format!("{there} tiles, a floor of {} has {cells}", view.size));
    }
}

/// Entrance and exit are on the floor, apart, where they were asked for, and the only tiles of their kinds.
fn ends_in_place(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin(rules::ENDS_IN_PLACE);
    let config = floor.spec.config();
    for (end, kind, asked) in
        [(floor.entrance, TileKind::Entrance, config.entrance), (floor.exit, TileKind::Exit, config.exit)]
    {
        let (name, tile) = (kind.name(), floor.tile(end));
        if end == NOWHERE {
            findings.found(Place::Member(name.into()), || format!("the {name} has no usable coordinates"));
            continue;
        }
        if !view.size.contains(end) {
            findings.at(end, || format!("the {name} lies beyond a floor of {}", view.size));
        } else if tile != kind {
            findings.at(end, || format!("the {name} is a tile of {}", tile.name()));
        }
        if let Some(asked) = asked.filter(|&asked| asked != end.into()) {
            findings.at(end, || format!("the {name} was asked for at {},{}", asked.x, asked.y));
        }
        if view.counts[kind as usize] == 1 && tile == kind {
            continue;
        }
        for pos in view.cells_of(floor, kind).filter(|&pos| pos != end) {
            findings.at(pos, || format!("another {name}: the floor's is at {end}"));
        }
    }
    if floor.entrance == floor.exit && floor.exit != NOWHERE {
        findings.at(floor.exit, || "entrance and exit are one cell".into());
    }
}

/// The exit can be reached from the entrance.
fn solvable(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin(rules::SOLVABLE);
    if view.steps_to(floor.exit) == FAR {
        findings.at(floor.exit, || "the exit cannot be reached from the entrance".into());
    }
}

/// Every tile that can be walked on can be reached.
fn connected(view: &View, findings: &mut impl Findings) {
    findings.begin(rules::CONNECTED);
    if view.reached == view.walkable {
        return;
    }
    for pos in view.size.iter().filter(|&pos| view.is_open(pos) && view.steps_to(pos) == FAR) {
        findings.at(pos, || "cannot be reached from the entrance".into());
    }
}

/// The shortest way is at least as long as asked for.
fn min_path_length(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin(rules::MIN_PATH_LENGTH);
    let (steps, least) = (view.steps_to(floor.exit), floor.spec.min_path_length());
    if steps != FAR && u32::from(steps) < least {
        findings.at(floor.exit, || format!("{} from the entrance, {least} asked for", counted(steps)));
    }
}

/// The path is a shortest way from entrance to exit.
fn path_witness(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin(rules::PATH_WITNESS);
    if let Some(step) = floor.path.iter().position(|&pos| pos == NOWHERE) {
        let place = Place::Member(format!("path[{step}]"));
        return findings.found(place, || format!("step {step} of the path has no usable coordinates"));
    }
    let (first, last) = (floor.path.first(), floor.path.last());
    if first != Some(&floor.entrance) || last != Some(&floor.exit) {
        return findings.found(Place::Map, || "the path does not lead from the entrance to the exit".into());
    }
    // A way whose every cell is one step further is a shortest one, and its cells are neighbours if it is one.
    for (step, (&pos, next)) in floor.path.iter().zip(floor.path.iter().skip(1)).enumerate() {
        if pos.taxi_distance(*next) != 1 {
            findings.at(pos, || format!("step {step} of the path leads to {next}"));
        }
    }
    for (step, &pos) in floor.path.iter().enumerate() {
        let steps = view.steps_to(pos);
        if usize::from(steps) != step {
            findings.at(pos, || match steps {
                FAR => format!("step {step} of the path cannot be reached"),
                steps => format!("step {step} of the path is {} from the entrance", counted(steps)),
            });
        }
    }
}

/// There are exactly as many things of each kind as asked for.
fn budgets(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin(rules::BUDGETS);
    let mut counts = Budget::ALL.map(|budget| budget.tile().map_or(0, |kind| view.counts[kind as usize]));
    floor.entities.iter().for_each(|entity| counts[entity.kind.budget() as usize] += 1);
    for budget in Budget::ALL {
        let (there, asked) = (counts[budget as usize], floor.spec.budget(budget));
        if there != asked {
            findings.found(Place::Map, || format!("{}, {asked} asked for", budget.counted(there)));
        }
    }
}

/// Entities can be reached, stand alone on floor, and enemies keep their distance.
fn entities(floor: &Floor, view: &mut View, findings: &mut impl Findings) {
    findings.begin(rules::REACHABLE);
    for entity in &floor.entities {
        // An entity beyond the floor breaks another rule.
        if view.size.contains(entity.pos) && view.steps_to(entity.pos) == FAR {
            findings.at(entity.pos, || format!("the {} cannot be reached", entity.kind.name()));
        }
    }
    // Where every open tile is reached, these are.
    let cut_off = view.reached != view.walkable;
    for (pos, &tile) in view.size.iter().zip(&floor.tiles).take_while(|_| cut_off) {
        let matters = matches!(tile, TileKind::Chest | TileKind::Door | TileKind::Trap);
        if matters && view.steps_to(pos) == FAR {
            findings.at(pos, || format!("the {} cannot be reached", tile.name()));
        }
    }
    no_stacking(floor, view, |tile| tile == TileKind::Floor, findings);
    findings.begin(rules::ENEMY_DISTANCE);
    for enemy in floor.entities.iter().filter(|entity| entity.kind.budget() == Budget::Enemy) {
        let steps = view.steps_to(enemy.pos);
        if steps < ENEMY_STEPS {
            let least = ENEMY_STEPS;
            findings.at(enemy.pos, || {
                format!("the enemy is {} from the entrance, the least is {least}", counted(steps))
            });
        }
    }
}

/// Every entity is on the floor, on a tile of an allowed kind, and alone there.
fn no_stacking(floor: &Floor, view: &mut View, allowed: fn(TileKind) -> bool, findings: &mut impl Findings) {
    findings.begin(rules::NO_STACKING);
    for (at, entity) in floor.entities.iter().enumerate() {
        let (name, tile) = (entity.kind.name(), floor.tile(entity.pos));
        if entity.pos == NOWHERE {
            let place = Place::Member(format!("entities[{at}].pos"));
            findings.found(place, || format!("the {name} has no usable coordinates"));
            continue;
        }
        if !view.size.contains(entity.pos) {
            let id =
                || floor.ids().nth(at).map_or_else(String::new, |(id, _)| format!("{id} at {}", entity.pos));
            findings.at(entity.pos, || format!("{} lies beyond a floor of {}", id(), view.size));
            continue;
        }
        if !allowed(tile) {
            findings.at(entity.pos, || format!("the {name} is on a tile of {}", tile.name()));
        }
        let taken = &mut view.taken[view.size.index(entity.pos)];
        if std::mem::replace(taken, true) {
            findings.at(entity.pos, || format!("the {name} is not the only entity here"));
        }
    }
}

/// No two entities have one id.
fn unique_ids(floor: &Floor, findings: &mut impl Findings) {
    findings.begin(rules::UNIQUE_IDS);
    // The usual ids are numbers: only others can repeat.
    if floor.entities.iter().all(|entity| entity.id.is_none()) {
        return;
    }
    let mut seen = BTreeSet::new();
    for (at, (id, _)) in floor.ids().enumerate() {
        if let Some(id) = seen.replace(id) {
            findings.found(Place::Member(format!("entities[{at}].id")), || {
                format!("{} is the id of an earlier entity", serde_json::Value::from(id))
            });
        }
    }
}

fn counted(steps: u16) -> String {
    format!("{steps} {}", if steps == 1 { "step" } else { "steps" })
}

/// Chests stand beside the path, traps off it, and water on no step of it.
fn tiles(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin(rules::CHEST_BESIDE_PATH);
    for pos in view.cells_of(floor, TileKind::Chest) {
        if view.is_on_path(pos) {
            findings.at(pos, || "the chest stands on the path".into());
        } else if !view.beside(pos).any(|next| view.is_on_path(next)) {
            findings.at(pos, || "the chest is not next to the path".into());
        }
    }
    for (rule, kind) in [(rules::TRAP_OFF_PATH, TileKind::Trap), (rules::WATER_OFF_WAY, TileKind::Water)] {
        findings.begin(rule);
        for pos in view.cells_of(floor, kind).filter(|&pos| view.is_on_path(pos)) {
            findings.at(pos, || format!("the {} is on the path", kind.name()));
        }
    }
}

/// Doors stand between two closed sides and open the other two. A closed door separates enough tiles from the entrance, and
/// no other door is beside it.
fn doors(floor: &Floor, view: &mut View, findings: &mut impl Findings) {
    findings.begin(rules::DOOR_AT_CHOKEPOINT);
    let reached = view.reached;
    for pos in view.cells_of(floor, TileKind::Door) {
        let open = |dir: Dir| pos.step(dir, view.size).is_some_and(|next| view.is_open(next));
        let [north, east, south, west] = Dir::STRAIGHT.map(open);
        let level = east && west && !north && !south;
        let upright = north && south && !east && !west;
        if !level && !upright {
            findings.at(pos, || "the door does not stand between two walls".into());
        } else if view.reached_without(floor, pos) + 1 == reached {
            findings.at(pos, || "the door can be walked around".into());
        }
    }
    findings.begin(rules::DOOR_GUARDS);
    for pos in view.cells_of(floor, TileKind::Door) {
        // A door that cannot be reached, or walked around, is another rule's matter.
        let guarded = reached.saturating_sub(view.reached_without(floor, pos) + 1);
        if (1..GUARDED_TILES).contains(&guarded) {
            findings.at(pos, || format!("the door guards {guarded} of at least {GUARDED_TILES} tiles"));
        }
        if view.beside(pos).any(|next| floor.tile(next) == TileKind::Door) {
            findings.at(pos, || "the door stands beside another door".into());
        }
    }
    if view.counts[TileKind::Door as usize] > 0 {
        view.avoid(floor, std::iter::empty());
    }
}

/// Where the configuration says so, the exit and the chests can be reached without stepping on a tile with an enemy.
fn safety(floor: &Floor, view: &mut View, findings: &mut impl Findings) {
    let config = floor.spec.config();
    if !config.safe_route && !config.safe_chests {
        return;
    }
    let enemies = floor.entities.iter().filter(|entity| entity.kind.budget() == Budget::Enemy);
    view.avoid(floor, enemies.map(|enemy| enemy.pos));
    if config.safe_route {
        findings.begin(rules::SAFE_ROUTE);
        if view.steps_to(floor.exit) == FAR {
            findings.at(floor.exit, || "every route to the exit meets an enemy".into());
        }
    }
    if config.safe_chests {
        findings.begin(rules::SAFE_CHESTS);
        for pos in view.cells_of(floor, TileKind::Chest).filter(|&pos| view.steps_to(pos) == FAR) {
            findings.at(pos, || "every route to the chest meets an enemy".into());
        }
    }
    view.avoid(floor, std::iter::empty());
}

/// No more is closed than asked for. Where the exit is nearer than the least length, walls are what keeps it away; rooms,
/// fallback layouts, floors around fixed cells and floors with doors, which stand between walls, come as near as they can.
fn wall_density(floor: &Floor, view: &View, findings: &mut impl Findings) {
    findings.begin(rules::WALL_DENSITY);
    let config = floor.spec.config();
    let drawn = matches!(floor.origin, Origin::Carve { .. })
        && config.open == Opening::Density
        && floor.spec.budget(Budget::Door) == 0;
    let free = floor.entrance.taxi_distance(floor.exit) >= floor.spec.min_path_length();
    let Some(density) = config.wall_density.filter(|_| drawn && free && config.pins.is_empty()) else {
        return;
    };
    let cells = view.size.cells() as u32;
    let most = density.of(cells).max(floor.spec.budget(Budget::Water));
    let closed = cells - view.walkable;
    if closed > most {
        findings.found(Place::Map, || {
            format!(
                "{closed} of {cells} tiles are closed, at most {most} asked for: {density} of them, halves up"
            )
        });
    }
}

/// Cells that the configuration fixes are what it says.
fn pins_kept(floor: &Floor, findings: &mut impl Findings) {
    let Make::Pinned(pins, _) = floor.spec.make() else { return };
    findings.begin(rules::PINS_KEPT);
    for (pos, fixed) in pins.iter() {
        let here = Content { tile: floor.tile(pos), entity: floor.entity(pos).map(|entity| entity.kind) };
        if here != fixed {
            findings.at(pos, || format!("{}, the pins have {}", here.name(), fixed.name()));
        }
    }
}

/// A floor from a template is that template, turned as it says. `meta` and `data` are free for the game to use.
fn template_kept(floor: &Floor, findings: &mut impl Findings) {
    findings.begin(rules::TEMPLATE_KEPT);
    let Some(template) = floor.spec.template() else { return };
    let (Origin::Template { turn }, Ok(plan)) = (floor.origin, template.plan()) else {
        let why = || format!("the floor is not made from the template {}", template.id);
        return findings.found(Place::Map, why);
    };
    if turn.size(plan.size) != floor.size() {
        let why = || format!("the template turned {} has another size", turn.name());
        return findings.found(Place::Map, why);
    }
    let turned = |pos| turn.apply(pos, plan.size);
    for pos in plan.size.iter() {
        let (there, here) = (plan.tiles[plan.size.index(pos)], floor.tile(turned(pos)));
        let end = matches!(there, TileKind::Entrance | TileKind::Exit);
        // Budgets beyond the template's are placed on its free floor.
        let added =
            Budget::of_tile(here).is_some_and(|budget| floor.spec.budget(budget) > plan.count(budget) as u32);
        let free = end || there == TileKind::Floor;
        if here != there && !(end && here == TileKind::Floor) && !(free && added) {
            findings.at(turned(pos), || format!("{}, the template has {}", here.name(), there.name()));
        }
    }
    for Entity { kind, pos, .. } in &plan.entities {
        let here = turned(*pos);
        if floor.entity(here).is_none_or(|entity| entity.kind != *kind) {
            findings.at(here, || format!("the template's {} is not here", kind.name()));
        }
    }
}
