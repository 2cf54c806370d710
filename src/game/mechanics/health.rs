//! Who is up and who is down. Only what the rules declare as health decides it ([`System::harm`]); other tracks (luck,
//! lantern oil) put nobody down. A character with marks for harm (boxes, slots, wounds) goes down by the condition that one
//! mark too many brings, not by the last mark; one with a damage chain, when nothing of the chain is left.

use std::collections::BTreeSet;

use crate::game::record::change::{Change, Images};
use crate::game::record::event::Health;
use crate::game::record::state::{Combatant, State, Track};
use crate::names::{fold, same};
use crate::rules::{DamageChain, Direction, Harm, System};

/// The condition that only its removal ends.
pub const DEAD: &str = "dead";

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

    /// The health track: what the rules declare as health, else the one called hit points, else the only track where the
    /// rules declare none. `None` where marks count, not points.
    pub fn main_track(&self, system: &System) -> Option<&Track> {
        let declared = match system.harm() {
            Some(Harm::Track(rule)) => self.track(&rule.name),
            _ => None,
        };
        declared.or_else(|| self.track(HIT_POINTS)).or(match self.tracks.as_slice() {
            [only] if system.tracks.is_empty() && system.harm().is_none() => Some(only),
            _ => None,
        })
    }

    /// How many of these tracks are at their end: at 0, or full where they fill up.
    pub fn count_at_end(&self, system: &System, of: &[String]) -> usize {
        let at_end = |track: &&Track| match direction(system, track) {
            Direction::Down => track.value <= bottom(track),
            Direction::Up => room(system, track) == 0,
        };
        of.iter().filter_map(|name| self.track(name)).filter(at_end).count()
    }

    /// How much of the health is left: points, or marks that are not made yet. `None` where the rules count no health of this character.
    pub fn left(&self, system: &System) -> Option<i64> {
        if let Some(track) = self.main_track(system) {
            return Some(match direction(system, track) {
                Direction::Down => track.value - bottom(track),
                Direction::Up => room(system, track),
            });
        }
        let names: Vec<String> = match system.harm()? {
            Harm::Chain(chain) => chain.members().map(str::to_owned).collect(),
            harm => harm.marks().into_iter().map(|marks| marks.name).collect(),
        };
        let kept: Vec<&Track> = names.iter().filter_map(|name| self.track(name)).collect();
        (!kept.is_empty()).then(|| kept.into_iter().map(|own| room(system, own)).fold(0, i64::saturating_add))
    }

    /// Whether a track of this name counts as health.
    pub fn is_health(&self, system: &System, track: &str) -> bool {
        match (self.main_track(system), system.harm()) {
            (Some(main), _) => main.name == track,
            (None, Some(Harm::Chain(chain))) => chain.member(track).is_some(),
            (None, harm) => harm.is_some_and(|harm| harm.marks().iter().any(|marks| marks.name == track)),
        }
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
        if self.is_dead() || system.ways_out().any(|condition| self.has_condition(condition)) {
            return Some(Health::Down);
        }
        match self.main_track(system) {
            Some(track) => Some(Health::of(track, direction(system, track))),
            None => match system.harm() {
                Some(Harm::Chain(chain)) => self.health_by_chain(system, chain),
                _ => self.health_by_marks(system),
            },
        }
    }

    /// Health by a damage chain: down when all of it is taken, bloodied at half. `None` without any of its tracks.
    fn health_by_chain(&self, system: &System, chain: &DamageChain) -> Option<Health> {
        let kept: Vec<&Track> = chain.members().filter_map(|name| self.track(name)).collect();
        let left = kept.iter().map(|track| room(system, track)).fold(0, i64::saturating_add);
        let whole = kept.iter().map(|track| track.max).sum::<Option<i64>>();
        Some(match whole {
            _ if kept.is_empty() => return None,
            _ if left == 0 => Health::Down,
            Some(whole) if left >= whole => Health::Unhurt,
            Some(whole) if left.saturating_mul(2) <= whole => Health::Bloodied,
            _ => Health::Hurt,
        })
    }

    /// Health by marks: bloodied from half of them on. Marks alone put nobody down.
    fn health_by_marks(&self, system: &System) -> Option<Health> {
        let marks = system.harm()?.marks();
        let kept: Vec<&Track> = marks.iter().filter_map(|marks| self.track(&marks.name)).collect();
        let made: i64 = kept.iter().map(|track| track.value).sum();
        let room = kept.iter().map(|track| track.max).sum::<Option<i64>>();
        Some(match room {
            _ if marks.is_empty() => return None,
            _ if made == 0 => Health::Unhurt,
            Some(room) if made.saturating_mul(2) >= room => Health::Bloodied,
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
