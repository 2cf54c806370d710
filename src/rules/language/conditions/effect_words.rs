//! Effects of conditions as people say them: "minus two on checks", "checks at disadvantage", "a penalty of 2 to Climb".

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

fn is_change(word: &str) -> bool {
    ["advantage", "disadvantage"].contains(&word) || word.starts_with(['+', '-', '\u{2212}'])
}

#[cfg(test)]
mod tests {
    use super::rephrased;

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
