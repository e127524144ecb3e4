//! Tables hold what meters read, and their bytes do not depend on threads or pauses.

use parquet::file::metadata::KeyValue;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use wayforge::AnySpec;
use wayforge::Family;
use wayforge_analysis::batch::{BatchError, Form, GROUP, Kept, Request, Sheet};
use wayforge_analysis::search::{BLOCK, Columns, Span, Waves, columns};

/// Levels of which some seeds have none.
const SCARCE: &str = r#"{"attempts":1,"repair":false,"width":20,"height":14,"soft_locks":"forbidden",
    "pitfalls":"10%","moving_floors":"10%","walls":"empty"}"#;

struct Asked {
    subject: AnySpec,
    span: Span,
    request: Request,
}

fn ask(family: Family, config: &str, span: Span, form: Form, metrics: Option<&str>) -> Asked {
    let subject = AnySpec::from_json(family, config.as_bytes()).unwrap();
    let request = Request::new(&subject, span.clone(), form, metrics).unwrap();
    Asked { subject, span, request }
}

impl Asked {
    fn sheet(&self) -> Sheet {
        Sheet::new(&self.subject, &self.request).unwrap()
    }

    /// The whole file. After every `pause` waves it is put down and taken up by a new sheet, with or without the rows that wait.
    fn write(&self, threads: usize, pause: Option<(usize, bool)>) -> Vec<u8> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut sheet = self.sheet();
        let mut file = sheet.begin();
        let mut waves = Waves::new(&self.subject, self.span.clone()).by(sheet.step());
        let mut kept_at = 0;
        for n in 1.. {
            let Some(wave) = pool.install(|| waves.advance(|worker, block| sheet.look(worker, block))) else {
                break;
            };
            for (_, part) in wave {
                file.extend(pool.install(|| sheet.add(part)).unwrap());
            }
            assert_eq!(file.len() as u64, sheet.bytes());
            if let Some((every, waiting)) = pause
                && n % every == 0
            {
                let kept = sheet.keep(waiting);
                // Without rows that wait it may go on from where it did before: a pause must get somewhere.
                if waiting || kept.seeds > kept_at {
                    kept_at = kept.seeds;
                    file.extend(b"torn");
                    file.truncate(kept.bytes as usize);
                    waves = Waves::new(&self.subject, self.span.clone()).by(sheet.step());
                    assert_eq!(waves.skip(kept.seeds), kept.seeds);
                    sheet = self.sheet().resume(kept).unwrap();
                }
            }
        }
        assert_eq!(sheet.seeds(), self.span.len());
        file.extend(pool.install(|| sheet.end()).unwrap());
        file
    }

    fn columns(&self) -> Columns {
        let catalogue = self.subject.catalogue();
        let named = |name: &String| catalogue.terms().find(|&term| catalogue.name(term) == *name).unwrap();
        columns(&self.subject, self.span.clone(), &self.request.metrics.iter().map(named).collect::<Vec<_>>())
    }
}

/// A Parquet file as columns, by the reader of rows.
fn read(file: Vec<u8>) -> Columns {
    let reader = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
    let width = reader.metadata().file_metadata().schema_descr().num_columns();
    let mut table = Columns::new(width - 2, 0);
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let cells: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        let (Field::ULong(seed), Field::Bool(made)) = (cells[0], cells[1]) else { panic!("{row}") };
        table.seeds.push(*seed);
        table.made.push(*made);
        for (column, cell) in table.values.iter_mut().zip(&cells[2..]) {
            match (cell, made) {
                (Field::Long(value), true) => column.push(*value),
                (Field::Null, false) => column.push(0),
                _ => panic!("{row}"),
            }
        }
    }
    table
}

#[test]
fn a_table_holds_what_meters_read() {
    let wrapping = Span::from(u64::MAX - 700).take(1500);
    let cases = [
        (Family::Act, "{}", wrapping.clone()),
        (Family::Floor, "{}", Span::from(i64::MAX as u64 - 5000).take(9000)),
        (Family::Tower, r#"{"floors":2}"#, Span::from(7).take(300)),
        (Family::Level, SCARCE, Span::from(0).take(1000)),
    ];
    for (family, config, span) in cases {
        let asked = ask(family, config, span, Form::Parquet, None);
        let table = asked.columns();
        assert_eq!(table.made.contains(&false), family == Family::Level);
        assert_eq!(read(asked.write(2, None)), table, "{family}");
    }
    let chosen = ask(Family::Act, "{}", wrapping, Form::Parquet, Some("max(shop), routes"));
    assert_eq!(read(chosen.write(1, None)), chosen.columns());
}

#[test]
fn a_table_says_what_it_is_of() {
    let asked =
        ask(Family::Level, SCARCE, Span::from(3).take(10).of("1/2".parse().unwrap()), Form::Parquet, None);
    let reader = SerializedFileReader::new(bytes::Bytes::from(asked.write(1, None))).unwrap();
    let told = reader.metadata().file_metadata();
    let facts: Vec<(&str, &str)> = told
        .key_value_metadata()
        .unwrap()
        .iter()
        .map(|KeyValue { key, value }| (key.as_str(), value.as_deref().unwrap()))
        .collect();
    let config = asked.subject.config_json();
    let wanted = [
        ("wayforge.family", "level"),
        ("wayforge.algorithm", "level.blueprint/1"),
        ("wayforge.config", config.as_str()),
        ("wayforge.seed", "3"),
        ("wayforge.count", "10"),
        ("wayforge.shard", "1/2"),
    ];
    assert_eq!(facts, wanted);
    assert_eq!(told.created_by(), Some(concat!("wayforge ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn threads_and_pauses_change_no_byte() {
    let rows = GROUP as u64 + 3 * BLOCK + 5;
    let long = ask(Family::Floor, "{}", Span::from(1).take(rows), Form::Parquet, Some("path, junctions"));
    let file = long.write(2, None);
    assert_eq!(long.write(1, Some((7, true))), file);
    assert_eq!(long.write(3, Some((2, false))), file);
    let reader = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
    let groups: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [GROUP as i64, 3 * BLOCK as i64 + 5]);
    for form in [Form::Parquet, Form::Csv, Form::JsonLines, Form::Documents] {
        let short = ask(Family::Level, SCARCE, Span::from(1).take(2100), form, None);
        let file = short.write(1, None);
        assert_eq!(short.write(3, None), file);
        assert_eq!(short.write(2, Some((1, true))), file, "{form:?}");
        assert_eq!(short.write(1, Some((1, false))), file, "{form:?}");
    }
}

#[test]
fn lines_hold_what_meters_read() {
    let span = Span::from(0).take(600);
    let csv = ask(Family::Level, SCARCE, span.clone(), Form::Csv, Some("path,count(pitfall)"));
    let table = csv.columns();
    let text = String::from_utf8(csv.write(2, None)).unwrap();
    let mut lines = text.split_terminator('\n');
    assert_eq!(lines.next(), Some("seed,made,path,count(pitfall)"));
    let json = ask(Family::Level, SCARCE, span.clone(), Form::JsonLines, Some("path,count(pitfall)"));
    let objects = String::from_utf8(json.write(2, None)).unwrap();
    let mut objects = objects.lines();
    for (n, &seed) in table.seeds.iter().enumerate() {
        let (path, pitfalls) = (table.values[0][n], table.values[1][n]);
        let (line, object) = match table.made[n] {
            true => (
                format!("{seed},true,{path},{pitfalls}"),
                format!(r#"{{"seed":"{seed}","made":true,"path":{path},"count(pitfall)":{pitfalls}}}"#),
            ),
            false => (
                format!("{seed},false,,"),
                format!(r#"{{"seed":"{seed}","made":false,"path":null,"count(pitfall)":null}}"#),
            ),
        };
        assert_eq!((lines.next(), objects.next()), (Some(line.as_str()), Some(object.as_str())));
    }
    assert_eq!((lines.next(), objects.next()), (None, None));
    let documents = ask(Family::Level, SCARCE, span.clone(), Form::Documents, None);
    let made: Vec<String> = span
        .seeds()
        .filter_map(|seed| documents.subject.generate(seed).map(|map| map.to_document()).ok())
        .map(|document| document.to_text() + "\n")
        .collect();
    assert!(made.len() < 600);
    assert_eq!(String::from_utf8(documents.write(2, None)).unwrap(), made.concat());
}

#[test]
fn what_cannot_be_is_refused() {
    let subject = AnySpec::from_json(Family::Floor, b"{}").unwrap();
    let span = Span::from(0).take(10);
    let refuse = |span, metrics| Request::new(&subject, span, Form::Parquet, metrics).unwrap_err();
    for (metrics, column, says) in [
        ("path,gold", 6, "count(thing)"),
        ("path, path", 7, "path is asked for twice"),
        ("", 1, "a metric is needed"),
    ] {
        let BatchError::Metrics(error) = refuse(span.clone(), Some(metrics)) else { panic!("{metrics}") };
        assert!(error.column == column && error.problem.contains(says), "{metrics}: {error}");
    }
    assert!(matches!(refuse(Span::from(0), None), BatchError::TooLong { .. }));
    let request = Request::new(&subject, span, Form::Parquet, Some("path")).unwrap();
    let damaged = [
        Kept { seeds: 5, ..Kept::default() },
        Kept { pending: vec![0; 5], ..Kept::default() },
        Kept { seeds: 1, pending: vec![1; 17], ..Kept::default() },
    ];
    for kept in damaged {
        let sheet = Sheet::new(&subject, &request).unwrap();
        assert!(matches!(sheet.resume(kept), Err(BatchError::Damaged(_))));
    }
    // What was kept of a row group and is none is refused at the end, not read as anything.
    let kept = Kept { seeds: GROUP as u64, groups: vec![vec![7; 40]], ..Kept::default() };
    assert!(Sheet::new(&subject, &request).unwrap().resume(kept).unwrap().end().is_err());
}
