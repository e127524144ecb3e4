//! The shape of a level inside a document.

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
    /// One string a row, in the symbols of the legend.
    rows: Vec<String>,
    /// One string a row, `#` where something may fall from above; empty if nowhere.
    fall_spawn_cells: Vec<String>,
    /// One string a row, `#` where a wall is reinforced; empty if nowhere.
    reinforced: Vec<String>,
    /// The cells of each mark by its name.
    marks: BTreeMap<String, Vec<Pos>>,
    /// One string a row, `#` where the cars can drive; empty if nowhere.
    car_walkable_cells: Vec<String>,
    /// One string a row, `#` where another car may be put: where cars can drive on plain floor without a mark; empty if
    /// nowhere.
    car_spawn_cells: Vec<String>,
    /// One route for every start of every chain.
    witness: Vec<WireWitness>,
    attempt: Attempt,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Witness"))]
#[serde(deny_unknown_fields)]
struct WireWitness {
    /// Which chain it proves, from 0.
    chain: u32,
    mover: Mover,
    /// The steps of the chain by name.
    steps: Vec<String>,
    /// For every step, the place in the route where it is reached.
    reached: Vec<u32>,
    /// The cells, each a neighbour of the one before.
    route: Vec<Pos>,
    /// The interior walls that the route breaks, in its order, each once.
    breaks: Vec<Pos>,
}

/// The level as it is written.
pub(super) fn of(level: &Level) -> WireLevel {
    let size = level.blueprint.size();
    // `extend` inserts; `collect` would bring in a sort of its own.
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

/// Reads a level and its configuration out of a document.
pub(super) fn read(document: &Document) -> Result<Level, DecodeError> {
    if document.algorithm != ALGORITHM {
        let (value, known) = (document.algorithm.clone(), ALGORITHM.to_owned());
        return Err(DecodeError::Unknown { field: "algorithm", value, known });
    }
    let config: Config = document::parse("config", document.config.as_bytes())?;
    let spec = config.resolve()?;
    let size = spec.size();
    let mut map: WireLevel = document::parse("map", document.map.as_bytes())?;
    for (field, here, asked) in [("width", map.width, size.width), ("height", map.height, size.height)] {
        if here != asked {
            return Err(shape(field, format!("{here} does not agree with config.{field}, which is {asked}")));
        }
    }
    let blueprint = Blueprint::from_rows(&map.rows).map_err(|error| under("rows", error))?;
    if blueprint.size() != size {
        return Err(shape("rows", format!("{}, the level is {size}", blueprint.size())));
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
        return Err(shape("marks", format!("\"{name}\" is not a mark of config.marks")));
    }
    let car_walkable_cells = read_layer(&spec, "car_walkable_cells", &map.car_walkable_cells)?;
    // `car_spawn_cells` and `breaks` follow from the rest: `check_form` compares them.
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
    let steps = level.spec.chains().get(witness.chain as usize).map_or(&[][..], |chain| &chain.steps);
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
        let message = format!("{}, the configuration has {} chains", wire.chain, spec.chains().len());
        return Err(shape(&format!("{field}.chain"), message));
    };
    let steps: Vec<String> = chain.steps.iter().map(|step| spec.step_name(*step)).collect();
    if wire.mover != chain.mover || wire.steps != steps {
        return Err(shape(&field, format!("mover and steps are not those of chain {}", wire.chain)));
    }
    Ok(Witness { chain: wire.chain, route: wire.route, reached: wire.reached })
}

fn layer(set: &BitGrid) -> Vec<String> {
    match set.is_empty() {
        true => Vec::new(),
        false => set.to_string().lines().map(str::to_owned).collect(),
    }
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
        _ => Err(shape(field, format!("'{c}' at {pos}; layers are drawn with # and ."))),
    });
    match size.map_err(|error| under(field, error))? {
        size if size == spec.size() => Ok(set),
        size => Err(shape(field, format!("{size}, the level is {}", spec.size()))),
    }
}

fn shape(field: &str, message: String) -> DecodeError {
    DecodeError::Shape { path: format!("map.{field}"), message }
}

/// Puts the member's name before the place of an error inside it.
fn under(field: &str, error: DecodeError) -> DecodeError {
    match error {
        DecodeError::Shape { path, message } if !path.starts_with("map.") => {
            DecodeError::Shape { path: format!("map.{field}"), message: format!("{path}: {message}") }
        }
        other => other,
    }
}

/// The JSON Schema of a level's document.
#[cfg(feature = "schema")]
pub fn document_schema() -> schemars::Schema {
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "Wayforge blueprint level", deny_unknown_fields)]
    #[allow(dead_code)] // Only its schema is read.
    struct LevelDocument {
        /// The envelope's version.
        #[schemars(extend("const" = "wayforge/1"))]
        format: String,
        /// The algorithm that made the level.
        #[schemars(extend("enum" = [ALGORITHM]))]
        algorithm: String,
        seed: wayforge_core::Seed,
        config: Config,
        map: WireLevel,
        digest: wayforge_core::Digest,
    }
    schemars::schema_for!(LevelDocument)
}
