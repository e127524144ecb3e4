//! Batch files contain the measured metrics, and their bytes do not depend on threads or
//! interruptions.

use parquet::file::metadata::KeyValue;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use wayforge::AnySpec;
use wayforge::Family;
use wayforge_analysis::batch::{
    BatchError, BatchFormat, BatchRequest, BatchWriter, Checkpoint, ROW_GROUP_LEN,
};
use wayforge_analysis::search::{BLOCK_LEN, Columns, SeedRange, Waves, measure_seeds};

/// Level configuration for which some seeds have no map.
const OFTEN_WITHOUT_MAP: &str = r#"{"attempts":1,"repair":false,"width":20,"height":14,
    "soft_locks":"forbidden","pitfalls":"10%","moving_floors":"10%","walls":"empty"}"#;

struct Batch {
    spec: AnySpec,
    range: SeedRange,
    request: BatchRequest,
}

fn batch(
    family: Family,
    config: &str,
    range: SeedRange,
    format: BatchFormat,
    metrics: Option<&str>,
) -> Batch {
    let spec = AnySpec::from_json(family, config.as_bytes()).unwrap();
    let request = BatchRequest::new(&spec, range.clone(), format, metrics).unwrap();
    Batch { spec, range, request }
}

impl Batch {
    fn writer(&self) -> BatchWriter {
        BatchWriter::new(&self.spec, &self.request).unwrap()
    }

    /// Writes the whole file. After every `pause.0` waves the writer is replaced by one that
    /// resumes from a checkpoint; `pause.1` includes pending rows.
    fn write(&self, threads: usize, pause: Option<(usize, bool)>) -> Vec<u8> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut writer = self.writer();
        let mut file = writer.begin();
        let mut waves =
            Waves::new(&self.spec, self.range.clone()).with_block_len(writer.block_len());
        let mut resumed_at = 0;
        for n in 1.. {
            let Some(wave) =
                pool.install(|| waves.advance(|worker, block| writer.process(worker, block)))
            else {
                break;
            };
            for (_, part) in wave {
                file.extend(pool.install(|| writer.add(part)).unwrap());
            }
            assert_eq!(file.len() as u64, writer.bytes());
            if let Some((every, include_pending)) = pause
                && n % every == 0
            {
                let checkpoint = writer.checkpoint(include_pending);
                // Without pending rows, a checkpoint may not advance. Resume only if it does, or
                // the loop would not end.
                if include_pending || checkpoint.seeds > resumed_at {
                    resumed_at = checkpoint.seeds;
                    file.extend(b"torn");
                    file.truncate(checkpoint.bytes as usize);
                    waves = Waves::new(&self.spec, self.range.clone())
                        .with_block_len(writer.block_len());
                    assert_eq!(waves.skip(checkpoint.seeds), checkpoint.seeds);
                    writer = self.writer().resume(checkpoint).unwrap();
                }
            }
        }
        assert_eq!(writer.seeds_done(), self.range.len());
        file.extend(pool.install(|| writer.finish()).unwrap());
        file
    }

    fn columns(&self) -> Columns {
        let catalogue = self.spec.catalogue();
        let named =
            |name: &String| catalogue.terms().find(|&term| catalogue.name(term) == *name).unwrap();
        measure_seeds(
            &self.spec,
            self.range.clone(),
            &self.request.metrics.iter().map(named).collect::<Vec<_>>(),
        )
    }
}

/// Reads a Parquet file into columns with the row reader of the library.
fn read(file: Vec<u8>) -> Columns {
    let reader = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
    let width = reader.metadata().file_metadata().schema_descr().num_columns();
    let mut table = Columns::new(width - 2, 0);
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let cells: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        let (Field::ULong(seed), Field::Bool(generated)) = (cells[0], cells[1]) else {
            panic!("{row}")
        };
        table.seeds.push(*seed);
        table.generated.push(*generated);
        for (column, cell) in table.values.iter_mut().zip(&cells[2..]) {
            match (cell, generated) {
                (Field::Long(value), true) => column.push(*value),
                (Field::Null, false) => column.push(0),
                _ => panic!("{row}"),
            }
        }
    }
    table
}

#[test]
fn parquet_contains_the_measured_metrics() {
    let wrapping = SeedRange::from(u64::MAX - 700).take(1500);
    let cases = [
        (Family::Act, "{}", wrapping.clone()),
        (Family::Floor, "{}", SeedRange::from(i64::MAX as u64 - 5000).take(9000)),
        (Family::Tower, r#"{"floors":2}"#, SeedRange::from(7).take(300)),
        (Family::Level, OFTEN_WITHOUT_MAP, SeedRange::from(0).take(1000)),
    ];
    for (family, config, range) in cases {
        let batch = batch(family, config, range, BatchFormat::Parquet, None);
        let table = batch.columns();
        assert_eq!(table.generated.contains(&false), family == Family::Level);
        assert_eq!(read(batch.write(2, None)), table, "{family}");
    }
    let selected =
        batch(Family::Act, "{}", wrapping, BatchFormat::Parquet, Some("max(shop), routes"));
    assert_eq!(read(selected.write(1, None)), selected.columns());
}

#[test]
fn parquet_metadata_describes_the_request() {
    let batch = batch(
        Family::Level,
        OFTEN_WITHOUT_MAP,
        SeedRange::from(3).take(10).with_shard("1/2".parse().unwrap()),
        BatchFormat::Parquet,
        None,
    );
    let reader = SerializedFileReader::new(bytes::Bytes::from(batch.write(1, None))).unwrap();
    let metadata = reader.metadata().file_metadata();
    let key_values: Vec<(&str, &str)> = metadata
        .key_value_metadata()
        .unwrap()
        .iter()
        .map(|KeyValue { key, value }| (key.as_str(), value.as_deref().unwrap()))
        .collect();
    let config = batch.spec.config_json();
    let expected = [
        ("wayforge.family", "level"),
        ("wayforge.algorithm", "level.blueprint/1"),
        ("wayforge.config", config.as_str()),
        ("wayforge.seed", "3"),
        ("wayforge.count", "10"),
        ("wayforge.shard", "1/2"),
    ];
    assert_eq!(key_values, expected);
    assert_eq!(metadata.created_by(), Some(concat!("wayforge ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn threads_and_interruptions_do_not_change_the_bytes() {
    let rows = ROW_GROUP_LEN as u64 + 3 * BLOCK_LEN + 5;
    let long = batch(
        Family::Floor,
        "{}",
        SeedRange::from(1).take(rows),
        BatchFormat::Parquet,
        Some("path, junctions"),
    );
    let file = long.write(2, None);
    assert_eq!(long.write(1, Some((7, true))), file);
    assert_eq!(long.write(3, Some((2, false))), file);
    let reader = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
    let groups: Vec<i64> =
        reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [ROW_GROUP_LEN as i64, 3 * BLOCK_LEN as i64 + 5]);
    for format in
        [BatchFormat::Parquet, BatchFormat::Csv, BatchFormat::JsonLines, BatchFormat::Documents]
    {
        let short =
            batch(Family::Level, OFTEN_WITHOUT_MAP, SeedRange::from(1).take(2100), format, None);
        let file = short.write(1, None);
        assert_eq!(short.write(3, None), file);
        assert_eq!(short.write(2, Some((1, true))), file, "{format:?}");
        assert_eq!(short.write(1, Some((1, false))), file, "{format:?}");
    }
}

#[test]
fn csv_and_json_lines_contain_the_measured_metrics() {
    let range = SeedRange::from(0).take(600);
    let csv = batch(
        Family::Level,
        OFTEN_WITHOUT_MAP,
        range.clone(),
        BatchFormat::Csv,
        Some("path,count(pitfall)"),
    );
    let table = csv.columns();
    let text = String::from_utf8(csv.write(2, None)).unwrap();
    let mut lines = text.split_terminator('\n');
    assert_eq!(lines.next(), Some("seed,generated,path,count(pitfall)"));
    let json = batch(
        Family::Level,
        OFTEN_WITHOUT_MAP,
        range.clone(),
        BatchFormat::JsonLines,
        Some("path,count(pitfall)"),
    );
    let objects = String::from_utf8(json.write(2, None)).unwrap();
    let mut objects = objects.lines();
    for (n, &seed) in table.seeds.iter().enumerate() {
        let (path, pitfalls) = (table.values[0][n], table.values[1][n]);
        let (line, object) = match table.generated[n] {
            true => (
                format!("{seed},true,{path},{pitfalls}"),
                format!(
                    r#"{{"seed":"{seed}","generated":true,"path":{path},"count(pitfall)":{pitfalls}}}"#
                ),
            ),
            false => (
                format!("{seed},false,,"),
                format!(
                    r#"{{"seed":"{seed}","generated":false,"path":null,"count(pitfall)":null}}"#
                ),
            ),
        };
        assert_eq!((lines.next(), objects.next()), (Some(line.as_str()), Some(object.as_str())));
    }
    assert_eq!((lines.next(), objects.next()), (None, None));
    let documents =
        batch(Family::Level, OFTEN_WITHOUT_MAP, range.clone(), BatchFormat::Documents, None);
    let expected: Vec<String> = range
        .seeds()
        .filter_map(|seed| documents.spec.generate(seed).map(|map| map.to_document()).ok())
        .map(|document| document.to_text() + "\n")
        .collect();
    assert!(expected.len() < 600);
    assert_eq!(String::from_utf8(documents.write(2, None)).unwrap(), expected.concat());
}

#[test]
fn rejects_invalid_metrics_ranges_and_checkpoints() {
    let spec = AnySpec::from_json(Family::Floor, b"{}").unwrap();
    let range = SeedRange::from(0).take(10);
    let error = |range, metrics| {
        BatchRequest::new(&spec, range, BatchFormat::Parquet, metrics).unwrap_err()
    };
    for (metrics, column, expected) in [
        ("path,gold", 6, "count(kind)"),
        ("path, path", 7, "path is listed twice"),
        ("", 1, "a metric is needed"),
    ] {
        let BatchError::Metrics(error) = error(range.clone(), Some(metrics)) else {
            panic!("{metrics}")
        };
        assert!(error.column == column && error.problem.contains(expected), "{metrics}: {error}");
    }
    assert!(matches!(error(SeedRange::from(0), None), BatchError::TooLong { .. }));
    let request = BatchRequest::new(&spec, range, BatchFormat::Parquet, Some("path")).unwrap();
    let inconsistent = [
        Checkpoint { seeds: 5, ..Checkpoint::default() },
        Checkpoint { pending: vec![0; 5], ..Checkpoint::default() },
        Checkpoint { seeds: 1, pending: vec![1; 17], ..Checkpoint::default() },
    ];
    for checkpoint in inconsistent {
        let writer = BatchWriter::new(&spec, &request).unwrap();
        assert!(matches!(writer.resume(checkpoint), Err(BatchError::InvalidCheckpoint(_))));
    }
    // Corrupt row group metadata is rejected when the file is finished.
    let checkpoint = Checkpoint {
        seeds: ROW_GROUP_LEN as u64,
        groups: vec![vec![7; 40]],
        ..Checkpoint::default()
    };
    assert!(
        BatchWriter::new(&spec, &request).unwrap().resume(checkpoint).unwrap().finish().is_err()
    );
}
