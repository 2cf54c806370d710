//! The Checks section: one check below each level-3 heading.

mod bullets;
pub mod check;
pub mod check_cost;
pub mod count;
mod default_check;
pub mod follow_up;
mod read;
mod rows;
mod stated;
mod variables;

use crate::grammar::file::CheckPart;
use crate::language::attributes::read::assume_modifiers;
use crate::language::clause::Bullet;
use crate::language::ledger::Ledger;
use crate::language::number_table::Base;
use crate::language::outline::Outline;
use crate::language::skills::Skill;
use crate::language::summary::{Summary, with_note};
use crate::language::system::System;
use crate::when::facts::Succeed;
use rollbook_dice::brief;
use rollbook_text::names::same;

pub use check::{Check, Flag, RESULT, Row, Shift, row_formula, target_name};
pub use check_cost::CheckCost;
pub use count::{Count, Weight};
pub use follow_up::FollowUp;
pub use rows::without_column;
pub use stated::{Stated, StatedEnds, StatedFault, stated};

/// Reads the checks, else assumes one.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    read::read(outline, system, ledger);
    // Beside a check that cannot be read, a default would be a rule that the author did not want.
    if system.checks.is_empty() && system.lost_checks.is_empty() {
        system
            .checks
            .extend(default_check::read(outline, system, ledger));
    }
    assign_skills(outline, system);
    assume_modifiers(system, ledger);
}

/// Gives each skill of a table below a check's heading to that check.
fn assign_skills(outline: &Outline<'_>, system: &mut System) {
    let checks = outline
        .file
        .checks
        .iter()
        .filter(|part| system.checks.iter().any(|check| check.span == part.span));
    let tables = |part: &CheckPart| {
        outline
            .file
            .tables
            .get(part.tables.clone())
            .unwrap_or_default()
            .iter()
    };
    let all = checks.flat_map(|part| tables(part).map(move |table| (table.span, &part.name)));
    for (table, check) in all {
        let of_table = |skill: &&mut Skill| matches!(&skill.base, Some(Base::Table(base)) if table.holds(base.span));
        system
            .skills
            .iter_mut()
            .filter(of_table)
            .for_each(|skill| skill.check = Some(check.clone()));
    }
}

/// Writes the summary's lines about checks.
pub fn describe(system: &System, summary: &mut Summary) {
    // One line for the check, one for each bullet and each row.
    for check in &system.checks {
        let what_is_compared = if check.count.is_some() {
            "successes "
        } else {
            ""
        };
        let target = check.target.as_ref().map(|target| match check.succeed {
            Succeed::AtLeast => format!(", {what_is_compared}at least {target}"),
            Succeed::AtMost => format!(", {what_is_compared}at most {target}"),
        });
        let what = format!(
            "{}{}",
            brief(&check.roll.to_string()),
            target.unwrap_or_default()
        );
        summary.line(
            &check.name,
            &with_note(what, check.assumed),
            Some(&check.place),
        );
        let is_shown = |bullet: &&Bullet| {
            !["Roll", "Target"]
                .iter()
                .any(|label| same(label, &bullet.label))
        };
        for bullet in check.bullets.iter().filter(is_shown) {
            summary.line(
                &format!("  {}", bullet.label),
                &bullet.text,
                Some(&bullet.place),
            );
        }
        for row in &check.rows {
            let label = match row.canonical.as_str() == row.label.to_lowercase() {
                true => row.label.clone(),
                false => format!("{} ({})", row.label, row.canonical),
            };
            summary.line(
                &format!("  {label}"),
                &row.when_text,
                Some(&row.place).filter(|_| !check.assumed),
            );
            for effect in &row.moves {
                summary.line("    moves", &effect.text, Some(&effect.place));
            }
            if let Some(damage) = &row.damage {
                summary.line("    deals", &damage.to_string(), Some(&row.place));
            }
            for condition in &row.effects {
                summary.line("    brings", condition, Some(&row.place));
            }
        }
    }
}
