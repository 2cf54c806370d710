//! What the words behind a name take off damage: `subtract {END}, at least 1 gets through`, `half damage, except fire`.

use super::damage_type::{ours, types_in};
use super::mitigation::MitigationKind;
use crate::diagnostic::Diagnostic;
use crate::dice::{Formula, parse_formula};
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::attacks::damage::is_type;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::names::Names;
use crate::rules::language::number_words::counted;
use crate::rules::language::{formula, plain};

/// What a step does, how much of a hit it leaves at least, and what it does nothing about.
pub(super) struct Read {
    pub(super) kind: MitigationKind,
    pub(super) least: i64,
    pub(super) except: Vec<String>,
}

/// How the words of a step begin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Subtract,
    /// So many halves are left.
    Halves(i64),
    Nothing,
    Threshold,
}

/// Words that say no more than that damage is meant.
const OF_DAMAGE: [&str; 31] = [
    "damage", "harm", "the", "all", "any", "each", "every", "hit", "hits", "it", "its", "is", "of", "a", "from",
    "that", "you", "take", "takes", "taken", "dealt", "incoming", "blow", "blows", "attack", "attacks", "rating",
    "value", "number", "points", "by",
];

impl Action {
    pub(super) fn of(name: &str, words: &str) -> Option<Self> {
        let first = words.split([' ', ',', '(', '.']).next().unwrap_or_default();
        Some(match first {
            _ if name == "threshold" || words.starts_with("ignore damage") || words.starts_with("ignore hits") => {
                Self::Threshold
            }
            "subtract" | "subtracts" | "subtracted" if !words.starts_with("subtract up to ") => Self::Subtract,
            _ if words.starts_with("half again") || words.starts_with("one and a half") => Self::Halves(3),
            "half" | "halve" | "halved" | "halves" => Self::Halves(1),
            "double" | "doubled" | "doubles" | "twice" => Self::Halves(4),
            "triple" | "tripled" | "triples" => Self::Halves(6),
            "none" | "no" | "nothing" if ours(name) == Some("immunity") => Self::Nothing,
            "" if ["armour", "armor", "soak", "damage reduction"].contains(&name) => Self::Subtract,
            _ => Self::Halves(times(words)?),
        })
    }

    /// Whether these words mean it, whatever they stand behind.
    pub(super) fn is_meant_by(self, name: &str, words: &str) -> bool {
        match self {
            Self::Subtract | Self::Halves(4) | Self::Threshold => true,
            Self::Halves(2..) => format!("{name} {words}").contains("damage") || words.split(' ').count() <= 3,
            Self::Halves(_) => {
                let shapes = ["half,", "half (", "half damage", "half the damage", "half of"];
                words == "half" || shapes.iter().any(|own| words.starts_with(own))
            }
            Self::Nothing => false,
        }
    }

    /// The whole of the words behind a name; none where something of them says what cannot be done.
    pub(super) fn read(self, name: &Text, value: &Text, names: &Names, ledger: &mut Ledger<'_>) -> Option<Read> {
        let (bare, bracket) = match value.split_at_any(&[" ("]) {
            Some((before, behind)) => (before, Some(behind)),
            None => (value.clone(), None),
        };
        let rounds_up = fold(value.as_str()).contains("up");
        let clauses = bare.split_all(&[",", " but ", " except ", " to a minimum of ", " with a minimum of "]);
        let (first, _) = clauses.split_first()?;
        let further = bare.slice(first.as_str().len()..bare.as_str().len());
        let (mut least, mut except) = (0, Vec::new());
        let in_brackets = bracket.iter().flat_map(|words| words.split_all(&[","])).map(|clause| (clause, true));
        let behind = further.split_all(&[","]).into_iter().map(|clause| (clause, false));
        for (clause, may_be_prose) in behind.chain(in_brackets) {
            let words = without_and(clause.as_str());
            match (at_least(&words), excepted(&words)) {
                (Some(own), _) => least = own,
                (None, Some(types)) => except.extend(types),
                (None, None) if words.starts_with("rounded ") || words.starts_with("round ") => {}
                (None, None) if may_be_prose && !limits(&words) => {}
                (None, None) => return None,
            }
        }
        if self == Self::Threshold {
            return Some(Read { kind: MitigationKind::Threshold(threshold(first, names, ledger)?), least, except });
        }
        let rest = first.split_at_any(&[" "]).map(|(_, rest)| rest.trim());
        let plain = |extra: &[&str]| {
            let words = rest.as_ref().map(|rest| fold(rest.as_str())).unwrap_or_default();
            let is_factor = |word: &str| {
                matches!(self, Self::Halves(2..)) && word.chars().all(|own| own.is_ascii_digit() || own == '.')
            };
            words.split_whitespace().all(|word| OF_DAMAGE.contains(&word) || extra.contains(&word) || is_factor(word))
        };
        let kind = match self {
            Self::Subtract if plain(&[]) => MitigationKind::Subtract(None),
            Self::Subtract => {
                let rest = rest?;
                let amount = match rest.split_at_any(&[" from "]) {
                    Some((amount, of)) => {
                        let of = fold(of.as_str().trim_end_matches('.'));
                        of.split_whitespace().all(|word| OF_DAMAGE.contains(&word)).then_some(amount.trim())?
                    }
                    None => rest,
                };
                let own = fold(amount.as_str());
                // The author's own word for it: "subtract armour from damage".
                let own =
                    ["your ", "the ", "its ", "their "].iter().find_map(|word| own.strip_prefix(word)).unwrap_or(&own);
                let own = [" points", " value", " rating", " score"]
                    .iter()
                    .find_map(|word| own.strip_suffix(word))
                    .unwrap_or(own);
                if same(own, name.as_str()) {
                    return Some(Read { kind: MitigationKind::Subtract(None), least, except });
                }
                let formula = formula::whole(&amount, names, Scope::Character, ledger)?;
                formula.bind(&mut |_| Some(1)).ok()?.constant()?;
                MitigationKind::Subtract(Some(formula))
            }
            Self::Halves(count) if plain(&["rounded", "up", "down", "and", "half", "times", "again", "as", "much"]) => {
                MitigationKind::Halves { count, up: rounds_up }
            }
            Self::Nothing if plain(&[]) => MitigationKind::Nothing,
            Self::Halves(_) | Self::Nothing | Self::Threshold => return None,
        };
        Some(Read { kind, least, except })
    }
}

/// How many halves of the damage `three times`, `1.5 times` and `times 2` leave, as they are folded.
fn times(words: &str) -> Option<i64> {
    let (before, behind) = words.split_once("times")?;
    let number = if before.trim().is_empty() { behind } else { before };
    let number = number.split_whitespace().next()?;
    let (whole, half) = number.strip_suffix(".5").map_or((number, 0), |whole| (whole, 1));
    Some(counted(whole, 1..=10)? * 2 + half).filter(|halves| *halves != 2)
}

/// A clause without what joins it to the others: "but at least 1".
fn without_and(clause: &str) -> String {
    let folded = fold(clause.trim_end_matches([')', '.', ' ']));
    let mut words = folded.as_str();
    while let Some(rest) = ["but ", "and ", "with ", "a "].iter().find_map(|own| words.strip_prefix(own)) {
        words = rest;
    }
    words.to_owned()
}

/// Whether words in brackets would make another step of it; else they say more of the same.
fn limits(words: &str) -> bool {
    let begins =
        ["except", "not ", "at least", "at most", "min", "max", "only", "unless", "if ", "once", "never", "up to"];
    begins.iter().any(|own| words.starts_with(own))
}

/// `except fire`, `not against fire and cold`: types of damage, and nothing else.
fn excepted(words: &str) -> Option<Vec<String>> {
    let begins =
        ["except for ", "except against ", "except from ", "except ", "not against ", "not for ", "not from ", "not "];
    let types = begins.iter().find_map(|own| words.strip_prefix(own))?;
    let types: Vec<String> = types_in(types).into_iter().map(str::to_owned).collect();
    let other = ["hit", "hits", "attack", "attacks", "critical", "criticals", "weapon", "weapons", "blow", "blows"];
    let is_kind = |own: &String| is_type(own) && !own.split(' ').any(|word| other.contains(&word));
    (!types.is_empty() && types.iter().all(is_kind)).then_some(types)
}

/// `at least 1 gets through`, `to a minimum of 1`, `never below 1`.
fn at_least(words: &str) -> Option<i64> {
    let begins = [
        "at least ",
        "to at least ",
        "minimum ",
        "minimum of ",
        "min ",
        "no less than ",
        "to a minimum of ",
        "never below ",
        "never less than ",
    ];
    let rest = begins.iter().filter_map(|own| words.strip_prefix(own)).min_by_key(|rest| rest.len())?;
    let (number, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    let known = [
        "gets", "get", "goes", "go", "through", "damage", "point", "points", "always", "remains", "is", "dealt", "of",
        "left", "taken",
    ];
    let number = counted(number.trim_end_matches('.'), 1..=i64::from(u8::MAX))?;
    behind.trim_end_matches('.').split_whitespace().all(|word| known.contains(&word)).then_some(number)
}

pub(super) fn unreadable(name: &Text, value: &Text, ledger: &mut Ledger<'_>) {
    let message = format!("what {} does to damage cannot be read: `{}`", name.as_str(), value.as_str());
    ledger.report(
        Diagnostic::warning(codes::UNREADABLE_MITIGATION, message).at(value.span(), "damage is taken as if this were not here").help(
            "write `subtract from damage` (the number stands on the sheet), ``subtract `{END}` from damage``, `half, rounded down`, `double`, \
             `none`, `ignore damage under 5` or `of 5 or less`, each with `, at least 1 gets through` or `, except fire` (a type of damage) where \
             that is so; what it is against alone stands in the name, `Fire resistance`, and armour that is rolled is taken off by the GM before the damage is sent",
        ),
    );
}

/// The number in `ignore damage under 5`, `ignore damage of 4 or less`, `less than {Toughness}`; none within: the character's own.
fn threshold(value: &Text, names: &Names, ledger: &mut Ledger<'_>) -> Option<Option<Formula>> {
    let words = fold(value.as_str());
    let up_to = [" or less", " or fewer", " or lower", " or below"].iter().any(|own| words.contains(own))
        || ["up to ", "at most "].iter().any(|own| words.contains(own));
    let all = value.as_str();
    let (formula, at) = match value.codes().first() {
        Some(code) => {
            let at = all.find(code.as_str())?;
            (formula::whole(code, names, Scope::Character, ledger)?, at..at + code.as_str().len())
        }
        None => {
            let starts = all.char_indices().filter(|(at, _)| *at == 0 || all.as_bytes().get(at - 1) == Some(&b' '));
            match starts.filter_map(|(at, _)| plain::expression_at(all, at, names)).next() {
                Some(found) => {
                    (formula::whole(&value.slice(found.at.clone()), names, Scope::Character, ledger)?, found.at)
                }
                None => return Some(None),
            }
        }
    };
    // "ignore the first 5" is something else, and "ignore damage of 5" could be either.
    let before = fold(all.get(..at.start)?);
    let below = ["", "under", "below", "less than", "smaller than", "lower than", "fewer than"];
    if !up_to && !below.iter().any(|own| before == *own || (!own.is_empty() && before.ends_with(own))) {
        return None;
    }
    let around = [
        "or", "less", "fewer", "lower", "below", "does", "do", "nothing", "is", "are", "ignored", "damage", "point",
        "points", "has", "have", "no", "effect",
    ];
    if !fold(all.get(at.end..)?).split_whitespace().all(|word| around.contains(&word.trim_end_matches('.'))) {
        return None;
    }
    match up_to {
        true => {
            let number = formula.bind(&mut |_| None).ok().and_then(|own| own.constant());
            let above = number.map_or_else(|| format!("{formula} + 1"), |own| own.saturating_add(1).to_string());
            parse_formula(&above).ok().map(Some)
        }
        false => Some(Some(formula)),
    }
}
