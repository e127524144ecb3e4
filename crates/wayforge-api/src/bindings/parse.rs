//! Parsers for the arguments of the language packages. Errors list the allowed values.

use super::BindingError;
use wayforge::act::Fog;
use wayforge::metric::{Catalogue, ExpressionError, MetricTargets, Query, Term};
use wayforge::nav::{CoarseRule, Connectivity, Metric, Preprocessing};
use wayforge::{Family, InputError, Seed};
use wayforge_draw::Theme;

/// Parses a seed: decimal digits of a number from 0 to 2^64 - 1, or text of at most 256 characters.
///
/// # Examples
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

/// Parses the name of a family.
pub fn parse_family(name: &str) -> Result<Family, BindingError> {
    choose("family", name, Family::ALL.map(|family| (family.name(), family)))
}

/// Parses the name of a theme.
pub fn parse_theme(name: &str) -> Result<Theme, BindingError> {
    choose("theme", name, Theme::ALL.map(|theme| (theme.name(), theme)))
}

/// Parses the name of a path metric.
pub fn parse_metric(name: &str) -> Result<Metric, BindingError> {
    choose("metric", name, [("steps", Metric::Steps), ("octile", Metric::Octile)])
}

/// Parses the name of a preprocessing level.
pub fn parse_preprocessing(name: &str) -> Result<Preprocessing, BindingError> {
    choose(
        "preprocessing",
        name,
        [
            ("none", Preprocessing::None),
            ("coarse", Preprocessing::Coarse),
            ("full", Preprocessing::Full),
        ],
    )
}

/// Parses the name of a coarse rule.
pub fn parse_coarse_rule(name: &str) -> Result<CoarseRule, BindingError> {
    choose("coarse_rule", name, CoarseRule::ALL.map(|rule| (rule.name(), rule)))
}

/// Converts a number of neighbours, 4 or 8.
pub fn parse_connectivity(number: u32) -> Result<Connectivity, BindingError> {
    choose(
        "connectivity",
        &number.to_string(),
        [("4", Connectivity::Four), ("8", Connectivity::Eight)],
    )
}

/// Converts a number of visible rows; `None` means no fog.
pub fn parse_fog(rows: Option<u32>) -> Result<Fog, BindingError> {
    let Some(rows) = rows else { return Ok(Fog::None) };
    let out_of_range =
        || InputError::new("fog", rows, "out of range", "use 0 to 65535, or leave it out").into();
    u16::try_from(rows).map(Fog::Rows).map_err(|_| out_of_range())
}

/// Parses a condition on metrics; errors name the field `where`.
pub fn parse_where(text: &str, catalogue: &Catalogue) -> Result<Query, BindingError> {
    Query::parse(text, catalogue).map_err(|error| with_field("where", error))
}

/// Parses target values of metrics; errors name the field `targets`.
pub fn parse_targets(text: &str, catalogue: &Catalogue) -> Result<MetricTargets, BindingError> {
    MetricTargets::parse(text, catalogue).map_err(|error| with_field("targets", error))
}

/// Parses names of metrics; `None` selects all.
pub fn parse_columns(
    names: Option<&[String]>,
    catalogue: &Catalogue,
) -> Result<Vec<Term>, BindingError> {
    let Some(names) = names else { return Ok(catalogue.terms().collect()) };
    let term = |name: &String| {
        catalogue.terms().find(|&term| catalogue.name(term) == *name).ok_or_else(|| {
            let known: Vec<String> = catalogue.terms().map(|term| catalogue.name(term)).collect();
            let remedy = format!("use {}", known.join(", "));
            InputError::new("columns", format!("\"{name}\""), "no such metric", remedy).into()
        })
    };
    names.iter().map(term).collect()
}

/// Converts the coordinates of a grid cell.
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

/// Adds the field to an error, because a search has two expressions.
fn with_field(field: &str, error: ExpressionError) -> BindingError {
    let message = format!("{field}, {error}").into();
    BindingError { message, field: Some(field.to_owned()), ..error.into() }
}

/// Returns the value with this name.
pub(crate) fn choose<T: Copy, const N: usize>(
    field: &str,
    name: &str,
    choices: [(&str, T); N],
) -> Result<T, BindingError> {
    let found = choices.iter().find(|(choice, _)| *choice == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names = choices.map(|(choice, _)| choice).join(", ");
        InputError::new(field, format!("\"{name}\""), "unknown", format!("use {names}")).into()
    })
}
