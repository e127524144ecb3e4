//! What is around the plots: head, style, sections, script; and the tables of a page.

use crate::report::thumb::Look;
use maud::{Markup, PreEscaped, Render, html};
use std::fmt::Write;
use wayforge_draw::Theme;

/// Accents of a theme that tell lines of a plot apart; the first two are those of the first and the second configuration.
const LINES: [usize; 6] = [2, 4, 6, 3, 1, 7];

/// A section of a page: its id, its title and what it contains.
pub(crate) type Section = (&'static str, &'static str, Markup);

/// A page with a theme, or with those that suit the reader's scheme. The header has the headline, what was looked at,
/// and `first`, what is to be known before everything else.
pub(crate) fn document(
    title: &str,
    about: &str,
    first: Markup,
    theme: Option<Theme>,
    looks: &[Look],
    sections: &[Section],
) -> String {
    let root = |theme: Theme| format!(":root {{ {} }}", variables(theme, looks));
    let (scheme, mut style) = match theme {
        Some(theme) => (scheme(theme), root(theme) + "\n"),
        // Paper is light, whatever the screen.
        None => {
            let (light, dark) = (root(Theme::Parchment), root(Theme::Night));
            let dark = format!("@media screen and (prefers-color-scheme: dark) {{ {dark} }}");
            ("light dark", format!("{light}\n{dark}\n"))
        }
    };
    style.insert(0, '\n');
    style.push_str(include_str!("style.css"));
    (0..looks.len()).for_each(|at| style.push_str(&format!(".p{at} {{ stroke: var(--p{at}); }}\n")));
    (0..LINES.len()).for_each(|at| style.push_str(&format!(".s{at} {{ --key: var(--s{at}); }}\n")));
    let page = html! {
        (PreEscaped("<!doctype html>\n"))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content=(scheme);
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body {
                svg.symbols aria-hidden="true" {
                    defs {
                        pattern #beyond width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                            path.stripe d="M1 0V4" {}
                        }
                    }
                }
                header { h1 { (title) } p { (about) } (first) }
                nav aria-label="Sections" { @for (id, title, _) in sections { a href={ "#" (id) } { (title) } } }
                main { @for (id, title, body) in sections { section id=(id) { h2 { (title) } (body) } } }
                footer { "Made by Wayforge" }
                script { (PreEscaped(include_str!("script.js"))) }
            }
        }
    };
    page.into_string() + "\n"
}

/// A table that scrolls where it is wider than the page.
pub(crate) fn table(head: Markup, body: Markup) -> Markup {
    html! {
        div.wide tabindex="0" role="group" aria-label="Table" { table { thead { (head) } tbody { (body) } } }
    }
}

/// Names of columns.
pub(crate) fn heads(names: impl IntoIterator<Item = impl Render>) -> Markup {
    html! { @for name in names { th scope="col" { (name) } } }
}

/// A row of a table with its name.
pub(crate) fn row(name: impl Render, cells: impl IntoIterator<Item = impl Render>) -> Markup {
    html! { tr { th scope="row" { (name) } @for cell in cells { td { (cell) } } } }
}

/// The colour scheme of a theme.
fn scheme(theme: Theme) -> &'static str {
    if theme.colours().dark { "dark" } else { "light" }
}

/// The colours of a theme, by what they are for.
fn variables(theme: Theme, looks: &[Look]) -> String {
    let colours = theme.colours();
    let mut out = format!("color-scheme: {};", scheme(theme));
    for (name, colour) in [
        ("page", colours.page),
        ("card", colours.card),
        ("rim", colours.rim),
        ("ink", colours.ink),
        ("faint", colours.faint),
        ("mark", colours.mark),
        ("rock", colours.rock),
        ("heat", colours.accents[LINES[0]]),
        ("other", colours.accents[LINES[1]]),
    ] {
        let _ = write!(out, " --{name}: {colour};");
    }
    for (at, accent) in LINES.into_iter().enumerate() {
        let _ = write!(out, " --s{at}: {};", colours.accents[accent]);
    }
    for (at, look) in looks.iter().enumerate() {
        let _ = write!(out, " --p{at}: {};", look.ink.colour(colours));
    }
    out
}
