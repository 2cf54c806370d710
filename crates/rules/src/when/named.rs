//! Results of a check with names of the author's: `Value SL`.

use std::borrow::Cow;

use super::facts::Facts;
use crate::grammar::tree::{Expr, Function, Measure, What, Word};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// A number that is worked out from a roll and has a name: success levels, the margin in tens. Conditions below it may ask for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Name as the author writes it.
    pub name: String,
    /// What it comes to, before it is rounded down.
    pub what: Expr,
    /// The same as it is written.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// The letter of the symbol that it counts, where nobody wrote it as a value.
    pub symbol: Option<char>,
}

impl Named {
    /// How many of a symbol are left when those that cancel are gone.
    pub fn of_symbol(letter: char, name: String, place: Place) -> Self {
        let text = letter.to_string();
        let what = Expr::Measure(Measure { label: None, what: What::Symbol(text.clone()) });
        Named { name, what, text, place, symbol: Some(letter) }
    }

    /// Its value, rounded down; none when something it names is not known, or a number does not fit.
    pub fn value(&self, facts: &Facts) -> Option<i64> {
        self.what.value(facts)?.floor().whole()
    }

    /// Every measure that it asks for, in order.
    pub fn measures(&self) -> Vec<&Measure> {
        self.what.measures()
    }

    /// Whether it is worked out from the number to reach, so that there is none without one.
    pub fn asks_target(&self) -> bool {
        self.measures().iter().any(|own| own.is_one_of(&[Word::Margin, Word::Target]))
    }

    /// Every variable that it names, in order, with its default.
    pub fn variables(&self) -> Vec<(Cow<'_, str>, Option<i64>)> {
        self.what.variables()
    }

    /// Whether somebody who writes this name means it.
    pub fn is(&self, name: &str) -> bool {
        same(&self.name, name)
    }

    /// What stands in its place in a condition.
    pub(super) fn expr(&self) -> Expr {
        Expr::Call(Function::Floor, vec![self.what.clone()])
    }
}
