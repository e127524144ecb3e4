//! Clauses for other SAT solvers: the comparison in `benches/peers/benches/sat.rs` uses nothing else.

use super::complete;
use super::encode::{Clauses, Encoding};
use super::sat::Lit;
use crate::{Generator, Spec};
use wayforge_core::Seed;

/// The first skeleton of a seed, with the rules about its kinds.
#[derive(Clone, Debug)]
pub struct KindProblem(Generator);

impl KindProblem {
    /// The first skeleton of `seed`; `None` if the map has no kinds.
    pub fn new(seed: &Seed, spec: &Spec) -> Option<KindProblem> {
        spec.kind_spec()?;
        let mut forge = Generator::new(spec);
        forge.build(seed, 0, &mut ());
        forge.skeleton.link_down();
        Some(KindProblem(forge))
    }

    /// Encodes the rules for another solver. Passes every clause to `add` as DIMACS literals: variables from 1, negative
    /// if negated. Returns the number of variables.
    pub fn encode(&self, add: impl FnMut(&[i32])) -> u32 {
        let stream = Stream { variables: 0, clause: Vec::new(), add };
        let kinds = self.0.spec.kind_spec();
        let encoding = kinds.and_then(|kinds| Encoding::new(stream, kinds, &self.0.skeleton, false));
        encoding.map_or(0, |encoding| encoding.solver.variables)
    }

    /// Encodes the rules for our solver and decides whether they can be met; `None` at the bound.
    pub fn decide(&self) -> Option<bool> {
        self.0.spec.kind_spec().and_then(|kinds| complete::decide(kinds, &self.0.skeleton))
    }
}

/// Passes clauses on as they come.
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

    /// Nothing is stored here, so nothing is bounded.
    fn size(&self) -> usize {
        0
    }
}
