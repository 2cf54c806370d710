//! Where the game stands, as figures.

use crate::session::live::View;
use crate::session::{Answer, Common, Host};
use crate::tools::get_character::brief;
use crate::tools::manage_combat;
use rollbook_game::mechanics::{clocks, decks, duration, lookup};
use rollbook_game::moment::moment_words;
use rollbook_game::record::event::RulesChange;
use rollbook_game::record::instant::iso;
use rollbook_game::record::state::{Combat, CombatStatus, State};
use rollbook_game::view::Audience;
use rollbook_rules::System;
use rollbook_rules::span_words;

use super::reply::{Reply, Status};
use rollbook_text::names::counted;

/// What could not be read of the rules, for the GM to tell the author.
pub(super) fn problems(host: &Host) -> Vec<String> {
    let adventure = host.adventure();
    let reading = &adventure.reading;
    let plain = rollbook_text::diagnostic::render::plain(&reading.diagnostics, &reading.sources);
    let unread = adventure.problems.iter().map(|problem| problem.message.clone());
    unread.chain(plain.lines().map(str::to_owned)).take(20).collect()
}

pub(super) fn status(view: &View, database: String, problems: Vec<String>) -> Answer<Reply> {
    let state = view.state;
    let open = state.open_session();
    let party = state
        .characters
        .values()
        .filter(|character| character.is_in_party())
        .map(|character| brief(view, character))
        .collect();
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
    let clocks = clocks::open(state, system).iter().map(clocks::line).collect();
    let status = Status {
        campaign: view.setting.campaign.clone(),
        adventure: view.setting.adventure.clone(),
        rules: if system.narrative { None } else { system.called() },
        session: open.map(|session| session.number),
        session_started: open.map(|session| iso(session.started_at)),
        log_length: view.head.seq,
        database,
        party,
        clocks,
        decks: decks::lines(state, system),
        game_time: time(state, system),
        combat,
        problems,
    };
    let receipt = (view.head.seq > 0).then(|| view.head.receipt());
    let rules = view.past.rules.as_ref().map_or(String::new(), |changed| format!(" {}", changed.for_gm()));
    Answer::new(Common { receipt, ..Common::of(summary(&status) + &rules) }, Reply::Status(status))
}

/// Minutes from which on a fight in which nobody's turn began is called idle. Nothing ends it but the GM.
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
pub(super) fn status_for_player(view: &View, own: &str) -> Answer<Reply> {
    let (state, system) = (view.state, &*view.setting.system);
    let session = match state.open_session() {
        Some(open) => format!("session {} is open", open.number),
        None => "no session is open".to_owned(),
    };
    let party: Vec<String> =
        state.characters.values().filter(|who| who.is_in_party()).map(|who| brief(view, who)).collect();
    // A key may have been given for a part of the name, by which get_character finds them too.
    let seat = match lookup::character(state, system, own).ok().filter(|who| who.is_in_party()) {
        Some(who) => format!("You are {}.", who.name),
        None => format!("This seat is {own}'s; no such character is in the party yet."),
    };
    let fight = state.open_combat().and_then(|_| manage_combat::told_players(state, system));
    let shared = match fight.is_some() {
        true => String::new(),
        false => manage_combat::shared(state, system, Audience::Player),
    };
    // Rounds of hidden combatants are not theirs to count.
    let time = time(state, system).filter(|_| fight.is_none()).map_or(String::new(), |time| format!(" It is {time}."));
    let party = if party.is_empty() { String::new() } else { format!(" {}", party.join(" ")) };
    let fight = fight.map_or(String::new(), |fight| format!(" The fight: {fight}"));
    let rules = view.past.rules.as_ref().and_then(RulesChange::for_players);
    let rules = rules.map_or(String::new(), |said| format!(" {said}"));
    let summary = format!("{}: {session}. {seat}{party}{shared}{time}{fight}{rules}", view.setting.campaign);
    Answer::new(Common::of(summary), None)
}

fn summary(reply: &Status) -> String {
    let rules = reply.rules.as_deref().unwrap_or("no rules: a narrative adventure");
    let session = reply.session.map_or("no session is open".to_owned(), |number| format!("session {number} is open"));
    let party = if reply.party.is_empty() {
        "nobody has made a character yet".to_owned()
    } else {
        format!("{} in the party", reply.party.len())
    };
    let clocks = match reply.clocks.is_empty() {
        true => String::new(),
        false => format!("; shared: {}", reply.clocks.join(", ")),
    };
    let decks: String = reply.decks.iter().map(|deck| format!("; {deck}")).collect();
    let time = reply.game_time.as_ref().map_or(String::new(), |time| format!("; it is {time} in the game"));
    let combat = reply.combat.as_ref().map_or(String::new(), |combat| format!("; a fight: {combat}"));
    let problems = if reply.problems.is_empty() {
        String::new()
    } else {
        format!("; the rules have {}, see problems", counted(reply.problems.len(), "remark", "remarks"))
    };
    format!(
        "{} ({rules}): {session}, {party}, {} in the log{clocks}{decks}{time}{combat}{problems}.",
        reply.campaign,
        counted(reply.log_length, "entry", "entries")
    )
}
