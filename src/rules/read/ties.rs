//! Who goes first at the same initiative: the Ties bullet of the Combat section.

use crate::diagnostic::Diagnostic;
use crate::names::fold;
use crate::rules::codes;
use crate::rules::initiative::TieBreak;
use crate::rules::system::System;

use super::labels::Labelled;
use super::ledger::Ledger;

/// The tie-breaks in order; the last is always who was entered first.
pub(super) fn tie_breaks(label: &Labelled, system: &System, ledger: &mut Ledger<'_>) -> Vec<TieBreak> {
    let mut breaks = Vec::new();
    for part in label.value.split_all(&[",", ";", " then "]) {
        let folded = fold(part.as_str());
        let folded = folded.strip_prefix("then ").unwrap_or(&folded);
        let read = match folded {
            "players" | "player characters" | "players first" => Some(TieBreak::Players),
            "any agreed order" | "as agreed" | "any order" | "the gm decides" | "the table decides" => {
                Some(TieBreak::Agreed)
            }
            "as entered" | "order of entry" | "entered" => Some(TieBreak::Entered),
            other => other.strip_prefix("higher ").or_else(|| other.strip_prefix("highest ")).and_then(|name| {
                let name = name.strip_suffix(" score").or_else(|| name.strip_suffix(" modifier")).unwrap_or(name);
                let attribute = system.attribute(name).map(|own| TieBreak::HigherAttribute(own.name.clone()));
                let skill = || system.skill(name).map(|own| TieBreak::HigherSkill(own.name.clone()));
                attribute.or_else(|_| skill()).ok()
            }),
        };
        match read {
            Some(read) => breaks.push(read),
            None => ledger.report(
                Diagnostic::warning(codes::UNREADABLE_TIE, format!("the tie-break `{}` cannot be read", part.as_str()))
                    .at(part.span(), "passed over")
                    .help("write `higher DEX` (an attribute or a skill of yours), `players` or `as entered`"),
            ),
        }
    }
    if breaks.last() != Some(&TieBreak::Entered) {
        breaks.push(TieBreak::Entered);
    }
    breaks
}
