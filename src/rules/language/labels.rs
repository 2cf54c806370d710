//! Bullets of the shape `- Label: value`.

use super::ledger::Ledger;
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::names::{self, Slip, slip};
use crate::rules::codes;
use crate::rules::document::{Bullet, Text};

/// A bullet taken apart at its first colon.
#[derive(Debug, Clone)]
pub struct Labelled {
    /// What stands before the colon, as written.
    pub label: Text,
    /// The folded label.
    pub folded: String,
    /// What stands after the colon.
    pub value: Text,
    /// The whole bullet.
    pub span: Span,
}

/// Words that a label has at most; a colon after more is a sentence's.
const LABEL_WORDS_MAX: usize = 12;

/// Takes a bullet apart; none when it has no label. A bullet longer than the limit has none.
pub fn labelled(bullet: &Bullet, ledger: &Ledger<'_>) -> Option<Labelled> {
    if bullet.text.as_str().len() > ledger.limits.bullet_bytes {
        return None;
    }
    let (label, value) = bullet.text.split_at_any(&[":"])?;
    let words = label.as_str().split_whitespace().count();
    if label.is_empty() || words > LABEL_WORDS_MAX {
        return None;
    }
    Some(Labelled { folded: names::fold(label.as_str()), label, value, span: bullet.text.span() })
}

/// Whether a value looks like a rule rather than like words: it has a digit, code or a name in braces.
pub fn is_mechanical(value: &Text) -> bool {
    !value.codes().is_empty()
        || value.as_str().contains('{')
        || value.as_str().chars().any(|letter| letter.is_ascii_digit())
}

/// Reports a label that is nearly one of the known ones. Returns whether it is. A word that may be one of its own is asked
/// about where its value looks like a rule, and never mended; what is two letters away is some other label.
pub fn report_misspelt(found: &Labelled, known: &[&str], ledger: &mut Ledger<'_>) -> bool {
    let written = found.label.as_str();
    let suggestions = names::misspellings(written, known.iter().copied());
    let Some((known, slip)) = suggestions.first().and_then(|known| Some((*known, slip(written, known)?))) else {
        return false;
    };
    let clear = matches!(slip, Slip::Clear | Slip::Number);
    if slip == Slip::Far || (!clear && !is_mechanical(&found.value)) {
        return false;
    }
    let fix = Fix { span: found.label.span(), replacement: known.to_owned(), message: format!("call it `{known}`") };
    let warning = misspelt(found, known);
    ledger.report(if clear && suggestions.len() == 1 && !ledger.is_foreign() {
        warning.fix(fix)
    } else {
        warning.perhaps(fix)
    });
    true
}

/// A label that should be another one, without the edit that makes it so.
pub fn misspelt(found: &Labelled, meant: &str) -> Diagnostic {
    let message = format!("`{}` is not a label that is known here", found.label.as_str());
    Diagnostic::warning(codes::MISSPELT_LABEL, message)
        .at(found.label.span(), "this bullet is not read")
        .help(format!("did you mean `{meant}`?"))
}

/// Reports a label that was given before and counts once.
pub fn report_repeated(found: &Labelled, first: Span, ledger: &mut Ledger<'_>) {
    let message = format!("`{}` is given twice", found.label.as_str());
    ledger.report(
        Diagnostic::warning(codes::REPEATED_LABEL, message)
            .at(found.span, "this one is not read")
            .and(first, "the first one counts"),
    );
}
