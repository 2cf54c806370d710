//! Opposed checks.

use std::cmp::Ordering;

use super::call::{CheckCall, Opponent};
use super::trial::{PreparedCheck, RolledCheck};
use crate::game::mechanics::lookup;
use crate::game::record::event::Opposed;
use crate::game::record::purpose::OPPOSED;
use crate::game::record::state::Character;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::game::view::secrets;
use crate::rules::{Check, Facts, Outcome, Succeed, System, Verdict};

/// The opposing side, ready to roll: the same check unless another is named, against the same difficulty.
pub fn prepare<'s>(
    table: &Table<'s>,
    call: &CheckCall,
    rule: &Check,
    opponent: &Opponent,
) -> Result<PreparedCheck<'s>, Refusal> {
    let theirs = CheckCall {
        skill: opponent.skill.clone(),
        attribute: opponent.attribute.clone(),
        check: opponent.check.clone().or_else(|| Some(rule.name.clone())),
        modifier: opponent.modifier,
        difficulty: call.difficulty,
        opposed: true,
        opposing: true,
        ..CheckCall::default()
    };
    let who = lookup::participant(table.state, table.system(), "opposed_by.character", &opponent.character)?.clone();
    PreparedCheck::prepare(table, &theirs, Some(who), None)
}

/// Refuses a character that would oppose itself.
pub fn check_two_people(actor: Option<&Character>, other: &PreparedCheck<'_>) -> Result<(), Refusal> {
    let same = actor.zip(other.actor.as_ref()).is_some_and(|(actor, other)| actor.id == other.id);
    if !same {
        return Ok(());
    }
    let summary = "Nobody opposes themself. Send opposed_by={\"character\": …} with somebody else's name.";
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// Refuses a target beside an opponent who is somebody else: whom it is tried against would be unclear.
pub fn check_one_other(table: &Table, call: &CheckCall, target: Option<&Character>) -> Result<(), Refusal> {
    let (Some(opponent), Some(target)) = (&call.opposed_by, target) else { return Ok(()) };
    let other = lookup::participant(table.state, table.system(), "opposed_by.character", &opponent.character)?;
    if other.id == target.id {
        return Ok(());
    }
    let summary = format!(
        "{0} rolls against it by opposed_by, and target names {1}. Send opposed_by={{\"character\": \"{1}\"}} with target=\"{1}\", or leave \
         target out where {0} is meant.",
        other.name, target.name
    );
    Err(Refusal::new(Code::InvalidParameters, summary))
}

/// Whether each side's result is what the other has to reach: neither has a target, nor a table that needs none.
pub fn is_contest(mine: (&Check, Option<i64>), theirs: (&Check, Option<i64>)) -> bool {
    let is_open = |(rule, target): (&Check, Option<i64>)| {
        target.is_none() && (rule.target.is_some() || rule.rows.is_empty()) && rule.opposing.is_none()
    };
    let alike = mine.0.succeed == theirs.0.succeed && mine.0.count.is_some() == theirs.0.count.is_some();
    is_open(mine) && is_open(theirs) && alike
}

/// Judges both sides of a contest by the margin between them.
fn judge_contest((mine, own): (&Check, &mut Verdict), (theirs, other): (&Check, &mut Verdict)) {
    let (margin, judged) = mine.judge_contest(&own.facts, (own.result, other.result), false);
    let (against, judged_against) = theirs.judge_contest(&other.facts, (other.result, own.result), true);
    (own.facts.margin, own.judged) = (Some(margin), Some(judged));
    (other.facts.margin, other.judged) = (Some(against), Some(judged_against));
}

/// Rolls the opposing side and compares; without a target both sides are judged only then.
pub fn roll(
    table: &mut Table,
    trial: &PreparedCheck<'_>,
    other: &PreparedCheck<'_>,
    mine: &mut RolledCheck,
) -> Result<(RolledCheck, Opposed), Refusal> {
    let mut tried = other.roll(table, OPPOSED, None)?;
    let (rule, against) = (trial.chosen.rule, other.chosen.rule);
    let results = (ContestResult::of(rule, &mine.verdict), ContestResult::of(against, &tried.verdict));
    if is_contest((rule, trial.attempt.target), (against, other.attempt.target)) {
        judge_contest((rule, &mut mine.verdict), (against, &mut tried.verdict));
    }
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
        hidden: other.actor.as_ref().is_some_and(|own| secrets::is_hidden_from_players(table.state, own)),
    };
    set_winner(&mut opposed, &results.0, &results.1);
    Ok((tried, opposed))
}

/// Compares a follow-up of the actor, which has this target, with the opponent's first roll.
pub fn compare_again(
    system: &System,
    opposed: Opposed,
    (rule, verdict): (&Check, &mut Verdict),
    target: Option<i64>,
) -> Opposed {
    let against = system.check(&opposed.check).ok();
    let contest = against.filter(|own| is_contest((rule, target), (own, opposed.target)));
    let theirs = ContestResult {
        outcome: opposed.outcome.filter(|_| contest.is_none()),
        margin: opposed.margin.filter(|_| contest.is_none()),
        worth: ContestResult::worth(against.map_or(Succeed::AtLeast, |rule| rule.succeed), opposed.result),
    };
    let mut opposed = opposed;
    set_winner(&mut opposed, &ContestResult::of(rule, verdict), &theirs);
    if let Some(against) = contest {
        // Of the opponent's dice the total counts.
        let facts = Facts { total: opposed.result, ..Facts::default() };
        let mut other = Verdict { facts, result: opposed.result, judged: None, flags: Vec::new() };
        judge_contest((rule, verdict), (against, &mut other));
        opposed.margin = other.facts.margin;
        opposed.outcome = other.judged.as_ref().map(|judged| judged.outcome);
        opposed.label = other.judged.map(|judged| judged.label);
    }
    opposed
}

/// Sets who won.
fn set_winner(opposed: &mut Opposed, mine: &ContestResult, theirs: &ContestResult) {
    let order = mine.compare(theirs);
    opposed.won = order.is_gt();
    opposed.tie = order.is_eq();
    opposed.both_failed = mine.has_failed() && theirs.has_failed();
}

/// The part of a roll that counts in an opposed check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContestResult {
    pub outcome: Option<Outcome>,
    pub margin: Option<i64>,
    /// The result, negated where low is good, so that more is always better.
    pub worth: i64,
}

impl ContestResult {
    /// From a verdict.
    pub fn of(rule: &Check, verdict: &Verdict) -> ContestResult {
        let outcome = verdict.judged.as_ref().map(|judged| judged.outcome);
        ContestResult { outcome, margin: verdict.facts.margin, worth: Self::worth(rule.succeed, verdict.result) }
    }

    fn worth(succeed: Succeed, result: i64) -> i64 {
        match succeed {
            Succeed::AtLeast => result,
            Succeed::AtMost => result.saturating_neg(),
        }
    }

    /// Whether it failed its own check; without a target it cannot fail.
    fn has_failed(&self) -> bool {
        match self.outcome {
            Some(outcome) => !outcome.is_success(),
            None => self.margin.is_some_and(|margin| margin < 0),
        }
    }

    /// Where both fail it is a tie. Else the better canonical outcome wins, then the higher margin; where one has no
    /// target, the better result.
    pub fn compare(&self, theirs: &ContestResult) -> Ordering {
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
