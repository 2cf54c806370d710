//! Damage or healing on several at once: one amount or roll for all, or one each, eased by a save.
//!
//! Roll, saves and hits are entries; the hits name the roll. All is refused before dice are rolled.

use crate::decide::check::{self, CheckCall};
use crate::decide::damage::{self, DamageCall, DamageResult, Measure, is_type};
use crate::decide::roll::{self, RollCall};
use crate::limits::{self, LIMITS};
use crate::mechanics::several::{Reach, left_out, several};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{CheckEvent, Part};
use crate::record::state::Character;
use crate::refusal::{Code, Refusal, Result};
use crate::table::Table;
use rollbook_dice::Expression;
use rollbook_rules::{Dealt, Outcome};

/// Who is hurt, by how much, and what they may do against it.
pub struct AreaCall {
    /// Names, a side, "party".
    pub targets: Vec<String>,
    /// What each takes; its target is each of `targets`.
    pub hit: DamageCall,
    /// Dice instead of an amount.
    pub dice: Option<Typed>,
    /// The dice are rolled for each target.
    pub each: bool,
    pub save: Option<Save>,
    pub visibility: Option<Visibility>,
}

/// Dice, and as they were typed.
pub type Typed = (Expression, String);

/// The check that eases it.
pub struct Save {
    /// Made by each target.
    pub check: CheckCall,
    /// What a success lets through, where the check's table does not say it.
    pub success: Measure,
    /// The conditions that less than a success applies.
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
    /// Healing and the end of a condition reach the fallen of a side, too, a hit those who are up.
    fn reach(&self) -> Reach {
        let hit = &self.hit;
        let heals = self
            .dice
            .as_ref()
            .is_some_and(|(dice, _)| dice.is_taken_away());
        let rolls = self.dice.is_some() && !heals
            || self.save.is_some()
            || (hit.roll.is_some() && hit.amount.is_none());
        let amounts = || {
            hit.amount
                .into_iter()
                .chain(hit.parts.iter().map(|part| part.amount))
        };
        let hurts = rolls || amounts().any(|amount| amount > 0);
        let helps =
            heals || amounts().any(|amount| amount < 0) || !hit.remove_conditions.is_empty();
        if helps && !hurts {
            Reach::Living
        } else {
            Reach::Up
        }
    }
}

/// Rolls and hurts one after the other. Refused: as any of them; all unknown names.
pub fn decide(table: &mut Table, call: &AreaCall) -> Result<Vec<Hurt>> {
    let (state, system, reach) = (&*table.state, table.system(), call.reach());
    let found = several(state, system, "target", &call.targets, reach)?;
    let is_meant = |who: &Character| found.iter().any(|found| found.id == who.id);
    let out = left_out(state, system, "target", &call.targets, reach, is_meant);
    let names: Vec<String> = found.into_iter().map(|found| found.name.clone()).collect();
    check_call(table, call, &names)?;
    table.note(out);
    let mut rolled = match (&call.dice, call.each) {
        (Some(dice), false) => roll(table, call, dice, None)?,
        _ => None,
    };
    let mut hurt = Vec::new();
    for name in names {
        let mut saved = None;
        if let Some(save) = &call.save {
            let check = CheckCall {
                character: Some(name.clone()),
                ..save.check.clone()
            };
            let seq = check::decide(table, check, None)?;
            saved = Some((
                save,
                check::logged(table, seq)
                    .map(|(event, _)| event)
                    .unwrap_or_default(),
            ));
        }
        if let Some(dice) = call.dice.as_ref().filter(|_| call.each) {
            rolled = roll(table, call, dice, Some(&name))?;
        }
        hurt.push(strike(table, call, name, saved, rolled.as_ref())?);
    }
    Ok(hurt)
}

fn check_call(table: &Table, call: &AreaCall, names: &[String]) -> Result<()> {
    let (state, system) = (&*table.state, table.system());
    if let Some((expression, _)) = &call.dice {
        if call.hit.amount.is_some() || call.hit.roll.is_some() || !call.hit.parts.is_empty() {
            let summary =
                "Dice in amount are rolled now, so roll and parts are left out beside them.";
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
        roll::check_amount(system, "amount", "8d6", expression)?;
        let reason = call.hit.reason.as_deref();
        limits::text("reason", reason.unwrap_or_default(), LIMITS.context)?;
        let visibility = call
            .visibility
            .unwrap_or_else(|| roll::default_visibility(state, system, None));
        table.check_text(visibility, "reason", reason)?;
        names
            .iter()
            .filter(|_| call.each)
            .try_for_each(|name| table.check_text(visibility, "target", Some(name)))?;
        let times = if call.each { names.len() as u64 } else { 1 };
        let asked = expression.asked().saturating_mul(times);
        limits::count(
            "dice of all targets",
            usize::try_from(asked).unwrap_or(usize::MAX),
            LIMITS.dice,
        )?;
    } else if call.each {
        let summary = "each=true rolls for each of them, so amount is dice. Send amount=\"2d6\".";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    for name in names {
        let hit = DamageCall {
            target: name.clone(),
            ..call.hit.clone()
        };
        match &call.dice {
            Some((expression, _)) => {
                let kind = hit.damage_type.as_deref();
                let parts = damage::typed(expression, kind, |label| is_type(state, system, label))?;
                for most in [1, LIMITS.number] {
                    let amount = |dice: &Expression| match dice.is_taken_away() {
                        true => -1,
                        false => dice.greatest().unwrap_or(1).clamp(1, most),
                    };
                    let parts = parts.iter().map(|(dice, kind)| Part {
                        amount: amount(dice),
                        damage_type: kind.clone(),
                    });
                    let mut hit = hit.clone();
                    hit.set_parts(parts.collect());
                    damage::compute(state, system, &hit, None)?;
                }
            }
            None => drop(damage::preview(
                state,
                system,
                &hit,
                table.referred.as_ref().map(|(_, entry)| entry),
            )?),
        }
        if let Some(save) = &call.save {
            check::check_call(
                table,
                &CheckCall {
                    character: Some(name.clone()),
                    ..save.check.clone()
                },
            )?;
            let (target, apply_conditions, amount) = (name.clone(), save.failure.clone(), Some(1));
            let failed = DamageCall {
                target,
                apply_conditions,
                amount,
                ..DamageCall::default()
            };
            damage::compute(state, system, &failed, None)?;
        }
    }
    Ok(())
}

fn roll(
    table: &mut Table,
    call: &AreaCall,
    dice: &Typed,
    name: Option<&str>,
) -> Result<Option<(u64, Entry)>> {
    let what = call.hit.reason.clone().unwrap_or_else(|| {
        if dice.0.is_taken_away() {
            "healing"
        } else {
            "damage"
        }
        .to_owned()
    });
    let context = Some(name.map_or(what.clone(), |name| roll::context_of(&what, name)));
    let ((expression, input), visibility) = (dice.clone(), call.visibility);
    let (character, entered, any_die, deals) = (None, None, false, true);
    let roll = RollCall {
        expression,
        input,
        context,
        character,
        reader: None,
        visibility,
        any_die,
        entered,
        deals,
    };
    let seq = roll::decide(table, roll)?;
    Ok(table
        .written_at(seq)
        .map(|written| (seq, written.entry.clone())))
}

fn strike(
    table: &mut Table,
    call: &AreaCall,
    name: String,
    saved: Option<(&Save, CheckEvent)>,
    rolled: Option<&(u64, Entry)>,
) -> Result<Hurt> {
    let mut hit = DamageCall {
        target: name.clone(),
        ..call.hit.clone()
    };
    if call.dice.is_some() {
        hit.roll = rolled.map(|(seq, _)| *seq);
    }
    if let Some(record) = rolled
        .and_then(|(_, entry)| entry.rolls.first())
        .filter(|_| call.dice.is_some())
    {
        let kind = hit.damage_type.take();
        hit.set_rolled(damage::parts_of(
            table.state,
            table.system(),
            &record.roll,
            kind.as_deref(),
        )?);
    }
    let outcome = saved.as_ref().and_then(|(_, event)| event.outcome);
    if let Some((save, event)) = &saved {
        let succeeded = outcome.is_some_and(|outcome| outcome >= Outcome::Success);
        if !succeeded {
            hit.apply_conditions.extend(save.failure.iter().cloned());
            hit.by_rule = true;
        }
        match measure(table, save, event, succeeded) {
            Some(measure) => hit.measure = measure,
            None if hit.apply_conditions.is_empty() => {
                return Ok(Hurt {
                    name,
                    saved: outcome,
                    damage: None,
                });
            }
            None => {
                let DamageCall {
                    target,
                    apply_conditions,
                    by_rule,
                    ..
                } = hit;
                hit = DamageCall {
                    target,
                    apply_conditions,
                    by_rule,
                    ..DamageCall::default()
                };
            }
        }
    }
    let result = match call.dice {
        Some(_) => damage::compute(
            table.state,
            table.system(),
            &hit,
            rolled.map(|(_, entry)| entry),
        )?,
        None => damage::preview_with_roll(
            table.state,
            table.system(),
            &hit,
            table.referred.as_ref(),
            &table.later,
        )?,
    };
    let result = damage::write(table, result, call.visibility);
    Ok(Hurt {
        name,
        saved: outcome,
        damage: Some(result),
    })
}

/// How much comes through: by the table of the save, else by the call; nothing without a measure.
fn measure(table: &mut Table, save: &Save, event: &CheckEvent, succeeded: bool) -> Option<Measure> {
    let rule = event
        .rule(table.system())
        .filter(|rule| rule.rows.iter().any(|row| row.damage.is_some()));
    let deals = rule
        .zip(event.outcome)
        .map(|(rule, outcome)| rule.deals(event.rank, outcome));
    match deals {
        Some(Dealt::None) => None,
        Some(Dealt::Half) => Some(Measure::Half),
        Some(Dealt::Twice | Dealt::DiceTwice) => Some(Measure::Twice),
        Some(Dealt::Once) => Some(Measure::Once),
        Some(Dealt::Maximum | Dealt::Amount(_)) => {
            let who = event.subject.as_ref().map_or("", |who| who.name.as_str());
            table.note([format!(
                "what {who} takes is for the GM to say, so all of it hits"
            )]);
            Some(Measure::Once)
        }
        None if !succeeded => Some(Measure::Once),
        None if save.evades => None,
        None => Some(save.success),
    }
}
