//! A check that is prepared and not rolled, for odds: the rolls it would make, and what would follow from an end of it.

use super::call::CheckCall;
use super::stated::StatedCheck;
use super::trial::PreparedCheck;
use super::write::{draft, log};
use super::{Sides, again, prepare_sides, price};
use crate::record::event::{CheckEvent, Opposed};
use crate::record::state::Character;
use crate::refusal::Refusal;
use crate::table::Table;
use rollbook_rules::{Attempt, Check, FollowUp, Outcome};

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
    /// Prepares a call that follows no earlier roll; `stated` is what it states.
    ///
    /// # Errors
    /// As the check is refused.
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
        let unpaid = all.filter_map(|own| price::unpaid(table, own.chosen.rule, &own.price, own.actor.as_ref()));
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

/// The rolls of the actor and of the opponent. `None` for a follow-up.
///
/// # Errors
/// As the check is refused.
pub fn planned_rolls<'c, 's: 'c>(
    table: &Table<'s>,
    call: &'c CheckCall,
) -> Result<Option<(PlannedRoll<'c>, Option<PlannedRoll<'c>>)>, Refusal> {
    match call.again {
        Some(_) => Ok(None),
        None => Ok(Some(PlannedCheck::of(table, call, call.stated.as_deref())?.rolls())),
    }
}
