//! The Conditions section.

use crate::names::same;
use crate::rules::condition::ConditionRule;
use crate::rules::section::SectionKind;

use super::declaration::{bracketed, declaration};
use super::ledger::Ledger;
use super::outline::Outline;

/// Reads the names of the conditions; what they change is kept as text, which is reported once.
pub fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) -> Vec<ConditionRule> {
    let mut conditions: Vec<ConditionRule> = Vec::new();
    for bullet in outline.bullets(SectionKind::Conditions) {
        let Some(declared) = declaration(bullet, ledger) else {
            continue;
        };
        let name = bracketed(&declared.name).0.as_str().to_owned();
        let known = conditions.iter().any(|condition| same(&condition.name, &name));
        if known || !ledger.has_room(conditions.len(), "conditions", declared.span) {
            continue;
        }
        conditions.push(ConditionRule {
            name,
            about: declared.about.as_str().to_owned(),
            place: ledger.place(declared.span),
            span: declared.span,
        });
    }
    if let Some(first) = conditions.iter().find(|condition| !condition.about.is_empty()) {
        let span = first.span;
        ledger.not_read("Conditions", span, "characters can have them; what they change is for the GM to apply");
    }
    conditions
}
