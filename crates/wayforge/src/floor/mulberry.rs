//! mulberry32, for callers who want the same numbers in TypeScript. Generation never uses it.

use crate::Seed;

/// The document's `createRng(seed)`: a function that gives numbers from 0 up to, but not including, 1.
///
/// * **Arguments.** A number or text; the generator's state is the low 32 bits of the [`Seed`] it makes.
/// * **Returns.** mulberry32 exactly, bit for bit what this TypeScript gives:
///
/// ```ts
/// const createRng = (a: number) => () => {
///   a = (a + 0x6d2b79f5) | 0;
///   let t = Math.imul(a ^ (a >>> 15), 1 | a);
///   t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
///   return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
/// };
/// ```
///
/// Floors are made from [`MapRng`](crate::MapRng) streams, because no float may decide a map.
///
/// ```
/// let mut rng = wayforge::floor::create_rng(42);
/// assert_eq!([rng(), rng()], [0.6011037519201636, 0.44829055899754167]);
/// ```
pub fn create_rng(seed: impl Into<Seed>) -> impl FnMut() -> f64 {
    let mut state = seed.into().number() as u32;
    move || {
        state = state.wrapping_add(0x6d2b_79f5);
        let mut t = (state ^ state >> 15).wrapping_mul(1 | state);
        t = t.wrapping_add((t ^ t >> 7).wrapping_mul(61 | t)) ^ t;
        f64::from(t ^ t >> 14) / 4_294_967_296.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_typescript() {
        // Computed by the function in the documentation, run by Node.js.
        let first = |seed: u64| {
            let mut rng = create_rng(seed);
            [rng(), rng(), rng()]
        };
        assert_eq!(first(0), [0.26642920868471265, 0.0003297457005828619, 0.2232720274478197]);
        assert_eq!(first(1), [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
        assert_eq!(first(u64::from(u32::MAX)), [0.8964226141106337, 0.189478256739676, 0.7156526781618595]);
        assert_eq!(first(1 << 32), first(0), "only 32 bits count");
    }
}
