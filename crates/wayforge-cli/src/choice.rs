//! Options with named values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use wayforge_draw::Theme;

/// Name, help text (may be empty) and value.
pub(crate) type Choice<T> = (&'static str, &'static str, T);

/// Colour themes of pictures.
pub(crate) const THEMES: [Choice<Theme>; 2] = [
    ("parchment", "Dark ink on warm paper", Theme::Parchment),
    ("night", "Light lines on a dark background", Theme::Night),
];

/// Returns a parser for the names in `list`. Help and errors list the names.
pub(crate) fn choice<T>(list: &'static [Choice<T>]) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let names = list.iter().map(|(name, help, _)| {
        let name = PossibleValue::new(name);
        if help.is_empty() { name } else { name.help(help) }
    });
    PossibleValuesParser::new(names).try_map(|given| {
        let found = list.iter().find(|(name, ..)| *name == given);
        found.map(|(_, _, value)| value.clone()).ok_or("no such value")
    })
}
