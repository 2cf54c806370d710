//! Notes of the GM for the story: where it is, what was found out, what is left open.

use crate::limits::{self, LIMITS};
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{ClosedThread, Event, NoteEvent};
use crate::record::state::{Note, NoteKind, State};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use rollbook_text::names::{Found, find, quoted, shortened};

/// What the GM writes down.
pub struct NoteCall {
    pub text: String,
    pub kind: NoteKind,
    /// The thread that it closes: its entry's number, or words of it.
    pub closes: Option<String>,
    /// `Public` or `Gm`.
    pub visibility: Visibility,
}

/// Open threads that a refusal names.
const NAMED_MAX: usize = 8;
const NAMED_LENGTH: usize = 60;

/// Logs the note, and closes the thread that it names.
pub fn note(table: &mut Table, call: NoteCall) -> Result<u64> {
    limits::text("text", &call.text, LIMITS.notes)?;
    if call.text.trim().is_empty() {
        let summary = "text is empty. Send what is to be remembered, such as text=\"The reeve lied about the key\".";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    limits::count(
        "notes of a campaign",
        table.state.notes.len() + 1,
        LIMITS.campaign_notes,
    )?;
    let NoteCall {
        text,
        kind,
        closes,
        visibility,
    } = call;
    table.check_text(visibility, "text", Some(&text))?;
    let closed = closes
        .map(|wanted| thread(table.state, &wanted).cloned())
        .transpose()?;
    let id = table.next_id();
    let session = table
        .state
        .sessions
        .keys()
        .next_back()
        .copied()
        .unwrap_or(0);
    let row = Note {
        id,
        session,
        kind,
        text: text.clone(),
        hidden: visibility == Visibility::Gm,
        reader: table.reader.as_ref().map(|reader| reader.id),
        closed_by: None,
    };
    let mut changes = vec![Change::Note(Images::made(row))];
    let closes = closed.map(|before| {
        let thread = ClosedThread {
            entry: before.id,
            text: before.text.clone(),
            hidden: before.hidden,
        };
        let after = Note {
            closed_by: Some(id),
            ..before.clone()
        };
        changes.push(Change::Note(Images::changed(before, after)));
        thread
    });
    if visibility == Visibility::Gm && closes.as_ref().is_some_and(|thread| !thread.hidden) {
        table.note(["Players do not see this note, so for them the thread stays open.".to_owned()]);
    }
    let event = Event::Note(NoteEvent {
        note: kind,
        text,
        closes,
    });
    Ok(table.log(Draft {
        visibility,
        ..Draft::new("gm", event, changes)
    }))
}

fn thread<'s>(state: &'s State, wanted: &str) -> Result<&'s Note> {
    let number = wanted.trim().trim_start_matches('#').parse::<i64>().ok();
    let open = || state.notes.values().filter(|note| note.is_open_thread());
    if let Some(number) = number {
        return open()
            .find(|note| note.id == number)
            .ok_or_else(|| no_thread(state, number));
    }
    let texts = |note: &'s Note| (note.text.as_str(), note);
    match find(wanted, open().map(texts)) {
        Found::One(note) => Ok(note),
        Found::Several(several) => {
            let summary = format!(
                "\"{}\" could mean several open threads: {}. Send closes with the number of one.",
                quoted(wanted),
                listed(several.into_iter())
            );
            Err(Refusal::new(Code::AmbiguousName, summary))
        }
        Found::Nothing => {
            let closed = state
                .notes
                .values()
                .filter(|note| by_a_hidden_note(state, note).is_some());
            if let Found::One(note) = find(wanted, closed.map(texts)) {
                return Err(no_thread(state, note.id));
            }
            let summary = format!(
                "No open thread has the words \"{}\". {}",
                quoted(wanted),
                advice(state)
            );
            Err(Refusal::new(Code::UnknownEntry, summary))
        }
    }
}

/// The note that players do not see and that closed a thread which they see.
fn by_a_hidden_note(state: &State, thread: &Note) -> Option<i64> {
    thread
        .closed_by
        .filter(|by| !thread.hidden && state.notes.get(by).is_some_and(|note| note.hidden))
}

fn no_thread(state: &State, number: i64) -> Refusal {
    let note = state.notes.get(&number);
    if let Some(by) = note.and_then(|note| by_a_hidden_note(state, note)) {
        let summary = format!(
            "#{number} was closed by #{by}, which players do not see. Take that back with manage_session action=\"undo\" entry={by}, or \
             open it with action=\"reveal\" entry={by}."
        );
        return Refusal::new(Code::UnknownEntry, summary);
    }
    let why = match note {
        Some(Note {
            kind: NoteKind::Thread,
            closed_by: Some(by),
            ..
        }) => format!("was closed by #{by}"),
        Some(_) => "is a note and no thread".to_owned(),
        None => "is no thread".to_owned(),
    };
    Refusal::new(
        Code::UnknownEntry,
        format!("#{number} {why}. {}", advice(state)),
    )
}

fn advice(state: &State) -> String {
    let mut open = state
        .notes
        .values()
        .filter(|note| note.is_open_thread())
        .rev()
        .peekable();
    match open.peek().map(|note| note.id) {
        Some(last) => format!(
            "Open are {}. Send closes={last}, or the number of another.",
            listed(open)
        ),
        None => "No thread is open: leave closes out.".to_owned(),
    }
}

/// `#12 "Who holds the key?"; #9 "The drowned bell"; and 3 more`.
fn listed<'n>(notes: impl Iterator<Item = &'n Note>) -> String {
    let name = |note: &Note| {
        format!(
            "#{} \"{}\"",
            note.id,
            quoted(&shortened(&note.text, NAMED_LENGTH))
        )
    };
    let mut named: Vec<String> = notes.map(name).collect();
    let more = named.len().saturating_sub(NAMED_MAX);
    named.truncate(NAMED_MAX);
    named.extend((more > 0).then(|| format!("and {more} more")));
    named.join("; ")
}
