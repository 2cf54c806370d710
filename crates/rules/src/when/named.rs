//! Named numbers of a roll: `Value SL`.

use std::borrow::Cow;

use super::facts::Facts;
use crate::grammar::tree::{Expr, Function, Measure, What, Word};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// A named number computed from a roll (success levels, margin in tens), for later conditions.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedNumber {
    /// As the author writes it.
    pub name: String,
    /// Its value before rounding down.
    pub what: Expr,
    /// [`Self::what`] as it is written.
    pub text: String,
    pub place: Place,
    /// The letter of the symbol that it counts, where it is not a value of the author.
    pub symbol: Option<char>,
}

impl NamedNumber {
    /// The number of a symbol after cancellations.
    pub fn of_symbol(letter: char, name: String, place: Place) -> Self {
        let text = letter.to_string();
        let what = Expr::Measure(Measure {
            label: None,
            what: What::Symbol(text.clone()),
        });
        NamedNumber {
            name,
            what,
            text,
            place,
            symbol: Some(letter),
        }
    }

    /// Its value, rounded down; none when a name is not known, or a number does not fit.
    pub fn value(&self, facts: &Facts) -> Option<i64> {
        self.what.value(facts)?.floor().whole()
    }

    /// Every measure that it asks for, in order.
    pub fn measures(&self) -> Vec<&Measure> {
        self.what.measures()
    }

    /// Whether it needs a target.
    pub fn asks_target(&self) -> bool {
        self.measures()
            .iter()
            .any(|measure| measure.is_one_of(&[Word::Margin, Word::Target]))
    }

    /// Every variable that it names, in order, with its default.
    pub fn variables(&self) -> Vec<(Cow<'_, str>, Option<i64>)> {
        self.what.variables()
    }

    /// Whether this is its name, folded.
    pub fn is(&self, name: &str) -> bool {
        same(&self.name, name)
    }

    /// The expression that replaces its name in a condition.
    pub(super) fn expr(&self) -> Expr {
        Expr::Call(Function::Floor, vec![self.what.clone()])
    }
}
