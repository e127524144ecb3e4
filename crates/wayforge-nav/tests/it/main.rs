//! Tests of pathfinding.

mod allocations;
mod edits;
mod guarantees;
mod oracle;
mod shortest;
mod turns;
mod work;
