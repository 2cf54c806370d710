//! Delayed turns and readied actions.
//!
//! A delay is for this round: it keeps the initiative, is called back right after the current turn, and lapses at the
//! round's end. `set_initiative` changes the place for good.

use super::change::{self, label};
use super::order::next_in;
use super::turn::{Advance, advance, running_with_turns};
use super::who;
use crate::limits::{self, LIMITS};
use crate::record::event::Act;
use crate::record::state::{Combatant, Wait};
use crate::refusal::{Code, Refusal};
use crate::table::Table;

/// Delays the current turn, or a combatant that has not acted in this round.
pub fn delay(table: &mut Table, name: Option<&str>) -> Result<(), Refusal> {
    let combat = running_with_turns(table)?.clone();
    let own = who::combatant_or_current(table.state, table.system(), "combatant", name)?.clone();
    let who = label(table, &own);
    let acts = combat.current == Some(own.id);
    let refused = |what: &str| Err(Refusal::new(Code::CannotDelay, format!("{who} {what}")));
    if own.waits.is_some() {
        return refused("lets others go first already. Send action=\"return\" when it acts.");
    }
    if own.defeated {
        return refused("is down and has no turn to delay.");
    }
    if !acts && own.acted_round >= combat.round {
        return refused("has acted in this round.");
    }
    if own.from_round > combat.round {
        return refused("waits for the next round anyway.");
    }
    let others = next_in(table.state, table.system(), combat.id, combat.round, Some(own.id));
    if others.is_none() {
        return refused(
            "is the last to act in this round, and a delay lapses at the round's end. Act, or send next_turn.",
        );
    }
    let first = table.next_id();
    change::log(table, own.id, "gm", Act::Delayed, |own| own.waits = Some(Wait::Delayed));
    if acts {
        advance(table, combat.id, Advance { first, suspends: true, without: None });
    }
    Ok(())
}

/// Calls a delayed combatant back, right after the current turn; or triggers a readied action.
pub fn call_back(table: &mut Table, name: Option<&str>) -> Result<(), Refusal> {
    let combat = running_with_turns(table)?.id;
    let own = match name {
        Some(name) => who::combatant(table.state, table.system(), "combatant", name)?.clone(),
        None => only_waiting(table, combat)?,
    };
    match (own.waits, own.ready.clone()) {
        (Some(Wait::Delayed), _) => {
            change::log(table, own.id, "gm", Act::Returned, |own| own.waits = Some(Wait::Returned));
        }
        (Some(Wait::Returned), _) => {
            return Err(change::no_effect(&format!("{} acts right after the current turn.", label(table, &own))));
        }
        (None, Some(trigger)) => change::log(table, own.id, "gm", Act::Triggered { trigger }, |own| own.ready = None),
        (None, None) => {
            return Err(change::no_effect(&format!("{} waits for nothing.", label(table, &own))));
        }
    }
    Ok(())
}

fn only_waiting(table: &Table, combat: i64) -> Result<Combatant, Refusal> {
    let waiting: Vec<&Combatant> = table
        .state
        .combatants_of(combat)
        .filter(|own| own.waits == Some(Wait::Delayed) || own.ready.is_some())
        .collect();
    match waiting.as_slice() {
        [only] => Ok((*only).clone()),
        [] => Err(change::no_effect("Nobody lets others go first.")),
        several => {
            let names: Vec<String> = several.iter().map(|own| label(table, own)).collect();
            let summary = format!("Who returns? Send combatant as one of: {}.", names.join(", "));
            Err(Refusal::new(Code::InvalidParameters, summary).did_you_mean(names.into_iter().take(5).collect()))
        }
    }
}

/// Readies an action until the combatant's next turn.
pub fn ready(table: &mut Table, name: Option<&str>, trigger: Option<String>) -> Result<(), Refusal> {
    running_with_turns(table)?;
    let own = who::combatant_or_current(table.state, table.system(), "combatant", name)?.clone();
    let Some(trigger) = trigger else {
        let summary = "What is waited for? Send trigger=\"the door opens\".";
        return Err(Refusal::new(Code::MissingValue, summary));
    };
    limits::text("trigger", &trigger, LIMITS.context)?;
    if own.defeated {
        return Err(change::no_effect(&format!("{} is down and readies nothing.", label(table, &own))));
    }
    let act = Act::Readied { trigger: trigger.clone() };
    change::log(table, own.id, "gm", act, |own| own.ready = Some(trigger));
    Ok(())
}
