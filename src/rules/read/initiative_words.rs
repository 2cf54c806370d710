//! Initiative in a sentence of the Combat section, where no bullet says it.
//!
//! Apart from the bullet, because what prose says is taken for granted and an author is told of it.

use crate::diagnostic::Diagnostic;
use crate::dice::{Formula, parse_formula};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::initiative::{Initiative, InitiativeKind};
use crate::rules::section::SectionKind;

use super::combat::{numbers, order_and_frequency};
use super::ledger::{Ledger, Scope, Written};
use super::names::Names;
use super::outline::Outline;
use super::plain;

/// "Turn-based combat with initiative (d20 + DEX modifier), highest first, rolled once per fight."
pub(super) fn from_prose(outline: &Outline<'_>, names: &Names, ledger: &mut Ledger<'_>) -> Option<Initiative> {
    for text in outline.paragraphs(SectionKind::Combat) {
        let lower = text.as_str().to_ascii_lowercase();
        let Some(at) = lower.find("initiative") else {
            continue;
        };
        let start = lower.get(..at)?.rfind(". ").map_or(0, |dot| dot + 2);
        let end = lower.get(at..)?.find(". ").map_or(lower.len(), |dot| at + dot);
        let sentence = text.slice(start..end);
        let span = text.span_of(at..at + "initiative".len());
        let mut initiative = Initiative { place: Some(ledger.place(span)), ..Initiative::default() };
        order_and_frequency(&fold(sentence.as_str()), &mut initiative);
        initiative.kind = if lower.get(start..at)?.trim_end().ends_with("no") {
            InitiativeKind::None
        } else {
            numbers(expression(&sentence, names, ledger)?)
        };
        let what = match &initiative.kind {
            InitiativeKind::None => "there is no initiative".to_owned(),
            InitiativeKind::Rolled(formula) | InitiativeKind::Fixed(formula) => {
                format!("initiative is {formula}")
            }
            _ => "initiative is given".to_owned(),
        };
        ledger.assume(format!("{what}; to be sure write an `- Initiative:` bullet"), initiative.place.clone());
        return Some(initiative);
    }
    None
}

/// The dice of a sentence, or what its bracket says.
fn expression(sentence: &Text, names: &Names, ledger: &mut Ledger<'_>) -> Option<Formula> {
    let words = sentence.as_str();
    let found = plain::first_dice(words, names).or_else(|| {
        let open = words.find('(')? + 1;
        let close = words.get(open..)?.find(')')? + open;
        plain::whole(words.get(open..close)?, names)
            .map(|found| plain::Found { at: found.at.start + open..found.at.end + open, ..found })
    })?;
    let formula = parse_formula(&found.notation).ok()?;
    if let Some(unknown) = plain::undeclared(words, found.at.end) {
        let name = sentence.slice(unknown);
        let message = format!("`{}` is not declared, so it is not added", name.as_str());
        ledger.report(
            Diagnostic::warning(codes::UNDECLARED_NAME, message)
                .at(name.span(), "nothing is called so")
                .help("declare it under Attributes or Skills, or write an `- Initiative:` bullet"),
        );
    }
    ledger.written.push(Written { formula: formula.clone(), text: sentence.slice(found.at), scope: Scope::Character });
    Some(formula)
}
