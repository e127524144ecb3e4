//! Rate limiting by the generic cell rate algorithm (GCRA, ITU-T I.371), in bounded memory.
//!
//! GCRA is a token bucket that stores one number per key: the time when the bucket is full again.
//! Keys are clients or guilds. A full bucket equals a missing one, so full buckets can be dropped
//! at any time.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::Instant;

/// Number of shards; each has its own lock.
const SHARDS: usize = 16;
/// Maximum number of keys per shard; all shards together need a few megabytes.
const MAX_KEYS: usize = 4096;

/// Identity of a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// Id of the token.
    Token(String),
    /// IPv4 address, or the first 64 bits of an IPv6 address: a single client may use all 2^64
    /// addresses of its network.
    Address(IpAddr),
}

/// Token buckets of all keys.
pub(crate) struct RateLimiter<K> {
    /// Cost of a request in nanoseconds; 0 for no limit.
    cost: u64,
    /// Capacity of a bucket in nanoseconds.
    capacity: u64,
    start: Instant,
    hash: RandomState,
    /// Times in nanoseconds since `start` when the buckets are full again.
    shards: Vec<Mutex<HashMap<K, u64>>>,
}

impl Client {
    pub(crate) fn from_address(address: IpAddr) -> Client {
        Client::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
            v4 => v4,
        })
    }
}

impl<K: Eq + Hash> RateLimiter<K> {
    /// Creates a limiter for `rate` requests per second and `burst` at once; a rate of 0 means no
    /// limit.
    pub(crate) fn new(rate: u32, burst: u32) -> RateLimiter<K> {
        let cost = 1_000_000_000_u64.checked_div(rate.into()).unwrap_or(0);
        RateLimiter {
            cost,
            capacity: cost.saturating_mul(burst.max(1).into()),
            start: Instant::now(),
            hash: RandomState::new(),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    /// Counts a request of a key.
    ///
    /// # Errors
    /// The time to wait if the request exceeds the limit.
    pub(crate) fn take(&self, key: K) -> Result<(), Duration> {
        match self.cost {
            0 => Ok(()),
            _ => self.take_at(key, self.start.elapsed().as_nanos() as u64),
        }
    }

    /// Undoes [`take`](Self::take).
    pub(crate) fn give_back(&self, key: &K) {
        let shard = &self.shards[self.hash.hash_one(key) as usize % SHARDS];
        let mut buckets = shard.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(full_at) = buckets.get_mut(key) {
            *full_at = full_at.saturating_sub(self.cost);
        }
    }

    /// Counts a request at `now`, in nanoseconds since `start`.
    fn take_at(&self, key: K, now: u64) -> Result<(), Duration> {
        let shard = &self.shards[self.hash.hash_one(&key) as usize % SHARDS];
        // A panic cannot leave the map inconsistent, so a poisoned lock is safe to use.
        let mut buckets = shard.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if buckets.len() >= MAX_KEYS && !buckets.contains_key(&key) {
            evict(&mut buckets, now);
        }
        let full_at = buckets.entry(key).or_insert(now);
        let after = (*full_at).max(now) + self.cost;
        match (after - now).checked_sub(self.capacity) {
            Some(excess) if excess > 0 => Err(Duration::from_nanos(excess)),
            _ => {
                *full_at = after;
                Ok(())
            }
        }
    }
}

/// Drops full buckets; if none is full, drops the fuller half.
fn evict<K: Eq + Hash>(buckets: &mut HashMap<K, u64>, now: u64) {
    buckets.retain(|_, full_at| *full_at > now);
    if buckets.len() >= MAX_KEYS {
        let mut times: Vec<u64> = buckets.values().copied().collect();
        let (_, median, _) = times.select_nth_unstable(MAX_KEYS / 2);
        let median = *median;
        buckets.retain(|_, full_at| *full_at > median);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn limits_each_client_to_burst_and_rate() {
        let limiter = RateLimiter::new(10, 5);
        let (one, other) =
            (Client::Token("a".into()), Client::from_address("10.0.0.1".parse().unwrap()));
        for _ in 0..5 {
            limiter.take_at(one.clone(), SECOND).unwrap();
        }
        let wait = limiter.take_at(one.clone(), SECOND).unwrap_err();
        assert_eq!(wait, Duration::from_millis(100));
        limiter.take_at(other, SECOND).unwrap();
        limiter.take_at(one.clone(), SECOND + SECOND / 10).unwrap();
        assert!(limiter.take_at(one.clone(), SECOND + SECOND / 10).is_err());
        assert_eq!(
            (0..20).filter(|_| limiter.take_at(one.clone(), 9 * SECOND).is_ok()).count(),
            5,
            "at most a burst after a pause"
        );
        assert!((0..1000).all(|_| RateLimiter::new(0, 0).take(one.clone()).is_ok()));
    }

    #[test]
    fn memory_is_bounded_and_an_ipv6_network_is_one_client() {
        let limiter = RateLimiter::new(1, 3);
        for n in 0..300_000_u32 {
            let _ = limiter.take_at(Client::from_address(IpAddr::V4(n.into())), u64::from(n));
        }
        let clients: usize = limiter.shards.iter().map(|shard| shard.lock().unwrap().len()).sum();
        assert!(clients <= SHARDS * MAX_KEYS, "{clients}");
        let v6 = |text: &str| Client::from_address(text.parse().unwrap());
        assert_eq!(v6("2001:db8:1:2::1"), v6("2001:db8:1:2:ffff::2"));
        assert_ne!(v6("2001:db8:1:2::1"), v6("2001:db8:1:3::1"));
        assert_eq!(v6("::ffff:10.0.0.1"), Client::from_address("10.0.0.1".parse().unwrap()));
    }
}
