//! Damage and healing: from the amount to the track's new value, step by step. Thresholds are in
//! [`crate::mechanics::threshold`], being up or down in [`crate::mechanics::health`].

mod amount;
mod call;
mod hit;
mod targets;

pub use amount::{RollUses, dealt, differs, not_a_damage_roll, parts_of, rolled_amounts};
pub use call::{
    DamageCall, Measure, check_effect, conditions_called, is_called, is_type, read_typed, typed,
    types, types_of,
};

use std::collections::BTreeMap;

use crate::mechanics::threshold::{By, Consequences};
use crate::mechanics::values::{Values, dice_refusal};
use crate::mechanics::{duration, effects, lookup, tracks::worse_by};
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, RollRecord, Visibility};
use crate::record::event::{DamageEvent, Event, Mitigated, Part, Phrasing, Step, Subject};
use crate::record::state::{Character, Clock, DEAD, State, Track};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::view::visibility::{health, hides_nothing, hides_only_causes};
use crate::view::{Audience, secrets};
use hit::Hit;
use rollbook_rules::{Act, DamageLine, Effect, System, Trigger, When};
use rollbook_text::names::same;
use targets::{DamageTarget, Fall};

/// Damage that is worked out and not logged yet.
#[derive(Debug, Clone)]
pub struct DamageResult {
    pub event: DamageEvent,
    /// Its tracks include those that did not move.
    pub consequences: Consequences,
    /// Dice that were thrown for it.
    pub rolls: Vec<RollRecord>,
    pub notes: Vec<String>,
}

/// Works out the damage; refused where it has no effect. `referred` is the entry of `call.roll`.
pub fn preview(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&Entry>,
) -> Result<DamageResult> {
    let result = compute(state, system, call, referred)?;
    call::check_effect(&result.event, call)?;
    Ok(result)
}

/// The same with a note on how it departs from its roll; `later` are the entries after that.
pub fn preview_with_roll(
    state: &State,
    system: &System,
    call: &DamageCall,
    referred: Option<&(u64, Entry)>,
    later: &[(u64, Entry)],
) -> Result<DamageResult> {
    let mut result = preview(state, system, call, referred.map(|(_, entry)| entry))?;
    if let Some((seq, entry)) = referred {
        let mut note = RollUses::among(later).note(*seq, entry, &result.event);
        note.like_check = amount::is_like_a_check(system, call, entry, result.event.amount);
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
) -> Result<DamageResult> {
    call.check_limits()?;
    let (parts, below_zero) = amount::amount(state, system, call, referred)?;
    let amount = parts.iter().map(|part| part.amount).sum::<i64>();
    let target = lookup::participant(state, system, "target", &call.target)?;
    // A roll of 0 is a hit without damage.
    let moves = amount != 0 || call.track.is_some() || call.roll.is_some();
    let mut hit = Hit::new(state, system, target, amount, call.unasked);
    if hit.consequences.vitality.is_dead()
        && !call.remove_conditions.iter().any(|name| same(name, DEAD))
    {
        let summary = format!(
            "{0} is dead, and neither damage nor healing reaches the dead. If the story brings {0} back, send \
             remove_conditions=[\"dead\"] with it.",
            target.name
        );
        return Err(Refusal::new(Code::TargetDead, summary));
    }
    let targets = if moves {
        targets::find_all(&hit, call.track.as_deref(), &parts)?
    } else {
        Vec::new()
    };
    let track = targets.first().and_then(|(target, _)| target.name(system));
    apply_hit(&mut hit, targets, parts.clone(), call)?;
    if let Some(total) = below_zero.or(call.below_zero) {
        hit.steps.insert(
            0,
            Step {
                step: "a roll below 0 is a hit of 0".to_owned(),
                before: total,
                after: 0,
            },
        );
    }
    let notes = call::apply_conditions(&mut hit, call)?;
    let Hit {
        steps,
        consequences,
        mitigated: mut eased,
        left,
        ..
    } = hit;
    // Healing that the maximum cut short.
    let (points, past) = (
        eased.as_ref().map_or(amount.abs(), |eased| eased.left),
        left.abs(),
    );
    if amount < 0 && (1..points).contains(&past) {
        let eased = eased.get_or_insert_with(|| Mitigated {
            left: 0,
            by: Vec::new(),
        });
        eased.left = points - past;
        eased.by.push("the maximum".to_owned());
    }
    let idle = is_idle(&consequences);
    let phrasing = match () {
        () if idle && amount != 0 => Some(Phrasing::Idle),
        () if is_aside(system, &consequences) => Some(Phrasing::Counted),
        () => (!moves && consequences.moved.is_empty()).then_some(Phrasing::Conditions),
    };
    let event = DamageEvent {
        track,
        amount,
        damage_type: call::kinds(&parts),
        parts: if parts.len() > 1 { parts } else { Vec::new() },
        steps,
        eased,
        told: phrasing,
        reason: call.reason.clone(),
        roll: call.roll,
        ..applied_event(system, target, &consequences, &[], String::new())
    };
    Ok(DamageResult {
        event,
        consequences,
        rolls: Vec::new(),
        notes,
    })
}

fn is_idle(
    Consequences {
        gained,
        lost,
        moved,
        ..
    }: &Consequences,
) -> bool {
    gained.is_empty() && lost.is_empty() && moved.iter().all(|(before, after)| before == after)
}

/// Works it out, logs it and returns it.
pub fn decide(
    table: &mut Table,
    call: DamageCall,
    visibility: Option<Visibility>,
) -> Result<DamageResult> {
    let result = preview_with_roll(
        table.state,
        table.system(),
        &call,
        table.referred.as_ref(),
        &table.later,
    )?;
    let target = table.state.characters.get(&result.event.subject.id);
    visibility.map_or(Ok(()), |seen| {
        secrets::check_character(table.state, seen, "target", target)
    })?;
    Ok(write(table, result, visibility))
}

/// Logs what was worked out. What it moves of that which all share comes after it.
pub fn write(
    table: &mut Table,
    result: DamageResult,
    visibility: Option<Visibility>,
) -> DamageResult {
    let since = table.next_id();
    let mut changes = Vec::new();
    let mut consequences = result.consequences.clone();
    for (before, after) in std::mem::take(&mut consequences.moved)
        .into_iter()
        .filter(|(before, after)| before != after)
    {
        let known = table
            .state
            .tracks
            .contains_key(&(before.character, before.name.clone()));
        changes.push(Change::Track(Images {
            before: known.then_some(before),
            after: Some(after),
        }));
    }
    let rule = consequences.rule.clone();
    let name = &result.event.subject.name;
    let words = std::mem::take(&mut consequences.words);
    table.note(words.iter().map(|words| format!("{name}: {words}")));
    changes.extend(consequences.into_changes(table.state, table.system(), since));
    // Public, except for an NPC that players have not met.
    let met = table
        .state
        .is_met(result.event.subject.id, result.event.subject.kind);
    let visibility = visibility.unwrap_or(if met {
        Visibility::Public
    } else {
        Visibility::Gm
    });
    let note_alone = result
        .event
        .roll_note
        .as_ref()
        .is_some_and(|note| note.hidden)
        && result.event.subject.kind.is_open()
        && hides_nothing(&changes, table.state);
    let open = note_alone || hides_only_causes(&changes, table.state);
    let by = result
        .event
        .by
        .clone()
        .or_else(|| public_roller(table, &result.event).map(Box::new));
    let (mut event, visibility) = without_hidden(
        DamageEvent {
            open,
            by,
            ..result.event.clone()
        },
        &changes,
        visibility,
    );
    let begun = changes.iter().filter_map(|change| match change {
        Change::Condition(images) => images.after.as_ref(),
        _ => None,
    });
    for row in begun {
        let label = row.label();
        if let Some(gained) = event.gained.iter_mut().find(|gained| **gained == label)
            && let Some(ends) = duration::end_words(table.state, table.system(), row)
        {
            *gained = format!("{label} ({ends})");
        }
    }
    table.note(result.notes.clone());
    // A change that players get no entry of is seen all the same.
    let is_unsaid = matches!(visibility, Visibility::Gm | Visibility::Blind);
    let shown = |table: &Table| shown_to_players(table, result.event.subject.id);
    let before = is_unsaid.then(|| shown(table));
    let rolls = result.rolls.clone();
    table.log(Draft {
        visibility,
        rolls,
        rule,
        ..Draft::new("gm", Event::Damage(event), changes)
    });
    let after =
        before.and_then(|before| shown(table).filter(|after| Some(after) != before.as_ref()));
    table.note(after.map(|shown| {
        format!(
            "players are not told what happened, and {shown}, which they see; to keep that from them, wait with it, and write it down \
             with manage_session action=\"note\" visibility=\"gm\""
        )
    }));
    table.note(effects::check_reminder(
        table.state,
        table.system(),
        &result.event,
    ));
    table.move_later(
        &result.consequences.shared,
        &result.event.subject.name,
        visibility,
    );
    result
}

/// Whose public roll of an earlier call it was that hurt a character of whom players get no
/// figures: they saw the roll, and learn who struck.
fn public_roller(table: &Table, event: &DamageEvent) -> Option<Subject> {
    let seq = event
        .roll
        .filter(|seq| !event.subject.kind.is_open() && table.written_at(*seq).is_none())?;
    let (_, entry) = table.referred.as_ref().filter(|(entry, _)| *entry == seq)?;
    let name = &entry
        .rolls
        .first()
        .filter(|_| entry.visibility == Visibility::Public)?
        .by;
    let state = &*table.state;
    let who = state
        .characters
        .values()
        .find(|who| same(&who.name, name))?;
    let is_known = state.is_met(who.id, who.kind) && !secrets::is_hidden_from_players(state, who);
    is_known.then(|| who.subject())
}

/// The event as it names no hidden effect; for the GM alone where that is all that it tells.
fn without_hidden(
    event: DamageEvent,
    changes: &[Change],
    visibility: Visibility,
) -> (DamageEvent, Visibility) {
    let hidden = duration::hidden_names(changes);
    if hidden.is_empty() || visibility == Visibility::Gm {
        return (event, visibility);
    }
    let mut seen = event.clone();
    [&mut seen.gained, &mut seen.lost]
        .into_iter()
        .for_each(|names| names.retain(|name| !hidden.contains(name)));
    let is_all =
        seen.told == Some(Phrasing::Conditions) && seen.gained.is_empty() && seen.lost.is_empty();
    if is_all {
        (event, Visibility::Gm)
    } else {
        (seen, visibility)
    }
}

/// What players see of a character: the sheet of one of theirs, a word for a foe in a fight.
fn shown_to_players(table: &Table, id: i64) -> Option<String> {
    let state = &*table.state;
    let who = state
        .characters
        .get(&id)
        .filter(|who| !secrets::is_hidden_from_players(state, who))?;
    let fights = state.running_combat().is_some() && state.open_combatant(id).is_some();
    let place = match (who.kind.is_open(), fights) {
        (true, true) => "the sheet and the fight's status have",
        (true, false) => "the sheet has",
        (false, true) => "the fight's status has",
        (false, false) => return None,
    };
    let seen = state
        .conditions_of(id)
        .filter(|row| who.kind.is_open() && !row.hidden);
    let conditions: String = seen.map(|row| format!(", {}", row.label())).collect();
    Some(format!(
        "{place} {} {}{conditions}",
        who.name,
        health(state, table.system(), who, Audience::Player)
    ))
}

/// Applies the amount, step by step: first what is taken off it, then each part where it falls.
fn apply_hit(
    hit: &mut Hit<'_>,
    targets: Vec<Fall<'_>>,
    mut parts: Vec<Part>,
    call: &DamageCall,
) -> Result<()> {
    let (state, system, amount) = (hit.state, hit.system, hit.left);
    let eased = match call.measure {
        Measure::Once => None,
        Measure::Half => Some(targets::halved(amount, system.halving_up)),
        Measure::Twice => Some(("twice", amount.saturating_mul(2))),
    };
    if let Some((step, left)) = eased {
        hit.step(step, left);
        let all: Vec<usize> = (0..parts.len()).collect();
        call::share(&mut parts, &all, left);
        hit.record_mitigation();
    }
    if hit.left > 0 && targets.iter().any(|(target, _)| target.is_health(hit)) {
        targets::defend(hit, &mut parts, &call.bypass)?;
        hit.record_mitigation();
        if hit.left > 0 {
            hit.consequences.fire_on_hit(state, system, hit.left, false);
        }
    }
    let several = targets.len() > 1;
    let mut past = 0;
    for (target, of) in targets {
        if several {
            hit.left = of
                .iter()
                .filter_map(|at| parts.get(*at))
                .map(|part| part.amount)
                .sum();
        }
        take_from(hit, target)?;
        past += hit.left;
    }
    hit.left = past;
    hit.consequences.hit_is_over(state, system);
    Ok(())
}

fn take_from(hit: &mut Hit<'_>, target: DamageTarget<'_>) -> Result<()> {
    let (system, is_health) = (hit.system, target.is_health(hit));
    let is_soaked = |line: &DamageLine| line.members().any(|name| system.soak(name).is_some());
    match target {
        DamageTarget::Points(track) => {
            let track = hit.current(&track);
            let is_temporary = system
                .track(&track.name)
                .is_ok_and(|track| track.is_temporary() || track.keeps_larger);
            if hit.left < 0 && is_temporary {
                hit::grant(hit, track);
            } else {
                hit::take_from(hit, track);
                if is_health {
                    hit.leave_over()
                } else {
                    hit::add_last_step(hit)
                }
            }
        }
        DamageTarget::Line(line, chosen) if is_soaked(line) => match hit.left {
            ..0 => hit::clear_marks(hit, line, chosen),
            0 => {}
            1.. => hit::mark(hit, line, chosen)?,
        },
        DamageTarget::Line(line, _) if line.stages.is_empty() && hit.left != 0 => {
            hit.step("no track takes it", 0)
        }
        DamageTarget::Line(line, _) if hit.left < 0 => hit::heal_stages(hit, line)?,
        DamageTarget::Line(line, chosen) => {
            line.stages
                .iter()
                .try_for_each(|stage| hit::take_stage(hit, line, stage, chosen))?;
            hit::name_only(hit);
            hit.leave_over();
        }
    }
    Ok(())
}

type Moved = (Track, Track);

/// The event of what a rule did: `counted` are the moved tracks that it names.
fn applied_event(
    system: &System,
    who: &Character,
    consequences: &Consequences,
    counted: &[Moved],
    reason: String,
) -> DamageEvent {
    let step = |(before, after): &Moved| Step {
        step: before.name.clone(),
        before: before.value,
        after: after.value,
    };
    let steps: Vec<Step> = counted.iter().map(step).collect();
    DamageEvent {
        subject: who.subject(),
        track: steps.first().map(|step| step.step.clone()),
        amount: counted
            .iter()
            .map(|(before, after)| worse_by(system, before, after))
            .fold(0, i64::saturating_add),
        told: Some(if steps.is_empty() {
            Phrasing::Conditions
        } else {
            Phrasing::Counted
        }),
        steps,
        triggers: consequences.triggers.clone(),
        gained: consequences.gained.clone(),
        lost: consequences.lost.clone(),
        health: consequences.vitality.health(system),
        aside: is_aside(system, consequences),
        reason: Some(reason),
        ..DamageEvent::default()
    }
}

fn is_aside(system: &System, consequences: &Consequences) -> bool {
    let moved = &consequences.moved;
    !moved.is_empty()
        && !moved
            .iter()
            .any(|(_, after)| consequences.vitality.is_health(system, &after.name))
}

/// An effect of a rule on a character.
#[derive(Debug, Clone, Copy)]
pub struct Due<'a> {
    pub effect: &'a Effect,
    /// Numbers of a roll, by name.
    pub given: &'a BTreeMap<String, i64>,
    /// How many times it adds to a track.
    pub times: i64,
}

/// Applies an effect of a rule to a character and logs it; returns whether anything changed.
/// Dice are thrown now. Refused: when a number is missing, or there is no room for more conditions.
pub fn apply_effect(
    table: &mut Table,
    who: &Character,
    due: Due,
    reason: String,
    seen: Visibility,
) -> Result<bool> {
    let Due {
        effect,
        given,
        times,
    } = due;
    let (state, system) = (&*table.state, table.system());
    let is_due = |when: &When| Consequences::new(state, who.id).holds(state, system, when, 0);
    if !effect.only_if.as_ref().is_none_or(is_due) {
        return Ok(false);
    }
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
        return Ok(amount > 0 && decide(table, call, Some(seen)).is_ok());
    }
    let (state, system) = (&*table.state, table.system());
    let place = effect.place.to_string();
    let mut consequences = Consequences::new(state, who.id);
    consequences.rule = Some(place.clone());
    consequences.apply(
        state,
        system,
        (effect, amount),
        By {
            times,
            ..By::rule(&place)
        },
    );
    consequences.check_limits(state, system)?;
    let is_idle = is_idle(&consequences) && consequences.shared.is_empty();
    if is_idle && rolls.is_empty() {
        return Ok(false);
    }
    // A name of the rules means the marks of this name, or for the track itself.
    let names = effect.track().map(|name| match system.soak(name) {
        Some(soak) => soak.marks.iter().map(|mark| mark.track.as_str()).collect(),
        None => vec![name],
    });
    let is_named = |(before, _): &&Moved| names.iter().flatten().any(|name| *name == before.name);
    let counted: Vec<Moved> = consequences
        .moved
        .iter()
        .filter(is_named)
        .cloned()
        .collect();
    let event = applied_event(system, who, &consequences, &counted, reason);
    write(
        table,
        DamageResult {
            event,
            consequences,
            rolls,
            notes: Vec::new(),
        },
        Some(seen),
    );
    Ok(!is_idle)
}

/// Applies what a clock's or shared track's trigger does to a character, and logs what changes: all
/// of it, or nothing with a note why. Without effects the conditions end that it began before.
pub fn apply_clock_effects(
    table: &mut Table,
    who: &Character,
    (clock, trigger): (&Clock, &Trigger),
    effects: &[&Effect],
    visibility: Visibility,
) {
    let (state, system) = (&*table.state, table.system());
    let mut consequences = Consequences::new(state, who.id);
    if consequences.vitality.is_dead() {
        return;
    }
    let place = trigger.place.to_string();
    for effect in effects {
        if let Some(amount) = consequences.number_of(state, system, effect, 0) {
            consequences.apply(state, system, (effect, amount), By::rule(&place));
        }
    }
    if effects.is_empty() {
        consequences.end_brought(state, |row| row.source == place);
    }
    if let Err(refusal) = consequences.check_limits(state, system) {
        let effects: Vec<&str> = effects.iter().map(|effect| effect.text.as_str()).collect();
        table.note([format!(
            "{} did not happen to {}: {}",
            effects.join(", "),
            who.name,
            refusal.summary
        )]);
        return;
    }
    let Consequences {
        gained,
        lost,
        moved,
        ..
    } = &consequences;
    if gained.is_empty() && lost.is_empty() && moved.is_empty() {
        return;
    }
    consequences.rule = Some(place);
    let event = applied_event(
        system,
        who,
        &consequences,
        &consequences.moved,
        clock.name.clone(),
    );
    write(
        table,
        DamageResult {
            event,
            consequences,
            rolls: Vec::new(),
            notes: Vec::new(),
        },
        Some(visibility),
    );
}

/// The number of an effect, rolled where it has dice. `given` are numbers of a roll, by name; below
/// 0 is nothing. Refused: when a number that it needs is missing.
pub fn rolled_amount(
    table: &mut Table,
    who: &Character,
    (effect, given, purpose): (&Effect, &BTreeMap<String, i64>, &str),
    rolls: &mut Vec<RollRecord>,
) -> Result<i64> {
    let Some(amount) = &effect.amount else {
        return Ok(0);
    };
    let given = |name: &str| {
        given
            .iter()
            .find(|(known, _)| same(known, name))
            .map(|(_, value)| (*value).max(0))
    };
    let values = Values::of(table.state, table.system(), who);
    let bound = amount.bind(&mut |name| given(name).or_else(|| values.get(name)));
    let expression = bound.or_else(|_| values.bind(amount))?;
    if let Some(constant) = expression.constant() {
        return Ok(constant);
    }
    let record = table
        .roll(&expression, &who.name, purpose)
        .map_err(|error| dice_refusal(&error))?;
    let total = record.roll.total;
    rolls.push(record);
    Ok(total)
}
