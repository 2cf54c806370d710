//! Expressions in bullets and cells, in notation or in plain words.
//!
//! An expression may be written in pieces: `` `1d20` + {STR} ``, `` `1d20` plus `{STR}` ``. What stands beside one and is no
//! part of it is told where it could be meant as a rule: a die that nobody rolls is the worst of mistakes.

use super::labels::is_mechanical;
use super::ledger::{Ledger, Scope, Written};
use super::names::Names;
use super::plain;
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::dice::{Code, DiceError, Formula, parse_formula};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::number_words::number_word;

/// The expression of a value: the whole of it in pieces or in plain words, else as much of it as is one, with words around it
/// that say nothing to the program. What cannot be read is reported.
pub fn read(value: &Text, names: &Names, scope: Scope, ledger: &mut Ledger<'_>) -> Option<Formula> {
    if let Some(written) = written_out(value, names) {
        return notation(&written, names, scope, ledger);
    }
    if let Some(formula) = whole(value, names, scope, ledger) {
        return Some(formula);
    }
    if let Some(code) = value.codes().first() {
        let written = in_words(value, names).unwrap_or_else(|| value.slice(first_code(value)));
        let formula = match parse_formula(&joined(&written, names)) {
            Ok(formula) => formula,
            Err(_) => return notation(code, names, scope, ledger),
        };
        let all = is_all_of_it(value, &written, scope, ledger);
        ledger.written.push(Written { formula: formula.clone(), text: written, scope });
        return all.then_some(formula);
    }
    if let Some(diagnostic) = quoted(value, names) {
        ledger.report(diagnostic);
        return None;
    }
    // Words alone are told so; what looks like notation is told what is wrong with it.
    if looks_like_notation(value.as_str()) {
        return notation(value, names, scope, ledger);
    }
    let message = if value.is_empty() {
        "there is no expression here".to_owned()
    } else {
        format!("`{}` cannot be read as an expression", shortened(value.as_str()))
    };
    ledger.report(
        Diagnostic::error(codes::UNREADABLE_FORMULA, message)
            .at(value.span(), "expected an expression")
            .help(instead(value, ledger).unwrap_or_else(|| BRACES.to_owned())),
    );
    None
}

/// An expression in quotation marks, which some editors write in the place of backticks.
fn quoted(value: &Text, names: &Names) -> Option<Diagnostic> {
    const MARKS: [char; 11] =
        ['"', '\'', '\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}', '\u{b4}', '`'];
    let words = value.as_str();
    let inner = words.trim_end_matches('.').trim_matches(MARKS).trim();
    let is_quoted = inner.len() < words.len() && words.starts_with(MARKS) && words.ends_with(MARKS);
    let notation = plain::in_signs(inner, names);
    let replacement = format!("`{}`", if parse_formula(inner).is_ok() { inner } else { &notation });
    parse_formula(&notation).ok().filter(|_| is_quoted)?;
    let message = format!("`{}` cannot be read as an expression", shortened(words));
    let fix = Fix { span: value.span(), message: "write it in backticks".to_owned(), replacement: replacement.clone() };
    let help = "an expression stands in backticks, the mark that leans to the left";
    let diagnostic = Diagnostic::error(codes::UNREADABLE_FORMULA, message);
    Some(diagnostic.at(value.span(), "quotation marks around it").help(help).fix(fix))
}

/// How an expression is written.
const BRACES: &str = "write it in backticks, with what varies in braces: `10 + {modifier}`";

/// What to write instead, where the author's words tell what is meant.
fn instead(value: &Text, ledger: &Ledger<'_>) -> Option<String> {
    let source = ledger.sources.text(value.span());
    let rest =
        ledger.sources.get(value.file()).and_then(|file| file.text.get(value.span().start..)).unwrap_or_default();
    // HTML behind the words is no part of them.
    let line = rest.lines().next().filter(|line| line.starts_with(source)).unwrap_or(source);
    rewritten(value.as_str(), line)
}

/// The whole of a value as an expression, in pieces of code or in plain words; nothing is reported.
pub fn whole(value: &Text, names: &Names, scope: Scope, ledger: &mut Ledger<'_>) -> Option<Formula> {
    if let Some(written) = written_out(value, names) {
        let formula = parse_formula(written.as_str()).ok()?;
        ledger.written.push(Written { formula: formula.clone(), text: written, scope });
        return Some(formula);
    }
    let formula = in_words_or_pieces(value, names)?;
    assume_half(value, &formula, ledger);
    ledger.written.push(Written { formula: formula.clone(), text: value.clone(), scope });
    Some(formula)
}

/// `half of STR + CON` may be meant of both.
fn assume_half(value: &Text, formula: &Formula, ledger: &mut Ledger<'_>) {
    let words = value.as_str();
    let lower = words.to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("half ").filter(|_| value.codes().is_empty() && !words.contains('(')) else {
        return;
    };
    if [" + ", " plus ", " - ", " minus "].iter().any(|sign| rest.contains(sign)) {
        let all = words.get(words.len() - rest.len()..).unwrap_or_default();
        let bare = ["of ", "the "].iter().fold(all, |all, word| all.strip_prefix(word).unwrap_or(all));
        let bare = bare.split([',', ';']).next().unwrap_or_default().trim_end_matches('.');
        let text = format!(
            "`{words}` is half of the first alone: {formula}; half of all of it is `({bare}) / 2, rounded down`"
        );
        ledger.assume(text, Some(ledger.place(value.span())));
    }
}

/// Whether the whole of a value is an expression; see [`whole`].
pub fn is_whole(value: &Text, names: &Names) -> bool {
    in_words_or_pieces(value, names).is_some()
}

/// The whole of a value, and how its end says that it is rounded: `(score - 10) / 2, rounded down`.
fn in_words_or_pieces(value: &Text, names: &Names) -> Option<Formula> {
    let Some((function, value)) = rounded(value) else { return Some(pieces(value, names)?.1) };
    let (found, _) = pieces(&value, names)?;
    // Half of something is rounded down where nothing else is said.
    let found = if value.codes().is_empty() { found.replace("floor(", "(") } else { found };
    parse_formula(&format!("{function}({found})")).ok()
}

/// Words at the end of a value, and what they do to all that stands before them.
const ROUNDED: [(&str, &str); 4] =
    [("rounded down", "floor"), ("round down", "floor"), ("rounded up", "ceil"), ("round up", "ceil")];

/// What rounds a value, and the value before the words that say so.
fn rounded(value: &Text) -> Option<(&'static str, Text)> {
    let bare = value.as_str().trim_end_matches(['.', ' ', ')']);
    let before = |end: &str| {
        let (before, own) = bare.split_at_checked(bare.len().checked_sub(end.len())?)?;
        own.eq_ignore_ascii_case(end).then_some(before)
    };
    let (before, function) = ROUNDED.iter().find_map(|(end, own)| Some((before(end)?, *own)))?;
    let end = before.trim_end_matches([' ', ',', '(']).len();
    (end > 0).then(|| (function, value.slice(0..end)))
}

/// A value in notation, with what that is: plain words, pieces of code with words between them, or words around names in braces.
fn pieces(value: &Text, names: &Names) -> Option<(String, Formula)> {
    let words = value.as_str();
    let read = |notation: String| parse_formula(&notation).ok().map(|formula| (notation, formula));
    let plain = || read(plain::whole(words, names)?.notation);
    if value.codes().is_empty() {
        let bracketed = || Some(plain::in_signs(words, names)).filter(|own| own.contains('{')).and_then(read);
        return plain().or_else(|| words.contains('(').then(bracketed)?);
    }
    let is_name = |code: &Text| {
        let inner = code.as_str().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        inner.is_some_and(|inner| !inner.contains('}'))
    };
    // ``twice `{STR}` ``
    let around_names = || if value.codes().iter().all(is_name) { plain() } else { None };
    read(joined(value, names)).or_else(around_names)
}

/// A value that names dice of the rules, with their faces: all of it where that is an expression, else its first code.
fn written_out(value: &Text, names: &Names) -> Option<Text> {
    let all = |text: &Text| {
        let written = names.own_dice.written_out(text.as_str().trim_end_matches('.'))?;
        Some(Text::invented(&written, text.span()))
    };
    let code = value.codes().into_iter().next();
    let readable = all(value).filter(|written| parse_formula(written.as_str()).is_ok());
    readable.or_else(|| code.as_ref().and_then(all)).or_else(|| all(value).filter(|_| code.is_none()))
}

/// Where words around an expression begin.
const ENDS: [&str; 4] = [",", ";", " (", ". "];

/// The part of a value that is one expression: up to where words begin, or from its first code on.
fn in_words(value: &Text, names: &Names) -> Option<Text> {
    let words = value.as_str();
    let end = |from: usize| {
        let rest = value.slice(from..words.len());
        from + rest.split_at_any(&ENDS).map_or(rest.as_str().len(), |(before, _)| before.as_str().len())
    };
    let code = first_code(value).start;
    let parts = [code..words.len(), 0..end(0), code..end(code)];
    parts.into_iter().map(|at| value.slice(at).trim()).find(|part| parse_formula(&joined(part, names)).is_ok())
}

/// Where the first code span of a value stands in its words.
fn first_code(value: &Text) -> std::ops::Range<usize> {
    let stretches = value.stretches();
    let start = stretches.iter().take_while(|(_, code)| !code).map(|(text, _)| text.as_str().len()).sum();
    let length = stretches.iter().find(|(_, code)| *code).map_or(0, |(text, _)| text.as_str().len());
    start..start + length
}

/// Pieces of code and what joins them, as notation. A sum in one piece stays together where it is taken away or multiplied.
fn joined(value: &Text, names: &Names) -> String {
    let stretches: Vec<(String, bool)> = value
        .stretches()
        .into_iter()
        .map(|(text, code)| (if code { text.as_str().to_owned() } else { plain::in_signs(text.as_str(), names) }, code))
        .collect();
    let multiplied = stretches.iter().any(|(words, code)| !code && words.contains(['*', '/', '-']));
    let pieces = stretches.iter().map(|(words, code)| match *code && multiplied && words.contains(['+', '-']) {
        true => format!("({words})"),
        false => words.clone(),
    });
    pieces.collect::<String>().trim().trim_end_matches('.').to_owned()
}

/// An expression in notation. What cannot be read is reported where it stands.
pub fn notation(code: &Text, names: &Names, scope: Scope, ledger: &mut Ledger<'_>) -> Option<Formula> {
    match parse_formula(code.as_str()) {
        Ok(formula) => {
            ledger.written.push(Written { formula: formula.clone(), text: code.clone(), scope });
            Some(formula)
        }
        Err(error) => {
            let help = instead(code, ledger);
            ledger.report(unreadable(code, names, error, help));
            None
        }
    }
}

fn unreadable(code: &Text, names: &Names, error: DiceError, help: Option<String>) -> Diagnostic {
    let words = code.as_str();
    let too_much = error.code == Code::LimitExceeded;
    let what = if too_much { "is more than can be rolled" } else { "cannot be read as an expression" };
    let message = format!("`{}` {what}", shortened(words));
    let in_braces = plain::in_signs(words, names);
    if in_braces != words && parse_formula(&in_braces).is_ok() {
        let fix = Fix { span: code.span(), replacement: in_braces.clone(), message: format!("write `{in_braces}`") };
        return Diagnostic::error(codes::UNREADABLE_FORMULA, message)
            .at(code.span(), "a name stands in braces")
            .help(format!("write `{in_braces}`"))
            .fix(fix);
    }
    let why = error.message.trim_end_matches('.').to_owned();
    let diagnostic = Diagnostic::error(codes::UNREADABLE_FORMULA, message).at(code.span_of(error.span), why);
    match help.or(Some(error.hint).filter(|hint| !hint.is_empty())) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// Whether the words around what is read are only words. More code, a name in braces or a sign next to it would make another
/// expression, which is an error; a digit may be a page number, which is a warning.
fn is_all_of_it(value: &Text, read: &Text, scope: Scope, ledger: &mut Ledger<'_>) -> bool {
    let words = value.as_str();
    let start = words.find(read.as_str()).unwrap_or(0);
    let before = value.slice(0..start).trim();
    let after = value.slice(start + read.as_str().len()..words.len()).trim();
    let worst = [&after, &before].into_iter().filter_map(|text| Some((text, left_over(text, scope)?)));
    let Some((text, severity)) = worst.max_by_key(|(_, severity)| *severity) else { return true };
    let message = format!("only `{}` is read of this", shortened(read.as_str()));
    ledger.report(not_read(text, message, severity));
    severity != Severity::Error
}

/// How bad it is that nobody reads these words; none when they say nothing to the program.
fn left_over(text: &Text, scope: Scope) -> Option<Severity> {
    let words = text.as_str();
    let sign = plain::begins_with_sign(words) || words.contains(" + ") || words.ends_with(['+', '-', '*', '/']);
    if sign || !text.codes().is_empty() || words.contains(['{', '}']) {
        return Some(Severity::Error);
    }
    (is_mechanical(text) || turns(words, scope)).then_some(Severity::Warning)
}

/// Words that make another roll, or another number, of what stands beside them.
const TURNING: [&str; 20] = [
    "half",
    "halved",
    "twice",
    "thrice",
    "double",
    "doubled",
    "triple",
    "drop",
    "dropping",
    "keep",
    "keeping",
    "the best of",
    "the worst of",
    "exploding",
    "explode",
    "explodes",
    "reroll",
    "advantage",
    "disadvantage",
    "ties",
];
/// Words that turn a check round. Elsewhere they say what a number is for: "ignore damage under".
const TURNING_A_CHECK: [&str; 5] = ["under", "below", "at most", "or less", "or lower"];

/// Whether one of these stands in a text.
fn turns(words: &str, scope: Scope) -> bool {
    let folded = format!(" {} ", fold(words).replace(|letter: char| !letter.is_alphanumeric(), " "));
    let is_there = |word: &&str| folded.contains(&format!(" {word} "));
    TURNING.iter().any(is_there) || (scope == Scope::Check && TURNING_A_CHECK.iter().any(is_there))
}

fn not_read(text: &Text, message: String, severity: Severity) -> Diagnostic {
    let diagnostic = match severity {
        Severity::Error => Diagnostic::error(codes::LEFT_OVER, message),
        _ => Diagnostic::warning(codes::LEFT_OVER, message),
    };
    diagnostic
        .at(text.span(), "this is left over")
        .help(
            "write one expression in one pair of backticks (`{Wits} / 2`, `3d6kh2`), and what is no part of it in a line of its own (`- Succeed: at most the target`)",
        )
}

/// Characters of an expression that a message repeats.
const SHOWN_CHARS_MAX: usize = 60;

/// The beginning of an expression, for a message.
fn shortened(words: &str) -> String {
    crate::names::shortened(words, SHOWN_CHARS_MAX)
}

fn looks_like_notation(words: &str) -> bool {
    let too_much = || parse_formula(words).is_err_and(|error| error.code == Code::LimitExceeded);
    words.contains(['{', '}']) || plain::dice_mentions(words).next().is_some_and(|dice| dice.start == 0) || too_much()
}

/// Words that compare a roll with something, which is another bullet's business.
const COMPARING: [&str; 7] = [" under ", " vs ", " vs. ", " versus ", " against ", " at most ", " or under "];

/// What to write instead; none when nobody knows. `source` is the same with its markup, where Markdown may have taken a
/// `<name>` for HTML.
fn rewritten(words: &str, source: &str) -> Option<String> {
    let lower = format!(" {} ", words.trim().to_ascii_lowercase());
    if let Some(help) = plain::roll_and_keep(words) {
        return Some(help);
    }
    if let Some(word) = COMPARING.iter().find(|word| lower.contains(**word)) {
        let low = matches!(word.trim(), "under" | "at most" | "or under");
        let succeed = if low { ", and - Succeed: at most the target" } else { "" };
        return Some(format!("what it is compared with is a bullet of its own: - Target: `12`{succeed}"));
    }
    if let Some(name) = between(words, '[', ']').or_else(|| between(source, '<', '>')) {
        return Some(format!("what varies stands in braces: `{{{name}}}`"));
    }
    if let Some(number) = lower.trim().strip_suffix('+').or_else(|| lower.trim().strip_prefix(">=")) {
        let number = number.trim();
        return is_number(number).then(|| format!("write the number alone: `{number}`"));
    }
    if let Some(number) = number_word(lower.trim(), 1..=12) {
        return Some(format!("write `{number}`"));
    }
    if ["dc", "tn", "difficulty", "the difficulty", "target number"].contains(&lower.trim()) {
        return Some("write `{difficulty}`: each call gives it".to_owned());
    }
    german_dice(words)
}

/// `2W6` and `1D20`-like letters of other languages: `2T6`, `2t6`.
fn german_dice(words: &str) -> Option<String> {
    let dice: String =
        words.chars().map(|letter| if matches!(letter, 'W' | 'w' | 'T' | 't') { 'd' } else { letter }).collect();
    let at = plain::dice_mentions(&dice).find(|at| words.get(at.clone()) != dice.get(at.clone()))?;
    Some(format!("dice are written with a d: `{}`", dice.get(at)?))
}

fn between(words: &str, open: char, close: char) -> Option<&str> {
    let inner = words.split_once(open)?.1.split_once(close)?.0.trim();
    (!inner.is_empty() && inner.chars().all(|letter| letter.is_alphanumeric() || letter == ' ')).then_some(inner)
}

fn is_number(words: &str) -> bool {
    !words.is_empty() && words.chars().all(|letter| letter.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::rewritten;

    #[test]
    fn what_is_meant_is_told() {
        for (written, told) in [
            ("3d6 under STR", "- Succeed: at most the target"),
            ("1d20 vs AC", "- Target: `12`"),
            ("2d6 + [stat]", "`{stat}`"),
            ("8+", "`8`"),
            (">= 8", "`8`"),
            ("eight", "`8`"),
            ("DC", "`{difficulty}`"),
            ("2W6", "`2d6`"),
        ] {
            let help = rewritten(written, written);
            assert!(help.as_ref().is_some_and(|help| help.contains(told)), "{written}: {help:?}");
        }
        assert!(rewritten("2d6 + ", "2d6 + <stat>").is_some_and(|help| help.contains("`{stat}`")));
        for unknown in ["hard to say", "", "1d20 + + {modifier", "many+"] {
            assert_eq!(rewritten(unknown, unknown), None, "{unknown}");
        }
    }
}
