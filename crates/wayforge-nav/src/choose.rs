//! Selection of the search method for a query.

use super::jump::JumpPointSearch;
use super::navigator::Navigator;
use super::options::Preprocessing;
use super::query::{Connectivity, Method, Metric, Query};
use wayforge_core::InputError;

impl Navigator {
    /// Returns the requested method, or the fastest exact one for [`Method::Auto`].
    ///
    /// # Errors
    /// The method does not support the metric or depths of the query.
    pub(super) fn choose(&mut self, query: &Query) -> Result<Method, InputError> {
        let octile = query.metric == Metric::Octile && query.connectivity == Connectivity::Eight;
        let by_depth = !query.depths.is_empty();
        let (field, value, problem, remedy) = match query.method {
            _ if by_depth && !self.grid.has_magnitudes() => {
                let depths: Vec<String> = query.depths.iter().map(u8::to_string).collect();
                let remedy = "omit depths, or use a map with magnitudes";
                ("depths", depths.join(", "), "this map has no magnitudes", remedy)
            }
            _ if by_depth && octile => (
                "metric",
                "octile".to_owned(),
                "depths require the metric steps",
                "use steps, or omit depths",
            ),
            Method::Auto if by_depth => return Ok(Method::Auto),
            method if by_depth => {
                let problem = "does not support depths";
                ("method", method.to_string(), problem, "use auto, or omit depths")
            }
            Method::Auto if self.options.preprocessing == Preprocessing::Full => {
                return Ok(Method::JpsGraph);
            }
            Method::Auto if octile => return Ok(Method::Jps),
            Method::Auto => {
                let jps = self.jps.get_or_insert_with(|| JumpPointSearch::new(&self.grid));
                // Bit-parallel BFS is faster where jump points are dense, as in noise and mazes.
                return Ok(if jps.has_dense_jump_points(&self.grid) {
                    Method::Bidirectional
                } else {
                    Method::Jps
                });
            }
            method if octile && !matches!(method, Method::Jps | Method::JpsGraph) => {
                let problem = "counts steps and does not support octile lengths";
                (
                    "method",
                    method.to_string(),
                    problem,
                    "use auto, jps or jps-graph, or the metric steps",
                )
            }
            method => return Ok(method),
        };
        Err(InputError::new(field, value, problem, remedy))
    }
}
