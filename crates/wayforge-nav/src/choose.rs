//! Which method answers a query.

use super::jump::Jumps;
use super::navigator::Navigator;
use super::options::Prepare;
use super::query::{Method, Metric, Moves, Query};
use wayforge_core::InputError;

impl Navigator {
    /// The method for a query: the one it names, if it can serve the metric, or the fastest.
    pub(super) fn choose(&mut self, query: &Query) -> Result<Method, InputError> {
        if !query.depths.is_empty() {
            if !self.water.has_magnitudes() {
                let list: Vec<String> = query.depths.iter().map(u8::to_string).collect();
                return Err(InputError::new(
                    "depths",
                    list.join(", "),
                    "this map knows no magnitudes",
                    "leave depths out, or give a map that has them",
                ));
            }
            if octile(query) {
                let problem = "depths are searched in steps";
                return Err(InputError::new("metric", "octile", problem, "use steps with depths"));
            }
            if query.method != Method::Auto {
                let problem = "depths are searched by their own method";
                return Err(InputError::new("method", query.method, problem, "use auto with depths"));
            }
            return Ok(Method::Auto);
        }
        match query.method {
            Method::Auto => {
                if self.options.prepare == Prepare::Full {
                    return Ok(Method::Graph);
                }
                if octile(query) {
                    return Ok(Method::Jump);
                }
                let jumps = self.jumps.get_or_insert_with(|| Jumps::new(&self.water));
                // Where every few tiles have a jump point, as in noise and mazes, words of tiles are faster.
                Ok(if jumps.are_many(&self.water) { Method::Wave } else { Method::Jump })
            }
            Method::Jump | Method::Graph => Ok(query.method),
            method if octile(query) => {
                let problem = "counts steps and knows no octile lengths";
                Err(InputError::new(
                    "method",
                    method,
                    problem,
                    "use auto, jump or graph, or the metric steps",
                ))
            }
            method => Ok(method),
        }
    }
}

fn octile(query: &Query) -> bool {
    query.metric == Metric::Octile && query.moves == Moves::Eight
}
