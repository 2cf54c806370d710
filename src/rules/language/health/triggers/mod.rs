//! Triggers in the Health section.

mod brought;
mod parts;

use super::tracks::Direction;
use super::trigger::{Part, Trigger, TriggerWhen};
use super::wounds;
use crate::diagnostic::{Diagnostic, Span};
use crate::dice::Formula;
use crate::names::{same, suggest};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::Names;
use crate::rules::language::number_words::counted;
use crate::rules::language::range;
use crate::rules::language::system::System;
use brought::{Brought, brought};

/// Words of a track's name in a sentence.
const NAME_WORDS_MAX: usize = 3;

/// Reads a bullet as a trigger. None when its label is none; `Some(None)` when it is one that cannot be used.
pub fn read(label: &Labelled, names: &Names, system: &System, ledger: &mut Ledger<'_>) -> Option<Option<Trigger>> {
    let when = when(label, names, system, ledger)?;
    Some(when.map(|when| trigger(when, &label.value, label.span, system, ledger)))
}

/// When it fires, by its label. None when the label is none; `Some(None)` when it is one that cannot be used.
pub fn when(label: &Labelled, names: &Names, system: &System, ledger: &mut Ledger<'_>) -> Option<Option<TriggerWhen>> {
    let lower = label.label.as_str().to_lowercase();
    let when = match at_value(&lower) {
        Some((value, name)) => match (find(name, system), value) {
            (Some(track), 0) => TriggerWhen::AtZero { track },
            (Some(track), value) => TriggerWhen::AtValue { track, value },
            (None, value) => match several(name, system) {
                Some(when) if value == 0 => when,
                Some(_) => {
                    ledger
                        .left_to_gm(label.label.span(), "several are watched at 0 only; give each a bullet of its own");
                    return Some(None);
                }
                None => {
                    report_unknown(label, name, system, ledger);
                    return Some(None);
                }
            },
        },
        None if let Some((part, name)) = parts::at(&label.folded) => match find(name, system) {
            Some(track) if system.track(&track).is_ok_and(|own| own.max.is_some()) => {
                TriggerWhen::AtPart { track, part }
            }
            Some(_) => {
                ledger.left_to_gm(label.label.span(), "this track has no maximum of which a part could be taken");
                return Some(None);
            }
            None => {
                report_unknown(label, name, system, ledger);
                return Some(None);
            }
        },
        None if is_unsoaked(&label.folded) => TriggerWhen::Unsoaked,
        None if let Some(name) = label.folded.strip_prefix("above 0 ") => match find(name, system) {
            Some(track) => TriggerWhen::AboveZero { track },
            None => {
                report_unknown(label, name, system, ledger);
                return Some(None);
            }
        },
        None if let Some(when) = many_at_zero(&label.folded, system) => when,
        None if let Some(found) = in_words(&label.folded, system) => match found {
            Ok(when) => when,
            Err(name) => {
                report_unknown(label, name, system, ledger);
                return Some(None);
            }
        },
        None => {
            let first = system.tracks.first().map(|own| own.name.clone());
            let Some(when) = whole_hit(&label.folded, first.clone().unwrap_or_default()) else {
                return Some(Some(TriggerWhen::OneHitOf { least: least(label, names, ledger)? }));
            };
            if first.is_none() {
                report_unknown(label, "hit points", system, ledger);
                return Some(None);
            }
            when
        }
    };
    Some(Some(when))
}

/// Whether a bullet that was not read as a trigger was surely meant as one: `At minus three: unconscious`.
pub fn is_like(label: &Labelled) -> bool {
    const OPENINGS: [&str; 12] = [
        "at ",
        "above ",
        "below ",
        "damage left over",
        "one hit ",
        "a hit ",
        "when ",
        "whenever ",
        "if ",
        "once ",
        "out of ",
        "while ",
    ];
    OPENINGS.iter().any(|opening| label.folded.starts_with(opening))
        || [" at 0", " at zero"].iter().any(|ending| label.folded.ends_with(ending))
        || [" at half ", " below half "].iter().any(|words| label.folded.contains(words))
}

/// `full: trauma` behind a track of boxes.
pub fn full(track: &str, label: &Labelled, system: &System, ledger: &mut Ledger<'_>) -> Option<Trigger> {
    let value = behind_full(label)?;
    Some(trigger(TriggerWhen::Full { track: track.to_owned() }, &value, label.span, system, ledger))
}

/// What stands behind `full:`, to the end: `full: trauma and out of the scene; stress clears`.
pub fn behind_full(label: &Labelled) -> Option<Text> {
    let words = label.value.as_str();
    let colon = label.value.split_all(&[";", ","]).iter().find_map(|part| {
        let (name, value) = part.split_at_any(&[":"])?;
        same(name.as_str(), "full").then_some(value)
    })?;
    let start = words.find(colon.as_str())?;
    Some(label.value.slice(start..words.len()))
}

/// `A hit you cannot soak`, `a hit that nothing soaks`.
fn is_unsoaked(folded: &str) -> bool {
    let hit = folded.starts_with("a hit ") || folded.starts_with("damage ");
    hit && folded.contains("soak")
        && ["cannot", "can not", "nothing", "no room"].iter().any(|word| folded.contains(word))
}

fn trigger(when: TriggerWhen, value: &Text, span: Span, system: &System, ledger: &mut Ledger<'_>) -> Trigger {
    if let Some(left) = brought(value, system).left {
        ledger.report(
            Diagnostic::note(codes::LEFT_TO_GM, "part of this is left to the GM")
                .at(left.span(), "shown when it happens, not carried out"),
        );
    }
    untold(when, value, span, system, ledger)
}

/// The same where words for the GM are no finding.
pub fn untold(when: TriggerWhen, value: &Text, span: Span, system: &System, ledger: &Ledger<'_>) -> Trigger {
    let Brought { conditions, also, effects, .. } = brought(value, system);
    Trigger {
        when,
        conditions,
        also,
        effects,
        text: value.as_str().to_owned(),
        tables: Vec::new(),
        place: ledger.place(span),
        span,
    }
}

/// `at 0 hit points`, `at -5 hit points` taken apart. The label as written, since folding loses the sign.
fn at_value(lower: &str) -> Option<(i64, &str)> {
    let (value, rest) = range::number(parts::bare(lower.trim()).strip_prefix("at ")?)?;
    let name = parts::bare(rest.strip_prefix('+').unwrap_or(rest).trim_start());
    let name = ["or more ", "or less ", "or lower ", "or fewer "]
        .iter()
        .find_map(|own| name.strip_prefix(own))
        .unwrap_or(name);
    let is_part = rest.starts_with(['/', '%']) || rest.trim_start().starts_with('%');
    (!name.is_empty() && !is_part).then_some((value, name))
}

/// `when stress is full`, `when hit points reach 0`, `out of stamina`, `when the torch runs out`: of a track that is there. Else the name
/// that is no track's.
fn in_words<'w>(folded: &'w str, system: &System) -> Option<Result<TriggerWhen, &'w str>> {
    const FULL: [&str; 9] = [
        " is full",
        " are full",
        " is filled",
        " are filled",
        " at maximum",
        " at its maximum",
        " at max",
        " full",
        " fills up",
    ];
    const EMPTY: [&str; 9] = [
        " runs out",
        " run out",
        " is empty",
        " are empty",
        " is gone",
        " are gone",
        " is used up",
        " are used up",
        " is spent",
    ];
    const REACHES: [&str; 8] =
        [" reaches ", " reach ", " drops to ", " drop to ", " falls to ", " fall to ", " is at ", " are at "];
    let words = ["when ", "if ", "once ", "whenever "].iter().find_map(|own| folded.strip_prefix(own));
    let is_sentence = words.is_some();
    let words = words.unwrap_or(folded);
    let words = ["the ", "your ", "their ", "all ", "every box of ", "all boxes of "]
        .iter()
        .find_map(|own| words.strip_prefix(own))
        .unwrap_or(words);
    let (name, value) = if let Some(name) = FULL.iter().find_map(|end| words.strip_suffix(end)) {
        (name, Value::Full)
    } else if let Some(name) = words.strip_suffix(" is marked").filter(|_| folded.contains("box")) {
        (name, Value::Full)
    } else if let Some(name) =
        words.strip_prefix("out of ").or_else(|| EMPTY.iter().find_map(|end| words.strip_suffix(end)))
    {
        (name, Value::Empty)
    } else {
        let (name, value) = REACHES.iter().find_map(|reaches| words.split_once(reaches))?;
        let value = parts::bare(value);
        let part = || parts::of_maximum(value).map(Value::Part);
        (name, value.parse().ok().map(Value::At).or_else(|| (value == "zero").then_some(Value::At(0))).or_else(part)?)
    };
    let Some(own) = find(name, system).and_then(|name| system.track(&name).ok()) else {
        return (is_sentence && name.split(' ').count() <= NAME_WORDS_MAX).then_some(Err(name));
    };
    let track = own.name.clone();
    Some(Ok(match value {
        Value::Full if own.counts == Direction::Up && own.max.is_some() => TriggerWhen::Full { track },
        Value::Empty if own.counts == Direction::Down => TriggerWhen::AtZero { track },
        Value::At(0) => TriggerWhen::AtZero { track },
        Value::At(value) => TriggerWhen::AtValue { track, value },
        Value::Part(part) if own.max.is_some() => TriggerWhen::AtPart { track, part },
        Value::Full | Value::Empty | Value::Part(_) => return None,
    }))
}

/// Where a track is by the words of a trigger.
enum Value {
    Full,
    Empty,
    At(i64),
    Part(Part),
}

/// `strength or dexterity`: one of them; `strength and dexterity`: all of them. None where one is no track that is spent.
fn several(names: &str, system: &System) -> Option<TriggerWhen> {
    let (all, names) = match names.contains(" or ") {
        true => (false, names.replace(" or ", ",")),
        false => (true, names.replace(" and ", ",")),
    };
    let of: Option<Vec<String>> =
        names.split(',').filter(|name| !name.trim().is_empty()).map(|name| find(name.trim(), system)).collect();
    let is_spent = |name: &String| system.track(name).is_ok_and(|track| track.counts == Direction::Down);
    let of = of.filter(|of| of.len() > 1 && of.iter().all(is_spent))?;
    Some(TriggerWhen::ManyAtZero { many: if all { of.len() } else { 1 }, of })
}

/// `two at 0`, `three of them at zero`, `all at 0`: of what a chain of damage takes. None where there are not so many.
fn many_at_zero(folded: &str, system: &System) -> Option<TriggerWhen> {
    let chain = system.damage_chain.as_ref()?;
    let words = ["at 0", "at zero"].iter().find_map(|ending| folded.strip_suffix(ending))?.trim();
    let words = words.strip_suffix("of them").unwrap_or(words).trim();
    let of: Vec<String> = chain.members().map(str::to_owned).collect();
    let many = match words {
        "all" => of.len(),
        "both" | "any two" => 2,
        "all three" | "any three" => 3,
        word => counted(word, 1..=i64::MAX).and_then(|number| usize::try_from(number).ok())?,
    };
    (1..=of.len()).contains(&many).then_some(TriggerWhen::ManyAtZero { many, of })
}

/// `one hit of at least 5`, `a hit of at least Toughness`.
fn least(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Option<Formula> {
    let of_hit = ["one hit of at least ", "a hit of at least ", "a single hit of at least "];
    if !of_hit.iter().any(|opening| label.folded.starts_with(opening)) {
        return None;
    }
    let (_, least) = label.label.split_at_any(&[" at least "])?;
    wounds::threshold(&least, names, ledger)
}

/// The labels about one hit. They are about the first track. None where they say a part of the maximum that cannot be read.
fn whole_hit(folded: &str, track: String) -> Option<TriggerWhen> {
    let (before, _) = folded.split_once("maximum").or_else(|| folded.split_once("max"))?;
    if folded.starts_with("damage left over") {
        return Some(TriggerWhen::LeftOverOfMax { track });
    }
    let words = ["one hit of ", "a single hit of ", "one hit that takes ", "a hit of ", "one hit "]
        .iter()
        .find_map(|own| before.strip_prefix(own))?;
    let more = ["more than ", "over ", "above "].iter().find_map(|own| words.strip_prefix(own));
    let words = more.or_else(|| words.strip_prefix("at least ")).unwrap_or(words);
    let words = words
        .strip_suffix("the ")
        .or_else(|| words.strip_suffix("your "))
        .or_else(|| words.strip_suffix("their "))
        .unwrap_or(words)
        .trim();
    if words.is_empty() && more.is_none() {
        return Some(TriggerWhen::OneHitOfMax { track });
    }
    let padded = format!("{words} ");
    let (part, rest) = parts::part(&padded)?;
    matches!(rest.trim(), "" | "of").then_some(TriggerWhen::OneHitOfPart { track, part, more: more.is_some() })
}

/// The track of this name, one or many of them.
fn find(name: &str, system: &System) -> Option<String> {
    let short = |name: &str| system.attributes.iter().find(|own| own.is_called(name)).map(|own| own.name.as_str());
    let track = |name: &str| system.track(name).ok().map(|track| track.name.clone());
    // A track that is kept for an attribute goes by its short form, too.
    let known = |name: &str| track(name).or_else(|| track(short(name)?));
    known(name).or_else(|| known(&format!("{name}s"))).or_else(|| known(name.strip_suffix('s')?))
}

fn report_unknown(label: &Labelled, name: &str, system: &System, ledger: &mut Ledger<'_>) {
    let suggestions = suggest(name, system.tracks.iter().map(|track| track.name.as_str()));
    let help = match suggestions.first() {
        Some(known) => format!("did you mean `{known}`?"),
        None => "declare it in this section: - Hit points: max `8 + {CON}`, from 0".to_owned(),
    };
    ledger.report(
        Diagnostic::warning(codes::UNKNOWN_TRACK, format!("no track is called `{name}`"))
            .at(label.label.span(), "this never happens")
            .help(help),
    );
}
