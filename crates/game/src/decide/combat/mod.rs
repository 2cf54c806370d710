//! A fight, from its preparation to its end. The current turn is an id; the next one follows from
//! the order and from the round in which each combatant last acted. So the turn stays when
//! combatants join, leave or change their initiative.
//!
//! - A fight is prepared, running or ended; only the GM ends it. As state it can go on weeks later.
//! - A delayed turn is interrupted, not ended: it goes on when it is called back, or ends with the
//!   round. So each turn has one start and one end, and effects are counted once at each.
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
pub use change::{defeat, hide, reveal, revive, set_initiative, set_turns, update};
pub use effect::{EffectCall, add_effect, remove_effect, reveal_effect};
pub use initiative::roll as roll_initiative;
pub use newcomer::Newcomer;
pub use order::{order, turns, upcoming};
pub use turn::{
    call_back, change_structure, check_nobody_waits, check_turn_of, delay, next_round, next_turn,
    ready,
};

use crate::mechanics::several::{Reach, is_side, several};
use crate::record::change::{Change, Images};
use crate::record::event::{Event, Subject};
use crate::record::state::{Character, Combat, CombatStatus, Combatant, Kind, State};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{mechanics::lookup, record::entry::Visibility};
use rollbook_text::names::{Found, listed, quoted, same, suggest};

fn running(state: &State) -> Result<&Combat> {
    let combat = open(state)?;
    if combat.status == CombatStatus::Running {
        return Ok(combat);
    }
    Err(Refusal::new(
        Code::NoCombat,
        "The fight is prepared and has not begun. Send action=\"start\".",
    ))
}

fn open(state: &State) -> Result<&Combat> {
    let summary = "No fight is going on. Send manage_combat action=\"start\" combatants=[{\"name\": \"Goblin\", \"count\": 2, \
                   \"hp\": 7}] with everybody who is in it; who is known goes by name alone.";
    state
        .open_combat()
        .ok_or_else(|| Refusal::new(Code::NoCombat, summary))
}

fn combatant(table: &Table, parameter: &str, name: &str) -> Result<Combatant> {
    let (state, system) = (&*table.state, table.system());
    let combat = open(state)?;
    let row = |who: &Character| {
        state
            .combatants_of(combat.id)
            .find(|member| member.character == who.id)
            .cloned()
    };
    let members = || {
        state
            .combatants_of(combat.id)
            .filter_map(|member| state.characters.get(&member.character))
    };
    // A hidden combatant makes no visible one's name ambiguous.
    let found = lookup::find_ranked(name, members(), |who| u8::from(state.is_hidden(who.id)));
    let found = match lookup::one(parameter, name, found, |who| who.name.clone())? {
        None if same(name, "player") && lookup::by_name(state, name).is_none() => {
            Some(lookup::sole_player(state, system)?)
        }
        found => found,
    };
    if let Some(found) = found.and_then(row) {
        return Ok(found);
    }
    let outside = state.characters.values().filter(|who| can_join(state, who));
    if let Found::Several(fit) = lookup::find_ranked(name, outside, |_| 0) {
        let outside: Vec<String> = fit.into_iter().map(|who| who.name.clone()).collect();
        let (all, first) = (
            listed(outside.iter().map(String::as_str), 300),
            outside.first().map_or("", String::as_str),
        );
        let summary = format!(
            "Nobody in this fight is called \"{}\", which could mean {all}. Send manage_combat action=\"add\" \
             combatants=[{{\"name\": \"{first}\"}}] first, or another of these; action=\"status\" names everybody who is in it.",
            quoted(name)
        );
        return Err(Refusal::new(Code::UnknownCombatant, summary).did_you_mean(outside));
    }
    let suggestions = suggest(name, members().map(|member| member.name.as_str()));
    let known = lookup::character_in(state, system, parameter, name).ok();
    let summary = format!("Nobody in this fight is called \"{}\".", quoted(name));
    let refusal = Refusal::new(Code::UnknownCombatant, summary);
    let Some(who) = known.filter(|who| who.kind == Kind::Template || !who.retired) else {
        return Err(refusal.near(parameter, suggestions, "action=\"status\" names everybody."));
    };
    let field = if who.kind == Kind::Template {
        "template"
    } else {
        "name"
    };
    let arguments = serde_json::json!({"action": "add", "combatants": [{field: who.name}]});
    let refusal = refusal.send_call("manage_combat", &arguments, " first");
    Err(refusal.did_you_mean(suggestions))
}

fn can_join(state: &State, who: &Character) -> bool {
    who.takes_part() && !lookup::is_out_for_good(state, who)
}

/// The combatants whom the names mean, each once: names, a side of the fight, "party"; of these
/// those who are down as well. Refused: what is wrong with any of the names.
fn combatants(table: &Table, parameter: &str, names: &[String]) -> Result<Vec<Combatant>> {
    let (state, system) = (&*table.state, table.system());
    let meant = |name: &String| match is_side(state, name) {
        true => several(
            state,
            system,
            parameter,
            std::slice::from_ref(name),
            Reach::Living,
        )
        .and_then(|side| {
            side.iter()
                .map(|who| combatant(table, parameter, &who.name))
                .collect()
        }),
        false => combatant(table, parameter, name).map(|member| vec![member]),
    };
    let mut found: Vec<Combatant> = all_or_refused(names.iter().map(meant))?.concat();
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|member| seen.insert(member.id));
    Ok(found)
}

/// All of them. Refused: what is wrong with any of them.
fn all_or_refused<T>(each: impl Iterator<Item = Result<T>>) -> Result<Vec<T>> {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    for one in each {
        match one {
            Ok(one) => all.push(one),
            Err(refusal) => refused.push(refusal),
        }
    }
    if refused.is_empty() {
        Ok(all)
    } else {
        Err(Refusal::all(refused))
    }
}

fn combatant_or_current(table: &Table, parameter: &str, name: Option<&str>) -> Result<Combatant> {
    if let Some(name) = name {
        return combatant(table, parameter, name);
    }
    open(table.state)?
        .current
        .and_then(|id| table.state.combatants.get(&id))
        .cloned()
        .ok_or_else(|| {
            Refusal::new(
                Code::InvalidParameters,
                format!("It is nobody's turn, so say who: {parameter}=\"…\"."),
            )
        })
}
fn subject(state: &State, combatant: i64) -> Option<Subject> {
    state
        .characters
        .get(&state.combatants.get(&combatant)?.character)
        .map(Character::subject)
}

fn log_combat(
    table: &mut Table,
    visibility: Visibility,
    event: Event,
    before: Combat,
    after: Combat,
) {
    let changes = vec![Change::Combat(Images::changed(before, after))];
    table.log(Draft {
        visibility,
        ..Draft::new("gm", event, changes)
    });
}
