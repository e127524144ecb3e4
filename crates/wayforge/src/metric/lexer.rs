//! Lexer of expressions, and the parser of single metrics.

use super::{Catalogue, Term};
use std::fmt;

/// A syntax error in an expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ExpressionError {
    /// The column, from 1.
    pub column: usize,
    /// The problem, and a correction if one is known.
    pub problem: String,
}

/// Maximum length of an expression in characters.
const MAX_CHARACTERS: usize = 10_000;

/// A token. Operators such as `and` are words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(i64),
    Word(String),
    Symbol(&'static str),
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Number(number) => number.fmt(f),
            Token::Word(word) => f.write_str(word),
            Token::Symbol(symbol) => f.write_str(symbol),
        }
    }
}

/// Splits a text into tokens.
pub(super) struct Lexer<'a> {
    text: Vec<char>,
    position: usize,
    /// Start of the last token.
    token_start: usize,
    catalogue: &'a Catalogue,
}

const SYMBOLS: [&str; 13] = ["<=", ">=", "!=", "=", "<", ">", "(", ")", "+", "-", "*", ",", ":"];

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &str, catalogue: &'a Catalogue) -> Result<Lexer<'a>, ExpressionError> {
        let text: Vec<char> = text.chars().take(MAX_CHARACTERS + 1).collect();
        if text.len() > MAX_CHARACTERS {
            let problem =
                format!("the expression is too long; use at most {MAX_CHARACTERS} characters");
            return Err(ExpressionError { column: MAX_CHARACTERS + 1, problem });
        }
        Ok(Lexer { text, position: 0, token_start: 0, catalogue })
    }

    /// Column of the next token, from 1.
    pub(super) fn column(&self) -> usize {
        self.position
            + self.text[self.position..].iter().take_while(|c| c.is_whitespace()).count()
            + 1
    }

    /// Returns an error at the last token.
    pub(super) fn reject(&self, problem: impl Into<String>) -> ExpressionError {
        ExpressionError { column: self.token_start + 1, problem: problem.into() }
    }

    /// Consumes the next token; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Token>, ExpressionError> {
        self.position = self.column() - 1;
        self.token_start = self.position;
        let rest = &self.text[self.position..];
        let Some(&first) = rest.first() else { return Ok(None) };
        if first.is_ascii_digit() {
            let digits: String =
                rest.iter().take_while(|c| c.is_ascii_digit() || **c == '_').collect();
            self.position += digits.len();
            if self.text.get(self.position) == Some(&'.') {
                return Err(self.reject("metrics are whole numbers; compare with a whole number"));
            }
            let too_large =
                |_| self.reject(format!("the number is too large; use at most {}", i64::MAX));
            return digits
                .replace('_', "")
                .parse()
                .map(|number| Some(Token::Number(number)))
                .map_err(too_large);
        }
        let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
        if first.is_alphabetic() || first == '_' {
            let word: String = rest.iter().copied().take_while(|c| is_word(c)).collect();
            self.position += word.chars().count();
            // Operators are case-insensitive.
            let operator = ["and", "or", "not"]
                .into_iter()
                .find(|operator| word.eq_ignore_ascii_case(operator));
            return Ok(Some(Token::Word(operator.map_or(word, str::to_owned))));
        }
        let is_next = |symbol: &&str| rest.iter().copied().take(symbol.len()).eq(symbol.chars());
        let Some(symbol) = SYMBOLS.into_iter().find(is_next) else {
            return Err(self.reject(format!("unknown character {first}; {}", remedy_for(first))));
        };
        self.position += symbol.len();
        Ok(Some(Token::Symbol(symbol)))
    }

    /// Returns the next token without consuming it.
    pub(super) fn peek(&mut self) -> Result<Option<Token>, ExpressionError> {
        let position = self.position;
        let token = self.next();
        self.position = position;
        token
    }

    /// Consumes the next token if it is `text`. Returns true if it was.
    pub(super) fn take(&mut self, text: &str) -> Result<bool, ExpressionError> {
        let found = self.peek()?.is_some_and(|token| token.to_string() == text);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    /// Expects the end of the text.
    pub(super) fn expect_end(&mut self, remedy: &str) -> Result<(), ExpressionError> {
        match self.next()? {
            None => Ok(()),
            Some(token) => Err(self.reject(format!("unexpected {token}; {remedy}"))),
        }
    }

    /// Parses a comma-separated list up to the end. `item` parses one item, given the earlier ones.
    pub(super) fn list<T>(
        &mut self,
        remedy: &str,
        mut item: impl FnMut(&mut Self, &[T]) -> Result<T, ExpressionError>,
    ) -> Result<Vec<T>, ExpressionError> {
        let mut list = Vec::new();
        loop {
            let next = item(self, &list)?;
            list.push(next);
            if !self.take(",")? {
                self.expect_end(remedy)?;
                return Ok(list);
            }
        }
    }

    /// Parses a metric. `example` ends the message if there is none.
    pub(super) fn metric(&mut self, example: &str) -> Result<Term, ExpressionError> {
        match self.next()? {
            Some(Token::Word(name)) => self.term(&name),
            _ => Err(self.reject(format!("a metric is needed, {example}"))),
        }
    }

    /// Parses the argument of the metric `name`, if one follows in parentheses.
    pub(super) fn term(&mut self, name: &str) -> Result<Term, ExpressionError> {
        let start = self.token_start;
        let mut argument = None;
        if self.take("(")? {
            let (from, rest) = (self.position, &self.text[self.position..]);
            let Some(length) = rest.iter().position(|&c| c == ')') else {
                let word = rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
                return Err(ExpressionError {
                    column: from + word + 1,
                    problem: ") is missing".to_owned(),
                });
            };
            let spaces = rest[..length].iter().take_while(|c| c.is_whitespace()).count();
            argument =
                Some((rest[..length].iter().collect::<String>().trim().to_owned(), from + spaces));
            self.position += length + 1;
        }
        let found =
            self.catalogue.find(name, argument.as_ref().map(|(argument, _)| argument.as_str()));
        // If the metric exists and takes an argument, the argument is wrong.
        let takes_argument = self
            .catalogue
            .metrics()
            .iter()
            .any(|metric| metric.name == name && metric.parameter.is_some());
        let position = argument.filter(|_| takes_argument).map_or(start, |(_, position)| position);
        found.map_err(|[problem, remedy]| ExpressionError {
            column: position + 1,
            problem: format!("{problem}; {remedy}"),
        })
    }
}

/// Suggests a replacement for an operator of other languages.
fn remedy_for(symbol: char) -> &'static str {
    match symbol {
        '&' => "write \"and\"",
        '|' => "write \"or\"",
        '!' => "write \"not\", or != between numbers",
        '≤' => "write <=",
        '≥' => "write >=",
        '≠' => "write !=",
        '/' | '%' => "there is no division; multiply the other side",
        '"' | '\'' | '`' => "write names without quotes",
        '.' => "metrics are whole numbers",
        _ => "use names, numbers, = != < <= > >= + - * ( ), and, or, not",
    }
}
