//! Which method answers a query.

use super::jump::Jumps;
use super::navigator::Navigator;
use super::options::Prepare;
use super::query::{Method, Metric, Moves, Query};
use wayforge_core::InputError;

impl Navigator {
    /// The method for a query: the one it names, if it can serve the metric, or the fastest.
    pub(super) fn choose(&mut self, query: &Query) -> Result<Method, InputError> {
        let octile = query.metric == Metric::Octile && query.moves == Moves::Eight;
        let by_depth = !query.depths.is_empty();
        let (field, value, problem, remedy) = match query.method {
            _ if by_depth && !self.water.has_magnitudes() => {
                let depths: Vec<String> = query.depths.iter().map(u8::to_string).collect();
                let remedy = "leave depths out, or give a map that has them";
                ("depths", depths.join(", "), "this map knows no magnitudes", remedy)
            }
            _ if by_depth && octile => {
                ("metric", "octile".to_owned(), "depths are searched in steps", "use steps with depths")
            }
            Method::Auto if by_depth => return Ok(Method::Auto),
            method if by_depth => {
                let problem = "depths are searched by their own method";
                ("method", method.to_string(), problem, "use auto with depths")
            }
            Method::Auto if self.options.prepare == Prepare::Full => return Ok(Method::Graph),
            Method::Auto if octile => return Ok(Method::Jump),
            Method::Auto => {
                let jumps = self.jumps.get_or_insert_with(|| Jumps::new(&self.water));
                // Where every few tiles have a jump point, as in noise and mazes, words of tiles are faster.
                return Ok(if jumps.are_many(&self.water) { Method::Wave } else { Method::Jump });
            }
            method if octile && !matches!(method, Method::Jump | Method::Graph) => {
                let problem = "counts steps and knows no octile lengths";
                ("method", method.to_string(), problem, "use auto, jump or graph, or the metric steps")
            }
            method => return Ok(method),
        };
        Err(InputError::new(field, value, problem, remedy))
    }
}
