//! Reads whether fights have turns: `- Combat: turn-based`, `narrative` or `hybrid`, else a sentence of the prose.

use super::initiative::InitiativeKind;
use super::structure::{Structure, StructureKind, Structures};
use crate::diagnostic::Diagnostic;
use crate::names::{fold, suggest};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::formula;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

/// The words for each kind; the first is the one that messages use.
const WORDS: [(&[&str], StructureKind); 3] = [
    (
        &[Structure::TurnBased.as_str(), "turnbased", "turns", "in turns", "by turns"],
        StructureKind::Only(Structure::TurnBased),
    ),
    (
        &[Structure::Narrative.as_str(), "freeform", "free-form", "no turns", "without turns"],
        StructureKind::Only(Structure::Narrative),
    ),
    (&["hybrid", "both", "mixed"], StructureKind::Hybrid(Structure::TurnBased)),
];

/// Whether a text begins with the usual word of a kind.
pub fn begins_with_kind(text: &str) -> bool {
    let text = fold(text);
    WORDS.iter().filter_map(|(words, _)| words.first()).any(|word| text.starts_with(&fold(word)))
}

/// Reads `hybrid`, `hybrid, narrative first`.
pub fn from_bullet(label: &Labelled, ledger: &mut Ledger<'_>) -> Structures {
    let parts = label.value.split_all(&[",", ";"]);
    let first = parts.first().map(|part| fold(part.as_str())).unwrap_or_default();
    let others = parts.get(1..).unwrap_or_default();
    let found = WORDS.iter().find(|(words, _)| words.iter().any(|word| fold(word) == first));
    let Some((_, kind)) = found else {
        report_unknown(label, &first, ledger);
        return Structures::default();
    };
    let kind = match kind {
        StructureKind::Hybrid(_) => {
            StructureKind::Hybrid(others.iter().find_map(begins).unwrap_or(Structure::TurnBased))
        }
        StructureKind::Only(_) | StructureKind::Unsaid => *kind,
    };
    formula::beside(others, ledger);
    Structures { kind, place: Some(ledger.place(label.span)) }
}

/// `narrative first`, `begins turn-based`, `narrative until steel is drawn`
fn begins(words: &Text) -> Option<Structure> {
    let folded = fold(words.as_str());
    let says = ["first", "begin", "start", "until"].iter().any(|word| folded.contains(word));
    let at = |word: &str| folded.find(word);
    match (at("narrative"), at("turn")) {
        _ if !says => None,
        (Some(narrative), Some(turn)) if turn < narrative => Some(Structure::TurnBased),
        (Some(_), _) => Some(Structure::Narrative),
        (None, Some(_)) => Some(Structure::TurnBased),
        (None, None) => None,
    }
}

fn report_unknown(label: &Labelled, written: &str, ledger: &mut Ledger<'_>) {
    let known = WORDS.iter().filter_map(|(words, _)| words.first().copied());
    let near = suggest(written, known);
    let near = near.first().map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let warning = Diagnostic::warning(codes::UNREADABLE_STRUCTURE, "this says of no fight whether it has turns")
        .at(label.value.span(), "expected `turn-based`, `narrative` or `hybrid`")
        .help(format!("{near}write - Combat: turn-based, narrative or hybrid"));
    ledger.report(warning);
}

/// Which structures fights have, in words.
pub fn describe(system: &System) -> Option<String> {
    match system.structures.kind {
        StructureKind::Only(Structure::TurnBased) if system.initiative.kind == InitiativeKind::None => {
            Some("turn-based, in the order of entry".to_owned())
        }
        StructureKind::Only(only) => Some(only.as_str().to_owned()),
        StructureKind::Hybrid(first) => Some(format!("hybrid, {} first", first.as_str())),
        StructureKind::Unsaid => None,
    }
}
