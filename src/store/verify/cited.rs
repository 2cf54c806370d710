//! Rolls that damage names, and rolls that others follow: what is allowed and was said when it happened is noted again, worked
//! out anew from the log.

use std::collections::BTreeMap;

use crate::game::damage::{Uses, dealt, differs};
use crate::game::entry::Entry;
use crate::game::event::{DamageEvent, Event};

/// Rolls kept; of longer logs the last ones.
const KEPT_MAX: usize = 100_000;

/// The rolls of a log, and what they were used for.
#[derive(Default)]
pub struct Cited {
    /// What each roll says: amounts, or none where it is a check.
    rolls: BTreeMap<u64, Option<Vec<i64>>>,
    /// The first entry from which on every roll is kept.
    since: u64,
    uses: Uses,
}

impl Cited {
    /// Takes the next entry; answers what a reader should know of it.
    pub fn entry(&mut self, seq: u64, entry: &Entry) -> Vec<String> {
        let notes = match &entry.event {
            Event::Damage(damage) => damage.roll.map_or(Vec::new(), |roll| self.blow(roll, damage)),
            event => event.again().map_or(Vec::new(), |again| self.followed(again.entry)),
        };
        match &entry.event {
            Event::Check(_) => drop(self.rolls.insert(seq, None)),
            _ => drop(dealt(entry).ok().map(|amounts| self.rolls.insert(seq, Some(amounts)))),
        }
        self.uses.entry(seq, entry);
        while self.rolls.len() > KEPT_MAX {
            self.since = self.rolls.pop_first().map_or(self.since, |(first, _)| first + 1);
        }
        notes
    }

    fn blow(&self, roll: u64, damage: &DamageEvent) -> Vec<String> {
        let mut notes = Vec::new();
        let Some(Some(rolled)) = self.rolls.get(&roll) else {
            if roll >= self.since {
                notes.push(format!("it names #{roll} as its roll, and #{roll} decides no amount"));
            }
            return notes;
        };
        let (amount, who) = (damage.amount, &damage.subject.name);
        if differs(rolled, amount) {
            let rolled: Vec<String> = rolled.iter().map(i64::to_string).collect();
            notes.push(format!("{} instead of {} rolled, #{roll}", amount.saturating_abs(), rolled.join(", ")));
        }
        if let Some(before) = self.uses.before(roll, rolled, damage) {
            notes.push(format!("#{roll} was used on {who} before, by #{before}"));
        }
        notes
    }

    fn followed(&self, entry: u64) -> Vec<String> {
        let is_check = matches!(self.rolls.get(&entry), Some(None));
        let known = entry >= self.since;
        (known && !is_check).then(|| format!("it follows #{entry}, which is no check")).into_iter().collect()
    }
}
