//! A check by the adventure's rules: skill, attribute, modifier, expression, roll, outcome row; in that order, and every
//! number with its source.
//!
//! Everything that can be refused is refused in [`trial`] before dice are rolled. [`opposed`] rolls for two sides,
//! [`again`] follows an earlier roll. The rules judge the roll ([`Check::verdict`](rollbook_rules::Check::verdict)).

mod again;
mod call;
mod chosen;
mod consequences;
mod dice;
mod modifiers;
mod names;
mod opposed;
mod trial;
mod unused;
mod write;

pub use again::{is_check_of, no_last_check, offers, whose_last};
pub use call::{AttackBonus, CheckCall, Follow, Opponent, StatedCheck};
pub use chosen::{check_needs, difficulty};
pub use opposed::{ContestResult, Ended, check_open, is_contest, render_rule, says_who_wins};

use crate::decide::advancement;
use crate::decide::roll::Entered;
use crate::decide::roll::default_visibility;
use crate::mechanics::health::Vitality;
use crate::mechanics::lookup;
use crate::record::entry::Visibility;
use crate::record::event::{AttackOn, CheckEvent, Opposed, Subject};
use crate::record::purpose;
use crate::record::state::Character;
use crate::refusal::Refusal;
use crate::table::{Draft, Table};
use crate::view::secrets;
use chosen::Chosen;
use consequences::{apply_moves, apply_row_moves};
use rollbook_rules::{Attempt, Check, FollowUp, Outcome};
use trial::PreparedCheck;
use write::{check_secrets, check_stated_secrets, decided_by, deciding_place, draft, event, log};

/// Resolves and logs a check, with the tick that its skill earns; returns the check's entry.
///
/// Dice that people rolled are `entered`; the sender sees to it that none are left.
pub fn decide(table: &mut Table, call: CheckCall, entered: Option<&mut Entered>) -> Result<u64, Refusal> {
    let seq = resolve(table, call, entered)?;
    advancement::tick(table, seq)?;
    Ok(seq)
}

fn resolve(table: &mut Table, call: CheckCall, entered: Option<&mut Entered>) -> Result<u64, Refusal> {
    call.check_limits()?;
    if let Some(follow) = &call.again {
        return again::decide(table, &call, follow, entered);
    }
    let call = CheckCall { opposed: call.opposed_by.is_some(), ..call };
    let stated = call.stated.clone();
    let Sides { trial, other, against, attack, .. } = prepare_sides(table, &call, stated.as_deref())?;
    let rolling = || trial.actor.iter().chain(other.iter().flat_map(|other| &other.actor));
    rolling().try_for_each(|own| lookup::check_participant(table.state, own))?;
    let visibility =
        call.visibility.unwrap_or_else(|| default_visibility(table.state, table.system(), trial.actor.as_ref()));
    let unseen = std::iter::once(&trial).chain(&other).any(|own| own.counts_hidden);
    let visibility = without_sum(table, visibility, unseen);
    secrets::check_character(table.state, visibility, "character", trial.actor.as_ref())?;
    std::iter::once(&trial).chain(&other).try_for_each(|own| check_secrets(table, &call, visibility, &own.words))?;
    check_stated_secrets(table, stated.as_deref(), visibility)?;
    // Dead characters may roll; the reply adds a note.
    let dead: Vec<&Character> = rolling().filter(|own| Vitality::of(table.state, own.id).is_dead()).collect();
    table.note(dead.iter().map(|own| format!("{} is dead, and rolls all the same", own.name)));
    if let Some(actor) = trial.actor.as_ref().filter(|_| call.struck) {
        let vitality = Vitality::of(table.state, actor.id);
        let down = vitality.is_down(table.system()) && !vitality.is_dead();
        table.note(down.then(|| format!("{} is down, and strikes all the same", actor.name)));
    }
    table.note(trial.notes.iter().chain(other.iter().flat_map(|other| &other.notes)).cloned());
    let mut tried = trial.roll(table, purpose::ROLL, entered)?;
    let met = other.as_ref().map(|other| opposed::roll(table, &trial, other, &mut tried)).transpose()?;
    let mut event = CheckEvent { attack, ..event(&trial, &tried, &call, against) };
    let mut theirs_moves = None;
    if let Some((other, (theirs, opposed))) = other.as_ref().zip(met) {
        if trial.is_untargeted() && event.margin.is_none() {
            event = decided_by(&opposed, event);
        }
        event.adjustments.extend(opposed::render_rule(trial.chosen.rule));
        event.opposed = Some(opposed);
        let rank = theirs.verdict.judged.as_ref().and_then(|judged| judged.rank);
        let results = theirs.verdict.values.iter().cloned().collect();
        theirs_moves = other.actor.as_ref().map(|own| (own.id, other, rank, results));
        tried.records.extend(theirs.records);
    }
    let rule = Some(deciding_place(trial.chosen.rule, &tried.verdict));
    let draft = Draft { visibility, rolls: tried.records, rule, ..draft(trial.by(), event) };
    let seq = log(table, draft, &[], &trial.price);
    if let Some((who, other, rank, results)) = theirs_moves {
        // What a check shows of the actor is no reason to show an opponent whom players do not see.
        let unseen =
            table.state.characters.get(&who).is_some_and(|own| secrets::is_hidden_from_players(table.state, own));
        let visibility = if unseen { Visibility::Gm } else { visibility };
        apply_moves(table, who, &other.price, visibility);
        apply_row_moves(table, who, other.chosen.rule, (rank, &results), visibility);
    }
    Ok(seq)
}

/// What players see of a roll in which an effect counts that they know nothing of: no dice and no sum, since both would show it.
fn without_sum(table: &mut Table, visibility: Visibility, counts_hidden: bool) -> Visibility {
    match visibility {
        Visibility::Public if counts_hidden => {
            let note = "a hidden effect counts, so players learn the outcome alone, without dice and sum";
            table.note([note.to_owned()]);
            Visibility::OutcomeOnly
        }
        own @ (Visibility::Public | Visibility::OutcomeOnly | Visibility::Blind | Visibility::Gm) => own,
    }
}

/// Both sides of a call, ready to roll; nothing is refused after this.
struct Sides<'s> {
    trial: PreparedCheck<'s>,
    other: Option<PreparedCheck<'s>>,
    against: Option<Subject>,
    attack: Option<AttackOn>,
    stated: Option<&'s StatedCheck>,
}

/// `stated` is that of the call, where it outlives it.
fn prepare_sides<'c, 's: 'c>(
    table: &Table<'s>,
    call: &CheckCall,
    stated: Option<&'c StatedCheck>,
) -> Result<Sides<'c>, Refusal> {
    let actor = actor(table, call)?.cloned();
    let target = call.target.as_deref();
    let target = target.map(|name| lookup::participant(table.state, table.system(), "target", name)).transpose()?;
    opposed::check_one_other(table, call, target)?;
    let against = target.map(Character::subject);
    let mut trial = PreparedCheck::prepare(table, (call, stated), actor, target)?;
    let unseen = target
        .is_some_and(|own| secrets::is_hidden_from_players(table.state, own) || !table.state.is_met(own.id, own.kind));
    trial.target_hidden |= unseen;
    let attack = if unseen { AttackOn::Unseen } else { AttackOn::Seen };
    let attack = (call.struck && target.is_some()).then_some(attack);
    let rule = trial.chosen.rule;
    let other = call.opposed_by.as_ref().map(|own| opposed::prepare(table, (call, stated), rule, own)).transpose()?;
    if let Some(other) = &other {
        opposed::check_two_people(trial.actor.as_ref(), other)?;
        opposed::check_open((rule, trial.attempt.target), (other.chosen.rule, other.attempt.target))?;
    }
    unused::check_difficulty(call, &trial, other.as_ref())?;
    Ok(Sides { trial, other, against, attack, stated })
}

/// The rule that a call names and who acts; no rule for a follow-up, which has that of the earlier roll.
pub fn rule_and_actor<'t, 'c, 's: 'c>(
    table: &'t Table<'s>,
    call: &'c CheckCall,
) -> Result<(Option<&'c Check>, Option<&'t Character>), Refusal> {
    let actor = actor(table, call)?;
    let rule = match call.again {
        Some(_) => None,
        None => Some(Chosen::of(table.system(), call, call.stated.as_deref(), actor)?.rule),
    };
    Ok((rule, actor))
}

/// The named character; without a name, the only player character. `None` where nothing needs one.
fn actor<'t>(table: &'t Table, call: &CheckCall) -> Result<Option<&'t Character>, Refusal> {
    let system = table.system();
    match &call.character {
        Some(name) => lookup::participant(table.state, system, "character", name).map(Some),
        None if system.attributes.is_empty() && system.skills.is_empty() && table.state.characters.is_empty() => {
            Ok(None)
        }
        None => lookup::sole_player(table.state, system).map(Some),
    }
}

/// A roll by a rule, before it is rolled.
pub struct PlannedRoll<'s> {
    pub rule: &'s Check,
    pub attempt: Attempt,
    /// The rule has a target, but an opposed check needs none: the other side decides.
    pub untargeted: bool,
}

/// What a check comes to, as far as anything follows from it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckEnd {
    /// `None` where the rules leave it to the GM.
    pub outcome: Option<Outcome>,
    pub rank: Option<u32>,
    pub label: Option<String>,
    /// The values of the check that something may follow from.
    pub values: Vec<(String, i64)>,
    /// Whether the actor wins, in an opposed check.
    pub won: Option<bool>,
}

/// Both sides of a check, ready to roll.
pub struct PlannedCheck<'s>(Sides<'s>);

impl<'s> PlannedCheck<'s> {
    /// Prepares a call that follows no earlier roll; `stated` is what it states. Refused: as the check is refused.
    pub fn of<'t: 's>(table: &Table<'t>, call: &CheckCall, stated: Option<&'s StatedCheck>) -> Result<Self, Refusal> {
        call.check_limits()?;
        let call = CheckCall { opposed: call.opposed_by.is_some(), planned: true, ..call.clone() };
        prepare_sides(table, &call, stated).map(PlannedCheck)
    }

    /// The rolls of the actor and of the opponent.
    pub fn rolls(&self) -> (PlannedRoll<'s>, Option<PlannedRoll<'s>>) {
        let roll = |trial: &PreparedCheck<'s>| PlannedRoll {
            untargeted: trial.is_untargeted(),
            rule: trial.chosen.rule,
            attempt: trial.attempt.clone(),
        };
        (roll(&self.0.trial), self.0.other.as_ref().map(roll))
    }

    /// What would be refused of it, because somebody cannot pay for it.
    pub fn unpaid(&self, table: &Table) -> Vec<String> {
        // What an opponent has whom players do not know is no news for them.
        let known = |trial: &&PreparedCheck<'s>| trial.actor.as_ref().is_some_and(|who| who.kind.is_open());
        let all = std::iter::once(&self.0.trial).chain(self.0.other.as_ref().filter(known));
        let unpaid = all.filter_map(|own| consequences::unpaid(table, own.chosen.rule, &own.price, own.actor.as_ref()));
        unpaid.map(|(_, why)| format!("{why}, so the check is refused at the table.")).collect()
    }

    /// Why the roll cannot be followed by this rule, once the check is paid for.
    pub fn unpaid_again(&self, table: &Table, rule: &FollowUp) -> Option<String> {
        let trial = &self.0.trial;
        let why = again::unpaid(
            table.state,
            table.system(),
            rule,
            trial.actor.as_ref(),
            (&trial.price, &again::Given::new()),
        )?;
        Some(format!("{why}, so no roll is followed."))
    }

    /// Logs an end of it with what follows from that, as a check that was rolled is logged; returns the entry.
    pub fn log(&self, table: &mut Table, end: &CheckEnd) -> u64 {
        let Sides { trial, against, attack, other, .. } = &self.0;
        let other = other.as_ref().and_then(|other| other.actor.as_ref()).map(Character::subject);
        let event = CheckEvent {
            check: trial.chosen.rule.name.clone(),
            subject: trial.actor.as_ref().map(Character::subject),
            skill: trial.chosen.skill.as_ref().map(|skill| skill.name.clone()),
            attribute: trial.chosen.attribute.map(|attribute| attribute.name.clone()),
            against: against.clone(),
            attack: *attack,
            outcome: end.outcome,
            rank: end.rank,
            label: end.label.clone(),
            results: end.values.iter().cloned().collect(),
            stated: self.0.stated.map(|own| own.event.clone()),
            opposed: end.won.map(|won| Opposed { subject: other, won, ..Opposed::default() }),
            ..CheckEvent::default()
        };
        log(table, draft(trial.by(), event), &[], &trial.price)
    }
}

/// The rolls of the actor and of the opponent. `None` for a follow-up. Refused: as the check is refused.
pub fn planned_rolls<'c, 's: 'c>(
    table: &Table<'s>,
    call: &'c CheckCall,
) -> Result<Option<(PlannedRoll<'c>, Option<PlannedRoll<'c>>)>, Refusal> {
    match call.again {
        Some(_) => Ok(None),
        None => Ok(Some(PlannedCheck::of(table, call, call.stated.as_deref())?.rolls())),
    }
}
