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

/// A number or a condition; which of the two is needed was checked when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Number(i64),
    Read(Term),
    Minus(Box<Node>),
    Not(Box<Node>),
    Binary(Box<Node>, Op, Box<Node>),
}

/// An operator between two numbers or two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Add,
    Subtract,
    Multiply,
}

/// The operators by level, the loosest first. Those before [`COMPARISONS`] take conditions, the others numbers.
const OPERATORS: [&[(&str, Op)]; 5] = [
    &[("or", Op::Or)],
    &[("and", Op::And)],
    &[
        ("=", Op::Equal),
        ("!=", Op::Unequal),
        ("<", Op::Less),
        ("<=", Op::AtMost),
        (">", Op::More),
        (">=", Op::AtLeast),
    ],
    &[("+", Op::Add), ("-", Op::Subtract)],
    &[("*", Op::Multiply)],
];

/// The level of comparisons in [`OPERATORS`].
const COMPARISONS: usize = 2;

/// So deep an expression may be: reading and answering it stays bounded.
const MAX_DEPTH: usize = 100;

/// Reads a condition.
pub(super) fn condition(text: &str, catalogue: &Catalogue) -> Result<Node, ExpressionError> {
    let mut reader = Reader::new(text, catalogue)?;
    let column = reader.column();
    let node = reader.binary(0, 0)?;
    reader.end("join conditions with and or or")?;
    if node.is_condition() {
        return Ok(node);
    }
    let problem = "a number where a condition is needed; compare it, as in routes > 300".to_owned();
    Err(ExpressionError { column, problem })
}

impl Catalogue {
    /// Reads names with commas between them, each once; the error names the column.
    ///
    /// ```
    /// use wayforge::{floor::{self, Floor}, metric::Measure};
    /// let catalogue = Floor::catalogue(&floor::Config::default().resolve().unwrap());
    /// assert_eq!(catalogue.list("path, count(door)")?.len(), 2);
    /// assert_eq!(catalogue.list("path, gold").unwrap_err().column, 7);
    /// # Ok::<(), wayforge::metric::ExpressionError>(())
    /// ```
    pub fn list(&self, text: &str) -> Result<Vec<Term>, ExpressionError> {
        Reader::new(text, self)?.list("join names with commas", |reader, terms: &[Term]| {
            let column = reader.column();
            let term = reader.metric("as in nodes, routes")?;
            match terms.contains(&term) {
                false => Ok(term),
                true => {
                    let problem = format!("{} is asked for twice; name each metric once", self.name(term));
                    Err(ExpressionError { column, problem })
                }
            }
        })
    }

    /// Reads pairs of terms, as in `walls:path, open:count(door)`: the error names the column, what is wrong there and what exists.
    ///
    /// ```
    /// use wayforge::{floor::{self, Floor}, metric::Measure};
    /// let catalogue = Floor::catalogue(&floor::Config::default().resolve().unwrap());
    /// assert_eq!(catalogue.pairs("path:open, open:count(door)")?.len(), 2);
    /// assert_eq!(catalogue.pairs("path:open, opne:path").unwrap_err().column, 12);
    /// # Ok::<(), wayforge::metric::ExpressionError>(())
    /// ```
    pub fn pairs(&self, text: &str) -> Result<Vec<[Term; 2]>, ExpressionError> {
        const AS_IN: &str = "as in nodes:routes";
        let remedy = "join pairs with commas, as in nodes:routes, splits:merges";
        Reader::new(text, self)?.list(remedy, |reader, _: &[[Term; 2]]| {
            let x = reader.metric(AS_IN)?;
            match reader.next()? {
                Some(Token::Sign(":")) => Ok([x, reader.metric(AS_IN)?]),
                _ => Err(reader.reject(format!("a pair is two metrics with a colon between them, {AS_IN}"))),
            }
        })
    }
}

impl Reader<'_> {
    /// Operands with operators of one level between them, grouped from the left.
    fn binary(&mut self, depth: usize, level: usize) -> Result<Node, ExpressionError> {
        let Some(operators) = OPERATORS.get(level) else { return self.atom(depth) };
        if level == COMPARISONS && depth > MAX_DEPTH {
            return Err(self.reject("too many parentheses inside each other"));
        }
        if level == COMPARISONS && self.take("not")? {
            let column = self.column();
            let node = self.binary(depth + 1, COMPARISONS)?;
            node.expect_condition(true, column, "not")?;
            return Ok(Node::Not(Box::new(node)));
        }
        let column = self.column();
        let mut left = self.binary(depth, level + 1)?;
        let mut compared = false;
        loop {
            let next = self.peek()?.map_or_else(String::new, |token| token.to_string());
            let Some(&(sign, op)) = operators.iter().find(|(sign, _)| *sign == next) else { return Ok(left) };
            if compared {
                self.next()?;
                return Err(self.reject("one comparison at a time; write 1 < a and a < 9"));
            }
            left.expect_condition(level < COMPARISONS, column, sign)?;
            self.next()?;
            let column = self.column();
            let right = self.binary(depth, level + 1)?;
            right.expect_condition(level < COMPARISONS, column, sign)?;
            left = Node::Binary(Box::new(left), op, Box::new(right));
            compared = level == COMPARISONS;
        }
    }

    fn atom(&mut self, depth: usize) -> Result<Node, ExpressionError> {
        const NEEDED: &str = "a metric or a number is needed";
        let problem = match self.next()? {
            Some(Token::Number(number)) => return Ok(Node::Number(number)),
            Some(Token::Sign("-")) if depth > MAX_DEPTH => "too many signs before each other".to_owned(),
            Some(Token::Sign("-")) => {
                let column = self.column();
                let node = self.atom(depth + 1)?;
                node.expect_condition(false, column, "-")?;
                return Ok(Node::Minus(Box::new(node)));
            }
            Some(Token::Sign("(")) => {
                let inner = self.binary(depth + 1, 0)?;
                if self.take(")")? {
                    return Ok(inner);
                }
                self.next()?;
                ") is missing".to_owned()
            }
            Some(Token::Word(word)) if ["and", "or", "not"].contains(&word.as_str()) => {
                format!("{word} stands between or before conditions; {NEEDED}")
            }
            Some(Token::Word(name)) => return Ok(Node::Read(self.term(&name)?)),
            Some(Token::Sign(">")) => format!("> is not expected here; unequal is !=, and {NEEDED}"),
            Some(Token::Sign("=")) => format!("= is not expected here; equal is one =, and {NEEDED}"),
            Some(token) => format!("{token} is not expected here; {NEEDED}"),
            None => format!("the expression ends here; {NEEDED}"),
        };
        Err(self.reject(problem))
    }
}

impl Node {
    /// True for a condition, false for a number.
    fn is_condition(&self) -> bool {
        match self {
            Node::Not(_) => true,
            Node::Binary(_, op, _) => !matches!(op, Op::Add | Op::Subtract | Op::Multiply),
            Node::Number(_) | Node::Read(_) | Node::Minus(_) => false,
        }
    }

    /// Checks that an operand of `sign` is a condition, or that it is a number.
    fn expect_condition(&self, wanted: bool, column: usize, sign: &str) -> Result<(), ExpressionError> {
        let problem = match (self.is_condition(), wanted) {
            (false, true) => {
                format!("a number where {sign} needs a condition; compare it, as in routes > 300")
            }
            (true, false) => format!("a condition where {sign} needs a number"),
            _ => return Ok(()),
        };
        Err(ExpressionError { column, problem })
    }
}
