//! The state: the sum of the log's after-images. One struct for the rows of each state table.

mod character;
mod clock;
mod combat;
mod note;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use character::{
    Attack, AttackDamage, Character, Condition, DEAD, Edge, Item, Kind, Ticks, Track, TurnsLeft, Unit, Until,
};
pub use clock::{Clock, Deck, of_max};
pub use combat::{Combat, CombatStatus, Combatant, Wait};
pub use note::{Note, NoteKind};

/// The row of `campaigns`. Its UUID is hashed into every entry, so a chain cannot be moved to another campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Campaign {
    pub uuid: String,
    pub name: String,
    /// The adventure's folder name, not its path.
    pub adventure: String,
    /// SHA-256 of the current rules, as hex; empty before rules were first loaded.
    pub rules_hash: String,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub created_at: i64,
    /// The UUID of the campaign whose log goes on where this one ends; nothing is played in this one any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued_by: Option<String>,
}

/// The row of `sessions`; times in microseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// From 1, without gaps.
    pub number: u32,
    pub title: Option<String>,
    pub started_at: i64,
    /// `None` while it is open.
    pub ended_at: Option<i64>,
}

/// Everything that a decision reads. Keys are those of the state tables.
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
    /// By id: the number of the entry that wrote them.
    pub notes: BTreeMap<i64, Note>,
    /// By name.
    pub clocks: BTreeMap<String, Clock>,
    /// By name; those that are whole have no row.
    pub decks: BTreeMap<String, Deck>,
}

/// Whether a field is left out: 0 of a number.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl State {
    /// The open session, if any.
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

    /// A character's combatant in the open fight.
    pub fn open_combatant(&self, character: i64) -> Option<&Combatant> {
        let combat = self.open_combat()?;
        self.combatants_of(combat.id).find(|combatant| combatant.character == character)
    }

    /// Whether a character is hidden in the open fight.
    pub fn is_hidden_in_fight(&self, character: i64) -> bool {
        self.open_combatant(character).is_some_and(|combatant| combatant.hidden)
    }

    /// Whether a character is hidden: in the open fight, and one that is not of the players' side also after the last fight it was in,
    /// until it is revealed, or seen in another.
    pub fn is_hidden(&self, character: i64) -> bool {
        if self.is_of_players(character) {
            return self.is_hidden_in_fight(character);
        }
        let mut rows = self.combatants.values().rev().filter(|member| member.character == character);
        rows.find(|member| self.tells_of_sight(member)).is_some_and(|member| member.hidden)
    }

    /// The rows of those who are hidden though they are in no fight any more.
    pub fn left_hidden(&self) -> Vec<&Combatant> {
        let open = self.open_combat().map(|combat| combat.id);
        let hidden = self.combatants.values().filter(|member| member.hidden && Some(member.combat) != open);
        let ids = hidden.map(|member| member.character).filter(|id| !self.is_of_players(*id));
        let mut asked: BTreeSet<i64> = ids.collect();
        let mut left = Vec::new();
        for member in self.combatants.values().rev().filter(|member| self.tells_of_sight(member)) {
            if asked.is_empty() {
                break;
            }
            // The last row of a character decides.
            if asked.remove(&member.character) && member.hidden && Some(member.combat) != open {
                left.push(member);
            }
        }
        left
    }

    /// Whether a row says that players see a character, or do not: of a fight that never began they saw nobody.
    pub(in crate::record) fn tells_of_sight(&self, member: &Combatant) -> bool {
        member.hidden || self.has_begun(member.combat)
    }

    fn has_begun(&self, combat: i64) -> bool {
        self.combats.get(&combat).is_some_and(|row| row.round > 0)
    }

    fn is_of_players(&self, character: i64) -> bool {
        self.characters.get(&character).is_some_and(|who| who.kind.is_open())
    }

    /// Whether players know a character: one of their side, or one that was visible in a fight that began; and not hidden now.
    pub fn is_met(&self, character: i64, kind: Kind) -> bool {
        let seen =
            |member: &Combatant| member.character == character && !member.hidden && self.has_begun(member.combat);
        // The last rows are those of the fight that goes on, so they are looked at first.
        let met = kind.is_open() || self.combatants.values().rev().any(seen);
        met && !self.is_hidden(character)
    }

    /// The combatants of one fight, in the order of entry.
    pub fn combatants_of(&self, combat: i64) -> impl Iterator<Item = &Combatant> {
        // Combatants join in entries after the one that made the fight.
        self.combatants.range(combat..).map(|(_, row)| row).filter(move |row| row.combat == combat)
    }

    /// The tracks of one character, by name.
    pub fn tracks_of(&self, character: i64) -> impl Iterator<Item = &Track> {
        self.tracks.range((character, String::new())..(character + 1, String::new())).map(|(_, track)| track)
    }

    /// The items of one character, by name.
    pub fn items_of(&self, character: i64) -> impl Iterator<Item = &Item> {
        self.items.range((character, String::new())..(character + 1, String::new())).map(|(_, item)| item)
    }

    /// The conditions of one character, by name.
    pub fn conditions_of(&self, character: i64) -> impl Iterator<Item = &Condition> {
        self.conditions.range((character, String::new())..(character + 1, String::new())).map(|(_, row)| row)
    }
}
