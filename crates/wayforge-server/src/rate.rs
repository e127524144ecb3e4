//! So many requests a second for each client: a token bucket by token or address, in bounded memory.
//!
//! A bucket is one number, the time at which it will be full again (the generic cell rate algorithm); a bucket that is
//! full says nothing that a missing one would not, so that full ones can be forgotten at any time.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Clients are spread over so many locks.
const SHARDS: usize = 16;
/// The most clients that one lock remembers: all together take a few megabytes.
const MAX: usize = 4096;

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// Whoever holds a token, by its id.
    Token(String),
    /// An address; of the new kind only the part that names a network, which one household has billions of.
    Address(IpAddr),
}

/// The buckets of all clients.
pub(crate) struct Rate {
    /// Nanoseconds that one request takes out of a bucket; 0 if nobody counts.
    cost: u64,
    /// Nanoseconds that a bucket holds.
    depth: u64,
    start: Instant,
    hash: RandomState,
    shards: Vec<Mutex<HashMap<Client, u64>>>,
}

impl Client {
    pub(crate) fn of(address: IpAddr) -> Client {
        Client::Address(match address.to_canonical() {
            IpAddr::V6(long) => IpAddr::V6((long.to_bits() >> 64 << 64).into()),
            short => short,
        })
    }
}

impl Rate {
    /// `rate` requests a second, `burst` at once; a rate of 0 lets everybody pass.
    pub(crate) fn new(rate: u32, burst: u32) -> Rate {
        let cost = 1_000_000_000_u64.checked_div(rate.into()).unwrap_or(0);
        Rate {
            cost,
            depth: cost.saturating_mul(burst.max(1).into()),
            start: Instant::now(),
            hash: RandomState::new(),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    /// Takes one request out of the client's bucket, or says how long it has to wait for that.
    pub(crate) fn take(&self, client: Client) -> Result<(), Duration> {
        match self.cost {
            0 => Ok(()),
            _ => self.take_at(client, self.start.elapsed().as_nanos() as u64),
        }
    }

    fn take_at(&self, client: Client, now: u64) -> Result<(), Duration> {
        let shard = &self.shards[self.hash.hash_one(&client) as usize % SHARDS];
        // A panic inside cannot leave a map half changed; its numbers stay good.
        let mut buckets = shard.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if buckets.len() >= MAX && !buckets.contains_key(&client) {
            make_room(&mut buckets, now);
        }
        let full_at = buckets.entry(client).or_insert(now);
        let after = (*full_at).max(now) + self.cost;
        match (after - now).checked_sub(self.depth) {
            Some(over) if over > 0 => Err(Duration::from_nanos(over)),
            _ => {
                *full_at = after;
                Ok(())
            }
        }
    }
}

/// Forgets the buckets that are full; if none is, the half that is fullest.
fn make_room(buckets: &mut HashMap<Client, u64>, now: u64) {
    buckets.retain(|_, full_at| *full_at > now);
    if buckets.len() >= MAX {
        let mut times: Vec<u64> = buckets.values().copied().collect();
        let (_, middle, _) = times.select_nth_unstable(MAX / 2);
        let middle = *middle;
        buckets.retain(|_, full_at| *full_at > middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn a_client_gets_its_burst_then_its_rate_and_nobody_elses() {
        let rate = Rate::new(10, 5);
        let (one, other) = (Client::Token("a".into()), Client::of("10.0.0.1".parse().unwrap()));
        for _ in 0..5 {
            rate.take_at(one.clone(), SECOND).unwrap();
        }
        let wait = rate.take_at(one.clone(), SECOND).unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        rate.take_at(other, SECOND).unwrap();
        rate.take_at(one.clone(), SECOND + SECOND / 10).unwrap();
        assert!(rate.take_at(one.clone(), SECOND + SECOND / 10).is_err());
        assert_eq!(
            (0..20).filter(|_| rate.take_at(one.clone(), 9 * SECOND).is_ok()).count(),
            5,
            "no more than a burst"
        );
        assert!((0..1000).all(|_| Rate::new(0, 0).take(one.clone()).is_ok()));
    }

    #[test]
    fn memory_is_bounded_and_a_network_is_one_client() {
        let rate = Rate::new(1, 3);
        for n in 0..300_000_u32 {
            let _ = rate.take_at(Client::of(IpAddr::V4(n.into())), u64::from(n));
        }
        let kept: usize = rate.shards.iter().map(|shard| shard.lock().unwrap().len()).sum();
        assert!(kept <= SHARDS * MAX, "{kept}");
        let v6 = |text: &str| Client::of(text.parse().unwrap());
        assert_eq!(v6("2001:db8:1:2::1"), v6("2001:db8:1:2:ffff::2"));
        assert_ne!(v6("2001:db8:1:2::1"), v6("2001:db8:1:3::1"));
        assert_eq!(v6("::ffff:10.0.0.1"), Client::of("10.0.0.1".parse().unwrap()));
    }
}
