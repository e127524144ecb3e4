//! Seeds as the game writes them: base 35, without the letter O.

use wayforge_core::{InputError, Seed};

const DIGITS: &[u8; 35] = b"0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";

/// Reads a seed as the game shows it: blanks around it are left out, small letters are read as capitals and O as 0.
///
/// The number wraps at 2^64, as in the game; the result is the two's complement of the game's signed seed.
///
/// ```
/// use wayforge_act::spire_seed_from_text;
/// use wayforge_core::Seed;
/// assert_eq!(spire_seed_from_text(" agck93xt ")?, Seed::new(673465884448));
/// assert_eq!(spire_seed_from_text("5G24A25UXKXFF")?, Seed::new(-1_i64 as u64));
/// assert_eq!(spire_seed_from_text("O")?, Seed::new(0));
/// let error = spire_seed_from_text("AB-C").unwrap_err();
/// assert_eq!(error.to_string(), "seed text = AB-C: '-' is no digit of base 35; use 0 to 9 and A to Z");
/// # Ok::<(), wayforge_core::InputError>(())
/// ```
pub fn spire_seed_from_text(text: &str) -> Result<Seed, InputError> {
    let reject = |problem: String| InputError::new("seed text", text, problem, "use 0 to 9 and A to Z");
    if text.trim().is_empty() {
        return Err(reject("it is empty".into()));
    }
    let number = text.trim().chars().try_fold(0_u64, |number, letter| {
        let capital = if letter.eq_ignore_ascii_case(&'o') { '0' } else { letter.to_ascii_uppercase() };
        let digit = DIGITS.iter().position(|&digit| char::from(digit) == capital);
        let digit = digit.ok_or_else(|| reject(format!("{letter:?} is no digit of base 35")))?;
        Ok(number.wrapping_mul(35).wrapping_add(digit as u64))
    });
    number.map(Seed::new)
}

/// Writes a seed as the game shows it.
///
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
