//! Pinned, template and tight floors against an independent checker.
//!
//! The generator accepts such floors by its own validator, so a wrong rule could pass on both sides. The checker below reads
//! the JSON of a floor, shares no code with the crate, and states every rule again in its own words.

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

fn beside((x, y): Cell) -> [Cell; 4] {
    [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
}

fn steps(open: &BTreeSet<Cell>, from: Cell) -> BTreeMap<Cell, i64> {
    let mut steps = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(here) = queue.pop_front() {
        for next in beside(here) {
            if open.contains(&next) && !steps.contains_key(&next) {
                steps.insert(next, steps[&here] + 1);
                queue.push_back(next);
            }
        }
    }
    steps
}

/// Every fault of a floor, in words.
fn faults(floor: &floor::Floor) -> Vec<String> {
    let json: Value = serde_json::from_str(&serialize_floor(floor)).unwrap();
    let config = &json["config"];
    let number = |name: &str| config[name].as_i64().unwrap_or(0);
    let list = |name: &str| json[name].as_array().unwrap();
    let tiles: BTreeMap<Cell, &str> =
        list("tiles").iter().map(|tile| (cell(&tile["pos"]), tile["kind"].as_str().unwrap())).collect();
    let of =
        |kind: &str| tiles.iter().filter(|(_, tile)| **tile == kind).map(|(at, _)| *at).collect::<Vec<_>>();
    let things: Vec<(Cell, &str)> =
        list("entities").iter().map(|thing| (cell(&thing["pos"]), thing["kind"].as_str().unwrap())).collect();
    let open: BTreeSet<Cell> =
        tiles.iter().filter(|(_, kind)| !["wall", "water"].contains(kind)).map(|(at, _)| *at).collect();
    let path: Vec<Cell> = list("path").iter().map(cell).collect();
    let on_path: BTreeSet<Cell> = path.iter().copied().collect();
    let (entrance, exit) = (cell(&json["entrance"]), cell(&json["exit"]));
    let from = steps(&open, entrance);
    let mut faults: Vec<String> = Vec::new();
    let mut expect = |holds: bool, fault: String| {
        if !holds {
            faults.push(fault);
        }
    };

    expect(tiles.len() as i64 == number("width") * number("height"), "tiles".into());
    expect(of("entrance") == [entrance] && of("exit") == [exit], "ends".into());
    for (name, at) in [("entrance", entrance), ("exit", exit)] {
        expect(
            config[name].is_null() || cell(&config[name]) == at,
            format!("{name} not where it was asked for"),
        );
    }
    expect(from.keys().copied().collect::<BTreeSet<Cell>>() == open, "not connected".into());
    let shortest = from.get(&exit).copied().unwrap_or(-1);
    expect(shortest >= number("minPathLength").max(1), format!("{shortest} steps"));
    expect(path.len() as i64 == shortest + 1, "the path is not a shortest one".into());
    expect(path.first() == Some(&entrance) && path.last() == Some(&exit), "the ends of the path".into());
    expect(path.windows(2).all(|two| beside(two[0]).contains(&two[1])), "a jump on the path".into());
    expect(path.iter().all(|at| open.contains(at)), "the path leads through a wall".into());
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
        let there = of(kind).len() + things.iter().filter(|thing| thing.1 == kind).count();
        expect(there as i64 == number(field), format!("{there} of {field} {}", number(field)));
    }
    for (n, (at, kind)) in things.iter().enumerate() {
        expect(tiles.get(at) == Some(&"floor"), format!("{kind} at {at:?} does not stand on floor"));
        expect(things[..n].iter().all(|other| other.0 != *at), format!("two things at {at:?}"));
        expect(
            *kind != "enemy" || from.get(at).is_some_and(|&far| far >= 2),
            format!("enemy near at {at:?}"),
        );
    }
    for at in of("chest") {
        let next_to = beside(at).iter().any(|next| on_path.contains(next));
        expect(!on_path.contains(&at) && next_to, format!("chest at {at:?}"));
    }
    for at in of("trap") {
        expect(!on_path.contains(&at), format!("trap at {at:?}"));
    }
    for at in of("door") {
        let [north, east, south, west] = beside(at).map(|next| open.contains(&next));
        expect((north, east) == (south, west) && north != east, format!("door at {at:?} between no walls"));
        let mut rest = open.clone();
        rest.remove(&at);
        let behind = rest.len() - steps(&rest, entrance).len();
        expect(behind >= 3, format!("door at {at:?} guards {behind}"));
        expect(
            beside(at).iter().all(|next| tiles.get(next) != Some(&"door")),
            format!("doors beside {at:?}"),
        );
    }
    let enemies: BTreeSet<Cell> =
        things.iter().filter(|thing| thing.1 == "enemy").map(|thing| thing.0).collect();
    let safe = steps(&open.difference(&enemies).copied().collect(), entrance);
    if config["safeRoute"] == true {
        expect(safe.contains_key(&exit), "no safe route".into());
    }
    if config["safeChests"] == true {
        expect(of("chest").iter().all(|at| safe.contains_key(at)), "a chest that is not safe".into());
    }
    let drawn = |at: Cell| {
        things.iter().find(|thing| thing.0 == at).map_or_else(|| symbol(tiles[&at]), |thing| symbol(thing.1))
    };
    for (y, row) in config["pins"].as_array().into_iter().flatten().enumerate() {
        for (x, pin) in row.as_str().unwrap().chars().enumerate() {
            let at = (x as i64, y as i64);
            expect(pin == '?' || drawn(at) == pin, format!("{} where {pin} is pinned at {at:?}", drawn(at)));
        }
    }
    if let Some(rows) = config["template"]["rows"].as_array() {
        let rows: Vec<Vec<char>> = rows.iter().map(|row| row.as_str().unwrap().chars().collect()).collect();
        let here: Vec<Vec<char>> =
            (0..number("height")).map(|y| (0..number("width")).map(|x| drawn((x, y))).collect()).collect();
        expect(images(&rows).iter().any(|image| is_stamped(image, &here)), "not the template".into());
    }
    faults
}

/// A drawing as it is, turned and mirrored.
fn images(rows: &[Vec<char>]) -> Vec<Vec<Vec<char>>> {
    let turn = |rows: &Vec<Vec<char>>| -> Vec<Vec<char>> {
        (0..rows[0].len()).map(|x| rows.iter().rev().map(|row| row[x]).collect()).collect()
    };
    let mirror = |rows: &Vec<Vec<char>>| -> Vec<Vec<char>> {
        rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
    };
    let mut all = vec![rows.to_vec()];
    (0..3).for_each(|n| all.push(turn(&all[n])));
    let mirrored: Vec<_> = all.iter().map(mirror).collect();
    all.extend(mirrored);
    all
}

/// Whether a floor is an image of a template: only free floor, and ends that are not in use, may hold something else.
fn is_stamped(image: &[Vec<char>], here: &[Vec<char>]) -> bool {
    image.len() == here.len()
        && image[0].len() == here[0].len()
        && image.iter().flatten().zip(here.iter().flatten()).all(|(there, here)| match there {
            '.' | '<' | '>' => there == here || ".+^$~eirn".contains(*here),
            _ => there == here,
        })
}

/// Generates some seeds of a configuration, if it is accepted, and compares both judgements. Returns how many floors.
fn compare(config: &floor::Config, seeds: u64) -> usize {
    let Ok(spec) = config.resolve() else { return 0 };
    let mut count = 0;
    for seed in 0..seeds {
        let Ok(made) = floor::generate(seed.into(), &spec) else { continue };
        let (found, report) = (faults(&made), validate(&made));
        assert!(
            found.is_empty() && report.is_valid(),
            "{config:?}\n{made}{found:?}\n{:?}",
            report.violations
        );
        count += 1;
    }
    count
}

/// Budgets, ends and safety that often just fit.
fn tight(width: i64, height: i64, share: u32, rng: &mut MapRng) -> floor::Config {
    let cells = (width * height) as u32;
    let mut budget = |most: u32| Some(i64::from(if rng.chance(1, 2) { rng.below(most + 1) } else { 0 }));
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

fn size(rng: &mut MapRng) -> (i64, i64) {
    [(3, 3), (5, 4), (5, 5), (6, 4), (6, 5), (7, 7), (9, 6), (13, 3)][rng.below(8) as usize]
}

#[test]
fn tight_floors_pass_an_independent_checker() {
    let mut rng = MapRng::from_u64(1);
    let floors: usize = (0..2000)
        .map(|_| {
            let (width, height) = size(&mut rng);
            compare(&tight(width, height, 5, &mut rng), 2)
        })
        .sum();
    assert!(floors > 1500, "{floors}");
}

/// A floor of some other configuration, as rows of characters.
fn draw(width: i64, height: i64, rng: &mut MapRng) -> Option<(floor::Config, Vec<String>)> {
    let config = floor::Config { entrance: None, attempts: None, ..tight(width, height, 8, rng) };
    let made = floor::generate(rng.next_u64().into(), &config.resolve().ok()?).ok()?;
    Some((config, made.to_string().lines().map(str::to_owned).collect()))
}

#[test]
fn pinned_floors_pass_an_independent_checker() {
    let mut rng = MapRng::from_u64(2);
    let (mut floors, mut configs) = (0, 0);
    while configs < 1500 {
        let (width, height) = size(&mut rng);
        let Some((config, rows)) = draw(width, height, &mut rng) else { continue };
        // Some cells of a floor that exists are pinned, and sometimes one of them is changed.
        let keep = 1 + rng.below(4);
        let pin = |symbol: char, rng: &mut MapRng| match rng.below(40) {
            0 => ['#', '.', '~', '$', '^'][rng.below(5) as usize],
            _ if rng.chance(keep, 8) => symbol,
            _ => '?',
        };
        let pins = rows.iter().map(|row| row.chars().map(|symbol| pin(symbol, &mut rng)).collect()).collect();
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
        let (width, height) = size(&mut rng);
        let Some((_, rows)) = draw(width, height, &mut rng) else { continue };
        let held =
            |symbol: char| rows.iter().flat_map(|row| row.chars()).filter(|&c| c == symbol).count() as i64;
        let mut more = |symbol: char| rng.chance(1, 3).then(|| held(symbol) + i64::from(rng.below(3)));
        let config = floor::Config {
            door_budget: more('+'),
            chest_budget: more('$'),
            trap_budget: more('^'),
            water_budget: more('~'),
            enemy_budget: more('e'),
            item_budget: more('i'),
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
