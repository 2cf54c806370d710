//! A recap of a sitting: the open threads, how far those clocks are that were moved, then what
//! happened, in order, in sentences that the audience saw; players get no entry's number.
//!
//! What does not fit the budget is left out: first awards, then notes, then discoveries and who
//! fell, last of all scenes and deaths; of two of one kind, the earlier one.

use super::Audience;
use super::visibility::{VisibleEntry, private_view, visible_without_dice};
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{Event, Health, Weight};
use crate::record::state::{Clock, DEAD, Note, NoteKind, State};
use crate::{mechanics::clocks, moment::moment_words};
use rollbook_rules::GAME_TIME;
use rollbook_text::names::{same, shortened};

/// An entry that may tell a story, with what players saw of it.
#[derive(Debug, Clone)]
pub struct LoggedEntry {
    pub seq: u64,
    pub entry: Entry,
    pub players: Option<VisibleEntry>,
}

impl LoggedEntry {
    /// With what this player's character sees of it, where it is for no other player.
    pub fn of_reader(mut self, character: Option<i64>) -> LoggedEntry {
        let private = character.and_then(|id| private_view(&self.entry, id));
        self.players = self.players.or(private);
        self
    }
}

/// A recap, and how many lines the budget had no room for.
pub struct Recap {
    pub text: String,
    pub left_out: usize,
}

/// Characters of one line.
const LINE_MAX: usize = 300;

/// The recap, in at most `budget` bytes.
pub fn recap(
    title: &str,
    state: &State,
    story: &[LoggedEntry],
    audience: Audience,
    budget: usize,
) -> Recap {
    let threads = open_threads(state, audience, story);
    let undone = Undone::of(story, audience);
    let is_thread = |seq: u64| {
        threads
            .iter()
            .any(|thread| u64::try_from(thread.id) == Ok(seq))
    };
    let shown = story
        .iter()
        .filter(|logged| !undone.holds(logged.seq) && !is_thread(logged.seq));
    let lines: Vec<(Weight, String)> = shown
        .filter_map(|logged| Some((weight(logged, audience)?, line(logged, audience)?)))
        .collect();
    let threads = threads
        .into_iter()
        .map(|thread| (Weight::Turn, thread_line(thread, audience)))
        .collect();
    let mut left_out = 0;
    // What is said about the lines that are left out.
    let room = budget.saturating_sub(title.len() + REST);
    // Threads take what the story leaves, and half where both are long.
    let needed = lines.iter().fold(STORY.len(), |sum, (_, line)| {
        sum + line.len() + "\n- ".len()
    });
    let threads = kept(
        threads,
        room.saturating_sub(needed).max(room / 2),
        THREADS,
        &mut left_out,
    );
    let clocks = state
        .clocks
        .values()
        .filter(|clock| !clock.closed && (audience == Audience::Gm || !clock.hidden));
    let time = |clock: &Clock| format!("It is {}", moment_words(clock.value));
    let line = |clock: &Clock| {
        if clock.name == GAME_TIME {
            time(clock)
        } else {
            clocks::line(clock)
        }
    };
    let clocks = clocks.map(|clock| (Weight::Turn, line(clock))).collect();
    let clocks = kept(
        clocks,
        room.saturating_sub(threads.len()) / 4,
        CLOCKS,
        &mut left_out,
    );
    let lines = kept(
        lines,
        room.saturating_sub(threads.len() + clocks.len()),
        STORY,
        &mut left_out,
    );
    let rest = match left_out {
        0 => String::new(),
        1 => "\n\n(1 line more has no room.)".to_owned(),
        many => format!("\n\n({many} lines more have no room.)"),
    };
    let mut parts = format!("{threads}{clocks}{lines}");
    if parts.is_empty() {
        parts.push_str("\n\nNothing to tell yet.");
    }
    Recap {
        text: format!("{title}{parts}{rest}"),
        left_out,
    }
}

/// Room for what is said beside the lines.
const REST: usize = 60;
const THREADS: &str = "\n\nOpen threads:";
const CLOCKS: &str = "\n\nClocks and what all share, as they stand now:";
const STORY: &str = "\n\nWhat happened:";

/// The lines that fit, the most important and latest first, under a heading and in their order.
fn kept(lines: Vec<(Weight, String)>, room: usize, heading: &str, left_out: &mut usize) -> String {
    let all = lines.len();
    let mut lines: Vec<(usize, Weight, String)> = lines
        .into_iter()
        .enumerate()
        .map(|(at, (weight, line))| (at, weight, format!("\n- {line}")))
        .collect();
    lines.sort_by_key(|(at, weight, _)| std::cmp::Reverse((*weight, *at)));
    let mut used = heading.len();
    let fit = lines.iter().take_while(|(.., line)| {
        used += line.len();
        used <= room
    });
    lines.truncate(fit.count());
    lines.sort_by_key(|(at, ..)| *at);
    *left_out += all - lines.len();
    let kept: String = lines.into_iter().map(|(.., line)| line).collect();
    if kept.is_empty() {
        kept
    } else {
        format!("{heading}{kept}")
    }
}

/// The threads that are open as far as this audience knows, oldest first. One that was closed by a
/// note of the GM alone is open for players, until the story opens that note. What players know of
/// the state has no such note.
pub fn open_threads<'s>(
    state: &'s State,
    audience: Audience,
    story: &[LoggedEntry],
) -> Vec<&'s Note> {
    let seen = |note: &Note| audience == Audience::Gm || !note.hidden;
    let opens = |logged: &LoggedEntry, by: i64| matches!(&logged.entry.event, Event::Revealed(event) if i64::try_from(event.entry) == Ok(by));
    let known = |by: i64| {
        state.notes.get(&by).is_some_and(seen) || story.iter().any(|logged| opens(logged, by))
    };
    let closed = |thread: &Note| thread.closed_by.is_some_and(known);
    let threads = state
        .notes
        .values()
        .filter(|note| note.kind == NoteKind::Thread);
    threads
        .filter(|thread| seen(thread) && !closed(thread))
        .collect()
}

/// "#12 Who holds the key?", for players without the number.
pub fn thread_line(thread: &Note, audience: Audience) -> String {
    let text = shortened(
        &thread.text.split_whitespace().collect::<Vec<_>>().join(" "),
        LINE_MAX,
    );
    let secret = if thread.hidden { " (GM)" } else { "" };
    if audience == Audience::Gm {
        format!("#{}{secret} {text}", thread.id)
    } else {
        text
    }
}

fn line(logged: &LoggedEntry, audience: Audience) -> Option<String> {
    match audience {
        Audience::Player => Some(shortened(&logged.players.as_ref()?.text, LINE_MAX)),
        Audience::Gm => {
            let text = visible_without_dice(&logged.entry, Audience::Gm, true)?.text;
            let secret = match (logged.entry.visibility, &logged.entry.reader) {
                (_, Some(reader)) => format!(" (for {})", reader.name),
                (Visibility::Gm, None) => " (GM)".to_owned(),
                (Visibility::Public | Visibility::OutcomeOnly | Visibility::Blind, None) => {
                    String::new()
                }
            };
            Some(format!(
                "#{}{secret} {}",
                logged.seq,
                shortened(&text, LINE_MAX)
            ))
        }
    }
}

/// How much an entry matters; `None`: it is no part of a recap, or not seen.
pub fn weight(logged: &LoggedEntry, audience: Audience) -> Option<Weight> {
    // Of what was blind, players must not learn that it was a death.
    let is_open = match logged.entry.visibility {
        // A player sees what is the GM's and their own.
        Visibility::Public | Visibility::OutcomeOnly | Visibility::Gm => logged.players.is_some(),
        Visibility::Blind => false,
    };
    if audience == Audience::Player && !is_open {
        return None;
    }
    let falls = went_down(&logged.entry) || died(&logged.entry);
    let weight = logged.entry.event.description().weight;
    weight.max(falls.then_some(Weight::Discovery))
}

/// Whether a death came with it that players see.
fn died(entry: &Entry) -> bool {
    entry.changes.iter().any(|change| match change {
        Change::Condition(Images {
            before: None,
            after: Some(row),
        }) => same(&row.name, DEAD) && !row.hidden,
        _ => false,
    })
}

fn went_down(entry: &Entry) -> bool {
    if !matches!(&entry.event, Event::Damage(damage) if damage.health == Some(Health::Down)) {
        return false;
    }
    let ends = |from: i64, to: i64, end: i64| from != to && (from > end) != (to > end);
    entry.changes.iter().any(|change| match change {
        Change::Combatant(Images {
            before: Some(before),
            after: Some(after),
        }) => !before.defeated && after.defeated,
        Change::Track(Images {
            before: Some(before),
            after: Some(after),
        }) => {
            let down =
                after.value < before.value && ends(before.value, after.value, after.min.max(0));
            let up = after
                .max
                .is_some_and(|max| before.value < max && after.value >= max);
            down || up
        }
        _ => false,
    })
}

/// The first and last entries of calls that were undone, as far as an audience saw that.
#[derive(Debug, Clone, Default)]
pub struct Undone(Vec<(u64, u64)>);

impl Undone {
    /// By the undos among these entries.
    pub fn of(entries: &[LoggedEntry], audience: Audience) -> Undone {
        let seen = entries
            .iter()
            .filter(|logged| audience == Audience::Gm || logged.players.is_some());
        Undone(undone_calls(seen.map(|logged| (logged.seq, &logged.entry))))
    }

    /// Whether the entry of this number was taken back.
    pub fn holds(&self, seq: u64) -> bool {
        self.0
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&seq))
    }
}

/// The same of entries by their numbers, in order. An undo that was undone itself undoes nothing,
/// so they are gone through from the last.
pub fn undone_calls<'e>(
    entries: impl DoubleEndedIterator<Item = (u64, &'e Entry)>,
) -> Vec<(u64, u64)> {
    let mut gone: Vec<(u64, u64)> = Vec::new();
    for (seq, entry) in entries.rev() {
        let Event::Undone(event) = &entry.event else {
            continue;
        };
        if !gone
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&seq))
        {
            gone.push((event.entry, event.last));
        }
    }
    gone
}
