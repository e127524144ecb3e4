//! The table of formats agrees with the readers and writers.

use crate::common::{self, contents, read, write};
use wayforge::Family;
use wayforge::level::Symbol;
use wayforge_draw::Theme;
use wayforge_formats::{
    Content, ContentKind, Files, Format, FormatError, MemoryFiles, ReadOptions,
};

#[test]
fn every_format_writes_exactly_its_listed_content() {
    for format in Format::ALL {
        let name = format!("map.{}", format.info().suffixes[0]);
        for content in contents() {
            match (format.info().writes.contains(&content.kind()), write(&content, &name)) {
                (true, Ok(files)) => {
                    assert!(!files.0[&name].is_empty(), "{name} {}", content.kind())
                }
                (false, Err(FormatError::UnsupportedContent { kind, .. })) => {
                    assert_eq!(kind, content.kind())
                }
                (is_listed, result) => panic!("{name} {}: {is_listed}, {result:?}", content.kind()),
            }
        }
    }
}

#[test]
fn content_round_trips() {
    let mut checked = 0;
    for format in Format::ALL.iter().filter(|format| !format.info().reads.is_empty()) {
        let name = format!("map.{}", format.info().suffixes[0]);
        for mut content in contents() {
            let kind = content.kind();
            if !(format.info().writes.contains(&kind) && format.info().reads.contains(&kind)) {
                continue;
            }
            let mut files = write(&content, &name).unwrap();
            let imported =
                read(&mut files, &name).unwrap_or_else(|error| panic!("{name} {kind}: {error}"));
            // Text and masks have no magnitudes, and a text template takes its id from the file
            // name.
            match &mut content {
                Content::NavGrid(grid)
                    if [Format::Ascii, Format::MovingAi, Format::Png, Format::Pgm]
                        .contains(format) =>
                {
                    let Content::NavGrid(actual) = &imported.content else { panic!() };
                    assert_eq!(actual.open(), grid.open());
                }
                Content::Template(template) if *format == Format::Ascii => {
                    // Text has no legend, so custom characters become the standard ones of their
                    // kind.
                    let Content::Template(actual) = &imported.content else { panic!() };
                    let standard_symbol = |c: char| if c == 'K' { 'n' } else { c };
                    let rows: Vec<String> = template
                        .rows
                        .iter()
                        .map(|row| row.chars().map(standard_symbol).collect())
                        .collect();
                    assert_eq!((actual.id.as_str(), &actual.rows), ("map", &rows));
                }
                _ => assert_eq!(imported.content, content, "{name}"),
            }
            assert!(!imported.is_edited());
            checked += 1;
        }
    }
    assert_eq!(checked, 26);
}

#[test]
fn suffixes_are_unique_and_unknown_ones_are_rejected() {
    let mut all: Vec<&str> =
        Format::ALL.iter().flat_map(|format| format.info().suffixes.iter().copied()).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert_eq!(Format::from_file_name("A.TMX").unwrap(), Format::Tmx);
    assert!(Format::from_file_name("noSuffix").is_err());
    let error = Format::from_file_name("a.dot").unwrap().read(
        "a.dot",
        &mut MemoryFiles::default(),
        ReadOptions::default(),
    );
    assert!(
        error
            .unwrap_err()
            .to_string()
            .starts_with("format = dot: write-only; read one of document,")
    );
}

#[test]
fn jsonl_and_csv_allow_several_maps_but_tmx_does_not() {
    let maps: Vec<Content> = (0..3).map(|seed| Content::from(common::busy_floor(seed))).collect();
    let write = |name: &str| {
        let mut files = MemoryFiles::default();
        Format::from_file_name(name)?.write(&maps, name, Default::default(), &mut files)?;
        Ok::<_, FormatError>(files)
    };
    let mut files = write("maps.jsonl").unwrap();
    let read = Format::from_file_name("maps.jsonl")
        .unwrap()
        .read("maps.jsonl", &mut files, ReadOptions::default())
        .unwrap();
    assert_eq!(read.into_iter().map(|imported| imported.content).collect::<Vec<_>>(), maps);
    let csv = String::from_utf8(write("maps.csv").unwrap().0["maps.csv"].clone()).unwrap();
    assert_eq!(csv.lines().count(), 4);
    let metrics: Vec<String> = match &maps[0] {
        Content::Map(map) => map.metric_values().into_iter().map(|metric| metric.name).collect(),
        _ => panic!(),
    };
    let header = format!("algorithm,seed,digest,{}\n", metrics.join(","));
    assert!(metrics.len() > 10 && csv.starts_with(&header), "{csv}");
    assert!(csv.contains("floor.module/1,2,sha256:"));
    let error = write("maps.tmx").unwrap_err().to_string();
    assert_eq!(
        error,
        "tmx = 3 maps: only one map per file; convert one map, or write .jsonl, .csv or .txt"
    );
}

#[test]
fn text_content_is_detected_by_characters() {
    let kind_of = |text: &str, hint: Option<ContentKind>| {
        let mut files = MemoryFiles::default();
        files.create("a.txt").unwrap().write_all(text.as_bytes()).unwrap();
        let read = Format::from_file_name("a.txt").unwrap().read(
            "a.txt",
            &mut files,
            ReadOptions { hint },
        );
        read.map(|all| all[0].content.kind()).map_err(|error| error.to_string())
    };
    assert_eq!(kind_of("OOO\nOEO\nOOO\n", None), Ok(ContentKind::Blueprint));
    assert_eq!(kind_of("<..\n#.#\n..>\n", None), Ok(ContentKind::Template));
    assert_eq!(kind_of("..#\n1~#\n", None), Ok(ContentKind::NavGrid));
    assert_eq!(kind_of("...\n...\n", Some(ContentKind::Blueprint)), Ok(ContentKind::Blueprint));
    assert!(
        kind_of("...", Some(ContentKind::Map(Family::Act)))
            .unwrap_err()
            .contains("cannot be read from a text drawing")
    );
    assert!(kind_of("..\n.", None).unwrap_err().contains("make all rows the same length"));
}

#[test]
fn scenarios_state_the_size_of_their_map() {
    let mut files = MemoryFiles::default();
    files
        .create("a.scen")
        .unwrap()
        .write_all(b"version 1\n0\tm.map\t4\t3\t1\t2\t3\t0\t2.5\n")
        .unwrap();
    let read = Format::from_file_name("a.scen")
        .unwrap()
        .read("a.scen", &mut files, ReadOptions::default())
        .unwrap();
    let csv = common::text(&read[0].content, "a.csv");
    assert_eq!(csv, "sources,targets,length\n\"1,2\",\"3,0\",2.5\n");
    let two = [read[0].content.clone(), read[0].content.clone()];
    Format::Csv.write(&two, "two.csv", Theme::Night, &mut files).unwrap();
    assert_eq!(String::from_utf8_lossy(&files.0["two.csv"]).lines().count(), 3);
}

#[test]
fn animations_reject_edited_maps() {
    let mut level = common::busy_level(7);
    let write = |level: &wayforge::level::Level| {
        let mut files = MemoryFiles::default();
        let apng = Format::from_file_name("a.apng").unwrap();
        apng.write(&[Content::from(level.clone())], "a.apng", Theme::Night, &mut files)
            .map(|()| files)
    };
    let animation = write(&level).unwrap().0.remove("a.apng").unwrap();
    assert!(animation.windows(4).any(|chunk| chunk == b"fdAT"));
    let floor = level
        .blueprint
        .size()
        .iter()
        .find(|&pos| level.blueprint.get(pos) == Symbol::Floor)
        .unwrap();
    level.blueprint.set(floor, Symbol::Puddle);
    let error = write(&level).unwrap_err().to_string();
    assert!(error.contains("this one was edited; write it as .png"), "{error}");
}
