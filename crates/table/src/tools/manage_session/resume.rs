//! The state of the game in one text of [`RESUME_MAX`] bytes, to go on from; parts have their room.

use super::params::Params;
use super::reply::Reply;
use super::status::idle;
use crate::session::adventure::Adventure;
use crate::session::live::View;
use crate::session::{Answer, Common, Host, Wants};
use rollbook_game::decide::combat::upcoming;
use rollbook_game::mechanics::clocks;
use rollbook_game::mechanics::duration::{self, has_turns};
use rollbook_game::moment::moment_words;
use rollbook_game::record::entry::{Entry, Visibility};
use rollbook_game::record::event::{Event, RulesLoaded, TableRollEvent};
use rollbook_game::record::state::{Character, Combat, CombatStatus, Combatant, NoteKind, State};
use rollbook_game::view::Audience;
use rollbook_game::view::recap::{Undone, open_threads, thread_line};
use rollbook_game::view::visibility::{health, seen};
use rollbook_rules::System;
use rollbook_text::names::{listed, printable};

/// Bytes of the whole text. A prompt of 3,000 has room for what is said of a lost history.
pub const RESUME_MAX: usize = 2800;
/// Entries that are looked at for the last things that happened.
const LOOKED_AT: u32 = 60;
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

pub fn wants(params: &Params) -> Wants {
    match audience(params) {
        Audience::Gm => Wants::Last(LOOKED_AT),
        // With what was frozen for players; of a long log the last entries.
        Audience::Player => Wants::Since(0),
    }
}

fn audience(params: &Params) -> Audience {
    params.audience.unwrap_or(Audience::Gm)
}

/// The answer. One for players may be said to them as it is.
pub fn answer(host: &Host, view: &View, params: &Params) -> Answer<Reply> {
    let audience = audience(params);
    let is_new = view.state.sessions.is_empty() && view.state.characters.is_empty();
    let text = if is_new {
        new(host, view)
    } else {
        resume(view, audience)
    };
    let player_text = (audience == Audience::Player).then(|| text.clone());
    Answer::new(
        Common {
            player_text,
            ..Common::of(text)
        },
        None,
    )
}

/// What there is to begin with, where nothing was played.
fn new(host: &Host, view: &View) -> String {
    let adventure = host.adventure();
    let campaign = cut(&view.setting.campaign, NAME);
    let more = match (&host.offers, adventure.reading.system.narrative) {
        (Some(_), true) => {
            "No adventure is here, so there are dice and no rules: manage_session action=\"adventures\" lists those that come with the program, \
             for the players to choose from, and action=\"begin\" writes one here."
                .to_owned()
        }
        (Some(_) | None, _) => ready_made(&adventure),
    };
    format!("Nothing was played in {campaign} yet. {more}")
}

/// Who is ready to be played, how one of them joins, and what comes then.
pub fn ready_made(adventure: &Adventure) -> String {
    const START: &str = "manage_session action=\"start\" opens the first session; after it";
    let all = adventure.ready_made();
    let names = all.iter().filter_map(|from| from.split_once('#'));
    let names = listed(names.map(|(_, name)| name), PARTY);
    match all.first() {
        Some(first) => format!(
            "Ready-made characters: {names}. {START} let each player choose one, or make another: manage_character action=\"create\" from=\"{}\".",
            printable(first)
        ),
        None => format!("{START} make the characters: manage_character action=\"create\"."),
    }
}

/// The text. One for players has nothing that they do not know.
fn resume(view: &View, audience: Audience) -> String {
    let campaign = cut(&view.setting.campaign, NAME);
    match audience {
        Audience::Gm => whole(
            view,
            view.state,
            audience,
            &format!("Go on with {campaign} {}", how(view.state)),
        ),
        Audience::Player => whole(
            view,
            &seen(view.state, ""),
            audience,
            &format!("{campaign}, as players know it."),
        ),
    }
}

/// What the GM is told first.
fn how(state: &State) -> &'static str {
    match state.open_combat() {
        Some(_) => {
            "exactly where it stopped: begin no fight anew, pass no turn, and ask whose turn it is what they do. This is for the GM: tell players \
             only what they saw. get_character and manage_combat action=\"status\" say more."
        }
        None => {
            "where it stopped; no fight is on. Ask the players what they do. This is for the GM: tell players only what they saw. \
             get_character says more."
        }
    }
}

/// The text behind its first words, of the state as this audience knows it.
fn whole(view: &View, state: &State, audience: Audience, begins: &str) -> String {
    let (system, gm) = (&*view.setting.system, audience == Audience::Gm);
    let mut text = format!("{begins}\n{}", session(view, audience));
    let scene = state
        .notes
        .values()
        .rev()
        .find(|note| note.kind == NoteKind::Scene);
    if let Some(scene) = scene {
        let number = if gm {
            format!(" (#{})", scene.id)
        } else {
            String::new()
        };
        text.push_str(&cut(
            &format!("\nScene{number}: {}", one_line(&scene.text)),
            SCENE,
        ));
    }
    if let Some(combat) = state.open_combat() {
        // What players do not see of a fight counts as its last turn, too.
        let idle = idle(combat, view.at)
            .filter(|_| gm)
            .map_or(String::new(), |idle| format!(" ({idle})"));
        text.push_str(&fight(state, system, combat, &idle, audience));
    }
    let party = state
        .characters
        .values()
        .filter(|character| character.is_in_party());
    let outside = party.filter(|character| state.open_combatant(character.id).is_none());
    let label = if state.open_combat().is_some() {
        "Not in the fight"
    } else {
        "Party"
    };
    text.push_str(&part(
        label,
        outside.map(|character| person(state, system, character, "", audience)),
        PARTY,
    ));
    let shared = clocks::open(state, system)
        .into_iter()
        .filter(|clock| gm || !clock.hidden);
    text.push_str(&part(
        "Clocks and what all share",
        shared.map(|clock| cut(&clocks::line(&clock), LINE)),
        CLOCKS,
    ));
    // Rounds of hidden combatants are not the players' to count.
    if duration::is_counted(state, system) && (gm || state.open_combat().is_none()) {
        text.push_str(&format!(
            "\n\nIt is {} in the game.",
            moment_words(duration::now(state, system))
        ));
    }
    let threads = open_threads(state, audience, &view.past.since)
        .into_iter()
        .rev();
    text.push_str(&part(
        "Open threads",
        threads.map(|thread| cut(&thread_line(thread, audience), LINE)),
        THREADS,
    ));
    let happened = if gm {
        happened(view)
    } else {
        players_saw(view)
    };
    text.push_str(&part("Last, newest first", happened.into_iter(), HAPPENED));
    cut(&text, RESUME_MAX)
}

/// "Session 3 (Half past nine) is open; the last entry is #80."
fn session(view: &View, audience: Audience) -> String {
    let session = match (
        view.state.open_session(),
        view.state.sessions.values().next_back(),
    ) {
        (Some(open), _) => {
            let title = open
                .title
                .as_ref()
                .map_or(String::new(), |title| format!(" ({})", cut(title, NAME)));
            format!("Session {}{title} is open", open.number)
        }
        (None, Some(row)) => {
            format!(
                "Session {} has ended; manage_session action=\"start\" opens the next",
                row.number
            )
        }
        (None, None) => "No session is open".to_owned(),
    };
    match audience {
        Audience::Gm => format!("\n{session}. The last entry is #{}.", view.head.seq),
        Audience::Player => format!("\n{session}."),
    }
}

/// The fight: round, whose turn, how long it is `idle`, then everybody in the order they act.
fn fight(
    state: &State,
    system: &System,
    combat: &Combat,
    idle: &str,
    audience: Audience,
) -> String {
    let title = combat
        .title
        .as_ref()
        .map_or("A fight".to_owned(), |title| cut(title, NAME));
    let current = combat.current.and_then(|id| state.combatants.get(&id));
    let turn = match (combat.status, current) {
        (CombatStatus::Setup, _) => " is prepared and has not begun".to_owned(),
        (_, Some(current)) => format!(", round {}, {}'s turn", combat.round, name(state, current)),
        (_, None) if !has_turns(system, combat) => {
            let interrupted = combat.interrupted.and_then(|id| state.combatants.get(&id));
            let goes_on = interrupted.map_or(String::new(), |combatant| {
                format!(
                    " ({}'s goes on if turns begin again in this round)",
                    name(state, combatant)
                )
            });
            format!(", round {}, without turns{goes_on}", combat.round)
        }
        (_, None) => format!(", round {}", combat.round),
    };
    let members = upcoming(state, system, combat).into_iter();
    let (down, up): (Vec<&Combatant>, Vec<&Combatant>) =
        members.partition(|combatant| combatant.defeated);
    let line = |combatant: &Combatant| {
        let who = state.characters.get(&combatant.character)?;
        // A foe's plans are the GM's.
        let ready = combatant.ready.is_some() && (audience == Audience::Gm || who.kind.is_open());
        let flags = [(combatant.hidden, "hidden"), (ready, "ready")];
        let flags = flags
            .into_iter()
            .filter(|(is, _)| *is)
            .map(|(_, word)| format!(", {word}"));
        let waits = combatant.waits.map(|waits| format!(", {}", waits.as_str()));
        let flags: String = flags.chain(waits).collect();
        Some(person(state, system, who, &flags, audience))
    };
    let down: Vec<String> = down
        .iter()
        .filter_map(|combatant| line(combatant))
        .map(|line| format!("down: {line}"))
        .collect();
    let lines: Vec<String> = up.into_iter().filter_map(line).chain(down).collect();
    match lines.is_empty() {
        true => format!("\n\n{title}{turn}{idle}; nobody is in it."),
        false => part(&format!("{title}{turn}{idle}"), lines.into_iter(), FIGHT),
    }
}

/// "Jory 9/12, prone, bless (3 rounds), hidden"
fn person(
    state: &State,
    system: &System,
    who: &Character,
    flags: &str,
    audience: Audience,
) -> String {
    let conditions: Vec<String> = state
        .conditions_of(who.id)
        .map(|row| format!(", {}", duration::render_with_cause(row)))
        .collect();
    let health = health(state, system, who, audience);
    cut(
        &format!(
            "{} {health}{flags}{}",
            cut(&who.name, NAME),
            conditions.concat()
        ),
        LINE,
    )
}

fn name(state: &State, combatant: &Combatant) -> String {
    state
        .characters
        .get(&combatant.character)
        .map_or_else(String::new, |who| cut(&who.name, NAME))
}

fn happened(view: &View) -> Vec<String> {
    let undone = Undone::of(&view.past.undos, Audience::Gm);
    let last = view
        .past
        .last
        .iter()
        .rev()
        .filter(|(seq, entry)| !undone.holds(*seq) && is_of_story(entry));
    let line = |(seq, entry): &(u64, Entry)| {
        let secret = if entry.visibility == Visibility::Public {
            ""
        } else {
            " (GM)"
        };
        // What a table says matters more than its dice.
        let (text, most) = if let Event::TableRoll(event) = &entry.event {
            (rows(event), TABLE_LINE)
        } else {
            (entry.sentence(Audience::Gm, true)?, LINE)
        };
        Some(cut(&format!("#{seq}{secret} {}", one_line(&text)), most))
    };
    fitted(last.filter_map(line).take(HAPPENED_MAX).collect())
}

/// The same as players saw it.
fn players_saw(view: &View) -> Vec<String> {
    let undone = Undone::of(&view.past.undos, Audience::Player);
    let since = view
        .past
        .since
        .iter()
        .rev()
        .filter(|line| !undone.holds(line.seq) && is_of_story(&line.entry));
    let seen = since.filter_map(|line| line.players.as_ref());
    fitted(
        seen.map(|seen| cut(&one_line(&seen.text), TABLE_LINE))
            .take(HAPPENED_MAX)
            .collect(),
    )
}

/// Whether an entry is more than the program's own note of how the game began.
fn is_of_story(entry: &Entry) -> bool {
    let begins = matches!(
        entry.event,
        Event::CampaignCreated(_)
            | Event::RulesLoaded(RulesLoaded { changed: None, .. })
            | Event::Continued(_)
    );
    !begins
}

/// The lines in as many words as there is room for.
fn fitted(lines: Vec<String>) -> Vec<String> {
    // All of them have room, if need be the long ones in fewer words.
    let each = (1..=TABLE_LINE).rev().find(|each| {
        lines
            .iter()
            .map(|line| line.len().min(*each) + "\n- ".len())
            .sum::<usize>()
            <= HAPPENED
    });
    lines
        .iter()
        .map(|line| cut(line, each.unwrap_or(1)))
        .collect()
}

/// "Rumours: 3 wolves; Weather: rain"
fn rows(event: &TableRollEvent) -> String {
    let rows = event
        .drawn
        .iter()
        .map(|drawn| format!("{}: {}", drawn.table, drawn.result));
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
    let end = text
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|at| at + '…'.len_utf8() <= bytes)
        .last()
        .unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or_default())
}
