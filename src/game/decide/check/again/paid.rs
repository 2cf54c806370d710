//! What following a roll costs.

use crate::dice::Roll;
use crate::game::decide::check::consequences::{Move, reverse_consequences};
use crate::game::decide::check::price::{self, lacking};
use crate::game::record::entry::Entry;
use crate::game::record::event::CheckEvent;
use crate::game::record::state::{Character, State};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::names::same;
use crate::rules::{Check, Cost, FollowUp, RestEffect, RowMove, System};

/// Refuses a follow-up that its track has no room for. What depends on the dice is paid as far as it goes.
pub fn check(table: &Table, rule: &FollowUp, who: Option<&Character>) -> Result<(), Refusal> {
    let Some(why) = unpaid(table.state, table.system(), rule, who, &[]) else { return Ok(()) };
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
    before: &[Move],
) -> Option<String> {
    rule.costs.iter().filter(|cost| cost.each.is_none()).find_map(|cost| {
        let left = lacking(state, system, who?, &beside(cost.times(1)?, before))?;
        Some(format!("{} ({}) {}, and {left}", rule.name, rule.place, cost.describe()))
    })
}

/// The move with what others take of the same track.
fn beside(own: RowMove, before: &[Move]) -> RowMove {
    let RestEffect::Marks { track, count } = &own.effect else { return own };
    let of_track = |other: &Move| match &other.own.effect {
        RestEffect::Marks { track: theirs, count } if other.own.shared == own.shared && same(theirs, track) => *count,
        _ => 0,
    };
    let count = before.iter().map(of_track).fold(*count, u32::saturating_add);
    RowMove { effect: RestEffect::Marks { track: track.clone(), count }, ..own }
}

/// Whether the one who made a check in this call could pay for following it: what the roll brought is taken back first.
pub fn can_pay(table: &Table, (seq, entry): (u64, &Entry), event: &CheckEvent, rule: &FollowUp) -> bool {
    let Some(who) = event.subject.as_ref().and_then(|who| table.state.characters.get(&who.id)) else { return true };
    if rule.costs.iter().all(|cost| cost.each.is_some()) {
        return true;
    }
    let later = table.own_entries().filter(|own| own.seq > seq);
    let later: Vec<(u64, Entry)> = later.map(|own| (own.seq, own.entry.clone())).collect();
    if later.is_empty() {
        return unpaid(table.state, table.system(), rule, Some(who), &[]).is_none();
    }
    let mut state = table.state.clone();
    let made = (seq, entry.call.unwrap_or(seq));
    let Ok(back) = reverse_consequences(&mut state, &later, made, Some(who.id), &price::reason(&event.check)) else {
        return false;
    };
    let changes = back.changes(&state);
    state.apply(&changes);
    unpaid(&state, table.system(), rule, Some(who), &[]).is_none()
}

/// What the new roll costs.
pub fn costs<'r>(check: &Check, rule: &'r FollowUp, roll: &Roll) -> Vec<Move> {
    let dice = roll.dice();
    let paid = |cost: &'r Cost| {
        let times = cost.each.as_ref().map_or(1, |each| dice.iter().filter(|view| each.has(view)).count());
        let reason = reason(&check.name, &rule.name);
        let reason = match &cost.each {
            Some(each) => format!("{reason} ({})", each.describe()),
            None => reason,
        };
        Some(Move { own: cost.times(times)?, reason })
    };
    rule.costs.iter().filter_map(paid).collect()
}

/// For what the price is paid, whatever the dice show: it is not given back where the new roll is followed once more.
pub fn reason(check: &str, rule: &str) -> String {
    format!("{check}, {rule}")
}
