//! The table of formats: what it promises is so.

mod common;

use common::{contents, read, write};
use wayforge::Family;
use wayforge::level::Symbol;
use wayforge_draw::Theme;
use wayforge_formats::{Content, FORMATS, Files, Format, FormatError, Memory, ReadOptions, What};

#[test]
fn every_format_writes_what_it_says_and_refuses_the_rest() {
    for format in &FORMATS {
        let name = format!("map.{}", format.suffixes[0]);
        for content in contents() {
            match (format.writes.contains(&content.what()), write(&content, &name)) {
                (true, Ok(files)) => assert!(!files.0[&name].is_empty(), "{name} {}", content.what()),
                (false, Err(FormatError::CannotHold { what, .. })) => assert_eq!(what, content.what()),
                (says, result) => panic!("{name} {}: {says}, {result:?}", content.what()),
            }
        }
    }
}

#[test]
fn what_is_written_and_read_is_the_same() {
    let mut checked = 0;
    for format in FORMATS.iter().filter(|format| !format.reads.is_empty()) {
        let name = format!("map.{}", format.suffixes[0]);
        for mut content in contents() {
            let what = content.what();
            if !(format.writes.contains(&what) && format.reads.contains(&what)) {
                continue;
            }
            let mut files = write(&content, &name).unwrap();
            let reading = read(&mut files, &name).unwrap_or_else(|error| panic!("{name} {what}: {error}"));
            // Text and masks have no depths, and a text takes its name from the file.
            match &mut content {
                Content::Water(water) if ["ascii", "movingai", "png", "pgm"].contains(&format.name) => {
                    let Content::Water(there) = &reading.content else { panic!() };
                    assert_eq!(there.open(), water.open());
                }
                Content::Template(template) if format.name == "ascii" => {
                    // A text has no legend: what it says becomes the kind it stands for.
                    let Content::Template(there) = &reading.content else { panic!() };
                    let standard = |c: char| if c == 'K' { 'n' } else { c };
                    let rows: Vec<String> =
                        template.rows.iter().map(|row| row.chars().map(standard).collect()).collect();
                    assert_eq!((there.id.as_str(), &there.rows), ("map", &rows));
                }
                _ => assert_eq!(reading.content, content, "{name}"),
            }
            assert!(!reading.is_edited());
            checked += 1;
        }
    }
    assert_eq!(checked, 26);
}

#[test]
fn suffixes_are_unique_and_unknown_ones_are_refused() {
    let mut all: Vec<&str> = FORMATS.iter().flat_map(|format| format.suffixes.iter().copied()).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert_eq!(Format::of("A.TMX").unwrap().name, "tmx");
    assert!(Format::of("noSuffix").is_err());
    let refused = Format::of("a.dot").unwrap().read("a.dot", &mut Memory::default(), ReadOptions::default());
    assert!(
        refused.unwrap_err().to_string().starts_with("format = dot: is only written; read one of document,")
    );
}

#[test]
fn many_maps_go_into_lines_and_tables_only() {
    let maps: Vec<Content> = (0..3).map(|seed| Content::from(common::busy_floor(seed))).collect();
    let write = |name: &str| {
        let mut files = Memory::default();
        Format::of(name)?.write(&maps, name, Default::default(), &mut files)?;
        Ok::<_, FormatError>(files)
    };
    let mut files = write("maps.jsonl").unwrap();
    let read =
        Format::of("maps.jsonl").unwrap().read("maps.jsonl", &mut files, ReadOptions::default()).unwrap();
    assert_eq!(read.into_iter().map(|reading| reading.content).collect::<Vec<_>>(), maps);
    let csv = String::from_utf8(write("maps.csv").unwrap().0["maps.csv"].clone()).unwrap();
    assert_eq!(csv.lines().count(), 4);
    assert!(csv.starts_with(
        "algorithm,seed,digest,width,height,steps,walls,doors,chests,traps,tiles of water,enemies"
    ));
    assert!(csv.contains("floor.module/1,2,sha256:"));
    let refused = write("maps.tmx").unwrap_err().to_string();
    assert_eq!(refused, "tmx = 3 maps: the file holds one; convert one map, or write .jsonl, .csv or .txt");
}

#[test]
fn texts_are_told_by_their_characters() {
    let what = |text: &str, hint: Option<What>| {
        let mut files = Memory::default();
        files.create("a.txt").unwrap().write_all(text.as_bytes()).unwrap();
        let read = Format::of("a.txt").unwrap().read("a.txt", &mut files, ReadOptions { hint });
        read.map(|all| all[0].content.what()).map_err(|error| error.to_string())
    };
    assert_eq!(what("OOO\nOEO\nOOO\n", None), Ok(What::Blueprint));
    assert_eq!(what("<..\n#.#\n..>\n", None), Ok(What::Template));
    assert_eq!(what("..#\n1~#\n", None), Ok(What::Water));
    assert_eq!(what("...\n...\n", Some(What::Blueprint)), Ok(What::Blueprint));
    assert!(what("...", Some(What::Map(Family::Act))).unwrap_err().contains("cannot be read from a drawing"));
    assert!(what("..\n.", None).unwrap_err().contains("make all rows equally long"));
}

#[test]
fn queries_state_the_size_of_their_map() {
    let mut files = Memory::default();
    files.create("a.scen").unwrap().write_all(b"version 1\n0\tm.map\t4\t3\t1\t2\t3\t0\t2.5\n").unwrap();
    let read = Format::of("a.scen").unwrap().read("a.scen", &mut files, ReadOptions::default()).unwrap();
    let csv = common::text(&read[0].content, "a.csv");
    assert_eq!(csv, "sources,targets,length\r\n\"1,2\",\"3,0\",2.5\r\n");
}

#[test]
fn a_film_shows_only_what_was_made() {
    let mut level = common::busy_level(7);
    let write = |level: &wayforge::level::Level| {
        let mut files = Memory::default();
        let apng = Format::of("a.apng").unwrap();
        apng.write(&[Content::from(level.clone())], "a.apng", Theme::Night, &mut files).map(|()| files)
    };
    let film = write(&level).unwrap().0.remove("a.apng").unwrap();
    assert!(film.windows(4).any(|chunk| chunk == b"fdAT"));
    let floor = level.blueprint.size().iter().find(|&pos| level.blueprint.get(pos) == Symbol::Floor).unwrap();
    level.blueprint.set(floor, Symbol::Puddle);
    let said = write(&level).unwrap_err().to_string();
    assert!(said.contains("this one was edited; write it as .png"), "{said}");
}
