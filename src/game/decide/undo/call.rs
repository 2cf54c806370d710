//! The log as calls: what each touched, and whether it still holds.

use std::collections::BTreeMap;

use crate::game::record::change::{Change, Images};
use crate::game::record::entry::Entry;
use crate::game::record::event::{Event, UndoneEvent};
use crate::game::record::state::State;

/// The entries that one call wrote, without those that opened the campaign or the sitting for it. Of a call that came later than
/// the one in question, those that changed nothing may be left out.
pub struct Call<'e> {
    pub first: u64,
    pub last: u64,
    pub entries: &'e [(u64, Entry)],
    /// The undo that took it back and holds.
    pub undone_by: Option<u64>,
}

/// What a change is about. A character's scores, tracks, conditions and belongings hang together, and so do the fights,
/// of which there is one at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touched {
    Book,
    Sitting,
    Character(i64),
    Fight,
    /// A combatant, and the character it is.
    Combatant(i64, i64),
}

/// The entries as calls, in their order, each with the undo that took it back.
pub fn calls(entries: &[(u64, Entry)]) -> Vec<Call<'_>> {
    let of = |(seq, entry): &(u64, Entry)| entry.call.unwrap_or(*seq);
    let mut calls: Vec<Call> = entries
        .chunk_by(|a, b| of(a) == of(b))
        .filter_map(|entries| {
            let (first, (last, _)) = (entries.first()?, entries.last()?);
            Some(Call { first: of(first), last: *last, entries, undone_by: None })
        })
        .collect();
    // From the end: an undo that was taken back itself undoes nothing any more.
    let mut undone: BTreeMap<u64, u64> = BTreeMap::new();
    for call in calls.iter_mut().rev() {
        call.undone_by = undone.get(&call.first).copied();
        if let (Some(event), None) = (call.undo(), call.undone_by) {
            undone.insert(event.entry, call.first);
        }
    }
    calls
}

impl<'e> Call<'e> {
    /// What it changed, in order.
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = &'e Change> + use<'e> {
        self.entries.iter().flat_map(|(_, entry)| &entry.changes)
    }

    /// What it took back, if it is an undo.
    pub fn undo(&self) -> Option<&'e UndoneEvent> {
        self.entries.first().and_then(|(_, entry)| match &entry.event {
            Event::Undone(event) => Some(&**event),
            _ => None,
        })
    }

    /// Whether it began the campaign, its rules or a sitting.
    pub fn begins(&self) -> bool {
        self.changes().any(|change| match change {
            Change::Campaign(_) => true,
            Change::Session(images) => images.before.is_none(),
            _ => false,
        })
    }

    /// Whether it is what "the last change" may mean. A sitting that the GM began stands in the way of everything before
    /// it; one that began by itself, with the first write, does not.
    pub fn is_candidate(&self) -> bool {
        let by_itself = self.begins() && self.entries.iter().all(|(_, entry)| entry.actor == "system");
        self.undo().is_none() && self.undone_by.is_none() && !by_itself && self.changes().next().is_some()
    }

    /// Whether what it did stands in the way of taking `other` back: it came later and holds. An undo and what it undid
    /// cancel out, where both came later.
    pub fn counts_against(&self, other: &Call) -> bool {
        let cancelled = self.undo().is_some_and(|event| event.entry > other.first);
        self.first > other.first && self.undone_by.is_none() && !cancelled
    }

    /// What it touched, each once.
    pub fn touched(&self) -> Vec<Touched> {
        let mut all = Vec::new();
        for own in touched(self.changes()) {
            if !all.contains(&own) {
                all.push(own);
            }
        }
        all
    }
}

/// What changes are about.
pub fn touched<'c>(changes: impl IntoIterator<Item = &'c Change>) -> impl Iterator<Item = Touched> {
    changes.into_iter().filter_map(about)
}

fn about(change: &Change) -> Option<Touched> {
    fn of<T>(images: &Images<T>, what: impl Fn(&T) -> Touched) -> Option<Touched> {
        images.row().map(what)
    }
    match change {
        Change::Campaign(images) => of(images, |_| Touched::Book),
        Change::Session(images) => of(images, |_| Touched::Sitting),
        Change::Character(images) => of(images, |row| Touched::Character(row.id)),
        Change::Track(images) => of(images, |row| Touched::Character(row.character)),
        Change::Condition(images) => of(images, |row| Touched::Character(row.character)),
        Change::Item(images) => of(images, |row| Touched::Character(row.character)),
        Change::Combat(images) => of(images, |_| Touched::Fight),
        Change::Combatant(images) => of(images, |row| Touched::Combatant(row.id, row.character)),
    }
}

impl Touched {
    /// Whose numbers these are, where they are somebody's.
    pub fn character(&self) -> Option<i64> {
        match self {
            Touched::Character(id) | Touched::Combatant(_, id) => Some(*id),
            Touched::Book | Touched::Sitting | Touched::Fight => None,
        }
    }

    /// Whether it is about one of these.
    pub fn is_of(&self, characters: &[i64]) -> bool {
        self.character().is_some_and(|id| characters.contains(&id))
    }

    /// What it is called in a sentence.
    pub fn name(&self, state: &State) -> String {
        let name = |id: &i64| state.characters.get(id).map_or("somebody who is gone", |row| row.name.as_str());
        match self {
            Touched::Book => "the campaign".to_owned(),
            Touched::Sitting => "the session".to_owned(),
            Touched::Character(id) => name(id).to_owned(),
            Touched::Fight => "the fight".to_owned(),
            Touched::Combatant(_, id) => format!("{} in the fight", name(id)),
        }
    }
}
