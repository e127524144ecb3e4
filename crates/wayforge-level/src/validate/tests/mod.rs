//! The judge against the generator: random configurations, random grids, brute force.

mod configs;
mod random;
mod searches;
