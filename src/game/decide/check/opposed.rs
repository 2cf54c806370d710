//! Two who roll against each other.

use std::cmp::Ordering;

use super::call::{CheckCall, Opponent};
use super::trial::{Trial, Tried};
use crate::game::mechanics::lookup;
use crate::game::record::event::Opposed;
use crate::game::record::purpose::OPPOSED;
use crate::game::record::state::Character;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::game::view::secrets;
use crate::rules::{Check, Outcome, Succeed, System, Verdict};

/// The other side, ready to be rolled: the same check unless another is named, against the same difficulty.
pub fn prepare<'s>(table: &Table<'s>, call: &CheckCall, opponent: &Opponent) -> Result<Trial<'s>, Refusal> {
    let theirs = CheckCall {
        skill: opponent.skill.clone(),
        attribute: opponent.attribute.clone(),
        check: opponent.check.clone().or_else(|| call.check.clone()),
        modifier: opponent.modifier,
        difficulty: call.difficulty,
        opposed: true,
        opposing: true,
        ..CheckCall::default()
    };
    let who = lookup::acting(table.state, table.system(), "opposed_by.character", &opponent.character)?.clone();
    Trial::prepare(table, &theirs, Some(who), None)
}

/// Refuses somebody who would oppose themself.
pub fn two_people(actor: Option<&Character>, other: &Trial<'_>) -> Result<(), Refusal> {
    let same = actor.zip(other.actor.as_ref()).is_some_and(|(actor, other)| actor.id == other.id);
    if !same {
        return Ok(());
    }
    let summary = "Nobody opposes themself. Send opposed_by={\"character\": …} with somebody else's name.";
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// Rolls the other side and compares.
pub fn roll(table: &mut Table, other: &Trial<'_>, mine: &End) -> Result<(Tried, Opposed), Refusal> {
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
        both_failed: false,
        hidden: other.actor.as_ref().is_some_and(|own| secrets::is_unseen(table.state, own)),
    };
    compare(&mut opposed, mine, &End::of(other.chosen.rule, verdict));
    Ok((tried, opposed))
}

/// The same with a new roll of the one who tries; what opposed it stands as it fell.
pub fn again(system: &System, opposed: Opposed, mine: &End) -> Opposed {
    let succeed = system.check(&opposed.check).map_or(Succeed::AtLeast, |rule| rule.succeed);
    let theirs = End { outcome: opposed.outcome, margin: opposed.margin, worth: End::worth(succeed, opposed.result) };
    let mut opposed = opposed;
    compare(&mut opposed, mine, &theirs);
    opposed
}

/// Sets who won.
fn compare(opposed: &mut Opposed, mine: &End, theirs: &End) {
    let order = mine.against(theirs);
    opposed.won = order.is_gt();
    opposed.tie = order.is_eq();
    opposed.both_failed = mine.has_failed() && theirs.has_failed();
}

/// What of a roll counts against another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    pub outcome: Option<Outcome>,
    pub margin: Option<i64>,
    /// The result; below zero where low is good, so that more is always better.
    pub worth: i64,
}

impl End {
    /// Of a roll that was judged.
    pub fn of(rule: &Check, verdict: &Verdict) -> End {
        let outcome = verdict.judged.as_ref().map(|judged| judged.outcome);
        End { outcome, margin: verdict.facts.margin, worth: Self::worth(rule.succeed, verdict.result) }
    }

    fn worth(succeed: Succeed, result: i64) -> i64 {
        match succeed {
            Succeed::AtLeast => result,
            Succeed::AtMost => result.saturating_neg(),
        }
    }

    /// Whether it failed at what it was to reach; two who only roll against each other fail at nothing.
    fn has_failed(&self) -> bool {
        match self.outcome {
            Some(outcome) => !outcome.is_success(),
            None => self.margin.is_some_and(|margin| margin < 0),
        }
    }

    /// Where both fail nobody wins. Else the better canonical outcome does, then the higher margin; where one has no target,
    /// the better result. A tie is the defender's.
    pub fn against(&self, theirs: &End) -> Ordering {
        if self.has_failed() && theirs.has_failed() {
            return Ordering::Equal;
        }
        let outcomes = self.outcome.zip(theirs.outcome);
        let order = outcomes.map_or(Ordering::Equal, |(mine, theirs)| mine.cmp(&theirs));
        order.then(match self.margin.zip(theirs.margin) {
            Some((mine, theirs)) => mine.cmp(&theirs),
            None => self.worth.cmp(&theirs.worth),
        })
    }
}
