//! Damage and healing: from the amount named to the track's new value, each step itemised. What a crossed bound
//! brings is [`crate::game::crossing`]'s, who still stands [`crate::game::standing`]'s.

mod amount;

use crate::game::crossing::Crossing;
use crate::game::entry::{Change, Entry, Images, Visibility};
use crate::game::event::{DamageEvent, Event, Step};
use crate::game::limits::{self, LIMITS};
use crate::game::lookup;
use crate::game::refusal::Refusal;
use crate::game::standing::{DEAD, Standing, direction};
use crate::game::state::{Character, State, Track};
use crate::game::table::{Draft, Table};
use crate::game::tracks::main_name;
use crate::names::{fold, quoted};
use crate::rules::{Direction, System};

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct DamageCall {
    pub target: String,
    /// Positive damage, negative healing. `None`: what `roll` came to.
    pub amount: Option<i64>,
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
    pub crossing: Crossing,
}

/// Works out the wound and changes nothing. `referred` is the entry that `call.roll` names.
pub fn preview(state: &State, system: &System, call: &DamageCall, referred: Option<&Entry>) -> Result<Wound, Refusal> {
    bounds(call)?;
    let (amount, below_zero) = amount::amount(call, referred)?;
    let target = lookup::sent_as(state, system, "target", &call.target)?;
    let revives = call.remove_conditions.iter().any(|name| fold(name) == DEAD);
    if Standing::of(state, target.id).dead && !revives {
        let summary = format!(
            "{0} is dead, and neither damage nor healing reaches the dead. If the story brings {0} back, send \
             remove_conditions=[\"dead\"] with it.",
            target.name
        );
        return Err(Refusal::new("target_dead", summary));
    }
    // A roll of 0 is a hit that did nothing, and is told as one.
    let moves = amount != 0 || call.track.is_some() || call.roll.is_some();
    let track = if moves { Some(track(state, system, target, call)?) } else { None };
    let mut wound = wounded(state, system, target, track, amount, call);
    if let Some(total) = below_zero {
        wound.event.steps.insert(0, Step { step: "a roll below 0 is a hit of 0".to_owned(), before: total, after: 0 });
    }
    named_conditions(state, system, target, call, &mut wound.crossing)?;
    let crossing = &wound.crossing;
    let main = crossing.standing.main(system);
    wound.event.aside = wound.after.as_ref().is_some_and(|after| main.is_none_or(|main| main.name != after.name));
    wound.event.health = crossing.standing.health(system);
    wound.event.triggers = crossing.triggers.clone();
    wound.event.gained = crossing.gained.clone();
    wound.event.lost = crossing.lost.clone();
    Ok(wound)
}

/// Works it out and logs it; answers the wound.
pub fn decide(table: &mut Table, call: DamageCall, visibility: Option<Visibility>) -> Result<Wound, Refusal> {
    let wound = preview(table.state, table.system(), &call, table.referred.as_ref())?;
    let since = i64::try_from(table.next_seq()).unwrap_or(i64::MAX);
    let mut changes = Vec::new();
    if let (Some(before), Some(after)) = (&wound.before, &wound.after)
        && before != after
    {
        changes.push(Change::Track(Images::changed(before.clone(), after.clone())));
    }
    let rule = wound.crossing.rule.clone();
    changes.extend(wound.crossing.clone().changes(table.state, table.system(), since));
    let visibility = visibility.unwrap_or_else(|| default_visibility(table.state, &wound));
    let event = Event::Damage(wound.event.clone());
    table.log(Draft { visibility, rule, ..Draft::new("gm", event, changes) });
    Ok(wound)
}

/// Public, but for an NPC that never stood in a fight: players may not have met it, and its name is the GM's to say.
fn default_visibility(state: &State, wound: &Wound) -> Visibility {
    let subject = &wound.event.subject;
    let met = subject.kind.is_open() || state.combatants.values().any(|combatant| combatant.character == subject.id);
    if met { Visibility::Public } else { Visibility::Gm }
}

fn bounds(call: &DamageCall) -> Result<(), Refusal> {
    limits::number("amount", call.amount.unwrap_or(0))?;
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
    let nothing = call.amount.unwrap_or(0) == 0 && call.roll.is_none();
    if nothing && call.apply_conditions.is_empty() && call.remove_conditions.is_empty() {
        let summary = "amount is 0 and no condition is named, so there is nothing to do. Send amount=5 for damage, amount=-5 for healing.";
        return Err(Refusal::new("no_effect", summary));
    }
    Ok(())
}

/// The track that is meant: the named one, else the main one.
fn track(state: &State, system: &System, target: &Character, call: &DamageCall) -> Result<Track, Refusal> {
    let own = || state.tracks_of(target.id);
    let found = match &call.track {
        Some(name) => own().find(|track| fold(&track.name) == fold(name)).cloned(),
        None => Standing::of(state, target.id).main(system).cloned(),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = own().map(|track| track.name.as_str()).collect();
        let wanted = call.track.as_ref().map_or(String::new(), |name| format!("no track \"{}\", only ", quoted(name)));
        let main = call.track.as_ref().map_or_else(|| main_name(system).to_owned(), |name| quoted(name));
        let has = match names.is_empty() {
            true => "no track yet. Send".to_owned(),
            false => format!("{wanted}{}. Send track=\"…\" for one of these, or", names.join(", ")),
        };
        let summary = format!(
            "{0} has {has} manage_character action=\"update\" character=\"{0}\" tracks={{\"{main}\": 8}} to give it one.",
            target.name
        );
        Refusal::new("unknown_track", summary).near(names.into_iter().take(3).map(str::to_owned).collect())
    })
}

fn wounded(
    state: &State,
    system: &System,
    target: &Character,
    track: Option<Track>,
    mut amount: i64,
    call: &DamageCall,
) -> Wound {
    let mut steps = Vec::new();
    if call.half {
        steps.push(Step { step: "half, rounded down".to_owned(), before: amount, after: amount / 2 });
        amount /= 2;
    }
    let mut crossing = Crossing::new(state, target.id);
    let after = track.as_ref().map(|track| {
        let moved = match direction(system, track) {
            Direction::Down => track.value - amount,
            Direction::Up => track.value + amount,
        };
        let value = moved.min(track.max.unwrap_or(i64::MAX)).max(track.min);
        steps.push(Step { step: track.name.clone(), before: track.value, after: value });
        if moved != value {
            steps.push(Step { step: "past the end of the track".to_owned(), before: (moved - value).abs(), after: 0 });
        }
        let after = Track { value, ..track.clone() };
        crossing.cross(state, system, track, &after, amount);
        after
    });
    let event = DamageEvent {
        subject: target.subject(),
        track: track.as_ref().map(|track| track.name.clone()),
        amount,
        damage_type: call.damage_type.clone(),
        steps,
        triggers: Vec::new(),
        gained: Vec::new(),
        lost: Vec::new(),
        health: None,
        aside: false,
        reason: call.reason.clone(),
        roll: call.roll,
    };
    Wound { event, before: track, after, crossing }
}

fn named_conditions(
    state: &State,
    system: &System,
    target: &Character,
    call: &DamageCall,
    crossing: &mut Crossing,
) -> Result<(), Refusal> {
    for name in &call.remove_conditions {
        let own = || state.conditions_of(target.id);
        let Some(condition) = own().find(|condition| fold(&condition.name) == fold(name)).cloned() else {
            let has: Vec<&str> = own().map(|condition| condition.name.as_str()).collect();
            let summary = match has.is_empty() {
                true => {
                    format!("{} is not {}, nor anything else. Leave remove_conditions out.", target.name, quoted(name))
                }
                false => {
                    format!("{} is not {}, only {}. Send one of these.", target.name, quoted(name), has.join(", "))
                }
            };
            return Err(Refusal::new("unknown_condition", summary).near(crate::names::near(name, has)));
        };
        crossing.lose(condition);
    }
    for name in &call.apply_conditions {
        crossing.gain(state, system, name, "gm");
    }
    crossing.bounds(state)
}
