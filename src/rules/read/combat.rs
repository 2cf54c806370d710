//! The Combat section: who acts when.

use crate::diagnostic::{Diagnostic, Span};
use crate::dice::Formula;
use crate::names::fold;
use crate::rules::check::main_die;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::initiative::{Alternative, Initiative, InitiativeKind, InitiativeWhen, TieBreak};
use crate::rules::section::SectionKind;
use crate::rules::system::System;

use super::declaration::bracketed;
use super::formula;
use super::initiative_words::from_prose;
use super::labels::{Labelled, labelled, report_misspelt, report_repeated};
use super::ledger::{Ledger, Scope};
use super::names::Names;
use super::outline::Outline;
use super::ties::tie_breaks;

/// The labels that the section knows.
pub const LABELS: [&str; 3] = ["Initiative", "Ties", "Held effects"];

/// Reads the initiative rule: a bullet, else a sentence of the prose, else the default.
pub fn read(outline: &Outline<'_>, names: &Names, system: &System, ledger: &mut Ledger<'_>) -> Initiative {
    let mut bullet: Option<(Initiative, Span)> = None;
    let mut ties: Option<(Vec<TieBreak>, Span)> = None;
    for found in outline.bullets(SectionKind::Combat) {
        let Some(label) = labelled(found, ledger) else {
            continue;
        };
        if ["initiative", "ties", "tie"].contains(&label.folded.as_str()) {
            ledger.take(label.span);
        }
        match label.folded.as_str() {
            "initiative" => match &bullet {
                Some((_, first)) => report_repeated(&label, *first, ledger),
                None => bullet = Some((from_bullet(&label, names, ledger), label.span)),
            },
            "ties" | "tie" => match &ties {
                Some((_, first)) => report_repeated(&label, *first, ledger),
                None => ties = Some((tie_breaks(&label, system, ledger), label.span)),
            },
            // See [`super::held`].
            "held effects" => {}
            _ => drop(report_misspelt(&label, &LABELS, ledger)),
        }
    }
    let mut initiative = match bullet {
        Some((initiative, _)) => initiative,
        None => from_prose(outline, names, ledger).unwrap_or_default(),
    };
    if let Some((breaks, span)) = ties {
        initiative.ties = breaks;
        initiative.ties_place = Some(ledger.place(span));
    }
    initiative
}

fn from_bullet(label: &Labelled, names: &Names, ledger: &mut Ledger<'_>) -> Initiative {
    let words = fold(label.value.as_str());
    let mut initiative = Initiative { place: Some(ledger.place(label.span)), assumed: false, ..Initiative::default() };
    order_and_frequency(&words, &mut initiative);
    let parts = label.value.split_all(&[",", ";"]);
    let Some(first) = parts.first() else {
        report_unreadable(&label.label, ledger);
        return initiative;
    };
    let mut others = parts.get(1..).unwrap_or_default().to_vec();
    initiative.kind = match fold(first.as_str()).as_str() {
        "none" | "no" | "no initiative" => InitiativeKind::None,
        "cards" | "card" => InitiativeKind::Cards,
        side if side.starts_with("per side") || side.starts_with("by side") => {
            let number = parts.iter().find(|part| !part.codes().is_empty());
            others.retain(|part| Some(part) != number);
            InitiativeKind::PerSide(number.and_then(|part| formula::read(part, names, Scope::Character, ledger)))
        }
        _ if !first.codes().is_empty() => {
            let (number, bracket) = number_and_bracket(first);
            match formula::read(&number, names, Scope::Character, ledger) {
                Some(formula) => {
                    initiative.alternatives.extend(bracket.and_then(|text| in_brackets(&text, names, ledger)));
                    numbers(formula)
                }
                None => InitiativeKind::Given,
            }
        }
        _ => match formula::whole(first, names, Scope::Character, ledger) {
            Some(formula) => numbers(formula),
            None => several(first, names, &mut initiative.alternatives, ledger),
        },
    };
    formula::beside(&others, ledger);
    initiative
}

/// ``(`{DEX} + 50` with a readied gun)`` apart from the number before it, where the brackets hold code and words.
fn number_and_bracket(first: &Text) -> (Text, Option<Text>) {
    let (number, bracket) = bracketed(first);
    let is_another = |bracket: &Text| matches!(bracket.codes().as_slice(), [code] if code.as_str() != bracket.as_str());
    match bracket.filter(|bracket| !number.codes().is_empty() && is_another(bracket)) {
        Some(bracket) => (number, Some(bracket)),
        None => (first.clone(), None),
    }
}

fn in_brackets(bracket: &Text, names: &Names, ledger: &mut Ledger<'_>) -> Option<Alternative> {
    let codes = bracket.codes();
    let code = codes.first()?;
    let words = bracket.as_str();
    let Some(when) = words.strip_prefix(code.as_str()).or_else(|| words.strip_suffix(code.as_str())) else {
        formula::beside(std::slice::from_ref(bracket), ledger);
        return None;
    };
    let number = formula::notation(code, names, Scope::Character, ledger)?;
    Some(Alternative { number, when: when.trim().to_owned() })
}

/// `Notice (physical) or Empathy (mental)`: the first is the usual one. What is not declared is for the GM to give.
fn several(
    first: &Text,
    names: &Names,
    alternatives: &mut Vec<Alternative>,
    ledger: &mut Ledger<'_>,
) -> InitiativeKind {
    let parts = first.split_all(&[" or "]);
    let named = parts.len() > 1 && parts.iter().all(|part| bracketed(part).1.is_some());
    if !named {
        report_unreadable(first, ledger);
        return InitiativeKind::Given;
    }
    let mut kind = None;
    for part in &parts {
        let (name, when) = bracketed(part);
        let Some(number) = formula::whole(&name, names, Scope::Character, ledger) else {
            ledger.left_to_gm(name.span(), "not declared as a skill or an attribute, so the GM gives the numbers");
            return InitiativeKind::Given;
        };
        let when = when.map(|when| when.as_str().to_owned()).unwrap_or_default();
        match kind {
            None => kind = Some(numbers(number)),
            Some(_) => alternatives.push(Alternative { number, when }),
        }
    }
    kind.unwrap_or(InitiativeKind::Given)
}

/// With dice it is rolled, without it is fixed.
pub(super) fn numbers(formula: Formula) -> InitiativeKind {
    if main_die(&formula).is_some() { InitiativeKind::Rolled(formula) } else { InitiativeKind::Fixed(formula) }
}

pub(super) fn order_and_frequency(folded: &str, initiative: &mut Initiative) {
    initiative.highest_first = !folded.contains("lowest first");
    if folded.contains("each round") || folded.contains("every round") {
        initiative.when = InitiativeWhen::EachRound;
    }
}

fn report_unreadable(value: &Text, ledger: &mut Ledger<'_>) {
    ledger.report(
        Diagnostic::warning(codes::UNREADABLE_INITIATIVE, "this initiative cannot be read")
            .at(value.span(), "expected an expression, `cards`, `per side` or `none`")
            .because("the GM gives the numbers")
            .help("write it in backticks: - Initiative: `1d20 + {DEX}`, highest first, once per fight"),
    );
}
