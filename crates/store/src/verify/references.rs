//! Entries that name earlier ones: rolls that damage uses, checks that others follow, undos.
//!
//! What is allowed, and was noted when it happened, is noted again, worked out anew from the log.

use std::collections::{BTreeMap, VecDeque};

use rollbook_game::decide::damage::{RollUses, differs, rolled_amounts};
use rollbook_game::decide::undo::BACK_MAX;
use rollbook_game::record::change::Change;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{DamageEvent, Event};

/// What is wrong with an entry that names one which is not before it.
pub fn dangling(seq: u64, entry: &Entry) -> Option<String> {
    let refers = match &entry.event {
        Event::Damage(damage) => damage.roll,
        Event::Clock(clock) => clock.roll,
        event => event.again().map(|again| again.entry),
    };
    let is_before = refers.is_none_or(|entry| entry != 0 && entry < seq);
    (!is_before).then(|| "it refers to an entry that did not stand before it".to_owned())
}

/// Rolls kept; of longer logs the last ones.
const KEPT_MAX: usize = 100_000;

/// What the dice of an entry decide.
enum Dice {
    Amounts(Vec<i64>),
    Check,
    /// Something else, such as an initiative.
    Other,
}

/// The rolls of a log, and what they were used for.
#[derive(Default)]
pub struct Cited {
    rolls: BTreeMap<u64, Dice>,
    /// The first entry from which on every roll is kept.
    since: u64,
    uses: RollUses,
}

impl Cited {
    /// Takes the next entry; answers what a reader should know of it.
    pub fn entry(&mut self, seq: u64, entry: &Entry) -> Vec<String> {
        let notes = match &entry.event {
            Event::Damage(damage) => damage
                .roll
                .map_or(Vec::new(), |roll| self.damage(roll, damage)),
            event => {
                let followed = event
                    .again()
                    .map(|again| again.entry)
                    .filter(|entry| *entry >= self.since);
                let other =
                    followed.filter(|entry| !matches!(self.rolls.get(entry), Some(Dice::Check)));
                other
                    .map(|entry| format!("it follows #{entry}, which is no check"))
                    .into_iter()
                    .collect()
            }
        };
        let dice = match &entry.event {
            Event::Check(_) => Some(Dice::Check),
            _ if entry.rolls.is_empty() => None,
            _ => Some(rolled_amounts(entry).map_or(Dice::Other, Dice::Amounts)),
        };
        drop(dice.map(|dice| self.rolls.insert(seq, dice)));
        self.uses.add(seq, entry);
        while self.rolls.len() > KEPT_MAX {
            self.since = self
                .rolls
                .pop_first()
                .map_or(self.since, |(first, _)| first + 1);
        }
        notes
    }

    /// What is wrong with damage that names an entry without a roll, which was never allowed.
    pub fn rollless(&self, entry: &Entry) -> Option<String> {
        let Event::Damage(damage) = &entry.event else {
            return None;
        };
        let cited = damage
            .roll
            .filter(|roll| *roll >= self.since && !self.rolls.contains_key(roll))?;
        Some(format!(
            "it names #{cited} as its roll, and #{cited} has no roll"
        ))
    }

    fn damage(&self, roll: u64, damage: &DamageEvent) -> Vec<String> {
        let mut notes = Vec::new();
        let rolled = match self.rolls.get(&roll) {
            Some(Dice::Amounts(rolled)) => rolled,
            Some(Dice::Check | Dice::Other) => {
                notes.push(format!(
                    "it names #{roll} as its roll, and #{roll} decides no amount"
                ));
                return notes;
            }
            None => return notes,
        };
        let (amount, who) = (damage.amount, &damage.subject.name);
        if differs(rolled, amount) {
            let rolled: Vec<String> = rolled.iter().map(i64::to_string).collect();
            notes.push(format!(
                "{} instead of {} rolled, #{roll}",
                amount.saturating_abs(),
                rolled.join(", ")
            ));
        }
        if let Some(before) = self.uses.earlier_use(roll, rolled, damage) {
            notes.push(format!("#{roll} was used on {who} before, by #{before}"));
        }
        // The log holds no rules, so this is taken as it was noted when it happened.
        if damage
            .roll_note
            .as_ref()
            .is_some_and(|note| note.like_check)
        {
            notes.push(format!("#{roll} has the dice of a check"));
        }
        notes
    }
}

/// Entries of one call that an undo may reach further back than [`BACK_MAX`].
const CALL_MAX: u64 = 2000;

/// The changes of the last entries, as far back as an undo reaches.
#[derive(Default)]
pub struct Recent {
    changes: VecDeque<(u64, Vec<Change>)>,
}

impl Recent {
    /// Takes the next entry; returns what is wrong with it if it is an undo.
    pub fn entry(&mut self, seq: u64, entry: &Entry) -> Option<String> {
        let wrong = match &entry.event {
            Event::Undone(event) if event.entry > event.last || event.last >= seq => {
                Some("it undoes entries that did not stand before it".to_owned())
            }
            Event::Undone(event)
                if self
                    .changes
                    .front()
                    .is_some_and(|(first, _)| *first <= event.entry)
                    && self.back(event.entry, event.last) != entry.changes =>
            {
                Some(format!(
                    "it does not put back what #{} changed",
                    event.entry
                ))
            }
            _ => None,
        };
        self.changes.push_back((seq, entry.changes.clone()));
        while self
            .changes
            .front()
            .is_some_and(|(first, _)| first + BACK_MAX + CALL_MAX < seq)
        {
            self.changes.pop_front();
        }
        wrong
    }

    fn back(&self, first: u64, last: u64) -> Vec<Change> {
        let named = self
            .changes
            .iter()
            .rev()
            .filter(|(seq, _)| (first..=last).contains(seq));
        named
            .flat_map(|(_, changes)| changes.iter().rev().cloned().map(Change::reversed))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Recent;
    use rollbook_game::record::change::{Change, Images};
    use rollbook_game::record::entry::{BODY_VERSION, Entry};
    use rollbook_game::record::event::{Event, SessionEnded, UndoneEvent};
    use rollbook_game::record::state::Track;

    fn entry(event: Event, changes: Vec<Change>) -> Entry {
        let body = json!({"v": BODY_VERSION, "at": 0, "session": 1, "visibility": "gm", "actor": "gm", "event": event,
            "rolls": [], "changes": changes});
        serde_json::from_value(body).unwrap()
    }

    fn undo(first: u64, last: u64, changes: Vec<Change>) -> Entry {
        let event = UndoneEvent {
            entry: first,
            last,
            told: Vec::new(),
            seen: Vec::new(),
            open: false,
            again: false,
        };
        entry(Event::Undone(Box::new(event)), changes)
    }

    #[test]
    fn an_undo_that_puts_something_else_back_is_found() {
        let track = |value| Track {
            character: 1,
            name: "Wounds".to_owned(),
            value,
            fixed: true,
            ..Track::default()
        };
        let moved = |from, to| Change::Track(Images::changed(track(from), track(to)));
        let ended = || {
            Event::SessionEnded(SessionEnded {
                number: 1,
                seen: None,
            })
        };
        let whole = undo(1, 2, vec![moved(4, 7), moved(7, 9)]);
        let again = undo(3, 3, vec![moved(9, 7), moved(7, 4)]);
        let mut recent = Recent::default();
        for (seq, entry, wrong) in [
            (1, entry(ended(), vec![moved(9, 7)]), None),
            (2, entry(ended(), vec![moved(7, 4)]), None),
            (3, whole, None),
            (4, again, None),
            (
                5,
                undo(2, 2, vec![moved(4, 8)]),
                Some("it does not put back what #2 changed"),
            ),
            (
                6,
                undo(7, 7, Vec::new()),
                Some("it undoes entries that did not stand before it"),
            ),
        ] {
            assert_eq!(recent.entry(seq, &entry).as_deref(), wrong);
        }
    }
}
