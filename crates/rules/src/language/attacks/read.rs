//! Reads a table of attacks: `| Weapon | Skill | Damage | Type | Target effect |`.

use super::attack::CommonAttack;
use crate::grammar::table::{Attack, Table};
use crate::language::effects::gains;
use crate::language::ledger::{Ledger, Scope};
use crate::language::lower;
use crate::language::outline::Outline;
use crate::language::system::System;
use rollbook_text::diagnostic::Span;
use rollbook_text::names::same;

/// Every attack, in order. A table of which a row cannot be carried out is lost as a whole.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<CommonAttack> {
    let mut all: Vec<CommonAttack> = Vec::new();
    for table in &outline.file.tables {
        let Table::Attacks(rows) = &table.table else { continue };
        let mut found = Vec::new();
        for (nth, own) in rows.iter().enumerate() {
            let span = table.rows.get(nth).copied().unwrap_or(table.span);
            let known = all.iter().chain(&found).any(|known| same(&known.name, &own.name));
            let made = match known {
                true => {
                    let why = "an attack of this name is given before";
                    lower::refuse(span, why, "take one of the two away", ledger);
                    None
                }
                false => attack(own, span, system, ledger),
            };
            let Some(made) = made else {
                found.clear();
                break;
            };
            found.push(made);
        }
        for own in found {
            if ledger.has_room(all.len(), "attacks", table.span) {
                all.push(own);
            }
        }
    }
    all
}

/// `None` where a row cannot be carried out, which is reported.
fn attack(own: &Attack, span: Span, system: &System, ledger: &mut Ledger<'_>) -> Option<CommonAttack> {
    if own.skill.is_some() && own.attribute.is_some() {
        let why = "an attack is rolled with a skill or with an attribute";
        lower::refuse(span, why, "leave one of the two cells empty", ledger);
        return None;
    }
    let attribute = own.attribute.as_ref().map(|name| system.named_attribute(name).map_or(name, |own| &own.name));
    let conditions = lower::reported(gains(&own.target_effects, system), span, ledger)?;
    let damage = lower::formula(&own.damage, &system.own_dice, (span, Scope::Check), ledger)?;
    Some(CommonAttack {
        name: own.name.clone(),
        skill: own.skill.as_ref().or(attribute).cloned(),
        bonus: own.bonus,
        damage: damage.to_string(),
        kind: own.kind.clone(),
        conditions: conditions.iter().map(|own| own.to_lowercase()).collect(),
        place: ledger.place(span),
    })
}
