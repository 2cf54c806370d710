//! The Advancement section: experience, levels, skills that improve by use.

pub mod model;

use crate::grammar::condition::Condition;
use crate::grammar::effect::{Act, Effect, Move, Moved, Sign};
use crate::grammar::file::Rule;
use crate::grammar::line::{AdvancementLine, Line};
use crate::grammar::table::Table;
use crate::grammar::tree::{Expr, Op, Part, Ref};
use crate::language::clause::Clause;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering;
use crate::language::outline::Outline;
use crate::language::summary::Summary;
use crate::language::system::System;
use crate::section::SectionKind;

pub use model::{Advancement, Improvement, Threshold};

/// Reads the section.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Advancement {
    let mut advancement = Advancement::default();
    for rule in outline.rules(SectionKind::Advancement) {
        let Line::Advancement(line) = &rule.line else {
            continue;
        };
        match line {
            AdvancementLine::LevelUpAt(points) => {
                let place = ledger.place(rule.span);
                let what = lowering::formula(
                    points,
                    &system.named_dice,
                    (rule.span, Scope::Sheet),
                    ledger,
                );
                match what {
                    Some(what) if lowering::depends_only_on(&what, "level") => {
                        advancement.level_up = Some(Clause { what, place })
                    }
                    Some(_) => {
                        let help = "write ``- Level up at: `7 + {level}` XP``, or a table with the columns Level and XP";
                        lowering::refuse(
                            rule.span,
                            "expected a number, or one by the level",
                            help,
                            ledger,
                        );
                    }
                    None => {}
                }
            }
            AdvancementLine::Tick(outcomes) => {
                advancement.ticks = Some(Clause {
                    what: outcomes.clone(),
                    place: ledger.place(rule.span),
                });
            }
            AdvancementLine::EachTick(items) => match improvement(items, rule, system, ledger) {
                Some(found) => advancement.improvement = Some(found),
                None => lowering::refuse(
                    rule.span,
                    "a tick is rolled for, against the skill without dice, and what the skill gains follows",
                    "write ``- Each tick: {skill} +1d10 if `1d100 > {skill}` ``",
                    ledger,
                ),
            },
        }
    }
    for table in outline
        .file
        .tables
        .iter()
        .filter(|table| table.section == SectionKind::Advancement)
    {
        let Table::Levels(rows) = &table.table else {
            continue;
        };
        if !advancement.thresholds.is_empty() {
            lowering::refuse(
                table.span,
                "a table of levels is given before",
                "take one of the two away",
                ledger,
            );
            continue;
        }
        advancement.thresholds = rows
            .iter()
            .map(|(level, xp)| Threshold {
                level: *level,
                xp: *xp,
            })
            .collect();
        advancement
            .thresholds
            .sort_by_key(|threshold| threshold.level);
        advancement.thresholds_place = Some(ledger.place(table.span));
    }
    advancement
}

/// ``{skill} +1d10 if `1d100 > {skill}` ``
fn improvement(
    effects: &[Effect],
    rule: &Rule,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Option<Improvement> {
    let [effect] = effects else { return None };
    let (
        Act::Move(Moved::Ref(moved), Move::By(Sign::Plus, gain)),
        Some(Condition::Within(test, None)),
    ) = (&effect.act, &effect.only_if)
    else {
        return None;
    };
    let Expr::Binary(roll, op, against) = test else {
        return None;
    };
    let is_skill = |reference: &Ref| {
        reference.name == "skill" && reference.part == Part::Whole && !reference.of_target
    };
    if !is_skill(moved) || !matches!(op, Op::More | Op::AtLeast | Op::Less | Op::AtMost) {
        return None;
    }
    let mut formula = |expr: &Expr| {
        lowering::formula(expr, &system.named_dice, (rule.span, Scope::Check), ledger)
    };
    let (roll, against, gain) = (formula(roll)?, formula(against)?, formula(gain)?);
    if !against.labelled_dice().is_empty() {
        return None;
    }
    let place = ledger.place(rule.span);
    Some(Improvement {
        roll,
        op: *op,
        against,
        gain,
        place,
    })
}

/// Writes the summary's lines about advancement.
pub fn describe(system: &System, summary: &mut Summary) {
    for bullet in system.bullets(SectionKind::Advancement) {
        summary.line(&bullet.label, &bullet.text, Some(&bullet.place));
    }
    let advancement = &system.advancement;
    if let (Some(first), Some(last)) = (
        advancement.thresholds.first(),
        advancement.thresholds.last(),
    ) {
        let what = format!(
            "a table from level {} ({}) to {} ({})",
            first.level, first.xp, last.level, last.xp
        );
        summary.line("levels", &what, advancement.thresholds_place.as_ref());
    }
}
