//! Wayforge's SAT solver compared with the crate `batsat` on rules about kinds:
//! `cargo bench -p wayforge-peers --bench sat`.
//!
//! Both solvers decide the satisfiability of the same clauses for the same skeletons. Times include
//! the encoding of the rules. The benchmark skips the fast search, which solves most skeletons.

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use wayforge::Seed;
use wayforge::act::{self, Count, KindProblem, KindsChoice, KindsConfig, WalksConfig};
use wayforge_benches::nav::CpuClock;

const SKELETONS: u64 = 1_000;

/// Kind of the standard set, with its minimum and maximum count on every route.
type Rule = (usize, i64, Option<i64>);
/// Names and rules of the rule sets.
const RULES: [(&str, &[Rule]); 3] = [
    ("elite 2..", &[(1, 2, None)]),
    ("elite 3..", &[(1, 3, None)]),
    ("shop 1..2, rest 2..3, elite 2..3", &[(3, 1, Some(2)), (4, 2, Some(3)), (1, 2, Some(3))]),
];

fn main() {
    for (name, bounds) in RULES {
        let mut kinds = KindsConfig::standard(15);
        for &(kind, min, max) in bounds {
            kinds.kinds[kind].route = Count { min: Some(min), max };
        }
        let config =
            WalksConfig { kinds: KindsChoice::Custom(Box::new(kinds)), ..Default::default() };
        let spec = act::Config::Walks(config).resolve().expect("a valid configuration");
        compare(name, (0..SKELETONS).filter_map(|seed| KindProblem::new(&Seed::new(seed), &spec)));
    }
}

fn compare(name: &str, problems: impl Iterator<Item = KindProblem>) {
    let (mut wayforge_times, mut batsat_times, mut encoding_times) =
        (Times::default(), Times::default(), Times::default());
    let mut satisfiable = 0;
    for problem in problems {
        encoding_times.measure(|| problem.encode(|_| {}));
        let result = wayforge_times.measure(|| problem.decide());
        assert_eq!(
            result,
            batsat_times.measure(|| solve_with_batsat(&problem)),
            "the solvers disagree"
        );
        satisfiable += u32::from(result == Some(true));
    }
    println!("7 x 15, {name}: {} skeletons, {satisfiable} satisfiable", wayforge_times.0.len());
    wayforge_times.print("wayforge, encoding included");
    batsat_times.print("batsat, encoding included");
    encoding_times.print("encoding alone, clauses dropped");
}

/// Returns whether the problem is satisfiable, or `None` if the solver gives up.
fn solve_with_batsat(problem: &KindProblem) -> Option<bool> {
    let mut solver = BasicSolver::default();
    let mut lits: Vec<Lit> = Vec::new();
    problem.encode(|clause| {
        lits.clear();
        lits.extend(
            clause.iter().map(|&lit| Lit::new(solver.var_of_int(lit.unsigned_abs() - 1), lit > 0)),
        );
        solver.add_clause_reuse(&mut lits);
    });
    let result = solver.solve_limited(&[]);
    (result != lbool::UNDEF).then_some(result == lbool::TRUE)
}

/// CPU time of each skeleton in seconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let clock = CpuClock::start();
        let result = work();
        self.0.push(clock.seconds());
        result
    }

    fn print(&mut self, name: &str) {
        self.0.sort_by(f64::total_cmp);
        let (count, sum) = (self.0.len(), self.0.iter().sum::<f64>());
        println!(
            "  {name:32} mean {:8.3} ms, median {:8.3} ms, max {:9.3} ms",
            1e3 * sum / count as f64,
            1e3 * self.0[count / 2],
            1e3 * self.0[count - 1],
        );
    }
}
