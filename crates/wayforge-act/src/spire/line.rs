//! Canonical one-line text form of act maps, used to compare generators.

use crate::ActMap;
use std::fmt::Write;
use wayforge_core::InputError;

/// Formats a map as one line.
///
/// Rows are listed from the bottom up and end with `/`. Each node is its column, the symbol of its
/// kind and the columns that it leads to, followed by a comma. The boss is not listed.
///
/// # Errors
/// The map has more than 10 columns, or a node has no kind.
///
/// # Examples
/// ```
/// use wayforge_act::{self as act, SpireConfig};
/// use wayforge_core::Seed;
/// let spec = act::Config::Spire(SpireConfig { act: 4, ..Default::default() }).resolve()?;
/// assert_eq!(act::canonical_line(&act::generate(Seed::new(0), &spec)?)?, "3R3,/3$3,/3E,/");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn canonical_line(map: &ActMap) -> Result<String, InputError> {
    if map.spec.cols() > 10 {
        let (problem, remedy) =
            ("columns are written as one digit", "use at most 10 columns, or another format");
        return Err(InputError::new("cols", map.spec.cols(), problem, remedy));
    }
    let (mut nodes, mut edges) = (map.nodes.clone(), map.edges.clone());
    nodes.sort_unstable();
    edges.sort_unstable();
    let mut line = String::new();
    for row in 0..map.spec.rows() {
        for node in nodes.iter().filter(|node| node.row == row) {
            let Some(kind) = node.kind.and_then(|kind| map.kinds().get(usize::from(kind.0))) else {
                let problem = format!("{} has no kind", node.label());
                return Err(InputError::new(
                    "kinds",
                    "none",
                    problem,
                    "use kinds, or another format",
                ));
            };
            // Writing to a string cannot fail.
            let _ = write!(line, "{}{}", node.col, kind.symbol);
            for edge in edges.iter().filter(|edge| (edge.row, edge.from) == (row, node.col)) {
                let _ = write!(line, "{}", edge.to);
            }
            line.push(',');
        }
        line.push('/');
    }
    Ok(line)
}
