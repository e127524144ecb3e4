//! JSON representation of levels in documents.

use crate::symbol::read_rows;
use crate::{ALGORITHM, Attempt, Blueprint, Config, Level, Mover, Spec, Tags, Witness};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wayforge_core::DecodeError;
use wayforge_core::document::{self, Document};
use wayforge_core::grid::{BitGrid, Pos};

/// A level as JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Level"))]
#[serde(deny_unknown_fields)]
pub(super) struct WireLevel {
    width: u16,
    height: u16,
    /// One string per row, in the symbols of the legend.
    rows: Vec<String>,
    /// One string per row, `#` for cells where objects may fall from above; empty if there are
    /// none.
    fall_spawn_cells: Vec<String>,
    /// One string per row, `#` for reinforced walls; empty if there are none.
    reinforced: Vec<String>,
    /// The cells of each mark, by name.
    marks: BTreeMap<String, Vec<Pos>>,
    /// One string per row, `#` for cells that cars can reach; empty if there are none.
    car_walkable_cells: Vec<String>,
    /// One string per row, `#` for cells where another car may be placed: plain floor without a
    /// mark that cars can reach; empty if there are none.
    car_spawn_cells: Vec<String>,
    /// One route for every start of every chain.
    witness: Vec<WireWitness>,
    attempt: Attempt,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Witness"))]
#[serde(deny_unknown_fields)]
struct WireWitness {
    /// Index of the chain, from 0.
    chain: u32,
    mover: Mover,
    /// The steps of the chain by name.
    steps: Vec<String>,
    /// For every step, the index in the route where it is reached.
    reached: Vec<u32>,
    /// The cells, each adjacent to the previous one.
    route: Vec<Pos>,
    /// Interior walls that the route breaks, in route order and without repeats.
    breaks: Vec<Pos>,
}

/// Converts a level to its JSON representation.
pub(super) fn of(level: &Level) -> WireLevel {
    let size = level.blueprint.size();
    // `extend` inserts one by one; `collect` would instantiate another sort.
    let mut marks = BTreeMap::new();
    let given = level.spec.config().marks.iter().zip(&level.tags.marks);
    marks.extend(given.map(|(mark, cells)| (mark.name.clone(), cells.clone())));
    WireLevel {
        width: size.width,
        height: size.height,
        rows: level.blueprint.rows().collect(),
        fall_spawn_cells: layer(&level.tags.fall_spawn_cells),
        reinforced: layer(&level.tags.reinforced),
        marks,
        car_walkable_cells: layer(&level.car_walkable_cells),
        car_spawn_cells: layer(&level.car_spawn_cells()),
        witness: level.witness.iter().map(|witness| write_witness(level, witness)).collect(),
        attempt: level.attempt.clone(),
    }
}

/// Decodes a level and its configuration from a document.
pub(super) fn read(document: &Document) -> Result<Level, DecodeError> {
    document.expect_algorithm(&[ALGORITHM])?;
    let config: Config = document::parse("config", document.config.as_bytes())?;
    let spec = config.resolve()?;
    let size = spec.size();
    let mut map: WireLevel = document::parse("map", document.map.as_bytes())?;
    for (field, actual, expected) in
        [("width", map.width, size.width), ("height", map.height, size.height)]
    {
        if actual != expected {
            return Err(malformed(
                field,
                format!("{actual} does not match config.{field}, which is {expected}"),
            ));
        }
    }
    let blueprint = Blueprint::from_rows(&map.rows).map_err(|error| with_field("rows", error))?;
    if blueprint.size() != size {
        return Err(malformed("rows", format!("{}, the level is {size}", blueprint.size())));
    }
    let tags = Tags {
        fall_spawn_cells: read_layer(&spec, "fall_spawn_cells", &map.fall_spawn_cells)?,
        reinforced: read_layer(&spec, "reinforced", &map.reinforced)?,
        marks: spec
            .config()
            .marks
            .iter()
            .map(|mark| map.marks.remove(&mark.name).unwrap_or_default())
            .collect(),
    };
    if let Some(name) = map.marks.keys().next() {
        return Err(malformed("marks", format!("\"{name}\" is not a mark of config.marks")));
    }
    let car_walkable_cells = read_layer(&spec, "car_walkable_cells", &map.car_walkable_cells)?;
    // `car_spawn_cells` and `breaks` are derived; the check of the canonical form compares them.
    read_layer(&spec, "car_spawn_cells", &map.car_spawn_cells)?;
    let witness = map.witness.into_iter().enumerate().map(|(i, wire)| read_witness(&spec, i, wire));
    Ok(Level {
        seed: document.seed.clone(),
        blueprint,
        tags,
        car_walkable_cells,
        witness: witness.collect::<Result<Vec<Witness>, DecodeError>>()?,
        attempt: map.attempt,
        spec,
    })
}

fn write_witness(level: &Level, witness: &Witness) -> WireWitness {
    let steps =
        level.spec.chains().get(witness.chain as usize).map_or(&[][..], |chain| &chain.steps);
    WireWitness {
        chain: witness.chain,
        mover: level.mover(witness),
        steps: steps.iter().map(|step| level.spec.step_name(*step)).collect(),
        reached: witness.reached.clone(),
        route: witness.route.clone(),
        breaks: level.broken_walls(witness),
    }
}

fn read_witness(spec: &Spec, i: usize, wire: WireWitness) -> Result<Witness, DecodeError> {
    let field = format!("witness[{i}]");
    let Some(chain) = spec.chains().get(wire.chain as usize) else {
        let message =
            format!("{}, the configuration has {} chains", wire.chain, spec.chains().len());
        return Err(malformed(&format!("{field}.chain"), message));
    };
    let steps: Vec<String> = chain.steps.iter().map(|step| spec.step_name(*step)).collect();
    if wire.mover != chain.mover || wire.steps != steps {
        return Err(malformed(
            &field,
            format!("mover and steps are not those of chain {}", wire.chain),
        ));
    }
    Ok(Witness { chain: wire.chain, route: wire.route, reached: wire.reached })
}

fn layer(set: &BitGrid) -> Vec<String> {
    if set.is_empty() {
        return Vec::new();
    }
    set.to_string().lines().map(str::to_owned).collect()
}

fn read_layer(spec: &Spec, field: &str, rows: &[String]) -> Result<BitGrid, DecodeError> {
    let mut set = BitGrid::new(spec.size());
    if rows.is_empty() {
        return Ok(set);
    }
    let size = read_rows(rows, &mut |pos, c| match c {
        '#' => {
            set.insert(pos);
            Ok(())
        }
        '.' => Ok(()),
        _ => Err(malformed(field, format!("'{c}' at {pos}; use # and . only"))),
    });
    match size.map_err(|error| with_field(field, error))? {
        size if size == spec.size() => Ok(set),
        size => Err(malformed(field, format!("{size}, the level is {}", spec.size()))),
    }
}

fn malformed(field: &str, message: String) -> DecodeError {
    DecodeError::malformed(format!("map.{field}"), message)
}

/// Prefixes the path of an error with the name of the member.
fn with_field(field: &str, error: DecodeError) -> DecodeError {
    match error {
        DecodeError::Malformed { path, message, .. } if !path.starts_with("map.") => {
            malformed(field, format!("{path}: {message}"))
        }
        other => other,
    }
}

/// Returns the JSON Schema of a level's document.
#[cfg(feature = "schema")]
pub fn document_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge blueprint level", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct LevelDocument {
        /// Name and version of the document format.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// The algorithm of the level.
        #[schemars(extend("enum" = [ALGORITHM]))]
        algorithm: String,
        seed: wayforge_core::Seed,
        config: Config,
        map: WireLevel,
        digest: wayforge_core::Digest,
    }
    schemars::schema_for!(LevelDocument)
}
