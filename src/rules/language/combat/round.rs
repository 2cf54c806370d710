//! How long a round of a fight is: `- Round: 6 seconds`.

use crate::diagnostic::{Diagnostic, Span};
use crate::rules::codes;
use crate::rules::language::clause::Clause;
use crate::rules::language::formula;
use crate::rules::language::labels::{Labelled, labelled, report_repeated};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::time_words::span;
use crate::rules::section::SectionKind;

/// Whether a bullet with this folded label says how long a round is.
pub(super) fn is_round(label: &str) -> bool {
    matches!(label, "round" | "a round" | "one round" | "each round" | "length of a round")
}

/// Seconds of the game's time; none where the section does not say.
pub(super) fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> Option<Clause<i64>> {
    let mut found: Option<(Clause<i64>, Span)> = None;
    for bullet in outline.bullets(SectionKind::Combat) {
        let Some(label) = labelled(bullet, ledger).filter(|label| is_round(&label.folded)) else { continue };
        ledger.take(label.span);
        match &found {
            Some((_, first)) => report_repeated(&label, *first, ledger),
            None => found = seconds(&label, ledger).map(|own| (own, label.span)),
        }
    }
    found.map(|(own, _)| own)
}

fn seconds(label: &Labelled, ledger: &mut Ledger<'_>) -> Option<Clause<i64>> {
    let parts = label.value.split_all(&[",", ";", "("]);
    let (first, others) = parts.split_first()?;
    let words = first.as_str().trim().to_lowercase();
    let bare = ["about ", "lasts ", "is "].iter().find_map(|word| words.strip_prefix(word)).unwrap_or(&words);
    let Some(what) = span(bare) else {
        let message = format!("`{}` is no time that can be counted", first.as_str());
        ledger.report(
            Diagnostic::warning(codes::UNREADABLE_TIME, message)
                .at(label.value.span(), "no time passes with the rounds of a fight")
                .help("write how long a round is: `- Round: 6 seconds`, or `1 minute`"),
        );
        return None;
    };
    formula::beside(others, ledger);
    Some(Clause { what, place: ledger.place(label.span) })
}
