//! Options of the corridor methods: size of coarse cells, width of the corridor, guardrail.

use super::coarse::CoarseRule;
use super::options::Options;
use super::query::Method;
use wayforge_core::InputError;

/// Cell size, width and widening limit of a corridor.
///
/// # Examples
/// ```
/// use wayforge_nav::{CoarseRule, CorridorOptions};
/// let corridor = CorridorOptions::for_mask_methods();
/// assert_eq!((corridor.factor, corridor.radius, corridor.rule), (4, 2, CoarseRule::AnyTile));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorridorOptions {
    /// Side of a coarse cell in tiles, 1 to [`MAX`](CorridorOptions::MAX).
    pub factor: u16,
    /// Which tiles of a cell form a coarse node.
    pub rule: CoarseRule,
    /// Initial half width of the corridor in cells (`r0`), 0 to [`MAX`](CorridorOptions::MAX).
    pub radius: u16,
    /// Guardrail `k`: number of widenings before the search falls back to all open tiles, 0 to
    /// [`MAX`](CorridorOptions::MAX).
    pub max_expansions: u32,
}

impl CorridorOptions {
    /// Maximum factor, radius and guardrail.
    pub const MAX: u16 = 1024;

    /// Returns the defaults of `restart`, `mask-f1`, `mask-f2` and `mask-optimal`, which are those
    /// of the original mask-expanding BFS.
    pub const fn for_mask_methods() -> CorridorOptions {
        CorridorOptions { factor: 4, rule: CoarseRule::AnyTile, radius: 2, max_expansions: 6 }
    }

    /// Returns the defaults of the method `components`.
    pub const fn for_components() -> CorridorOptions {
        CorridorOptions { factor: 8, rule: CoarseRule::Components, radius: 2, max_expansions: 6 }
    }

    /// Rejects values that are out of range; errors prepend `prefix` to the field name.
    pub(super) fn check(&self, prefix: &str) -> Result<(), InputError> {
        let max = CorridorOptions::MAX.into();
        InputError::in_range(format!("{prefix}factor"), self.factor.into(), 1, max)?;
        InputError::in_range(format!("{prefix}radius"), self.radius.into(), 0, max)?;
        InputError::in_range(format!("{prefix}max_expansions"), self.max_expansions.into(), 0, max)
            .map(drop)
    }
}

/// Corridor options of a request; `None` selects the default of the method.
///
/// # Examples
/// ```
/// use wayforge_nav::{CorridorConfig, Options};
/// let config = CorridorConfig { radius: Some(3), ..CorridorConfig::default() };
/// let options = config.apply(Options::default())?;
/// assert_eq!((options.mask_corridor.radius, options.components_corridor.radius), (3, 3));
/// let error = CorridorConfig { factor: Some(0), ..config }.apply(options).unwrap_err();
/// assert_eq!(error.to_string(), "factor = 0: out of range; use 1 to 1024");
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CorridorConfig {
    /// Side of a coarse cell in tiles.
    pub factor: Option<i64>,
    /// Initial half width of the corridor in cells.
    pub radius: Option<i64>,
    /// Guardrail `k`: number of widenings before the search falls back to all open tiles.
    pub max_expansions: Option<i64>,
    /// Which tiles of a cell form a coarse node.
    pub coarse_rule: Option<CoarseRule>,
}

impl CorridorConfig {
    /// Overrides the corridor options of all methods with the given values.
    ///
    /// # Errors
    /// A value is out of range; the error names its field.
    pub fn apply(self, mut options: Options) -> Result<Options, InputError> {
        let max = CorridorOptions::MAX.into();
        let check = |field: &str, value: Option<i64>, min: i64| {
            value.map(|value| InputError::in_range(field, value, min, max)).transpose()
        };
        let factor = check("factor", self.factor, 1)?;
        let radius = check("radius", self.radius, 0)?;
        let max_expansions = check("max_expansions", self.max_expansions, 0)?;
        for corridor in [&mut options.mask_corridor, &mut options.components_corridor] {
            corridor.factor = factor.map_or(corridor.factor, |factor| factor as u16);
            corridor.radius = radius.map_or(corridor.radius, |radius| radius as u16);
            corridor.max_expansions = max_expansions.map_or(corridor.max_expansions, |k| k as u32);
            corridor.rule = self.coarse_rule.unwrap_or(corridor.rule);
        }
        Ok(options)
    }

    /// Like [`apply`](Self::apply), for a request with a single method.
    ///
    /// # Errors
    /// A value is out of range, or a value is given and the method has no corridor.
    pub fn apply_for(self, method: Method, options: Options) -> Result<Options, InputError> {
        let number = |value: Option<i64>| value.map(|value| value.to_string());
        let given = [
            ("factor", number(self.factor)),
            ("radius", number(self.radius)),
            ("max_expansions", number(self.max_expansions)),
            ("coarse_rule", self.coarse_rule.map(|rule| rule.name().to_owned())),
        ];
        match given.into_iter().find_map(|(field, value)| Some((field, value?))) {
            Some((field, value)) if !method.has_corridor() => {
                let problem = format!("the method {method} has no corridor");
                let methods = "restart, mask-f1, mask-f2, mask-optimal or components";
                Err(InputError::new(
                    field,
                    value,
                    problem,
                    format!("use the method {methods}, or leave it out"),
                ))
            }
            _ => self.apply(options),
        }
    }
}
