//! Two who roll against each other.

use super::trial::{OPPOSED, Trial, Tried};
use super::{CheckCall, Opponent};
use crate::game::event::Opposed;
use crate::game::lookup;
use crate::game::refusal::Refusal;
use crate::game::state::Character;
use crate::game::table::Table;
use crate::rules::Verdict;

/// The other side, ready to be rolled: the same check unless another is named, against the same difficulty.
pub fn prepare<'s>(table: &Table<'s>, call: &CheckCall, opponent: &Opponent) -> Result<Trial<'s>, Refusal> {
    let theirs = CheckCall {
        skill: opponent.skill.clone(),
        attribute: opponent.attribute.clone(),
        check: opponent.check.clone().or_else(|| call.check.clone()),
        modifier: opponent.modifier,
        difficulty: call.difficulty,
        opposed: true,
        ..CheckCall::default()
    };
    let who = lookup::character(table.state, table.system(), &opponent.character)?.clone();
    Trial::prepare(table, &theirs, Some(who), None)
}

/// Refuses somebody who would oppose themself.
pub fn two_people(actor: Option<&Character>, other: &Trial<'_>) -> Result<(), Refusal> {
    let same = actor.zip(other.actor.as_ref()).is_some_and(|(actor, other)| actor.id == other.id);
    if !same {
        return Ok(());
    }
    let summary = "Nobody opposes themself. Send opposed_by={\"character\": …} with somebody else's name.";
    Err(Refusal::new("invalid_parameters", summary))
}

/// Rolls the other side and compares.
pub fn roll(table: &mut Table, other: &Trial<'_>, mine: &Verdict) -> Result<(Tried, Opposed), Refusal> {
    let tried = other.roll(table, OPPOSED)?;
    let verdict = &tried.verdict;
    let mut opposed = Opposed {
        subject: other.actor.as_ref().map(Character::subject),
        check: other.chosen.rule.name.clone(),
        skill: other.chosen.skill.as_ref().map(|skill| skill.name.clone()),
        attribute: other.chosen.attribute.map(|attribute| attribute.name.clone()),
        modifiers: other.modifiers.clone(),
        result: verdict.result,
        target: other.attempt.target,
        margin: verdict.facts.margin,
        outcome: verdict.judged.as_ref().map(|judged| judged.outcome),
        label: verdict.judged.as_ref().map(|judged| judged.label.clone()),
        won: false,
        tie: false,
    };
    compare(&mut opposed, mine);
    Ok((tried, opposed))
}

/// The higher canonical outcome wins, then the higher margin; where neither has a target, the higher result. A tie is the
/// defender's.
pub fn compare(opposed: &mut Opposed, mine: &Verdict) {
    let both_targeted = mine.facts.margin.zip(opposed.margin);
    let outcomes = mine.judged.as_ref().map(|judged| judged.outcome).zip(opposed.outcome);
    let order = match outcomes {
        Some((mine, theirs)) => mine.cmp(&theirs),
        None => std::cmp::Ordering::Equal,
    };
    let order = order.then(match both_targeted {
        Some((mine, theirs)) => mine.cmp(&theirs),
        None => mine.result.cmp(&opposed.result),
    });
    opposed.won = order.is_gt();
    opposed.tie = order.is_eq();
}
