//! Whether what the grammar has read can be asked of a roll, and what its names stand for there.

use super::named::Named;
use crate::grammar::condition::Condition;
use crate::grammar::tree::{Among, Expr, Measure, Part, Range, What, Which};
use rollbook_text::names::fold;

/// What names stand for in the conditions of one check.
pub struct Lower<'a> {
    /// The values that are declared above.
    pub values: &'a [Named],
    /// The letter of the symbol with this name.
    pub letter: &'a dyn Fn(&str) -> Option<char>,
}

/// Why something that is read cannot be asked of a roll.
type Refused = &'static str;

const DICE: Refused = "a roll is looked at here, and no more dice are thrown";
const SYMBOL: Refused = "no dice of the rules show such a symbol";

impl Lower<'_> {
    /// A condition of a row, a flag or a rule for again.
    ///
    /// # Errors
    /// What it asks for that no roll shows.
    pub fn when(&self, own: &Condition) -> Result<Condition, Refused> {
        let mut own = own.clone();
        self.in_condition(&mut own)?;
        Ok(own)
    }

    /// The numbers of a range.
    ///
    /// # Errors
    /// As [`Lower::when`].
    pub fn range(&self, own: &Range) -> Result<Range, Refused> {
        let mut own = own.clone();
        self.in_range(&mut own)?;
        Ok(own)
    }

    /// An expression behind a roll.
    ///
    /// # Errors
    /// As [`Lower::when`].
    pub fn expr(&self, own: &Expr) -> Result<Expr, Refused> {
        let mut own = own.clone();
        self.within(&mut own)?;
        Ok(own)
    }

    fn in_condition(&self, own: &mut Condition) -> Result<(), Refused> {
        match own {
            Condition::Otherwise => Ok(()),
            Condition::Within(what, range) => {
                self.within(what)?;
                range.as_mut().map_or(Ok(()), |range| self.in_range(range))
            }
            Condition::Not(inner) => self.in_condition(inner),
            Condition::And(left, right) | Condition::Or(left, right) => {
                self.in_condition(left)?;
                self.in_condition(right)
            }
        }
    }

    fn in_range(&self, own: &mut Range) -> Result<(), Refused> {
        match own {
            Range::Exactly(own) | Range::AtLeast(own) | Range::AtMost(own) => self.within(own),
            Range::Between(low, high) => self.within(low).and_then(|()| self.within(high)),
        }
    }

    fn within(&self, own: &mut Expr) -> Result<(), Refused> {
        match own {
            Expr::Number(_) => Ok(()),
            Expr::Ref(name) => {
                // A value that is declared above, else something that the attempt knows.
                let is_it = |value: &&Named| value.symbol.is_none() && value.is(&name.name);
                let is_plain = !name.of_target && name.part == Part::Whole;
                if let Some(value) = self.values.iter().find(is_it).filter(|_| is_plain) {
                    *own = value.expr();
                }
                Ok(())
            }
            Expr::Dice(_) | Expr::Group(..) => Err(DICE),
            Expr::Measure(own) => self.measure(own),
            Expr::Minus(inner) | Expr::Not(inner) => self.within(inner),
            Expr::Binary(left, _, right) => self.within(left).and_then(|()| self.within(right)),
            Expr::Call(_, all) => all.iter_mut().try_for_each(|own| self.within(own)),
        }
    }

    /// Labels are folded, and symbols are known by their letter.
    fn measure(&self, own: &mut Measure) -> Result<(), Refused> {
        own.label = own.label.as_deref().map(fold);
        match &mut own.what {
            What::Word(_) | What::Face(_) => Ok(()),
            What::Symbol(name) => (self.letter)(name).map(|letter| *name = letter.to_string()).ok_or(SYMBOL),
            What::Of(_, among) => match &mut **among {
                Among::Dice { which: Some(Which::Highest(own) | Which::Lowest(own)), .. } => self.within(own),
                Among::Dice { which: Some(Which::Showing(range)), .. } => self.in_range(range),
                Among::Dice { which: None, .. } | Among::Natural | Among::Set(_) | Among::Tens | Among::Units => Ok(()),
            },
        }
    }
}
