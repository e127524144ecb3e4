//! What pages say and how it looks.

use crate::{NONE, Surveyed};
use wayforge::Family;
use wayforge_analysis::report::{Point, Sweep, page, sweep_page};

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

#[test]
fn things_of_towers_are_counted_by_floors() {
    let tower = Surveyed::new(Family::Tower, r#"{"floors":4}"#, 30);
    let all = page(&tower.report(), None);
    let places = section(&all, "places");
    assert!(places.contains("<p>On how many floors a thing stands on a cell.") && !places.contains(" maps"));
    // Every floor has one entrance, and the share is one of 120 floors.
    let entrance = between(places, "<th scope=\"row\">entrance</th>", "</tr>");
    assert!(entrance.starts_with("<td>1</td>"), "{entrance}");
    let plane = tower.found.planes.iter().position(|plane| plane == "entrance").unwrap();
    let most = *tower.found.occupancy.as_ref().unwrap().plane(plane).iter().max().unwrap();
    let share = format!("{:.1} %", most as f64 * 100.0 / 120.0);
    assert!(entrance.ends_with(&format!("<td>{share}</td>")), "{entrance}: {share}");
    assert!(places.contains(&format!("on {share} of floors\"")), "{share}");
    let floor = Surveyed::new(Family::Floor, "{}", 9);
    let all = page(&floor.report(), None);
    assert!(section(&all, "places").contains("<p>On how many maps a thing stands on a cell."));
}

#[test]
fn the_legend_draws_things_as_small_maps_do() {
    let floor = Surveyed::new(Family::Floor, r#"{"doorBudget":2,"chestBudget":2}"#, 30);
    let all = page(&floor.report(), None);
    let legend = between(&all, "id=\"legend\">", "</p>");
    let signs = legend.matches("<svg class=\"sign\"").count();
    assert!(signs > 5, "{legend}");
    for sign in legend.split("<path class=\"").skip(1) {
        let class = sign.split('"').next().unwrap();
        let drawn = format!("<path class=\"{class}\"");
        assert!(all.split("<symbol ").skip(1).any(|symbol| symbol.contains(&drawn)), "{class}");
    }
    let of = |thing: &str| {
        let named = format!("</svg> {thing}</span> ");
        legend.split("<span>").find(|sign| sign.ends_with(&named)).unwrap().split_once("<path").unwrap().1
    };
    let (door, chest) = (of("door"), of("chest"));
    assert_ne!(between(door, " d=\"", "\""), between(chest, " d=\"", "\""));
    assert_ne!(between(door, "class=\"", " "), between(chest, "class=\"", " "));
}

#[test]
fn labels_of_heat_maps_leave_room_for_the_name_of_the_axis() {
    let mut floor = Surveyed::new(Family::Floor, "{}", 40);
    // Upwards a metric of wide numbers, as branching of mazes has them.
    let term = floor.found.joints[0].y;
    let metric = floor.found.metrics.iter_mut().find(|metric| metric.term == term).unwrap();
    (0..400).for_each(|n| metric.histogram.add(1_000_000 + n * 7_919, 1));
    let all = page(&floor.report(), None);
    let heat = between(&all, "<figure class=\"heat\">", "</svg>");
    let labels = heat.split("<text").filter(|text| text.contains("text-anchor=\"end\""));
    let mut widest = 0;
    for label in labels {
        let letters = between(label, ">", "</text>").chars().count();
        let right: f64 = between(label, " x=\"", "\"").parse().unwrap();
        // The name stands around 12 and is 12 tall; a digit is at most 6.4 wide.
        assert!(right - letters as f64 * 6.4 >= 18.0, "{label}");
        widest = widest.max(letters);
    }
    assert!(widest >= 9, "{heat}");
    let left: f64 = between(heat, "<rect class=\"field\" x=\"", "\"").parse().unwrap();
    let width: f64 = between(heat, "viewBox=\"0 0 ", " ").parse().unwrap();
    assert!(left > 80.0 && width > left + 200.0);
}

#[test]
fn where_no_map_was_made_there_is_no_time_of_making() {
    let (some, none) = (Surveyed::new(Family::Floor, "{}", 9), Surveyed::new(Family::Floor, NONE, 2));
    let alone = page(&none.report(), None);
    for fact in ["half", "99 %"] {
        assert!(alone.contains(&format!("<dd>–</dd><dt>{fact} are made within</dt>")), "{fact}");
    }
    let row = |page: &str| between(section(page, "time"), "second</th>", "</tr>").to_owned();
    assert_eq!(row(&page(&some.report_against(&none, 500), None)), "<td>–</td>".repeat(6));
    assert!(!row(&page(&none.report_against(&some, 500), None)).contains('–'));
    let points = [&some, &none].map(|one| {
        let (found, times) = one.point();
        Point { value: found.maps.to_string(), found, times }
    });
    let sweep = Sweep { field: "field".into(), points: points.into() };
    let swept = sweep_page(&sweep, &some.subject, "name", None);
    let time = section(&swept, "time");
    assert!(
        time.ends_with(
            "<tr><th scope=\"row\">0</th><td>–</td><td>–</td><td>–</td></tr></tbody></table></div></details>"
        ),
        "{time}"
    );
    assert_eq!(time.matches("<circle").count(), 3);
}

#[test]
fn a_threshold_that_chance_reaches_is_told() {
    let one = Surveyed::new(Family::Floor, "{}", 100);
    let told = |threshold| {
        let report = one.report_against(&one, threshold);
        let noise = report.against.as_ref().unwrap().noise();
        let all = page(&report, None);
        let notice = section(&all, "drift").contains("<p class=\"notice\">");
        assert_eq!(notice, noise.is_some());
        assert!(noise.is_none_or(|noise| section(&all, "drift").contains(&noise.to_string())));
        noise
    };
    // 1.95 x sqrt(2 / 100) = 0.2758.
    assert_eq!(told(2_758), None);
    let near = told(2_757).unwrap();
    assert!((near.reach - 0.275_77).abs() < 1e-5 && near.seeds == Some(101), "{near:?}");
    let usual = told(500).unwrap();
    assert_eq!(usual.seeds, Some(3_042));
    assert_eq!(
        usual.to_string(),
        "With so few maps chance alone can move a metric by 0.276, more than the threshold of 0.05: 3,042 seeds would tell a change from chance."
    );
    assert!(told(0).unwrap().to_string().ends_with("no number of seeds would tell a change from chance."));
    // Where half of the seeds have no map, it takes twice as many; and nothing is farther than 1.
    let mut rare = Surveyed::new(Family::Floor, "{}", 100);
    rare.found.seeds *= 2;
    let noise = rare.report_against(&rare, 500).against.unwrap().noise().unwrap();
    assert!((noise.reach - usual.reach).abs() < 1e-12 && noise.seeds == Some(6_084), "{noise:?}");
    let single = Surveyed::new(Family::Floor, "{}", 1);
    assert_eq!(single.report_against(&single, 500).against.unwrap().noise().unwrap().reach, 1.0);
}

#[test]
fn differences_that_are_nearly_nothing_are_not_said_to_be_nothing() {
    let one = Surveyed::new(Family::Floor, "{}", 200);
    let same = page(&one.report_against(&one, 500), None);
    assert!(same.contains("<b>Difference</b> <span>none</span>") && !same.contains("up to 0.0 points"));
    assert!(same.contains("has more maps, nowhere."));
    // One map of 4,000 is a fortieth of a point.
    let [before, after] = [0, 1].map(|more| {
        let mut side = Surveyed::new(Family::Floor, "{}", 200);
        (side.found.maps, side.found.seeds) = (4_000, 4_000);
        for joint in &mut side.found.joints {
            let at = joint.cells().next().unwrap().0;
            (0..more).for_each(|_| joint.add(at, 0));
        }
        side
    });
    let near = page(&before.report_against(&after, 500), None);
    assert!(near.contains("<span>less than 0.1 points more in <i class=\"key first\">"));
    assert!(near.contains("has more maps, by less than 0.1 points."));
    assert!(
        !near.contains("up to 0.0 points")
            && !near.contains("± 0.0 points")
            && !near.contains(" 0.00 points")
    );
}
