//! The call of damage, healing and conditions. A hit may have parts with several types of damage,
//! such as a burning blade: mitigation of one type applies to that part; mitigation of all types
//! applies once, to all parts together.

use std::collections::BTreeSet;

use crate::decide::damage::hit::Hit;
use crate::limits::{self, LIMITS};
use crate::mechanics::threshold::{ConditionParameter, check_condition, check_level};
use crate::mechanics::{lookup, values::dice_refusal};
use crate::record::event::{DamageEvent, Part};
use crate::record::state::{Attack, Condition, State};
use crate::refusal::{Code, Refusal, Result};
use rollbook_dice::Expression;
use rollbook_rules::{System, name_and_types};
use rollbook_text::names::{find, fold, quoted, same, suggest};

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct DamageCall {
    pub target: String,
    /// Positive damage, negative healing. `None`: the total of `roll`.
    pub amount: Option<i64>,
    pub damage_type: Option<String>,
    /// What was rolled, where that is below 0 and the amount is 0.
    pub below_zero: Option<i64>,
    /// Instead of an amount: parts of different types in one hit.
    pub parts: Vec<Part>,
    /// Mitigations of the rules that are ignored.
    pub bypass: Vec<String>,
    pub track: Option<String>,
    /// Nobody can be asked: of several tracks it falls on the one with most left.
    pub unasked: bool,
    pub measure: Measure,
    pub apply_conditions: Vec<String>,
    pub remove_conditions: Vec<String>,
    /// The rules bring `apply_conditions`, and not the GM: a level that is higher already stays.
    pub by_rule: bool,
    /// Allows conditions that no rule has.
    pub free: bool,
    pub reason: Option<String>,
    /// The entry whose roll decided the amount.
    pub roll: Option<u64>,
}

/// How much of the amount hits.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    #[default]
    Once,
    /// Rounded as the rules round what halves, else down.
    Half,
    Twice,
}

impl DamageCall {
    pub(super) fn sum_of_parts(&self) -> Option<i64> {
        (!self.parts.is_empty()).then(|| self.parts.iter().map(|part| part.amount).sum())
    }

    pub(super) fn check_limits(&self) -> Result<()> {
        limits::number("amount", self.amount.unwrap_or(0))?;
        limits::count("parts", self.parts.len(), PARTS_MAX)?;
        limits::count("bypass", self.bypass.len(), PARTS_MAX)?;
        if !self.parts.is_empty() && (self.amount.is_some() || self.damage_type.is_some()) {
            let summary =
                "parts say how much of what, so amount and damage_type are left out beside them.";
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
        for part in &self.parts {
            limits::number("parts.amount", part.amount)?;
            if part.amount < 1 {
                let summary = format!(
                    "A part of {} is no damage. Send 1 or more; healing is amount=-5.",
                    part.amount
                );
                return Err(Refusal::new(Code::InvalidParameters, summary));
            }
            part.damage_type
                .as_ref()
                .map_or(Ok(()), |kind| limits::name("parts.damage_type", kind))?;
        }
        limits::number("parts", self.sum_of_parts().unwrap_or(0))?;
        limits::count(
            "apply_conditions",
            self.apply_conditions.len(),
            LIMITS.conditions,
        )?;
        limits::count(
            "remove_conditions",
            self.remove_conditions.len(),
            LIMITS.conditions,
        )?;
        let mut names = self.apply_conditions.iter().chain(&self.remove_conditions);
        names.try_for_each(|name| limits::name("condition", name))?;
        for (parameter, text) in [("reason", &self.reason), ("damage_type", &self.damage_type)] {
            text.as_ref()
                .map_or(Ok(()), |text| limits::text(parameter, text, LIMITS.context))?;
        }
        let nothing = self.amount.unwrap_or(0) == 0 && self.roll.is_none() && self.parts.is_empty();
        if nothing && self.apply_conditions.is_empty() && self.remove_conditions.is_empty() {
            let summary = "amount is 0 and no condition is named, so there is nothing to do. Send amount=5 for damage, amount=-5 for healing.";
            return Err(Refusal::new(Code::NoEffect, summary));
        }
        Ok(())
    }
}

const PARTS_MAX: usize = 10;

/// The types of damage, each once: `slashing, fire`.
pub(super) fn kinds(call: &DamageCall) -> Option<String> {
    let mut seen = BTreeSet::new();
    let kinds = call
        .parts
        .iter()
        .filter_map(|part| part.damage_type.as_deref());
    let kinds: Vec<&str> = kinds.filter(|kind| seen.insert(fold(kind))).collect();
    if kinds.is_empty() {
        call.damage_type.clone()
    } else {
        Some(kinds.join(", "))
    }
}

/// Changes the parts `of` in proportion, so that their sum is `after`.
pub(super) fn share(parts: &mut [Part], of: &[usize], after: i64) {
    let before: i64 = of
        .iter()
        .filter_map(|at| parts.get(*at))
        .map(|part| part.amount)
        .sum();
    let (mut rest, mut left) = (after, before);
    for at in of {
        let Some(part) = parts.get_mut(*at) else {
            continue;
        };
        // The share is taken of what is left, so that nothing is lost to rounding.
        let share = if left == 0 {
            0
        } else {
            (i128::from(rest) * i128::from(part.amount) / i128::from(left)) as i64
        };
        left -= part.amount;
        rest -= share;
        part.amount = share;
    }
}

/// The dice that `parameter` brings, and their type. A word after them is their type where a
/// character's sheet or the rules have it, and so is a label that is the only one; other labels are
/// left as they are. Refused: what the dice say; a word after them that is no type there, or beside
/// another type, with what to send instead.
pub fn read_typed(
    state: &State,
    system: &System,
    parameter: &str,
    input: &str,
    sent: Option<String>,
) -> Result<(Expression, Option<String>)> {
    let error = match rollbook_dice::read(input) {
        Ok(expression) => {
            let labelled = || match expression.labels().as_slice() {
                [only] if is_type(state, system, only) => Some(only.clone()),
                _ => None,
            };
            let kind = sent.or_else(labelled);
            return Ok((expression, kind));
        }
        Err(error) => error,
    };
    // "2d6 fire" and "2d6 fire damage".
    let text = input.trim();
    let split = text
        .strip_suffix(" damage")
        .unwrap_or(text)
        .trim_end()
        .rsplit_once(' ');
    let split = split.filter(|(_, word)| {
        word.chars()
            .all(|letter| letter.is_alphabetic() || letter == '-')
    });
    let read = split
        .and_then(|(dice, word)| Some((rollbook_dice::parse(dice).ok()?, dice.trim_end(), word)));
    let Some((expression, dice, word)) = read else {
        return Err(dice_refusal(&error));
    };
    let (named, bare) = (quoted(word), quoted(dice));
    let summary = match sent {
        Some(sent) if same(word, &sent) => return Ok((expression, Some(sent))),
        None if is_type(state, system, word) => return Ok((expression, Some(word.to_owned()))),
        None => format!(
            "{parameter} is dice alone, and neither a sheet nor the rules have {named} as a type of damage. Send {parameter}=\"{bare}\" \
             damage_type=\"{named}\" where it is one, else the dice without it."
        ),
        Some(sent) => format!(
            "{parameter} names {named} and damage_type {}. Send {parameter}=\"{bare}\" and one damage_type.",
            quoted(&sent)
        ),
    };
    Err(Refusal::new(Code::InvalidParameters, summary))
}

fn is_type(state: &State, system: &System, word: &str) -> bool {
    types(state, system).iter().any(|kind| same(kind, word))
}

/// The types of damage that sheets and rules name, of attacks and defences; one may be there twice.
pub fn types(state: &State, system: &System) -> Vec<String> {
    let attacks = state.characters.values().flat_map(|who| &who.attacks);
    let sheets = state.tracks.values().map(|track| track.name.as_str());
    let rules = system.tracks.iter().map(|track| track.name.as_str());
    let steps = system.defences.iter().map(|step| step.rule.name.as_str());
    let declared = system.damage_types.iter().cloned();
    let common = system
        .attacks
        .iter()
        .filter_map(|attack| attack.kind.clone());
    types_of(attacks, sheets.chain(rules).chain(steps))
        .into_iter()
        .chain(common)
        .chain(declared)
        .collect()
}

/// What these attacks deal, and what these tracks are against: `Resistance (cold, fire)`.
pub fn types_of<'a>(
    attacks: impl Iterator<Item = &'a Attack>,
    tracks: impl Iterator<Item = &'a str>,
) -> Vec<String> {
    let dealt = attacks
        .flat_map(|attack| &attack.damage)
        .filter_map(|part| part.damage_type.clone());
    let taken = tracks
        .flat_map(|name| name_and_types(name).1)
        .map(str::to_owned);
    dealt.chain(taken).filter(|kind| !kind.is_empty()).collect()
}

/// Refuses a call that only adds conditions which are all there.
pub fn check_effect(event: &DamageEvent, call: &DamageCall) -> Result<()> {
    let changes = event.track.is_some() || event.amount != 0 || event.roll.is_some();
    if changes || !event.gained.is_empty() || !event.lost.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = call
        .apply_conditions
        .iter()
        .map(|name| quoted(name))
        .collect();
    let summary = format!(
        "{} is {} already, so there is nothing to do.",
        event.subject.name,
        names.join(", ")
    );
    Err(Refusal::new(Code::NoEffect, summary))
}

/// Whether a condition has this name, with its level or without.
pub fn is_called(row: &Condition, name: &str) -> bool {
    same(&row.name, name) || same(&row.label(), name)
}

/// Those of these conditions that a name means: of that name, else all of the only name that has
/// these words. It was sent as `parameter`. Refused: when it could mean several.
pub fn conditions_called<'s>(
    rows: Vec<&'s Condition>,
    parameter: &str,
    name: &str,
) -> Result<Vec<&'s Condition>> {
    let called: Vec<&Condition> = rows
        .iter()
        .copied()
        .filter(|row| is_called(row, name))
        .collect();
    if !called.is_empty() {
        return Ok(called);
    }
    let kinds: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let word = lookup::one(
        parameter,
        name,
        find(name, kinds.into_iter().map(|kind| (kind, kind))),
        str::to_owned,
    )?;
    Ok(rows
        .into_iter()
        .filter(|row| word.is_some_and(|word| same(&row.name, word)))
        .collect())
}

/// Removes and adds the call's conditions; returns notes. Refused: unknown ones and too many.
pub(super) fn apply_conditions(hit: &mut Hit<'_>, call: &DamageCall) -> Result<Vec<String>> {
    let (state, system, target) = (hit.state, hit.system, hit.target);
    let all = || state.conditions_of(target.id);
    for name in &call.remove_conditions {
        let found = conditions_called(all().collect(), "remove_conditions", name)?;
        let Some(condition) = found.first().copied().cloned() else {
            let has: Vec<&str> = all().map(|row| row.name.as_str()).collect();
            let (who, what) = (&target.name, quoted(name));
            let summary = match has.is_empty() {
                true => format!(
                    "{who} is not {what}, nor anything else, so there is nothing to take away."
                ),
                false => format!(
                    "{who} is not {what}, only {}. Send one of these.",
                    has.join(", ")
                ),
            };
            return Err(
                Refusal::new(Code::UnknownCondition, summary).did_you_mean(suggest(name, has))
            );
        };
        hit.consequences.end(state, system, condition);
    }
    let held: Vec<String> = all()
        .flat_map(|row| [row.name.clone(), row.label()])
        .collect();
    let held: Vec<&str> = held.iter().map(String::as_str).collect();
    let mut notes = Vec::new();
    for name in &call.apply_conditions {
        check_level(system, name)?;
        notes.extend(check_condition(
            system,
            &held,
            name,
            call.free,
            ConditionParameter::List,
        )?);
        hit.consequences
            .gain(state, system, (name, call.by_rule), "gm");
    }
    hit.consequences.check_limits(state, system)?;
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_loses_nothing() {
        for (amounts, after) in [
            (vec![5, 4], 4),
            (vec![5, 4], 18),
            (vec![1, 1, 1], 1),
            (vec![7], 3),
            (vec![3, 3], 0),
        ] {
            let mut parts: Vec<Part> = amounts
                .iter()
                .map(|&amount| Part {
                    amount,
                    damage_type: None,
                })
                .collect();
            let all: Vec<usize> = (0..parts.len()).collect();
            share(&mut parts, &all, after);
            assert_eq!(
                parts.iter().map(|part| part.amount).sum::<i64>(),
                after,
                "{amounts:?}"
            );
            assert!(parts.iter().all(|part| part.amount >= 0));
        }
    }
}
