//! Effects that the GM puts on somebody: conditions with a clock, a cause, and sometimes a group of which one caster has one.

use super::act::EffectOn;
use super::{clock, has_turns, open, who};
use crate::game::crossing::{Crossing, spelt};
use crate::game::entry::{Change, Images};
use crate::game::event::Event;
use crate::game::limits::{self, LIMITS};
use crate::game::refusal::Refusal;
use crate::game::state::{Combatant, Condition, Edge, Lasts, Unit};
use crate::game::table::{Draft, Table};
use crate::names::{fold, near, quoted, same};

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct EffectCall {
    pub name: String,
    /// Who bears it; whoever acts unless somebody is named.
    pub on: Option<String>,
    /// Who causes it; whoever acts unless somebody is named.
    pub by: Option<String>,
    /// "3 rounds", "1 turn", "3": rounds. Left out: as the rules declare it, else until it is removed.
    pub duration: Option<String>,
    /// Whose turn counts it; the bearer's unless somebody is named.
    pub anchor: Option<String>,
    pub ends: Option<Edge>,
    /// The group of which whoever causes it has one at a time.
    pub exclusive: Option<String>,
}

/// Puts an effect on somebody. One of the same name begins anew; one of the same group and cause, under another name, ends.
pub fn add_effect(table: &mut Table, call: &EffectCall) -> Result<(), Refusal> {
    limits::name("name", &call.name)?;
    if let Some(group) = &call.exclusive {
        limits::name("exclusive", group)?;
    }
    let combat = open(table.state)?.clone();
    let bearer = who::or_current(table.state, table.system(), call.on.as_deref())?.clone();
    let cause = match (&call.by, combat.current) {
        (None, None) => None,
        (by, _) => Some(who::or_current(table.state, table.system(), by.as_deref())?.character),
    };
    let name = spelt(table.system(), &call.name);
    let lasts = lasts(table, call, &bearer, &name)?;
    let group_name = call.exclusive.as_deref().map(fold);
    let ended: Vec<Condition> = match (&group_name, cause) {
        (Some(group), Some(cause)) => {
            let own = |row: &&Condition| row.caused_by == Some(cause) && row.group_name.as_ref() == Some(group);
            table.state.conditions.values().filter(own).filter(|row| !same(&row.name, &name)).cloned().collect()
        }
        _ => Vec::new(),
    };
    let known = table.state.conditions_of(bearer.character).find(|row| same(&row.name, &name)).cloned();
    if known.is_none() {
        let many = table.state.conditions_of(bearer.character).count() + 1;
        limits::count("conditions", many, LIMITS.conditions)?;
    }
    let since = table.next_id();
    let row = Condition {
        character: bearer.character,
        name: known.as_ref().map_or(name, |known| known.name.clone()),
        since,
        source: "gm".to_owned(),
        level: known.as_ref().and_then(|known| known.level),
        lasts,
        caused_by: cause,
        group_name,
    };
    let began: Vec<EffectOn> = clock::effect_on(table.state, &row).into_iter().collect();
    let ended_named = clock::named(table.state, &ended);
    let mut changes = clock::losses(table, ended);
    match known {
        Some(known) => changes.push(Change::Condition(Images::changed(known, row))),
        None => {
            // Whoever has a condition that puts them out of the fight is out of it.
            let mut crossing = Crossing::new(table.state, bearer.character);
            crossing.standing.gained(&row.name);
            changes.push(Change::Condition(Images::made(row)));
            changes.extend(crossing.changes(table.state, table.system(), since));
        }
    }
    let event = Event::Effects { combat: combat.id, began, left: Vec::new(), ended: ended_named };
    let visibility = clock::visibility(&event);
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    Ok(())
}

/// The clock that the call or the rules name.
fn lasts(table: &Table, call: &EffectCall, bearer: &Combatant, name: &str) -> Result<Option<Lasts>, Refusal> {
    let declared = clock::declared(table.state, table.system(), name, bearer.character);
    let Some(duration) = &call.duration else {
        if declared.is_none() && (call.anchor.is_some() || call.ends.is_some()) {
            let summary = "anchor and ends say whose turns count; say how many, too: duration=\"3 rounds\".";
            return Err(Refusal::new("invalid_parameters", summary));
        }
        return anchored(table, call, declared);
    };
    if !has_turns(table.system()) {
        let summary = "These rules have no turns that could count. Leave duration out; remove_effect ends it.";
        return Err(Refusal::new("no_turns", summary));
    }
    let (left, unit) = read(duration)?;
    let own = Lasts { left, unit, anchor: bearer.id, at: Edge::End };
    // The rules' anchor counts, where they have one for it.
    anchored(table, call, Some(declared.map_or(own, |declared| Lasts { left, unit, ..declared })))
}

fn anchored(table: &Table, call: &EffectCall, lasts: Option<Lasts>) -> Result<Option<Lasts>, Refusal> {
    let Some(mut lasts) = lasts else { return Ok(None) };
    if let Some(anchor) = &call.anchor {
        lasts.anchor = who::named(table.state, table.system(), anchor)?.id;
    }
    lasts.at = call.ends.unwrap_or(lasts.at);
    Ok(Some(lasts))
}

/// Rounds or turns that an effect may last.
const LASTS_MAX: u32 = 10_000;

fn read(duration: &str) -> Result<(u32, Unit), Refusal> {
    let folded = fold(duration);
    let (number, unit) = folded.split_once(' ').unwrap_or((&folded, "rounds"));
    let unit = match unit.trim() {
        "round" | "rounds" => Some(Unit::Rounds),
        "turn" | "turns" => Some(Unit::Turns),
        _ => None,
    };
    let number = number.parse().ok().filter(|number| (1..=LASTS_MAX).contains(number));
    number.zip(unit).ok_or_else(|| {
        let summary = format!(
            "duration \"{}\" cannot be counted. Send \"3 rounds\" or \"1 turn\", 1 to {LASTS_MAX}; leave it out for an effect that lasts until remove_effect.",
            quoted(duration)
        );
        Refusal::new("invalid_parameters", summary)
    })
}

/// Ends an effect on one combatant, or on everybody in the fight who has it.
pub fn remove_effect(table: &mut Table, name: &str, on: Option<&str>) -> Result<(), Refusal> {
    let combat = open(table.state)?.id;
    let bearers: Vec<i64> = match on {
        Some(on) => vec![who::named(table.state, table.system(), on)?.character],
        None => table.state.combatants_of(combat).map(|own| own.character).collect(),
    };
    let all = || bearers.iter().flat_map(|bearer| table.state.conditions_of(*bearer));
    let ended: Vec<Condition> =
        all().filter(|row| same(&row.name, name) || same(&row.label(), name)).cloned().collect();
    if ended.is_empty() {
        let near = near(name, all().map(|row| row.name.as_str()));
        let hint = match near.first() {
            Some(first) => format!("Near: {}. Send name=\"{first}\".", near.join(", ")),
            None => "action=\"status\" shows who has what.".to_owned(),
        };
        let summary = format!("Nobody meant here has \"{}\". {hint}", quoted(name));
        return Err(Refusal::new("unknown_effect", summary).near(near));
    }
    clock::end(table, combat, "gm", ended);
    Ok(())
}
