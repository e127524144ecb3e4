//! Huffman codes of limited length, as deflate wants them.

/// A code word with its bits in the order they are written, and how many there are.
#[derive(Clone, Copy, Default)]
pub(super) struct Word {
    pub(super) bits: u32,
    pub(super) len: u32,
}

/// The lengths of the best code words for symbols that occur so often, none longer than `most`.
///
/// At least two symbols get a word, so that every decoder accepts the code.
pub(super) fn lengths(counts: &[u32], most: usize) -> Vec<u8> {
    let symbols = || counts.iter().copied().zip(0..);
    let mut used: Vec<(u32, usize)> = symbols().filter(|symbol| symbol.0 > 0).collect();
    let missing = 2_usize.saturating_sub(used.len());
    used.extend(symbols().filter(|symbol| symbol.0 == 0).take(missing));
    used.sort_unstable();
    let mut depths = depths(&used.iter().map(|&(count, _)| u64::from(count)).collect::<Vec<_>>());
    limit(&mut depths, most);
    let mut lengths = vec![0; counts.len()];
    for (&(_, symbol), depth) in used.iter().zip(depths) {
        lengths[symbol] = depth as u8;
    }
    lengths
}

/// The words of a code by their lengths: canonical, turned for a writer that begins with the lowest bit.
pub(super) fn words(lengths: &[u8]) -> Vec<Word> {
    let mut counts = [0u32; 17];
    lengths.iter().filter(|&&len| len > 0).for_each(|&len| counts[usize::from(len)] += 1);
    let mut next = [0u32; 17];
    for len in 1..17 {
        next[len] = (next[len - 1] + counts[len - 1]) << 1;
    }
    let word = |&len: &u8| {
        if len == 0 {
            return Word::default();
        }
        let code = next[usize::from(len)];
        next[usize::from(len)] += 1;
        Word { bits: code.reverse_bits() >> (32 - u32::from(len)), len: len.into() }
    };
    lengths.iter().map(word).collect()
}

/// Depths in the tree of least weight over leaves that are sorted by weight.
fn depths(weights: &[u64]) -> Vec<usize> {
    let leaves = weights.len();
    // Inner nodes come out sorted too, so two queues are enough.
    let mut weight = weights.to_vec();
    let mut parent = vec![0; 2 * leaves - 1];
    let (mut leaf, mut inner) = (0, leaves);
    for made in leaves..2 * leaves - 1 {
        let mut take = || {
            let from_leaves = leaf < leaves && (inner >= made || weight[leaf] <= weight[inner]);
            let next = if from_leaves { &mut leaf } else { &mut inner };
            let taken = *next;
            *next += 1;
            parent[taken] = made;
            weight[taken]
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

/// Shortens words that are too long, and lengthens others until the code is whole again. Depths fall from rare to frequent.
fn limit(depths: &mut [usize], most: usize) {
    if depths.iter().all(|&depth| depth <= most) {
        return;
    }
    let mut counts = vec![0usize; most + 1];
    depths.iter().for_each(|&depth| counts[depth.min(most)] += 1);
    let room = 1usize << most;
    let mut taken: usize = (1..=most).map(|len| counts[len] << (most - len)).sum();
    while taken > room {
        // One of the longest moves under a word that grows by one bit.
        let Some(shorter) = (1..most).rev().find(|&len| counts[len] > 0) else { break };
        counts[most] -= 1;
        counts[shorter] -= 1;
        counts[shorter + 1] += 2;
        taken -= 1;
    }
    let mut lens = (1..=most).rev().flat_map(|len| std::iter::repeat_n(len, counts[len]));
    depths.iter_mut().for_each(|depth| *depth = lens.next().unwrap_or(most));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One for a code that is whole: every sequence of bits means something.
    fn kraft(lengths: &[u8]) -> f64 {
        lengths.iter().filter(|&&len| len > 0).map(|&len| 0.5f64.powi(len.into())).sum()
    }

    #[test]
    fn codes_are_whole_and_keep_their_limit() {
        // Fibonacci's numbers make the deepest trees.
        let mut steep = vec![1u32, 1];
        while steep.len() < 40 {
            steep.push(steep[steep.len() - 1] + steep[steep.len() - 2]);
        }
        for counts in [vec![5, 0, 9, 1], vec![1; 286], steep, vec![0, 0, 7], vec![0; 30]] {
            for most in [9, 15] {
                let lengths = lengths(&counts, most);
                assert_eq!(kraft(&lengths), 1.0, "{counts:?}");
                assert!(lengths.iter().all(|&len| usize::from(len) <= most));
                assert!(counts.iter().zip(&lengths).all(|(&count, &len)| count == 0 || len > 0));
            }
        }
    }

    #[test]
    fn frequent_symbols_have_short_words() {
        assert_eq!(lengths(&[8, 4, 2, 1, 1], 15), [1, 2, 3, 4, 4]);
        let words = words(&[1, 2, 3, 3]);
        assert_eq!(
            words.iter().map(|word| (word.bits, word.len)).collect::<Vec<_>>(),
            [(0, 1), (1, 2), (3, 3), (7, 3)]
        );
    }
}
