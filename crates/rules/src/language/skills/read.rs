//! Skills from the lines of the section.

use super::skill::{DeclaredBy, Skill};
use crate::grammar::line::{Line, ScoreLine};
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering;
use crate::language::number_table::Base;
use crate::language::outline::Outline;
use crate::language::system::System;
use crate::section::SectionKind;

/// The skills with their attributes, ranges and bases.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<Skill> {
    let mut skills: Vec<Skill> = Vec::new();
    let mut of_all: Option<(i64, i64)> = None;
    for rule in outline.rules(SectionKind::Skills) {
        let declared = match &rule.line {
            Line::Scores(ScoreLine::Declared(declared)) => declared,
            Line::Scores(ScoreLine::Range(range)) if rule.depth == 0 => {
                of_all = Some(*range);
                continue;
            }
            _ => {
                let help = "one `- Range: 0 to 5` at the margin bounds all skills; what bounds one stands in its brackets";
                lowering::refuse(rule.span, "it stands below another bullet", help, ledger);
                continue;
            }
        };
        if !ledger.has_room(skills.len(), "skills", rule.span) {
            break;
        }
        let at = (rule.span, Scope::Sheet);
        let base = declared
            .base
            .as_ref()
            .map(|expr| lowering::formula_without_dice(expr, &system.named_dice, at, ledger));
        let base = base
            .and_then(|formula| lowering::report_refused(formula, rule.span, ledger))
            .map(Base::Formula);
        let attribute = declared
            .attribute
            .as_ref()
            .and_then(|name| Some(system.named_attribute(name)?.name.clone()));
        let (name, about, place) = (
            declared.name.clone(),
            rule.words().to_owned(),
            ledger.place(rule.span),
        );
        let (range, check, by, span) = (declared.range, None, DeclaredBy::List, rule.span);
        skills.push(Skill {
            name,
            attribute,
            range,
            base,
            check,
            about,
            by,
            place,
            span,
        });
    }
    skills
        .iter_mut()
        .for_each(|skill| skill.range = skill.range.or(of_all));
    skills
}
