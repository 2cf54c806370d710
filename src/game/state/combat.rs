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
    /// From 1.
    pub round: u32,
    /// The combatant whose turn it is; `None` where there are no turns.
    pub current: Option<i64>,
    pub outcome: Option<String>,
    /// When its last turn began, or it began or ended; microseconds since 1970-01-01T00:00:00Z.
    pub moved_at: i64,
}

/// Where a fight stands. It ends only when the GM says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CombatStatus {
    Running,
    Ended,
}

impl CombatStatus {
    /// The word in tables and replies.
    pub fn as_str(self) -> &'static str {
        match self {
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
}
