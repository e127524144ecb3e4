//! Act maps as graphs for other programs: DOT for Graphviz, GraphML for libraries, Mermaid for pages.

use crate::tiled::tmx::Escaped;
use std::io::{self, Write};
use wayforge::act::{ActMap, Edge, KindId, Node};

/// Writes DOT: rows are ranks, the lowest at the bottom.
///
/// ```
/// use wayforge::act;
/// let map = act::generate(7.into(), &act::Config::default().resolve()?)?;
/// let mut text = Vec::new();
/// wayforge_formats::write_dot(&map, &mut text)?;
/// assert!(text.starts_with(b"digraph act {"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_dot(map: &ActMap, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph act {{")?;
    writeln!(out, "  graph [rankdir=BT, label={}, labelloc=t];", quoted(&title(map)))?;
    writeln!(out, "  node [shape=circle, fixedsize=true, width=0.95, fontname=\"serif\"];")?;
    for node in &map.nodes {
        writeln!(
            out,
            "  {} [label={}, row={}, col={}{}];",
            id(node.row, node.col),
            quoted(&label(map, node)),
            node.row,
            node.col,
            kind(map, node.kind, |name| format!(", kind={}", quoted(name)))
        )?;
    }
    if let Some(boss) = map.boss {
        let name = map.kind_name(boss.kind).unwrap_or("boss");
        let kind = kind(map, boss.kind, |name| format!(", kind={}", quoted(name)));
        writeln!(out, "  boss [label={}, shape=doublecircle{kind}];", quoted(name))?;
    }
    for edge in &map.edges {
        writeln!(out, "  {} -> {};", id(edge.row, edge.from), id(edge.row.saturating_add(1), edge.to))?;
    }
    for top in tops(map) {
        writeln!(out, "  {} -> boss;", id(top.row, top.col))?;
    }
    for row in rows(map) {
        let ids: Vec<String> = row.iter().map(|node| id(node.row, node.col)).collect();
        writeln!(out, "  {{ rank=same; {}; }}", ids.join("; "))?;
    }
    writeln!(out, "}}")
}

/// Writes GraphML: nodes with column, row and kind; the graph with algorithm, seed and digest.
pub fn write_graphml(map: &ActMap, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">"
    )?;
    for (name, of, kind) in [
        ("row", "node", "int"),
        ("col", "node", "int"),
        ("kind", "node", "string"),
        ("algorithm", "graph", "string"),
        ("seed", "graph", "string"),
        ("digest", "graph", "string"),
    ] {
        writeln!(out, "  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>")?;
    }
    writeln!(out, "  <graph id=\"act\" edgedefault=\"directed\">")?;
    let digest = map.to_document().digest.to_string();
    for (name, value) in
        [("algorithm", map.spec.algorithm().to_owned()), ("seed", map.seed.to_string()), ("digest", digest)]
    {
        writeln!(out, "    <data key=\"{name}\">{}</data>", Escaped(&value))?;
    }
    let kind =
        |id: Option<KindId>| kind(map, id, |name| format!("<data key=\"kind\">{}</data>", Escaped(name)));
    for node in &map.nodes {
        writeln!(
            out,
            "    <node id=\"{}\"><data key=\"row\">{}</data><data key=\"col\">{}</data>{}</node>",
            id(node.row, node.col),
            node.row,
            node.col,
            kind(node.kind)
        )?;
    }
    if let Some(boss) = map.boss {
        writeln!(out, "    <node id=\"boss\">{}</node>", kind(boss.kind))?;
    }
    for Edge { row, from, to } in &map.edges {
        let (from, to) = (id(*row, *from), id(row.saturating_add(1), *to));
        writeln!(out, "    <edge source=\"{from}\" target=\"{to}\"/>")?;
    }
    for top in tops(map) {
        writeln!(out, "    <edge source=\"{}\" target=\"boss\"/>", id(top.row, top.col))?;
    }
    writeln!(out, "  </graph>\n</graphml>")
}

/// Writes Mermaid, as READMEs show it.
pub fn write_mermaid(map: &ActMap, out: &mut dyn Write) -> io::Result<()> {
    // Quotes and the marks of other shapes have a meaning of their own here.
    let plain = |text: &str| -> String {
        text.chars().map(|c| if c.is_alphanumeric() || " ,-_.".contains(c) { c } else { ' ' }).collect()
    };
    let (algorithm, seed) = (map.spec.algorithm(), plain(&map.seed.to_line()));
    writeln!(out, "---\ntitle: {algorithm} seed {seed}\n---\nflowchart BT")?;
    for node in &map.nodes {
        writeln!(out, "  {}((\"{}\"))", id(node.row, node.col), plain(&label(map, node)))?;
    }
    if let Some(boss) = map.boss {
        writeln!(out, "  boss(((\"{}\")))", plain(map.kind_name(boss.kind).unwrap_or("boss")))?;
    }
    for edge in &map.edges {
        writeln!(out, "  {} --> {}", id(edge.row, edge.from), id(edge.row.saturating_add(1), edge.to))?;
    }
    tops(map).iter().try_for_each(|top| writeln!(out, "  {} --> boss", id(top.row, top.col)))
}

fn title(map: &ActMap) -> String {
    format!("{} seed {}", map.spec.algorithm(), map.seed.to_line())
}

fn id(row: u16, col: u16) -> String {
    format!("n{col}_{row}")
}

fn label(map: &ActMap, node: &Node) -> String {
    map.kind_name(node.kind).map_or_else(|| format!("{},{}", node.col, node.row), str::to_owned)
}

fn kind(map: &ActMap, id: Option<KindId>, write: impl Fn(&str) -> String) -> String {
    map.kind_name(id).map_or_else(String::new, write)
}

/// The nodes that lead to the boss.
fn tops(map: &ActMap) -> Vec<Node> {
    let top = map.spec.rows().saturating_sub(1);
    let leads = |node: &&Node| map.boss.is_some() && node.row == top;
    map.nodes.iter().filter(leads).copied().collect()
}

/// The nodes of each row.
fn rows(map: &ActMap) -> Vec<Vec<Node>> {
    let mut nodes = map.nodes.clone();
    nodes.sort_unstable_by_key(|node| (node.row, node.col));
    nodes.chunk_by(|a, b| a.row == b.row).map(<[Node]>::to_vec).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " "))
}
