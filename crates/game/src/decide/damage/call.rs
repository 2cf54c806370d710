//! The call of damage, healing and conditions. A hit may have parts with several types of damage,
//! such as a burning blade: mitigation of one type applies to that part; mitigation of all types
//! applies once, to all parts together.

use std::collections::BTreeSet;

use crate::decide::damage::hit::Hit;
use crate::limits::{self, LIMITS};
use crate::mechanics::threshold::{ConditionParameter, check_condition, check_level};
use crate::mechanics::{attacks::read_damage, lookup, values::dice_refusal};
use crate::record::event::{DamageEvent, Part};
use crate::record::state::{Attack, AttackDamage, Condition, State};
use crate::refusal::{Code, Refusal, Result};
use rollbook_dice::{Expression, parse};
use rollbook_rules::{System, name_and_types};
use rollbook_text::names::{find, fold, listed, quoted, same, suggest};

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
    /// How much of which type hits: one amount, or parts where there are several.
    pub fn set_parts(&mut self, mut parts: Vec<Part>) {
        match parts.pop() {
            Some(only) if parts.is_empty() => {
                (self.amount, self.damage_type) = (Some(only.amount), only.damage_type);
            }
            last => self.parts = parts.into_iter().chain(last).collect(),
        }
    }

    /// The same of rolls, with whether each has dice that are taken away, which heal. Any other
    /// below 0 is a hit of 0, and of several those above 0 hit.
    pub fn set_rolled(&mut self, mut parts: Vec<(bool, Part)>) {
        if let [(false, only)] = parts.as_mut_slice()
            && only.amount < 0
        {
            self.below_zero = Some(std::mem::take(&mut only.amount));
        }
        if parts.len() > 1 {
            parts.retain(|(_, part)| part.amount > 0);
        }
        let parts: Vec<Part> = parts.into_iter().map(|(_, part)| part).collect();
        self.amount = parts.is_empty().then_some(0);
        self.set_parts(parts);
    }

    /// Its parts, of which there is at least one.
    pub(super) fn all_parts(&self) -> Vec<Part> {
        let whole = || Part {
            amount: self.amount.unwrap_or(0),
            damage_type: self.damage_type.clone(),
        };
        match self.parts.as_slice() {
            [] => vec![whole()],
            parts => parts.to_vec(),
        }
    }

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
pub(super) fn kinds(parts: &[Part]) -> Option<String> {
    let mut seen = BTreeSet::new();
    let kinds = parts.iter().filter_map(|part| part.damage_type.as_deref());
    let kinds: Vec<&str> = kinds.filter(|kind| seen.insert(fold(kind))).collect();
    (!kinds.is_empty()).then(|| kinds.join(", "))
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

/// The dice that `parameter` brings, and the type of those that name none. Types are written behind
/// the dice, `1d8 slashing plus 1d6 fire`, or as labels, `1d8[slashing] + 1d6[fire]`, which is what
/// comes back of several. Refused: what the dice say; a type that neither a sheet nor the rules
/// have, or beside another type, with what to send instead.
pub fn read_typed(
    state: &State,
    system: &System,
    parameter: &str,
    input: &str,
    sent: Option<String>,
) -> Result<(Expression, Option<String>)> {
    let error = match rollbook_dice::read(input) {
        Ok(expression) => return check_typed(state, system, parameter, expression, sent),
        Err(error) => error,
    };
    let is_named = |part: &AttackDamage| part.damage_type.is_some();
    let parts = read_damage(input).filter(|parts| parts.iter().any(is_named));
    let is_known = |kind: &String| is_type(state, system, kind);
    let kinds: Vec<&String> = parts
        .iter()
        .flatten()
        .flat_map(|part| &part.damage_type)
        .collect();
    let is_prose =
        kinds.iter().any(|kind| kind.contains(' ')) && !kinds.iter().any(|kind| is_known(kind));
    let Some(parts) = parts.as_ref().filter(|_| !is_prose) else {
        return Err(dice_refusal(&error));
    };
    let text = labelled(parts);
    let Ok(expression) = parse(&text) else {
        return Err(dice_refusal(&error));
    };
    if let ([AttackDamage { amount, .. }], [word]) = (parts.as_slice(), kinds.as_slice()) {
        let bare = parse(amount).map_err(|error| dice_refusal(&error))?;
        let is_sent = sent.as_ref().is_some_and(|sent| same(word, sent));
        if is_sent || sent.is_none() && is_known(word) {
            return Ok((bare, Some((*word).clone())));
        }
        let (named, amount) = (quoted(word), bare.to_string());
        let near = suggest(word, types(state, system).iter().map(String::as_str));
        let heals = if parameter == "amount" {
            format!(", heal=\"{amount}\" where it heals")
        } else {
            String::new()
        };
        let summary = match sent {
            None => format!(
                "{parameter} is dice alone, and neither a sheet nor the rules have {named} as a type of damage. Send {parameter}=\"{amount}\" \
                 damage_type=\"{}\" where it is one{heals}, else the dice without it.",
                near.first().unwrap_or(&named)
            ),
            Some(sent) => format!(
                "{parameter} names {named} and damage_type {}. Send {parameter}=\"{amount}\" and one damage_type.",
                quoted(&sent)
            ),
        };
        return Err(Refusal::new(Code::InvalidParameters, summary).did_you_mean(near));
    }
    let (expression, sent) = check_typed(state, system, parameter, expression, sent)?;
    let unknown: Vec<&str> = kinds
        .iter()
        .filter(|kind| !is_known(kind))
        .map(|kind| kind.as_str())
        .collect();
    if !unknown.is_empty() {
        let summary = format!(
            "Neither a sheet nor the rules have {} as a type of damage. Send {parameter}=\"{text}\" to deal all the same.",
            listed(unknown, 200)
        );
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    Ok((expression, sent))
}

/// `(1d8 + 3)[slashing] + 1d6[fire]`.
fn labelled(parts: &[AttackDamage]) -> String {
    let part = |part: &AttackDamage| match &part.damage_type {
        Some(kind) if part.amount.contains(' ') => format!("({})[{kind}]", part.amount),
        Some(kind) => format!("{}[{kind}]", part.amount),
        None => part.amount.clone(),
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" + ")
}

/// Refuses labels that are nearly a type, and a type beside them that no dice have.
fn check_typed(
    state: &State,
    system: &System,
    parameter: &str,
    expression: Expression,
    sent: Option<String>,
) -> Result<(Expression, Option<String>)> {
    let (all, labels) = (types(state, system), expression.labels());
    // A slip of the pen; `fireball` is no `fire`.
    let near = |label: &String| {
        let is_known = all.iter().any(|kind| same(kind, label));
        let is_slip = |kind: &&str| !is_known && kind.len().abs_diff(label.len()) < 2;
        suggest(label, all.iter().map(String::as_str).filter(is_slip))
    };
    if let Some((label, near)) = labels
        .iter()
        .map(|label| (label, near(label)))
        .find(|(_, near)| !near.is_empty())
    {
        let meant = near.first().map_or("", String::as_str);
        let text = expression
            .to_string()
            .replace(&format!("[{label}]"), &format!("[{meant}]"));
        let summary = format!(
            "Neither a sheet nor the rules have {} as a type of damage; there is {}. Send {parameter}=\"{text}\".",
            quoted(label),
            listed(all.iter().map(String::as_str), 200)
        );
        return Err(Refusal::new(Code::InvalidParameters, summary).did_you_mean(near));
    }
    let parts = typed(&expression, sent.as_deref(), |label| {
        is_type(state, system, label)
    })?;
    let has = |kind: &str| {
        parts
            .iter()
            .any(|(_, of)| of.as_ref().is_some_and(|of| same(of, kind)))
    };
    if let Some(kind) = sent.as_ref().filter(|kind| !has(kind)) {
        let summary = format!(
            "{parameter} names {} and damage_type {}. Send one of the two.",
            listed(labels.iter().map(String::as_str), 200),
            quoted(kind)
        );
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    Ok((expression, sent))
}

/// An amount by its types: the terms of its sum, each with that of its label, where it has several
/// or is a type, else `default`. A number belongs to the dice before it, or to those alone. Refused:
/// where it is open of which type a term is.
pub fn typed(
    expression: &Expression,
    default: Option<&str>,
    is_type: impl Fn(&str) -> bool,
) -> Result<Vec<(Expression, Option<String>)>> {
    let labels = expression.labels();
    let is_plain = match labels.as_slice() {
        [] => true,
        [only] => !is_type(only),
        _ => false,
    };
    let default = default.map(str::to_owned);
    if is_plain || expression.is_taken_away() {
        return Ok(vec![(expression.clone(), default)]);
    }
    let refused = |term: &str, why: &str| {
        let (first, last) = (
            labels.first().map_or("", String::as_str),
            labels.last().map_or("", String::as_str),
        );
        let bare = quoted(term.trim_start_matches([' ', '+', '-']));
        let summary = format!(
            "In {expression}, \"{bare}\" {why}. Write each type as a term of its own, with its label: \"{bare}[{first}]\" or \"{bare}[{last}]\"."
        );
        Refusal::new(Code::InvalidParameters, summary)
    };
    let mut parts: Vec<(String, Option<String>)> = Vec::new();
    let (mut lead, several) = (String::new(), labels.len() > 1);
    for text in expression.addends() {
        let term = parse(&text).map_err(|error| dice_refusal(&error))?;
        let kind = match term.labels().as_slice() {
            [] if !term.dice().is_empty() => default.clone(),
            [] if parts.is_empty() && !several => {
                lead.push_str(&text);
                continue;
            }
            [] => match parts.as_mut_slice() {
                [(only, _)] => {
                    only.push_str(&text);
                    continue;
                }
                _ => return Err(refused(&text, "could be of either type")),
            },
            [only] => Some(only.clone()),
            _ => return Err(refused(&text, "is of several types")),
        };
        match parts.last_mut().filter(|(_, last)| *last == kind) {
            Some((last, _)) => last.push_str(&text),
            None if term.is_taken_away() => {
                return Err(refused(&text, "is taken from nothing of its type"));
            }
            None => parts.push((std::mem::take(&mut lead) + &text, kind)),
        }
    }
    let read = |(text, kind): (String, Option<String>)| {
        Ok((parse(&text).map_err(|error| dice_refusal(&error))?, kind))
    };
    parts.into_iter().map(read).collect()
}

/// Whether a sheet or the rules have this type of damage.
pub fn is_type(state: &State, system: &System, word: &str) -> bool {
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
