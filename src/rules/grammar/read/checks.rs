//! Checks.

use super::ValueReader;
use super::advancement::outcome;
use crate::rules::grammar::condition::condition;
use crate::rules::grammar::cursor::Cursor;
use crate::rules::grammar::effect::{Effect, effect, sign, step};
use crate::rules::grammar::expr::{self, amount, range};
use crate::rules::grammar::line::{
    Again, AgainChange, AgainOption, Ask, Asked, CheckLine, Dealt, Faces, Failures, For, Line, OpposedBy,
    OpposedQuantity, Ties,
};
use crate::rules::grammar::names::Thing;

fn line(own: CheckLine) -> Line {
    Line::Check(own)
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

/// A name, and what it may be. The name is declared here, so it is matched as one that is.
pub fn ask(at: &mut Cursor<'_>) -> Option<Ask> {
    let name = at.name(&[Thing::Ask], "a name")?;
    let from = [("from attributes", Asked::Attributes), ("from skills", Asked::Skills), ("dice", Asked::Dice)];
    let from = from.into_iter().find_map(|(words, own)| at.words(words).map(|()| own));
    let from = match from {
        Some(own) => own,
        None => Asked::Range(range(at)?),
    };
    Some(Ask { name, from })
}

pub fn for_whom(at: &mut Cursor<'_>) -> Option<Line> {
    let one = |at: &mut Cursor<'_>| {
        let named = at.attempt(|at| at.name(&[Thing::Skill, Thing::Attribute], "a skill or attribute"));
        named.map(For::Named).or_else(|| {
            [("attacks", For::Attacks), ("saves", For::Saves)]
                .into_iter()
                .find_map(|(word, own)| at.words(word).map(|()| own))
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

fn faces(at: &mut Cursor<'_>) -> Option<Faces> {
    if let Some(label) = at.attempt(|at| at.name(&[Thing::Label], "a label of dice")) {
        if at.words("dice").is_some() {
            return Some(Faces { label: Some(label), face: None });
        }
        return expr::face(at).map(|face| Faces { label: Some(label), face: Some(face) });
    }
    expr::face(at).map(|face| Faces { label: None, face: Some(face) })
}

/// A number that the call gives by the same rule is not declared anywhere else.
pub fn again(at: &mut Cursor<'_>, name: String) -> Option<Line> {
    let change = if at.words("reroll all but").is_some() {
        AgainChange::RerollAllBut(at.run(faces)?)
    } else if at.words("reroll all").is_some() {
        AgainChange::RerollAll
    } else if at.words("reroll").is_some() {
        AgainChange::Reroll(at.run(faces)?)
    } else if at.words("add").is_some() {
        AgainChange::Add(amount(at)?)
    } else if at.words("subtract").is_some() {
        AgainChange::Subtract(amount(at)?)
    } else {
        at.words("set")?;
        AgainChange::Set(amount(at)?)
    };
    let mut options = Vec::new();
    while at.separator().is_some() {
        options.push(option(at)?);
    }
    Some(line(CheckLine::Again(Again { name, change, options })))
}

fn option(at: &mut Cursor<'_>) -> Option<AgainOption> {
    if at.words("costs").is_some() {
        // Words for people are an item here, too.
        let own = if at.emphasis().is_some() { Vec::new() } else { vec![effect(at)?] };
        return Some(AgainOption::Costs(own));
    }
    if at.words("adds").is_some() {
        let count = at.number()?;
        return at.name(&[Thing::Label], "a label of dice").map(|label| AgainOption::Adds { count, label });
    }
    if at.words("after").is_some() {
        return at.run(outcome).map(AgainOption::After);
    }
    if at.words("asks").is_some() {
        return ask(at).map(AgainOption::Asks);
    }
    if at.words("if").is_some() {
        return condition(at).map(AgainOption::If);
    }
    if at.words("not with").is_some() {
        return at.name(&[Thing::Again], "a rule for again").map(AgainOption::NotWith);
    }
    if at.words("twice").is_some() {
        return Some(AgainOption::Twice);
    }
    at.words("any number of times").map(|()| AgainOption::AnyNumber)
}

/// `On natural 20: +1 step`
pub fn on_natural(at: &mut Cursor<'_>) -> Option<ValueReader> {
    let range = range(at)?;
    Some(Box::new(|at| {
        let (sign, steps) = (sign(at)?, at.number()?);
        step(at).map(|()| line(CheckLine::OnNatural { range, sign, steps }))
    }))
}

pub fn opposed(at: &mut Cursor<'_>) -> Option<Line> {
    let quantity = |at: &mut Cursor<'_>| {
        let roll = at.attempt(expr::measure).map(OpposedQuantity::Roll);
        roll.or_else(|| expr::in_braces(at).map(OpposedQuantity::Sheet))
    };
    let by = |at: &mut Cursor<'_>| {
        if at.words("better outcome").is_some() {
            return Some(OpposedBy::BetterOutcome);
        }
        if at.words("success").is_some() {
            return Some(OpposedBy::Success);
        }
        if at.words("higher").is_some() {
            return quantity(at).map(OpposedBy::Higher);
        }
        at.words("lower")?;
        quantity(at).map(OpposedBy::Lower)
    };
    let tie = [
        ("ties actor", Ties::Actor),
        ("ties other", Ties::Other),
        ("ties nobody", Ties::Nobody),
        ("ties again", Ties::Again),
    ];
    let failed = [("failures compared", Failures::Compared), ("failures tie", Failures::Tie)];
    let mut all = vec![by(at)?];
    let (mut ties, mut failures) = (None, None);
    while at.separator().is_some() {
        if let Some(own) = at.one_of(&tie).filter(|_| ties.is_none()) {
            ties = Some(own);
        } else if let Some(own) = at.one_of(&failed).filter(|_| failures.is_none()) {
            failures = Some(own);
        } else if ties.is_none() && failures.is_none() {
            all.push(by(at)?);
        } else {
            return at.miss("the end");
        }
    }
    Some(line(CheckLine::Opposed { by: all, ties, failures }))
}

/// A cell of the column Damage.
pub fn dealt(at: &mut Cursor<'_>) -> Option<Dealt> {
    let own = [
        ("none", Dealt::None),
        ("half", Dealt::Half),
        ("once", Dealt::Once),
        ("twice", Dealt::Twice),
        ("dice twice", Dealt::DiceTwice),
        ("maximum", Dealt::Maximum),
    ];
    own.into_iter().find_map(|(words, own)| at.words(words).map(|()| own)).or_else(|| amount(at).map(Dealt::Amount))
}

/// A cell of a column that is called like a track: moves of it, without its name.
pub fn moves(at: &mut Cursor<'_>) -> Option<Vec<Effect>> {
    effect(at).map(|own| vec![own])
}
