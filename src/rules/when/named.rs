//! Results of a check with names of the author's: `Value SL`.

use super::error::WhenError;
use super::expr::Expr;
use super::facts::Facts;
use super::lexer::lex;
use super::quantity::{Measure, Quantity};
use crate::diagnostic::Place;
use crate::names::{fold, plurals, same};
use crate::rules::document::Text;
use crate::rules::when::cursor::Cursor;

/// A number that is worked out from a roll and has a name: success levels, the margin in tens. Conditions below it may ask for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Name as the author writes it.
    pub name: String,
    /// What it comes to, before it is rounded down.
    what: Expr,
    /// The same in the author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// The letter of the symbol that it counts, where nobody wrote it as a value.
    pub symbol: Option<char>,
}

/// Words that a condition has already, so that nothing else can be called by them.
pub fn is_reserved(name: &str) -> bool {
    let folded = fold(name);
    let words = ["", "and", "or", "otherwise", "to", "at", "more", "less", "modifier", "difficulty", "damage"];
    words.contains(&folded.as_str()) || Quantity::named(&folded).is_some()
}

impl Named {
    /// Reads what it is worked out from: quantities, with or without braces, names in braces, and the values named above it.
    ///
    /// # Errors
    /// Where the name is one that conditions have already, or the words are no expression.
    pub fn read(name: &Text, value: &Text, above: &[Named], place: Place) -> Result<Self, WhenError> {
        let words = name.as_str();
        if is_reserved(words) {
            let message = format!("`{words}` has a meaning of its own in conditions");
            return Err(
                WhenError::new(0..0, message).help("give the value another name: `- Value Effect: `margin + 1``")
            );
        }
        let tokens = lex(value)?;
        let mut cursor = Cursor::new(&tokens, value.as_str().len(), above);
        cursor.of_roll = true;
        let what = cursor.expr()?;
        match cursor.next < tokens.len() {
            true => Err(cursor.unexpected("a sign or the end")),
            false => Ok(Named { name: words.to_owned(), what, text: value.as_str().to_owned(), place, symbol: None }),
        }
    }

    /// How many of a symbol are left when those that cancel are gone.
    pub fn of_symbol(letter: char, name: String, place: Place) -> Self {
        let what = Expr::Measure(Measure { label: None, quantity: Quantity::Symbol(letter) });
        Named { name, what, text: letter.to_string(), place, symbol: Some(letter) }
    }

    /// The folded words by which it may be called: of a symbol also in the plural.
    pub(super) fn words(&self) -> Vec<String> {
        match self.symbol {
            Some(_) => plurals(&self.name).collect(),
            None => vec![fold(&self.name)],
        }
    }

    /// Its value, rounded down; none when something it names is not known, or a number does not fit.
    pub fn value(&self, facts: &Facts) -> Option<i64> {
        self.what.value(facts)?.floor().whole()
    }

    /// Every measure that it asks for, in order.
    pub fn measures(&self) -> Vec<&Measure> {
        let mut found = Vec::new();
        self.what.collect(&mut found, &mut Vec::new());
        found
    }

    /// Whether it is worked out from the number to reach, so that there is none without one.
    pub fn asks_target(&self) -> bool {
        self.measures().iter().any(|own| matches!(own.quantity, Quantity::Margin | Quantity::Target))
    }

    /// Every variable that it names, in order, with its default.
    pub fn variables(&self) -> Vec<(&str, Option<i64>)> {
        let mut found = Vec::new();
        self.what.collect(&mut Vec::new(), &mut found);
        found
    }

    /// Whether somebody who writes this name means it.
    pub fn is(&self, name: &str) -> bool {
        same(&self.name, name)
    }

    /// What stands in its place in a condition.
    pub(super) fn expr(&self) -> Expr {
        Expr::Call(crate::dice::Function::Floor, vec![self.what.clone()])
    }
}
