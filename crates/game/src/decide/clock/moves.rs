//! Moves of clocks and shared tracks by a call, by a row of an outcome table, and by what the rules bring about on their way.

use std::collections::{BTreeMap, HashSet};

use super::{Cause, log_from};
use crate::decide::damage::{self, Due, apply_clock_effects};
use crate::mechanics::clocks;
use crate::mechanics::health::Vitality;
use crate::mechanics::recovery::moved;
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{ClockAct, Event};
use crate::record::state::{Character, Clock, State};
use crate::refusal::Refusal;
use crate::table::{SharedMove, Table};
use crate::view::visibility::sheet_visibility;
use rollbook_rules::{Act, Effect, Facts, Move, Trigger, TriggerWhen};
use rollbook_text::names::{fold, same};

/// Moves one, with what the rules bring about; returns the texts of the triggers that fired.
pub(super) fn move_to(table: &mut Table, clock: &Clock, value: i64, cause: &Cause) -> Vec<String> {
    let mut moves = Moves { fired: HashSet::new(), triggers: Vec::new(), waiting: Vec::new(), seen: cause.seen };
    moves.one(table, clock, value, cause);
    let cause = Cause { seen: cause.seen, ..Cause::default() };
    while let Some(effect) = moves.waiting.pop() {
        if let Some((clock, value)) = moved_by(table, effect, amount_of(table, effect)) {
            moves.one(table, &clock, value, &cause);
        }
    }
    moves.triggers
}

/// Moves what all share by an effect of the rules whose number is known; returns whether anything moved.
pub fn apply_effect(table: &mut Table, (effect, amount): (&Effect, i64), reason: String, seen: Visibility) -> bool {
    let moved = moved_by(table, effect, amount);
    if let Some((clock, value)) = &moved {
        let cause = Cause { reason: Some(reason), place: Some(effect.place.clone()), seen, roll: None };
        move_to(table, clock, *value, &cause);
    }
    moved.is_some()
}

/// Moves what all share as far as what happened to people in this call says so. What that brings about may leave more, and no
/// call goes on for ever.
pub fn move_left(table: &mut Table) {
    for _ in 0..ROUNDS_MAX {
        for SharedMove { effect, amount, reason, seen } in table.take_shared_moves() {
            apply_effect(table, (&effect, amount), reason, seen);
        }
    }
}

/// Times that what all share moves what people have and that moves what all share again.
const ROUNDS_MAX: usize = 4;

/// What the rules do so many times as the game's time passes. Refused: when a number that it needs is missing.
pub fn pass(table: &mut Table, passing: &Trigger, times: i64, reason: &str) -> Result<(), Refusal> {
    for effect in &passing.effects {
        if effect.shared {
            let by = matches!(effect.act, Act::Move(_, Move::By(..)));
            let amount = amount_of(table, effect).saturating_mul(if by { times } else { 1 });
            apply_effect(table, (effect, amount), reason.to_owned(), Visibility::Public);
            continue;
        }
        let (rounds, each) = if effect.is_rolled() { (times.min(ROLLED_MAX), 1) } else { (1, times) };
        let living = |who: &&Character| who.is_in_party() && !Vitality::of(table.state, who.id).is_dead();
        let party: Vec<Character> = table.state.characters.values().filter(living).cloned().collect();
        for who in party {
            let visibility = sheet_visibility(table.state, &who);
            for _ in 0..rounds {
                let due = Due { effect, given: &BTreeMap::new(), times: each };
                damage::apply_effect(table, &who, due, reason.to_owned(), visibility)?;
            }
        }
    }
    Ok(())
}

/// Times that the dice of one line about time are thrown for one person as time passes at once.
const ROLLED_MAX: i64 = 20;

/// What a rest does to clocks and to what all share.
pub fn rest(table: &mut Table, rest: &Trigger) {
    for effect in rest.effects.iter().filter(|effect| effect.shared) {
        let amount = amount_of(table, effect);
        apply_effect(table, (effect, amount), rest.label.clone(), Visibility::Public);
    }
}

/// The number of an effect on what all share: names in it are theirs. 0 where one has none.
fn amount_of(table: &Table, effect: &Effect) -> i64 {
    let value = |name: &str| clocks::open_one(table.state, table.system(), name).map(|clock| clock.value);
    effect.amount.as_ref().and_then(|amount| amount.bind(&mut |name| value(name)).ok()?.constant()).unwrap_or(0)
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
pub fn moved_in<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<Rewind> {
    let mut moved: Vec<Rewind> = Vec::new();
    for entry in entries {
        let Event::Clock(event) = &entry.event else { continue };
        if event.act != ClockAct::Moved {
            continue;
        }
        match moved.iter_mut().find(|moved| moved.name == event.name) {
            Some(moved) => moved.left = event.to,
            None => moved.push(Rewind { name: event.name.clone(), value: event.from, left: event.to }),
        }
    }
    moved
}

impl Rewind {
    /// Whether it is still where it was left.
    pub fn is_as_left(&self, state: &State) -> bool {
        state.clocks.get(&self.name).is_some_and(|now| now.value == self.left && !now.closed)
    }
}

/// Sets it back and logs that. The caller reverses what followed from it.
pub fn rewind(table: &mut Table, back: &Rewind, seen: Visibility) {
    let Some(clock) = table.state.clocks.get(&back.name).cloned() else { return };
    let after = Clock { value: back.value, ..clock.clone() };
    let from = clock.value;
    log_from(table, (Some(clock), from), &after, ClockAct::TakenBack, &Cause { seen, ..Cause::default() }, &[]);
}

/// What an effect of the rules moves, and to which value.
fn moved_by(table: &Table, effect: &Effect, amount: i64) -> Option<(Clock, i64)> {
    let (rules, Act::Move(_, step)) = (table.system().company.as_deref()?, &effect.act) else { return None };
    let track = effect.track()?;
    let clock = clocks::open_one(table.state, table.system(), track)?;
    let vitality = Vitality::of_shared(clocks::as_track(&clock));
    let (_, to) = moved(&vitality, rules, (track, step), amount, None).rows.into_iter().next()?;
    let value = clocks::nearest(&clock, to.value);
    (value != clock.value).then_some((clock, value))
}

/// The moves of one call. No trigger fires twice, so the rules cannot loop.
struct Moves<'r> {
    /// The places of the triggers that fired.
    fired: HashSet<String>,
    triggers: Vec<String>,
    /// What is still to be carried out, the next one last: a chain of triggers may be a thousand long.
    waiting: Vec<&'r Effect>,
    seen: Visibility,
}

impl<'r> Moves<'r> {
    fn one(&mut self, table: &mut Table<'r>, clock: &Clock, value: i64, cause: &Cause) {
        let after = Clock { value, ..clock.clone() };
        let rules = table.system().company.as_deref();
        // By what a trigger is known that fired already.
        let key = |trigger: &Trigger| format!("{} {}", trigger.place, trigger.label);
        let (mut fired, mut left): (Vec<&'r Trigger>, Vec<&Trigger>) = (Vec::new(), Vec::new());
        let all = rules.into_iter().flat_map(|rules| &rules.triggers).filter(|trigger| trigger.watches(&clock.name));
        for trigger in all {
            match (is_met(table, trigger, clock), is_met(table, trigger, &after)) {
                (false, true) if !self.fired.contains(&key(trigger)) => fired.push(trigger),
                (true, false) if !trigger.moves(&clock.name) => left.push(trigger),
                _ => {}
            }
        }
        // In the order in which the numbers are passed.
        fired.sort_by_key(|trigger| passed_at(trigger, clock, &after));
        self.fired.extend(fired.iter().map(|trigger| key(trigger)));
        self.triggers.extend(fired.iter().map(|trigger| trigger.text.clone()));
        // One that the rules declare has no row before its first change.
        let before = (table.state.clocks.get(&clock.name).cloned(), clock.value);
        log_from(table, before, &after, ClockAct::Moved, cause, &fired);
        for left in left {
            self.apply_to_party(table, &after, left, &[]);
        }
        for fired in &fired {
            let effects: Vec<&Effect> = fired.effects.iter().filter(|effect| !effect.shared).collect();
            if !effects.is_empty() {
                self.apply_to_party(table, &after, fired, &effects);
            }
        }
        self.waiting.extend(fired.iter().flat_map(|trigger| &trigger.effects).filter(|effect| effect.shared).rev());
    }

    /// A trigger's effects are applied to the whole party; where there are none, the conditions end that it began.
    fn apply_to_party(&self, table: &mut Table, clock: &Clock, trigger: &Trigger, effects: &[&Effect]) {
        let party: Vec<Character> = table.state.characters.values().filter(|who| who.is_in_party()).cloned().collect();
        for who in party {
            let visibility = match sheet_visibility(table.state, &who) {
                _ if clock.hidden => Visibility::Gm,
                Visibility::Public => self.seen,
                seen @ (Visibility::Gm | Visibility::Blind | Visibility::OutcomeOnly) => seen,
            };
            apply_clock_effects(table, &who, (clock, trigger), effects, visibility);
        }
    }
}

/// Whether a clock is in a trigger's range. Names in the range are those of what all share.
fn is_met(table: &Table, trigger: &Trigger, clock: &Clock) -> bool {
    let TriggerWhen::At { range, .. } = &trigger.when else { return false };
    let mut facts = Facts::default();
    for (name, default) in range.variables() {
        let bare = fold(&name);
        let value = match bare.strip_suffix(" max") {
            Some(track) if same(track, &clock.name) => clock.max,
            _ if same(&name, &clock.name) => Some(clock.value),
            _ => clocks::open_one(table.state, table.system(), &name).map(|clock| clock.value).or(default),
        };
        value.and_then(|value| facts.values.insert(bare, value));
    }
    range.holds(clock.value.into(), &facts).unwrap_or(false)
}

/// How far a clock had moved when it reached the trigger.
fn passed_at(trigger: &Trigger, from: &Clock, to: &Clock) -> u64 {
    let TriggerWhen::At { range, .. } = &trigger.when else { return 0 };
    let end = to.max.unwrap_or(i64::MAX);
    let (low, high) = range.whole_numbers(&Facts::default()).unwrap_or((end, end));
    if from.value < to.value { low.abs_diff(from.value) } else { high.abs_diff(from.value) }
}
