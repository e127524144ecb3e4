//! A queue by cost in coarse steps: a ring of lists, because costs grow slowly and a heap's order is more than is needed.

/// Entries by bucket; inside one the last comes first, which leads deep into a way before its equals are tried.
#[derive(Clone, Debug)]
pub(super) struct Buckets {
    /// The first entry of each place of the ring, or [`END`].
    first: Vec<u32>,
    entries: Vec<Entry>,
    /// The bucket that entries are taken from; none below it holds any.
    pub(super) at: u64,
    left: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    cost: u64,
    node: u32,
    next: u32,
}

const END: u32 = u32::MAX;
const RING: usize = 1 << 17;

impl Default for Buckets {
    fn default() -> Buckets {
        Buckets { first: vec![END; RING], entries: Vec::new(), at: 0, left: 0 }
    }
}

impl Buckets {
    /// Empties the queue.
    pub(super) fn clear(&mut self) {
        while self.left > 0 {
            self.pop_before(u64::MAX);
        }
        self.entries.clear();
        self.at = 0;
    }

    /// Adds an entry. What belongs before the current bucket goes there, and what lies beyond the ring goes to its end:
    /// taken too late or too early it is still taken, and the search does not rely on order.
    #[inline]
    pub(super) fn push(&mut self, bucket: u64, node: u32, cost: u64) {
        let place = bucket.clamp(self.at, self.at + RING as u64 - 1) as usize % RING;
        let next = std::mem::replace(&mut self.first[place], self.entries.len() as u32);
        self.entries.push(Entry { cost, node, next });
        self.left += 1;
    }

    /// Takes an entry of the lowest bucket below `end`: its node and cost. The current bucket moves up, at most to `end`.
    #[inline]
    pub(super) fn pop_before(&mut self, end: u64) -> Option<(u32, u64)> {
        if self.left == 0 {
            return None;
        }
        while self.at < end {
            let place = self.at as usize % RING;
            let first = self.first[place];
            if first != END {
                let Entry { cost, node, next } = self.entries[first as usize];
                self.first[place] = next;
                self.left -= 1;
                return Some((node, cost));
            }
            self.at += 1;
        }
        None
    }
}
