//! Consequences of a check: the row that decided moves tracks (a death save marks its box, a failure fills the alarm), and a
//! success ends conditions that last until then (`- Held: until a Will save succeeds`).
//!
//! What making a check costs: found before the dice fall, paid after them.

use std::collections::BTreeMap;

use crate::decide::check::dice::CANCEL;
use crate::decide::clock::Rewind;
use crate::decide::damage::{DamageCall, Due};
use crate::decide::{clock, damage};
use crate::mechanics::health::Vitality;
use crate::mechanics::recovery::{left_of, tracks_named};
use crate::mechanics::tracks::render_value;
use crate::mechanics::{clocks, duration};
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{CheckEvent, DamageEvent, Event, Phrasing, Subject};
use crate::record::state::{Character, Clock, Condition, State, Until};
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_rules::{Act, Attempt, AttemptError, Attribute, By, Check, Effect, Facts, Row, System};
use rollbook_text::names::same;

/// A move of a track, and why it is made.
pub struct Move {
    pub own: Effect,
    /// Numbers that the roll brought, by name.
    pub given: BTreeMap<String, i64>,
    pub reason: String,
}

/// Moves the tracks of the one who rolled as the row says, each in an entry of its own after the check's.
pub fn apply_row_moves(
    table: &mut Table,
    who: i64,
    rule: &Check,
    (rank, results): (Option<u32>, &BTreeMap<String, i64>),
    visibility: Visibility,
) {
    apply_moves(table, who, &row_moves(rule, rank, results), visibility);
}

/// What the row that decided moves, with the values of the roll.
fn row_moves(rule: &Check, rank: Option<u32>, results: &BTreeMap<String, i64>) -> Vec<Move> {
    let Some(row) = rule.row(rank) else { return Vec::new() };
    let given = || results.clone();
    row.moves.iter().map(|own| Move { own: own.clone(), given: given(), reason: reason(rule, row) }).collect()
}

/// The same for moves that are no row's, such as the price of a push.
pub fn apply_moves(table: &mut Table, who: i64, moves: &[Move], visibility: Visibility) {
    let Some(who) = table.state.characters.get(&who).cloned() else { return };
    for Move { own, given, reason } in moves.iter().filter(|own| !own.own.shared) {
        if Vitality::of(table.state, who.id).is_dead() {
            let note = format!("{} is dead, so {} ({}) is not carried out", who.name, own.text, own.place);
            table.note([note]);
            return;
        }
        match damage::apply_effect(table, &who, Due { effect: own, given, times: 1 }, reason.clone(), visibility) {
            Ok(true) => {}
            Ok(false) if is_nothing(own, given) => {}
            Ok(false) => {
                let track = own.track().map_or_else(String::new, |track| format!("'s {track}"));
                table.note([unmoved(&format!("{}{track}", who.name), own)]);
            }
            Err(refusal) => table.note([refusal.summary]),
        }
    }
}

/// The same for clocks and shared tracks. Only the row of the one who makes the check moves them, not that of an opponent.
pub fn apply_shared_moves(
    table: &mut Table,
    rule: &Check,
    (rank, results): (Option<u32>, &BTreeMap<String, i64>),
    visibility: Visibility,
) {
    apply_moves_of_all(table, &row_moves(rule, rank, results), visibility);
}

/// The same for moves that are no row's.
pub fn apply_moves_of_all(table: &mut Table, moves: &[Move], visibility: Visibility) {
    for Move { own, given, reason } in moves.iter().filter(|own| own.own.shared) {
        let amount = bound(own, given);
        let moved = amount.is_some_and(|amount| clock::apply_effect(table, (own, amount), reason.clone(), visibility));
        if !moved && !is_nothing(own, given) {
            table.note([unmoved(own.track().unwrap_or_default(), own)]);
        }
    }
}

fn reason(rule: &Check, row: &Row) -> String {
    format!("{}, {}", rule.name, row.label)
}

/// The number of an effect, with what a roll brought; below 0 is nothing.
fn bound(own: &Effect, given: &BTreeMap<String, i64>) -> Option<i64> {
    let Some(amount) = &own.amount else { return Some(0) };
    let value = |name: &str| given.iter().find(|(known, _)| same(known, name)).map(|(_, value)| (*value).max(0));
    amount.bind(&mut |name| value(name)).ok()?.constant()
}

/// Whether it moves a track by nothing: what a roll names came to 0.
fn is_nothing(own: &Effect, given: &BTreeMap<String, i64>) -> bool {
    matches!(&own.act, Act::Move(_, rollbook_rules::Move::By(..))) && bound(own, given) == Some(0)
}

fn unmoved(track: &str, own: &Effect) -> String {
    format!("{track} stays as it is: {} ({}) finds no room to move it", own.text, own.place)
}

/// Ends the conditions that last until this success, in an entry of its own.
pub fn end_overcome(table: &mut Table, event: &CheckEvent, visibility: Visibility) {
    let Some(who) = event.subject.as_ref().filter(|_| event.outcome.is_some_and(|outcome| outcome.is_success())) else {
        return;
    };
    // An opposed check succeeds by winning, whatever the total.
    if event.opposed.as_ref().is_some_and(|opposed| !opposed.won) {
        return;
    }
    let tried = [Some(&event.check), event.skill.as_ref(), event.attribute.as_ref()];
    let system = table.system();
    let ended = table.state.conditions_of(who.id).filter(|row| match duration::ending(system, row) {
        Some(Until::Check(name)) => tried.into_iter().flatten().any(|tried| same(tried, &name)),
        _ => false,
    });
    let ended: Vec<String> = ended.map(|row| row.name.clone()).collect();
    end(table, who, ended, format!("{} succeeded", rolled(event)), visibility);
}

/// What a check is told by: its skill, else its attribute, else itself.
fn rolled(event: &CheckEvent) -> &str {
    event.skill.as_ref().or(event.attribute.as_ref()).unwrap_or(&event.check)
}

/// Ends these conditions of somebody who lives, in an entry of its own.
fn end(table: &mut Table, who: &Subject, conditions: Vec<String>, reason: String, visibility: Visibility) {
    if conditions.is_empty() || Vitality::of(table.state, who.id).is_dead() {
        return;
    }
    let call = DamageCall {
        target: who.name.clone(),
        remove_conditions: conditions,
        reason: Some(reason),
        ..DamageCall::default()
    };
    // Cannot be refused: the character has these conditions.
    let _ = damage::decide(table, call, Some(visibility));
}

/// Ends the conditions that lasted until this check and counted for it, of the one who made it, of an opponent, and of a target whose
/// conditions are about what others roll; each person's in an entry of its own.
pub fn end_spent(table: &mut Table, event: &CheckEvent, visibility: Visibility) {
    let other = event.opposed.as_ref().and_then(|own| Some((own.subject.as_ref()?, own.modifiers.as_slice(), None)));
    let own = |who| (who, event.modifiers.as_slice(), Some(event.adjustments.as_slice()));
    let sides = event.subject.iter().map(own).chain(other).map(|side| (side, false));
    let sides: Vec<_> = sides.chain(event.against.iter().map(|who| (own(who), true))).collect();
    for ((who, modifiers, adjustments), against) in sides {
        let system = table.system();
        let lasts = |row: &&Condition| duration::ending(system, row) == Some(Until::NextCheck);
        let counted = |row: &&Condition| match system.condition(&row.name) {
            None => !against,
            Some(rule) => {
                let name = if against { format!("{} on {}", rule.name, who.name) } else { rule.name.clone() };
                let named = format!("{name}, {}", rule.place);
                let of_dice = |text: &String| text.contains(&named) || text == CANCEL;
                rule.changes.iter().filter(|own| own.against_bearer == against).any(|own| match own.by {
                    By::Add(_) => modifiers.iter().any(|own| own.name == name && own.from == rule.place.to_string()),
                    By::Advantage | By::Disadvantage | By::Dice(_) | By::Steps(_) => {
                        adjustments.is_none_or(|all| all.iter().any(of_dice))
                    }
                })
            }
        };
        let ended = table.state.conditions_of(who.id).filter(lasts).filter(counted);
        let ended: Vec<String> = ended.map(|row| row.name.clone()).collect();
        end(table, who, ended, format!("{} rolled", rolled(event)), visibility);
    }
}

/// Refuses to follow a check that hurt its target in the same call: a better outcome would deal the damage a second time.
pub fn check_unhurt(later: &[(u64, Entry)], first: &CheckEvent, call: u64, seq: u64) -> Result<(), Refusal> {
    let is_self = |own: &&Subject| first.subject.as_ref().is_some_and(|who| who.id == own.id);
    let Some(target) = first.against.as_ref().filter(|own| !is_self(own)) else { return Ok(()) };
    let moved = clock::moved_in(later.iter().filter(|(_, entry)| entry.call == Some(call)).map(|(_, entry)| entry));
    let hurt = later.iter().any(|(_, entry)| match &entry.event {
        Event::Damage(event) => entry.call == Some(call) && event.subject.id == target.id && !is_brought(event, &moved),
        _ => false,
    });
    if !hurt {
        return Ok(());
    }
    let summary = format!(
        "#{seq} told on {} already, so it can be followed no more. Undo it, and make a new check.",
        target.name
    );
    Err(Refusal::new(Code::ChangedSince, summary))
}

/// Whether one of these clocks brought it, or ended it.
fn is_brought(event: &DamageEvent, moved: &[Rewind]) -> bool {
    let by = event.reason.as_ref().filter(|_| event.told == Some(Phrasing::Conditions));
    by.is_some_and(|by| moved.iter().any(|own| own.name == *by))
}

/// What followed from a roll, the way back.
#[derive(Default)]
pub struct Reversal {
    /// Rows of characters.
    pub rows: Vec<Change>,
    pub clocks: Vec<Rewind>,
}

impl Reversal {
    /// All of it, to look at the state as it was.
    pub fn changes(&self, state: &State) -> Vec<Change> {
        let clocks = self.clocks.iter().filter_map(|own| {
            let now = state.clocks.get(&own.name)?;
            Some(Change::Clock(Images::changed(now.clone(), Clock { value: own.value, ..now.clone() })))
        });
        self.rows.iter().cloned().chain(clocks).collect()
    }
}

/// Reverses what followed from the first roll. `later` are the entries after it; those of its call up to the next check are its own, but
/// for those with the reason `kept`: the price that was paid for it.
pub fn reverse_consequences(
    state: &mut State,
    later: &[(u64, Entry)],
    (seq, call): (u64, u64),
    who: Option<i64>,
    kept: &str,
) -> Result<Reversal, Refusal> {
    let is_kept = |entry: &Entry| match &entry.event {
        Event::Damage(event) => event.reason.as_deref() == Some(kept),
        Event::Clock(event) => event.reason.as_deref() == Some(kept),
        _ => false,
    };
    let own = later
        .iter()
        .skip_while(|(own, _)| *own <= seq)
        .take_while(|(_, entry)| entry.call == Some(call) && !matches!(entry.event, Event::Check(_)))
        .filter(|(_, entry)| !is_kept(entry))
        .map(|(_, entry)| entry);
    let clocks = clock::moved_in(own.clone());
    let is_of_it = |entry: &&Entry| match &entry.event {
        Event::Damage(event) => Some(event.subject.id) == who || is_brought(event, &clocks),
        _ => false,
    };
    let changed = |name: &str| {
        let summary = format!(
            "#{seq} moved {name}, which changed since, so it can be followed no more. Undo what came after it first, or make a new \
             check."
        );
        Refusal::new(Code::ChangedSince, summary)
    };
    if let Some(own) = clocks.iter().find(|own| !own.is_as_left(state)) {
        return Err(changed(&own.name));
    }
    let entries = own.filter(is_of_it).flat_map(|entry| &entry.changes);
    let is_row = |change: &&Change| matches!(change, Change::Track(_) | Change::Condition(_));
    let mut rows: Vec<Change> = entries.filter(is_row).cloned().map(Change::reversed).collect();
    rows.reverse();
    for (done, change) in rows.iter().enumerate() {
        if !is_as_left(state, change) {
            state.revert(rows.get(..done).unwrap_or_default());
            return Err(changed(name(change)));
        }
        state.apply(std::slice::from_ref(change));
    }
    state.revert(&rows);
    let clocks = clocks.into_iter().filter(|own| own.value != own.left).collect();
    Ok(Reversal { rows, clocks })
}

/// Whether a row is still as the change left it.
fn is_as_left(state: &State, change: &Change) -> bool {
    !matches!(change, Change::Track(_) | Change::Condition(_)) || state.agrees(change)
}

fn name(change: &Change) -> &str {
    match change {
        Change::Track(images) => images.row().map_or("", |row| &row.name),
        Change::Condition(images) => images.row().map_or("", |row| &row.name),
        _ => "",
    }
}

/// What is paid for this attempt. Nothing is taken from an attribute that the call does not choose.
/// Refused: [`AttemptError::Missing`] where the attribute is missing from which something is to be paid.
pub fn price(rule: &Check, attempt: &Attempt, attribute: Option<&Attribute>) -> Result<Vec<Move>, AttemptError> {
    let facts = Facts { values: attempt.values.clone(), ..Facts::default() };
    let mut moves = Vec::new();
    for own in &rule.costs {
        let count = own.amount.value(&facts).unwrap_or(0);
        if count < 1 {
            continue;
        }
        let chosen = || attribute.map(|own| (own.name.as_str(), false));
        let Some(from) = own.track().or_else(chosen) else {
            return Err(AttemptError::Missing(vec!["attribute".to_owned()]));
        };
        moves.extend(own.moves(from, count).map(|own| Move {
            own,
            given: BTreeMap::new(),
            reason: price_reason(&rule.name),
        }));
    }
    Ok(moves)
}

/// Refuses a check that somebody cannot pay for.
pub fn check_price(table: &Table, rule: &Check, price: &[Move], who: Option<&Character>) -> Result<(), Refusal> {
    let Some((own, why)) = unpaid(table, rule, price, who) else { return Ok(()) };
    let summary = format!("{why}. Send what costs less, or leave the roll out.");
    Err(Refusal::new(Code::NotEnough, summary).at(own.place.to_string()))
}

/// What somebody cannot pay of the price, and why: "Task costs 4 Might (System.md:9), and Ana has Might 2/12". None where they can.
pub fn unpaid<'p>(
    table: &Table,
    rule: &Check,
    price: &'p [Move],
    who: Option<&Character>,
) -> Option<(&'p Effect, String)> {
    price.iter().find_map(|Move { own, .. }| {
        let left = lacking(table.state, table.system(), who?, own)?;
        Some((own, format!("{} {} ({}), and {left}", rule.name, own.text, own.place)))
    })
}

/// What there is where it is too little to pay this: "Ana has Might 2/12". None where it is enough.
pub fn lacking(state: &State, system: &System, who: &Character, own: &Effect) -> Option<String> {
    let (track, count) = (own.track()?, own.amount.as_ref()?.bind(&mut |_| None).ok()?.constant()?);
    if own.shared {
        let Some(clock) = clocks::open_one(state, system, track) else {
            return Some(format!("there is no {track}"));
        };
        let worse = clock.worse_by(count);
        return (clocks::nearest(&clock, worse) != worse).then(|| format!("all share {}", clock.render()));
    }
    let tracks = tracks_named(&Vitality::of(state, who.id), system, track);
    let left = left_of(&Vitality::of(state, who.id), system, track);
    let now: Vec<String> = tracks.iter().map(|track| format!("{} {}", track.name, render_value(track))).collect();
    let has = if now.is_empty() { format!("no {track}") } else { now.join(", ") };
    (tracks.is_empty() || left < count).then(|| format!("{} has {has}", who.name))
}

/// For what it is paid, whatever the dice show: it is not given back where the roll is followed.
pub fn price_reason(check: &str) -> String {
    format!("price of {check}")
}
