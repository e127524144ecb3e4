//! Checks pinned, template and tight floors with an independent checker.
//!
//! The generator accepts these floors by its own validator, so a bug in a rule could affect both.
//! The checker below reads the JSON of a floor, shares no code with the crate, and implements every
//! rule again.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use wayforge_core::MapRng;
use wayforge_floor::compat::serialize_floor;
use wayforge_floor::{self as floor, Template, Vec2, validate};

type Cell = (i64, i64);

const SYMBOLS: [(&str, char); 12] = [
    ("floor", '.'),
    ("wall", '#'),
    ("entrance", '<'),
    ("exit", '>'),
    ("door", '+'),
    ("trap", '^'),
    ("chest", '$'),
    ("water", '~'),
    ("enemy", 'e'),
    ("item", 'i'),
    ("relic", 'r'),
    ("npc", 'n'),
];

fn symbol(kind: &str) -> char {
    SYMBOLS.iter().find(|(name, _)| *name == kind).unwrap().1
}

fn cell(value: &Value) -> Cell {
    (value["x"].as_i64().unwrap(), value["y"].as_i64().unwrap())
}

fn neighbours((x, y): Cell) -> [Cell; 4] {
    [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
}

fn bfs_distances(open: &BTreeSet<Cell>, from: Cell) -> BTreeMap<Cell, i64> {
    let mut distances = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for next in neighbours(cell) {
            if open.contains(&next) && !distances.contains_key(&next) {
                distances.insert(next, distances[&cell] + 1);
                queue.push_back(next);
            }
        }
    }
    distances
}

/// Returns a description of every fault of a floor.
fn faults(floor: &floor::Floor) -> Vec<String> {
    let json: Value = serde_json::from_str(&serialize_floor(floor)).unwrap();
    let config = &json["config"];
    let number = |name: &str| config[name].as_i64().unwrap_or(0);
    let list = |name: &str| json[name].as_array().unwrap();
    let tiles: BTreeMap<Cell, &str> = list("tiles")
        .iter()
        .map(|tile| (cell(&tile["pos"]), tile["kind"].as_str().unwrap()))
        .collect();
    let cells_of = |kind: &str| {
        tiles.iter().filter(|(_, tile)| **tile == kind).map(|(at, _)| *at).collect::<Vec<_>>()
    };
    let entities: Vec<(Cell, &str)> = list("entities")
        .iter()
        .map(|entity| (cell(&entity["pos"]), entity["kind"].as_str().unwrap()))
        .collect();
    let open: BTreeSet<Cell> = tiles
        .iter()
        .filter(|(_, kind)| !["wall", "water"].contains(kind))
        .map(|(at, _)| *at)
        .collect();
    let path: Vec<Cell> = list("path").iter().map(cell).collect();
    let on_path: BTreeSet<Cell> = path.iter().copied().collect();
    let (entrance, exit) = (cell(&json["entrance"]), cell(&json["exit"]));
    let distances = bfs_distances(&open, entrance);
    let mut faults: Vec<String> = Vec::new();
    let mut expect = |condition: bool, fault: String| {
        if !condition {
            faults.push(fault);
        }
    };

    expect(tiles.len() as i64 == number("width") * number("height"), "tiles".into());
    expect(cells_of("entrance") == [entrance] && cells_of("exit") == [exit], "ends".into());
    for (name, at) in [("entrance", entrance), ("exit", exit)] {
        expect(
            config[name].is_null() || cell(&config[name]) == at,
            format!("{name} not at its configured position"),
        );
    }
    expect(distances.keys().copied().collect::<BTreeSet<Cell>>() == open, "not connected".into());
    let shortest = distances.get(&exit).copied().unwrap_or(-1);
    expect(shortest >= number("minPathLength").max(1), format!("{shortest} steps"));
    expect(path.len() as i64 == shortest + 1, "the path is not a shortest one".into());
    expect(
        path.first() == Some(&entrance) && path.last() == Some(&exit),
        "the ends of the path".into(),
    );
    expect(
        path.windows(2).all(|pair| neighbours(pair[0]).contains(&pair[1])),
        "path cells that are not neighbours".into(),
    );
    expect(path.iter().all(|at| open.contains(at)), "the path passes through a wall".into());
    for (kind, field) in [
        ("door", "doorBudget"),
        ("chest", "chestBudget"),
        ("trap", "trapBudget"),
        ("water", "waterBudget"),
        ("enemy", "enemyBudget"),
        ("item", "itemBudget"),
        ("relic", "relicBudget"),
        ("npc", "npcBudget"),
    ] {
        let count =
            cells_of(kind).len() + entities.iter().filter(|entity| entity.1 == kind).count();
        expect(count as i64 == number(field), format!("{count} of {field} {}", number(field)));
    }
    for (n, (at, kind)) in entities.iter().enumerate() {
        expect(tiles.get(at) == Some(&"floor"), format!("{kind} at {at:?} is not on a floor tile"));
        expect(entities[..n].iter().all(|other| other.0 != *at), format!("two entities at {at:?}"));
        expect(
            *kind != "enemy" || distances.get(at).is_some_and(|&distance| distance >= 2),
            format!("enemy too close to the entrance at {at:?}"),
        );
    }
    for at in cells_of("chest") {
        let beside_path = neighbours(at).iter().any(|next| on_path.contains(next));
        expect(!on_path.contains(&at) && beside_path, format!("chest at {at:?}"));
    }
    for at in cells_of("trap") {
        expect(!on_path.contains(&at), format!("trap at {at:?}"));
    }
    for at in cells_of("door") {
        let [north, east, south, west] = neighbours(at).map(|next| open.contains(&next));
        expect(
            (north, east) == (south, west) && north != east,
            format!("door at {at:?} not between two walls"),
        );
        let mut rest = open.clone();
        rest.remove(&at);
        let guarded = rest.len() - bfs_distances(&rest, entrance).len();
        expect(guarded >= 3, format!("door at {at:?} guards {guarded}"));
        expect(
            neighbours(at).iter().all(|next| tiles.get(next) != Some(&"door")),
            format!("doors beside {at:?}"),
        );
    }
    let enemies: BTreeSet<Cell> =
        entities.iter().filter(|entity| entity.1 == "enemy").map(|entity| entity.0).collect();
    let safe = bfs_distances(&open.difference(&enemies).copied().collect(), entrance);
    if config["safeRoute"] == true {
        expect(safe.contains_key(&exit), "no safe route".into());
    }
    if config["safeChests"] == true {
        expect(cells_of("chest").iter().all(|at| safe.contains_key(at)), "an unsafe chest".into());
    }
    let symbol_at = |at: Cell| {
        entities
            .iter()
            .find(|entity| entity.0 == at)
            .map_or_else(|| symbol(tiles[&at]), |entity| symbol(entity.1))
    };
    for (y, row) in config["pins"].as_array().into_iter().flatten().enumerate() {
        for (x, pin) in row.as_str().unwrap().chars().enumerate() {
            let at = (x as i64, y as i64);
            expect(
                pin == '?' || symbol_at(at) == pin,
                format!("{} where {pin} is pinned at {at:?}", symbol_at(at)),
            );
        }
    }
    if let Some(rows) = config["template"]["rows"].as_array() {
        let rows: Vec<Vec<char>> =
            rows.iter().map(|row| row.as_str().unwrap().chars().collect()).collect();
        let actual: Vec<Vec<char>> = (0..number("height"))
            .map(|y| (0..number("width")).map(|x| symbol_at((x, y))).collect())
            .collect();
        expect(
            images(&rows).iter().any(|image| matches_template(image, &actual)),
            "not the template".into(),
        );
    }
    faults
}

/// Returns the eight images of a drawing under rotation and reflection.
fn images(rows: &[Vec<char>]) -> Vec<Vec<Vec<char>>> {
    let rotate = |rows: &Vec<Vec<char>>| -> Vec<Vec<char>> {
        (0..rows[0].len()).map(|x| rows.iter().rev().map(|row| row[x]).collect()).collect()
    };
    let mirror = |rows: &Vec<Vec<char>>| -> Vec<Vec<char>> {
        rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
    };
    let mut all = vec![rows.to_vec()];
    (0..3).for_each(|n| all.push(rotate(&all[n])));
    let mirrored: Vec<_> = all.iter().map(mirror).collect();
    all.extend(mirrored);
    all
}

/// Returns whether a floor is an image of a template. Only free floor and unused ends may differ.
fn matches_template(image: &[Vec<char>], actual: &[Vec<char>]) -> bool {
    image.len() == actual.len()
        && image[0].len() == actual[0].len()
        && image.iter().flatten().zip(actual.iter().flatten()).all(|(expected, actual)| {
            match expected {
                '.' | '<' | '>' => expected == actual || ".+^$~eirn".contains(*actual),
                _ => expected == actual,
            }
        })
}

/// Generates some floors of a configuration, if it is accepted, and checks them with both
/// validators. Returns the number of floors.
fn compare(config: &floor::Config, seeds: u64) -> usize {
    let Ok(spec) = config.resolve() else { return 0 };
    let mut count = 0;
    for seed in 0..seeds {
        let Ok(floor) = floor::generate(seed.into(), &spec) else { continue };
        let (faults_found, report) = (faults(&floor), validate(&floor));
        assert!(
            faults_found.is_empty() && report.is_valid(),
            "{config:?}\n{floor}{faults_found:?}\n{:?}",
            report.violations
        );
        count += 1;
    }
    count
}

/// Returns a configuration whose constraints often barely fit.
fn tight_config(width: i64, height: i64, share: u32, rng: &mut MapRng) -> floor::Config {
    let cells = (width * height) as u32;
    let mut budget =
        |max: u32| Some(i64::from(if rng.chance(1, 2) { rng.below(max + 1) } else { 0 }));
    let mut config = floor::Config {
        width: Some(width),
        height: Some(height),
        min_path_length: budget(cells / 3),
        door_budget: budget(cells / share / 2),
        chest_budget: budget(cells / share),
        trap_budget: budget(cells / share),
        water_budget: budget(cells / share),
        enemy_budget: budget(cells / share),
        item_budget: budget(cells / share / 2),
        relic_budget: budget(2),
        npc_budget: budget(2),
        attempts: Some(8),
        ..floor::Config::default()
    };
    config.safe_route = rng.chance(1, 4);
    config.safe_chests = rng.chance(1, 4);
    let x = i64::from(rng.below(width as u32));
    config.entrance = rng.chance(1, 4).then_some(Vec2 { x, y: 0 });
    config
}

fn random_size(rng: &mut MapRng) -> (i64, i64) {
    [(3, 3), (5, 4), (5, 5), (6, 4), (6, 5), (7, 7), (9, 6), (13, 3)][rng.below(8) as usize]
}

#[test]
fn tight_floors_pass_an_independent_checker() {
    let mut rng = MapRng::from_u64(1);
    let floors: usize = (0..2000)
        .map(|_| {
            let (width, height) = random_size(&mut rng);
            compare(&tight_config(width, height, 5, &mut rng), 2)
        })
        .sum();
    assert!(floors > 1500, "{floors}");
}

/// Returns a floor of another configuration as rows of symbols.
fn random_floor(width: i64, height: i64, rng: &mut MapRng) -> Option<(floor::Config, Vec<String>)> {
    let config =
        floor::Config { entrance: None, attempts: None, ..tight_config(width, height, 8, rng) };
    let floor = floor::generate(rng.next_u64().into(), &config.resolve().ok()?).ok()?;
    Some((config, floor.to_string().lines().map(str::to_owned).collect()))
}

#[test]
fn pinned_floors_pass_an_independent_checker() {
    let mut rng = MapRng::from_u64(2);
    let (mut floors, mut configs) = (0, 0);
    while configs < 1500 {
        let (width, height) = random_size(&mut rng);
        let Some((config, rows)) = random_floor(width, height, &mut rng) else { continue };
        // Pin some cells of an existing floor, and sometimes change one of them.
        let eighths_pinned = 1 + rng.below(4);
        let pin = |symbol: char, rng: &mut MapRng| match rng.below(40) {
            0 => ['#', '.', '~', '$', '^'][rng.below(5) as usize],
            _ if rng.chance(eighths_pinned, 8) => symbol,
            _ => '?',
        };
        let pins = rows
            .iter()
            .map(|row| row.chars().map(|symbol| pin(symbol, &mut rng)).collect())
            .collect();
        floors += compare(&floor::Config { pins, attempts: Some(8), ..config }, 2);
        configs += 1;
    }
    assert!(floors > 1000, "{floors}");
}

#[test]
fn template_floors_pass_an_independent_checker() {
    let mut rng = MapRng::from_u64(3);
    let (mut floors, mut configs) = (0, 0);
    while configs < 1000 {
        let (width, height) = random_size(&mut rng);
        let Some((_, rows)) = random_floor(width, height, &mut rng) else { continue };
        let count_of = |symbol: char| {
            rows.iter().flat_map(|row| row.chars()).filter(|&c| c == symbol).count() as i64
        };
        let mut draw_budget =
            |symbol: char| rng.chance(1, 3).then(|| count_of(symbol) + i64::from(rng.below(3)));
        let config = floor::Config {
            door_budget: draw_budget('+'),
            chest_budget: draw_budget('$'),
            trap_budget: draw_budget('^'),
            water_budget: draw_budget('~'),
            enemy_budget: draw_budget('e'),
            item_budget: draw_budget('i'),
            safe_route: rng.chance(1, 4),
            safe_chests: rng.chance(1, 4),
            template: Some(Template { id: "drawn".into(), rows, legend: BTreeMap::new() }),
            ..floor::Config::default()
        };
        floors += compare(&config, 2);
        configs += 1;
    }
    assert!(floors > 800, "{floors}");
}
