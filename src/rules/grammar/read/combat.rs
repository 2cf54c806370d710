//! Combat.

use crate::rules::grammar::cursor::Cursor;
use crate::rules::grammar::effect::unit;
use crate::rules::grammar::expr::amount;
use crate::rules::grammar::line::{CombatLine, Initiative, InitiativeWhen, Line, Order, Structure, Tie};
use crate::rules::grammar::names::Thing;

const STRUCTURES: [(&str, Structure); 2] = [("narrative", Structure::Narrative), ("hybrid", Structure::Hybrid)];
const ORDERS: [(&str, Order); 2] = [("highest first", Order::HighestFirst), ("lowest first", Order::LowestFirst)];
const WHEN: [(&str, InitiativeWhen); 2] =
    [("once per fight", InitiativeWhen::OncePerFight), ("each round", InitiativeWhen::EachRound)];

pub fn structure(at: &mut Cursor<'_>) -> Option<Line> {
    let turns = at.attempt(|at| {
        at.words("turn")?;
        at.glued('-')?;
        at.words("based").map(|()| Structure::TurnBased)
    });
    let own = turns.or_else(|| at.one_of(&STRUCTURES)).or_else(|| at.miss("`turn-based`"))?;
    Some(Line::Combat(CombatLine::Structure(own)))
}

pub fn round(at: &mut Cursor<'_>) -> Option<Line> {
    let amount = amount(at)?;
    unit(at).map(|unit| Line::Combat(CombatLine::Round(amount, unit)))
}

pub fn ties(at: &mut Cursor<'_>) -> Option<Line> {
    let tie = |at: &mut Cursor<'_>| {
        if at.words("higher").is_some() {
            return at.name(&[Thing::Attribute, Thing::Skill], "an attribute").map(Tie::Higher);
        }
        [("players", Tie::Players), ("as entered", Tie::AsEntered)]
            .into_iter()
            .find_map(|(words, tie)| at.words(words).map(|()| tie))
    };
    at.list(tie).map(|all| Line::Combat(CombatLine::Ties(all)))
}

pub fn held_effects(at: &mut Cursor<'_>) -> Option<Line> {
    at.words("ask")?;
    let ask = at.name(&[Thing::Skill, Thing::Attribute, Thing::Check], "a skill or attribute")?;
    let against = match at.words("against") {
        Some(()) => Some(amount(at)?),
        None => None,
    };
    let mut end_with = Vec::new();
    if at.separator().is_some() {
        at.words("end with")?;
        end_with = at.joined("and", |at| at.name(&[Thing::Condition], "a condition"))?;
    }
    Some(Line::Combat(CombatLine::HeldEffects { ask, against, end_with }))
}

pub fn initiative(at: &mut Cursor<'_>) -> Option<Line> {
    let by = if at.words("none").is_some() {
        Initiative::None
    } else if at.words("cards").is_some() {
        Initiative::Cards
    } else if at.words("per side").is_some() {
        Initiative::PerSide(amount(at)?)
    } else {
        Initiative::Each(amount(at)?)
    };
    let (mut order, mut when, mut one_a_kind) = (None, None, false);
    while at.separator().is_some() {
        if let Some(own) = at.one_of(&ORDERS).filter(|_| order.is_none()) {
            order = Some(own);
        } else if let Some(own) = at.one_of(&WHEN).filter(|_| when.is_none()) {
            when = Some(own);
        } else if one_a_kind {
            return at.miss("the end");
        } else {
            at.words("one a kind")?;
            one_a_kind = true;
        }
    }
    Some(Line::Combat(CombatLine::Initiative { by, order, when, one_a_kind }))
}
