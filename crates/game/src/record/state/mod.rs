//! The state: the sum of the log's after-images. One struct for the rows of each state table.

mod character;
mod renewal;

use rollbook_rules::Structure;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

pub use character::{
    Attack, AttackDamage, Character, Condition, DEAD, Edge, Item, Kind, Ticks, Track, TurnsLeft,
    Unit, Until,
};
pub use renewal::{Renewal, Uses};

/// The row of `campaigns`. Its UUID is hashed into every entry, so no chain can be moved.
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
    /// The UUID of the campaign whose log goes on where this one ends for good.
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
        self.sessions
            .values()
            .next_back()
            .filter(|session| session.ended_at.is_none())
    }

    /// The fight that is going on, if any.
    pub fn running_combat(&self) -> Option<&Combat> {
        self.open_combat()
            .filter(|combat| combat.status == CombatStatus::Running)
    }

    /// The fight that is going on or being prepared: one at a time, so it is the last.
    pub fn open_combat(&self) -> Option<&Combat> {
        self.combats
            .values()
            .next_back()
            .filter(|combat| combat.status != CombatStatus::Ended)
    }

    /// A character's combatant in the open fight.
    pub fn open_combatant(&self, character: i64) -> Option<&Combatant> {
        self.combatants_of(self.open_combat()?.id)
            .find(|combatant| combatant.character == character)
    }

    pub(crate) fn is_hidden_in_fight(&self, character: i64) -> bool {
        self.open_combatant(character)
            .is_some_and(|combatant| combatant.hidden)
    }

    /// Whether a character is hidden: in the open fight, and one that is not of the players' side
    /// also after the last fight it was in, until it is revealed, or seen in another.
    pub fn is_hidden(&self, character: i64) -> bool {
        if self.is_of_players(character) {
            return self.is_hidden_in_fight(character);
        }
        let mut rows = self
            .combatants
            .values()
            .rev()
            .filter(|member| member.character == character);
        rows.find(|member| self.tells_of_sight(member))
            .is_some_and(|member| member.hidden)
    }

    /// The rows of those who are hidden though they are in no fight any more.
    pub fn left_hidden(&self) -> Vec<&Combatant> {
        let open = self.open_combat().map(|combat| combat.id);
        let hidden = self
            .combatants
            .values()
            .filter(|member| member.hidden && Some(member.combat) != open);
        let ids = hidden
            .map(|member| member.character)
            .filter(|id| !self.is_of_players(*id));
        let mut asked: BTreeSet<i64> = ids.collect();
        let mut left = Vec::new();
        for member in self
            .combatants
            .values()
            .rev()
            .filter(|member| self.tells_of_sight(member))
        {
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

    /// Whether a row says if players see a character: not of a fight that never began.
    pub(in crate::record) fn tells_of_sight(&self, member: &Combatant) -> bool {
        member.hidden || self.has_begun(member.combat)
    }

    fn has_begun(&self, combat: i64) -> bool {
        self.combats.get(&combat).is_some_and(|row| row.round > 0)
    }

    pub(crate) fn is_of_players(&self, character: i64) -> bool {
        self.characters
            .get(&character)
            .is_some_and(|who| who.kind.is_open())
    }

    /// Whether players know a character: of their side, or seen in a begun fight; not hidden now.
    pub fn is_met(&self, character: i64, kind: Kind) -> bool {
        let seen = |member: &Combatant| {
            member.character == character && !member.hidden && self.has_begun(member.combat)
        };
        // The last rows are those of the fight that goes on, so they are looked at first.
        let met = kind.is_open() || self.combatants.values().rev().any(seen);
        met && !self.is_hidden(character)
    }

    /// The combatants of one fight, in the order of entry.
    pub fn combatants_of(&self, combat: i64) -> impl Iterator<Item = &Combatant> {
        // Combatants join in entries after the one that made the fight.
        self.combatants
            .range(combat..)
            .map(|(_, row)| row)
            .filter(move |row| row.combat == combat)
    }

    /// The tracks of one character, by name.
    pub fn tracks_of(&self, character: i64) -> impl Iterator<Item = &Track> {
        self.tracks
            .range((character, String::new())..(character + 1, String::new()))
            .map(|(_, track)| track)
    }

    /// The items of one character, by name.
    pub fn items_of(&self, character: i64) -> impl Iterator<Item = &Item> {
        self.items
            .range((character, String::new())..(character + 1, String::new()))
            .map(|(_, item)| item)
    }

    /// The conditions of one character, by name.
    pub fn conditions_of(&self, character: i64) -> impl Iterator<Item = &Condition> {
        self.conditions
            .range((character, String::new())..(character + 1, String::new()))
            .map(|(_, row)| row)
    }
}

/// A row of `combats`. The current turn is an id, and each combatant has the round it last acted
/// in: never an index, so the turn stays when combatants join or leave.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combat {
    /// The number of the entry that began it.
    pub id: i64,
    pub title: Option<String>,
    pub status: CombatStatus,
    /// From 1; 0 while it is prepared.
    pub round: u32,
    /// The combatant whose turn it is; `None` where there are no turns.
    pub current: Option<i64>,
    pub outcome: Option<String>,
    /// When its last turn began, or it began or ended; microseconds since 1970-01-01T00:00:00Z.
    pub moved_at: i64,
    /// The first entry of the advance that began the current turn: where
    /// [`crate::decide::combat::previous_turn`] goes back to. Its before-image has the advance
    /// before, so turns can be taken back to the start of the fight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advanced: Option<i64>,
    /// Those of a kind, which are numbered alike, have one initiative, whatever the rules say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_kind: bool,
    /// Whether it has turns, where that is not as the rules begin a fight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure: Option<Structure>,
    /// Whose turn was interrupted when turns ended: it goes on if they begin in this round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interrupted: Option<i64>,
}

/// The status of a fight. Only the GM ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CombatStatus {
    /// Prepared: combatants are added, and nobody acts.
    #[default]
    Setup,
    Running,
    Ended,
}

words! { CombatStatus: Setup = "setup", Running = "running", Ended = "ended"; }

/// A row of `combatants`: a character in a fight. Its health is the character's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combatant {
    /// The number of the entry that brought it in.
    pub id: i64,
    pub combat: i64,
    pub character: i64,
    pub side: String,
    /// `None` where the rules have no initiative.
    pub initiative: Option<i64>,
    /// Tie-breaks, in the order of the rules, higher first.
    pub ties: Vec<i64>,
    /// The last round in which its turn began; 0 before its first.
    pub acted_round: u32,
    /// The initiatives of its further turns in each round, in the order in which it has them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub extra: Vec<i64>,
    /// How many of those turns have begun in `acted_round`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub again: u32,
    /// Skipped until it is up again.
    pub defeated: bool,
    /// The first round it acts in: the next, if it joins above the current initiative. 0: any.
    #[serde(default, skip_serializing_if = "is_default")]
    pub from_round: u32,
    /// The entry of its last turn; the latest of a visible combatant is what players see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_at: Option<i64>,
    /// Hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Its delay in this round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<Wait>,
    /// The trigger of its readied action, until its next turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<String>,
}

impl Combatant {
    /// The combatant at its next place in the order of that round.
    pub(crate) fn at_next(&self, round: u32) -> Combatant {
        match self.acted_round < round {
            true => self.clone(),
            false => self.at_turn(self.again.saturating_add(1)),
        }
    }

    /// The same at that turn of a round, from 0.
    pub(crate) fn at_turn(&self, nth: u32) -> Combatant {
        let place = usize::try_from(nth).unwrap_or(usize::MAX).checked_sub(1);
        let further = place.and_then(|place| self.extra.get(place)).copied();
        Combatant {
            initiative: further.or(self.initiative),
            ..self.clone()
        }
    }
}

/// A delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wait {
    /// Until it is called back, or the round ends.
    Delayed,
    /// Called back: it acts right after the current turn.
    Returned,
}

words! { Wait: Delayed = "delayed", Returned = "returned"; }

/// A row of `notes`, of the GM for the story. A thread is open until another note closes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The number of the entry that wrote it.
    pub id: i64,
    pub session: u32,
    pub kind: NoteKind,
    pub text: String,
    /// Hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The one player's character who knows it, where it is hidden from the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reader: Option<i64>,
    /// The entry that closed it, where it is a thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_by: Option<i64>,
}

/// The kind of a note.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    #[default]
    Note,
    /// Where the story is now.
    Scene,
    /// What was found out.
    Discovery,
    /// What is left open.
    Thread,
}

words! { NoteKind: Note = "note", Scene = "scene", Discovery = "discovery", Thread = "thread"; }

impl Note {
    pub(crate) fn is_open_thread(&self) -> bool {
        self.kind == NoteKind::Thread && self.closed_by.is_none()
    }
}

/// A row of `clocks`, which the company shares: `min <= value`, and `value <= max` where there is a
/// maximum. A clock that System.md declares and that nothing has changed yet has no row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Unique in the campaign, case and accents folded.
    pub name: String,
    pub value: i64,
    pub min: i64,
    pub max: Option<i64>,
    /// It runs down, like supplies: its bad end is its lowest value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub down: bool,
    /// Hidden from players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Done with: off the lists, and kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub closed: bool,
}

impl Clock {
    /// "Flooding 3/6".
    pub fn render(&self) -> String {
        format!("{} {}", self.name, self.render_value())
    }

    /// "3/6", or "3" without a maximum.
    pub fn render_value(&self) -> String {
        of_max(self.value, self.max)
    }

    /// "full" or "empty", where it is at its bad end.
    pub fn end(&self) -> Option<&'static str> {
        let is_empty = self.down && self.value <= self.min.max(0);
        let is_full = !self.down && self.max == Some(self.value);
        is_empty.then_some("empty").or(is_full.then_some("full"))
    }

    /// The value that is this much worse, or better where it is below 0.
    pub fn worse_by(&self, amount: i64) -> i64 {
        if self.down {
            self.value.saturating_sub(amount)
        } else {
            self.value.saturating_add(amount)
        }
    }

    pub(crate) fn clamp(&self, value: i64) -> i64 {
        value.min(self.max.unwrap_or(i64::MAX)).max(self.min)
    }
}

/// "3/6", or "3" without a maximum.
pub fn of_max(value: i64, max: Option<i64>) -> String {
    max.map_or_else(|| value.to_string(), |max| format!("{value}/{max}"))
}

/// A row of `decks`: what is out of one. A deck that is whole has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deck {
    /// As the rules call it.
    pub name: String,
    /// The cards that are out, in the order in which they were drawn: `10H`, `J`, `7`.
    pub drawn: Vec<String>,
}
