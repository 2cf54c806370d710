//! Attacks as a call sends them, fitted to the rules.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::decide::roll::check_die;
use crate::limits::{self, LIMITS};
use crate::mechanics::attacks::{check_limits, read_damage};
use crate::record::state::Attack;
use crate::refusal::{Code, Refusal};
use rollbook_rules::{System, call};
use rollbook_text::names::{listed, quoted, same};

/// One attack of a call; a field that is left out stays as it is.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(description = "")]
pub struct AttackCall {
    pub name: String,
    /// Or an attribute.
    pub skill: Option<String>,
    /// Beside skill; without it all of it.
    pub bonus: Option<i64>,
    /// "1d6+3", "1d6 slashing plus 1d4 fire".
    pub damage: Option<String>,
    pub damage_type: Option<String>,
    pub range: Option<String>,
    /// What else a hit brings: "gain Prone, gain Burning 2", or words.
    pub effect: Option<String>,
    /// true: takes it off the sheet.
    pub remove: Option<bool>,
}

/// The attacks after those of a call: changed by name, added, or taken away. Refused: when the rules have no such skill, or a text is no damage.
pub fn apply(system: &System, before: &[Attack], calls: &[AttackCall]) -> Result<Vec<Attack>, Refusal> {
    limits::count("attacks", calls.len(), LIMITS.attacks)?;
    let mut all = before.to_vec();
    for (at, call) in calls.iter().enumerate() {
        limits::name("attacks.name", &call.name)?;
        if calls.iter().take(at).any(|other| same(&other.name, &call.name)) {
            let summary = format!("The attack \"{}\" is named twice. Name each once.", quoted(&call.name));
            return Err(Refusal::new(Code::DuplicateName, summary));
        }
        let known = all.iter().position(|own| same(&own.name, &call.name));
        match (known, call.remove == Some(true)) {
            (Some(at), true) => drop(all.remove(at)),
            (None, true) => return Err(nothing_to_remove(&all, &call.name)),
            (known, false) => {
                let own = known.and_then(|at| all.get(at).cloned()).unwrap_or_else(|| new(&call.name));
                let own = merged(system, own, call)?;
                match known.and_then(|at| all.get_mut(at)) {
                    Some(place) => *place = own,
                    None => all.push(own),
                }
            }
        }
    }
    check_limits(&all)?;
    Ok(all)
}

fn new(name: &str) -> Attack {
    Attack { name: name.trim().to_owned(), ..Attack::default() }
}

fn nothing_to_remove(all: &[Attack], name: &str) -> Refusal {
    let there = match all.is_empty() {
        true => "The sheet has no attacks".to_owned(),
        false => format!("There is {}", listed(all.iter().map(|own| own.name.as_str()), 300)),
    };
    let summary = format!("No attack is called \"{}\", so none is removed. {there}.", quoted(name));
    let near = rollbook_text::names::suggest(name, all.iter().map(|own| own.name.as_str()));
    Refusal::new(Code::UnknownAttack, summary).did_you_mean(near)
}

/// The attack with the fields that the call sends; a text of nothing takes a field away.
fn merged(system: &System, own: Attack, call: &AttackCall) -> Result<Attack, Refusal> {
    let mut own = own;
    let written = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    if let Some(skill) = &call.skill {
        own.skill = written(skill).map(|skill| rolled(system, &call.name, &skill)).transpose()?;
    }
    own.bonus = call.bonus.or(own.bonus);
    if let Some(damage) = &call.damage {
        own.damage = match written(damage) {
            Some(damage) => read_damage(&damage).ok_or_else(|| no_damage(&call.name, &damage))?,
            None => Vec::new(),
        };
        own.damage.iter().try_for_each(|part| check_amount(system, &part.amount))?;
    }
    if let Some(kind) = &call.damage_type {
        match own.damage.as_mut_slice() {
            [only] => only.damage_type = written(kind),
            parts => {
                let count = parts.len();
                let summary = format!(
                    "damage_type says the type of one amount, and the attack \"{0}\" has {count}. Send damage=\"1d6 {1}\", the types with \
                     the dice.",
                    quoted(&call.name),
                    quoted(kind)
                );
                return Err(Refusal::new(Code::InvalidParameters, summary));
            }
        }
    }
    if let Some(range) = &call.range {
        own.range = written(range);
    }
    if let Some(effect) = &call.effect {
        (own.conditions, own.effect) = match call::gains(system, effect) {
            Some(conditions) => (conditions, None),
            None => (Vec::new(), written(effect)),
        };
    }
    Ok(own)
}

/// The skill or attribute as System.md spells it.
fn rolled(system: &System, attack: &str, name: &str) -> Result<String, Refusal> {
    if let Ok(skill) = system.skill(name) {
        return Ok(skill.name.clone());
    }
    if let Ok(attribute) = system.attribute(name) {
        return Ok(attribute.name.clone());
    }
    let skill = match system.meant(System::skill, name) {
        Ok(skill) => return Ok(skill.name.clone()),
        Err(_) if system.skills.is_empty() && system.attributes.is_empty() => return Ok(name.to_owned()),
        Err(unknown) => unknown,
    };
    let near = if skill.suggestions.is_empty() { skill.known } else { skill.suggestions };
    let attributes = system.attributes.iter().map(|own| own.name.as_str());
    let listed = listed(near.iter().map(String::as_str).chain(attributes), 300);
    let summary = format!(
        "The attack \"{}\" rolls \"{}\", which the rules do not have. skill takes one of {listed}; bonus=3 does without.",
        quoted(attack),
        quoted(name)
    );
    Err(Refusal::new(Code::UnknownSkill, summary).did_you_mean(near))
}

fn no_damage(attack: &str, text: &str) -> Refusal {
    let summary = format!(
        "The damage of \"{}\" is \"{}\"; it takes dice, with a type or without: \"1d6+3\", \"1d6 slashing plus 1d4 fire\". Words go into \
         effect.",
        quoted(attack),
        quoted(text)
    );
    Refusal::new(Code::InvalidParameters, summary)
}

/// Refuses dice that the rules do not have; sizes that depend on a number of the sheet are looked at when they are rolled.
fn check_amount(system: &System, amount: &str) -> Result<(), Refusal> {
    let Ok(expression) = rollbook_dice::read(amount) else { return Ok(()) };
    expression.dice().iter().try_for_each(|die| check_die(system, die))
}
