//! Who still stands. One track says so, the main one: what other tracks do (stress, lantern oil) puts nobody down.

use serde::{Deserialize, Serialize};

use crate::game::entry::{Change, Images};
use crate::game::state::{Combatant, State, Track};
use crate::names::fold;
use crate::rules::{Direction, System};

/// The condition that nothing but its removal ends.
pub const DEAD: &str = "dead";

/// What a track is called that nobody's rules named.
pub const HIT_POINTS: &str = "Hit points";

/// A foe's health as players may know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    Unhurt,
    Hurt,
    /// Half of the track or less is left.
    Bloodied,
    Down,
}

impl Health {
    /// The word players hear.
    pub fn as_str(self) -> &'static str {
        match self {
            Health::Unhurt => "unhurt",
            Health::Hurt => "hurt",
            Health::Bloodied => "bloodied",
            Health::Down => "down",
        }
    }

    /// What one track says, by how much of it is left.
    pub fn of(track: &Track, direction: Direction) -> Health {
        let (left, whole) = match (direction, track.max) {
            (Direction::Down, max) => (track.value - bottom(track), max.map(|max| max - bottom(track))),
            (Direction::Up, Some(max)) => (max - track.value, Some(max - track.min)),
            // Nothing is ever full that has no top.
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

/// Somebody's tracks and whether they are dead: as they are, or as a change would leave them.
#[derive(Debug, Clone)]
pub struct Standing {
    character: i64,
    tracks: Vec<Track>,
    pub dead: bool,
}

impl Standing {
    /// As they are.
    pub fn of(state: &State, character: i64) -> Standing {
        let dead = state.conditions_of(character).any(|condition| fold(&condition.name) == DEAD);
        Standing { character, tracks: state.tracks_of(character).cloned().collect(), dead }
    }

    /// With one track moved, or made.
    pub fn moved(&mut self, track: &Track) {
        match self.tracks.iter_mut().find(|own| own.name == track.name) {
            Some(own) => *own = track.clone(),
            None => self.tracks.push(track.clone()),
        }
    }

    /// The track that counts: the first the rules declare, else the one called hit points, else the only one.
    pub fn main(&self, system: &System) -> Option<&Track> {
        let named = |name: &str| self.tracks.iter().find(|track| fold(&track.name) == fold(name));
        let declared = system.tracks.first().and_then(|rule| named(&rule.name));
        declared.or_else(|| named(HIT_POINTS)).or(match self.tracks.as_slice() {
            [only] => Some(only),
            _ => None,
        })
    }

    /// Out of a fight: dead, or the main track at the end that damage moves it to.
    pub fn is_down(&self, system: &System) -> bool {
        self.dead || self.health(system) == Some(Health::Down)
    }

    /// `None` where no track says it and nobody died.
    pub fn health(&self, system: &System) -> Option<Health> {
        match self.main(system) {
            _ if self.dead => Some(Health::Down),
            Some(track) => Some(Health::of(track, direction(system, track))),
            None => None,
        }
    }

    /// The combatant rows that follow where this differs from what the state says: out of the fight, or back in it.
    pub fn combatants(&self, state: &State, system: &System) -> Vec<Change> {
        let down = self.is_down(system);
        let Some(combat) = state.running_combat() else { return Vec::new() };
        if down == Standing::of(state, self.character).is_down(system) {
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

/// The value at which nothing is left: 0, also for a track that goes on below it, or its lowest value where that is higher.
pub fn bottom(track: &Track) -> i64 {
    track.min.max(0)
}

/// Which way damage moves a track: down unless the rules say it fills up.
pub fn direction(system: &System, track: &Track) -> Direction {
    system.track(&track.name).map_or(Direction::Down, |rule| rule.counts)
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
