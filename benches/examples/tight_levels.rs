//! Ablation study of level repair: measures the effect of each technique.
//!
//! `cargo run --release -p wayforge-benches --example tight_levels [COUNT] [tight|large]`.
//!
//! Generates levels from tight random configurations of all wall styles and fuel modes, with each
//! technique disabled in turn. Prints how many results change, by the first difference: outcome;
//! number of removed cells; proof that the number is minimal; choice of cells.

use std::time::{Duration, Instant};
use wayforge::MapRng;
use wayforge::level::{self, RepairOutcome, RepairTechnique};

/// Result of a generation.
#[derive(PartialEq)]
struct GenerationResult {
    /// `(true, index of the attempt)` on success, `(false, code of the repair outcome)` on failure.
    outcome: (bool, u32),
    /// Removed wall cells.
    cells: Vec<wayforge::grid::Pos>,
    /// Whether the number of removed cells is proved minimal.
    is_minimum: bool,
}

fn main() {
    let count: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2000);
    let large = std::env::args().nth(2).is_some_and(|text| text == "large");
    let mut rng = MapRng::from_u64(5);
    let (mut generated, mut used, mut failed, mut proved) = (0, 0, 0, 0);
    let mut base_time = Duration::ZERO;
    let mut rows = RepairTechnique::ALL.map(|technique| (technique, [0_u32; 4], Duration::ZERO));
    while used < count {
        let json =
            if large { random_large_config(&mut rng) } else { random_tight_config(&mut rng) };
        let config = level::Config::from_json(json.as_bytes()).unwrap();
        let Ok(spec) = config.resolve() else { continue };
        let seed = u64::from(rng.below(1 << 30));
        generated += 1;
        let (base, time) = run(&spec, seed, None);
        let needs_no_repair = base.outcome == (true, 0) && base.cells.is_empty();
        if needs_no_repair || base.outcome == OTHER_ERROR {
            continue;
        }
        used += 1;
        failed += u32::from(!base.outcome.0);
        proved += u32::from(base.is_minimum);
        base_time += time;
        for (technique, changed, total) in &mut rows {
            let (other, time) = run(&spec, seed, Some(*technique));
            *total += time;
            let differences = [
                other.outcome != base.outcome,
                other.cells.len() != base.cells.len(),
                other.is_minimum != base.is_minimum,
                other.cells != base.cells,
            ];
            if let Some(first) = differences.into_iter().position(|differs| differs) {
                changed[first] += 1;
            }
        }
    }
    println!(
        "{generated} configurations, {used} repaired or failed, {failed} failed, {proved} proved, \
         {base_time:.1?}"
    );
    println!(
        "{:16} {:>8} {:>8} {:>8} {:>8}  time",
        "without", "outcome", "number", "proof", "cells"
    );
    for (technique, [outcome, number, proof, cells], time) in rows {
        println!(
            "{:16} {outcome:8} {number:8} {proof:8} {cells:8}  {time:.1?}",
            format!("{technique:?}")
        );
    }
}

/// Outcome of errors other than a missing path; such configurations are skipped.
const OTHER_ERROR: (bool, u32) = (false, 3);

fn run(
    spec: &level::Spec,
    seed: u64,
    disabled: Option<RepairTechnique>,
) -> (GenerationResult, Duration) {
    let mut generator = level::Generator::new(spec);
    generator.disable(disabled);
    let start = Instant::now();
    let attempt = generator.generate(seed.into()).map(|level| level.attempt.clone());
    let time = start.elapsed();
    let result = match attempt {
        Ok(attempt) => GenerationResult {
            outcome: (true, attempt.index),
            cells: attempt.repaired,
            is_minimum: attempt.fewest,
        },
        Err(error) => match error.repair {
            RepairOutcome::Found(repair) => GenerationResult {
                outcome: (false, 0),
                cells: repair.cells,
                is_minimum: repair.is_minimum,
            },
            RepairOutcome::Infeasible => {
                GenerationResult { outcome: (false, 1), cells: Vec::new(), is_minimum: false }
            }
            RepairOutcome::Undecided => {
                GenerationResult { outcome: (false, 2), cells: Vec::new(), is_minimum: false }
            }
            _ => GenerationResult { outcome: OTHER_ERROR, cells: Vec::new(), is_minimum: false },
        },
    };
    (result, time)
}

const WALLS: [&str; 7] =
    ["default", "grid_wire", "sparse_moore.60%", "sparse_ortho.60%", "maze", "caves", "empty"];
const FUEL: [&str; 3] = ["fuel_can", "refuel_chain", "start_full"];

fn random_tight_config(rng: &mut MapRng) -> String {
    let (width, height) = match rng.below(16) {
        0 => (48, 30),
        1..=3 => (20 + rng.below(12), 14 + rng.below(8)),
        _ => (9 + rng.below(7), 7 + rng.below(5)),
    };
    let mut pick = |options: &[&str]| options[rng.below(options.len() as u32) as usize].to_owned();
    let (walls, fuel) = (pick(&WALLS), pick(&FUEL));
    let (pitfalls, moving) =
        (pick(&["0%", "3%", "10%", "20%", "40%"]), pick(&["0%", "0%", "3%", "10%"]));
    let (car, person) = (pick(&["OBx", "OBx", "OBxh", "OBxhw^"]), pick(&["OBx", "OBx", "OBxw"]));
    let reachable = pick(&["candidates", "candidates", "objectives"]);
    let soft_locks = pick(&["allowed", "allowed", "allowed", "forbidden"]);
    let exits = pick(&[r#"["top"]"#, r#"["left","right"]"#, r#"["top","bottom","left","right"]"#]);
    let (plants, lights) = (pick(&["0%", "5%"]), pick(&["0", "1", "2", "3", "5"]));
    let (players, cars, spots) = (pick(&["1", "2", "3"]), pick(&["1", "2"]), pick(&["1", "2"]));
    let (endurance, attempts) =
        (pick(&["false", "false", "false", "true"]), pick(&["1", "2", "3"]));
    let extra = pick(&[
        "",
        "",
        r#","objectives":[{"steps":["P","C","E"]},{"mover":"car","steps":["C","P"]}]"#,
        r#","marks":[{"name":"door","count":4,"locked_until":"key"},{"name":"key"}],
            "objectives":[{"steps":["P","key","door","E"]}]"#,
    ]);
    format!(
        r#"{{"width":{width},"height":{height},"walls":"{walls}","fuel":"{fuel}",
            "interior_walls":"solid","pitfalls":"{pitfalls}","moving_floors":"{moving}",
            "plants":"{plants}","puddles":"3%",
            "blocked":{{"car":"{car}","person":"{person}"}},"reachable":"{reachable}",
            "soft_locks":"{soft_locks}","exits":{exits},"flashlights":{lights},"players":{players},
            "cars":{cars},"empty_cans":{spots},"fuel_spots":{spots},"endurance":{endurance},
            "reinforced":"20%","attempts":{attempts}{extra}}}"#
    )
}

fn random_large_config(rng: &mut MapRng) -> String {
    let walls = WALLS[rng.below(WALLS.len() as u32) as usize];
    let fuel = FUEL[rng.below(FUEL.len() as u32) as usize];
    format!(
        r#"{{"width":128,"height":128,"walls":"{walls}","fuel":"{fuel}","interior_walls":"solid",
            "flashlights":40,"attempts":2}}"#
    )
}
