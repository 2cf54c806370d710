//! What other programs want around a roll: commands, brackets, comments.

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
pub(super) fn foreign_brackets(text: &str) -> Vec<String> {
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
