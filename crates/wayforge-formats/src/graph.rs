//! Act maps as graphs for other programs: DOT for Graphviz, GraphML for libraries, Mermaid for pages.

use crate::xml::{Attributes, XmlWriter};
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
        let (id, label, kind) = (id(node.row, node.col), quoted(&label(map, node)), kind(map, node.kind));
        writeln!(out, "  {id} [label={label}, row={}, col={}{kind}];", node.row, node.col)?;
    }
    if let Some(boss) = map.boss {
        let name = map.kind_name(boss.kind).unwrap_or("boss");
        writeln!(out, "  boss [label={}, shape=doublecircle{}];", quoted(name), kind(map, boss.kind))?;
    }
    links(map).try_for_each(|(from, to)| writeln!(out, "  {from} -> {to};"))?;
    let mut nodes = map.nodes.clone();
    nodes.sort_unstable_by_key(|node| (node.row, node.col));
    for row in nodes.chunk_by(|a, b| a.row == b.row) {
        let ids: Vec<String> = row.iter().map(|node| id(node.row, node.col)).collect();
        writeln!(out, "  {{ rank=same; {}; }}", ids.join("; "))?;
    }
    writeln!(out, "}}")
}

/// Writes GraphML: nodes with column, row and kind; the graph with algorithm, seed and digest.
pub fn write_graphml(map: &ActMap, out: &mut dyn Write) -> io::Result<()> {
    let root: &Attributes<'_> = &[
        ("xmlns", &"http://graphml.graphdrawing.org/xmlns"),
        ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
        (
            "xsi:schemaLocation",
            &"http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd",
        ),
    ];
    let data = |xml: &mut XmlWriter<'_>, key: &str, value: &str| {
        xml.element("data", &[("key", &key)], |xml| xml.text(value))
    };
    XmlWriter::document(out, "graphml", root, |xml| {
        for (name, of, kind) in [
            ("row", "node", "int"),
            ("col", "node", "int"),
            ("kind", "node", "string"),
            ("algorithm", "graph", "string"),
            ("seed", "graph", "string"),
            ("digest", "graph", "string"),
        ] {
            xml.empty("key", &[("id", &name), ("for", &of), ("attr.name", &name), ("attr.type", &kind)])?;
        }
        xml.element("graph", &[("id", &"act"), ("edgedefault", &"directed")], |xml| {
            data(xml, "algorithm", map.spec.algorithm())?;
            data(xml, "seed", &map.seed.to_string())?;
            data(xml, "digest", &map.to_document().digest.to_string())?;
            let kind = |xml: &mut XmlWriter<'_>, kind: Option<KindId>| {
                map.kind_name(kind).map_or(Ok(()), |name| data(xml, "kind", name))
            };
            for node in &map.nodes {
                xml.element("node", &[("id", &id(node.row, node.col))], |xml| {
                    data(xml, "row", &node.row.to_string())?;
                    data(xml, "col", &node.col.to_string())?;
                    kind(xml, node.kind)
                })?;
            }
            if let Some(boss) = map.boss {
                xml.element("node", &[("id", &"boss")], |xml| kind(xml, boss.kind))?;
            }
            links(map).try_for_each(|(from, to)| xml.empty("edge", &[("source", &from), ("target", &to)]))
        })
    })
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
    links(map).try_for_each(|(from, to)| writeln!(out, "  {from} --> {to}"))
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

/// The attribute of DOT for a kind.
fn kind(map: &ActMap, id: Option<KindId>) -> String {
    map.kind_name(id).map_or_else(String::new, |name| format!(", kind={}", quoted(name)))
}

/// The ends of all edges, then those from the top row to the boss.
fn links(map: &ActMap) -> impl Iterator<Item = (String, String)> + '_ {
    let edge = |edge: &Edge| (id(edge.row, edge.from), id(edge.row.saturating_add(1), edge.to));
    let top = map.spec.rows().saturating_sub(1);
    let tops = map.nodes.iter().filter(move |node| map.boss.is_some() && node.row == top);
    map.edges.iter().map(edge).chain(tops.map(|node| (id(node.row, node.col), "boss".to_owned())))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " "))
}
