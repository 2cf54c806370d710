//! Several characters at once: by their names, a side of the fight, or "party".

use crate::mechanics::{clocks::COMPANY, health::Vitality, lookup};
use crate::record::state::{Character, Combat, State};
use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{listed, quoted, same};
use std::collections::BTreeSet;

/// How many a call may name.
const SEVERAL_MAX: usize = 50;

/// Whom of a side a call means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Who is up: attacks, saves, checks.
    Up,
    /// The fallen as well, unless they are dead: healing, conditions and effects.
    Living,
}

/// Those whom the names mean, each once, in order. A side of the running fight ("foes") and "party"
/// mean those of them who are in reach and not hidden; [`left_out`] tells of the others. Refused:
/// all names that mean nobody, or several; nobody at all; too many.
pub fn several<'s>(
    state: &'s State,
    system: &System,
    parameter: &str,
    names: &[String],
    reach: Reach,
) -> Result<Vec<&'s Character>, Refusal> {
    let refusal = |summary: String| Refusal::new(Code::InvalidParameters, summary);
    let mut found: Vec<&Character> = Vec::new();
    let mut refused: Vec<Refusal> = Vec::new();
    for name in names {
        if is_side(state, name) {
            let before = found.len();
            let all = side(state, name).into_iter();
            found.extend(all.filter(|who| why_out(state, system, name, who, reach).is_none()));
            if found.len() == before {
                let what = if reach == Reach::Up { "up" } else { "alive" };
                let out = left_out(
                    state,
                    system,
                    parameter,
                    std::slice::from_ref(name),
                    reach,
                    |_| false,
                );
                let out: String = out.into_iter().map(|out| format!(" {out}")).collect();
                refused.push(refusal(format!(
                    "Nobody of {name} is {what} and seen.{out} Send {parameter} with the names of those who are meant."
                )));
            }
            continue;
        }
        match lookup::participant(state, system, parameter, name) {
            Ok(one) => found.push(one),
            Err(refusal) => refused.push(advised(state, system, parameter, name, refusal)),
        }
    }
    if !refused.is_empty() {
        return Err(Refusal::all(refused));
    }
    let mut seen = BTreeSet::new();
    found.retain(|found| seen.insert(found.id));
    match found.len() {
        0 => Err(refusal(format!(
            "{parameter} names nobody. Send {parameter}=\"Goblin 1\"."
        ))),
        1..=SEVERAL_MAX => Ok(found),
        many => {
            let summary = format!(
                "{parameter} means {many} characters; a call takes {SEVERAL_MAX}. Name fewer."
            );
            Err(Refusal::new(Code::LimitExceeded, summary))
        }
    }
}

/// Whether a name means several: "party", or a side of the running fight.
pub fn is_side(state: &State, name: &str) -> bool {
    if lookup::by_name(state, name).is_some() {
        return false;
    }
    let of_it = |combat: &Combat| {
        state
            .combatants_of(combat.id)
            .any(|member| same(&member.side, name))
    };
    same(name, "party") || state.running_combat().is_some_and(of_it)
}

/// What the GM should know of those whom a side's name left out: who they are and why, and what
/// reaches the hidden. It names them, so it is for nobody else. `is_meant`: whom the call does
/// mean.
pub fn left_out(
    state: &State,
    system: &System,
    parameter: &str,
    names: &[String],
    reach: Reach,
    is_meant: impl Fn(&Character) -> bool,
) -> Vec<String> {
    let line = |side_name: &String| {
        let others = side(state, side_name)
            .into_iter()
            .filter(|who| !is_meant(who));
        let why = |who: &Character| {
            Some((
                quoted(&who.name),
                why_out(state, system, side_name, who, reach)?,
            ))
        };
        let out: Vec<(String, &str)> = others.filter_map(why).collect();
        let named: Vec<String> = out
            .iter()
            .map(|(name, why)| format!("{name} ({why})"))
            .collect();
        let hidden = out
            .iter()
            .filter(|(_, why)| *why == HIDDEN)
            .map(|(name, _)| format!("\"{name}\""));
        let hidden = hidden.collect::<Vec<String>>().join(", ");
        let reached = format!(" {parameter}=[{hidden}] reaches the hidden.");
        let more = if hidden.is_empty() { "" } else { &reached };
        let names = listed(named.iter().map(String::as_str), 200);
        (!named.is_empty()).then(|| format!("Left out of {}: {names}.{more}", quoted(side_name)))
    };
    names
        .iter()
        .filter(|name| is_side(state, name))
        .filter_map(line)
        .collect()
}

const HIDDEN: &str = "hidden";

fn why_out(
    state: &State,
    system: &System,
    side: &str,
    who: &Character,
    reach: Reach,
) -> Option<&'static str> {
    let (vitality, is_party) = (Vitality::of(state, who.id), same(side, "party"));
    let is_out = || {
        !is_party
            && state
                .open_combatant(who.id)
                .is_some_and(|member| member.defeated)
    };
    match () {
        () if vitality.is_dead() => Some("dead"),
        () if reach == Reach::Up && (vitality.is_down(system) || is_out()) => Some("down"),
        () if !is_party && state.is_hidden(who.id) => Some(HIDDEN),
        () => None,
    }
}
fn side<'s>(state: &'s State, name: &str) -> Vec<&'s Character> {
    let combat = state.running_combat();
    let member = |who: &Character| {
        state
            .combatants_of(combat?.id)
            .find(|member| member.character == who.id)
    };
    if same(name, "party") {
        let here =
            |who: &&Character| who.is_in_party() && (combat.is_none() || member(who).is_some());
        return state.characters.values().filter(here).collect();
    }
    let rows = combat
        .into_iter()
        .flat_map(|combat| state.combatants_of(combat.id));
    let rows = rows.filter(|member| same(&member.side, name));
    rows.filter_map(|row| state.characters.get(&row.character))
        .collect()
}

/// How the last sentence of a refusal begins that tells how a whole side is named.
pub const WHOLE_SIDE: &str = " A whole side is ";

/// The refusal of one name that may be a list written as text, or other words for a side.
fn advised(
    state: &State,
    system: &System,
    parameter: &str,
    name: &str,
    refusal: Refusal,
) -> Refusal {
    if same(name, COMPANY) {
        let summary = "\"company\" stands alone: what the company shares moves by a call of its own, apply_damage \
                       target=\"company\" track=\"…\". Leave it out of this one.";
        return Refusal::new(Code::InvalidParameters, summary);
    }
    let parts: Vec<&str> = name
        .split([',', ';'])
        .flat_map(|part| part.split(" and "))
        .map(str::trim)
        .collect();
    let known = |part: &&str| lookup::participant(state, system, parameter, part).is_ok();
    if parts.len() > 1 && parts.iter().all(known) {
        let list = Refusal::new(refusal.code, "Several names are a list.");
        return list.send(parameter, parts, "");
    }
    let sides = state
        .running_combat()
        .into_iter()
        .flat_map(|combat| state.combatants_of(combat.id));
    let sides: BTreeSet<&str> = sides.map(|side| side.side.as_str()).collect();
    if sides.is_empty() || !refusal.did_you_mean.is_empty() {
        return refusal;
    }
    let sides: Vec<String> = sides
        .into_iter()
        .map(|side| format!("{parameter}=\"{}\"", quoted(side)))
        .collect();
    // Which side is meant is not known.
    Refusal {
        summary: format!("{}{WHOLE_SIDE}{}.", refusal.summary, sides.join(" or ")),
        ..refusal.attempted(None)
    }
}
