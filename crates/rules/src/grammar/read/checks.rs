//! Checks.

use super::ValueReader;
use crate::grammar::condition::condition;
use crate::grammar::cursor::Cursor;
use crate::grammar::dealt::{DEALT, Dealt};
use crate::grammar::effect::{Effect, effect, sign, step};
use crate::grammar::expr::{self, amount, range};
use crate::grammar::line::{Ask, AskedFrom, CheckLine, For, Line};
use crate::grammar::names::Thing;
use crate::grammar::tree::{Expr, Range};

pub fn target(at: &mut Cursor<'_>) -> Option<Line> {
    let amount = amount(at)?;
    let or_less = at.words("or less").is_some();
    Some(Line::Check(CheckLine::Target { amount, or_less }))
}

pub fn count(at: &mut Cursor<'_>) -> Option<Line> {
    let one = |at: &mut Cursor<'_>| {
        let range = range(at)?;
        Some((range, at.after("as", expr::whole_number)?.unwrap_or(1)))
    };
    at.list(one).map(|all| Line::Check(CheckLine::Count(all)))
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
        let attacks = |at: &mut Cursor<'_>| at.words("attacks").map(|()| For::Attacks);
        named
            .map(For::Named)
            .or_else(|| attacks(at))
            .or_else(|| at.words("saves").map(|()| For::Saves))
    };
    at.list(one).map(|all| Line::Check(CheckLine::For(all)))
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
    Some(Line::Check(CheckLine::Flag { name, when, after }))
}

/// `On natural 20: +1 step`
pub fn on_natural(at: &mut Cursor<'_>) -> Option<ValueReader> {
    let range = range(at)?;
    Some(Box::new(|at| {
        let steps = sign(at)?.apply(at.number()?);
        step(at)?;
        Some(Line::Check(CheckLine::OnNatural { range, steps }))
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
