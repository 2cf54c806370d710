//! What a notation was meant to do that was read and refused: it never ends, has no effect, or asks for advantage of two.

use crate::error::{DiceError, Rewrite};

/// `2d6 >= 7`, which no single face decides, as the check of the total that was meant.
pub(super) fn of_total(text: &str, error: &DiceError) -> Vec<Rewrite> {
    let span = error.span.clone();
    let condition = text.get(span.clone()).unwrap_or("").trim();
    // `2d6t7`, as `7 or more` became.
    if let Some(point) = condition.strip_prefix(['t', 'T']) {
        let (word, number) = match point.strip_prefix("<=") {
            Some(number) => ("under", number),
            None => ("vs", point.trim_start_matches(">=")),
        };
        // Only where nothing stands behind it: `5d10t11 + 1` adds to the successes.
        let behind = text.get(span.end..).unwrap_or("").split('#').next().unwrap_or("").trim();
        let number = if behind.is_empty() { number } else { "" };
        let check = Rewrite::new("to check the total").replace(span, format!(" {word} {number}"));
        return if number.starts_with(|char: char| char.is_ascii_digit()) { vec![check] } else { Vec::new() };
    }
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

/// Explosions and rerolls that end: on the highest face, once, or not at all.
pub(super) fn ending(text: &str, error: &DiceError) -> Vec<Rewrite> {
    let modifier = text.get(error.span.clone()).unwrap_or("").trim();
    let sign = ["!!p", "!p", "!!", "!"].into_iter().find(|sign| modifier.starts_with(sign));
    let highest = sign.filter(|sign| modifier.len() > sign.len());
    let highest = highest.map(|sign| Rewrite::new("to explode on the highest face").replace(error.span.clone(), sign));
    let whole = modifier.starts_with(['!', 'r', 'R', 'x', 'X', 'e', 'E']);
    let none = whole.then(|| Rewrite::new("to leave it out").delete(error.span.clone()));
    [Some(once(text)), highest, none].into_iter().flatten().collect()
}

/// Rerolls and explosions that happen once instead of without end.
fn once(text: &str) -> Rewrite {
    let once = text.to_ascii_lowercase().replace("!!", "!").replace("!o", "!").replace("!p", "!");
    let once = once.replace('!', "!o").replace("rr", "ro");
    Rewrite::new("to do it only once").replace(0..text.len(), once)
}

/// `2d20 adv` for `2d20kh1`.
pub(super) fn advantage_of_two(text: &str, error: &DiceError) -> Option<Rewrite> {
    let before = text.get(..error.span.start)?.trim_end();
    let after = text.get(error.span.end..)?;
    let keep = match text.get(error.span.clone())?.bytes().next()? {
        b'a' | b'A' => "kh1",
        _ => "kl1",
    };
    let two = before.to_ascii_lowercase().ends_with("2d20");
    two.then(|| Rewrite::meant(text, format!("{before}{keep}{after}")))
}
