//! Changes by the GM: side, initiative, defeat, what players see. None of them passes the turn.

use super::{combatant, open, order, subject};
use crate::limits;
use crate::mechanics::lookup::{self, free_name, numbered_unseen};
use crate::mechanics::{duration::has_turns, health::Vitality};
use crate::record::change::{Change, Images};
use crate::record::entry::{RollRecord, Visibility};
use crate::record::event::{Act, CombatantEvent, Event};
use crate::record::state::{Character, CombatStatus, Combatant};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use rollbook_text::names::fold;

/// Logs an act of one combatant: public, unless it is hidden before or after.
pub(super) fn log(
    table: &mut Table,
    id: i64,
    actor: &str,
    act: Act,
    alter: impl FnOnce(&mut Combatant),
) {
    log_rolled(table, id, (actor, act), None, alter);
}

pub(super) fn log_rolled(
    table: &mut Table,
    id: i64,
    (actor, act): (&str, Act),
    roll: Option<RollRecord>,
    alter: impl FnOnce(&mut Combatant),
) {
    let (Some(before), Some(subject)) = (
        table.state.combatants.get(&id).cloned(),
        subject(table.state, id),
    ) else {
        return;
    };
    let mut after = before.clone();
    alter(&mut after);
    let is_prepared = is_prepared(table, &before);
    let visibility = match &act {
        Act::InitiativeRolled { .. } if subject.kind.is_open() && !after.hidden => {
            Visibility::Public
        }
        // Numbers and plans of a foe are secret.
        Act::InitiativeSet { .. }
        | Act::TurnsSet { .. }
        | Act::InitiativeRolled { .. }
        | Act::Readied { .. }
        | Act::Triggered { .. }
            if !subject.kind.is_open() =>
        {
            Visibility::Gm
        }
        Act::SideChanged { .. } | Act::ActsNow => Visibility::Gm,
        Act::Hidden if !is_prepared => Visibility::Public,
        _ if after.hidden || is_prepared => Visibility::Gm,
        _ => Visibility::Public,
    };
    let place = table.system().initiative.place.as_ref();
    let rule = place
        .filter(|_| matches!(act, Act::InitiativeRolled { .. }))
        .map(ToString::to_string);
    let event = Event::Combatant(CombatantEvent {
        combat: before.combat,
        subject,
        act,
    });
    let changes = if before == after {
        vec![]
    } else {
        vec![Change::Combatant(Images::changed(before, after))]
    };
    table.log(Draft {
        visibility,
        rule,
        rolls: roll.into_iter().collect(),
        ..Draft::new(actor, event, changes)
    });
}

pub(super) fn is_prepared(table: &Table, member: &Combatant) -> bool {
    table
        .state
        .combats
        .get(&member.combat)
        .is_some_and(|combat| combat.status == CombatStatus::Setup)
}

pub(super) fn label(table: &Table, member: &Combatant) -> String {
    subject(table.state, member.id).map_or_else(String::new, |subject| subject.name)
}

pub(super) fn no_effect<T>(summary: impl Into<String>) -> Result<T> {
    Err(Refusal::new(Code::NoEffect, summary))
}

/// Sets a combatant defeated (it fled, it gave up): it is skipped, not removed.
pub fn defeat(table: &mut Table, name: &str) -> Result<()> {
    let already = "is out of the fight already. revive brings it back.";
    set(table, name, (Act::Defeated, already), true, |member| {
        &mut member.defeated
    })
}

/// Sets a combatant up again; its tracks stay as they are. Refused: of the dead.
pub fn revive(table: &mut Table, name: &str) -> Result<()> {
    let member = combatant(table, "combatant", name)?;
    if Vitality::of(table.state, member.character).is_dead() {
        let summary = format!(
            "{0} is dead. If the story brings {0} back, send apply_damage target=\"{0}\" amount=-1 remove_conditions=[\"dead\"], with as \
             many points as come back; {0} acts again then.",
            label(table, &member)
        );
        return Err(Refusal::new(Code::TargetDead, summary));
    }
    set(
        table,
        name,
        (Act::Revived, "is in the fight and up."),
        false,
        |member| &mut member.defeated,
    )
}

/// Hides a combatant from players.
pub fn hide(table: &mut Table, name: &str) -> Result<()> {
    set(
        table,
        name,
        (Act::Hidden, "is hidden already. reveal shows it."),
        true,
        |member| &mut member.hidden,
    )
}

/// Sets a field by an act, unless it is so `already`.
fn set(
    table: &mut Table,
    name: &str,
    (act, already): (Act, &str),
    to: bool,
    field: fn(&mut Combatant) -> &mut bool,
) -> Result<()> {
    let mut member = combatant(table, "combatant", name)?;
    if *field(&mut member) == to {
        return no_effect(format!("{} {already}", label(table, &member)));
    }
    log(table, member.id, "gm", act, |member| *field(member) = to);
    Ok(())
}

/// Changes a combatant's side, or lets it act in this round though its initiative is higher.
pub fn update(table: &mut Table, name: &str, side: Option<&str>, acts_now: bool) -> Result<()> {
    let member = combatant(table, "combatant", name)?;
    let combat = open(table.state)?.clone();
    side.map_or(Ok(()), |side| limits::name("combatants.side", side))?;
    let side = side.map(fold).filter(|side| *side != member.side);
    let acts_now =
        acts_now && member.from_round > combat.round && has_turns(table.system(), &combat);
    if side.is_none() && !acts_now {
        return no_effect(format!(
            "Nothing changes about {0}. Send combatants=[{{\"name\": \"{0}\", \"side\": \"players\"}}], or acts_now=true for one that waits for the next round.",
            label(table, &member)
        ));
    }
    if let Some(after) = side {
        change_side(table, &member, after);
    }
    if acts_now {
        log(table, member.id, "gm", Act::ActsNow, |member| {
            member.from_round = combat.round
        });
    }
    Ok(())
}

/// Changes the side, with the new side's initiative and tie-breaks where sides act together.
fn change_side(table: &mut Table, member: &Combatant, side: String) {
    let Some(row) = table.state.characters.get(&member.character) else {
        return;
    };
    let together = order::act_together(table.system());
    let ties = if together {
        order::tie_breaks(table, row, &side)
    } else {
        member.ties.clone()
    };
    let changed = Combatant {
        side: side.clone(),
        ..member.clone()
    };
    let number = order::shared_initiative(table, &changed).filter(|_| together);
    let act = Act::SideChanged {
        before: member.side.clone(),
        after: side.clone(),
    };
    log(table, member.id, "gm", act, |member| {
        member.initiative = number.or(member.initiative);
        member.ties = ties;
        member.side = side;
    });
}

/// Sets an initiative, for all who share it; nobody acts twice or loses a turn by the new order.
pub fn set_initiative(table: &mut Table, name: &str, initiative: Option<i64>) -> Result<()> {
    let member = combatant(table, "combatant", name)?;
    let Some(after) = initiative else {
        let summary = format!(
            "Which number? Send combatants=[{{\"name\": \"{}\", \"initiative\": 12}}].",
            label(table, &member)
        );
        return Err(Refusal::new(Code::MissingValue, summary));
    };
    limits::number("initiative", after)?;
    let others = order::others_together(table, &member);
    let others = others
        .into_iter()
        .filter(|other| other.initiative != Some(after));
    for member in std::iter::once(member).chain(others) {
        let act = Act::InitiativeSet {
            before: member.initiative,
            after,
        };
        log(table, member.id, "gm", act, |member| {
            member.initiative = Some(after)
        });
    }
    Ok(())
}

/// How many turns one combatant has in a round at most.
const TURNS_MAX: usize = 10;

/// Sets the initiatives of all its turns in a round. A further turn whose place has passed comes
/// in the next round. Refused: no number, or too many.
pub fn set_turns(table: &mut Table, name: &str, initiatives: &[i64]) -> Result<()> {
    let member = combatant(table, "combatant", name)?;
    limits::count("initiatives", initiatives.len(), TURNS_MAX)?;
    let each = initiatives.iter();
    each.clone()
        .try_for_each(|number| limits::number("initiative", *number))?;
    let mut sorted: Vec<i64> = each.copied().collect();
    sorted.sort_unstable();
    if table.system().initiative.highest_first {
        sorted.reverse();
    }
    let Some((first, extra)) = sorted.split_first() else {
        return set_initiative(table, name, None);
    };
    let (state, system) = (&*table.state, table.system());
    let combat = open(state)?;
    let acting = combat.current.and_then(|id| state.combatants.get(&id));
    let acting = acting.map(|acting| acting.at_turn(acting.again));
    let has_passed = |number: &&i64| {
        let place = Combatant {
            initiative: Some(**number),
            ..member.clone()
        };
        acting
            .as_ref()
            .is_some_and(|acting| order::is_before(state, system, &place, acting))
    };
    let has_acted = member.acted_round >= combat.round && combat.round > 0;
    let passed = extra.iter().filter(|_| has_acted).filter(has_passed);
    let again = u32::try_from(passed.count()).unwrap_or(0);
    let act = Act::TurnsSet {
        initiatives: sorted.clone(),
    };
    log(table, member.id, "gm", act, |member| {
        member.initiative = Some(*first);
        member.extra = extra.to_vec();
        member.again = again;
    });
    Ok(())
}

/// Reveals a combatant, or a character who was hidden when the fight was over. One with a hidden
/// number ("Unseen Goblin 2") gets the next visible name: its own shows how many are hidden.
pub fn reveal(table: &mut Table, name: &str) -> Result<()> {
    let before = combatant(table, "combatant", name).or_else(|refusal| {
        let left = table.state.left_hidden();
        let all = left
            .iter()
            .filter_map(|member| table.state.characters.get(&member.character));
        let found = lookup::find_ranked(name, all, |_| 0);
        let found = lookup::one("combatant", name, found, |who| who.name.clone())?
            .ok_or(refusal.clone())?;
        left.iter()
            .find(|member| member.character == found.id)
            .copied()
            .cloned()
            .ok_or(refusal)
    })?;
    if !before.hidden {
        return no_effect(format!(
            "Players see {} already. hide hides it.",
            label(table, &before)
        ));
    }
    let Some(known) = table.state.characters.get(&before.character).cloned() else {
        return Ok(());
    };
    let mut changes = Vec::new();
    let (mut was, mut subject) = (None, known.subject());
    if let Some(kind) = numbered_unseen(&known.name) {
        was = Some(known.name.clone());
        let named = Character {
            name: free_name(table.state, kind, false),
            ..known.clone()
        };
        subject = named.subject();
        changes.push(Change::Character(Images::changed(known, named)));
    }
    let visibility = if is_prepared(table, &before) {
        Visibility::Gm
    } else {
        Visibility::Public
    };
    let event = Event::Combatant(CombatantEvent {
        combat: before.combat,
        subject,
        act: Act::Revealed { was },
    });
    let after = Combatant {
        hidden: false,
        ..before.clone()
    };
    changes.push(Change::Combatant(Images::changed(before, after)));
    table.log(Draft {
        visibility,
        ..Draft::new("gm", event, changes)
    });
    Ok(())
}
