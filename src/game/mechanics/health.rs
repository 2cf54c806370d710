//! Who still stands. What the rules declare as health says so ([`System::harm`]): what other tracks do (luck, lantern oil)
//! puts nobody down. Whoever has marks for harm (boxes, slots, wounds) goes down by the condition that one mark too many
//! brings, not by the last of them; where damage runs from one to the next, when nothing of it is left.

use std::collections::BTreeSet;

use crate::game::record::change::{Change, Images};
use crate::game::record::event::Health;
use crate::game::record::state::{Combatant, State, Track};
use crate::names::{fold, same};
use crate::rules::{DamageChain, Direction, Harm, System};

/// The condition that nothing but its removal ends.
pub const DEAD: &str = "dead";

/// What a track is called that nobody's rules named.
pub const HIT_POINTS: &str = "Hit points";

/// Somebody's tracks and conditions: as they are, or as a change would leave them.
#[derive(Debug, Clone)]
pub struct Standing {
    character: i64,
    tracks: Vec<Track>,
    /// By name, folded.
    conditions: BTreeSet<String>,
}

impl Standing {
    /// As they are.
    pub fn of(state: &State, character: i64) -> Standing {
        let conditions = state.conditions_of(character).map(|condition| fold(&condition.name)).collect();
        Standing { character, tracks: state.tracks_of(character).cloned().collect(), conditions }
    }

    /// With one track moved, or made.
    pub fn moved(&mut self, track: &Track) {
        match self.tracks.iter_mut().find(|own| own.name == track.name) {
            Some(own) => *own = track.clone(),
            None => self.tracks.push(track.clone()),
        }
    }

    /// With one condition more.
    pub fn gained(&mut self, condition: &str) {
        self.conditions.insert(fold(condition));
    }

    /// With one condition less.
    pub fn lost(&mut self, condition: &str) {
        self.conditions.remove(&fold(condition));
    }

    /// Whether they have a condition of this name.
    pub fn has(&self, condition: &str) -> bool {
        self.conditions.contains(&fold(condition))
    }

    /// Whether they are dead.
    pub fn is_dead(&self) -> bool {
        self.has(DEAD)
    }

    /// The track of this name, folded.
    pub fn track(&self, name: &str) -> Option<&Track> {
        self.tracks.iter().find(|track| same(&track.name, name))
    }

    /// The track that counts: what the rules declare as health, else the one called hit points, else the only one of somebody
    /// whose rules declare none. `None` where marks count, not points.
    pub fn main(&self, system: &System) -> Option<&Track> {
        let declared = match system.harm() {
            Some(Harm::Track(rule)) => self.track(&rule.name),
            _ => None,
        };
        declared.or_else(|| self.track(HIT_POINTS)).or(match self.tracks.as_slice() {
            // Marks of advancement say nothing of how anybody is.
            [only]
                if system.tracks.is_empty() && system.harm().is_none() && !system.advancement.has_track(&only.name) =>
            {
                Some(only)
            }
            _ => None,
        })
    }

    /// How many of these tracks are at their end: at 0, or full where they fill up.
    pub fn spent(&self, system: &System, of: &[String]) -> usize {
        let at_end = |track: &&Track| match direction(system, track) {
            Direction::Down => track.value <= bottom(track),
            Direction::Up => room(system, track) == 0,
        };
        of.iter().filter_map(|name| self.track(name)).filter(at_end).count()
    }

    /// Whether a track of this name says how somebody is.
    pub fn is_health(&self, system: &System, track: &str) -> bool {
        match (self.main(system), system.harm()) {
            (Some(main), _) => main.name == track,
            (None, Some(Harm::Chain(chain))) => chain.member(track).is_some(),
            (None, harm) => harm.is_some_and(|harm| harm.marks().iter().any(|marks| marks.name == track)),
        }
    }

    /// Out of a fight: dead, put out by a mark too many, or the main track at the end that damage moves it to.
    pub fn is_down(&self, system: &System) -> bool {
        self.health(system) == Some(Health::Down)
    }

    /// The combatant rows that follow where this differs from what the state says: out of the fight, or back in it.
    pub fn combatants(&self, state: &State, system: &System) -> Vec<Change> {
        let down = self.is_down(system);
        let Some(combat) = state.open_combat() else { return Vec::new() };
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

/// How much damage a track can take yet.
pub fn room(system: &System, track: &Track) -> i64 {
    match direction(system, track) {
        Direction::Down => track.value.saturating_sub(track.min).max(0),
        Direction::Up => track.max.map_or(i64::MAX, |max| max.saturating_sub(track.value).max(0)),
    }
}

/// Which way damage moves a track: down unless the rules say it fills up.
pub fn direction(system: &System, track: &Track) -> Direction {
    match system.track(&track.name) {
        Ok(rule) => rule.counts,
        Err(_) if system.holds_marks(&track.name) => Direction::Up,
        Err(_) => Direction::Down,
    }
}

impl Health {
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

impl Standing {
    /// `None` where no track says it and nobody died.
    pub fn health(&self, system: &System) -> Option<Health> {
        if self.is_dead() || system.ways_out().any(|condition| self.has(condition)) {
            return Some(Health::Down);
        }
        match self.main(system) {
            Some(track) => Some(Health::of(track, direction(system, track))),
            None => match system.harm() {
                Some(Harm::Chain(chain)) => self.by_chain(system, chain),
                _ => self.by_marks(system),
            },
        }
    }

    /// What a chain says: down when all of it is taken, bloodied when half of it is. `None` for somebody who has none of it.
    fn by_chain(&self, system: &System, chain: &DamageChain) -> Option<Health> {
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

    /// What marks say: half of them or more is bloodied. Down is not among it.
    fn by_marks(&self, system: &System) -> Option<Health> {
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
