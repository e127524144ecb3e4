//! Words and numbers of other languages as values of the library; what is none of them is refused with all that are.

use super::BindingError;
use wayforge::act::Fog;
use wayforge::metric::{Aim, Catalogue, ExpressionError, Query};
use wayforge::nav::{CoarseRule, Metric, Moves, Prepare};
use wayforge::{Family, InputError, Seed};
use wayforge_draw::Theme;

/// A seed: a whole number from 0 to 2^64 - 1 in decimal is that number, anything else is text of at most 256 characters.
///
/// ```
/// use wayforge_api::bindings::parse_seed;
/// assert_eq!(parse_seed("18446744073709551615")?, wayforge::Seed::new(u64::MAX));
/// assert_eq!(parse_seed("first light")?, wayforge::Seed::from_text("first light"));
/// assert!(parse_seed(&"x".repeat(257)).is_err());
/// # Ok::<(), wayforge_api::bindings::BindingError>(())
/// ```
pub fn parse_seed(text: &str) -> Result<Seed, BindingError> {
    Ok(text.parse::<Seed>()?)
}

/// A family by its name.
pub fn parse_family(name: &str) -> Result<Family, BindingError> {
    choose("family", name, Family::ALL.map(|family| (family.name(), family)))
}

/// A theme by its name.
pub fn parse_theme(name: &str) -> Result<Theme, BindingError> {
    choose("theme", name, Theme::ALL.map(|theme| (theme.name(), theme)))
}

/// A metric of ways by its name.
pub fn parse_metric(name: &str) -> Result<Metric, BindingError> {
    choose("metric", name, [("steps", Metric::Steps), ("octile", Metric::Octile)])
}

/// How much to prepare, by its name.
pub fn parse_prepare(name: &str) -> Result<Prepare, BindingError> {
    choose("prepare", name, [("none", Prepare::None), ("coarse", Prepare::Coarse), ("full", Prepare::Full)])
}

/// A coarse rule by its name.
pub fn parse_coarse_rule(name: &str) -> Result<CoarseRule, BindingError> {
    choose("coarse_rule", name, CoarseRule::ALL.map(|rule| (rule.name(), rule)))
}

/// 4 or 8 neighbours.
pub fn parse_moves(number: u32) -> Result<Moves, BindingError> {
    choose("moves", &number.to_string(), [("4", Moves::Four), ("8", Moves::Eight)])
}

/// So many rows of sight, or all of the map.
pub fn parse_fog(rows: Option<u32>) -> Result<Fog, BindingError> {
    let Some(rows) = rows else { return Ok(Fog::None) };
    let refuse = || InputError::new("fog", rows, "out of range", "use 0 to 65535, or leave it out").into();
    u16::try_from(rows).map(Fog::Rows).map_err(|_| refuse())
}

/// A condition on metrics; what is wrong with it is told under the name `where`.
pub fn parse_where(text: &str, catalogue: &Catalogue) -> Result<Query, BindingError> {
    Query::parse(text, catalogue).map_err(|error| named("where", error))
}

/// Values for metrics to come close to; what is wrong with them is told under the name `aim`.
pub fn parse_aim(text: &str, catalogue: &Catalogue) -> Result<Aim, BindingError> {
    Aim::parse(text, catalogue).map_err(|error| named("aim", error))
}

/// A cell of a grid.
pub fn parse_cell(field: &str, cell: [i64; 2]) -> Result<[u16; 2], BindingError> {
    let [a, b] = cell;
    match (u16::try_from(a), u16::try_from(b)) {
        (Ok(a), Ok(b)) => Ok([a, b]),
        _ => Err(InputError::new(
            field,
            format!("{a},{b}"),
            "out of range",
            "use whole numbers from 0 to 65535",
        )
        .into()),
    }
}

/// A search can hold two expressions: which one is wrong must be told.
fn named(field: &str, error: ExpressionError) -> BindingError {
    let message = format!("{field}, {error}").into();
    BindingError { message, field: Some(field.to_owned()), ..error.into() }
}

fn choose<T: Copy, const N: usize>(
    field: &str,
    name: &str,
    among: [(&str, T); N],
) -> Result<T, BindingError> {
    let found = among.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names = among.map(|(known, _)| known).join(", ");
        InputError::new(field, format!("\"{name}\""), "unknown", format!("use {names}")).into()
    })
}
