//! Reads what the game's time moves: `- Each hour: 1 more` below a clock or a shared track, `- Each day: 1 less supplies` anywhere.

use super::effect::effect;
use super::passing::Passing;
use crate::diagnostic::Diagnostic;
use crate::rules::codes;
use crate::rules::language::checks::RowMove;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::rests::recoverable;
use crate::rules::language::system::System;
use crate::rules::language::time_words::span;

/// How often a bullet with this folded label comes: `each hour`, `every 10 minutes`. The inner none: no time is said.
fn every(label: &str) -> Option<Option<i64>> {
    let often = ["each ", "every ", "per "].iter().find_map(|word| label.strip_prefix(word))?;
    Some(span(often).or_else(|| span(&format!("1 {often}"))))
}

/// Whether a bullet with this folded label is about time.
pub fn is_passing(label: &str) -> bool {
    matches!(every(label), Some(Some(_)))
}

/// Reads a bullet; none where it is about something else, or nothing of it can be read. `last` is what is declared above it.
pub fn read(label: &Labelled, last: Option<&str>, company: &System, ledger: &mut Ledger<'_>) -> Option<Passing> {
    let every = every(&label.folded)?;
    let all = recoverable(company);
    let (mut moves, mut unread) = (Vec::new(), Vec::new());
    for part in label.value.split_all(&[",", ";", " and "]) {
        match effect(&part, last, &all) {
            Some(None) => {}
            Some(Some((effect, amount))) => {
                let (text, place) = (part.as_str().to_owned(), ledger.place(label.span));
                let fills = all.iter().any(|own| own.fills && own.name == effect.track());
                moves.push(RowMove { effect, shared: true, amount, value: None, fills, text, place });
            }
            None => unread.push(part),
        }
    }
    let Some(every) = every else {
        // What moves nothing is some other sentence.
        if !moves.is_empty() {
            ledger.take(label.span);
            let message = format!("`{}` is no time that can be counted", label.label.as_str());
            ledger.report(
                Diagnostic::warning(codes::UNREADABLE_TIME, message)
                    .at(label.label.span(), "this bullet moves nothing")
                    .help("write `Each 10 minutes`, `Each hour` or `Each day`"),
            );
        }
        return None;
    };
    ledger.take(label.span);
    for part in &unread {
        ledger.report(
            Diagnostic::warning(codes::UNREADABLE_MOVE, format!("what time does cannot be read: `{}`", part.as_str()))
                .at(part.span(), "this part of it moves nothing")
                .help("write `1 more`, `2 less` or `clears`, below what it moves or with its name: `1 less supplies`"),
        );
    }
    (!moves.is_empty()).then(|| Passing { every, moves, place: ledger.place(label.span), span: label.span })
}
