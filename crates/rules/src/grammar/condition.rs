//! Conditions of rows, flags, While and `if`.

use super::cursor::Cursor;
use super::expr::{in_braces, in_code, measure, range};
use super::tree::{Choice, Expr, Range, What, Word};

/// What must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    Otherwise,
    /// A measure or a named number in a range; without one, it or an expression is not 0.
    Within(Expr, Option<Range>),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// What a row, a flag, a While or an `if` asks.
pub fn condition(at: &mut Cursor<'_>) -> Option<Condition> {
    if at.words("otherwise").is_some() {
        return Some(Condition::Otherwise);
    }
    let all = at.joined("or", both)?.into_iter();
    all.reduce(|left, right| Condition::Or(Box::new(left), Box::new(right)))
}

fn both(at: &mut Cursor<'_>) -> Option<Condition> {
    let all = at.joined("and", test)?.into_iter();
    all.reduce(|left, right| Condition::And(Box::new(left), Box::new(right)))
}

fn test(at: &mut Cursor<'_>) -> Option<Condition> {
    if at.words("not").is_some() {
        return at.deeper(test).map(|test| Condition::Not(Box::new(test)));
    }
    if let Some(expr) = at.attempt(in_code) {
        return Some(Condition::Within(expr, None));
    }
    let what = at
        .attempt(measure)
        .map(Expr::Measure)
        .or_else(|| at.attempt(in_braces).map(Expr::Ref))?;
    let range = at.attempt(range);
    if range.is_none() && !what.may_stand_alone() {
        return at.miss("a range, such as 10+");
    }
    Some(Condition::Within(what, range))
}

impl Expr {
    /// Whether it may lack a range: faces, symbols, counts, matches, dominates, names in braces.
    pub fn may_stand_alone(&self) -> bool {
        match self {
            Expr::Ref(_) => true,
            Expr::Measure(measure) => match &measure.what {
                What::Face(_) | What::Symbol(_) | What::Word(Word::Matches | Word::Dominates) => {
                    true
                }
                What::Of(choice, _) => *choice == Choice::Count,
                What::Word(_) => false,
            },
            _ => false,
        }
    }
}
