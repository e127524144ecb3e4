//! scratch
#![allow(missing_docs)]
use std::time::Instant;
use wayforge::nav::*;
use wayforge_benches::nav::*;
fn main() {
    let names = std::env::var("MAPS").unwrap_or("giantworldmap,world,northwestpassage,labyrinth".into());
    let methods = std::env::var("METHODS").unwrap_or("bfs,wave".into());
    let kinds = std::env::var("KINDS").unwrap_or("m8,p4,p8".into());
    for name in names.split(',') {
        let water = openfront(name).unwrap();
        for kind in kinds.split(',') {
            let mut nav = Navigator::new(&water, Prepare::None);
            let (file, moves) = match kind {
                "m8" => ("multi", Moves::Eight),
                "p4" => ("p2p", Moves::Four),
                _ => ("p2p", Moves::Eight),
            };
            let qs: Vec<Query> = queries(&format!("openfront/{name}.{file}"), &water)
                .into_iter()
                .map(|q| q.0.moves(moves))
                .collect();
            let methods: Vec<Method> = methods.split(',').map(|m| m.parse().unwrap()).collect();
            let mut way = Way::default();
            for &m in &methods {
                let t = Instant::now();
                nav.find_into(&qs[0].clone().method(m), &mut way).unwrap();
                println!("{name} {kind} {m} first {:?}", t.elapsed());
            }
            let mut total = vec![0.0; methods.len()];
            let mut times = vec![vec![]; methods.len()];
            let mut visited = vec![0; methods.len()];
            let mut ex = vec![(0.0_f64, 0.0_f64); methods.len()];
            for q in &qs {
                let mut min = vec![f64::MAX; methods.len()];
                let mut len = 0;
                for round in 0..4 {
                    for (i, &m) in methods.iter().enumerate() {
                        if round > 0 && min[i] > 0.02 && m != Method::Bfs {
                            continue;
                        }
                        let q = q.clone().method(m);
                        let t = Instant::now();
                        let f = nav.find_into(&q, &mut way).unwrap();
                        min[i] = min[i].min(t.elapsed().as_secs_f64());
                        assert!(f);
                        if round == 0 {
                            assert_eq!(way.fault(&water, moves), None);
                            visited[i] += way.counts.visited;
                            if i == 0 {
                                len = way.steps();
                            } else {
                                let e = (way.steps() - len) as f64 / (len as f64).max(1.0);
                                ex[i].0 += e;
                                ex[i].1 = ex[i].1.max(e);
                            }
                        }
                    }
                }
                for i in 0..methods.len() {
                    total[i] += min[i];
                    times[i].push(min[i]);
                }
            }
            for (i, m) in methods.iter().enumerate() {
                times[i].sort_by(f64::total_cmp);
                println!(
                    "{name} {kind} {m:12} total {:.2} ms  median {:.3} p95 {:.3}  {:.2} x  visited {} excess avg {:.4} worst {:.3} %",
                    total[i] * 1e3,
                    times[i][50] * 1e3,
                    times[i][95] * 1e3,
                    total[0] / total[i],
                    visited[i],
                    ex[i].0,
                    ex[i].1 * 100.
                );
            }
        }
    }
}
