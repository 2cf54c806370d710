//! The table as it stands: what the log's after-images add up to. One struct a row of one state table.

mod campaign;
mod character;
mod combat;
mod compare;
mod fold;
mod item;
mod session;

use std::collections::BTreeMap;

pub use campaign::Campaign;
pub use character::{Character, Condition, Edge, Kind, Lasts, Track, Unit, Until};
pub use combat::{Combat, CombatStatus, Combatant, Wait};
pub use item::Item;
pub use session::Session;

/// Everything a decision may look at. Keys are those of the state tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    /// `None` until the first write.
    pub campaign: Option<Campaign>,
    /// By number, from 1.
    pub sessions: BTreeMap<u32, Session>,
    /// By id: the number of the entry that made them.
    pub characters: BTreeMap<i64, Character>,
    /// By character and name.
    pub tracks: BTreeMap<(i64, String), Track>,
    /// By character and name.
    pub conditions: BTreeMap<(i64, String), Condition>,
    /// By owner and name.
    pub items: BTreeMap<(i64, String), Item>,
    /// By id: the number of the entry that began them.
    pub combats: BTreeMap<i64, Combat>,
    /// By id: the number of the entry that brought them in.
    pub combatants: BTreeMap<i64, Combatant>,
}

impl State {
    /// The sitting that is open, if any.
    pub fn open_session(&self) -> Option<&Session> {
        self.sessions.values().next_back().filter(|session| session.ended_at.is_none())
    }

    /// The fight that is going on, if any.
    pub fn running_combat(&self) -> Option<&Combat> {
        self.open_combat().filter(|combat| combat.status == CombatStatus::Running)
    }

    /// The fight that is going on or being prepared, if any: there is one at a time, so it is the last.
    pub fn open_combat(&self) -> Option<&Combat> {
        self.combats.values().next_back().filter(|combat| combat.status != CombatStatus::Ended)
    }

    /// Somebody's place in the fight that is open.
    pub fn open_combatant(&self, character: i64) -> Option<&Combatant> {
        let combat = self.open_combat()?;
        self.combatants_of(combat.id).find(|combatant| combatant.character == character)
    }

    /// Whether somebody stands in the open fight and players know nothing of it.
    pub fn is_hidden(&self, character: i64) -> bool {
        self.open_combatant(character).is_some_and(|combatant| combatant.hidden)
    }

    /// Whether players have met somebody: one of their own, or somebody who was seen in a fight; and who is not hidden now.
    pub fn is_met(&self, character: i64, kind: Kind) -> bool {
        let seen = |own: &Combatant| own.character == character && !own.hidden;
        let met = kind.is_open() || self.combatants.values().any(seen);
        met && !self.is_hidden(character)
    }

    /// The combatants of one fight, in the order of entry.
    pub fn combatants_of(&self, combat: i64) -> impl Iterator<Item = &Combatant> {
        // Whoever joins does so in an entry after the one that made the fight.
        self.combatants.range(combat..).map(|(_, own)| own).filter(move |own| own.combat == combat)
    }

    /// The tracks of one character, by name.
    pub fn tracks_of(&self, character: i64) -> impl Iterator<Item = &Track> {
        self.tracks.range((character, String::new())..(character + 1, String::new())).map(|(_, track)| track)
    }

    /// What one character owns, by name.
    pub fn items_of(&self, character: i64) -> impl Iterator<Item = &Item> {
        self.items.range((character, String::new())..(character + 1, String::new())).map(|(_, item)| item)
    }

    /// The conditions of one character, by name.
    pub fn conditions_of(&self, character: i64) -> impl Iterator<Item = &Condition> {
        self.conditions
            .range((character, String::new())..(character + 1, String::new()))
            .map(|(_, condition)| condition)
    }
}
