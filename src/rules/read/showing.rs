//! Who sees a roll: the Visibility bullet of the Dice section.

use crate::diagnostic::Diagnostic;
use crate::names::fold;
use crate::rules::codes;
use crate::rules::showing::{Showing, ShowingPolicy};

use super::labels::Labelled;
use super::ledger::Ledger;

/// `npc rolls gm`, `player rolls public, npc rolls outcome only`, `all rolls public`.
pub(super) fn showing(label: &Labelled, policy: &mut ShowingPolicy, ledger: &mut Ledger<'_>) {
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
