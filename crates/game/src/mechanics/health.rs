//! Who is up and who is down. Only what damage is taken from decides it ([`System::damage_line`]),
//! and the conditions that put a character out; other tracks (luck, lantern oil) put nobody down.
//! Marks that soak hits put nobody down either: a hit that finds none does, by the condition that
//! it brings. Defences against damage, under the words of published games.

use crate::record::change::{Change, Images};
use crate::record::event::Health;
use crate::record::state::{Combatant, DEAD, State, Track};
use rollbook_rules::{
    Against, DamageLine, Defence as DefenceRule, Direction, OUT_OF_FIGHT, System,
};
use rollbook_text::names::{fold, same};
use std::collections::BTreeSet;

/// The name of the health track where the rules declare none.
pub const HIT_POINTS: &str = "Hit points";

/// A character's tracks and conditions: as they are, or as a change would leave them.
#[derive(Debug, Clone, Default)]
pub struct Vitality {
    character: i64,
    tracks: Vec<Track>,
    /// By name, folded.
    conditions: BTreeSet<String>,
}

impl Vitality {
    /// As they are.
    pub fn of(state: &State, character: i64) -> Vitality {
        let conditions = state
            .conditions_of(character)
            .map(|condition| fold(&condition.name))
            .collect();
        Vitality {
            character,
            tracks: state.tracks_of(character).cloned().collect(),
            conditions,
        }
    }

    /// A track that all share.
    pub fn of_shared(track: Track) -> Vitality {
        Vitality {
            character: track.character,
            tracks: vec![track],
            conditions: BTreeSet::new(),
        }
    }

    pub(crate) fn set_track(&mut self, track: &Track) {
        match self
            .tracks
            .iter_mut()
            .find(|known| known.name == track.name)
        {
            Some(known) => *known = track.clone(),
            None => self.tracks.push(track.clone()),
        }
    }

    pub(crate) fn add_condition(&mut self, condition: &str) {
        self.conditions.insert(fold(condition));
    }

    pub(crate) fn remove_condition(&mut self, condition: &str) {
        self.conditions.remove(&fold(condition));
    }

    pub(crate) fn has_condition(&self, condition: &str) -> bool {
        self.conditions.contains(&fold(condition))
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.has_condition(DEAD)
    }

    /// The track of this name, folded.
    pub fn track(&self, name: &str) -> Option<&Track> {
        self.tracks.iter().find(|track| same(&track.name, name))
    }

    /// The track that all damage is taken from: the rules' only one, else one called hit points
    /// that they do not have, or the only one where they declare none.
    pub fn main_track(&self, system: &System) -> Option<&Track> {
        let declared = system
            .health_track()
            .and_then(|rule| self.track(&rule.name));
        let named = || {
            self.track(HIT_POINTS)
                .filter(|track| system.track(&track.name).is_err())
        };
        let is_free = system.tracks.is_empty() && system.damage.is_empty();
        let mut all = self.tracks.iter().filter(|track| track.renewal.is_none());
        let only = all.next().filter(|_| is_free && all.next().is_none());
        declared.or_else(named).or(only)
    }

    /// The tracks on the sheet that a line of damage names, marks too; not points that are given.
    pub fn damaged<'v>(
        &'v self,
        system: &'v System,
        line: &'v DamageLine,
    ) -> impl Iterator<Item = &'v Track> {
        system.harmed_tracks(line).into_iter().flat_map(|name| {
            let marks = system.soak(name).into_iter().flat_map(|soak| &soak.marks);
            let marks = marks.filter_map(|mark| self.track(&mark.track));
            let is_temporary = system.track(name).is_ok_and(|track| track.is_temporary());
            marks.chain(self.track(name).filter(|_| !is_temporary))
        })
    }

    /// How much health is left: points, or marks not made yet. `None`: the rules count none.
    pub fn left(&self, system: &System) -> Option<i64> {
        let left = |track: &Track| share(track, direction(system, track)).0;
        if let Some(track) = self.main_track(system) {
            return Some(left(track));
        }
        self.damaged(system, system.damage_line(None)?)
            .map(left)
            .reduce(i64::saturating_add)
    }

    pub(crate) fn is_health(&self, system: &System, track: &str) -> bool {
        self.main_track(system)
            .is_some_and(|main| main.name == track)
            || system
                .damage_line(None)
                .is_some_and(|line| self.damaged(system, line).any(|row| row.name == track))
    }

    /// `None` for a living character without a health track or marks.
    pub fn health(&self, system: &System) -> Option<Health> {
        let is_out = |condition: &String| OUT_OF_FIGHT.contains(&condition.as_str());
        if self.conditions.iter().any(is_out) {
            return Some(Health::Down);
        }
        if let Some(track) = self.main_track(system) {
            return Some(Health::of(track, direction(system, track)));
        }
        // By all that damage takes: down without any left, bloodied at half; not by marks alone.
        let line = system.damage_line(None)?;
        let shares = self
            .damaged(system, line)
            .map(|track| share(track, direction(system, track)));
        let (left, whole) = shares.reduce(|(left, whole), (track_left, track_whole)| {
            let whole = whole
                .zip(track_whole)
                .map(|(whole, of)| whole.saturating_add(of));
            (left.saturating_add(track_left), whole)
        })?;
        let by_marks =
            line.stages.is_empty() || line.members().any(|name| system.soak(name).is_some());
        Some(if left == 0 && !by_marks {
            Health::Down
        } else {
            Health::of_share(left, whole)
        })
    }

    /// Whether the character is out of a fight: dead, by a condition, or its health at its end.
    pub fn is_down(&self, system: &System) -> bool {
        self.health(system) == Some(Health::Down)
    }

    /// The combatant rows that change where being down differs from the state.
    pub fn combatant_changes(&self, state: &State, system: &System) -> Vec<Change> {
        let down = self.is_down(system);
        let fight = state
            .open_combat()
            .filter(|_| down != Vitality::of(state, self.character).is_down(system));
        let rows = fight
            .into_iter()
            .flat_map(|combat| state.combatants_of(combat.id));
        let rows =
            rows.filter(|member| member.character == self.character && member.defeated != down);
        let changed = rows.cloned().map(|before| {
            let after = Combatant {
                defeated: down,
                ..before.clone()
            };
            Change::Combatant(Images::changed(before, after))
        });
        changed.collect()
    }
}

/// The value at which nothing is left: 0, though a track goes below, or its minimum if higher.
pub fn bottom(track: &Track) -> i64 {
    track.min.max(0)
}

pub(crate) fn room(system: &System, track: &Track) -> i64 {
    match direction(system, track) {
        Direction::Down => track.value.saturating_sub(track.min).max(0),
        Direction::Up => track
            .max
            .map_or(i64::MAX, |max| max.saturating_sub(track.value).max(0)),
    }
}

/// Which way damage moves a track: down, unless the rules say that it fills up.
pub fn direction(system: &System, track: &Track) -> Direction {
    match system.track(&track.name) {
        Ok(rule) => rule.counts,
        Err(_) if system.holds_marks(&track.name) => Direction::Up,
        Err(_) => Direction::Down,
    }
}

/// How much of a track is left, and how much there can be, where it has a maximum.
fn share(track: &Track, direction: Direction) -> (i64, Option<i64>) {
    match direction {
        Direction::Down => (
            (track.value - bottom(track)).max(0),
            track.max.map(|max| max - bottom(track)),
        ),
        Direction::Up => {
            let left = track
                .max
                .map_or(i64::MAX, |max| max.saturating_sub(track.value).max(0));
            (left, track.max.map(|max| max - track.min))
        }
    }
}

impl Health {
    /// The health that one track shows, by how much of it is left.
    pub fn of(track: &Track, direction: Direction) -> Health {
        match share(track, direction) {
            // A track without a maximum is never full.
            (_, None) if direction == Direction::Up && track.value <= track.min => Health::Unhurt,
            (0, _) => Health::Down,
            (left, whole) => Health::of_share(left, whole),
        }
    }

    fn of_share(left: i64, whole: Option<i64>) -> Health {
        match whole {
            Some(whole) if left >= whole => Health::Unhurt,
            Some(whole) if left.saturating_mul(2) <= whole => Health::Bloodied,
            _ => Health::Hurt,
        }
    }
}

/// A defence against a type of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defence {
    Vulnerable,
    Resistant,
    Immune,
}

// Where the rules name none.
words! { Defence: Vulnerable = "Vulnerable to", Resistant = "Resistant to", Immune = "Immune to"; }

impl Defence {
    /// Whether a mitigation of the rules has the same effect.
    pub fn matches(self, rule: &DefenceRule) -> bool {
        let does = match self {
            Defence::Vulnerable => Against::Double,
            Defence::Resistant => Against::Half,
            Defence::Immune => Against::None,
        };
        rule.rule.does == does && !rule.rule.for_all
    }

    /// The defence that a label names, such as "Damage Resistances".
    pub fn from_label(label: &str) -> Option<Defence> {
        const WORDS: [(&str, Defence); 4] = [
            ("vulnerabilit", Defence::Vulnerable),
            ("weakness", Defence::Vulnerable),
            ("resistance", Defence::Resistant),
            ("immunit", Defence::Immune),
        ];
        let label = fold(label);
        let named = WORDS
            .into_iter()
            .find(|(word, _)| label.contains(word) && !label.contains("condition"));
        named.map(|(_, defence)| defence)
    }

    /// The name of the rules' defence of this effect. A rule for one type of damage is none for
    /// others.
    pub fn rule(self, system: &System) -> Option<&str> {
        let is_open = |rule: &&DefenceRule| self.matches(rule) && rule.rule.from.is_empty();
        let rule = system.defences.iter().find(is_open)?;
        Some(&rule.rule.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_says_how_somebody_is() {
        let track = |value| Track {
            value,
            ..Track::full(1, "Any", 7)
        };
        let words = |direction| {
            (0..=7)
                .map(|value| Health::of(&track(value), direction).as_str())
                .collect::<Vec<_>>()
        };
        let down = [
            "down", "bloodied", "bloodied", "bloodied", "hurt", "hurt", "hurt", "unhurt",
        ];
        assert_eq!(words(Direction::Down), down);
        let full: Vec<&str> = down.into_iter().rev().collect();
        assert_eq!(
            words(Direction::Up),
            full,
            "a track that fills up is worst when full"
        );
    }
}
