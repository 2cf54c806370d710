//! From what the grammar has read to what is asked of a roll.

use super::When;
use super::condition::Condition;
use super::expr::{Expr, Range};
use super::named::Named;
use super::quantity::{Among, Measure, Quantity, Which};
use crate::names::fold;
use crate::rules::grammar::condition::{self, Measured};
use crate::rules::grammar::tree::{self, Choice, Op, What, Word};

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
const CHOICE: Refused = "`count`, `sum` and `size` take a choice of dice, `width` and `height` one of dice or `second`, `digit` `tens` or `units`";
const LABEL: Refused = "`dominates` stands behind the label of the dice that do";
const OF_ROLL: Refused = "this is of the whole roll, and no label stands before it";
const SYMBOL: Refused = "no dice of the rules show such a symbol";

impl Lower<'_> {
    /// A condition of a row, a flag or a rule for again.
    ///
    /// # Errors
    /// What it asks for that no roll shows.
    pub fn when(&self, own: &condition::Condition) -> Result<When, Refused> {
        if *own == condition::Condition::Otherwise {
            return Ok(When::Otherwise);
        }
        let mut alternatives = Vec::new();
        self.either(own, &mut alternatives)?;
        Ok(When::Any(alternatives))
    }

    fn either(&self, own: &condition::Condition, all: &mut Vec<Vec<Condition>>) -> Result<(), Refused> {
        if let condition::Condition::Or(left, right) = own {
            self.either(left, all)?;
            return self.either(right, all);
        }
        let mut together = Vec::new();
        self.both(own, &mut together)?;
        all.push(together);
        Ok(())
    }

    fn both(&self, own: &condition::Condition, all: &mut Vec<Condition>) -> Result<(), Refused> {
        if let condition::Condition::And(left, right) = own {
            self.both(left, all)?;
            return self.both(right, all);
        }
        all.push(self.test(own)?);
        Ok(())
    }

    fn test(&self, own: &condition::Condition) -> Result<Condition, Refused> {
        let (what, range) = match own {
            condition::Condition::Not(inner) => {
                let inner = self.test(inner)?;
                return Ok(Condition { is_not: !inner.is_not, ..inner });
            }
            condition::Condition::Test(own) => return self.compared(own),
            condition::Condition::Within(Measured::Roll(own), range) => (self.measure(own)?, range),
            condition::Condition::Within(Measured::Sheet(own), range) => (self.named(own), range),
            // Only `not` and tests stand within each other.
            condition::Condition::Otherwise | condition::Condition::And(..) | condition::Condition::Or(..) => {
                return Err(DICE);
            }
        };
        let range = range.as_ref().map_or(Ok(Range::NonZero), |range| self.range(range))?;
        Ok(Condition { what, range, is_not: false })
    }

    /// An expression that must not be 0; a comparison as the range that it is.
    fn compared(&self, own: &tree::Expr) -> Result<Condition, Refused> {
        let plain = |what, range| Condition { what, range, is_not: false };
        let tree::Expr::Binary(left, op, right) = own else { return Ok(plain(self.expr(own)?, Range::NonZero)) };
        let sides = || -> Result<(Expr, Expr), Refused> { Ok((self.expr(left)?, self.expr(right)?)) };
        let (what, range) = match op {
            Op::Equal | Op::Unequal => sides().map(|(left, right)| (left, Range::Exactly(right)))?,
            Op::AtLeast => sides().map(|(left, right)| (left, Range::AtLeast(right)))?,
            Op::AtMost => sides().map(|(left, right)| (left, Range::AtMost(right)))?,
            Op::More => sides().map(|(left, right)| (left, Range::MoreThan(right)))?,
            Op::Less => sides().map(|(left, right)| (left, Range::LessThan(right)))?,
            Op::Or | Op::And | Op::Add | Op::Subtract | Op::Multiply | Op::Divide => (self.expr(own)?, Range::NonZero),
        };
        Ok(Condition { what, range, is_not: *op == Op::Unequal })
    }

    /// The numbers of a range.
    ///
    /// # Errors
    /// As [`Lower::when`].
    pub fn range(&self, own: &tree::Range) -> Result<Range, Refused> {
        Ok(match own {
            tree::Range::Exactly(own) => Range::Exactly(self.expr(own)?),
            tree::Range::AtLeast(own) => Range::AtLeast(self.expr(own)?),
            tree::Range::AtMost(own) => Range::AtMost(self.expr(own)?),
            tree::Range::Between(low, high) => Range::Between(self.expr(low)?, self.expr(high)?),
        })
    }

    /// An expression behind a roll.
    ///
    /// # Errors
    /// As [`Lower::when`].
    pub fn expr(&self, own: &tree::Expr) -> Result<Expr, Refused> {
        Ok(match own {
            tree::Expr::Number(own) => Expr::Number(*own),
            tree::Expr::Ref(own) => self.named(own),
            tree::Expr::Dice(_) | tree::Expr::Group(..) => return Err(DICE),
            tree::Expr::Measure(own) => self.measure(own)?,
            tree::Expr::Minus(inner) => Expr::Minus(Box::new(self.expr(inner)?)),
            tree::Expr::Not(inner) => Expr::Not(Box::new(self.expr(inner)?)),
            tree::Expr::Binary(left, op, right) => {
                Expr::Binary(*op, Box::new(self.expr(left)?), Box::new(self.expr(right)?))
            }
            tree::Expr::Call(function, all) => {
                Expr::Call(*function, all.iter().map(|own| self.expr(own)).collect::<Result<_, _>>()?)
            }
        })
    }

    /// A value that is declared above, else something that the attempt knows.
    fn named(&self, own: &tree::Ref) -> Expr {
        let value = self.values.iter().filter(|_| !own.of_target && own.part == tree::Part::Whole);
        match value.into_iter().find(|value| value.symbol.is_none() && value.is(&own.name)) {
            Some(value) => value.expr(),
            None => Expr::Variable { name: own.called(), default: own.default },
        }
    }

    fn measure(&self, own: &tree::Measure) -> Result<Expr, Refused> {
        let (quantity, among) = match &own.what {
            What::Word(word) => (quantity(*word), None),
            What::Face(face) => (Quantity::Face(*face), None),
            What::Symbol(name) => (Quantity::Symbol((self.letter)(name).ok_or(SYMBOL)?), None),
            What::Of(choice, among) => (Quantity::Of(*choice), Some(Box::new(self.among(*choice, among)?))),
        };
        if quantity == Quantity::Dominates && own.label.is_none() {
            return Err(LABEL);
        }
        if own.label.is_some() && !quantity.is_of_dice() {
            return Err(OF_ROLL);
        }
        Ok(Expr::Measure(Measure { label: own.label.as_deref().map(fold), quantity, among }))
    }

    fn among(&self, choice: Choice, own: &tree::Among) -> Result<Among, Refused> {
        Ok(match (own, choice) {
            (
                tree::Among::Dice { from, which },
                Choice::Count | Choice::Sum | Choice::Size | Choice::Width | Choice::Height,
            ) => {
                let which = match which {
                    Some(tree::Which::Highest(own)) => Some(Which::Highest(self.expr(own)?)),
                    Some(tree::Which::Lowest(own)) => Some(Which::Lowest(self.expr(own)?)),
                    Some(tree::Which::Showing(range)) => Some(Which::Showing(self.range(range)?)),
                    None => None,
                };
                Among::Dice { from: *from, which }
            }
            (tree::Among::Natural, Choice::Size) => Among::Natural,
            (tree::Among::Set(nth), Choice::Width | Choice::Height) => Among::Set(nth.saturating_sub(1)),
            (tree::Among::Tens, Choice::Digit) => Among::Set(1),
            (tree::Among::Units, Choice::Digit) => Among::Set(0),
            _ => return Err(CHOICE),
        })
    }
}

fn quantity(word: Word) -> Quantity {
    match word {
        Word::Total => Quantity::Total,
        Word::Margin => Quantity::Margin,
        Word::Target => Quantity::Target,
        Word::Natural => Quantity::Natural,
        Word::Highest => Quantity::Highest,
        Word::Lowest => Quantity::Lowest,
        Word::Successes => Quantity::Successes,
        Word::Dice => Quantity::Dice,
        Word::Pool => Quantity::Pool,
        Word::Beaten => Quantity::Beaten,
        Word::Matches => Quantity::Match,
        Word::Width => Quantity::Width,
        Word::Height => Quantity::Height,
        Word::Doubled => Quantity::Doubled,
        Word::Dominates => Quantity::Dominates,
    }
}
