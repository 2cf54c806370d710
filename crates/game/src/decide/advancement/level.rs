//! One level, or another kind of advance: its price and everything that comes with it.

use super::price::{Price, price};
use super::ticks::improve;
use crate::decide::character::{SheetCall, apply_checked, revise};
use crate::mechanics::lookup;
use crate::record::event::{Event, LevelUp};
use crate::record::state::Character;
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};

/// Levels up, with the choices: scores, skills, tracks as they are afterwards. Ticked skills are rolled for first; where the rules have no other advance, that is all.
pub fn level_up(table: &mut Table, who: Option<&str>, call: &SheetCall) -> Result<(), Refusal> {
    let before = match who {
        Some(who) => lookup::character(table.state, table.system(), who)?.clone(),
        None => lookup::sole_player(table.state, table.system())?.clone(),
    };
    let rules = &table.system().advancement;
    let others = rules.level_up.is_some() || !rules.thresholds.is_empty();
    let Some(improvement) = rules.improvement.clone() else { return step(table, before, call) };
    let ticked = !before.ticks.is_empty();
    if ticked {
        let improved = improve(table, &before, &improvement)?;
        return if others && price(table.system(), &improved).is_ok() { step(table, improved, call) } else { Ok(()) };
    }
    if others {
        return step(table, before, call);
    }
    let summary = format!(
        "{} has no ticked skill to improve. Send action=\"award\" advance={{\"…\": 1}} for each skill that earned a tick.",
        before.name
    );
    Err(Refusal::new(Code::NotYet, summary).at(improvement.place.to_string()))
}

fn step(table: &mut Table, before: Character, call: &SheetCall) -> Result<(), Refusal> {
    let reason = call.override_reason.clone();
    let price = match price(table.system(), &before) {
        // The GM may give a level early; it is free.
        Err(refusal) if refusal.code == Code::NotYet && reason.is_some() => Price::Free,
        other => other?,
    };
    let mut after = apply_checked(table.system(), &before, call)?;
    match price {
        Price::Total(_) | Price::Free => after.level = before.level.saturating_add(1),
        Price::Spent(xp) => {
            after.level = before.level.saturating_add(1);
            after.xp = before.xp - xp;
        }
    }
    let revision = revise(table, &before, after, call)?;
    let event = Event::LevelUp(LevelUp {
        subject: revision.after.subject(),
        level: revision.after.level,
        fields: revision.fields,
        override_reason: reason,
        triggers: revision.triggers,
    });
    table.log(Draft {
        visibility: revision.visibility,
        rule: rule_place(table),
        ..Draft::new("gm", event, revision.changes)
    });
    table.move_later(&revision.shared, &revision.after.name, revision.visibility);
    Ok(())
}

/// The place of the rule for levels.
fn rule_place(table: &Table) -> Option<String> {
    let rules = &table.system().advancement;
    let level_up = rules.level_up.as_ref().map(|clause| &clause.place);
    let place = rules.thresholds_place.as_ref().or(level_up);
    place.map(ToString::to_string)
}
