//! Joins a fight: initiative by the rules, and the first round to act in.

use super::newcomer::Fighter;
use super::order::is_before;
use super::{initiative, sides, ties};
use crate::game::mechanics::health::Vitality;
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Visibility;
use crate::game::record::event::Event;
use crate::game::record::state::{Combat, CombatStatus, Combatant};
use crate::game::refusal::Refusal;
use crate::game::table::{Draft, Table};
use crate::names::fold;

/// Adds a character to the fight. While it is prepared nothing is rolled; while it runs, a combatant above the current
/// initiative waits for the next round unless `acts_now`.
pub(super) fn join(table: &mut Table, combat: i64, fighter: Fighter, acts_now: bool) -> Result<(), Refusal> {
    let (character, newcomer) = fighter;
    let (Some(fight), Some(row)) = (table.state.combats.get(&combat), table.state.characters.get(&character)) else {
        return Ok(());
    };
    let (fight, row) = (fight.clone(), row.clone());
    let side = newcomer.side.as_deref().map(fold);
    let side = side.unwrap_or_else(|| if row.kind.is_open() { "players" } else { "foes" }.to_owned());
    let prepared = fight.status == CombatStatus::Setup;
    let (number, roll) = match newcomer.initiative {
        Some(set) => (Some(set), None),
        None if prepared => (None, None),
        None => {
            let own_side = sides::side_initiative(table.state, table.system(), combat, &side);
            let dealt = initiative::all_numbers(table, combat);
            initiative::number(table, &row, own_side, &dealt)?
        }
    };
    let id = table.next_id();
    let combatant = Combatant {
        id,
        combat,
        character,
        initiative: number,
        ties: ties::tie_breaks(table, &row, &side),
        side,
        acted_round: 0,
        defeated: Vitality::of(table.state, character).is_down(table.system()),
        from_round: 0,
        turn_at: None,
        hidden: newcomer.hidden,
        waits: None,
        ready: None,
    };
    let from_round = if acts_now { fight.round } else { first_round(table, &fight, &combatant) };
    let combatant = Combatant { from_round, ..combatant };
    let card =
        number.filter(|_| newcomer.initiative.is_none()).and_then(|card| initiative::card_name(table.system(), card));
    let event = Event::CombatantJoined { combat, subject: row.subject(), initiative: number, card };
    let actor = if newcomer.initiative.is_some() { "gm" } else { "system" };
    table.log(Draft {
        visibility: if prepared || newcomer.hidden { Visibility::Gm } else { Visibility::Public },
        rolls: roll.into_iter().collect(),
        rule: table.system().initiative.place.as_ref().map(ToString::to_string),
        ..Draft::new(actor, event, vec![Change::Combatant(Images::made(combatant))])
    });
    Ok(())
}

/// This round below the current initiative, the next round above it.
fn first_round(table: &Table, fight: &Combat, newcomer: &Combatant) -> u32 {
    let acting = fight.current.and_then(|id| table.state.combatants.get(&id));
    acting.map_or(0, |acting| fight.round + u32::from(is_before(table.state, table.system(), newcomer, acting)))
}
