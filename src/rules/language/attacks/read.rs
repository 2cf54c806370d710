//! Reads a table of attacks: `| Weapon | Skill | Damage | Type | Target effect |`.

use super::attack::CommonAttack;
use crate::diagnostic::Span;
use crate::names::same;
use crate::rules::grammar::effect::{Act, Effect, Item};
use crate::rules::grammar::table::{Attack, Table};
use crate::rules::language::effects::condition_called;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::lower;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;

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

/// Why a row cannot be carried out, and what to write instead.
pub type Why = (&'static str, &'static str);

/// `None` where a row cannot be carried out, which is reported.
fn attack(own: &Attack, span: Span, system: &System, ledger: &mut Ledger<'_>) -> Option<CommonAttack> {
    if own.skill.is_some() && own.attribute.is_some() {
        let why = "an attack is rolled with a skill or with an attribute";
        lower::refuse(span, why, "leave one of the two cells empty", ledger);
        return None;
    }
    let attribute = own.attribute.as_ref().map(|name| system.named_attribute(name).map_or(name, |own| &own.name));
    let conditions = gains(&own.target_effects, system);
    let conditions = conditions.map_err(|(why, instead)| lower::refuse(span, why, instead, ledger)).ok()?;
    let damage = lower::formula(&own.damage, &system.own_dice, (span, Scope::Check), ledger)?;
    Some(CommonAttack {
        name: own.name.clone(),
        skill: own.skill.as_ref().or(attribute).cloned(),
        bonus: own.bonus,
        damage: damage.to_string(),
        kind: own.kind.clone(),
        conditions,
        place: ledger.place(span),
    })
}

/// The conditions that a hit brings: `prone`, `burning 2`.
///
/// # Errors
/// When it brings anything else, or a level that the condition lacks.
pub fn gains(items: &[Item], system: &System) -> Result<Vec<String>, Why> {
    let mut conditions = Vec::new();
    for item in items {
        let Item::Effect(effect) = item else { continue };
        let Effect { act: Act::Gain { condition, level, lasts: None }, only_if: None } = effect.as_ref() else {
            return Err(("a hit brings conditions upon the target, and nothing else", "write `gain Prone`"));
        };
        let level = match level {
            Some(level) => Some(lower::number(level).ok_or(("a level is a number", "write `gain Burning 2`"))?),
            None => None,
        };
        let levels = system.condition(condition).and_then(|own| own.levels);
        if level.is_some_and(|level| !levels.is_some_and(|(low, high)| (low..=high).contains(&level))) {
            return Err(("the condition has no such level", "name one of its levels: `- Burning (1-3)`"));
        }
        let name = condition_called(condition, system).to_lowercase();
        conditions.push(level.map_or_else(|| name.clone(), |level| format!("{name} {level}")));
    }
    Ok(conditions)
}
