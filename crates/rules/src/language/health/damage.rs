//! What a hit is taken from, and who is out of a fight: the one place that says so.

use crate::grammar::effect::{Act, Move, Sign};
use crate::language::health::{Direction, Soak, Track, TriggerWhen};
use crate::language::system::System;
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// Conditions with which somebody is out of a fight, whatever their tracks say; by the language itself.
pub const OUT: [&str; 4] = ["dead", "unconscious", "dying", "incapacitated"];

/// `Damage: Endurance, Strength or Dexterity`: what a hit is taken from, one stage after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamageLine {
    /// Of damage of this type alone.
    pub kind: Option<String>,
    /// Each stage with what may be chosen in it, named as it is declared: tracks, marks, and attributes, which are kept as tracks
    /// of what is left of them. None where a hit takes nothing by itself.
    pub stages: Vec<Vec<String>>,
    pub place: Place,
}

impl DamageLine {
    /// Everything that damage takes, in order.
    pub fn members(&self) -> impl Iterator<Item = &str> {
        self.stages.iter().flatten().map(String::as_str)
    }

    /// Its own spelling of something that damage takes.
    pub fn member(&self, name: &str) -> Option<&str> {
        self.members().find(|own| same(own, name))
    }

    /// "Endurance, then Strength or Dexterity"
    pub fn describe(&self) -> String {
        let stages: Vec<String> = self.stages.iter().map(|stage| stage.join(" or ")).collect();
        if stages.is_empty() { "nothing by itself".to_owned() } else { stages.join(", then ") }
    }
}

impl System {
    /// What damage of this type is taken from, where the rules say so.
    pub fn damage_line(&self, kind: Option<&str>) -> Option<&DamageLine> {
        let of_kind = |own: &&DamageLine| own.kind.as_deref().zip(kind).is_some_and(|(own, kind)| same(own, kind));
        self.damage.iter().find(of_kind).or_else(|| self.damage.iter().find(|own| own.kind.is_none()))
    }

    /// What shows how somebody is: all that a line of damage names; where a hit takes nothing by itself, the tracks that a hit makes
    /// worse by a line of its own.
    pub fn harmed<'s>(&'s self, line: &'s DamageLine) -> Vec<&'s str> {
        if !line.stages.is_empty() {
            return line.members().collect();
        }
        let of_hits = self.triggers.iter().filter(|own| matches!(own.when, TriggerWhen::OneHit(_)));
        let moved = of_hits.flat_map(|own| &own.effects).filter(|own| !own.shared).filter_map(|own| match own.act {
            Act::Move(_, Move::By(sign, _)) => Some((own.track()?, sign)),
            _ => None,
        });
        let worse = |track: &Track| if track.counts == Direction::Down { Sign::Minus } else { Sign::Plus };
        let is_worse = |own: &(&str, Sign)| self.track(own.0).is_ok_and(|track| worse(track) == own.1);
        moved.filter(is_worse).map(|(track, _)| track).collect()
    }

    /// Whether damage takes this attribute, so that its name means what is left of it.
    pub fn takes_score(&self, attribute: &str) -> bool {
        self.damaged_scores.iter().any(|own| own == attribute)
    }

    /// The marks of this name.
    pub fn soak(&self, name: &str) -> Option<&Soak> {
        self.soaks.iter().find(|own| same(&own.name, name))
    }

    /// Whether a track of this name holds marks, and so fills up.
    pub fn holds_marks(&self, name: &str) -> bool {
        self.soaks.iter().flat_map(|own| &own.marks).any(|own| same(&own.track, name))
    }

    /// The track that all damage is taken from in the end, where it is one alone: points that are given stand before it.
    pub fn health_track(&self) -> Option<&Track> {
        let line = self.damage_line(None)?;
        let mut members = line.members().map(|name| self.track(name));
        let is_given = |track: &Result<&Track, _>| track.as_ref().is_ok_and(|own| own.is_given());
        let first = members.find(|own| !is_given(own))?.ok();
        members.all(|own| is_given(&own)).then_some(first).flatten()
    }
}
