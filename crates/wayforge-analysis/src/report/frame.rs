//! What is around the plots: head, style, sections, script.

use crate::report::look::Look;
use crate::report::words::text;
use std::fmt::Write;
use wayforge_draw::Theme;

/// Accents of a theme that tell lines of a plot apart; the first two are those of the first and the second configuration.
const LINES: [usize; 6] = [2, 4, 6, 3, 1, 7];

/// A page under construction.
pub(crate) struct Frame<'a> {
    page: &'a mut String,
    body: String,
    sections: Vec<(&'static str, &'static str)>,
    header: String,
}

impl<'a> Frame<'a> {
    /// Begins a page with a theme, or with those that suit the reader's scheme.
    pub(crate) fn begin(
        page: &'a mut String,
        title: &str,
        theme: Option<Theme>,
        looks: &[Look],
    ) -> Frame<'a> {
        let (scheme, colours) = match theme {
            Some(theme) => (
                if theme.colours().dark { "dark" } else { "light" },
                format!(":root {{ {} }}\n", variables(theme, looks)),
            ),
            // Paper is light, whatever the screen.
            None => (
                "light dark",
                format!(
                    ":root {{ {} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {} }} }}\n",
                    variables(Theme::Parchment, looks),
                    variables(Theme::Night, looks)
                ),
            ),
        };
        let _ = write!(
            page,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"{scheme}\">\n<title>{}</title>\n<style>\n{colours}",
            text(title)
        );
        page.push_str(include_str!("style.css"));
        for at in 0..looks.len() {
            let _ = writeln!(page, ".p{at} {{ stroke: var(--p{at}); }}");
        }
        for at in 0..LINES.len() {
            let _ = writeln!(page, ".s{at} {{ --key: var(--s{at}); }}");
        }
        page.push_str(
            "</style>\n</head>\n<body>\n<svg class=\"symbols\" aria-hidden=\"true\"><defs><pattern id=\"beyond\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
             <path class=\"stripe\" d=\"M1 0V4\"/></pattern></defs></svg>\n",
        );
        Frame { page, body: String::new(), sections: Vec::new(), header: String::new() }
    }

    /// The headline, what was looked at, what must be known, and what is to be known first.
    pub(crate) fn header(&mut self, title: &str, about: &str, notices: &[String], facts: &str) {
        let _ = write!(self.header, "<header><h1>{}</h1><p>{}</p>", text(title), text(about));
        for notice in notices {
            let _ = write!(self.header, "<p class=\"notice\">{}</p>", text(notice));
        }
        let _ = writeln!(self.header, "{facts}</header>");
    }

    pub(crate) fn section(&mut self, id: &'static str, title: &'static str, write: impl FnOnce(&mut String)) {
        self.sections.push((id, title));
        let _ = writeln!(self.body, "<section id=\"{id}\"><h2>{title}</h2>");
        write(&mut self.body);
        self.body.push_str("</section>\n");
    }

    pub(crate) fn end(self) {
        let Frame { page, body, sections, header } = self;
        page.push_str(&header);
        page.push_str("<nav aria-label=\"Sections\">");
        for (id, title) in sections {
            let _ = write!(page, "<a href=\"#{id}\">{title}</a>");
        }
        page.push_str("</nav>\n<main>\n");
        page.push_str(&body);
        page.push_str("</main>\n<footer>Made by Wayforge</footer>\n<script>\n");
        page.push_str(include_str!("script.js"));
        page.push_str("</script>\n</body>\n</html>\n");
    }
}

/// The colours of a theme, by what they are for.
fn variables(theme: Theme, looks: &[Look]) -> String {
    let colours = theme.colours();
    let scheme = if colours.dark { "dark" } else { "light" };
    let mut out = format!("color-scheme: {scheme};");
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
        let _ = write!(out, " --p{at}: {};", look.ink.colour(&colours));
    }
    out
}
