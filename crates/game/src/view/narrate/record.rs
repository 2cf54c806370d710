//! Sentences for what became of the log itself: a loss, a backup that was put back, an entry that was opened.

use crate::record::entry::{Entry, Visibility};
use crate::record::event::{ContinuedEvent, Event, RevealedEvent, RulesChange};
use crate::record::loss::Loss;
use crate::view::Audience;
use rollbook_rules::called;

/// Which rules are played by from here on.
pub fn rules(title: Option<&str>, version: Option<&str>, files: &[String], changed: Option<&RulesChange>) -> String {
    let changed = changed.map_or(String::new(), |changed| format!("{} ", changed.for_gm()));
    format!("{changed}Rules in force: {} ({}).", called(title.unwrap_or("none"), version), files.join(", "))
}

/// Players see no entry number.
pub fn loss_accepted(loss: &Loss, audience: Audience) -> String {
    match audience {
        Audience::Gm => format!("The loss of history is accepted, and play goes on. {}", loss.summary()),
        Audience::Player => "A part of the log is lost, and play goes on without it.".to_owned(),
    }
}

/// Players see no entry number and no file.
pub fn restored(from: &str, loss: Option<&Loss>, audience: Audience) -> String {
    match (audience, loss) {
        (Audience::Gm, Some(loss)) => {
            let kept = loss.log_ends;
            format!("The database was put back from {from}, up to #{kept}; what came after is lost. {}", loss.summary())
        }
        (Audience::Gm, None) => format!("The database was put back from {from}; nothing is known to be lost."),
        (Audience::Player, Some(_)) => {
            "The log was put back from a backup. A part of it is lost, and play goes on without it.".to_owned()
        }
        (Audience::Player, None) => "The log was put back from a backup.".to_owned(),
    }
}

/// For the GM alone: the entry holds the whole state.
pub fn continued(event: &ContinuedEvent) -> String {
    let ContinuedEvent { name, entries, export, .. } = event;
    format!(
        "The log goes on from #{entries} of {name}, with everything as it was then; the whole of that log is in {export}."
    )
}

/// What was hidden, with its sentence as it would have been told at once. Players see no entry number.
pub fn revealed(event: &RevealedEvent, session: u32, told: &str, audience: Audience) -> String {
    let undone = if event.undone { " It was taken back before it was opened." } else { "" };
    match (audience, session) {
        (Audience::Gm, _) => format!("Opened to players, #{}: {told}{undone}", event.entry),
        (Audience::Player, 0) => format!("Opened, from before the first session: {told}{undone}"),
        (Audience::Player, _) => format!("Opened, from session {session}: {told}{undone}"),
    }
}

/// An entry that was hidden, with nothing of it hidden.
pub fn shown(entry: Entry) -> Entry {
    let mut entry = Entry { visibility: Visibility::Public, ..entry };
    if let Event::Undone(event) = &mut entry.event
        && event.seen.is_empty()
    {
        // Players know no entry by its number.
        let (known, rest): (Vec<_>, Vec<_>) = event.told.iter().cloned().partition(|text| !text.contains('#'));
        let more = (!rest.is_empty()).then(|| "Something that was the GM's.".to_owned());
        event.seen = known.into_iter().chain(more).collect();
    }
    if let Event::Effects { began, left, ended, holder, .. } = &mut entry.event {
        began.iter_mut().chain(left).chain(ended).for_each(|own| own.hidden = false);
        holder.iter_mut().for_each(|own| own.hidden = false);
    }
    if let Event::TurnTakenBack { hidden, restored, .. } = &mut entry.event {
        *hidden = false;
        restored.iter_mut().for_each(|own| own.hidden = false);
    }
    if let Event::Items { seen, .. } = &mut entry.event {
        *seen = None;
    }
    if let Event::Note(note) = &mut entry.event {
        note.closes.iter_mut().for_each(|thread| thread.hidden = false);
    }
    entry
}
