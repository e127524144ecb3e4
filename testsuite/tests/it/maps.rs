//! Property tests of the readers of external map formats: damaged and random files never panic.

use wayforge_formats as formats;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use wayforge::grid::Size;

const MAP: &str = "type octile\nheight 3\nwidth 5\nmap\n..@.G\nS.T.W\nO....\n";
const MANIFEST: &str = r#"{"name":"Bay","map":{"width":5,"height":3,"num_land_tiles":4}}"#;
const SCEN: &str =
    "version 1\n0\tbay.map\t5\t3\t0\t0\t4\t2\t5.24264069\n1\tbay.map\t5\t3\t3\t1\t1\t1\t2\n";
const MULTI: &str = "0,6,14\t3,8\n12\t7\n";

/// A change that damages a file.
#[derive(Clone, Debug)]
enum Mutation {
    Truncate(Index),
    Change(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index),
    RepeatTail(Index),
}

fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    let insertions = prop_oneof![
        Just(b"99999999999999999999".to_vec()),
        Just(b"-1".to_vec()),
        Just(b"65536".to_vec()),
        Just(b"16384".to_vec()),
        Just(b"nan".to_vec()),
        Just(b"\r\n".to_vec()),
        Just("\u{e9}".as_bytes().to_vec()),
        vec(any::<u8>(), 1..4),
    ];
    let mutation = prop_oneof![
        any::<Index>().prop_map(Mutation::Truncate),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Change(at, byte)),
        (any::<Index>(), insertions).prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        any::<Index>().prop_map(Mutation::Remove),
        any::<Index>().prop_map(Mutation::RepeatTail),
    ];
    vec(mutation, 1..5)
}

fn apply_mutations(good: &[u8], mutations: &[Mutation]) -> Vec<u8> {
    mutations.iter().fold(good.to_vec(), |mut bytes, mutation| {
        // The end of the file is a valid position too.
        let position = |at: &Index| at.index(bytes.len() + 1);
        match mutation {
            Mutation::Truncate(at) => bytes.truncate(position(at)),
            Mutation::Change(at, byte) => {
                let at = position(at);
                bytes.get_mut(at).into_iter().for_each(|old| *old = *byte);
            }
            Mutation::Insert(at, more) => {
                let at = position(at);
                bytes.splice(at..at, more.iter().copied());
            }
            Mutation::Remove(at) => {
                let at = position(at);
                bytes.splice(at..(at + 1).min(bytes.len()), []);
            }
            Mutation::RepeatTail(at) => bytes.extend_from_within(position(at)..),
        }
        bytes
    })
}

/// Checks that the message is not empty and has a bounded length, independent of the file.
fn check_message(error: &wayforge::InputError) {
    let text = error.to_string();
    assert!(text.len() < 1000 && !text.trim().is_empty(), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn damaged_files_are_read_or_rejected(
        mutations in mutations(),
        tiles in vec(any::<u8>(), 0..40),
    ) {
        let size = Size::new(5, 3);
        match formats::read_movingai(&apply_mutations(MAP.as_bytes(), &mutations)) {
            Ok(grid) => prop_assert!(grid.open_count() <= grid.size().cells()),
            Err(error) => check_message(&error),
        }
        match formats::read_manifest(&apply_mutations(MANIFEST.as_bytes(), &mutations)) {
            Ok(manifest) => match formats::read_openfront(&manifest, &tiles) {
                Ok(grid) => prop_assert_eq!(grid.size().cells(), tiles.len()),
                Err(error) => check_message(&error),
            },
            Err(error) => check_message(&error),
        }
        for good in [SCEN, MULTI] {
            match formats::read_queries(&apply_mutations(good.as_bytes(), &mutations), size) {
                Ok(queries) => {
                    prop_assert!(queries.iter().all(|query| !query.sources.is_empty()));
                    prop_assert!(queries.iter().all(|query| !query.targets.is_empty()));
                    let mut lengths = queries.iter().filter_map(|query| query.length);
                    prop_assert!(lengths.all(f64::is_finite));
                }
                Err(error) => check_message(&error),
            }
        }
    }

    #[test]
    fn noise_is_rejected(
        noise in vec(any::<u8>(), 0..200),
        width in 1_u16..=16_384,
        height in 1_u16..=16_384,
    ) {
        let size = Size::new(width, height);
        check_message(&formats::read_movingai(&noise).expect_err("noise is not a map"));
        check_message(&formats::read_manifest(&noise).expect_err("noise is not a manifest"));
        if let Err(error) = formats::read_queries(&noise, size) {
            check_message(&error);
        }
        // A file of the wrong length is rejected before anything is allocated.
        let manifest = formats::Manifest { size };
        if noise.len() != size.cells() {
            check_message(&formats::read_openfront(&manifest, &noise).unwrap_err());
        }
    }
}

#[test]
fn undamaged_files_are_read() {
    let grid = formats::read_movingai(MAP.as_bytes()).unwrap();
    assert_eq!((grid.size(), grid.open_count()), (Size::new(5, 3), 11));
    assert_eq!(formats::read_manifest(MANIFEST.as_bytes()).unwrap().size, grid.size());
    assert_eq!(formats::read_queries(SCEN.as_bytes(), grid.size()).unwrap().len(), 2);
    assert_eq!(formats::read_queries(MULTI.as_bytes(), grid.size()).unwrap()[0].sources.len(), 3);
}
