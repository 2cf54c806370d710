//! A check by the adventure's rules: skill, attribute, modifier, expression, roll, outcome row; in that order,
//! and every number with where it came from.
//!
//! Everything that can be refused is refused in [`trial`] before a die falls. [`opposed`] rolls for two, [`again`] follows a
//! roll that was made. What a roll comes to is the rules' affair ([`Check::verdict`](crate::rules::Check::verdict)).

mod again;
mod call;
mod chosen;
mod conditions;
mod consequences;
mod dice;
mod difficulty;
mod formula;
mod modifiers;
mod names;
mod needs;
mod opposed;
mod remarks;
mod trial;
mod unused;
mod write;

use crate::game::decide::advancement;
use crate::game::decide::roll::default_visibility;
use crate::game::mechanics::health::Standing;
use crate::game::mechanics::lookup;
use crate::game::record::event::{CheckEvent, Subject};
use crate::game::record::purpose;
use crate::game::record::state::Character;
use crate::game::refusal::Refusal;
use crate::game::table::{Draft, Table};
use crate::game::view::secrets;
use crate::rules::{Attempt, Check};
use consequences::row_moves;
use trial::Trial;
use write::{check, decided_by, event, keep, log, place};

pub use again::{is_check_of, no_last, whose_last};
pub use call::{CheckCall, Follow, Opponent};
pub use difficulty::difficulty;
pub use opposed::End;

/// Resolves and logs, with the tick that it earns its skill; answers the check's entry.
pub fn decide(table: &mut Table, call: CheckCall) -> Result<u64, Refusal> {
    let seq = resolve(table, call)?;
    advancement::tick(table, seq)?;
    Ok(seq)
}

fn resolve(table: &mut Table, call: CheckCall) -> Result<u64, Refusal> {
    call.bounds()?;
    if let Some(follow) = &call.again {
        return again::decide(table, &call, follow);
    }
    let call = CheckCall { opposed: call.opposed_by.is_some(), ..call };
    let Sides { trial, other, against } = sides(table, &call)?;
    let rolling = || trial.actor.iter().chain(other.iter().flat_map(|other| &other.actor));
    rolling().try_for_each(|own| lookup::takes_part(table.state, own))?;
    for side in std::iter::once(&trial).chain(&other) {
        needs::met(table.state, table.system(), side.chosen.rule, side.actor.as_ref().map(|own| own.id))?;
    }
    let visibility =
        call.visibility.unwrap_or_else(|| default_visibility(table.state, table.system(), trial.actor.as_ref()));
    secrets::keep_unnamed(table.state, visibility, "character", trial.actor.as_ref())?;
    keep(table, &call, visibility, &trial.said)?;
    // A ghost may roll, and the story knows why; whoever forgot the death is told.
    let dead: Vec<&Character> = rolling().filter(|own| Standing::of(table.state, own.id).is_dead()).collect();
    table.note(dead.iter().map(|own| format!("{} is dead, and rolls all the same", own.name)));
    table.note(trial.noted.iter().chain(other.iter().flat_map(|other| &other.noted)).cloned());
    let mut tried = trial.roll(table, purpose::ROLL)?;
    let mut event = CheckEvent { against, ..event(&trial, &tried, &call) };
    let mut theirs_moves = None;
    if let Some(other) = &other {
        let (theirs, opposed) = opposed::roll(table, other, &End::of(trial.chosen.rule, &tried.verdict))?;
        if trial.is_untargeted() {
            event = decided_by(&opposed, event);
        }
        event.opposed = Some(opposed);
        let rank = theirs.verdict.judged.as_ref().and_then(|judged| judged.rank);
        theirs_moves = other.actor.as_ref().map(|own| (own.id, other.chosen.rule, rank));
        tried.records.extend(theirs.records);
    }
    let rule = Some(place(trial.chosen.rule, &tried.verdict));
    let seq = log(table, Draft { visibility, rolls: tried.records, rule, ..check(trial.by(), event) });
    if let Some((who, rule, rank)) = theirs_moves {
        row_moves(table, who, rule, rank, visibility);
    }
    Ok(seq)
}

/// Both sides of a call, ready to be rolled; nothing can be refused after it.
struct Sides<'s> {
    trial: Trial<'s>,
    other: Option<Trial<'s>>,
    against: Option<Subject>,
}

fn sides<'s>(table: &Table<'s>, call: &CheckCall) -> Result<Sides<'s>, Refusal> {
    let actor = actor(table, call)?.cloned();
    let target = call.target.as_deref();
    let target = target.map(|name| lookup::acting(table.state, table.system(), "target", name)).transpose()?;
    let against = target.map(Character::subject);
    let mut trial = Trial::prepare(table, call, actor, target)?;
    trial.target_hidden |= target.is_some_and(|target| secrets::is_unseen(table.state, target));
    let other = call.opposed_by.as_ref().map(|opponent| opposed::prepare(table, call, opponent)).transpose()?;
    if let Some(other) = &other {
        opposed::two_people(trial.actor.as_ref(), other)?;
    }
    unused::difficulty(call, &trial, other.as_ref())?;
    Ok(Sides { trial, other, against })
}

/// One roll by one rule, before it is made.
pub struct Roll<'s> {
    pub rule: &'s Check,
    pub attempt: Attempt,
    /// Whether it has a target by its rule and none here: the other side decides.
    pub untargeted: bool,
}

/// What would be rolled: by the one who tries, and by whoever opposes it. None where a roll that was made is followed.
pub fn attempts<'s>(table: &Table<'s>, call: &CheckCall) -> Result<Option<(Roll<'s>, Option<Roll<'s>>)>, Refusal> {
    if call.again.is_some() {
        return Ok(None);
    }
    call.bounds()?;
    let call = CheckCall { opposed: call.opposed_by.is_some(), ..call.clone() };
    let Sides { trial, other, .. } = sides(table, &call)?;
    let roll =
        |trial: Trial<'s>| Roll { untargeted: trial.is_untargeted(), rule: trial.chosen.rule, attempt: trial.attempt };
    Ok(Some((roll(trial), other.map(roll))))
}

/// The named character; with no name, the only player character where the rules know attributes or skills.
fn actor<'t>(table: &'t Table, call: &CheckCall) -> Result<Option<&'t Character>, Refusal> {
    let system = table.system();
    match &call.character {
        Some(name) => lookup::acting(table.state, system, "character", name).map(Some),
        None if system.attributes.is_empty() && system.skills.is_empty() && table.state.characters.is_empty() => {
            Ok(None)
        }
        None => lookup::sole_player(table.state, system).map(Some),
    }
}
