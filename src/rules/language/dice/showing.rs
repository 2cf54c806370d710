//! Who sees a roll unless the call says otherwise.

use crate::diagnostic::{Diagnostic, Place};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;

/// How much of a roll players see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// Everything.
    Public,
    /// Who, what and the outcome's label.
    OutcomeOnly,
    /// That a roll was made.
    Blind,
    /// Nothing.
    Gm,
}

/// Who sees what by default: the Visibility bullet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowingPolicy {
    /// Rolls of player characters, their companions, and the GM's own.
    pub players: Showing,
    /// Rolls of everybody else.
    pub others: Showing,
    /// Where the file says so, when it does.
    pub place: Option<Place>,
}

impl Default for ShowingPolicy {
    fn default() -> Self {
        Self { players: Showing::Public, others: Showing::Gm, place: None }
    }
}

impl Showing {
    /// The word for it in a rules file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::OutcomeOnly => "outcome only",
            Self::Blind => "blind",
            Self::Gm => "gm",
        }
    }
}

/// `npc rolls gm`, `player rolls public, npc rolls outcome only`, `all rolls public`.
pub fn showing(label: &Labelled, policy: &mut ShowingPolicy, ledger: &mut Ledger<'_>) {
    for part in label.value.split_all(&[",", ";", " and "]) {
        let words = fold(part.as_str());
        let read =
            words.trim_end_matches('.').split_once(" rolls ").and_then(|(who, how)| Some((who, how_shown(how)?)));
        match read {
            Some(("player" | "players" | "pc" | "player character", how)) => policy.players = how,
            Some(("npc" | "npcs" | "foe" | "foes" | "non player" | "non player character", how)) => policy.others = how,
            Some(("all" | "every" | "everybody's", how)) => (policy.players, policy.others) = (how, how),
            _ => {
                let message = format!("`{}` does not say who sees what", part.as_str());
                ledger.report(
                    Diagnostic::warning(codes::UNREADABLE_VISIBILITY, message)
                        .at(part.span(), "passed over")
                        .help("write `npc rolls gm`, `player rolls public` or `all rolls public`; or `outcome only`, or `blind`"),
                );
                continue;
            }
        }
        policy.place = Some(ledger.place(label.span));
    }
}

fn how_shown(words: &str) -> Option<Showing> {
    let words = words.strip_prefix("are ").unwrap_or(words);
    Some(match words.trim() {
        "public" | "open" | "open to all" => Showing::Public,
        "outcome only" | "outcome" => Showing::OutcomeOnly,
        "blind" => Showing::Blind,
        "gm" | "gm only" | "hidden" | "secret" | "for the gm" => Showing::Gm,
        _ => return None,
    })
}
