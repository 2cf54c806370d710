//! A check by the adventure's rules: skill, attribute, modifier, expression, roll, outcome row; in that order,
//! and every number with where it came from.
//!
//! Everything that can be refused is refused in [`trial`] before a die falls. [`opposed`] rolls for two, [`again`] follows a
//! roll that was made. What a roll comes to is the rules' affair ([`Check::verdict`](crate::rules::Check::verdict)).

mod again;
mod chosen;
mod conditions;
mod dice;
mod difficulty;
mod formula;

mod modifiers;
mod moves;
mod names;
mod needs;
mod opposed;
mod overcome;
mod remarks;
mod trial;
mod unused;

use std::collections::BTreeMap;

use crate::dice::Bound;
use crate::game::advance;
use crate::game::entry::Visibility;
use crate::game::event::{CheckEvent, Event, Formulas, Opposed, Subject};
use crate::game::limits::{self, LIMITS};
use crate::game::lookup;
use crate::game::refusal::Refusal;
use crate::game::roll::default_visibility;
use crate::game::secrets;
use crate::game::standing::Standing;
use crate::game::state::Character;
use crate::game::table::{Draft, Table};
use crate::rules::{Attempt, Check, Judgement, Outcome, Verdict};
use trial::{Trial, Tried};

pub use again::{Follow, is_check_of, no_last, whose_last};
pub use difficulty::difficulty;
pub use opposed::End;
pub use trial::{OPPOSED, OPPOSING};

/// What the caller asked for, by names as it typed them.
#[derive(Debug, Default, Clone)]
pub struct CheckCall {
    pub skill: Option<String>,
    pub character: Option<String>,
    pub check: Option<String>,
    pub difficulty: Option<i64>,
    pub attribute: Option<String>,
    pub advantage: bool,
    pub disadvantage: bool,
    /// Steps along the dice chain.
    pub steps: i64,
    /// Situational; named in the result.
    pub modifier: i64,
    /// Whom it is tried against: a Target bullet looks names up there first.
    pub target: Option<String>,
    /// Numbers, dice text, or anything else that is to be written down.
    pub values: BTreeMap<String, String>,
    pub opposed_by: Option<Opponent>,
    /// Whether it is one side of an opposed check, which needs no difficulty.
    pub opposed: bool,
    /// Whether it is the side that opposes, which the call describes in `opposed_by`.
    pub opposing: bool,
    /// The logged roll that is followed.
    pub again: Option<Follow>,
    pub context: Option<String>,
    pub visibility: Option<Visibility>,
}

/// Who rolls against it, and with what.
#[derive(Debug, Default, Clone)]
pub struct Opponent {
    pub character: String,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    /// Another check than the one that is opposed.
    pub check: Option<String>,
    pub modifier: i64,
}

/// Resolves and logs, with the tick that it earns its skill; answers the check's entry.
pub fn decide(table: &mut Table, call: CheckCall) -> Result<u64, Refusal> {
    let seq = resolve(table, call)?;
    advance::tick(table, seq)?;
    Ok(seq)
}

fn resolve(table: &mut Table, call: CheckCall) -> Result<u64, Refusal> {
    bounds(&call)?;
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
    keep(table, &call, visibility, &trial.said)?;
    // A ghost may roll, and the story knows why; whoever forgot the death is told.
    let dead: Vec<&Character> = rolling().filter(|own| Standing::of(table.state, own.id).is_dead()).collect();
    table.note(dead.iter().map(|own| format!("{} is dead, and rolls all the same", own.name)));
    table.note(trial.noted.iter().chain(other.iter().flat_map(|other| &other.noted)).cloned());
    let mut tried = trial.roll(table, trial::ROLL)?;
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
        moves::carry_out(table, who, rule, rank, visibility);
    }
    Ok(seq)
}

/// Refuses texts that name somebody whom players do not see. Of an outcome alone they read none of them.
fn keep(
    table: &Table,
    call: &CheckCall,
    visibility: Visibility,
    said: &BTreeMap<String, String>,
) -> Result<(), Refusal> {
    let context = call.context.as_ref().map(|context| ("context", context));
    let said = said.iter().flat_map(|(name, value)| [("values", name), ("values", value)]);
    let mut texts = context.into_iter().chain(said).filter(|_| visibility == Visibility::Public);
    texts
        .try_for_each(|(parameter, text)| secrets::keep(table.state, table.system(), visibility, parameter, Some(text)))
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
    let trial = Trial::prepare(table, call, actor, target)?;
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
    bounds(call)?;
    let call = CheckCall { opposed: call.opposed_by.is_some(), ..call.clone() };
    let Sides { trial, other, .. } = sides(table, &call)?;
    let roll =
        |trial: Trial<'s>| Roll { untargeted: trial.is_untargeted(), rule: trial.chosen.rule, attempt: trial.attempt };
    Ok(Some((roll(trial), other.map(roll))))
}

fn check(by: &str, event: CheckEvent) -> Draft {
    Draft::new(by, Event::Check(Box::new(event)), Vec::new())
}

/// Logs a check, behind it what its success ends and what its row does to tracks; answers the check's entry.
fn log(table: &mut Table, draft: Draft) -> u64 {
    let (event, visibility) = (draft.event.clone(), draft.visibility);
    let seq = table.log(draft);
    if let Event::Check(event) = event {
        overcome::overcome(table, &event, visibility);
        if let (Some(who), Ok(rule)) = (&event.subject, table.system().check(&event.check)) {
            moves::carry_out(table, who.id, rule, event.rank, visibility);
        }
    }
    seq
}

fn event(trial: &Trial<'_>, tried: &Tried, call: &CheckCall) -> CheckEvent {
    let (rule, verdict, records) = (trial.chosen.rule, &tried.verdict, &tried.records);
    let mut adjustments = trial.adjustments.clone();
    adjustments.extend(verdict.judged.iter().flat_map(shifted));
    let tried = CheckEvent {
        check: rule.name.clone(),
        subject: trial.actor.as_ref().map(Character::subject),
        skill: trial.chosen.skill.as_ref().map(|skill| skill.name.clone()),
        attribute: trial.chosen.attribute.map(|attribute| attribute.name.clone()),
        modifiers: trial.modifiers.clone(),
        variables: trial.variables.clone(),
        said: trial.said.clone(),
        difficulty: call.difficulty.or_else(|| said_difficulty(call)),
        target: trial.attempt.target,
        context: call.context.clone(),
        target_hidden: trial.target_hidden,
        pool: verdict.facts.pool,
        adjustments,
        ..CheckEvent::default()
    };
    let roll = records.first().map(|record| &record.roll);
    let formulas = roll.map(|roll| Formulas::of(rule, &trial.attempt, &tried, roll));
    judged(rule, verdict, CheckEvent { formulas, ..tried })
}

/// Without a difficulty there is nothing to succeed at but the other.
fn decided_by(opposed: &Opposed, event: CheckEvent) -> CheckEvent {
    let outcome = if opposed.won { Outcome::Success } else { Outcome::Failure };
    CheckEvent { outcome: Some(outcome), label: Some(outcome.to_string()), ..event }
}

/// What was tried, with what the rules make of it.
fn judged(rule: &Check, verdict: &Verdict, tried: CheckEvent) -> CheckEvent {
    let judged = verdict.judged.as_ref();
    CheckEvent {
        margin: verdict.facts.margin,
        outcome: judged.map(|judged| judged.outcome),
        label: judged.map(|judged| judged.label.clone()),
        rank: judged.and_then(|judged| judged.rank),
        row_text: judged.and_then(|judged| judged.text.clone()),
        successes: rule.count.as_ref().and(verdict.facts.successes),
        beaten: verdict.facts.beaten.or(tried.beaten),
        flags: verdict.flags.clone(),
        ..tried
    }
}

/// A difficulty among the call's values.
fn said_difficulty(call: &CheckCall) -> Option<i64> {
    match trial::given(&call.values).get("difficulty") {
        Some(Bound::Number(difficulty)) => Some(*difficulty),
        Some(Bound::Dice(_)) | None => None,
    }
}

/// The line that decided, else that of the check.
fn place(rule: &Check, verdict: &Verdict) -> String {
    verdict.judged.as_ref().map_or(&rule.place, |judged| &judged.place).to_string()
}

/// What natural faces did to the outcome, each with its line.
fn shifted(judged: &Judgement) -> Vec<String> {
    judged.shifted.iter().map(|shift| format!("{}, {}", shift.text, shift.place)).collect()
}

/// Steps along a dice chain that a call may ask for, either way.
const STEPS_MAX: i64 = 100;

fn bounds(call: &CheckCall) -> Result<(), Refusal> {
    if let Some(context) = &call.context {
        limits::text("context", context, LIMITS.context)?;
    }
    limits::number("modifier", call.modifier)?;
    limits::number("difficulty", call.difficulty.unwrap_or(0))?;
    limits::number("opposed_by.modifier", call.opposed_by.as_ref().map_or(0, |opponent| opponent.modifier))?;
    if call.steps.abs() > STEPS_MAX {
        let summary = format!("steps is {}; it takes -{STEPS_MAX} to {STEPS_MAX}.", call.steps);
        return Err(Refusal::new("limit_exceeded", summary));
    }
    limits::count("values", call.values.len(), LIMITS.map)?;
    for (name, value) in &call.values {
        limits::name("values", name)?;
        limits::text(&format!("values.{name}"), value, LIMITS.context)?;
        if let Ok(number) = value.trim().parse() {
            limits::number(&format!("values.{name}"), number)?;
        }
    }
    Ok(())
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
