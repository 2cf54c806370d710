//! The bullet about effects that somebody holds: `- Held effects: damage asks for Will; end when Stunned`.

use super::held::{Against, CheckBy, Held, HeldCheck, Share};
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::{fold, misspellings, same};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::labels::{labelled, report_repeated};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// What opens a clause about damage.
const ASKS: [&str; 2] = ["damage asks for ", "damage asks "];
/// What opens a clause about conditions.
const ENDS: [&str; 4] = ["end when ", "ends when ", "end while ", "ends while "];

/// Reads it; conditions and checks must have been read.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Held {
    let mut held = Held::default();
    let mut first = None;
    for bullet in outline.bullets(SectionKind::Combat) {
        let Some(label) = labelled(bullet, ledger).filter(|label| label.folded == "held effects") else { continue };
        ledger.take(label.span);
        if let Some(first) = first {
            report_repeated(&label, first, ledger);
            continue;
        }
        first = Some(label.span);
        held.place = Some(ledger.place(label.span));
        for clause in label.value.split_all(&[";"]) {
            if let Some(asked) = behind(&clause, &ASKS) {
                held.asks = check(&asked, system, ledger);
            } else if let Some(named) = behind(&clause, &ENDS) {
                let names = named.split_all(&[",", " or ", " and "]);
                held.ends.extend(names.iter().filter_map(|name| condition(name, system, ledger)));
            } else {
                unreadable(&clause, "expected `damage asks for …` or `end when …`", ledger);
            }
        }
    }
    held
}

fn behind(clause: &Text, openings: &[&str]) -> Option<Text> {
    let lower = clause.as_str().to_ascii_lowercase();
    let opening = openings.iter().find(|opening| lower.starts_with(**opening))?;
    Some(clause.slice(opening.len()..clause.as_str().len()).trim())
}

/// `Will`, `a CON check against half the damage, at least 10`.
fn check(asked: &Text, system: &System, ledger: &mut Ledger<'_>) -> Option<HeldCheck> {
    let (named, against) = match asked.split_at_any(&[" against "]) {
        Some((named, against)) => (named, Some(against)),
        None => (asked.clone(), None),
    };
    let named = behind(&named, &["a ", "an "]).unwrap_or(named);
    let words = named.as_str();
    let short = words.strip_suffix(" check").or_else(|| words.strip_suffix(" save")).unwrap_or(words).trim();
    let found = [words, short].into_iter().find_map(|name| declared(system, name));
    let Some((name, by)) = found else {
        let checks = system.checks.iter().map(|own| own.name.as_str());
        let skills = system.skills.iter().map(|own| own.name.as_str());
        let attributes = system.attributes.iter().map(|own| own.name.as_str());
        unknown(
            &named,
            "check, skill or attribute",
            &misspellings(short, checks.chain(skills).chain(attributes)),
            ledger,
        );
        return None;
    };
    let against = against.and_then(|text| {
        let read = difficulty(text.as_str());
        if read.is_none() {
            unreadable(&text, "expected a number, `the damage` or `half the damage, at least 10`", ledger);
        }
        read
    });
    Some(HeldCheck { name, by, against })
}

fn declared(system: &System, name: &str) -> Option<(String, CheckBy)> {
    let check = || system.check(name).ok().map(|own| (own.name.clone(), CheckBy::Check));
    let skill = || system.named_skill(name).map(|own| (own.name.clone(), CheckBy::Skill));
    let attribute = || system.named_attribute(name).map(|own| (own.name.clone(), CheckBy::Attribute));
    skill().or_else(attribute).or_else(check)
}

fn difficulty(words: &str) -> Option<Against> {
    let mut parts = words.split(',').map(fold);
    let first = parts.next()?;
    let least = match parts.next() {
        Some(least) => Some(least.strip_prefix("at least ")?.parse().ok()?),
        None => None,
    };
    let damage = match first.as_str() {
        "the damage" | "damage" => Some(Share::All),
        "half the damage" | "half of the damage" | "half damage" => Some(Share::Half),
        number if least.is_none() => return Some(Against { damage: None, least: number.parse().ok()? }),
        _ => return None,
    };
    parts.next().is_none().then(|| Against { damage, least: least.unwrap_or(0) })
}

/// A condition as it is declared; where none is, any name is one.
fn condition(named: &Text, system: &System, ledger: &mut Ledger<'_>) -> Option<String> {
    let words = named.as_str().trim();
    if words.is_empty() {
        return None;
    }
    let found = system.condition_names().find(|own| same(own, words)).map(str::to_owned);
    if found.is_none() && !system.conditions.is_empty() {
        unknown(named, "condition", &misspellings(words, system.condition_names()), ledger);
        return None;
    }
    Some(found.unwrap_or_else(|| words.to_owned()))
}

fn unknown(named: &Text, what: &str, suggestions: &[&str], ledger: &mut Ledger<'_>) {
    let message = format!("no {what} is called `{}`", named.as_str());
    let mut diagnostic = Diagnostic::warning(codes::UNREADABLE_HELD, message).at(named.span(), "passed over");
    if let Some(meant) = suggestions.first() {
        let fix = Fix { span: named.span(), replacement: (*meant).to_owned(), message: format!("call it `{meant}`") };
        diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
        diagnostic = if suggestions.len() == 1 { diagnostic.fix(fix) } else { diagnostic.perhaps(fix) };
    }
    ledger.report(diagnostic);
}

fn unreadable(text: &Text, expected: &str, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::warning(
            codes::UNREADABLE_HELD,
            format!("`{}` says nothing that is known of held effects", text.as_str()),
        )
        .at(text.span(), "passed over")
        .help(expected.to_owned()),
    );
}
