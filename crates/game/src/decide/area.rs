//! Damage or healing on several at once: one amount or one roll for all, a roll each, and a save that eases it.
//!
//! The roll, each save and each hit are entries of their own, and the hits name the roll. Everything is refused before dice are rolled.

use crate::decide::check::{self, CheckCall};
use crate::decide::damage::{self, DamageCall, DamageResult, Measure};
use crate::decide::roll::{self, RollCall};
use crate::limits::{self, LIMITS};
use crate::mechanics::several::{Reach, left_out, several};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{CheckEvent, Event};
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_dice::Expression;
use rollbook_rules::{Dealt, Outcome};

/// Who is hurt, by how much, and what they may do against it.
pub struct AreaCall {
    /// Names, a side, "party".
    pub targets: Vec<String>,
    /// What each takes; its target is each of `targets`.
    pub blow: DamageCall,
    /// Dice in place of an amount, and as they were typed.
    pub dice: Option<(Expression, String)>,
    /// The dice fall for each by itself.
    pub each: bool,
    pub save: Option<Save>,
    pub visibility: Option<Visibility>,
}

/// The check that eases it.
pub struct Save {
    /// Made by each target.
    pub check: CheckCall,
    /// What a success lets through, where the check's own table does not say it.
    pub success: Measure,
    /// What less than a success brings.
    pub failure: Vec<String>,
    /// A success lets nothing through.
    pub evades: bool,
}

/// One target's part.
pub struct Hurt {
    pub name: String,
    pub saved: Option<Outcome>,
    /// None where nothing came through.
    pub damage: Option<DamageResult>,
}

impl AreaCall {
    /// Healing and the end of a condition reach the fallen of a side, a blow those who are up.
    fn reach(&self) -> Reach {
        let blow = &self.blow;
        let rolls = self.dice.is_some() || self.save.is_some() || (blow.roll.is_some() && blow.amount.is_none());
        let amounts = || blow.amount.into_iter().chain(blow.parts.iter().map(|part| part.amount));
        let hurts = rolls || amounts().any(|amount| amount > 0);
        let helps = amounts().any(|amount| amount < 0) || !blow.remove_conditions.is_empty();
        if helps && !hurts { Reach::Living } else { Reach::Up }
    }
}

/// Rolls and hurts them one after the other. Refused: what the damage or the save refuses for any of them; all unknown names at once.
pub fn decide(table: &mut Table, call: &AreaCall) -> Result<Vec<Hurt>, Refusal> {
    let (state, system, reach) = (&*table.state, table.system(), call.reach());
    let found = several(state, system, "target", &call.targets, reach)?;
    let is_meant = |who: &Character| found.iter().any(|own| own.id == who.id);
    let out = left_out(state, system, "target", &call.targets, reach, is_meant);
    let names: Vec<String> = found.into_iter().map(|own| own.name.clone()).collect();
    check_call(table, call, &names)?;
    table.note(out);
    let mut rolled = match (&call.dice, call.each) {
        (Some(dice), false) => Some(roll(table, call, dice, None)?),
        _ => table.referred.clone(),
    };
    let mut hurt = Vec::new();
    for name in names {
        let saved = call.save.as_ref().map(|save| make_save(table, save, &name)).transpose()?;
        if let Some(dice) = call.dice.as_ref().filter(|_| call.each) {
            rolled = Some(roll(table, call, dice, Some(&name))?);
        }
        hurt.push(strike(table, call, name, saved, rolled.as_ref())?);
    }
    Ok(hurt)
}

/// Refuses what any of them could be refused for.
fn check_call(table: &Table, call: &AreaCall, names: &[String]) -> Result<(), Refusal> {
    let (state, system) = (&*table.state, table.system());
    if let Some((expression, _)) = &call.dice {
        if call.blow.amount.is_some() || call.blow.roll.is_some() || !call.blow.parts.is_empty() {
            let summary = "Dice in amount are rolled now, so roll and parts are left out beside them.";
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
        roll::check_amount(system, "amount", "8d6", expression)?;
        let reason = call.blow.reason.as_deref();
        limits::text("reason", reason.unwrap_or_default(), LIMITS.context)?;
        let visibility = call.visibility.unwrap_or_else(|| roll::default_visibility(state, system, None));
        table.check_text(visibility, "reason", reason)?;
        for name in names.iter().filter(|_| call.each) {
            table.check_text(visibility, "target", Some(name))?;
        }
        let times = if call.each { names.len() as u64 } else { 1 };
        let asked = expression.asked().saturating_mul(times);
        limits::count("dice of all targets", usize::try_from(asked).unwrap_or(usize::MAX), LIMITS.dice)?;
    } else if call.each {
        let summary = "each=true rolls for each of them, so amount is dice. Send amount=\"2d6\".";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    for name in names {
        let own = DamageCall { target: name.clone(), ..call.blow.clone() };
        match &call.dice {
            Some((expression, _)) => {
                for amount in [1, expression.greatest().unwrap_or(1).clamp(1, LIMITS.number)] {
                    damage::compute(state, system, &DamageCall { amount: Some(amount), ..own.clone() }, None)?;
                }
            }
            None => {
                damage::preview(state, system, &own, table.referred.as_ref().map(|(_, entry)| entry))?;
            }
        }
        if let Some(save) = &call.save {
            check::planned_rolls(table, &CheckCall { character: Some(name.clone()), ..save.check.clone() })?;
            let failed = DamageCall {
                target: name.clone(),
                apply_conditions: save.failure.clone(),
                amount: Some(1),
                ..DamageCall::default()
            };
            damage::compute(state, system, &failed, None)?;
        }
    }
    Ok(())
}

/// Rolls the dice; returns the entry.
fn roll(
    table: &mut Table,
    call: &AreaCall,
    (expression, input): &(Expression, String),
    name: Option<&str>,
) -> Result<(u64, Entry), Refusal> {
    let what = call.blow.reason.clone().unwrap_or_else(|| "damage".to_owned());
    let context = Some(name.map_or(what.clone(), |name| roll::context_of(&what, name)));
    let roll = RollCall {
        expression: expression.clone(),
        input: input.clone(),
        context,
        character: None,
        visibility: call.visibility,
        any_die: false,
        entered: None,
        deals: true,
    };
    let seq = roll::decide(table, roll)?;
    let written = table.written_at(seq);
    let failed = || Refusal::new(Code::InvalidParameters, "The dice could not be rolled.");
    written.map(|own| (seq, own.entry.clone())).ok_or_else(failed)
}

/// The save of one of them.
fn make_save(table: &mut Table, save: &Save, name: &str) -> Result<CheckEvent, Refusal> {
    let seq = check::decide(table, CheckCall { character: Some(name.to_owned()), ..save.check.clone() }, None)?;
    let event = table.written_at(seq).and_then(|own| match &own.entry.event {
        Event::Check(event) => Some(CheckEvent::clone(event)),
        _ => None,
    });
    Ok(event.unwrap_or_default())
}

fn strike(
    table: &mut Table,
    call: &AreaCall,
    name: String,
    saved: Option<CheckEvent>,
    rolled: Option<&(u64, Entry)>,
) -> Result<Hurt, Refusal> {
    let mut blow = DamageCall { target: name.clone(), ..call.blow.clone() };
    if call.dice.is_some() {
        blow.roll = rolled.map(|(seq, _)| *seq);
        let total = rolled.and_then(|(_, entry)| entry.rolls.first()).map_or(0, |record| record.roll.total);
        (blow.amount, blow.below_zero) = (Some(total.max(0)), (total < 0).then_some(total));
    }
    let outcome = saved.as_ref().and_then(|event| event.outcome);
    if let (Some(save), Some(event)) = (&call.save, &saved) {
        let succeeded = outcome.is_some_and(|outcome| outcome >= Outcome::Success);
        if !succeeded {
            blow.apply_conditions.extend(save.failure.iter().cloned());
            blow.by_rule = true;
        }
        match measure(table, save, event, succeeded) {
            Some(measure) => blow.measure = measure,
            None if blow.apply_conditions.is_empty() => return Ok(Hurt { name, saved: outcome, damage: None }),
            None => {
                blow = DamageCall {
                    apply_conditions: blow.apply_conditions,
                    by_rule: blow.by_rule,
                    target: name.clone(),
                    ..DamageCall::default()
                };
            }
        }
    }
    let result = match call.dice {
        Some(_) => damage::compute(table.state, table.system(), &blow, rolled.map(|(_, entry)| entry))?,
        None => damage::preview_with_roll(table.state, table.system(), &blow, rolled, &table.later)?,
    };
    let result = damage::write(table, result, call.visibility);
    Ok(Hurt { name, saved: outcome, damage: Some(result) })
}

/// How much comes through: what the table of the save says, else what the call says. None of it where there is no measure.
fn measure(table: &mut Table, save: &Save, event: &CheckEvent, succeeded: bool) -> Option<Measure> {
    let rule = event.rule(table.system()).filter(|rule| rule.rows.iter().any(|row| row.damage.is_some()));
    let deals = rule.zip(event.outcome).map(|(rule, outcome)| rule.deals(event.rank, outcome));
    match deals {
        Some(Dealt::None) => None,
        Some(Dealt::Half) => Some(Measure::Half),
        Some(Dealt::Twice | Dealt::DiceTwice) => Some(Measure::Twice),
        Some(Dealt::Once) => Some(Measure::Once),
        Some(Dealt::Maximum | Dealt::Amount(_)) => {
            let who = event.subject.as_ref().map_or("", |own| own.name.as_str());
            table.note([format!("what {who} takes is for the GM to say, so all of it hits")]);
            Some(Measure::Once)
        }
        None if !succeeded => Some(Measure::Once),
        None if save.evades => None,
        None => Some(save.success),
    }
}
