//! Scenes as text: a line for every row, connectors between them, legend and caption below.

use crate::icons;
use crate::scene::{NodeState, Scene, SceneNode};
use std::fmt::Write;

mod gap;

use gap::{Link, boss_line, gap_lines};

/// From one column to the next, in characters.
const PITCH: usize = 4;
/// Legends are wrapped to this width.
const WRAP: usize = 78;

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Nothing but printable ASCII and line feeds.
    Plain,
    /// The same characters with ANSI colours.
    Colour,
}

/// Draws a scene as text.
///
/// * **Arguments.** The scene, and whether to colour it.
/// * **Returns.** Lines that end in a line feed, strictly ASCII. Row numbers stand at the left, row 0 at the bottom. `|`,
///   `/` and `\` are edges; `,---'` climbs to the right over several columns and `` `---. `` to the left.
///   States stand around a node: `(x)` visited, `[x]` current, `<x>` attainable; `.` is hidden.
/// * **Complexity.** Linear in the text.
///
/// ```
/// use wayforge::act::{self, WalksConfig};
/// use wayforge_draw::{Paint, Scene, ascii};
/// let config = WalksConfig { rows: 3, cols: 3, walks: 2, ..WalksConfig::default() };
/// let map = act::generate(5.into(), &act::Config::Walks(config).resolve()?)?;
/// let text = ascii(&Scene::of_act(&map), Paint::Plain);
/// assert!(text.lines().any(|line| line.starts_with(" 0 ")));
/// assert!(text.is_ascii());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ascii(scene: &Scene, paint: Paint) -> String {
    let (rows, cols) = (usize::from(scene.about.rows), usize::from(scene.about.cols));
    let digits = rows.saturating_sub(1).to_string().len();
    let mut sheet = Sheet { text: String::new(), paint, left: digits + 3 };
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
        put_node(&mut line, middle, scene, boss);
        sheet.line("", &line);
        sheet.line("", &boss_line(gaps.last().map_or(&[], |gap| gap), middle, cols));
    }
    for row in (0..rows).rev() {
        if row + 1 < rows {
            gap_lines(&gaps[row], cols).iter().for_each(|line| sheet.line("", line));
        }
        let mut line = Line::new(cols);
        nodes[row].iter().for_each(|node| put_node(&mut line, usize::from(node.col) * PITCH, scene, node));
        sheet.line(&format!("{row:>digits$}"), &line);
    }
    sheet.footer(scene);
    sheet.text
}

/// How a character is painted: the code between `ESC [` and `m`.
type Ink = &'static str;

const FAINT: Ink = "2";
const ROUTE: Ink = "1";
const BARE: Ink = "";

/// One line of characters, each with its ink. Column 0 is one place in, so that a bracket fits left of it.
#[derive(Clone, Debug)]
struct Line(Vec<(char, Ink)>);

impl Line {
    fn new(cols: usize) -> Line {
        Line(vec![(' ', BARE); cols * PITCH + 2])
    }

    fn put(&mut self, x: usize, c: char, ink: Ink) {
        if let Some(cell) = self.0.get_mut(x + 1) {
            *cell = (c, ink);
        }
    }

    fn at(&self, x: usize) -> char {
        self.0.get(x + 1).map_or(' ', |cell| cell.0)
    }
}

fn put_node(line: &mut Line, x: usize, scene: &Scene, node: &SceneNode) {
    let (c, ink) = match scene.kind_of(node) {
        _ if node.state == NodeState::Hidden => ('.', FAINT),
        Some(kind) => (printable(kind.symbol), icons::sgr(kind)),
        None => (if node.boss { '@' } else { 'o' }, BARE),
    };
    line.put(x, c, ink);
    let around = match node.state {
        NodeState::Visited => Some(('(', ')')),
        NodeState::Current => Some(('[', ']')),
        NodeState::Attainable => Some(('<', '>')),
        NodeState::Plain | NodeState::Hidden => None,
    };
    if let Some((open, close)) = around {
        if let Some(cell) = line.0.get_mut(x) {
            *cell = (open, ROUTE);
        }
        line.put(x + 1, close, ROUTE);
    }
}

/// A scene may be changed by its owner; the text stays ASCII.
fn printable(c: char) -> char {
    if c.is_ascii_graphic() || c == ' ' { c } else { '?' }
}

struct Sheet {
    text: String,
    paint: Paint,
    left: usize,
}

impl Sheet {
    fn line(&mut self, mark: &str, line: &Line) {
        let end = line.0.iter().rposition(|cell| cell.0 != ' ').map_or(0, |last| last + 1);
        self.text.push(' ');
        self.inked(mark, FAINT);
        let indent = self.left - 1 - mark.len();
        self.text.extend(std::iter::repeat_n(' ', indent));
        for run in line.0[..end].chunk_by(|a, b| a.1 == b.1 || b.0 == ' ') {
            let text: String = run.iter().map(|cell| cell.0).collect();
            self.inked(&text, run[0].1);
        }
        let kept = self.text.trim_end_matches(' ').len();
        self.text.truncate(kept);
        self.text.push('\n');
    }

    fn inked(&mut self, text: &str, ink: Ink) {
        if self.paint == Paint::Plain || ink == BARE || text.trim().is_empty() {
            self.text.push_str(text);
        } else {
            let body = text.trim_end();
            let _ = write!(self.text, "\x1b[{ink}m{body}\x1b[0m{}", &text[body.len()..]);
        }
    }

    fn footer(&mut self, scene: &Scene) {
        self.text.push('\n');
        let entries: Vec<String> = scene
            .kinds
            .iter()
            .map(|kind| format!("{} {}", kind.name.chars().map(printable).collect::<String>(), kind.count))
            .collect();
        // Equal columns, and lines of nearly the same length.
        let cell = entries.iter().map(String::len).max().unwrap_or(0) + 5;
        let lines = entries.len().div_ceil((WRAP / cell).max(1)).max(1);
        let across = entries.len().div_ceil(lines).max(1);
        for (kinds, entries) in scene.kinds.chunks(across).zip(entries.chunks(across)) {
            for (place, (kind, entry)) in kinds.iter().zip(entries).enumerate() {
                self.text.push(' ');
                self.inked(&printable(kind.symbol).to_string(), icons::sgr(kind));
                let space = if place + 1 < entries.len() { cell - entry.len() - 3 } else { 0 };
                let _ = write!(self.text, " {entry}{:space$}", "");
            }
            self.text.push('\n');
        }
        let title: String = scene.title.chars().map(printable).collect();
        let caption: String = scene.caption().chars().map(printable).collect();
        self.text.push(' ');
        self.inked(&format!("{title}: {caption}"), FAINT);
        self.text.push('\n');
    }
}
