//! scratch
#![allow(missing_docs)]
use std::time::Instant;
use wayforge::nav::*;
use wayforge_benches::nav::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let names = std::env::var("MAPS").unwrap_or("giantworldmap,world,northwestpassage,labyrinth".into());
    let methods = std::env::var("METHODS").unwrap_or("bfs,wave".into());
    let kinds = std::env::var("KINDS").unwrap_or("m8,p4,p8".into());
    let _ = args;
    for name in names.split(',') {
        let water = openfront(name).unwrap();
        let t = Instant::now();
        let mut nav = Navigator::new(&water);
        println!("{name} prepare {:?}", t.elapsed());
        for kind in kinds.split(',') {
            let (file, moves) = match kind {
                "m8" => ("multi", Moves::Eight),
                "p4" => ("p2p", Moves::Four),
                _ => ("p2p", Moves::Eight),
            };
            let qs: Vec<Query> = queries(&format!("openfront/{name}.{file}"), &water)
                .into_iter()
                .map(|q| q.0.moves(moves))
                .collect();
            let mut way = Way::default();
            let mut lens = vec![];
            let mut base = 0.0;
            for method in methods.split(',') {
                let method: Method = method.parse().unwrap();
                let t = Instant::now();
                nav.find_into(&qs[0].clone().method(method), &mut way).unwrap();
                let first = t.elapsed();
                let t = Instant::now();
                let mut visited = 0;
                let mut l2 = vec![];
                let mut falls = 0;
                for q in &qs {
                    let q = q.clone().method(method);
                    let f = nav.find_into(&q, &mut way).unwrap();
                    visited += way.counts.visited;
                    l2.push(if f { way.steps() } else { 9999999 });
                    falls += way.counts.fallback as u32;
                    assert_eq!(way.fault(&water, moves), None);
                }
                let s = t.elapsed().as_secs_f64();
                if base == 0.0 {
                    base = s;
                }
                if lens.is_empty() {
                    lens = l2.clone()
                }
                let ex: Vec<f64> =
                    lens.iter().zip(&l2).map(|(&a, &b)| (b as f64 - a as f64) / (a as f64).max(1.)).collect();
                let avg = ex.iter().sum::<f64>() / ex.len() as f64;
                let worst = ex.iter().fold(0.0, |a: f64, &b| a.max(b));
                println!(
                    "{file} {moves:?} {method} {:.1} ms, {:.1} M tiles/s, {:.2} x, visited {visited} fallback {falls}, excess avg {:.3} % worst {:.2} %, first {first:?}",
                    s * 1e3,
                    visited as f64 / s / 1e6,
                    base / s,
                    avg * 100.,
                    worst * 100.
                );
            }
        }
    }
}
