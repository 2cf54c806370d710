//! Ticks by checks, where the rules say which outcome ticks the skill.

use crate::game::decide::character::{SheetCall, revise};
use crate::game::record::entry::Visibility;
use crate::game::record::event::{CheckEvent, Event};
use crate::game::refusal::Refusal;
use crate::game::table::{Draft, Table};
use crate::rules::{Earned, Outcome};

/// Ticks the skill of the check at `seq`, where its outcome earned a tick; part of the same call, so that one undo reverts
/// both. The GM removes a tick with `award` and 0.
pub fn tick(table: &mut Table, seq: u64) -> Result<(), Refusal> {
    let Some(rule) = table.system().advancement.ticks.clone() else { return Ok(()) };
    let Some(entry) = table.written().iter().find(|written| written.seq == seq).map(|written| &written.entry) else {
        return Ok(());
    };
    let Event::Check(check) = &entry.event else { return Ok(()) };
    let shown = matches!(entry.visibility, Visibility::Public | Visibility::OutcomeOnly);
    let earned = rule.what.earned.is_some_and(|earned| has_earned(check, earned));
    let who = check.subject.as_ref().and_then(|subject| table.state.characters.get(&subject.id));
    let (Some(before), Some(skill)) = (who.filter(|own| earned && own.is_in_party()).cloned(), check.skill.clone())
    else {
        return Ok(());
    };
    let mut after = before.clone();
    if !after.ticks.insert(skill) {
        return Ok(());
    }
    let revision = revise(table, &before, after, &SheetCall::default())?;
    let event = Event::Awarded { subject: revision.after.subject(), fields: revision.fields, reason: None };
    // A tick shows the check's outcome.
    let visibility = if shown { Visibility::Public } else { Visibility::Gm };
    let place = Some(rule.place.to_string());
    table.log(Draft { visibility, rule: place, ..Draft::new("system", event, revision.changes) });
    Ok(())
}

/// Whether the outcome earned it. The loser of an opposed check did not succeed.
fn has_earned(check: &CheckEvent, earned: Earned) -> bool {
    let lost = check.opposed.as_ref().is_some_and(|opposed| !opposed.won);
    let beaten = check.opposed.as_ref().is_some_and(|opposed| !opposed.won && !opposed.tie);
    let Some(outcome) = check.outcome else { return false };
    match earned {
        Earned::Success => outcome >= Outcome::Success && !lost,
        Earned::CriticalSuccess => outcome == Outcome::CriticalSuccess && !lost,
        Earned::Failure => outcome <= Outcome::Failure || beaten,
        Earned::CriticalFailure => outcome == Outcome::CriticalFailure,
    }
}
