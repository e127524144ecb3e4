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

use super::read::{ExpressionError, Reader, Token};
use super::{Catalogue, Term};

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

/// So deep an expression may be: reading and answering it stays bounded.
const MAX_DEPTH: usize = 100;

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
    const AS_IN: &str = "as in nodes = 60";
    let remedy = "join values with commas, as in nodes = 60, routes = 200";
    Reader::new(text, catalogue)?.list(remedy, |reader, targets: &[(Term, i64)]| {
        let term = reader.metric(AS_IN)?;
        if reader.next()? != Some(Token::Sign("=")) {
            return Err(reader.refuse(format!("= is needed, {AS_IN}")));
        }
        let minus = reader.take(&Token::Sign("-"))?;
        let Some(Token::Number(number)) = reader.next()? else {
            return Err(reader.refuse(format!("a number is needed, {AS_IN}")));
        };
        if targets.iter().any(|&(other, _)| other == term) {
            return Err(reader.refuse("the metric has a value already; name each once"));
        }
        Ok((term, if minus { -number } else { number }))
    })
}

/// Reads `metric, metric`.
pub(super) fn names(text: &str, catalogue: &Catalogue) -> Result<Vec<Term>, ExpressionError> {
    Reader::new(text, catalogue)?.list("join names with commas", |reader, terms: &[Term]| {
        let column = reader.column();
        let term = reader.metric("as in nodes, routes")?;
        match terms.contains(&term) {
            false => Ok(term),
            true => {
                let problem = format!("{} is asked for twice; name each metric once", catalogue.name(term));
                Err(ExpressionError { column, problem })
            }
        }
    })
}

/// Reads `metric:metric, metric:metric`.
pub(super) fn pairs(text: &str, catalogue: &Catalogue) -> Result<Vec<[Term; 2]>, ExpressionError> {
    const AS_IN: &str = "as in nodes:routes";
    let remedy = "join pairs with commas, as in nodes:routes, splits:merges";
    Reader::new(text, catalogue)?.list(remedy, |reader, _: &[[Term; 2]]| {
        let x = reader.metric(AS_IN)?;
        match reader.next()? {
            Some(Token::Sign(":")) => Ok([x, reader.metric(AS_IN)?]),
            _ => Err(reader.refuse(format!("a pair is two metrics with a colon between them, {AS_IN}"))),
        }
    })
}

impl Reader<'_> {
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
        if depth > MAX_DEPTH {
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
                if depth > MAX_DEPTH {
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
            Some(Token::Sign(">")) => {
                Err(self.refuse("> is not expected here; unequal is !=, and a metric or a number is needed"))
            }
            Some(Token::Sign("=")) => {
                Err(self.refuse("= is not expected here; equal is one =, and a metric or a number is needed"))
            }
            Some(token) => {
                Err(self.refuse(format!("{token} is not expected here; a metric or a number is needed")))
            }
            None => Err(self.refuse("the expression ends here; a metric or a number is needed")),
        }
    }
}

fn conditional(is: Type, column: usize, word: &str) -> Result<(), ExpressionError> {
    let problem = || format!("a number where {word} needs a condition; compare it, as in routes > 300");
    expect(is == Type::Condition, column, problem)
}

fn numeric(is: Type, column: usize, sign: &str) -> Result<(), ExpressionError> {
    expect(is == Type::Number, column, || format!("a condition where {sign} needs a number"))
}

fn expect(right: bool, column: usize, problem: impl FnOnce() -> String) -> Result<(), ExpressionError> {
    if right { Ok(()) } else { Err(ExpressionError { column, problem: problem() }) }
}
