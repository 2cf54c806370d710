//! Did you mean: near misses of notation, each offered only when it can be read.

use crate::error::{Code, DiceError, Readable, Rewrite, settle};
use crate::expression::advantage::WORDS as ADVANTAGE;
use crate::expression::tree::Function;
use crate::modifiers;
use crate::text::{is_digit, is_letter};

/// Settles the rewrites of a refusal: those it has, and those its kind suggests.
pub(crate) fn suggest(mut error: DiceError, text: &str, readable: Readable<'_>) -> DiceError {
    let given = std::mem::take(&mut error.rewrites);
    let near = match error.code {
        Code::UnparseableInput | Code::OutOfScopeSyntax => misread(text, &error),
        Code::InvalidAdvantageUsage => advantage_of_two(text, &error).into_iter().collect(),
        Code::Duplicate | Code::NoEffect | Code::InvalidKeep if given.is_empty() => {
            let total = if error.code == Code::NoEffect {
                check_of_total(text, &error)
            } else {
                Vec::new()
            };
            let without = || Rewrite::new("to leave it out").delete(error.span.clone());
            match (total.is_empty(), multiplied(text, &error)) {
                (true, Some(multiplied)) => vec![multiplied],
                (true, None) => vec![without()],
                (false, _) => total,
            }
        }
        Code::NonTerminating => ending(text, &error),
        // `d00`, as the second die of a pair that rolls percent is called.
        Code::InvalidDie => vec![Rewrite::meant(text, text.replace("d00", "d100"))],
        _ => Vec::new(),
    };
    error.rewrites = given.into_iter().chain(near).collect();
    settle(error, text, readable)
}

/// Near texts of a place that cannot be read, the likeliest first.
fn misread(text: &str, error: &DiceError) -> Vec<Rewrite> {
    // The whole word, also where its first letters could be read as a modifier.
    let head = text
        .get(..error.span.start)
        .unwrap_or(text)
        .trim_end_matches(is_letter);
    let (before, rest) = text.split_at_checked(head.len()).unwrap_or((text, ""));
    let after = rest.trim_start_matches(is_letter);
    let word = rest
        .strip_suffix(after)
        .unwrap_or_default()
        .to_ascii_lowercase();
    let mut offers = command(text);
    offers.extend(foreign_brackets(text));
    offers.extend(plain_signs(text));
    offers.extend(swapped_keep(before, &word, after));
    offers.extend(label_before(before, rest));
    // `4d6-L` for `4d6dl1`, as older dice programs drop the lowest.
    let drops = before
        .trim_end()
        .strip_suffix('-')
        .filter(|_| matches!(&*word, "l" | "h"));
    offers.extend(drops.map(|dice| format!("{}d{word}1{after}", dice.trim_end())));
    // `ld4` for `1d4`, as a scanned page has it.
    let digits = word.strip_prefix(['l', 'i']).filter(|rest| *rest == "d");
    offers.extend(digits.map(|_| format!("{before}1d{after}")));
    offers.extend(swapped_sign(before, rest));
    // `!=` for `<>`: not equal, as programmers write it.
    offers.extend(
        rest.strip_prefix("!=")
            .map(|rest| format!("{before}<>{rest}")),
    );
    offers.extend(bands_apart(before, rest));
    // `.5` for `0.5`.
    offers.extend(
        rest.strip_prefix('.')
            .filter(|rest| rest.starts_with(is_digit))
            .map(|_| format!("{before}0{rest}")),
    );
    // `d1oo` for `d100`: the letter for the digit.
    let is_zeros =
        before.ends_with(is_digit) && !word.is_empty() && word.bytes().all(|byte| byte == b'o');
    offers.extend(is_zeros.then(|| format!("{before}{}{after}", word.replace('o', "0"))));
    offers.extend(one_number(before, rest));
    offers.extend(misspelt(before, &word, after));
    offers.extend(unbalanced(text, before, rest));
    let mut rewrites: Vec<Rewrite> = offers
        .into_iter()
        .map(|offer| Rewrite::meant(text, offer))
        .collect();
    rewrites.extend(noted(text));
    rewrites.extend(beside(text, before, rest));
    let whole = |purpose, offer: String| Rewrite::new(purpose).replace(0..text.len(), offer);
    // `2d6+1,5` for `2d6+1.5`: a comma between digits separates nothing.
    let decimals = rest
        .strip_prefix(',')
        .filter(|rest| rest.starts_with(is_digit) && before.ends_with(is_digit));
    if let Some(decimals) = decimals {
        rewrites.push(whole("for a decimal point", format!("{before}.{decimals}")));
    } else if word.is_empty() || word.starts_with('d') {
        // A comma may separate two rolls, so the offer says that it is one sum.
        let is_apart = rest.trim_start().starts_with([',', ';']);
        let rest = rest
            .trim_start()
            .trim_start_matches([',', ';'])
            .trim_start();
        rewrites.push(whole(
            if is_apart { "to add them" } else { "" },
            format!("{} + {rest}", before.trim_end()),
        ));
    }
    rewrites
}

/// What other programs want in front of a roll.
const COMMANDS: &str = "/roll /r !roll !r roll /gmroll /gmr /blindroll /br /selfroll /sr /publicroll /pr /em !iroll /rr";

/// `/roll 1d20`, `!rr 6 4d6kh3` and, with a difficulty, `!rr 3 1d20+5 18`.
fn command(text: &str) -> Vec<String> {
    let Some((first, rest)) = text.trim().split_once(char::is_whitespace) else {
        return Vec::new();
    };
    let (first, rest) = (first.to_ascii_lowercase(), rest.trim());
    if !["!rr", "!multiroll", "rr"].contains(&first.as_str()) {
        return if COMMANDS.split(' ').any(|known| known == first) {
            vec![rest.to_owned()]
        } else {
            Vec::new()
        };
    }
    let Some((times, check)) = rest.split_once(char::is_whitespace) else {
        return Vec::new();
    };
    let against = check.rsplit_once(char::is_whitespace);
    let against =
        against.map(|(check, target)| format!("repeat({} vs {target}, {times})", check.trim()));
    [format!("repeat({}, {times})", check.trim())]
        .into_iter()
        .chain(against)
        .collect()
}

/// `[[1d20]]` alone, `1d20+[[1d6]]` inside, and a comment after a backslash.
fn foreign_brackets(text: &str) -> Vec<String> {
    let alone = text
        .trim()
        .strip_prefix("[[")
        .and_then(|rest| rest.strip_suffix("]]"));
    let mut offers: Vec<String> = alone
        .map(|inner| inner.trim().to_owned())
        .into_iter()
        .collect();
    offers.extend(
        text.contains("[[")
            .then(|| text.replace("[[", "(").replace("]]", ")")),
    );
    // Not an escape such as \u202e, whose character would be a part of the comment.
    let is_comment =
        |(_, after): (&str, &str)| !after.starts_with(['u', 'x', 'U']) || after.len() <= 2;
    offers.extend(
        text.split_once('\\')
            .is_some_and(is_comment)
            .then(|| text.replacen('\\', "#", 1)),
    );
    offers
}

/// `attack: 1d20+5`, `[attack] 1d20+5`, `1d20+5 (attack)`: what a roll is for goes into a comment.
fn noted(text: &str) -> Option<Rewrite> {
    let text = text.trim();
    let (dice, note) =
        if let Some((label, dice)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            (dice, label)
        } else if let Some((label, dice)) = text.split_once(':') {
            (dice, label)
        } else {
            let (open, close) = if text.ends_with('"') {
                ('"', '"')
            } else {
                ('(', ')')
            };
            text.strip_suffix(close)?.rsplit_once(open)?
        };
    let note = note.trim();
    let is_words = !note.is_empty()
        && note
            .chars()
            .all(|char| char.is_alphabetic() || matches!(char, ' ' | '\''));
    let purpose = "to note what it is for";
    is_words
        .then(|| Rewrite::new(purpose).replace(0..text.len(), format!("{} # {note}", dice.trim())))
}

/// A number beside dice: `6(4d6kh3)`, `6x 4d6kh3`, `4d6kh3 6 times`.
fn beside(text: &str, before: &str, rest: &str) -> Vec<Rewrite> {
    let rest = rest.strip_prefix(['x', 'X']).unwrap_or(rest).trim();
    let before = before.trim();
    let is_number = !before.is_empty() && before.bytes().all(|byte| byte.is_ascii_digit());
    let inner = rest
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(rest);
    let mut rewrites = Vec::new();
    // `6x4d6kh3`, as other dice programs roll it six times.
    let is_times = is_number && text.contains(['x', 'X']);
    if is_times {
        rewrites.push(repeated(text, inner, before));
    }
    if before.ends_with(is_digit) && rest.starts_with(['(', '{']) || is_number {
        rewrites
            .push(Rewrite::new("to multiply").replace(0..text.len(), format!("{before} * {rest}")));
    }
    if is_number && !is_times {
        rewrites.push(repeated(text, inner, before));
    }
    rewrites
}

/// The text that rolls a check so many times.
pub(crate) fn repeated(text: &str, check: &str, times: &str) -> Rewrite {
    Rewrite::new("to roll it so many times")
        .replace(0..text.len(), format!("repeat({check}, {times})"))
}

/// `4d6k3h` and `4d6hk3` for `4d6kh3`; `4d6h3`, right after a die.
fn swapped_keep(before: &str, word: &str, after: &str) -> Vec<String> {
    if matches!(word, "hk" | "lk" | "hd" | "ld") {
        let swapped: String = word.chars().rev().collect();
        return vec![format!("{before}{swapped}{after}")];
    }
    if !matches!(word, "h" | "l") {
        return Vec::new();
    }
    let head = before.trim_end_matches(is_digit);
    let number = before.get(head.len()..).unwrap_or_default();
    let swapped = head
        .ends_with(['k', 'K', 'd', 'D'])
        .then(|| format!("{head}{word}{number}{after}"));
    let is_die = !number.is_empty() && head.ends_with(['d', 'D']);
    swapped
        .into_iter()
        .chain(is_die.then(|| format!("{before}k{word}{after}")))
        .collect()
}

/// `=>` for `>=`.
fn swapped_sign(before: &str, rest: &str) -> Option<String> {
    let before = before.strip_suffix('=')?;
    let sign = rest.get(..1).filter(|sign| matches!(*sign, "<" | ">"))?;
    Some(format!("{before}{sign}={}", rest.get(1..)?))
}

/// `disadvantge` for `disadvantage`. Signs and words shorter than three letters are not misspelt.
fn misspelt(before: &str, word: &str, after: &str) -> Vec<String> {
    if word.len() < 3 {
        return Vec::new();
    }
    let functions = Function::NAMED.into_iter().map(Function::as_str);
    let modifiers = modifiers::words().map(|word| word.text);
    let modifiers = modifiers
        .filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let known = ADVANTAGE
        .into_iter()
        .map(|(word, _)| word)
        .chain(functions)
        .chain(["repeat", "under", "bands"]);
    let near = known
        .chain(modifiers)
        .map(|known| (strsim::damerau_levenshtein(word, known), known));
    let mut near: Vec<_> = near
        .filter(|(distance, known)| (1..=known.len() / 3).contains(distance))
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter()
        .map(|(_, known)| format!("{before}{known}{after}"))
        .collect()
}

/// A parenthesis too few or too many.
fn unbalanced(text: &str, before: &str, rest: &str) -> Option<String> {
    let (open, closed) = (text.matches('(').count(), text.matches(')').count());
    match open.checked_sub(closed).filter(|missing| *missing > 0) {
        Some(missing) => Some(format!("{}{}", text.trim_end(), ")".repeat(missing))),
        None => Some(format!("{before}{}", rest.strip_prefix(')')?)),
    }
}

/// `2d6[fire]kh1` for `2d6kh1[fire]`: a label comes after the modifiers.
fn label_before(before: &str, rest: &str) -> Option<String> {
    let open = before.trim_end().strip_suffix(']')?.rfind('[')?;
    let (dice, label) = before.split_at_checked(open)?;
    let modifiers = rest.find(|char: char| char.is_ascii_whitespace() || "+-*/,)#[".contains(char));
    let (modifiers, after) = rest.split_at_checked(modifiers.unwrap_or(rest.len()))?;
    Some(format!(
        "{}{modifiers}{}{after}",
        dice.trim_end(),
        label.trim_end()
    ))
}

/// `1 000` and `1,000` for `1000`.
fn one_number(before: &str, rest: &str) -> Option<String> {
    let (before, rest) = (before.trim_end(), rest.strip_prefix(',').unwrap_or(rest));
    let digits = rest.len() - rest.trim_start_matches(is_digit).len();
    (before.ends_with(is_digit) && digits == 3).then(|| format!("{before}{rest}"))
}

/// `bands 7 10` for `bands 7, 10`.
fn bands_apart(before: &str, rest: &str) -> Option<String> {
    let start = before.to_ascii_lowercase().rfind("bands")?;
    let numbers = format!("{}{rest}", before.get(start + "bands".len()..)?);
    let each: Vec<&str> = numbers
        .split([' ', ','])
        .filter(|number| !number.is_empty())
        .collect();
    let is_whole = |number: &&str| {
        number
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    let head = before.get(..start)?;
    each.iter()
        .all(is_whole)
        .then(|| format!("{head}bands {}", each.join(", ")))
}

/// `≥`, `≤`, `≠`, dashes and signs as wide as ideographs, in the characters that are read.
fn plain_signs(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '≥' => plain.push_str(">="),
            '≤' => plain.push_str("<="),
            '≠' => plain.push_str("<>"),
            '\u{a0}' | '\u{202f}' | '\u{3000}' => plain.push(' '),
            // The wide forms of ASCII are in its order.
            '\u{ff01}'..='\u{ff5e}' => plain.extend(char::from_u32(u32::from(char) - 0xfee0)),
            other => plain.push(other),
        }
    }
    (plain != text).then_some(plain)
}

/// `2d6 >= 7`, which no single face decides, as the check of the total that was meant.
fn check_of_total(text: &str, error: &DiceError) -> Vec<Rewrite> {
    let span = error.span.clone();
    let condition = text.get(span.clone()).unwrap_or("").trim();
    // `2d6t7`, as `7 or more` became.
    if let Some(point) = condition.strip_prefix(['t', 'T']) {
        let (word, number) = match point.strip_prefix("<=") {
            Some(number) => ("under", number),
            None => ("vs", point.trim_start_matches(">=")),
        };
        // Only where nothing follows: `5d10t11 + 1` adds to the successes.
        let after = text
            .get(span.end..)
            .unwrap_or("")
            .split('#')
            .next()
            .unwrap_or("")
            .trim();
        let is_check = after.is_empty() && number.starts_with(is_digit);
        let check = Rewrite::new("to check the total").replace(span, format!(" {word} {number}"));
        return if is_check { vec![check] } else { Vec::new() };
    }
    if !condition.starts_with(['<', '>', '=']) {
        return Vec::new();
    }
    let open = text
        .find('(')
        .filter(|_| text.trim_start().to_ascii_lowercase().starts_with("repeat"));
    let start = open.map_or(0, |open| open + 1);
    let before = text.get(..span.start).unwrap_or("").trim_end().len();
    let all = text.get(..span.end).unwrap_or("").trim_end().len();
    let number = condition.trim_start_matches(['<', '>', '=']);
    let (sign, number) = (condition.trim_end_matches(number), number.trim());
    let whole = Rewrite::new("")
        .insert(start, "(")
        .replace(before..all, format!(") {sign} {number}"));
    let named = [(">=", "vs"), ("<=", "under")]
        .into_iter()
        .find(|(named, _)| *named == sign)
        .map(|(_, word)| Rewrite::new("").replace(before..all, format!(" {word} {number}")));
    named.into_iter().chain([whole]).collect()
}

/// `2d4x10`, the gold of ten times as many, which no face of a d4 explodes on.
fn multiplied(text: &str, error: &DiceError) -> Option<Rewrite> {
    let written = text.get(error.span.clone())?.trim();
    let number = written.strip_prefix(['x', 'X'])?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let times = Rewrite::new("to multiply").replace(error.span.clone(), format!(" * {number}"));
    is_number.then_some(times)
}

/// Explosions and rerolls that end: once, on the highest face, or not at all.
fn ending(text: &str, error: &DiceError) -> Vec<Rewrite> {
    let modifier = text.get(error.span.clone()).unwrap_or("").trim();
    let once = text
        .to_ascii_lowercase()
        .replace("!!", "!")
        .replace("!o", "!")
        .replace("!p", "!");
    let once = once.replace('!', "!o").replace("rr", "ro");
    let mut rewrites = vec![Rewrite::new("to do it only once").replace(0..text.len(), once)];
    let sign = ["!!p", "!p", "!!", "!"]
        .into_iter()
        .find(|sign| modifier.starts_with(sign));
    if let Some(sign) = sign.filter(|sign| modifier.len() > sign.len()) {
        rewrites
            .push(Rewrite::new("to explode on the highest face").replace(error.span.clone(), sign));
    }
    if modifier.starts_with(['!', 'r', 'R', 'x', 'X', 'e', 'E']) {
        rewrites.push(Rewrite::new("to leave it out").delete(error.span.clone()));
    }
    rewrites
}

/// `2d20 adv` for `2d20kh1`.
fn advantage_of_two(text: &str, error: &DiceError) -> Option<Rewrite> {
    let before = text.get(..error.span.start)?.trim_end();
    let is_advantage = text.get(error.span.clone())?.starts_with(['a', 'A']);
    let (keep, after) = (
        if is_advantage { "kh1" } else { "kl1" },
        text.get(error.span.end..)?,
    );
    let is_two = before.to_ascii_lowercase().ends_with("2d20");
    is_two.then(|| Rewrite::meant(text, format!("{before}{keep}{after}")))
}
