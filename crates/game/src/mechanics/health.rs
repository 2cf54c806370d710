//! Who is up and who is down. Only what damage is taken from decides it ([`System::damage_line`]), and the conditions that put
//! somebody out; other tracks (luck, lantern oil) put nobody down. Marks that soak hits put nobody down either: a hit that finds none
//! does, by the condition that it brings.

use std::collections::BTreeSet;

use crate::record::change::{Change, Images};
use crate::record::event::Health;
use crate::record::state::{Combatant, DEAD, State, Track};
use rollbook_rules::{DamageLine, Direction, OUT, System};
use rollbook_text::names::{fold, same};

/// The name of the health track where the rules declare none.
pub const HIT_POINTS: &str = "Hit points";

/// A character's tracks and conditions: as they are, or as a change would leave them.
#[derive(Debug, Clone)]
pub struct Vitality {
    character: i64,
    tracks: Vec<Track>,
    /// By name, folded.
    conditions: BTreeSet<String>,
}

impl Vitality {
    /// As they are.
    pub fn of(state: &State, character: i64) -> Vitality {
        let conditions = state.conditions_of(character).map(|condition| fold(&condition.name)).collect();
        Vitality { character, tracks: state.tracks_of(character).cloned().collect(), conditions }
    }

    /// A track that all share.
    pub fn of_shared(track: Track) -> Vitality {
        Vitality { character: track.character, tracks: vec![track], conditions: BTreeSet::new() }
    }

    /// Replaces or adds a track.
    pub fn set_track(&mut self, track: &Track) {
        match self.tracks.iter_mut().find(|own| own.name == track.name) {
            Some(own) => *own = track.clone(),
            None => self.tracks.push(track.clone()),
        }
    }

    /// Adds a condition by name.
    pub fn add_condition(&mut self, condition: &str) {
        self.conditions.insert(fold(condition));
    }

    /// Removes a condition by name.
    pub fn remove_condition(&mut self, condition: &str) {
        self.conditions.remove(&fold(condition));
    }

    /// Whether there is a condition of this name.
    pub fn has_condition(&self, condition: &str) -> bool {
        self.conditions.contains(&fold(condition))
    }

    /// Whether the character is dead.
    pub fn is_dead(&self) -> bool {
        self.has_condition(DEAD)
    }

    /// The track of this name, folded.
    pub fn track(&self, name: &str) -> Option<&Track> {
        self.tracks.iter().find(|track| same(&track.name, name))
    }

    /// All tracks.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The track that all damage is taken from: the rules' where it is one alone, else the one called hit points of a foe that has
    /// nothing else, or the only track where the rules declare none.
    pub fn main_track(&self, system: &System) -> Option<&Track> {
        let declared = system.health_track().and_then(|rule| self.track(&rule.name));
        let named = || self.track(HIT_POINTS).filter(|track| system.track(&track.name).is_err());
        declared.or_else(named).or(match self.tracks.as_slice() {
            [only] if system.tracks.is_empty() && system.damage.is_empty() => Some(only),
            _ => None,
        })
    }

    /// The tracks on the sheet that a line of damage names, marks too. Points that are given to somebody are none of them.
    pub fn damaged<'v>(
        &'v self,
        system: &'v System,
        line: &'v DamageLine,
    ) -> impl Iterator<Item = &'v Track> + use<'v> {
        system.harmed(line).into_iter().flat_map(|name| {
            let marks = system.soak(name).into_iter().flat_map(|own| &own.marks);
            let marks = marks.filter_map(|mark| self.track(&mark.track));
            let is_given = system.track(name).is_ok_and(|own| own.is_given());
            marks.chain(self.track(name).filter(|_| !is_given))
        })
    }

    /// How much of the health is left: points, or marks that are not made yet. `None` where the rules count no health of this character.
    pub fn left(&self, system: &System) -> Option<i64> {
        let left = |track: &Track| match direction(system, track) {
            Direction::Down => (track.value - bottom(track)).max(0),
            Direction::Up => room(system, track),
        };
        if let Some(track) = self.main_track(system) {
            return Some(left(track));
        }
        let line = system.damage_line(None)?;
        self.damaged(system, line).map(left).reduce(i64::saturating_add)
    }

    /// Whether a track of this name counts as health.
    pub fn is_health(&self, system: &System, track: &str) -> bool {
        let is_taken = || {
            let line = system.damage_line(None);
            line.is_some_and(|own| self.damaged(system, own).any(|row| row.name == track))
        };
        self.main_track(system).is_some_and(|main| main.name == track) || is_taken()
    }

    /// Whether the character is out of a fight: dead, in a condition that puts it out, or its health track at its end.
    pub fn is_down(&self, system: &System) -> bool {
        self.health(system) == Some(Health::Down)
    }

    /// The combatant rows that change where being down differs from the state: out of the fight, or back in it.
    pub fn combatant_changes(&self, state: &State, system: &System) -> Vec<Change> {
        let down = self.is_down(system);
        let Some(combat) = state.open_combat() else { return Vec::new() };
        if down == Vitality::of(state, self.character).is_down(system) {
            return Vec::new();
        }
        let rows = state.combatants_of(combat.id);
        rows.filter(|combatant| combatant.character == self.character && combatant.defeated != down)
            .map(|before| {
                Change::Combatant(Images::changed(before.clone(), Combatant { defeated: down, ..before.clone() }))
            })
            .collect()
    }
}

/// The value at which nothing is left: 0, even for a track that goes below 0, or its minimum where that is higher.
pub fn bottom(track: &Track) -> i64 {
    track.min.max(0)
}

/// How much more damage a track can take.
pub fn room(system: &System, track: &Track) -> i64 {
    match direction(system, track) {
        Direction::Down => track.value.saturating_sub(track.min).max(0),
        Direction::Up => track.max.map_or(i64::MAX, |max| max.saturating_sub(track.value).max(0)),
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

impl Health {
    /// The health that one track shows, by how much of it is left.
    pub fn of(track: &Track, direction: Direction) -> Health {
        let (left, whole) = match (direction, track.max) {
            (Direction::Down, max) => (track.value - bottom(track), max.map(|max| max - bottom(track))),
            (Direction::Up, Some(max)) => (max - track.value, Some(max - track.min)),
            // A track without a maximum is never full.
            (Direction::Up, None) => return if track.value <= track.min { Health::Unhurt } else { Health::Hurt },
        };
        match whole {
            _ if left <= 0 => Health::Down,
            Some(whole) if left >= whole => Health::Unhurt,
            Some(whole) if left.saturating_mul(2) <= whole => Health::Bloodied,
            _ => Health::Hurt,
        }
    }
}

impl Vitality {
    /// `None` for a living character without a health track or marks.
    pub fn health(&self, system: &System) -> Option<Health> {
        if OUT.iter().any(|condition| self.has_condition(condition)) {
            return Some(Health::Down);
        }
        if let Some(track) = self.main_track(system) {
            return Some(Health::of(track, direction(system, track)));
        }
        self.health_by_line(system, system.damage_line(None)?)
    }

    /// Health by all that damage takes: down when nothing is left, bloodied at half. Marks alone put nobody down. `None` without
    /// any of it.
    fn health_by_line(&self, system: &System, line: &DamageLine) -> Option<Health> {
        let kept: Vec<&Track> = self.damaged(system, line).collect();
        let (mut left, mut whole) = (0_i64, Some(0_i64));
        for track in &kept {
            let (own, of) = match direction(system, track) {
                Direction::Down => (track.value - bottom(track), track.max.map(|max| max - bottom(track))),
                Direction::Up => (room(system, track), track.max.map(|max| max - track.min)),
            };
            left = left.saturating_add(own.max(0));
            whole = whole.zip(of).map(|(whole, of)| whole.saturating_add(of));
        }
        let by_marks = line.stages.is_empty() || line.members().any(|name| system.soak(name).is_some());
        Some(match whole {
            _ if kept.is_empty() => return None,
            _ if left == 0 && !by_marks => Health::Down,
            Some(whole) if left >= whole => Health::Unhurt,
            Some(whole) if left.saturating_mul(2) <= whole => Health::Bloodied,
            _ => Health::Hurt,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_says_how_somebody_is() {
        let track = |value| Track { character: 1, name: "Any".to_owned(), value, min: 0, max: Some(7), fixed: true };
        let words = |direction| (0..=7).map(|value| Health::of(&track(value), direction).as_str()).collect::<Vec<_>>();
        let down = ["down", "bloodied", "bloodied", "bloodied", "hurt", "hurt", "hurt", "unhurt"];
        assert_eq!(words(Direction::Down), down);
        assert_eq!(
            words(Direction::Up),
            down.into_iter().rev().collect::<Vec<_>>(),
            "a track that fills up is worst when full"
        );
    }
}
