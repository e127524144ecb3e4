//! scratch
#![allow(missing_docs)]
use std::time::Instant;
use wayforge::nav::*;
use wayforge_benches::nav::*;
fn main() {
    for name in ["giantworldmap", "world", "northwestpassage", "labyrinth"] {
        let water = openfront(name).unwrap();
        let t = Instant::now();
        let mut nav = Navigator::new(&water);
        println!("{name} prepare {:?}", t.elapsed());
        for (file, moves) in [("multi", Moves::Eight), ("p2p", Moves::Four), ("p2p", Moves::Eight)] {
            let qs: Vec<Query> = queries(&format!("openfront/{name}.{file}"), &water)
                .into_iter()
                .map(|q| q.0.moves(moves))
                .collect();
            let mut way = Way::default();
            let mut lens = vec![];
            let mut base = 0.0;
            for method in [Method::Bfs, Method::Wave, Method::Bfs, Method::Wave] {
                let t = Instant::now();
                let mut visited = 0;
                let mut l2 = vec![];
                for q in &qs {
                    let q = q.clone().method(method);
                    let f = nav.find_into(&q, &mut way).unwrap();
                    visited += way.counts.visited;
                    l2.push(if f { way.steps() } else { 9999999 });
                }
                let s = t.elapsed().as_secs_f64();
                if method == Method::Bfs {
                    base = s;
                }
                println!(
                    "{file} {moves:?} {method} {:.1} ms, {:.1} M tiles/s, {:.2} x, visited {visited}",
                    s * 1e3,
                    visited as f64 / s / 1e6,
                    base / s
                );
                if lens.is_empty() {
                    lens = l2.clone()
                }
                assert_eq!(lens, l2);
            }
        }
    }
}
