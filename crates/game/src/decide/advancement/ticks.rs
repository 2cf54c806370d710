//! Ticks by checks, where the rules say which outcome ticks the skill, and the improvement of ticked skills.

use std::collections::BTreeMap;

use crate::decide::character::{SheetCall, revise};
use crate::limits::LIMITS;
use crate::mechanics::values::{Values, dice_refusal};
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, RollRecord, Visibility};
use crate::record::event::{Awarded, CheckEvent, Event, HIDDEN_TICKS, Improved};
use crate::record::purpose::GAIN;
use crate::record::state::{Character, State};
use crate::refusal::Refusal;
use crate::table::{Draft, Table};
use crate::view::visibility::sheet_visibility;
use rollbook_rules::{Improvement, Outcome, System};
use rollbook_text::names::{fold, same};

/// Ticks the skill of the check at `seq`, where its outcome earned a tick; part of the same call, so that one undo reverts
/// both. The GM removes a tick with `award` and 0.
pub fn tick(table: &mut Table, seq: u64) -> Result<(), Refusal> {
    let Some(rule) = table.system().advancement.ticks.clone() else { return Ok(()) };
    let Some(entry) = table.written_at(seq).map(|written| &written.entry) else {
        return Ok(());
    };
    let Event::Check(check) = &entry.event else { return Ok(()) };
    let shown = matches!(entry.visibility, Visibility::Public | Visibility::OutcomeOnly);
    let earned = has_earned(check, &rule.what);
    let who = check.subject.as_ref().and_then(|subject| table.state.characters.get(&subject.id));
    let (Some(before), Some(skill)) = (who.filter(|own| earned && own.is_in_party()).cloned(), check.skill.clone())
    else {
        return Ok(());
    };
    let mut after = before.clone();
    after.ticks.add(skill, !shown);
    if after == before {
        return Ok(());
    }
    let mut revision = revise(table, &before, after, &SheetCall::default())?;
    if shown {
        // That it had a hidden one players do not read.
        revision.fields.retain(|field| field.field != HIDDEN_TICKS);
    }
    let event = Event::Awarded(Awarded { subject: revision.after.subject(), fields: revision.fields, reason: None });
    // A tick shows the check's outcome.
    let visibility = if shown { Visibility::Public } else { Visibility::Gm };
    let place = Some(rule.place.to_string());
    table.log(Draft { visibility, rule: place, ..Draft::new("system", event, revision.changes) });
    Ok(())
}

/// What a check that is opened shows players of its character's ticks.
pub fn opened(state: &State, system: &System, entry: &Entry) -> Option<Change> {
    let (rule, Event::Check(check)) = (system.advancement.ticks.as_ref()?, &entry.event) else { return None };
    let (who, skill) = (state.characters.get(&check.subject.as_ref()?.id)?, check.skill.as_ref()?);
    let is_shown = who.ticks.hidden.contains(skill) && has_earned(check, &rule.what);
    is_shown.then(|| shown(who, [skill].into_iter().cloned()))
}

/// The change that shows players these ticks.
pub fn shown(who: &Character, skills: impl Iterator<Item = String>) -> Change {
    let mut after = who.clone();
    skills.for_each(|skill| after.ticks.add(skill, false));
    Change::Character(Images::changed(who.clone(), after))
}

/// Whether the outcome is one of these. The loser of an opposed check did not succeed.
fn has_earned(check: &CheckEvent, ways: &[String]) -> bool {
    let lost = check.opposed.as_ref().is_some_and(|opposed| !opposed.won);
    let is = |way: &String| match Outcome::named(&fold(way)) {
        Some(own) => check.outcome == Some(own) && !(lost && own >= Outcome::Success),
        None => check.label.as_ref().is_some_and(|label| same(label, way)) && !lost,
    };
    ways.iter().any(is)
}

/// Rolls for every ticked skill in the order of their names, removes the ticks and logs it; returns the improved character.
pub fn improve(table: &mut Table, before: &Character, rule: &Improvement) -> Result<Character, Refusal> {
    let mut after = before.clone();
    let mut rolls = Vec::new();
    let ticks = std::mem::take(&mut after.ticks);
    for name in ticks.all().into_iter().cloned() {
        let values = Values::of(table.state, table.system(), before);
        let known = match table.system().skill(&name) {
            Ok(skill) => values.skill(skill).map_or(0, |found| found.value),
            // Where the rules declare no skills, sheets may have any.
            Err(_) => match before.skills.get(&name) {
                Some(known) => *known,
                None => continue,
            },
        };
        let (roll, gain) = (values.bind(&rule.roll)?, values.bind(&rule.gain)?);
        let given = BTreeMap::from([("skill".to_owned(), known)]);
        let against = values.bind_beside(&rule.against, &given)?.constant().unwrap_or(known);
        let mut throw = |expression, purpose| -> Result<i64, Refusal> {
            let record: RollRecord =
                table.roll(expression, &before.name, purpose).map_err(|error| dice_refusal(&error))?;
            let total = record.roll.total;
            rolls.push(record);
            Ok(total)
        };
        let thrown = throw(&roll, &name)?;
        if rule.is_met(thrown, against) {
            let gained = throw(&gain, GAIN)?;
            after.skills.insert(name, known.saturating_add(gained).clamp(-LIMITS.number, LIMITS.number));
        }
    }
    let revision = revise(table, before, after, &SheetCall::default())?;
    let event = Event::Improved(Improved { subject: revision.after.subject(), fields: revision.fields });
    let visibility = sheet_visibility(table.state, before);
    let rule = Some(rule.place.to_string());
    table.log(Draft { visibility, rolls, rule, ..Draft::new("gm", event, revision.changes) });
    Ok(revision.after)
}
