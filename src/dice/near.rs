//! Did you mean: near misses of notation, each offered only when it can be read.

use crate::dice::error::{Code, DiceError};

/// Words of three letters and more that may be misspelt.
const WORDS: [&str; 18] = [
    "adv",
    "advantage",
    "dis",
    "disadv",
    "disadvantage",
    "floor",
    "ceil",
    "round",
    "abs",
    "min",
    "max",
    "repeat",
    "under",
    "bands",
    "even",
    "odd",
    "crit",
    "fumble",
];

/// What other programs want in front of a roll.
const COMMANDS: [&str; 8] = ["/roll", "/r", "!roll", "!r", "roll", "/gmroll", "/gmr", "/em"];

/// Replaces hint and example by a near text that `readable` accepts, if there is one.
pub(crate) fn suggest(error: DiceError, text: &str, readable: &dyn Fn(&str) -> bool) -> DiceError {
    let offers = match error.code {
        Code::UnparseableInput => misread(text, &error),
        Code::InvalidAdvantageUsage => advantage_of_two(text, &error).into_iter().collect(),
        _ => return error,
    };
    match offers.into_iter().find(|offer| readable(offer)) {
        None => error,
        Some(offer) => DiceError { hint: format!("Did you mean `{offer}`?"), example: offer, ..error },
    }
}

/// Near texts of a place that cannot be read, the likeliest first.
fn misread(text: &str, error: &DiceError) -> Vec<String> {
    // The whole word, also where its first letters could be read as a modifier.
    let head = text.get(..error.span.start).unwrap_or(text);
    let head = head.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let (before, rest) = text.split_at_checked(head.len()).unwrap_or((text, ""));
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, after) = rest.split_at_checked(letters).unwrap_or((rest, ""));
    let word = word.to_ascii_lowercase();
    let mut offers = Vec::new();
    offers.extend(command(text));
    offers.extend(swapped_keep(before, &word, after));
    offers.extend(misspelt(before, &word, after));
    offers.extend(unbalanced(text, before, rest));
    if letters == 0 || word.starts_with('d') {
        offers.push(format!("{} + {}", before.trim_end(), rest.trim_start()));
    }
    offers
}

/// `/roll 1d20` and `[[1d20]]`.
fn command(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
        return Some(inner.trim().to_owned());
    }
    let (first, rest) = text.split_once(char::is_whitespace)?;
    COMMANDS.iter().any(|command| first.eq_ignore_ascii_case(command)).then(|| rest.trim().to_owned())
}

/// `4d6k3h` and `4d6hk3` for `4d6kh3`.
fn swapped_keep(before: &str, word: &str, after: &str) -> Option<String> {
    if matches!(word, "hk" | "lk" | "hd" | "ld") {
        let swapped: String = word.chars().rev().collect();
        return Some(format!("{before}{swapped}{after}"));
    }
    if !matches!(word, "h" | "l") {
        return None;
    }
    let head = before.trim_end_matches(|char: char| char.is_ascii_digit());
    let number = before.get(head.len()..).unwrap_or("");
    head.ends_with(['k', 'K', 'd', 'D']).then(|| format!("{head}{word}{number}{after}"))
}

/// `disadvantge` for `disadvantage`.
fn misspelt(before: &str, word: &str, after: &str) -> Vec<String> {
    if word.len() < 3 {
        return Vec::new();
    }
    let mut near: Vec<(usize, &str)> = WORDS
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, known)| *distance > 0 && *distance <= known.len() / 3)
        .collect();
    near.sort_unstable();
    near.into_iter().map(|(_, known)| format!("{before}{known}{after}")).collect()
}

/// A parenthesis too few or too many.
fn unbalanced(text: &str, before: &str, rest: &str) -> Option<String> {
    let count = |wanted: char| text.matches(wanted).count();
    let (open, closed) = (count('('), count(')'));
    if open > closed {
        return Some(format!("{}{}", text.trim_end(), ")".repeat(open - closed)));
    }
    let extra = rest.strip_prefix(')')?;
    Some(format!("{before}{extra}"))
}

/// `2d20 adv` for `2d20kh1`.
fn advantage_of_two(text: &str, error: &DiceError) -> Option<String> {
    let before = text.get(..error.span.start)?.trim_end();
    let after = text.get(error.span.end..)?;
    let keep = match text.get(error.span.clone())?.bytes().next()? {
        b'a' | b'A' => "kh1",
        _ => "kl1",
    };
    let two = before.to_ascii_lowercase().ends_with("2d20");
    two.then(|| format!("{before}{keep}{after}"))
}
