//! Option values that are names of a library's values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use wayforge_draw::Theme;

/// A name, what the help says of it (nothing if empty), and the value.
pub(crate) type Choice<T> = (&'static str, &'static str, T);

/// The looks of pictures.
pub(crate) const THEMES: [Choice<Theme>; 2] =
    [("parchment", "", Theme::Parchment), ("night", "", Theme::Night)];

/// Parses one of the names of `list`; help and errors list them.
pub(crate) fn choice<T>(list: &'static [Choice<T>]) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let names = list.iter().map(|(name, about, _)| match about.is_empty() {
        true => PossibleValue::new(name),
        false => PossibleValue::new(name).help(about),
    });
    PossibleValuesParser::new(names).try_map(|given| {
        let found = list.iter().find(|(name, ..)| *name == given);
        found.map(|(_, _, value)| value.clone()).ok_or("no such value")
    })
}
