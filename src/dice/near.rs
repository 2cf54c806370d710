//! Did you mean: near misses of notation, each offered only when it can be read.

use crate::dice::error::{Code, DiceError};
use crate::dice::rewrite::{Readable, Rewrite, settle};

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
const COMMANDS: [&str; 16] = [
    "/roll",
    "/r",
    "!roll",
    "!r",
    "roll",
    "/gmroll",
    "/gmr",
    "/blindroll",
    "/br",
    "/selfroll",
    "/sr",
    "/publicroll",
    "/pr",
    "/em",
    "!iroll",
    "/rr",
];

/// Settles the rewrites of a refusal: those of whoever refused, or else those its kind suggests.
pub(crate) fn suggest(mut error: DiceError, text: &str, readable: Readable<'_>) -> DiceError {
    let own = std::mem::take(&mut error.rewrites);
    let near = match error.code {
        Code::UnparseableInput | Code::OutOfScopeSyntax => misread(text, &error),
        Code::InvalidAdvantageUsage => advantage_of_two(text, &error).into_iter().collect(),
        Code::NoEffect if own.is_empty() && !of_total(text, &error).is_empty() => of_total(text, &error),
        Code::Duplicate | Code::NoEffect | Code::InvalidKeep if own.is_empty() => {
            vec![Rewrite::new("to leave it out").delete(error.span.clone())]
        }
        Code::NonTerminating => vec![once(text)],
        _ => Vec::new(),
    };
    error.rewrites = own.into_iter().chain(near).collect();
    settle(error, text, readable)
}

/// `2d6 >= 7`, which no single face decides, as the check of the total that was meant.
fn of_total(text: &str, error: &DiceError) -> Vec<Rewrite> {
    let span = error.span.clone();
    let condition = text.get(span.clone()).unwrap_or("").trim();
    if !condition.starts_with(['<', '>', '=']) {
        return Vec::new();
    }
    let start = text.find('(').filter(|_| text.trim_start().to_ascii_lowercase().starts_with("repeat"));
    let whole =
        Rewrite::new("to check the total").insert(start.map_or(0, |open| open + 1), "(").insert(span.start, ") ");
    let margin = |word: &str, number: &str| {
        Rewrite::new("for a check with its margin").replace(span.clone(), format!(" {word} {}", number.trim()))
    };
    let named = match (condition.strip_prefix(">="), condition.strip_prefix("<=")) {
        (Some(number), _) => Some(margin("vs", number)),
        (_, Some(number)) => Some(margin("under", number)),
        _ => None,
    };
    named.into_iter().chain([whole]).collect()
}

/// Near texts of a place that cannot be read, the likeliest first.
fn misread(text: &str, error: &DiceError) -> Vec<Rewrite> {
    // The whole word, also where its first letters could be read as a modifier.
    let head = text.get(..error.span.start).unwrap_or(text);
    let head = head.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let (before, rest) = text.split_at_checked(head.len()).unwrap_or((text, ""));
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (word, after) = rest.split_at_checked(letters).unwrap_or((rest, ""));
    let word = word.to_ascii_lowercase();
    let mut offers = Vec::new();
    offers.extend(command(text));
    offers.extend(foreign_brackets(text));
    offers.extend(swapped_keep(before, &word, after));
    offers.extend(swapped_sign(before, rest));
    offers.extend(one_number(before, rest));
    offers.extend(misspelt(before, &word, after));
    offers.extend(unbalanced(text, before, rest));
    let mut rewrites: Vec<Rewrite> = offers.into_iter().map(|offer| Rewrite::meant(text, offer)).collect();
    rewrites.extend(beside(text, before, rest));
    if let Some(rewrite) = decimal_comma(text, before, rest) {
        rewrites.push(rewrite);
    } else if letters == 0 || word.starts_with('d') {
        let rest = rest.trim_start().trim_start_matches([',', ';']).trim_start();
        rewrites.push(Rewrite::meant(text, format!("{} + {rest}", before.trim_end())));
    }
    rewrites
}

/// `/roll 1d20`, `!rr 6 4d6kh3` and, with a difficulty, `!rr 3 1d20+5 18`.
fn command(text: &str) -> Vec<String> {
    let Some((first, rest)) = text.trim().split_once(char::is_whitespace) else {
        return Vec::new();
    };
    let rest = rest.trim();
    if ["!rr", "!multiroll", "rr"].iter().any(|command| first.eq_ignore_ascii_case(command)) {
        let Some((times, check)) = rest.split_once(char::is_whitespace) else {
            return Vec::new();
        };
        let difficulty = check.rsplit_once(char::is_whitespace);
        let against = difficulty.map(|(check, target)| format!("repeat({} vs {target}, {times})", check.trim()));
        return [format!("repeat({}, {times})", check.trim())].into_iter().chain(against).collect();
    }
    let known = COMMANDS.iter().any(|command| first.eq_ignore_ascii_case(command));
    if known { vec![rest.to_owned()] } else { Vec::new() }
}

/// `[[1d20]]` alone, `1d20+[[1d6]]` inside, and a comment behind a backslash.
fn foreign_brackets(text: &str) -> Vec<String> {
    let mut offers = Vec::new();
    if let Some(inner) = text.trim().strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
        offers.push(inner.trim().to_owned());
    }
    if text.contains("[[") {
        offers.push(text.replace("[[", "(").replace("]]", ")"));
    }
    if text.contains('\\') {
        offers.push(text.replacen('\\', "#", 1));
    }
    offers
}

/// `=>` for `>=`.
fn swapped_sign(before: &str, rest: &str) -> Option<String> {
    let before = before.strip_suffix('=')?;
    let sign = rest.get(..1).filter(|sign| matches!(*sign, "<" | ">"))?;
    Some(format!("{before}{sign}={}", rest.get(1..)?))
}

/// `1 000` and `1,000` for `1000`.
fn one_number(before: &str, rest: &str) -> Option<String> {
    let before = before.trim_end();
    let rest = rest.strip_prefix(',').unwrap_or(rest);
    let ends = before.ends_with(|char: char| char.is_ascii_digit());
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (ends && digits == 3).then(|| format!("{before}{rest}"))
}

/// `2d6+1,5` for `2d6+1.5`: a comma between digits separates nothing.
fn decimal_comma(text: &str, before: &str, rest: &str) -> Option<Rewrite> {
    let digits = rest.strip_prefix(',').filter(|digits| digits.starts_with(|char: char| char.is_ascii_digit()))?;
    let ends = before.ends_with(|char: char| char.is_ascii_digit());
    ends.then(|| Rewrite::new("for a decimal point").replace(0..text.len(), format!("{before}.{digits}")))
}

/// A number beside dice: `6(4d6kh3)`, `6x 4d6kh3`, `4d6kh3 6 times`.
fn beside(text: &str, before: &str, rest: &str) -> Vec<Rewrite> {
    let rest = rest.strip_prefix(['x', 'X']).unwrap_or(rest).trim();
    let before = before.trim();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(rest);
    let mut rewrites = Vec::new();
    if before.ends_with(|char: char| char.is_ascii_digit()) && rest.starts_with(['(', '{']) || is_number(before) {
        rewrites.push(Rewrite::new("to multiply").replace(0..text.len(), format!("{before} * {rest}")));
    }
    if is_number(before) {
        rewrites.push(repeated(text, inner, before));
    }
    rewrites
}

/// The text that rolls a check so many times.
pub(crate) fn repeated(text: &str, check: &str, times: &str) -> Rewrite {
    Rewrite::new("to roll it so many times").replace(0..text.len(), format!("repeat({check}, {times})"))
}

/// Rerolls and explosions that happen once instead of without end.
fn once(text: &str) -> Rewrite {
    let once = text.to_ascii_lowercase().replace("!!", "!").replace("!o", "!").replace("!p", "!");
    let once = once.replace('!', "!o").replace("rr", "ro");
    Rewrite::new("to do it only once").replace(0..text.len(), once)
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
fn advantage_of_two(text: &str, error: &DiceError) -> Option<Rewrite> {
    let before = text.get(..error.span.start)?.trim_end();
    let after = text.get(error.span.end..)?;
    let keep = match text.get(error.span.clone())?.bytes().next()? {
        b'a' | b'A' => "kh1",
        _ => "kl1",
    };
    let two = before.to_ascii_lowercase().ends_with("2d20");
    two.then(|| Rewrite::meant(text, format!("{before}{keep}{after}")))
}
