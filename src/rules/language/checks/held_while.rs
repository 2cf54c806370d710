//! `- While: dying`: a check that is for somebody who has a condition, or whose track stands so far.

use super::check::Unread;
use super::row_move::{Need, While};
use crate::diagnostic::Diagnostic;
use crate::names::{same, suggest};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::range;
use crate::rules::language::rests::{Recoverable, recoverable};
use crate::rules::language::system::System;

/// Reads the bullet of every check, now that all conditions and tracks are known.
pub fn resolve(system: &mut System, ledger: &mut Ledger<'_>) {
    let all = recoverable(system);
    let conditions: Vec<String> = system.condition_names().map(str::to_owned).collect();
    for check in &mut system.checks {
        let Some(text) = check.while_text.take() else { continue };
        let place = ledger.place(text.span());
        let is_any = text.split_all(&[" or "]).len() > 1;
        let parts = text.split_all(&[" or ", ", ", " and "]);
        let mixed = is_any && text.split_all(&[" and "]).len() > 1;
        let of: Option<Vec<Need>> = parts.iter().map(|part| held(part.as_str(), &all, &conditions)).collect();
        match of.filter(|of| !of.is_empty() && !mixed) {
            Some(of) => {
                check.while_held = Some(While { of, all: !is_any, text: text.as_str().to_owned(), place });
            }
            None => {
                report(&text, &parts, &all, &conditions, ledger);
                check.unread.push(Unread { label: "While".to_owned(), place });
            }
        }
    }
}

/// `dying`, `Dying 1+`, `hit points 0`, `at 0 hit points`.
fn held(words: &str, all: &[Recoverable], conditions: &[String]) -> Option<Need> {
    let words = words.trim().trim_end_matches('.').to_lowercase();
    let track = |name: &str| all.iter().find(|own| own.spoken.iter().any(|form| form == name.trim()));
    if let Some(name) = conditions.iter().find(|name| same(name, &words)) {
        return Some(Need::Condition(name.clone()));
    }
    if let Some(own) = track(&words) {
        return own.fills.then(|| Need::Track { name: own.name.clone(), low: 1, high: i64::MAX });
    }
    let at = |value: i64, own: &Recoverable| match own.fills {
        true => Need::Track { name: own.name.clone(), low: value, high: i64::MAX },
        false => Need::Track { name: own.name.clone(), low: i64::MIN, high: value },
    };
    if let Some((value, name)) = words.strip_prefix("at ").and_then(range::number) {
        return Some(at(value, track(name)?));
    }
    let own = all.iter().flat_map(|own| own.spoken.iter().map(move |form| (own, form)));
    let (own, rest) = own
        .filter_map(|(own, form)| Some((own, words.strip_prefix(form.as_str())?.strip_prefix(' ')?)))
        .min_by_key(|(_, rest)| rest.len())?;
    if let Some(value) = rest.strip_prefix("at ") {
        return Some(at(value.trim().parse().ok()?, own));
    }
    let (low, high) = range::score(rest)?;
    Some(Need::Track { name: own.name.clone(), low, high })
}

fn report(text: &Text, parts: &[Text], all: &[Recoverable], conditions: &[String], ledger: &mut Ledger<'_>) {
    let unknown = parts.iter().find(|part| held(part.as_str(), all, conditions).is_none());
    let names = all.iter().map(|own| own.name.as_str()).chain(conditions.iter().map(String::as_str));
    let at = unknown.unwrap_or(text);
    let help = match unknown.and_then(|part| suggest(part.as_str(), names).first().map(|known| (*known).to_owned())) {
        Some(known) if !same(&known, at.as_str()) => format!("did you mean `{known}`?"),
        _ => "name a condition, or how far a track stands: `dying`, `hit points 0`, `death saves 1+`; several with `or`, or with `and`"
            .to_owned(),
    };
    ledger.report(
        Diagnostic::error(codes::UNREADABLE_WHILE, format!("while what cannot be read: `{}`", at.as_str()))
            .at(at.span(), "neither a condition nor a track that stands so far")
            .because("until then the outcome of this check is for the GM to say")
            .help(help),
    );
}
