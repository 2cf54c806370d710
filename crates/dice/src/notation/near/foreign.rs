//! What other programs want around a roll: commands, brackets, comments.

use crate::error::Rewrite;

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

/// `/roll 1d20`, `!rr 6 4d6kh3` and, with a difficulty, `!rr 3 1d20+5 18`.
pub(super) fn command(text: &str) -> Vec<String> {
    let Some((first, rest)) = text.trim().split_once(char::is_whitespace) else { return Vec::new() };
    let rest = rest.trim();
    if ["!rr", "!multiroll", "rr"].iter().any(|command| first.eq_ignore_ascii_case(command)) {
        let Some((times, check)) = rest.split_once(char::is_whitespace) else { return Vec::new() };
        let difficulty = check.rsplit_once(char::is_whitespace);
        let against = difficulty.map(|(check, target)| format!("repeat({} vs {target}, {times})", check.trim()));
        return [format!("repeat({}, {times})", check.trim())].into_iter().chain(against).collect();
    }
    let known = COMMANDS.iter().any(|command| first.eq_ignore_ascii_case(command));
    if known { vec![rest.to_owned()] } else { Vec::new() }
}

/// `[[1d20]]` alone, `1d20+[[1d6]]` inside, and a comment behind a backslash.
pub(super) fn foreign_brackets(text: &str) -> Vec<String> {
    let mut offers = Vec::new();
    if let Some(inner) = text.trim().strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
        offers.push(inner.trim().to_owned());
    }
    if text.contains("[[") {
        offers.push(text.replace("[[", "(").replace("]]", ")"));
    }
    // Not an escape such as \u202e, whose character would be a part of the comment.
    let escape = |behind: &str| behind.starts_with(['u', 'x', 'U']) && behind.len() > 2;
    if text.split_once('\\').is_some_and(|(_, behind)| !escape(behind)) {
        offers.push(text.replacen('\\', "#", 1));
    }
    offers
}

/// `attack: 1d20+5`, `[attack] 1d20+5` and `1d20+5 (attack)`: what a roll is for goes into a comment.
pub(super) fn noted(text: &str) -> Option<Rewrite> {
    let words = |text: &str| {
        let text = text.trim();
        let plain = |char: char| char.is_alphabetic() || matches!(char, ' ' | '\'');
        (!text.is_empty() && text.chars().all(plain)).then(|| text.to_owned())
    };
    let text = text.trim();
    let (dice, note) = if let Some((label, dice)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        (dice, words(label)?)
    } else if let Some((label, dice)) = text.split_once(':') {
        (dice, words(label)?)
    } else {
        let (open, close) = if text.ends_with('"') { ('"', '"') } else { ('(', ')') };
        let (dice, label) = text.strip_suffix(close)?.rsplit_once(open)?;
        (dice, words(label)?)
    };
    Some(Rewrite::new("to note what it is for").replace(0..text.len(), format!("{} # {note}", dice.trim())))
}
