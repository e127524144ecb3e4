//! Readers of other programs' maps and queries, fed with noise: they refuse in words, and never panic.

use wayforge_formats as maps;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use wayforge::grid::Size;

const MAP: &str = "type octile\nheight 3\nwidth 5\nmap\n..@.G\nS.T.W\nO....\n";
const MANIFEST: &str = r#"{"name":"Bay","map":{"width":5,"height":3,"num_land_tiles":4}}"#;
const SCEN: &str = "version 1\n0\tbay.map\t5\t3\t0\t0\t4\t2\t5.24264069\n1\tbay.map\t5\t3\t3\t1\t1\t1\t2\n";
const MULTI: &str = "0,6,14\t3,8\n12\t7\n";

/// What can be wrong with a file: cut short, some bytes changed, put in or taken out.
#[derive(Clone, Debug)]
enum Damage {
    Cut(Index),
    Change(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index),
    Double(Index),
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let words = prop_oneof![
        Just(b"99999999999999999999".to_vec()),
        Just(b"-1".to_vec()),
        Just(b"65536".to_vec()),
        Just(b"16384".to_vec()),
        Just(b"nan".to_vec()),
        Just(b"\r\n".to_vec()),
        Just("\u{e9}".as_bytes().to_vec()),
        vec(any::<u8>(), 1..4),
    ];
    let damage = prop_oneof![
        any::<Index>().prop_map(Damage::Cut),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Change(at, byte)),
        (any::<Index>(), words).prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        any::<Index>().prop_map(Damage::Remove),
        any::<Index>().prop_map(Damage::Double),
    ];
    vec(damage, 1..5)
}

fn damaged(good: &[u8], damages: &[Damage]) -> Vec<u8> {
    damages.iter().fold(good.to_vec(), |mut bytes, damage| {
        // One place more than there are bytes: an end is a place too.
        let place = |at: &Index| at.index(bytes.len() + 1);
        match damage {
            Damage::Cut(at) => bytes.truncate(place(at)),
            Damage::Change(at, byte) => {
                let at = place(at);
                bytes.get_mut(at).into_iter().for_each(|old| *old = *byte);
            }
            Damage::Insert(at, more) => {
                let at = place(at);
                bytes.splice(at..at, more.iter().copied());
            }
            Damage::Remove(at) => {
                let at = place(at);
                bytes.splice(at..(at + 1).min(bytes.len()), []);
            }
            Damage::Double(at) => bytes.extend_from_within(place(at)..),
        }
        bytes
    })
}

/// A refusal is one line of a bounded length, however long the file.
fn refused_in_words(error: &wayforge::InputError) {
    let text = error.to_string();
    assert!(text.len() < 1000 && !text.trim().is_empty(), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_files_are_read_or_refused(damages in damages(), tiles in vec(any::<u8>(), 0..40)) {
        let size = Size::new(5, 3);
        match maps::read_movingai(&damaged(MAP.as_bytes(), &damages)) {
            Ok(water) => prop_assert!(water.tiles() <= water.size().cells()),
            Err(error) => refused_in_words(&error),
        }
        match maps::read_manifest(&damaged(MANIFEST.as_bytes(), &damages)) {
            Ok(manifest) => match maps::read_openfront(&manifest, &tiles) {
                Ok(water) => prop_assert_eq!(water.size().cells(), tiles.len()),
                Err(error) => refused_in_words(&error),
            },
            Err(error) => refused_in_words(&error),
        }
        for good in [SCEN, MULTI] {
            match maps::read_queries(&damaged(good.as_bytes(), &damages), size) {
                Ok(asked) => {
                    prop_assert!(asked.iter().all(|query| !query.sources.is_empty() && !query.targets.is_empty()));
                    prop_assert!(asked.iter().all(|query| query.length.is_none_or(f64::is_finite)));
                }
                Err(error) => refused_in_words(&error),
            }
        }
    }

    #[test]
    fn noise_is_refused(noise in vec(any::<u8>(), 0..200), width in 1_u16..=16_384, height in 1_u16..=16_384) {
        let size = Size::new(width, height);
        maps::read_movingai(&noise).map_or_else(|error| refused_in_words(&error), |_| panic!("noise is no map"));
        maps::read_manifest(&noise).map_or_else(|error| refused_in_words(&error), |_| panic!("nor a manifest"));
        if let Err(error) = maps::read_queries(&noise, size) {
            refused_in_words(&error);
        }
        // A short file for a large map is refused by its length alone.
        let manifest = maps::Manifest { size };
        if noise.len() != size.cells() {
            refused_in_words(&maps::read_openfront(&manifest, &noise).unwrap_err());
        }
    }
}

#[test]
fn the_undamaged_files_are_good() {
    let water = maps::read_movingai(MAP.as_bytes()).unwrap();
    assert_eq!((water.size(), water.tiles()), (Size::new(5, 3), 11));
    assert_eq!(maps::read_manifest(MANIFEST.as_bytes()).unwrap().size, water.size());
    assert_eq!(maps::read_queries(SCEN.as_bytes(), water.size()).unwrap().len(), 2);
    assert_eq!(maps::read_queries(MULTI.as_bytes(), water.size()).unwrap()[0].sources.len(), 3);
}
