//! Tests of work limits.

use wayforge_core::WorkLimit;
use wayforge_core::grid::{BitGrid, Pos, Size};
use wayforge_core::trace::Recorder;
use wayforge_nav::{Method, NavGrid, Navigator, Path, Preprocessing, Query, Stopped};

/// Returns corridors with many branches, on which every method has much to search.
fn comb(size: Size) -> NavGrid {
    let open =
        size.iter().filter(|pos| pos.x % 4 != 3 || pos.y == (pos.x / 4 % 2) * (size.height - 1));
    NavGrid::with_magnitudes(
        BitGrid::from_cells(size, open),
        size.iter().map(|pos| (pos.x % 5) as u8 + 3).collect(),
    )
    .unwrap()
}

fn queries(size: Size) -> Vec<Query> {
    let query = Query::between(Pos::new(0, 0), Pos::new(size.width - 2, size.height - 1));
    let with_depths = Query { depths: vec![1, 2], ..query.clone() };
    let methods = Method::ALL.into_iter().map(|method| query.clone().method(method));
    methods.chain([with_depths]).collect()
}

#[test]
fn every_method_stops_and_then_finds_the_same_path() {
    let size = Size::new(801, 400);
    let grid = comb(size);
    for query in queries(size) {
        let expected = Navigator::new(&grid, Preprocessing::None).find(&query).unwrap().unwrap();
        let mut navigator = Navigator::new(&grid, Preprocessing::None);
        let mut path = Path::default();
        // The limits are much smaller than the grid.
        for steps in [0, 1, 100, 2000] {
            let limit = WorkLimit::steps(steps);
            let stopped = navigator.find_within(&query, &mut path, &limit).unwrap();
            assert_eq!(stopped, Err(Stopped::LimitReached { limit: steps }), "{}", query.method);
        }
        let interrupted = WorkLimit::default().with_interrupt(|| true);
        if query.method == Method::Bfs {
            let stopped = navigator.find_within(&query, &mut path, &interrupted).unwrap();
            assert_eq!(stopped, Err(Stopped::Interrupted), "{}", query.method);
        }
        let found = navigator.find_within(&query, &mut path, &WorkLimit::UNLIMITED).unwrap();
        assert_eq!(found, Ok(true), "{}", query.method);
        assert_eq!(path, expected, "{}", query.method);
    }
}

#[test]
fn wide_corridors_and_traces_are_counted() {
    let size = Size::new(801, 400);
    let grid = comb(size);
    let mut options = wayforge_nav::Options::default();
    options.mask_corridor.radius = 200;
    let mut navigator = Navigator::with_options(&grid, options).unwrap();
    let query = Query::between(Pos::new(0, 0), Pos::new(799, 399)).method(Method::MaskF2);
    let limit = WorkLimit::steps(5_000);
    let mut recorder = Recorder::new(1 << 20);
    let stopped = navigator.find_traced_within(&query, &mut recorder, &limit).unwrap();
    assert_eq!(stopped, Err(Stopped::LimitReached { limit: 5_000 }));
    assert!(recorder.events().is_empty(), "the corridor alone exceeds the limit");
}
