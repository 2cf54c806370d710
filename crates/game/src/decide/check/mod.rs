//! A check by the adventure's rules: skill, attribute, modifier, expression, roll, outcome row; in that order, and every
//! number with its source.
//!
//! Everything that can be refused is refused in [`trial`] before dice are rolled. [`opposed`] rolls for two sides,
//! [`again`] follows an earlier roll. The rules judge the roll ([`Check::verdict`](rollbook_rules::Check::verdict)).

mod again;
mod call;
mod chosen;
mod consequences;
mod modifiers;
mod names;
mod opposed;
mod trial;
mod write;

pub use again::{is_check_of, no_last_check, offers, whose_last};
pub use call::{AttackBonus, CheckCall, Follow, Opponent, StatedCheck};
pub use chosen::{check_needs, difficulty};
pub use opposed::{ContestResult, Ended, check_open, is_contest, render_rule, says_who_wins};
pub use trial::roll_each;

use crate::decide::advancement;
use crate::decide::roll::{Entered, default_visibility};
use crate::mechanics::health::Vitality;
use crate::mechanics::lookup;
use crate::record::entry::Visibility;
use crate::record::event::{AttackOn, CheckEvent, Event, Opposed, Subject};
use crate::record::purpose;
use crate::record::state::Character;
use crate::refusal::Refusal;
use crate::table::{Draft, Table};
use crate::view::secrets;
use chosen::Chosen;
use consequences::{apply_moves, row_moves, unpaid};
use rollbook_rules::{Attempt, Check, FollowUp, Outcome};
use trial::{PreparedCheck, check_difficulty};
use write::{check_secrets, decided_by, deciding_place, draft, event, log};

/// Resolves and logs a check, with the tick that its skill earns; returns the check's entry.
///
/// Dice that people rolled are `entered`; the sender sees to it that none are left.
pub fn decide(table: &mut Table, call: CheckCall, entered: Option<&mut Entered>) -> Result<u64, Refusal> {
    call.check_limits()?;
    let seq = match &call.again {
        Some(_) => again::decide(table, &call, entered)?,
        None => resolve(table, CheckCall { opposed: call.opposed_by.is_some(), ..call }, entered)?,
    };
    if table.system().advancement.ticks.is_some()
        && let Some((event, visibility)) = logged(table, seq)
    {
        advancement::tick(table, event, visibility)?;
    }
    Ok(seq)
}

fn resolve(table: &mut Table, call: CheckCall, entered: Option<&mut Entered>) -> Result<u64, Refusal> {
    let planned = PlannedCheck::prepare(table, &call, call.stated.as_deref())?;
    let PlannedCheck { trial, other, against, attack, .. } = planned;
    let (rule, actor) = (trial.chosen.rule, trial.actor.as_ref());
    let sides = || std::iter::once(&trial).chain(&other);
    let rolling: Vec<&Character> = sides().flat_map(|side| &side.actor).collect();
    rolling.iter().try_for_each(|who| lookup::check_participant(table.state, who))?;
    let visibility = call.visibility.unwrap_or_else(|| default_visibility(table.state, table.system(), actor));
    let visibility = without_sum(table, visibility, sides().any(|side| side.looked_up.counts_hidden));
    secrets::check_character(table.state, visibility, "character", actor)?;
    sides().try_for_each(|side| check_secrets(table, &call, visibility, &side.words))?;
    // Dead characters may roll; the reply adds a note.
    let is_dead = |who: &Character| Vitality::of(table.state, who.id).is_dead();
    let dead = rolling.iter().filter(|who| is_dead(who));
    let mut notes: Vec<String> = dead.map(|who| format!("{} is dead, and rolls all the same", who.name)).collect();
    let is_down = |who: &&Character| Vitality::of(table.state, who.id).is_down(table.system()) && !is_dead(who);
    let down = actor.filter(|who| call.struck && is_down(who));
    notes.extend(down.map(|who| format!("{} is down, and strikes all the same", who.name)));
    notes.extend(sides().flat_map(|side| &side.notes).cloned());
    table.note(notes);
    let mut tried = trial.roll(table, purpose::ROLL, entered)?;
    let against_it = other.as_ref().map(|other| opposed::roll(table, &trial, other, &mut tried)).transpose()?;
    let mut event = CheckEvent { attack, against, ..event(&trial, &tried, &call) };
    let mut theirs = None;
    if let Some((rolled, opposed)) = against_it {
        if trial.is_untargeted() && event.margin.is_none() {
            event = decided_by(&opposed, event);
        }
        event.adjustments.extend(render_rule(rule));
        event.opposed = Some(opposed);
        tried.records.extend(rolled.records);
        theirs = other.as_ref().and_then(|other| Some((other.actor.as_ref()?.id, other, rolled.verdict)));
    }
    let place = Some(deciding_place(rule, &tried.verdict));
    let draft = Draft { visibility, rolls: tried.records, rule: place, ..draft(trial.by(), event) };
    let seq = log(table, draft, &[], &trial.price);
    if let Some((who, other, verdict)) = theirs {
        // What a check shows of the actor is no reason to show an opponent whom players do not see.
        let row = table.state.characters.get(&who);
        let unseen = row.is_some_and(|row| secrets::is_hidden_from_players(table.state, row));
        let visibility = if unseen { Visibility::Gm } else { visibility };
        apply_moves(table, who, &other.price, visibility);
        let rank = verdict.judgement.and_then(|judged| judged.rank);
        let results = verdict.values.into_iter().collect();
        apply_moves(table, who, &row_moves(other.chosen.rule, rank, &results), visibility);
    }
    Ok(seq)
}

/// What players see of a roll in which a hidden effect may count: then no dice and no sum, since both would show it.
fn without_sum(table: &mut Table, visibility: Visibility, counts_hidden: bool) -> Visibility {
    if !counts_hidden || visibility != Visibility::Public {
        return visibility;
    }
    table.note(["a hidden effect counts, so players learn the outcome alone, without dice and sum".to_owned()]);
    Visibility::OutcomeOnly
}

/// The rule that a call names and who acts; no rule for a follow-up, which has that of the earlier roll.
pub fn rule_and_actor<'t, 'c, 's: 'c>(
    table: &'t Table<'s>,
    call: &'c CheckCall,
) -> Result<(Option<&'c Check>, Option<&'t Character>), Refusal> {
    let actor = actor(table, call)?;
    let rule = match call.again {
        Some(_) => None,
        None => Some(Chosen::from_call(table.system(), call, call.stated.as_deref(), actor)?.rule),
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

/// Both sides of a check, ready to roll; nothing is refused after this.
pub struct PlannedCheck<'s> {
    trial: PreparedCheck<'s>,
    other: Option<PreparedCheck<'s>>,
    against: Option<Subject>,
    attack: Option<AttackOn>,
    stated: Option<&'s StatedCheck>,
}

impl<'s> PlannedCheck<'s> {
    /// Prepares a call that follows no earlier roll; `stated` is what it states. Refused: as the check is refused.
    pub fn of<'t: 's>(table: &Table<'t>, call: &CheckCall, stated: Option<&'s StatedCheck>) -> Result<Self, Refusal> {
        call.check_limits()?;
        let call = CheckCall { opposed: call.opposed_by.is_some(), planned: true, ..call.clone() };
        Self::prepare(table, &call, stated)
    }

    fn prepare<'t: 's>(table: &Table<'t>, call: &CheckCall, stated: Option<&'s StatedCheck>) -> Result<Self, Refusal> {
        let (state, system) = (&*table.state, table.system());
        let actor = actor(table, call)?.cloned();
        let target = call.target.as_deref();
        let target = target.map(|name| lookup::participant(state, system, "target", name)).transpose()?;
        opposed::check_one_other(table, call, target)?;
        let mut trial = PreparedCheck::prepare(table, (call, stated), actor, target)?;
        let unseen = target.is_some_and(|target| {
            secrets::is_hidden_from_players(state, target) || !state.is_met(target.id, target.kind)
        });
        trial.looked_up.secret |= unseen;
        let struck = target.filter(|_| call.struck);
        let attack = struck.map(|_| if unseen { AttackOn::Unseen } else { AttackOn::Seen });
        let rule = trial.chosen.rule;
        let other = call.opposed_by.as_ref().map(|opponent| opposed::prepare(table, (call, stated), rule, opponent));
        let other = other.transpose()?;
        let mut sides = vec![&trial];
        if let Some(other) = &other {
            opposed::check_two_people(trial.actor.as_ref(), other)?;
            check_open((rule, trial.attempt.target), (other.chosen.rule, other.attempt.target))?;
            sides.push(other);
        }
        check_difficulty(call, &sides)?;
        Ok(PlannedCheck { trial, other, against: target.map(Character::subject), attack, stated })
    }

    /// The rolls of the actor and of the opponent.
    pub fn rolls(&self) -> (PlannedRoll<'s>, Option<PlannedRoll<'s>>) {
        let roll = |side: &PreparedCheck<'s>| PlannedRoll {
            untargeted: side.is_untargeted(),
            rule: side.chosen.rule,
            attempt: side.attempt.clone(),
        };
        (roll(&self.trial), self.other.as_ref().map(roll))
    }

    /// What would be refused of it, because a character cannot pay for it.
    pub fn unpaid(&self, table: &Table) -> Vec<String> {
        // What an opponent has whom players do not know is no news for them.
        let known = |side: &&PreparedCheck<'s>| side.actor.as_ref().is_some_and(|who| who.kind.is_open());
        let sides = std::iter::once(&self.trial).chain(self.other.as_ref().filter(known));
        let unpaid = sides.filter_map(|side| unpaid(table, side.chosen.rule, &side.price, side.actor.as_ref()?));
        unpaid.map(|(_, why)| format!("{why}, so the check is refused at the table.")).collect()
    }

    /// Why the roll cannot be followed by this rule, once the check is paid for.
    pub fn unpaid_again(&self, table: &Table, rule: &FollowUp) -> Option<String> {
        let (who, paid) = (self.trial.actor.as_ref()?, self.trial.price.as_slice());
        let why = again::unpaid(table.state, table.system(), rule, who, (paid, &again::Given::new()))?;
        Some(format!("{why}, so no roll is followed."))
    }

    /// Logs an end of it with what follows from that, as a check that was rolled is logged; returns the entry.
    pub fn log(&self, table: &mut Table, end: &CheckEnd) -> u64 {
        let PlannedCheck { trial, against, attack, other, stated } = self;
        let other = other.as_ref().and_then(|other| other.actor.as_ref()).map(Character::subject);
        let event = CheckEvent {
            against: against.clone(),
            attack: *attack,
            outcome: end.outcome,
            rank: end.rank,
            label: end.label.clone(),
            results: end.values.iter().cloned().collect(),
            stated: stated.map(|stated| stated.event.clone()),
            opposed: end.won.map(|won| Opposed { subject: other, won, ..Opposed::default() }),
            ..trial.chosen.event(trial.actor.as_ref())
        };
        log(table, draft(trial.by(), event), &[], &trial.price)
    }
}

/// The check at `seq`, which this call logged, and who sees it.
pub fn logged(table: &Table, seq: u64) -> Option<(CheckEvent, Visibility)> {
    let entry = &table.written_at(seq)?.entry;
    match &entry.event {
        Event::Check(event) => Some((CheckEvent::clone(event), entry.visibility)),
        _ => None,
    }
}

/// Refuses what the check is refused for; a follow-up's refusals depend on the earlier roll.
pub fn check_call(table: &Table, call: &CheckCall) -> Result<(), Refusal> {
    match call.again {
        Some(_) => Ok(()),
        None => PlannedCheck::of(table, call, call.stated.as_deref()).map(drop),
    }
}
