//! Attacks that all may make: tables of rules with the columns Attack or Weapon, and Damage.

mod attack;

use crate::grammar::table::{Attack, Table};
use crate::language::effects::gains;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lowering;
use crate::language::outline::Outline;
use crate::language::summary::Summary;
use crate::language::system::System;
use rollbook_text::diagnostic::Span;
use rollbook_text::names::same;

pub use attack::CommonAttack;

/// Every attack, in order. A table with a row that cannot be carried out is left out as a whole.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<CommonAttack> {
    let mut all: Vec<CommonAttack> = Vec::new();
    for table in &outline.file.tables {
        let Table::Attacks(rows) = &table.table else {
            continue;
        };
        let mut found = Vec::new();
        for (nth, row) in rows.iter().enumerate() {
            let span = table.rows.get(nth).copied().unwrap_or(table.span);
            let known = all
                .iter()
                .chain(&found)
                .any(|known| same(&known.name, &row.name));
            let made = match known {
                true => {
                    let why = "an attack of this name is given before";
                    lowering::refuse(span, why, "take one of the two away", ledger);
                    None
                }
                false => attack(row, span, system, ledger),
            };
            let Some(made) = made else {
                found.clear();
                break;
            };
            found.push(made);
        }
        for attack in found {
            if ledger.has_room(all.len(), "attacks", table.span) {
                all.push(attack);
            }
        }
    }
    all
}

/// The attack of a row; none after reporting why it cannot be carried out.
fn attack(
    row: &Attack,
    span: Span,
    system: &System,
    ledger: &mut Ledger<'_>,
) -> Option<CommonAttack> {
    if row.skill.is_some() && row.attribute.is_some() {
        let why = "an attack is rolled with a skill or with an attribute";
        lowering::refuse(span, why, "leave one of the two cells empty", ledger);
        return None;
    }
    let attribute = row.attribute.as_ref().map(|name| {
        system
            .named_attribute(name)
            .map_or(name, |attribute| &attribute.name)
    });
    let conditions = lowering::report_refused(gains(&row.target_effects, system), span, ledger)?;
    let damage = lowering::formula(
        &row.damage,
        &system.named_dice,
        (span, Scope::Check),
        ledger,
    )?;
    Some(CommonAttack {
        name: row.name.clone(),
        skill: row.skill.as_ref().or(attribute).cloned(),
        bonus: row.bonus,
        damage: damage.to_string(),
        kind: row.kind.clone(),
        conditions: conditions
            .iter()
            .map(|condition| condition.to_lowercase())
            .collect(),
        place: ledger.place(span),
    })
}

/// Writes the summary's lines about attacks.
pub fn describe(system: &System, summary: &mut Summary) {
    if !system.attacks.is_empty() && system.checks.len() > 1 {
        let of_attacks = system.check_for_name(None, true);
        let first = || {
            system
                .checks
                .first()
                .map(|first| (first, "the first check"))
        };
        if let Some((check, why)) = of_attacks.map(|check| (check, "")).or_else(first) {
            let why = if why.is_empty() {
                String::new()
            } else {
                format!(", {why}; another is said by `check`")
            };
            summary.line(
                "rolled by",
                &format!("{}{why}", check.name),
                Some(&check.place),
            );
        }
    }
    for attack in &system.attacks {
        summary.line(&attack.name, &attack.describe(), Some(&attack.place));
    }
}
