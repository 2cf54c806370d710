//! Did you mean: near misses of notation, each offered only when it can be read.

mod foreign;
mod meant;
mod slip;

use crate::error::{Code, DiceError, Readable, Rewrite, settle};
use foreign::{command, foreign_brackets, noted};
use meant::{advantage_of_two, ending, of_total};
use slip::{
    bands_apart, bare_keep, bare_point, decimal_comma, label_before, letter_for_zero, misspelt, one_number,
    plain_signs, swapped_keep, swapped_sign, unbalanced, unequal,
};

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
        Code::NonTerminating => ending(text, &error),
        _ => Vec::new(),
    };
    error.rewrites = own.into_iter().chain(near).collect();
    settle(error, text, readable)
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
    offers.extend(plain_signs(text));
    offers.extend(swapped_keep(before, &word, after));
    offers.extend(bare_keep(before, &word, after));
    offers.extend(label_before(before, rest));
    offers.extend(swapped_sign(before, rest));
    offers.extend(unequal(before, rest));
    offers.extend(bands_apart(before, rest));
    offers.extend(bare_point(before, rest));
    offers.extend(letter_for_zero(before, &word, after));
    offers.extend(one_number(before, rest));
    offers.extend(misspelt(before, &word, after));
    offers.extend(unbalanced(text, before, rest));
    let mut rewrites: Vec<Rewrite> = offers.into_iter().map(|offer| Rewrite::meant(text, offer)).collect();
    rewrites.extend(noted(text));
    rewrites.extend(beside(text, before, rest));
    if let Some(rewrite) = decimal_comma(text, before, rest) {
        rewrites.push(rewrite);
    } else if letters == 0 || word.starts_with('d') {
        // What a comma parts may be two rolls; that it is one sum is said.
        let apart = rest.trim_start().starts_with([',', ';']);
        let rest = rest.trim_start().trim_start_matches([',', ';']).trim_start();
        let sum = format!("{} + {rest}", before.trim_end());
        rewrites.push(Rewrite::new(if apart { "to add them" } else { "" }).replace(0..text.len(), sum));
    }
    rewrites
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
