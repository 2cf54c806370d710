//! What `manage_combat` answers: the fight as it is. All of 200 combatants take 35 kB, so only
//! `create`, `start` and `status` answer all; others who acts now and next, and how many more.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::session::{Answer, Common, ReplyDetail};
use crate::tools::reply::{self, fields, filled, is_zero};
use crate::tools::roll_reply::Rolls;
use crate::tools::schema::Object;
use rollbook_game::decide::combat::{order, turns, upcoming};
use rollbook_game::decide::rest::due_each_round;
use rollbook_game::mechanics::clocks;
use rollbook_game::mechanics::duration::{self, has_turns};
use rollbook_game::mechanics::tracks::{render_value, uses_of};
use rollbook_game::record::event::{Effects, Event, TurnTakenBack};
use rollbook_game::record::instant::iso;
use rollbook_game::record::state::{Attack, Clock, Combat, CombatStatus, Combatant, State, Track};
use rollbook_game::simulate::attacks_a_turn;
use rollbook_game::table::Table;
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::{self, health};
use rollbook_rules::{Structure, System};
use rollbook_text::names::{same, shortened};

/// Combatants up to which `order` lists all.
const LISTED_MAX: usize = 20;
/// Combatants in `order` when it does not list all.
const UPCOMING_MAX: usize = 6;
const NAMED_MAX: usize = 12;

/// The fight as it is.
#[derive(Default, Serialize, JsonSchema)]
pub struct Reply {
    /// setup, running, ended or none
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    // "narrative" for a fight without turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    structure: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<String>,
    /// Now and next; from status all, of a crowd the rest in others. {name, initiative, health,
    /// conditions, acted, side, defeated, hidden, waits, ready}
    #[schemars(with = "Vec<Object>")]
    order: Vec<Value>,
    /// Combatants beyond those.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(skip)]
    more: usize,
    /// Of a crowd, those in a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    others: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    began: Vec<String>,
    /// Effects, as in began.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ended: Vec<String>,
    /// ISO-8601: its last turn's start.
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_since: Option<String>,
    #[serde(flatten)]
    #[schemars(skip)]
    rolls: Rolls,
}

pub fn written(table: &Table, whole: bool, detail: ReplyDetail) -> Answer<Reply> {
    let common = reply::common(table);
    let Some(combat) = table.state.combats.values().next_back() else {
        return Answer::new(common, None);
    };
    let common = Common {
        next: common
            .next
            .or_else(|| next(table.state, table.system(), combat)),
        ..common
    };
    let (state, system) = (&*table.state, table.system());
    let mut reply = match whole {
        true => listed(state, system, combat, order(state, system, combat.id)),
        false => shaped(
            state,
            system,
            combat,
            &upcoming(state, system, combat),
            UPCOMING_MAX,
        ),
    };
    reply.rolls = Rolls::of(table, detail);
    for written in table.call_entries() {
        match &written.entry.event {
            Event::Effects(Effects { began, ended, .. }) => {
                reply
                    .began
                    .extend(began.iter().map(|effect| effect.label()));
                reply
                    .ended
                    .extend(ended.iter().map(|effect| effect.label()));
            }
            Event::TurnTakenBack(TurnTakenBack { restored, .. }) => reply
                .began
                .extend(restored.iter().map(|effect| effect.label())),
            _ => {}
        }
    }
    Answer::new(common, reply)
}

/// " Alarm 2/6, Flooding 3/6.": the clocks and shared tracks that this audience knows.
pub fn shared(state: &State, system: &System, audience: Audience) -> String {
    let seen = |clock: &Clock| audience == Audience::Gm || !clock.hidden;
    let lines: Vec<String> = clocks::open(state, system)
        .into_iter()
        .filter(seen)
        .map(|clock| clocks::line(&clock))
        .collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!(" {}.", lines.join(", "))
    }
}

pub fn players_text(state: &State, system: &System) -> Option<String> {
    status(state, system).common.player_text
}

/// The open fight, or the last one, or none; for the GM, with `player_text` for players.
pub fn status(state: &State, system: &System) -> Answer<Reply> {
    let Some(combat) = state.combats.values().next_back() else {
        return Answer::new(
            Common::of("No fight so far."),
            Reply {
                status: "none".to_owned(),
                ..Reply::default()
            },
        );
    };
    let all = order(state, system, combat.id);
    let text = |audience| {
        summary(state, system, combat, &all, audience) + &shared(state, system, audience)
    };
    let common = Common {
        player_text: (combat.status != CombatStatus::Setup).then(|| text(Audience::Player)),
        next: next(state, system, combat),
        ..Common::of(text(Audience::Gm))
    };
    Answer::new(common, listed(state, system, combat, all))
}

/// "Round 2, Aria's turn. Aria 9/12, Goblin 1 2/7." Players see no hidden ones, and foes in words.
fn summary(
    state: &State,
    system: &System,
    combat: &Combat,
    order: &[&Combatant],
    audience: Audience,
) -> String {
    let gm = audience == Audience::Gm;
    let mut order: Vec<&&Combatant> = order
        .iter()
        .filter(|combatant| gm || !combatant.hidden)
        .collect();
    if !gm && !has_turns(system, combat) {
        // Who is on which side may be secret.
        order.sort_by_key(|combatant| combatant.id);
    }
    let sides = if gm {
        sides(system, combat, &order)
    } else {
        Vec::new()
    };
    let named = order.iter().take(NAMED_MAX);
    let mut everybody: Vec<String> = named
        .enumerate()
        .map(|(at, combatant)| {
            let side = if sides.contains(&at) {
                format!("{}: ", combatant.side)
            } else {
                String::new()
            };
            let line = match health_of(state, system, combatant, audience) {
                // Several numbers for one health are put in parentheses.
                none if none.is_empty() => format!("{side}{}", name(state, combatant)),
                several if several.contains(", ") => {
                    format!("{side}{} ({several})", name(state, combatant))
                }
                health => format!("{side}{} {health}", name(state, combatant)),
            };
            let conditions = state
                .conditions_of(combatant.character)
                .map(duration::render_with_cause);
            let conditions: Vec<String> = conditions.filter(|_| gm).collect();
            if conditions.is_empty() {
                line
            } else {
                format!("{line} ({})", conditions.join(", "))
            }
        })
        .collect();
    if order.len() > NAMED_MAX {
        everybody.push(format!("and {} more", order.len() - NAMED_MAX));
    }
    let (current, round) = match gm {
        true => (
            combat.current.and_then(|id| state.combatants.get(&id)),
            combat.round,
        ),
        false => (
            visibility::visible_turn(state, combat),
            visibility::visible_round(state, combat),
        ),
    };
    let head = match (combat.status, current) {
        (CombatStatus::Ended, _) => "The fight is over".to_owned(),
        (CombatStatus::Setup, _) => "A fight is prepared".to_owned(),
        (CombatStatus::Running, _) if everybody.is_empty() => {
            format!("Round {round}, and nobody is in the fight")
        }
        (CombatStatus::Running, _) if nobody_is_up(state, combat, audience) => {
            format!("Round {round}, and everybody is down")
        }
        (CombatStatus::Running, Some(current)) if current.defeated => {
            format!(
                "Round {round}, and {}, whose turn it was, is down",
                name(state, current)
            )
        }
        (CombatStatus::Running, Some(current)) => {
            format!("Round {round}, {}'s turn", name(state, current))
        }
        (CombatStatus::Running, None) if has_turns(system, combat) => {
            format!("Round {round}, and it is nobody's turn yet")
        }
        (CombatStatus::Running, None) if round > 1 => {
            format!("The fight goes on, round {round}; nobody waits for a turn")
        }
        (CombatStatus::Running, None) => "The fight goes on; nobody waits for a turn".to_owned(),
    };
    if everybody.is_empty() {
        format!("{head}.")
    } else {
        format!("{head}. {}.", everybody.join(", "))
    }
}

/// Where a side begins, in a fight without an order between several sides.
fn sides(system: &System, combat: &Combat, order: &[&&Combatant]) -> Vec<usize> {
    let begins = |at: &usize| match at.checked_sub(1).and_then(|before| order.get(before)) {
        Some(before) => order
            .get(*at)
            .is_some_and(|combatant| combatant.side != before.side),
        None => true,
    };
    let sides: Vec<usize> = (0..order.len()).filter(begins).collect();
    if sides.len() > 1 && !has_turns(system, combat) {
        sides
    } else {
        Vec::new()
    }
}

/// Everybody; of a crowd, those who act soon, and the others in a line each.
fn listed(state: &State, system: &System, combat: &Combat, all: Vec<&Combatant>) -> Reply {
    if all.len() <= LISTED_MAX {
        let turns = turns(state, system, combat.id);
        let turns: Vec<&Combatant> = turns.iter().collect();
        return shaped(state, system, combat, &turns, turns.len());
    }
    let upcoming = upcoming(state, system, combat);
    let others = upcoming
        .iter()
        .skip(UPCOMING_MAX)
        .map(|combatant| line(state, system, combatant))
        .collect();
    Reply {
        more: 0,
        others,
        ..shaped(state, system, combat, &upcoming, UPCOMING_MAX)
    }
}

/// A combatant in a line: "Wrecker 7, foes, 12: 3/7, blinded (2 rounds), hidden".
fn line(state: &State, system: &System, combatant: &Combatant) -> String {
    let mut line = format!("{}, {}", name(state, combatant), combatant.side);
    if let Some(initiative) = combatant.initiative {
        line.push_str(&format!(", {initiative}"));
        let further = combatant.extra.iter();
        further.for_each(|further| line.push_str(&format!(" and {further}")));
    }
    let health =
        Some(health_of(state, system, combatant, Audience::Gm)).filter(|health| !health.is_empty());
    let conditions = state
        .conditions_of(combatant.character)
        .map(duration::render_with_cause);
    let flags = [
        (combatant.defeated, "defeated"),
        (combatant.hidden, "hidden"),
    ];
    let flags = flags
        .into_iter()
        .filter(|(is, _)| *is)
        .map(|(_, word)| word.to_owned());
    let waits = combatant.waits.map(|waits| waits.as_str().to_owned());
    let ready = combatant
        .ready
        .as_ref()
        .map(|trigger| format!("ready: {trigger}"));
    let more: Vec<String> = health
        .into_iter()
        .chain(conditions)
        .chain(flags)
        .chain(waits)
        .chain(ready)
        .collect();
    if more.is_empty() {
        line
    } else {
        format!("{line}: {}", more.join(", "))
    }
}

fn shaped(
    state: &State,
    system: &System,
    combat: &Combat,
    all: &[&Combatant],
    shown: usize,
) -> Reply {
    let place = |combatant: &&Combatant| {
        let conditions = state
            .conditions_of(combatant.character)
            .map(duration::render_with_cause);
        Value::Object(fields(&json!({
            "name": name(state, combatant),
            "initiative": combatant.initiative,
            "further_turns": filled(combatant.extra.clone()),
            "health": health_of(state, system, combatant, Audience::Gm),
            "conditions": filled(conditions.collect::<Vec<_>>()),
            "acted": combatant.acted_round >= combat.round && combat.round > 0,
            "side": combatant.side,
            "defeated": filled(combatant.defeated),
            "hidden": filled(combatant.hidden),
            "waits": combatant.waits.map(|waits| waits.as_str()),
            "ready": combatant.ready,
        })))
    };
    Reply {
        status: combat.status.as_str().to_owned(),
        round: (combat.round > 0).then_some(combat.round),
        structure: (!has_turns(system, combat)).then(|| Structure::Narrative.as_str()),
        current: combat
            .current
            .and_then(|id| state.combatants.get(&id))
            .map(|current| name(state, current)),
        more: all.len().saturating_sub(shown),
        order: all.iter().take(shown).map(place).collect(),
        idle_since: Some(iso(combat.moved_at)),
        ..Reply::default()
    }
}

/// Who is up in the fight that goes on, and with what.
pub fn next_up(table: &Table) -> Option<String> {
    next(table.state, table.system(), table.state.running_combat()?)
}

/// The obvious next call. Defeated combatants do not act.
fn next(state: &State, system: &System, combat: &Combat) -> Option<String> {
    match combat.status {
        CombatStatus::Ended => return None,
        CombatStatus::Setup => {
            return Some(
                "manage_combat action=\"start\" when the fight begins; until then players hear of nothing but their own dice.".to_owned(),
            );
        }
        CombatStatus::Running => {}
    }
    if nobody_is_up(state, combat, Audience::Gm) {
        let nobody = match state.combatants_of(combat.id).next() {
            Some(_) => "Everybody is down: heal somebody with apply_damage, or",
            None => "Nobody is in the fight: manage_combat action=\"add\" brings somebody in; or",
        };
        return Some(format!(
            "{nobody} manage_combat action=\"end\" outcome=\"…\"."
        ));
    }
    let Some(current) = combat.current.and_then(|id| state.combatants.get(&id)) else {
        let begins = "manage_combat action=\"next_turn\" begins a turn.";
        return has_turns(system, combat).then(|| begins.to_owned());
    };
    let who = name(state, current);
    if current.defeated {
        return Some(format!(
            "{who} is down; manage_combat action=\"next_turn\" goes on with whoever is up."
        ));
    }
    // That a person acts, and then the next one, goes without saying.
    let has = has_now(state, system, current)?;
    Some(format!(
        "{who} acts ({has}); then manage_combat action=\"next_turn\"."
    ))
}

/// What the current combatant has: what burns it, effects with their ends, how many attacks, those of a foe and
/// what has counted uses.
fn has_now(state: &State, system: &System, current: &Combatant) -> Option<String> {
    let who = state.characters.get(&current.character)?;
    let is_foe = !who.kind.is_open();
    let notes = format!("{}\n{}", who.gm_notes, who.notes);
    let many = attacks_a_turn(&notes).filter(|_| is_foe);
    let ends = state.conditions_of(current.character).filter_map(|row| {
        let ends = duration::end_words(state, system, row)?;
        Some(format!("{} {ends}", row.label()))
    });
    let attacks = who.attacks.iter().filter(|_| is_foe);
    let counted = |track: &&Track| {
        let is_attack = |attack: &Attack| same(&attack.name, &track.name);
        let is_new = is_foe && !who.attacks.iter().any(is_attack);
        track.uses().is_some() && (is_new || (!is_foe && track.max > Some(track.value)))
    };
    let others = state.tracks_of(who.id).filter(counted);
    let names = attacks
        .map(|attack| &attack.name)
        .chain(others.map(|track| &track.name));
    let all: Vec<String> = names
        .map(|name| match uses_of(state, system, who, name) {
            Some(track) if track.value < 1 => {
                let uses = track
                    .uses()
                    .map_or_else(String::new, |uses| uses.to_string());
                format!("{name} used up ({uses})")
            }
            Some(track) => format!("{name} {}", render_value(&track)),
            None => name.clone(),
        })
        .collect();
    let burns = due_each_round(state, system, who.id).into_iter();
    let has: Vec<String> = burns
        .map(|effect| format!("{effect} at the round's end"))
        .chain(ends)
        .chain(many.map(|many| format!("{many} attacks a turn")))
        .chain((!all.is_empty()).then(|| shortened(&all.join(", "), 200)))
        .collect();
    (!has.is_empty()).then(|| has.join("; "))
}

fn nobody_is_up(state: &State, combat: &Combat, audience: Audience) -> bool {
    let mut seen = state
        .combatants_of(combat.id)
        .filter(|combatant| audience == Audience::Gm || !combatant.hidden);
    seen.all(|combatant| combatant.defeated)
}

fn name(state: &State, combatant: &Combatant) -> String {
    state
        .characters
        .get(&combatant.character)
        .map_or_else(String::new, |character| character.name.clone())
}

fn health_of(state: &State, system: &System, combatant: &Combatant, audience: Audience) -> String {
    let Some(character) = state.characters.get(&combatant.character) else {
        return String::new();
    };
    health(state, system, character, audience)
}
