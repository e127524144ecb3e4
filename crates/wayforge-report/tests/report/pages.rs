//! What pages say and how it looks.

use crate::Surveyed;
use wayforge::Family;
use wayforge_report::page;

/// What stands between two texts, the first time.
pub(crate) fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let rest = page.split_once(from).unwrap_or_else(|| panic!("no {from}")).1;
    rest.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

/// A section of a page.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    between(page, &format!("<section id=\"{id}\">"), "</section>")
}

#[test]
fn bars_have_the_colour_of_their_configuration() {
    let [one, two] = [r#"{"minPathLength":6}"#, r#"{"minPathLength":7}"#]
        .map(|config| Surveyed::new(Family::Floor, config, 60));
    let page = page(&one.report_against(&two, 500), None);
    assert!(page.contains(".bar.second i { background: var(--other); }"));
    for (id, by_row) in [("tries", false), ("budgets", true), ("repeats", false)] {
        let rows: Vec<&str> = section(&page, id).split("<tr>").filter(|row| row.contains("\"bar ")).collect();
        assert!(rows.len() > 1, "{id}");
        for row in rows {
            let bars: Vec<&str> =
                row.split("<span class=\"bar ").skip(1).map(|bar| bar.split('"').next().unwrap()).collect();
            let own = if row.contains("key second") { "second" } else { "first" };
            match by_row || !row.contains("class=\"key ") {
                true => assert_eq!(bars, ["first", "second"], "{id}: {row}"),
                false => assert!(bars.iter().all(|bar| *bar == own), "{id}: {row}"),
            }
        }
    }
}
