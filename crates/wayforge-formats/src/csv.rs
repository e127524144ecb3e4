//! CSV export: one row per map, with its metrics, or one row per query.

use crate::ascii::join;
use crate::content::Content;
use crate::error::{FormatError, reject};
use crate::queries::QueryRecord;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::Write;
use wayforge::Document;

/// Column names and values.
type Row = Vec<(Cow<'static, str>, String)>;

/// Writes a header and the rows of all contents, which must be of the same kind.
pub(crate) fn write(contents: &[Content], out: &mut dyn Write) -> Result<(), FormatError> {
    let Some(first) = contents.first().map(Content::kind) else { return Ok(()) };
    if let Some(other) = contents.iter().find(|content| content.kind() != first) {
        let problem =
            format!("the columns of the file are those of its first map, of kind {first}");
        return Err(reject("csv", other.kind(), problem, "write maps of one family into one file"));
    }
    let rows: Vec<Row> = contents.iter().flat_map(rows).collect();
    // Act maps can define different kinds of nodes, so the columns are the union over all maps.
    let mut seen = BTreeSet::new();
    let mut names: Vec<&str> = rows.iter().flatten().map(|(name, _)| &**name).collect();
    names.retain(|name| seen.insert(*name));
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(&names).map_err(std::io::Error::from)?;
    for row in &rows {
        let value = |name: &&str| {
            row.iter().find(|cell| cell.0 == **name).map_or("", |cell| cell.1.as_str())
        };
        csv.write_record(names.iter().map(value)).map_err(std::io::Error::from)?;
    }
    Ok(csv.flush()?)
}

/// Returns the rows of a content.
fn rows(content: &Content) -> Vec<Row> {
    match content {
        Content::Map(map) => {
            let Document { algorithm, seed, digest, .. } = map.to_document();
            let provenance = [
                ("algorithm".into(), algorithm),
                ("seed".into(), seed.to_string()),
                ("digest".into(), digest.to_string()),
            ];
            let metrics = map.metric_values().into_iter();
            let metrics = metrics.map(|metric| (metric.name.into(), metric.value.to_string()));
            vec![provenance.into_iter().chain(metrics).collect()]
        }
        Content::NavGrid(grid) => {
            let (size, open) = (grid.size(), grid.open_count());
            vec![vec![
                ("width".into(), size.width.to_string()),
                ("height".into(), size.height.to_string()),
                ("open".into(), open.to_string()),
                ("blocked".into(), (size.cells() - open).to_string()),
            ]]
        }
        Content::Queries(queries) => {
            let row = |query: &QueryRecord| {
                let length = query.length.map_or_else(String::new, |length| length.to_string());
                vec![
                    ("sources".into(), join(&query.sources)),
                    ("targets".into(), join(&query.targets)),
                    ("length".into(), length),
                ]
            };
            queries.iter().map(row).collect()
        }
        // The table of formats lists neither for CSV.
        Content::Blueprint(_) | Content::Template(_) => Vec::new(),
    }
}
