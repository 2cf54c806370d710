//! What a few words do to a shared track: `alarm clears`, `1 more`, `1 less supplies`.

use crate::dice::parse_formula;
use crate::rules::document::Text;
use crate::rules::language::names::Names;
use crate::rules::language::number_words::counted;
use crate::rules::language::rests::recovery::{self, Recovery};
use crate::rules::language::rests::{Recoverable, RestEffect};

/// What the words do, to the track that they name, else to the one above them, and by how much; nothing within where they move
/// nothing, and none where they cannot be read.
pub fn effect(part: &Text, above: Option<&str>, all: &[Recoverable]) -> Option<Option<(RestEffect, i64)>> {
    let words = part.as_str().trim_end_matches('.').to_lowercase();
    let begins = |own: &&Recoverable| own.spoken.iter().any(|name| after_name(&words, name).is_some());
    let ends = |own: &&Recoverable| own.spoken.iter().any(|name| words.ends_with(&format!(" {name}")));
    let named = all.iter().find(begins).or_else(|| all.iter().find(ends));
    let of = named.or_else(|| all.iter().find(|own| above == Some(own.name.as_str())));
    let plain =
        of.and_then(|of| moved(of.spoken.iter().find_map(|name| after_name(&words, name)).unwrap_or(&words), of));
    match plain {
        Some(Moved::Not) => Some(None),
        Some(Moved::By(effect, amount)) => Some(Some((effect, amount))),
        None => {
            let mut parts = recovery::clause(part, all, &Names::default()).into_iter();
            let (Some((_, Recovery::Effects(effects))), None) = (parts.next(), parts.next()) else { return None };
            let mut effects = effects.into_iter();
            let (effect, None) = (effects.next()?, effects.next()) else { return None };
            let amount = effect.constant()?;
            Some(Some((effect, amount)))
        }
    }
}

/// What stands behind the track's name: `alarm clears`.
fn after_name<'w>(words: &'w str, name: &str) -> Option<&'w str> {
    words.strip_prefix("the ").unwrap_or(words).strip_prefix(name)?.strip_prefix(' ')
}

/// What words do to a track.
enum Moved {
    /// `none`.
    Not,
    /// How, and by how many points where it is made better.
    By(RestEffect, i64),
}

/// `1 more`, `-2`, `mark one`, `clear 1 stress`, `clears`, `to 0`, `to max`, `none`.
fn moved(words: &str, of: &Recoverable) -> Option<Moved> {
    let plain = words.trim().trim_end_matches('.').to_lowercase().replace(['\u{2212}', '\u{2013}', '\u{2014}'], "-");
    let bare = without_name(&plain, of);
    let words: Vec<&str> = bare.split_whitespace().collect();
    let track = || of.name.clone();
    let (count, up) = match words.as_slice() {
        [] if plain.is_empty() => return Some(Moved::Not),
        ["-" | "0" | "none" | "nothing" | "unchanged" | "same"] | ["no", "change"] | ["mark", "none" | "no"] => {
            return Some(Moved::Not);
        }
        ["clear" | "clears" | "cleared"] | ["clear", "all"] | ["all", "clear"] if of.fills => {
            return Some(Moved::By(RestEffect::Clears { track: track() }, 0));
        }
        ["to", "0" | "zero"] | ["empty" | "empties" | "emptied" | "clear" | "clears" | "cleared"] => {
            return Some(Moved::By(RestEffect::ToZero { track: track() }, 0));
        }
        ["to", "max" | "full" | "maximum"] | ["full" | "fills"] => {
            return Some(Moved::By(RestEffect::ToMax { track: track() }, 0));
        }
        ["mark" | "tick"] if of.fills => (1, true),
        ["mark" | "tick", many] if of.fills => (number(many)?, true),
        ["clear" | "erase" | "heal", many] => (number(many)?, !of.fills),
        ["lose", many] if !of.fills => (number(many)?, false),
        ["gain" | "regain", many] if !of.fills => (number(many)?, true),
        [many, "more"] => (number(many)?, true),
        [many, "less" | "fewer"] => (number(many)?, false),
        [signed] => match (signed.strip_prefix('+'), signed.strip_prefix('-')) {
            (Some(many), _) => (number(many)?, true),
            (_, Some(many)) => (number(many)?, false),
            (None, None) => return None,
        },
        _ => return None,
    };
    if up == of.fills {
        return Some(Moved::By(RestEffect::Marks { track: track(), count: u32::from(count) }, 0));
    }
    let amount = i64::from(count);
    let gives = RestEffect::Gives { track: track(), amount: parse_formula(&count.to_string()).ok()? };
    Some(Moved::By(gives, amount))
}

/// A cell may repeat what its column is about: `clear 1 stress`, `mark two boxes`.
fn without_name<'w>(words: &'w str, of: &Recoverable) -> &'w str {
    let units = ["boxes", "box", "points", "point", "slots", "slot", "marks"];
    let named = of.spoken.iter().map(String::as_str).find_map(|name| words.strip_suffix(name)?.strip_suffix(' '));
    let rest = named.unwrap_or(words).trim_end();
    let rest = rest.strip_suffix(" of").unwrap_or(rest);
    units.iter().find_map(|unit| rest.strip_suffix(unit)?.strip_suffix(' ')).unwrap_or(rest)
}

/// A small number, in letters or digits.
fn number(word: &str) -> Option<u8> {
    counted(word, 1..=i64::from(u8::MAX)).and_then(|number| u8::try_from(number).ok())
}
