//! A fight and who is in it. Whose turn it is, is an id with the round each last acted: never an index, so
//! nobody who comes or goes can move it.

use serde::{Deserialize, Serialize};

/// The row of `combats`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The first entry of the advance that began the current turn: where [`crate::game::decide::combat::previous_turn`] goes back to.
    /// Its before-image names the advance before, so the way back is as long as the fight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advanced: Option<i64>,
}

/// Where a fight stands. It ends only when the GM says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CombatStatus {
    /// Prepared: who is in it is being said, and nobody acts.
    Setup,
    Running,
    Ended,
}

impl CombatStatus {
    /// The word in tables and replies.
    pub fn as_str(self) -> &'static str {
        match self {
            CombatStatus::Setup => "setup",
            CombatStatus::Running => "running",
            CombatStatus::Ended => "ended",
        }
    }
}

/// The row of `combatants`: a character's place in a fight. Its health is the character's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Combatant {
    /// The number of the entry that brought it in.
    pub id: i64,
    pub combat: i64,
    pub character: i64,
    pub side: String,
    /// `None` where the rules have no initiative.
    pub initiative: Option<i64>,
    /// What breaks ties, in the order the rules state, higher first.
    pub ties: Vec<i64>,
    /// The last round in which its turn began; 0 before its first.
    pub acted_round: u32,
    /// Passed over until it is up again; never removed.
    pub defeated: bool,
    /// The first round it acts in: whoever joined above the pointer waits for the next one. 0: from the beginning.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub from_round: u32,
    /// The entry with which its last turn began or went on; of the visible, the latest is whose turn players see.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_at: Option<i64>,
    /// Players know nothing of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// It lets others go first in this round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<Wait>,
    /// What it acts upon once that happens, in the GM's words; until its next turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<String>,
}

/// Letting others go first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wait {
    /// Until it is called back, or the round ends.
    Delayed,
    /// Called back: it acts right after the current turn.
    Returned,
}

impl Wait {
    /// The word in tables and replies.
    pub fn as_str(self) -> &'static str {
        match self {
            Wait::Delayed => "delayed",
            Wait::Returned => "returned",
        }
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}
