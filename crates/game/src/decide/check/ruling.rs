//! Whether a call may state its check, what the rules have in its place, and how such a call looks.

use super::call::CheckCall;
use super::chosen::Chosen;
use super::stated::StatedCheck;
use crate::mechanics::values::Values;
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use rollbook_rules::grammar::names::CONDITIONS;
use rollbook_rules::{Check, System, of_target};
use rollbook_text::names::{Found, find, listed, quoted, same};

/// Characters of a list of names.
const NAMES_MAX: usize = 200;

/// Refuses a stated check where the rules have the check that the call names or would take, unless a reason is given; and a reason
/// where they have none. Players set no rule aside.
pub fn check_rules(
    table: &Table,
    call: &CheckCall,
    stated: &StatedCheck,
    actor: Option<&Character>,
) -> Result<(), Refusal> {
    if table.is_player {
        check_seat(table.system(), &stated.rule)?;
    }
    let reason = stated.event.override_reason.as_deref();
    match (rule_instead(table.system(), call, actor), reason) {
        (None, None) => Ok(()),
        (Some(_), Some(_)) if !table.is_player => Ok(()),
        (Some(rule), _) => {
            let (code, otherwise) = match table.is_player {
                true => (Code::NotForPlayers, "only the GM sets a rule aside"),
                false => (
                    Code::InvalidParameters,
                    "to set the rule aside send override_reason=\"…\" as well, and the log says so",
                ),
            };
            let summary = format!(
                "The rules have this check: {}. Leave roll and rows out to make it by them; {otherwise}.",
                rule.render_roll()
            );
            Err(Refusal::new(code, summary).at(rule.place.to_string()))
        }
        (None, Some(_)) => {
            let summary = "override_reason would change nothing: the rules have no check that is set aside. Leave it out; context says for \
                           the record what it is about.";
            Err(Refusal::new(Code::NoEffect, summary))
        }
    }
}

/// Refuses names that would show a player what players do not know: numbers of a target's sheet, and conditions that may be hidden.
fn check_seat(system: &System, rule: &Check) -> Result<(), Refusal> {
    let is_condition = |name: &str| system.condition_names().chain(CONDITIONS).any(|own| same(own, name));
    let names = rule.variables();
    let Some(name) = names.iter().find(|name| of_target(name).is_some() || is_condition(name)) else { return Ok(()) };
    let summary = format!(
        "{{{}}} is nothing that a player's seat states a check with. Name scores, skills and tracks of the character's sheet alone, or \
         ask the GM to state it.",
        quoted(name)
    );
    Err(Refusal::new(Code::NotForPlayers, summary))
}

/// The check of the rules that a call names or would take.
fn rule_instead<'s>(system: &'s System, call: &CheckCall, actor: Option<&Character>) -> Option<&'s Check> {
    match call.check.as_deref() {
        Some(name) => system.meant(System::check, name).or_else(|unknown| match unknown.suggestions.first() {
            Some(first) if unknown.several => system.check(first),
            Some(_) | None => Err(unknown),
        }),
        None => {
            let taken = Chosen::of(system, call, None, actor).map(|chosen| chosen.rule).ok();
            return taken.or(system.checks.first());
        }
    }
    .ok()
}

/// The call that states the check which a call wants and the rules do not have.
pub fn example(system: &System, call: &CheckCall, actor: Option<&Character>) -> String {
    let mut parts = vec!["skill_check".to_owned()];
    let mut push = |name: &str, value: &str| parts.push(format!("{name}=\"{}\"", quoted(value)));
    if let Some(actor) = actor {
        push("character", &actor.name);
    }
    let skill = call.skill.as_deref().filter(|name| is_skill(system, name, actor));
    let attribute = call.attribute.as_deref().filter(|name| system.named_attribute(name).is_some());
    let named = call.check.as_deref().or(call.skill.as_deref()).or(call.attribute.as_deref());
    if let Some(name) = named.filter(|_| call.check.is_some() || (skill.is_none() && attribute.is_none())) {
        push("check", name);
    }
    let added = [("skill", skill), ("attribute", attribute)].into_iter().filter_map(|(name, own)| Some((name, own?)));
    let mut roll = "1d20".to_owned();
    for (name, own) in added {
        push(name, own);
        roll.push_str(&format!(" + {{{name}}}"));
    }
    push("roll", &roll);
    if let Some(visibility) = call.visibility {
        push("visibility", visibility.as_str());
    }
    parts.push(format!("difficulty={}", call.difficulty.unwrap_or(15)));
    let flags = [("advantage", call.advantage), ("disadvantage", call.disadvantage)];
    parts.extend(flags.into_iter().filter(|(_, sent)| *sent).map(|(name, _)| format!("{name}=true")));
    parts.extend((call.modifier != 0).then(|| format!("modifier={}", call.modifier)));
    parts.join(" ")
}

/// Whether a call may name this skill: the rules have it, or the sheet where they have none.
fn is_skill(system: &System, name: &str, actor: Option<&Character>) -> bool {
    let on_sheet =
        |own: &Character| matches!(find(name, own.skills.keys().map(|own| (own.as_str(), ()))), Found::One(()));
    system.named_skill(name).is_some() || system.skills.is_empty() && actor.is_some_and(on_sheet)
}

/// The names that a sheet has for a roll, in a sentence; empty where it has none.
pub fn names_there_are(values: &Values<'_>) -> String {
    let Some(actor) = values.actor else { return String::new() };
    let short =
        |name: &String| values.system.named_attribute(name).map_or_else(|| name.clone(), |own| own.short().to_owned());
    let mut names: Vec<String> = actor.attributes.keys().map(short).collect();
    let declared = values.system.skills.iter().map(|own| own.name.clone());
    let tracks = values.state.tracks_of(actor.id).map(|own| own.name.clone());
    for name in actor.skills.keys().cloned().chain(declared).chain(tracks) {
        if !names.iter().any(|own| same(own, &name)) {
            names.push(name);
        }
    }
    match names.is_empty() {
        true => format!(" {}'s sheet has no numbers yet.", actor.name),
        false => format!(" {}'s sheet has {}.", actor.name, listed(names.iter().map(String::as_str), NAMES_MAX)),
    }
}
