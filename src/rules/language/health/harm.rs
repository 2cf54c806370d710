//! What a hit falls on: the one place that says so.
//!
//! A call may name a track, boxes, slots or wounds; then the hit falls there. A call that names none means whatever the
//! rules declare as health, and nothing else: fate points, luck and retakes are spent, never hit. Where damage runs from one
//! attribute or track to the next, that is health, wherever it stands: it says where damage falls in so many words. Else
//! health is the first of these in the order of the file:
//!
//! - boxes; slots that a hit is put into (`2 lesser (level 1)`, not those that only soak: `mild -2`); wounds by threshold;
//! - a track that a trigger watches (`At 0 hit points: …`, `full: burned out`), and hit points, whether one does or not;
//!
//! and where the file has none of them, the first track that begins at its good end: `Hit points: 12`, `Stress: 9 boxes`. A
//! track that begins in between (`from 0 to 10, start 3`) and is watched by nothing is not health.
//!
//! Boxes, slots and wounds are kept as tracks that fill up, one for each worth or kind: `Physical stress (2)` 0 of 1,
//! `Harm (lesser)` 1 of 2, `Wounds` 1 of 3. So whatever knows tracks (the sheet, the log, undoing, a query) knows them.

use super::boxes::{Boxes, Slots};
use super::damage_chain::DamageChain;
use super::tracks::{Direction, Start, Track};
use super::trigger::TriggerWhen;
use super::wounds::Wounds;
use crate::diagnostic::Place;
use crate::names::{fold, same};
use crate::rules::language::system::System;

/// What a hit falls on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Harm<'a> {
    /// Points of a track.
    Track(&'a Track),
    /// One box a hit.
    Boxes(&'a Boxes),
    /// Slots by the weight of the harm.
    Slots(&'a Slots),
    /// Wounds by how far it goes.
    Wounds(&'a Wounds),
    /// One thing after the other.
    Chain(&'a DamageChain),
}

/// A track that holds marks: boxes of one worth, slots of one kind, wounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marks {
    /// Name of the track: "Physical stress (2)".
    pub name: String,
    /// How many there are; none where wounds have no end.
    pub count: Option<i64>,
    /// What one of them is worth: points of a box or a soaking slot, the level of another slot, 1 for a wound.
    pub worth: i64,
}

impl<'a> Harm<'a> {
    /// Name as the author writes it; of a chain what is hit first.
    pub fn name(&self) -> &'a str {
        match self {
            Self::Track(own) => &own.name,
            Self::Boxes(own) => &own.name,
            Self::Slots(own) => &own.name,
            Self::Wounds(own) => &own.name,
            Self::Chain(own) => own.first(),
        }
    }

    /// Where it is declared.
    pub fn place(&self) -> &'a Place {
        match self {
            Self::Track(own) => &own.place,
            Self::Boxes(own) => &own.place,
            Self::Slots(own) => &own.place,
            Self::Wounds(own) => &own.place,
            Self::Chain(own) => &own.place,
        }
    }

    /// The tracks that hold its marks, the least worth first; of plain tracks none.
    pub fn marks(&self) -> Vec<Marks> {
        let mut marks: Vec<Marks> = Vec::new();
        let mut add = |name: String, count: Option<i64>, worth: i64| match marks.iter_mut().find(|own| own.name == name)
        {
            Some(own) => own.count = own.count.zip(count).map(|(one, other)| one.saturating_add(other)),
            None => marks.push(Marks { name, count, worth }),
        };
        match self {
            Self::Track(_) | Self::Chain(_) => {}
            Self::Boxes(own) => {
                own.values.iter().for_each(|worth| add(format!("{} ({worth})", own.name), Some(1), *worth))
            }
            Self::Slots(own) => own.kinds.iter().for_each(|kind| {
                add(format!("{} ({})", own.name, kind.name), Some(kind.count), kind.soaks.unwrap_or(kind.level));
            }),
            Self::Wounds(own) => add(own.name.clone(), own.most, 1),
        }
        marks.sort_by_key(|own| own.worth);
        marks
    }

    /// Whether a hit is put into it, not only taken off by it.
    fn takes_hits(&self) -> bool {
        match self {
            Self::Slots(own) => own.kinds.iter().all(|kind| kind.soaks.is_none()),
            _ => true,
        }
    }
}

impl System {
    /// Boxes, slots and wounds, in this order.
    pub fn marked(&self) -> impl Iterator<Item = Harm<'_>> {
        let boxes = self.boxes.iter().map(Harm::Boxes);
        boxes.chain(self.slots.iter().map(Harm::Slots)).chain(self.wounds.iter().map(Harm::Wounds))
    }

    /// What a hit falls on that names nothing; see the head of this file.
    pub fn harm(&self) -> Option<Harm<'_>> {
        if let Some(chain) = &self.damage_chain {
            return Some(Harm::Chain(chain));
        }
        let points = |track: &Track| ["hit points", "hp"].iter().any(|name| same(name, &track.name));
        let is_watched = |name: &str| self.triggers.iter().any(|trigger| same(trigger.when.track(), name));
        let watched = |track: &&Track| points(track) || is_watched(&track.name);
        let marked = self.marked().filter(Harm::takes_hits);
        let declared = marked.chain(self.tracks.iter().filter(watched).map(Harm::Track));
        let first = declared.min_by(|one, other| one.place().cmp(other.place()));
        first.or_else(|| self.tracks.iter().find(|track| begins_well(track)).map(Harm::Track))
    }

    /// The boxes, slots or wounds of this name, folded.
    pub fn marked_named(&self, name: &str) -> Option<Harm<'_>> {
        self.marked().find(|harm| same(harm.name(), name))
    }

    /// Whether a track of this name holds marks, and so fills up.
    pub fn holds_marks(&self, name: &str) -> bool {
        self.marked().any(|harm| harm.marks().iter().any(|own| same(&own.name, name)))
    }

    /// Whether whoever has this track at its end is out of a fight by a condition: `Stun: 10 boxes; full: unconscious`.
    pub fn puts_out(&self, track: &str) -> bool {
        let at_end = |when: &TriggerWhen| matches!(when, TriggerWhen::Full { .. } | TriggerWhen::AtZero { .. });
        let mut own = self.triggers.iter().filter(|own| at_end(&own.when) && same(own.when.track(), track));
        own.any(|own| own.conditions.iter().any(|name| OUT.contains(&fold(name).as_str())))
    }

    /// The track on which damage of a type falls that is called like it: stun damage on Stun, at whose end somebody is out.
    pub fn track_of_type(&self, kind: &str) -> Option<&Track> {
        self.tracks.iter().find(|own| same(&own.name, kind) && self.puts_out(&own.name))
    }

    /// The conditions that boxes, slots and wounds put somebody out with: one wound too many, a level beyond the slots, a hit
    /// that nothing soaks, two or more of a chain at zero (at the first of them a chain goes on); and what says so itself, whatever
    /// brings it.
    pub fn ways_out(&self) -> impl Iterator<Item = &str> {
        let wounds = self.wounds.iter().flat_map(|own| &own.then).map(String::as_str);
        let slots = self.slots.iter().filter_map(|own| own.beyond.as_ref()).map(|(_, what)| what.as_str());
        let out = |when: &TriggerWhen| match when {
            TriggerWhen::Unsoaked => true,
            TriggerWhen::ManyAtZero { many, .. } => *many > 1,
            _ => false,
        };
        let told = |own: &&String| OUT.contains(&fold(own).as_str());
        let triggers = self
            .triggers
            .iter()
            .flat_map(move |own| own.conditions.iter().filter(move |name| out(&own.when) || told(name)));
        wounds.chain(slots).chain(triggers.map(String::as_str))
    }
}

/// Conditions in which nobody fights.
const OUT: [&str; 8] =
    ["unconscious", "incapacitated", "knocked out", "taken out", "out", "out cold", "comatose", "dying"];

fn begins_well(track: &Track) -> bool {
    matches!((&track.start, track.counts), (Start::Full, Direction::Down) | (Start::Empty, Direction::Up))
}
