//! Damage and healing: from the amount to the track's new value, step by step. Thresholds are in
//! [`crate::mechanics::threshold`], being up or down in [`crate::mechanics::health`].

mod amount;
mod brought;
mod call;
mod falls;
mod hit;
#[cfg(test)]
mod tests;

pub use amount::{RollUses, differs};
pub use amount::{not_a_damage_roll, rolled_amounts};
pub use brought::{Brought, bring};
pub use call::check_effect;
pub use call::{DamageCall, Measure};
pub use call::{read_typed, types, types_of};

use std::collections::BTreeMap;

use crate::mechanics::health::Vitality;
use crate::mechanics::recovery::worse_by;
use crate::mechanics::threshold::{By, Consequences};
use crate::mechanics::values::{Values, dice_refusal};
use crate::mechanics::{duration, effects, lookup};
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, RollRecord, Visibility};
use crate::record::event::{DamageEvent, Event, Mitigated, Phrasing, Step, Subject};
use crate::record::state::{Character, DEAD, State, Track};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use crate::view::visibility::{health, hides_nothing, hides_only_causes};
use crate::view::{Audience, secrets};
use falls::DamageTarget;
use hit::Hit;
use rollbook_rules::{Act, DamageLine, Effect, System};
use rollbook_text::names::same;

/// Damage that is worked out and not logged yet.
#[derive(Debug, Clone)]
pub struct DamageResult {
    pub event: DamageEvent,
    /// Tracks before and after, including those that did not move.
    pub moved: Vec<(Track, Track)>,
    pub consequences: Consequences,
    /// Notes for the reply.
    pub notes: Vec<String>,
}

/// Works out the damage without changing anything; refused where it would have no effect. `referred` is the entry of
/// `call.roll`.
pub fn preview(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&Entry>,
) -> Result<DamageResult, Refusal> {
    let result = compute(state, system, call, referred)?;
    call::check_effect(&result.event, call)?;
    Ok(result)
}

/// The same with a note on how it departs from the roll it names; `later` are the entries after that roll.
pub fn preview_with_roll(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&(u64, Entry)>,
    later: &[(u64, Entry)],
) -> Result<DamageResult, Refusal> {
    let mut result = preview(state, system, call, referred.map(|(_, entry)| entry))?;
    if let Some((seq, entry)) = referred {
        let uses = RollUses::among(later);
        let mut note = uses.note(*seq, entry, &result.event);
        note.like_check = amount::is_like_a_check(state, system, call, entry, result.event.amount);
        result.event.roll_note = (!note.is_empty()).then(|| Box::new(note));
    }
    Ok(result)
}

/// The same without the check for an effect.
pub fn compute(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&Entry>,
) -> Result<DamageResult, Refusal> {
    call.check_limits()?;
    let (amount, below_zero) = amount::amount(state, system, call, referred)?;
    let target = lookup::participant(state, system, "target", &call.target)?;
    let revives = call.remove_conditions.iter().any(|name| same(name, DEAD));
    if Vitality::of(state, target.id).is_dead() && !revives {
        let summary = format!(
            "{0} is dead, and neither damage nor healing reaches the dead. If the story brings {0} back, send \
             remove_conditions=[\"dead\"] with it.",
            target.name
        );
        return Err(Refusal::new(Code::TargetDead, summary));
    }
    // A roll of 0 is a hit without damage.
    let moves = amount != 0 || call.track.is_some() || call.roll.is_some();
    let falls = if moves { falls::find_all(state, system, target, call, amount)? } else { Vec::new() };
    let on = falls.first().and_then(|(own, _)| own.name(system));
    let mut hit = apply_hit(state, system, target, falls, amount, call)?;
    if let Some(total) = below_zero.or(call.below_zero) {
        hit.steps.insert(0, Step { step: "a roll below 0 is a hit of 0".to_owned(), before: total, after: 0 });
    }
    let notes = call::apply_conditions(state, system, target, call, &mut hit.consequences)?;
    hit.drain();
    let Hit { steps, moved, consequences, mitigated: eased, left, .. } = hit;
    // Healing that the maximum cut short.
    let (points, past) = (eased.as_ref().map_or(amount.abs(), |own| own.left), left.abs());
    let eased = match amount < 0 && (1..points).contains(&past) {
        true => {
            let by = eased.into_iter().flat_map(|own| own.by).chain(["the maximum".to_owned()]).collect();
            Some(Mitigated { left: points - past, by })
        }
        false => eased,
    };
    let aside =
        !moved.is_empty() && !moved.iter().any(|(_, after)| consequences.vitality.is_health(system, &after.name));
    let idle =
        consequences.gained.is_empty() && consequences.lost.is_empty() && moved.iter().all(|(was, is)| was == is);
    let phrasing = match (idle && amount != 0, aside) {
        (true, _) => Some(Phrasing::Idle),
        (false, true) => Some(Phrasing::Counted),
        (false, false) => (!moves && moved.is_empty()).then_some(Phrasing::Conditions),
    };
    let event = DamageEvent {
        subject: target.subject(),
        track: on,
        amount,
        damage_type: call::kinds(call),
        parts: call.parts.clone(),
        steps,
        triggers: consequences.triggers.clone(),
        gained: consequences.gained.clone(),
        lost: consequences.lost.clone(),
        health: consequences.vitality.health(system),
        aside,
        eased,
        told: phrasing,
        open: false,
        reason: call.reason.clone(),
        roll: call.roll,
        by: None,
        roll_note: None,
    };
    Ok(DamageResult { event, moved, consequences, notes })
}

/// Works it out, logs it and returns it.
pub fn decide(table: &mut Table, call: DamageCall, visibility: Option<Visibility>) -> Result<DamageResult, Refusal> {
    let result = preview_with_roll(table.state, table.system(), &call, table.referred.as_ref(), &table.later)?;
    let target = table.state.characters.get(&result.event.subject.id);
    visibility.map_or(Ok(()), |own| secrets::check_character(table.state, own, "target", target))?;
    Ok(write(table, result, visibility))
}

/// Logs what was worked out.
pub fn write(table: &mut Table, result: DamageResult, visibility: Option<Visibility>) -> DamageResult {
    write_rolled(table, result, Vec::new(), visibility)
}

/// The same with dice that were thrown for it. What it moves of that which all share comes after it.
fn write_rolled(
    table: &mut Table,
    result: DamageResult,
    rolls: Vec<RollRecord>,
    visibility: Option<Visibility>,
) -> DamageResult {
    let since = i64::try_from(table.next_seq()).unwrap_or(i64::MAX);
    let mut changes = Vec::new();
    for (before, after) in result.moved.iter().filter(|(before, after)| before != after) {
        let known = table.state.tracks.contains_key(&(before.character, before.name.clone()));
        changes.push(Change::Track(Images { before: known.then(|| before.clone()), after: Some(after.clone()) }));
    }
    let rule = result.consequences.rule.clone();
    changes.extend(result.consequences.clone().into_changes(table.state, table.system(), since));
    let visibility = visibility.unwrap_or_else(|| default_visibility(table.state, &result));
    let note_alone = result.event.roll_note.as_ref().is_some_and(|note| note.hidden)
        && result.event.subject.kind.is_open()
        && hides_nothing(&changes, table.state);
    let open = note_alone || hides_only_causes(&changes, table.state);
    let by = result.event.by.clone().or_else(|| public_roller(table, &result.event).map(Box::new));
    let (event, visibility) = without_hidden(DamageEvent { open, by, ..result.event.clone() }, &changes, visibility);
    let event = Event::Damage(event);
    table.note(result.notes.clone());
    let before = shown_to_players(table, result.event.subject.id);
    table.log(Draft { visibility, rolls, rule, ..Draft::new("gm", event, changes) });
    let after = shown_to_players(table, result.event.subject.id).filter(|after| Some(after) != before.as_ref());
    table.note(after.filter(|_| matches!(visibility, Visibility::Gm | Visibility::Blind)).map(still_shown));
    table.note(effects::check_reminder(table.state, table.system(), &result.event));
    table.move_later(&result.consequences.shared, &result.event.subject.name, visibility);
    result
}

/// Whose public roll of an earlier call it was that hurt somebody of whom players get no figures: they saw the roll, and learn whose blow it was.
fn public_roller(table: &Table, event: &DamageEvent) -> Option<Subject> {
    let seq = event.roll.filter(|seq| !event.subject.kind.is_open() && table.written_at(*seq).is_none())?;
    let (_, entry) = table.referred.as_ref().filter(|(own, _)| *own == seq)?;
    let name = &entry.rolls.first().filter(|_| entry.visibility == Visibility::Public)?.by;
    let state = &*table.state;
    let who = state.characters.values().find(|who| same(&who.name, name))?;
    let is_known = state.is_met(who.id, who.kind) && !secrets::is_hidden_from_players(state, who);
    is_known.then(|| who.subject())
}

/// The event as it names no hidden effect; for the GM alone where that is all that it tells.
fn without_hidden(event: DamageEvent, changes: &[Change], visibility: Visibility) -> (DamageEvent, Visibility) {
    let hidden = duration::hidden_names(changes);
    if hidden.is_empty() || visibility == Visibility::Gm {
        return (event, visibility);
    }
    let mut seen = event.clone();
    [&mut seen.gained, &mut seen.lost].into_iter().for_each(|own| own.retain(|name| !hidden.contains(name)));
    match seen.told == Some(Phrasing::Conditions) && seen.gained.is_empty() && seen.lost.is_empty() {
        true => (event, Visibility::Gm),
        false => (seen, visibility),
    }
}

/// What players see of somebody at any time: the sheet of one of theirs, a word for a foe that they see in a fight.
fn shown_to_players(table: &Table, id: i64) -> Option<String> {
    let state = &*table.state;
    let who = state.characters.get(&id).filter(|who| !secrets::is_hidden_from_players(state, who))?;
    let fight =
        state.running_combat().is_some_and(|fight| state.combatants_of(fight.id).any(|own| own.character == id));
    let place = match (who.kind.is_open(), fight) {
        (true, true) => "the sheet and the fight's status have",
        (true, false) => "the sheet has",
        (false, true) => "the fight's status has",
        (false, false) => return None,
    };
    let conditions =
        state.conditions_of(id).filter(|row| who.kind.is_open() && !row.hidden).map(|row| format!(", {}", row.label()));
    let conditions: String = conditions.collect();
    Some(format!("{place} {} {}{conditions}", who.name, health(state, table.system(), who, Audience::Player)))
}

/// The note where a change that players are not told of shows at once.
fn still_shown(shown: String) -> String {
    format!(
        "players are not told what happened, and {shown}, which they see; to keep that from them, wait with it, and write it down \
         with manage_session action=\"note\" visibility=\"gm\""
    )
}

/// Public, except for an NPC that players have not met.
fn default_visibility(state: &State, result: &DamageResult) -> Visibility {
    if state.is_met(result.event.subject.id, result.event.subject.kind) { Visibility::Public } else { Visibility::Gm }
}

/// Applies the amount, step by step: first what is taken off it, then each part where it falls.
fn apply_hit<'a>(
    state: &'a State,
    system: &'a System,
    target: &'a Character,
    falls: Vec<(DamageTarget<'a>, Vec<usize>)>,
    amount: i64,
    call: &DamageCall,
) -> Result<Hit<'a>, Refusal> {
    let mut hit = Hit { unasked: call.unasked, ..Hit::new(state, system, target, amount) };
    let mut parts = call::initial_parts(call, amount);
    if let Some((step, left)) = call.measure.step(amount, system.halving_up) {
        hit.step(step, left);
        let all: Vec<usize> = (0..parts.len()).collect();
        call::share(&mut parts, &all, left);
        hit.record_mitigation();
    }
    let is_health = falls.iter().any(|(falls, _)| falls.is_health(&hit));
    if hit.left > 0 && is_health {
        falls::defend(&mut hit, &mut parts, &call.bypass)?;
        hit.record_mitigation();
    }
    if hit.left > 0 && is_health {
        let left = hit.left;
        hit.consequences.hit_landed(state, system, left);
    }
    let several = falls.len() > 1;
    let mut past = 0;
    for (falls, of) in falls {
        if several {
            hit.left = of.iter().filter_map(|at| parts.get(*at)).map(|part| part.amount).sum();
        }
        fall(&mut hit, falls)?;
        past += hit.left;
    }
    hit.left = past;
    hit.consequences.hit_is_over(state, system);
    hit.drain();
    Ok(hit)
}

/// Takes what is left of a hit from what it falls on.
fn fall(hit: &mut Hit<'_>, falls: DamageTarget<'_>) -> Result<(), Refusal> {
    let system = hit.system;
    let is_soaked = |line: &DamageLine| line.members().any(|name| system.soak(name).is_some());
    match falls {
        DamageTarget::Points(track) => {
            let is_health = DamageTarget::Points(track.clone()).is_health(hit);
            let track = hit.current(&track);
            let is_given = system.track(&track.name).is_ok_and(|own| own.is_given() || own.keeps_larger);
            if hit.left < 0 && is_given { hit::grant(hit, track) } else { hit::hit_track(hit, track, is_health) }
        }
        DamageTarget::Line(line, chosen) if is_soaked(line) => match hit.left {
            ..0 => hit::clear_marks(hit, line, chosen),
            0 => {}
            1.. => hit::mark(hit, line, chosen)?,
        },
        DamageTarget::Line(line, _) if line.stages.is_empty() && hit.left != 0 => hit.step("no track takes it", 0),
        DamageTarget::Line(line, _) if hit.left < 0 => hit::heal_stages(hit, line)?,
        DamageTarget::Line(line, chosen) => hit::take_stages(hit, line, chosen)?,
    }
    Ok(())
}

/// An effect of a rule that comes upon somebody.
#[derive(Debug, Clone, Copy)]
pub struct Due<'a> {
    pub effect: &'a Effect,
    /// Numbers that a roll brought, by name.
    pub given: &'a BTreeMap<String, i64>,
    /// How many times it adds to a track.
    pub times: i64,
}

/// Applies an effect of a rule to somebody and logs it; returns whether anything changed. Dice are thrown now.
/// Refused: when a number that it needs is missing, or there is no room for more conditions.
pub fn apply_effect(
    table: &mut Table,
    who: &Character,
    due: Due<'_>,
    reason: String,
    visibility: Visibility,
) -> Result<bool, Refusal> {
    let Due { effect, given, times } = due;
    let mut rolls = Vec::new();
    let amount = rolled_amount(table, who, (effect, given, "rule"), &mut rolls)?;
    if let Act::Damage { kind, .. } = &effect.act {
        let call = DamageCall {
            target: who.name.clone(),
            amount: Some(amount.max(0)),
            damage_type: kind.clone(),
            reason: Some(reason),
            unasked: true,
            ..DamageCall::default()
        };
        return Ok(amount > 0 && decide(table, call, Some(visibility)).is_ok());
    }
    let (state, system) = (&*table.state, table.system());
    let place = effect.place.to_string();
    let mut consequences = Consequences::new(state, who.id);
    consequences.rule = Some(place.clone());
    consequences.apply(state, system, (effect, amount), By { times, ..By::rule(&place) });
    consequences.check_limits(state, system)?;
    let moved = std::mem::take(&mut consequences.moved);
    let is_idle = moved.iter().all(|(before, after)| before == after)
        && consequences.gained.is_empty()
        && consequences.lost.is_empty()
        && consequences.shared.is_empty();
    if is_idle && rolls.is_empty() {
        return Ok(false);
    }
    let own = |track: &Track| effect.track().is_some_and(|own| tracks_of(system, own).contains(&track.name));
    let steps: Vec<Step> = moved
        .iter()
        .filter(|(before, _)| own(before))
        .map(|(before, after)| Step { step: before.name.clone(), before: before.value, after: after.value })
        .collect();
    let first = moved.iter().filter(|(before, _)| own(before));
    let amount = first.map(|(before, after)| worse_by(system, before, after)).fold(0, i64::saturating_add);
    let aside = !moved.iter().any(|(_, after)| consequences.vitality.is_health(system, &after.name));
    let phrasing = if steps.is_empty() { Phrasing::Conditions } else { Phrasing::Counted };
    let event = DamageEvent {
        subject: who.subject(),
        track: steps.first().map(|step| step.step.clone()),
        amount,
        damage_type: None,
        parts: Vec::new(),
        steps,
        triggers: consequences.triggers.clone(),
        gained: consequences.gained.clone(),
        lost: consequences.lost.clone(),
        health: consequences.vitality.health(system),
        aside: aside && !moved.is_empty(),
        eased: None,
        told: Some(phrasing),
        open: false,
        reason: Some(reason),
        roll: None,
        by: None,
        roll_note: None,
    };
    write_rolled(table, DamageResult { event, moved, consequences, notes: Vec::new() }, rolls, Some(visibility));
    Ok(!is_idle)
}

/// The tracks that a name of the rules stands for: marks of this name, or the track itself.
fn tracks_of(system: &System, name: &str) -> Vec<String> {
    match system.soak(name) {
        Some(soak) => soak.marks.iter().map(|mark| mark.track.clone()).collect(),
        None => vec![name.to_owned()],
    }
}

/// The number of an effect, rolled where it has dice. `given` are numbers that a roll brought, by name; below 0 is nothing.
/// Refused: when a number that it needs is missing.
pub fn rolled_amount(
    table: &mut Table,
    who: &Character,
    (effect, given, purpose): (&Effect, &BTreeMap<String, i64>, &str),
    rolls: &mut Vec<RollRecord>,
) -> Result<i64, Refusal> {
    let Some(amount) = &effect.amount else { return Ok(0) };
    let given = |name: &str| given.iter().find(|(own, _)| same(own, name)).map(|(_, value)| (*value).max(0));
    let values = Values::of(table.state, table.system(), who);
    let bound = amount.bind(&mut |name| given(name).or_else(|| values.get(name)));
    let expression = match bound {
        Ok(bound) => bound,
        Err(_) => values.bind(amount)?,
    };
    if let Some(constant) = expression.constant() {
        return Ok(constant);
    }
    let record = table.roll(&expression, &who.name, purpose).map_err(|error| dice_refusal(&error))?;
    let total = record.roll.total;
    rolls.push(record);
    Ok(total)
}
