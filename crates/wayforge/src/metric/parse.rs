//! Expressions over metrics: `routes > 300 and min(elite) = 0 and max(shop) >= 3`.
//!
//! ```text
//! query  := both ("or" both)*
//! both   := one ("and" one)*
//! one    := "not" one | sum [("=" | "!=" | "<" | "<=" | ">" | ">=") sum]
//! sum    := product (("+" | "-") product)*
//! product := atom ("*" atom)*
//! atom   := number | name | name "(" thing ")" | "-" atom | "(" query ")"
//! ```

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

/// A number or a condition; which of the two was checked when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Number(i64),
    Read(Term),
    Minus(Box<Node>),
    Sum(Box<Node>, Op, Box<Node>),
    Compare(Box<Node>, Order, Box<Node>),
    Not(Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Subtract,
    Multiply,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Number,
    Condition,
}

/// What was read, and whether it is a number or a condition.
type Typed = (Node, Type);

/// So long an expression may be, and so deep: reading and answering it stays bounded.
const MOST_CHARACTERS: usize = 10_000;
const MOST_DEPTH: usize = 100;

/// Reads a condition.
pub(super) fn condition(text: &str, catalogue: &Catalogue) -> Result<Node, ExpressionError> {
    let mut reader = Reader::new(text, catalogue)?;
    let start = reader.column();
    let (node, is) = reader.query(0)?;
    reader.end("join conditions with and or or")?;
    match is {
        Type::Condition => Ok(node),
        Type::Number => Err(ExpressionError {
            column: start,
            problem: "a number where a condition is needed; compare it, as in routes > 300".to_owned(),
        }),
    }
}

/// Reads `metric = number, metric = number`.
pub(super) fn targets(text: &str, catalogue: &Catalogue) -> Result<Vec<(Term, i64)>, ExpressionError> {
    let mut reader = Reader::new(text, catalogue)?;
    let mut targets = Vec::new();
    loop {
        let Some(Token::Word(name)) = reader.next()? else {
            return Err(reader.refuse("a metric is needed, as in nodes = 60"));
        };
        let term = reader.term(&name)?;
        if reader.next()? != Some(Token::Sign("=")) {
            return Err(reader.refuse("= is needed, as in nodes = 60"));
        }
        let minus = reader.take(&Token::Sign("-"))?;
        let Some(Token::Number(number)) = reader.next()? else {
            return Err(reader.refuse("a number is needed, as in nodes = 60"));
        };
        if targets.iter().any(|&(other, _)| other == term) {
            return Err(reader.refuse("the metric has a value already; name each once"));
        }
        targets.push((term, if minus { -number } else { number }));
        if !reader.take(&Token::Sign(","))? {
            break;
        }
    }
    reader.end("join values with commas, as in nodes = 60, routes = 200")?;
    Ok(targets)
}

/// Reads `metric:metric, metric:metric`.
pub(super) fn pairs(text: &str, catalogue: &Catalogue) -> Result<Vec<[Term; 2]>, ExpressionError> {
    const AS_IN: &str = "as in nodes:routes";
    let mut reader = Reader::new(text, catalogue)?;
    let mut pairs = Vec::new();
    loop {
        let one = |reader: &mut Reader<'_>| match reader.next()? {
            Some(Token::Word(name)) => reader.term(&name),
            _ => Err(reader.refuse(format!("a metric is needed, {AS_IN}"))),
        };
        let x = one(&mut reader)?;
        if reader.next()? != Some(Token::Sign(":")) {
            return Err(reader.refuse(format!("a pair is two metrics with a colon between them, {AS_IN}")));
        }
        pairs.push([x, one(&mut reader)?]);
        if !reader.take(&Token::Sign(","))? {
            break;
        }
    }
    reader.end("join pairs with commas, as in nodes:routes, splits:merges")?;
    Ok(pairs)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
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

struct Reader<'a> {
    text: Vec<char>,
    at: usize,
    /// Where the last token began.
    began: usize,
    catalogue: &'a Catalogue,
}

const SIGNS: [&str; 13] = ["<=", ">=", "!=", "=", "<", ">", "(", ")", "+", "-", "*", ",", ":"];

impl<'a> Reader<'a> {
    fn new(text: &str, catalogue: &'a Catalogue) -> Result<Reader<'a>, ExpressionError> {
        let text: Vec<char> = text.chars().take(MOST_CHARACTERS + 1).collect();
        if text.len() > MOST_CHARACTERS {
            let problem = format!("the expression is too long; use at most {MOST_CHARACTERS} characters");
            return Err(ExpressionError { column: MOST_CHARACTERS + 1, problem });
        }
        Ok(Reader { text, at: 0, began: 0, catalogue })
    }

    fn column(&self) -> usize {
        self.at + self.text[self.at..].iter().take_while(|c| c.is_whitespace()).count() + 1
    }

    fn refuse(&self, problem: impl Into<String>) -> ExpressionError {
        ExpressionError { column: self.began + 1, problem: problem.into() }
    }

    fn next(&mut self) -> Result<Option<Token>, ExpressionError> {
        self.at = self.column() - 1;
        self.began = self.at;
        let rest = &self.text[self.at..];
        let Some(&first) = rest.first() else { return Ok(None) };
        if first.is_ascii_digit() {
            let digits: String = rest.iter().take_while(|c| c.is_ascii_digit() || **c == '_').collect();
            self.at += digits.len();
            let number = digits
                .replace('_', "")
                .parse()
                .map_err(|_| self.refuse(format!("the number is too large; use at most {}", i64::MAX)))?;
            return Ok(Some(Token::Number(number)));
        }
        let is_word = |c: &char| c.is_alphanumeric() || *c == '_';
        if first.is_alphabetic() || first == '_' {
            let word: String = rest.iter().copied().take_while(|c| is_word(c)).collect();
            self.at += word.chars().count();
            return Ok(Some(Token::Word(word)));
        }
        let sign = SIGNS
            .into_iter()
            .find(|sign| sign.chars().zip(rest).filter(|(a, b)| a == *b).count() == sign.len());
        match sign {
            Some(sign) => {
                self.at += sign.len();
                Ok(Some(Token::Sign(sign)))
            }
            None => Err(self.refuse(format!(
                "{first} has no meaning here; use names, numbers, = != < <= > >= + - * ( ), and, or, not"
            ))),
        }
    }

    fn peek(&mut self) -> Result<Option<Token>, ExpressionError> {
        let at = self.at;
        let token = self.next();
        self.at = at;
        token
    }

    fn take(&mut self, wanted: &Token) -> Result<bool, ExpressionError> {
        let found = self.peek()?.as_ref() == Some(wanted);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    fn end(&mut self, remedy: &str) -> Result<(), ExpressionError> {
        match self.next()? {
            None => Ok(()),
            Some(token) => Err(self.refuse(format!("{token} is not expected here; {remedy}"))),
        }
    }

    fn query(&mut self, depth: usize) -> Result<Typed, ExpressionError> {
        self.joined(depth, "or", Reader::both, Node::Or)
    }

    fn both(&mut self, depth: usize) -> Result<Typed, ExpressionError> {
        self.joined(depth, "and", Reader::one, Node::And)
    }

    /// Conditions joined by a word.
    fn joined(
        &mut self,
        depth: usize,
        word: &str,
        part: fn(&mut Self, usize) -> Result<Typed, ExpressionError>,
        join: fn(Box<Node>, Box<Node>) -> Node,
    ) -> Result<Typed, ExpressionError> {
        let column = self.column();
        let (mut left, mut is) = part(self, depth)?;
        while self.take(&Token::Word(word.to_owned()))? {
            conditional(is, column, word)?;
            let column = self.column();
            let (right, other) = part(self, depth)?;
            conditional(other, column, word)?;
            (left, is) = (join(Box::new(left), Box::new(right)), Type::Condition);
        }
        Ok((left, is))
    }

    fn one(&mut self, depth: usize) -> Result<Typed, ExpressionError> {
        if depth > MOST_DEPTH {
            return Err(self.refuse("too many parentheses inside each other"));
        }
        if self.take(&Token::Word("not".to_owned()))? {
            let column = self.column();
            let (node, is) = self.one(depth + 1)?;
            conditional(is, column, "not")?;
            return Ok((Node::Not(Box::new(node)), Type::Condition));
        }
        let column = self.column();
        let (left, is) = self.sum(depth)?;
        let Some(Token::Sign(sign)) = self.peek()? else { return Ok((left, is)) };
        let order = match sign {
            "=" => Order::Equal,
            "!=" => Order::Unequal,
            "<" => Order::Less,
            "<=" => Order::AtMost,
            ">" => Order::More,
            ">=" => Order::AtLeast,
            _ => return Ok((left, is)),
        };
        numeric(is, column, sign)?;
        self.next()?;
        let column = self.column();
        let (right, is) = self.sum(depth)?;
        numeric(is, column, sign)?;
        if let Some(Token::Sign("=" | "!=" | "<" | "<=" | ">" | ">=")) = self.peek()? {
            self.next()?;
            return Err(self.refuse("one comparison at a time; write 1 < a and a < 9"));
        }
        Ok((Node::Compare(Box::new(left), order, Box::new(right)), Type::Condition))
    }

    fn sum(&mut self, depth: usize) -> Result<Typed, ExpressionError> {
        self.chain(depth, Reader::product, &[("+", Op::Add), ("-", Op::Subtract)])
    }

    fn product(&mut self, depth: usize) -> Result<Typed, ExpressionError> {
        self.chain(depth, Reader::atom, &[("*", Op::Multiply)])
    }

    /// Numbers joined by signs.
    fn chain(
        &mut self,
        depth: usize,
        part: fn(&mut Self, usize) -> Result<Typed, ExpressionError>,
        ops: &[(&'static str, Op)],
    ) -> Result<Typed, ExpressionError> {
        let column = self.column();
        let (mut left, is) = part(self, depth)?;
        loop {
            let next = self.peek()?;
            let Some(&(sign, op)) = ops.iter().find(|(sign, _)| next == Some(Token::Sign(sign))) else {
                return Ok((left, is));
            };
            numeric(is, column, sign)?;
            self.next()?;
            let column = self.column();
            let (right, is) = part(self, depth)?;
            numeric(is, column, sign)?;
            left = Node::Sum(Box::new(left), op, Box::new(right));
        }
    }

    fn atom(&mut self, depth: usize) -> Result<Typed, ExpressionError> {
        match self.next()? {
            Some(Token::Number(number)) => Ok((Node::Number(number), Type::Number)),
            Some(Token::Sign("-")) => {
                if depth > MOST_DEPTH {
                    return Err(self.refuse("too many signs before each other"));
                }
                let column = self.column();
                let (node, is) = self.atom(depth + 1)?;
                numeric(is, column, "-")?;
                Ok((Node::Minus(Box::new(node)), Type::Number))
            }
            Some(Token::Sign("(")) => {
                let inner = self.query(depth + 1)?;
                match self.take(&Token::Sign(")"))? {
                    true => Ok(inner),
                    false => {
                        self.next()?;
                        Err(self.refuse(") is missing"))
                    }
                }
            }
            Some(Token::Word(word)) if ["and", "or", "not"].contains(&word.as_str()) => Err(self.refuse(
                format!("{word} stands between or before conditions; a metric or a number is needed"),
            )),
            Some(Token::Word(name)) => Ok((Node::Read(self.term(&name)?), Type::Number)),
            Some(Token::Sign("=")) => {
                Err(self.refuse("= is not expected here; equal is one =, and a metric or a number is needed"))
            }
            Some(token) => {
                Err(self.refuse(format!("{token} is not expected here; a metric or a number is needed")))
            }
            None => Err(self.refuse("the expression ends here; a metric or a number is needed")),
        }
    }

    /// The metric called `name`, with what stands in parentheses behind it.
    fn term(&mut self, name: &str) -> Result<Term, ExpressionError> {
        let start = self.began;
        let mut thing = None;
        if self.take(&Token::Sign("("))? {
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

fn conditional(is: Type, column: usize, word: &str) -> Result<(), ExpressionError> {
    match is {
        Type::Condition => Ok(()),
        Type::Number => {
            let problem = format!("a number where {word} needs a condition; compare it, as in routes > 300");
            Err(ExpressionError { column, problem })
        }
    }
}

fn numeric(is: Type, column: usize, sign: &str) -> Result<(), ExpressionError> {
    match is {
        Type::Number => Ok(()),
        Type::Condition => {
            let problem = format!("a condition where {sign} needs a number");
            Err(ExpressionError { column, problem })
        }
    }
}
