//! Refuses values that the rule does not use, since the caller believes that they count.

use std::collections::BTreeMap;

use super::call::CheckCall;
use super::names::LookedUp;
use super::trial::PreparedCheck;
use crate::mechanics::lookup;
use crate::record::event::Modifier;
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use rollbook_dice::Bound;
use rollbook_rules::{Ask, AskedFrom, Check, FollowUp, System};
use rollbook_text::names::{fold, quoted, same, suggest};

/// What a call says outside `values`: a word under such a name would be logged, and the caller believe that it counts.
const PARAMETERS: [&str; 12] = [
    "target",
    "character",
    "skill",
    "attribute",
    "check",
    "advantage",
    "disadvantage",
    "damage",
    "attack",
    "again",
    "end turn",
    "opposed by",
];

/// Refuses a number in `values` that the rule does not name, and a word under the name of a parameter. Other words are logged as they
/// are.
pub fn check_values(
    of: &str,
    given: &BTreeMap<String, Bound>,
    looked_up: &LookedUp,
    rule: &Check,
) -> Result<(), Refusal> {
    let is_used = |name: &str| {
        let looked_up = looked_up.used.iter().any(|used| fold(&used.name) == name);
        looked_up || rule.names(name) || name == "modifier" || name == "difficulty"
    };
    let parameter = |name: &str| PARAMETERS.iter().find(|own| same(own, name)).map(|own| own.replace(' ', "_"));
    let is_word = |value: &Bound| matches!(value, Bound::Dice(_));
    let misplaced = given.iter().find(|(name, value)| is_word(value) && parameter(name).is_some() && !is_used(name));
    if let Some(own) = misplaced.and_then(|(name, _)| parameter(name)) {
        let summary = format!(
            "{of}values.{own} would change nothing: {own} is a parameter of its own. Send {own} beside values."
        );
        return Err(Refusal::new(Code::NoEffect, summary).did_you_mean(vec![own]));
    }
    let unused = given.iter().find(|(name, value)| matches!(value, Bound::Number(_)) && !is_used(name));
    let Some((name, _)) = unused else { return Ok(()) };
    let names = rule.variables();
    let suggestions = suggest(name, names.iter().map(String::as_str));
    let instead = match suggestions.first() {
        Some(first) if of.is_empty() => format!("Send values={{\"{first}\": …}}"),
        Some(first) => format!("Send \"values\": {{\"{first}\": …}} in opposed_by"),
        None => "Leave it out".to_owned(),
    };
    let summary = format!(
        "{of}values.{} would change nothing: {}. {instead}{}.",
        quoted(name),
        rule.render_roll(),
        modifier_advice(rule, "; what makes it easier or harder is the call's modifier")
    );
    Err(Refusal::new(Code::NoEffect, summary).did_you_mean(suggestions).at(rule.place.to_string()))
}

/// Refuses a number that lies outside what the rule asks for.
pub fn check_ranges(
    call: &CheckCall,
    system: &System,
    given: &BTreeMap<String, Bound>,
    rule: &Check,
) -> Result<(), Refusal> {
    let place = rule.bullet("Asks").map_or(&rule.place, |bullet| &bullet.place).to_string();
    for ask in &rule.asks {
        let name = fold(&ask.name);
        check_named(call, system, ask, given.get(&name))?;
        let Some((low, high)) = ask.range() else { continue };
        let value = match given.get(&name) {
            Some(Bound::Number(number)) => Some(*number),
            Some(Bound::Dice(_)) => None,
            None => call.difficulty.filter(|_| name == "difficulty"),
        };
        if let Some(value) = value.filter(|value| !(low..=high).contains(value)) {
            let (asks, place) = (format!("{} asks for {} {low} to {high}", rule.name, ask.name), place.clone());
            let of = if call.opposing { "opposed_by.values." } else { "" };
            let summary = format!("{of}{} is {value}; {asks} ({place}). Send one of those.", quoted(&ask.name));
            return Err(Refusal::new(Code::InvalidParameters, summary).at(place));
        }
    }
    Ok(())
}

/// Refuses what is no attribute or skill where the rule asks for one.
fn check_named(call: &CheckCall, system: &System, own: &Ask, sent: Option<&Bound>) -> Result<(), Refusal> {
    let parameter = format!("{}values.{}", if call.opposing { "opposed_by." } else { "" }, own.name);
    let known = |text: &str| match own.from {
        AskedFrom::Attributes => system.meant(System::attribute, text).map(drop),
        AskedFrom::Skills => system.meant(System::skill, text).map(drop),
        AskedFrom::Range(..) | AskedFrom::Dice => Ok(()),
    };
    let found = match sent {
        Some(Bound::Dice(text)) => known(text),
        Some(Bound::Number(number)) => known(&number.to_string()),
        None => Ok(()),
    };
    found.map_err(|unknown| lookup::unknown(unknown, &parameter, ""))
}

/// Refuses a target character where the rule's Target does not use its sheet: it has no Target, or it is a number, the
/// difficulty, or one of the call's values.
pub fn check_target(target: Option<&Character>, looked_up: &LookedUp, rule: &Check) -> Result<(), Refusal> {
    let brings = rule.rows.iter().any(|row| !row.effects.is_empty());
    let Some(target) = target.filter(|_| !looked_up.target_asked && !brings) else {
        return Ok(());
    };
    let summary = format!(
        "target would change nothing: {}, and nothing of that is {}'s. Leave it out; context says for the record whom it is tried \
         against.",
        rule.render_roll(),
        target.name
    );
    Err(Refusal::new(Code::NoEffect, summary).at(rule.place.to_string()))
}

/// Refuses a difficulty that neither side's rule uses, unless it equals the target.
pub fn check_difficulty(
    call: &CheckCall,
    trial: &PreparedCheck<'_>,
    other: Option<&PreparedCheck<'_>>,
) -> Result<(), Refusal> {
    let sides = || std::iter::once(trial).chain(other);
    let used = |side: &PreparedCheck<'_>| {
        let rule = side.chosen.rule;
        side.difficulty_used || rule.names("difficulty")
    };
    let sent = call.difficulty.or_else(|| call.values.iter().find(|(name, _)| same(name, "difficulty")).map(|_| 0));
    let Some(sent) = sent.filter(|_| !sides().any(used)) else { return Ok(()) };
    if trial.attempt.target == Some(sent) && call.difficulty.is_some() {
        return Ok(());
    }
    let rule = trial.chosen.rule;
    let summary = format!(
        "A difficulty would change nothing: {}{}. Leave it out{}.",
        rule.render_roll(),
        render_target_sources(trial),
        modifier_advice(rule, "; what makes it easier or harder is modifier, such as modifier=-2")
    );
    Err(Refusal::new(Code::NoEffect, summary).at(rule.place.to_string()))
}

/// Refuses values that a follow-up cannot change: it keeps its dice, its target and its modifiers.
pub fn check_follow_up_call(call: &CheckCall, rule: &FollowUp) -> Result<(), Refusal> {
    let sent = [
        ("difficulty", call.difficulty.is_some()),
        ("modifier", call.modifier != 0),
        ("steps", call.steps != 0),
        ("advantage", call.advantage),
        ("disadvantage", call.disadvantage),
        ("target", call.target.is_some()),
        ("opposed_by", call.opposed_by.is_some()),
    ];
    let value = call.values.keys().find(|name| !rule.asks.iter().any(|(own, ..)| same(own, name)));
    let sent = sent.into_iter().find(|(_, sent)| *sent).map(|(name, _)| name.to_owned());
    let Some(name) = sent.or_else(|| value.map(|name| format!("values.{}", quoted(name)))) else { return Ok(()) };
    let summary = format!(
        "{name} would change nothing: {} ({}) follows the roll with its own target and modifiers. Leave it out.",
        rule.name, rule.place
    );
    Err(Refusal::new(Code::NoEffect, summary).at(rule.place.to_string()))
}

/// The sources of the target's numbers: ", which is armour class 16 (Grice's sheet)".
fn render_target_sources(trial: &PreparedCheck<'_>) -> String {
    let named = |part: &&Modifier| trial.chosen.rule.names_in_target(&fold(&part.name));
    let parts: Vec<String> = trial
        .variables
        .iter()
        .filter(named)
        .map(|part| format!("{} {} ({})", part.name, part.value, part.from))
        .collect();
    if parts.is_empty() { String::new() } else { format!(", which is {}", parts.join(", ")) }
}

/// Advice to send a modifier; empty where single dice decide, or where each point would be a success.
fn modifier_advice(rule: &Check, words: &'static str) -> &'static str {
    if rule.uses_result() && rule.count.is_none() { words } else { "" }
}
