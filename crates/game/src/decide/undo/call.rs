//! The log as calls: what each changed, and whether it is undone.

use std::collections::BTreeMap;

use crate::record::change::Change;
use crate::record::entry::Entry;
use crate::record::event::{Event, UndoneEvent};
use crate::record::state::State;
use crate::view::Audience;
use crate::view::visibility::project;

/// The entries of one call, without those that opened the campaign or the session. Of calls after the one to undo, entries
/// without changes may be missing.
pub struct LoggedCall<'e> {
    pub first: u64,
    pub last: u64,
    pub entries: &'e [(u64, Entry)],
    /// The undo of it that is not undone itself.
    pub undone_by: Option<u64>,
}

/// What a change concerns. A character's scores, tracks, conditions and items are one scope, and so are fights, of which
/// there is one at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeScope {
    Campaign,
    Session,
    Character(i64),
    Combat,
    /// A combatant and its character.
    Combatant(i64, i64),
    Note(i64),
    /// By name.
    Clock(String),
    /// By name.
    Deck(String),
}

/// Groups entries into calls, each with its undo.
pub fn calls(entries: &[(u64, Entry)]) -> Vec<LoggedCall<'_>> {
    let of = |(seq, entry): &(u64, Entry)| entry.call.unwrap_or(*seq);
    let mut calls: Vec<LoggedCall> = entries
        .chunk_by(|a, b| of(a) == of(b))
        .filter_map(|entries| {
            let (first, (last, _)) = (entries.first()?, entries.last()?);
            Some(LoggedCall { first: of(first), last: *last, entries, undone_by: None })
        })
        .collect();
    // From the end, since an undo that is undone itself does not count.
    let mut undone: BTreeMap<u64, u64> = BTreeMap::new();
    for call in calls.iter_mut().rev() {
        call.undone_by = undone.get(&call.first).copied();
        if let (Some(event), None) = (call.undo(), call.undone_by) {
            undone.insert(event.entry, call.first);
        }
    }
    calls
}

impl<'e> LoggedCall<'e> {
    /// Its changes, in order.
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = &'e Change> + use<'e> {
        self.entries.iter().flat_map(|(_, entry)| &entry.changes)
    }

    /// Its event, if it is an undo.
    pub fn undo(&self) -> Option<&'e UndoneEvent> {
        self.entries.first().and_then(|(_, entry)| match &entry.event {
            Event::Undone(event) => Some(&**event),
            _ => None,
        })
    }

    /// Whether it began the campaign, its rules or a session.
    pub fn begins(&self) -> bool {
        self.changes().any(|change| match change {
            Change::Campaign(_) => true,
            Change::Session(images) => images.before.is_none(),
            _ => false,
        })
    }

    /// Whether it has such an event.
    pub fn has(&self, is: fn(&Event) -> bool) -> bool {
        self.entries.iter().any(|(_, entry)| is(&entry.event))
    }

    /// Whether "the last change" may mean it. A session that the GM began counts as one; a session that the first write
    /// opened does not.
    pub fn is_candidate(&self) -> bool {
        let by_itself = self.begins() && self.entries.iter().all(|(_, entry)| entry.actor == "system");
        self.undo().is_none() && self.undone_by.is_none() && !by_itself && self.changes().next().is_some()
    }

    /// Whether it was not undone and changed nothing: dice were rolled, and no more.
    pub fn changed_nothing(&self) -> bool {
        self.undo().is_none() && self.changes().next().is_none()
    }

    /// Whether players saw something of it.
    pub fn is_seen(&self, state: &State) -> bool {
        self.entries.iter().any(|(_, entry)| project(entry, state, Audience::Player).seen.is_some())
    }

    /// Whether its changes conflict with undoing `other`: it is later and not undone. An undo and its call cancel out,
    /// where both are later.
    pub fn counts_against(&self, other: &LoggedCall) -> bool {
        let cancelled = self.undo().is_some_and(|event| event.entry > other.first);
        self.first > other.first && self.undone_by.is_none() && !cancelled
    }

    /// The scopes of its changes, each once.
    pub fn scopes(&self) -> Vec<ChangeScope> {
        let mut all = Vec::new();
        for scope in scopes(self.changes()) {
            if !all.contains(&scope) {
                all.push(scope);
            }
        }
        all
    }
}

/// The scopes of changes.
pub fn scopes<'c>(changes: impl IntoIterator<Item = &'c Change>) -> impl Iterator<Item = ChangeScope> {
    changes.into_iter().filter_map(|change| {
        Some(match change {
            Change::Campaign(_) => ChangeScope::Campaign,
            Change::Session(_) => ChangeScope::Session,
            Change::Combat(_) => ChangeScope::Combat,
            Change::Character(images) => ChangeScope::Character(images.row()?.id),
            Change::Track(images) => ChangeScope::Character(images.row()?.character),
            Change::Condition(images) => ChangeScope::Character(images.row()?.character),
            Change::Item(images) => ChangeScope::Character(images.row()?.character),
            Change::Combatant(images) => images.row().map(|row| ChangeScope::Combatant(row.id, row.character))?,
            Change::Note(images) => ChangeScope::Note(images.row()?.id),
            Change::Clock(images) => ChangeScope::Clock(images.row()?.name.clone()),
            Change::Deck(images) => ChangeScope::Deck(images.row()?.name.clone()),
        })
    })
}

impl ChangeScope {
    /// The character, where it is one's.
    pub fn character(&self) -> Option<i64> {
        match self {
            ChangeScope::Character(id) | ChangeScope::Combatant(_, id) => Some(*id),
            ChangeScope::Campaign
            | ChangeScope::Session
            | ChangeScope::Combat
            | ChangeScope::Note(_)
            | ChangeScope::Clock(_)
            | ChangeScope::Deck(_) => None,
        }
    }

    /// Its name in a sentence.
    pub fn name(&self, state: &State) -> String {
        let name = |id: &i64| state.characters.get(id).map_or("somebody who is gone", |row| row.name.as_str());
        match self {
            ChangeScope::Campaign => "the campaign".to_owned(),
            ChangeScope::Session => "the session".to_owned(),
            ChangeScope::Character(id) => name(id).to_owned(),
            ChangeScope::Combat => "the fight".to_owned(),
            ChangeScope::Combatant(_, id) => format!("{} in the fight", name(id)),
            ChangeScope::Note(id) => format!("the note #{id}"),
            ChangeScope::Clock(name) => name.clone(),
            ChangeScope::Deck(name) => format!("the deck {name}"),
        }
    }
}
