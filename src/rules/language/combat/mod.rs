//! The Combat section: whether fights have turns, who acts when, effects that somebody holds, numbers of everybody who has none of their own.

pub mod held;
pub mod initiative;
mod read;
pub mod structure;

use crate::rules::grammar::line::{Fights, InitiativeKind, InitiativeWhen, TieBreak};
use crate::rules::language::summary::Summary;
use crate::rules::language::summary::with_note;
use crate::rules::language::system::System;
use crate::rules::language::time_words::span_words;

pub use held::Held;
pub use initiative::Initiative;
pub use read::read;
pub use structure::Structure;

/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    if let Some((own, words)) = system.fights.as_ref().zip(fights(system)) {
        summary.line("fights", words, Some(&own.place));
    }
    if let Some(round) = &system.round {
        summary.line("round", &span_words(round.what), Some(&round.place));
    }
    summary.line("initiative", &initiative_rule(&system.initiative), system.initiative.place.as_ref());
    if system.initiative.kind != InitiativeKind::None {
        summary.line("ties", &tie_breaks(&system.initiative.ties), system.initiative.ties_place.as_ref());
    }
    if let Some(held) = &system.held {
        summary.line("held effects", &held.describe(), Some(&held.place));
    }
}

/// Which structures fights have, in words.
pub fn fights(system: &System) -> Option<&'static str> {
    Some(match system.fights.as_ref()?.what {
        Fights::TurnBased if system.initiative.kind == InitiativeKind::None => "turn-based, in the order of entry",
        Fights::TurnBased => "turn-based",
        Fights::Narrative => "narrative",
        Fights::Hybrid => "hybrid, turn-based first",
    })
}

/// Who acts when, in words.
pub fn initiative_rule(initiative: &Initiative) -> String {
    let numbers = match &initiative.kind {
        InitiativeKind::Each(formula) if formula.labelled_dice().is_empty() => format!("{formula}, no roll"),
        InitiativeKind::Each(formula) => formula.to_string(),
        InitiativeKind::PerSide(formula) => format!("per side, {formula}"),
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
    let kind = if initiative.by_kind { ", one a kind" } else { "" };
    with_note(format!("{numbers}, {order}, {when}{kind}"), initiative.assumed)
}

/// What decides between equal numbers, in words.
pub fn tie_breaks(ties: &[TieBreak]) -> String {
    let names = ties.iter().map(|tie| match tie {
        TieBreak::Higher(name) => format!("higher {name}"),
        TieBreak::Players => "players".to_owned(),
        TieBreak::Entered => "as entered".to_owned(),
    });
    names.collect::<Vec<_>>().join(", then ")
}
