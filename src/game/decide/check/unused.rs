//! What a call sends and its rule never asks for. It is refused, because whoever sent it believes that it counted.

use std::collections::BTreeMap;

use super::call::CheckCall;
use super::names::LookedUp;
use super::trial::Trial;
use crate::dice::Bound;
use crate::game::record::event::Modifier;
use crate::game::record::state::Character;
use crate::game::refusal::{Code, Refusal};
use crate::names::{fold, near, quoted, same};
use crate::rules::{Check, FollowUp, FollowUpChange};

/// Refuses a number in `values` that the rule names nowhere. Words are kept as what was said.
pub fn values(given: &BTreeMap<String, Bound>, looked_up: &LookedUp, rule: &Check) -> Result<(), Refusal> {
    let is_used = |name: &str| {
        let looked_up = looked_up.used.iter().any(|used| fold(&used.name) == name);
        looked_up || rule.names(name) || name == "modifier" || name == "difficulty"
    };
    let unused = given.iter().find(|(name, value)| matches!(value, Bound::Number(_)) && !is_used(name));
    let Some((name, _)) = unused.filter(|_| rule.unread.is_empty()) else { return Ok(()) };
    let names = rule.variables();
    let near = near(name, names.iter().map(String::as_str));
    let instead = match near.first() {
        Some(first) => format!("Send values={{\"{first}\": …}}"),
        None => "Leave it out".to_owned(),
    };
    let summary = format!(
        "values.{} would change nothing: {}. {instead}{}.",
        quoted(name),
        uses(rule),
        situational(rule, "; what makes it easier or harder is the call's modifier")
    );
    Err(Refusal::new(Code::NoEffect, summary).near(near).at(rule.place.to_string()))
}

/// Refuses somebody whom it is tried against where the rule's Target asks for nothing that a sheet could hold: there is no
/// Target, or it is a number, the difficulty, or something the call says itself.
pub fn target(target: Option<&Character>, looked_up: &LookedUp, rule: &Check) -> Result<(), Refusal> {
    let Some(target) = target.filter(|_| !looked_up.target_asked && rule.unread.is_empty()) else { return Ok(()) };
    let summary = format!(
        "target would change nothing: {}, and nothing of that is {}'s. Leave it out; context says for the record whom it is tried \
         against.",
        uses(rule),
        target.name
    );
    Err(Refusal::new(Code::NoEffect, summary).at(rule.place.to_string()))
}

/// Refuses a difficulty that neither side's rule asks for, unless it says what the target is anyway.
pub fn difficulty(call: &CheckCall, trial: &Trial<'_>, other: Option<&Trial<'_>>) -> Result<(), Refusal> {
    let sides = || std::iter::once(trial).chain(other);
    let used = |side: &Trial<'_>| {
        let rule = side.chosen.rule;
        side.difficulty_used || rule.names("difficulty") || !rule.unread.is_empty()
    };
    let sent = call.difficulty.or_else(|| call.values.iter().find(|(name, _)| same(name, "difficulty")).map(|_| 0));
    let Some(sent) = sent.filter(|_| !sides().any(used)) else { return Ok(()) };
    if trial.attempt.target == Some(sent) && call.difficulty.is_some() {
        return Ok(());
    }
    let rule = trial.chosen.rule;
    let summary = format!(
        "A difficulty would change nothing: {}{}. Leave it out{}.",
        uses(rule),
        whose(trial),
        situational(rule, "; what makes it easier or harder is modifier, such as modifier=-2")
    );
    Err(Refusal::new(Code::NoEffect, summary).at(rule.place.to_string()))
}

/// Refuses what would make another check of a roll that is only followed: it keeps its dice, its target and its modifiers.
pub fn beside_again(call: &CheckCall, rule: &FollowUp) -> Result<(), Refusal> {
    let sent = [
        ("difficulty", call.difficulty.is_some()),
        ("modifier", call.modifier != 0),
        ("steps", call.steps != 0),
        ("advantage", call.advantage),
        ("disadvantage", call.disadvantage),
        ("target", call.target.is_some()),
        ("opposed_by", call.opposed_by.is_some()),
    ];
    let amount = !matches!(rule.change, FollowUpChange::Reroll { .. });
    let value = call.values.keys().find(|name| !(amount && same(name, "amount")));
    let sent = sent.into_iter().find(|(_, sent)| *sent).map(|(name, _)| name.to_owned());
    let Some(name) = sent.or_else(|| value.map(|name| format!("values.{}", quoted(name)))) else { return Ok(()) };
    let summary = format!(
        "{name} would change nothing: {} ({}) follows the roll with its own target and modifiers. Leave it out.",
        rule.name, rule.place
    );
    Err(Refusal::new(Code::NoEffect, summary).at(rule.place.to_string()))
}

/// What the rule is made of: "Strike (System.md:89) rolls 1d20 + {modifier} against {armour class}".
fn uses(rule: &Check) -> String {
    let against = rule.target.as_ref().map_or(String::new(), |target| format!(" against {target}"));
    format!("{} ({}) rolls {}{against}", rule.name, rule.place, rule.roll)
}

/// Whose the target's numbers are: ", armour class 16 from Grice's sheet".
fn whose(trial: &Trial<'_>) -> String {
    let named = |part: &&Modifier| trial.chosen.rule.names_in_target(&fold(&part.name));
    let parts: Vec<String> = trial
        .variables
        .iter()
        .filter(named)
        .map(|part| format!("{} {} ({})", part.name, part.value, part.from))
        .collect();
    if parts.is_empty() { String::new() } else { format!(", which is {}", parts.join(", ")) }
}

/// How else to make it easier or harder: not where single dice decide, nor where each point would be a success.
fn situational(rule: &Check, words: &'static str) -> &'static str {
    if rule.heeds_the_result() && rule.count.is_none() { words } else { "" }
}
