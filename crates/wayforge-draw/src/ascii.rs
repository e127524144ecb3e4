//! Renders act maps as text: one line per row, connectors between rows, legend and caption below.

use crate::icons;
use crate::scene::{NodeState, Scene, SceneKind, SceneNode};
use std::fmt::Write;

mod gap;

use gap::{Link, boss_line, gap_lines};

/// Distance between columns, in characters.
const PITCH: usize = 4;
/// Maximum width of the legend, in characters.
const WRAP: usize = 78;

/// Style of text output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsciiStyle {
    /// Printable ASCII and line feeds only.
    Plain,
    /// The same characters with ANSI colour codes.
    Colour,
}

/// Renders a scene as text.
///
/// The output is strictly ASCII, and every line ends in a line feed. Row numbers are on the left,
/// row 0 is at the bottom. `|`, `/` and `\` are edges; `,---'` rises to the right over several
/// columns and `` `---. `` to the left. Brackets show the state of a node `x`: `(x)` visited, `[x]`
/// current, `<x>` reachable; `.` is a hidden node.
///
/// # Complexity
/// O(output).
///
/// # Examples
///
/// ```
/// use wayforge::act::{self, WalksConfig};
/// use wayforge_draw::{AsciiStyle, Scene, ascii};
/// let config = WalksConfig { rows: 3, cols: 3, walks: 2, ..WalksConfig::default() };
/// let map = act::generate(5.into(), &act::Config::Walks(config).resolve()?)?;
/// let text = ascii(&Scene::from_act(&map), AsciiStyle::Plain);
/// assert!(text.lines().any(|line| line.starts_with(" 0 ")));
/// assert!(text.is_ascii());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ascii(scene: &Scene, style: AsciiStyle) -> String {
    let (rows, cols) = (usize::from(scene.info.rows), usize::from(scene.info.cols));
    let digits = rows.saturating_sub(1).to_string().len();
    let mut output = Output { text: String::new(), style, margin: digits + 3 };
    let mut gaps: Vec<Vec<Link>> = vec![Vec::new(); rows];
    for edge in &scene.edges {
        if let (Some(low), Some(high)) = (scene.nodes.get(edge.from), scene.nodes.get(edge.to))
            && let Some(gap) = gaps.get_mut(usize::from(low.row))
            && usize::from(low.col.max(high.col)) < cols.max(1)
        {
            gap.push(Link { from: low.col.into(), to: high.col.into(), on_route: edge.on_route });
        }
    }
    let mut nodes: Vec<Vec<&SceneNode>> = vec![Vec::new(); rows];
    for node in scene.nodes.iter().filter(|node| !node.boss && usize::from(node.col) < cols) {
        if let Some(row) = nodes.get_mut(usize::from(node.row)) {
            row.push(node);
        }
    }
    if let Some(boss) = scene.nodes.iter().find(|node| node.boss) {
        let middle = cols.saturating_sub(1) * PITCH / 2;
        let mut line = Line::new(cols);
        draw_node(&mut line, middle, scene, boss);
        output.line("", &line);
        output.line("", &boss_line(gaps.last().map_or(&[], |gap| gap), middle, cols));
    }
    for row in (0..rows).rev() {
        if row + 1 < rows {
            gap_lines(&gaps[row], cols).iter().for_each(|line| output.line("", line));
        }
        let mut line = Line::new(cols);
        for node in &nodes[row] {
            draw_node(&mut line, usize::from(node.col) * PITCH, scene, node);
        }
        output.line(&format!("{row:>digits$}"), &line);
    }
    output.footer(scene);
    output.text
}

/// ANSI SGR code of a character: the part between `ESC [` and `m`.
type Sgr = &'static str;

const FAINT: Sgr = "2";
const ROUTE: Sgr = "1";
const PLAIN: Sgr = "";

/// One line of characters with their SGR codes. Column 0 is at index 1, which leaves space for a
/// bracket on its left.
#[derive(Clone, Debug)]
struct Line(Vec<(char, Sgr)>);

impl Line {
    fn new(cols: usize) -> Line {
        Line(vec![(' ', PLAIN); cols * PITCH + 2])
    }

    fn put(&mut self, x: usize, c: char, sgr: Sgr) {
        if let Some(cell) = self.0.get_mut(x + 1) {
            *cell = (c, sgr);
        }
    }

    fn at(&self, x: usize) -> char {
        self.0.get(x + 1).map_or(' ', |cell| cell.0)
    }
}

fn draw_node(line: &mut Line, x: usize, scene: &Scene, node: &SceneNode) {
    let (c, sgr) = match scene.kind_of(node) {
        _ if node.state == NodeState::Hidden => ('.', FAINT),
        Some(kind) => (printable(kind.symbol), icons::sgr(kind)),
        None => (if node.boss { '@' } else { 'o' }, PLAIN),
    };
    line.put(x, c, sgr);
    let brackets = match node.state {
        NodeState::Visited => Some(('(', ')')),
        NodeState::Current => Some(('[', ']')),
        NodeState::Reachable => Some(('<', '>')),
        NodeState::Plain | NodeState::Hidden => None,
    };
    if let Some((open, close)) = brackets {
        if let Some(cell) = line.0.get_mut(x) {
            *cell = (open, ROUTE);
        }
        line.put(x + 1, close, ROUTE);
    }
}

/// Replaces characters that are not printable ASCII, because callers can edit scenes.
fn printable(c: char) -> char {
    if c.is_ascii_graphic() || c == ' ' { c } else { '?' }
}

fn printable_text(text: &str) -> String {
    text.chars().map(printable).collect()
}

struct Output {
    text: String,
    style: AsciiStyle,
    /// Number of characters before index 0 of a [`Line`].
    margin: usize,
}

impl Output {
    fn line(&mut self, row_number: &str, line: &Line) {
        let end = line.0.iter().rposition(|cell| cell.0 != ' ').map_or(0, |last| last + 1);
        self.text.push(' ');
        self.push_styled(row_number, FAINT);
        let indent = self.margin - 1 - row_number.len();
        self.text.extend(std::iter::repeat_n(' ', indent));
        for run in line.0[..end].chunk_by(|a, b| a.1 == b.1 || b.0 == ' ') {
            let text: String = run.iter().map(|cell| cell.0).collect();
            self.push_styled(&text, run[0].1);
        }
        let trimmed = self.text.trim_end_matches(' ').len();
        self.text.truncate(trimmed);
        self.text.push('\n');
    }

    fn push_styled(&mut self, text: &str, sgr: Sgr) {
        if self.style == AsciiStyle::Plain || sgr == PLAIN || text.trim().is_empty() {
            self.text.push_str(text);
        } else {
            let body = text.trim_end();
            let _ = write!(self.text, "\x1b[{sgr}m{body}\x1b[0m{}", &text[body.len()..]);
        }
    }

    fn footer(&mut self, scene: &Scene) {
        self.text.push('\n');
        let entry = |kind: &SceneKind| format!("{} {}", printable_text(&kind.name), kind.count);
        let entries: Vec<String> = scene.kinds.iter().map(entry).collect();
        // Equal column widths, and lines with nearly the same number of entries.
        let cell = entries.iter().map(String::len).max().unwrap_or(0) + 5;
        let lines = entries.len().div_ceil((WRAP / cell).max(1)).max(1);
        let columns = entries.len().div_ceil(lines).max(1);
        for (kinds, entries) in scene.kinds.chunks(columns).zip(entries.chunks(columns)) {
            for (index, (kind, entry)) in kinds.iter().zip(entries).enumerate() {
                self.text.push(' ');
                self.push_styled(&printable(kind.symbol).to_string(), icons::sgr(kind));
                let space = if index + 1 < entries.len() { cell - entry.len() - 3 } else { 0 };
                let _ = write!(self.text, " {entry}{:space$}", "");
            }
            self.text.push('\n');
        }
        self.text.push(' ');
        let summary = printable_text(&format!("{}: {}", scene.title, scene.caption()));
        self.push_styled(&summary, FAINT);
        self.text.push('\n');
    }
}
