//! What a check's entry holds, and what is logged with it.

use std::collections::BTreeMap;

use super::call::CheckCall;
use super::consequences::{overcome, row_moves};
use super::trial::{Trial, Tried, given};
use crate::dice::Bound;
use crate::game::record::entry::Visibility;
use crate::game::record::event::{CheckEvent, Event, Formulas, Opposed};
use crate::game::record::state::Character;
use crate::game::refusal::Refusal;
use crate::game::table::{Draft, Table};
use crate::game::view::secrets;
use crate::rules::{Check, Judgement, Outcome, Verdict};

/// Refuses texts that name somebody whom players do not see. Of an outcome alone they read none of them.
pub(super) fn keep(
    table: &Table,
    call: &CheckCall,
    visibility: Visibility,
    said: &BTreeMap<String, String>,
) -> Result<(), Refusal> {
    let context = call.context.as_ref().map(|context| ("context", context));
    let said = said.iter().flat_map(|(name, value)| [("values", name), ("values", value)]);
    let mut texts = context.into_iter().chain(said).filter(|_| visibility == Visibility::Public);
    texts
        .try_for_each(|(parameter, text)| secrets::keep(table.state, table.system(), visibility, parameter, Some(text)))
}

pub(super) fn check(by: &str, event: CheckEvent) -> Draft {
    Draft::new(by, Event::Check(Box::new(event)), Vec::new())
}

/// Logs a check, behind it what its success ends and what its row does to tracks; answers the check's entry.
pub(super) fn log(table: &mut Table, draft: Draft) -> u64 {
    let (event, visibility) = (draft.event.clone(), draft.visibility);
    let seq = table.log(draft);
    if let Event::Check(event) = event {
        overcome(table, &event, visibility);
        if let (Some(who), Ok(rule)) = (&event.subject, table.system().check(&event.check)) {
            row_moves(table, who.id, rule, event.rank, visibility);
        }
    }
    seq
}

pub(super) fn event(trial: &Trial<'_>, tried: &Tried, call: &CheckCall) -> CheckEvent {
    let (rule, verdict, records) = (trial.chosen.rule, &tried.verdict, &tried.records);
    let mut adjustments = trial.adjustments.clone();
    adjustments.extend(verdict.judged.iter().flat_map(shifted));
    let tried = CheckEvent {
        check: rule.name.clone(),
        subject: trial.actor.as_ref().map(Character::subject),
        skill: trial.chosen.skill.as_ref().map(|skill| skill.name.clone()),
        attribute: trial.chosen.attribute.map(|attribute| attribute.name.clone()),
        modifiers: trial.modifiers.clone(),
        variables: trial.variables.clone(),
        said: trial.said.clone(),
        difficulty: call.difficulty.or_else(|| said_difficulty(call)),
        target: trial.attempt.target,
        context: call.context.clone(),
        target_hidden: trial.target_hidden,
        pool: verdict.facts.pool,
        adjustments,
        ..CheckEvent::default()
    };
    let roll = records.first().map(|record| &record.roll);
    let formulas = roll.map(|roll| Formulas::of(rule, &trial.attempt, &tried, roll));
    judged(rule, verdict, CheckEvent { formulas, ..tried })
}

/// Without a difficulty there is nothing to succeed at but the other.
pub(super) fn decided_by(opposed: &Opposed, event: CheckEvent) -> CheckEvent {
    let outcome = if opposed.won { Outcome::Success } else { Outcome::Failure };
    CheckEvent { outcome: Some(outcome), label: Some(outcome.to_string()), ..event }
}

/// What was tried, with what the rules make of it.
pub(super) fn judged(rule: &Check, verdict: &Verdict, tried: CheckEvent) -> CheckEvent {
    let judged = verdict.judged.as_ref();
    CheckEvent {
        margin: verdict.facts.margin,
        outcome: judged.map(|judged| judged.outcome),
        label: judged.map(|judged| judged.label.clone()),
        rank: judged.and_then(|judged| judged.rank),
        row_text: judged.and_then(|judged| judged.text.clone()),
        successes: rule.count.as_ref().and(verdict.facts.successes),
        beaten: verdict.facts.beaten.or(tried.beaten),
        flags: verdict.flags.clone(),
        ..tried
    }
}

/// A difficulty among the call's values.
pub(super) fn said_difficulty(call: &CheckCall) -> Option<i64> {
    match given(&call.values).get("difficulty") {
        Some(Bound::Number(difficulty)) => Some(*difficulty),
        Some(Bound::Dice(_)) | None => None,
    }
}

/// The line that decided, else that of the check.
pub(super) fn place(rule: &Check, verdict: &Verdict) -> String {
    verdict.judged.as_ref().map_or(&rule.place, |judged| &judged.place).to_string()
}

/// What natural faces did to the outcome, each with its line.
pub(super) fn shifted(judged: &Judgement) -> Vec<String> {
    judged.shifted.iter().map(|shift| format!("{}, {}", shift.text, shift.place)).collect()
}
