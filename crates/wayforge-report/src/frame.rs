//! What is around the plots: head, style, sections, script.

use crate::thumb;
use crate::words::text;
use std::fmt::Write;
use wayforge_draw::Theme;

/// A page under construction.
pub(crate) struct Frame<'a> {
    page: &'a mut String,
    body: String,
    sections: Vec<(&'static str, &'static str)>,
    header: String,
}

impl<'a> Frame<'a> {
    pub(crate) fn begin(page: &'a mut String, title: &str, theme: Theme, planes: &[String]) -> Frame<'a> {
        let colours = theme.colours();
        let scheme = if colours.dark { "dark" } else { "light" };
        let _ = write!(
            page,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{}</title>\n<style>\n:root {{ color-scheme: {scheme}; --page: {}; --card: {}; --rim: {}; --ink: {}; --faint: {}; --mark: {}; --rock: {}; --heat: {}; --other: {}; }}\n",
            text(title),
            colours.page,
            colours.card,
            colours.rim,
            colours.ink,
            colours.faint,
            colours.mark,
            colours.rock,
            colours.accents[2],
            colours.accents[4],
        );
        page.push_str(include_str!("style.css"));
        for (at, plane) in planes.iter().enumerate() {
            let colour = thumb::look_of(plane, at).0.colour(&colours);
            let _ = writeln!(page, ".p{at} {{ stroke: {colour}; --key: {colour}; }}");
        }
        page.push_str("</style>\n</head>\n<body>\n");
        Frame { page, body: String::new(), sections: Vec::new(), header: String::new() }
    }

    /// The headline, what was looked at, and what is to be known first.
    pub(crate) fn header(&mut self, title: &str, about: &str, facts: &[(String, String)]) {
        let _ = write!(self.header, "<header><h1>{}</h1><p>{}</p>", text(title), text(about));
        if !facts.is_empty() {
            self.header.push_str("<dl>");
            for (name, value) in facts {
                let _ = write!(self.header, "<div><dd>{}</dd><dt>{}</dt></div>", text(value), text(name));
            }
            self.header.push_str("</dl>");
        }
        self.header.push_str("</header>\n");
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
