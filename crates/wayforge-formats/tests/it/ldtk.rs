//! LDtk projects satisfy the official schema, checked by types generated from it, and rules that
//! types cannot express.

use crate::common::{self, contents, text};
use ldtk2::{Ldtk, Type};
use std::collections::BTreeSet;
use wayforge::level::Symbol;
use wayforge::{AnyMap, Family};
use wayforge_formats::{Content, ContentKind};

const WRITES: [ContentKind; 5] = [
    ContentKind::Map(Family::Level),
    ContentKind::Blueprint,
    ContentKind::Map(Family::Floor),
    ContentKind::Map(Family::Tower),
    ContentKind::NavGrid,
];

fn projects() -> Vec<(Content, Ldtk)> {
    let written = contents().into_iter().filter(|content| WRITES.contains(&content.kind()));
    written
        .map(|content| {
            let project = Ldtk::from_str(text(&content, "a.ldtk"));
            let project = project.unwrap_or_else(|error| panic!("{}: {error}", content.kind()));
            (content, project)
        })
        .collect()
}

#[test]
fn projects_are_valid_and_references_resolve() {
    let projects = projects();
    assert_eq!(projects.len(), 6);
    for (content, project) in projects {
        assert!(project.json_version.starts_with("1.5."));
        let defs = &project.defs;
        let mut uids: Vec<i64> = defs.layers.iter().map(|layer| layer.uid).collect();
        uids.extend(defs.entities.iter().map(|entity| entity.uid));
        uids.extend(defs.tilesets.iter().map(|set| set.uid));
        uids.extend(
            defs.entities.iter().flat_map(|entity| &entity.field_defs).map(|field| field.uid),
        );
        uids.extend(defs.level_fields.iter().map(|field| field.uid));
        uids.extend(project.levels.iter().map(|level| level.uid));
        let unique: BTreeSet<i64> = uids.iter().copied().collect();
        assert_eq!(unique.len(), uids.len(), "uids are unique");
        assert!(unique.iter().all(|&uid| uid < project.next_uid));
        let mut iids = BTreeSet::new();
        for level in &project.levels {
            assert!(iids.insert(level.iid.clone()));
            assert!(level.identifier.chars().next().unwrap().is_ascii_uppercase());
            assert!(level.identifier.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
            let layers = level.layer_instances.as_ref().unwrap();
            assert_eq!(
                layers.iter().map(|layer| layer.layer_def_uid).collect::<Vec<_>>(),
                defs.layers.iter().map(|layer| layer.uid).collect::<Vec<_>>(),
                "one instance of every layer, in order"
            );
            for layer in layers {
                assert!(iids.insert(layer.iid.clone()));
                let def = defs.layers.iter().find(|def| def.uid == layer.layer_def_uid).unwrap();
                assert_eq!(
                    (&def.identifier, &def.layer_definition_type),
                    (&layer.identifier, &layer.layer_instance_type)
                );
                assert_eq!(layer.level_id, level.uid);
                assert_eq!(
                    (layer.c_wid * layer.grid_size, layer.c_hei * layer.grid_size),
                    (level.px_wid, level.px_hei)
                );
                let cells = (layer.c_wid * layer.c_hei) as usize;
                match def.purple_type {
                    Type::IntGrid => {
                        assert_eq!(layer.int_grid_csv.len(), cells);
                        let values: BTreeSet<i64> =
                            def.int_grid_values.iter().map(|value| value.value).collect();
                        assert!(layer.int_grid_csv.iter().all(|value| values.contains(value)));
                        let names: BTreeSet<_> =
                            def.int_grid_values.iter().map(|value| &value.identifier).collect();
                        assert_eq!(names.len(), values.len());
                    }
                    Type::Tiles => {
                        assert_eq!(layer.grid_tiles.len(), cells);
                        let set = &defs.tilesets[0];
                        assert!(layer.grid_tiles.iter().all(|tile| {
                            let (x, y) = (tile.t % set.c_wid, tile.t / set.c_wid);
                            y < set.c_hei
                                && tile.src == [x * set.tile_grid_size, y * set.tile_grid_size]
                        }));
                        assert_eq!(layer.tileset_rel_path, set.rel_path);
                    }
                    _ => assert!(layer.int_grid_csv.is_empty() && layer.grid_tiles.is_empty()),
                }
                for entity in &layer.entity_instances {
                    assert!(iids.insert(entity.iid.clone()));
                    let def = defs.entities.iter().find(|def| def.uid == entity.def_uid).unwrap();
                    assert_eq!(def.identifier, entity.identifier);
                    assert_eq!(
                        entity.px,
                        [entity.grid[0] * layer.grid_size, entity.grid[1] * layer.grid_size]
                    );
                    assert_eq!(def.field_defs.len(), entity.field_instances.len());
                    for (field, def) in entity.field_instances.iter().zip(&def.field_defs) {
                        assert_eq!((field.def_uid, &field.identifier), (def.uid, &def.identifier));
                        assert_eq!(field.field_instance_type, def.field_definition_type);
                    }
                }
            }
        }
        let entities = |name: &str| {
            let layers =
                project.levels.iter().flat_map(|level| level.layer_instances.as_ref().unwrap());
            layers
                .flat_map(|layer| &layer.entity_instances)
                .filter(|entity| entity.identifier == name)
                .count()
        };
        match &content {
            Content::Map(AnyMap::Level(level)) => {
                assert_eq!(entities("Shoes"), level.blueprint.count(Symbol::Shoes));
                assert_eq!(entities("Route"), level.witness.len());
                assert_eq!(entities("Mark"), 2);
                let seed = project.levels[0]
                    .field_instances
                    .iter()
                    .find(|field| field.identifier == "seed")
                    .unwrap();
                assert_eq!(seed.value, Some("7".into()), "the seed is text");
            }
            Content::Map(AnyMap::Tower(tower)) => {
                assert_eq!(project.levels.len(), tower.floors.len())
            }
            Content::Map(AnyMap::Floor(floor)) => {
                assert_eq!(
                    entities("Enemy") + entities("Npc") + entities("Item") + entities("Relic"),
                    floor.entities.len()
                );
            }
            _ => {}
        }
    }
}

#[test]
fn floors_of_a_tower_do_not_overlap() {
    let tower = Content::from(common::tower(6));
    let project = Ldtk::from_str(text(&tower, "a.ldtk")).unwrap();
    for pair in project.levels.windows(2) {
        assert!(
            pair[1].world_y + pair[1].px_hei < pair[0].world_y,
            "each floor is above the previous one"
        );
    }
}
