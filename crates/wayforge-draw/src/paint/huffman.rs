//! Length-limited canonical Huffman codes for deflate (Huffman 1952; RFC 1951, section 3.2.2).

/// A code word: its bits in writing order and their number.
#[derive(Clone, Copy, Default)]
pub(super) struct Code {
    pub(super) bits: u32,
    pub(super) len: u32,
}

/// Returns the code length of every symbol for the given counts, at most `max_len`.
///
/// At least two symbols get a code, because some decoders reject codes with one symbol. The code is
/// optimal if the length limit does not apply.
pub(super) fn code_lengths(counts: &[u32], max_len: usize) -> Vec<u8> {
    let symbols = || counts.iter().copied().zip(0..);
    let mut used: Vec<(u32, usize)> = symbols().filter(|symbol| symbol.0 > 0).collect();
    let missing = 2_usize.saturating_sub(used.len());
    used.extend(symbols().filter(|symbol| symbol.0 == 0).take(missing));
    used.sort_unstable();
    let mut depths =
        huffman_depths(&used.iter().map(|&(count, _)| u64::from(count)).collect::<Vec<_>>());
    limit_lengths(&mut depths, max_len);
    let mut lengths = vec![0; counts.len()];
    for (&(_, symbol), depth) in used.iter().zip(depths) {
        lengths[symbol] = depth as u8;
    }
    lengths
}

/// Returns the canonical codes for these lengths, bit-reversed for a writer that writes the least
/// significant bit first.
pub(super) fn canonical_codes(lengths: &[u8]) -> Vec<Code> {
    let mut counts = [0u32; 17];
    lengths.iter().filter(|&&len| len > 0).for_each(|&len| counts[usize::from(len)] += 1);
    let mut next = [0u32; 17];
    for len in 1..17 {
        next[len] = (next[len - 1] + counts[len - 1]) << 1;
    }
    let code = |&len: &u8| {
        if len == 0 {
            return Code::default();
        }
        let value = next[usize::from(len)];
        next[usize::from(len)] += 1;
        Code { bits: value.reverse_bits() >> (32 - u32::from(len)), len: len.into() }
    };
    lengths.iter().map(code).collect()
}

/// Returns the leaf depths of the Huffman tree for sorted weights, by the two-queue method (van
/// Leeuwen 1976).
///
/// # Complexity
/// O(leaves).
fn huffman_depths(weights: &[u64]) -> Vec<usize> {
    let leaves = weights.len();
    // Inner nodes are created in increasing order of weight, so two queues replace a heap.
    let mut weight = weights.to_vec();
    let mut parent = vec![0; 2 * leaves - 1];
    let (mut leaf, mut inner) = (0, leaves);
    for node in leaves..2 * leaves - 1 {
        let mut take = || {
            let from_leaves = leaf < leaves && (inner >= node || weight[leaf] <= weight[inner]);
            let next = if from_leaves { &mut leaf } else { &mut inner };
            let child = *next;
            *next += 1;
            parent[child] = node;
            weight[child]
        };
        let sum = take() + take();
        weight.push(sum);
    }
    let mut depth = vec![0; 2 * leaves - 1];
    for node in (0..2 * leaves - 2).rev() {
        depth[node] = depth[parent[node]] + 1;
    }
    depth.truncate(leaves);
    depth
}

/// Limits code lengths: clamps them, then restores the Kraft equality.
///
/// Uses the repair step of zlib's `gen_bitlen`, which is not always optimal. `depths` is sorted
/// from rare to frequent symbols.
fn limit_lengths(depths: &mut [usize], max_len: usize) {
    if depths.iter().all(|&depth| depth <= max_len) {
        return;
    }
    let mut counts = vec![0usize; max_len + 1];
    depths.iter().for_each(|&depth| counts[depth.min(max_len)] += 1);
    let space = 1usize << max_len;
    let mut used_space: usize = (1..=max_len).map(|len| counts[len] << (max_len - len)).sum();
    while used_space > space {
        // A longest code becomes the sibling of a shorter one, which grows by one bit.
        let Some(shorter) = (1..max_len).rev().find(|&len| counts[len] > 0) else { break };
        counts[max_len] -= 1;
        counts[shorter] -= 1;
        counts[shorter + 1] += 2;
        used_space -= 1;
    }
    let mut lens = (1..=max_len).rev().flat_map(|len| std::iter::repeat_n(len, counts[len]));
    depths.iter_mut().for_each(|depth| *depth = lens.next().unwrap_or(max_len));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kraft sum; 1 for a complete code.
    fn kraft_sum(lengths: &[u8]) -> f64 {
        lengths.iter().filter(|&&len| len > 0).map(|&len| 0.5f64.powi(len.into())).sum()
    }

    #[test]
    fn codes_are_complete_and_respect_the_length_limit() {
        // Fibonacci weights give the deepest trees.
        let mut steep = vec![1u32, 1];
        while steep.len() < 40 {
            steep.push(steep[steep.len() - 1] + steep[steep.len() - 2]);
        }
        for counts in [vec![5, 0, 9, 1], vec![1; 286], steep, vec![0, 0, 7], vec![0; 30]] {
            for max_len in [9, 15] {
                let lengths = code_lengths(&counts, max_len);
                assert_eq!(kraft_sum(&lengths), 1.0, "{counts:?}");
                assert!(lengths.iter().all(|&len| usize::from(len) <= max_len));
                assert!(counts.iter().zip(&lengths).all(|(&count, &len)| count == 0 || len > 0));
            }
        }
    }

    #[test]
    fn frequent_symbols_have_short_codes() {
        assert_eq!(code_lengths(&[8, 4, 2, 1, 1], 15), [1, 2, 3, 4, 4]);
        let codes = canonical_codes(&[1, 2, 3, 3]);
        assert_eq!(
            codes.iter().map(|code| (code.bits, code.len)).collect::<Vec<_>>(),
            [(0, 1), (1, 2), (3, 3), (7, 3)]
        );
    }
}
