//! What of sheets and rules the fights play beyond one attack a turn, and what they leave out: a list that stands below the numbers.

use std::collections::BTreeSet;

use super::turn::Uses;
use super::{Fighter, Simulation, Tally};
use crate::names::listed;

/// Letters of one line.
const LINE: usize = 300;

impl Simulation<'_> {
    /// What is played besides one attack a turn, a line each.
    pub fn played(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for own in self.kinds() {
            let many = own.arms.turn.len();
            if many > 1 {
                let named: Vec<&str> = own.arms.turn.iter().flatten().map(String::as_str).collect();
                let which = if named.is_empty() { "the best".to_owned() } else { listed(named, LINE) };
                lines.push(format!("{} makes {many} attacks a turn ({which}).", own.name));
            }
            for (attack, uses) in &own.arms.uses {
                lines.push(match uses {
                    Uses::Few(1) => format!("{} has {attack} once in a fight.", own.name),
                    Uses::Few(many) => format!("{} has {attack} {many} times in a fight.", own.name),
                    Uses::Recharge(least) => {
                        format!("{} has {attack} once, and again when a d6 at the beginning of a turn shows {least} or more.", own.name)
                    }
                });
            }
        }
        if !self.saves.is_empty() {
            let checks = listed(self.saves.iter().map(String::as_str), LINE);
            lines.push(format!(
                "Whoever is down rolls {checks} at the beginning of each round, where the rules allow it."
            ));
        }
        lines
    }

    /// What is not played, a line each.
    pub fn unplayed(&self, tally: &Tally) -> Vec<String> {
        let mut lines = vec!["Healing, flight, giving up, distance, belongings.".to_owned()];
        let system = &self.setting.system;
        let again = system.checks.iter().flat_map(|check| check.follow_ups.iter().map(|own| own.name.as_str()));
        let again: BTreeSet<&str> = again.collect();
        if !again.is_empty() {
            lines.push(format!("{}: what may follow a roll.", listed(again, LINE)));
        }
        for (check, why) in &tally.refused {
            lines.push(format!("{check}, of whoever is down: {why}"));
        }
        let words = |own: &Fighter| -> Vec<String> {
            own.arms.in_words.iter().map(|(attack, words)| format!("{}'s {attack}: {words}", own.name)).collect()
        };
        let brought: Vec<String> = self.kinds().flat_map(words).collect();
        if !brought.is_empty() {
            lines.push(format!("What hits bring in words: {}.", listed(brought.iter().map(String::as_str), LINE)));
        }
        let noted: Vec<&str> = self.kinds().filter(|own| own.arms.has_notes).map(|own| own.name.as_str()).collect();
        if !noted.is_empty() {
            lines.push(format!("What else stands in words on the sheets of {}.", listed(noted, LINE)));
        }
        lines
    }

    /// One of each kind: foes that are alike but for their names are one.
    fn kinds(&self) -> impl Iterator<Item = &Fighter> {
        self.fighters.iter().filter(|own| self.first_alike(own) == own.id)
    }
}
