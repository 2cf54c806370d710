//! What words say becomes of tracks, boxes, slots and wounds: `hit points to max`, `one box of stress clears`, `1d6 health`.

pub mod recoverable;
mod verb;

use super::rest::RestEffect;
use crate::names::fold;
use crate::rules::document::Text;
use crate::rules::language::names::Names;
use crate::rules::language::plain;
use verb::{Verb, effects, is_part, verb};

pub use recoverable::{Recoverable, recoverable, recoverable_with_shared};

/// What a few words come to.
#[derive(Debug, Clone, PartialEq)]
pub enum Recovery {
    /// These effects.
    Effects(Vec<RestEffect>),
    /// Something is named, and not what becomes of it.
    Unclear,
    /// Nothing is named.
    Nothing,
}

/// What one clause says of these, its parts joined by "and".
pub fn clause(words: &Text, all: &[Recoverable], names: &Names) -> Vec<(Text, Recovery)> {
    let mut parts: Vec<(Text, Recovery)> = Vec::new();
    // `clear stress and harm` says it before the names, `stress and harm clear` behind them.
    let mut verb_before: Option<Verb> = None;
    let mut waiting: Vec<(usize, Vec<&Recoverable>)> = Vec::new();
    for part in words.split_all(&[" and "]) {
        let found = one(part.as_str(), all, names);
        let recovery = match found {
            None => Recovery::Nothing,
            Some(Named { of, verb: Some(verb), before, .. }) => {
                for (at, of) in std::mem::take(&mut waiting).into_iter().filter(|_| verb.is_shared()) {
                    if let Some((_, recovery)) = parts.get_mut(at) {
                        *recovery = Recovery::Effects(effects(&of, &verb));
                    }
                }
                let effects = effects(&of, &verb);
                verb_before = Some(verb).filter(|verb| before && verb.is_shared());
                Recovery::Effects(effects)
            }
            Some(Named { of, alone: true, .. }) => match &verb_before {
                Some(verb) => Recovery::Effects(effects(&of, verb)),
                None => {
                    waiting.push((parts.len(), of));
                    Recovery::Unclear
                }
            },
            Some(_) => Recovery::Unclear,
        };
        parts.push((part, recovery));
    }
    parts
}

/// A part that names something, and what becomes of it.
struct Named<'m> {
    of: Vec<&'m Recoverable>,
    verb: Option<Verb>,
    /// Whether the verb stands before the name.
    before: bool,
    /// Whether nothing is said of it but its name, so that the verb of another part is about it, too.
    alone: bool,
}

fn one<'m>(words: &str, all: &'m [Recoverable], names: &Names) -> Option<Named<'m>> {
    // Byte for byte, since places in it are places in the words.
    let lower = Some(words.to_lowercase()).filter(|own| own.len() == words.len());
    let lower = lower.unwrap_or_else(|| words.to_ascii_lowercase());
    let spoken = all.iter().flat_map(|own| own.spoken.iter().map(move |form| (own, form)));
    let found = spoken.filter_map(|(own, form)| Some((own, form, word(&lower, form)?)));
    let (own, form, at) = found.max_by_key(|(_, form, _)| form.len())?;
    // "Stress" means every kind of stress that the file has.
    let is_kind = |other: &&Recoverable| {
        other.shared == own.shared && fold(&other.name).split(' ').any(|word| word == fold(form))
    };
    let of = if fold(&own.name) == fold(form) { vec![own] } else { all.iter().filter(is_kind).collect() };
    let of = if of.is_empty() { vec![own] } else { of };
    let front = lower.get(..at)?.trim_end();
    let after = lower.get(at + form.len()..)?.trim_start();
    let alone = after.trim_end_matches('.').is_empty() && !is_part(front);
    let (verb, before) = verb(words, front, after, names);
    // "gain 1d6 stress" makes it no better.
    let worse = front.rsplit([',', ';']).next().is_some_and(|own| own.trim_start().starts_with("gain"))
        && of.iter().all(|own| own.fills);
    let verb = verb.filter(|verb| !worse || !matches!(verb, Verb::Gives(_)));
    Some(Named { of, verb, before, alone })
}

/// Where a name stands by itself, and not as a number in braces.
fn word(words: &str, name: &str) -> Option<usize> {
    let is_part = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    words.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = words.get(..*at).and_then(|before| before.chars().next_back());
        let after = words.get(at + name.len()..).and_then(|after| after.chars().next());
        let front = words.get(..*at).unwrap_or_default();
        let in_braces = front.rfind('{') > front.rfind('}');
        !is_part(before) && !is_part(after) && !in_braces
    })
}
