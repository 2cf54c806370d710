//! Rests and ends of scenes in the Health section.

use crate::diagnostic::Diagnostic;
use crate::dice::parse_formula;
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::rest::{Rest, RestEffect};
use crate::rules::system::System;
use crate::rules::track::Track;

use super::labels::Labelled;
use super::ledger::Ledger;
use super::names::Names;
use super::plain;

/// Labels after which tracks change.
const LABELS: [&str; 9] = [
    "rest",
    "short rest",
    "long rest",
    "full rest",
    "night's rest",
    "end of scene",
    "end of the scene",
    "end of session",
    "end of the session",
];

/// Reads a bullet as a rest; none when its label is none.
pub fn read(label: &Labelled, system: &System, names: &Names, ledger: &mut Ledger<'_>) -> Option<Rest> {
    if !LABELS.contains(&label.folded.as_str()) {
        return None;
    }
    let words = label.value.as_str();
    let effects: Vec<RestEffect> = marks(system).filter_map(|name| effect(words, name, names)).collect();
    if effects.is_empty() {
        ledger.report(
            Diagnostic::note(codes::LEFT_TO_GM, format!("`{}` is left to the GM", label.label.as_str()))
                .at(label.value.span(), "no track is named here, or not what becomes of it")
                .help("write `hit points to max`, `1d6 hit points` or `stress clears`"),
        );
    }
    Some(Rest {
        name: label.label.as_str().to_owned(),
        effects,
        text: words.to_owned(),
        place: ledger.place(label.span),
        span: label.span,
    })
}

/// What becomes of the track that these few words name: `stress clears`, `hit points to max`.
pub fn plain_effect(words: &str, tracks: &[Track]) -> Option<RestEffect> {
    let lower = words.to_ascii_lowercase();
    if !["clear", "max", "full"].iter().any(|word| lower.contains(word)) {
        return None;
    }
    let named = tracks.iter().find(|track| word(&lower, &track.name.to_ascii_lowercase()).is_some())?;
    effect(words, &named.name, &Names::default()).filter(|effect| !matches!(effect, RestEffect::Gives { .. }))
}

/// `Stress clears: end of scene`: the effect is the label, the rest is the value.
pub fn turned(label: &Labelled, system: &System, ledger: &Ledger<'_>) -> Option<Rest> {
    let when = fold(label.value.as_str().trim_end_matches('.'));
    let cleared = label.folded.strip_suffix(" clears").or_else(|| label.folded.strip_suffix(" clear"))?;
    if !LABELS.contains(&when.as_str()) {
        return None;
    }
    // "Stress" means every kind of stress that the file has.
    let means = |name: &&str| fold(name) == cleared || fold(name).split(' ').any(|word| word == cleared);
    let effects: Vec<RestEffect> =
        marks(system).filter(means).map(|name| RestEffect::Clears { track: name.to_owned() }).collect();
    if effects.is_empty() {
        return None;
    }
    let mut name = when;
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let text = format!("{}: {}", label.label.as_str(), label.value.as_str());
    Some(Rest { name, effects, text, place: ledger.place(label.span), span: label.span })
}

/// What can be mended: tracks, boxes and slots, by name.
fn marks(system: &System) -> impl Iterator<Item = &str> {
    let tracks = system.tracks.iter().map(|own| own.name.as_str());
    let boxes = system.boxes.iter().map(|own| own.name.as_str());
    tracks.chain(boxes).chain(system.slots.iter().map(|own| own.name.as_str()))
}

/// What the words say about a track.
fn effect(words: &str, track: &str, names: &Names) -> Option<RestEffect> {
    let lower = words.to_ascii_lowercase();
    let mut name = track.to_ascii_lowercase();
    if word(&lower, &name).is_none() && same(&name, "hit points") {
        name = "hp".to_owned();
    }
    let at = word(&lower, &name)?;
    let before = lower.get(..at)?.trim_end();
    let after = lower.get(at + name.len()..)?.trim_start();
    let track = track.to_owned();
    let to_max = ["to max", "to full", "to the max", "to their max", "return to max", "are full"];
    if to_max.iter().any(|words| after.starts_with(words)) {
        return Some(RestEffect::ToMax { track });
    }
    if after.starts_with("clear") || before.ends_with("clear") || before.ends_with("clears") {
        return Some(RestEffect::Clears { track });
    }
    let notation = ending(words.get(..before.len())?, names)?;
    Some(RestEffect::Gives { track, amount: parse_formula(&notation).ok()? })
}

/// Where a name stands by itself.
fn word(words: &str, name: &str) -> Option<usize> {
    let is_part = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    words.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = words.get(..*at).and_then(|before| before.chars().next_back());
        let after = words.get(at + name.len()..).and_then(|after| after.chars().next());
        !is_part(before) && !is_part(after)
    })
}

/// The longest expression with which the words end.
fn ending(words: &str, names: &Names) -> Option<String> {
    let starts = words.char_indices().filter(|(at, letter)| {
        let glued = words.get(..*at).and_then(|before| before.chars().next_back()).is_some_and(char::is_alphanumeric);
        (letter.is_ascii_digit() || matches!(letter, 'd' | 'D' | '{')) && !glued
    });
    starts
        .filter_map(|(at, _)| plain::expression_at(words, at, names))
        .find(|found| found.at.end == words.len())
        .map(|found| found.notation)
}
