//! Benchmark: durable moves per second on both databases.
//!
//! `cargo bench -p wayforge-store --bench store` measures ten seconds per case; `cargo test` runs a
//! short version. Each player has their own channel, moves to the boss as fast as the store
//! responds, then resets. Every result is compared with the expected progress.

#[allow(dead_code)] // Shared with the tests, which use all functions.
#[path = "../tests/store/cluster.rs"]
mod cluster;

use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Barrier;
use wayforge::{Family, Seed};
use wayforge_store::{Actor, ChannelKey, NewMap, Store};

fn main() {
    let measuring = std::env::args().any(|arg| arg == "--bench");
    let time = Duration::from_secs_f64(if measuring { 10.0 } else { 0.5 });
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let folder = cluster::folder();
        let postgres = cluster::Cluster::start();
        for players in [1, 16, 64, 256] {
            let file = cluster::file_address(folder.path())
                .replace("maps.db", &format!("maps-{players}.db"));
            measure("SQLite", &file, players, time).await;
            measure("PostgreSQL", &postgres.new_database().await, players, time).await;
        }
    });
}

async fn measure(name: &str, address: &str, players: u64, time: Duration) {
    let store = wayforge_store::open(address).await.unwrap();
    let ready = Arc::new(Barrier::new(players as usize));
    let games: Vec<_> = (0..players)
        .map(|player| tokio::spawn(play(Arc::clone(&store), player, Arc::clone(&ready), time)))
        .collect();
    let mut latencies = Vec::new();
    for game in games {
        latencies.extend(game.await.unwrap());
    }
    latencies.sort_unstable();
    let percentile_ms = |part: f64| {
        latencies[((latencies.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0
    };
    let rate = latencies.len() as f64 / time.as_secs_f64();
    let (median, p99) = (percentile_ms(0.5), percentile_ms(0.99));
    println!(
        "{name:<10} {players:>4} players: {rate:>6.0} moves/s, median {median:>6.2} ms, p99 \
         {p99:>6.2} ms"
    );
    store.close().await;
}

/// Plays for `time`. Returns the latency of each move.
async fn play(
    store: Arc<Store>,
    player: u64,
    ready: Arc<Barrier>,
    time: Duration,
) -> Vec<Duration> {
    let key =
        ChannelKey::new(Some(&format!("guild-{}", player % 16)), &format!("channel-{player}"))
            .unwrap();
    let actor = Actor::new(&format!("discord:{player}")).unwrap();
    let new = NewMap::generate(Family::Act, b"{}", Seed::new(player)).unwrap();
    let mut map = store.create(&key, new, None, &actor).await.unwrap();
    let mut run = map.run().unwrap();
    let mut latencies = Vec::new();
    ready.wait().await;
    let end = Instant::now() + time;
    while Instant::now() < end {
        let Some(&step) = run.moves().first() else {
            map = store.reset(&key, map.revision, &actor).await.unwrap();
            run = run.restarted();
            continue;
        };
        run = run.advance(step).unwrap();
        let sent = Instant::now();
        map = store.advance(&key, map.revision, step, &actor).await.unwrap();
        latencies.push(sent.elapsed());
        assert_eq!(map.progress.as_deref(), Some(run.progress().as_str()));
    }
    latencies
}
