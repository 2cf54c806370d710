//! Where the game is, as figures, and once a call was undone.

use crate::session::live::View;
use crate::session::{Answer, Common, Host};
use crate::tools::get_character::brief;
use crate::tools::manage_combat;
use crate::tools::reply::{fields, filled};
use rollbook_game::mechanics::{clocks, decks, duration, lookup};
use rollbook_game::moment::moment_words;
use rollbook_game::record::change::Change;
use rollbook_game::record::event::RulesChange;
use rollbook_game::record::instant::iso;
use rollbook_game::record::state::{Character, Combat, CombatStatus, State};
use rollbook_game::table::Table;
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::{health, visible_round, visible_turn};
use rollbook_rules::{System, span_words};

use serde_json::json;

use super::reply::{Reply, Status};
use rollbook_text::names::counted;

/// What could not be read of the rules, for the GM to tell the author.
pub(super) fn problems(host: &Host) -> Vec<String> {
    let adventure = host.adventure();
    let reading = &adventure.reading;
    let plain = rollbook_text::diagnostic::render::plain(&reading.diagnostics, &reading.sources);
    let unread = adventure
        .problems
        .iter()
        .map(|problem| problem.message.clone());
    unread
        .chain(plain.lines().map(str::to_owned))
        .take(20)
        .collect()
}

fn party(view: &View) -> Vec<String> {
    let party = view
        .state
        .characters
        .values()
        .filter(|who| who.is_in_party());
    party.map(|who| brief(view, who)).collect()
}

pub(super) fn status(view: &View, database: String, problems: Vec<String>) -> Answer<Reply> {
    let state = view.state;
    let open = state.open_session();
    let party = party(view);
    let combat = state.open_combat().map(|combat| {
        let title = combat.title.as_deref().unwrap_or("a fight");
        let progress = match combat.status {
            CombatStatus::Setup => "prepared".to_owned(),
            CombatStatus::Running | CombatStatus::Ended => {
                let idle = idle(combat, view.at).map_or(String::new(), |idle| format!(", {idle}"));
                format!("round {}{idle}", combat.round)
            }
        };
        format!("{title}, {progress}; manage_combat action=\"status\" shows it")
    });
    let system = &view.setting.system;
    let clocks: Vec<String> = clocks::open(state, system)
        .iter()
        .map(clocks::line)
        .collect();
    let (decks, game_time) = (decks::lines(state, system), time(state, system));
    let more = json!({"clocks": filled(clocks.clone()), "decks": filled(decks.clone()), "game_time": game_time});
    let status = Status {
        campaign: view.setting.campaign.clone(),
        adventure: view.setting.adventure.clone(),
        rules: if system.narrative {
            None
        } else {
            system.called()
        },
        session: open.map(|session| session.number),
        session_started: open.map(|session| iso(session.started_at)),
        log_length: view.head.seq,
        database,
        party,
        more: fields(&more),
        combat,
        problems,
    };
    let clocks = if clocks.is_empty() {
        String::new()
    } else {
        format!("; shared: {}", clocks.join(", "))
    };
    let decks: String = decks.iter().map(|deck| format!("; {deck}")).collect();
    let time = game_time.map_or(String::new(), |time| format!("; it is {time} in the game"));
    let summary = summary(&status, &format!("{clocks}{decks}{time}"));
    let receipt = (view.head.seq > 0).then(|| view.head.receipt());
    let rules = view
        .past
        .rules
        .as_ref()
        .map_or(String::new(), |changed| format!(" {}", changed.for_gm()));
    Answer::new(
        Common {
            receipt,
            ..Common::of(summary + &rules)
        },
        Reply::Status(status),
    )
}

/// Minutes without a turn from which on a fight is called idle. Only the GM ends it.
const IDLE_MINUTES: i64 = 10;

/// "idle for 25 minutes": how long ago the last turn of a running fight began.
pub(super) fn idle(combat: &Combat, at: i64) -> Option<String> {
    let minutes = (at - combat.moved_at) / 60_000_000;
    let idle = combat.status == CombatStatus::Running && minutes >= IDLE_MINUTES;
    idle.then(|| format!("idle for {}", span_words(minutes * 60)))
}

/// "day 2, 06:30", where time is counted.
fn time(state: &State, system: &System) -> Option<String> {
    duration::is_counted(state, system).then(|| moment_words(duration::now(state, system)))
}

/// Where the game stands, as a player knows it.
pub(super) fn status_for_player(view: &View, player: &str) -> Answer<Reply> {
    let (state, system) = (view.state, &*view.setting.system);
    let session = match state.open_session() {
        Some(open) => format!("session {} is open", open.number),
        None => "no session is open".to_owned(),
    };
    let party = party(view);
    // A key may have been given for a part of the name, by which get_character finds them too.
    let seat = match lookup::character(state, system, player)
        .ok()
        .filter(|who| who.is_in_party())
    {
        Some(who) => format!("You are {}.", who.name),
        None => format!("This seat is {player}'s; no such character is in the party yet."),
    };
    let fight = state
        .open_combat()
        .and_then(|_| manage_combat::players_text(state, system));
    let shared = if fight.is_some() {
        String::new()
    } else {
        manage_combat::shared(state, system, Audience::Player)
    };
    // Rounds of hidden combatants are not theirs to count.
    let time = time(state, system)
        .filter(|_| fight.is_none())
        .map_or(String::new(), |time| format!(" It is {time}."));
    let party = if party.is_empty() {
        String::new()
    } else {
        format!(" {}", party.join(" "))
    };
    let fight = fight.map_or(String::new(), |fight| format!(" The fight: {fight}"));
    let rules = view.past.rules.as_ref().and_then(RulesChange::for_players);
    let rules = rules.map_or(String::new(), |said| format!(" {said}"));
    let summary = format!(
        "{}: {session}. {seat}{party}{shared}{time}{fight}{rules}",
        view.setting.campaign
    );
    Answer::new(Common::of(summary), None)
}

/// `shared`: about clocks, decks and the time.
fn summary(reply: &Status, shared: &str) -> String {
    let rules = reply
        .rules
        .as_deref()
        .unwrap_or("no rules: a narrative adventure");
    let session = reply
        .session
        .map_or("no session is open".to_owned(), |number| {
            format!("session {number} is open")
        });
    let party = if reply.party.is_empty() {
        "nobody has made a character yet".to_owned()
    } else {
        format!("{} in the party", reply.party.len())
    };
    let combat = reply
        .combat
        .as_ref()
        .map_or(String::new(), |combat| format!("; a fight: {combat}"));
    let problems = if reply.problems.is_empty() {
        String::new()
    } else {
        format!(
            "; the rules have {}, see problems",
            counted(reply.problems.len(), "remark", "remarks")
        )
    };
    format!(
        "{} ({rules}): {session}, {party}, {} in the log{shared}{combat}{problems}.",
        reply.campaign,
        counted(reply.log_length, "entry", "entries")
    )
}

const NAMED_MAX: usize = 6;

/// Adds to an undo's summary how things are then: the turn, those it concerned, the call's notes.
/// Players learn the round and whose turn it is, where a fight goes on.
pub(super) fn add_standing(table: &Table, common: &mut Common) {
    let notes = std::mem::take(&mut common.noted);
    let turn = turn(table, Audience::Gm);
    let people = people(table);
    let note = |note: &String| format!("{}.", note.trim_end_matches('.'));
    let more: Vec<String> = notes.iter().map(note).chain(turn).chain(people).collect();
    if !more.is_empty() {
        common.summary = format!("{} {}", common.summary, more.join(" "));
    }
    if let (Some(text), Some(turn)) = (&mut common.player_text, self::turn(table, Audience::Player))
    {
        text.push(' ');
        text.push_str(&turn);
    }
}

/// "Now it is round 2, Aria's turn."
fn turn(table: &Table, audience: Audience) -> Option<String> {
    let state = &*table.state;
    let Some(combat) = state.open_combat() else {
        let unmade = changes(table).any(|change| matches!(change, Change::Combat(_)));
        return (unmade && audience == Audience::Gm).then(|| "Now no fight is on.".to_owned());
    };
    if combat.status == CombatStatus::Setup {
        return (audience == Audience::Gm)
            .then(|| "Now the fight is prepared and has not begun.".to_owned());
    }
    let (round, current) = match audience {
        Audience::Gm => (
            combat.round,
            combat.current.and_then(|id| state.combatants.get(&id)),
        ),
        Audience::Player => (visible_round(state, combat), visible_turn(state, combat)),
    };
    let current = current.and_then(|combatant| state.characters.get(&combatant.character));
    let whose = current.map_or(String::new(), |who| format!(", {}'s turn", who.name));
    Some(format!("Now it is round {round}{whose}."))
}

/// "Jory 9/14, prone; Rat 3/5."
fn people(table: &Table) -> Option<String> {
    let state = &*table.state;
    let mut touched: Vec<&Character> = Vec::new();
    for id in changes(table).filter_map(|change| character_of(state, change)) {
        let character = state.characters.get(&id);
        let is_new = |character: &&Character| touched.iter().all(|known| known.id != character.id);
        touched.extend(character.filter(is_new));
    }
    let more = touched.len().saturating_sub(NAMED_MAX);
    let more = if more > 0 {
        format!("; and {more} more")
    } else {
        String::new()
    };
    let one = |character: &&Character| {
        let conditions = state
            .conditions_of(character.id)
            .map(|row| format!(", {}", duration::render_with_cause(row)));
        let health = health(state, table.system(), character, Audience::Gm);
        format!(
            "{} {health}{}",
            character.name,
            conditions.collect::<String>()
        )
        .trim_end()
        .to_owned()
    };
    let named: Vec<String> = touched.iter().take(NAMED_MAX).map(one).collect();
    (!named.is_empty()).then(|| format!("{}{more}.", named.join("; ")))
}

fn changes<'t>(table: &'t Table) -> impl Iterator<Item = &'t Change> {
    table
        .call_entries()
        .flat_map(|written| &written.entry.changes)
}

fn character_of(state: &State, change: &Change) -> Option<i64> {
    match change {
        Change::Track(images) => images.row().map(|row| row.character),
        Change::Condition(images) => images.row().map(|row| row.character),
        Change::Combatant(images) => images
            .row()
            .map(|row| row.character)
            .filter(|id| state.characters.contains_key(id)),
        Change::Character(images) => images.row().map(|row| row.id),
        Change::Campaign(_)
        | Change::Session(_)
        | Change::Combat(_)
        | Change::Item(_)
        | Change::Note(_)
        | Change::Clock(_)
        | Change::Deck(_) => None,
    }
}
