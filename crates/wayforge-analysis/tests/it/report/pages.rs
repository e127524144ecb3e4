//! Content and appearance of report pages.

use super::{NO_MAPS, Surveyed};
use wayforge::Family;
use wayforge_analysis::report::{Sweep, SweepPoint, page, sweep_page};

/// Returns the text between the first occurrences of two markers.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let rest = page.split_once(from).unwrap_or_else(|| panic!("no {from}")).1;
    rest.split_once(to).unwrap_or_else(|| panic!("no {to} after {from}")).0
}

/// Returns a section of a page.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    between(page, &format!("<section id=\"{id}\">"), "</section>")
}

#[test]
fn bars_have_the_colour_of_their_configuration() {
    let [one, two] = [r#"{"minPathLength":6}"#, r#"{"minPathLength":7}"#]
        .map(|config| Surveyed::new(Family::Floor, config, 60));
    let page = page(&one.report_with_baseline(&two, 500), None);
    assert!(page.contains(".bar.second i { background: var(--other); }"));
    for (id, by_row) in [("attempts", false), ("budgets", true), ("duplicates", false)] {
        let rows: Vec<&str> =
            section(&page, id).split("<tr>").filter(|row| row.contains("\"bar ")).collect();
        assert!(rows.len() > 1, "{id}");
        for row in rows {
            let bars: Vec<&str> = row
                .split("<span class=\"bar ")
                .skip(1)
                .map(|bar| bar.split('"').next().unwrap())
                .collect();
            let own = if row.contains("key second") { "second" } else { "first" };
            match by_row || !row.contains("class=\"key ") {
                true => assert_eq!(bars, ["first", "second"], "{id}: {row}"),
                false => assert!(bars.iter().all(|bar| *bar == own), "{id}: {row}"),
            }
        }
    }
}

#[test]
fn placements_of_towers_are_counted_per_floor() {
    let tower = Surveyed::new(Family::Tower, r#"{"floors":4}"#, 30);
    let all = page(&tower.report(), None);
    let placements = section(&all, "placements");
    let body = placements.split_once("</h2>").unwrap().1;
    assert!(
        placements.contains("<p>Share of floors with an object on each cell.")
            && !body.contains(" maps")
    );
    // Every floor has one entrance. The share refers to 120 floors.
    let entrance = between(placements, "<th scope=\"row\">entrance</th>", "</tr>");
    assert!(entrance.starts_with("<td>1</td>"), "{entrance}");
    let plane = tower.results.planes.iter().position(|plane| plane == "entrance").unwrap();
    let max = *tower.results.occupancy.as_ref().unwrap().plane(plane).iter().max().unwrap();
    let share = format!("{:.1} %", max as f64 * 100.0 / 120.0);
    assert!(entrance.ends_with(&format!("<td>{share}</td>")), "{entrance}: {share}");
    assert!(placements.contains(&format!("on {share} of floors\"")), "{share}");
    let floor = Surveyed::new(Family::Floor, "{}", 9);
    let all = page(&floor.report(), None);
    assert!(section(&all, "placements").contains("<p>Share of maps with an object on each cell."));
}

#[test]
fn legend_draws_objects_like_thumbnails() {
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
    let sign_of = |object: &str| {
        let named = format!("</svg> {object}</span> ");
        legend
            .split("<span>")
            .find(|sign| sign.ends_with(&named))
            .unwrap()
            .split_once("<path")
            .unwrap()
            .1
    };
    let (door, chest) = (sign_of("door"), sign_of("chest"));
    assert_ne!(between(door, " d=\"", "\""), between(chest, " d=\"", "\""));
    assert_ne!(between(door, "class=\"", " "), between(chest, "class=\"", " "));
}

#[test]
fn heat_map_labels_leave_room_for_the_axis_title() {
    let mut floor = Surveyed::new(Family::Floor, "{}", 40);
    // Put a metric with wide numbers on the vertical axis, such as the branching of mazes.
    let term = floor.results.joints[0].y;
    let metric = floor.results.metrics.iter_mut().find(|metric| metric.term == term).unwrap();
    (0..400).for_each(|n| metric.histogram.add(1_000_000 + n * 7_919, 1));
    let all = page(&floor.report(), None);
    let heat = between(&all, "<figure class=\"heat\">", "</svg>");
    let labels = heat.split("<text").filter(|text| text.contains("text-anchor=\"end\""));
    let mut widest = 0;
    for label in labels {
        let letters = between(label, ">", "</text>").chars().count();
        let right: f64 = between(label, " x=\"", "\"").parse().unwrap();
        // The axis title is centred at 12 and 12 pixels high. A digit is at most 6.4 pixels wide.
        assert!(right - letters as f64 * 6.4 >= 18.0, "{label}");
        widest = widest.max(letters);
    }
    assert!(widest >= 9, "{heat}");
    let left: f64 = between(heat, "<rect class=\"field\" x=\"", "\"").parse().unwrap();
    let width: f64 = between(heat, "viewBox=\"0 0 ", " ").parse().unwrap();
    assert!(left > 80.0 && width > left + 200.0);
}

#[test]
fn times_are_empty_without_maps() {
    let (some, none) =
        (Surveyed::new(Family::Floor, "{}", 9), Surveyed::new(Family::Floor, NO_MAPS, 2));
    let alone = page(&none.report(), None);
    for label in ["median time per seed", "99th percentile"] {
        assert!(alone.contains(&format!("<dd>–</dd><dt>{label}</dt>")), "{label}");
    }
    let row = |page: &str| between(section(page, "time"), "second</th>", "</tr>").to_owned();
    assert_eq!(row(&page(&some.report_with_baseline(&none, 500), None)), "<td>–</td>".repeat(6));
    assert!(!row(&page(&none.report_with_baseline(&some, 500), None)).contains('–'));
    let points = [&some, &none].map(|one| {
        let (results, times) = one.point();
        SweepPoint { value: results.maps.to_string(), results, times }
    });
    let sweep = Sweep { field: "field".into(), points: points.into() };
    let swept = sweep_page(&sweep, &some.spec, "name", None);
    let time = section(&swept, "time");
    assert!(
        time.ends_with(
            "<tr><th scope=\"row\">0</th><td>–</td><td>–</td><td>–</td></tr>\
             </tbody></table></div></details>"
        ),
        "{time}"
    );
    assert_eq!(time.matches("<circle").count(), 3);
}

#[test]
fn warns_if_chance_can_exceed_the_threshold() {
    let one = Surveyed::new(Family::Floor, "{}", 100);
    let noise_at = |threshold| {
        let report = one.report_with_baseline(&one, threshold);
        let noise = report.baseline.as_ref().unwrap().noise();
        let all = page(&report, None);
        let notice = section(&all, "drift").contains("<p class=\"notice\">");
        assert_eq!(notice, noise.is_some());
        assert!(noise.is_none_or(|noise| section(&all, "drift").contains(&noise.to_string())));
        noise
    };
    // 1.95 x sqrt(2 / 100) = 0.2758.
    assert_eq!(noise_at(2_758), None);
    let near = noise_at(2_757).unwrap();
    assert!(
        (near.critical_distance - 0.275_77).abs() < 1e-5 && near.seeds == Some(101),
        "{near:?}"
    );
    let default_noise = noise_at(500).unwrap();
    assert_eq!(default_noise.seeds, Some(3_042));
    assert_eq!(
        default_noise.to_string(),
        "With this few maps, chance alone can move a metric by 0.276, more than the threshold \
         of 0.05: use 3,042 seeds to distinguish a change from chance."
    );
    assert!(
        noise_at(0)
            .unwrap()
            .to_string()
            .ends_with("no number of seeds can distinguish a change from chance.")
    );
    // If half of the seeds have no map, twice as many are needed. The distance never exceeds 1.
    let mut rare = Surveyed::new(Family::Floor, "{}", 100);
    rare.results.seeds *= 2;
    let noise = rare.report_with_baseline(&rare, 500).baseline.unwrap().noise().unwrap();
    assert!(
        (noise.critical_distance - default_noise.critical_distance).abs() < 1e-12
            && noise.seeds == Some(6_084),
        "{noise:?}"
    );
    let single = Surveyed::new(Family::Floor, "{}", 1);
    assert_eq!(
        single
            .report_with_baseline(&single, 500)
            .baseline
            .unwrap()
            .noise()
            .unwrap()
            .critical_distance,
        1.0
    );
}

#[test]
fn small_differences_are_not_rounded_to_zero() {
    let one = Surveyed::new(Family::Floor, "{}", 200);
    let same = page(&one.report_with_baseline(&one, 500), None);
    assert!(
        same.contains("<b>Difference</b> <span>none</span>") && !same.contains("up to 0.0 points")
    );
    assert!(same.contains("Difference: none."));
    // One map of 4,000 is 1/40 of a percentage point.
    let [before, after] = [0, 1].map(|more| {
        let mut side = Surveyed::new(Family::Floor, "{}", 200);
        (side.results.maps, side.results.seeds) = (4_000, 4_000);
        for joint in &mut side.results.joints {
            let at = joint.cells().next().unwrap().0;
            (0..more).for_each(|_| joint.add(at, 0));
        }
        side
    });
    let near = page(&before.report_with_baseline(&after, 500), None);
    assert!(near.contains("<span>less than 0.1 points more in <i class=\"key first\">"));
    assert!(near.contains("the shares of first and second differ by less than 0.1 points."));
    assert!(
        !near.contains("up to 0.0 points")
            && !near.contains("± 0.0 points")
            && !near.contains(" 0.00 points")
    );
}
