//! Exports clauses for other SAT solvers; used by the comparison in `benches/peers/benches/sat.rs`.

use super::encode::{Clauses, Encoding};
use super::sat::{Lit, Solver};
use crate::{Generator, Spec};
use wayforge_core::{Seed, Work};

/// The first skeleton of a seed, with the rules about its kinds.
#[derive(Clone, Debug)]
pub struct KindProblem(Generator);

impl KindProblem {
    /// Generates the first skeleton of `seed`; `None` if the map has no kinds.
    pub fn new(seed: &Seed, spec: &Spec) -> Option<KindProblem> {
        spec.kind_spec()?;
        let mut generator = Generator::new(spec);
        generator.build(seed, 0, &mut ());
        generator.skeleton.link_down();
        Some(KindProblem(generator))
    }

    /// Encodes the rules for another solver and returns the number of variables.
    ///
    /// Passes every clause to `add` as DIMACS literals: variables from 1, negative if negated.
    pub fn encode(&self, add: impl FnMut(&[i32])) -> u32 {
        let stream = Stream { variables: 0, clause: Vec::new(), add };
        let kinds = self.0.spec.kind_spec();
        let encoding =
            kinds.and_then(|kinds| Encoding::new(stream, kinds, &self.0.skeleton, false));
        encoding.map_or(0, |encoding| encoding.solver.variables)
    }

    /// Decides with the built-in solver whether the rules are satisfiable; `None` if the limit is
    /// reached.
    pub fn decide(&self) -> Option<bool> {
        let kinds = self.0.spec.kind_spec()?;
        Encoding::new(Solver::default(), kinds, &self.0.skeleton, false)?.solver.solve(
            &[],
            &mut kinds.limit.clone(),
            &Work::default(),
        )
    }
}

/// Forwards clauses to a callback.
struct Stream<F> {
    variables: u32,
    clause: Vec<i32>,
    add: F,
}

impl<F: FnMut(&[i32])> Clauses for Stream<F> {
    fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables - 1)
    }

    fn add(&mut self, clause: &[Lit]) {
        self.clause.clear();
        self.clause.extend(clause.iter().map(|lit| lit.to_dimacs()));
        (self.add)(&self.clause);
    }

    /// Returns 0, because no clause is stored.
    fn size(&self) -> usize {
        0
    }
}
