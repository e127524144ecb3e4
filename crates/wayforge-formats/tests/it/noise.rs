//! Property test: readers of damaged files return an error or a map, and never panic.

use crate::common::{contents, write};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use wayforge_formats::{Files, Format, FormatInfo, MemoryFiles, ReadOptions};

/// A modification of a file: truncation, changed bytes, inserted tokens, removed or duplicated
/// ranges.
#[derive(Clone, Debug)]
enum Damage {
    Truncate(Index),
    Change(Index, u8),
    Insert(Index, &'static str),
    Remove(Index, u8),
    Duplicate(Index, u8),
}

fn damage() -> impl Strategy<Value = Damage> {
    let tokens = prop::sample::select(vec![
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
        any::<Index>().prop_map(Damage::Truncate),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Change(at, byte)),
        (any::<Index>(), tokens).prop_map(|(at, token)| Damage::Insert(at, token)),
        (any::<Index>(), 1_u8..).prop_map(|(at, count)| Damage::Remove(at, count)),
        (any::<Index>(), 1_u8..).prop_map(|(at, count)| Damage::Duplicate(at, count)),
    ]
}

fn damaged(bytes: &[u8], damages: &[Damage]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for damage in damages {
        let at = |index: &Index, bytes: &[u8]| {
            if bytes.is_empty() { 0 } else { index.index(bytes.len()) }
        };
        match damage {
            Damage::Truncate(index) => bytes.truncate(at(index, &bytes)),
            Damage::Change(index, byte) => {
                let at = at(index, &bytes);
                bytes.iter_mut().skip(at).take(1).for_each(|target| *target = *byte);
            }
            Damage::Insert(index, token) => {
                let at = at(index, &bytes);
                bytes.splice(at..at, token.bytes());
            }
            Damage::Remove(index, count) => {
                let at = at(index, &bytes);
                bytes.drain(at..(at + usize::from(*count)).min(bytes.len()));
            }
            Damage::Duplicate(index, count) => {
                let at = at(index, &bytes);
                let range = bytes[at..(at + usize::from(*count)).min(bytes.len())].to_vec();
                bytes.splice(at..at, range);
            }
        }
    }
    bytes
}

/// Returns everything a format writes, without tileset images.
fn valid_files(format: &str) -> &'static [MemoryFiles] {
    static VALID: OnceLock<BTreeMap<&'static str, Vec<MemoryFiles>>> = OnceLock::new();
    let all = VALID.get_or_init(|| {
        let contents = contents();
        let written = |format: &'static FormatInfo| {
            let name = format!("map.{}", format.suffixes[0]);
            let supported =
                contents.iter().filter(|content| format.writes.contains(&content.kind()));
            let mut files: Vec<MemoryFiles> =
                supported.map(|content| write(content, &name).unwrap()).collect();
            files
                .iter_mut()
                .for_each(|files| files.0.retain(|name, _| !name.starts_with("wayforge-")));
            (format.name, files)
        };
        Format::ALL
            .iter()
            .map(|format| format.info())
            .filter(|format| !format.reads.is_empty())
            .map(written)
            .collect()
    });
    all.get(format).map_or(&[], Vec::as_slice)
}

fn read(name: &str, files: &mut dyn Files) {
    match Format::from_file_name(name).unwrap().read(name, files, ReadOptions::default()) {
        Ok(contents) => contents.iter().for_each(|content| {
            content.is_edited();
        }),
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && !text.contains('\n') && text.len() < 2000, "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 100,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn damaged_files_never_panic(damages in vec(damage(), 1..5), which: Index) {
        let infos = Format::ALL.iter().map(|format| format.info());
        for format in infos.filter(|format| !format.reads.is_empty()) {
            let name = format!("map.{}", format.suffixes[0]);
            let valid = valid_files(format.name);
            if valid.is_empty() {
                continue;
            }
            let mut files = which.get(valid).clone();
            // Damage the file itself or one of its companions.
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
