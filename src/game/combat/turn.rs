//! Turns, and the end of a fight, which only the GM can declare.

use super::order::next;
use super::running;
use crate::game::entry::{Change, Images};
use crate::game::event::{Event, Subject};
use crate::game::limits;
use crate::game::refusal::Refusal;
use crate::game::state::{Character, Combat, CombatStatus, Combatant};
use crate::game::table::{Draft, Table};
use crate::rules::InitiativeKind;

/// Ends the current turn and begins the next; answers the entry's number.
pub fn next_turn(table: &mut Table) -> Result<u64, Refusal> {
    let combat = running(table.state)?.clone();
    if matches!(table.system().initiative.kind, InitiativeKind::None) && combat.current.is_none() {
        let place = table.system().initiative.place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
        let summary = format!(
            "These rules have no initiative{place}: nobody waits for a turn. Just act, and send action=\"end\" when it is over."
        );
        return Err(Refusal::new("no_turns", summary));
    }
    let Some((combatant, round)) = next(table.state, table.system(), combat.id, combat.round) else {
        let summary = "Everybody is down, so nobody can act. Send action=\"end\" with an outcome, or heal somebody \
                       with apply_damage.";
        return Err(Refusal::new("nobody_up", summary));
    };
    let combatant = combatant.clone();
    Ok(begin(table, combat.id, &combatant, round))
}

/// Begins a combatant's turn in that round.
pub(super) fn begin(table: &mut Table, combat: i64, combatant: &Combatant, round: u32) -> u64 {
    let Some(before) = table.state.combats.get(&combat).cloned() else { return 0 };
    let ended = before.current.and_then(|id| subject(table, id));
    let began = subject(table, combatant.id).unwrap_or_else(|| Subject {
        id: combatant.character,
        name: String::new(),
        kind: Default::default(),
    });
    let after = Combat { round, current: Some(combatant.id), moved_at: table.at, ..before.clone() };
    let acting = Combatant { acted_round: round, ..combatant.clone() };
    let event = Event::TurnBegan { combat, round, ended, began };
    let changes = vec![
        Change::Combat(Images::changed(before, after)),
        Change::Combatant(Images::changed(combatant.clone(), acting)),
    ];
    table.log(Draft::new("gm", event, changes))
}

/// Ends the fight; it stays in the log and in the tables. Answers the entry's number.
pub fn end(table: &mut Table, outcome: Option<String>) -> Result<u64, Refusal> {
    if let Some(outcome) = &outcome {
        limits::text("outcome", outcome, limits::LIMITS.context)?;
    }
    let before = running(table.state)?.clone();
    let after = Combat {
        status: CombatStatus::Ended,
        current: None,
        outcome: outcome.clone(),
        moved_at: table.at,
        ..before.clone()
    };
    let event = Event::CombatEnded { combat: before.id, outcome };
    Ok(table.log(Draft::new("gm", event, vec![Change::Combat(Images::changed(before, after))])))
}

fn subject(table: &Table, combatant: i64) -> Option<Subject> {
    let row = table.state.combatants.get(&combatant)?;
    table.state.characters.get(&row.character).map(Character::subject)
}
