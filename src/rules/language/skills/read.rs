//! What a character has learned, from the lines of the section.

use super::base::Base;
use super::skill::{DeclaredBy, Skill};
use crate::names::{fold, same};
use crate::rules::grammar::line::{Line, ScoreLine};
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// The skills with their links, ranges and bases.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<Skill> {
    let mut skills: Vec<Skill> = Vec::new();
    let mut of_all: Option<(i64, i64)> = None;
    for rule in outline.rules(SectionKind::Skills) {
        let own = match &rule.line {
            Line::Scores(ScoreLine::Declared(own)) => own,
            Line::Scores(ScoreLine::Range(own)) if rule.depth == 0 => {
                of_all = Some(*own);
                continue;
            }
            _ => {
                let help =
                    "one `- Range: 0 to 5` at the margin bounds all skills; what bounds one stands in its brackets";
                lower::refuse(rule.span, "it stands below another bullet", help, ledger);
                continue;
            }
        };
        if !ledger.has_room(skills.len(), "skills", rule.span) {
            break;
        }
        let attribute = own.attribute.as_ref().and_then(|name| system.named_attribute(name));
        let base = own.base.as_ref().and_then(|own| {
            let found = lower::formula(own, &system.own_dice, (rule.span, Scope::Sheet), ledger)?;
            if found.labelled_dice().is_empty() {
                return Some(Base::Formula(found));
            }
            let why = "a base is worked out again and again, so it has no dice";
            lower::refuse(
                rule.span,
                why,
                "roll it when the character is made, and put the number on the sheet",
                ledger,
            );
            None
        });
        skills.push(Skill {
            name: own.name.clone(),
            attribute: attribute.map(|own| own.name.clone()),
            range: own.range,
            base,
            check: None,
            about: rule.words.clone(),
            by: DeclaredBy::List,
            place: ledger.place(rule.span),
            span: rule.span,
        });
    }
    skills.iter_mut().for_each(|own| own.range = own.range.or(of_all));
    skills
}

/// Whether an attribute has this name, too.
pub(super) fn is_attribute(name: &str, system: &System) -> bool {
    system.attributes.iter().any(|own| own.is_called(&fold(name)) || same(&own.name, name))
}
