//! How somebody is, in a word: by the track that counts, by a chain of damage, or by marks.

use super::{Standing, bottom, direction, room};
use crate::game::event::Health;
use crate::game::state::Track;
use crate::rules::{DamageChain, Direction, Harm, System};

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
