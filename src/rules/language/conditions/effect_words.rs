//! Effects of conditions as people say them: "minus two on checks", "checks at disadvantage", "a penalty of 2 to Climb".

use super::condition::EffectChange;
use crate::rules::language::number_words::number_word;

/// What people shorten.
const SHORT: [(&str, &str); 10] = [
    ("disadv", "disadvantage"),
    ("disad", "disadvantage"),
    ("dis", "disadvantage"),
    ("disadvantaged", "disadvantage"),
    ("adv", "advantage"),
    ("advantaged", "advantage"),
    ("bane", "disadvantage"),
    ("banes", "disadvantage"),
    ("boon", "advantage"),
    ("boons", "advantage"),
];
/// Words that say again what the sign of a number says.
const SAID_BY_A_SIGN: [&str; 5] = ["penalty", "malus", "bonus", "modifier", "points"];
/// Dice or steps of one effect.
const DICE_MAX: i64 = 20;
/// Words of what dice or steps are on, before them.
const ON_WORDS_MAX: usize = 4;
/// Words of a clause that is looked at.
const CLAUSE_WORDS_MAX: usize = 12;

/// The effect as it is written here, which the caller has to read; none where it would be the same words.
pub fn rephrased(clause: &str) -> Option<String> {
    let plain = clause.trim().trim_end_matches('.').to_ascii_lowercase();
    let words: Vec<&str> = plain.split_whitespace().map(|word| word.trim_end_matches('.')).collect();
    if !(1..=CLAUSE_WORDS_MAX).contains(&words.len()) {
        return None;
    }
    // The author's case is kept: names are shown again.
    let written: Vec<&str> = clause.split_whitespace().map(|word| word.trim_end_matches('.')).collect();
    let words: Vec<String> =
        words.iter().zip(written).map(|(word, written)| short(word).unwrap_or(written).to_owned()).collect();
    let meant = turned(&signed(&words));
    (!meant.eq_ignore_ascii_case(&plain)).then_some(meant)
}

fn short(word: &str) -> Option<&'static str> {
    SHORT.iter().find(|(own, _)| *own == word).map(|(_, meant)| *meant)
}

/// `minus two`, `a penalty of 2`, `subtract 2 from`, `a -2 penalty`: a number with its sign.
fn signed(words: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = words;
    while let Some((first, others)) = rest.split_first() {
        let lower = first.to_ascii_lowercase();
        let sign = match lower.as_str() {
            "minus" | "subtract" | "penalty" | "malus" => Some('-'),
            "plus" | "add" | "bonus" => Some('+'),
            _ => None,
        };
        let of = usize::from(others.first().is_some_and(|word| word == "of"));
        let number = others.get(of).and_then(|word| number(word)).filter(|_| sign.is_some());
        if let (Some(sign), Some(number)) = (sign, number) {
            all.push(format!("{sign}{number}"));
            let others = others.get(of + 1..).unwrap_or_default();
            let from = others.first().is_some_and(|word| word == "from");
            if from {
                all.push("on".to_owned());
            }
            rest = others.get(usize::from(from)..).unwrap_or_default();
            continue;
        }
        let behind_number = all.last().is_some_and(|last: &String| last.starts_with(['+', '-', '\u{2212}']));
        let said = SAID_BY_A_SIGN.contains(&lower.as_str()) && behind_number;
        let article = ["a", "an", "at", "with", "have", "has", "take", "takes", "suffer", "suffers", "get"]
            .contains(&lower.as_str());
        if !(said || article && all.is_empty()) {
            all.push(first.clone());
        }
        rest = others;
    }
    all
}

fn number(word: &str) -> Option<i64> {
    word.parse().ok().or_else(|| number_word(word, 0..=6))
}

/// "checks at disadvantage", "checks at -2": what it is on stands behind.
fn turned(words: &[String]) -> String {
    let at = words.iter().position(|word| ["at", "with", "are", "have"].contains(&word.to_ascii_lowercase().as_str()));
    let parts = at.and_then(|at| Some((words.get(..at)?, words.get(at + 1..)?)));
    match parts.filter(|(on, change)| !on.is_empty() && matches!(change, [only] if is_change(only))) {
        Some((on, change)) => format!("{} on {}", change.join(" "), on.join(" ")),
        None => words.join(" "),
    }
}

/// `-1 die on checks`, `two dice fewer`, `an extra die on attacks`, `one step down`, `Body one step down`: what changes, and the words
/// behind it.
pub fn dice_or_steps(clause: &str) -> Option<(EffectChange, String)> {
    let behind = |(at, _): (usize, &str)| {
        let (change, rest) = changed(clause.get(at + 1..)?)?;
        let on = clause.get(..at)?.trim().to_lowercase();
        (["", "per level"].contains(&rest.as_str()) && !on.is_empty())
            .then(|| (change, format!("{rest} on {on}").trim().to_owned()))
    };
    changed(clause).or_else(|| clause.match_indices(' ').take(ON_WORDS_MAX).find_map(behind))
}

/// The same where the change stands first.
fn changed(clause: &str) -> Option<(EffectChange, String)> {
    const MORE: [&str; 4] = ["more", "extra", "additional", "bonus"];
    const FEWER: [&str; 2] = ["fewer", "less"];
    let lower = clause.trim().trim_end_matches('.').to_lowercase();
    let mut words = lower.split_whitespace().peekable();
    let mut signs: Vec<i64> = Vec::new();
    let verb = words.next_if(|word| ["roll", "rolls", "gain", "gains", "get", "gets", "lose", "loses"].contains(word));
    match verb {
        Some("lose" | "loses") => signs.push(-1),
        Some("gain" | "gains" | "get" | "gets") => signs.push(1),
        _ => {}
    }
    // `step up on Fight`
    let number = if words.peek() == Some(&"step") { "a" } else { words.next()? };
    let signed = number.strip_prefix('+').map(|rest| (1, rest));
    let signed = signed.or_else(|| number.strip_prefix(['-', '\u{2212}', '\u{2013}']).map(|rest| (-1, rest)));
    signs.extend(signed.map(|(sign, _)| sign));
    let bare = signed.map_or(number, |(_, rest)| rest);
    let many = if ["a", "an"].contains(&bare) { 1 } else { self::number(bare)? };
    let sign = |word: &&str| match *word {
        word if MORE.contains(&word) => Some(1),
        word if FEWER.contains(&word) => Some(-1),
        _ => None,
    };
    signs.extend(words.next_if(|word| sign(word).is_some()).as_ref().and_then(sign));
    let steps = match words.next()? {
        "die" | "dice" => false,
        "step" | "steps" => true,
        _ => return None,
    };
    let way = |word: &&str| match *word {
        "down" | "lower" | "smaller" if steps => Some(-1),
        "up" | "higher" | "larger" | "bigger" if steps => Some(1),
        word => sign(&word),
    };
    signs.extend(words.next_if(|word| way(word).is_some()).as_ref().and_then(way));
    // Said twice, it is said in one way: `-1 die fewer`.
    let (first, others) = signs.split_first()?;
    if !(1..=DICE_MAX).contains(&many) || others.iter().any(|other| other != first) {
        return None;
    }
    let change = if steps { EffectChange::Steps(first * many) } else { EffectChange::Dice(first * many) };
    let rest: Vec<&str> = words.collect();
    let on = rest.first().is_none_or(|word| ["on", "to", "from", "for", "per", "each"].contains(word));
    let rest = if rest.first() == Some(&"from") { rest.get(1..)? } else { rest.as_slice() };
    on.then(|| (change, rest.join(" ")))
}

fn is_change(word: &str) -> bool {
    ["advantage", "disadvantage"].contains(&word) || word.starts_with(['+', '-', '\u{2212}'])
}

#[cfg(test)]
mod tests {
    use super::{EffectChange, dice_or_steps, rephrased};

    #[test]
    fn dice_and_steps_are_said_in_many_ways() {
        for (said, change, rest) in [
            ("-1 die on checks", EffectChange::Dice(-1), "on checks"),
            ("+2 dice", EffectChange::Dice(2), ""),
            ("one die fewer on Body.", EffectChange::Dice(-1), "on body"),
            ("two more dice on attacks", EffectChange::Dice(2), "on attacks"),
            ("roll an extra die on Climb", EffectChange::Dice(1), "on climb"),
            ("lose a die from checks", EffectChange::Dice(-1), "checks"),
            ("-1 die per level on checks", EffectChange::Dice(-1), "per level on checks"),
            ("one step down on checks", EffectChange::Steps(-1), "on checks"),
            ("-2 steps to Body", EffectChange::Steps(-2), "to body"),
            ("step up on Fight", EffectChange::Steps(1), "on fight"),
            ("Body one step down", EffectChange::Steps(-1), "on body"),
            ("all checks -1 die", EffectChange::Dice(-1), "on all checks"),
            ("checks two dice fewer per level", EffectChange::Dice(-2), "per level on checks"),
        ] {
            assert_eq!(dice_or_steps(said), Some((change, rest.to_owned())), "{said}");
        }
        for other in [
            "-1 on checks",
            "one die",
            "a die falls",
            "one more Dark die",
            "+1 die fewer",
            "you lose a dice cup",
            "step aside",
            "roll a die",
            "",
        ] {
            assert_eq!(dice_or_steps(other), None, "{other}");
        }
    }

    #[test]
    fn an_effect_is_said_in_many_ways() {
        for (said, meant) in [
            ("disadv on checks", "disadvantage on checks"),
            ("adv. on Climb", "advantage on Climb"),
            ("minus two on checks", "-2 on checks"),
            ("minus 2 to STR", "-2 to STR"),
            ("a -2 penalty to checks", "-2 to checks"),
            ("a penalty of 2 to checks", "-2 to checks"),
            ("a bonus of one on Climb", "+1 on Climb"),
            ("subtract 2 from checks", "-2 on checks"),
            ("all checks at disadvantage", "disadvantage on all checks"),
            ("checks are at -2", "checks are at -2"),
            ("checks with disadv", "disadvantage on checks"),
        ] {
            assert_eq!(rephrased(said).as_deref().unwrap_or(said), meant, "{said}");
        }
        for plain in ["disadvantage on checks", "-2 to STR", "you sit down", ""] {
            assert_eq!(rephrased(plain), None, "{plain}");
        }
    }
}
