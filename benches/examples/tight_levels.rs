//! Measures what each part of the repair of levels buys:
//! `cargo run --release -p wayforge-benches --example tight_levels [CONFIGURATIONS] [tight|large]`.
//!
//! Draws tight random configurations of all wall styles and fuel modes and generates each with every part switched off in
//! turn. Prints how many answers change: success, attempt or kind of remedy; number of removed cells; proof that fewer would
//! not do; only the cells.

use std::time::{Duration, Instant};
use wayforge::MapRng;
use wayforge::level::{self, Remedy, RepairPart};

/// What a generation answers: success with its attempt, or the kind of remedy; removed cells; proof.
#[derive(PartialEq)]
struct Answer {
    outcome: (bool, u32),
    cells: Vec<wayforge::grid::Pos>,
    fewest: bool,
}

fn main() {
    let wanted: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2000);
    let large = std::env::args().nth(2).is_some_and(|text| text == "large");
    let mut rng = MapRng::from_u64(5);
    let (mut drawn, mut used, mut failed, mut proved) = (0, 0, 0, 0);
    let mut full = Duration::ZERO;
    let mut rows = RepairPart::ALL.map(|part| (part, [0_u32; 4], Duration::ZERO));
    while used < wanted {
        let json = if large { draw_large(&mut rng) } else { draw_tight(&mut rng) };
        let config = level::Config::from_json(json.as_bytes()).unwrap();
        let Ok(spec) = config.resolve() else { continue };
        let seed = u64::from(rng.below(1 << 30));
        drawn += 1;
        let (base, time) = answer(&spec, seed, None);
        let unrepaired = base.outcome == (true, 0) && base.cells.is_empty();
        if unrepaired || base.outcome == MISFIT {
            continue;
        }
        used += 1;
        failed += u32::from(!base.outcome.0);
        proved += u32::from(base.fewest);
        full += time;
        for (part, changed, total) in &mut rows {
            let (other, time) = answer(&spec, seed, Some(*part));
            *total += time;
            let differences = [
                other.outcome != base.outcome,
                other.cells.len() != base.cells.len(),
                other.fewest != base.fewest,
                other.cells != base.cells,
            ];
            if let Some(first) = differences.into_iter().position(|differs| differs) {
                changed[first] += 1;
            }
        }
    }
    println!(
        "{drawn} configurations, {used} repaired or failed, {failed} failed, {proved} proved, {full:.1?}"
    );
    println!("{:16} {:>8} {:>8} {:>8} {:>8}  time", "without", "outcome", "number", "proof", "cells");
    for (part, [outcome, number, proof, cells], time) in rows {
        println!("{:16} {outcome:8} {number:8} {proof:8} {cells:8}  {time:.1?}", format!("{part:?}"));
    }
}

const MISFIT: (bool, u32) = (false, 3);

fn answer(spec: &level::Spec, seed: u64, off: Option<RepairPart>) -> (Answer, Duration) {
    let mut generator = level::Generator::new(spec);
    generator.switch_off(off);
    let start = Instant::now();
    let result = generator.generate(seed.into()).map(|level| level.attempt.clone());
    let time = start.elapsed();
    let answer = match result {
        Ok(attempt) => {
            Answer { outcome: (true, attempt.index), cells: attempt.repaired, fewest: attempt.fewest }
        }
        Err(error) => match error.remedy {
            Remedy::Remove(removal) => {
                Answer { outcome: (false, 0), cells: removal.cells, fewest: removal.fewest }
            }
            Remedy::Nothing => Answer { outcome: (false, 1), cells: Vec::new(), fewest: false },
            Remedy::Unknown => Answer { outcome: (false, 2), cells: Vec::new(), fewest: false },
            _ => Answer { outcome: MISFIT, cells: Vec::new(), fewest: false },
        },
    };
    (answer, time)
}

const WALLS: [&str; 7] =
    ["default", "grid_wire", "sparse_moore.60%", "sparse_ortho.60%", "maze", "caves", "empty"];
const FUEL: [&str; 3] = ["fuel_can", "refuel_chain", "start_full"];

fn draw_tight(rng: &mut MapRng) -> String {
    let (width, height) = match rng.below(16) {
        0 => (48, 30),
        1..=3 => (20 + rng.below(12), 14 + rng.below(8)),
        _ => (9 + rng.below(7), 7 + rng.below(5)),
    };
    let mut pick = |of: &[&str]| of[rng.below(of.len() as u32) as usize].to_owned();
    let (walls, fuel) = (pick(&WALLS), pick(&FUEL));
    let (pitfalls, moving) = (pick(&["0%", "3%", "10%", "20%", "40%"]), pick(&["0%", "0%", "3%", "10%"]));
    let (car, person) = (pick(&["OBx", "OBx", "OBxh", "OBxhw^"]), pick(&["OBx", "OBx", "OBxw"]));
    let reachable = pick(&["candidates", "candidates", "objectives"]);
    let soft_locks = pick(&["allowed", "allowed", "allowed", "forbidden"]);
    let exits = pick(&[r#"["top"]"#, r#"["left","right"]"#, r#"["top","bottom","left","right"]"#]);
    let (plants, lights) = (pick(&["0%", "5%"]), pick(&["0", "1", "2", "3", "5"]));
    let (players, cars, spots) = (pick(&["1", "2", "3"]), pick(&["1", "2"]), pick(&["1", "2"]));
    let (endurance, attempts) = (pick(&["false", "false", "false", "true"]), pick(&["1", "2", "3"]));
    let more = pick(&[
        "",
        "",
        r#","objectives":[{"steps":["P","C","E"]},{"mover":"car","steps":["C","P"]}]"#,
        r#","marks":[{"name":"door","count":4,"locked_until":"key"},{"name":"key"}],
            "objectives":[{"steps":["P","key","door","E"]}]"#,
    ]);
    format!(
        r#"{{"width":{width},"height":{height},"walls":"{walls}","fuel":"{fuel}","interior_walls":"solid",
            "pitfalls":"{pitfalls}","moving_floors":"{moving}","plants":"{plants}","puddles":"3%",
            "blocked":{{"car":"{car}","person":"{person}"}},"reachable":"{reachable}",
            "soft_locks":"{soft_locks}","exits":{exits},"flashlights":{lights},"players":{players},
            "cars":{cars},"empty_cans":{spots},"fuel_spots":{spots},"endurance":{endurance},
            "reinforced":"20%","attempts":{attempts}{more}}}"#
    )
}

fn draw_large(rng: &mut MapRng) -> String {
    let walls = WALLS[rng.below(WALLS.len() as u32) as usize];
    let fuel = FUEL[rng.below(FUEL.len() as u32) as usize];
    format!(
        r#"{{"width":128,"height":128,"walls":"{walls}","fuel":"{fuel}","interior_walls":"solid",
            "flashlights":40,"attempts":2}}"#
    )
}
