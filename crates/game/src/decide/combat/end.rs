//! Removes combatants, and ends the fight, which only the GM declares. Its rows stay in the state.

use super::change::is_prepared;
use super::turn::{Advance, advance};
use super::who::subject;
use super::{clock, open, who};
use crate::decide::rest;
use crate::decide::rest::Closing;
use crate::decide::time::pass;
use crate::limits;
use crate::mechanics::{duration, effects, held, time};
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{Act, CombatEnded, CombatantEvent, Event};
use crate::record::state::{Combat, CombatStatus, Combatant, Condition, State, Until};
use crate::refusal::Refusal;
use crate::table::{Draft, Table};
use crate::view::visibility::visible_round;
use rollbook_rules::System;

/// Ends the fight, and the scene with it. Conditions that its turns count, or that last until the end of the fight, end
/// too.
pub fn end(table: &mut Table, outcome: Option<String>) -> Result<(), Refusal> {
    if let Some(outcome) = &outcome {
        limits::text("outcome", outcome, limits::LIMITS.context)?;
    }
    let before = open(table.state)?.clone();
    let over = conditions_ending_with(table.state, table.system(), &before);
    clock::end(table, before.id, "system", over);
    let prepared = before.status == CombatStatus::Setup;
    let after = Combat {
        status: CombatStatus::Ended,
        current: None,
        interrupted: None,
        outcome: outcome.clone(),
        moved_at: table.at,
        ..before.clone()
    };
    let event = Event::CombatEnded(CombatEnded { combat: before.id, outcome });
    // Players know nothing of a fight that never began.
    let visibility = if prepared { Visibility::Gm } else { Visibility::Public };
    let rounds = time::rounds(table.system(), visible_round(table.state, &before)).filter(|_| !prepared);
    let members: Vec<i64> = table.state.combatants_of(before.id).map(|own| own.character).collect();
    let changes = vec![Change::Combat(Images::changed(before, after))];
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    if let Some(seconds) = rounds {
        pass(table, "system", seconds, Some("the fight".to_owned()));
    }
    if prepared { Ok(()) } else { rest::close(table, Closing::Scene, &members) }
}

fn conditions_ending_with(state: &State, system: &System, combat: &Combat) -> Vec<Condition> {
    let counted = |own: &Condition| {
        let anchor = own.lasts.as_ref().and_then(|lasts| state.combatants.get(&lasts.anchor));
        anchor.is_some_and(|anchor| anchor.combat == combat.id)
    };
    // Where the rules have an end of the scene, [`rest::close`] ends these.
    let scene = !rest::rests_at_end(system, Closing::Scene).any(rest::ends_scene);
    let until = |own: &Condition| {
        let over = match duration::ending(system, own) {
            Some(Until::Fight) => true,
            Some(Until::Scene) => scene,
            _ => false,
        };
        over && state.combatants_of(combat.id).any(|member| member.character == own.character)
    };
    state.conditions.values().filter(|own| counted(own) || until(own)).cloned().collect()
}

/// Removes a combatant. If it is its turn, the turn passes first; conditions that its turns count end.
pub fn remove(table: &mut Table, name: &str) -> Result<(), Refusal> {
    let own = who::combatant(table.state, table.system(), "combatant", name)?.clone();
    let combat = open(table.state)?.clone();
    let mut halted = None;
    if combat.current == Some(own.id) {
        let first = table.next_id();
        if !advance(table, combat.id, Advance { first, suspends: false, without: Some(own.id) }) {
            halted = table.state.combats.get(&combat.id).cloned();
        }
    }
    let counted = effects::counted_by(table.state, |lasts| lasts.anchor == own.id);
    clock::end(table, combat.id, "system", counted);
    // The advance may have changed it.
    let (Some(own), Some(subject)) = (table.state.combatants.get(&own.id).cloned(), subject(table.state, own.id))
    else {
        return Ok(());
    };
    let visibility = if own.hidden || is_prepared(table, &own) { Visibility::Gm } else { Visibility::Public };
    // The row of somebody hidden stays, out of the fight: it says that players have not seen them, and their name stays the GM's.
    let stays = own.hidden && !subject.kind.is_open() && !is_prepared(table, &own);
    let mut changes = match stays {
        true => {
            let out = Combatant { defeated: true, waits: None, ready: None, ..own.clone() };
            vec![Change::Combatant(Images::changed(own, out))]
        }
        false => vec![Change::Combatant(Images::gone(own))],
    };
    if let Some(before) = halted {
        let after = Combat { current: None, advanced: None, ..before.clone() };
        changes.push(Change::Combat(Images::changed(before, after)));
    }
    let holder = subject.id;
    let event = Event::Combatant(CombatantEvent { combat: combat.id, subject, act: Act::Left });
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    let holder = table.state.characters.get(&holder);
    let kept = holder.and_then(|own| held::leaving_reminder(table.state, table.system(), own));
    table.note(kept);
    Ok(())
}
