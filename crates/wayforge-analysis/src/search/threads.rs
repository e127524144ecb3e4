//! Blocks on all threads, or one after the other where there is only one: a page in a browser carries no pool.

use crate::search::span::Block;
use crate::search::worker::Worker;
use wayforge::AnySpec;

/// How many threads there are in the pool it is called in.
pub(crate) fn number() -> usize {
    #[cfg(not(target_family = "wasm"))]
    return rayon::current_num_threads();
    #[cfg(target_family = "wasm")]
    1
}

/// What `look` gives of each block, in the order of blocks. A portion of them shares a worker, and what others have not begun is taken over.
pub(crate) fn each<T: Send>(
    subject: &AnySpec,
    blocks: Vec<Block>,
    portion: usize,
    look: impl Fn(&mut Worker, Block) -> T + Sync,
) -> Vec<T> {
    #[cfg(not(target_family = "wasm"))]
    {
        use rayon::prelude::*;
        let blocks = blocks.into_par_iter().with_min_len(portion).with_max_len(portion);
        blocks.map_init(|| Worker::new(subject), |worker, block| look(worker, block)).collect()
    }
    #[cfg(target_family = "wasm")]
    {
        let _ = portion;
        let mut worker = Worker::new(&subject);
        blocks.into_iter().map(|block| look(&mut worker, block)).collect()
    }
}

/// Sorts; equals are not told apart.
pub(crate) fn sort<T: Ord + Send>(list: &mut [T]) {
    #[cfg(not(target_family = "wasm"))]
    rayon::slice::ParallelSliceMut::par_sort_unstable(list);
    #[cfg(target_family = "wasm")]
    list.sort_unstable();
}
