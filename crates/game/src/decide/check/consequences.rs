//! Consequences of a check: the row that decided moves tracks (a death save marks its box), and a
//! success ends conditions that last until then (`- Held: until a Will save succeeds`). What it
//! costs is found before the dice fall and paid after them.

use std::collections::BTreeMap;

use super::{CheckCall, names::CANCEL};
use crate::decide::clock::{self, Rewind};
use crate::decide::damage::{self, DamageCall, Due};
use crate::mechanics::tracks::{left_of, render_value, tracks_named, uses_of};
use crate::mechanics::{attacks, clocks, duration, health::Vitality, values::dice_refusal};
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{CheckEvent, DamageEvent, Event, Phrasing, Subject};
use crate::record::state::{Attack, Character, Clock, Condition, State, Until};
use crate::refusal::{Code, Refusal, Result};
use crate::{decide::undo::apply_agreeing, table::Table};
use rollbook_dice::parse_formula;
use rollbook_rules::{
    Act, Attempt, AttemptError, Attribute, By, Check, CheckCost, Effect, Facts, Row, Sign, System,
};
use rollbook_text::{diagnostic::Place, names::same};
use serde_json::json;

pub struct Move {
    pub effect: Effect,
    /// Numbers of the roll, by name.
    pub given: BTreeMap<String, i64>,
    pub reason: String,
}

/// What the row that decided moves, with the values of the roll.
pub fn row_moves(rule: &Check, rank: Option<u32>, results: &BTreeMap<String, i64>) -> Vec<Move> {
    let effects = rule
        .row(rank)
        .into_iter()
        .flat_map(|row| row.moves.iter().map(move |effect| (row, effect)));
    let moved = |(row, effect): (&Row, &Effect)| Move {
        effect: effect.clone(),
        given: results.clone(),
        reason: format!("{}, {}", rule.name, row.label),
    };
    effects.map(moved).collect()
}

/// Moves tracks of the one who rolled, each in an entry of its effect after the check's.
pub fn apply_moves(table: &mut Table, who: i64, moves: &[Move], visibility: Visibility) {
    let who = table.state.characters.get(&who);
    let Some(who) = who.filter(|_| !moves.is_empty()).cloned() else {
        return;
    };
    for Move {
        effect,
        given,
        reason,
    } in moves.iter().filter(|step| !step.effect.shared)
    {
        if Vitality::of(table.state, who.id).is_dead() {
            let note = format!(
                "{} is dead, so {} ({}) is not carried out",
                who.name, effect.text, effect.place
            );
            table.note([note]);
            return;
        }
        match damage::apply_effect(
            table,
            &who,
            Due {
                effect,
                given,
                times: 1,
            },
            reason.clone(),
            visibility,
        ) {
            Ok(false) if effect.only_if.is_none() && !is_nothing(effect, given) => {
                let track = effect
                    .track()
                    .map_or_else(String::new, |track| format!("'s {track}"));
                table.note([unmoved(&format!("{}{track}", who.name), effect)]);
            }
            Ok(_) => {}
            Err(refusal) => table.note([refusal.summary]),
        }
    }
}

/// Moves clocks and shared tracks. Only the actor's row moves them, not an opponent's.
pub fn apply_shared_moves(table: &mut Table, moves: &[Move], visibility: Visibility) {
    for Move {
        effect,
        given,
        reason,
    } in moves.iter().filter(|step| step.effect.shared)
    {
        let amount = bound(effect, given);
        let moved = amount
            .is_some_and(|by| clock::apply_effect(table, (effect, by), reason.clone(), visibility));
        if !moved && !is_nothing(effect, given) {
            table.note([unmoved(effect.track().unwrap_or_default(), effect)]);
        }
    }
}

/// The number of an effect, with the numbers of a roll; below 0 is nothing.
fn bound(effect: &Effect, given: &BTreeMap<String, i64>) -> Option<i64> {
    let Some(amount) = &effect.amount else {
        return Some(0);
    };
    let value = |name: &str| {
        given
            .iter()
            .find(|(known, _)| same(known, name))
            .map(|(_, value)| (*value).max(0))
    };
    amount.bind(&mut |name| value(name)).ok()?.constant()
}

/// Whether it moves a track by nothing: what a roll names came to 0.
fn is_nothing(effect: &Effect, given: &BTreeMap<String, i64>) -> bool {
    matches!(&effect.act, Act::Move(_, rollbook_rules::Move::By(..)))
        && bound(effect, given) == Some(0)
}

fn unmoved(track: &str, effect: &Effect) -> String {
    format!(
        "{track} stays as it is: {} ({}) finds no room to move it",
        effect.text, effect.place
    )
}

/// Ends the conditions that last until this success, in one entry.
pub fn end_overcome(table: &mut Table, event: &CheckEvent, visibility: Visibility) {
    // An opposed check succeeds by winning, whatever the total.
    let lost = event.opposed.as_ref().is_some_and(|opposed| !opposed.won);
    let succeeds = !lost && event.outcome.is_some_and(|outcome| outcome.is_success());
    let Some(who) = event.subject.as_ref().filter(|_| succeeds) else {
        return;
    };
    let tried = [
        Some(&event.check),
        event.skill.as_ref(),
        event.attribute.as_ref(),
    ];
    let system = table.system();
    let is_overcome = |row: &Condition| match duration::ending(system, row) {
        Some(Until::Check(name)) => tried.into_iter().flatten().any(|tried| same(tried, &name)),
        _ => false,
    };
    end(
        table,
        who,
        is_overcome,
        format!("{} succeeded", rolled(event)),
        visibility,
    );
}

/// What a check is called in a text: its skill, else its attribute, else itself.
fn rolled(event: &CheckEvent) -> &str {
    event
        .skill
        .as_ref()
        .or(event.attribute.as_ref())
        .unwrap_or(&event.check)
}

/// Ends such conditions of a character who lives, in one entry.
fn end(
    table: &mut Table,
    who: &Subject,
    is_over: impl Fn(&Condition) -> bool,
    reason: String,
    visibility: Visibility,
) {
    let over = table.state.conditions_of(who.id).filter(|row| is_over(row));
    let remove_conditions: Vec<String> = over.map(|row| row.name.clone()).collect();
    if remove_conditions.is_empty() || Vitality::of(table.state, who.id).is_dead() {
        return;
    }
    let (target, reason) = (who.name.clone(), Some(reason));
    let call = DamageCall {
        target,
        remove_conditions,
        reason,
        ..DamageCall::default()
    };
    // Cannot be refused: the character has these conditions.
    let _ = damage::decide(table, call, Some(visibility));
}

/// Ends what lasted until this check and counted for it, of each side and a target; an entry each.
pub fn end_spent(table: &mut Table, event: &CheckEvent, visibility: Visibility) {
    let (modifiers, adjustments) = (
        event.modifiers.as_slice(),
        Some(event.adjustments.as_slice()),
    );
    let mut sides: Vec<_> = event
        .subject
        .iter()
        .map(|who| (who, modifiers, adjustments, false))
        .collect();
    sides.extend(
        event
            .opposed
            .as_ref()
            .and_then(|one| Some((one.subject.as_ref()?, &*one.modifiers, None, false))),
    );
    sides.extend(
        event
            .against
            .iter()
            .map(|who| (who, modifiers, adjustments, true)),
    );
    let system = table.system();
    for (who, modifiers, adjustments, against) in sides {
        let counted = |row: &Condition| {
            let Some(rule) = system.condition(&row.name) else {
                return !against;
            };
            let name = if against {
                format!("{} on {}", rule.name, who.name)
            } else {
                rule.name.clone()
            };
            let named = format!("{name}, {}", rule.place);
            let of_dice = |text: &String| text.contains(&named) || text == CANCEL;
            rule.changes
                .iter()
                .filter(|change| change.against_bearer == against)
                .any(|change| match change.by {
                    By::Add(_) => modifiers
                        .iter()
                        .any(|part| part.name == name && part.from == rule.place.to_string()),
                    By::Advantage | By::Disadvantage | By::Dice(_) | By::Steps(_) => {
                        adjustments.is_none_or(|all| all.iter().any(of_dice))
                    }
                })
        };
        let is_spent = |row: &Condition| {
            duration::ending(system, row) == Some(Until::NextCheck) && counted(row)
        };
        end(
            table,
            who,
            is_spent,
            format!("{} rolled", rolled(event)),
            visibility,
        );
    }
}

/// Refuses to follow a check that hurt its target in its call: the damage would be dealt twice.
pub fn check_unhurt(
    later: &[(u64, Entry)],
    first: &CheckEvent,
    (seq, call): (u64, u64),
) -> Result<()> {
    let is_self = |subject: &&Subject| {
        first
            .subject
            .as_ref()
            .is_some_and(|who| who.id == subject.id)
    };
    let of_call = || {
        later
            .iter()
            .map(|(_, entry)| entry)
            .filter(|entry| entry.call == Some(call))
    };
    let moved = clock::moved_in(of_call());
    let is_hurt = |target: &Subject| {
        let hits = |hit: &DamageEvent| hit.subject.id == target.id && !is_of_clock(hit, &moved);
        of_call().any(|entry| matches!(&entry.event, Event::Damage(hit) if hits(hit)))
    };
    let Some(Subject { name: target, .. }) = first
        .against
        .as_ref()
        .filter(|who| !is_self(who) && is_hurt(who))
    else {
        return Ok(());
    };
    let why = format!(
        "#{seq} told on {target} already, so it can be followed no more. Undo it, and make a new check."
    );
    Err(Refusal::new(Code::ChangedSince, why))
}

fn is_of_clock(event: &DamageEvent, moved: &[Rewind]) -> bool {
    let by = event
        .reason
        .as_ref()
        .filter(|_| event.told == Some(Phrasing::Conditions));
    by.is_some_and(|by| moved.iter().any(|clock| clock.name == *by))
}

/// What followed from a roll, the way back.
#[derive(Default)]
pub struct Reversal {
    pub rows: Vec<Change>,
    pub clocks: Vec<Rewind>,
}

impl Reversal {
    /// All of it, to look at the state as it was.
    pub fn changes(&self, state: &State) -> Vec<Change> {
        let clocks = self.clocks.iter().filter_map(|clock| {
            let now = state.clocks.get(&clock.name)?;
            Some(Change::Clock(Images::changed(
                now.clone(),
                Clock {
                    value: clock.value,
                    ..now.clone()
                },
            )))
        });
        self.rows.iter().cloned().chain(clocks).collect()
    }
}

/// Reverses what followed from the roll of entry `seq`: of the entries `later` those of its call up
/// to the next check, but for the price that was paid for it.
pub fn reverse_consequences(
    state: &mut State,
    later: &[(u64, Entry)],
    first: &CheckEvent,
    (seq, call): (u64, u64),
) -> Result<Reversal> {
    let who = first.subject.as_ref().map(|who| who.id);
    let (check, again) = (&first.check, first.again.as_ref());
    let kept = again.map_or_else(
        || price_reason(check),
        |again| paid_reason(check, &again.rule),
    );
    let is_kept = |entry: &Entry| match &entry.event {
        Event::Damage(event) => event.reason.as_ref() == Some(&kept),
        Event::Clock(event) => event.reason.as_ref() == Some(&kept),
        _ => false,
    };
    let entries = later
        .iter()
        .skip_while(|(later, _)| *later <= seq)
        .take_while(|(_, entry)| {
            entry.call == Some(call) && !matches!(entry.event, Event::Check(_))
        })
        .map(|(_, entry)| entry)
        .filter(|entry| !is_kept(entry));
    let mut clocks = clock::moved_in(entries.clone());
    let is_of_it = |entry: &&Entry| match &entry.event {
        Event::Damage(event) => Some(event.subject.id) == who || is_of_clock(event, &clocks),
        _ => false,
    };
    let changed = |name: &str| {
        let summary = format!(
            "#{seq} moved {name}, which changed since, so it can be followed no more. Undo what came after it first, or make a \
             new check."
        );
        Err(Refusal::new(Code::ChangedSince, summary))
    };
    if let Some(clock) = clocks.iter().find(|clock| !clock.is_as_left(state)) {
        return changed(&clock.name);
    }
    let changes = entries.filter(is_of_it).flat_map(|entry| &entry.changes);
    let row_name = |change: &Change| match change {
        Change::Track(images) => Some(images.row()?.name.clone()),
        Change::Condition(images) => Some(images.row()?.name.clone()),
        _ => None,
    };
    let rows = changes
        .filter(|change| row_name(change).is_some())
        .cloned()
        .map(Change::reversed);
    let rows: Vec<Change> = rows.collect::<Vec<_>>().into_iter().rev().collect();
    let applied = apply_agreeing(state, &rows);
    state.revert(rows.get(..applied).unwrap_or_default());
    if let Some(change) = rows.get(applied) {
        return changed(&row_name(change).unwrap_or_default());
    }
    clocks.retain(|clock| clock.value != clock.left);
    Ok(Reversal { rows, clocks })
}

/// What this attempt costs; nothing from an attribute that the call does not choose. Refused:
/// [`AttemptError::Missing`] without the attribute that pays it.
pub fn price(
    rule: &Check,
    attempt: &Attempt,
    attribute: Option<&Attribute>,
) -> Result<Vec<Move>, AttemptError> {
    let facts = Facts {
        values: attempt.values.clone(),
        ..Facts::default()
    };
    let mut moves = Vec::new();
    let counted = |cost: &CheckCost| cost.amount.value(&facts).unwrap_or(0);
    for (cost, count) in rule
        .costs
        .iter()
        .map(|cost| (cost, counted(cost)))
        .filter(|(_, count)| *count > 0)
    {
        let chosen = attribute.map(|attribute| (attribute.name.as_str(), false));
        let from = cost
            .track()
            .or(chosen)
            .ok_or_else(|| AttemptError::Missing(vec!["attribute".to_owned()]))?;
        let (given, reason) = (BTreeMap::new(), price_reason(&rule.name));
        moves.extend(cost.moves(from, count).map(|effect| Move {
            effect,
            given,
            reason,
        }));
    }
    Ok(moves)
}

/// One use of the attack that the check is made with, where its uses are counted. Refused: when it
/// is used up.
pub fn use_of_attack(
    table: &Table,
    (rule, who): (&Check, &Character),
    call: &CheckCall,
) -> Result<Option<Move>> {
    let counted = |name: &str| uses_of(table.state, table.system(), who, name);
    let attack = call.attack.as_deref().filter(|_| !call.further);
    let Some((track, uses)) = attack
        .and_then(counted)
        .and_then(|it| it.uses().map(|uses| (it, uses)))
    else {
        return Ok(None);
    };
    let (name, effect) = (&track.name, format!("costs 1 {}", track.name));
    if track.value > 0 {
        let one = parse_formula("1").map_err(|error| dice_refusal(&error))?;
        return Ok(Some(Move {
            effect: Effect::moving(name, (Sign::Minus, one), effect),
            given: BTreeMap::new(),
            reason: price_reason(&rule.name),
        }));
    }
    let summary = format!(
        "{}'s {name} is used up ({}, {uses}).",
        who.name,
        render_value(&track)
    );
    let refusal = Refusal::new(Code::NotEnough, summary);
    let is_left = |attack: &Attack| counted(&attack.name).is_none_or(|track| track.value > 0);
    let other = attacks::all(table.system(), who).into_iter().find(is_left);
    let again = json!({"action": "update", "character": who.name, "tracks": {name: 1}});
    Err(match other {
        Some(other) => {
            let again = format!(
                "If it is there again, manage_character action=\"update\" character=\"{}\" tracks={{\"{name}\": 1}} first.",
                who.name
            );
            refusal.send("attack", other.name, "").and(&again)
        }
        None => refusal.send_call("manage_character", &again, " first if it is there again"),
    })
}

/// What a character cannot pay, and why: "Task costs 4 Might (System.md:9), and Ana has Might
/// 2/12"; `None` where it can.
pub fn unpaid<'p>(
    table: &Table,
    rule: &Check,
    price: &'p [Move],
    who: &Character,
) -> Option<(&'p Place, String)> {
    price.iter().find_map(|Move { effect, .. }| {
        let Effect { text, place, .. } = effect;
        let left = lacking(table.state, table.system(), who, effect)?;
        Some((place, format!("{} {text} ({place}), and {left}", rule.name)))
    })
}

/// What there is where it is too little to pay this: "Ana has Might 2/12"; else `None`.
pub fn lacking(state: &State, system: &System, who: &Character, cost: &Effect) -> Option<String> {
    let (track, count) = (
        cost.track()?,
        cost.amount.as_ref()?.bind(&mut |_| None).ok()?.constant()?,
    );
    if cost.shared {
        let Some(clock) = clocks::open_one(state, system, track) else {
            return Some(format!("there is no {track}"));
        };
        let worse = clock.worse_by(count);
        return (clocks::nearest(&clock, worse) != worse)
            .then(|| format!("all share {}", clock.render()));
    }
    let vitality = Vitality::of(state, who.id);
    let tracks = tracks_named(&vitality, system, track);
    let now: Vec<String> = tracks
        .iter()
        .map(|track| format!("{} {}", track.name, render_value(track)))
        .collect();
    let has = if now.is_empty() {
        format!("no {track}")
    } else {
        now.join(", ")
    };
    (tracks.is_empty() || left_of(&vitality, system, track) < count)
        .then(|| format!("{} has {has}", who.name))
}

/// The reason of a check's price, which is not given back where the roll is followed.
fn price_reason(check: &str) -> String {
    format!("price of {check}")
}

/// The reason of the price of following a roll, likewise where the new roll is followed once more.
pub fn paid_reason(check: &str, rule: &str) -> String {
    format!("{check}, {rule}")
}
