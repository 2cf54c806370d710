//! From the words of a *When* cell to conditions. The grammar stands in the module above.

use std::ops::Range as Bytes;

use super::When;
use super::condition::{Condition, Range};
use super::expr::{Expr, Function, Operator};
use super::lexer::{Token, TokenKind, lex};
use super::quantity::{Measure, Quantity};
use crate::names;
use crate::rules::document::Text;
use crate::rules::ratio::Ratio;

/// Brackets, signs and functions within each other.
const NESTING_MAX: usize = 32;

/// Why a *When* cell cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhenError {
    /// The bytes of the cell's words that are meant.
    pub at: Bytes<usize>,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What to write instead, when that is known.
    pub help: Option<String>,
}

impl WhenError {
    pub(super) fn new(at: Bytes<usize>, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Reads a *When* cell.
///
/// # Errors
/// When the cell is not a condition; the error says where and, where it can, what to write.
pub fn parse(cell: &Text) -> Result<When, WhenError> {
    let tokens = lex(cell)?;
    let mut parser = Parser { tokens: &tokens, next: 0, end: cell.as_str().len(), depth: 0 };
    if tokens.is_empty() {
        return Err(parser.unexpected("a condition").help("the last row says `otherwise`"));
    }
    if parser.take_word("otherwise") {
        return parser.finish(When::Otherwise);
    }
    let mut alternatives = vec![parser.all()?];
    while parser.take_word("or") {
        alternatives.push(parser.all()?);
    }
    parser.finish(When::Any(alternatives))
}

struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    end: usize,
    depth: usize,
}

impl Parser<'_> {
    fn all(&mut self) -> Result<Vec<Condition>, WhenError> {
        let mut conditions = vec![self.condition()?];
        while self.take_word("and") {
            conditions.push(self.condition()?);
        }
        Ok(conditions)
    }

    fn condition(&mut self) -> Result<Condition, WhenError> {
        let what = if self.take(&TokenKind::Tick) {
            let inner = self.expr()?;
            if !self.take(&TokenKind::Tick) {
                return Err(self.unexpected("the end of the code"));
            }
            inner
        } else {
            Expr::Measure(self.measure()?)
        };
        Ok(Condition { what, range: self.range()? })
    }

    fn measure(&mut self) -> Result<Measure, WhenError> {
        let at = self.at();
        let Some(word) = self.word() else {
            let error = self.unexpected("what is looked at");
            return Err(if self.number_ahead() { error.help("say of what: `total 10+`, `margin 0+`") } else { error });
        };
        self.next += 1;
        if let Some(quantity) = Quantity::named(&word) {
            return Ok(Measure { label: None, quantity });
        }
        if let Some(quantity) = self.word().and_then(|next| Quantity::named(&next))
            && quantity.is_of_dice()
        {
            self.next += 1;
            return Ok(Measure { label: Some(names::fold(&word)), quantity });
        }
        let error = WhenError::new(at, format!("`{word}` is nothing that can be looked at"));
        let near = names::near(&word, Quantity::NAMES.into_iter().chain(["otherwise", "sixes", "ones"]));
        Err(match near.first() {
            Some(name) => error.help(format!("did you mean `{name}`?")),
            None => error.help(format!("known are {}, and faces such as `sixes` or `6s`", Quantity::NAMES.join(", "))),
        })
    }

    fn range(&mut self) -> Result<Range, WhenError> {
        for (first, second, make) in [
            ("at", "least", Range::AtLeast as fn(Expr) -> Range),
            ("at", "most", Range::AtMost),
            ("more", "than", Range::MoreThan),
            ("less", "than", Range::LessThan),
        ] {
            if self.take_words(&[first, second]) {
                return Ok(make(self.expr()?));
            }
        }
        if !self.number_ahead() {
            return Ok(Range::NonZero);
        }
        let low = self.literal()?;
        if self.take(&TokenKind::Sign('+')) {
            return Ok(Range::AtLeast(low));
        }
        if self.take(&TokenKind::Sign('-')) || self.take_word("to") {
            return Ok(Range::Between(low, self.literal()?));
        }
        for (word, make) in [
            ("less", Range::AtMost as fn(Expr) -> Range),
            ("lower", Range::AtMost),
            ("fewer", Range::AtMost),
            ("more", Range::AtLeast),
            ("higher", Range::AtLeast),
            ("better", Range::AtLeast),
        ] {
            if self.take_words(&["or", word]) {
                return Ok(make(low));
            }
        }
        Ok(Range::Exactly(low))
    }

    /// A number with its sign.
    fn literal(&mut self) -> Result<Expr, WhenError> {
        let minus = self.take(&TokenKind::Sign('-'));
        if !minus {
            self.take(&TokenKind::Sign('+'));
        }
        let Some(Token { kind: TokenKind::Number(number), .. }) = self.tokens.get(self.next) else {
            return Err(self.unexpected("a number"));
        };
        self.next += 1;
        let signed = if minus { number.negated() } else { Some(*number) };
        Ok(Expr::Number(signed.unwrap_or(Ratio::from(0))))
    }

    fn number_ahead(&self) -> bool {
        let kind = |ahead: usize| self.tokens.get(self.next + ahead).map(|token| &token.kind);
        match kind(0) {
            Some(TokenKind::Number(_)) => true,
            Some(TokenKind::Sign('-' | '+')) => matches!(kind(1), Some(TokenKind::Number(_))),
            _ => false,
        }
    }

    fn expr(&mut self) -> Result<Expr, WhenError> {
        let mut left = self.term()?;
        loop {
            let operator = match self.sign() {
                Some('+') => Operator::Add,
                Some('-') => Operator::Subtract,
                _ => return Ok(left),
            };
            self.next += 1;
            left = Expr::Binary(operator, Box::new(left), Box::new(self.term()?));
        }
    }

    fn term(&mut self) -> Result<Expr, WhenError> {
        let mut left = self.unary()?;
        loop {
            let operator = match self.sign() {
                Some('*') => Operator::Multiply,
                Some('/') => Operator::Divide,
                _ => return Ok(left),
            };
            self.next += 1;
            left = Expr::Binary(operator, Box::new(left), Box::new(self.unary()?));
        }
    }

    fn unary(&mut self) -> Result<Expr, WhenError> {
        self.depth += 1;
        if self.depth > NESTING_MAX {
            return Err(WhenError::new(self.at(), format!("brackets are nested deeper than {NESTING_MAX}")));
        }
        let result =
            if self.take(&TokenKind::Sign('-')) { Ok(Expr::Negated(Box::new(self.unary()?))) } else { self.atom() };
        self.depth -= 1;
        result
    }

    fn atom(&mut self) -> Result<Expr, WhenError> {
        match self.tokens.get(self.next).map(|token| token.kind.clone()) {
            Some(TokenKind::Number(number)) => {
                self.next += 1;
                Ok(Expr::Number(number))
            }
            Some(TokenKind::Variable(name, default)) => {
                self.next += 1;
                Ok(Expr::Variable { name, default })
            }
            Some(TokenKind::Sign('(')) => {
                self.next += 1;
                let inner = self.expr()?;
                self.close()?;
                Ok(inner)
            }
            Some(TokenKind::Tick) => {
                // `at least` followed by code: the ticks only mark the expression.
                self.next += 1;
                let inner = self.expr()?;
                if !self.take(&TokenKind::Tick) {
                    return Err(self.unexpected("the end of the code"));
                }
                Ok(inner)
            }
            Some(TokenKind::Word(word)) => match Function::named(&word) {
                Some(function) => self.call(function, &word),
                None => self.measure().map(Expr::Measure),
            },
            _ => Err(self.unexpected("a number, a quantity or a `{name}`")),
        }
    }

    fn call(&mut self, function: Function, name: &str) -> Result<Expr, WhenError> {
        let at = self.at();
        self.next += 1;
        if !self.take(&TokenKind::Sign('(')) {
            return Err(self.unexpected("`(`"));
        }
        let mut arguments = vec![self.expr()?];
        while self.take(&TokenKind::Sign(',')) {
            arguments.push(self.expr()?);
        }
        self.close()?;
        if !function.takes(arguments.len()) {
            return Err(WhenError::new(at, format!("`{name}` does not take {} arguments", arguments.len())));
        }
        Ok(Expr::Call(function, arguments))
    }

    fn close(&mut self) -> Result<(), WhenError> {
        if self.take(&TokenKind::Sign(')')) { Ok(()) } else { Err(self.unexpected("`)`")) }
    }

    fn finish(&self, when: When) -> Result<When, WhenError> {
        if self.next >= self.tokens.len() { Ok(when) } else { Err(self.unexpected("`and`, `or` or the end")) }
    }

    fn word(&self) -> Option<String> {
        match self.tokens.get(self.next).map(|token| &token.kind) {
            Some(TokenKind::Word(word)) => Some(word.clone()),
            _ => None,
        }
    }

    fn sign(&self) -> Option<char> {
        match self.tokens.get(self.next).map(|token| &token.kind) {
            Some(TokenKind::Sign(sign)) => Some(*sign),
            _ => None,
        }
    }

    fn take(&mut self, kind: &TokenKind) -> bool {
        let found = self.tokens.get(self.next).is_some_and(|token| token.kind == *kind);
        self.next += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        self.take_words(&[word])
    }

    fn take_words(&mut self, words: &[&str]) -> bool {
        let found = words.iter().enumerate().all(|(ahead, word)| {
            let token = self.tokens.get(self.next + ahead);
            matches!(token.map(|token| &token.kind), Some(TokenKind::Word(written)) if written == word)
        });
        if found {
            self.next += words.len();
        }
        found
    }

    fn at(&self) -> Bytes<usize> {
        self.tokens.get(self.next).map_or(self.end..self.end, |token| token.at.clone())
    }

    fn unexpected(&self, wanted: &str) -> WhenError {
        match self.tokens.get(self.next) {
            Some(_) => WhenError::new(self.at(), format!("expected {wanted} here")),
            None => WhenError::new(self.at(), format!("expected {wanted}, but the cell ends")),
        }
    }
}
