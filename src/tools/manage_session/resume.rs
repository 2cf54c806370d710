//! The state of the game in one text, to go on from: where, whose turn, who and how they are, what is open, what happened last. It is
//! the GM's view. It stays under [`RESUME_MAX`] bytes whatever the game is like, so each part has its own room.

use crate::game::decide::combat::upcoming;
use crate::game::mechanics::clocks;
use crate::game::mechanics::duration::{self, has_turns};
use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::event::{Event, TableRollEvent};
use crate::game::record::state::{Character, Combat, CombatStatus, Combatant, NoteKind, State};
use crate::game::view::Audience;
use crate::game::view::recap::{open_threads, thread_line};
use crate::game::view::visibility::{health, project};
use crate::rules::System;
use crate::session::live::View;

/// Bytes of the whole text. A prompt of 3,000 has room beside it for what is to be said of a lost history.
pub const RESUME_MAX: usize = 2800;
/// Entries that are looked at for the last things that happened.
pub const LOOKED_AT: u32 = 60;
/// Things that happened, of those the last.
const HAPPENED_MAX: usize = 10;

/// Bytes of each part, which with their headings stay under the whole.
const SCENE: usize = 180;
const FIGHT: usize = 560;
const PARTY: usize = 320;
const CLOCKS: usize = 200;
const THREADS: usize = 280;
const HAPPENED: usize = 720;
/// Bytes of a name, of a line about somebody or something.
const NAME: usize = 40;
const LINE: usize = 110;
const TABLE_LINE: usize = 300;

/// The text.
pub fn resume(view: &View) -> String {
    let (state, system) = (view.state, &*view.setting.system);
    let campaign = cut(&view.setting.campaign, NAME);
    if view.head.seq == 0 {
        return format!(
            "Nothing was played in {campaign} yet. manage_session action=\"start\" opens a session; make the characters first."
        );
    }
    let how = match state.open_combat() {
        Some(_) => {
            "exactly where it stopped: begin no fight anew, pass no turn, and ask whose turn it is what they do. This is for the GM: tell players \
             only what they saw. get_character and manage_combat action=\"status\" say more."
        }
        None => {
            "where it stopped; no fight is on. Ask the players what they do. This is for the GM: tell players only what they saw. \
             get_character says more."
        }
    };
    let mut text = format!("Go on with {campaign} {how}\n");
    text.push_str(&session(view));
    let scene = state.notes.values().rev().find(|note| note.kind == NoteKind::Scene);
    if let Some(scene) = scene {
        text.push_str(&cut(&format!("\nScene (#{}): {}", scene.id, one_line(&scene.text)), SCENE));
    }
    if let Some(combat) = state.open_combat() {
        text.push_str(&fight(state, system, combat));
    }
    let party = state.characters.values().filter(|own| own.is_in_party());
    let outside = party.filter(|own| state.open_combatant(own.id).is_none());
    let label = if state.open_combat().is_some() { "Not in the fight" } else { "Party" };
    text.push_str(&part(label, outside.map(|own| person(state, system, own, "")), PARTY));
    let shared = clocks::open(state, system);
    text.push_str(&part("Clocks and what all share", shared.iter().map(|own| cut(&clocks::line(own), LINE)), CLOCKS));
    let threads = open_threads(state, Audience::Gm).into_iter().rev();
    text.push_str(&part("Open threads", threads.map(|thread| cut(&thread_line(thread, Audience::Gm), LINE)), THREADS));
    text.push_str(&part("Last, newest first", happened(view).into_iter(), HAPPENED));
    cut(&text, RESUME_MAX)
}

/// "Session 3 (Half past nine) is open; the last entry is #80."
fn session(view: &View) -> String {
    let last = view.head.seq;
    let session = match (view.state.open_session(), view.state.sessions.values().next_back()) {
        (Some(open), _) => {
            let title = open.title.as_ref().map_or(String::new(), |title| format!(" ({})", cut(title, NAME)));
            format!("Session {}{title} is open", open.number)
        }
        (None, Some(row)) => {
            format!("Session {} has ended; manage_session action=\"start\" opens the next", row.number)
        }
        (None, None) => "No session is open".to_owned(),
    };
    format!("\n{session}. The last entry is #{last}.")
}

/// The fight: round, whose turn, then everybody in the order in which they act.
fn fight(state: &State, system: &System, combat: &Combat) -> String {
    let title = combat.title.as_ref().map_or("A fight".to_owned(), |title| cut(title, NAME));
    let current = combat.current.and_then(|id| state.combatants.get(&id));
    let turn = match (combat.status, current) {
        (CombatStatus::Setup, _) => " is prepared and has not begun".to_owned(),
        (_, Some(current)) => format!(", round {}, {}'s turn", combat.round, name(state, current)),
        (_, None) if !has_turns(system, combat) => {
            let interrupted = combat.interrupted.and_then(|id| state.combatants.get(&id));
            let goes_on = interrupted.map_or(String::new(), |own| {
                format!(" ({}'s goes on if turns begin again in this round)", name(state, own))
            });
            format!(", round {}, without turns{goes_on}", combat.round)
        }
        (_, None) => format!(", round {}", combat.round),
    };
    let members = upcoming(state, system, combat).into_iter();
    let (down, up): (Vec<&Combatant>, Vec<&Combatant>) = members.partition(|own| own.defeated);
    let line = |own: &Combatant| {
        let flags = [(own.hidden, "hidden"), (own.ready.is_some(), "ready")];
        let flags = flags.into_iter().filter(|(is, _)| *is).map(|(_, word)| format!(", {word}"));
        let waits = own.waits.map(|waits| format!(", {}", waits.as_str()));
        let flags: String = flags.chain(waits).collect();
        state.characters.get(&own.character).map(|who| person(state, system, who, &flags))
    };
    let down: Vec<String> = down.iter().filter_map(|own| line(own)).map(|line| format!("down: {line}")).collect();
    let lines: Vec<String> = up.into_iter().filter_map(line).chain(down).collect();
    match lines.is_empty() {
        true => format!("\n\n{title}{turn}; nobody is in it."),
        false => part(&format!("{title}{turn}"), lines.into_iter(), FIGHT),
    }
}

/// "Jory 9/12, prone, bless (3 rounds), hidden"
fn person(state: &State, system: &System, who: &Character, flags: &str) -> String {
    let conditions: Vec<String> =
        state.conditions_of(who.id).map(|row| format!(", {}", duration::render_with_cause(row))).collect();
    let health = health(state, system, who, Audience::Gm);
    cut(&format!("{} {health}{flags}{}", cut(&who.name, NAME), conditions.concat()), LINE)
}

fn name(state: &State, own: &Combatant) -> String {
    state.characters.get(&own.character).map_or_else(String::new, |who| cut(&who.name, NAME))
}

/// The last things that happened, newest first.
fn happened(view: &View) -> Vec<String> {
    let told = view
        .past
        .last
        .iter()
        .rev()
        .filter(|(_, entry)| !matches!(entry.event, Event::CampaignCreated { .. } | Event::RulesLoaded { .. }));
    let line = |(seq, entry): &(u64, Entry)| {
        let secret = if entry.visibility == Visibility::Public { "" } else { " (GM)" };
        // What a table says matters more than its dice.
        let (text, most) = if let Event::TableRoll(event) = &entry.event {
            (rows(event), TABLE_LINE)
        } else {
            (project(entry, view.state, Audience::Gm).seen?.text, LINE)
        };
        Some(cut(&format!("#{seq}{secret} {}", one_line(&text)), most))
    };
    let lines: Vec<String> = told.filter_map(line).take(HAPPENED_MAX).collect();
    // All of them have room, if need be the long ones in fewer words.
    let each = (1..=TABLE_LINE)
        .rev()
        .find(|each| lines.iter().map(|line| line.len().min(*each) + "\n- ".len()).sum::<usize>() <= HAPPENED);
    lines.iter().map(|line| cut(line, each.unwrap_or(1))).collect()
}

/// "Rumours: 3 wolves; Weather: rain"
fn rows(event: &TableRollEvent) -> String {
    let rows = event.drawn.iter().map(|drawn| format!("{}: {}", drawn.table, drawn.result));
    rows.collect::<Vec<String>>().join("; ")
}

/// A part of the text: a heading and as many lines as have room.
fn part(heading: &str, lines: impl Iterator<Item = String>, room: usize) -> String {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return String::new();
    }
    let more = |count: usize| format!("\n- and {count} more");
    let mut text = format!("\n\n{heading}:");
    let mut used = 0;
    for (at, line) in lines.iter().enumerate() {
        let left = lines.len() - at;
        let reserve = if left > 1 { more(left).len() } else { 0 };
        if used + line.len() + 3 + reserve > room {
            text.push_str(&more(left));
            break;
        }
        used += line.len() + 3;
        text.push_str("\n- ");
        text.push_str(line);
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many bytes, `…` at the end where there was more.
fn cut(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| at + '…'.len_utf8() <= bytes).last().unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or_default())
}
