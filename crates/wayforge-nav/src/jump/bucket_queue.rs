//! Bucket queue (Dial 1969): a ring of linked lists, indexed by integer cost.
//!
//! Costs increase slowly, and the search does not need the exact order of a heap. Pushing takes
//! O(1), and popping O(1) plus the number of empty buckets skipped.

/// Priority queue of nodes. A bucket is last in, first out, so the search completes one path before
/// it tries equally cheap ones.
#[derive(Clone, Debug)]
pub(super) struct BucketQueue {
    /// First entry of each slot of the ring, or [`END`].
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Current bucket; all lower buckets are empty.
    pub(super) current: u64,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    cost: u64,
    node: u32,
    next: u32,
}

const END: u32 = u32::MAX;
const RING_SIZE: usize = 1 << 17;

impl Default for BucketQueue {
    fn default() -> BucketQueue {
        BucketQueue { heads: vec![END; RING_SIZE], entries: Vec::new(), current: 0, len: 0 }
    }
}

impl BucketQueue {
    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        while self.len > 0 {
            self.pop_before(u64::MAX);
        }
        self.entries.clear();
        self.current = 0;
    }

    /// Adds an entry.
    ///
    /// Clamps buckets below the current one and beyond the ring. Such entries are dequeued late or
    /// early, which is harmless because the search does not rely on the order.
    #[inline]
    pub(super) fn push(&mut self, bucket: u64, node: u32, cost: u64) {
        let slot =
            bucket.clamp(self.current, self.current + RING_SIZE as u64 - 1) as usize % RING_SIZE;
        let next = std::mem::replace(&mut self.heads[slot], self.entries.len() as u32);
        self.entries.push(Entry { cost, node, next });
        self.len += 1;
    }

    /// Removes an entry of the lowest bucket below `end` and returns its node and cost.
    ///
    /// The current bucket advances, at most to `end`.
    #[inline]
    pub(super) fn pop_before(&mut self, end: u64) -> Option<(u32, u64)> {
        if self.len == 0 {
            return None;
        }
        while self.current < end {
            let slot = self.current as usize % RING_SIZE;
            let first = self.heads[slot];
            if first != END {
                let Entry { cost, node, next } = self.entries[first as usize];
                self.heads[slot] = next;
                self.len -= 1;
                return Some((node, cost));
            }
            self.current += 1;
        }
        None
    }
}
