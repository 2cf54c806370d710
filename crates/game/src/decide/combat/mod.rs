//! A fight, from its preparation to its end. The current turn is an id; the next one follows from the order and from the
//! round in which each combatant last acted. So the turn stays when combatants join, leave or change their initiative.
//!
//! - A fight is prepared, running or ended; only the GM ends it. All of it is in the state, so it can go on weeks later.
//! - A delayed turn is interrupted, not ended: it goes on when it is called back, or ends with the round. So
//!   each turn has one start and one end, and effects are counted once at each.
//! - A fight has turns or not, and may change over.
//! - An effect is a condition with counted turns.
//! - The last advance can be taken back by its before-images ([`back`]).

mod back;
mod begin;
mod change;
mod effect;
mod initiative;
mod newcomer;
mod order;
mod turn;

pub use back::previous_turn;
pub use begin::{StartCall, add, create, end, remove, start};
pub use change::{Update, defeat, hide, reveal, revive, set_initiative, update};
pub use effect::{EffectCall, add_effect, remove_effect, reveal_effect};
pub use initiative::roll as roll_initiative;
pub use newcomer::Newcomer;
pub use order::{order, upcoming};
pub use turn::{call_back, change_structure, check_turn_of, delay, next_round, next_turn, ready};

use crate::mechanics::lookup;
use crate::mechanics::several::{Reach, is_side, several};
use crate::record::event::Subject;
use crate::record::state::{Character, Combat, Combatant, Kind, State};
use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{Found, listed, quoted, same, suggest};

/// The running fight, or a refusal.
pub fn running(state: &State) -> Result<&Combat, Refusal> {
    if let Some(combat) = state.running_combat() {
        return Ok(combat);
    }
    Err(match state.open_combat() {
        Some(_) => Refusal::new(Code::NoCombat, "The fight is prepared and has not begun. Send action=\"start\"."),
        None => no_combat(),
    })
}

/// The running or prepared fight, or a refusal.
fn open(state: &State) -> Result<&Combat, Refusal> {
    state.open_combat().ok_or_else(no_combat)
}

/// The same for adding combatants.
fn open_to_join(state: &State) -> Result<&Combat, Refusal> {
    state.open_combat().ok_or_else(|| {
        let summary = "No fight is going on, so nobody can join one. Send action=\"start\" with the same combatants, and with \
                       everybody else who is in it; who is known goes by name alone.";
        Refusal::new(Code::NoCombat, summary)
    })
}

fn no_combat() -> Refusal {
    let summary = "No fight is going on. Send manage_combat action=\"start\" combatants=[{\"name\": \"Goblin\", \"count\": 2, \
                   \"hp\": 7}] with everybody who is in it; who is known goes by name alone.";
    Refusal::new(Code::NoCombat, summary)
}

/// The combatant of that name in the open fight.
fn combatant<'s>(state: &'s State, system: &System, parameter: &str, name: &str) -> Result<&'s Combatant, Refusal> {
    let combat = open(state)?;
    let of = |character: i64| state.combatants_of(combat.id).find(|own| own.character == character);
    let members = || state.combatants_of(combat.id).filter_map(|own| state.characters.get(&own.character));
    // A hidden combatant makes no visible one's name ambiguous.
    match lookup::find_ranked(name, members(), |own| u8::from(state.is_hidden(own.id))) {
        Found::One(found) => return of(found.id).ok_or_else(no_combat),
        Found::Several(fit) => {
            return Err(lookup::ambiguous(parameter, name, fit.into_iter().map(|own| own.name.clone()).collect()));
        }
        Found::Nothing => {}
    }
    if same(name, "player") && lookup::by_name(state, name).is_none() {
        let player = lookup::sole_player(state, system)?.id;
        if let Some(found) = of(player) {
            return Ok(found);
        }
    }
    if let Some(outside) = several_outside(state, name) {
        let first = outside.first().map_or("", String::as_str);
        let summary = format!(
            "Nobody in this fight is called \"{}\", which could mean {}. Send manage_combat action=\"add\" \
             combatants=[{{\"name\": \"{first}\"}}] first, or another of these; action=\"status\" names everybody who is in it.",
            quoted(name),
            listed(outside.iter().map(String::as_str), 300)
        );
        return Err(Refusal::new(Code::UnknownCombatant, summary).did_you_mean(outside));
    }
    let suggestions = suggest(name, members().map(|own| own.name.as_str()));
    let hint = match (lookup::character_in(state, system, parameter, name), suggestions.first()) {
        (Ok(own), _) if own.kind == Kind::Template => {
            format!("Send manage_combat action=\"add\" combatants=[{{\"template\": \"{}\"}}] first.", own.name)
        }
        (Ok(own), _) if !own.retired => {
            format!("Send manage_combat action=\"add\" combatants=[{{\"name\": \"{}\"}}] first.", own.name)
        }
        (_, Some(first)) => format!("Near: {}. Send {parameter}=\"{first}\".", suggestions.join(", ")),
        (_, None) => "action=\"status\" names everybody.".to_owned(),
    };
    let summary = format!("Nobody in this fight is called \"{}\". {hint}", quoted(name));
    Err(Refusal::new(Code::UnknownCombatant, summary).did_you_mean(suggestions))
}

/// The last row of somebody of that name who was hidden when the fight was over.
fn left_hidden<'s>(state: &'s State, parameter: &str, name: &str) -> Result<Option<&'s Combatant>, Refusal> {
    let left = state.left_hidden();
    let all = left.iter().filter_map(|own| state.characters.get(&own.character));
    match lookup::find_ranked(name, all, |_| 0) {
        Found::One(found) => Ok(left.iter().find(|own| own.character == found.id).copied()),
        Found::Several(fit) => {
            Err(lookup::ambiguous(parameter, name, fit.into_iter().map(|own| own.name.clone()).collect()))
        }
        Found::Nothing => Ok(None),
    }
}

/// Those whom a name could mean and who could join, where they are several.
fn several_outside(state: &State, name: &str) -> Option<Vec<String>> {
    let joins = |own: &&Character| own.kind != Kind::Template && !own.retired && !lookup::is_out_for_good(state, own);
    match lookup::find_ranked(name, state.characters.values().filter(joins), |_| 0) {
        Found::Several(fit) => Some(fit.into_iter().map(|own| own.name.clone()).collect()),
        Found::One(_) | Found::Nothing => None,
    }
}

/// The combatants whom the names mean, each once: names, a side of the fight, "party"; of these the fallen as well.
/// Refused: what is wrong with any of the names.
fn combatants(state: &State, system: &System, parameter: &str, names: &[String]) -> Result<Vec<Combatant>, Refusal> {
    let mut found: Vec<Combatant> = Vec::new();
    let mut refused: Vec<Refusal> = Vec::new();
    for name in names {
        let own = match is_side(state, name) {
            true => several(state, system, parameter, std::slice::from_ref(name), Reach::Living).and_then(|side| {
                side.iter().map(|own| combatant(state, system, parameter, &own.name).cloned()).collect()
            }),
            false => combatant(state, system, parameter, name).map(|own| vec![own.clone()]),
        };
        match own {
            Ok(own) => {
                let new: Vec<Combatant> =
                    own.into_iter().filter(|own| found.iter().all(|known| known.id != own.id)).collect();
                found.extend(new);
            }
            Err(refusal) => refused.push(refusal),
        }
    }
    if refused.is_empty() { Ok(found) } else { Err(Refusal::all(refused)) }
}

/// The combatant of that name; without a name, the one whose turn it is.
fn combatant_or_current<'s>(
    state: &'s State,
    system: &System,
    parameter: &str,
    name: Option<&str>,
) -> Result<&'s Combatant, Refusal> {
    if let Some(name) = name {
        return combatant(state, system, parameter, name);
    }
    let current = open(state)?.current.and_then(|id| state.combatants.get(&id));
    current.ok_or_else(|| {
        let summary = format!("It is nobody's turn, so say who: {parameter}=\"…\".");
        Refusal::new(Code::InvalidParameters, summary)
    })
}

/// A combatant as an entry names it.
fn subject(state: &State, combatant: i64) -> Option<Subject> {
    let row = state.combatants.get(&combatant)?;
    state.characters.get(&row.character).map(Character::subject)
}
