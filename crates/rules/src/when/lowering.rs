//! Prepares conditions and expressions for a roll: refuses what no roll can answer, replaces names.

use super::named::NamedNumber;
use crate::grammar::condition::Condition;
use crate::grammar::tree::{Among, Expr, Measure, Part, Range, What, Which};
use rollbook_text::names::fold;

/// The values and symbols that conditions of a check may name.
pub struct Lowering<'a> {
    /// The values of the check so far.
    pub values: &'a [NamedNumber],
    /// The letter of the symbol with this name.
    pub letter: &'a dyn Fn(&str) -> Option<char>,
}

/// Why a roll cannot answer something.
type Refused = &'static str;

const DICE: Refused = "a roll is looked at here, and no more dice are thrown";
const SYMBOL: Refused = "no dice of the rules show such a symbol";

impl Lowering<'_> {
    /// A condition of a row, a flag or a rule for again.
    ///
    /// # Errors
    /// What no roll can answer.
    pub fn when(&self, condition: &Condition) -> Result<Condition, Refused> {
        let mut condition = condition.clone();
        self.in_condition(&mut condition)?;
        Ok(condition)
    }

    /// A range.
    ///
    /// # Errors
    /// As [`Lowering::when`].
    pub fn range(&self, range: &Range) -> Result<Range, Refused> {
        let mut range = range.clone();
        self.in_range(&mut range)?;
        Ok(range)
    }

    /// An expression after a roll.
    ///
    /// # Errors
    /// As [`Lowering::when`].
    pub fn expr(&self, expr: &Expr) -> Result<Expr, Refused> {
        let mut expr = expr.clone();
        self.in_expr(&mut expr)?;
        Ok(expr)
    }

    fn in_condition(&self, condition: &mut Condition) -> Result<(), Refused> {
        match condition {
            Condition::Otherwise => Ok(()),
            Condition::Within(what, range) => {
                self.in_expr(what)?;
                range.as_mut().map_or(Ok(()), |range| self.in_range(range))
            }
            Condition::Not(inner) => self.in_condition(inner),
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.in_condition(left)?;
                self.in_condition(right)
            }
        }
    }

    fn in_range(&self, range: &mut Range) -> Result<(), Refused> {
        match range {
            Range::Exactly(bound) | Range::AtLeast(bound) | Range::AtMost(bound) => {
                self.in_expr(bound)
            }
            Range::Between(low, high) => self.in_expr(low).and_then(|()| self.in_expr(high)),
        }
    }

    fn in_expr(&self, expr: &mut Expr) -> Result<(), Refused> {
        match expr {
            Expr::Number(_) => Ok(()),
            Expr::Ref(name) => {
                // A value of the check, else a name that the attempt knows.
                let is_it = |value: &&NamedNumber| value.symbol.is_none() && value.is(&name.name);
                let is_plain = !name.of_target && name.part == Part::Whole;
                if let Some(value) = self.values.iter().find(is_it).filter(|_| is_plain) {
                    *expr = value.expr();
                }
                Ok(())
            }
            Expr::Dice(_) | Expr::Group(..) => Err(DICE),
            Expr::Measure(measure) => self.in_measure(measure),
            Expr::Minus(inner) | Expr::Not(inner) => self.in_expr(inner),
            Expr::Binary(left, _, right) => self.in_expr(left).and_then(|()| self.in_expr(right)),
            Expr::Call(_, all) => all
                .iter_mut()
                .try_for_each(|argument| self.in_expr(argument)),
        }
    }

    /// Folds labels, and replaces symbols by their letters.
    fn in_measure(&self, measure: &mut Measure) -> Result<(), Refused> {
        measure.label = measure.label.as_deref().map(fold);
        match &mut measure.what {
            What::Word(_) | What::Face(_) => Ok(()),
            What::Symbol(name) => (self.letter)(name)
                .map(|letter| *name = letter.to_string())
                .ok_or(SYMBOL),
            What::Of(_, among) => match &mut **among {
                Among::Dice {
                    which: Some(Which::Highest(amount) | Which::Lowest(amount)),
                    ..
                } => self.in_expr(amount),
                Among::Dice {
                    which: Some(Which::Showing(range)),
                    ..
                } => self.in_range(range),
                Among::Dice { which: None, .. }
                | Among::Natural
                | Among::Set(_)
                | Among::Tens
                | Among::Units => Ok(()),
            },
        }
    }
}
