//! What following a roll costs.

use std::collections::BTreeMap;

use crate::decide::check::consequences::{Move, reverse_consequences};
use crate::decide::check::price::{self, lacking};
use crate::mechanics::values::Values;
use crate::record::entry::Entry;
use crate::record::event::CheckEvent;
use crate::record::state::{Character, State};
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_rules::{Check, CheckCost, Effect, Facts, FollowUp, System};
use rollbook_text::names::fold;

/// The points that a call gives, by folded name.
pub type Given = BTreeMap<String, i64>;

/// Refuses a follow-up that its track has no room for. What depends on the dice is paid as far as it goes.
pub fn check(table: &Table, rule: &FollowUp, who: Option<&Character>, points: &Given) -> Result<(), Refusal> {
    let Some(why) = unpaid(table.state, table.system(), rule, who, (&[], points)) else { return Ok(()) };
    let summary = format!("{why}. Keep the roll that was made.");
    Err(Refusal::new(Code::NotEnough, summary).at(rule.place.to_string()))
}

/// Why somebody cannot pay for following a roll, for which `before` is paid first: "Push (System.md:12) costs 1 stress, and Ana has
/// Stress 9/9". None where they can.
pub fn unpaid(
    state: &State,
    system: &System,
    rule: &FollowUp,
    who: Option<&Character>,
    (before, points): (&[Move], &Given),
) -> Option<String> {
    let values = Values::of_optional(state, system, who);
    rule.costs.iter().filter(|cost| !cost.is_of_roll()).find_map(|cost| {
        let own = cost.moves(cost.track()?, amount(cost, Facts::default(), &values, points))?;
        let left = lacking(state, system, who?, &beside(cost, own, before))?;
        Some(format!("{} ({}) costs {}, and {left}", rule.name, rule.place, cost.text))
    })
}

/// How many points it is, by what the roll shows, what the call gives and what is on the sheet; 0 where something is not known.
fn amount(cost: &CheckCost, mut facts: Facts, values: &Values<'_>, points: &Given) -> i64 {
    for (name, _) in cost.amount.variables() {
        let known = points.get(&fold(&name)).copied().or_else(|| values.get(&name));
        known.and_then(|value| facts.values.insert(fold(&name), value));
    }
    cost.amount.value(&facts).unwrap_or(0)
}

/// How many points an effect without names takes.
fn points(own: &Effect) -> i64 {
    own.amount.as_ref().and_then(|own| own.bind(&mut |_| None).ok()?.constant()).unwrap_or(0)
}

/// The move with what others take of the same track.
fn beside(cost: &CheckCost, own: Effect, before: &[Move]) -> Effect {
    let of_track = |other: &&Move| other.own.track() == own.track() && other.own.shared == own.shared;
    let count = before.iter().filter(of_track).map(|other| points(&other.own)).fold(points(&own), i64::saturating_add);
    own.track().and_then(|track| cost.moves((track, own.shared), count)).unwrap_or_else(|| own.clone())
}

/// Whether the one who made a check in this call could pay for following it: what the roll brought is taken back first.
pub fn can_pay(table: &Table, (seq, entry): (u64, &Entry), event: &CheckEvent, rule: &FollowUp) -> bool {
    let Some(who) = event.subject.as_ref().and_then(|who| table.state.characters.get(&who.id)) else { return true };
    if rule.costs.iter().all(CheckCost::is_of_roll) {
        return true;
    }
    let later = table.own_entries().filter(|own| own.seq > seq);
    let later: Vec<(u64, Entry)> = later.map(|own| (own.seq, own.entry.clone())).collect();
    if later.is_empty() {
        return unpaid(table.state, table.system(), rule, Some(who), (&[], &Given::new())).is_none();
    }
    let mut state = table.state.clone();
    let made = (seq, entry.call.unwrap_or(seq));
    let Ok(back) = reverse_consequences(&mut state, &later, made, Some(who.id), &price::reason(&event.check)) else {
        return false;
    };
    let changes = back.changes(&state);
    state.apply(&changes);
    unpaid(&state, table.system(), rule, Some(who), (&[], &Given::new())).is_none()
}

/// What the new roll costs, by what it shows and what the call gave.
pub fn costs(check: &Check, rule: &FollowUp, facts: &Facts, values: &Values<'_>, points: &Given) -> Vec<Move> {
    let reason = reason(&check.name, &rule.name);
    let paid = |cost: &CheckCost| {
        let own = cost.moves(cost.track()?, amount(cost, facts.clone(), values, points))?;
        let reason = match cost.is_of_roll() {
            true => format!("{reason} ({})", cost.amount.text),
            false => reason.clone(),
        };
        Some(Move { own, given: BTreeMap::new(), reason })
    };
    rule.costs.iter().filter_map(paid).collect()
}

/// For what the price is paid, whatever the dice show: it is not given back where the new roll is followed once more.
pub fn reason(check: &str, rule: &str) -> String {
    format!("{check}, {rule}")
}
