//! Triggers in the Health section.

use crate::diagnostic::{Diagnostic, Span};
use crate::names::{fold, near};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::system::System;
use crate::rules::trigger::{Trigger, TriggerWhen};

use super::declaration::bracketed;
use super::labels::Labelled;
use super::ledger::Ledger;
use super::range;

/// Words that a condition's name has at most; more is a sentence.
const CONDITION_WORDS_MAX: usize = 4;

/// Reads a bullet as a trigger. None when its label is none; `Some(None)` when it is one that cannot be used.
pub fn read(label: &Labelled, system: &System, ledger: &mut Ledger<'_>) -> Option<Option<Trigger>> {
    let when = match at_value(&label.folded) {
        Some((0, name)) => match find(name, system) {
            Some(track) => TriggerWhen::AtZero { track },
            None => {
                report_unknown(label, name, system, ledger);
                return Some(None);
            }
        },
        Some(_) => {
            ledger.not_read(label.label.as_str(), label.label.span(), "only 0 and the maximum trigger something");
            return Some(None);
        }
        None => {
            let make = whole_hit(&label.folded)?;
            let Some(first) = system.tracks.first() else {
                report_unknown(label, "hit points", system, ledger);
                return Some(None);
            };
            make(first.name.clone())
        }
    };
    Some(Some(trigger(when, &label.value, label.span, ledger)))
}

/// `full: trauma` behind a track of boxes.
pub fn full(track: &str, label: &Labelled, ledger: &mut Ledger<'_>) -> Option<Trigger> {
    let parts = label.value.split_all(&[";", ","]);
    let value = parts.iter().find_map(|part| {
        let (name, value) = part.split_at_any(&[":"])?;
        (fold(name.as_str()) == "full").then_some(value)
    })?;
    Some(trigger(TriggerWhen::Full { track: track.to_owned() }, &value, label.span, ledger))
}

fn trigger(when: TriggerWhen, value: &Text, span: Span, ledger: &mut Ledger<'_>) -> Trigger {
    let (conditions, left) = conditions(value);
    if let Some(left) = left {
        ledger.report(
            Diagnostic::note(codes::LEFT_TO_GM, "part of this is left to the GM")
                .at(left.span(), "shown when it happens, not carried out"),
        );
    }
    Trigger { when, conditions, text: value.as_str().to_owned(), place: ledger.place(span), span }
}

/// The conditions named before the first semicolon, and the first part that is something else.
fn conditions(value: &Text) -> (Vec<String>, Option<Text>) {
    let clauses = value.split_all(&[";"]);
    let mut left = clauses.get(1).cloned();
    let mut named = Vec::new();
    let first = clauses.into_iter().next();
    for part in first.map(|first| first.split_all(&[",", " and ", "."])).unwrap_or_default() {
        let (name, bracket) = bracketed(&part);
        if (1..=CONDITION_WORDS_MAX).contains(&name.as_str().split_whitespace().count()) {
            named.push(name.as_str().to_owned());
            left = left.or(bracket);
        } else {
            left = left.or(Some(part));
        }
    }
    (named, left)
}

/// `at 0 hit points` taken apart.
fn at_value(folded: &str) -> Option<(i64, &str)> {
    let (value, rest) = range::number(folded.strip_prefix("at ")?)?;
    let name = rest.trim();
    (!name.is_empty()).then_some((value, name))
}

/// The labels about one hit. They are about the first track.
fn whole_hit(folded: &str) -> Option<fn(String) -> TriggerWhen> {
    if !folded.contains("maximum") && !folded.contains("max") {
        return None;
    }
    if folded.starts_with("one hit") || folded.starts_with("a single hit") {
        return Some(if folded.contains("half") {
            |track| TriggerWhen::OneHitOfHalfMax { track }
        } else {
            |track| TriggerWhen::OneHitOfMax { track }
        });
    }
    folded.starts_with("damage left over").then_some(|track| TriggerWhen::LeftOverOfMax { track })
}

/// The track of this name, one or many of them.
fn find(name: &str, system: &System) -> Option<String> {
    let known = |name: &str| system.track(name).ok().map(|track| track.name.clone());
    known(name).or_else(|| known(&format!("{name}s"))).or_else(|| known(name.strip_suffix('s')?))
}

fn report_unknown(label: &Labelled, name: &str, system: &System, ledger: &mut Ledger<'_>) {
    let near = near(name, system.tracks.iter().map(|track| track.name.as_str()));
    let help = match near.first() {
        Some(known) => format!("did you mean `{known}`?"),
        None => "declare it in this section: - Hit points: max `8 + {CON}`, from 0".to_owned(),
    };
    ledger.report(
        Diagnostic::warning(codes::UNKNOWN_TRACK, format!("no track is called `{name}`"))
            .at(label.label.span(), "this never happens")
            .help(help),
    );
}
