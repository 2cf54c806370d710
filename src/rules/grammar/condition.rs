//! Conditions of rows, flags, While and `if`.

use super::cursor::Cursor;
use super::expr::{in_braces, in_code, measure, range};
use super::tree::{Choice, Expr, Measure, Range, Ref, What, Word};

/// What must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    Otherwise,
    /// An expression in backticks, not 0.
    Test(Expr),
    /// What the roll shows or somebody has, within a range; without one not 0.
    Within(Measured, Option<Range>),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// What a range is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Measured {
    Roll(Measure),
    Sheet(Ref),
}

/// What a row, a flag, a While or an `if` asks.
pub fn condition(at: &mut Cursor<'_>) -> Option<Condition> {
    if at.words("otherwise").is_some() {
        return Some(Condition::Otherwise);
    }
    either(at)
}

fn either(at: &mut Cursor<'_>) -> Option<Condition> {
    let mut left = both(at)?;
    while at.words("or").is_some() {
        left = Condition::Or(Box::new(left), Box::new(both(at)?));
    }
    Some(left)
}

fn both(at: &mut Cursor<'_>) -> Option<Condition> {
    let mut left = test(at)?;
    while at.words("and").is_some() {
        left = Condition::And(Box::new(left), Box::new(test(at)?));
    }
    Some(left)
}

fn test(at: &mut Cursor<'_>) -> Option<Condition> {
    if at.words("not").is_some() {
        return at.deeper(test).map(|own| Condition::Not(Box::new(own)));
    }
    if let Some(own) = at.attempt(in_code) {
        return Some(Condition::Test(own));
    }
    let measured = at.attempt(measure).map(Measured::Roll);
    let measured = measured.or_else(|| at.attempt(in_braces).map(Measured::Sheet))?;
    let range = at.attempt(range);
    if range.is_none() && !measured.may_stand_alone() {
        return at.miss("a range, such as 10+");
    }
    Some(Condition::Within(measured, range))
}

impl Measured {
    /// Whether it may be asked for being there at all: faces, symbols, counts, matches, who dominates, and what is on the sheet.
    fn may_stand_alone(&self) -> bool {
        match self {
            Measured::Sheet(_) => true,
            Measured::Roll(own) => match &own.what {
                What::Face(_) | What::Symbol(_) | What::Word(Word::Matches | Word::Dominates) => true,
                What::Of(choice, _) => *choice == Choice::Count,
                What::Word(_) => false,
            },
        }
    }
}
