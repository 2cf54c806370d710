//! Rules with another sign or in a sentence, and the edit that makes them bullets: `HP = 8 + Might`, "Scores go from 3 to 18".

use super::instead;
use crate::diagnostic::{Applies, Fix};
use crate::names::fold;
use crate::rules::document::Text;
use crate::rules::language::health::is_pool_name;
use crate::rules::language::labels::is_mechanical;
use crate::rules::language::labels_of;
use crate::rules::language::range::in_words as range_in_words;
use crate::rules::language::shape::is_short_form;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// What to write instead.
pub(super) struct Otherwise {
    pub help: String,
    pub fix: Option<(Fix, Applies)>,
}

/// Words before `=` that are still a name.
const NAME_WORDS_MAX: usize = 4;
/// Words of a sentence about the bounds of scores.
const OF_SCORES: [&str; 12] = [
    "score",
    "scores",
    "attribute",
    "attributes",
    "ability",
    "abilities",
    "stat",
    "stats",
    "characteristics",
    "range",
    "ranges",
    "rated",
];
/// What says that a rule holds, and nothing of how.
const SWITCHES: [&str; 14] = [
    "yes", "no", "on", "off", "true", "false", "always", "never", "allowed", "enabled", "disabled", "standard",
    "normal", "optional",
];

/// Whether a value switches something on or off that the program does not have.
pub(super) fn is_switch(value: &Text) -> bool {
    SWITCHES.contains(&fold(value.as_str()).trim_end_matches('.'))
}

/// `NAME = VALUE`, where a label and a colon are expected.
pub(super) fn with_equals(kind: SectionKind, text: &Text) -> Option<Otherwise> {
    let (name, value) = text.split_at_any(&["="])?;
    let words = name.as_str().split_whitespace().count();
    if !(1..=NAME_WORDS_MAX).contains(&words) || value.is_empty() || !name.as_str().starts_with(char::is_alphabetic) {
        return None;
    }
    let scores = matches!(kind, SectionKind::Attributes | SectionKind::Skills);
    let known = labels_of(kind).iter().any(|label| fold(label) == fold(name.as_str()));
    if scores && !known {
        return Some(declared(kind, text, &name, &value));
    }
    let pool = kind == SectionKind::Health && is_pool_name(name.as_str());
    if !known && !is_mechanical(&value) && !pool {
        return None;
    }
    let label = name.as_str();
    let help = format!("a colon stands behind the label: `- {label}: {}`", value.as_str());
    // Only the sign changes: the words around it keep their marks.
    let span = crate::diagnostic::Span::new(text.file(), name.span().end..value.span().start.max(name.span().end));
    let fix = Fix { span, replacement: ": ".to_owned(), message: format!("write `{label}: …`") };
    let ticks = !value.codes().is_empty();
    // A tick before the value lies between the two, and must stay.
    let fix = if ticks { Fix { replacement: ": `".to_owned(), ..fix } } else { fix };
    let applies = if known || pool { Applies::Surely } else { Applies::Perhaps };
    match kind == SectionKind::Checks && !known {
        true => Some(Otherwise { help: instead::of_word(&fold(label)).map_or(help, str::to_owned), fix: None }),
        false => Some(Otherwise { help, fix: Some((fix, applies)) }),
    }
}

/// `INT = Intelligence`, `Intelligence = INT`.
fn declared(kind: SectionKind, text: &Text, name: &Text, value: &Text) -> Otherwise {
    let help = instead::of_section(kind).to_owned();
    let plain = |own: &Text| own.as_str().chars().all(|letter| letter.is_alphabetic() || letter == ' ');
    let (short, long) = if is_short_form(name.as_str()) { (name, value) } else { (value, name) };
    let fits = is_short_form(short.as_str()) && plain(long) && !is_short_form(long.as_str());
    let fix = fits.then(|| {
        let replacement = format!("{} ({})", long.as_str(), short.as_str());
        (
            Fix { span: text.span_of(0..text.as_str().len()), message: format!("write `{replacement}`"), replacement },
            Applies::Surely,
        )
    });
    Otherwise { help, fix }
}

/// Whether words are about scores at large, and not about one of them.
pub(super) fn names_scores(words: &str) -> bool {
    fold(words).split(|letter: char| !letter.is_alphanumeric()).any(|word| OF_SCORES.contains(&word))
}

/// A sentence that bounds the scores, where nothing else does.
pub(super) fn bounds(kind: SectionKind, text: &Text, system: &System) -> Option<Otherwise> {
    if kind != SectionKind::Attributes || system.attributes.iter().any(|own| own.range.is_some()) {
        return None;
    }
    let words = text.as_str();
    let (low, high) = range_in_words(words).filter(|_| names_scores(words))?;
    let replacement = format!("Range: {low} to {high}");
    let help = format!("the bounds of all scores are a bullet: `- {replacement}`");
    Some(Otherwise { help, fix: None })
}

/// The same as an edit of the whole bullet, where it says nothing else.
pub(super) fn bounds_bullet(kind: SectionKind, text: &Text, system: &System) -> Option<Otherwise> {
    let found = bounds(kind, text, system)?;
    let (low, high) = range_in_words(text.as_str())?;
    let fix = Fix {
        span: text.span_of(0..text.as_str().len()),
        replacement: format!("Range: {low} to {high}"),
        message: format!("write `Range: {low} to {high}`"),
    };
    let short = text.as_str().split_whitespace().count() <= 8;
    Some(Otherwise { fix: Some((fix, if short { Applies::Surely } else { Applies::Perhaps })), ..found })
}
