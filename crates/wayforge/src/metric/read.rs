//! Words, numbers and signs of expressions, and the names of metrics among them.

use super::{Catalogue, Term};
use std::fmt;

/// What is wrong with an expression, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ExpressionError {
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there, and what would work.
    pub problem: String,
}

/// So long an expression may be: reading it stays bounded.
const MAX_CHARACTERS: usize = 10_000;

/// A word, a number or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(i64),
    Word(String),
    Sign(&'static str),
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Number(number) => number.fmt(f),
            Token::Word(word) => f.write_str(word),
            Token::Sign(sign) => f.write_str(sign),
        }
    }
}

/// Reads one token after the other.
pub(super) struct Reader<'a> {
    text: Vec<char>,
    at: usize,
    /// Where the last token began.
    began: usize,
    catalogue: &'a Catalogue,
}

const SIGNS: [&str; 13] = ["<=", ">=", "!=", "=", "<", ">", "(", ")", "+", "-", "*", ",", ":"];

impl<'a> Reader<'a> {
    pub(super) fn new(text: &str, catalogue: &'a Catalogue) -> Result<Reader<'a>, ExpressionError> {
        let text: Vec<char> = text.chars().take(MAX_CHARACTERS + 1).collect();
        if text.len() > MAX_CHARACTERS {
            let problem = format!("the expression is too long; use at most {MAX_CHARACTERS} characters");
            return Err(ExpressionError { column: MAX_CHARACTERS + 1, problem });
        }
        Ok(Reader { text, at: 0, began: 0, catalogue })
    }

    pub(super) fn column(&self) -> usize {
        self.at + self.text[self.at..].iter().take_while(|c| c.is_whitespace()).count() + 1
    }

    pub(super) fn reject(&self, problem: impl Into<String>) -> ExpressionError {
        ExpressionError { column: self.began + 1, problem: problem.into() }
    }

    pub(super) fn next(&mut self) -> Result<Option<Token>, ExpressionError> {
        self.at = self.column() - 1;
        self.began = self.at;
        let rest = &self.text[self.at..];
        let Some(&first) = rest.first() else { return Ok(None) };
        if first.is_ascii_digit() {
            let digits: String = rest.iter().take_while(|c| c.is_ascii_digit() || **c == '_').collect();
            self.at += digits.len();
            if self.text.get(self.at) == Some(&'.') {
                return Err(self.reject("metrics are whole numbers, and so is what they are compared with"));
            }
            let too_large = |_| self.reject(format!("the number is too large; use at most {}", i64::MAX));
            return digits
                .replace('_', "")
                .parse()
                .map(|number| Some(Token::Number(number)))
                .map_err(too_large);
        }
        let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
        if first.is_alphabetic() || first == '_' {
            let word: String = rest.iter().copied().take_while(|c| is_word(c)).collect();
            self.at += word.chars().count();
            let joining = ["and", "or", "not"].into_iter().find(|joining| word.eq_ignore_ascii_case(joining));
            return Ok(Some(Token::Word(joining.map_or(word, str::to_owned))));
        }
        let is_next = |sign: &&str| rest.iter().copied().take(sign.len()).eq(sign.chars());
        let Some(sign) = SIGNS.into_iter().find(is_next) else {
            return Err(self.reject(format!("{first} has no meaning here; {}", instead_of(first))));
        };
        self.at += sign.len();
        Ok(Some(Token::Sign(sign)))
    }

    pub(super) fn peek(&mut self) -> Result<Option<Token>, ExpressionError> {
        let at = self.at;
        let token = self.next();
        self.at = at;
        token
    }

    /// Takes the next token if it is the word or sign `text`.
    pub(super) fn take(&mut self, text: &str) -> Result<bool, ExpressionError> {
        let found = self.peek()?.is_some_and(|token| token.to_string() == text);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    pub(super) fn end(&mut self, remedy: &str) -> Result<(), ExpressionError> {
        match self.next()? {
            None => Ok(()),
            Some(token) => Err(self.reject(format!("{token} is not expected here; {remedy}"))),
        }
    }

    /// Parts with commas between them, up to the end; each may look at those before it.
    pub(super) fn list<T>(
        &mut self,
        remedy: &str,
        mut part: impl FnMut(&mut Self, &[T]) -> Result<T, ExpressionError>,
    ) -> Result<Vec<T>, ExpressionError> {
        let mut list = Vec::new();
        loop {
            let next = part(self, &list)?;
            list.push(next);
            if !self.take(",")? {
                self.end(remedy)?;
                return Ok(list);
            }
        }
    }

    /// A metric and nothing else.
    pub(super) fn metric(&mut self, as_in: &str) -> Result<Term, ExpressionError> {
        match self.next()? {
            Some(Token::Word(name)) => self.term(&name),
            _ => Err(self.reject(format!("a metric is needed, {as_in}"))),
        }
    }

    /// The metric called `name`, with what stands in parentheses behind it.
    pub(super) fn term(&mut self, name: &str) -> Result<Term, ExpressionError> {
        let start = self.began;
        let mut thing = None;
        if self.take("(")? {
            let (from, rest) = (self.at, &self.text[self.at..]);
            let Some(length) = rest.iter().position(|&c| c == ')') else {
                let word = rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
                return Err(ExpressionError { column: from + word + 1, problem: ") is missing".to_owned() });
            };
            let spaces = rest[..length].iter().take_while(|c| c.is_whitespace()).count();
            thing = Some((rest[..length].iter().collect::<String>().trim().to_owned(), from + spaces));
            self.at += length + 1;
        }
        let found = self.catalogue.find(name, thing.as_ref().map(|(thing, _)| thing.as_str()));
        // A metric that is there and takes something did not find that.
        let takes =
            self.catalogue.metrics().iter().any(|metric| metric.name == name && metric.takes.is_some());
        let at = thing.filter(|_| takes).map_or(start, |(_, at)| at);
        found.map_err(|problem| ExpressionError { column: at + 1, problem })
    }
}

/// What to write in place of a sign that other languages have.
fn instead_of(sign: char) -> &'static str {
    match sign {
        '&' => "write and",
        '|' => "write or",
        '!' => "write not, or != between numbers",
        '≤' => "write <=",
        '≥' => "write >=",
        '≠' => "write !=",
        '/' | '%' => "there is no division; multiply the other side",
        '"' | '\'' | '`' => "names stand without quotes",
        '.' => "metrics are whole numbers",
        _ => "use names, numbers, = != < <= > >= + - * ( ), and, or, not",
    }
}
