//! What a hit is taken from, and what puts characters out of a fight.

use crate::grammar::effect::{Act, Move, Sign};
use crate::language::health::{Direction, Soak, Track, TriggerWhen};
use crate::language::system::System;
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// Conditions that put a character out of a fight, whatever the rules declare.
pub const OUT_OF_FIGHT: [&str; 4] = ["dead", "unconscious", "dying", "incapacitated"];

/// `Damage: Endurance, Strength or Dexterity`: what a hit is taken from, stage by stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamageLine {
    /// Only for damage of this type.
    pub kind: Option<String>,
    /// Each stage with its choices, named as declared: tracks, marks, and attributes, which are
    /// kept as tracks of what is left. Empty where a hit takes nothing by itself.
    pub stages: Vec<Vec<String>>,
    pub place: Place,
}

impl DamageLine {
    /// Everything that damage takes, in order.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        self.stages.iter().flatten().map(String::as_str)
    }

    /// The declared spelling of something that damage takes.
    pub fn member(&self, name: &str) -> Option<&str> {
        self.members().find(|member| same(member, name))
    }

    /// "Endurance, then Strength or Dexterity"
    pub fn describe(&self) -> String {
        let stages: Vec<String> = self.stages.iter().map(|stage| stage.join(" or ")).collect();
        if stages.is_empty() {
            "nothing by itself".to_owned()
        } else {
            stages.join(", then ")
        }
    }
}

impl System {
    /// The line for damage of this type, if any.
    pub fn damage_line(&self, kind: Option<&str>) -> Option<&DamageLine> {
        let of_kind = |line: &&DamageLine| {
            line.kind
                .as_deref()
                .zip(kind)
                .is_some_and(|(of, kind)| same(of, kind))
        };
        self.damage
            .iter()
            .find(of_kind)
            .or_else(|| self.damage.iter().find(|line| line.kind.is_none()))
    }

    /// What shows a character's health: all that a line of damage names; where a hit takes nothing
    /// by itself, the tracks that `One hit` makes worse.
    pub fn harmed_tracks<'s>(&'s self, line: &'s DamageLine) -> Vec<&'s str> {
        if !line.stages.is_empty() {
            return line.members().collect();
        }
        let of_hits = self
            .triggers
            .iter()
            .filter(|trigger| matches!(trigger.when, TriggerWhen::OneHit(_)));
        let moved = of_hits
            .flat_map(|trigger| &trigger.effects)
            .filter(|effect| !effect.shared)
            .filter_map(|effect| match effect.act {
                Act::Move(_, Move::By(sign, _)) => Some((effect.track()?, sign)),
                _ => None,
            });
        let worse = |track: &Track| {
            if track.counts == Direction::Down {
                Sign::Minus
            } else {
                Sign::Plus
            }
        };
        let is_worse = |moved: &(&str, Sign)| {
            self.track(moved.0)
                .is_ok_and(|track| worse(track) == moved.1)
        };
        moved.filter(is_worse).map(|(track, _)| track).collect()
    }

    /// Whether damage lowers this attribute, so that its name means what is left.
    pub fn damage_lowers(&self, attribute: &str) -> bool {
        self.damaged_scores.iter().any(|score| score == attribute)
    }

    /// The marks of this name.
    pub fn soak(&self, name: &str) -> Option<&Soak> {
        self.soaks.iter().find(|soak| same(&soak.name, name))
    }

    /// Whether the track of this name holds marks.
    pub fn holds_marks(&self, name: &str) -> bool {
        self.soaks
            .iter()
            .flat_map(|soak| &soak.marks)
            .any(|mark| same(&mark.track, name))
    }

    /// The single track that takes all damage, after points that are given.
    pub fn health_track(&self) -> Option<&Track> {
        let line = self.damage_line(None)?;
        let mut members = line.members().map(|name| self.track(name));
        let is_temporary =
            |track: &Result<&Track, _>| track.as_ref().is_ok_and(|track| track.is_temporary());
        let first = members.find(|track| !is_temporary(track))?.ok();
        members
            .all(|track| is_temporary(&track))
            .then_some(first)
            .flatten()
    }
}
