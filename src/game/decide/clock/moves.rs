//! Moves of clocks and shared tracks by a call, by a row of an outcome table, and by what the rules bring about on their way.

use std::collections::HashSet;

use super::{Cause, log_from, row};
use crate::game::decide::damage::{Brought, bring};
use crate::game::mechanics::clocks;
use crate::game::mechanics::health::Vitality;
use crate::game::mechanics::recovery::recover;
use crate::game::mechanics::threshold::{fires, leaves};
use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::event::{ClockAct, Event};
use crate::game::record::state::{Character, Clock, State};
use crate::game::table::Table;
use crate::game::view::visibility::sheet_visibility;
use crate::rules::{Rest, RestEffect, RowMove, System, Trigger, TriggerWhen};

/// Moves one, with what the rules bring about; returns the texts of the triggers that fired.
pub(super) fn move_to(table: &mut Table, clock: &Clock, value: i64, cause: &Cause) -> Vec<String> {
    let mut moves = Moves::new(cause.seen);
    moves.one(table, clock, value, cause);
    moves.carry_on(table);
    moves.triggers
}

/// What a row of an outcome table does to the one that its column is named after; returns whether anything moved.
pub fn apply_row_move(table: &mut Table, own: &RowMove, reason: String, seen: Visibility) -> bool {
    let Some(rules) = table.system().company.as_deref() else { return false };
    let moved = moved_by(table, rules, &own.effect, own.amount);
    for (clock, value) in &moved {
        let cause = Cause { reason: Some(reason.clone()), roll: None, place: Some(own.place.clone()), seen };
        move_to(table, clock, *value, &cause);
    }
    !moved.is_empty()
}

/// What the rules move so many times as the game's time passes.
pub fn pass(table: &mut Table, own: &RowMove, times: i64, reason: &str) {
    let Some(rules) = table.system().company.as_deref() else { return };
    let moved = match &own.effect {
        RestEffect::Marks { track, count } => {
            let clock = clocks::open_one(table.state, table.system(), track);
            let to = |clock: &Clock| clocks::nearest(clock, clock.worse_by(i64::from(*count).saturating_mul(times)));
            let moved = clock.map(|clock| (to(&clock), clock)).filter(|(value, clock)| *value != clock.value);
            moved.into_iter().map(|(value, clock)| (clock, value)).collect()
        }
        effect @ (RestEffect::ToMax { .. }
        | RestEffect::Clears { .. }
        | RestEffect::ToZero { .. }
        | RestEffect::Gives { .. }
        | RestEffect::Steps { .. }) => moved_by(table, rules, effect, own.amount.saturating_mul(times)),
    };
    for (clock, value) in moved {
        let (reason, place) = (Some(reason.to_owned()), Some(own.place.clone()));
        move_to(table, &clock, value, &Cause { reason, place, ..Cause::default() });
    }
}

/// What a rest does to clocks and to what all share.
pub fn rest(table: &mut Table, rest: &Rest) {
    let Some(rules) = table.system().company.as_deref() else { return };
    for effect in &rest.shared {
        for (clock, value) in moved_by(table, rules, effect, effect.constant().unwrap_or(0)) {
            let (reason, place) = (Some(rest.name.clone()), Some(rest.place.clone()));
            move_to(table, &clock, value, &Cause { reason, place, ..Cause::default() });
        }
    }
}

/// A clock that goes back to where it was, since the roll that moved it is followed.
pub struct Rewind {
    pub name: String,
    /// Where it was before.
    pub value: i64,
    /// Where it was left.
    pub left: i64,
}

/// The clocks that moved in these entries, each from where it was before the first of them.
pub fn moved<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<Rewind> {
    let mut moved: Vec<Rewind> = Vec::new();
    for entry in entries {
        let Event::Clock(event) = &entry.event else { continue };
        if event.act != ClockAct::Moved {
            continue;
        }
        match moved.iter_mut().find(|own| own.name == event.name) {
            Some(own) => own.left = event.to,
            None => moved.push(Rewind { name: event.name.clone(), value: event.from, left: event.to }),
        }
    }
    moved
}

impl Rewind {
    /// Whether it still stands where it was left.
    pub fn is_as_left(&self, state: &State) -> bool {
        state.clocks.get(&self.name).is_some_and(|now| now.value == self.left && !now.closed)
    }
}

/// Sets it back and logs that. What it brought about is reversed by the caller.
pub fn rewind(table: &mut Table, back: &Rewind, seen: Visibility) {
    let Some(clock) = table.state.clocks.get(&back.name).cloned() else { return };
    let after = Clock { value: back.value, ..clock.clone() };
    let from = clock.value;
    log_from(table, (Some(clock), from), &after, ClockAct::TakenBack, &Cause { seen, ..Cause::default() }, &[]);
}

/// What an effect of the rules moves, and to which value.
fn moved_by(table: &Table, rules: &System, effect: &RestEffect, amount: i64) -> Vec<(Clock, i64)> {
    let Some(clock) = clocks::open_one(table.state, table.system(), effect.track()) else { return Vec::new() };
    let vitality = Vitality::of_shared(clocks::as_track(&clock));
    let moved = recover(&vitality, rules, effect, amount).into_iter().map(|(_, to)| clocks::nearest(&clock, to.value));
    moved.filter(|value| *value != clock.value).map(|value| (clock.clone(), value)).collect()
}

/// The moves of one call. No trigger fires twice, so the rules cannot loop.
struct Moves<'r> {
    /// The places of the triggers that fired.
    fired: HashSet<String>,
    triggers: Vec<String>,
    /// What is still to be carried out, the next one last: a chain of triggers may be a thousand long.
    waiting: Vec<&'r RestEffect>,
    seen: Visibility,
}

impl<'r> Moves<'r> {
    fn new(seen: Visibility) -> Moves<'r> {
        Moves { fired: HashSet::new(), triggers: Vec::new(), waiting: Vec::new(), seen }
    }

    fn carry_on(&mut self, table: &mut Table<'r>) {
        let Some(rules) = table.system().company.as_deref() else { return };
        let cause = Cause { seen: self.seen, ..Cause::default() };
        while let Some(effect) = self.waiting.pop() {
            for (clock, value) in moved_by(table, rules, effect, 0) {
                self.one(table, &clock, value, &cause);
            }
        }
    }

    fn one(&mut self, table: &mut Table<'r>, clock: &Clock, value: i64, cause: &Cause) {
        let after = Clock { value, ..clock.clone() };
        let (was, is) = (clocks::as_track(clock), clocks::as_track(&after));
        let rules = table.system().company.as_deref();
        let all = || rules.into_iter().flat_map(|rules| rules.triggers.iter().map(move |own| (rules, own)));
        let new = |own: &Trigger| !self.fired.contains(&own.place.to_string());
        let mut fired: Vec<&'r Trigger> =
            all().filter(|(rules, own)| fires(rules, own, &was, &is, 0) && new(own)).map(|(_, own)| own).collect();
        // In the order in which the numbers are passed.
        fired.sort_by_key(|own| passed_at(own, &after).abs_diff(clock.value));
        let left: Vec<&Trigger> =
            all().filter(|(rules, own)| leaves(rules, own, &was, &is)).map(|(_, own)| own).collect();
        self.fired.extend(fired.iter().map(|own| own.place.to_string()));
        self.triggers.extend(fired.iter().map(|own| own.text.clone()));
        let before = (row(table, clock), clock.value);
        log_from(table, before, &after, ClockAct::Moved, cause, &fired);
        for own in left {
            self.bring_upon_party(table, &after, own, &[]);
        }
        for own in &fired {
            if !own.conditions.is_empty() {
                self.bring_upon_party(table, &after, own, &own.conditions);
            }
        }
        self.waiting.extend(fired.iter().flat_map(|own| &own.effects).rev());
    }

    /// A trigger's conditions come upon everybody of the party, or end where there are none.
    fn bring_upon_party(&self, table: &mut Table, clock: &Clock, trigger: &Trigger, conditions: &[String]) {
        let party: Vec<Character> = table.state.characters.values().filter(|own| own.is_in_party()).cloned().collect();
        let place = trigger.place.to_string();
        for who in party {
            let visibility = match sheet_visibility(table.state, &who) {
                _ if clock.hidden => Visibility::Gm,
                Visibility::Public => self.seen,
                own @ (Visibility::Gm | Visibility::Blind | Visibility::OutcomeOnly) => own,
            };
            bring(table, &who, &Brought { conditions, place: &place, by: &clock.name }, visibility);
        }
    }
}

/// The number at which a trigger waits for a clock.
fn passed_at(trigger: &Trigger, clock: &Clock) -> i64 {
    match &trigger.when {
        TriggerWhen::AtValue { value, .. } => *value,
        TriggerWhen::AtZero { .. } | TriggerWhen::AboveZero { .. } => 0,
        TriggerWhen::AtPart { part, .. } => match clock.max.map(|max| max.saturating_mul(part.of)) {
            None => i64::MAX,
            Some(share) if clock.down => share / part.by,
            Some(share) => share.saturating_add(part.by - 1) / part.by,
        },
        TriggerWhen::Full { .. } => clock.max.unwrap_or(i64::MAX),
        TriggerWhen::ManyAtZero { .. }
        | TriggerWhen::OneHitOf { .. }
        | TriggerWhen::Unsoaked
        | TriggerWhen::OneHitOfPart { .. }
        | TriggerWhen::OneHitOfMax { .. }
        | TriggerWhen::LeftOverOfMax { .. } => clock.value,
    }
}
