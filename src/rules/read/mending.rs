//! What words say becomes of tracks, boxes, slots and wounds: `hit points to max`, `one box of stress clears`, `1d6 health`.

use crate::dice::{Formula, parse_formula};
use crate::names::{fold, same};
use crate::rules::document::Text;
use crate::rules::harm::Harm;
use crate::rules::rest::RestEffect;
use crate::rules::system::System;
use crate::rules::track::Direction;

use super::names::Names;
use super::plain;

/// What stands between a number and a name, and says nothing more: `one box of stress`.
const UNITS: [&str; 15] = [
    "box of",
    "boxes of",
    "slot of",
    "slots of",
    "level of",
    "levels of",
    "point of",
    "points of",
    "mark of",
    "marks of",
    "tick of",
    "ticks of",
    "of",
    "your",
    "their",
];
const TO_MAX: [&str; 12] = [
    "to max",
    "to full",
    "to the max",
    "to their max",
    "to its max",
    "return to max",
    "return to full",
    "returns to max",
    "returns to full",
    "back to max",
    "are full",
    "is full",
];
const CLEARED: [&str; 12] = [
    "clear",
    "heal",
    "is cleared",
    "are cleared",
    "is healed",
    "are healed",
    "is gone",
    "are gone",
    "goes away",
    "go away",
    "to 0",
    "to zero",
];
/// Verbs before `all`, or before the name itself.
const CLEARING: [&str; 8] = ["clear", "clears", "heal", "heals", "remove", "removes", "erase", "erases"];

/// Something that mends, by the names under which an author speaks of it.
struct Mendable {
    /// Name as an effect has it.
    name: String,
    /// In lower case, the longest first.
    spoken: Vec<String>,
    /// Whether it fills up as things get worse.
    fills: bool,
}

/// What a few words come to.
#[derive(Debug, Clone, PartialEq)]
pub enum Mending {
    /// These effects.
    Effects(Vec<RestEffect>),
    /// Something is named, and not what becomes of it.
    Unclear,
    /// Nothing is named.
    Nothing,
}

/// What one clause says, its parts joined by "and".
pub fn clause(words: &Text, system: &System, names: &Names) -> Vec<(Text, Mending)> {
    let all = mendable(system);
    let mut parts: Vec<(Text, Mending)> = Vec::new();
    // `clear stress and harm` says it before the names, `stress and harm clear` behind them.
    let mut said_before: Option<Verb> = None;
    let mut waiting: Vec<(usize, Vec<&Mendable>)> = Vec::new();
    for part in words.split_all(&[" and "]) {
        let found = one(part.as_str(), &all, names);
        let mending = match found {
            None => Mending::Nothing,
            Some(Said { of, verb: Some(verb), before }) => {
                for (at, of) in std::mem::take(&mut waiting).into_iter().filter(|_| verb.is_shared()) {
                    if let Some((_, mending)) = parts.get_mut(at) {
                        *mending = Mending::Effects(effects(&of, &verb));
                    }
                }
                let effects = effects(&of, &verb);
                said_before = Some(verb).filter(|verb| before && verb.is_shared());
                Mending::Effects(effects)
            }
            Some(Said { of, verb: None, .. }) => match &said_before {
                Some(verb) => Mending::Effects(effects(&of, verb)),
                None => {
                    waiting.push((parts.len(), of));
                    Mending::Unclear
                }
            },
        };
        parts.push((part, mending));
    }
    parts
}

/// What becomes of something.
#[derive(Debug, Clone)]
enum Verb {
    Max,
    Clear,
    /// As good as it can be, whichever way it counts.
    Whole,
    Gives(Formula),
    Marks(u8),
}

impl Verb {
    /// Whether it may be about several names.
    fn is_shared(&self) -> bool {
        !matches!(self, Self::Gives(_) | Self::Marks(_))
    }
}

struct Said<'m> {
    of: Vec<&'m Mendable>,
    verb: Option<Verb>,
    /// Whether the verb stands before the name.
    before: bool,
}

fn effects(of: &[&Mendable], verb: &Verb) -> Vec<RestEffect> {
    let effect = |own: &&Mendable| {
        let track = own.name.clone();
        match verb {
            Verb::Max => RestEffect::ToMax { track },
            Verb::Clear => RestEffect::Clears { track },
            Verb::Whole if own.fills => RestEffect::Clears { track },
            Verb::Whole => RestEffect::ToMax { track },
            Verb::Gives(amount) => RestEffect::Gives { track, amount: amount.clone() },
            Verb::Marks(count) => RestEffect::Marks { track, count: *count },
        }
    };
    of.iter().map(effect).collect()
}

fn one<'m>(words: &str, all: &'m [Mendable], names: &Names) -> Option<Said<'m>> {
    let lower = words.to_ascii_lowercase();
    let spoken = all.iter().flat_map(|own| own.spoken.iter().map(move |form| (own, form)));
    let found = spoken.filter_map(|(own, form)| Some((own, form, word(&lower, form)?)));
    let (own, form, at) = found.max_by_key(|(_, form, _)| form.len())?;
    // "Stress" means every kind of stress that the file has.
    let is_kind = |other: &&Mendable| fold(&other.name).split(' ').any(|word| word == form);
    let of = if fold(&own.name) == *form { vec![own] } else { all.iter().filter(is_kind).collect() };
    let of = if of.is_empty() { vec![own] } else { of };
    let (verb, before) = verb(words, lower.get(..at)?.trim_end(), lower.get(at + form.len()..)?.trim_start(), names);
    Some(Said { of, verb, before })
}

fn verb(words: &str, before: &str, after: &str, names: &Names) -> (Option<Verb>, bool) {
    let after = ["boxes ", "box ", "slots ", "slot "].iter().find_map(|unit| after.strip_prefix(unit)).unwrap_or(after);
    let begins = |openings: &[&str]| openings.iter().any(|opening| after.starts_with(opening));
    if begins(&TO_MAX) {
        return (Some(Verb::Max), false);
    }
    if let Some(count) = marks(before) {
        return (Some(Verb::Marks(count)), false);
    }
    if let Some(amount) = amount(words, before, names) {
        return (Some(Verb::Gives(amount)), false);
    }
    let last = before.rsplit(' ').next().unwrap_or_default();
    let (all, verb) = match before.strip_suffix("all").or_else(|| before.strip_suffix("all the")) {
        Some(rest) => (true, rest.trim_end().rsplit(' ').next().unwrap_or_default()),
        None => (false, last),
    };
    if CLEARING.contains(&verb) {
        return (Some(if verb.starts_with("heal") { Verb::Whole } else { Verb::Clear }), true);
    }
    if begins(&CLEARED) {
        return (Some(if after.starts_with("heal") { Verb::Whole } else { Verb::Clear }), false);
    }
    (all.then_some(Verb::Whole), all)
}

/// The number before the name: an expression, or `one`.
fn amount(words: &str, before: &str, names: &Names) -> Option<Formula> {
    let bare = without_unit(before);
    match counted(bare.rsplit(' ').next().unwrap_or_default()) {
        Some(number) => parse_formula(&number.to_string()).ok(),
        None => parse_formula(&ending(words.get(..bare.len())?, names)?).ok(),
    }
}

/// `mark one box of`, `mark two`, `mark`: how many are marked before the name.
fn marks(before: &str) -> Option<u8> {
    let words = before.rsplit([',', ';']).next()?.trim();
    let number = words.strip_prefix("mark").or_else(|| words.strip_prefix("tick"))?;
    match without_unit(number.strip_prefix('s').unwrap_or(number).trim()).trim() {
        "" | "the" => Some(1),
        number => counted(number).or_else(|| number.parse().ok()).filter(|count| *count > 0),
    }
}

/// What stands before `box of` and its like.
fn without_unit(before: &str) -> &str {
    let bare = UNITS.iter().find_map(|unit| {
        let rest = before.strip_suffix(unit)?;
        rest.ends_with(' ').then(|| rest.trim_end())
    });
    bare.unwrap_or(before)
}

/// A small number in letters.
fn counted(word: &str) -> Option<u8> {
    match word {
        "one" | "a" | "an" => Some(1),
        "two" => Some(2),
        "three" => Some(3),
        "four" => Some(4),
        _ => None,
    }
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

/// Where a name stands by itself.
fn word(words: &str, name: &str) -> Option<usize> {
    let is_part = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    words.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = words.get(..*at).and_then(|before| before.chars().next_back());
        let after = words.get(at + name.len()..).and_then(|after| after.chars().next());
        !is_part(before) && !is_part(after)
    })
}

/// Tracks, boxes, slots (all of a name, and each kind by itself) and wounds.
fn mendable(system: &System) -> Vec<Mendable> {
    let tracks = system.tracks.iter().map(|own| Mendable {
        name: own.name.clone(),
        spoken: forms(&own.name).chain(same(&own.name, "hit points").then(|| "hp".to_owned())).collect(),
        fills: own.counts == Direction::Up,
    });
    let marked = system.marked().flat_map(|harm| {
        let all = Mendable { name: harm.name().to_owned(), spoken: forms(harm.name()).collect(), fills: true };
        let kinds = match harm {
            Harm::Slots(own) => own.kinds.iter().map(|kind| kind_of(&own.name, &kind.name)).collect(),
            _ => Vec::new(),
        };
        std::iter::once(all).chain(kinds)
    });
    let mut all: Vec<Mendable> = tracks.chain(marked).collect();
    // A kind's last word stands for it where nothing is called so itself: "stress" for "Physical stress".
    let general = ["points", "point", "boxes", "box", "slots", "levels", "marks", "dice"].map(str::to_owned);
    let taken: Vec<String> = all.iter().flat_map(|own| own.spoken.iter().cloned()).chain(general).collect();
    for own in &mut all {
        let last = own.name.to_ascii_lowercase().rsplit(' ').next().map(str::to_owned);
        own.spoken
            .extend(last.filter(|last| own.name.contains(' ') && !own.name.ends_with(')') && !taken.contains(last)));
    }
    all
}

fn kind_of(slots: &str, kind: &str) -> Mendable {
    let name = format!("{slots} ({kind})");
    let spoken = forms(slots).map(|slots| format!("{} {slots}", kind.to_ascii_lowercase()));
    Mendable {
        spoken: spoken.chain([name.to_ascii_lowercase(), kind.to_ascii_lowercase()]).collect(),
        name,
        fills: true,
    }
}

/// `hit points` and `hit point`.
fn forms(name: &str) -> impl Iterator<Item = String> {
    let lower = name.to_ascii_lowercase();
    let singular = lower.strip_suffix('s').filter(|one| one.len() > 2 && !one.ends_with('s')).map(str::to_owned);
    std::iter::once(lower).chain(singular)
}
