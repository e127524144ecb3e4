//! Functions of the floor module specification: `createRng`, `generateFloor`, `validateFloor`,
//! `serializeFloor`, `deserializeFloor`, `indexFromPos`, `posFromIndex`.
//!
//! The JavaScript package exports the same functions under their original names.

pub use crate::validate::ValidationResult;
use crate::{Config, Error, Floor, MapFloor, Validator, generate, map_floor};
use wayforge_core::grid::Pos;
use wayforge_core::{ConfigError, DecodeError, Seed};

/// Error of [`generate_floor`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateFloorError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Every attempt failed.
    #[error(transparent)]
    Generation(#[from] Error),
}

/// Creates the random number generator Mulberry32 (Ettinger 2017) with output in [0, 1):
/// `createRng(seed)`.
///
/// The seed is a number or text. The initial state is the low 32 bits of the [`Seed`]. The output
/// equals that of this TypeScript implementation bit for bit:
///
/// ```ts
/// const createRng = (a: number) => () => {
///   a = (a + 0x6d2b79f5) | 0;
///   let t = Math.imul(a ^ (a >>> 15), 1 | a);
///   t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
///   return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
/// };
/// ```
///
/// Floors use [`MapRng`](wayforge_core::MapRng) streams instead, because no map depends on floats.
///
/// # Examples
/// ```
/// let mut rng = wayforge_floor::compat::create_rng(42);
/// assert_eq!([rng(), rng()], [0.6011037519201636, 0.44829055899754167]);
/// ```
pub fn create_rng(seed: impl Into<Seed>) -> impl FnMut() -> f64 {
    let mut state = seed.into().number() as u32;
    move || {
        state = state.wrapping_add(0x6d2b_79f5);
        let mut t = (state ^ state >> 15).wrapping_mul(1 | state);
        t = t.wrapping_add((t ^ t >> 7).wrapping_mul(61 | t)) ^ t;
        f64::from(t ^ t >> 14) / 4_294_967_296.0
    }
}

/// Resolves a configuration and generates its floor: `generateFloor(seed, config)`.
///
/// # Errors
/// [`GenerateFloorError`] if the configuration is invalid or every attempt fails.
///
/// # Examples
/// ```
/// use wayforge_floor as floor;
/// use wayforge_floor::compat::{generate_floor, validate_floor};
/// let floor = generate_floor("first light", &floor::Config::default())?;
/// assert!(validate_floor(&floor).is_valid());
/// # Ok::<(), wayforge_floor::compat::GenerateFloorError>(())
/// ```
pub fn generate_floor(seed: impl Into<Seed>, config: &Config) -> Result<Floor, GenerateFloorError> {
    Ok(generate(seed.into(), &config.resolve()?)?)
}

/// Checks every rule and counts reachable tiles and objects: `validateFloor(floor)`.
///
/// # Examples
/// ```
/// use wayforge_floor::{self as floor, Budget};
/// use wayforge_floor::compat::{generate_floor, validate_floor};
/// let result = validate_floor(&generate_floor(1, &floor::Config::default())?);
/// assert_eq!((result.count(Budget::Enemy), result.count(Budget::Chest)), ((3, 3), (1, 1)));
/// assert!(result.reachable == result.walkable && result.shortest_path >= Some(1));
/// # Ok::<(), wayforge_floor::compat::GenerateFloorError>(())
/// ```
pub fn validate_floor(floor: &Floor) -> ValidationResult {
    Validator::default().validate(floor)
}

/// Writes a `MapFloor` as one line of JSON: `serializeFloor(floor)`.
///
/// Adds `path`, `origin` and `config` to the members of the specification. Any implementation of
/// the specification can read it. [`Floor::to_document`] adds an envelope with a digest.
///
/// # Examples
/// ```
/// use wayforge_floor as floor;
/// use wayforge_floor::compat::{deserialize_floor, generate_floor, serialize_floor};
/// let floor = generate_floor(7, &floor::Config::default())?;
/// assert_eq!(deserialize_floor(&serialize_floor(&floor))?, floor);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn serialize_floor(floor: &Floor) -> String {
    map_floor::write(floor)
}

/// Reads a `MapFloor` of any implementation, or a floor document: `deserializeFloor(json)`.
///
/// # Errors
/// [`DecodeError`] with the path of the first unreadable member.
///
/// # Examples
/// ```
/// use wayforge_floor as floor;
/// use wayforge_floor::compat::{deserialize_floor, generate_floor, serialize_floor};
/// let floor = generate_floor(7, &floor::Config::default())?;
/// assert_eq!(deserialize_floor(&serialize_floor(&floor))?, floor);
/// assert_eq!(deserialize_floor(&floor.to_document().to_text())?, floor);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn deserialize_floor(json: &str) -> Result<Floor, DecodeError> {
    match MapFloor::from_bare_json(json.as_bytes())? {
        Some(floor) => floor.to_floor(),
        None => Floor::decode(json.as_bytes()),
    }
}

/// Returns the index of a cell in reading order: `indexFromPos(pos, width)`.
///
/// # Examples
/// ```
/// use wayforge_core::grid::Pos;
/// use wayforge_floor::compat::{index_from_pos, pos_from_index};
/// assert_eq!(index_from_pos(Pos::new(3, 2), 7), 17);
/// assert_eq!(pos_from_index(17, 7), Some(Pos::new(3, 2)));
/// ```
pub fn index_from_pos(pos: Pos, width: u16) -> usize {
    usize::from(pos.y) * usize::from(width) + usize::from(pos.x)
}

/// Returns the cell of an index in reading order: `posFromIndex(index, width)`.
///
/// Returns `None` if `width` is 0 or the row does not fit into 16 bits.
pub fn pos_from_index(index: usize, width: u16) -> Option<Pos> {
    let row = index.checked_div(usize::from(width))?;
    let col = index % usize::from(width);
    Some(Pos::new(u16::try_from(col).ok()?, u16::try_from(row).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn create_rng_matches_the_typescript_implementation() {
        // Output of the TypeScript function above under Node.js.
        let first = |seed: u64| {
            let mut rng = create_rng(seed);
            [rng(), rng(), rng()]
        };
        assert_eq!(first(0), [0.26642920868471265, 0.0003297457005828619, 0.2232720274478197]);
        assert_eq!(first(1), [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
        assert_eq!(
            first(u64::from(u32::MAX)),
            [0.8964226141106337, 0.189478256739676, 0.7156526781618595]
        );
        assert_eq!(first(1 << 32), first(0), "only the low 32 bits are used");
    }
}
