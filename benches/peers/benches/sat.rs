//! Our SAT solver beside the crate `batsat` on the rules about kinds: `cargo bench -p wayforge-peers --bench sat`.
//!
//! Both solvers get the same clauses of the same skeletons, and decide whether they can be satisfied. The time of each
//! includes the encoding of the rules. The fast search, which finds kinds for most skeletons, is left out.

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use wayforge::Seed;
use wayforge::act::{self, Count, KindProblem, KindsChoice, KindsConfig, WalksConfig};
use wayforge_benches::nav::Clock;

const SKELETONS: u64 = 1_000;

/// Names of rule sets, with the bounds on routes of kinds of the standard set.
type Rule = (usize, i64, Option<i64>);
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
        let config = WalksConfig { kinds: KindsChoice::Own(Box::new(kinds)), ..Default::default() };
        let spec = act::Config::Walks(config).resolve().expect("a valid configuration");
        compare(name, (0..SKELETONS).filter_map(|seed| KindProblem::new(&Seed::new(seed), &spec)));
    }
}

fn compare(name: &str, problems: impl Iterator<Item = KindProblem>) {
    let (mut ours, mut theirs, mut encoding) = (Times::default(), Times::default(), Times::default());
    let mut satisfiable = 0;
    for problem in problems {
        encoding.measure(|| problem.encode(|_| {}));
        let answer = ours.measure(|| problem.decide());
        assert_eq!(answer, theirs.measure(|| batsat(&problem)), "the solvers agree");
        satisfiable += u32::from(answer == Some(true));
    }
    println!("7 x 15, {name}: {} skeletons, {satisfiable} satisfiable", ours.0.len());
    ours.print("wayforge, encoding included");
    theirs.print("batsat, encoding included");
    encoding.print("encoding alone, clauses dropped");
}

fn batsat(problem: &KindProblem) -> Option<bool> {
    let mut solver = BasicSolver::default();
    let mut lits: Vec<Lit> = Vec::new();
    problem.encode(|clause| {
        lits.clear();
        lits.extend(clause.iter().map(|&lit| Lit::new(solver.var_of_int(lit.unsigned_abs() - 1), lit > 0)));
        solver.add_clause_reuse(&mut lits);
    });
    let answer = solver.solve_limited(&[]);
    (answer != lbool::UNDEF).then_some(answer == lbool::TRUE)
}

/// Processor time of each skeleton, in seconds.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn measure<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let clock = Clock::start();
        let result = work();
        self.0.push(clock.seconds());
        result
    }

    fn print(&mut self, name: &str) {
        self.0.sort_by(f64::total_cmp);
        let (count, sum) = (self.0.len(), self.0.iter().sum::<f64>());
        println!(
            "  {name:32} mean {:8.3} ms, median {:8.3} ms, most {:9.3} ms",
            1e3 * sum / count as f64,
            1e3 * self.0[count / 2],
            1e3 * self.0[count - 1],
        );
    }
}
