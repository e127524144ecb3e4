//! Query parameters, read strictly: each once, and none that is not known.

use crate::handlers::problem::{Kind, Problem};

/// The parameters of a request that have not been asked for yet.
pub struct Query {
    pairs: Vec<(String, String)>,
    asked: Vec<&'static str>,
}

impl Query {
    /// Reads the part of an address behind `?`.
    pub fn read(text: &str) -> Query {
        let pairs = form_urlencoded::parse(text.as_bytes()).into_owned().collect();
        Query { pairs, asked: Vec::new() }
    }

    /// The value of a parameter, if it is there.
    pub fn take(&mut self, name: &'static str) -> Result<Option<String>, Problem> {
        self.asked.push(name);
        let Some(at) = self.pairs.iter().position(|(key, _)| key == name) else { return Ok(None) };
        let (_, value) = self.pairs.remove(at);
        match self.pairs.iter().any(|(key, _)| key == name) {
            true => Err(wrong(name, &value, "given twice", "give it once")),
            false => Ok(Some(value)),
        }
    }

    /// One of several values by name.
    pub fn choose<T: Copy>(&mut self, name: &'static str, known: &[(&str, T)]) -> Result<Option<T>, Problem> {
        let Some(text) = self.take(name)? else { return Ok(None) };
        let found = known.iter().find(|(key, _)| *key == text).map(|(_, value)| *value);
        found.map(Some).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|(key, _)| *key).collect();
            wrong(name, &text, "unknown", &names.join(", "))
        })
    }

    /// A whole number within bounds.
    pub fn number(&mut self, name: &'static str, least: u64, most: u64) -> Result<Option<u64>, Problem> {
        let Some(text) = self.take(name)? else { return Ok(None) };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| digits && (least..=most).contains(number));
        let refuse = || wrong(name, &text, "not a number within bounds", &format!("{least} to {most}"));
        number.map(Some).ok_or_else(refuse)
    }

    /// Refuses what nobody asked for.
    pub fn finish(self) -> Result<(), Problem> {
        let Some((name, value)) = self.pairs.first() else { return Ok(()) };
        let known = match self.asked.as_slice() {
            [] => "no parameters".to_owned(),
            names => names.join(", "),
        };
        Err(wrong(name, value, "no such parameter", &known))
    }
}

fn wrong(name: &str, value: &str, problem: &str, allowed: &str) -> Problem {
    let short: String = value.chars().take(80).collect();
    Problem::new(Kind::Parameter, format!("{name}={short}: {problem}; use {allowed}"))
        .field(name)
        .value(short)
        .allowed(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_read_once_and_the_others_are_refused() {
        let mut query = Query::read("seed=a%20b&scale=50&theme=night");
        assert_eq!(query.take("seed").unwrap().as_deref(), Some("a b"));
        assert_eq!(query.number("scale", 1, 1000).unwrap(), Some(50));
        assert_eq!(query.take("config").unwrap(), None);
        let detail = query.finish().unwrap_err().detail().to_owned();
        assert_eq!(detail, "theme=night: no such parameter; use seed, scale, config");
        for (text, told) in
            [("scale=0", "not a number"), ("scale=+1", "not a number"), ("scale=1&scale=2", "given twice")]
        {
            assert!(Query::read(text).number("scale", 1, 9).unwrap_err().detail().contains(told), "{text}");
        }
        assert!(Query::read("a=c").choose("a", &[("b", ())]).unwrap_err().detail().contains("use b"));
    }
}
