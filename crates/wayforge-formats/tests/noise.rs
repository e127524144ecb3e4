//! Every reader fed with damaged files: it refuses in words, or gives a map, and never panics.

mod common;

use common::{contents, write};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use wayforge_formats::{FORMATS, Files, Format, Memory, ReadOptions};

/// What a file can suffer: cut short, bytes changed, words put in, pieces taken out or doubled.
#[derive(Clone, Debug)]
enum Damage {
    Cut(Index),
    Change(Index, u8),
    Insert(Index, &'static str),
    Remove(Index, u8),
    Double(Index, u8),
}

fn damage() -> impl Strategy<Value = Damage> {
    let words = prop::sample::select(vec![
        "99999999999999999999",
        "-1",
        "0",
        "65536",
        "8192",
        "nan",
        "\"",
        "<",
        ">",
        "</",
        "[",
        "{",
        "}",
        ",",
        "&#0;",
        "\r\n",
        "\u{e9}",
        "null",
        "2147483648",
        "1e999",
    ]);
    prop_oneof![
        any::<Index>().prop_map(Damage::Cut),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Change(at, byte)),
        (any::<Index>(), words).prop_map(|(at, word)| Damage::Insert(at, word)),
        (any::<Index>(), 1_u8..).prop_map(|(at, count)| Damage::Remove(at, count)),
        (any::<Index>(), 1_u8..).prop_map(|(at, count)| Damage::Double(at, count)),
    ]
}

fn damaged(bytes: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for damage in damages {
        let at = |index: &Index, bytes: &[u8]| if bytes.is_empty() { 0 } else { index.index(bytes.len()) };
        match damage {
            Damage::Cut(index) => bytes.truncate(at(index, &bytes)),
            Damage::Change(index, byte) => {
                let at = at(index, &bytes);
                bytes.iter_mut().skip(at).take(1).for_each(|here| *here = *byte);
            }
            Damage::Insert(index, word) => {
                let at = at(index, &bytes);
                bytes.splice(at..at, word.bytes());
            }
            Damage::Remove(index, count) => {
                let at = at(index, &bytes);
                bytes.drain(at..(at + usize::from(*count)).min(bytes.len()));
            }
            Damage::Double(index, count) => {
                let at = at(index, &bytes);
                let piece = bytes[at..(at + usize::from(*count)).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

/// All that a format writes, without pictures.
fn good(format: &str) -> &'static [Memory] {
    static GOOD: OnceLock<BTreeMap<&'static str, Vec<Memory>>> = OnceLock::new();
    let all = GOOD.get_or_init(|| {
        let contents = contents();
        let written = |format: &'static Format| {
            let name = format!("map.{}", format.suffixes[0]);
            let holds = contents.iter().filter(|content| format.writes.contains(&content.what()));
            let mut files: Vec<Memory> = holds.map(|content| write(content, &name).unwrap()).collect();
            files.iter_mut().for_each(|files| files.0.retain(|name, _| !name.starts_with("wayforge-")));
            (format.name, files)
        };
        FORMATS.iter().filter(|format| !format.reads.is_empty()).map(written).collect()
    });
    all.get(format).map_or(&[], Vec::as_slice)
}

fn read(name: &str, files: &mut dyn Files) {
    match Format::of(name).unwrap().read(name, files, ReadOptions::default()) {
        Ok(readings) => readings.iter().for_each(|reading| {
            reading.is_edited();
        }),
        Err(error) => {
            let said = error.to_string();
            assert!(!said.is_empty() && !said.contains('\n') && said.len() < 2000, "{said}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_are_refused_or_read(damages in vec(damage(), 1..5), which: Index) {
        for format in FORMATS.iter().filter(|format| !format.reads.is_empty()) {
            let name = format!("map.{}", format.suffixes[0]);
            let good = good(format.name);
            if good.is_empty() {
                continue;
            }
            let mut files = which.get(good).clone();
            // The file itself, or one beside it.
            let names: Vec<String> = files.0.keys().cloned().collect();
            for file in &names {
                let mut files = files.clone();
                let bytes = damaged(&files.0[file], &damages);
                files.0.insert(file.clone(), bytes);
                read(&name, &mut files);
            }
            files.0.insert(name.clone(), damaged(b"version 1\n0 m 4 3 1 2 3 0 2.5\n", &damages));
            read(&name, &mut files);
        }
    }
}
