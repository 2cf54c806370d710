//! Expressions in bullets and cells, in notation or in plain words.

use crate::diagnostic::Diagnostic;
use crate::dice::{Formula, parse_formula};
use crate::rules::codes;
use crate::rules::document::Text;

use super::ledger::{Ledger, Scope, Written};
use super::names::Names;
use super::plain;

/// The expression of a value: its first code span, else the whole of it in plain words. What cannot be read is reported.
pub fn read(value: &Text, names: &Names, scope: Scope, ledger: &mut Ledger<'_>) -> Option<Formula> {
    if let Some(code) = value.codes().first() {
        return notation(code, scope, ledger);
    }
    if let Some(formula) = whole(value, names, scope, ledger) {
        return Some(formula);
    }
    // Words alone are told so; what looks like notation is told what is wrong with it.
    if looks_like_notation(value.as_str()) {
        return notation(value, scope, ledger);
    }
    let message = if value.is_empty() {
        "there is no expression here".to_owned()
    } else {
        format!("`{}` cannot be read as an expression", shortened(value.as_str()))
    };
    ledger.report(
        Diagnostic::error(codes::UNREADABLE_FORMULA, message)
            .at(value.span(), "expected an expression")
            .help("write it in backticks, with what varies in braces: `10 + {CON}`"),
    );
    None
}

/// The whole of a value as an expression in plain words; nothing is reported.
pub fn whole(value: &Text, names: &Names, scope: Scope, ledger: &mut Ledger<'_>) -> Option<Formula> {
    let found = plain::whole(value.as_str(), names)?;
    let formula = parse_formula(&found.notation).ok()?;
    ledger.written.push(Written { formula: formula.clone(), text: value.clone(), scope });
    Some(formula)
}

/// An expression in notation. What cannot be read is reported where it stands.
pub fn notation(code: &Text, scope: Scope, ledger: &mut Ledger<'_>) -> Option<Formula> {
    match parse_formula(code.as_str()) {
        Ok(formula) => {
            ledger.written.push(Written { formula: formula.clone(), text: code.clone(), scope });
            Some(formula)
        }
        Err(error) => {
            let message = format!("`{}` cannot be read as an expression", shortened(code.as_str()));
            let why = error.message.trim_end_matches('.').to_owned();
            let mut diagnostic =
                Diagnostic::error(codes::UNREADABLE_FORMULA, message).at(code.span_of(error.span), why);
            if !error.hint.is_empty() {
                diagnostic = diagnostic.help(error.hint);
            }
            ledger.report(diagnostic);
            None
        }
    }
}

/// Characters of an expression that a message repeats.
const SHOWN_CHARS_MAX: usize = 60;

fn shortened(words: &str) -> String {
    let mut shown: String = words.chars().take(SHOWN_CHARS_MAX).collect();
    if shown.len() < words.len() {
        shown.push('…');
    }
    shown
}

fn looks_like_notation(words: &str) -> bool {
    words.contains(['{', '}']) || plain::dice_mentions(words).next().is_some_and(|dice| dice.start == 0)
}
