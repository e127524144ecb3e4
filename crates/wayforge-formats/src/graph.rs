//! Graph export of act maps: DOT for Graphviz, GraphML, and Mermaid.

use crate::xml::{Attributes, XmlWriter};
use std::io::{self, Write};
use wayforge::act::{ActMap, Edge, KindId, Node};

/// Writes a map as DOT. Rows are ranks, the first at the bottom.
///
/// # Errors
/// Errors of `out`.
///
/// # Examples
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
        let (id, label, kind) =
            (id(node.row, node.col), quoted(&label(map, node)), kind(map, node.kind));
        writeln!(out, "  {id} [label={label}, row={}, col={}{kind}];", node.row, node.col)?;
    }
    if let Some(boss) = map.boss {
        let name = map.kind_name(boss.kind).unwrap_or("boss");
        writeln!(
            out,
            "  boss [label={}, shape=doublecircle{}];",
            quoted(name),
            kind(map, boss.kind)
        )?;
    }
    edges(map).try_for_each(|(from, to)| writeln!(out, "  {from} -> {to};"))?;
    let mut nodes = map.nodes.clone();
    nodes.sort_unstable_by_key(|node| (node.row, node.col));
    for row in nodes.chunk_by(|a, b| a.row == b.row) {
        let ids: Vec<String> = row.iter().map(|node| id(node.row, node.col)).collect();
        writeln!(out, "  {{ rank=same; {}; }}", ids.join("; "))?;
    }
    writeln!(out, "}}")
}

/// Writes a map as GraphML. Nodes have column, row and kind; the graph has algorithm, seed and
/// digest.
///
/// # Errors
/// Errors of `out`.
pub fn write_graphml(map: &ActMap, out: &mut dyn Write) -> io::Result<()> {
    let root: &Attributes<'_> = &[
        ("xmlns", &"http://graphml.graphdrawing.org/xmlns"),
        ("xmlns:xsi", &"http://www.w3.org/2001/XMLSchema-instance"),
        (
            "xsi:schemaLocation",
            &"http://graphml.graphdrawing.org/xmlns \
              http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd",
        ),
    ];
    let data = |xml: &mut XmlWriter<'_>, key: &str, value: &str| {
        xml.element("data", &[("key", &key)], |xml| xml.text(value))
    };
    XmlWriter::document(out, "graphml", root, |xml| {
        for (name, element, kind) in [
            ("row", "node", "int"),
            ("col", "node", "int"),
            ("kind", "node", "string"),
            ("algorithm", "graph", "string"),
            ("seed", "graph", "string"),
            ("digest", "graph", "string"),
        ] {
            xml.empty(
                "key",
                &[("id", &name), ("for", &element), ("attr.name", &name), ("attr.type", &kind)],
            )?;
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
            edges(map)
                .try_for_each(|(from, to)| xml.empty("edge", &[("source", &from), ("target", &to)]))
        })
    })
}

/// Writes a map as a Mermaid flowchart.
///
/// # Errors
/// Errors of `out`.
pub fn write_mermaid(map: &ActMap, out: &mut dyn Write) -> io::Result<()> {
    // Quotes and brackets are Mermaid syntax, so all special characters become spaces.
    let sanitize = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_alphanumeric() || " ,-_.".contains(c) { c } else { ' ' })
            .collect()
    };
    let (algorithm, seed) = (map.spec.algorithm(), sanitize(&map.seed.to_line()));
    writeln!(out, "---\ntitle: {algorithm} seed {seed}\n---\nflowchart BT")?;
    for node in &map.nodes {
        writeln!(out, "  {}((\"{}\"))", id(node.row, node.col), sanitize(&label(map, node)))?;
    }
    if let Some(boss) = map.boss {
        writeln!(out, "  boss(((\"{}\")))", sanitize(map.kind_name(boss.kind).unwrap_or("boss")))?;
    }
    edges(map).try_for_each(|(from, to)| writeln!(out, "  {from} --> {to}"))
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

/// Returns the DOT attribute of a kind.
fn kind(map: &ActMap, id: Option<KindId>) -> String {
    map.kind_name(id).map_or_else(String::new, |name| format!(", kind={}", quoted(name)))
}

/// Returns the endpoints of all edges, including those from the top row to the boss.
fn edges(map: &ActMap) -> impl Iterator<Item = (String, String)> + '_ {
    let edge = |edge: &Edge| (id(edge.row, edge.from), id(edge.row.saturating_add(1), edge.to));
    let top = map.spec.rows().saturating_sub(1);
    let top_nodes = map.nodes.iter().filter(move |node| map.boss.is_some() && node.row == top);
    map.edges
        .iter()
        .map(edge)
        .chain(top_nodes.map(|node| (id(node.row, node.col), "boss".to_owned())))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " "))
}
