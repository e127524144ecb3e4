//! Text form of the game's seeds: base 35, without the letter O.

use wayforge_core::{InputError, Seed};

const DIGITS: &[u8; 35] = b"0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";

/// Parses a seed as the game shows it.
///
/// Ignores surrounding white space and case, and reads O as 0. The number wraps at 2^64, as in the
/// game. The result is the two's complement of the game's signed seed.
///
/// # Errors
/// The text is empty or has other characters.
///
/// # Examples
/// ```
/// use wayforge_act::spire_seed_from_text;
/// use wayforge_core::Seed;
/// assert_eq!(spire_seed_from_text(" agck93xt ")?, Seed::new(673465884448));
/// assert_eq!(spire_seed_from_text("5G24A25UXKXFF")?, Seed::new(-1_i64 as u64));
/// assert_eq!(spire_seed_from_text("O")?, Seed::new(0));
/// let error = spire_seed_from_text("AB-C").unwrap_err();
/// let expected = "seed text = AB-C: '-' is not a base-35 digit; use 0 to 9 and A to Z";
/// assert_eq!(error.to_string(), expected);
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
pub fn spire_seed_from_text(text: &str) -> Result<Seed, InputError> {
    let reject =
        |problem: String| InputError::new("seed text", text, problem, "use 0 to 9 and A to Z");
    if text.trim().is_empty() {
        return Err(reject("the text is empty".into()));
    }
    let number = text.trim().chars().try_fold(0_u64, |number, letter| {
        let capital =
            if letter.eq_ignore_ascii_case(&'o') { '0' } else { letter.to_ascii_uppercase() };
        let digit = DIGITS.iter().position(|&digit| char::from(digit) == capital);
        let digit = digit.ok_or_else(|| reject(format!("{letter:?} is not a base-35 digit")))?;
        Ok(number.wrapping_mul(35).wrapping_add(digit as u64))
    });
    number.map(Seed::new)
}

/// Formats a seed as the game shows it.
///
/// # Examples
/// ```
/// use wayforge_act::spire_seed_to_text;
/// use wayforge_core::Seed;
/// assert_eq!(spire_seed_to_text(&Seed::new(673465884448)), "AGCK93XT");
/// assert_eq!(spire_seed_to_text(&Seed::new(-1_i64 as u64)), "5G24A25UXKXFF");
/// assert_eq!(spire_seed_to_text(&Seed::new(0)), "0");
/// ```
pub fn spire_seed_to_text(seed: &Seed) -> String {
    let mut text = Vec::new();
    let mut rest = seed.number();
    while rest > 0 || text.is_empty() {
        text.push(char::from(DIGITS[(rest % 35) as usize]));
        rest /= 35;
    }
    text.into_iter().rev().collect()
}
