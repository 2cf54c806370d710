//! The "understood as" summary: what the program made of the author's words, with lines.

use crate::rules::language::combat::{Initiative, InitiativeKind, InitiativeWhen, TieBreak};
use crate::rules::language::conditions::{ConditionEffect, ConditionRule, Duration};
use crate::rules::language::summary::{Summary, clipped, with_note};
use crate::rules::language::{advancement, checks, health};
use crate::rules::lint::OVERLOOKED;
use crate::rules::reading::Reading;

/// What was understood, item by item with its place, then what was taken for prose although it looks like a rule, then what
/// was assumed. Made for an author to read: one line an item,
/// lined up, nothing that the file does not hold.
pub fn understood(reading: &Reading) -> String {
    let system = &reading.system;
    if system.narrative {
        return "A narrative adventure: no System.md. Dice, log and combat work; there are no checks.\n".to_owned();
    }
    let mut summary = Summary::default();
    summary.section("Rules");
    summary.line("title", system.title.as_deref().unwrap_or("(none)"), None);
    summary.section("Dice");
    summary.line("allowed", &system.dice.list(), system.dice.place.as_ref());
    for (name, swap) in [("advantage", &system.advantage), ("disadvantage", &system.disadvantage)] {
        if let Some(swap) = swap {
            summary.line(name, &with_note(swap.roll.to_string(), swap.assumed), swap.place.as_ref());
        }
    }
    if let Some(chain) = &system.chain {
        summary.line("dice chain", &chain.list(), Some(&chain.place));
    }
    if let Some(first) = system.difficulties.first() {
        let all: Vec<String> = system.difficulties.iter().map(|own| format!("{} {}", own.name, own.number)).collect();
        summary.line("difficulties", &all.join(", "), Some(&first.place));
    }
    if system.showing.place.is_some() {
        let (players, others) = (system.showing.players.as_str(), system.showing.others.as_str());
        let what = format!("players' rolls {players}, others' {others}");
        summary.line("visibility", &what, system.showing.place.as_ref());
    }
    summary.section("Attributes");
    for own in &system.attributes {
        let name = own.abbr.as_ref().map_or(own.name.clone(), |abbr| format!("{} ({abbr})", own.name));
        let range = own.range.map_or("any score".to_owned(), |(low, high)| format!("{low} to {high}"));
        let modifier = with_note(own.modifier.describe(), own.modifier.assumed && own.modifier.place.is_some());
        summary.line(&name, &format!("{range}; worth {modifier}"), Some(&own.place));
    }
    summary.section("Skills");
    for own in &system.skills {
        let link = own.attribute.as_deref().unwrap_or("no attribute");
        let base = own.base.as_ref().map(|base| format!("; base {base}")).unwrap_or_default();
        summary.line(&own.name, &format!("{link}{base}"), Some(&own.place));
    }
    summary.section("Checks");
    for own in &system.checks {
        checks::describe::check(own, &mut summary);
    }
    summary.section("Health");
    health::describe::health(system, &mut summary);
    summary.section("Conditions");
    for own in &system.conditions {
        condition(own, &mut summary);
    }
    summary.section("Combat");
    summary.line("initiative", &initiative(&system.initiative), system.initiative.place.as_ref());
    if system.initiative.kind != InitiativeKind::None {
        summary.line("ties", &ties(&system.initiative.ties), system.initiative.ties_place.as_ref());
    }
    if system.held.place.is_some() {
        summary.line("held effects", &system.held.describe(), system.held.place.as_ref());
    }
    for own in &system.initiative.alternatives {
        summary.line("", &format!("or {} {}", own.number, own.when), system.initiative.place.as_ref());
    }
    for own in &system.stated {
        summary.line(&own.name, &format!("{} where a sheet has none", own.value), Some(&own.place));
    }
    summary.section("Advancement");
    advancement::describe::advancement(&system.advancement, &mut summary);
    summary.section("Not read");
    let sources = &reading.sources;
    for found in reading.diagnostics.iter().filter(|found| OVERLOOKED.contains(&found.code)) {
        let Some(span) = found.span() else { continue };
        let words: Vec<&str> = sources.text(span).split_whitespace().collect();
        summary.line("", &clipped(&words.join(" ")), Some(&sources.place(span)));
    }
    summary.section("Assumed");
    for own in &system.assumptions {
        summary.line("", &own.text, own.place.as_ref());
    }
    summary.finish()
}

fn condition(own: &ConditionRule, summary: &mut Summary) {
    let name = own.levels.map_or(own.name.clone(), |(low, high)| format!("{} ({low} to {high})", own.name));
    let effects = own.effects.iter().map(ConditionEffect::describe);
    let mut parts: Vec<String> = effects.chain(own.duration.as_ref().map(Duration::describe)).collect();
    if !own.left.is_empty() {
        parts.push(format!("\"{}\"", clipped(&own.left.join(", "))));
    }
    summary.line(&name, &parts.join("; "), Some(&own.place));
}

/// Who acts when, in words.
pub(super) fn initiative(initiative: &Initiative) -> String {
    let numbers = match &initiative.kind {
        InitiativeKind::Rolled(formula) => formula.to_string(),
        InitiativeKind::Fixed(formula) => format!("{formula}, no roll"),
        InitiativeKind::PerSide(Some(formula)) => format!("per side, {formula}"),
        InitiativeKind::PerSide(None) => "per side".to_owned(),
        InitiativeKind::Cards => "cards".to_owned(),
        InitiativeKind::Given => {
            return with_note("the GM gives the numbers".to_owned(), initiative.assumed);
        }
        InitiativeKind::None => return "none".to_owned(),
    };
    let order = if initiative.highest_first { "highest first" } else { "lowest first" };
    let when = match initiative.when {
        InitiativeWhen::OncePerFight => "once per fight",
        InitiativeWhen::EachRound => "each round",
    };
    with_note(format!("{numbers}, {order}, {when}"), initiative.assumed)
}

/// What decides between equal numbers, in words.
pub(super) fn ties(ties: &[TieBreak]) -> String {
    let names = ties.iter().map(|tie| match tie {
        TieBreak::HigherAttribute(name) | TieBreak::HigherSkill(name) => format!("higher {name}"),
        TieBreak::Players => "players".to_owned(),
        TieBreak::Agreed => "as the table agrees".to_owned(),
        TieBreak::Entered => "as entered".to_owned(),
    });
    names.collect::<Vec<_>>().join(", then ")
}
