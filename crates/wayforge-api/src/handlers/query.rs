//! Strict query parameters: duplicates and unknown names are errors.

use crate::handlers::problem::{Problem, ProblemKind};
use wayforge::InputError;

/// Query parameters that have not been read yet.
pub struct Query {
    pairs: Vec<(String, String)>,
    /// Names that the handler has read, for the error message.
    known: Vec<&'static str>,
}

impl Query {
    /// Parses the query string of a URL.
    pub fn parse(text: &str) -> Query {
        let pairs = form_urlencoded::parse(text.as_bytes()).into_owned().collect();
        Query { pairs, known: Vec::new() }
    }

    /// Removes and returns the value of a parameter.
    ///
    /// # Errors
    /// [`ProblemKind::InvalidParameter`] if the parameter is given more than once.
    pub fn take(&mut self, name: &'static str) -> Result<Option<String>, Problem> {
        self.known.push(name);
        let Some(i) = self.pairs.iter().position(|(key, _)| key == name) else { return Ok(None) };
        let (_, value) = self.pairs.remove(i);
        if self.pairs.iter().any(|(key, _)| key == name) {
            Err(invalid(name, &value, "given more than once", "one value"))
        } else {
            Ok(Some(value))
        }
    }

    /// Reads a parameter whose value is one of several names.
    ///
    /// # Errors
    /// [`ProblemKind::InvalidParameter`] for another value or a duplicate.
    pub fn choose<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, Problem> {
        let Some(text) = self.take(name)? else { return Ok(None) };
        let found = choices.iter().find(|(key, _)| *key == text).map(|(_, value)| *value);
        found.map(Some).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(key, _)| *key).collect();
            invalid(name, &text, "unknown value", &names.join(", "))
        })
    }

    /// Reads a parameter whose value is `true` or `false`; false if it is omitted.
    ///
    /// # Errors
    /// [`ProblemKind::InvalidParameter`] for another value or a duplicate.
    pub fn flag(&mut self, name: &'static str) -> Result<bool, Problem> {
        Ok(self.choose(name, &[("true", true), ("false", false)])?.unwrap_or(false))
    }

    /// Reads a whole number from `min` to `max`.
    ///
    /// # Errors
    /// [`ProblemKind::InvalidParameter`] for another value or a duplicate.
    pub fn number(
        &mut self,
        name: &'static str,
        min: u64,
        max: u64,
    ) -> Result<Option<u64>, Problem> {
        let Some(text) = self.take(name)? else { return Ok(None) };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| digits && (min..=max).contains(number));
        let out_of_range = || {
            let allowed = format!("a whole number from {min} to {max}");
            invalid(name, &text, "not a number in the allowed range", &allowed)
        };
        number.map(Some).ok_or_else(out_of_range)
    }

    /// Rejects parameters that the handler has not read.
    ///
    /// # Errors
    /// [`ProblemKind::InvalidParameter`] names the first unknown parameter.
    pub fn finish(self) -> Result<(), Problem> {
        let Some((name, value)) = self.pairs.first() else { return Ok(()) };
        let known = match self.known.as_slice() {
            [] => "no parameters".to_owned(),
            names => names.join(", "),
        };
        Err(invalid(name, value, "unknown parameter", &known))
    }
}

fn invalid(name: &str, value: &str, problem: &str, allowed: &str) -> Problem {
    let error = InputError::new(name, value, problem, format!("use {allowed}"));
    Problem::from_error(ProblemKind::InvalidParameter, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_duplicate_unknown_and_out_of_range_parameters() {
        let mut query = Query::parse("seed=a%20b&scale=50&theme=night");
        assert_eq!(query.take("seed").unwrap().as_deref(), Some("a b"));
        assert_eq!(query.number("scale", 1, 1000).unwrap(), Some(50));
        assert_eq!(query.take("config").unwrap(), None);
        let detail = query.finish().unwrap_err().detail().to_owned();
        assert_eq!(detail, "theme = night: unknown parameter; use seed, scale, config");
        for (text, message) in [
            ("scale=0", "not a number"),
            ("scale=+1", "not a number"),
            ("scale=1&scale=2", "given more than once"),
        ] {
            assert!(
                Query::parse(text).number("scale", 1, 9).unwrap_err().detail().contains(message),
                "{text}"
            );
        }
        assert!(
            Query::parse("a=c").choose("a", &[("b", ())]).unwrap_err().detail().contains("use b")
        );
    }
}
