//! Arithmetic in a condition, by recursive descent. The grammar stands in the module above.

use super::cursor::Cursor;
use super::error::WhenError;
use super::expr::{Expr, Operator, takes};
use super::lexer::TokenKind;
use super::quantity::{Measure, Quantity};
use crate::dice::Function;
use crate::names::{counted, fold};

/// Brackets, signs and functions within each other.
const NESTING_MAX: usize = 32;

impl Cursor<'_> {
    pub(super) fn expr(&mut self) -> Result<Expr, WhenError> {
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
                Ok(self.braced(name, default))
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
                None => self.looked_at(),
            },
            _ => Err(self.unexpected("a number, a quantity or a `{name}`")),
        }
    }

    /// A name in braces: a value that has this name, a quantity where there are those, of a group, too, else a variable.
    fn braced(&self, name: String, default: Option<i64>) -> Expr {
        if let Some(value) = self.named.iter().find(|own| own.is(&name)) {
            return value.expr();
        }
        let words = name.to_lowercase();
        let of_group = || {
            let (label, what) = words.split_once(' ')?;
            let quantity = Quantity::named(what).filter(|own| own.is_of_dice())?;
            Some(Measure { label: Some(fold(label)), quantity })
        };
        let of_symbol = || {
            let (label, what) = words.split_once(' ')?;
            let letter = self.named.iter().find(|own| own.words().contains(&fold(what)))?.symbol?;
            Some(Measure { label: Some(fold(label)), quantity: Quantity::Symbol(letter) })
        };
        let whole = Quantity::named(&words).map(|quantity| Measure { label: None, quantity });
        match whole.or_else(of_group).or_else(of_symbol).filter(|_| self.of_roll && default.is_none()) {
            Some(measure) => Expr::Measure(measure),
            None => Expr::Variable { name, default },
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
        if !takes(function, arguments.len()) {
            return Err(WhenError::new(
                at,
                format!("`{name}` does not take {}", counted(arguments.len(), "argument", "arguments")),
            ));
        }
        Ok(Expr::Call(function, arguments))
    }

    pub(super) fn close(&mut self) -> Result<(), WhenError> {
        if self.take(&TokenKind::Sign(')')) { Ok(()) } else { Err(self.unexpected("`)`")) }
    }
}
