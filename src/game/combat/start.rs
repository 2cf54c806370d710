//! Beginning a fight: who is in it, with which hit points, and initiative rolled for each and logged.

use std::collections::{BTreeMap, BTreeSet};

use super::initiative;
use super::order::next;
use crate::game::character::{self, Sheet};
use crate::game::entry::{Change, Images, Visibility};
use crate::game::event::Event;
use crate::game::limits::{self, LIMITS};
use crate::game::lookup;
use crate::game::refusal::Refusal;
use crate::game::standing::Standing;
use crate::game::state::{Character, Combat, CombatStatus, Combatant, Kind, State};
use crate::game::table::{Draft, Table};
use crate::game::tracks;
use crate::names::fold;
use crate::rules::InitiativeKind;

/// Who joins: a character by name, or a newcomer with hit points of its own.
#[derive(Debug, Default, Clone)]
pub struct Newcomer {
    pub name: String,
    /// How many of them, numbered when more than one.
    pub count: Option<i64>,
    /// Hit points of each, as the adventure says.
    pub hp: Option<i64>,
    /// Set by the GM instead of rolled; logged as such.
    pub initiative: Option<i64>,
    pub side: Option<String>,
    /// Scores of a newcomer, where they matter (initiative).
    pub attributes: BTreeMap<String, i64>,
}

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct StartCall {
    pub title: Option<String>,
    pub combatants: Vec<Newcomer>,
}

/// Begins a fight and the first turn; answers the number of the entry that began it, which is its id.
pub fn start(table: &mut Table, call: StartCall) -> Result<u64, Refusal> {
    ready(table, &call)?;
    // Foes first, so that every combatant is a character with hit points before the fight begins.
    let mut fighters: Vec<(i64, &Newcomer)> = Vec::new();
    let mut made = Vec::new();
    for newcomer in &call.combatants {
        for id in characters(table, newcomer, &mut made)? {
            if fighters.iter().any(|(other, _)| *other == id) {
                let summary =
                    format!("{} is named twice. Name everybody once; use count for several of a kind.", newcomer.name);
                return Err(Refusal::new("duplicate_name", summary));
            }
            fighters.push((id, newcomer));
        }
    }
    limits::count("combatants", fighters.len(), LIMITS.combatants)?;

    let seq = table.next_seq();
    let combat = i64::try_from(seq).unwrap_or(i64::MAX);
    let row = Combat {
        id: combat,
        title: call.title.clone(),
        status: CombatStatus::Running,
        round: 1,
        current: None,
        outcome: None,
        moved_at: table.at,
    };
    let event = Event::CombatStarted { combat, title: call.title.clone() };
    table.log(Draft::new("gm", event, vec![Change::Combat(Images::made(row))]));
    for (character, newcomer) in fighters {
        join(table, combat, character, newcomer)?;
    }
    first_turn(table, combat);
    Ok(seq)
}

fn ready(table: &Table, call: &StartCall) -> Result<(), Refusal> {
    if let Some(title) = &call.title {
        limits::name("title", title)?;
    }
    if let Some(running) = table.state.running_combat() {
        let title = running.title.as_deref().map_or(String::new(), |title| format!(" ({title})"));
        let summary = format!(
            "A fight is going on already{title}, round {}. Send action=\"end\" first, or action=\"status\" to see it.",
            running.round
        );
        return Err(Refusal::new("combat_running", summary));
    }
    if call.combatants.is_empty() {
        let summary = "A fight needs somebody in it. Send combatants=[{\"name\": \"Aria\"}, {\"name\": \"Goblin\", \
                       \"count\": 2, \"hp\": 7}].";
        return Err(Refusal::new("invalid_parameters", summary));
    }
    Ok(())
}

/// The characters a newcomer stands for: the known one of that name, else `count` new ones.
fn characters(table: &mut Table, newcomer: &Newcomer, made: &mut Vec<i64>) -> Result<Vec<i64>, Refusal> {
    limits::name("combatants.name", &newcomer.name)?;
    limits::number("initiative", newcomer.initiative.unwrap_or(0))?;
    limits::number("hp", newcomer.hp.unwrap_or(0))?;
    if let Some(side) = &newcomer.side {
        limits::name("combatants.side", side)?;
    }
    let most = i64::try_from(LIMITS.combatants).unwrap_or(i64::MAX);
    let count = newcomer.count.unwrap_or(1);
    if !(1..=most).contains(&count) {
        let summary = format!("count for {} is {count}; it takes 1 to {most}.", newcomer.name);
        return Err(Refusal::new("limit_exceeded", summary));
    }
    // A name made by an earlier line of this very list is a second of its kind, not the same one again.
    let known = lookup::by_name(table.state, &newcomer.name).filter(|known| !made.contains(&known.id));
    if let Some(known) = known.filter(|_| count == 1) {
        let known = known.clone();
        if known.kind.is_open() || newcomer.hp.is_none() || !spent(table.state, &known) {
            give_hit_points(table, &known, newcomer)?;
            return Ok(vec![known.id]);
        }
    }
    if newcomer.hp.is_none() {
        let near = crate::names::near(&newcomer.name, table.state.characters.values().map(|known| known.name.as_str()));
        let hint = near.first().map_or(String::new(), |near| format!(" Or did you mean \"{near}\"?"));
        let summary = format!(
            "\"{0}\" is nobody the campaign knows, and a newcomer needs hit points. Send {{\"name\": \"{0}\", \"hp\": 7}}.{hint}",
            newcomer.name
        );
        return Err(Refusal::new("missing_value", summary).near(near));
    }
    let several =
        count > 1 || lookup::by_name(table.state, &newcomer.name).is_some() || numbered(table.state, &newcomer.name, 1);
    let mut ids = Vec::new();
    for _ in 0..count {
        let name = if several { free_name(table.state, &newcomer.name) } else { newcomer.name.clone() };
        let sheet = Sheet {
            name: Some(name),
            kind: Some(Kind::Npc),
            attributes: newcomer.attributes.clone(),
            hp: newcomer.hp,
            ..Sheet::default()
        };
        let id = i64::try_from(character::create(table, sheet)?).unwrap_or(i64::MAX);
        made.push(id);
        ids.push(id);
    }
    Ok(ids)
}

/// Whether a foe of an earlier fight is out of it for good, so that its name may be taken by a new one.
fn spent(state: &State, known: &Character) -> bool {
    state.combatants.values().any(|combatant| combatant.character == known.id && combatant.defeated)
}

/// A known character comes with its own hit points; one that has none needs them now, and an NPC's may be set anew.
fn give_hit_points(table: &mut Table, known: &Character, newcomer: &Newcomer) -> Result<(), Refusal> {
    let standing = Standing::of(table.state, known.id);
    let name = tracks::main_name(table.system()).to_owned();
    match (standing.main(table.system()), newcomer.hp) {
        (Some(_), None) => Ok(()),
        (None, None) if standing.health(table.system()).is_some() => Ok(()),
        (Some(own), Some(hp)) if (own.value, own.max) == (hp, Some(hp)) => Ok(()),
        (Some(_), Some(hp)) if known.kind.is_open() => {
            let summary = format!(
                "{0} already has hit points; hp={hp} was not taken. Leave hp out, or change them with \
                 manage_character action=\"update\" character=\"{0}\" tracks={{\"{name}\": {hp}}}.",
                known.name
            );
            Err(Refusal::new("invalid_parameters", summary))
        }
        (_, Some(hp)) => {
            let sheet = match known.kind.is_open() {
                true => Sheet { tracks: BTreeMap::from([(name, hp)]), ..Sheet::default() },
                false => Sheet { hp: Some(hp), ..Sheet::default() },
            };
            character::update(table, &known.name, sheet).map(|_| ())
        }
        (None, None) => {
            let missing = character::missing(table.state, table.system(), known).join("; ");
            let missing = if missing.is_empty() { String::new() } else { format!(" Still missing: {missing}.") };
            let summary = format!(
                "{0} has no hit points yet, and every combatant needs them.{missing} Send {{\"name\": \"{0}\", \"hp\": 8}}, or \
                 complete {0} with manage_character action=\"update\".",
                known.name
            );
            Err(Refusal::new("missing_value", summary))
        }
    }
}

fn numbered(state: &State, name: &str, number: u32) -> bool {
    lookup::by_name(state, &format!("{name} {number}")).is_some()
}

/// The first of "Goblin 1", "Goblin 2", … that nobody bears; a plain "Goblin" counts as the first.
fn free_name(state: &State, name: &str) -> String {
    let taken: BTreeSet<String> = state.characters.values().map(|character| fold(&character.name)).collect();
    let first = if taken.contains(&fold(name)) { 2u32 } else { 1 };
    let mut numbered = (first..).map(|number| format!("{} {number}", name.trim()));
    numbered.find(|name| !taken.contains(&fold(name))).unwrap_or_default()
}

fn join(table: &mut Table, combat: i64, character: i64, newcomer: &Newcomer) -> Result<(), Refusal> {
    let Some(row) = table.state.characters.get(&character).cloned() else { return Ok(()) };
    let (initiative, roll) = match newcomer.initiative {
        Some(set) => (Some(set), None),
        None => initiative::rolled(table, &row)?,
    };
    let id = i64::try_from(table.next_seq()).unwrap_or(i64::MAX);
    let side = newcomer.side.as_deref().map(fold);
    let side = side.unwrap_or_else(|| if row.kind.is_open() { "players" } else { "foes" }.to_owned());
    let combatant = Combatant {
        id,
        combat,
        character,
        side,
        initiative,
        ties: initiative::ties(table, &row),
        acted_round: 0,
        defeated: Standing::of(table.state, character).is_down(table.system()),
    };
    let event = Event::CombatantJoined { combat, subject: row.subject(), initiative };
    table.log(Draft {
        visibility: Visibility::Public,
        rolls: roll.into_iter().collect(),
        rule: table.system().initiative.place.as_ref().map(ToString::to_string),
        ..Draft::new(
            if newcomer.initiative.is_some() { "gm" } else { "system" },
            event,
            vec![Change::Combatant(Images::made(combatant))],
        )
    });
    Ok(())
}

/// The first turn begins with the fight, where the rules know turns.
fn first_turn(table: &mut Table, combat: i64) {
    if matches!(table.system().initiative.kind, InitiativeKind::None) {
        return;
    }
    if let Some((first, round)) = next(table.state, table.system(), combat, 1) {
        let first = first.clone();
        super::turn::begin(table, combat, &first, round);
    }
}
