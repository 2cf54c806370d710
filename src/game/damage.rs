//! Damage and healing: from the amount named to the track's new value, each step itemised, and what the rules
//! do when a bound is crossed.

use crate::game::entry::{Change, Images, Visibility};
use crate::game::event::{DamageEvent, Event, Step};
use crate::game::limits::{self, LIMITS};
use crate::game::lookup;
use crate::game::refusal::Refusal;
use crate::game::state::{Character, Condition, State, Track};
use crate::game::table::{Draft, Table};
use crate::names::fold;
use crate::rules::{Direction, System, Trigger, TriggerWhen};

/// The condition that nothing but its removal ends.
const DEAD: &str = "dead";

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct DamageCall {
    pub target: String,
    /// Positive damage, negative healing.
    pub amount: i64,
    pub damage_type: Option<String>,
    pub track: Option<String>,
    /// Half of it, rounded down toward zero.
    pub half: bool,
    pub apply_conditions: Vec<String>,
    pub remove_conditions: Vec<String>,
    pub reason: Option<String>,
    /// The entry whose roll decided the amount.
    pub roll: Option<u64>,
}

/// What would happen, before it does.
#[derive(Debug, Clone)]
pub struct Wound {
    pub event: DamageEvent,
    pub before: Option<Track>,
    pub after: Option<Track>,
    pub conditions: Vec<Change>,
    pub rule: Option<String>,
    /// The track has no room left below (or above, where it fills up).
    pub incapacitated: bool,
}

/// Works out the wound and changes nothing.
pub fn preview(state: &State, system: &System, call: &DamageCall) -> Result<Wound, Refusal> {
    bounds(call)?;
    let target = lookup::character(state, system, &call.target)?;
    let revives = call.remove_conditions.iter().any(|name| fold(name) == DEAD);
    if has(state, target, DEAD) && !revives {
        let summary = format!(
            "{0} is dead, and neither damage nor healing reaches the dead. If the story brings {0} back, send \
             remove_conditions=[\"dead\"] with it.",
            target.name
        );
        return Err(Refusal::new("target_dead", summary));
    }
    let track = if call.amount == 0 && call.track.is_none() { None } else { Some(track(state, system, target, call)?) };
    let mut wound = wounded(system, target, track, call);
    triggers(state, system, target, &mut wound);
    named_conditions(state, target, call, &mut wound)?;
    Ok(wound)
}

/// Works it out and logs it; answers the entry's number.
pub fn decide(table: &mut Table, call: DamageCall, visibility: Option<Visibility>) -> Result<u64, Refusal> {
    let mut wound = preview(table.state, table.system(), &call)?;
    let since = i64::try_from(table.next_seq()).unwrap_or(i64::MAX);
    let down = down(table.state, table.system(), &wound);
    let mut changes = Vec::new();
    if let (Some(before), Some(after)) = (wound.before.take(), wound.after.take())
        && before != after
    {
        changes.push(Change::Track(Images::changed(before, after)));
    }
    changes.extend(wound.conditions.into_iter().map(|change| stamped(change, since)));
    if let Some(down) = down {
        changes.extend(standing(table.state, wound.event.subject.id, down));
    }
    Ok(table.log(Draft {
        visibility: visibility.unwrap_or_default(),
        rule: wound.rule,
        ..Draft::new("gm", Event::Damage(wound.event), changes)
    }))
}

fn bounds(call: &DamageCall) -> Result<(), Refusal> {
    limits::number("amount", call.amount)?;
    limits::count("apply_conditions", call.apply_conditions.len(), LIMITS.conditions)?;
    limits::count("remove_conditions", call.remove_conditions.len(), LIMITS.conditions)?;
    for name in call.apply_conditions.iter().chain(&call.remove_conditions) {
        limits::name("condition", name)?;
    }
    for (parameter, text) in [("reason", &call.reason), ("damage_type", &call.damage_type)] {
        if let Some(text) = text {
            limits::text(parameter, text, LIMITS.context)?;
        }
    }
    if call.amount == 0 && call.apply_conditions.is_empty() && call.remove_conditions.is_empty() {
        let summary = "amount is 0 and no condition is named, so there is nothing to do. Send amount=5 for \
                       damage, amount=-5 for healing.";
        return Err(Refusal::new("no_effect", summary));
    }
    Ok(())
}

/// The track that is meant: the named one, else the first the rules declare that the character has, else its only one.
fn track<'s>(state: &'s State, system: &System, target: &Character, call: &DamageCall) -> Result<&'s Track, Refusal> {
    let own = || state.tracks_of(target.id);
    let found = match &call.track {
        Some(name) => own().find(|track| fold(&track.name) == fold(name)),
        None => system
            .tracks
            .iter()
            .find_map(|rule| own().find(|track| track.name == rule.name))
            .or_else(|| own().next().filter(|_| own().count() == 1)),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = own().map(|track| track.name.as_str()).collect();
        let has = if names.is_empty() { "no track yet".to_owned() } else { names.join(", ") };
        let summary = format!(
            "{0} has {has}. Send track=\"…\" for one of these, or manage_character action=\"update\" \
             character=\"{0}\" tracks={{\"Hit points\": 8}} to give it one.",
            target.name
        );
        Refusal::new("unknown_track", summary).near(names.into_iter().take(3).map(str::to_owned).collect())
    })
}

fn wounded(system: &System, target: &Character, track: Option<&Track>, call: &DamageCall) -> Wound {
    let mut amount = call.amount;
    let mut steps = Vec::new();
    if call.half {
        steps.push(Step { step: "half, rounded down".to_owned(), before: amount, after: amount / 2 });
        amount /= 2;
    }
    let after = track.map(|track| {
        let moved = match direction(system, track) {
            Direction::Down => track.value - amount,
            Direction::Up => track.value + amount,
        };
        let value = moved.min(track.max.unwrap_or(i64::MAX)).max(track.min);
        steps.push(Step { step: track.name.clone(), before: track.value, after: value });
        if moved != value {
            steps.push(Step { step: "past the end of the track".to_owned(), before: (moved - value).abs(), after: 0 });
        }
        Track { value, ..track.clone() }
    });
    let incapacitated = after.as_ref().is_some_and(|track| exhausted(system, track));
    Wound {
        event: DamageEvent {
            subject: target.subject(),
            track: track.map(|track| track.name.clone()),
            amount,
            damage_type: call.damage_type.clone(),
            steps,
            triggers: Vec::new(),
            gained: Vec::new(),
            lost: Vec::new(),
            reason: call.reason.clone(),
            roll: call.roll,
        },
        before: track.cloned(),
        after,
        conditions: Vec::new(),
        rule: None,
        incapacitated,
    }
}

/// Fires each trigger whose bound this wound crossed, and ends what the bottom brought when the track rises from it.
fn triggers(state: &State, system: &System, target: &Character, wound: &mut Wound) {
    let (Some(before), Some(after)) = (wound.before.clone(), wound.after.clone()) else { return };
    for trigger in &system.triggers {
        let place = trigger.place.to_string();
        if fires(trigger, &before, &after, wound.event.amount) {
            wound.event.triggers.push(trigger.text.clone());
            wound.rule = Some(place.clone());
            for name in &trigger.conditions {
                gain(state, target, name, &place, wound);
            }
        } else if rises(trigger, &before, &after) {
            let ended: Vec<Condition> =
                state.conditions_of(target.id).filter(|condition| condition.source == place).cloned().collect();
            for condition in ended {
                wound.event.lost.push(condition.name.clone());
                wound.conditions.push(Change::Condition(Images::gone(condition)));
            }
        }
    }
}

fn fires(trigger: &Trigger, before: &Track, after: &Track, amount: i64) -> bool {
    if fold(trigger.when.track()) != fold(&after.name) {
        return false;
    }
    let left_over = amount - (before.value - before.min);
    let hit = |of: fn(i64, i64) -> bool| amount > 0 && before.max.is_some_and(|max| of(amount, max));
    match &trigger.when {
        TriggerWhen::AtZero { .. } => before.value > after.min && after.value == after.min,
        TriggerWhen::Full { .. } => before.max != Some(before.value) && after.max == Some(after.value),
        TriggerWhen::OneHitOfHalfMax { .. } => hit(|amount, max| amount * 2 >= max),
        TriggerWhen::OneHitOfMax { .. } => hit(|amount, max| amount >= max),
        TriggerWhen::LeftOverOfMax { .. } => {
            after.value == after.min && left_over > 0 && before.max.is_some_and(|max| left_over >= max)
        }
    }
}

fn rises(trigger: &Trigger, before: &Track, after: &Track) -> bool {
    matches!(&trigger.when, TriggerWhen::AtZero { track } if fold(track) == fold(&after.name))
        && before.value == before.min
        && after.value > after.min
}

fn named_conditions(state: &State, target: &Character, call: &DamageCall, wound: &mut Wound) -> Result<(), Refusal> {
    for name in &call.remove_conditions {
        let name = fold(name);
        let Some(condition) = state.conditions_of(target.id).find(|condition| condition.name == name).cloned() else {
            let has: Vec<&str> = state.conditions_of(target.id).map(|condition| condition.name.as_str()).collect();
            let has = if has.is_empty() { "none".to_owned() } else { has.join(", ") };
            let summary = format!("{} is not {name}; conditions now: {has}.", target.name);
            return Err(Refusal::new("unknown_condition", summary));
        };
        if !wound.event.lost.contains(&name) {
            wound.event.lost.push(name);
            wound.conditions.push(Change::Condition(Images::gone(condition)));
        }
    }
    for name in &call.apply_conditions {
        gain(state, target, name, "gm", wound);
    }
    limits::count("conditions", state.conditions_of(target.id).count() + wound.event.gained.len(), LIMITS.conditions)
}

fn gain(state: &State, target: &Character, name: &str, source: &str, wound: &mut Wound) {
    let name = fold(name);
    // A condition that this very call ends and brings again just stays.
    if let Some(ended) = wound.event.lost.iter().position(|lost| *lost == name) {
        wound.event.lost.remove(ended);
        wound.conditions.retain(
            |change| !matches!(change, Change::Condition(Images { before: Some(row), after: None }) if row.name == name),
        );
        return;
    }
    if has(state, target, &name) || wound.event.gained.contains(&name) {
        return;
    }
    wound.event.gained.push(name.clone());
    let row = Condition { character: target.id, name, since: 0, source: source.to_owned() };
    wound.conditions.push(Change::Condition(Images::made(row)));
}

fn has(state: &State, target: &Character, condition: &str) -> bool {
    state.conditions_of(target.id).any(|row| row.name == condition)
}

fn stamped(change: Change, since: i64) -> Change {
    match change {
        Change::Condition(Images { before: None, after: Some(row) }) => {
            Change::Condition(Images::made(Condition { since, ..row }))
        }
        other => other,
    }
}

/// Whether the wound puts its target out of the fight (`true`), back into it (`false`), or says nothing of that.
fn down(state: &State, system: &System, wound: &Wound) -> Option<bool> {
    let id = wound.event.subject.id;
    let named = |list: &[String]| list.iter().any(|name| name == DEAD);
    let (killed, raised) = (named(&wound.event.gained), named(&wound.event.lost));
    let vital = vital(state, system, id);
    let moved = wound.after.as_ref().filter(|after| vital.is_some_and(|vital| vital.name == after.name));
    if !killed && !raised && moved.is_none() {
        return None;
    }
    let dead = killed || (!raised && state.conditions_of(id).any(|condition| condition.name == DEAD));
    Some(dead || moved.or(vital).is_some_and(|track| exhausted(system, track)))
}

/// Whether somebody is out of a fight: dead, or the track that counts is at its end.
pub fn is_down(state: &State, system: &System, character: i64) -> bool {
    vital(state, system, character).is_some_and(|track| exhausted(system, track))
        || state.conditions_of(character).any(|condition| condition.name == DEAD)
}

/// The track that decides who still stands: the first the rules declare, else the first there is.
fn vital<'s>(state: &'s State, system: &System, character: i64) -> Option<&'s Track> {
    let declared =
        system.tracks.first().and_then(|rule| state.tracks_of(character).find(|track| track.name == rule.name));
    declared.or_else(|| state.tracks_of(character).next())
}

/// The combatant rows that follow from the track: out of the fight at its end, back in above it.
fn standing(state: &State, character: i64, down: bool) -> Vec<Change> {
    let Some(combat) = state.running_combat() else { return Vec::new() };
    state
        .combatants_of(combat.id)
        .filter(|combatant| combatant.character == character && combatant.defeated != down)
        .map(|before| {
            let after = crate::game::state::Combatant { defeated: down, ..before.clone() };
            Change::Combatant(Images::changed(before.clone(), after))
        })
        .collect()
}

/// Which way damage moves a track: down unless the rules say it fills up.
pub fn direction(system: &System, track: &Track) -> Direction {
    system.track(&track.name).map_or(Direction::Down, |rule| rule.counts)
}

/// Whether a track has reached the end that damage moves it to.
pub fn exhausted(system: &System, track: &Track) -> bool {
    match direction(system, track) {
        Direction::Down => track.value <= track.min,
        Direction::Up => track.max.is_some_and(|max| track.value >= max),
    }
}
