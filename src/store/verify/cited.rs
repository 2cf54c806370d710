//! Rolls that damage names, and rolls that others follow: what is allowed and was said when it happened is noted again, worked
//! out anew from the log.

use std::collections::BTreeMap;

use crate::game::decide::damage::{RollUses, differs, rolled_amounts};
use crate::game::record::entry::Entry;
use crate::game::record::event::{DamageEvent, Event};

/// Rolls kept; of longer logs the last ones.
const KEPT_MAX: usize = 100_000;

/// What the dice of an entry say.
enum Said {
    Amounts(Vec<i64>),
    Check,
    /// Something else, such as an initiative.
    Other,
}

/// The rolls of a log, and what they were used for.
#[derive(Default)]
pub struct Cited {
    rolls: BTreeMap<u64, Said>,
    /// The first entry from which on every roll is kept.
    since: u64,
    uses: RollUses,
}

impl Cited {
    /// Takes the next entry; answers what a reader should know of it.
    pub fn entry(&mut self, seq: u64, entry: &Entry) -> Vec<String> {
        let notes = match &entry.event {
            Event::Damage(damage) => damage.roll.map_or(Vec::new(), |roll| self.blow(roll, damage)),
            event => event.again().map_or(Vec::new(), |again| self.followed(again.entry)),
        };
        let said = match &entry.event {
            Event::Check(_) => Some(Said::Check),
            _ if entry.rolls.is_empty() => None,
            _ => Some(rolled_amounts(entry).map_or(Said::Other, Said::Amounts)),
        };
        drop(said.map(|said| self.rolls.insert(seq, said)));
        self.uses.add(seq, entry);
        while self.rolls.len() > KEPT_MAX {
            self.since = self.rolls.pop_first().map_or(self.since, |(first, _)| first + 1);
        }
        notes
    }

    /// What is wrong with damage that names an entry without a roll, which was never allowed.
    pub fn rollless(&self, entry: &Entry) -> Option<String> {
        let Event::Damage(damage) = &entry.event else { return None };
        let cited = damage.roll.filter(|roll| *roll >= self.since && !self.rolls.contains_key(roll))?;
        Some(format!("it names #{cited} as its roll, and #{cited} has no roll"))
    }

    fn blow(&self, roll: u64, damage: &DamageEvent) -> Vec<String> {
        let mut notes = Vec::new();
        let rolled = match self.rolls.get(&roll) {
            Some(Said::Amounts(rolled)) => rolled,
            Some(Said::Check | Said::Other) => {
                notes.push(format!("it names #{roll} as its roll, and #{roll} decides no amount"));
                return notes;
            }
            None => return notes,
        };
        let (amount, who) = (damage.amount, &damage.subject.name);
        if differs(rolled, amount) {
            let rolled: Vec<String> = rolled.iter().map(i64::to_string).collect();
            notes.push(format!("{} instead of {} rolled, #{roll}", amount.saturating_abs(), rolled.join(", ")));
        }
        if let Some(before) = self.uses.earlier_use(roll, rolled, damage) {
            notes.push(format!("#{roll} was used on {who} before, by #{before}"));
        }
        // The log holds no rules, so this is as it was said when it happened.
        if damage.roll_note.as_ref().is_some_and(|note| note.like_check) {
            notes.push(format!("#{roll} has the dice of a check"));
        }
        notes
    }

    fn followed(&self, entry: u64) -> Vec<String> {
        let is_check = matches!(self.rolls.get(&entry), Some(Said::Check));
        let known = entry >= self.since;
        (known && !is_check).then(|| format!("it follows #{entry}, which is no check")).into_iter().collect()
    }
}
