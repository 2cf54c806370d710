//! From the words of a *When* cell to conditions. The grammar stands in the module above.

use super::condition::{Condition, Range};
use super::cursor::Cursor;
use super::error::WhenError;
use super::expr::Expr;
use super::lexer::{Token, TokenKind, lex};
use super::named::Named;
use super::quantity::{Measure, Quantity};
use crate::names;
use crate::rules::document::Text;
use crate::rules::when::When;

/// Reads a *When* cell; [`super::parse`] says what to write instead of what is not read.
pub(super) fn read(cell: &Text, named: &[Named]) -> Result<When, WhenError> {
    let tokens = lex(cell)?;
    let mut parser = Cursor::new(&tokens, cell.as_str().len(), named);
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

impl Cursor<'_> {
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
            self.looked_at()?
        };
        Ok(Condition { what, range: self.range()? })
    }

    /// What a word or two look at: a value with a name, else a quantity.
    pub(super) fn looked_at(&mut self) -> Result<Expr, WhenError> {
        match self.value() {
            Some(value) => Ok(value),
            None => self.measure().map(Expr::Measure),
        }
    }

    fn measure(&mut self) -> Result<Measure, WhenError> {
        let at = self.at();
        let Some(word) = self.word() else {
            let error = self.unexpected("what is looked at");
            return Err(if self.number_ahead() { error.help("say of what: `total 10+`, `margin 0+`") } else { error });
        };
        if let Some(quantity) = self.quantity() {
            if quantity == Quantity::Dominates {
                let error = WhenError::new(at, "`dominates` stands behind the dice that do");
                return Err(error.help("write which ones: `red dominates`"));
            }
            return Ok(Measure { label: None, quantity });
        }
        self.next += 1;
        if let Some(quantity) = self.quantity() {
            if quantity.is_of_dice() {
                return Ok(Measure { label: Some(names::fold(&word)), quantity });
            }
            self.next -= 1;
        }
        if let Some((letter, words)) = self.value_at(self.next).and_then(|(own, words)| Some((own.symbol?, words))) {
            self.next += words;
            return Ok(Measure { label: Some(names::fold(&word)), quantity: Quantity::Symbol(letter) });
        }
        let error = WhenError::new(at, format!("`{word}` is nothing that can be looked at"));
        let values = self.named.iter().map(|own| own.name.as_str());
        let known = Quantity::NAMES.into_iter().chain(["otherwise", "sixes", "ones"]);
        let suggestions = names::suggest(&word, known.chain(values));
        // Behind a label, too.
        let next = self.word().and_then(|next| names::suggest(&next, Quantity::NAMES).into_iter().next());
        let behind = next.map(|next| format!("{word} {next}"));
        Err(match suggestions.first().or(behind.as_ref()) {
            Some(name) => error.help(format!("did you mean `{name}`?")),
            None => error.help(format!("known are {}, and faces such as `sixes` or `6s`", Quantity::NAMES.join(", "))),
        })
    }

    /// The quantity that stands here, of two words or of one, taken.
    fn quantity(&mut self) -> Option<Quantity> {
        let word = |ahead: usize| match self.tokens.get(self.next + ahead).map(|token| &token.kind) {
            Some(TokenKind::Word(word)) => Some(word),
            _ => None,
        };
        let first = word(0)?;
        let two = word(1).and_then(|second| Quantity::named(&format!("{first} {second}")));
        let (quantity, words) = match two {
            Some(quantity) => (quantity, 2),
            None => (Quantity::named(first)?, 1),
        };
        self.next += words;
        Some(quantity)
    }

    fn range(&mut self) -> Result<Range, WhenError> {
        if self.take_word("equals") || self.take_words(&["equal", "to"]) {
            return Ok(Range::Exactly(self.expr()?));
        }
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

    fn literal(&mut self) -> Result<Expr, WhenError> {
        let minus = self.take(&TokenKind::Sign('-'));
        if !minus {
            self.take(&TokenKind::Sign('+'));
        }
        let Some(Token { kind: TokenKind::Number(number), .. }) = self.tokens.get(self.next) else {
            return Err(self.unexpected("a number"));
        };
        self.next += 1;
        Ok(Expr::Number(if minus { number.negative() } else { *number }))
    }

    fn number_ahead(&self) -> bool {
        let kind = |ahead: usize| self.tokens.get(self.next + ahead).map(|token| &token.kind);
        match kind(0) {
            Some(TokenKind::Number(_)) => true,
            Some(TokenKind::Sign('-' | '+')) => matches!(kind(1), Some(TokenKind::Number(_))),
            _ => false,
        }
    }

    fn finish(&self, when: When) -> Result<When, WhenError> {
        if self.next >= self.tokens.len() {
            return Ok(when);
        }
        let error = self.unexpected("`and`, `or` or the end");
        // `tens digits`: the first word alone is a quantity, too.
        let word = |at: Option<usize>| match self.tokens.get(at?).map(|token| &token.kind) {
            Some(TokenKind::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        let two = word(self.next.checked_sub(1)).zip(word(Some(self.next)));
        let two = two.map(|(first, second)| format!("{first} {second}")).unwrap_or_default();
        let known = Quantity::NAMES.into_iter().filter(|name| name.contains(' '));
        Err(match names::suggest(&two, known).first() {
            Some(name) => error.help(format!("did you mean `{name}`?")),
            None => error,
        })
    }
}
