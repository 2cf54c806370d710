//! Following a roll that was made: pushing it, spending luck on it.
//!
//! A new entry, linked to the first, which stays as it was. Its roll is the first one's expression with the dice that stay
//! lying as they fell and the others drawn anew, so that it can be checked like any other roll; its purpose in the record is
//! `again`, so that statistics can leave the dice that stayed out.

mod carried;
mod last;
mod which;

use std::collections::BTreeMap;

use super::call::{CheckCall, Follow};
use super::consequences::taken_back;
use super::needs;
use super::opposed::{End, again as against};
use super::trial::given;
use super::write::{check, decided_by, keep, log, place, shifted};
use crate::dice::{Bound, Expression, Roll, parse};
use crate::game::mechanics::health::Standing;
use crate::game::mechanics::values::{Values, dice_refusal};
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::{Entry, RollRecord};
use crate::game::record::event::{Again, CheckEvent};
use crate::game::record::purpose::{AGAIN, OPPOSING};
use crate::game::record::state::{Character, Track};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Draft, Table};
use crate::names::fold;
use crate::rules::{Attempt, Check, Direction, FollowUp, FollowUpChange, System};
use carried::Carried;
use which::{Followed, which};

pub use last::{is_check_of, no_last, whose_last};

/// What a rule makes of a roll, before it is made.
struct Plan {
    expression: Expression,
    /// The faces in the order of draws; none where a die is drawn anew.
    faces: Vec<Option<i64>>,
    amount: i64,
    spent: Option<(Track, Track)>,
}

/// Follows it and logs; answers the entry's number.
pub fn decide(table: &mut Table, call: &CheckCall, follow: &Follow) -> Result<u64, Refusal> {
    let Followed { seq, entry, first, rule, follow_up, by } = which(table, follow)?;
    super::unused::beside_again(call, &follow_up)?;
    which::same_person(table, call, seq, &first)?;
    which::same_check(table.system(), call, seq, &first)?;
    let actor = first.subject.as_ref().and_then(|subject| table.state.characters.get(&subject.id)).cloned();
    let Some(before) = entry.rolls.first() else { return Err(which::no_roll(seq)) };
    let back = match &first.subject {
        Some(who) => taken_back(table.state, &table.later, seq, who.id)?,
        None => Vec::new(),
    };
    // As it was at the first roll: what that one moved is moved back before this one moves anything.
    table.state.apply(&back);
    let who = first.subject.as_ref().map(|who| who.id);
    let planned = needs::met(table.state, table.system(), &rule, who)
        .and_then(|()| plan(table, call, &before.roll, &follow_up, actor.as_ref()));
    let standing = who.map(|who| Standing::of(table.state, who));
    table.state.revert(&back);
    let plan = planned?;
    let redrawn = plan.faces.iter().filter(|face| face.is_none()).count();
    keep(table, call, call.visibility.unwrap_or(entry.visibility), &first.said)?;
    let record = table
        .roll_by(&entry.actor, AGAIN, |roller| plan.expression.roll(&mut Carried::new(plan.faces.clone(), roller)))
        .map_err(|error| dice_refusal(&error))?;
    let again = Again {
        entry: seq,
        rule: follow_up.name.clone(),
        place: follow_up.place.to_string(),
        redrawn: u32::try_from(redrawn).unwrap_or(u32::MAX),
        amount: plan.amount,
    };
    let first = CheckEvent { context: call.context.clone().or_else(|| first.context.clone()), ..first };
    let mut told: Vec<String> = back.iter().filter_map(|change| words(change, seq)).collect();
    let (mut event, place) = judged(table.system(), &rule, first, &entry, &record, plan.expression, (again, &by));
    event.adjustments.append(&mut told);
    let visibility = call.visibility.unwrap_or(entry.visibility);
    let spent = plan.spent.map(|(before, after)| Change::Track(Images::changed(before, after)));
    let draft = Draft { visibility, rolls: vec![record], rule: Some(place), ..check(&entry.actor, event) };
    let risen = standing.map_or(Vec::new(), |standing| standing.combatants(table.state, table.system()));
    let mut changes = back;
    changes.extend(risen);
    changes.extend(spent);
    Ok(log(table, Draft { changes, ..draft }))
}

/// What is taken back of the first roll, in words.
fn words(change: &Change, seq: u64) -> Option<String> {
    let what = match change {
        Change::Track(images) => {
            let (before, after) = (images.before.as_ref()?, images.after.as_ref()?);
            format!("{} {} to {}", after.name, before.value, after.value)
        }
        Change::Condition(images) => match (&images.before, &images.after) {
            (Some(row), None) => format!("no longer {}", row.label()),
            (_, Some(row)) => format!("{} again", row.label()),
            (None, None) => return None,
        },
        Change::Campaign(_)
        | Change::Session(_)
        | Change::Character(_)
        | Change::Item(_)
        | Change::Combat(_)
        | Change::Combatant(_) => return None,
    };
    Some(format!("{what}, taken back from #{seq}"))
}

/// The check's verdict on the new roll, with everything else as it was.
fn judged(
    system: &System,
    rule: &Check,
    first: CheckEvent,
    entry: &Entry,
    record: &RollRecord,
    expression: Expression,
    (again, by): (Again, &[String]),
) -> (CheckEvent, String) {
    let attempt = attempt(rule, &first, expression);
    let opposing = entry.rolls.iter().find(|roll| roll.purpose == OPPOSING).map(|record| &record.roll);
    let mut verdict = rule.verdict_after(&attempt, &record.roll, opposing, by);
    let untargeted = rule.target.is_some() && first.target.is_none();
    if untargeted {
        // As at the first roll, the other side decides.
        verdict.judged = None;
    }
    let opposed = first.opposed.clone().map(|opposed| against(system, opposed, &End::of(rule, &verdict)));
    let tried = CheckEvent {
        adjustments: verdict.judged.iter().flat_map(shifted).collect(),
        opposed: opposed.clone(),
        again: Some(again),
        formulas: None,
        ..first
    };
    let event = super::write::judged(rule, &verdict, tried);
    let event = match opposed.filter(|_| untargeted) {
        Some(opposed) => decided_by(&opposed, event),
        None => event,
    };
    (event, place(rule, &verdict))
}

/// The attempt that the first roll was, with what is rolled now.
fn attempt(rule: &Check, first: &CheckEvent, expression: Expression) -> Attempt {
    let mut values: BTreeMap<String, i64> =
        first.variables.iter().map(|variable| (fold(&variable.name), variable.value)).collect();
    // The record has a field of its own for these two.
    values.extend(first.difficulty.map(|difficulty| ("difficulty".to_owned(), difficulty)));
    let modifier = first.modifiers.iter().map(|part| part.value).fold(0, i64::saturating_add);
    values.insert("modifier".to_owned(), modifier);
    let no_dice = first.pool == Some(0);
    let rolled = rule.no_dice.as_ref().filter(|_| no_dice).map_or(&rule.roll, |no_dice| &no_dice.what);
    Attempt {
        expression,
        opposing: None,
        target: first.target,
        pool: first.pool,
        no_dice,
        groups: rule.group_names(),
        counts: rolled.counts(),
        values,
    }
}

fn plan(
    table: &Table,
    call: &CheckCall,
    roll: &Roll,
    follow_up: &FollowUp,
    actor: Option<&Character>,
) -> Result<Plan, Refusal> {
    let expression = parse(&roll.expression).map_err(|error| dice_refusal(&error))?;
    let all = || roll.faces().into_iter().map(Some).collect();
    match &follow_up.change {
        FollowUpChange::Reroll { except } => {
            let faces = carried::faces(&expression, roll, except, follow_up)?;
            Ok(Plan { expression, faces, amount: 0, spent: None })
        }
        FollowUpChange::Subtract { most } | FollowUpChange::Add { most } => {
            let values = Values::maybe(table.state, table.system(), actor);
            let most = values.bind(most)?.constant().unwrap_or(0);
            let points = points(call, follow_up, most)?;
            let down = matches!(follow_up.change, FollowUpChange::Subtract { .. });
            let amount = if down { -points } else { points };
            let expression = expression.plus(amount).map_err(|error| dice_refusal(&error))?;
            Ok(Plan { expression, faces: all(), amount, spent: spent(table, follow_up, actor, points) })
        }
    }
}

/// How many points the player takes: `values.amount`, at most what the rule allows.
fn points(call: &CheckCall, follow_up: &FollowUp, most: i64) -> Result<i64, Refusal> {
    let amount = match given(&call.values).get("amount") {
        Some(Bound::Number(amount)) => Some(*amount),
        _ => None,
    };
    let refuse = |what: String| {
        let summary = format!(
            "{} ({}): {what}; 1 to {most} can be taken. Send values={{\"amount\": …}}.",
            follow_up.name, follow_up.place
        );
        Err(Refusal::new(Code::MissingValue, summary).at(follow_up.place.to_string()))
    };
    match amount {
        Some(amount) if (1..=most).contains(&amount) => Ok(amount),
        Some(amount) => refuse(format!("{amount} points were asked for")),
        None => refuse("how many points is not said".to_owned()),
    }
}

/// Where the limit is a track of the actor, the points come off it.
fn spent(table: &Table, follow_up: &FollowUp, actor: Option<&Character>, points: i64) -> Option<(Track, Track)> {
    let name = fold(&follow_up.change.spends()?);
    let before = table.state.tracks_of(actor?.id).find(|track| fold(&track.name) == name)?.clone();
    let rule = table.system().tracks.iter().find(|rule| rule.name == before.name);
    let value = match rule.map(|rule| rule.counts) {
        Some(Direction::Up) => before.value.saturating_add(points).min(before.max.unwrap_or(i64::MAX)),
        _ => before.value.saturating_sub(points).max(before.min),
    };
    let after = Track { value, ..before.clone() };
    Some((before, after))
}
