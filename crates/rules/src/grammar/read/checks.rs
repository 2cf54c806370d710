//! Checks.

use super::ValueReader;
use crate::grammar::condition::condition;
use crate::grammar::cursor::Cursor;
use crate::grammar::dealt::{DEALT, Dealt};
use crate::grammar::effect::{Effect, Sign, effect, sign, step};
use crate::grammar::expr::{self, amount, range};
use crate::grammar::line::{Ask, AskedFrom, CheckLine, For, Line};
use crate::grammar::names::Thing;
use crate::grammar::tree::{Expr, Range};

fn line(check: CheckLine) -> Line {
    Line::Check(check)
}

pub fn target(at: &mut Cursor<'_>) -> Option<Line> {
    let amount = amount(at)?;
    let or_less = at.words("or less").is_some();
    Some(line(CheckLine::Target { amount, or_less }))
}

pub fn count(at: &mut Cursor<'_>) -> Option<Line> {
    let one = |at: &mut Cursor<'_>| {
        let range = range(at)?;
        let many = match at.words("as") {
            Some(()) => expr::whole_number(at)?,
            None => 1,
        };
        Some((range, many))
    };
    at.list(one).map(|all| line(CheckLine::Count(all)))
}

/// A name and its values. The first pass declared the name.
pub fn ask(at: &mut Cursor<'_>) -> Option<Ask> {
    let name = at.name(&[Thing::Ask], "a name")?;
    let from = [
        ("from attributes", AskedFrom::Attributes),
        ("from skills", AskedFrom::Skills),
        ("dice", AskedFrom::Dice),
    ];
    let from = match at.one_of(&from) {
        Some(asked) => asked,
        None => match range(at)? {
            Range::Between(Expr::Number(low), Expr::Number(high)) => AskedFrom::Range(low, high),
            Range::Exactly(Expr::Number(number)) => AskedFrom::Range(number, number),
            _ => return at.miss("two numbers, the lower first"),
        },
    };
    Some(Ask { name, from })
}

pub fn for_whom(at: &mut Cursor<'_>) -> Option<Line> {
    let one = |at: &mut Cursor<'_>| {
        let named =
            at.attempt(|at| at.name(&[Thing::Skill, Thing::Attribute], "a skill or attribute"));
        named.map(For::Named).or_else(|| {
            [("attacks", For::Attacks), ("saves", For::Saves)]
                .into_iter()
                .find_map(|(word, kind)| at.words(word).map(|()| kind))
        })
    };
    at.list(one).map(|all| line(CheckLine::For(all)))
}

pub fn flag(at: &mut Cursor<'_>, name: String) -> Option<Line> {
    let when = condition(at)?;
    let after = match at.separator() {
        Some(()) => {
            at.words("after")?;
            Some(at.name(&[Thing::Again], "a rule for again")?)
        }
        None => None,
    };
    Some(line(CheckLine::Flag { name, when, after }))
}

/// `On natural 20: +1 step`
pub fn on_natural(at: &mut Cursor<'_>) -> Option<ValueReader> {
    let range = range(at)?;
    Some(Box::new(|at| {
        let (sign, steps) = (sign(at)?, at.number()?);
        step(at)?;
        let steps = if sign == Sign::Minus { -steps } else { steps };
        Some(line(CheckLine::OnNatural { range, steps }))
    }))
}

/// A cell of the column Damage.
pub fn dealt(at: &mut Cursor<'_>) -> Option<Dealt> {
    let dealt = DEALT
        .iter()
        .find_map(|(words, dealt)| at.words(words).map(|()| dealt.clone()));
    dealt.or_else(|| amount(at).map(Dealt::Amount))
}

/// A cell of a column named like a track: a move without the track's name.
pub fn moves(at: &mut Cursor<'_>) -> Option<Vec<Effect>> {
    effect(at).map(|effect| vec![effect])
}
