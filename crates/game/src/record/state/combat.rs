//! A fight and its combatants. The current turn is an id, and each combatant has the round it last acted in: never an
//! index, so the turn stays when combatants join or leave.

use serde::{Deserialize, Serialize};

use super::is_default;
use rollbook_rules::Structure;

/// A row of `combats`.
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
    /// When its last turn began, or the fight began or ended; microseconds since 1970-01-01T00:00:00Z.
    pub moved_at: i64,
    /// The first entry of the advance that began the current turn: where [`crate::decide::combat::previous_turn`] goes back to.
    /// Its before-image has the advance before, so turns can be taken back to the start of the fight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advanced: Option<i64>,
    /// Those of a kind, which are numbered alike, have one initiative, whatever the rules say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_kind: bool,
    /// Whether it has turns, where that is not as the rules begin a fight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure: Option<Structure>,
    /// The combatant whose turn was interrupted when turns ended: it goes on if they begin again in this round.
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
    /// Skipped until it is up again.
    pub defeated: bool,
    /// The first round it acts in: a combatant that joins above the current initiative waits for the next round. 0: from
    /// the beginning.
    #[serde(default, skip_serializing_if = "is_default")]
    pub from_round: u32,
    /// The entry with which its last turn began or went on; the latest of a visible combatant is the turn that players see.
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
