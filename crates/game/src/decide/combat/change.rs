//! Changes of combatants by the GM: side, initiative, defeat, and what players see. None of them passes the turn.

use super::{combatant, left_hidden, open, order, subject};
use crate::limits;
use crate::mechanics::duration::has_turns;
use crate::mechanics::health::Vitality;
use crate::mechanics::lookup::{free_name, numbered_unseen};
use crate::record::change::{Change, Images};
use crate::record::entry::{RollRecord, Visibility};
use crate::record::event::{Act, CombatantEvent, Event};
use crate::record::state::{Character, CombatStatus, Combatant};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use rollbook_text::names::fold;

/// Logs an act of one combatant: public, unless it is hidden before or after.
pub(super) fn log(table: &mut Table, id: i64, actor: &str, act: Act, alter: impl FnOnce(&mut Combatant)) {
    log_rolled(table, id, actor, act, None, alter);
}

/// The same, with the roll that decided it.
pub(super) fn log_rolled(
    table: &mut Table,
    id: i64,
    actor: &str,
    act: Act,
    roll: Option<RollRecord>,
    alter: impl FnOnce(&mut Combatant),
) {
    let (Some(before), Some(subject)) = (table.state.combatants.get(&id).cloned(), subject(table.state, id)) else {
        return;
    };
    let mut after = before.clone();
    alter(&mut after);
    let visibility = match &act {
        Act::InitiativeRolled { .. } if subject.kind.is_open() && !after.hidden => Visibility::Public,
        // Numbers and plans of a foe are secret.
        Act::InitiativeSet { .. } | Act::InitiativeRolled { .. } | Act::Readied { .. } | Act::Triggered { .. }
            if !subject.kind.is_open() =>
        {
            Visibility::Gm
        }
        Act::SideChanged { .. } | Act::ActsNow => Visibility::Gm,
        Act::Hidden if !is_prepared(table, &before) => Visibility::Public,
        _ if after.hidden || is_prepared(table, &before) => Visibility::Gm,
        _ => Visibility::Public,
    };
    let rule = match &act {
        Act::InitiativeRolled { .. } => table.system().initiative.place.as_ref().map(ToString::to_string),
        _ => None,
    };
    let changes =
        if before == after { Vec::new() } else { vec![Change::Combatant(Images::changed(before.clone(), after))] };
    let event = Event::Combatant(CombatantEvent { combat: before.combat, subject, act });
    table.log(Draft { visibility, rule, rolls: roll.into_iter().collect(), ..Draft::new(actor, event, changes) });
}

pub(super) fn is_prepared(table: &Table, own: &Combatant) -> bool {
    table.state.combats.get(&own.combat).is_some_and(|combat| combat.status == CombatStatus::Setup)
}

/// Sets a combatant defeated (it fled, it gave up): it is skipped, not removed.
pub fn defeat(table: &mut Table, name: &str) -> Result<(), Refusal> {
    let own = combatant(table.state, table.system(), "combatant", name)?.clone();
    if own.defeated {
        return Err(no_effect(&format!("{} is out of the fight already. revive brings it back.", label(table, &own))));
    }
    log(table, own.id, "gm", Act::Defeated, |own| own.defeated = true);
    Ok(())
}

/// Sets a combatant up again; its tracks stay as they are.
pub fn revive(table: &mut Table, name: &str) -> Result<(), Refusal> {
    let own = combatant(table.state, table.system(), "combatant", name)?.clone();
    if !own.defeated {
        return Err(no_effect(&format!("{} is in the fight and up.", label(table, &own))));
    }
    log(table, own.id, "gm", Act::Revived, |own| own.defeated = false);
    if Vitality::of(table.state, own.character).is_down(table.system()) {
        let note = format!(
            "{} acts again, and its health still says down; apply_damage with a negative amount heals.",
            label(table, &own)
        );
        table.note([note]);
    }
    Ok(())
}

/// What `update` may change.
#[derive(Debug, Default, Clone)]
pub struct Update {
    pub side: Option<String>,
    /// Acts in this round though its initiative is above the current one.
    pub acts_now: bool,
}

/// Changes a combatant's side, or lets it act in this round.
pub fn update(table: &mut Table, name: &str, update: &Update) -> Result<(), Refusal> {
    let own = combatant(table.state, table.system(), "combatant", name)?.clone();
    let combat = open(table.state)?.clone();
    let side = match &update.side {
        Some(side) => {
            limits::name("combatants.side", side)?;
            Some(fold(side)).filter(|side| *side != own.side)
        }
        None => None,
    };
    let acts_now = update.acts_now && own.from_round > combat.round && has_turns(table.system(), &combat);
    if side.is_none() && !acts_now {
        let summary = format!(
            "Nothing changes about {0}. Send combatants=[{{\"name\": \"{0}\", \"side\": \"players\"}}], or acts_now=true for one that waits for the next round.",
            label(table, &own)
        );
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    if let Some(after) = side {
        change_side(table, &own, after);
    }
    if acts_now {
        log(table, own.id, "gm", Act::ActsNow, |own| own.from_round = combat.round);
    }
    Ok(())
}

/// Changes the side, with the new side's initiative and tie-breaks where sides act together.
fn change_side(table: &mut Table, own: &Combatant, side: String) {
    let Some(row) = table.state.characters.get(&own.character) else { return };
    let together = order::act_together(table.system());
    let ties = if together { order::tie_breaks(table, row, &side) } else { own.ties.clone() };
    let changed = Combatant { side: side.clone(), ..own.clone() };
    let number = order::shared_initiative(table.state, table.system(), &changed).filter(|_| together);
    let act = Act::SideChanged { before: own.side.clone(), after: side.clone() };
    log(table, own.id, "gm", act, |own| {
        own.initiative = number.or(own.initiative);
        own.ties = ties;
        own.side = side;
    });
}

/// Sets an initiative; nobody acts twice or loses a turn by the new order. It is set for all who have one initiative.
pub fn set_initiative(table: &mut Table, name: &str, initiative: Option<i64>) -> Result<(), Refusal> {
    let own = combatant(table.state, table.system(), "combatant", name)?.clone();
    let Some(after) = initiative else {
        let summary =
            format!("Which number? Send combatants=[{{\"name\": \"{}\", \"initiative\": 12}}].", label(table, &own));
        return Err(Refusal::new(Code::MissingValue, summary));
    };
    limits::number("initiative", after)?;
    let others = order::others_together(table.state, table.system(), &own);
    let others = others.into_iter().filter(|other| other.initiative != Some(after));
    for own in std::iter::once(own).chain(others) {
        let act = Act::InitiativeSet { before: own.initiative, after };
        log(table, own.id, "gm", act, |own| own.initiative = Some(after));
    }
    Ok(())
}

pub(super) fn label(table: &Table, own: &Combatant) -> String {
    subject(table.state, own.id).map_or_else(String::new, |subject| subject.name)
}

pub(super) fn no_effect(summary: &str) -> Refusal {
    Refusal::new(Code::NoEffect, summary)
}

/// Hides a combatant from players.
pub fn hide(table: &mut Table, name: &str) -> Result<(), Refusal> {
    let own = combatant(table.state, table.system(), "combatant", name)?.clone();
    if own.hidden {
        return Err(no_effect(&format!("{} is hidden already. reveal shows it.", label(table, &own))));
    }
    log(table, own.id, "gm", Act::Hidden, |own| own.hidden = true);
    Ok(())
}

/// Reveals a combatant, or somebody who was hidden when the fight was over. One with a hidden number ("Unseen Goblin 2") gets the next
/// visible name of its kind, so that its number does not show how many are still hidden.
pub fn reveal(table: &mut Table, name: &str) -> Result<(), Refusal> {
    let here = combatant(table.state, table.system(), "combatant", name);
    let before = match here {
        Ok(own) => own.clone(),
        Err(refusal) => left_hidden(table.state, "combatant", name)?.ok_or(refusal)?.clone(),
    };
    if !before.hidden {
        return Err(no_effect(&format!("Players see {} already. hide hides it.", label(table, &before))));
    }
    let Some(known) = table.state.characters.get(&before.character).cloned() else { return Ok(()) };
    let mut changes = Vec::new();
    let mut was = None;
    let mut named = known.clone();
    if let Some(kind) = numbered_unseen(&known.name) {
        was = Some(known.name.clone());
        named = Character { name: free_name(table.state, kind, false), ..known.clone() };
        changes.push(Change::Character(Images::changed(known, named.clone())));
    }
    let after = Combatant { hidden: false, ..before.clone() };
    let visibility = if is_prepared(table, &before) { Visibility::Gm } else { Visibility::Public };
    changes.push(Change::Combatant(Images::changed(before.clone(), after)));
    let event = Event::Combatant(CombatantEvent {
        combat: before.combat,
        subject: named.subject(),
        act: Act::Revealed { was },
    });
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    Ok(())
}
