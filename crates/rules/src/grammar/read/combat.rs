//! Combat.

use crate::grammar::cursor::Cursor;
use crate::grammar::effect::span;
use crate::grammar::expr::amount;
use crate::grammar::line::{CombatLine, Fights, InitiativeKind, InitiativeWhen, Line, TieBreak};
use crate::grammar::names::Thing;

const FIGHTS: [(&str, Fights); 2] = [("narrative", Fights::Narrative), ("hybrid", Fights::Hybrid)];
const HIGHEST_FIRST: [(&str, bool); 2] = [("highest first", true), ("lowest first", false)];
const WHEN: [(&str, InitiativeWhen); 2] = [
    ("once per fight", InitiativeWhen::OncePerFight),
    ("each round", InitiativeWhen::EachRound),
];

pub fn fights(at: &mut Cursor<'_>) -> Option<Line> {
    let turns = at.attempt(|at| {
        at.words("turn")?;
        at.glued('-')?;
        at.words("based").map(|()| Fights::TurnBased)
    });
    let fights = turns
        .or_else(|| at.one_of(&FIGHTS))
        .or_else(|| at.miss("`turn-based`"))?;
    Some(Line::Combat(CombatLine::Fights(fights)))
}

pub fn round(at: &mut Cursor<'_>) -> Option<Line> {
    span(at).map(|seconds| Line::Combat(CombatLine::Round(seconds)))
}

pub fn ties(at: &mut Cursor<'_>) -> Option<Line> {
    let tie = |at: &mut Cursor<'_>| {
        if at.words("higher").is_some() {
            return at
                .name(&[Thing::Attribute, Thing::Skill], "an attribute")
                .map(TieBreak::Higher);
        }
        let players = at.words("players").map(|()| TieBreak::Players);
        players.or_else(|| at.words("as entered").map(|()| TieBreak::Entered))
    };
    at.list(tie).map(|all| Line::Combat(CombatLine::Ties(all)))
}

pub fn held_effects(at: &mut Cursor<'_>) -> Option<Line> {
    at.words("ask")?;
    let ask = at.name(
        &[Thing::Skill, Thing::Attribute, Thing::Check],
        "a skill or attribute",
    )?;
    let against = at.after("against", amount)?;
    let mut end_with = Vec::new();
    if at.separator().is_some() {
        at.words("end with")?;
        end_with = at.joined("and", |at| at.name(&[Thing::Condition], "a condition"))?;
    }
    Some(Line::Combat(CombatLine::HeldEffects {
        ask,
        against,
        end_with,
    }))
}

pub fn initiative(at: &mut Cursor<'_>) -> Option<Line> {
    let kind = if at.words("none").is_some() {
        InitiativeKind::None
    } else if at.words("cards").is_some() {
        InitiativeKind::Cards
    } else if at.words("per side").is_some() {
        InitiativeKind::PerSide(amount(at)?)
    } else {
        InitiativeKind::Each(amount(at)?)
    };
    let (mut highest_first, mut when, mut by_kind) = (None, None, Vec::new());
    while at.separator().is_some() {
        if let Some(order) = at
            .one_of(&HIGHEST_FIRST)
            .filter(|_| highest_first.is_none())
        {
            highest_first = Some(order);
        } else if let Some(often) = at.one_of(&WHEN).filter(|_| when.is_none()) {
            when = Some(often);
        } else if !at.once(&mut by_kind, "one a kind") {
            return None;
        }
    }
    let (highest_first, when, by_kind) = (
        highest_first.unwrap_or(true),
        when.unwrap_or_default(),
        !by_kind.is_empty(),
    );
    Some(Line::Combat(CombatLine::Initiative {
        kind,
        highest_first,
        when,
        by_kind,
    }))
}
