//! Recursive-descent parser of expressions over metrics.
//!
//! For example: `routes > 300 and min(elite) = 0 and max(shop) >= 3`.
//!
//! ```text
//! condition   := conjunction ("or" conjunction)*
//! conjunction := comparison ("and" comparison)*
//! comparison  := "not" comparison | sum [("=" | "!=" | "<" | "<=" | ">" | ">=") sum]
//! sum         := product (("+" | "-") product)*
//! product     := atom ("*" atom)*
//! atom        := number | name | name "(" argument ")" | "-" atom | "(" condition ")"
//! ```

use super::lexer::{ExpressionError, Lexer, Token};
use super::{Catalogue, Term};

/// Syntax tree of an expression: a number or a condition. The parser checks the types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Number(i64),
    Metric(Term),
    Negate(Box<Node>),
    Not(Box<Node>),
    Binary(Box<Node>, Op, Box<Node>),
}

/// An operator between two numbers or two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
}

/// Operators by precedence, the lowest first. Levels before [`COMPARISONS`] take conditions;
/// the others take numbers.
const OPERATORS: [&[(&str, Op)]; 5] = [
    &[("or", Op::Or)],
    &[("and", Op::And)],
    &[
        ("=", Op::Equal),
        ("!=", Op::NotEqual),
        ("<", Op::Less),
        ("<=", Op::LessOrEqual),
        (">", Op::Greater),
        (">=", Op::GreaterOrEqual),
    ],
    &[("+", Op::Add), ("-", Op::Subtract)],
    &[("*", Op::Multiply)],
];

/// Index of the comparison operators in [`OPERATORS`].
const COMPARISONS: usize = 2;

/// Maximum nesting depth. It bounds the recursion of parser and evaluator.
const MAX_DEPTH: usize = 100;

/// Parses a condition.
pub(super) fn parse_condition(text: &str, catalogue: &Catalogue) -> Result<Node, ExpressionError> {
    let mut lexer = Lexer::new(text, catalogue)?;
    let column = lexer.column();
    let node = lexer.binary(0, 0)?;
    lexer.expect_end("join conditions with \"and\" or \"or\"")?;
    if node.is_condition() {
        return Ok(node);
    }
    let problem = "a number where a condition is needed; compare it, as in routes > 300".to_owned();
    Err(ExpressionError { column, problem })
}

impl Catalogue {
    /// Parses a comma-separated list of different metrics.
    ///
    /// # Errors
    /// [`ExpressionError`] with the column, the problem and the known names.
    ///
    /// # Examples
    /// ```
    /// use wayforge::{floor::{self, Floor}, metric::Measure};
    /// let catalogue = Floor::catalogue(&floor::Config::default().resolve().unwrap());
    /// assert_eq!(catalogue.parse_list("path, count(door)")?.len(), 2);
    /// assert_eq!(catalogue.parse_list("path, gold").unwrap_err().column, 7);
    /// # Ok::<(), wayforge::metric::ExpressionError>(())
    /// ```
    pub fn parse_list(&self, text: &str) -> Result<Vec<Term>, ExpressionError> {
        Lexer::new(text, self)?.list("join names with commas", |lexer, terms: &[Term]| {
            let column = lexer.column();
            let term = lexer.metric("as in nodes, routes")?;
            if terms.contains(&term) {
                let problem = format!("{} is listed twice; list each metric once", self.name(term));
                return Err(ExpressionError { column, problem });
            }
            Ok(term)
        })
    }

    /// Parses a comma-separated list of pairs: `walls:path, open:count(door)`.
    ///
    /// # Errors
    /// [`ExpressionError`] with the column, the problem and the known names.
    ///
    /// # Examples
    /// ```
    /// use wayforge::{floor::{self, Floor}, metric::Measure};
    /// let catalogue = Floor::catalogue(&floor::Config::default().resolve().unwrap());
    /// assert_eq!(catalogue.parse_pairs("path:open, open:count(door)")?.len(), 2);
    /// assert_eq!(catalogue.parse_pairs("path:open, opne:path").unwrap_err().column, 12);
    /// # Ok::<(), wayforge::metric::ExpressionError>(())
    /// ```
    pub fn parse_pairs(&self, text: &str) -> Result<Vec<[Term; 2]>, ExpressionError> {
        const EXAMPLE: &str = "as in nodes:routes";
        let remedy = "join pairs with commas, as in nodes:routes, splits:merges";
        Lexer::new(text, self)?.list(remedy, |lexer, _: &[[Term; 2]]| {
            let x = lexer.metric(EXAMPLE)?;
            match lexer.next()? {
                Some(Token::Symbol(":")) => Ok([x, lexer.metric(EXAMPLE)?]),
                _ => Err(lexer
                    .reject(format!("a pair is two metrics with a colon between them, {EXAMPLE}"))),
            }
        })
    }
}

impl Lexer<'_> {
    /// Parses left-associative operators of one precedence level. Operands are of the next level.
    fn binary(&mut self, depth: usize, level: usize) -> Result<Node, ExpressionError> {
        let Some(operators) = OPERATORS.get(level) else { return self.atom(depth) };
        if level == COMPARISONS && depth > MAX_DEPTH {
            return Err(self.reject("too many nested parentheses"));
        }
        if level == COMPARISONS && self.take("not")? {
            let column = self.column();
            let node = self.binary(depth + 1, COMPARISONS)?;
            node.expect_condition(true, column, "not")?;
            return Ok(Node::Not(Box::new(node)));
        }
        let column = self.column();
        let mut left = self.binary(depth, level + 1)?;
        let mut is_comparison = false;
        loop {
            let next = self.peek()?.map_or_else(String::new, |token| token.to_string());
            let Some(&(symbol, op)) = operators.iter().find(|(symbol, _)| *symbol == next) else {
                return Ok(left);
            };
            if is_comparison {
                self.next()?;
                return Err(self.reject("comparisons cannot be chained; write 1 < a and a < 9"));
            }
            left.expect_condition(level < COMPARISONS, column, symbol)?;
            self.next()?;
            let column = self.column();
            let right = self.binary(depth, level + 1)?;
            right.expect_condition(level < COMPARISONS, column, symbol)?;
            left = Node::Binary(Box::new(left), op, Box::new(right));
            is_comparison = level == COMPARISONS;
        }
    }

    fn atom(&mut self, depth: usize) -> Result<Node, ExpressionError> {
        const NEEDED: &str = "a metric or a number is needed";
        let problem = match self.next()? {
            Some(Token::Number(number)) => return Ok(Node::Number(number)),
            Some(Token::Symbol("-")) if depth > MAX_DEPTH => {
                "too many minus signs in a row".to_owned()
            }
            Some(Token::Symbol("-")) => {
                let column = self.column();
                let node = self.atom(depth + 1)?;
                node.expect_condition(false, column, "-")?;
                return Ok(Node::Negate(Box::new(node)));
            }
            Some(Token::Symbol("(")) => {
                let inner = self.binary(depth + 1, 0)?;
                if self.take(")")? {
                    return Ok(inner);
                }
                self.next()?;
                ") is missing".to_owned()
            }
            Some(Token::Word(word)) if ["and", "or", "not"].contains(&word.as_str()) => {
                format!("\"{word}\" is an operator; {NEEDED}")
            }
            Some(Token::Word(name)) => return Ok(Node::Metric(self.term(&name)?)),
            Some(Token::Symbol(">")) => {
                format!("unexpected >; {NEEDED} (not equal is written !=)")
            }
            Some(Token::Symbol("=")) => {
                format!("unexpected =; {NEEDED} (equal is written with one =)")
            }
            Some(token) => format!("unexpected {token}; {NEEDED}"),
            None => format!("unexpected end of the expression; {NEEDED}"),
        };
        Err(self.reject(problem))
    }
}

impl Node {
    /// Returns true for a condition and false for a number.
    fn is_condition(&self) -> bool {
        match self {
            Node::Not(_) => true,
            Node::Binary(_, op, _) => !matches!(op, Op::Add | Op::Subtract | Op::Multiply),
            Node::Number(_) | Node::Metric(_) | Node::Negate(_) => false,
        }
    }

    /// Checks that an operand of `symbol` is a condition (`wanted`), or a number (`!wanted`).
    fn expect_condition(
        &self,
        wanted: bool,
        column: usize,
        symbol: &str,
    ) -> Result<(), ExpressionError> {
        let problem = match (self.is_condition(), wanted) {
            (false, true) => {
                let remedy = "compare it, as in routes > 300";
                format!("a number where \"{symbol}\" needs a condition; {remedy}")
            }
            (true, false) => format!("a condition where \"{symbol}\" needs a number"),
            _ => return Ok(()),
        };
        Err(ExpressionError { column, problem })
    }
}
